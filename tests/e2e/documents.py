# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every command line that the README and the help texts show is run, with a real case of 2 KiB
where they say FILE, HEX, C and so on."""
import os
import re
import shlex

from harness import BENCH, PARAMS, ROOT, Case, Porep, Post, Update, main, run

KINDS = ("porep", "update", "winning", "window")
COMMANDS = ("prove", "verify", "setup", "params", "circuit", "witness")


def joined(lines):
    """Lines of which one that ends in a backslash, or is followed by a deeper one, goes on."""
    out = []
    for line in lines:
        text = re.sub(r"\s+#.*", "", line).rstrip("\\").rstrip()
        if out and out[-1][1]:
            out[-1][0] += " " + text.strip()
            out[-1][1] = line.rstrip().endswith("\\")
        else:
            out.append([text.strip(), re.sub(r"\s+#.*", "", line).rstrip().endswith("\\")])
    return [text for text, _ in out]


def readme_lines():
    lines = [line for line in (ROOT / "README.md").read_text().splitlines()
             if line.startswith("    ")]
    return [line for line in joined(lines) if re.match(r"cuzk(-bench)? ", line)]


def help_lines(case, command):
    """Lines like "  prove porep   --c1 FILE ..."; deeper ones go on, those in words are left."""
    shown = []
    for line in case.good(command, "--help").decode().splitlines():
        if re.match(rf"  (cuzk )?{command} \S", line):
            shown.append("cuzk " + line.strip().removeprefix("cuzk "))
        elif shown and re.match(r" {8,}\S", line) and not line.strip().startswith("("):
            shown[-1] += " " + line.strip()
    return [line for line in shown if "(" not in line]


class Documents(Case):
    def setUp(self):
        super().setUp()
        post = {name: Post(f"{name}-2KiB") for name in ("winning", "window")}
        porep, update = Porep("porep-2KiB-0"), Update("update-2KiB")
        self.cases = {"porep": porep, "update": update, **post}
        self.values = {}
        for kind, case in self.cases.items():
            proof = self.dir / f"{kind}.bin"
            words = [*case.verify(proof)[2:], *case.prove(proof)[2:], "--sector-size", "2KiB"]
            self.values[kind] = {}
            for option, value in zip(words[::2], words[1::2]):
                self.values[kind][option] = [str(value)]
            self.values[kind]["-o"] = [str(self.dir / "out")]
            if kind in post:
                self.values[kind]["--sector"] = post[kind].sectors

    def prove(self, kind):
        proof = self.dir / f"{kind}.bin"
        if not proof.exists():
            self.good(*self.cases[kind].prove(proof))

    def filled(self, words, kind):
        """Options with the case's values; an option that takes several stands once for each."""
        out, values = [], self.values[kind]
        words = iter(words)
        for word in words:
            if word in values:
                next(words)
                out += [w for value in values[word] for w in (word, value)]
            elif word == "FILE":
                out.append(PARAMS / f"v28-{self.cases[kind].case['parameter_id']}.params")
            else:
                out.append(word)
        return out

    def run_line(self, line):
        program, *words = shlex.split(line.replace("|NAME", ""))
        kind = next((w for w in words if w in KINDS), "porep")
        words = self.filled(words, kind)
        if words[0] == "verify":
            self.prove(kind)
        if words[0] == "setup":
            words[words.index("--params") + 1] = str(self.dir)
        code, _, err = run(*words, program=BENCH if program == "cuzk-bench" else None)
        self.assertEqual(code, 0, f"{line}\n{words}\n{err}")

    def test_the_readme(self):
        lines = readme_lines()
        self.assertGreater(len(lines), 10)
        for command in COMMANDS:
            self.assertTrue(any(line.startswith(f"cuzk {command} ") for line in lines), command)
        for line in lines:
            with self.subTest(line):
                self.run_line(line)

    def test_help(self):
        for command, least in (("prove", 3), ("verify", 3)):
            lines = help_lines(self, command)
            self.assertGreaterEqual(len(lines), least, command)
            for line in lines:
                with self.subTest(line):
                    self.run_line(line + f" --params {shlex.quote(os.fspath(PARAMS))}")


main()
