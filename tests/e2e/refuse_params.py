# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parameter files that are missing, damaged or of another circuit."""
import json
import os
import shutil
import signal
import struct
import subprocess
import time

from harness import CUZK, PARAMS, Case, Post, main, run

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
                self.assertNotIn("warning", err)
            else:
                self.assertIn(f"warning: parameters: {self.dir} may be written to by {who}", err)
            self.assertNotIn("warning", run(*words)[2])

    def test_the_key_that_was_used(self):
        """Named, with whether it is the public network's; --require-public insists."""
        vk = self.dir / name_of(WINDOW, ".vk")
        self.good(*WINDOW.prove(self.dir / "p", params=self.dir))
        words = WINDOW.verify(self.dir / "p", params=self.dir)
        code, out, err = run(*words)
        self.assertEqual((code, out), (0, b"valid\n"))
        self.assertIn(f"by {vk}, not the public network's key", err)
        self.assertEqual(json.loads(self.good(*words, "--json")),
                         {"valid": True, "key": str(vk), "key_is_public": False})
        self.bad(2, ["--require-public", str(vk), "not the public network's"], *words,
                 "--require-public")
        proof = bytearray((self.dir / "p").read_bytes())
        (self.dir / "p").write_bytes(proof[192:] + proof[:192])
        code, out, _ = run(*words, "--json")
        self.assertEqual((code, json.loads(out)["valid"]), (1, False))

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

    # Points of queries are not all checked at each proof: the proof's own check is the net.

    def never_proves(self, code, words, data):
        self.path.write_bytes(data)
        self.bad(code, words, *WINDOW.prove(self.dir / "p", params=self.dir))
        self.assertFalse((self.dir / "p").exists())

    def changed(self, section, index, point):
        """The file with point(old bytes) in place of a point."""
        size = dict(SECTIONS)[section]
        at = self.layout[section][1] + index * size
        return self.data[:at] + point(self.data[at:at + size]) + self.data[at + size:]

    def test_a_damaged_query_never_gives_a_proof(self):
        damages = {"a bit": lambda p: p[:-1] + bytes([p[-1] ^ 1]),
                   "no bytes": lambda p: bytes(len(p)),
                   "a flag": lambda p: bytes([p[0] | 0x40]) + p[1:],
                   "too large": lambda p: b"\x1f" + b"\xff" * (len(p) - 1)}
        for section, name in (("h", "a bit"), ("l", "no bytes"), ("a", "a flag"),
                              ("b_g1", "too large"), ("b_g2", "a bit")):
            data = self.changed(section, 7, damages[name])
            self.never_proves(2, [f"run cuzk params check {self.path}", f"{section}: point 7"],
                              data)
            self.bad(2, [section, "7"], "params", "check", self.path)
        order_3 = bytes(48) + bytes(47) + b"\x02"  # (0, 2), on the curve
        self.never_proves(2, ["cuzk params check", "a: point 3"],
                          self.changed("a", 3, lambda p: order_3))

    def test_wrong_points_that_are_good_ones_are_no_damage(self):
        other = self.data[self.layout["l"][1] + 8 * G1:][:G1]
        self.never_proves(3, ["failed its own check", self.path.name],
                          self.changed("l", 7, lambda p: other))
        self.good("params", "check", self.path)

    def test_a_long_path_does_not_hide_what_to_do(self):
        deep = self.dir / ("d" * 100) / ("e" * 100)
        deep.mkdir(parents=True)
        (deep / self.path.name).write_bytes(self.changed("l", 7, lambda p: bytes(G1)))
        self.bad(2, f"run cuzk params check {deep / self.path.name}",
                 *WINDOW.prove("-", params=deep))

    def test_the_check_of_the_points_is_stopped_by_a_signal(self):
        self.path.write_bytes(self.changed("b_g2", 7, lambda p: bytes(G2)))
        command = [CUZK, *map(str, WINDOW.prove(self.dir / "p", params=self.dir,
                                                extra=["--threads", 1]))]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn(b"is checked", process.stderr.readline())
        process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        err = process.communicate(timeout=60)[1]
        self.assertEqual((process.returncode, err), (3, b"cuzk prove: cancelled\n"))
        self.assertLess(time.monotonic() - start, 2)
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

    def test_what_a_file_is_tells_its_content(self):
        key = (self.dir / name_of(WINDOW, ".vk")).read_bytes()
        for name in ("y.vk", "x.bin", "x.params", "x"):
            told = json.loads(self.good("params", "check", self.file(name, self.data), "--json"))
            self.assertTrue(told["good"])
            self.assertIn("h", told)
            told = json.loads(self.good("params", "check", self.file(name, key), "--json"))
            self.assertTrue(told["good"])
            self.assertNotIn("h", told)
            self.bad(2, [name, "bytes"], "params", "check", self.file(name, key[:-1]))
            self.bad(2, [name, "h"], "params", "check", self.file(name, key + b"\0"))
            self.bad(2, [name, "b_g2"], "params", "check", self.file(name, self.data[:-1]))

    def test_what_a_download_leaves_in_its_place(self):
        import gzip
        for content, words in ((b"", "is empty"), (gzip.compress(self.data[:1000]), "gzip"),
                               (b"<!DOCTYPE html><html>404</html>" * 99, "HTML"),
                               (b"\n<?xml version='1.0'?><Error/>" * 99, "XML"),
                               (b'{"error": "not found"}', "is JSON"),
                               (b'{"Message": "%s"}\n' % (b"denied " * 200), "is JSON"),
                               (self.data[:2000].hex().encode(), "hex digits"),
                               (b"\xef\xbb\xbfhello", "byte order mark")):
            for name in ("x.params", "x.vk"):
                path = self.file(name, content)
                self.bad(2, [str(path), words], "params", "check", path)


main()
