#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Brings the blst sources pinned in deps/blst.pin into .deps/blst, in the first of these ways that
# works; does nothing when they are there.
#   cargo  the crate, from the registry cargo is configured for
#   go     the module, where go is installed
#   pypi   the source package of ckzg, which carries blst, from the index pip is configured for
# A package file is checked against the pin before anything of it is used, and what is taken from
# it again, so that all ways of one release give the same. Nothing of a package is run.
#
# Usage: fetch_blst.sh [WAY ...]   With WAYs: by these, even where the sources are there.
# Exit codes: 0 they are there; 2 no way worked. A system libblst (pkg-config) or
# -DCUZK_BLST_DIR=... makes this step needless.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=/dev/null
source "$top/deps/blst.pin"
dest=$top/.deps/blst
stamp=$dest/.sha256
export PATH="$PATH:$HOME/.cargo/bin"

ways=(cargo go pypi)
if [ $# -gt 0 ]; then
    ways=("$@")
else
    have=$(cat "$stamp" 2>/dev/null || true)
    if [ -n "$have" ] && { [ "$have" = "$tree" ] || [ "$have" = "$ckzg_tree" ]; }; then exit 0; fi
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { # why a way does not work, for the last message
    echo "$*" >"$work/why"
    return 1
}

unpack() { "$@" || fail "the package file cannot be unpacked by $1"; }

has_digest() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]; }

# Packages that blst asks for and its C sources don't need: empty ones in their place, so that
# nothing else is resolved or fetched, whatever age cargo is of.
companion() { # NAME VERSION [FEATURE]
    mkdir -p "$work/$1/src"
    : >"$work/$1/src/lib.rs"
    printf '[package]\nname = "%s"\nversion = "%s"\n[features]\n%s\n' \
        "$1" "$2" "${3:+$3 = []}" >"$work/$1/Cargo.toml"
    echo "$1 = { path = \"$1\" }" >>"$work/Cargo.toml"
}

find_crate() {
    local home=${CARGO_HOME:-$HOME/.cargo} crate
    for crate in "$home"/registry/cache/*/"blst-$version.crate"; do
        if has_digest "$crate" "$crate_sha256"; then
            package=$crate
            return 0
        fi
    done
    return 1
}

cargo_fetch() {
    local minor options=()
    minor=$(cargo --version | sed -nE 's/^cargo 1\.([0-9]+)\..*/\1/p')
    mkdir -p "$work/src"
    : >"$work/src/lib.rs"
    cat >"$work/Cargo.toml" <<EOF
[package]
name = "fetch"
version = "0.0.0"
edition = "2018"
[workspace]
[dependencies]
blst = "=$version"
[patch.crates-io]
EOF
    companion cc 1.999.0
    companion glob 0.3.999
    companion threadpool 1.999.0
    companion zeroize 1.999.0 zeroize_derive
    # Before 1.70 the index is a Git repository of a gigabyte unless one asks for the other form,
    # and before 1.68 asking counts as unstable.
    export CARGO_REGISTRIES_CRATES_IO_PROTOCOL=${CARGO_REGISTRIES_CRATES_IO_PROTOCOL:-sparse}
    if [ "${minor:-99}" -lt 68 ]; then
        options=(-Z sparse-registry)
        export RUSTC_BOOTSTRAP=1
    fi
    cd "$work" && cargo "${options[@]}" fetch --quiet
}

take_cargo() {
    local said
    if ! find_crate; then
        command -v cargo >/dev/null || { fail "cargo is not installed"; return; }
        said=$(cargo_fetch 2>&1) || { fail "cargo fetch: $(tail -n 1 <<<"$said")"; return; }
        find_crate || { fail "cargo fetched no blst-$version.crate of the pinned SHA-256"; return; }
    fi
    unpack tar -xzf "$package" -C "$work/package" || return
    sources=$work/package/blst-$version/blst
}

take_go() {
    local module=github.com/supranational/blst said zip
    command -v go >/dev/null || { fail "go is not installed"; return; }
    said=$(cd "$work" && GOWORK=off go mod download -json "$module@v$version" 2>&1) ||
        { fail "go mod download: $(grep -m 1 -i error <<<"$said" || tail -n 1 <<<"$said")"; return; }
    zip=$(sed -nE 's/^[[:space:]]*"Zip": "(.*)",?$/\1/p' <<<"$said")
    has_digest "$zip" "$go_sha256" || { fail "not of the pinned SHA-256: ${zip:-no file}"; return; }
    unpack python3 -m zipfile -e "$zip" "$work/package" || return
    sources=$work/package/$module@v$version
}

take_pypi() {
    local said
    command -v python3 >/dev/null || { fail "python3 is not installed"; return; }
    said=$("$top/tools/fetch_sdist.py" ckzg "$ckzg_version" "$ckzg_sha256" "$work/sdist" 2>&1) ||
        { fail "$(tail -n 1 <<<"$said")"; return; }
    unpack tar -xzf "$work/sdist" -C "$work/package" || return
    sources=$work/package/ckzg-$ckzg_version/blst
    release=$ckzg_blst
    expected=$ckzg_tree
}

# What the build uses of a source tree, to .deps/blst.
put_in_place() {
    local new=$work/blst digest
    mkdir -p "$new/bindings" "$new/src"
    cp "$sources"/bindings/blst{,_aux}.h "$new/bindings/" &&
        cp "$sources"/src/*.[ch] "$new/src/" &&
        cp -R "$sources/build" "$new/" || { fail "the package has no sources of blst"; return; }
    digest=$(cd "$new" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1)
    [ "$digest" = "$expected" ] ||
        { fail "its files give SHA-256 $digest, expected $expected"; return; }
    echo "$digest" >"$new/.sha256"
    rm -rf "$dest" && mkdir -p "$top/.deps" && mv "$new" "$dest" ||
        fail "$dest cannot be written"
}

reasons=
for way in "${ways[@]}"; do
    rm -rf "$work/package" "$work/blst"
    mkdir "$work/package"
    release=$version
    expected=$tree
    case $way in
    cargo | go | pypi) ;;
    *) echo "fetch_blst: $way: none of cargo, go, pypi" >&2; exit 2 ;;
    esac
    if "take_$way" && put_in_place; then
        echo "fetch_blst: blst $release is in .deps/blst, by way of $way"
        exit 0
    fi
    reasons+=$(printf '\n  %s: %s' "$way" "$(cat "$work/why")")
done
echo "fetch_blst: blst $version could not be fetched:$reasons
A libblst found by pkg-config or -DCUZK_BLST_DIR=... does as well." >&2
exit 2
