#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes src/hash/poseidon_constants.c: what the Poseidon hash needs, for 2, 4, 8 and 11 elements.

Everything follows from the field, the width and the security level:
  round numbers    the smallest count of S-boxes that meets the inequalities of the Poseidon paper
                   (eprint 2019/458) at 128 bits, with its security margin
  round constants  the Grain LFSR of its appendix
  matrix M         Cauchy, 1 / (i + j + width)
The hash is then rewritten (the paper's appendix B): constants move behind the S-boxes through the
inverse of M, and M in the partial rounds becomes sparse. docs/algorithms/poseidon.md explains it.

Usage: gen_poseidon.py [OUTPUT]
"""

import math
import pathlib
import sys

R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
FIELD_BITS = 255
WIDTHS = (3, 5, 9, 12)
DEFAULT_OUTPUT = pathlib.Path(__file__).parent.parent / "src/hash/poseidon_constants.c"


def is_secure(width, full, partial):
    """The inequalities, for n = 256 bits and M = 128 bits of security."""
    n, m = 256, 128
    statistical = 6 if m <= (n - 3) * (width + 1) else 10
    interpolation = 0.43 * m + math.log2(width) - partial
    groebner_1 = 0.21 * n - partial
    groebner_2 = (0.14 * n - 1 - partial) / (width - 1)
    return full >= max(map(math.ceil, (statistical, interpolation, groebner_1, groebner_2)))


def round_numbers(width):
    """(full, partial) with the fewest S-boxes after the margin: 2 full rounds, 7.5% partial."""
    candidates = [
        (width * (full + 2) + math.ceil(1.075 * partial), full + 2, math.ceil(1.075 * partial))
        for full in range(2, 101, 2)
        for partial in range(4, 200)
        if is_secure(width, full, partial)
    ]
    return min(candidates)[1:]


def grain_bits(width, full, partial):
    """The self-shrinking Grain generator: its state is 80 bits that name the instance."""
    description = [(1, 2), (1, 4), (FIELD_BITS, 12), (width, 12), (full, 10), (partial, 10),
                   ((1 << 30) - 1, 30)]
    state = 0  # bit i of the sequence is bit i here
    position = 0
    for value, bits in description:
        state |= int(f"{value:0{bits}b}"[::-1], 2) << position
        position += bits

    def step():
        nonlocal state
        bit = (state >> 62 ^ state >> 51 ^ state >> 38 ^ state >> 23 ^ state >> 13 ^ state) & 1
        state = state >> 1 | bit << 79
        return bit

    for _ in range(160):
        step()
    while True:
        keep, bit = step(), step()
        if keep:
            yield bit


def round_constants(width, full, partial):
    """One row of `width` constants for each round; integers not below R are drawn again."""
    bits = grain_bits(width, full, partial)
    rows = []
    for _ in range(full + partial):
        row = []
        while len(row) < width:
            value = 0
            for _ in range(FIELD_BITS):
                value = value << 1 | next(bits)
            if value < R:
                row.append(value)
        rows.append(row)
    return rows


def times(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) % R for column in columns] for row in a]


def apply(matrix, vector):
    return [sum(x * y for x, y in zip(row, vector)) % R for row in matrix]


def inverse(matrix):
    """Gauss-Jordan."""
    n = len(matrix)
    rows = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = next(j for j in range(i, n) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        scale = pow(rows[i][i], -1, R)
        rows[i] = [x * scale % R for x in rows[i]]
        for j in range(n):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [(x - factor * y) % R for x, y in zip(rows[j], rows[i])]
    return [row[n:] for row in rows]


def cauchy(width):
    return [[pow(i + j + width, -1, R) for j in range(width)] for i in range(width)]


def move_constants(matrix, full, partial, rows):
    """Constants that are added right behind the S-boxes; `rows` are those added before them.

    A row that follows the linear layer moves before it as M^-1 row. In the partial rounds only
    element 0 has an S-box, so the rest of the moved row passes on to the row before.
    Returns the first row, one row for each full round but the last (the 4th takes up what is left
    of the partial rounds), and between them one constant for each partial round."""
    unmix = inverse(matrix)
    half = full // 2
    partial_keys = []
    rest = rows[half + partial]
    for i in range(half + partial - 1, half - 1, -1):
        moved = apply(unmix, rest)
        partial_keys.append(moved[0])
        rest = [(x + y) % R for x, y in zip(rows[i], [0] + moved[1:])]
    keys = rows[0] + [x for i in range(1, half) for x in apply(unmix, rows[i])]
    keys += apply(unmix, rest) + partial_keys[::-1]
    return keys + [x for row in rows[half + partial + 1:] for x in apply(unmix, row)]


def factor(matrix, partial):
    """M of each partial round as M' M'': M' leaves element 0 alone, so it commutes with the S-box
    and joins the layer before; M'' is sparse (first row, first column, identity).
    Returns what the layer before the partial rounds becomes, and of each M'' in order the first
    column followed by the rest of the first row."""
    width = len(matrix)
    current = matrix
    sparse = []
    for _ in range(partial):
        minor = [row[1:] for row in current[1:]]
        column = apply(inverse(minor), [row[0] for row in current[1:]])
        sparse.append([current[0][0]] + column + current[0][1:])
        left = [[1] + [0] * (width - 1)] + [[0] + row for row in minor]
        current = times(matrix, left)
    return current, sparse[::-1]


def limbs(value):
    """Montgomery form, four 64-bit limbs, as fr_t."""
    value = value * (1 << 256) % R
    return "{{" + ",".join(f"{value >> 64 * i & (1 << 64) - 1:#x}" for i in range(4)) + "}},"


def array(name, values):
    return [f"static const fr_t {name}[] = {{", *map(limbs, values), "};"]


def instance(width):
    full, partial = round_numbers(width)
    matrix = cauchy(width)
    keys = move_constants(matrix, full, partial, round_constants(width, full, partial))
    pre_sparse, sparse = factor(matrix, partial)
    assert full == 8 and len(keys) == full * width + partial
    lines = array(f"keys_{width}", keys)
    lines += array(f"mix_{width}", [x for row in matrix for x in row])
    lines += array(f"pre_sparse_{width}", [x for row in pre_sparse for x in row])
    lines += array(f"sparse_{width}", [x for row in sparse for x in row])
    entry = (f"    {{.width = {width}, .partial_rounds = {partial}, .keys = keys_{width}, "
             f".mix = mix_{width}, .pre_sparse = pre_sparse_{width}, .sparse = sparse_{width}}},")
    return lines, entry


def main():
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT
    lines = ["/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
             "/* Made by tools/gen_poseidon.py. */",
             '#include "hash/poseidon_constants.h"',
             "",
             "/* clang-format off */"]
    entries = []
    for width in WIDTHS:
        arrays, entry = instance(width)
        lines += arrays
        entries.append(entry)
    lines += ["const poseidon_constants_t poseidon_constants[POSEIDON_WIDTHS] = {", *entries, "};",
              "/* clang-format on */", ""]
    output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
