# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/fetch_blst.sh with registries made up here: each way, their order, and what is refused."""
import base64
import functools
import hashlib
import http.server
import io
import os
import shutil
import subprocess
import tarfile
import threading
import zipfile

from harness import ROOT, Case, main

FILES = {"bindings/blst.h": b"h", "bindings/blst_aux.h": b"aux", "src/server.c": b"c",
         "src/vect.h": b"v", "build/assembly.S": b"s", "build/elf/mul.s": b"m"}
BEFORE = {**FILES, "src/server.c": b"of the release before"}
CARGO = """#!/bin/sh
if [ "$1" = --version ]; then echo "cargo 1.{minor}.0 (somewhere)"; exit; fi
echo "$RUSTC_BOOTSTRAP $CARGO_REGISTRIES_CRATES_IO_PROTOCOL $*" >>"$HOME/said"
if [ -f "$HOME/crate" ]; then
    mkdir -p "$CARGO_HOME/registry/cache/there"
    cp "$HOME/crate" "$CARGO_HOME/registry/cache/there/blst-9.9.9.crate"
else
    echo "error: no route to the index" >&2
    exit 101
fi
"""
GO = """#!/bin/sh
if [ -f "$HOME/module" ]; then
    printf '{\\n\\t"Zip": "%s",\\n\\t"Sum": "h1:x"\\n}\\n' "$HOME/module"
else
    printf '{\\n\\t"Error": "no route to the proxy"\\n}\\n'
    exit 1
fi
"""


def tree_digest(files):
    lines = [f"{hashlib.sha256(files[n]).hexdigest()}  ./{n}\n" for n in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def tar_of(folder, files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return out.getvalue()


def zip_of(folder, files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{folder}/{name}", content)
    return out.getvalue()


class Index(http.server.SimpleHTTPRequestHandler):
    """A simple index that wants a name and a password."""

    def do_GET(self):
        wanted = "Basic " + base64.b64encode(b"who:what").decode()
        if self.headers["Authorization"] != wanted:
            self.send_error(401)
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


class FetchBlst(Case):
    def setUp(self):
        super().setUp()
        self.home = self.dir
        for name in ("tree/tools", "tree/deps", "bin", "index/simple/ckzg"):
            (self.home / name).mkdir(parents=True)
        for name in ("fetch_blst.sh", "fetch_sdist.py"):
            shutil.copy(ROOT / "tools" / name, self.home / "tree/tools" / name)
        self.dest = self.home / "tree/.deps/blst"
        extra = {"LICENSE": b"l", "src/asm/mul.pl": b"p", "bindings/go/blst.go": b"g"}
        self.crate = tar_of("blst-9.9.9/blst", FILES)
        self.module = zip_of("github.com/supranational/blst@v9.9.9", {**FILES, **extra})
        self.sdist = tar_of("ckzg-1.2.3", {
            "setup.py": f"open({str(self.home / 'was_run')!r}, 'w')".encode(),
            **{f"blst/{n}": c for n, c in {**BEFORE, **extra}.items()}})
        self.pin = {"version": "9.9.9", "tree": tree_digest(FILES),
                    "crate_sha256": hashlib.sha256(self.crate).hexdigest(),
                    "go_sha256": hashlib.sha256(self.module).hexdigest(),
                    "ckzg_version": "1.2.3", "ckzg_blst": "9.9.8",
                    "ckzg_sha256": hashlib.sha256(self.sdist).hexdigest(),
                    "ckzg_tree": tree_digest(BEFORE)}
        self.program("cargo", CARGO.format(minor=65))
        self.program("go", GO)
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Index, directory=self.home / "index"))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.index = f"http://who:what@127.0.0.1:{server.server_port}/simple"

    def program(self, name, text):
        (self.home / "bin" / name).write_text(text)
        (self.home / "bin" / name).chmod(0o755)

    def serve(self, crate=None, module=None, sdist=None):
        for name, content in (("crate", crate), ("module", module)):
            (self.home / name).unlink(missing_ok=True)
            if content:
                (self.home / name).write_bytes(content)
        folder = self.home / "index/simple/ckzg"
        link = '<a href="ckzg-1.2.3.tar.gz#sha256=0">ckzg</a>' if sdist else ""
        (folder / "index.html").write_text(f'<a href="ckzg-1.2.2.tar.gz">ckzg</a>{link}')
        (folder / "ckzg-1.2.3.tar.gz").write_bytes(sdist or b"")

    def fetch(self, *ways):
        pin = "".join(f"{name}={value}\n" for name, value in self.pin.items())
        (self.home / "tree/deps/blst.pin").write_text(pin)
        shutil.rmtree(self.home / ".cargo", ignore_errors=True)
        kept = {n: v for n, v in os.environ.items()
                if not n.startswith(("PIP_", "CARGO_")) and not n.lower().endswith("_proxy")}
        env = {**kept, "HOME": str(self.home), "CARGO_HOME": str(self.home / ".cargo"),
               "PATH": f"{self.home}/bin:{os.environ['PATH']}", "PIP_CONFIG_FILE": os.devnull,
               "PIP_INDEX_URL": self.index}
        return subprocess.run([self.home / "tree/tools/fetch_blst.sh", *ways], env=env,
                              capture_output=True, text=True)

    def expect(self, done, files, way):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"by way of {way}", done.stdout)
        found = {str(p.relative_to(self.dest)): p.read_bytes()
                 for p in self.dest.rglob("*") if p.is_file() and p.name != ".sha256"}
        self.assertEqual(found, files)
        self.assertFalse((self.home / "was_run").exists())

    def expect_refused(self, done, *texts):
        self.assertEqual(done.returncode, 2, done.stdout)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertFalse(self.dest.exists())

    def test_each_way_gives_its_release(self):
        self.serve(self.crate, self.module, self.sdist)
        for way, files in (("cargo", FILES), ("go", FILES), ("pypi", BEFORE), ("cargo", FILES)):
            with self.subTest(way=way):
                self.expect(self.fetch(way), files, way)

    def test_ways_are_tried_in_turn(self):
        spoiled = bytes([*self.crate[:-1], self.crate[-1] ^ 1])
        for crate, module, way, files in ((self.crate, None, "cargo", FILES),
                                          (None, self.module, "go", FILES),
                                          (spoiled, self.module, "go", FILES),
                                          (None, None, "pypi", BEFORE)):
            with self.subTest(way=way):
                shutil.rmtree(self.dest, ignore_errors=True)
                self.serve(crate, module, self.sdist)
                self.expect(self.fetch(), files, way)

    def test_what_is_there_is_not_fetched_again(self):
        for way in ("cargo", "pypi"):
            self.serve(self.crate, None, self.sdist)
            self.expect(self.fetch(way), FILES if way == "cargo" else BEFORE, way)
            self.serve()
            done = self.fetch()
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.pin["version"] = "9.9.10"
        self.pin["tree"] = self.pin["ckzg_tree"] = "0" * 64
        self.assertEqual(self.fetch().returncode, 2)

    def test_spoiled_package_files_are_refused(self):
        whole = {"crate": self.crate, "module": self.module, "sdist": self.sdist}
        for name, way in (("crate", "cargo"), ("module", "go"), ("sdist", "pypi")):
            for at in (0, len(whole[name]) // 2, len(whole[name]) - 1):
                spoiled = bytearray(whole[name])
                spoiled[at] ^= 1
                self.serve(**{name: bytes(spoiled)})
                self.expect_refused(self.fetch(way), f"{way}: ", "SHA-256")
            self.serve(**{name: whole[name][:-1]})
            self.expect_refused(self.fetch(way), f"{way}: ", "SHA-256")

    def test_other_sources_in_a_pinned_package_are_refused(self):
        self.serve(self.crate, self.module, self.sdist)
        right = self.pin["tree"]
        self.pin["tree"] = self.pin["ckzg_tree"] = tree_digest({**FILES, "src/more.c": b""})
        for way in ("cargo", "go", "pypi"):
            self.expect_refused(self.fetch(way), "its files give SHA-256", self.pin["tree"])
        self.expect_refused(self.fetch(), right)

    def test_when_nothing_works_each_way_says_why(self):
        self.serve()
        self.expect_refused(self.fetch(), "blst 9.9.9 could not be fetched",
                            "cargo: cargo fetch: error: no route to the index",
                            "go: go mod download", "no route to the proxy",
                            "ckzg-1.2.3.tar.gz is not in the index", "pkg-config",
                            "-DCUZK_BLST_DIR")
        self.index = self.index.replace("who:what", "who:else")
        done = self.fetch()
        self.expect_refused(done, "401")
        self.assertNotIn("else", done.stderr)
        self.expect_refused(self.fetch("crago"), "crago: none of cargo, go, pypi")

    def test_old_cargo_is_asked_for_the_sparse_index(self):
        for minor, words in ((65, "1 sparse -Z sparse-registry fetch"), (69, " sparse fetch"),
                             (95, " sparse fetch")):
            self.serve(self.crate)
            self.program("cargo", CARGO.format(minor=minor))
            self.expect(self.fetch("cargo"), FILES, "cargo")
            self.assertIn(words, (self.home / "said").read_text().splitlines()[-1])


main()
