#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Tries the Debian package on a clean Debian 12: installs it, looks that nothing is started or
# enabled, starts the daemon as its user, asks it for its health, stops it, removes the package, and
# looks what is left of it.
#
# Usage: check_package.sh [--dir DIR] [--deb FILE]
# FILE is the package; without it, the one is made that build/release (make build) has the parts of.
# Needs root, about 1 GB in DIR (empty or not there, and removed at the end; default: a new folder
# under TMPDIR or /tmp), python3, and this machine's way to Debian.
# Exit codes: 0 passed; 1 failed; 2 cannot be run here.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=check_package
. "$top/tools/debian_system.sh"
UNIT=cuzk-daemon.service
CONFIG=/etc/cuzk/cuzk.toml
STATE=/var/lib/cuzk

what="the package"
place=
deb=
while [ $# -gt 0 ]; do
    case $1 in
    --dir) place=${2:-}; [ -n "$place" ] || refuse "--dir needs a folder"; shift ;;
    --deb) deb=${2:-}; [ -f "$deb" ] || refuse "--deb: \"$deb\": no such file"; shift ;;
    *) refuse "$1: usage: check_package.sh [--dir DIR] [--deb FILE]" ;;
    esac
    shift
done
begin "$place"

fail() {
    echo "$name: $*" >&2
    exit 1
}

make_package() {
    echo "== cpack -G DEB"
    (cd "$top/build/release" && cpack -G DEB) >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; return 1; }
    deb=$(sed -nE 's/^CPack: - package: (.*\.deb) generated\.$/\1/p' "$dir/log" | tail -n 1)
    [ -n "$deb" ] || fail "cpack names no package"
}

# Runs a command in the system, quietly unless it fails.
quietly() { # COMMAND ...
    within "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
        DEBIAN_FRONTEND=noninteractive "$@" >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; return 1; }
}

# All names but those of what is mounted, of passing things, and of dpkg and apt themselves.
list_files() { # FILE
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./run \
        -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache \
        -o -path ./var/log \) -prune -o -print | LC_ALL=C sort) >"$1"
}

# What is there now and was not before the package was; copies that the tools for users make are
# left out.
left_over() {
    list_files "$dir/now"
    LC_ALL=C comm -13 "$dir/before" "$dir/now" |
        sed -E '/^\.\/etc\/((passwd|group|shadow|gshadow)-|\.pwd\.lock)$/d'
}

expect_left_over() { # NAME ...
    local expected
    expected=$(printf '%s\n' "$@")
    if [ "$(left_over)" != "$expected" ]; then
        diff <(echo "$expected") <(left_over) >&2 || true
        fail "other files are left than meant"
    fi
}

install_package() {
    echo "== install"
    cp "$deb" "$root/tmp/cuzk.deb"
    quietly apt-get update -qq
    quietly apt-get satisfy -y -qq --no-install-recommends "$(dpkg-deb -f "$deb" Depends)"
    list_files "$dir/before"
    quietly apt-get install -y -qq --no-install-recommends /tmp/cuzk.deb
}

check_installed() {
    local program
    echo "== what is there"
    quietly dpkg --verify cuzk
    for program in cuzk cuzk-daemon cuzk-bench; do quietly "$program" --version; done
    [ "$(within "$root" stat -c '%U:%G %a' "$STATE")" = "cuzk:cuzk 750" ] || fail "$STATE: not cuzk's"
    if left_over | grep -F .wants/; then fail "the package enables something by itself"; fi
    if command -v systemd-analyze >/dev/null; then
        systemd-analyze verify --man=no --root="$root" "$UNIT" 2>"$dir/log" || true
        if grep -F "$UNIT" "$dir/log"; then fail "systemd finds faults with $UNIT"; fi
    fi
}

# What systemd would do: a folder for the socket, the user, and a socket that hears of its state.
put_trial() { # PORT
    sed -i "s|^#status_listen = .*|status_listen = \"127.0.0.1:$1\"|" "$root$CONFIG"
    cat >"$root/tmp/trial" <<EOF
set -eu
fail() { echo "\$*"; cat /tmp/daemon.log; exit 1; }
install -d -o cuzk -g cuzk -m 0755 /run/curio
NOTIFY_SOCKET=/tmp/notify setpriv --reuid cuzk --regid cuzk --init-groups --no-new-privs \\
    /usr/bin/cuzk-daemon --config $CONFIG 2>/tmp/daemon.log &
pid=\$!
answer=
for i in \$(seq 300); do
    if exec 3<>/dev/tcp/127.0.0.1/$1; then
        printf 'GET /healthz HTTP/1.0\r\n\r\n' >&3
        answer=\$(cat <&3)
        break
    fi 2>/dev/null
    kill -0 \$pid || fail "the daemon has ended"
    sleep 0.1
done
case \$answer in *" 200 "*) ;; *) fail "/healthz says: \$answer" ;; esac
[ "\$(stat -c '%U %F' /run/curio/cuzk.sock)" = "cuzk socket" ] || fail "the socket is not there"
[ "\$(stat -c %U /proc/\$pid)" = cuzk ] || fail "it runs as another user"
kill -TERM \$pid
code=0
wait \$pid || code=\$?
[ \$code -eq 0 ] || fail "it ends with \$code"
[ ! -e /run/curio/cuzk.sock ] || fail "it leaves its socket"
EOF
}

# Writes what comes to a socket of the system into a file.
LISTENER='
import os, socket, sys
os.chdir(sys.argv[1])
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind("notify")
os.chmod("notify", 0o777)
with open("told", "wb", buffering=0) as to:
    while True:
        to.write(told.recv(65536) + b"\n")
'
FREE_PORT='
import socket
with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1])
'

try_daemon() {
    local listener code=0
    echo "== the daemon"
    put_trial "$(python3 -c "$FREE_PORT")"
    python3 -c "$LISTENER" "$root/tmp" &
    listener=$!
    while [ ! -e "$root/tmp/told" ]; do
        kill -0 "$listener" 2>/dev/null || fail "nothing listens for the daemon's state"
        sleep 0.1
    done
    quietly bash /tmp/trial || code=$?
    kill "$listener"
    wait "$listener" 2>/dev/null || true
    [ "$code" -eq 0 ] || return 1
    grep -q READY=1 "$root/tmp/told" || fail "it does not say that it is ready"
    grep -q STOPPING=1 "$root/tmp/told" || fail "it does not say that it ends"
}

remove_package() {
    local kept=()
    echo "== remove, then purge"
    quietly apt-get remove -y -qq cuzk
    mapfile -t kept < <(cd "$root" && find ".$STATE" | LC_ALL=C sort)
    [ ${#kept[@]} -gt 0 ] || fail "jobs that were accepted are gone"
    expect_left_over ./etc/cuzk ".$CONFIG" "${kept[@]}"
    quietly apt-get purge -y -qq cuzk
    [ -z "$(left_over)" ] || { left_over; fail "purge leaves files"; }
}

root=$dir/system
if [ -z "$deb" ]; then make_package; fi
dpkg-deb -I "$deb" | sed -nE 's/^ (Package|Version|Architecture|Installed-Size|Depends):/  &/p'
make_base "$root" ca-certificates
install_package
check_installed
try_daemon
remove_package
