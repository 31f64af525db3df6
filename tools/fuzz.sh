#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the fuzz targets, makes their seeds (tools/fuzz_seeds.py) and holds each seed to what has to
# become of it; then runs each target for SECONDS_EACH (60), as many at a time as there are
# processors, on inputs as long as its longest seed; then shows which lines of the parsers all that
# ran (tools/fuzz_coverage.py). A crash, a leak, a sanitizer's report, a seed that is not taken or a
# parser that is not run through fails the run. Findings are kept under build/fuzz/findings.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=${SECONDS_EACH:-60}
cd "$top"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers
cd build/fuzz
rm -rf seeds profiles
mkdir -p findings profiles seeds/pce/{read,right}
src/pce/fuzz_pce_seeds seeds/pce
"$top/tools/fuzz_seeds.py" seeds

# run_one TARGET SECONDS
run_one() {
    local name=${1#fuzz_}
    local log=findings/$name.log folders=("corpus/$name") verdict longest
    local options=(-timeout=20 -rss_limit_mb=2048 "-artifact_prefix=findings/$name-")

    fail() {
        tail -n 30 "$log" >&2
        echo "fuzz $name: FAILED, see build/fuzz/findings" >&2
        exit 1
    }
    mkdir -p "corpus/$name"
    for verdict in refused read right any; do
        if [ ! -d "seeds/$name/$verdict" ]; then continue; fi
        if [ $verdict = read ] || [ $verdict = right ]; then folders+=("seeds/$name/$verdict"); fi
        find "seeds/$name/$verdict" -type f -print0 |
            CUZK_FUZZ_EXPECT=${verdict/any/} LLVM_PROFILE_FILE="profiles/$name-$verdict-%m.profraw" \
                xargs -0 "fuzz/$1" "${options[@]}" >"$log" 2>&1 || fail
    done
    longest=$(find "seeds/$name" -type f -printf '%s\n' | sort -n | tail -n 1)
    LLVM_PROFILE_FILE="profiles/$name.profraw" "fuzz/$1" "${options[@]}" -max_total_time="$2" \
        -max_len=$((longest + longest / 8 + 64)) -len_control=0 -dict="seeds/$name.dict" \
        -print_final_stats=1 "${folders[@]}" >"$log" 2>&1 || fail
    echo "fuzz $name: $(find "seeds/$name" -type f | wc -l) seeds, the longest of $longest bytes," \
         "$(sed -n 's/stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
}
export -f run_one
find fuzz -maxdepth 1 -type f -perm -u+x -name 'fuzz_*' -printf '%f\n' | sort |
    xargs -P "$(nproc)" -I{} bash -c 'run_one "$@"' _ {} "$seconds"
"$top/tools/fuzz_coverage.py"
