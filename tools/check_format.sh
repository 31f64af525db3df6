#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Names the files that clang-format would change; --fix changes them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t files < <(git ls-files '*.c' '*.h' '*.cc')
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
    exit
fi
clang-format --dry-run -Werror "${files[@]}" 2>&1 | grep -o '^[^:]*' | sort -u | sed 's/^/not as clang-format has it: /'
[ "${PIPESTATUS[0]}" -eq 0 ] && echo "format: as clang-format has it"
