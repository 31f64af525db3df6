#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes src/field/fr_constants.h from the modulus alone; CI runs it again and diffs."""
import pathlib

R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
ADICITY = 32
GENERATOR = 7


def limbs(value):
    return ", ".join(f"0x{value >> 64 * i & (1 << 64) - 1:016x}" for i in range(4))


def montgomery(value):
    return limbs(value * (1 << 256) % R)


def main():
    assert (R - 1) % (1 << ADICITY) == 0 and pow(GENERATOR, (R - 1) // 2, R) == R - 1
    out = ["/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
           "/* Made by tools/gen_field_constants.py. */",
           "#ifndef CUZK_FIELD_FR_CONSTANTS_H",
           "#define CUZK_FIELD_FR_CONSTANTS_H",
           "",
           "/* clang-format off */",
           f"#define FR_MODULUS_LIMBS {limbs(R)}",
           f"#define FR_ONE_LIMBS {montgomery(1)}",
           f"#define FR_MINUS_ONE_LIMBS {montgomery(R - 1)}",
           f"#define FR_GENERATOR_LIMBS {montgomery(GENERATOR)}",
           "/* element i has order 2^i */",
           "#define FR_ROOT_OF_UNITY_LIMBS \\"]
    for i in range(ADICITY + 1):
        root = pow(GENERATOR, (R - 1) >> i, R)
        out.append(f"    {{{{{montgomery(root)}}}}},{' ' if i < ADICITY else ''}"
                   + ("\\" if i < ADICITY else ""))
    out += ["/* clang-format on */", "", "#endif"]
    path = pathlib.Path(__file__).parent.parent / "src/field/fr_constants.h"
    path.write_text("\n".join(out) + "\n")


main()
