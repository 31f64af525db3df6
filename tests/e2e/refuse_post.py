# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PoSt inputs that must be refused, with exit code 2 and a line that names what is wrong."""
import base64
import json
import random
import struct

from harness import PARAMS, R, Case, Post, main, run

WINNING, WINDOW = Post("winning-2KiB"), Post("window-2KiB")


def decoded(post):
    return [base64.b64decode(v) for v in post.vanilla]


def encoded(blobs):
    return [base64.b64encode(b).decode() for b in blobs]


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

    def test_the_largest_numbers_keep_their_digits(self):
        changed = WINDOW.sectors[:2] + [f"{2**64 - 1}:{WINDOW.sectors[2].split(':')[1]}"]
        proof = self.file("p", bytes.fromhex("c0" + "00" * 191) * 2)
        self.assertEqual(run(*WINDOW.verify(proof, sectors=changed))[0], 1)

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

    def test_refusal_comes_before_parameters(self):
        self.refused(WINDOW, "rise", encoded(decoded(WINDOW)[::-1]), params=self.dir / "none")


main()
