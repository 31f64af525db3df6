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

    def test_both_spellings_of_names(self):
        for kind, first, ours, chain, constant in (
                ("window", 10, "StackedDrgWindow{}V1_2", "StackedDrgWindow{}V1_1", "PoSt"),
                ("window", 5, "StackedDrgWindow{}V1", "StackedDrgWindow{}V1", "PoSt"),
                ("winning", 0, "StackedDrgWinning{}V1", "StackedDrgWinning{}V1", "PoSt"),
                ("update", 0, "StackedDrg{}V1", "StackedDrg{}V1", "Update"),
                ("porep", 5, "StackedDrg{}V1_1", "StackedDrg{}V1_1", "Seal"),
                ("porep", 10, "StackedDrg{}V1_1_Feat_SyntheticPoRep",
                 "StackedDrg{}V1_1_Feat_SyntheticPoRep", "Seal"),
                ("porep", 15, "StackedDrg{}V1_2_Feat_NonInteractivePoRep",
                 "StackedDrg{}V1_2_Feat_NiPoRep", "Seal")):
            want = self.good("circuit", kind, "--registered-proof", first)
            for name in (ours, chain, f"Registered{constant}Proof_{chain}"):
                self.assertEqual(want, self.good("circuit", kind, "--registered-proof",
                                                 name.format("2KiB")), name)
                # names are of a size, which is looked at
                self.bad(2, ["64GiB", "2KiB"], "circuit", kind, "--registered-proof",
                         name.format("64GiB"), "--sector-size", "2KiB")

    def test_an_unknown_name_is_answered_with_those_that_exist(self):
        sizes = ("2KiB", "8MiB", "512MiB", "32GiB", "64GiB")
        for kind, names in (
                ("window", ("StackedDrgWindow{}V1", "StackedDrgWindow{}V1_2",
                            "StackedDrgWindow{}V1_1")),
                ("winning", ("StackedDrgWinning{}V1",)), ("update", ("StackedDrg{}V1",)),
                ("porep", ("StackedDrg{}V1", "StackedDrg{}V1_1",
                           "StackedDrg{}V1_1_Feat_SyntheticPoRep",
                           "StackedDrg{}V1_2_Feat_NonInteractivePoRep",
                           "StackedDrg{}V1_2_Feat_NiPoRep"))):
            for text in ("StackedDrg2KiBV3", "nonsense", "77", "05", "x" * 3000,
                         "RegisteredPoStProof_StackedDrg2KiBV1"):
                line = self.bad(2, ["--registered-proof", text[:60]], "circuit", kind,
                                "--registered-proof", text)
                listed = line[line.rindex(" or ") + 4:].rstrip(")").split(", ")
                self.assertEqual(listed, [n.format(size) for n in names for size in sizes])

    def test_people_get_text(self):
        text = self.good("circuit", "winning", "--sector-size", "2KiB").decode()
        self.assertIn("90750", text.replace(",", ""))
        self.assertNotIn("{", text)


main()
