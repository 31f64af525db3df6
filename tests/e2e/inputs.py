# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What inputs are called, what else than an input a file can be, how long and how dense it may be,
and how its text is printed. No parameters are needed."""
import base64
import copy
import gzip
import json

from harness import GOLDEN, Case, Porep, Post, Update, golden, main

POREP, UPDATE = Porep("porep-2KiB-0"), Update("update-2KiB")
WINDOW, WINNING, OLDER = Post("window-2KiB"), Post("winning-2KiB"), Post("window-v1-2KiB")
WRAPPER = golden("porep-2KiB-0", "c1.json")
INNER = json.loads(base64.b64decode(WRAPPER["Phase1Out"]))
SHAPE, = INNER["vanilla_proofs"]
MIB = 1 << 20


class Inputs(Case):
    def setUp(self):
        super().setUp()
        self.none = self.dir / "none"

    def commands(self, path, **kw):
        """Each kind's prove of this file."""
        return [POREP.prove(self.dir / "p", c1=path, params=self.none, **kw),
                *(case.prove(self.dir / "p", vanilla=path, params=self.none, **kw)
                  for case in (UPDATE, WINDOW, WINNING))]

    def prove_c1(self, content, **kw):
        return POREP.prove(self.dir / "p", c1=self.file("c1.json", content), params=self.none, **kw)


class Content(Inputs):
    def test_what_else_a_file_can_be(self):
        good = json.dumps(WRAPPER).encode()
        for content, words in ((b"", "is empty"), (b" \n", "white space alone"),
                               (b"\xef\xbb\xbf" + good, "byte order mark"),
                               (good.decode().encode("utf-16"), "UTF-16"),
                               (gzip.compress(good), "gzip"),
                               (b"\x28\xb5\x2f\xfd123", "compressed"),
                               (b"<!doctype html><p>502 Bad Gateway", "HTML"),
                               (b"<?xml version='1.0'?><x/>", "XML"),
                               (good.hex().encode(), "is hex digits; expected JSON"),
                               (b"0x" + good.hex().encode(), "after 0x"),
                               (base64.b64encode(good), "is base64; expected JSON"),
                               (good[:-100], "does not end with its partner")):
            path = self.file("some file.json", content)
            for command in self.commands(path):
                self.bad(2, [str(path), words], *command)

    def test_hex_in_place_of_base64(self):
        for case in (WINDOW, WINNING, UPDATE):
            raw = [base64.b64decode(v) for v in case.vanilla]
            for prefix in ("", "0x"):
                items = [prefix + r.hex() for r in raw]
                path = self.file("hex.json", items)
                self.bad(2, [f"{path}[0]: ", "hex digits, expected base64"],
                         *case.prove(self.dir / "p", vanilla=path, params=self.none))
        for text in (json.dumps(INNER).encode().hex(), "0x" + json.dumps(INNER).encode().hex()):
            for more in range(0, 8, 2):
                self.bad(2, ["c1.json", "Phase1Out", "hex digits, expected base64"],
                         *self.prove_c1({**WRAPPER, "Phase1Out": text + "0" * more}))

    def test_digits_in_place_of_numbers(self):
        for name in ("comm_r", "comm_d", "seed", "ticket", "replica_id"):
            value = bytes(INNER[name])
            for text, words in ((value.hex(), "hex digits"), ("0x" + value.hex(), "after 0x"),
                                (base64.b64encode(value).decode(), "base64")):
                self.bad(2, [name, words, "array of 32 numbers"],
                         *self.prove_c1({**INNER, name: text}))

    def test_other_spellings_of_options(self):
        randomness = base64.b64encode(bytes.fromhex(WINDOW.case["randomness"])).decode()
        self.bad(2, ["--randomness", "44 characters of base64", "64 hex digits"],
                 *WINDOW.prove(self.dir / "p", params=self.none, randomness=randomness))
        for name in ("comm_r_old", "comm_r_new", "comm_d_new"):
            text = base64.b64encode(bytes.fromhex(UPDATE.case[name])).decode()
            self.bad(2, ["--" + name.replace("_", "-"), "base64", "64 hex digits"],
                     *UPDATE.prove(self.dir / "p", params=self.none, **{name: text}))

    def test_other_forms_of_a_proof(self):
        raw = bytes.fromhex((GOLDEN / "window-2KiB/proof.hex").read_text())
        for content, hexed, words in (
                (raw, True, "raw bytes, expected hex digits"),
                (raw.hex().encode(), False, "is hex digits"),
                (b"0x" + raw.hex().encode(), False, "after 0x"),
                (b"0x" + raw.hex().encode(), True, "after 0x"),
                (base64.b64encode(raw), False, "is base64"),
                (base64.b64encode(raw), True, "base64"),
                (b"", False, "is empty"), (b"", True, "is empty"),
                (gzip.compress(raw), False, "gzip"), (gzip.compress(raw), True, "gzip"),
                (b'{"proof": ""}', False, "is JSON"), (b"<html>", True, "HTML"),
                (raw[:-1], False, "383 bytes, expected 384"),
                (raw.hex().encode()[:-1], True, "even number"),
                (raw.hex().encode()[:-1] + b"g", True, "'g' at 767 is not a hex digit")):
            path = self.file("proof.bin", content)
            self.bad(2, [str(path), words],
                     *WINDOW.verify(path, params=self.none, extra=["--hex"] if hexed else []))


class Names(Inputs):
    def test_an_input_is_called_what_its_user_called_it(self):
        bad = copy.deepcopy(WRAPPER)
        bad["SectorNum"] = "7"
        for name in ("c1.json", "a b.txt", "sub/f01000-7"):
            (self.dir / "sub").mkdir(exist_ok=True)
            path = self.file(name, bad)
            self.bad(2, f"cuzk prove: {path}: SectorNum: found a string", *POREP.prove(
                self.dir / "p", c1=path, params=self.none))
        self.bad(2, "cuzk prove: standard input: SectorNum: found a string",
                 *POREP.prove(self.dir / "p", c1="-", params=self.none),
                 stdin=json.dumps(bad).encode())
        for case in (WINDOW, WINNING):
            blob = bytearray(base64.b64decode(case.vanilla[0]))
            blob[-100] ^= 1
            path = self.file("posted.json", [base64.b64encode(blob).decode(), *case.vanilla[1:]])
            self.bad(2, f"cuzk prove: {path}: sector 100",
                     *case.prove(self.dir / "p", vanilla=path, params=self.none))
        path = self.file("up.json", [UPDATE.vanilla[0][:-8]])
        self.bad(2, f"cuzk prove: {path}: ",
                 *UPDATE.prove(self.dir / "p", vanilla=path, params=self.none))

    def test_both_miners_and_both_sectors(self):
        for miner in (1001, 0, 2**63, "f01234"):
            self.bad(2, ["c1.json", "that of miner 1000", f"not of miner {str(miner).lstrip('f')}"
                         .replace("01234", "1234")], *self.prove_c1(INNER, miner_id=miner))
        for number in (99, 101, 2**64 - 1):
            self.bad(2, ["c1.json", "that of sector 100", f"not of sector {number}"],
                     *self.prove_c1(INNER, sector_number=number))
        self.bad(2, ["c1.json", "miner 1001", "sector 101", "more than one"],
                 *self.prove_c1(INNER, sector_number=101, miner_id=1001))
        self.bad(2, ["sector_number: 100", "SectorNum is 101"],
                 *self.prove_c1({**WRAPPER, "SectorNum": 101}))
        self.bad(2, ["made as StackedDrg2KiBV1_1", "registered_proof is StackedDrg2KiBV1"],
                 *self.prove_c1({**INNER, "registered_proof": "StackedDrg2KiBV1"}))

    def test_the_seed_whose_challenges_do_not_fit(self):
        for seed in ([7] * 32, list(range(1, 33))):
            self.bad(2, ["challenge 0", bytes(seed).hex(), "another seed"],
                     *self.prove_c1({**INNER, "seed": seed}))

    def test_sizes_by_their_names(self):
        for size, name in ((8 * MIB, "8MiB"), (1 << 35, "32GiB"), (4096, "4KiB")):
            self.bad(2, ["SectorSize", name], *self.prove_c1({**WRAPPER, "SectorSize": size}))

    def test_usual_causes_are_listed(self):
        self.bad(2, ["asks for leaf", "other randomness", "top bits", "V1 against V1_1"],
                 *OLDER.prove(self.dir / "p", params=self.none, registered_proof=10))
        line = self.bad(2, ["asks for leaf", "other randomness", "top bits"],
                        *WINNING.prove(self.dir / "p", params=self.none, randomness="07" * 32
                                       if WINNING.case["randomness"] != "07" * 32 else "08" * 32))
        self.assertNotIn("V1", line)
        case = UPDATE.case
        self.bad(2, ["comm_r_old", "exchanged"],
                 *UPDATE.prove(self.dir / "p", params=self.none, comm_r_old=case["comm_r_new"],
                               comm_r_new=case["comm_r_old"]))


class Shown(Inputs):
    HOSTILE = "x\x1b]0;t\x07\u009b2J\u202egnp\u2066\u200b\u2028"
    SHOWN = "x\\u001b]0;t\\u0007\\u009b2J\\u202egnp\\u2066\\u200b\\u2028"

    def test_text_from_outside_is_spelled_out(self):
        inner = copy.deepcopy(INNER)
        inner["vanilla_proofs"] = {self.HOSTILE: inner["vanilla_proofs"][SHAPE]}
        path = self.file("c1" + self.HOSTILE + ".json", WRAPPER)
        commands = [
            self.prove_c1(inner), self.prove_c1({**INNER, "registered_proof": self.HOSTILE}),
            POREP.prove(self.dir / "p", c1=path, params=self.none, miner_id=7),
            POREP.prove(self.dir / "p", c1=self.dir / self.HOSTILE, params=self.none),
            POREP.prove(self.dir / "p", params=self.dir / self.HOSTILE),
            POREP.prove(self.dir / self.HOSTILE / "p", params=self.none),
            POREP.prove(self.dir / "p", params=self.none, miner_id=self.HOSTILE),
            ["params", "check", self.dir / self.HOSTILE], [self.HOSTILE],
            ["prove", self.HOSTILE], ["prove", "window", "--" + self.HOSTILE],
            WINDOW.verify(self.dir / self.HOSTILE, params=self.none)]
        for command in commands:
            line = self.bad(2, self.SHOWN, *command)
            self.assertTrue(line.isprintable(), repr(line))
        self.bad(2, self.SHOWN, "version", env={"CUZK_KERNELS": self.HOSTILE})

    def test_what_is_no_text(self):
        text = json.dumps(WRAPPER).encode().replace(b'"SectorNum": 100', b'"SectorNum": 1\x9b2J')
        self.bad(2, "not of UTF-8 text", *self.prove_c1(text))

    def test_a_second_set_and_zero_bytes(self):
        sets = INNER["vanilla_proofs"]
        for extra in ("StackedDrg8MiBV1", "", "x"):
            for first in (True, False):
                more = {extra: [], **sets} if first else {**sets, extra: []}
                self.bad(2, "a second set of vanilla proofs",
                         *self.prove_c1({**INNER, "vanilla_proofs": more}))
        for name in ("\0", SHAPE + "\0", "\0" + SHAPE, SHAPE + "\0x"):
            self.bad(2, ["\\u0000", "a zero byte in a name"],
                     *self.prove_c1({**INNER, "vanilla_proofs": {name: sets[SHAPE]}}))
        for bad in ({**INNER, "comm_r\0": 1}, {**WRAPPER, "\0": 1}):
            self.bad(2, "a zero byte in a name", *self.prove_c1(bad))
        self.bad(2, "a zero byte",
                 *self.prove_c1({**INNER, "registered_proof": "StackedDrg2KiBV1_1\0"}))


class Length(Inputs):
    def test_longer_than_the_longest(self):
        for length in (900 * MIB, 3 << 30, 1 << 40):
            path = self.file("long.json", b"{")
            with path.open("r+b") as file:
                file.truncate(length)
            for command in self.commands(path):
                self.bad(2, [str(path), f"({length} bytes), longer than", "MiB",
                             "the longest input for"], *command)
        path = self.file("long.json", b" " * (2 * MIB))
        self.bad(2, ["2MiB (2097152 bytes), longer than 1.2MiB", "winning"],
                 *WINNING.prove(self.dir / "p", vanilla=path, params=self.none))
        self.bad(2, "--vanilla: standard input: longer than 1.2MiB",
                 *WINNING.prove(self.dir / "p", vanilla="-", params=self.none),
                 stdin=b" " * (2 * MIB))


main()
