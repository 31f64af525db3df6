#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Repeats an experiment of docs/experiments on this machine, which should have nothing else to do:
#
#   tools/experiment.sh a1|a2|a4|d4 [FOLDER]
#   tools/experiment.sh commits [FOLDER]     # $OLD: the cuzk-bench of another build
#
# Records go to FOLDER (default docs/experiments/records). Wants a release build (make build). Whole
# proofs take parameters from $FIL_PROOFS_PARAMETER_CACHE, else test parameters made here once.
set -euo pipefail
records=${2:+$(realpath -m "$2")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bench=build/release/src/bench/cuzk-bench
records=${records:-docs/experiments/records}
porep=(--c1 tests/golden/porep-2KiB-0/c1.json --miner-id 1000 --sector-number 100)
synth=(synth-only "${porep[@]}" --path generic --threads 1 --iterations 5)

# ab NAME A B ARGUMENTS: a record of both sides
ab() {
    local name=$1 a=$2 b=$3
    shift 3
    "$bench" ab --a "$a" --b "$b" --record "$records" --name "$name" "$@"
}

need_parameters() {
    [ -z "${FIL_PROOFS_PARAMETER_CACHE:-}" ] || return 0
    export FIL_PROOFS_PARAMETER_CACHE=build/demo-params
    mkdir -p "$FIL_PROOFS_PARAMETER_CACHE"
    for kind in porep update winning window; do
        build/release/src/cli/cuzk setup $kind --sector-size 2KiB \
            --params "$FIL_PROOFS_PARAMETER_CACHE" 2>/dev/null || true # those there stay
    done
}

case ${1:-} in
a1)
    for variant in inline1 inline2 inline4 arena; do
        ab "a1-$variant" lc-storage=vec "lc-storage=$variant" --runs 9 --by cpu --cachegrind -- "${synth[@]}"
    done
    ab a1-arena-inline4 lc-storage=arena lc-storage=inline4 --runs 15 --by cpu -- "${synth[@]}"
    ;;
a2)
    ab a2-presize presize=off presize=on --runs 9 --by cpu --cachegrind -- "${synth[@]}"
    ;;
a4)
    need_parameters
    ab a4-bg2 bg2=serial bg2=parallel --runs 7 -- prove "${porep[@]}"
    ;;
d4)
    need_parameters
    for size in 8 10 12 14 16; do
        ab "d4-msm-g1-$size" window=fixed window=per-msm --runs 7 --by cpu -- \
            kernels --bench msm-g1 --log-n "$size" --threads 1 --runs 5
    done
    ab d4-msm-g2-12 window=fixed window=per-msm --runs 7 --by cpu -- \
        kernels --bench msm-g2 --log-n 12 --threads 1 --runs 5
    ab d4-prove window=fixed window=per-msm --runs 15 --by cpu -- prove "${porep[@]}"
    ;;
commits)
    need_parameters
    : "${OLD:?the path of another build\'s cuzk-bench}"
    old=program=build/old-cuzk-bench # a name that says nothing of this machine
    ln -sfn "$(realpath "$OLD")" "${old#program=}"
    golden=tests/golden
    who=(--miner-id 1000 --sector-size 2KiB)
    winning=(--kind winning "${who[@]}" --vanilla $golden/winning-2KiB/vanilla.json
        --randomness d9d80c75cbc8d7b23c7bd2cffe1b69811ad1b09217c22d9e75417ac22f04050b)
    window=(--kind window "${who[@]}" --vanilla $golden/window-2KiB/vanilla.json
        --randomness 543c291fdc78e4efbcfd85ff1fba82dc47f61f8a405df1463f204996ab22d21f)
    update=(--kind update --sector-size 2KiB --vanilla $golden/update-2KiB/vanilla.json
        --comm-r-old 7d57e697ed05b901143eae8815a53b3fb6f12523ff2067093fa9c235d6cdb06e
        --comm-r-new 34ffd2cd0dd6886b194918ae0b9296edeb80c773583b85ce5a25e53379bf5971
        --comm-d-new 8668c50d9f7b3a47f203d6cc7c797767e3580bfa34d8073bc6637f6a89821b26)
    for kernel in msm-g1 msm-g2 ntt; do
        ab "commits-$kernel-14" "$old" default --runs 9 --by cpu -- \
            kernels --bench $kernel --log-n 14 --threads 1 --runs 5
        ab "commits-$kernel-20" "$old" default --runs 3 --by cpu -- \
            kernels --bench $kernel --log-n 20 --threads 1 --runs 1
    done
    for kind in winning window update; do
        declare -n words=$kind
        ab "commits-$kind" "$old" default --runs 7 --by cpu -- prove "${words[@]}"
    done
    ab commits-porep "$old" default --runs 3 --by cpu -- prove "${porep[@]}"
    ;;
*)
    sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
