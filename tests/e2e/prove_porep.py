# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Real PoReps and updates, proved and verified; the reference's proofs; what verify refuses."""
import json

from harness import GOLDEN, Case, Porep, Update, golden, main, run

POREPS = ["porep-2KiB-0", "porep-2KiB-1", "porep-2KiB-2", "porep-v1-2KiB", "porep-synth-2KiB"]


def flipped(proof, bit):
    changed = bytearray(proof)
    changed[bit // 8] ^= 0x80 >> bit % 8
    return bytes(changed)


class Prove(Case):
    def test_poreps(self):
        for name in POREPS:
            porep = Porep(name)
            proof = self.dir / name
            out = json.loads(self.good(*porep.prove(proof, extra=["--json"])))
            self.assertGreater(out["msm_s"], 0)
            self.assertEqual(proof.stat().st_size, 192)
            self.good(*porep.verify(proof))
        self.assertEqual(run(*porep.verify(self.dir / POREPS[0]))[0], 1)

    def test_update(self):
        update = Update("update-2KiB")
        proof = self.good(*update.prove("-"))
        self.assertEqual(len(proof), 192)
        self.good(*update.verify("-"), stdin=proof)
        swapped = update.verify("-", comm_r_old=update.case["comm_r_new"],
                                comm_r_new=update.case["comm_r_old"])
        self.assertEqual(run(*swapped, stdin=proof)[0], 1)
        for bit in (0, 1, 2, 500, 1535):
            self.assertEqual(run(*update.verify("-"), stdin=flipped(proof, bit))[0], 1)

    def test_a_budget_that_is_too_small_is_refused(self):
        porep = Porep("porep-2KiB-0")
        self.bad(2, ["memory budget", "100MiB", "porep-2k"],
                 *porep.prove(self.dir / "p", extra=["--memory-budget", "100MiB"]))
        self.good(*porep.prove(self.dir / "p", extra=["--memory-budget", "2GiB"]))
        for bad in ("0", "-1", "1.5.5GiB", "2QB", "x", "18446744073709551616", "16777216TiB"):
            self.bad(2, ["--memory-budget", "KiB"],
                     *porep.prove(self.dir / "q", extra=["--memory-budget", bad]))

    def test_the_reference_s_proofs(self):
        for name in ("porep-2KiB-0", "porep-v1-2KiB"):
            self.good(*Porep(name).verify(GOLDEN / name / "proof.hex", extra=["--hex"]))
        self.good(*Update("update-2KiB").verify(GOLDEN / "update-2KiB/proof.hex", extra=["--hex"]))

    def test_statements_are_bound(self):
        porep = Porep("porep-2KiB-0")
        proof = bytes.fromhex(golden("porep-2KiB-0", "proof.hex"))
        other = Porep("porep-2KiB-1").case
        for change in ({"miner_id": 1001}, {"sector_number": 101}, {"comm_r": other["comm_r"]},
                       {"comm_d": other["comm_d"]}, {"ticket": other["ticket"]},
                       {"seed": other["seed"]}, {"registered_proof": 0}, {"registered_proof": 10}):
            self.assertEqual(run(*porep.verify("-", **change), stdin=proof)[0], 1, change)
        for bit in (0, 1, 2, 3, 400, 1151, 1152, 1535):
            self.assertEqual(run(*porep.verify("-"), stdin=flipped(proof, bit))[0], 1, bit)
        self.bad(2, ["--proof", "is empty"], *porep.verify("-"), stdin=b"")
        for wrong in (proof[:191], proof + b"\0", proof * 2):
            self.bad(2, ["proof", str(len(wrong)), "192"], *porep.verify("-"), stdin=wrong)

    def test_non_interactive(self):
        porep = Porep("porep-ni-2KiB")
        # 8 threads on any machine: several partitions at once
        code, proof, err = run(*porep.prove("-", extra=["--threads", 8]))
        self.assertEqual(code, 0, err)
        self.assertIn("not aggregated", err)
        self.assertEqual(len(proof), 13 * 192)
        self.good(*porep.verify("-"), stdin=proof)
        self.assertEqual(run(*porep.verify("-"), stdin=flipped(proof, 12 * 1536 + 700))[0], 1)
        swapped = proof[192:384] + proof[:192] + proof[384:]
        self.assertEqual(run(*porep.verify("-"), stdin=swapped)[0], 1)
        for n in (192, 12 * 192, 13 * 192 - 1, 13 * 192 + 1, 14 * 192, 11188):
            self.bad(2, ["aggregated", str(n)], *porep.verify("-"), stdin=bytes(n))


main()
