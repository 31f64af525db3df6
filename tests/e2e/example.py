# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example programs, which use the public interface alone."""
import base64
import os
import subprocess
import sys

from harness import PARAMS, ROOT, Case, Post, main

EXAMPLE = os.environ.get("CUZK_EXAMPLE", str(ROOT / "build/release/examples/prove_post"))
LIBRARY = os.environ.get("CUZK_LIBRARY", str(ROOT / "build/release/src/api/libcuzk.so"))


class Example(Case):
    def setUp(self):
        super().setUp()
        self.post = Post("winning-2KiB")
        number, comm_r = self.post.sectors[0].split(":")
        self.words = ["0", "1000", self.post.case["randomness"], number, comm_r]

    def test_it_proves_and_verifies(self):
        vanilla = self.file("vanilla", base64.b64decode(self.post.vanilla[0]))
        words = [*self.words, vanilla, PARAMS]
        out = self.good(*words, program=EXAMPLE).decode()
        self.assertIn("192 bytes", out)
        self.assertTrue(out.endswith("valid\n"))
        words[4] = "11" * 31 + "00"
        self.bad(1, "does not verify", *words, program=EXAMPLE)
        words[5] = self.file("cut", vanilla.read_bytes()[:-1])
        self.bad(1, "bytes", *words, program=EXAMPLE)
        self.bad(2, "usage", program=EXAMPLE)

    def python(self, *words):
        done = subprocess.run([sys.executable, "-B", ROOT / "examples/prove_post.py", *words],
                              capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def test_python_proves_verifies_and_cancels(self):
        words = [LIBRARY, *self.words, self.post.vanilla_file, PARAMS]
        code, out, err = self.python(*words)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("192 bytes\nvalid\n", out)
        self.assertIn("stage: ", out)
        self.assertTrue(out.endswith("cancelled\n"))
        words[5] = "11" * 31 + "00"
        code, _, err = self.python(*words)
        self.assertEqual(code, 1)
        self.assertIn("does not verify", err)
        self.assertEqual(self.python()[0], 1)


main()
