#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the seeds and dictionaries of the fuzz targets: fuzz_seeds.py FOLDER.

FOLDER/NAME/refused, read and right hold the seeds of target NAME by what has to become of them
(src/base/fuzz_support.h), any those that only have to do no harm, FOLDER/NAME.dict the words it
knows. Real inputs come from tests/golden; of
sizes that it lacks, well-formed ones are made with the same value everywhere. Refused ones are real
ones with one thing changed. Words are those of the parsers' own tables.
"""
import base64
import copy
import hashlib
import json
import pathlib
import re
import sqlite3
import struct
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
OUT = pathlib.Path()

ONE = bytes([1] + 31 * [0])
TWO = bytes([2] + 31 * [0])
HIGH = 32 * b"\xff"  # not below the field's modulus
LG_NODES = {"2KiB": 6, "8MiB": 18, "512MiB": 24, "32GiB": 30, "64GiB": 31}
SIZES = list(LG_NODES)
MINER = 1000


def put(target, verdict, name, data):
    folder = OUT / target / verdict
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def put_all_refused(target, prefix, variants):
    for i, data in enumerate(variants):
        put(target, "refused", f"{prefix}-{i}", data)


def golden(case, name):
    return json.loads((GOLDEN / case / name).read_text())


def cases(*kinds):
    return sorted(p.name for p in GOLDEN.iterdir() if p.name.startswith(kinds))


def vanilla(case):
    return [base64.b64decode(item) for item in golden(case, "vanilla.json")]


def u32(n):
    return struct.pack("<I", n)


def u64(n):
    return struct.pack("<Q", n)


def shortened(data):
    """The beginning of an input, of several lengths."""
    return [data[:len(data) * k // 8] for k in range(8)] + [data[:-1]]


def replaced(data, at, new):
    return data[:at] + new + data[at + len(new):]


# ---- bincode ----

def sector_trees(size):
    """Arities, from the leaf on, of the base tree and of those above it."""
    above = {"32GiB": [8], "64GiB": [8, 2]}.get(size, [])
    bits = LG_NODES[size] - sum(a.bit_length() - 1 for a in above)
    return [[8] * (bits // 3)] + [[a] for a in above]


def merkle_proof(trees, node=ONE):
    paths = [u64(len(arities)) + b"".join(u64(a - 1) + (a - 1) * node + u64(0) for a in arities)
             for arities in trees]
    kind = u32(len(trees) - 1)
    if len(trees) == 1:
        return kind + 2 * node + paths[0]
    return kind + b"".join(paths) + 2 * node


def post_item(kind, size, sector=100):
    n = 66 if kind == "winning" else 10
    return (u64(sector) + ONE + u64(1) + u64(n) + n * merkle_proof(sector_trees(size)) + 2 * ONE)


def post_number(kind, size):
    return {"winning": 0, "window-v1": 5, "window": 10}[kind] + SIZES.index(size)


def post_seeds():
    for case in cases("winning", "window"):
        about = golden(case, "case.json")
        head = bytes([about["registered_proof"]]) + bytes.fromhex(about["randomness"])
        put("post_vanilla", "right", case, head + b"".join(vanilla(case)))
        put("post_vanilla", "read", f"{case}-challenges",  # those of other randomness
            head[:1] + ONE + b"".join(vanilla(case)))
    for kind in ("winning", "window-v1", "window"):
        for size in SIZES:
            head = bytes([post_number(kind, size)]) + ONE
            item = post_item(kind, size)
            put("post_vanilla", "read", f"{kind}-{size}", head + item)
            if size in ("2KiB", "32GiB"):
                put_all_refused(
                    "post_vanilla",
                    f"{kind}-{size}",
                    post_refused(
                        kind,
                        size,
                        head,
                        item))
                for at in list(range(124, 600, 8)) + [8, 92, len(item) - 64]:
                    put("post_vanilla", "any", f"{kind}-{size}-{at}",
                        head + replaced(item, at, TWO))
    two = post_item("window", "2KiB") + post_item("window", "2KiB", 101)
    put("post_vanilla", "read", "window-two", bytes([10]) + ONE + two)


def post_refused(kind, size, head, item):
    at_proof = 8 + 32 + 8 + 8
    proof_bytes = (len(item) - at_proof - 64) // (66 if kind == "winning" else 10)
    root = 4 if len(sector_trees(size)) == 1 else proof_bytes - 64
    yield head
    yield b"\xff" + head[1:] + item
    yield head[:1] + HIGH + item
    yield bytes([15]) + head[1:] + item
    yield head + item + b"\0"
    yield from (head + data for data in shortened(item)[1:])
    for at in (8, at_proof + root, at_proof + root + 32, len(item) - 64, len(item) - 32):
        yield head + replaced(item, at, HIGH)
    yield head + replaced(item, at_proof + root, TWO)
    yield head + replaced(item, len(item) - 32, TWO)
    yield head + replaced(item, 8, bytes(32))
    for at in range(40, at_proof + 4, 4):
        for word in (0, 1, 2, 11, 2**32 - 1):
            if item[at:at + 4] != u32(word):
                yield head + replaced(item, at, u32(word))
    yield head + item + item                                      # the same sector twice
    yield head + item + u64(99) + item[8:]                        # numbers fall
    yield head + replaced(item, at_proof + proof_bytes + root, TWO)
    yield head + replaced(item, at_proof + proof_bytes, u32(9))


def update_partition(size, apex, challenges):
    r = merkle_proof(sector_trees(size))
    d = merkle_proof([LG_NODES[size] * [2]])
    return ONE + u64(apex) + apex * ONE + u64(challenges) + challenges * (r + d + r)


def update_seeds():
    for case in cases("update"):
        about = golden(case, "case.json")
        head = bytes([about["registered_proof"]]) + b"".join(
            bytes.fromhex(about[name]) for name in ("comm_r_old", "comm_d_new", "comm_r_new"))
        items = vanilla(case)
        put("update_vanilla", "right", case, head + b"".join(items))
        put_all_refused("update_vanilla", case, update_refused(about["sector_size"], head, items))
    for i, size in enumerate(SIZES):
        apex, challenges = (8, 10) if i == 0 else (128, 10 if i == 1 else 86)
        put("update_vanilla", "read", size,
            bytes([0x80 | i]) + 3 * ONE + update_partition(size, apex, challenges))


def update_refused(size, head, items):
    data = b"".join(items)
    n = len(items)
    apex = struct.unpack_from("<Q", data, 32)[0]
    first = 32 + 8 + 32 * apex + 8  # where challenges begin
    r, d = len(merkle_proof(sector_trees(size))), len(merkle_proof([LG_NODES[size] * [2]]))
    second = first + 2 * r + d
    yield head
    yield bytes([0x40 | head[0]]) + head[1:] + data
    yield b"\x05" + head[1:] + data
    for at in (second, second + r, second + r + d):               # another root
        yield head + replaced(data, at + 4, TWO)
    for at in (1, 33, 65):
        yield replaced(head, at, HIGH) + data
        yield replaced(head, at, bytes(32)) + data
    yield replaced(head, 33, ONE) + data
    yield bytes([0x80 | head[0]]) + head[1:] + items[0] + b"\0"
    yield from (head + part for part in shortened(data))
    yield head + b"".join(item[:-8] for item in items)
    for at in (0, 40, first + 4, first + 36, first + 90):
        yield head + replaced(data, at, HIGH)
    for at in (32, first - 8, first, first + 68):
        yield head + replaced(data, at, u32(77))
    if n > 1:
        yield head + replaced(data, len(items[0]), TWO)           # another comm_c
    for at in range(second, second + 2 * r + d, 8):               # places of the second
        if data[at + 1:at + 8] == bytes(7):
            yield head + replaced(data, at, bytes([data[at] ^ 1]))


def bincode_seeds():
    for size, call in (("32GiB", 5), ("64GiB", 6)):
        shown = {"32GiB": [[8, 8], [8]], "64GiB": [[8, 8], [8], [2]]}[size]
        put("bincode", "read", size, bytes([1, call]) + merkle_proof(shown))
    single = merkle_proof([[8, 8]])
    put("bincode", "read", "single", bytes([1, 4]) + single)
    script = bytes([7, 11, 8, 3, 4])
    data = u64(5) + u32(1) + b"xyz"
    put("bincode", "read", "scalars", bytes(
        [3, 7 * 11, 7 * 11 + 1, 7 + 2]) + u64(5) + u32(1) + 9 * b"x")
    put("bincode", "read", "count", bytes([1, 10]) + u64(0))
    words = [0, 1, 2, 3, 8, 2**32 - 1]
    variants = [bytes([1, 4]) + replaced(single, at, u32(w)) for at in range(0, 84, 4)
                for w in words if single[at:at + 4] != u32(w) and not 4 <= at < 68]
    variants += [bytes([1, 4]) + part for part in shortened(single)[1:]] + \
        [bytes([1, 4]) + single + b"\0"]
    variants += [bytes([1, call]) + struct.pack("<Q", n) for call in (0, 1, 3, 10, 17, 24, 31)
                 for n in (7, 2**40)] + [script + data, bytes([1, 200]), b"\0x"]
    put_all_refused("bincode", "changed", variants)


# ---- JSON ----

# An element as numbers, about as long as those of real inputs are: numbers of one digit would make
# too dense a text.
ELEMENT = 20 * [100] + 12 * [1]


def json_path(arities):
    return {"path": [{"hashes": (a - 1) * [ELEMENT], "index": 0} for a in arities]}


def json_proof(trees):
    names = ["base_proof", "sub_proof", "top_proof"]
    body = {"root": ELEMENT, "leaf": ELEMENT}
    if len(trees) == 1:
        body["path"] = json_path(trees[0])
    else:
        body.update({name: json_path(tree) for name, tree in zip(names, trees)})
    return {"data": {["Single", "Sub", "Top"][len(trees) - 1]: body}}


def json_challenge(size):
    layers = 11 if size in ("32GiB", "64GiB") else 2
    column = {"column": {"index": 0, "rows": layers * [ELEMENT], "_h": None},
              "inclusion_proof": json_proof(sector_trees(size))}
    label = [{"parents": 37 * [ELEMENT], "layer_index": 1 + i, "node": 0}
             for i in range(layers)]
    return {"comm_d_proofs": json_proof([LG_NODES[size] * [2]]),
            "comm_r_last_proof": json_proof(sector_trees(size)),
            "replica_column_proofs": {"c_x": column, "drg_parents": 6 * [column],
                                      "exp_parents": 8 * [column]},
            "labeling_proofs": label, "encoding_proof": label[-1]}


def dump(document):
    return json.dumps(document, separators=(",", ":")).encode()


def c1_output(size, n):
    return {"registered_proof": f"StackedDrg{size}V1_1",
            "vanilla_proofs": {f"StackedDrg{size}V1": [n * [json_challenge(size)]]},
            **{name: ELEMENT for name in ("comm_r", "comm_d", "replica_id", "seed", "ticket")}}


def places(document, path=()):
    """Paths of all members, and of the first and last items of arrays that are no bytes."""
    if isinstance(document, dict):
        keys = list(document)
    elif isinstance(document, list) and document and not isinstance(document[0], int):
        keys = sorted({0, len(document) - 1})
    else:
        keys = []
    for key in keys:
        yield path + (key,)
        yield from places(document[key], path + (key,))


def changed(document, path, new):
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    if new is None:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return document


def c1_refused(output):
    shape = next(iter(output["vanilla_proofs"]))
    output["vanilla_proofs"][shape] = [[output["vanilla_proofs"][shape][0][0]]]
    yield dump(output)
    for text in (dump(output).hex(), "0x" + dump(output).hex(), dump(output).decode()):
        text += "0" * (-len(text) % 4)
        yield dump({"SectorNum": 1, "Phase1Out": text, "SectorSize": 2048})
    for path in places(output):
        if len([p for p in path if p in ("drg_parents", "exp_parents")]) and len(path) > 8:
            continue
        for new in (None, [], {}, "text", 32 * [255], [1] + 31 * [0], 2**40, 1):
            document = changed(output, path, new)
            if document != output and path[-1] not in ("_h",):
                yield dump(document)
    for new in (-1, 1.5, True, "x" * 100, "a\0b", 33 * [1], 32 * [256], 32 * [0], 32 * [-1]):
        yield dump(changed(output, ("registered_proof",), new))
        yield dump(changed(output, ("comm_r",), new))
        yield dump(changed(output, ("seed",), new))
    yield dump(changed(output, ("vanilla_proofs",), {shape: [], "other": []}))
    yield dump(changed(output, ("vanilla_proofs",), {"a\0b": []}))
    yield dump(changed(output, ("vanilla_proofs",), {"n" * 70: []}))
    yield dump(changed(output, ("vanilla_proofs",), {"StackedDrg8MiBV1": []}))
    yield from c1_wrapped_refused(output)


def c1_wrapped_refused(output):
    good = {
        "SectorNum": 1,
        "Phase1Out": base64.b64encode(
            dump(output)).decode(),
        "SectorSize": 2048}
    for name in good:
        yield dump({k: v for k, v in good.items() if k != name})
        yield dump({**good, name: []})
        yield dump({**good, name: -1})
        yield dump({**good, name: ""})
    yield dump({**good, "SectorSize": 8388608})
    yield dump({**good, "Phase1Out": "e30="})
    yield dump({**good, "vanilla_proofs": {}})
    yield dump({**good, "SectorNum": 1})[:-1] + b',"SectorNum":1}'
    yield b"{}"
    yield b""


def c1_seeds():
    for case in cases("porep"):
        text = (GOLDEN / case / "c1.json").read_bytes()
        put("c1", "right", f"{case}-wrapped", text)
        document = json.loads(text)
        known = document["SectorNum"] == 100  # fuzz_c1.c's number for those without a wrapper
        put("c1", "right" if known else "read",
            f"{case}-bare", base64.b64decode(document["Phase1Out"]))
    put("c1", "read", "512MiB", dump(c1_output("512MiB", 2)))
    # whole ones have 180 challenges, 80 MB; here one is read before they are counted
    for size in ("32GiB", "64GiB"):
        put("c1", "refused", size, dump(c1_output(size, 1)))
    output = json.loads(base64.b64decode(golden("porep-2KiB-0", "c1.json")["Phase1Out"]))
    put_all_refused("c1", "changed", sorted(set(c1_refused(output))))
    output = c1_output("2KiB", 1)
    challenge = output["vanilla_proofs"]["StackedDrg2KiBV1"][0][0]
    output["vanilla_proofs"]["StackedDrg2KiBV1"][0].append(
        changed(challenge, ("comm_r_last_proof", "data", "Single", "root"), [2] + 31 * [0]))
    put("c1", "refused", "another-root", dump(output))


# What is no JSON, and by what it is known.
OTHER_CONTENTS = [
    b" \n", b"\xef\xbb\xbf{}", b"\xef\xbb\xbf\x80", b"\xff\xfe{\0}\0", b"\xfe\xff\0{",
    b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd1", b"\xfd7zXZ\0",
    b"BZh91", b"PK\x03\x04", b"<!DOCTYPE html>", b"<?xml?>",
    b"00ff\n", b"00f", b"0x00ff", base64.b64encode(32 * b"x"), b"00112233445566778899aabbccddeefg",
    b"[" + 9 * b" ", b'"{}"', b"\0\0"]
TOO_DENSE = 90000 * b"[" + 90000 * b"]"


def json_seeds():
    for case in cases("winning", "window", "update"):
        put("json", "read", case, (GOLDEN / case / "vanilla.json").read_bytes())
    texts = [b"",
             b" ",
             b"{",
             b"}",
             b"[]",
             b"{}x",
             b"[1,]",
             b"[1 2]",
             b'{"a" 1}',
             b'{"a":}',
             b'{1:2}',
             b'["\\u12"]',
             b'["\\ud800"]',
             b'["\\x"]',
             b'["a]',
             b"[tru]",
             b"[1e]",
             b"[01]",
             b"[-]",
             b"[1e999]",
             b"[18446744073709551616]",
             b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]"
             b"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
             b'{"bytes":1}',
             b'{"bytes":[1,2,300]}',
             b'{"bytes":[1,-2]}',
             b'{"bytes":["a"]}',
             b'{"bytes":[1,2,3],"bytes":[]}',
             b'{"hex":"zz00ff00ff00ff00"}',
             b'{"hex":"00"}',
             b'{"name":"12345678"}',
             b'{"name":"a\\u0000b"}',
             b'{"bytes":' + dump(33 * [1]) + b"}",
             b"[" + 120 * b"1," + b"1]",
             b'{"table":{"table":{"table":{"hex":1}}}}',
             b'["Zg=", "Zg"]',
             b'["Z-8="]',
             b'["Zm 9"]',
             b"{\"n\":[{\"m\":\"" + 200 * b"x" + b"\"}]}",
             b"[[1,2]",
             b'[1.5]',
             b'["\\ud83d\\ude00"]',
             b"[\"" + 9 * b"=" + b"\"]",
             b'{"a\\q":1}',
             b'{"name":"\xff"}',
             b"[nul]",
             b"[?]",
             b'[{"a":1 "b"}]',
             b'{"x":12345678901234567890123456789012}',
             b'{"bytes":[1,2,]}',
             b'{"bytes":[1 2]}',
             b'{"bytes":[1.5]}',
             b'["Zm9v"',
             b'{"' + 90 * b"n" + b'":{"bytes":0}}',
             b'{"name":"\\q"}']
    texts += OTHER_CONTENTS + [b'{"a\\u0000":1}', TOO_DENSE, dump([bytes(range(36)).hex()])]
    for digits in (b"00ff" * 8, b"0x" + b"00ff" * 8, base64.b64encode(32 * b"x"), b"?"):
        texts += [b'{"bytes":"' + digits + b'"}', b'{"hex":"' + digits + b'"}']
    texts += [b'{"hex":"00ff00ff00ff00\xc3\xa9"}', b'{"hex":"00ff00ff00ff00f\\u0007"}']
    put_all_refused("json", "text", texts)
    put("json", "read", "table", b'{"bytes":' + dump(32 * [7]) + b',"hex":"00FF00ff00ff00ff",'
        b'"name":"a\\u0041","table":{"bytes":' + dump(32 * [0]) + b'},"x":[true,null,1.5e3,{}]}')
    put("json", "read", "many", dump(100 * ["Zm9v"]))


def trapdoor_seeds():
    document = golden("params", "trapdoor.json")
    put("trapdoor", "read", "golden", dump(document))
    variants = [b"", b"{}", b"[]", dump(document) + b"x", dump(document)[:-1], 70000 * b" "]
    for name in document:
        for new in (None, 1, "", "zz" * (len(document[name]) // 2), document[name] + "00"):
            variants.append(dump(changed(document, (name,), new)))
        variants.append(dump(document)[:-1] + b',"' + name.encode() + b'":""}')
    put_all_refused("trapdoor", "changed", variants)


# ---- texts ----

def base64_seeds():
    for i, data in enumerate((b"f", b"fo", b"foo", bytes(range(256)), vanilla("winning-2KiB")[0],
                              vanilla("update-8MiB")[0])):
        put("base64", "read", str(i), base64.b64encode(data))
    put("base64", "read", "zeros", 88 * b"A")
    put("base64", "read", "c1", golden("porep-8MiB-0", "c1.json")["Phase1Out"].encode())
    put_all_refused("base64",
                    "text",
                    [b"",
                     b"Zg",
                     b"Zg=",
                     b"Zh==",
                     b"Z===",
                     b"====",
                     b"Zg==Zg==",
                     b"Z-8=",
                     b"Z_8=",
                     b"Zm 9",
                     b"Zm9\n",
                     b"Zm9\0",
                     b"Zm9\xff",
                     b"Zm=v",
                     b"Zm9w="])


def cid(prefix, digest):
    return b"b" + base64.b32encode(bytes.fromhex(prefix) + digest).lower().rstrip(b"=")


def commitment_seeds():
    digest = bytes.fromhex(golden("update-2KiB", "case.json")["comm_r_new"])
    sealed, unsealed = "0182e20381e80220", "0181e203922020"
    for name, text in {"hex": digest.hex().encode(), "0x": b"0X" + digest.hex().upper().encode(),
                       "zero": 64 * b"0", "high": 64 * b"f", "sealed": cid(sealed, digest),
                       "unsealed": cid(unsealed, digest), "miner": b"f01000", "test": b"t01000",
                       "number": str(2**64 - 1).encode(),
                       "r": b"01000000fffffffffe5bfeff02a4bd53"
                            b"05d8a10908d83933487d9d2953a7ed73"}.items():
        put("commitment", "read", name, text)
    put_all_refused("commitment", "text", [
        b"", b"0x", b"zz", b"b", b"baga", cid(sealed, digest)[:-1], cid(sealed, digest) + b"a",
        cid("0170a0e40220", digest), cid(sealed, digest).upper(), cid(sealed, digest) + 30 * b"a",
        b"f1abc", b"t4abc", b"f0", b"f", b"f0x", b"1x", str(2**64).encode(), b"f5",
        66 * b"0" + b"a", cid(sealed, digest)[:-1] + b"8"])


def text_seeds():
    digest = bytes.fromhex(golden("update-2KiB", "case.json")["comm_r_new"])
    texts = ["porep", "update", "winning", "window", "0", "4", "14", "19", "f01000", digest.hex()]
    texts += SIZES + [cid(prefix, digest).decode() for prefix in ("0182e20381e80220",
                                                                  "0181e203922020")]
    for name in ("V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep"):
        texts += [f"StackedDrg{size}{name}" for size in SIZES]
    for case in cases("winning", "window", "update"):
        texts.append((GOLDEN / case / "vanilla.json").read_text())
        about = golden(case, "case.json")
        texts += [about[name] for name in about
                  if name in ("registered_post_proof", "registered_update_proof")]
    for i, text in enumerate(sorted(set(texts))):
        put("text", "read", str(i), text.encode())
    put_all_refused("text", "text", [
        b"", b"none", b"Porep", b"StackedDrg", b"3KiB", b"-1", b"[]", b"{}", b'["Zg"]', 64 * b"f",
        b"f1abc", b'["Zg==",1]', b'[""]', b"32gib", b"20 ", b"0x", str(2**64).encode(),
        base64.b64encode(32 * b"x"), TOO_DENSE, *OTHER_CONTENTS])


def option_seeds():
    """Command lines of tests/fuzz, their words divided by spaces."""
    for verdict in ("read", "refused"):
        lines = (ROOT / f"tests/fuzz/options.{verdict}.txt").read_text().splitlines()
        for i, line in enumerate(lines):
            put("options", verdict, str(i), line.replace(" ", "\n").encode())
    put("options", "refused", "long", b"side\n" + 5000 * b"x" + b"\nsynth-only")
    put("options", "refused", "many", b"side\ndefault\nsynth-only" + 200 * b"\nx")


def config_seeds():
    """The configuration that explains all keys, with each of them set, right and wrong."""
    explained = (ROOT / "contrib/cuzk.toml").read_text()
    every = re.sub(r"(?m)^#(?=[a-z])", "", explained).replace("enabled = true", "enabled = false")
    put("config", "read", "explained", explained.replace(
        "[daemon]", '[daemon]\nlisten = "[::]:1"').encode())
    put("config", "right", "every", every.encode())
    old = "[memory]\npinned_budget = 1\nworking_memory_budget = []\n"
    put("config", "right", "old", f"{old}[store]\nenabled = false".encode())
    for i, line in enumerate(CONFIG_READ):
        section, _, rest = line.partition(".")
        put("config", "read", str(i), f"[{section}]\n{rest}\n".encode())
    sections = re.split(r"(?m)^\[(\w+)\]\n", every)[1:]
    for section, keys in zip(sections[::2], sections[1::2]):
        for name in re.findall(r"(?m)^(\w+) = ", keys):
            for i, value in enumerate(CONFIG_VALUES):
                put("config", "any", f"{section}-{name}-{i}",
                    f"[{section}]\n{name} = {value}\n".encode())
            put("config", "refused", f"{section}-{name}",
                f"[{section}]\n{name}x = 1\n".encode())
    put_all_refused("config", "text", [text.encode() for text in CONFIG_REFUSED])
    put_all_refused("config", "bytes", [
        b"\xff", "\ufcff".encode(), b"[daemon]\nlisten = \"" + 4096 * b"x" + b'"',
        b"a" + 4097 * b".a", b"$" + 5000 * b"x", b"[daemon]\n" + 100 * b"k" + b" = 1"])
    for i, text in enumerate(["$debug,h2=info", "$ warn , cuzk=debug,", "$h2", "$cuzk=info,debug",
                              "%0", "%1024", "%", "&/params"]):
        put("config", "read", f"variable-{i}", text.encode())


# Files with these are read, but not right as a whole (the store's folder is not there).
CONFIG_READ = [
    f"store.folder = '/none/at/all'\n[{line.replace('.', ']' + chr(10), 1)}" for line in (
        "daemon.listen = 'unix:///run/a'", "daemon.listen = 'unix:/a'",
        "daemon.listen = 'unix-abstract:a'",
        f"daemon.listen = 'unix:/{120 * 'a'}'", "daemon.listen = '127.0.0.1:1'",
        "daemon.listen = '[::1]:1'", "daemon.listen = 'a'", "daemon.listen = 'a:b'",
        "daemon.status_listen = 'a/b:1'", "daemon.status_listen = 'unix:/a'",
        "daemon.status_listen = 'https://a:1'", "daemon.status_listen = '127.0.0.1:1'",
        "daemon.listen = ''", "daemon.listen = '0.0.0.0:1'",
        "daemon.listen = 'a:1'\ntls_certificate = '/a'\ntls_key = '/a'",
        "daemon.tls_key = '/a'", "daemon.tls_client_ca = '/a'", "daemon.token_file = '/none'",
        "daemon.token_file = '/etc/passwd'")
] + ["store.folder = '/dev/null'",
     "store.enabled = false\n[memory]\nsafety_margin = '100GiB'"]
CONFIG_VALUES = [
    "1", "-1", "0.5", "true", "'x'", '"660"', '"99999"', '"a\\u0001"', "[]", "[1, 2]", "[1, 1]",
    "['a']", "{}", "1979-05-27", '"0.5GiB"', '"1.5m"', '"x MiB"', '"auto"', '"99999999999999TiB"',
    '"99999999999999999999"', f"[{', '.join(map(str, range(70)))}]", f'"{200 * "v"}"',
    "9223372036854775807", "'1.5'", "'0.1234567GiB'", "'1 GiB'",
]
CONFIG_REFUSED = [
    "daemon = 1", "[[daemon]]", "listen = 1", "[schedulr]", "[quite]", "[gpus.affinity]\na = 1",
    "[daemon]\n[daemon]", "[daemon]\nlisten =", "[daemon.listen]", "[daemon]\nmax_batch_size = 1",
    "[memory]\nz = 1\na = 2", "$cuzk=loud", "%-1", "%1025", "%99999999999",
]


# ---- points ----

def proof_seeds():
    for path in sorted(GOLDEN.glob("*/proof.hex")):
        data = bytes.fromhex(path.read_text().strip())
        for at in range(0, len(data), 192):
            put("proof", "read", f"{path.parent.name}-{at // 192}", data[at:at + 192])
    variants = [b"", data[:191], data[:192] + b"\0", 192 * b"\0", 192 * b"\xff"]
    for at in (0, 48, 144):
        length = 96 if at == 48 else 48
        for new in (b"\xc0" + bytes(length - 1), bytes([data[at] & 0x7f]), bytes([data[at] | 0xe0]),
                    data[at:at + length - 1] + bytes([data[at + length - 1] ^ 1]), b"\xc0" + ONE):
            variants.append(replaced(data[:192], at, new))
    put_all_refused("proof", "changed", variants)


def srs_seeds():
    for i, path in enumerate(sorted((GOLDEN / "params").glob("*.vk"))):
        put("srs", "read", f"key-{i}", path.read_bytes())
    key = path.read_bytes()
    small = (ROOT / "tests/fuzz/seeds/srs/right/small.params").read_bytes()
    put_all_refused("srs", "key", points_refused(key, 864))
    put_all_refused("srs", "params", points_refused(small, 864))
    for i, data in enumerate(sections_changed(small)):
        put("srs", "any", f"sections-{i}", data)


def points_refused(data, n_fixed):
    yield from shortened(data)
    yield data + b"\0"
    for at in (0, 96, 192, 384, 576, 672, n_fixed + 4):
        for new in (b"\x40" + bytes(95),
                    b"\xff",
                    bytes([data[at] | 0x80]),
                    data[at:at + 95] + bytes([data[at + 95] ^ 1]),
                    bytes(96)):
            yield replaced(data, at, new)
    for count in (0, 1, 2**24 + 1, 2**32 - 1):
        yield replaced(data, n_fixed, struct.pack(">I", count))


def sections_changed(data):
    at = 868 + 96 * struct.unpack_from(">I", data, 864)[0]
    for each in (96, 96, 96, 96, 192):
        n = struct.unpack_from(">I", data, at)[0]
        points = data[at + 4:at + 4 + n * each]
        rest = data[at + 4 + n * each:]
        yield data[:at]
        yield data[:at + 2]
        for k in (0, n - 1, n + 1, 4 * n):  # as many points as the count says
            more = (points * 5)[:max(k, 0) * each]
            yield data[:at] + struct.pack(">I", max(k, 0)) + more + rest
        yield replaced(data, at, struct.pack(">I", n + 1))
        at += 4 + n * each


# ---- requests, compiled circuits ----

def request(kind, number, inputs):
    head = b"CUZKUNIT" + u32(1) + u32(kind) + u32(number) + u32(0) + u64(MINER) + u64(100) + 4 * ONE
    return head + u64(len(inputs)) + b"".join(u64(len(i)) for i in inputs) + b"".join(inputs)


def request_seeds():
    header = (ROOT / "include/cuzk/request.h").read_text()
    kinds = {name: int(n) for name, n in re.findall(r"CUZK_(\w+) = (\d)", header)}
    for case, kind in (("winning-2KiB", "WINNING_POST"),
                       ("window-2KiB", "WINDOW_POST"), ("update-2KiB", "UPDATE")):
        put("request", "right", case,
            request(kinds[kind], golden(case, "case.json")["registered_proof"], vanilla(case)))
    put("request", "right", "porep",
        request(kinds["POREP"], 5, [(GOLDEN / "porep-2KiB-0/c1.json").read_bytes()]))
    for kind in range(6):
        for number in (0, 7, 2**32 - 1):
            for inputs in ([], [b""], [b"a"], [b"a", b"bc"]):
                put("request", "any", f"{kind}-{number}-{len(inputs)}-{len(b''.join(inputs))}",
                    request(kind, number, inputs))
    # longer than any that there is
    put("request", "read", "long", request(kinds["WINNING_POST"], 0, [180000 * b"x"]))
    good = request(1, 0, [b"abc", b"de"])
    put_all_refused("request", "changed", [
        b"", b"CUZKUNIT", good[:100], replaced(good, 0, b"X"), replaced(good, 8, u32(2)),
        good + b"\0", good[:-1], replaced(good, 168, u64(2**40)), replaced(good, 168, u64(2**20)),
        replaced(good, 176, u64(2**63)), replaced(good, 168, u64(1))])


def pce_seeds():
    """tools/fuzz.sh has made those that are taken (src/pce/fuzz_pce_seeds.c)."""
    folder = OUT / "pce"
    if not (folder / "right/parts").exists():
        return
    data = (folder / "right/parts").read_bytes()
    variants = shortened(data) + [data + b"\0", replaced(data, 16,
                                                         b"other\0"), replaced(data, 16, 64 * b"x")]
    for at in list(range(0, 16, 4)) + list(range(112, 352, 4)):
        variants += [replaced(data, at, u32(w))
                     for w in (0, 1, 2**31 - 1, 2**32 - 1) if at < 152 or (at - 152) % 40 < 8]
    at = 384
    for i in range(5):
        length = struct.unpack_from("<Q", data, 152 + 40 * i)[0]
        step = 4 * (1 + length // 400)
        for place in range(at, at + length - 3, step):
            old = struct.unpack_from("<I", data, place)[0]
            variants += [replaced(data, place, u32(w & (2**32 - 1)))
                         for w in (0, old + 1, old - 1, old ^ 2**31, 2**32 - 1)]
        if i == 0:
            variants += [replaced(data, at, HIGH), replaced(data, at, bytes(32))]
        at += length
    for i, variant in enumerate(variants):
        put("pce", "any", f"changed-{i}", variant)


# ---- a store's database ----

def store_constants():
    """What src/store says of the table: how it is made, its version, whose it is."""
    text = (ROOT / "src/store/store_schema.c").read_text()
    parts = re.search(r"create_table\[\] =((?:\s*\"[^\"]*\")+);", text)[1]
    header = (ROOT / "src/store/store_database.h").read_text()
    version = re.search(r"STORE_DATABASE_VERSION = (\d+)", header)[1]
    application = int(re.search(r"APPLICATION_ID = (0x\w+)", text)[1], 16)
    return "".join(re.findall(r'"([^"]*)"', parts)), version, application


def database(rows=(), *changes):
    """The bytes of one with these rows, after statements that change it."""
    table, version, application = store_constants()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "jobs.db"
        sqlite = sqlite3.connect(path, isolation_level=None)
        sqlite.execute("PRAGMA page_size = 512")
        for statement in (table, f"PRAGMA user_version = {version}",
                          f"PRAGMA application_id = {application}"):
            sqlite.execute(statement)
        for row in rows:
            marks = ", ".join("?" * len(row))
            sqlite.execute(f"INSERT INTO job ({', '.join(row)}) VALUES ({marks})",
                           list(row.values()))
        for statement in changes:
            sqlite.execute(statement)
        sqlite.close()
        return path.read_bytes()


def stored_job(n, state=0, **fields):
    """The row of a job; when n is low the target makes a file for its request."""
    proof = 192 * bytes([n]) if state == 1 else None
    row = {"id": f"{n:032x}", "state": state, "request_bytes": 100, "seal": ONE,
           "request_id": f"porep-{MINER}-{n}", "kind": 1 + n % 4, "priority": n % 5,
           "registered_proof": n, "miner_id": MINER, "sector_number": n, "accepted_ms": 100 - n,
           "ended_ms": 1000 if state else 0, "n_starts": n, "proof": proof,
           "proof_seal": hashlib.sha256(proof).digest() if proof else None,
           "error": "vanilla: 3 bytes" if state in (2, 4) else None}
    return row | fields


def store_seeds():
    put("store", "read", "empty", b"\0")
    put("store", "read", "no-jobs", b"\0" + database())
    for n in range(4):
        rows = [stored_job(i, i // 2 if i < 10 else 0) for i in range(11)]
        put("store", "right", f"jobs-{n}", bytes([n]) + database(rows))
    last = 2**63 - 1
    good = b"\1" + database([stored_job(0), stored_job(1, 2, ended_ms=last, n_starts=2**32 - 1)])
    put("store", "right", "last", good)
    short = hashlib.sha256(b"").digest()
    in_rows = [stored_job(0, seal=short, request=short, request_bytes=32),
               stored_job(1, seal=short, request=ONE, request_bytes=32),
               stored_job(2, seal=short, request=b"", request_bytes=32)]
    put("store", "right", "in-rows", b"\1" + database(in_rows))
    wrong = [{"id": "0" * 31}, {"id": "A" * 32}, {"kind": 0}, {"kind": 5}, {"kind": 2**40},
             {"priority": 5}, {"state": 1, "proof": None}, {"state": 5}, {"state": -1},
             {"request_id": 257 * "x"}, {"request_id": "a\0b"}, {"registered_proof": -1},
             {"n_starts": 2**32}, {"seal": b""}, {"seal": 31 * b"x"},
             {"request_bytes": 2**18 + 1, "request": b"x"}, {"state": 1, "proof": b"x"},
             {"state": 2, "error": 1024 * "x"},
             {"state": 1, "proof": b"x", "proof_seal": 32 * b"x"}]
    put_all_refused("store", "row", [b"\1" + database([stored_job(0, **w)]) for w in wrong])
    put_all_refused("store", "form", [
        b"\1", b"\0" + 100 * b"x", *(b"\0" + database([], change) for change in (
            "PRAGMA user_version = 2", "PRAGMA user_version = 0", "PRAGMA application_id = 1",
            "CREATE TABLE t (x)", "CREATE INDEX i ON job (kind)", "DROP TABLE job"))])
    for i, data in enumerate(shortened(good)):
        put("store", "any", f"short-{i}", data)
    for at in range(1, len(good), 37):
        put("store", "any", f"changed-{at}", replaced(good, at, bytes([good[at] ^ 0xff])))
# ---- messages of the daemon ----

def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number_field(number, value):
    return varint(number << 3) + varint(value)


def bytes_field(number, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(data)) + data


def messages_seeds():
    """The first byte is the type's place in fuzz_messages.c."""
    text = (ROOT / "src/rpc/fuzz_messages.c").read_text()
    names = re.findall(r"&\w+?__(?:v1__)?(\w+?)__descriptor,", text)
    place = {name.split("__")[-1]: bytes([i]) for i, name in enumerate(names)}
    posts = {case: b"".join(bytes_field(11, v) for v in vanilla(case))
             for case in ("winning-2KiB", "window-2KiB", "update-2KiB")}
    submits = [
        bytes_field(1, "porep-1000-1") + number_field(2, 1) + number_field(3, 2048)
        + number_field(4, 5) + number_field(5, 2) + bytes_field(10, b"{}")
        + number_field(20, 2**64 - 1) + number_field(21, MINER),
        bytes_field(1, "winpost-1000-ab") + number_field(2, 4) + posts["winning-2KiB"]
        + bytes_field(22, ONE),
        bytes_field(1, "wdpost-1000-0-[1 2 3]") + number_field(2, 3) + posts["window-2KiB"]
        + bytes_field(22, ONE) + number_field(23, 1),
        bytes_field(1, "snap-1000-1") + number_field(2, 2) + posts["update-2KiB"]
        + bytes_field(30, ONE) + bytes_field(31, ONE) + bytes_field(32, TWO),
        bytes_field(1, "\u00e4\u4e2d\U0001f600") + bytes_field(99, b"unknown")
        + number_field(98, 1),
        b""]
    for i, submit in enumerate(submits):
        put("messages", "read", f"submit-{i}", place["submit_proof_request"] + submit)
        put("messages", "read", f"prove-{i}", place["prove_request"] + bytes_field(1, submit))
    for name, at in place.items():
        put("messages", "read", f"empty-{name}", at)
        put("messages", "read", f"unknown-{name}",
            at + bytes_field(900, b"x") + number_field(901, 7))
    for name in ("await_proof", "cancel_proof", "preload_srs", "evict_srs", "health_check"):
        put("messages", "read", name, place[f"{name}_request"] + bytes_field(1, "porep-32g"))
    asks = [bytes_field(3, "a.proto"), bytes_field(4, "a.B"), bytes_field(6, "a.B"),
            bytes_field(7, ""),
            bytes_field(5, bytes_field(1, "a.B") + number_field(2, 1))]
    for i, ask in enumerate(asks):
        put("messages", "read", f"ask-{i}",
            place["server_reflection_request"] + bytes_field(1, "host") + ask)
        put("messages", "read", f"answer-{i}", place["server_reflection_response"]
            + bytes_field(2, ask) + bytes_field(6, bytes_field(1, bytes_field(1, "a.B"))))
    submit = place["submit_proof_request"]
    put_all_refused("messages", "changed", [
        submit + submits[1][:-1], submit + bytes_field(1, b"\xff"),
        place["prove_request"] + bytes_field(1, bytes_field(1, b"a\xc3")),
        place["server_reflection_request"] + bytes_field(3, b"\x80"),
        submit + b"\x0f", submit + b"\x0a\xff\xff\xff\xff\x0f", submit + 11 * b"\xff",
        submit + 65536 * number_field(15, 1)])


# ---- dictionaries ----

TABLES = {"c1": ["src/porep/c1.c", "src/porep/c1_challenge.c"], "trapdoor": ["src/cli/trapdoor.c"],
          "json": ["src/codec/fuzz_json.c"]}
JSON_WORDS = ['{', '}', '[', ']', ':', ',', '"',
              '\\u0000', '\\"', 'true', 'false', 'null', '1e3', '-1']


def quoted(word):
    data = word.encode() if isinstance(word, str) else word
    return '"' + "".join(chr(c) if 32 <= c <
                         127 and c not in b'"\\' else f"\\x{c:02x}" for c in data) + '"\n'


def http_seeds():
    end = b"\r\nHost: a\r\n\r\n"
    for path in (b"/", b"/status", b"/metrics", b"/healthz"):
        name = path.decode().strip("/") or "page"
        put("http", "read", name, b"GET " + path + b" HTTP/1.1" + end)
        put("http", "read", f"{name}-head", b"HEAD " + path + b"?a=b&c HTTP/1.1" + end)
    ask = b"GET /healthz HTTP/1."
    put("http", "read", "old", ask + b"0\r\n\r\n")
    put("http", "read", "many", 40 * (ask + b"1" + end))
    put("http", "read", "body", ask + b"1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
    put("http", "read", "chunks", ask + b"1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        b"3\r\nabc\r\n0\r\n\r\n")
    put("http", "read", "headers", ask + b"1\r\nHost: a\r\n" + b"".join(
        b"X-%d: %s\r\n" % (i, 64 * b"x") for i in range(100)) + b"\r\n")
    put_all_refused("http", "changed", [
        b"", b"GET", ask, ask + b"1\r\n\r\n", b"GET /healthz HTTP/2.0" + end,
        b"GET /statusx HTTP/1.1" + end,
        b"GET /status%00 HTTP/1.1" + end, b"POST /status HTTP/1.1" + end, b"* * *" + end,
        b"GET /" + 40000 * b"a" + b" HTTP/1.1" + end,
        ask + b"1\r\nHost: a\r\nX: " + 60000 * b"x" + b"\r\n\r\n"])


def dictionaries():
    words = {
        name: set() for name in (
            "post_vanilla",
            "update_vanilla",
            "bincode",
            "base64",
            "proof",
            "srs")}
    for name, files in TABLES.items():
        words[name] = set(JSON_WORDS)
        for file in files:
            words[name] |= {f'"{field}":' for field in re.findall(
                r'\{"(\w+)", \w+, JSON_', (ROOT / file).read_text())}
    names = re.findall(r'"(StackedDrg\w*)"', (ROOT / "src/porep/porep_config.c").read_text())
    suffixes = re.findall(r'KIND\(\d+, "(\w+)"', (ROOT / "src/porep/porep_config.c").read_text())
    words["c1"] |= {f'"{n}"' for n in names} | {
        f'"{n}{s}"' for n in names if n[-1] == "B" for s in suffixes}
    words["options"] = {"cuzk", "cuzk-bench", "side", "\n"}
    for path in list((ROOT / "src/cli").glob("*.[ch]")) + list((ROOT / "src/bench").glob("*.[ch]")):
        text = path.read_text()
        words["options"] |= set(
            re.findall(
                r'"(--[a-z0-9-]+)"',
                text)) | set(
            re.findall(
                r'\.name = "([a-z-]+)"',
                text))
        for choice in re.findall(r'"--[a-z0-9-]+",\s*"([a-z0-9|-]*\|[a-z0-9|-]*)"', text):
            words["options"] |= set(choice.split("|"))
    config = (ROOT / "src/bench/ab_config.c").read_text()
    words["options"] |= {
        f"{w}=" for w in re.findall(
            r'\{"([a-z0-9-]+)",',
            config)} | {
        "KiB",
        "MiB",
        "GiB",
        "TiB",
        "0x"}
    rows = (ROOT / "src/daemon/config_rows.c").read_text()
    words["config"] = {word for pair in re.findall(
        r"(?:ROW|TEXT|BOOL|U32|UNIT|OLD)\((\w+), (\w+)", rows) for word in pair}
    words["config"] |= {f"[{word}]\n" for word, _ in re.findall(r"TEXT\((\w+), (\w+)", rows)}
    words["config"] |= {" = ", '"', 3 * "'", "[[", "unix:///", "GiB", "ms", "auto", "cuzk=", "info"}
    words["text"] = {f"StackedDrg{size}{end}" for size in SIZES for end in suffixes} | set(SIZES)
    words["text"] |= {"porep", "update", "winning", "window", "V1", "V1_1", "Winning", "Window"}
    words["commitment"] = {"0x", "0X", "f0", "t0", "f1", "bagboea4b5abc", "baga6ea4sea"}
    words["base64"] = {"=", "==", "-", "_", "\n"}
    words["messages"] = {number_field(n, 1)[:1] for n in (2, 3, 4, 5)} | {
        bytes_field(n, b"a") for n in (1, 10, 11, 22, 30, 31, 32)}
    words["pce"] = {"CUZKPCE\0", u32(1), u32(384)}
    words["store"] = {"SQLite format 3\0", u32(0x4b5a5543), ONE}
    words["request"] = {"CUZKUNIT", u32(1), u64(1)}
    words["http"] = {
        "GET ", "HEAD ", "POST ", "/status", "/metrics", "/healthz", " HTTP/1.1\r\n", "Host: a\r\n",
        "Connection: ", "keep-alive", "close", "Content-Length: ", "Transfer-Encoding: chunked",
        "Expect: 100-continue", "Cookie: a=b", "%00", "\r\n\r\n"}
    for name in ("post_vanilla", "update_vanilla", "bincode"):
        words[name] = {u64(n) for n in (0, 1, 2, 3, 6, 7, 8, 9, 10, 66,
                                        86, 128, 2**63)} | {u32(1), u32(2), HIGH, ONE}
    words["proof"] = words["srs"] = {
        b"\xc0",
        b"\x40",
        b"\x80",
        b"\xff\xff\xff\xff",
        struct.pack(
            ">I",
            1)}
    for name, each in words.items():
        (OUT / f"{name}.dict").write_text("".join(sorted(quoted(w) for w in each)))


def main():
    global OUT
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    OUT = pathlib.Path(sys.argv[1])
    for make in (
            post_seeds,
            update_seeds,
            bincode_seeds,
            c1_seeds,
            json_seeds,
            trapdoor_seeds,
            base64_seeds,
            commitment_seeds,
            text_seeds,
            option_seeds,
            config_seeds,
            proof_seeds,
            srs_seeds,
            request_seeds,
            store_seeds,
            pce_seeds,
            http_seeds,
            messages_seeds,
            dictionaries):
        make()
    for path in sorted((ROOT / "tests/fuzz/seeds").glob("*/*/*")):
        put(*path.relative_to(ROOT / "tests/fuzz/seeds").parts, path.read_bytes())


main()
