# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parameters of both PoSt circuits from the golden secrets: byte for byte the reference's."""
import hashlib
import json

from harness import GOLDEN, PARAMS, Case, main

SUMS = dict(reversed(line.split()) for line in
            (GOLDEN / "params/SHA256SUMS").read_text().splitlines())


class Setup(Case):
    def check(self, kind):
        PARAMS.mkdir(parents=True, exist_ok=True)
        self.good("setup", kind, "--sector-size", "2KiB", "--params", PARAMS, "--force",
                  "--trapdoor", GOLDEN / "params/trapdoor.json")

    def test_made_files_are_the_reference_s(self):
        for kind in ("winning", "window"):
            self.check(kind)
        names = [n for n in SUMS if "spacetime" in n]
        self.assertEqual(len(names), 4)
        for name in names:
            digest = hashlib.sha256((PARAMS / name).read_bytes()).hexdigest()
            self.assertEqual(digest, SUMS[name], name)

    def test_fresh_secrets_give_other_parameters_that_check(self):
        secret = []
        for i in range(2):
            folder = self.dir / str(i)
            folder.mkdir()
            out = self.good("setup", "window", "--sector-size", "2KiB", "--params", folder,
                            "--json")
            made = sorted(folder.iterdir())
            self.assertEqual([json.loads(out)[k] for k in ("params", "vk")], list(map(str, made)))
            self.assertEqual([p.suffix for p in made], [".params", ".vk"])
            self.good("params", "check", made[0])
            self.good("params", "check", made[1])
            secret.append(made[1].read_bytes())
        self.assertNotEqual(*secret)

    def test_a_file_is_not_replaced_without_force(self):
        self.good("setup", "window", "--sector-size", "2KiB", "--params", self.dir)
        before = {p: p.read_bytes() for p in self.dir.iterdir()}
        args = ("setup", "window", "--sector-size", "2KiB", "--params", self.dir)
        self.bad(2, ["exists", "--force"], *args)
        self.assertEqual({p: p.read_bytes() for p in self.dir.iterdir()}, before)
        self.good(*args, "--force")
        after = {p: p.read_bytes() for p in self.dir.iterdir()}
        self.assertEqual(sorted(after), sorted(before))
        self.assertNotEqual(after, before)

    def test_the_default_folder_and_large_sizes_want_a_word(self):
        env = {"FIL_PROOFS_PARAMETER_CACHE": ""}
        self.bad(2, "--params", "setup", "window", "--sector-size", "2KiB", env=env)
        for size in ("32GiB", "64GiB"):
            self.bad(2, "--insecure", "setup", "window", "--sector-size", size, "--params",
                     self.dir)
        self.good("setup", "window", "--sector-size", "2KiB",
                  env={"FIL_PROOFS_PARAMETER_CACHE": str(self.dir)})

    def test_bad_secrets_are_refused(self):
        good = (GOLDEN / "params/trapdoor.json").read_text()
        args = ("setup", "window", "--sector-size", "2KiB", "--params", self.dir, "--trapdoor")
        self.bad(2, "no such file", *args, self.dir / "none")
        self.bad(2, "tau_le", *args, self.file("a", good.replace("tau_le", "tau")))
        self.bad(2, "tau_le", *args, self.file("b", good.replace("5efa2222", "5efa222")))
        self.bad(2, "", *args, self.file("c", good[:300]))
        over = "ff" * 32
        self.bad(2, "delta_le", *args,
                 self.file("d", good.replace("eb0ee8e6d13558e4a6215deaecfe4dca182e746cfa68a749"
                                             "7920f44a550deb6f", over)))
        zero = "00" * 32
        self.bad(2, "delta_le", *args,
                 self.file("e", good.replace("eb0ee8e6d13558e4a6215deaecfe4dca182e746cfa68a749"
                                             "7920f44a550deb6f", zero)))


main()
