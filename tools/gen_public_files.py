#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes src/registry/public_files.c: the parameter files of the public network.

Names, CIDs and BLAKE2b digests are the published ones (tools/public_files.json); sizes follow from
the circuits' counts (tests/golden/shapes).
"""
import json
import pathlib

ROOT = pathlib.Path(__file__).parent.parent
G1, G2, COUNT = 96, 192, 4
KINDS = {"porep": "porep", "update": "snap", "winning": "winning", "window": "wpost"}
SIZES = {"2KiB": "2k", "8MiB": "8m", "512MiB": "512m", "32GiB": "32g", "64GiB": "64g"}
BYTES = {"2KiB": 2 << 10, "8MiB": 8 << 20, "512MiB": 512 << 20, "32GiB": 32 << 30,
         "64GiB": 64 << 30}


def file_sizes(shape):
    """Bytes of the parameter file, which begins with the key, and of the key."""
    inputs, density = shape["inputs"], shape["density"]
    domain = 1 << (shape["constraints"] + inputs - 1).bit_length()
    n_b = density["b_input"] + density["b_aux"]
    key = 3 * G1 + 3 * G2 + COUNT + inputs * G1
    sections = ((domain - 1, G1), (shape["aux"], G1), (inputs + density["a_aux"], G1), (n_b, G1),
                (n_b, G2))
    return key + sum(COUNT + n * size for n, size in sections), key


def initializer(file, size, sector_bytes):
    assert file["sector_size"] == sector_bytes and len(file["digest"]) == 32
    digest = ", ".join(f"0x{byte:02x}" for byte in bytes.fromhex(file["digest"]))
    return [f"      {{\"{file['cid']}\",", f"       {{{digest}}},", f"       {size}u}}"]


def main():
    files = json.loads((ROOT / "tools/public_files.json").read_text())
    out = ["/* SPDX-License-Identifier: Apache-2.0 OR MIT */",
           "/* Made by tools/gen_public_files.py. */",
           '#include "registry/public_files.h"',
           "",
           "/* clang-format off */",
           "const public_circuit_t public_circuits[PUBLIC_CIRCUITS] = {"]
    for kind, label in KINDS.items():
        for size, short in SIZES.items():
            shape = json.loads((ROOT / f"tests/golden/shapes/{kind}-{size}.json").read_text())
            rows = [initializer(files.pop(f"v28-{shape['parameter_id']}.{suffix}"), n, BYTES[size])
                    for suffix, n in zip(("params", "vk"), file_sizes(shape))]
            out.append(f"    {{\"{label}-{short}\",")
            out += ["     {"] + rows[0][:-1] + [rows[0][-1] + ","] + rows[1] + ["     }},"]
    assert not files
    out += ["};", "/* clang-format on */"]
    (ROOT / "src/registry/public_files.c").write_text("\n".join(out) + "\n")


main()
