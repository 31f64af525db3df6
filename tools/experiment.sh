#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Repeats an experiment of docs/experiments on this machine, which should have nothing else to do:
#
#   tools/experiment.sh a1|a2|a4|d4 [FOLDER]
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
    compgen -G "$FIL_PROOFS_PARAMETER_CACHE/v28-stacked-*-8-0-0-*032d3138*.params" >/dev/null ||
        build/release/src/cli/cuzk setup porep --sector-size 2KiB --params "$FIL_PROOFS_PARAMETER_CACHE"
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
*)
    sed -n '3,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
