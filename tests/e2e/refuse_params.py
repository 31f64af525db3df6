# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parameter files that are missing, damaged or of another circuit."""
import json
import os
import shutil
import struct

from harness import PARAMS, Case, Post, main, run

WINDOW, WINNING = Post("window-2KiB"), Post("winning-2KiB")
G1, G2 = 96, 192
SECTIONS = [("ic", G1), ("h", G1), ("l", G1), ("a", G1), ("b_g1", G1), ("b_g2", G2)]
KEY_BYTES = 3 * G1 + 3 * G2  # alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2


def name_of(post, suffix=".params"):
    return f"v28-{post.case['parameter_id']}{suffix}"


def layout(data):
    """section -> (offset of its count, offset of its first point, points)"""
    at, out = KEY_BYTES, {}
    for name, size in SECTIONS:
        n, = struct.unpack_from(">I", data, at)
        out[name] = (at, at + 4, n)
        at += 4 + n * size
    assert at == len(data)
    return out


class Params(Case):
    def setUp(self):
        super().setUp()
        for suffix in (".params", ".vk"):
            shutil.copy(PARAMS / name_of(WINDOW, suffix), self.dir)
        self.path = self.dir / name_of(WINDOW)
        self.data = self.path.read_bytes()
        self.layout = layout(self.data)

    def refused(self, words, data=None, check=True):
        if data is not None:
            self.path.write_bytes(data)
        line = self.bad(2, words, *WINDOW.prove(self.dir / "p", params=self.dir))
        if check:
            self.bad(2, words, "params", "check", self.path)
        return line

    def test_a_key_of_another_setup(self):
        """Refused before any work, whichever of the two files is the other's."""
        vk = self.dir / name_of(WINDOW, ".vk")
        good = vk.read_bytes()
        other = (PARAMS / name_of(WINNING, ".vk")).read_bytes()
        for at in (0, 96 + 50, KEY_BYTES - 1, len(good) - 1):
            data = bytearray(good)
            data[at] ^= 1
            vk.write_bytes(data)
            self.refused([vk.name, "not the key of", self.path.name], check=False)
            self.assertFalse((self.dir / "p").exists())
        vk.write_bytes(other)
        self.refused([vk.name, "not the key of"], check=False)
        vk.write_bytes(good[:-96])
        self.refused([vk.name, "bytes"], check=False)
        vk.unlink()
        self.good(*WINDOW.prove(self.dir / "p", params=self.dir))

    def test_a_default_folder_that_others_may_write_to(self):
        """A warning for the folder of the environment, none for one that --params names."""
        self.good(*WINDOW.prove(self.dir / "p", params=self.dir))
        env = {**os.environ, "FIL_PROOFS_PARAMETER_CACHE": str(self.dir)}
        words = WINDOW.verify(self.dir / "p", params=self.dir)
        at = words.index("--params")
        bare = words[:at] + words[at + 2:]
        for mode, who in ((0o755, None), (0o775, "its group"), (0o757, "all users")):
            self.dir.chmod(mode)
            code, _, err = run(*bare, env=env)
            self.assertEqual(code, 0, err)
            if who is None:
                self.assertEqual(err, "")
            else:
                self.assertIn(f"warning: parameters: {self.dir} may be written to by {who}", err)
            self.assertEqual(run(*words)[2], "")

    def test_good_files_check(self):
        self.good("params", "check", self.path)
        self.good("params", "check", self.dir / name_of(WINDOW, ".vk"))

    def test_cut_or_longer(self):
        cuts = [0, 3, 4, 95, KEY_BYTES - 1, KEY_BYTES + 2, len(self.data) - 1]
        cuts += [first + 500 for _, first, _ in self.layout.values()]
        for cut in cuts:
            self.refused([self.path.name, "bytes"], self.data[:cut])
        self.refused([self.path.name, "bytes"], self.data + b"\0")

    def test_lying_counts(self):
        for name, (at, _, n) in self.layout.items():
            for lie in (0, n - 1, n + 1, 0x7FFFFFFF, 0xFFFFFFFF):
                data = self.data[:at] + struct.pack(">I", lie) + self.data[at + 4:]
                self.refused(self.path.name, data)

    def test_a_point_off_the_curve_in_each_section(self):
        sizes = dict(SECTIONS)
        for name, (_, first, n) in self.layout.items():
            for index in {0, n - 1}:
                at = first + index * sizes[name] + sizes[name] - 1
                data = bytearray(self.data)
                data[at] ^= 1
                self.path.write_bytes(bytes(data))
                self.bad(2, [self.path.name, name, str(index)], "params", "check", self.path)
        for at in range(47, KEY_BYTES, 48):
            data = bytearray(self.data)
            data[at] ^= 1
            self.refused(self.path.name, bytes(data))

    def test_a_point_outside_the_subgroup(self):
        # (0, 2) is on y^2 = x^3 + 4 and has order 3.
        at = self.layout["h"][1] + 5 * G1
        point = bytes(48) + bytes(47) + b"\x02"
        self.path.write_bytes(self.data[:at] + point + self.data[at + G1:])
        self.bad(2, ["h", "5"], "params", "check", self.path)

    def test_flags_and_infinity(self):
        for flag in (0x80, 0x40, 0x20):
            at = self.layout["l"][1] + 3 * G1
            data = bytearray(self.data)
            data[at] |= flag
            self.path.write_bytes(bytes(data))
            self.bad(2, ["l", "3"], "params", "check", self.path)

    def test_a_damaged_query_never_gives_a_proof(self):
        # Points of queries are not all checked at each proof: the proof's own check is the net.
        data = bytearray(self.data)
        data[self.layout["l"][1] + 7 * G1 + 95] ^= 1
        self.path.write_bytes(bytes(data))
        self.bad(3, "check", *WINDOW.prove(self.dir / "p", params=self.dir))
        self.assertFalse((self.dir / "p").exists())

    def test_another_circuit_s_parameters(self):
        shutil.copy(PARAMS / name_of(WINNING), self.path)
        self.refused(self.path.name, check=False)
        vk = self.dir / name_of(WINDOW, ".vk")
        shutil.copy(PARAMS / name_of(WINNING, ".vk"), vk)
        self.bad(2, vk.name, *WINDOW.verify(self.file("p", bytes(384)), params=self.dir))

    def test_missing_says_where_it_looked_and_why_there(self):
        none = self.dir / "none"
        args = WINDOW.prove(self.dir / "p", params=none)
        self.bad(2, [str(none / name_of(WINDOW)), "--params"], *args)
        self.assertFalse(none.exists())
        at = args.index("--params")
        bare = args[:at] + args[at + 2:]
        env = {"FIL_PROOFS_PARAMETER_CACHE": str(none)}
        self.bad(2, [str(none), "FIL_PROOFS_PARAMETER_CACHE"], *bare, env=env)
        env = {"FIL_PROOFS_PARAMETER_CACHE": ""}
        self.bad(2, ["/var/tmp/filecoin-proof-parameters", "default"], *bare, env=env)

    def test_what_stands_in_the_file_s_place(self):
        self.path.unlink()
        self.path.mkdir()
        self.refused("folder")
        self.path.rmdir()
        self.path.symlink_to("nowhere")
        self.refused("symbolic link")
        self.path.unlink()
        spaced = self.dir / "a folder"
        spaced.mkdir()
        (spaced / self.path.name).write_bytes(self.data)
        self.good(*WINDOW.prove(self.dir / "p", params=spaced))
        self.good(*WINDOW.prove(self.dir / "q", params=os.path.relpath(spaced)))

    def test_check_wants_a_parameter_file(self):
        self.bad(2, "no such file", "params", "check", self.dir / "none.params")
        self.bad(2, "bytes", "params", "check", self.file("x.params", b"hello"))
        self.bad(2, "bytes", "params", "check", self.file("y.vk", self.data))
        out = self.good("params", "check", self.file("x.bin", self.data), "--json")
        self.assertTrue(json.loads(out)["good"])


main()
