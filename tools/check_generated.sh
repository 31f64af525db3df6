#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs every generator again and fails when a committed file differs from what it makes.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/src/field" "$work/src/hash" "$work/src/registry"
cp "$top"/tools/*.json "$work/tools/" # what generators read
ln -s "$top/tests" "$work/tests"
for generator in "$top"/tools/gen_*.py; do
    cp "$generator" "$work/tools/"
    python3 "$work/tools/$(basename "$generator")" >/dev/null
done
status=0
while IFS= read -r made; do
    if ! diff -q "$made" "$top/${made#"$work"/}" >/dev/null; then
        echo "differs from what its generator makes: ${made#"$work"/}" >&2
        status=1
    fi
done < <(find "$work/src" -type f)
[ $status -eq 0 ] && echo "generated files: all as their generators make them"
exit $status
