# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The daemon as Curio calls it: a Go program with grpc-go and stubs made from the proto file, one
connection, Prove with deadlines, the same id and bytes again (tests/go/node.go). Proofs are
verified by cuzk verify.

Needs go, and Debian's golang-google-grpc-dev with what it depends on."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import unittest

from daemon_harness import GOLDEN, PARAMS, ROOT, Case, Daemon, Porep, Post, main
from harness import Update

LARGE = any(PARAMS.glob("*stacked-proof-of-replication*.params"))
GOCODE = pathlib.Path("/usr/share/gocode")
GENERATOR = "github.com/golang/protobuf/protoc-gen-go"
WORK = pathlib.Path(os.environ.get("CUZK_BUILD", ROOT / "build/release")) / "go"
WINNING, WINDOW = Post("winning-2KiB"), Post("window-2KiB")


def skip_without_go():
    missing = [what for what, is_there in (
        ("go", shutil.which("go")), ("protoc", shutil.which("protoc")),
        ("golang-google-grpc-dev", (GOCODE / "src/google.golang.org/grpc").exists()),
        ("protoc-gen-go 1.3", (GOCODE / "src" / GENERATOR / "grpc").exists())) if not is_there]
    if missing:
        print("skipped: no " + ", ".join(missing) + " (tools/install_packages.sh --go)")
        sys.exit(77)


def build_node():
    """The program's path; all that it is built from but its own source is Debian's."""
    env = {**os.environ, "GO111MODULE": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "",
           "GOPATH": f"{WORK}:{GOCODE}", "GOCACHE": str(WORK / "cache"), "CGO_ENABLED": "0"}
    source = WORK / "src"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    subprocess.run(["go", "build", "-o", WORK / "protoc-gen-go", GENERATOR], check=True, env=env)
    subprocess.run(["protoc", f"--plugin={WORK / 'protoc-gen-go'}",
                    f"--proto_path={ROOT / 'proto'}", f"--go_out=plugins=grpc:{source}",
                    ROOT / "proto/cuzk/v1/proving.proto"], check=True)
    shutil.copytree(ROOT / "tests/go", source / "node")
    subprocess.run(["go", "vet", "node"], check=True, env=env)
    subprocess.run(["go", "build", "-o", WORK / "node", "node"], check=True, env=env)
    return WORK / "node"


skip_without_go()
NODE = build_node()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Node(Case):
    def serve(self, listen=None, **keys):
        self.daemon = Daemon(self.dir, listen=listen, **keys)
        self.daemon.start()
        self.addCleanup(self.daemon.__exit__)
        self.address = self.daemon.listen if listen is None else f"dns:///{listen}"

    def begin(self, scenario):
        return subprocess.Popen([NODE, self.address, GOLDEN, self.dir, scenario],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def node(self, scenario):
        process = self.begin(scenario)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, f"{out}\n{err}\n{self.daemon.text()}")
        return [json.loads(line) for line in out.splitlines()]

    def check(self, answer):
        name, proof = answer["case"], answer["file"]
        if name.startswith("porep"):
            self.good(*Porep(name).verify(proof))
        elif name.startswith("update"):
            self.good(*Update(name).verify(proof))
        else:
            post = Post(name)
            self.good(*post.verify(proof, sectors=post.sectors[answer["first"]:answer["end"]]))


class Curio(Node):
    def test_posts_over_a_socket(self):
        self.serve()
        answers = self.node("posts")
        self.assertEqual(len(answers), 8)
        by_job = {}
        for answer in answers:
            self.check(answer)
            by_job.setdefault(answer["job_id"], set()).add(answer["proof"])
        self.assertEqual(len(by_job), 4)  # what is asked for again is the same job
        self.assertTrue(all(len(proofs) == 1 for proofs in by_job.values()), "one proof a job")

    def test_posts_over_tcp(self):
        self.serve(listen=f"127.0.0.1:{free_port()}")
        for answer in self.node("posts"):
            self.check(answer)

    @unittest.skipUnless(LARGE, "no parameters of PoRep and update")
    def test_all_kinds_at_once(self):
        self.serve()
        answers = self.node("sealing")
        self.assertEqual(len(answers), 6)
        for answer in answers:
            self.check(answer)

    def test_a_post_that_is_left_is_cancelled_and_made_anew(self):
        self.serve()
        for answer in self.node("retry-posts"):
            self.check(answer)
        self.assertEqual(self.daemon.text().count(": cancelled: "), 2, self.daemon.text())

    @unittest.skipUnless(LARGE, "no parameters of PoRep and update")
    def test_a_porep_that_is_left_goes_on(self):
        self.serve()
        answers = self.node("retry-porep")
        self.check(answers[0])
        text = self.daemon.text()
        self.assertEqual((text.count("begun after"), text.count(": cancelled: ")), (1, 0), text)

    def test_the_count_is_right_at_once(self):
        self.serve()
        for line in self.node("counts"):
            # some may be done already, never one too many
            self.assertLessEqual(line["in_flight"], line["submitted"])
            self.assertGreaterEqual(line["in_flight"], line["submitted"] - 2, line)

    def test_a_refusal_has_its_reason(self):
        self.serve()
        answer = self.node("refused")[0]
        self.assertEqual(answer["code"], "InvalidArgument")
        self.assertIn("challenge", answer["text"])

    def test_the_connection_outlives_the_daemon(self):
        self.serve()
        process = self.begin("on-demand")
        self.addCleanup(process.kill)

        def ask(word):
            process.stdin.write(word + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        self.check(ask("one"))
        self.daemon.kill()
        self.assertEqual(ask("two")["code"], "Unavailable")
        self.daemon.restart()
        end = time.monotonic() + 30
        while "file" not in (answer := ask("two")):
            self.assertLess(time.monotonic(), end, answer)
            time.sleep(0.1)  # grpc-go does not try at once again
        self.check(answer)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, err)


main()
