# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PoRep and update inputs that must be refused, and the spellings that must not. No parameters are
needed: an input is checked before they are opened, so a good one ends in "no such file"."""
import base64
import copy
import json
import random
import struct

from harness import GOLDEN, R, Case, Porep, Update, golden, main

POREP, UPDATE = Porep("porep-2KiB-0"), Update("update-2KiB")
WRAPPER = golden("porep-2KiB-0", "c1.json")
TEXT = base64.b64decode(WRAPPER["Phase1Out"]).decode()
INNER = json.loads(TEXT)
OVER = list(R.to_bytes(32, "little"))


def wrapped(inner, **changes):
    text = inner if isinstance(inner, bytes) else json.dumps(inner).encode()
    return {**WRAPPER, "Phase1Out": base64.b64encode(text).decode(), **changes}


def reordered(value):
    if isinstance(value, dict):
        return {k: reordered(value[k]) for k in reversed(value)}
    return [reordered(v) for v in value] if isinstance(value, list) else value


class Inputs(Case):
    def setUp(self):
        super().setUp()
        self.none = self.dir / "none"
        self.n = 0

    def c1(self, content):
        self.n += 1
        return self.file(f"c1-{self.n}.json", content)

    def refused(self, words, content, **changes):
        return self.bad(2, words, *POREP.prove(self.dir / "p", c1=self.c1(content),
                                               params=self.none, **changes))

    def taken(self, content, **changes):
        self.refused([str(self.none), "no such file"], content, **changes)

    def changed(self, path, value):
        """INNER with one member, given by its path, replaced (or changed by a function)."""
        inner = copy.deepcopy(INNER)
        at = inner
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value(at[path[-1]]) if callable(value) else value
        return inner


class Wrapper(Inputs):
    def test_both_forms_are_taken(self):
        self.taken(WRAPPER)
        self.taken(INNER)
        self.taken({**WRAPPER, "Extra": [1, {"a": None}]})
        self.taken({**INNER, "extra": "x"})

    def test_other_spellings_of_the_same(self):
        self.taken(reordered(INNER))
        self.taken(wrapped(reordered(INNER)))
        self.taken(json.dumps(INNER, indent=3))
        self.taken(json.dumps(INNER, separators=(" , ", "  : ")))
        escaped = json.dumps(WRAPPER).replace("Phase1Out", "\\u0050hase1Out")
        self.taken(escaped)

    def test_spellings_give_the_same_witness(self):
        want = json.loads(self.good(*POREP.witness()))
        for content in (INNER, reordered(INNER), json.dumps(INNER, indent=1)):
            got = json.loads(self.good(*POREP.witness(c1=self.c1(content))))
            self.assertEqual(got, want)
        self.assertEqual(want, golden("porep-2KiB-0", "witness.json"))

    def test_damaged_base64(self):
        good = WRAPPER["Phase1Out"]
        for bad in ("", "*" + good[1:], good[:-4] + "\n" + good[-4:], good.rstrip("=") + "A",
                    good.replace("I", "-", 1), good[: len(good) // 8 * 4], good[:100]):
            self.refused("Phase1Out", {**WRAPPER, "Phase1Out": bad})
        self.refused("Phase1Out", {k: v for k, v in WRAPPER.items() if k != "Phase1Out"})
        self.refused("Phase1Out", {**WRAPPER, "Phase1Out": 7})
        self.refused("", wrapped(TEXT[: len(TEXT) // 2].encode()))

    def test_not_json(self):
        for text in (b"", b"{", b"[]", b"null", b"7", b"\0" * 70, TEXT[:5000].encode(),
                     TEXT.encode() + b"}", b"\xff" + TEXT.encode()):
            self.refused("c1", text)

    def test_keys_given_twice(self):
        twice = '{"SectorNum": 100, ' + json.dumps(WRAPPER)[1:]
        self.refused("SectorNum", twice)
        self.refused("comm_r", TEXT.replace('"comm_r":', '"comm_r": [], "comm_r":', 1))

    def test_numbers_as_they_are(self):
        for bad in ('"100"', "-1", "1.5", "1e2", "100.0", "18446744073709551616", "null"):
            text = json.dumps(WRAPPER).replace('"SectorNum": 100', f'"SectorNum": {bad}')
            self.refused("SectorNum", text)
        for good in (0, 2**53 + 1, 2**63, 2**64 - 1):
            line = self.refused("replica", wrapped(INNER, SectorNum=good), sector_number=good)
            self.assertNotIn("e+", line)
        self.refused(["SectorNum", "101"], wrapped(INNER, SectorNum=101))
        self.refused("SectorSize", wrapped(INNER, SectorSize=4096))
        self.refused("SectorSize", wrapped(INNER, SectorSize=8 << 20))

    def test_bytes_as_they_are(self):
        first = INNER["comm_r"][0]
        for bad in (f"{first}.0", "256", "-1", "1e2", f'"{first}"', "null", "[]"):
            text = TEXT.replace(f'"comm_r":[{first},', f'"comm_r":[{bad},', 1)
            self.assertNotEqual(text, TEXT)
            self.refused("comm_r", text)


class Seal(Inputs):
    def test_who_it_is_for(self):
        self.refused("replica", WRAPPER, miner_id=1001)
        self.refused(["sector", "101"], INNER, sector_number=101)
        self.taken(WRAPPER, registered_proof=5)
        self.taken(WRAPPER, sector_size="2KiB", registered_proof="StackedDrg2KiBV1_1")
        self.refused("", WRAPPER, registered_proof=0)
        self.refused("8MiB", WRAPPER, sector_size="8MiB")
        self.refused("2KiB", WRAPPER, sector_size="8MiB", registered_proof=5)

    def test_commitments(self):
        for name in ("comm_r", "comm_d", "seed"):
            self.refused(name, self.changed([name], [0] * 32))
        for name in ("comm_r", "comm_d", "replica_id"):
            self.refused(name, self.changed([name], OVER))
            self.refused(name, self.changed([name], [255] * 32))
        for name in ("comm_r", "comm_d", "replica_id", "seed", "ticket"):
            self.refused(name, self.changed([name], lambda v: v[:31]))
            self.refused(name, self.changed([name], lambda v: v + [0]))
        for name in ("comm_r", "comm_d", "ticket", "replica_id"):
            self.refused("", self.changed([name, 5], lambda v: v ^ 1))

    def test_names_of_registered_proofs(self):
        # the chain's spelling is known: it is the size, not the name, that does not fit
        self.refused(["StackedDrg8MiBV1_2_Feat_NonInteractivePoRep", "do not agree"],
                     self.changed(["registered_proof"], "StackedDrg8MiBV1_2_Feat_NiPoRep"))
        ni = Porep("porep-ni-2KiB")
        text = json.loads(ni.c1_file.read_text())
        inner = json.loads(base64.b64decode(text["Phase1Out"]))
        inner["registered_proof"] = "StackedDrg2KiBV1_2_Feat_NiPoRep"
        self.bad(2, [str(self.none), "no such file"],
                 *ni.prove(self.dir / "p", params=self.none, c1=self.c1(
                     {**text, "Phase1Out": base64.b64encode(json.dumps(inner).encode()).decode()})))
        for name in ("StackedDrg2KiBV1_2", "StackedDrg2KiBV1_2_Feat_NIPoRep", "", "5"):
            line = self.refused("registered_proof: ", self.changed(["registered_proof"], name))
            for end in ("V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep",
                        "V1_2_Feat_NiPoRep"):
                for size in ("2KiB", "8MiB", "512MiB", "32GiB", "64GiB"):
                    self.assertRegex(line, f"[( ]StackedDrg{size}{end}[,)]")

    def test_registered_proof_and_shape_must_agree(self):
        self.refused("", self.changed(["registered_proof"], "StackedDrg8MiBV1_1"))
        self.refused("", self.changed(["registered_proof"], "StackedDrg2KiBV2"))
        self.refused("", self.changed(["registered_proof"], "StackedDrg2KiBV1"))
        key, = INNER["vanilla_proofs"]
        inner = copy.deepcopy(INNER)
        inner["vanilla_proofs"] = {"StackedDrg32GiBV1": INNER["vanilla_proofs"][key]}
        self.refused("vanilla_proofs", inner)
        inner["vanilla_proofs"] = {}
        self.refused("vanilla_proofs", inner)

    def test_partitions_and_challenges(self):
        key, = INNER["vanilla_proofs"]
        path = ["vanilla_proofs", key]
        for change in (lambda v: [], lambda v: v + v, lambda v: [v[0][:-1]], lambda v: [v[0] * 2],
                       lambda v: [[]], lambda v: [v[0][::-1]], lambda v: [[v[0][0], v[0][0]]]):
            self.refused("", self.changed(path, change))

    def test_each_changed_byte(self):
        rng = random.Random(2)
        key, = INNER["vanilla_proofs"]
        places = []

        def walk(value, path):
            if isinstance(value, list) and len(value) == 32 and isinstance(value[0], int):
                places.append(path)
            elif isinstance(value, (list, dict)):
                for k in value if isinstance(value, dict) else range(len(value)):
                    walk(value[k], path + [k])

        walk(INNER["vanilla_proofs"], ["vanilla_proofs"])
        self.assertGreater(len(places), 300)
        for path in rng.sample(places, 80):
            at = rng.randrange(32)
            self.refused("", self.changed(path + [at], lambda v: v ^ 1 << rng.randrange(8)))


class Updates(Inputs):
    def refused(self, words, vanilla=None, **changes):
        path = None if vanilla is None else self.file("v.json", vanilla)
        return self.bad(2, words, *UPDATE.prove(self.dir / "p", vanilla=path, params=self.none,
                                                **changes))

    def test_good_ones_are_taken(self):
        self.refused("no such file")
        big = Update("update-8MiB")
        self.bad(2, "no such file", *big.prove(self.dir / "p", params=self.none))

    def test_commitments(self):
        case = UPDATE.case
        self.refused("", comm_r_old=case["comm_r_new"], comm_r_new=case["comm_r_old"])
        other = Update("update-8MiB").case
        for name in ("comm_r_old", "comm_r_new", "comm_d_new"):
            option = "--" + name.replace("_", "-")
            self.refused("", **{name: other[name]})
            for bad in ("", "00" * 31, "00" * 33, "00" * 36, "00" * 39, "00" * 64, "00" * 32,
                        "zz" * 32, bytes(OVER).hex(), "ff" * 32, case[name][:-1]):
                self.refused(option, **{name: bad})
        self.refused("no such file", comm_r_old="0x" + case["comm_r_old"])

    def test_cids(self):
        def cid(kind, digest):
            codec, hashing = {"sealed": (b"\x82\xe2\x03", b"\x81\xe8\x02"),
                              "unsealed": (b"\x81\xe2\x03", b"\x92\x20")}[kind]
            raw = b"\x01" + codec + hashing + b"\x20" + bytes.fromhex(digest)
            return "b" + base64.b32encode(raw).decode().lower().rstrip("=")

        case = UPDATE.case
        sealed = {n: cid("sealed", case[n]) for n in ("comm_r_old", "comm_r_new")}
        unsealed = {"comm_d_new": cid("unsealed", case["comm_d_new"])}
        self.assertTrue(sealed["comm_r_old"].startswith("bagboea4b5abc"))
        self.assertTrue(unsealed["comm_d_new"].startswith("baga6ea4sea"))
        self.refused("no such file", **sealed, **unsealed)
        self.refused("--comm-r-old", comm_r_old=cid("unsealed", case["comm_r_old"]))
        self.refused("--comm-d-new", comm_d_new=cid("sealed", case["comm_d_new"]))
        self.refused("--comm-d-new", comm_d_new=unsealed["comm_d_new"][:-1])

    def test_vanilla(self):
        blob = base64.b64decode(UPDATE.vanilla[0])
        b64 = lambda b: base64.b64encode(b).decode()
        for bad in ([], [b64(blob)] * 2, [b64(blob[:-1])], [b64(blob + b"\0")], [b64(blob[:40])]):
            self.refused("", bad)
        self.refused("", json.dumps(Update("update-8MiB").vanilla))
        big = Update("update-8MiB")
        for bad in (big.vanilla[:3], big.vanilla[::-1], big.vanilla[:3] + big.vanilla[:1]):
            path = self.file("v.json", bad)
            self.bad(2, "", *big.prove(self.dir / "p", vanilla=path, params=self.none))
        rng = random.Random(3)
        for _ in range(60):
            changed = bytearray(blob)
            changed[rng.randrange(len(blob))] ^= 1 << rng.randrange(8)
            self.refused("", [b64(changed)])
        for at in range(0, 400, 8):
            self.refused("", [b64(blob[:at] + struct.pack("<Q", 2**63) + blob[at + 8:])])

    def test_options_of_other_kinds(self):
        self.refused("--miner-id", miner_id=1000)
        self.bad(2, "--vanilla", *POREP.prove(self.dir / "p", vanilla=UPDATE.vanilla_file))
        self.bad(2, "--seed", *UPDATE.verify(GOLDEN / "update-2KiB/proof.hex", seed="00" * 32))


main()
