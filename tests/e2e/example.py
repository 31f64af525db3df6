# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example program, which uses the public interface alone."""
import base64
import os

from harness import PARAMS, Case, Post, main

EXAMPLE = os.environ["CUZK_EXAMPLE"]


class Example(Case):
    def test_it_proves_and_verifies(self):
        post = Post("winning-2KiB")
        vanilla = self.file("vanilla", base64.b64decode(post.vanilla[0]))
        number, comm_r = post.sectors[0].split(":")
        words = ["0", "1000", post.case["randomness"], number, comm_r, vanilla, PARAMS]
        out = self.good(*words, program=EXAMPLE).decode()
        self.assertIn("192 bytes", out)
        self.assertTrue(out.endswith("valid\n"))
        words[4] = "11" * 31 + "00"
        self.bad(1, "does not verify", *words, program=EXAMPLE)
        words[5] = self.file("cut", vanilla.read_bytes()[:-1])
        self.bad(1, "bytes", *words, program=EXAMPLE)
        self.bad(2, "usage", program=EXAMPLE)


main()
