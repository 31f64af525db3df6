#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the fuzz targets and runs each for SECONDS_EACH (60), two at a time, from the seeds under
# tests/fuzz/corpus/NAME. A crash, a leak or a sanitizer report fails the run and is kept under
# build/fuzz/findings.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=${SECONDS_EACH:-60}
cd "$top"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers
cd build/fuzz
mkdir -p findings
run_one() {
    local name=${1#fuzz_}
    local seeds=$2/tests/fuzz/corpus/$name
    mkdir -p "corpus/$name"
    local folders=("corpus/$name")
    if [ -d "$seeds" ]; then folders+=("$seeds"); fi
    if "fuzz/$1" -max_total_time="$3" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="findings/$name-" "${folders[@]}" >"findings/$name.log" 2>&1; then
        echo "fuzz $name: $(sed -n 's/stat::number_of_executed_units: *//p' "findings/$name.log")" \
             "inputs, nothing found"
    else
        tail -n 30 "findings/$name.log" >&2
        echo "fuzz $name: FAILED, see build/fuzz/findings" >&2
        return 1
    fi
}
export -f run_one
find fuzz -maxdepth 1 -type f -perm -u+x -name 'fuzz_*' -printf '%f\n' | sort |
    xargs -P "$(nproc)" -I{} bash -c 'run_one "$@"' _ {} "$top" "$seconds"
