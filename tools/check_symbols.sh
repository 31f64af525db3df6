#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Checks that a library exports cuzk_* and nothing else. Arguments: libraries, shared or static.
set -euo pipefail
for lib in "$@"; do
    case $lib in
        *.a) names=(nm --extern-only --defined-only) ;;
        *) names=(nm -D --defined-only) ;;
    esac
    exported=$("${names[@]}" "$lib" | awk 'NF == 3 {print $3}')
    [ -n "$exported" ] || { echo "$lib exports nothing" >&2; exit 1; }
    others=$(printf '%s\n' "$exported" | grep -v '^cuzk_' || true)
    if [ -n "$others" ]; then
        printf '%s exports names that are not cuzk_*:\n%s\n' "$lib" "$others" >&2
        exit 1
    fi
    echo "symbols: ${lib##*/}: $(printf '%s\n' "$exported" | wc -l) exported, all cuzk_*"
done
