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
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=check_fresh
. "$top/tools/debian_system.sh"

what=demo
as=
place=
while [ $# -gt 0 ]; do
    case $1 in
    demo | test) what=$1 ;;
    --dir) place=${2:-}; [ -n "$place" ] || refuse "--dir needs a folder"; shift ;;
    --as) as=${2:-}; [[ $as =~ ^(user|root)$ ]] || refuse "--as: \"$as\": user or root"; shift ;;
    *) refuse "$1: usage: check_fresh.sh [--dir DIR] [--as user|root] [demo|test]" ;;
    esac
    shift
done
if [ -z "$as" ]; then
    as="user root"
    if [ "$what" = test ]; then as=root; fi
fi
begin "$place"

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

make_base "$dir/base" make,ca-certificates
echo "== the system: $SECONDS s"
for one in $as; do
    cp -a "$dir/base" "$dir/run"
    case $one in
    user) run_as builder /home/builder "$dir/run" ;;
    root) run_as root /root "$dir/run" ;;
    esac
    rm -rf --one-file-system "$dir/run"
done
