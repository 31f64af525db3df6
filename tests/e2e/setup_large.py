# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parameters of the 2 KiB PoRep and update circuits, byte for byte those of the reference, made
within 4 GiB of memory."""
import hashlib
import resource
import subprocess

from harness import CUZK, GOLDEN, PARAMS, Case, main

SUMS = dict(reversed(line.split()) for line in
            (GOLDEN / "params/SHA256SUMS").read_text().splitlines())
LIMIT = 4 << 30


class Setup(Case):
    def make(self, kind, prefix):
        PARAMS.mkdir(parents=True, exist_ok=True)
        names = [n for n in SUMS if n.startswith(f"v28-{prefix}")]
        self.assertEqual(len(names), 2)
        done = subprocess.run(
            [CUZK, "setup", kind, "--sector-size", "2KiB", "--params", PARAMS, "--force",
             "--trapdoor", GOLDEN / "params/trapdoor.json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        self.assertLess(peak, LIMIT)
        for name in names:
            with open(PARAMS / name, "rb") as f:
                self.assertEqual(hashlib.file_digest(f, "sha256").hexdigest(), SUMS[name], name)

    def test_update(self):
        self.make("update", "empty-sector-update")

    def test_porep(self):
        self.make("porep", "stacked-proof-of-replication")


main()
