# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Both ways against the reference program: our proofs under its verifier, its prover and verifier
with parameters of ours."""
import shutil
import subprocess
import sys
import os

from harness import GOLDEN, ORACLE, PARAMS, Case, Post, main

CASES = ["winning-2KiB", "window-2KiB", "window-v1-2KiB"]


def oracle(params, *args):
    env = {**os.environ, "FIL_PROOFS_PARAMETER_CACHE": str(params)}
    done = subprocess.run([ORACLE, *map(str, args)], env=env, capture_output=True, text=True)
    return done.returncode, done.stdout.strip(), done.stderr


class Oracle(Case):
    def check_both_ways(self, params, name):
        post = Post(name)
        ours = self.file("ours.hex", self.good(*post.prove("-", params=params, extra=["--hex"])))
        self.assertEqual(oracle(params, "verify", GOLDEN / name, ours)[:2], (0, "valid"), name)
        code, theirs, err = oracle(params, "prove", GOLDEN / name)
        self.assertEqual(code, 0, err)
        self.good(*post.verify(self.file("theirs.hex", theirs), params=params, extra=["--hex"]))
        broken = self.file("broken.hex", ours.read_text().replace(ours.read_text()[300:302],
                                                                  "00", 1))
        self.assertNotEqual(oracle(params, "verify", GOLDEN / name, broken)[1], "valid")

    def test_with_the_golden_secrets(self):
        for name in CASES:
            self.check_both_ways(PARAMS, name)

    def test_with_parameters_of_our_own(self):
        for kind in ("winning", "window"):
            self.good("setup", kind, "--sector-size", "2KiB", "--params", self.dir)
        for name in ("winning-2KiB", "window-2KiB"):
            self.check_both_ways(self.dir, name)

    def test_with_the_reference_s_own_verifying_keys(self):
        for key in (GOLDEN / "params").glob("*spacetime*.vk"):
            shutil.copy(key, self.dir)
        for name in CASES:
            post = Post(name)
            ours = self.file("ours.hex", self.good(*post.prove("-", extra=["--hex"])))
            self.assertEqual(oracle(self.dir, "verify", GOLDEN / name, ours)[:2], (0, "valid"))


if not ORACLE:
    print("skipped: CUZK_ORACLE names no reference program")
    sys.exit(77)
main()
