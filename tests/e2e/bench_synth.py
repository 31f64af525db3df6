# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-bench synth-only, pce, prove and ab: what they compute, the form of what they print, and
what they refuse."""
import json
import shutil
import unittest

from harness import BENCH, PARAMS, Case, Post, golden, main

DIGESTS = ("aux_sha256", "a_sha256", "b_sha256", "c_sha256")
KEYS = {"bench", "lib", "version", "commit", "circuit", "partition", "input_sha256", "path",
        "threads", "iterations", "constraints", "aux", "aux_bits", "constraints_per_s",
        "constraints_per_cpu_s", "phases", "bytes_allocated", "allocations", "peak_rss_bytes",
        "runs", "times_s", "median_s", "min_s", "cpu_s", "result", "counters", *DIGESTS}
SIMULATED = {"instructions", "branches", "branch-misses", "data-references", "D1-misses",
             "LL-misses"}


def post_args(name):
    post = Post(name)
    return ["--kind", post.kind, *post.who(), "--vanilla", post.vanilla_file]


WINNING = post_args("winning-2KiB")
NTT = ["kernels", "--bench", "ntt", "--log-n", 8, "--runs", 1]


class Bench(Case):
    def bench(self, *args):
        return self.good(*args, program=BENCH).decode()

    def row(self, *args):
        return json.loads(self.bench(*args).splitlines()[-1])

    def refused(self, words, *args):
        return self.bad(2, words, *args, program=BENCH)


class SynthOnly(Bench):
    def test_paths_compute_the_same(self):
        for name in ("winning-2KiB", "window-2KiB"):
            witness = golden(name, "witness.json")[0]
            rows = [self.row("synth-only", *post_args(name), "--json", "--iterations", 1, *extra)
                    for extra in (("--path", "generic", "--threads", 1), ("--threads", 1),
                                  ("--path", "stamped", "--threads", 2), ("--path", "pce"),
                                  ("--path", "generic", "--presize", "off"),
                                  *(("--path", "generic", "--lc-storage", s)
                                    for s in ("vec", "inline1", "inline2", "inline4")))]
            for row in rows:
                self.assertLessEqual(KEYS, set(row))
                self.assertEqual(row["aux_sha256"], witness["aux_sha256"])
                self.assertEqual((row["constraints"], row["aux"]),
                                 (witness["constraints"], witness["aux"]))
                self.assertEqual({k: row[k] for k in DIGESTS}, {k: rows[0][k] for k in DIGESTS})
                self.assertEqual(row["result"], rows[0]["result"])
            self.assertEqual([r["path"] for r in rows[:4]],
                             ["generic", "stamped", "stamped", "pce"])

    def test_iterations_and_counters(self):
        row = self.row("synth-only", *WINNING, "--json", "--iterations", 2)
        self.assertEqual((row["iterations"], row["runs"], len(row["times_s"])), (2, 2, 2))
        self.assertGreater(row["bytes_allocated"], 64 * row["constraints"])
        self.assertGreater(row["peak_rss_bytes"], row["bytes_allocated"] / 2)
        values = {v["name"]: v for v in row["counters"]["values"]}
        missing = {m["name"]: m["why"] for m in row["counters"]["missing"]}
        self.assertLessEqual({"page-faults", "context-switches", "task-clock"}, set(values))
        for name in ("cpu-migrations", "instructions", "cycles", "branches", "branch-misses",
                     "cache-references", "cache-misses", "L1-dcache-load-misses"):
            self.assertNotEqual(name in values, name in missing, name)
        self.assertTrue(all(missing.values()))
        self.assertAlmostEqual(values["page-faults"]["per_constraint"],
                               values["page-faults"]["value"] / row["constraints"])
        bare = self.row("synth-only", *WINNING, "--json", "--counters", "none", "--no-digests")
        self.assertFalse({"counters", *DIGESTS} & set(bare))

    def test_text(self):
        text = self.bench("synth-only", *WINNING, "--iterations", 1)
        for word in ("winning-2k, partition 0, path stamped", "90750 constraints", "page-faults"):
            self.assertIn(word, text)
        self.assertEqual(self.bench("synth-only", *WINNING, "--iterations", 0), "")

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_simulated_counters(self):
        row = self.row("synth-only", *WINNING, "--json", "--iterations", 1, "--threads", 1,
                       "--counters", "cachegrind")
        values = {v["name"]: v["value"] for v in row["simulated"]["values"]}
        self.assertEqual(set(values), SIMULATED)
        self.assertGreater(values["instructions"], row["constraints"])
        self.assertGreater(values["D1-misses"], values["LL-misses"])
        self.assertIn("32 KiB", row["simulated_caches"])
        self.assertEqual(row["aux_sha256"], golden("winning-2KiB", "witness.json")[0]["aux_sha256"])

    def test_refused(self):
        self.refused(["--kind", "--vanilla"], "synth-only")
        self.refused(["--kind", "winning"], "synth-only", "--kind", "windows")
        self.refused("--vanilla", "synth-only", "--kind", "winning", "--sector-size", "2KiB")
        self.refused("--c1", "synth-only", *WINNING, "--c1", "x")
        self.refused(["--partition", "0..0"], "synth-only", *WINNING, "--partition", 1)
        self.refused(["--path", "generic, stamped, pce"], "synth-only", *WINNING, "--path", "fast")
        self.refused(["--counters", "cachegrind"], "synth-only", *WINNING, "--counters", "all")
        self.refused("--presize", "synth-only", *WINNING, "--path", "generic", "--presize", "yes")
        self.refused(["--presize", "generic"], "synth-only", *WINNING, "--presize", "on")
        self.refused(["--lc-storage", "generic"], "synth-only", *WINNING, "--lc-storage", "vec")
        self.refused(["--iterations", "1000"], "synth-only", *WINNING, "--iterations", 1001)
        self.refused("file", "synth-only", *WINNING[:-1], "-")


class PCE(Bench):
    TIMES = {"extract_s", "digest_s", "save_s", "load_s", "validate_s"}

    def test_a_shape(self):
        for kind in ("winning", "window"):
            row = self.row("pce", "--kind", kind, "--sector-size", "2KiB")
            witness = golden(f"{kind}-2KiB", "witness.json")[0]
            self.assertEqual((row["r1cs_sha256"], row["constraints"]),
                             (witness["r1cs_sha256"], witness["constraints"]))
            self.assertTrue(all(row[t] > 0 for t in self.TIMES))
            self.assertIsNone(row["evaluate_s"])

    def test_an_input(self):
        path = self.dir / "winning.pce"
        row = self.row("pce", *WINNING, "--file", path)
        synth = self.row("synth-only", *WINNING, "--json", "--iterations", 1)
        self.assertEqual({k: row[k] for k in DIGESTS}, {k: synth[k] for k in DIGESTS})
        self.assertEqual(row["file_bytes"], path.stat().st_size)
        self.assertGreater(row["evaluate_s"], 0)

    def test_pipeline(self):
        row = self.row("pce-pipeline", *WINNING, "--proofs", 3, "--threads", 2)
        self.assertEqual(row["proofs"], 3)
        self.assertTrue(all(row[t] > 0 for t in ("one_by_one_s", "overlapped_s",
                                                 "constraints_per_s")))

    def test_refused(self):
        self.refused("--kind", "pce")
        self.refused(["--sector-size", "3KiB"], "pce", "--kind", "winning", "--sector-size", "3KiB")
        self.refused("--kind", "pce-pipeline")
        self.refused("--proofs", "pce-pipeline", *WINNING, "--proofs", 0)
        self.refused("no/such", "pce", "--kind", "winning", "--sector-size", "2KiB", "--file",
                     self.dir / "no/such")


class Prove(Bench):
    def test_variants_give_the_same_proof(self):
        args = ("prove", *WINNING, "--params", PARAMS)
        rows = [self.row(*args, *extra) for extra in
                ((), ("--window", "fixed"), ("--bg2", "parallel", "--threads", 2),
                 ("--bg2", "parallel", "--threads", 1, "--window", "fixed", "--iterations", 2))]
        for row in rows:
            self.assertTrue(row["verified"])
            self.assertEqual(row["result"], rows[0]["result"])
            self.assertEqual(len(row["result"]), 384)
        self.assertEqual([r["runs"] for r in rows], [1, 1, 1, 2])

    def test_refused(self):
        args = ("prove", *WINNING, "--params", PARAMS)
        self.refused(["--window", "per-msm"], *args, "--window", "wide")
        self.refused(["--bg2", "parallel"], *args, "--bg2", "gpu")
        self.refused(["no such file", "--params"], "prove", *WINNING, "--params", self.dir)


class AB(Bench):
    def check_record(self, row, runs):
        self.assertIn(row["verdict"], ("faster", "slower", "no difference shown"))
        self.assertEqual(row["runs"], runs)
        for kind in ("wall", "cpu"):
            self.assertLessEqual(row[kind]["low"], row[kind]["ratio"])
            self.assertLessEqual(row[kind]["ratio"], row[kind]["high"])
        for side in ("a", "b"):
            self.assertEqual(len(row[side]["wall_s_runs"]), runs)
            self.assertIn("page-faults", row[side]["counters"])
        self.assertTrue(row["machine"]["processor"])
        self.assertTrue(row["commit"])

    def test_synthesis_with_a_record(self):
        records = self.dir / "records"
        command = ["--a", "presize=on", "--b", "presize=off", "--runs", 3, "--record", records,
                   "--name", "a2", "--", "synth-only", *WINNING, "--path", "generic",
                   "--iterations", 1]
        text = self.bench("ab", *command)
        row = json.loads((records / "a2.json").read_text())
        self.check_record(row, 3)
        self.assertEqual((records / "a2.md").read_text(), text)
        self.assertIn(f"B is **{row['verdict']}**", text)
        self.assertEqual(len(row["input_sha256"]), 64)
        self.assertIn(row["input_sha256"], text)
        self.assertIn("cuzk-bench ab --a presize=on --b presize=off", row["repeat"])
        self.assertEqual((row["a"]["config"], row["b"]["config"]), ("presize=on", "presize=off"))

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_simulated_counters(self):
        row = self.row("ab", "--a", "path=generic", "--b", "path=stamped", "--runs", 3,
                       "--warm-up", 0, "--cachegrind", "--json", "--", "synth-only", *WINNING,
                       "--iterations", 1, "--threads", 1)
        self.check_record(row, 3)
        for side in ("a", "b"):
            self.assertEqual(set(row[side]["simulated"]), SIMULATED)
        self.assertGreater(row["a"]["simulated"]["instructions"],
                           row["b"]["simulated"]["instructions"])

    def test_kernels_and_threads(self):
        row = self.row("ab", "--a", "kernels=portable", "--b", "threads=2,kernels=portable",
                       "--runs", 3, "--warm-up", 0, "--by", "cpu", "--json", "--", *NTT)
        self.check_record(row, 3)
        self.assertEqual((row["verdict_by"], row["threads"]), ("cpu", row["threads"]))

    def test_prove(self):
        row = self.row("ab", "--a", "bg2=serial", "--b", "bg2=parallel", "--runs", 3, "--warm-up",
                       0, "--json", "--", "prove", *WINNING, "--params", PARAMS)
        self.check_record(row, 3)
        self.assertEqual(len(row["result"]), 384)

    def test_refused(self):
        sides = ("--a", "default", "--b", "threads=1")
        self.refused("--a", "ab", "--b", "threads=1", "--", *NTT)
        self.refused("COMMAND", "ab", *sides)
        self.refused("synth-only, kernels, prove", "ab", *sides, "--", "ab")
        self.refused(["--runs", "from 3"], "ab", *sides, "--runs", 2, "--", *NTT)
        self.refused(["--by", "wall"], "ab", *sides, "--by", "time", "--", *NTT)
        self.refused(["--cachegrind", "synth-only"], "ab", *sides, "--cachegrind", "--", *NTT)
        self.refused(["--b", "colour", "window, threads, kernels"], "ab", "--a", "default", "--b",
                     "colour=red", "--", *NTT)
        self.refused(["threads", "1 to 1024"], "ab", "--a", "threads=x", "--b", "default", "--",
                     *NTT)
        self.refused(["presize", "on, off"], "ab", "--a", "presize=maybe", "--b", "default", "--",
                     "synth-only", *WINNING)
        self.refused(["side threads=1", "exit code 2"], "ab", "--a", "threads=1", "--b", "default",
                     "--", *NTT, "--threads", 2)
        self.refused("--record", "ab", *sides, "--runs", 3, "--warm-up", 0, "--record",
                     self.dir / "no/such", "--", *NTT)

    def test_help_lists_the_keys(self):
        text = self.bench("ab", "--help")
        for word in ("lc-storage", "presize", "window", "bg2", "threads", "kernels", "path"):
            self.assertIn(word, text)


class Version(Bench):
    def test_says_what_the_build_has(self):
        text = self.bench("--version")
        for word in ("has:", "lacks:", "counters:", "commit:"):
            self.assertIn(word, text)


main()
