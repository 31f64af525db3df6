#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Names the files that clang-format would change; --fix changes them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t files < <(git ls-files '*.c' '*.h' '*.cc')
if [ "${1:-}" = --fix ]; then
    exec clang-format -i "${files[@]}"
fi
if said=$(clang-format --dry-run -Werror "${files[@]}" 2>&1); then
    echo "format: as clang-format has it"
else
    printf '%s\n' "$said" | grep -o '^[^:]*\.[a-z]*:' | sort -u | sed 's/:$/: not as clang-format has it/' >&2
    exit 1
fi
