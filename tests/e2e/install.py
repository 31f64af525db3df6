# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The installed library: moved to a folder of its own, and used by pkg-config and by CMake."""
import base64
import os
import pathlib
import shutil
import subprocess
import tempfile

from harness import CUZK, PARAMS, ROOT, Case, Post, main

BUILD = pathlib.Path(os.environ.get("CUZK_BUILD", ROOT / "build/release"))
EXAMPLE = ROOT / "examples/prove_post.c"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(cuzk 0.2 REQUIRED)
foreach(kind cuzk cuzk_static)
  add_executable(with_${kind} %s)
  target_link_libraries(with_${kind} PRIVATE cuzk::${kind})
endforeach()
"""
# names of ours and of blst, in a program that has its own
CLASH = """int blst_fr_add, fr_add, fr_one, msm_g1, json_read, hex_encode;
int clash(void);
int clash(void) { return blst_fr_add + fr_add + fr_one + msm_g1 + json_read + hex_encode; }
"""


class Install(Case):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        made = pathlib.Path(cls.place.name) / "made"
        cls.call("cmake", "--install", BUILD, "--prefix", made)
        cls.prefix = made.rename(made.with_name("moved"))
        cls.lib = next(cls.prefix.glob("**/libcuzk.a")).parent

    @classmethod
    def call(cls, *words, **env):
        done = subprocess.run([*map(str, words)], capture_output=True, text=True,
                              env={**os.environ, **env}, timeout=600)
        if done.returncode != 0:
            raise AssertionError(f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def pkg_config(self, *words):
        return self.call("pkg-config", *words, "cuzk",
                         PKG_CONFIG_PATH=f"{self.lib / 'pkgconfig'}").split()

    def compile(self, name, libraries, *more):
        program = self.dir / name
        self.call("cc", "-std=c17", "-o", program, EXAMPLE, *more, *self.pkg_config("--cflags"),
                  *libraries)
        return program

    def check(self, program, shared, prove=False):
        """It refuses what it should, and proves; `shared`: with the installed library."""
        env = {"LD_LIBRARY_PATH": str(self.lib)} if shared else {}
        self.assertEqual("libcuzk" in self.call("ldd", program), shared)
        self.bad(2, "usage", program=program, env=env)
        post = Post("winning-2KiB")
        vanilla = base64.b64decode(post.vanilla[0])
        number, comm_r = post.sectors[0].split(":")
        words = ["0", "1000", post.case["randomness"], number, comm_r]
        cut = self.file("cut", vanilla[:-1])
        self.bad(1, "bytes", *words, cut, PARAMS, program=program, env=env)
        if prove:
            out = self.good(*words, self.file("vanilla", vanilla), PARAMS, program=program, env=env)
            self.assertTrue(out.endswith(b"valid\n"))

    def test_files(self):
        headers = {p.name for p in (ROOT / "include/cuzk").glob("*.h")}
        self.assertEqual({p.name for p in (self.prefix / "include/cuzk").iterdir()}, headers)
        self.assertLessEqual({"libcuzk.a", "libcuzk.so", "libcuzk.so.0"},
                             {p.name for p in self.lib.iterdir()})
        version = self.call("pkg-config", "--modversion", self.lib / "pkgconfig/cuzk.pc").strip()
        self.assertEqual(self.good("--version", program=self.prefix / "bin/cuzk").split()[1],
                         version.encode())
        listed = self.good("--help").decode().split("\n\n")[1]
        names = {"cuzk", *(f"cuzk-{line.split()[0]}" for line in listed.splitlines())}
        if (self.prefix / "bin/cuzk-daemon").exists():
            names.add("cuzk-daemon")
        pages = {p.name: p.read_bytes() for p in (self.prefix / "share/man/man1").iterdir()}
        self.assertEqual(set(pages), {f"{name}.1" for name in names})
        self.assertEqual(pages["cuzk-prove.1"], self.good("man", "prove"))
        for shell, place in (("bash", "bash-completion/completions/cuzk"),
                             ("zsh", "zsh/site-functions/_cuzk"),
                             ("fish", "fish/vendor_completions.d/cuzk.fish")):
            self.assertEqual((self.prefix / "share" / place).read_bytes(),
                             self.good("completion", shell))
        for header in headers:  # alone, as C and as C++
            for compiler, language in (("cc", "c"), ("c++", "c++")):
                source = self.file(f"{header}.{language}", f"#include <cuzk/{header}>\n")
                self.call(compiler, "-x", language, "-Wall", "-Wextra", "-pedantic", "-Werror",
                          "-fsyntax-only", source, *self.pkg_config("--cflags"))

    def test_pkg_config(self):
        self.check(self.compile("shared", self.pkg_config("--libs")), True)
        static = [w.replace("-lcuzk", "-l:libcuzk.a")
                  for w in self.pkg_config("--static", "--libs")]
        self.check(self.compile("static", static), False, prove=True)
        clash = self.file("clash.c", CLASH)
        self.check(self.compile("clash", static, clash), False)

    def test_cmake(self):
        self.file("CMakeLists.txt", PROJECT % EXAMPLE)
        self.call("cmake", "-S", self.dir, "-B", self.dir / "b", "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.call("cmake", "--build", self.dir / "b")
        self.check(self.dir / "b/with_cuzk", True)
        self.check(self.dir / "b/with_cuzk_static", False)


if shutil.which("pkg-config") is None or not pathlib.Path(CUZK).exists():
    raise SystemExit(77)
main()
