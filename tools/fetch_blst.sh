#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Brings the blst sources pinned in deps/blst.pin into .deps/blst, through cargo, and checks the
# package file against the pinned SHA-256 before anything of it is used. Does nothing when they
# are there. A system blst (pkg-config) or -DCUZK_BLST_DIR=... makes this step needless.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=/dev/null
source "$top/deps/blst.pin"
dest=$top/.deps/blst
stamp=$dest/.sha256
if [ "$(cat "$stamp" 2>/dev/null)" = "$sha256" ]; then exit 0; fi

command -v cargo >/dev/null || { echo "fetch_blst: cargo is not installed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src"
: >"$work/src/lib.rs"
cat >"$work/Cargo.toml" <<EOF
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[dependencies]
$name = "=$version"
EOF
# cargo also resolves what the package itself depends on, which we don't use: only the package file
# counts, and its digest.
(cd "$work" && cargo fetch --quiet) || echo "fetch_blst: cargo was not content" >&2

home=${CARGO_HOME:-$HOME/.cargo}
found=
for crate in "$home"/registry/cache/*/"$name-$version.crate"; do
    if [ -f "$crate" ] && [ "$(sha256sum "$crate" | cut -d' ' -f1)" = "$sha256" ]; then
        found=$crate
    fi
done
if [ -z "$found" ]; then
    echo "fetch_blst: no package file $name $version with SHA-256 $sha256 under $home" \
         "(a libblst found by pkg-config or -DCUZK_BLST_DIR=... does as well)" >&2
    exit 2
fi
rm -rf "$dest"
mkdir -p "$dest"
tar -xzf "$found" -C "$dest" --strip-components=2 "$name-$version/blst"
echo "$sha256" >"$stamp"
echo "fetch_blst: $name $version is in .deps/blst"
