#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs the Debian packages that building and testing need, and only those that are missing:
# install_packages.sh [--go]. With --go also Go and grpc-go (90 MB to fetch, 550 MB installed), for
# the test of the daemon that calls it as Curio does; without them it is skipped.
set -euo pipefail
packages=(
    gcc g++ clang clang-format libclang-rt-14-dev llvm-14 cmake ninja-build pkg-config python3 git
    universal-ctags
    libcmocka-dev libsimdjson-dev libssl-dev libtomcrypt-dev
    libgrpc-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler
    libmicrohttpd-dev libsqlite3-dev libsystemd-dev libtomlplusplus-dev
    python3-grpcio python3-protobuf
    libpfm4-dev valgrind dpkg-dev file
)
command -v cargo >/dev/null || [ -x "$HOME/.cargo/bin/cargo" ] || packages+=(cargo)
python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)

if [ "${1:-}" = --go ]; then packages+=(golang-go golang-google-grpc-dev); fi

missing=()
for p in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

echo "installing: ${missing[*]}"
sudo=
if [ "$(id -u)" -ne 0 ]; then sudo=sudo; fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
