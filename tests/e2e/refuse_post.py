# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PoSt inputs that must be refused, with exit code 2 and a line that names what is wrong."""
import base64
import json
import random
import struct

from harness import BENCH, PARAMS, R, Case, Post, main, run

WINNING, WINDOW = Post("winning-2KiB"), Post("window-2KiB")


def decoded(post):
    return [base64.b64decode(v) for v in post.vanilla]


def encoded(blobs):
    return [base64.b64encode(b).decode() for b in blobs]


def flipped(blob, at):
    changed = bytearray(blob)
    changed[at] ^= 1
    return bytes(changed)


# A vanilla proof with a fault, and how it is named: a path, the commitment, the form.
DAMAGES = [lambda b: (flipped(b, 56 + 4 + 64 + 16), "challenge 0: its path does not lead to"
                      " comm_r_last"),
           lambda b: (flipped(b, -64), "comm_r is not the hash of comm_c and comm_r_last"),
           lambda b: (b[:-1], f"{len(b) - 1} bytes, expected {len(b)}")]


class Refuse(Case):
    def refused(self, post, words, vanilla=None, **changes):
        path = None if vanilla is None else self.file("vanilla.json", vanilla)
        args = post.prove(self.dir / "proof", vanilla=path, **changes)
        line = self.bad(2, words, *args)
        self.assertFalse((self.dir / "proof").exists())
        return line

    def test_good_input_is_not_refused(self):
        self.good(*WINDOW.prove(self.dir / "p", vanilla=self.file("v", encoded(decoded(WINDOW)))))

    def test_the_list_itself(self):
        good = json.dumps(WINDOW.vanilla)
        first = WINDOW.vanilla[0]
        for text in ("", "[", good[:-2], good[:200], good + "x", "[]", "{}", "null", "7", "[1]",
                     "[null]", "[[]]", '[""]', '["*"]', '["AAA"]', '["AAAA=="]',
                     json.dumps([first.replace("+", "-").replace("/", "_") + "-"]),
                     json.dumps([first.rstrip("=") + "A"]),
                     json.dumps([first[:76] + "\n" + first[76:]]),
                     "\xff\xfe", "\x00" * 64):
            self.refused(WINDOW, "vanilla", text.encode("latin1"))

    def test_lengths(self):
        blobs = decoded(WINNING)
        for cut in (0, 1, 7, 8, 39, 40, 100, 5000, len(blobs[0]) - 1):
            self.refused(WINNING, "vanilla", encoded([blobs[0][:cut]]) if cut else [""])
        self.refused(WINNING, "vanilla", encoded([blobs[0] + b"\0"]))
        self.refused(WINNING, "vanilla", encoded([blobs[0] + blobs[0]]))

    def test_how_many_sectors(self):
        blob = decoded(WINNING)[0]
        self.refused(WINNING, ["1", "2"], encoded([blob, blob]))
        blobs = decoded(WINDOW)
        self.refused(WINDOW, "rise", encoded([blobs[0], blobs[0]]))
        self.refused(WINDOW, "rise", encoded(blobs[::-1]))
        self.refused(WINDOW, "rise", encoded([blobs[1], blobs[0], blobs[2]]))

    def test_fewer_sectors_are_another_statement(self):
        # By the older rules challenges depend on a sector's place among all; the newer ones take
        # each sector for itself, and what is left is a proof of fewer sectors.
        older = Post("window-v1-2KiB")
        self.refused(older, "challenge", encoded(decoded(older)[1:]))
        fewer = self.file("fewer.json", encoded(decoded(WINDOW)[1:]))
        proof = self.good(*WINDOW.prove("-", vanilla=fewer))
        self.assertEqual(len(proof), 192)
        self.good(*WINDOW.verify("-", sectors=WINDOW.sectors[1:]), stdin=proof)

    def test_another_kind_or_size(self):
        self.refused(WINDOW, "vanilla", json.dumps(WINNING.vanilla))
        self.refused(WINNING, "vanilla", json.dumps(WINDOW.vanilla[:1]))
        self.refused(WINDOW, "vanilla", sector_size="8MiB")
        self.refused(WINDOW, "vanilla", sector_size="32GiB")
        self.refused(Post("window-v1-2KiB"), "challenge", registered_proof=10)
        self.refused(WINDOW, "challenge", sector_size=None, registered_proof=5)

    def test_every_flipped_byte(self):
        rng = random.Random(1)
        for post in (WINDOW, WINNING):
            blobs = decoded(post)
            for _ in range(60):
                which = rng.randrange(len(blobs))
                changed = bytearray(blobs[which])
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
                self.refused(post, "",
                             encoded(blobs[:which] + [bytes(changed)] + blobs[which + 1:]))

    def test_lying_counts(self):
        blob = decoded(WINDOW)[0]
        for at in range(0, 200):
            for value in (2**64 - 1, 2**63, 2**32, 2**20):
                changed = blob[:at] + struct.pack("<Q", value) + blob[at + 8:]
                self.refused(WINDOW, "", encoded([changed, *decoded(WINDOW)[1:]]))
                break

    def test_numbers_out_of_range(self):
        over = R.to_bytes(32, "little").hex()
        for value in ("00" * 31, "00" * 33, "zz" * 32, ""):
            self.refused(WINDOW, "--randomness", randomness=value)
        for value in (over, "ff" * 32):
            self.refused(WINDOW, "randomness", randomness=value)
        for value in ("-1", "1.0", "1e3", "18446744073709551616", "f1abc", ""):
            self.refused(WINDOW, "--miner-id", miner_id=value)
        proof = self.file("p", bytes(384))
        n, comm_r = WINDOW.sectors[0].split(":")
        for sector in (f"{n}:{over}", f"{n}:{'ff' * 32}", f"{n}:{'00' * 32}", f"{n}:{comm_r[:-1]}",
                       f"{n}:{comm_r}0", f"{n}:", f":{comm_r}", n, f"x:{comm_r}", f"-1:{comm_r}",
                       f"18446744073709551616:{comm_r}", WINDOW.sectors[1]):
            self.bad(2, "sector", *WINDOW.verify(proof, sectors=[sector, *WINDOW.sectors[1:]]))
        self.bad(2, "--sector", *WINDOW.verify(proof, sectors=[]))
        self.bad(2, "sector", *WINNING.verify(self.file("q", bytes(192)),
                                                sectors=WINDOW.sectors))

    def test_randomness_with_a_top_bit(self):
        for post in (WINNING, WINDOW, Post("window-v1-2KiB")):
            good = bytes.fromhex(post.case["randomness"])
            for top in (0x40, 0x80, 0xc0):
                value = good[:31] + bytes([good[31] | top])
                cleared = value[:31] + bytes([value[31] & 0x3f])
                words = ["randomness", value.hex(), "top bits", cleared.hex()]
                who = {"randomness": value.hex()}
                self.refused(post, words, params=self.dir / "none", **who)
                self.bad(2, words, *post.witness(**who))
                self.bad(2, words, *post.verify(self.dir / "no proof", **who))
                self.bad(2, words, "synth-only", "--kind", post.kind, *post.witness(**who)[2:-1],
                         program=BENCH)
        top = value[:31] + b"\x3f"  # the largest that is taken
        self.refused(post, "leaf", randomness=top.hex())

    def test_the_largest_numbers_keep_their_digits(self):
        changed = WINDOW.sectors[:2] + [f"{2**64 - 1}:{WINDOW.sectors[2].split(':')[1]}"]
        proof = self.file("p", bytes.fromhex("c0" + "00" * 191) * 2)
        self.assertEqual(run(*WINDOW.verify(proof, sectors=changed))[0], 1)

    def test_one_number_with_two_commitments(self):
        proof = self.file("p", bytes(384))
        n, comm_r = WINDOW.sectors[0].split(":")
        other = WINDOW.sectors[1].split(":")[1]
        for sectors in ([f"{n}:{comm_r}", f"{n}:{other}"],
                        [f"{n}:{other}", *WINDOW.sectors],
                        [*WINDOW.sectors, *WINDOW.sectors, f"{n}:{other}"]):
            self.bad(2, [f"number {n} ", comm_r, other], *WINDOW.verify(proof, sectors=sectors))

    def test_a_sector_stands_once_among_those_to_be_proved(self):
        # The chain's stand-ins are in statements: a node proves each sector once.
        blobs = decoded(WINDOW)
        for i in range(3):
            self.refused(WINDOW, "rise", encoded(blobs[:i + 1] + blobs[i:]))
            self.refused(WINDOW, "rise", encoded(blobs[:i + 1] + blobs[i:]), extra=["--skip-bad"])
        self.refused(WINNING, ["1", "2"], encoded(decoded(WINNING) * 2))

    def test_missing_arguments(self):
        for name in ("--miner-id", "--randomness", "--sector-size"):
            args = WINDOW.prove(self.dir / "p")
            at = args.index(name)
            self.bad(2, name, *(args[:at] + args[at + 2:]))
        for name in ("--vanilla", "-o"):
            args = WINDOW.prove(self.dir / "p")
            at = args.index(name)
            self.bad(2, name, *(args[:at] + args[at + 2:]))
        args = WINDOW.verify(self.dir / "p")
        at = args.index("--proof")
        self.bad(2, "--proof", *(args[:at] + args[at + 2:]))
        self.bad(2, "none.json", *WINDOW.prove(self.dir / "p", vanilla=self.dir / "none.json"))
        self.bad(2, "folder", *WINDOW.prove(self.dir / "p", vanilla=self.dir))

    def test_output_that_cannot_be_written_is_found_before_work(self):
        self.bad(2, "no/such", *WINDOW.prove(self.dir / "no/such/proof"))
        self.bad(2, "folder", *WINDOW.prove(self.dir))

    def test_a_witness_checks_form_only(self):
        blobs = decoded(WINDOW)
        changed = bytearray(blobs[0])
        changed[-100] ^= 1
        path = self.file("v", encoded([bytes(changed), *blobs[1:]]))
        out = json.loads(self.good(*WINDOW.witness(vanilla=path)))
        self.assertGreater(out[0]["violated_constraints"], 0)
        self.assertEqual(out[1]["violated_constraints"], 0)
        self.refused(WINDOW, "sector 100", path.read_bytes())
        path = self.file("v", encoded([blobs[0][:-1], *blobs[1:]]))
        self.bad(2, "vanilla", *WINDOW.witness(vanilla=path))

    def test_all_bad_sectors_are_named_at_once(self):
        for post in (WINDOW, Post("window-8MiB"), Post("window-v1-2KiB")):
            for which in ((0, 1), (1, 2), (0, 2), (0, 1, 2)):
                blobs, reasons = decoded(post), {}
                for i in which:
                    blobs[i], reasons[100 + i] = DAMAGES[(i + len(which)) % 3](blobs[i])
                for params in (PARAMS, self.dir / "none"):
                    line = self.refused(post, [f"{len(which)} of 3 sectors"], encoded(blobs),
                                        params=params)
                    for number in (100, 101, 102):
                        named = f"sector {number}: {reasons.get(number, '')}" in line
                        self.assertEqual(named, number in reasons, line)
                path = self.file("bad.json", encoded(blobs))
                code, out, _ = run(*post.prove(self.dir / "p", vanilla=path, extra=["--json"]))
                self.assertEqual(code, 2)
                listed = json.loads(out)["bad_sectors"]
                self.assertEqual([row["sector"] for row in listed], sorted(reasons))
                for row in listed:
                    self.assertIn(reasons[row["sector"]], row["reason"])

    def test_one_bad_sector_is_a_list_of_one(self):
        blobs = decoded(WINDOW)
        blobs[1], reason = DAMAGES[0](blobs[1])
        self.assertTrue(self.refused(WINDOW, reason, encoded(blobs))
                        .startswith(f"cuzk prove: {self.dir}/vanilla.json: sector 101: {reason}"))
        path = self.file("bad.json", encoded(blobs))
        code, out, err = run(*WINDOW.prove("-", vanilla=path, extra=["--json"]))
        self.assertEqual((code, out), (2, b""))
        self.assertEqual(json.loads(err.splitlines()[0]),
                         {"bad_sectors": [{"sector": 101, "reason": reason}]})

    def test_a_long_window_is_named_whole(self):
        blobs = decoded(WINDOW)
        many = [struct.pack("<Q", 1000 + i) + blobs[i % 3][8:] for i in range(60)]
        line = self.refused(WINDOW, "60 of 60 sectors", encoded(many))
        for i in range(60):
            self.assertIn(f"sector {1000 + i}: challenge ", line)
        path = self.file("many.json", encoded([blobs[0], *many]))
        out = run(*WINDOW.prove(self.dir / "p", vanilla=path, extra=["--json"]))[1]
        self.assertEqual([row["sector"] for row in json.loads(out)["bad_sectors"]],
                         list(range(1000, 1060)))

    def test_what_cannot_be_skipped(self):
        blobs = decoded(WINDOW)
        all_bad = [DAMAGES[i](blobs[i])[0] for i in range(3)]
        self.refused(WINDOW, ["3 of 3", "sector 100", "sector 101", "sector 102"],
                     encoded(all_bad), extra=["--skip-bad"])
        self.refused(WINDOW, ["sector 101"], encoded([all_bad[1]]), extra=["--skip-bad"])
        # By the older rules what follows a bad sector was made for another place.
        older = Post("window-v1-2KiB")
        bad = decoded(older)
        bad[0] = DAMAGES[0](bad[0])[0]
        path = self.file("older.json", encoded(bad))
        args = older.prove(self.dir / "p", vanilla=path, extra=["--skip-bad"])
        self.assertIn("sector 100: ", run(*args)[2])
        self.bad(2, ["without the bad sectors", "sector 101"], *args)
        self.bad(2, ["--skip-bad", "winning"], *WINNING.prove("-", extra=["--skip-bad"]))
        self.bad(2, ["--skip-bad", "--estimate"],
                 *WINDOW.prove("-", extra=["--skip-bad", "--estimate"]))

    def test_refusal_comes_before_parameters(self):
        self.refused(WINDOW, "rise", encoded(decoded(WINDOW)[::-1]), params=self.dir / "none")


main()
