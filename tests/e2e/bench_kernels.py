# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-bench kernels: its one line of JSON, and results that agree with known ones."""
import json

from harness import BENCH, Case, main

KEYS = {"bench", "lib", "version", "log_n", "threads", "runs", "median_s", "min_s", "cpu_s",
        "times_s", "result"}
ROOT_LE = "2b0d9f43"


class Kernels(Case):
    def kernels(self, bench, log_n, threads=1, extra=(), env=None):
        out = self.good("kernels", "--bench", bench, "--log-n", log_n, "--threads", threads,
                        "--runs", 2, *extra, program=BENCH, env=env)
        self.assertEqual(out.count(b"\n"), 1)
        row = json.loads(out)
        self.assertLessEqual(KEYS, set(row))
        self.assertEqual((row["bench"], row["lib"], row["log_n"], row["threads"], row["runs"]),
                         (bench, "cuzk", log_n, threads, 2))
        self.assertEqual(len(row["times_s"]), 2)
        self.assertLessEqual(row["min_s"], row["median_s"])
        return row

    def test_results_do_not_depend_on_threads_or_kernels(self):
        for bench in ("msm-g1", "msm-g2", "ntt"):
            rows = [self.kernels(bench, 10), self.kernels(bench, 10, threads=2),
                    self.kernels(bench, 10, env={"CUZK_KERNELS": "portable"})]
            self.assertEqual(len({r["result"] for r in rows}), 1, bench)
            if bench == "ntt":
                self.assertTrue(rows[0]["root_le"].startswith(ROOT_LE))

    def test_groth16_rows(self):
        for shape in ("dense", "bits"):
            row = self.kernels("groth16", 10, threads=2, extra=("--shape", shape))
            self.assertEqual((row["shape"], row["constraints"], row["verified"]),
                             (shape, 1016, True))
            self.assertEqual(row["result"], self.kernels("groth16", 10, extra=("--shape", shape))
                             ["result"])
            self.assertGreater(row["setup_s"], 0)

    def test_refused(self):
        for words, args in (("--bench", ("--bench", "fft")), ("--log-n", ("--log-n", "40")),
                            ("--threads", ("--threads", "0")), ("--runs", ("--runs", "0")),
                            ("--shape", ("--bench", "groth16", "--shape", "round"))):
            base = {"--bench": "ntt", "--log-n": "8", "--threads": "1", "--runs": "1"}
            base.update(zip(args[::2], args[1::2]))
            self.bad(2, words, "kernels", *[w for kv in base.items() for w in kv], program=BENCH)
        for bench, option in (("ntt", "--window"), ("groth16", "--window"), ("ntt", "--shape"),
                              ("msm-g1", "--cache")):
            value = {"--window": "fixed", "--shape": "bits", "--cache": self.dir}[option]
            self.bad(2, [option, f"not for {bench}"], "kernels", "--bench", bench, "--log-n", 8,
                     option, value, program=BENCH)


main()
