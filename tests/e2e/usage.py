# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Help, versions and refused command lines."""
import json
import subprocess

from harness import BENCH, CUZK, Case, Post, main, run


class Usage(Case):
    def test_each_command_has_help(self):
        for program in (CUZK, BENCH):
            code, out, err = run("--help", program=program)
            self.assertEqual((code, err), (0, ""))
            self.assertIn(b"usage:", out)
            code, out, _ = run("--version", program=program)
            self.assertEqual(code, 0)
            self.assertRegex(out.decode(), r"^cuzk(-bench)? \d+\.\d+\.\d+")
        for command in ("circuit", "witness", "setup", "params", "prove", "verify", "version",
                        "doctor", "completion", "man"):
            out = self.good(command, "--help").decode()
            self.assertIn(f"cuzk {command}", out)
            self.assertTrue(all(len(line) <= 100 for line in out.splitlines()), command)
        self.assertIn("--log-n", self.good("kernels", "--help", program=BENCH).decode())

    def test_refused_words(self):
        self.bad(2, "cuzk --help")
        self.bad(2, ["nonsense", "cuzk --help"], "nonsense")
        self.bad(2, "KIND", "circuit")
        self.bad(2, ["windows", "porep, update, winning, window"], "circuit", "windows",
                 "--sector-size", "2KiB")
        self.bad(2, "one word too many", "circuit", "window", "extra", "--sector-size", "2KiB")
        self.bad(2, ["--sector-size", "3KiB", "64GiB"], "circuit", "window", "--sector-size",
                 "3KiB")
        self.bad(2, "--sector-size", "circuit", "window")
        self.bad(2, ["--bloc", "unknown option"], "circuit", "window", "--bloc", "1")
        self.bad(2, ["--block", "0"], "circuit", "window", "--sector-size", "2KiB", "--block", 0)
        self.bad(2, "--block", "circuit", "window", "--sector-size", "2KiB", "--block", "1e3")
        self.bad(2, "twice", "circuit", "window", "--sector-size", "2KiB", "--sector-size", "2KiB")
        self.bad(2, ["--sector-size", "wants an argument"], "circuit", "window", "--sector-size")
        self.bad(2, "takes no argument", "circuit", "window", "--json=1")
        self.bad(2, ["--threads", "1025", "1024"], "prove", "window", "--threads", 1025)

    def test_registered_proofs_must_fit(self):
        self.bad(2, ["10", "2KiB", "8MiB"], "circuit", "window", "--registered-proof", 10,
                 "--sector-size", "8MiB")
        self.bad(2, "--registered-proof", "circuit", "winning", "--registered-proof", 5)
        self.bad(2, "--registered-proof", "circuit", "window", "--registered-proof", 4)
        self.bad(2, "--registered-proof", "circuit", "window", "--registered-proof", 15)
        self.bad(2, "--registered-proof", "circuit", "window", "--registered-proof",
                 "StackedDrgWinning2KiBV1")
        self.bad(2, "--registered-proof", "circuit", "window", "--registered-proof", "")

    def test_kernels_are_named_or_refused(self):
        args = ("circuit", "window", "--sector-size", "2KiB")
        self.good(*args, env={"CUZK_KERNELS": "portable"})
        self.bad(2, ["CUZK_KERNELS", "portable"], *args, env={"CUZK_KERNELS": "fast"})

    def test_output_that_is_lost_is_no_success(self):
        commands = ((CUZK, "circuit", "winning", "--sector-size", "2KiB"), (CUZK, "--help"),
                    (BENCH, "--help"), (BENCH, "kernels", "--bench", "ntt", "--log-n", "4"))
        for command in commands:
            with open("/dev/full", "wb") as full:
                done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 3, command)
            self.assertIn(b"standard output", done.stderr)
            done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command],
                                  stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 3, command)

    def test_no_file_takes_the_place_of_a_closed_stream(self):
        post = Post("winning-2KiB")
        proof = self.dir / "proof"
        command = [CUZK, *map(str, post.prove(proof))]
        done = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *command], timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(proof.read_bytes()), 192)

    def test_json_is_one_object(self):
        post = Post("window-2KiB")
        out = self.good(*post.prove(self.dir / "p", extra=["--json"]))
        json.loads(out)
        self.assertEqual(out.count(b"\n"), 1)


main()
