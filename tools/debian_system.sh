# SPDX-License-Identifier: Apache-2.0 OR MIT
# Clean Debian 12 systems to try things in, made by debootstrap and used by chroot: for the scripts
# tools/check_*.sh, which source it after `name=` (their own, for messages). Set by its functions:
# dir, the folder for everything, which is removed at the end. `what` names what passed or failed.
SUITE=bookworm
what=
dir=
refused=
child=

refuse() {
    refused=yes
    echo "$name: $*" >&2
    exit 2
}

# Checks that it can be done here, and takes a folder: DIR, which is empty or not there, or a new one.
begin() { # [DIR]
    dir=${1:-}
    [ "$(id -u)" -eq 0 ] || refuse "debootstrap and chroot need root"
    unshare --mount --pid --fork true ||
        refuse "mounts in a namespace of their own are not allowed here"
    if [ -n "$dir" ]; then
        mkdir -p "$dir"
        dir=$(cd "$dir" && pwd)
        [ -z "$(ls -A "$dir")" ] || refuse "--dir: $dir is not empty"
    else
        dir=$(mktemp -d)
    fi
    trap finish EXIT
    trap 'exit 1' HUP INT TERM
    need_debootstrap
}

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
        echo "$name: $what passed"
        exit 0
    fi
    echo "$name: $what failed"
    exit 1
}

need_debootstrap() {
    if command -v debootstrap >/dev/null; then return; fi
    echo "installing: debootstrap"
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null ||
        refuse "debootstrap cannot be installed"
}

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

make_base() { # ROOT PACKAGE,...   the smallest system with these packages
    local root=$1 packages=$2 mirror kind proxy variable
    mirror=$(find_mirror)
    for kind in http https; do
        proxy=$(proxy_of $kind)
        if [ -n "$proxy" ]; then export "${kind}_proxy=$proxy"; fi
    done
    echo "== Debian $SUITE, minbase, ${packages//,/, }, from ${mirror:-the usual mirror}"
    debootstrap --variant=minbase --include="$packages" "$SUITE" "$root" \
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
