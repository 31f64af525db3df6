#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parents and challenges of PoRep as docs/algorithms/porep-graph.md has them, in plain Python: the
vectors of src/porep/test_challenge.c at sizes for which no sector can be sealed in a test.

    porep_graph.py          prints them
    porep_graph.py check    compares itself with what the reference publishes: digests of all
                            parents at 2 KiB, synthetic challenges
"""
import hashlib
import struct
import sys

LG_NODES = [6, 18, 24, 30, 31]


def chacha(key, nonce, rounds, start, n):
    """Bytes start .. start + n - 1 of the keystream (RFC 8439)."""

    def block(counter):
        state = list(struct.unpack("<4I", b"expand 32-byte k"))
        state += struct.unpack("<8I", key) + (counter,) + struct.unpack("<3I", nonce)
        s = state[:]

        def step(x, y, z, by):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            v = s[z] ^ s[x]
            s[z] = (v << by | v >> (32 - by)) & 0xFFFFFFFF

        def quarter(a, b, c, d):
            step(a, b, d, 16), step(c, d, b, 12), step(a, b, d, 8), step(c, d, b, 7)

        for _ in range(rounds // 2):
            for i in range(4):
                quarter(i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        return struct.pack("<16I", *((x + y) & 0xFFFFFFFF for x, y in zip(s, state)))

    blocks = range(start // 64, (start + n - 1) // 64 + 1)
    return b"".join(block(i) for i in blocks)[start % 64:start % 64 + n]


def seed(tag, number):
    return hashlib.sha256(tag + struct.pack("<Q", number) + bytes(24)).digest()


def drg_parents(number, node):
    if node < 2:
        return [0] * 6
    key = seed(b"Filecoin_DRSample", number)[:28] + struct.pack("<I", node)
    words = struct.unpack("<10Q", chacha(key, bytes(12), 8, 0, 80))
    m, drawn = 5 * node, []
    buckets = (m - 1).bit_length()
    for i in range(5):
        largest = min(m, 2 ** (words[2 * i] % buckets + 1))
        smallest = max(2, largest // 2)
        parent = (m - smallest - words[2 * i + 1] % (largest - smallest + 1)) // 5
        drawn.append(node - 1 if parent == node else parent)
    return drawn + [node - 1] if number < 5 else [node - 1] + drawn


def exp_parents(number, node):
    n = 8 << LG_NODES[number % 5]
    half = ((n - 1).bit_length() + 1) // 2
    keys = struct.unpack("<4Q", seed(b"Filecoin_Feistel", number))
    mask, out = (1 << half) - 1, []
    for i in range(8):
        index = 8 * node + i
        while True:
            left, right = index >> half, index & mask
            for key in keys[:3]:
                digest = hashlib.blake2b(struct.pack(">QQ", right, key)).digest()
                left, right = right, left ^ struct.unpack(">Q", digest[:8])[0] & mask
            index = left << half | right
            if index < n:
                break
        out.append((index & 0xFFFFFFFF) // 8 if number < 5 else index // 8)
    return out


def synthetic_digest(replica_id, comm_r, rand, j, n_set):
    def stream(what, other, start, count):
        key = b"filecoin.io|PoRep|1|Synthetic|1|" + what
        key = hashlib.blake2b(replica_id + other, key=key, digest_size=32).digest()
        return chacha(key, b"synth-porep\0", 20, start, count)

    place = struct.unpack("<I", stream(b"Selection", rand, 4 * j, 4))[0] % n_set
    return stream(b"Generation", comm_r, 32 * place, 32)


def to_node(digest, n):
    return int.from_bytes(digest, "little") % (n - 1) + 1


def challenge(number, replica_id, comm_r, rand, j):
    n = 1 << LG_NODES[number % 5]
    if number < 10:
        digest = hashlib.sha256(replica_id + rand + struct.pack("<I", j)).digest()
    elif number < 15:
        digest = synthetic_digest(replica_id, comm_r, rand, j, min(n, 1 << 18))
    else:
        tag = b"filecoin.io|PoRep|1|NonInteractive|1"
        digest = hashlib.sha256(tag + replica_id + comm_r + struct.pack("<I", j)).digest()
    return to_node(digest, n)


def check():
    want = {0: "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d",
            5: "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97"}
    for number, digest in want.items():
        h = hashlib.sha256()
        for node in range(64):
            h.update(struct.pack("<14I", *drg_parents(number, node), *exp_parents(number, node)))
        assert h.hexdigest() == digest, number
    # the reference's own vector: 2^10 nodes, a set of 21
    values = [v.to_bytes(32, "little") for v in (55, 101)] + [bytes([1]) * 32]
    found = [to_node(synthetic_digest(*values, j, 21), 1 << 10) for j in range(10)]
    assert found == [176, 781, 801, 986, 290, 211, 692, 856, 986, 332], found


def main():
    if sys.argv[1:] == ["check"]:
        return check()
    for number in (2, 3, 4, 7, 8, 9, 13, 19):
        for node in (2, 777777, (1 << LG_NODES[number % 5]) - 1):
            parents = drg_parents(number, node) + exp_parents(number, node)
            print(f"{{{number}, {node}u, {{{', '.join(f'{p}u' for p in parents)}}}}},")
    values = [bytes([b]) * 31 + b"\0" for b in (0x55, 0xAA)] + [bytes([1]) * 32]
    for number in (2, 3, 4, 8, 9, 12, 13, 14, 17, 18, 19):
        c = 18 if number % 5 > 2 else 2
        last = {2: 0, 12: 0, 17: 12, 18: 125, 19: 125}.get(number, 9)
        row = [challenge(number, *values, j) for j in (0, c - 1, last * c, last * c + c - 1)]
        print(f"{{{number}, {last}, {{{', '.join(f'{p}u' for p in row)}}}}},")
    return None


if __name__ == "__main__":
    main()
