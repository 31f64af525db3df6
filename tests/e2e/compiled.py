# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiled circuits in a folder: made once, read, mended, and never in the way of a proof."""
import os
import resource
import signal
import subprocess
import time

from harness import CUZK, PARAMS, Case, Post, golden, main, run

WINNING, WINDOW = Post("winning-2KiB"), Post("window-2KiB")
ANEW = "; the circuit is compiled anew"
MEMORY = "; the compiled circuit is held in memory alone"


def limit_files(ignore):
    """Before exec: files end at 4 KiB; a longer write kills the process, or fails as on a full
    disk."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if ignore else signal.SIG_DFL)
    return limit


class Compiled(Case):
    def setUp(self):
        super().setUp()
        self.folder = self.dir / "compiled"
        self.folder.mkdir()

    def prove(self, post=WINNING, folder=None):
        """Proves and verifies; returns the notices."""
        args = post.prove("-", extra=["--compiled", folder or self.folder])
        code, proof, err = run(*args)
        self.assertEqual(code, 0, err)
        self.good(*post.verify("-"), stdin=proof)
        lead = "cuzk prove: notice: "
        return [line[len(lead):] for line in err.splitlines() if line.startswith(lead)]

    def the_file(self):
        files = list(self.folder.iterdir())
        self.assertEqual(len(files), 1, files)
        return files[0]

    def start(self, preexec=None):
        args = [CUZK, *WINNING.prove("-", extra=["--compiled", self.folder])]
        return subprocess.Popen(list(map(str, args)), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=preexec)

    def test_a_file_is_made_once_and_bound_to_the_reference_s_digest(self):
        self.assertEqual(self.prove(), [])
        made = self.the_file()
        digest = golden("shapes", "winning-2KiB.json")["r1cs_sha256"]
        self.assertEqual(made.name, f"winning-2k-v1-{digest[:16]}.pce")
        self.assertEqual(made.read_bytes()[80:112].hex(), digest)
        before = made.stat()
        self.assertEqual(self.prove(), [])
        after = self.the_file().stat()
        self.assertEqual((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))

    def test_circuits_lie_side_by_side(self):
        self.assertEqual(self.prove(WINDOW), [])
        self.assertEqual(self.prove(WINNING), [])
        self.assertEqual(self.prove(WINDOW), [])
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_without_the_option_nothing_is_written(self):
        before = sorted(PARAMS.iterdir())
        self.good(*WINNING.prove(self.dir / "proof"))
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(sorted(PARAMS.iterdir()), before)

    def test_damage_is_told_and_mended(self):
        self.prove()
        made = self.the_file()
        good = made.read_bytes()
        for at, what in ((8, "version 3, expected 1"), (100, "the header's checksum is wrong"),
                         (390, "coefficients: wrong checksum"),
                         (len(good) - 1, "parts: wrong checksum")):
            bad = bytearray(good)
            bad[at] ^= 2
            made.write_bytes(bad)
            self.assertEqual(self.prove(), [f"{made}: {what}{ANEW}"])
            self.assertEqual(made.read_bytes(), good)
            self.assertEqual(self.prove(), [])
        for cut in (b"", good[:383], good[:-1], good + b"x", b"x" * 5000):
            made.write_bytes(cut)
            notices = self.prove()
            self.assertEqual(len(notices), 1)
            self.assertTrue(notices[0].startswith(f"{made}: ") and notices[0].endswith(ANEW))
            self.assertEqual(self.the_file().read_bytes(), good)

    def test_another_circuit_s_file_is_replaced(self):
        self.prove(WINDOW)
        other = self.the_file().read_bytes()
        self.the_file().unlink()
        self.prove()
        made = self.the_file()
        good = made.read_bytes()
        made.write_bytes(other)
        self.assertEqual(self.prove(),
                         [f"{made}: a PCE of wpost-2k, not of winning-2k{ANEW}"])
        self.assertEqual(made.read_bytes(), good)

    def test_a_place_that_cannot_be_written_stops_no_proof(self):
        self.prove()
        made = self.the_file()
        made.unlink()
        made.mkdir()
        self.assertEqual(self.prove(), [f"{made}: is a folder, not a file{end}"
                                        for end in (ANEW, MEMORY)])
        if os.geteuid() != 0:
            made.rmdir()
            self.folder.chmod(0o555)
            self.assertEqual(self.prove(), [f"{self.folder}: cannot be written to: "
                                            f"Permission denied{MEMORY}"])
            self.folder.chmod(0o755)

    def test_a_full_disk_stops_no_proof(self):
        process = self.start(limit_files(True))
        proof, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.good(*WINNING.verify("-"), stdin=proof)
        self.assertRegex(err.decode(), f"notice: .*: write failed: File too large{MEMORY}")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_folder_that_is_none_is_refused_before_any_work(self):
        proof = self.dir / "proof"
        for folder, why in ((self.dir / "none", "No such file"),
                            (WINNING.vanilla_file, "is no folder")):
            self.bad(2, ["folder of compiled circuits", str(folder), why],
                     *WINNING.prove(proof, vanilla=self.dir / "no input is read",
                                    extra=["--compiled", folder]))
            self.assertFalse(proof.exists())
        self.assertFalse((self.dir / "none").exists())
        self.bad(2, "--compiled", *WINNING.prove(proof, extra=["--compiled", ""]))

    def test_a_process_that_dies_while_it_saves(self):
        process = self.start(limit_files(False))
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGXFSZ)
        part = self.the_file()
        self.assertRegex(part.name, r"\.pce\.tmp\.[a-z0-5]{6}$")
        self.assertEqual(part.stat().st_size, 4096)
        self.assertEqual(self.prove(), [])
        self.assertEqual(self.the_file().suffix, ".pce")

    def test_a_process_that_is_killed_at_any_time(self):
        """As soon as something is in the folder, and a little later each time."""
        for i in range(10):
            process = self.start()
            while process.poll() is None and not any(self.folder.iterdir()):
                pass
            time.sleep(i * 0.0005)
            process.kill()
            process.communicate()
            self.assertEqual(self.prove(), [])
            self.assertEqual(self.the_file().suffix, ".pce")
            self.the_file().unlink()

    def test_processes_at_once(self):
        for _ in range(3):
            processes = [self.start() for _ in range(4)]
            for process in processes:
                proof, err = process.communicate()
                self.assertEqual(process.returncode, 0, err)
                self.assertNotIn(b"notice", err)
                self.good(*WINNING.verify("-"), stdin=proof)
            self.assertEqual(self.prove(), [])
            self.the_file().unlink()


main()
