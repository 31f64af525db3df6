#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Checks that the shared library exports cuzk_* and nothing else. Argument: the library.
set -euo pipefail
lib=$1
exported=$(nm -D --defined-only "$lib" | awk '{print $3}')
[ -n "$exported" ] || { echo "$lib exports nothing" >&2; exit 1; }
others=$(printf '%s\n' "$exported" | grep -v '^cuzk_' || true)
if [ -n "$others" ]; then
    printf '%s exports names that are not cuzk_*:\n%s\n' "$lib" "$others" >&2
    exit 1
fi
echo "symbols: $(printf '%s\n' "$exported" | wc -l) exported, all cuzk_*"
