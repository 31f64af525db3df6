# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The daemon's clients: cuzk-bench single, batch, stress, status, metrics and preload, and
cuzk prove --daemon. Proofs are verified by cuzk verify."""
import base64
import json
import re
import signal
import subprocess
import time
import unittest

from daemon_harness import PARAMS, Case, Daemon, Porep, Post, main
from harness import BENCH, CUZK, GOLDEN, Update, run

LARGE = any(PARAMS.glob("*stacked-proof-of-replication*.params"))
WINNING, WINDOW = Post("winning-2KiB"), Post("window-2KiB")
COUNTS = ("completed", "failed", "cancelled", "lost", "wrong")


class Clients(Case):
    def serve(self, **keys):
        self.daemon = Daemon(self.dir, **keys)
        self.daemon.start()
        self.addCleanup(self.daemon.__exit__)
        self.address = self.daemon.listen
        return self.daemon

    def bench(self, *args, code=0):
        got, out, err = run(*args, program=BENCH)
        self.assertEqual(got, code, f"{args}\n{out.decode()}\n{err}")
        return out.decode() if code == 0 else err

    def bench_json(self, *args):
        return json.loads(self.bench(*args, "-a", self.address, "--json").splitlines()[-1])

    def post_args(self, post, vanilla=None):
        kind = "winning-post" if post.kind == "winning" else "window-post"
        return ["-t", kind, "--vanilla", vanilla or post.vanilla_file, "--registered-proof",
                post.case["registered_proof"], "--randomness", post.case["randomness"]]


class Single(Clients):
    def test_a_winning_post_from_a_list_or_raw_bytes(self):
        self.serve()
        proof = self.dir / "proof"
        raw = self.file("raw", base64.b64decode(WINNING.vanilla[0]))
        for vanilla in (WINNING.vanilla_file, raw):
            out = self.bench("single", "-a", self.address, *self.post_args(WINNING, vanilla),
                             "-o", proof)
            self.assertIn("circuit winning-2k", out)
            self.assertRegex(out, r"[0-9a-f]{32}: \d+\.\d+ s \(queue .* 192 bytes")
            self.good(*WINNING.verify(proof))
        line = self.bench_json("single", *self.post_args(WINNING))
        self.assertEqual((line["bench"], line["count"], line["circuit"]),
                         ("single", 1, "winning-2k"))
        self.assertEqual(line["runs"][0]["proof_bytes"], 192)

    def test_cases_and_partitions(self):
        self.serve()
        proof = self.dir / "proof"
        for partition, sectors in ((0, WINDOW.sectors[:2]), (1, WINDOW.sectors[2:])):
            self.bench("single", "-a", self.address, "--case", GOLDEN / WINDOW.name, "--partition",
                       partition, "-o", proof)
            self.good(*WINDOW.verify(proof, sectors=sectors))
        err = self.bench("single", "-a", self.address, "--case", GOLDEN / WINDOW.name,
                         "--partition", 2, code=2)
        self.assertIn("--partition: 2, but window-2KiB has 2", err)
        err = self.bench("single", "-a", self.address, *self.post_args(WINDOW), code=2)
        self.assertIn("3 sectors, which are 2 partitions", err)

    @unittest.skipUnless(LARGE, "no parameters of PoRep and update")
    def test_a_porep_and_an_update(self):
        self.serve()
        porep, update = Porep("porep-2KiB-0"), Update("update-2KiB")
        proof = self.dir / "proof"
        self.bench("--addr", self.address, "single", "--type", "seal-commit", "--c1", porep.c1_file,
                   "--sector-num", porep.case["sector_number"], "-o", proof)
        self.good(*porep.verify(proof))
        fields = [w for k in ("comm_r_old", "comm_r_new", "comm_d_new")
                  for w in ("--" + k.replace("_", "-"), update.case[k])]
        self.bench("single", f"--addr={self.address}", "--type", "snap", "--vanilla",
                   update.vanilla_file, "--sector-size", "2KiB", *fields, "-o", proof)
        self.good(*update.verify(proof))

    def test_what_is_refused(self):
        self.serve()
        at = ("-a", self.address)
        winning = self.post_args(WINNING)
        bent = ["00" * 32 if w == WINNING.case["randomness"] else w for w in winning]
        self.assertIn("sector 100: challenge 0",
                      self.bench("single", *at, *bent, code=2))
        for words, args in (
                (["--type", "needed"], []),
                (["--type", "\"post\"", "winning-post"], ["-t", "post"]),
                (["--vanilla", "needed"], ["-t", "winning"]),
                (["--c1", "is not for winning"], [*winning, "--c1", "x"]),
                (["--sector-size or --registered-proof"], winning[:4] + winning[6:]),
                (["--randomness"], winning[:6] + ["--randomness", "00"]),
                (["--case", "--type"], ["--case", GOLDEN / WINNING.name, "-t", "winning"]),
                (["case.json", "no such file"], ["--case", self.dir]),
                (["-o", "folder"], [*winning, "-o", self.dir]),
                (["--addr", "twice"], [*winning, "--addr", "x"]),
                (["--log-level", "loud"], [*winning, "--log-level", "loud"])):
            self.bad(2, words, "single", *at, *args, program=BENCH)
        self.bad(2, ["cuzk-daemon running"], "single", "-a", f"unix://{self.dir}/none", *winning,
                 program=BENCH)
        self.bad(2, ["--addr", "ftp"], "single", "-a", "ftp://x", *winning, program=BENCH)

    def test_a_signal_cancels(self):
        self.serve()
        process = subprocess.Popen([BENCH, "single", "-a", self.address,
                                    *map(str, self.post_args(WINNING))],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.daemon.wait_for("begun after")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (3, b""), err)
        self.daemon.wait_for("cancelled")

    def test_log_levels(self):
        self.serve()
        for level, is_told in (("debug", True), ("trace", True), ("warn", False)):
            code, out, err = run("--log-level", level, "-a", self.address, "status", program=BENCH)
            self.assertEqual(code, 0, err)
            self.assertEqual(re.match(r"GetStatus: \d\.\d{3} s, ok", err) is not None, is_told, err)


class Batch(Clients):
    def test_several_at_once(self):
        self.serve()
        line = self.bench_json("batch", "--case", GOLDEN / WINDOW.name, "-c", 5, "-j", 3)
        self.assertEqual((line["count"], line["concurrency"], len(line["runs"])), (5, 3, 5))
        self.assertEqual(len({r["job_id"] for r in line["runs"]}), 5)  # each is proved
        times = [r["round_trip_s"] for r in line["runs"]]
        self.assertAlmostEqual(line["average_s"], sum(times) / 5, places=6)
        self.assertEqual((line["min_s"], line["max_s"]), (min(times), max(times)))
        self.assertGreater(line["proofs_per_minute"], 0)
        out = self.bench("batch", "-a", self.address, "--case", GOLDEN / WINDOW.name)
        self.assertRegex(out, r"average \d.* min \d.* max \d.* proofs/min \(1 at once\)")
        self.assertEqual(len(re.findall(r"^[0-9a-f]{32}:", out, re.M)), 3)

    def test_a_failure_ends_it(self):
        self.serve()
        empty = self.dir / "none"
        empty.mkdir()
        self.daemon.stop()
        self.serve(**{"srs.param_cache": str(empty)})
        err = self.bench("batch", "-a", self.address, "--case", GOLDEN / WINDOW.name, "-c", 50,
                         "-j", 4, code=3)
        self.assertIn(".params", err)
        begun = self.daemon.text().count("begun after")
        self.assertLess(begun, 50)


class Watch(Clients):
    def test_status_metrics_preload(self):
        self.serve()
        self.assertIn("winning", self.bench("status", "-a", self.address))
        self.assertIn("cuzk_memory_budget_bytes", self.bench("metrics", "-a", self.address))
        line = self.bench_json("preload", "--circuit-id", "wpost-2k")
        self.assertFalse(line["already_loaded"])
        self.assertIn("was open already",
                      self.bench("preload", "-a", self.address, "-c", "wpost-2k"))
        status = self.bench_json("status")
        self.assertEqual([s["circuit_id"] for s in status["loaded_srs"]], ["wpost-2k"])
        self.assertEqual(len(status["queues"]), 4)
        self.bad(2, ["wpost-3k"], "preload", "-a", self.address, "-c", "wpost-3k", program=BENCH)
        self.bad(2, ["--circuit-id"], "preload", "-a", self.address, program=BENCH)
        for command in ("status", "metrics"):
            self.bad(2, "cuzk-daemon running", command, "-a", f"unix://{self.dir}/none",
                     program=BENCH)


class Prove(Clients):
    """cuzk prove --daemon"""

    def prove(self, post, out, *extra, **changes):
        return post.prove(out, extra=["--daemon", self.address, *extra], **changes)

    def test_windows_of_several_partitions(self):
        self.serve()
        proof = self.dir / "proof"
        line = json.loads(self.good(*self.prove(WINDOW, proof, "--json")))
        self.assertTrue(line["verified_here"])
        self.assertEqual(len(line["jobs"]), 2)
        self.assertEqual(len(proof.read_bytes()), 384)
        self.good(*WINDOW.verify(proof))
        text = self.good(*self.prove(WINDOW, "-", "--hex", "--quiet"))
        self.assertEqual(bytes.fromhex(text.decode()), proof.read_bytes())  # the daemon's jobs
        self.bad(2, "2 partitions", *self.prove(Post("window-v1-2KiB"), proof))

    @unittest.skipUnless(LARGE, "no parameters of PoRep and update")
    def test_a_porep_and_an_update(self):
        self.serve()
        proof = self.dir / "proof"
        for case in (Porep("porep-v1-2KiB"), Update("update-2KiB")):
            self.good(*self.prove(case, proof))
            self.good(*case.verify(proof))

    def test_without_a_key_it_is_said(self):
        self.serve()
        proof = self.dir / "proof"
        code, _, err = run(*self.prove(WINNING, proof, params=self.dir))
        self.assertEqual(code, 0, err)
        self.assertIn("not verified here", err)
        self.good(*WINNING.verify(proof))
        code, out, err = run(*self.prove(WINNING, proof, "--json", "--quiet", params=self.dir))
        self.assertEqual((code, err, json.loads(out)["verified_here"]), (0, "", False))

    def test_by_another_key_it_is_not_valid(self):
        self.serve()
        other = self.dir / "other"
        other.mkdir()
        self.good("setup", "window", "--sector-size", "2KiB", "--params", other)
        self.bad(1, ["the daemon's proof", ".vk"],
                 *self.prove(WINDOW, self.dir / "proof", params=other))
        self.assertFalse((self.dir / "proof").exists())

    def test_what_is_refused(self):
        self.serve()
        proof = self.dir / "proof"
        self.bad(2, "sector 100: challenge 0", *self.prove(WINNING, proof, randomness="00" * 32))
        self.bad(2, "vanilla", *self.prove(WINNING, proof, vanilla=self.file("v", ["AAAA"])))
        self.bad(2, "cuzk-daemon running",
                 *WINNING.prove(proof, extra=["--daemon", f"unix://{self.dir}/none"]))
        self.bad(2, ["--daemon", "ftp"], *WINNING.prove(proof, extra=["--daemon", "ftp://x"]))
        self.bad(2, "--partition: is not for --daemon",
                 *self.prove(WINNING, proof, "--partition", 0))
        self.bad(2, "--daemon-ca: wants --daemon",
                 *WINNING.prove(proof, extra=["--daemon-ca", "x"]))
        self.bad(2, ["--daemon", "token"],
                 *self.prove(WINNING, proof, "--daemon-token-file", self.dir / "none"))
        self.assertFalse(proof.exists())

    def test_what_fails_there_fails_here(self):
        empty = self.dir / "none"
        empty.mkdir()
        self.serve(**{"srs.param_cache": str(empty)})
        self.bad(3, ["failed", ".params"], *self.prove(WINNING, self.dir / "proof"))

    def test_a_token(self):
        token = self.file("token", "a-token-of-some-length-0123456789abcdef\n")
        token.chmod(0o600)
        self.serve(**{"daemon.token_file": str(token)})
        proof = self.dir / "proof"
        self.bad(2, "token", *self.prove(WINNING, proof))
        self.good(*self.prove(WINNING, proof, "--daemon-token-file", token))

    def test_a_signal_cancels(self):
        self.serve(**{"scheduler.on_disconnect": "finish"})
        for number in (signal.SIGINT, signal.SIGTERM):
            self.daemon.log_from = len(self.daemon.text())
            process = subprocess.Popen([CUZK, *map(str, self.prove(WINNING, self.dir / "p"))],
                                       stderr=subprocess.PIPE)
            self.daemon.wait_for("begun after")
            process.send_signal(number)
            err = process.communicate(timeout=30)[1]
            self.assertEqual((process.returncode, err), (3, b"cuzk prove: cancelled\n"))
            self.assertFalse((self.dir / "p").exists())
            self.daemon.wait_for(": cancelled")


class Stress(Clients):
    MIX = ["--mix", "winning=1,window=2"]

    def args(self, *extra):
        return ["stress", "-a", self.address, "--cases", GOLDEN, "--params", PARAMS, "--json",
                *extra]

    def check(self, line, submitted):
        self.assertEqual(line["submitted"], submitted, line)
        self.assertEqual(line["accepted"], sum(line[k] for k in COUNTS), line)
        self.assertEqual(line["accepted"] + line["refused"], submitted, line)
        for count in ("failed", "lost", "wrong"):
            self.assertEqual(line[count], 0, line)
        self.assertGreater(line["completed"], 0)
        self.assertTrue(0 < line["peak_bytes"] <= line["budget_bytes"], line)

    def test_all_is_well(self):
        self.serve()
        line = json.loads(self.bench(*self.args(
            *self.MIX, "--jobs", 60, "--clients", 12, "--cancels", 10, "--disconnects", 10, "--bad",
            30, "--seed", 7)).splitlines()[-1])
        self.check(line, 60)
        self.assertTrue(10 <= line["refused"] <= 25, line)
        self.assertGreater(line["winnings"], 0)

    @unittest.skipUnless(LARGE, "no parameters of PoRep and update")
    def test_updates_and_poreps_too(self):
        self.serve()
        line = json.loads(self.bench(*self.args(
            "--mix", "winning=1,window=1,update=1,porep=1", "--jobs", 12, "--clients", 6,
            "--seed", 3)).splitlines()[-1])
        self.check(line, 12)
        self.assertEqual(line["completed"], 12)

    def test_a_daemon_that_is_killed_loses_nothing(self):
        self.serve()
        process = subprocess.Popen(
            [BENCH, *map(str, self.args(*self.MIX, "--jobs", 50, "--clients", 8, "--cancels", 10,
                                        "--disconnects", 20, "--reconnect", 60, "--seed", 11))],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for wait in (2, 0.7, 3):
            time.sleep(wait)
            self.daemon.kill()
            time.sleep(0.3)
            self.daemon.restart()
        out, err = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 0, f"{out.decode()}\n{err.decode()}")
        line = json.loads(out.decode().splitlines()[-1])
        self.check(line, 50)
        self.assertGreater(line["reconnects"], 0)

    def test_a_proof_that_is_not_valid_is_found(self):
        other = self.dir / "other"
        other.mkdir()
        for kind in ("window", "winning"):
            self.good("setup", kind, "--sector-size", "2KiB", "--params", other)
        cases = self.dir / "cases"
        cases.mkdir()
        for post in (WINDOW, WINNING):
            (cases / post.name).symlink_to(GOLDEN / post.name)
        self.serve(params=other)
        code, out, err = run("stress", "-a", self.address, "--cases", cases, "--params", PARAMS,
                             "--jobs", 4, "--clients", 2, program=BENCH)
        self.assertEqual(code, 1, err)
        line = json.loads(out.decode().splitlines()[-1])
        self.assertEqual((line["wrong"], line["completed"]), (4, 0), line)
        self.assertIn("4 wrong", err)

    def test_a_daemon_that_goes_away_is_found(self):
        self.serve()
        process = subprocess.Popen(
            [BENCH, *map(str, self.args(*self.MIX, "--jobs", 50, "--clients", 4,
                                        "--reconnect", 0))],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.daemon.wait_for("done in")
        self.daemon.kill()
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 3, err)
        line = json.loads(out.decode().splitlines()[-1])
        self.assertGreater(line["lost"], 0, line)

    def test_what_is_refused(self):
        self.serve()
        for words, args in (
                (["--mix", "seal"], ["--mix", "seal=1"]),
                (["percent", "at most 100"], ["--cancels", 60, "--bad", 41]),
                (["--cases", "8MiB", "--mix"], ["--sector-size", "8MiB", "--mix", "update=1"]),
                (["64GiB"], ["--sector-size", "64GiB"]),
                (["--jobs"], ["--jobs", 0])):
            code, _, err = run(*self.args(*args), program=BENCH)
            self.assertEqual(code, 2, f"{args}: {err}")
            if "8MiB" not in words:
                for word in words:
                    self.assertIn(word, err)
        self.bad(2, "--cases: is needed", "stress", "-a", self.address, program=BENCH)
        self.bad(2, [".vk"], "stress", "-a", self.address, "--cases", GOLDEN, "--params", self.dir,
                 program=BENCH)

    def test_a_signal_ends_it(self):
        self.serve()
        process = subprocess.Popen(
            [BENCH, *map(str, self.args(*self.MIX, "--jobs", 1000, "--clients", 4))],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.daemon.wait_for("done in")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn(b"cancelled", err)
        self.assertLess(json.loads(out.decode().splitlines()[-1])["submitted"], 1000)


main()
