# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What makes cuzk handy: completion, manual pages, version, doctor, progress, lists of files."""
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import time

from harness import CUZK, GOLDEN, PARAMS, Case, Post, main, run

SIZES = ["2KiB", "8MiB", "512MiB", "32GiB", "64GiB"]
KINDS = ["porep", "update", "winning", "window"]


def commands():
    """Name and summary of each command, as --help lists them."""
    text = run("--help")[1].decode()
    return dict(re.findall(r"^  (\w+) +(.*)$", text, re.M))


def options(command):
    """Name, argument and help of each option of a command, as its --help lists them."""
    text = run(command, "--help")[1].decode()
    rows = re.findall(r"^  (-[\w-]+)(?: (\S+))?(?:\n {30}|  +)(\S.*)$", text, re.M)
    return [(name, argument or None, told) for name, argument, told in rows]


class Completion(Case):
    def setUp(self):
        super().setUp()
        self.script = self.file("cuzk.bash", self.good("completion", "bash"))

    def complete(self, *words, folder=None):
        """What bash offers for the last of the words."""
        code = (f"source {self.script} || exit 1; COMP_WORDS=(\"$@\"); "
                "COMP_CWORD=$(($# - 1)); _cuzk; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-c", code, "bash", "cuzk", *words], capture_output=True,
                              text=True, cwd=folder or self.dir, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.splitlines() if line]

    def test_commands(self):
        self.assertEqual(set(self.complete("")), {*commands(), "--help", "--version"})
        self.assertEqual(self.complete("pro"), ["prove"])
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("nonsense", ""), [])
        self.assertEqual(set(self.complete("man", "")), set(commands()))

    def test_options(self):
        for command in commands():
            rows = options(command)
            names = {name for name, _, _ in rows}
            self.assertEqual(set(self.complete(command, "-")), names | {"--help"}, command)
            for name, argument, _ in rows:
                if argument and "|" in argument and argument != "N|NAME":
                    words = argument.split("|")
                    self.assertEqual(self.complete(command, name, ""), words)
                    self.assertEqual(self.complete(command, name, "=", words[-1][:2]),
                                     [w for w in words if w.startswith(words[-1][:2])])
                    self.assertEqual(self.complete(command, name, "="), words)
                elif argument and argument not in ("FILE", "DIR"):
                    self.assertEqual(self.complete(command, name, ""), [], (command, name))
        self.assertEqual(self.complete("prove", "window", "--sector-size", "3"), ["32GiB"])

    def test_first_words(self):
        for command in ("prove", "verify", "setup", "circuit", "witness"):
            self.assertEqual(self.complete(command, ""), KINDS)
            self.assertEqual(self.complete(command, "wi"), ["winning", "window"])
            self.assertEqual(self.complete(command, "--sector-size", "2KiB", ""), KINDS)
            self.assertEqual(self.complete(command, "--sector-size", "=", "2KiB", ""), KINDS)
            self.assertEqual(self.complete(command, "--json", ""), KINDS)
            self.assertNotIn("porep", self.complete(command, "porep", ""))
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.complete("params", ""), ["check", "list", "fetch-list"])

    def test_files_and_folders(self):
        self.file("c1 of mine.json", "")
        self.file("other", "")
        (self.dir / "c-folder").mkdir()
        both = ["c-folder", "c1 of mine.json"]
        self.assertEqual(sorted(self.complete("prove", "porep", "--c1", "c")), both + ["cuzk.bash"])
        self.assertEqual(sorted(self.complete("prove", "porep", "--c1", "=", "c1")), both[1:])
        self.assertEqual(self.complete("prove", "porep", "-o", "o"), ["other"])
        self.assertEqual(self.complete("prove", "--params", "c"), ["c-folder"])
        self.assertEqual(self.complete("params", "check", "o"), ["other"])

    def test_scripts_of_all_shells(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.file(f"script.{shell}", self.good("completion", shell))
            text = script.read_text()
            for command in commands():
                for name, _, _ in options(command):
                    bare = name.lstrip("-")
                    plain = name if shell != "fish" else f"-{'ls'[len(bare) == 1]} {bare}"
                    self.assertIn(plain, text, (shell, command))
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", script], capture_output=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, b""), shell)
        self.bad(2, ["SHELL", "tcsh", "bash, zsh, fish"], "completion", "tcsh")
        self.bad(2, "SHELL", "completion")


class Manual(Case):
    def plain(self, source):
        """The words of a page as a terminal would show them."""
        if shutil.which("groff") is None:
            return None
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-P-cbou", "-rLL=200n"],
                              input=source, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return " ".join(done.stdout.decode().split())

    def test_pages_say_what_help_says(self):
        for command, summary in commands().items():
            page = self.good("man", command)
            text = page.decode()
            self.assertTrue(text.startswith(f'.TH "CUZK\\-{command.upper()}" 1 '), command)
            shown = self.plain(page)
            for name, argument, told in options(command):
                entry = f".TP\n\\fB{name}\\fR" + (f" \\fI{argument}\\fR" if argument else "")
                self.assertIn(f"{entry}\n{told}\n".replace("-", "\\-"), text.replace("\\&", ""))
                if shown:
                    self.assertIn(f"{name}{f' {argument}' if argument else ''} {told}", shown)
            for section in ("NAME", "SYNOPSIS", "NOTES", "SEE ALSO"):
                self.assertIn(f".SH {section}\n", text)
            if shown:
                self.assertIn(f"cuzk-{command} - {summary}", shown)
                notes = self.good(command, "--help").decode().split("\n\n", 2)[-1]
                for line in notes.splitlines():
                    if not line.startswith("  -") and not line.startswith("    "):
                        self.assertIn(" ".join(line.split()), shown, command)

    def test_the_page_of_the_program(self):
        page = self.good("man")
        self.assertTrue(page.startswith(b'.TH "CUZK" 1 '))
        shown = self.plain(page)
        for command, summary in commands().items():
            self.assertIn(f".B {command}\n".encode(), page)
            if shown:
                self.assertIn(f"{command} {summary}", shown)
        self.bad(2, ["nonsense", "cuzk --help"], "man", "nonsense")
        self.bad(2, "one word too many", "man", "prove", "verify")


class Version(Case):
    def test_plain_and_json(self):
        line = self.good("--version")
        self.assertEqual(self.good("version"), line)
        told = json.loads(self.good("version", "--json"))
        self.assertEqual(f"cuzk {told['version']} (kernels: {told['kernels']['used']})\n".encode(),
                         line)
        self.assertRegex(told["build"]["compiler"], r"^(GCC|clang) \d")
        self.assertRegex(told["build"]["commit"], r"^([0-9a-f]{7,40}(-dirty)?|unknown|\S+)$")
        self.assertTrue(told["build"]["type"] and told["build"]["flags"].startswith("-"))
        self.assertEqual(set(told["libraries"]),
                         {"blst", "simdjson", "libcrypto", "libtomcrypt", "libc"})
        for name, version in told["libraries"].items():
            self.assertRegex(version, r"\d|^of ", name)
        slow = json.loads(self.good("version", "--json", env={"CUZK_KERNELS": "portable"}))
        self.assertEqual(slow["kernels"]["used"], "portable")
        self.assertEqual(slow["kernels"]["available"], told["kernels"]["available"])
        self.bad(2, "unknown option", "version", "--jsn")


class Doctor(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.dir / "temporary"
        self.folder = self.dir / "params"
        self.temporary.mkdir()
        self.folder.mkdir()

    def doctor(self, code=0, folder=None, **env):
        env = {"TMPDIR": str(self.temporary), **env}
        got, out, err = run("doctor", "--params", folder or self.folder, "--json", env=env)
        self.assertEqual((got, err), (code, ""), out)
        self.assertEqual(list(self.temporary.glob("*")), [])
        told = json.loads(out)
        self.assertEqual(told["good"], code == 0)
        self.assertEqual(any(f["verdict"] == "bad" for f in told["findings"]), code != 0)
        for finding in told["findings"]:
            if finding["verdict"] != "ok":
                self.assertTrue(finding["advice"], finding)
        return told["findings"]

    def of(self, findings, what):
        return [f for f in findings if f["what"] == what]

    def keys(self, name="window-2KiB"):
        circuit = json.loads((GOLDEN / name / "case.json").read_text())["parameter_id"]
        return self.folder / f"v28-{circuit}.params", self.folder / f"v28-{circuit}.vk"

    def test_a_good_machine(self):
        found = self.doctor()
        self.assertEqual([f["what"] for f in found], ["kernels", "threads", "memory", "huge pages",
                                                      "disk", "parameters", "proof"])
        self.assertIn(str(self.folder), self.of(found, "disk")[0]["text"])
        self.assertRegex(self.of(found, "proof")[0]["text"], r"^2 made in [\d.]+ s and verified$")
        self.assertEqual(self.of(found, "parameters")[0]["text"], f"none in {self.folder}")
        self.assertEqual(list(self.folder.iterdir()), [])
        text = self.good("doctor", "--params", self.folder).decode()
        self.assertRegex(text, r"(?m)^ok    proof ")
        self.assertTrue(text.endswith("\nnothing is bad\n"))

    def test_kernels(self):
        available = json.loads(self.good("version", "--json"))["kernels"]["available"]
        found = self.of(self.doctor(CUZK_KERNELS="portable"), "kernels")[0]
        self.assertEqual(found["verdict"], "note")
        self.assertEqual("CUZK_KERNELS" in found["advice"], available != "portable")

    def test_parameters(self):
        params, key = self.keys()
        shutil.copy(PARAMS / params.name, params)
        found = self.of(self.doctor(), "parameters")[0]
        self.assertEqual((found["verdict"], found["text"]),
                         ("note", "wpost-2k: the .vk file is missing"))
        shutil.copy(PARAMS / key.name, key)
        found = self.of(self.doctor(), "parameters")[0]
        self.assertEqual((found["verdict"], found["text"]),
                         ("note", "wpost-2k: there, but not the public network's"))
        data = bytearray(key.read_bytes())
        for changed, words in ((data[:-1], "has 3075 bytes, expected 3076"),
                               (data[:-40] + bytes([data[-40] ^ 1]) + data[-39:], ".vk: ")):
            key.write_bytes(changed)
            found = self.of(self.doctor(2), "parameters")[0]
            self.assertEqual(found["verdict"], "bad")
            self.assertIn(words, found["text"])
        self.good("setup", "window", "--sector-size", "2KiB", "--params", self.temporary)
        (self.temporary / key.name).rename(key)
        (self.temporary / params.name).unlink()
        found = self.of(self.doctor(2), "parameters")[0]
        self.assertIn("two setups", found["text"])
        params.unlink()
        params.mkdir()
        found = self.of(self.doctor(2), "parameters")[0]
        self.assertIn("not a readable file", found["text"])

    def test_folders_that_are_not_there(self):
        found = self.doctor(folder=self.dir / "none")
        self.assertIn(str(self.temporary), self.of(found, "disk")[0]["text"])
        code, out, _ = run("doctor", "--params", self.folder, env={"TMPDIR": "/proc/none"})
        self.assertEqual(code, 2)
        self.assertRegex(out.decode(), r"(?m)^bad   proof .*\n +-> set TMPDIR")
        self.bad(2, "word too many", "doctor", "porep")

    def test_signals_leave_nothing(self):
        env = {**os.environ, "TMPDIR": str(self.temporary)}
        process = subprocess.Popen([CUZK, "doctor", "--params", self.folder], env=env,
                                   stdout=subprocess.DEVNULL)
        while process.poll() is None and not any(self.temporary.iterdir()):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)
        self.assertEqual(list(self.temporary.iterdir()), [])


class Progress(Case):
    def on_terminal(self, *words, columns=80, **env):
        """Runs cuzk with a terminal as standard error; returns what was written to it."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        start = time.monotonic()
        process = subprocess.Popen([CUZK, *map(str, words)], stdout=subprocess.DEVNULL,
                                   stderr=theirs, env={**os.environ, **env})
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            text += piece
        os.close(ours)
        self.assertEqual(process.wait(timeout=600), 0, text)
        return text.decode(), time.monotonic() - start

    def drawn(self, text, seconds, columns):
        """The lines that were drawn one over the other; all is erased in the end."""
        self.assertNotIn("\x1b", text)
        shown, at = [], 0
        line = [" "] * columns
        for piece in re.split("(\r)", text.split("\n")[-1]):
            if piece == "\r":
                at = 0
                continue
            self.assertLess(at + len(piece), columns)
            line[at:at + len(piece)] = piece
            at += len(piece)
            if piece.strip():
                shown.append("".join(line).rstrip())
                self.assertEqual(shown[-1], piece.rstrip())
        self.assertEqual("".join(line).strip(), "")
        self.assertLessEqual(len(shown), 10 * seconds + 2)
        return shown

    def prove(self, **env):
        post = Post("window-2KiB")
        return [*post.prove(self.dir / "p"), "--threads", 1], {"CUZK_KERNELS": "portable", **env}

    def test_prove(self):
        for columns, term in ((80, "xterm"), (30, "dumb"), (80, "dumb"), (12, "xterm")):
            words, env = self.prove(TERM=term)
            text, seconds = self.on_terminal(*words, columns=columns, **env)
            shown = self.drawn(text, seconds, columns)
            self.assertTrue(shown, text)
            self.assertTrue(all(re.match(r"(queued|parse|check|plan|synthesis|h|msm|verify)\b",
                                         line) for line in shown if columns > 12), shown)
            if columns == 80:
                numbers = [int(n) for n in re.findall(r"partition [12] of 2, (\d+)%", str(shown))]
                self.assertTrue(numbers, shown)
                self.assertEqual(numbers, sorted(numbers))
                self.assertTrue(all(0 <= n <= 100 for n in numbers))
                if seconds > 4:
                    self.assertRegex(str(shown), r"%, \d+ s left")

    def test_setup_and_check(self):
        text, seconds = self.on_terminal("setup", "winning", "--sector-size", "2KiB", "--params",
                                         self.dir, "--threads", 1, CUZK_KERNELS="portable")
        shown = self.drawn(text, seconds, 80)
        self.assertTrue(all(re.fullmatch(r"\w+: \d+%(, \d+ \w+ left)?", line) for line in shown))
        self.assertIn("INSECURE", text)
        text, seconds = self.on_terminal("params", "check", next(self.dir.glob("*.params")),
                                         "--threads", 1, CUZK_KERNELS="portable")
        shown = self.drawn(text, seconds, 80)
        self.assertRegex(str(shown), r"points: \d+%")

    def test_where_there_is_none(self):
        words, env = self.prove()
        for more in (["--quiet"], ["--json"]):
            self.assertEqual(self.on_terminal(*words, *more, **env)[0], "")
        code, _, err = run(*words, env=env)
        self.assertEqual((code, err), (0, ""))
        code, _, err = run("setup", "window", "--sector-size", "2KiB", "--params", self.dir)
        self.assertEqual((code, err.count("\n")), (0, 1))
        self.assertIn("INSECURE", err)
        self.assertEqual(run("params", "check", next(self.dir.glob("*.params")))[2], "")


class Lists(Case):
    def rows(self, *words):
        return json.loads(self.good("params", "list", "--params", self.dir, "--json", *words))

    def test_list(self):
        rows = self.rows()
        self.assertEqual(len(rows), 2 * len(KINDS) * len(SIZES))
        for row in rows:
            shape = json.loads((GOLDEN / f"shapes/{row['kind']}-{row['sector_size']}.json")
                               .read_text())
            suffix = row["name"].rsplit(".", 1)[1]
            self.assertEqual(row["name"], f"v28-{shape['parameter_id']}.{suffix}")
            self.assertEqual((row["state"], row["there"], row["found_bytes"]),
                             ("missing", False, 0))
            self.assertEqual(row["path"], str(self.dir / row["name"]))
            if suffix == "vk":
                self.assertEqual(row["bytes"], 868 + 96 * shape["inputs"])
        known = {row["name"]: row for row in rows}
        key = known["v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-8-0-"
                    "559e581f022bb4e4ec6e719e563bf0e026ad6de42e56c18714a2c692b1b88d7e.vk"]
        self.assertEqual(key["blake2b"], "fc02943678dd119e69e7fab8420e8819")
        self.assertEqual(key["circuit"], "winning-32g")
        text = self.good("params", "list", "--params", self.dir).decode()
        for row in rows:
            self.assertIn(f"{row['circuit']:<12} {row['name']}\n             {row['bytes']} bytes, "
                          f"BLAKE2b {row['blake2b']}, missing\n", text)

    def test_filters(self):
        for size in SIZES:
            self.assertEqual({r["sector_size"] for r in self.rows("--sector-size", size)}, {size})
        for kind in KINDS:
            rows = self.rows("--kind", kind)
            self.assertEqual(({r["kind"] for r in rows}, len(rows)), ({kind}, 10))
        self.assertEqual(len(self.rows("--kind", "update", "--sector-size", "8MiB")), 2)
        self.bad(2, ["--kind", "windows", "window"], "params", "list", "--kind", "windows")
        self.bad(2, ["--sector-size", "3KiB"], "params", "list", "--sector-size", "3KiB")

    def test_what_is_there(self):
        first = ("--kind", "window", "--sector-size", "2KiB")
        params, key = self.rows(*first)
        for row in (params, key):
            shutil.copy(PARAMS / row["name"], row["path"])
        self.assertEqual([r["state"] for r in self.rows(*first)],
                         ["there", "not the public network's"])
        self.assertEqual([r["found_bytes"] for r in self.rows(*first)],
                         [params["bytes"], key["bytes"]])
        lines = self.good("params", "fetch-list", "--params", self.dir, *first).decode()
        self.assertEqual([line.split("\t")[0] for line in lines.splitlines()], [key["name"]])
        os.truncate(params["path"], params["bytes"] - 1)
        self.assertEqual(self.rows(*first)[0]["state"], "wrong length")
        os.unlink(key["path"])
        os.mkfifo(key["path"])
        self.assertEqual(self.rows(*first)[1]["state"], "not a readable file")

    def test_fetch_list(self):
        words = ("params", "fetch-list", "--params", self.dir)
        lines = self.good(*words).decode().splitlines()
        rows = {row["name"]: row for row in self.rows()}
        self.assertEqual(len(lines), len(rows))
        published = json.loads(self.good(*words, "--json"))
        self.assertEqual(set(published), set(rows))
        for line in lines:
            name, cid, digest, size = line.split("\t")
            row = rows[name]
            self.assertEqual((cid, digest, int(size)), (row["cid"], row["blake2b"], row["bytes"]))
            self.assertEqual((published[name]["cid"], published[name]["digest"]), (cid, digest))
            self.assertEqual(published[name]["bytes"], row["bytes"])
        self.assertEqual({p["sector_size"] for p in published.values()},
                         {2 << 10, 8 << 20, 512 << 20, 32 << 30, 64 << 30})
        row = rows[name]
        with open(self.dir / row["name"].replace(".vk", ".params"), "wb") as file:
            file.truncate(rows[row["name"].replace(".vk", ".params")]["bytes"])
        self.assertEqual(len(self.good(*words).splitlines()), len(lines) - 1)
        self.assertEqual(len(self.good(*words, "--all").splitlines()), len(lines))

    def test_check_says_whose_a_file_is(self):
        path = next(PARAMS.glob("v28-proof-of-spacetime*.vk"))
        self.assertTrue(self.good("params", "check", path)
                        .endswith(b"\nnot the public network's\n"))
        self.assertIsNone(json.loads(self.good("params", "check", path, "--json"))["public"])

    def test_refused_words(self):
        self.bad(2, ["verify", "check, list, fetch-list"], "params", "verify")
        self.bad(2, "params", "params")
        self.bad(2, "FILE", "params", "check")
        self.bad(2, ["word too many", "x"], "params", "list", "x")
        self.bad(2, ["--all", "list"], "params", "list", "--all")
        self.bad(2, ["--params", "check"], "params", "check", "x", "--params", self.dir)
        self.bad(2, ["--kind", "check"], "params", "check", "x", "--kind", "porep")
        self.bad(2, ["--threads", "fetch-list"], "params", "fetch-list", "--threads", 1)


main()
