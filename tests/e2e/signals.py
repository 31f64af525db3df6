# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is left when a program is ended, its reader goes away or its disk is full: nothing, or what
the next run removes."""
import os
import pathlib
import resource
import signal
import subprocess
import time

from harness import (BENCH, CUZK, GOLDEN, PARAMS, Case, Post, main, run,
                     wait_until_at_work)

ENDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WINDOW, WINNING = Post("window-2KiB"), Post("winning-2KiB")


def limit_files(n_bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


class Ended(Case):
    def setUp(self):
        super().setUp()
        self.out = self.dir / "out"
        self.out.mkdir()

    def left(self, folder=None):
        return sorted(p.name for p in (folder or self.out).iterdir())

    def setup_args(self, *extra):
        return ["setup", "winning", "--sector-size", "2KiB", "--params", self.out, *extra]

    def begin(self, *args, program=CUZK, **kw):
        return subprocess.Popen([program, *map(str, args)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **kw)

    def begin_setup(self):
        """A setup that has made its first file."""
        before = self.left()
        process = self.begin(*self.setup_args())
        self.assertIn(b"INSECURE", process.stderr.readline())
        while process.poll() is None and not set(self.left()) - set(before):
            time.sleep(0.001)
        return process

    def end(self, process, number, code, words=b""):
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (code, b""), err)
        self.assertIn(words, err)

    def test_a_proof_leaves_nothing(self):
        for number, wait in ((n, w) for n in ENDED for w in (0, 0.05, 0.2)):
            process = self.begin(*WINNING.prove(self.out / "p", extra=["--threads", 1]))
            wait_until_at_work(process)
            time.sleep(wait)
            self.end(process, number, 3, b"cuzk prove: cancelled\n")
            self.assertEqual(self.left(), [])

    def test_a_proof_that_is_killed_leaves_nothing(self):
        (self.out / "p").write_bytes(b"old")
        for post in (WINDOW, WINNING):
            process = self.begin(*post.prove(self.out / "p"))
            wait_until_at_work(process)
            self.end(process, signal.SIGKILL, -signal.SIGKILL)
            self.assertEqual(self.left(), ["p"])
            self.assertEqual((self.out / "p").read_bytes(), b"old")

    def test_a_setup_leaves_nothing(self):
        for number in ENDED:
            for wait in (0, 0.1, 0.5):
                process = self.begin_setup()
                time.sleep(wait)
                self.end(process, number, 3, b"cuzk setup: cancelled\n")
                self.assertEqual(self.left(), [])

    def test_what_a_killed_setup_left_the_next_one_removes(self):
        for number in (signal.SIGKILL, signal.SIGQUIT, signal.SIGABRT):
            self.end(self.begin_setup(), number, -number)
        self.assertTrue(all(".cuzk-tmp." in name for name in self.left()), self.left())
        self.assertLessEqual(len(self.left()), 2)  # each removed what was left before it
        at_work = self.begin_setup()
        self.end(self.begin_setup(), signal.SIGTERM, 3)
        out, err = at_work.communicate(timeout=120)  # nobody took its files
        self.assertEqual((at_work.returncode, out), (0, b""), err)
        self.assertEqual([pathlib.Path(n).suffix for n in self.left()], [".params", ".vk"])

    def test_nohup_is_respected(self):
        process = self.begin(*WINDOW.prove(self.out / "p"),
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_until_at_work(process)
        self.end(process, signal.SIGHUP, 0)
        self.assertEqual(self.left(), ["p"])

    def test_a_full_disk_leaves_nothing_and_says_why(self):
        for n_bytes in (0, 1, 191, 383):
            done = subprocess.run([CUZK, *map(str, WINDOW.prove(self.out / "p"))],
                                  preexec_fn=limit_files(n_bytes), capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(b"File too large", done.stderr)
            self.assertEqual(self.left(), [])
            with open(self.dir / "stream", "wb") as stream:
                done = subprocess.run([CUZK, *map(str, WINDOW.prove("-"))], stdout=stream,
                                      stderr=subprocess.PIPE, preexec_fn=limit_files(n_bytes),
                                      timeout=60)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(b"File too large", done.stderr)
        for n_bytes in (0, 4096, 1 << 20, 47 << 20):
            start = time.monotonic()
            done = subprocess.run([CUZK, *map(str, self.setup_args())],
                                  preexec_fn=limit_files(n_bytes), capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (3 if n_bytes < 40 << 20 else 0, b""),
                             done.stderr)
            if done.returncode == 0:
                continue
            self.assertRegex(done.stderr.decode(), rf"needs \d{{8}} bytes.*\b{n_bytes}\b")
            self.assertNotIn(b"points", done.stderr)
            self.assertLess(time.monotonic() - start, 30)
            self.assertEqual(self.left(), [])

    def test_a_bench_leaves_nothing(self):
        env = {**os.environ, "TMPDIR": str(self.out)}
        for number in ENDED:
            args = ["kernels", "--bench", "groth16", "--log-n", "14", "--runs", "100"]
            process = self.begin(*args, program=BENCH, env=env)
            while not self.left():
                time.sleep(0.01)
            time.sleep(0.3)
            self.end(process, number, 3, b"cancelled")
            self.assertEqual(self.left(), [])
        for _ in range(2):
            process = self.begin(*args, program=BENCH, env=env)
            while not self.left():
                time.sleep(0.01)
            time.sleep(0.3)
            self.end(process, signal.SIGKILL, -signal.SIGKILL)
            self.assertEqual(len(self.left()), 1)
        self.good("kernels", "--bench", "groth16", "--log-n", "4", "--runs", "1", program=BENCH,
                  env=env)
        self.assertEqual(self.left(), [])

    def test_a_record_that_cannot_be_written_leaves_nothing(self):
        args = ["ab", "--a", "default", "--b", "default", "--runs", "3", "--warm-up", "0",
                "--record", str(self.out), "--", "synth-only", "--vanilla",
                str(WINDOW.vanilla_file), "--kind", "window", *map(str, WINDOW.who())]
        done = subprocess.run([BENCH, *args], preexec_fn=limit_files(100), capture_output=True,
                              timeout=300)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(self.left(), [])

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        commands = (["circuit", "winning", "--sector-size", "2KiB", "--json", "--block", 1],
                    WINDOW.prove("-"), WINDOW.prove("/dev/stdout", extra=["--hex"]),
                    ["--help"], WINDOW.prove(self.out / "p", extra=["--json"]))
        for command in commands:
            for ignored in (False, True):
                reading, writing = os.pipe()
                os.close(reading)
                process = subprocess.Popen(
                    [CUZK, *map(str, command)], stdout=writing, stderr=subprocess.PIPE,
                    restore_signals=not ignored)
                os.close(writing)
                err = process.communicate(timeout=60)[1]
                self.assertEqual(process.returncode, -signal.SIGPIPE, (command, err))
                self.assertNotIn(b"cuzk", err)
        self.assertEqual(self.left(), ["p"])

    def test_progress_that_nobody_reads_does_not_end_the_work(self):
        for command in (WINDOW.prove(self.out / "p"),
                        ["prove", "window", *WINDOW.prove(self.out / "q", extra=["--hex"])[2:]]):
            process = self.begin(*command)
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), 0)
            process.stdout.close()
        self.assertEqual(self.left(), ["p", "q"])


class Special(Case):
    """Pipes, sockets, devices and folders where a file is meant."""

    def setUp(self):
        super().setUp()
        self.pipe = self.dir / "pipe"
        os.mkfifo(self.pipe)
        self.places = [self.pipe, "/dev/zero", "/dev/tty", self.dir]

    def refused(self, place, *args):
        start = time.monotonic()
        word = "folder" if place == self.dir else "not a regular file"
        self.bad(2, [word, str(place)], *args)
        self.assertLess(time.monotonic() - start, 20)

    def test_inputs(self):
        setup = ["setup", "window", "--sector-size", "2KiB", "--params", self.dir, "--trapdoor"]
        porep = ["prove", "porep", "--miner-id", 1000, "--sector-number", 1, "-o", "-", "--c1"]
        for place in self.places:
            self.refused(place, *WINDOW.prove("-", vanilla=place))
            self.refused(place, *WINDOW.witness(vanilla=place))
            self.refused(place, *porep, place)
            self.refused(place, *WINDOW.verify(place))
            self.refused(place, *setup, place)
            self.refused(place, "params", "check", place)

    def test_outputs(self):
        for place in (self.pipe, "/dev/zero", "/dev/full", self.dir):
            before = sorted(self.dir.iterdir())
            code, out, err = run(*WINDOW.prove(place))
            self.assertEqual((code, out), (2, b""), err)
            self.assertNotIn("msm", err)  # before the work
            self.assertEqual(sorted(self.dir.iterdir()), before)
        self.good(*WINDOW.prove("/dev/null"))
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    def test_parameters(self):
        for suffix in (".params", ".vk"):
            at = self.dir / f"v28-{WINDOW.case['parameter_id']}{suffix}"
            os.mkfifo(at)
            args = WINDOW.prove("-", params=self.dir) if suffix == ".params" else \
                WINDOW.verify(self.file("proof", bytes(384)), params=self.dir)
            self.refused(at, *args)
            self.refused(at, "params", "check", at)
        self.bad(2, "exists", "setup", "window", "--sector-size", "2KiB", "--params", self.dir)
        self.bad(2, "not a regular file", "setup", "window", "--sector-size", "2KiB", "--params",
                 self.dir, "--force")

    def test_streams_that_are_open_already(self):
        proof = self.dir / "proof"
        script = ('"$0" "$@" --vanilla <(cat "$VANILLA") -o >(cat > "$PROOF"); '
                  'code=$?; sleep 0.5; exit $code')
        args = [w for w in WINDOW.prove("-")]
        for option in ("--vanilla", "-o"):
            at = args.index(option)
            del args[at:at + 2]
        env = {"VANILLA": str(WINDOW.vanilla_file), "PROOF": str(proof)}
        self.good("-c", script, CUZK, *args, program="bash", env=env)
        self.good(*WINDOW.verify(proof))
        vanilla = WINDOW.vanilla_file.read_bytes()
        for name in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            made = self.good(*WINDOW.prove("/dev/stdout", vanilla=name), stdin=vanilla)
            self.good(*WINDOW.verify(name), stdin=made)
        with open(self.dir / "redirected", "wb") as out:
            done = subprocess.run([CUZK, *map(str, WINDOW.prove("/dev/stdout"))], stdout=out,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.islink("/dev/stdout"))
        self.good(*WINDOW.verify(self.dir / "redirected"))
        self.bad(2, "/dev/fd/77", *WINDOW.prove("/dev/fd/77"))
        self.bad(2, "/dev/fd/77", *WINDOW.prove("-", vanilla="/dev/fd/77"))


main()
