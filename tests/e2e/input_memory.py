# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What reading an input takes: below 4 bytes a byte of it, whatever it is made of. Measured are
peaks of resident memory, less that of a small input of the same kind. No parameters are needed."""
import base64
import json
import struct
import subprocess
import sys

from harness import CUZK, Case, Porep, Post, golden, main

MIB = 1 << 20
LIMIT = 4
POREP, WINDOW = Porep("porep-2KiB-0"), Post("window-2KiB")
WRAPPER = golden("porep-2KiB-0", "c1.json")
INNER = json.loads(base64.b64decode(WRAPPER["Phase1Out"]))
SHAPE, = INNER["vanilla_proofs"]
DENSE = "brackets, commas, colons, quotes and values in"

# A small process starts the program: a child's peak counts what it was forked from.
MEASURE = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def wrapped(inner):
    return json.dumps({**WRAPPER, "Phase1Out": base64.b64encode(inner.encode()).decode()})


def with_member(text):
    """A good output with one more member."""
    return compact(INNER)[:-1] + "," + text + "}"


def repeated(part, length):
    return part * (length // len(part))


def partitions(length):
    """As many partitions as make the length of a large sector's output."""
    part = compact(INNER["vanilla_proofs"][SHAPE][0])
    rest = compact({k: v for k, v in INNER.items() if k != "vanilla_proofs"})[1:]
    many = ",".join([part] * (length // len(part)))
    return '{"vanilla_proofs":{"%s":[%s]},%s' % (SHAPE, many, rest)


def sectors(n):
    """A window of n sectors that have their form."""
    item = base64.b64decode(WINDOW.vanilla[0])[8:]
    return json.dumps([base64.b64encode(struct.pack("<Q", i) + item).decode() for i in range(n)])


class Memory(Case):
    def setUp(self):
        super().setUp()
        self.smallest = {}

    def peak(self, command, data):
        done = subprocess.run([sys.executable, "-S", "-E", "-c", MEASURE, CUZK,
                               *map(str, command), "--threads", "1"], input=data,
                              capture_output=True, timeout=300)
        code, kib = map(int, done.stdout.split()[-2:])
        return code, kib * 1024, done.stderr.decode()

    def command(self, case, path, **changes):
        name = "c1" if case is POREP else "vanilla"
        return case.prove(self.dir / "p", params=self.dir / "none", **{name: path}, **changes)

    def check(self, case, words, text, streamed=False, **changes):
        """A refusal with these words that took less than the limit."""
        if case not in self.smallest:
            _, self.smallest[case], _ = self.peak(self.command(case, self.file("s.json", "{}")),
                                                  None)
        data = text.encode()
        path = "-" if streamed else self.file("long.json", data)
        code, peak, err = self.peak(self.command(case, path, **changes),
                                    data if streamed else None)
        self.assertEqual(code, 2, (text[:60], err))
        self.assertIn(words, err)
        taken = (peak - self.smallest[case]) / len(data)
        self.assertLess(taken, LIMIT, (text[:60], len(data)))

    def test_outputs_of_large_sectors(self):
        for length in (8 * MIB, 30 * MIB, 70 * MIB):
            bare = partitions(length)
            for text in (bare, wrapped(bare), wrapped(bare).replace("/", "\\/")):
                self.check(POREP, "partitions, expected 1", text)
            self.check(POREP, "partitions, expected 1", wrapped(bare), sector_size="2KiB")
        self.check(POREP, "partitions, expected 1", bare, streamed=True)
        self.check(POREP, "partitions, expected 1", wrapped(bare), streamed=True)

    def test_members_that_nobody_reads(self):
        for n in (8 * MIB, 50 * MIB):
            for text in ('"x":[%s0]' % repeated("123,", n), '"x":"%s"' % repeated("a", n),
                         '"x":"%s"' % repeated("\\/", n), '"x":{%s"":0}' % repeated('"ab":10,', n),
                         '%s"":0' % repeated('"ab":10,', n), '%s"":0' % repeated('"\\/":10,', n),
                         '"x":%s%s' % (repeated("[  ", n // 2), repeated("]  ", n // 2)),
                         repeated(" ", n) + '"x":0'):
                self.check(POREP, "no such file", with_member(text))
            self.check(POREP, "no such file", wrapped(with_member('"x":[%s0]'
                                                                  % repeated("123,", n))))

    def test_texts_of_marks_alone(self):
        for n in (8 * MIB, 50 * MIB):
            for text in ('"x":[%s0]' % repeated("0,", n), '"x":[%s0]' % repeated("[],", n),
                         '"x":{%s"":0}' % repeated('"":{},', n),
                         '"x":%s%s' % (repeated("[", n // 2), repeated("]", n // 2)),
                         '"x":%s' % repeated("1 ", n) + repeated("[", n)):
                self.check(POREP, DENSE, with_member(text))
                self.check(POREP, DENSE, wrapped(with_member(text)))
        self.check(POREP, DENSE, with_member(text), streamed=True)

    def test_strings_of_escapes(self):
        text = '{"Phase1Out":"%s","SectorNum":1,"SectorSize":2048}'
        for n in (8 * MIB, 50 * MIB):
            self.check(POREP, "Phase1Out", text % repeated("\\/", n))
            self.check(POREP, "Phase1Out", text % repeated("\\u0041", n))

    def test_lists(self):
        for n in (8 * MIB, 50 * MIB):
            for text, words in (('["%s"]' % repeated("AAAA", n), "expected 5680"),
                                ('["%s"]' % repeated("\\/\\/\\/\\/", n), "expected 5680"),
                                ('["%s"]' % repeated("-", n), "URL-safe"),
                                ("[%s1]" % repeated("1,", n), DENSE),
                                ('[%s1]' % repeated('"AAAA",', n), DENSE),
                                ('[%s1]' % repeated('"A", 123,', n), DENSE),
                                (repeated("[", n // 2) + repeated("]", n // 2), DENSE)):
                self.check(WINDOW, words, text)
        self.check(WINDOW, "expected 5680", '["%s"]' % repeated("AAAA", n), streamed=True)

    def test_windows_of_thousands_of_sectors(self):
        for n in (1000, 6000):
            self.check(WINDOW, f"of {n} sectors are bad", sectors(n))
            self.check(WINDOW, f"of {n} sectors are bad", sectors(n).replace("/", "\\/"))
        self.check(WINDOW, "sectors: 12000, limit 6000", sectors(12000))


main()
