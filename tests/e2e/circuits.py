# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Circuits of small sizes as the command prints them, against the reference's shapes."""
import json

from harness import Case, golden, main

KEYS = ["kind", "sector_size", "inputs", "aux", "constraints", "nonzero_a", "nonzero_b",
        "nonzero_c", "density", "parameter_id", "r1cs_sha256", "block", "r1cs_blocks"]


class Circuits(Case):
    def check(self, kind, size):
        want = golden("shapes", f"{kind}-{size}.json")
        args = ["circuit", kind, "--sector-size", size, "--json"]
        got = json.loads(self.good(*args, "--block", want["block"]))
        self.assertEqual({k: got[k] for k in KEYS}, {k: want[k] for k in KEYS})
        return got

    def test_shapes(self):
        for size in ("2KiB", "8MiB", "512MiB", "32GiB", "64GiB"):
            self.check("winning", size)
        for size in ("2KiB", "8MiB", "512MiB"):
            self.check("window", size)

    def test_registered_proofs_stand_for_sizes(self):
        for kind, proof, size in (("winning", "3", "32GiB"), ("window", "5", "2KiB"),
                                  ("window", "StackedDrgWindow8MiBV1_2", "8MiB"),
                                  ("winning", "StackedDrgWinning2KiBV1", "2KiB")):
            got = json.loads(self.good("circuit", kind, "--registered-proof", proof, "--json"))
            self.assertEqual(got["sector_size"], size)
            self.good("circuit", kind, "--registered-proof", proof, "--sector-size", size)

    def test_people_get_text(self):
        text = self.good("circuit", "winning", "--sector-size", "2KiB").decode()
        self.assertIn("90750", text.replace(",", ""))
        self.assertNotIn("{", text)


main()
