# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-bench synth-only, pce, prove and ab: what they compute, the form of what they print, and
what they refuse."""
import json
import pathlib
import shlex
import shutil
import unittest

from harness import BENCH, PARAMS, Case, Porep, Post, Update, golden, main, run

DIGESTS = ("aux_sha256", "a_sha256", "b_sha256", "c_sha256", "densities_sha256")
PATHS = ("generic", "stamped", "pce")
PHASES = ("parse", "witness", "abc", "densities")
PHASE_KEYS = {"wall_s", "cpu_s", "constraints_per_s", "bytes_allocated", "allocations",
              "page_faults", "peak_rss_bytes", "counters"}
KEYS = {"bench", "lib", "version", "commit", "circuit", "partition", "input_sha256", "path",
        "work", "threads", "iterations", "constraints", "aux", "aux_bits", "constraints_per_s",
        "constraints_per_cpu_s", "phases", "bytes_allocated", "allocations", "peak_rss_bytes",
        "runs", "times_s", "median_s", "min_s", "cpu_s", "result", "counters", *DIGESTS}
SIMULATED = {"instructions", "branches", "branch-misses", "data-references", "D1-misses",
             "LL-misses"}


def post_args(name):
    post = Post(name)
    return ["--kind", post.kind, *post.who(), "--vanilla", post.vanilla_file]


def input_args(name):
    if name.startswith("porep"):
        return ["--c1", Porep(name).c1_file]
    if name.startswith("update"):
        return ["--kind", "update", *Update(name).who(), "--vanilla", Update(name).vanilla_file]
    return post_args(name)


WINNING = post_args("winning-2KiB")
# programs of their own, which not all builds have
STORAGES = [s for s in ("vec", "inline1", "inline2", "inline4")
            if pathlib.Path(f"{BENCH}-{s}").exists()]
NTT = ["kernels", "--bench", "ntt", "--log-n", 8, "--runs", 1]


class Bench(Case):
    def bench(self, *args):
        return self.good(*args, program=BENCH).decode()

    def row(self, *args):
        if args[0] == "synth-only" and "generic" not in args:
            args = (*args, "--memory", "fresh")  # so that each run allocates all it makes
        return json.loads(self.bench(*args).splitlines()[-1])

    def refused(self, words, *args):
        return self.bad(2, words, *args, program=BENCH)


class SynthOnly(Bench):
    def test_paths_compute_the_same(self):
        for name in ("winning-2KiB", "window-2KiB"):
            witness = golden(name, "witness.json")[0]
            rows = [self.row("synth-only", *post_args(name), "--json", "--no-phases",
                             "--iterations", 1, *extra)
                    for extra in (("--path", "generic", "--threads", 1), ("--threads", 1),
                                  ("--path", "stamped", "--threads", 2), ("--path", "pce"),
                                  ("--path", "generic", "--presize", "off"),
                                  *(("--path", "generic", "--lc-storage", s) for s in STORAGES))]
            for row in rows:
                self.assertLessEqual(KEYS, set(row))
                self.assertEqual(row["aux_sha256"], witness["aux_sha256"])
                self.assertEqual((row["constraints"], row["aux"]),
                                 (witness["constraints"], witness["aux"]))
                self.assertEqual({k: row[k] for k in DIGESTS}, {k: rows[0][k] for k in DIGESTS})
                self.assertEqual(row["result"], rows[0]["result"])
            self.assertEqual([r["path"] for r in rows[:4]],
                             ["generic", "stamped", "stamped", "pce"])

    def test_inputs_of_all_kinds(self):
        for name in ("porep-2KiB-0", "update-2KiB"):
            witness = golden(name, "witness.json")
            witness = witness[0] if isinstance(witness, list) else witness
            rows = [self.row("synth-only", *input_args(name), "--json", "--no-phases",
                             "--iterations", 1, "--path", path) for path in PATHS]
            for row in rows:
                self.assertEqual(row["aux_sha256"], witness["aux_sha256"])
                self.assertEqual({k: row[k] for k in DIGESTS}, {k: rows[0][k] for k in DIGESTS})

    def test_phases(self):
        for path in PATHS:
            for extra in ((), ("--counters", "none", "--threads", 1)):
                row = self.row("synth-only", *WINNING, "--json", "--iterations", 3, "--path", path,
                               *extra)
                phases = row["phases"]
                self.assertEqual(set(phases), {"shape", *PHASES})
                self.assertEqual(set(phases["shape"]), {"wall_s"})
                for name in PHASES:
                    self.check_phase(phases[name], row, bool(extra))
                for name in ("parse", "witness", "abc"):
                    self.assertGreater(phases[name]["bytes_allocated"], 0)
                # the domain is 2^17 here
                self.assertGreaterEqual(phases["abc"]["bytes_allocated"], 3 * 32 << 17)
                self.assertGreaterEqual(phases["densities"]["bytes_allocated"],
                                        2 * row["aux"] // 8)
                self.assertEqual(sum(phases[p]["bytes_allocated"] for p in PHASES[1:]),
                                 row["bytes_allocated"])
                self.assertEqual(sum(phases[p]["allocations"] for p in PHASES[1:]),
                                 row["allocations"])

    def check_phase(self, phase, row, bare):
        self.assertEqual(set(phase), PHASE_KEYS - ({"counters"} if bare else set()))
        for key in PHASE_KEYS - {"counters", "constraints_per_s", "peak_rss_bytes"}:
            self.assertIsInstance(phase[key], (int, float), key)
        if phase["wall_s"] > 0:
            self.assertAlmostEqual(phase["constraints_per_s"] * phase["wall_s"] /
                                   row["constraints"], 1)
        else:
            self.assertIsNone(phase["constraints_per_s"])
        if phase["peak_rss_bytes"] is not None:
            self.assertGreater(phase["peak_rss_bytes"], 1 << 20)
        if not bare:
            have = [v["name"] for v in phase["counters"]["values"]]
            whole = [v["name"] for v in row["counters"]["values"]]
            self.assertEqual(have, whole)

    def test_works(self):
        for path in PATHS:
            rows = {work: self.row("synth-only", *WINNING, "--json", "--iterations", 2, "--path",
                                   path, "--work", work)
                    for work in ("parse", "witness", "abc", "all", "densities")
                    if (path, work) != ("generic", "densities")}
            if path != "generic":
                row = rows.pop("densities")
                self.assertEqual(set(DIGESTS) & set(row), {"densities_sha256"})
                self.assertEqual(row["densities_sha256"], rows["all"]["densities_sha256"])
                self.assertIsNone(row["aux_bits"])
                self.assertGreater(row["bytes_allocated"], row["aux"] // 4)
            for work, n_digests in (("parse", 0), ("witness", 1), ("abc", 4), ("all", 5)):
                row = rows[work]
                self.assertEqual(row["work"], work)
                self.assertEqual(set(DIGESTS) & set(row), set(DIGESTS[:n_digests]))
                for name in DIGESTS[:n_digests]:
                    self.assertEqual(row[name], rows["all"][name])
                self.assertEqual(set(row["phases"]),
                                 {"shape", *PHASES} if work == "all" else {"shape"})
                self.assertEqual(row["constraints"], rows["all"]["constraints"])
                self.assertEqual(row["result"] == "", work == "parse")
                self.assertGreater(row["bytes_allocated"], 0)
            self.assertGreater(rows["abc"]["bytes_allocated"], rows["witness"]["bytes_allocated"])
            self.assertGreater(rows["all"]["bytes_allocated"], rows["abc"]["bytes_allocated"])

    def test_a_parse_before_the_counts_are_known(self):
        row = self.row("synth-only", *WINNING, "--json", "--path", "generic", "--presize", "off",
                       "--work", "parse")
        self.assertEqual((row["constraints"], row["constraints_per_s"]), (0, None))

    def test_warm_up(self):
        args = ("synth-only", *WINNING, "--json", "--no-phases")
        for warm_up in (0, 1, 3):
            row = self.row(*args, "--warm-up", warm_up, "--iterations", 2)
            self.assertEqual((row["runs"], len(row["times_s"])), (2, 2))
            self.assertEqual("allocations" in row, warm_up > 0)
        row = self.row(*args, "--iterations", 0)
        self.assertEqual((row["runs"], row["times_s"], row["median_s"], row["constraints_per_s"]),
                         (0, [], None, None))
        self.assertFalse(set(DIGESTS) & set(row))

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
        for word in ("winning-2k, partition 0, path stamped", "90750 constraints", "page-faults",
                     "in the clock: witness, a, b, c and densities", "phases:"):
            self.assertIn(word, text)
        lines = text.splitlines()
        table = lines[lines.index("phases:") + 2:][:len(PHASES)]
        self.assertEqual([line.split()[0] for line in table], list(PHASES))
        self.assertEqual({len(line.split()) for line in table}, {8})
        self.assertNotIn("phases:", self.bench("synth-only", *WINNING, "--no-phases"))
        self.assertIn("in the clock: the witness alone",
                      self.bench("synth-only", *WINNING, "--work", "witness"))
        self.assertIn("iterations: 0\n", self.bench("synth-only", *WINNING, "--iterations", 0))

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
        of = {name: {v["name"]: v for v in row["phases"][name]["simulated"]["values"]}
              for name in PHASES}
        for name in PHASES:
            self.assertEqual(set(of[name]), SIMULATED)
            instructions = of[name]["instructions"]
            self.assertGreater(instructions["value"], 0)
            self.assertAlmostEqual(instructions["per_constraint"],
                                   instructions["value"] / row["constraints"])
        # the densities are simulated on their own, and no two runs count quite the same
        total = sum(of[p]["instructions"]["value"] for p in PHASES[1:])
        self.assertAlmostEqual(total / values["instructions"], 1, places=2)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_simulated_work(self):
        args = ("synth-only", *WINNING, "--json", "--iterations", 1, "--threads", 1, "--counters",
                "cachegrind")
        parts = [self.row(*args, *extra) for extra in (("--work", "parse"), ("--work=abc",),
                                                       ("--no-phases",))]
        counts = [next(v["value"] for v in row["simulated"]["values"]
                       if v["name"] == "instructions") for row in parts]
        self.assertEqual([set(row["phases"]) for row in parts], [{"shape"}] * 3)
        self.assertGreater(counts[0], 0)
        self.assertLess(counts[1], counts[2])

    def test_refused(self):
        self.refused(["--kind", "--vanilla"], "synth-only")
        self.refused(["--kind", "winning"], "synth-only", "--kind", "windows")
        self.refused("--vanilla", "synth-only", "--kind", "winning", "--sector-size", "2KiB")
        self.refused("--c1", "synth-only", *WINNING, "--c1", "x")
        self.refused(["--partition: 1", "has 1"], "synth-only", *WINNING, "--partition", 1)
        self.refused(["--path", "stamped, generic, pce"], "synth-only", *WINNING, "--path", "fast")
        self.refused(["--work", "all, parse, witness, abc, densities"], "synth-only", *WINNING,
                     "--work", "c")
        self.refused(["--work densities", "generic"], "synth-only", *WINNING, "--work",
                     "densities", "--path", "generic")
        self.refused(["--counters", "cachegrind"], "synth-only", *WINNING, "--counters", "all")
        self.refused("--presize", "synth-only", *WINNING, "--path", "generic", "--presize", "yes")
        self.refused(["--presize", "generic"], "synth-only", *WINNING, "--presize", "on")
        self.refused(["--lc-storage", "generic"], "synth-only", *WINNING, "--lc-storage", "vec")
        self.refused(["--iterations", "1000"], "synth-only", *WINNING, "--iterations", 1001)
        self.refused(["--vanilla -", "file"], "synth-only", *WINNING[:-1], "-")

    def test_a_storage_whose_program_is_missing(self):
        alone = self.dir / "cuzk-bench"
        shutil.copy(BENCH, alone)
        args = ("synth-only", *WINNING, "--path", "generic", "--iterations", 1, "--lc-storage")
        self.bad(2, ["--lc-storage", "cuzk-bench-vec", "No such file"], *args, "vec",
                 program=alone)
        self.bad(2, ["--lc-storage", "cuzk-bench-inline2", "No such file"], *args, "inline2",
                 program=alone)
        self.refused(["--lc-storage", "arena, vec, inline1"], *args, "inline3")
        self.bad(2, "cuzk-bench-inline4", "ab", "--a", "default", "--b", "lc-storage=inline4",
                 "--record", self.dir / "new", "--", *args[:-1], program=alone)
        self.assertFalse((self.dir / "new").exists())
        shutil.copy(BENCH, self.dir / "cuzk-bench-inline2")
        self.bad(2, "was not built for it", *args, "inline2", program=alone)


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
        row = self.row("pce-pipeline", *WINNING, "--proofs", 3, "--threads", 2, "--runs", 2)
        self.assertEqual((row["proofs"], row["runs"]), (3, 2))
        synth = self.row("synth-only", *WINNING, "--json", "--no-phases")
        self.assertEqual({k: row[k] for k in DIGESTS[:4]}, {k: synth[k] for k in DIGESTS[:4]})
        self.assertTrue(all(row[t] > 0 for t in ("one_by_one_s", "overlapped_s",
                                                 "constraints_per_s")))

    def test_refused(self):
        self.refused("--kind", "pce")
        self.refused(["--sector-size", "3KiB"], "pce", "--kind", "winning", "--sector-size", "3KiB")
        self.refused("--kind", "pce-pipeline")
        self.refused(["--partition", "input"], "pce", "--kind", "winning", "--sector-size", "2KiB",
                     "--partition", 0)
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
            self.assertEqual(len(row["result"]), 64)
        self.assertEqual([r["runs"] for r in rows], [1, 1, 1, 2])
        self.assertEqual(self.row(*args, "--warm-up", 1)["runs"], 1)

    def test_refused(self):
        args = ("prove", *WINNING, "--params", PARAMS)
        wrong = [str(Post("window-2KiB").case["randomness"]) if w == golden(
            "winning-2KiB", "case.json")["randomness"] else w for w in WINNING]
        self.refused("randomness", "prove", *wrong, "--params", PARAMS)
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
        self.assertIn(f"**{row['verdict']}**", text)
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
        self.assertEqual(row["verdict_by"], "cpu")
        self.assertEqual(row["b"]["threads"], 2)
        for side in ("a", "b"):
            self.assertIn("portable", row[side]["version"])
            self.assertIsInstance(row[side]["not_counted"], dict)

    def test_proofs_of_kernels_are_compared(self):
        row = self.row("ab", "--a", "threads=1", "--b", "threads=2", "--runs", 3, "--warm-up", 0,
                       "--json", "--", "kernels", "--bench", "groth16", "--log-n", 5, "--runs", 1)
        self.check_record(row, 3)

    def script(self, name, version, line):
        """A program that says this as its version, and that line whatever it is told to do."""
        path = self.file(name, f"#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; "
                               f"else echo '{line}'; fi\n")
        path.chmod(0o755)
        return path

    def test_the_program_of_another_build(self):
        folder = self.dir / "a,b"
        folder.mkdir()
        other = folder / "cuzk-bench"
        shutil.copy(BENCH, other)
        sides = ("--a", f"threads=1,program={other}", "--b", "threads=1", "--runs", 3, "--warm-up",
                 0)
        for command in (NTT, ["synth-only", *WINNING, "--iterations", 1],
                        ["prove", *WINNING, "--params", PARAMS]):
            row = self.row("ab", *sides, "--json", "--", *command)
            self.check_record(row, 3)
            self.assertTrue(row["results_compared"])
            self.assertEqual((row["a"]["program"], row["b"]["program"]), (str(other), "cuzk-bench"))
            for key in ("version", "commit"):
                self.assertTrue(row["a"][key])
                self.assertEqual(row["a"][key], row["b"][key])
        text = self.bench("ab", *sides, "--", *NTT)
        self.assertIn(f"program `{other}`", text)

    def test_an_older_program_that_tells_less(self):
        old = self.script("old", "cuzk-bench 0.0.1 (kernels: none)",
                          '{"median_s": 1.5, "cpu_s": 1.25}')
        sides = ("--a", "default", "--b", f"program={old}", "--runs", 3, "--json", "--")
        row = self.row("ab", *sides, *NTT)
        self.assertEqual((row["verdict"], row["results_compared"]), ("slower", False))
        self.assertEqual((row["b"]["version"], row["b"]["commit"]),
                         ("0.0.1 (kernels: none)", ""))
        self.assertEqual(len(row["result"]), 64)
        row = {"median_s": 1, "cpu_s": 1, "result": "00"}
        wrong = self.script("wrong", "cuzk-bench 0", json.dumps(row))
        self.bad(3, "different results", "ab", "--a", f"program={wrong}", "--b", "default", "--",
                 *NTT, program=BENCH)
        row["commit"] = "c1"
        changed = self.script("changed", "cuzk-bench 0\ncommit: c0", json.dumps(row))
        self.refused(["commit c0", "c1"], "ab", "--a", f"program={changed}", "--b", "default", "--",
                     *NTT)
        both = ("--a", f"program={old}", "--b", f"program={old}", "--", *NTT)
        self.refused("no result", "ab", *both)

    def test_programs_that_are_refused(self):
        for path, words in ((self.dir / "none", "No such file"), (self.dir, "regular file"),
                            (self.file("text", "x"), "not executable"),
                            (self.script("other", "cuzk 0.1.0", ""), "not a cuzk-bench"),
                            ("", "a path")):
            self.refused([words, "--b: program"], "ab", "--a", "default", "--b", f"program={path}",
                         "--record", self.dir / "new", "--", *NTT)
        self.assertFalse((self.dir / "new").exists())

    def test_a_command_line_that_a_shell_must_quote(self):
        records = self.dir / "it's a place"
        text = self.bench("ab", "--a", "default", "--b", "default", "--runs", 3, "--record",
                          records, "--name", "x", "--", *NTT)
        line = text.splitlines()[-1].removeprefix("Repeat: `").removesuffix("`")
        self.assertIn(str(records), shlex.split(line))
        self.assertTrue((records / "x.md").exists() and (records / "x.json").exists())

    def test_prove(self):
        row = self.row("ab", "--a", "bg2=serial", "--b", "bg2=parallel", "--runs", 3, "--warm-up",
                       0, "--json", "--", "prove", *WINNING, "--params", PARAMS)
        self.check_record(row, 3)
        self.assertEqual(len(row["result"]), 64)

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
        self.refused(["threads", "1 to 1024"], "ab", "--a", "threads=1025", "--b", "default", "--",
                     *NTT)
        self.refused(["--a", "--threads", "COMMAND"], "ab", "--a", "threads=1", "--b", "default",
                     "--", *NTT, "--threads", 2)
        self.refused(["side A (default)", "exit code 2"], "ab", "--a", "default", "--b", "default",
                     "--", *NTT, "--log-n", 99)
        for word in ("--no-digests", "--help"):
            self.refused(["COMMAND", word], "ab", *sides, "--", "synth-only", *WINNING, word)
        self.refused("KEY=VALUE", "ab", "--a", "threads=1,", "--b", "default", "--", *NTT)
        self.refused("--counters", "ab", *sides, "--cachegrind", "--", "synth-only", *WINNING,
                     "--counters", "none")

    def test_records_are_refused_before_anything_runs(self):
        sides = ("--a", "default", "--b", "threads=1")
        (self.dir / "file").write_text("")
        for words, options in (("no/such", ("--record", self.dir / "no/such")),
                               ("file", ("--record", self.dir / "file")),
                               ("--name", ("--record", self.dir, "--name", "a/b")),
                               ("--name", ("--record", self.dir, "--name", "a" * 300)),
                               ("--record", ("--name", "a"))):
            # a command that would say so if it were run
            code, out, err = run("ab", *sides, *options, "--warm-up", 0, "--", "kernels",
                                 "--no-such-option", program=BENCH)
            self.assertEqual((code, out), (2, b""), err)
            self.assertIn(words, err)
            self.assertNotIn("no-such-option", err)
        self.assertEqual([p.name for p in self.dir.iterdir()], ["file"])

    def test_help_lists_the_keys(self):
        text = self.bench("ab", "--help")
        for word in ("lc-storage", "presize", "window", "bg2", "threads", "kernels", "path",
                     "program"):
            self.assertIn(word, text)


class Version(Bench):
    def test_says_what_the_build_has(self):
        text = self.bench("--version")
        for word in ("has:", "lacks:", "counters:", "commit:"):
            self.assertIn(word, text)


main()
