#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks that includes go one way: each folder of src/ uses only the folders its row names.

Sources, tests and fuzz targets of a folder obey the same row; test files may use more, as listed
in TESTS. Prints each include that breaks a row and exits with 1.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# folder -> folders it may include (itself, base and include/cuzk are always allowed)
ROWS = {
    "base": "",
    "field": "",
    "codec": "",
    "options": "",
    "curve": "field",
    "ntt": "field",
    "hash": "field",
    "r1cs": "field",
    "msm": "curve field",
    "srs": "curve field",
    "gadget": "r1cs hash field",
    "synthesis": "r1cs hash field",
    "device": "ntt msm curve field",
    "pce": "synthesis r1cs hash field",
    "post": "gadget codec hash r1cs field",
    "porep": "gadget codec hash r1cs field",
    "update": "gadget codec hash r1cs field",
    "groth16": "device ntt msm srs r1cs curve field",
    "setup": "ntt msm srs synthesis r1cs curve field",
    "registry": "post porep update r1cs hash field codec",
    "engine": "registry groth16 device srs synthesis r1cs curve field hash codec",
    "api": "engine registry porep post setup srs synthesis r1cs curve field hash codec",
    "rpc": "",
    "store": "hash field",
    "status": "codec",
    "cli": "rpc options codec",
    "daemon": "rpc store status options codec hash",
    "bench": "cli rpc api engine registry setup groth16 device pce srs synthesis post porep update "
             "gadget r1cs msm ntt curve field codec hash options",
}
# what test_*.c and fuzz_*.c of a folder may use besides
TESTS = {
    "post": "synthesis", "porep": "synthesis", "update": "synthesis", "gadget": "synthesis",
    "ntt": "hash", "msm": "hash", "curve": "hash",
    "groth16": "gadget post porep update setup synthesis",
    "codec": "field", "engine": "msm ntt", "daemon": "engine",
    "pce": "gadget codec post porep update",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def main():
    bad = []
    ranks = {folder: i for i, folder in enumerate(ROWS)}
    for folder, row in ROWS.items():
        for used in row.split():
            if ranks[used] >= ranks[folder]:
                bad.append(f"row {folder}: {used} does not stand above it")
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix not in (".c", ".h", ".cc", ".cu", ".cl"):
            continue
        folder = path.relative_to(ROOT / "src").parts[0]
        if folder not in ROWS:
            bad.append(f"{path.relative_to(ROOT)}: folder {folder} has no row in ROWS")
            continue
        allowed = {folder, "base", "cuzk", *ROWS[folder].split()}
        if path.name.startswith(("test_", "fuzz_")):
            allowed |= set(TESTS.get(folder, "").split())
        for name in INCLUDE.findall(path.read_text()):
            used = name.split("/")[0]
            if "/" not in name or used not in allowed:
                bad.append(f"{path.relative_to(ROOT)}: includes {name}")
    print("\n".join(bad) if bad else "layers: all includes go one way")
    return 1 if bad else 0


sys.exit(main())
