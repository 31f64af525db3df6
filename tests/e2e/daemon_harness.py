# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of cuzk-daemon share: a daemon in a scratch folder, and a client by grpcio."""
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

try:
    import grpc
except ImportError:  # perhaps another Python comes first than the one of Debian's packages
    SYSTEM = "/usr/bin/python3"
    if sys.executable != SYSTEM and subprocess.run(
            [SYSTEM, "-c", "import grpc, google.protobuf"], capture_output=True).returncode == 0:
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
    print("skipped: no grpcio for Python (python3-grpcio, python3-protobuf)")
    sys.exit(77)

from harness import GOLDEN, PARAMS, ROOT, Post, Porep, Case, golden, main, run  # noqa: F401

DAEMON = os.environ.get("CUZK_DAEMON", str(ROOT / "build/release/src/daemon/cuzk-daemon"))
SERVICE = "cuzk.v1.ProvingEngine"
MESSAGE_BYTES = 256 << 20


def load_messages():
    """The module of the service's messages, made by protoc."""
    folder = tempfile.mkdtemp(prefix="cuzk-proto-")
    subprocess.run(["protoc", f"--proto_path={ROOT / 'proto'}", f"--python_out={folder}",
                    str(ROOT / "proto/cuzk/v1/proving.proto")], check=True)
    sys.path.insert(0, folder)
    from cuzk.v1 import proving_pb2
    return proving_pb2


pb = load_messages()
METHODS = {"SubmitProof": (pb.SubmitProofRequest, pb.SubmitProofResponse),
           "AwaitProof": (pb.AwaitProofRequest, pb.AwaitProofResponse),
           "Prove": (pb.ProveRequest, pb.ProveResponse),
           "CancelProof": (pb.CancelProofRequest, pb.CancelProofResponse),
           "GetStatus": (pb.GetStatusRequest, pb.GetStatusResponse),
           "GetMetrics": (pb.GetMetricsRequest, pb.GetMetricsResponse),
           "PreloadSRS": (pb.PreloadSrsRequest, pb.PreloadSrsResponse),
           "EvictSRS": (pb.EvictSrsRequest, pb.EvictSrsResponse)}
STATUS = pb.AwaitProofResponse.Status


class Client:
    """The eight calls as methods; each takes the fields of its request, and timeout."""

    def __init__(self, address):
        target = address.removeprefix("http://")
        self.channel = grpc.insecure_channel(target, options=[
            ("grpc.max_receive_message_length", MESSAGE_BYTES),
            ("grpc.max_send_message_length", MESSAGE_BYTES),
            ("grpc.use_local_subchannel_pool", 1)])
        self.calls = {name: self.channel.unary_unary(
            f"/{SERVICE}/{name}", request_serializer=request.SerializeToString,
            response_deserializer=reply.FromString) for name, (request, reply) in METHODS.items()}

    def call(self, name, timeout=120, **fields):
        return self.calls[name](METHODS[name][0](**fields), timeout=timeout)

    def prove(self, submit, timeout=120):
        return self.calls["Prove"](pb.ProveRequest(submit=submit), timeout=timeout).result

    def prove_later(self, submit, timeout=120):
        return self.calls["Prove"].future(pb.ProveRequest(submit=submit), timeout=timeout)

    def close(self):
        self.channel.close()


def in_flight(client):
    status = client.call("GetStatus", timeout=5)
    return sum(q.pending for q in status.queues), sum(q.in_progress for q in status.queues)


class Daemon:
    """A cuzk-daemon of its own; stopped at the end of a with block."""

    def __init__(self, folder, params=PARAMS, listen=None, text="", status=True, **keys):
        self.folder = pathlib.Path(folder)
        self.params = params
        self.listen = listen or f"unix://{self.folder}/cuzk.sock"
        self.config = self.folder / "cuzk.toml"
        self.log = self.folder / "daemon.log"
        values = {"daemon.listen": self.listen, "srs.param_cache": str(params),
                  "store.folder": str(self.folder / "store"), **keys}
        if status:
            values.setdefault("daemon.status_listen", "127.0.0.1:0")
        sections = {}
        for key, value in values.items():
            section, name = key.split(".")
            sections.setdefault(section, []).append(f"{name} = {json.dumps(value)}")
        self.config.write_text("".join(f"[{section}]\n" + "\n".join(lines) + "\n"
                                       for section, lines in sections.items()) + text)
        self.process = None
        self.log_from = 0  # of the last start

    def start(self, *args, wait=True, env=None):
        self.log_from = len(self.text())
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([DAEMON, "--config", self.config, *args], stderr=log,
                                            stdout=log, env={**os.environ, **(env or {})})
        if wait:
            self.wait_for("serves on")
        return self

    def text(self):
        return self.log.read_text() if self.log.exists() else ""

    def wait_for(self, words, seconds=30):
        """Until the log of the last start has these words."""
        until = time.monotonic() + seconds
        while words not in self.text()[self.log_from:]:
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"no '{words}' in the log:\n{self.text()}")
            time.sleep(0.01)

    def client(self):
        return Client(self.listen)

    def status_url(self):
        for line in self.text()[self.log_from:].splitlines():
            if "status page on " in line:
                return line.split("status page on ")[1].split()[0].rstrip(",")
        raise AssertionError(f"no status page in the log:\n{self.text()}")

    def get(self, path):
        with urllib.request.urlopen(self.status_url() + path, timeout=10) as reply:
            return reply.read().decode()

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self, seconds=60):
        """SIGTERM; the exit code."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def kill(self):
        self.process.kill()
        self.process.wait(30)

    def restart(self):
        return self.start()

    def __enter__(self):
        return self.start()

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise


def post_request(name, name_of_request, **changes):
    """A PoSt case of the golden folder as Curio asks for it."""
    case = golden(name, "case.json")
    is_winning = name.startswith("winning")
    fields = dict(request_id=name_of_request, proof_kind=4 if is_winning else 3,
                  registered_proof=case["registered_proof"],
                  priority=0, miner_id=case["miner_id"],
                  randomness=bytes.fromhex(case["randomness"]),
                  vanilla_proofs=[base64.b64decode(v) for v in golden(name, "vanilla.json")][:2])
    fields.update(changes)
    return pb.SubmitProofRequest(**fields)


def porep_request(name, request_id, wrapped=True, **changes):
    case = golden(name, "case.json")
    c1 = (GOLDEN / name / "c1.json").read_bytes()
    if not wrapped:
        c1 = base64.b64decode(json.loads(c1)["Phase1Out"])
    fields = dict(request_id=request_id, proof_kind=1, sector_size=2048, registered_proof=5,
                  sector_number=case["sector_number"], miner_id=case["miner_id"], vanilla_proof=c1)
    fields.update(changes)
    return pb.SubmitProofRequest(**fields)


def update_request(name, request_id, **changes):
    case = golden(name, "case.json")
    fields = dict(request_id=request_id, proof_kind=2, sector_size=2048, registered_proof=0,
                  vanilla_proofs=[base64.b64decode(v) for v in golden(name, "vanilla.json")],
                  comm_r_old=bytes.fromhex(case["comm_r_old"]),
                  comm_r_new=bytes.fromhex(case["comm_r_new"]),
                  comm_d_new=bytes.fromhex(case["comm_d_new"]))
    fields.update(changes)
    return pb.SubmitProofRequest(**fields)
