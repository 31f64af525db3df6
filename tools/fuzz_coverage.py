#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shows how many lines of each parser the last run of tools/fuzz.sh reached: seeds and fuzzing.

Exits with 1 when it is below LEAST percent for one of them, and names the lines that were missed.
Wants llvm-profdata and llvm-cov of the clang that built the targets.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/fuzz"
LEAST = 95

# What reads bytes from outside.
PARSERS = """
    api/text.c base/quantity.c bench/ab_config.c cli/trapdoor.c
    codec/base64.c codec/bincode.c codec/commitment.c codec/json.c codec/json_shim.cc
    codec/merkle_proof.c codec/prover_id.c codec/vanilla_list.c
    daemon/config.c daemon/config_check.c daemon/config_rows.c daemon/config_value.c
    daemon/toml_shim.cc
    engine/request.c groth16/proof.c options/options.c
    pce/evaluate.c pce/file.c pce/form.c
    porep/c1.c porep/c1_challenge.c
    post/post_input.c post/statement.c post/vanilla.c
    srs/point.c srs/srs.c srs/vk.c
    store/store_database.c
    update/vanilla.c
""".split()

# Functions of these files that read nothing.
OTHERS = {"config_explain", "config_rows.c:print_comment", "config_rows.c:print_row",
          "groth16_random_blinding", "grow_array"}


def tool(name):
    for candidate in (f"{name}-14", name):
        if shutil.which(candidate):
            return candidate
    sys.exit(f"{name} is not there: run tools/install_packages.sh")


def export():
    """What llvm-cov says of the parsers, as lines of the lcov format."""
    data = BUILD / "fuzz.profdata"
    profiles = [str(p) for p in (BUILD / "profiles").glob("*.profraw")]
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", str(data), *profiles],
                   check=True)
    targets = sorted(p for p in (BUILD / "fuzz").glob("fuzz_*") if p.is_file())
    objects = [word for p in targets for word in ("-object", str(p))][1:]
    files = [str(ROOT / "src" / name) for name in PARSERS]
    return subprocess.run([tool("llvm-cov"), "export", "-format=lcov", *objects,
                           f"-instr-profile={data}", *files],
                          check=True, capture_output=True, text=True).stdout.splitlines()


def counts_by_file(lines):
    """{path: {line: how often it ran}}, without OTHERS."""
    found = {}
    for line in lines:
        key, _, rest = line.partition(":")
        if key == "SF":
            functions, counts = {}, found.setdefault(rest, {})
        elif key == "FN":
            first, name = rest.split(",", 1)
            functions[int(first)] = name
        elif key == "DA":
            at, count = map(int, rest.split(",")[:2])
            begun = [first for first in functions if first <= at]
            if not begun or functions[max(begun)] not in OTHERS:
                counts[at] = counts.get(at, 0) + count
    return found


def main():
    found = counts_by_file(export())
    low = 0
    for name in PARSERS:
        counts = found.get(str(ROOT / "src" / name))
        if not counts:
            sys.exit(f"{name}: no target has it")
        missed = [str(line) for line, count in sorted(counts.items()) if count == 0]
        percent = 100 * (len(counts) - len(missed)) / len(counts)
        low += percent < LEAST
        print(f"{percent:6.1f} % of {len(counts):4} lines  {name}"
              + (f"  missed: {', '.join(missed)}" if missed else ""), flush=True)
    if low:
        sys.exit(f"{low} files below {LEAST} %: they want seeds (tools/fuzz_seeds.py)")


main()
