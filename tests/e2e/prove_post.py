# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Real PoSt cases, proved and verified; the reference's proofs verified; what verify refuses."""
import base64
import json
import pathlib
import signal
import subprocess

from harness import (CUZK, GOLDEN, PARAMS, Case, Post, golden, main, run,
                     wait_until_at_work)

CASES = ["winning-2KiB", "window-2KiB", "window-v1-2KiB"]
TIMES = ["queue_s", "parse_s", "check_s", "plan_s", "load_s", "synthesis_s", "h_s", "msm_s",
         "io_wait_s", "verify_s", "total_s"]


class Prove(Case):
    def test_our_proofs_verify(self):
        for name in CASES:
            post = Post(name)
            proof = self.dir / name
            out = json.loads(self.good(*post.prove(proof, extra=["--json", "--threads", 2])))
            for key in TIMES:
                self.assertGreaterEqual(out[key], 0)
            self.assertGreater(out["peak_rss_bytes"], 1 << 20)
            self.assertEqual(proof.stat().st_size, 192 if post.kind == "winning" else 384)
            self.good(*post.verify(proof))
            self.good(*post.verify(proof, sectors=post.sectors[::-1]))

    def test_the_reference_s_proofs_verify(self):
        for name in CASES:
            post = Post(name)
            self.good(*post.verify(GOLDEN / name / "proof.hex", extra=["--hex"]))

    def test_streams_and_hex(self):
        post = Post("winning-2KiB")
        raw = self.good(*post.prove("-"))
        self.assertEqual(len(raw), 192)
        self.good(*post.verify("-"), stdin=raw)
        text = self.good(*post.prove("-", extra=["--hex"]))
        self.assertEqual(len(text), 385)
        spaced = b" " + text[:100] + b"\n\t" + text[100:].upper() + b"\r\n"
        self.good(*post.verify("-", extra=["--hex"]), stdin=spaced)
        vanilla = post.vanilla_file.read_bytes()
        self.assertEqual(len(self.good(*post.prove("-", vanilla="-"), stdin=vanilla)), 192)

    def test_one_partition_alone(self):
        post = Post("window-2KiB")
        parts = [self.good(*post.prove("-", extra=["--partition", k])) for k in (0, 1)]
        self.assertEqual([len(part) for part in parts], [192, 192])
        self.good(*post.verify("-"), stdin=b"".join(parts))
        self.assertEqual(run(*post.verify("-"), stdin=b"".join(parts[::-1]))[0], 1)
        self.bad(2, ["partition: 2", "has 2"], *post.prove("-", extra=["--partition", 2]))

    def test_a_stand_in_counts_once(self):
        # Where the chain has a skipped sector it states a good one again.
        for name in ("window-2KiB", "window-v1-2KiB"):
            post = Post(name)
            a, b, c = post.sectors
            proof = self.good(*post.prove("-"))
            for sectors in ([a, a, b, c], [c, b, a, b], [a, b, c, c, c], post.sectors * 4):
                self.good(*post.verify("-", sectors=sectors), stdin=proof)
            for sectors in ([a, b], [a, a, b], [b, b, c, c]):
                self.bad(2, ["proof: 384 bytes", "192", "sectors: 2"],
                         *post.verify("-", sectors=sectors), stdin=proof)
        post = Post("window-2KiB")
        a, b, c = post.sectors
        two = self.good(*post.prove("-", vanilla=self.file("v", post.vanilla[:2])))
        for sectors in ([a, b], [a, a, b], [b, a, b], [a, b, a, b, a]):
            self.good(*post.verify("-", sectors=sectors), stdin=two)
        self.assertEqual(run(*post.verify("-", sectors=[a, a, c]), stdin=two)[0], 1)
        winning = Post("winning-2KiB")
        self.bad(2, "takes 1", *winning.verify("-", sectors=winning.sectors * 2), stdin=two)

    def test_bad_sectors_can_be_left_out(self):
        post = Post("window-2KiB")
        for bad in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), ()):
            vanilla = list(post.vanilla)
            for i in bad:
                blob = bytearray(base64.b64decode(vanilla[i]))
                blob[-100] ^= 1
                vanilla[i] = base64.b64encode(blob).decode()
            proof = self.dir / "proof"
            args = post.prove(proof, vanilla=self.file("v", vanilla), extra=["--skip-bad"])
            code, out, err = run(*args)
            self.assertEqual((code, out), (0, b""), err)
            for i in range(3):
                self.assertEqual(f"sector {100 + i}: challenge 9: " in err, i in bad, err)
            self.assertEqual("left out" in err, bool(bad))
            rest = [s for i, s in enumerate(post.sectors) if i not in bad]
            self.good(*post.verify(proof, sectors=rest))
            row = json.loads(self.good(*args, "--json"))
            self.assertEqual(row["bad_sectors"], [
                {"sector": 100 + i, "reason": "challenge 9: its path does not lead to comm_r_last"}
                for i in bad])
            # as the chain states it: the first good sector in each bad one's place
            self.good(*post.verify(proof, sectors=[rest[0] if i in bad else s
                                                   for i, s in enumerate(post.sectors)]))

    def test_an_estimate_proves_nothing(self):
        post = Post("window-2KiB")
        args = post.prove("-", extra=["--estimate"])
        at = args.index("-o")
        self.bad(2, ["-o", "--estimate"], *args)
        del args[at:at + 2]
        text = self.good(*args).decode()
        self.assertIn("wpost-2k, 2 partitions", text)
        row = json.loads(self.good(*args, "--json"))
        self.assertEqual((row["circuit"], row["n_partitions"]), ("wpost-2k", 2))
        self.assertEqual(row["n_constraints"], golden("window-2KiB", "witness.json")[0]
                         ["constraints"])
        self.assertTrue(row["params_file"].startswith(str(PARAMS)))
        self.assertEqual(row["peak_bytes"], max(row[f"{stage}_bytes"]
                                                for stage in ("synthesis", "h", "msm")))
        self.assertGreater(row["point_additions"], row["n_constraints"])
        folder = self.dir / ("a" * 200) / ("b" * 200)
        folder.mkdir(parents=True)
        name = pathlib.Path(row["params_file"]).name
        (folder / name).symlink_to(PARAMS / name)
        args[args.index("--params") + 1] = folder
        again = json.loads(self.good(*args, "--json"))
        self.assertEqual(again, {**row, "params_file": str(folder / name)})

    def test_signals_stop_it_without_a_trace(self):
        post = Post("winning-2KiB")
        for number in (signal.SIGINT, signal.SIGTERM):
            command = [CUZK, *map(str, post.prove(self.dir / "proof"))]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            wait_until_at_work(process)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, err), (3, b"", b"cuzk prove: cancelled\n"))
            self.assertEqual(list(self.dir.iterdir()), [])

    def test_proofs_are_fresh_each_time(self):
        post = Post("window-2KiB")
        self.assertNotEqual(self.good(*post.prove("-")), self.good(*post.prove("-")))

    def test_a_changed_proof_or_statement_is_not_valid(self):
        post = Post("window-2KiB")
        proof = bytes.fromhex(golden("window-2KiB", "proof.hex"))
        for bit in (0, 1, 2, 3, 100, 48 * 8, 48 * 8 + 1, 48 * 8 + 2, 1000, 1400, 1535, 1536, 3071):
            changed = bytearray(proof)
            changed[bit // 8] ^= 0x80 >> bit % 8
            self.assertEqual(run(*post.verify("-"), stdin=bytes(changed))[0], 1, f"bit {bit}")
        for wrong in (bytes(192) + proof[192:], proof[:48] + b"\xc0" + bytes(95) + proof[144:],
                      b"\xff" * 384, proof[192:] + proof[:192],
                      proof[:144] + proof[:48] + proof[192:]):
            self.assertEqual(run(*post.verify("-"), stdin=wrong)[0], 1)
        other = Post("window-v1-2KiB").case["randomness"]
        self.assertEqual(run(*post.verify("-", randomness=other), stdin=proof)[0], 1)
        n, comm_r = post.sectors[0].split(":")
        swapped = [f"{n}:{post.sectors[1].split(':')[1]}", *post.sectors[1:]]
        self.assertEqual(run(*post.verify("-", sectors=swapped), stdin=proof)[0], 1)
        renumbered = [f"99:{comm_r}", *post.sectors[1:]]
        self.assertEqual(run(*post.verify("-", sectors=renumbered), stdin=proof)[0], 1)
        older = ["verify", "window", "--registered-proof", "5", "--miner-id", "1000",
                 "--randomness", post.case["randomness"], "--params", PARAMS, "--proof", "-"]
        older += [w for s in post.sectors for w in ("--sector", s)]
        self.assertEqual(run(*older, stdin=proof)[0], 1)

    def test_a_wrong_proof_length_is_refused(self):
        post = Post("window-2KiB")
        proof = bytes.fromhex(golden("window-2KiB", "proof.hex"))
        self.bad(2, ["--proof", "is empty"], *post.verify("-"), stdin=b"")
        for wrong in (proof[:1], proof[:192], proof[:383], proof + b"\0", proof + proof[:192]):
            self.bad(2, ["proof", str(len(wrong)), "384"], *post.verify("-"), stdin=wrong)
        self.bad(2, "proof", *post.verify("-", extra=["--hex"]), stdin=proof.hex().encode()[:-1])
        self.bad(2, "proof", *post.verify("-", extra=["--hex"]),
                 stdin=b"g" + proof.hex().encode()[1:])

    def test_witnesses_are_the_reference_s(self):
        for name in CASES + ["winning-8MiB", "window-8MiB"]:
            post = Post(name)
            ours = json.loads(self.good(*post.witness()))
            theirs = golden(name, "witness.json")
            self.assertEqual(ours, theirs, name)

    def test_thread_counts_all_prove(self):
        post = Post("window-2KiB")
        for threads in (1, 2, 3, 7):
            proof = self.good(*post.prove("-", extra=["--threads", threads]))
            self.good(*post.verify("-", extra=["--threads", threads]), stdin=proof)


main()
