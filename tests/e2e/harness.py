# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the end-to-end tests share: running the programs, the golden cases, a scratch folder."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests/golden"
CUZK = os.environ.get("CUZK", str(ROOT / "build/release/src/cli/cuzk"))
BENCH = os.environ.get("CUZK_BENCH", str(ROOT / "build/release/src/bench/cuzk-bench"))
PARAMS = pathlib.Path(os.environ.get("CUZK_TEST_PARAMS", ROOT / "build/release/test-params"))
ORACLE = os.environ.get("CUZK_ORACLE", "")
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


def golden(case, name):
    path = GOLDEN / case / name
    return json.loads(path.read_text()) if name.endswith(".json") else path.read_text().strip()


def run(*args, stdin=None, env=None, program=None):
    """Runs cuzk; returns (exit code, stdout bytes, stderr text)."""
    done = subprocess.run([program or CUZK, *map(str, args)], input=stdin, capture_output=True,
                          env={**os.environ, **(env or {})}, timeout=900)
    return done.returncode, done.stdout, done.stderr.decode()


def wait_until_at_work(process):
    """Until a cuzk that proves has its parameters open, or has ended."""
    fds = pathlib.Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        try:
            if any(os.readlink(fd).endswith(".params") for fd in fds.iterdir()):
                return
        except OSError:
            pass  # it was closed meanwhile
        time.sleep(0.001)


class Case(unittest.TestCase):
    """A test with a scratch folder and checks on exit codes and messages."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def file(self, name, content):
        path = self.dir / name
        if isinstance(content, str):
            content = content.encode()
        elif not isinstance(content, bytes):
            content = json.dumps(content).encode()
        path.write_bytes(content)
        return path

    def good(self, *args, **kw):
        code, out, err = run(*args, **kw)
        self.assertEqual(code, 0, f"{args}\n{err}")
        return out

    def bad(self, code, words, *args, **kw):
        """Expects this exit code and one line on stderr that has all of the words."""
        got, out, err = run(*args, **kw)
        self.assertEqual(got, code, f"{args}\n{out[:500]}\n{err}")
        lines = [line for line in err.splitlines() if line]
        self.assertTrue(lines, f"no message: {args}")
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, lines[-1])
        self.assertNotIn("Sanitizer", err)
        return lines[-1]


class Post:
    """A PoSt case of the golden folder as arguments of prove, witness and verify."""

    def __init__(self, name):
        self.name = name
        self.case = golden(name, "case.json")
        self.kind = "winning" if name.startswith("winning") else "window"
        self.size = self.case["sector_size"]
        self.vanilla = golden(name, "vanilla.json")
        self.vanilla_file = GOLDEN / name / "vanilla.json"
        self.sectors = [f"{s['sector_number']}:{s['comm_r']}" for s in self.case["sectors"]]

    def who(self, **changes):
        values = {"miner-id": self.case["miner_id"], "randomness": self.case["randomness"]}
        if "v1" in self.name:
            values["registered-proof"] = self.case["registered_proof"]
        else:
            values["sector-size"] = self.size
        values.update({k.replace("_", "-"): v for k, v in changes.items()})
        return [w for k, v in values.items() if v is not None for w in (f"--{k}", v)]

    def prove(self, out, vanilla=None, params=PARAMS, extra=(), **changes):
        return ["prove", self.kind, *self.who(**changes), "--vanilla",
                vanilla or self.vanilla_file, "--params", params, "-o", out, *extra]

    def witness(self, vanilla=None, **changes):
        return ["witness", self.kind, *self.who(**changes), "--vanilla",
                vanilla or self.vanilla_file, "--json"]

    def verify(self, proof, sectors=None, params=PARAMS, extra=(), **changes):
        listed = [w for s in (self.sectors if sectors is None else sectors)
                  for w in ("--sector", s)]
        return ["verify", self.kind, *self.who(**changes), *listed, "--proof", proof, "--params",
                params, *extra]


class Porep:
    """A PoRep case of the golden folder, likewise."""

    def __init__(self, name):
        self.case = golden(name, "case.json")
        self.c1_file = GOLDEN / name / "c1.json"

    def who(self, **changes):
        values = {"miner-id": self.case["miner_id"], "sector-number": self.case["sector_number"]}
        values.update({k.replace("_", "-"): v for k, v in changes.items()})
        return [w for k, v in values.items() if v is not None for w in (f"--{k}", v)]

    def prove(self, out, c1=None, params=PARAMS, extra=(), **changes):
        return ["prove", "porep", *self.who(**changes), "--c1", c1 or self.c1_file, "--params",
                params, "-o", out, *extra]

    def witness(self, c1=None, **changes):
        return ["witness", "porep", *self.who(**changes), "--c1", c1 or self.c1_file, "--json"]

    def verify(self, proof, params=PARAMS, extra=(), **changes):
        values = {"registered-proof": self.case["registered_seal_proof"],
                  **{k.replace("_", "-"): self.case[k] for k in ("comm_r", "comm_d", "ticket")}}
        if "NonInteractive" not in self.case["registered_seal_proof"]:
            values["seed"] = self.case["seed"]
        values.update({k.replace("_", "-"): v for k, v in changes.items()})
        return ["verify", "porep", *self.who(**values), "--proof", proof, "--params", params,
                *extra]


class Update:
    """A sector update of the golden folder, likewise."""

    def __init__(self, name):
        self.case = golden(name, "case.json")
        self.vanilla = golden(name, "vanilla.json")
        self.vanilla_file = GOLDEN / name / "vanilla.json"

    def who(self, **changes):
        values = {"sector-size": self.case["sector_size"],
                  **{k.replace("_", "-"): self.case[k]
                     for k in ("comm_r_old", "comm_r_new", "comm_d_new")}}
        values.update({k.replace("_", "-"): v for k, v in changes.items()})
        return [w for k, v in values.items() if v is not None for w in (f"--{k}", v)]

    def prove(self, out, vanilla=None, params=PARAMS, extra=(), **changes):
        return ["prove", "update", *self.who(**changes), "--vanilla", vanilla or self.vanilla_file,
                "--params", params, "-o", out, *extra]

    def witness(self, vanilla=None, **changes):
        return ["witness", "update", *self.who(**changes), "--vanilla",
                vanilla or self.vanilla_file, "--json"]

    def verify(self, proof, params=PARAMS, extra=(), **changes):
        return ["verify", "update", *self.who(**changes), "--proof", proof, "--params", params,
                *extra]


def main():
    unittest.main(argv=[sys.argv[0], "-v"])
