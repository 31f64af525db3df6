#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs what README.md says to run on a fresh Debian 12, on one: a minbase system that debootstrap
# makes, with make and ca-certificates, and a clone of this tree's last commit. `demo` runs as a
# user with sudo and, in another such system, as root (or as one of them: --as); `test` as root.
#
# Usage: check_fresh.sh [--dir DIR] [--as user|root] [demo|test]
# Needs root, about 4 GB in DIR (empty or not there, and removed at the end; default: a new folder
# under TMPDIR or /tmp) and this machine's way to Debian and the registries: its mirror, resolver,
# certificates, proxies and what is set for pip, cargo and go go along. Installs debootstrap where
# it is missing.
# Exit codes: 0 passed; 1 failed; 2 cannot be run here.
set -euo pipefail
SUITE=bookworm
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

refused=
child=

refuse() {
    refused=yes
    echo "check_fresh: $*" >&2
    exit 2
}

what=demo
as=
dir=
while [ $# -gt 0 ]; do
    case $1 in
    demo | test) what=$1 ;;
    --dir) dir=${2:-}; [ -n "$dir" ] || refuse "--dir needs a folder"; shift ;;
    --as) as=${2:-}; [[ $as =~ ^(user|root)$ ]] || refuse "--as: \"$as\": user or root"; shift ;;
    *) refuse "$1: usage: check_fresh.sh [--dir DIR] [--as user|root] [demo|test]" ;;
    esac
    shift
done
if [ -z "$as" ]; then
    as="user root"
    if [ "$what" = test ]; then as=root; fi
fi
[ "$(id -u)" -eq 0 ] || refuse "debootstrap and chroot need root"
unshare --mount --pid --fork true || refuse "mounts in a namespace of their own are not allowed here"
if [ -n "$dir" ]; then
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd)
    [ -z "$(ls -A "$dir")" ] || refuse "--dir: $dir is not empty"
else
    dir=$(mktemp -d)
fi

# Mounts are made in a namespace of a child (see within), so none is left here however this ends.
finish() {
    local code=$?
    trap - EXIT
    trap '' HUP INT TERM
    if [ -n "$child" ]; then
        kill -KILL "$child" 2>/dev/null || true # and with it all that runs in its system
        wait "$child" 2>/dev/null || true
    fi
    rm -rf --one-file-system "$dir" || { sleep 2; rm -rf --one-file-system "$dir"; }
    if [ -n "$refused" ]; then exit 2; fi
    if [ "$code" -eq 0 ]; then
        echo "check_fresh: $what passed"
        exit 0
    fi
    echo "check_fresh: $what failed"
    exit 1
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

if ! command -v debootstrap >/dev/null; then
    echo "installing: debootstrap"
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null ||
        refuse "debootstrap cannot be installed"
fi

# Runs a command in a system with a process table, devices and mounts of its own. Its first process
# stays one of root's, since a change of user would free it from the end of its parent.
within() { # ROOT COMMAND ...
    # shellcheck disable=SC2016
    unshare --mount --propagation private --pid --fork --kill-child sh -ec '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys"
        mount --rbind /dev "$root/dev"
        chroot "$root" "$@" || exit' sh "$@" &
    child=$!
    local code=0
    wait "$child" || code=$?
    child=
    return "$code"
}

proxy_of() { # http or https, as apt or the environment has it
    local name=$1_proxy found
    found=$(apt-config dump --format '%v%n' "Acquire::$1::Proxy" 2>/dev/null | head -n 1)
    echo "${found:-${!name:-}}"
}

# Variables that say where and how packages are fetched, as words for env.
passed_on() {
    env -0 | grep -zE '^((https?|ftp|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_FILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|TRUSTED_HOST|PROXY)|CARGO_(HTTP|NET|REGISTR|SOURCE)[A-Z_]*|GOPROXY|GONOPROXY|GOSUMDB|GONOSUMDB)=' || true
}

put() { # FILE ROOT [PLACE]   copies a file of this machine, where it is there
    local place=$2${3:-$1}
    if [ -f "$1" ]; then
        mkdir -p "$(dirname "$place")"
        cp -L "$1" "$place"
    fi
}

put_configuration() { # ROOT HOME
    put "$HOME/.config/pip/pip.conf" "$1" "$2/.config/pip/pip.conf"
    put "$HOME/.pip/pip.conf" "$1" "$2/.pip/pip.conf"
    put "${CARGO_HOME:-$HOME/.cargo}/config" "$1" "$2/.cargo/config"
    put "${CARGO_HOME:-$HOME/.cargo}/config.toml" "$1" "$2/.cargo/config.toml"
}

# The mirror of Debian that this machine's apt uses.
find_mirror() {
    local own
    own=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME" || true)
    apt-get indextargets --format '$(SITE) $(COMPONENT) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        sed -nE "s/^(\S+) main ($SUITE|${own:-$SUITE})\$/\1/p" | sort -u | head -n 1 || true
}

make_base() { # ROOT
    local root=$1 mirror kind proxy variable
    mirror=$(find_mirror)
    for kind in http https; do
        proxy=$(proxy_of $kind)
        if [ -n "$proxy" ]; then export "${kind}_proxy=$proxy"; fi
    done
    echo "== Debian $SUITE, minbase, make and ca-certificates, from ${mirror:-the usual mirror}"
    debootstrap --variant=minbase --include=make,ca-certificates "$SUITE" "$root" \
        ${mirror:+"$mirror"} >"$dir/log" 2>&1 || { tail -n 20 "$dir/log"; return 1; }
    for kind in http https; do
        variable=${kind}_proxy
        [ -z "${!variable:-}" ] ||
            echo "Acquire::$kind::Proxy \"${!variable}\";" >>"$root/etc/apt/apt.conf.d/90host"
    done
    put /etc/resolv.conf "$root"
    put /etc/hosts "$root"
    put /etc/apt/auth.conf "$root"
    put /etc/pip.conf "$root"
    for variable in SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT; do
        [ -z "${!variable:-}" ] || put "${!variable}" "$root"
    done
    cp -RL /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
    within "$root" update-ca-certificates >/dev/null
    put /etc/ssl/certs/ca-certificates.crt "$root"
}

# The tree may be another user's.
clone() { # PLACE
    printf '[safe]\n\tdirectory = *\n' >"$dir/gitconfig"
    GIT_CONFIG_GLOBAL=$dir/gitconfig git clone -q --no-hardlinks "$top" "$1"
}

run_as() { # USER HOME ROOT
    local user=$1 home=$2 root=$3 start=$SECONDS variables
    put_configuration "$root" "$home"
    clone "$root$home/cuzk"
    if [ "$user" != root ]; then
        within "$root" sh -ec 'export DEBIAN_FRONTEND=noninteractive
            apt-get update -qq
            apt-get install -y -qq --no-install-recommends sudo >/dev/null
            useradd -s /bin/bash "$1"
            echo "$1 ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/90fresh
            chown -R "$1:" "$2"' sh "$user" "$home" >"$dir/log" 2>&1 ||
            { tail -n 20 "$dir/log"; return 1; }
    fi
    mapfile -d '' -t variables < <(passed_on)
    echo "== make $what, as $user"
    # shellcheck disable=SC2016
    within "$root" env -i HOME="$home" USER="$user" LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${variables[@]}" \
        setpriv --reuid "$user" --regid "$user" --init-groups \
        sh -ec 'cd "$HOME/cuzk" && exec make "$1"' sh "$what"
    echo "== make $what, as $user: $((SECONDS - start)) s"
}

make_base "$dir/base"
echo "== the system: $SECONDS s"
for one in $as; do
    cp -a "$dir/base" "$dir/run"
    case $one in
    user) run_as builder /home/builder "$dir/run" ;;
    root) run_as root /root "$dir/run" ;;
    esac
    rm -rf --one-file-system "$dir/run"
done
