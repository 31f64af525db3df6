#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Holds the house's bars: lengths of functions, files and lines, licence lines, unfinished words.

Functions are measured with universal-ctags. Generated files are exempt; straight-line kernels may
be long when the comment before them says "Straight-line".
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FUNCTION_LINES, COLUMNS = 60, 100
FILE_LINES, TEST_LINES, HEADER_LINES = 600, 900, 250
GENERATED = {"src/field/fr_constants.h", "src/hash/poseidon_constants.c",
             "src/registry/public_files.c"}
WORDS = re.compile(r"\b(todo|fixme|xxx|hack|stub|placeholder|not implemented|for now)\b", re.I)


def sources():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in listed:
        if name.endswith((".c", ".h", ".cc", ".py", ".sh")) and name not in GENERATED:
            path = ROOT / name
            if path.exists():
                yield name, path.read_text()


def long_functions(names):
    out = subprocess.run(["ctags", "--output-format=json", "--fields=+ne", "--kinds-C=f", "-f", "-",
                          *names], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        if "end" in tag and tag["end"] - tag["line"] + 1 > FUNCTION_LINES:
            text = (ROOT / tag["path"]).read_text().splitlines()
            before = "\n".join(text[max(0, tag["line"] - 8):tag["line"]])
            if "traight-line" not in before:
                yield f"{tag['path']}:{tag['line']}: {tag['name']} has " \
                      f"{tag['end'] - tag['line'] + 1} lines, {FUNCTION_LINES} allowed"


def file_limit(name):
    if name.endswith(".h"):
        return HEADER_LINES
    return TEST_LINES if name.startswith("test_") else FILE_LINES


def faults():
    c_files = []
    for name, text in sources():
        lines = text.splitlines()
        if name.endswith((".c", ".h", ".cc")):
            c_files.append(name)
            limit = file_limit(pathlib.PurePath(name).name)
            if len(lines) > limit:
                yield f"{name}: {len(lines)} lines, {limit} allowed"
        if "SPDX-License-Identifier: Apache-2.0 OR MIT" not in "\n".join(lines[:3]):
            yield f"{name}: no licence line at its top"
        for i, line in enumerate(lines, 1):
            if len(line) > COLUMNS and not name.endswith(".sh"):
                yield f"{name}:{i}: {len(line)} columns, {COLUMNS} allowed"
            if WORDS.search(line) and name != "tools/check_style.py":
                yield f"{name}:{i}: reads as unfinished: {line.strip()}"
    yield from long_functions(c_files)


def main():
    found = list(faults())
    print("\n".join(found) if found else "style: all within the bars")
    return 1 if found else 0


sys.exit(main())
