# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-daemon over its socket: proofs of all kinds, what callers may do wrong, ends and restarts.

The client is grpcio's; daemon_go.py has one as Curio's. Proofs are verified by cuzk verify.
"""
import base64
import json
import signal
import socket
import time
import unittest

from daemon_harness import (DAEMON, PARAMS, STATUS, Case, Daemon, Porep, Post, golden, grpc,
                            in_flight, main, pb, porep_request, post_request, run,
                            update_request)
from harness import Update

LARGE = any(PARAMS.glob("*stacked-proof-of-replication*.params"))


class DaemonCase(Case):
    def serve(self, **keys):
        daemon = Daemon(self.dir, **keys)
        daemon.start()
        self.addCleanup(daemon.__exit__)
        self.daemon = daemon
        self.client = daemon.client()
        self.addCleanup(self.client.close)
        return self.client

    def refused(self, code, words, call, *args, **kw):
        with self.assertRaises(grpc.RpcError) as caught:
            call(*args, **kw)
        self.assertEqual(caught.exception.code(), code, caught.exception.details())
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, caught.exception.details())
        return caught.exception.details()

    def check(self, name, proof):
        """cuzk verify says so."""
        path = self.file("proof.bin", proof)
        if name.startswith("porep"):
            self.good(*Porep(name).verify(path))
        elif name.startswith("update"):
            self.good(*Update(name).verify(path))
        else:
            post = Post(name)
            self.good(*post.verify(path, sectors=post.sectors[:2]))

    def until(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, self.daemon.text())
            time.sleep(0.005)


class Proofs(DaemonCase):
    def test_posts_by_prove(self):
        client = self.serve()
        for name in ("winning-2KiB", "window-2KiB"):
            result = client.prove(post_request(name, f"id-{name}"))
            self.assertEqual(result.status, STATUS.COMPLETED, result.error_message)
            self.assertEqual(len(result.proof), 192)
            self.assertGreater(result.total_ms, 0)
            self.check(name, result.proof)

    @unittest.skipUnless(LARGE, "no parameters for PoReps and updates")
    def test_sectors_by_prove(self):
        client = self.serve()
        for name, request in (("porep-2KiB-0", porep_request("porep-2KiB-0", "porep-1000-100")),
                              ("porep-2KiB-0",
                               porep_request("porep-2KiB-0", "bare", wrapped=False)),
                              ("update-2KiB", update_request("update-2KiB", "snap-1000-100"))):
            result = client.prove(request)
            self.assertEqual(result.status, STATUS.COMPLETED, result.error_message)
            self.check(name, result.proof)

    def test_submit_and_await_before_during_and_after(self):
        client = self.serve()
        request = post_request("window-2KiB", "later")
        job = client.calls["SubmitProof"](request)
        self.assertRegex(job.job_id, "^[0-9a-f]{32}$")
        first = client.call("AwaitProof", job_id=job.job_id, timeout_ms=1)
        self.assertEqual(first.status, STATUS.TIMEOUT)
        done = client.call("AwaitProof", job_id=job.job_id)
        self.assertEqual(done.status, STATUS.COMPLETED, done.error_message)
        again = client.call("AwaitProof", job_id=job.job_id, timeout_ms=1)
        self.assertEqual(again.proof, done.proof)
        by_name = client.call("AwaitProof", job_id="later")
        self.assertEqual(by_name.proof, done.proof)
        self.check("window-2KiB", done.proof)
        self.refused(grpc.StatusCode.NOT_FOUND, "no job nobody", client.call, "AwaitProof",
                     job_id="nobody")

    def test_the_same_again_is_the_same_proof(self):
        client = self.serve()
        request = post_request("winning-2KiB", "same")
        futures = [client.prove_later(request) for _ in range(8)]
        proofs = {f.result().result.proof for f in futures}
        self.assertEqual(len(proofs), 1)
        self.assertEqual(client.prove(request).proof, proofs.pop())
        self.assertEqual(client.call("GetStatus").total_proofs_completed, 1)
        other = client.prove(post_request("window-2KiB", "same"))
        self.assertEqual(other.status, STATUS.COMPLETED)
        self.check("window-2KiB", other.proof)
        self.assertEqual(client.call("GetStatus").total_proofs_completed, 2)

    def test_many_at_once_are_counted(self):
        client = self.serve()
        seen = []
        for i in range(20):
            client.calls["SubmitProof"](post_request("window-2KiB", f"burst-{i}"))
            status = client.call("GetStatus", timeout=5)
            seen.append(sum(in_flight(client)) + status.total_proofs_completed >= i + 1)
        self.assertTrue(all(seen))
        self.until(lambda: sum(in_flight(client)) == 0)
        self.assertEqual(client.call("GetStatus").total_proofs_completed, 20)

    def test_tcp_by_name(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        client = self.serve(listen=f"localhost:{port}")
        self.assertEqual(client.prove(post_request("winning-2KiB", "tcp")).status, STATUS.COMPLETED)


class Parameters(DaemonCase):
    def test_preload_and_evict(self):
        client = self.serve()
        first = client.call("PreloadSRS", circuit_id="winning-2k")
        self.assertFalse(first.already_loaded)
        self.assertTrue(client.call("PreloadSRS", circuit_id="winning-2k").already_loaded)
        loaded = client.call("GetStatus").loaded_srs
        self.assertEqual([s.circuit_id for s in loaded], ["winning-2k"])
        self.assertGreater(loaded[0].size_bytes, 0)
        gone = client.call("EvictSRS", circuit_id="winning-2k")
        self.assertTrue(gone.was_loaded)
        self.assertGreater(gone.freed_bytes, 0)
        self.assertFalse(client.call("EvictSRS", circuit_id="winning-2k").was_loaded)
        self.assertFalse(client.call("GetStatus").loaded_srs)
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "winning-3k", client.call, "PreloadSRS",
                     circuit_id="winning-3k")

    def test_missing_parameters_fail_the_job_and_name_the_folder(self):
        empty = self.dir / "none"
        empty.mkdir()
        client = self.serve(params=empty)
        result = client.prove(post_request("winning-2KiB", "x"))
        self.assertEqual(result.status, STATUS.FAILED)
        self.assertIn(str(empty), result.error_message)
        self.refused(grpc.StatusCode.NOT_FOUND, str(empty), client.call, "PreloadSRS",
                     circuit_id="winning-2k")
        self.assertEqual(client.call("GetStatus").total_proofs_failed, 1)

    def test_what_never_fits_is_refused_with_need_and_limit(self):
        client = self.serve(**{"memory.total_budget": "8MiB"})
        self.refused(grpc.StatusCode.RESOURCE_EXHAUSTED, ["8388608", "winning-2k"], client.prove,
                     post_request("winning-2KiB", "big"))
        self.assertEqual(in_flight(client), (0, 0))


class BadRequests(DaemonCase):
    def test_each_field_is_named(self):
        client = self.serve()
        win = lambda **c: post_request("winning-2KiB", "bad", **c)
        good = post_request("winning-2KiB", "bad").vanilla_proofs[0]
        for words, request in (
                (["proof_kind", "0"], win(proof_kind=0)),
                (["proof_kind", "9"], win(proof_kind=9)),
                (["registered_proof", "7"], win(registered_proof=7)),
                (["registered_proof", "18446744073709551615"], win(registered_proof=2**64 - 1)),
                (["sector_size", "34359738368", "2048"], win(sector_size=32 << 30)),
                (["priority", "7"], win(priority=7)),
                (["randomness", "0 bytes", "32"], win(randomness=b"")),
                (["randomness", "31 bytes"], win(randomness=b"a" * 31)),
                (["randomness"], win(randomness=b"\xff" * 32)),
                (["request_id", "300", "256"], post_request("winning-2KiB", "i" * 300)),
                (["vanilla_proofs"], win(vanilla_proofs=[])),
                (["vanilla_proofs[0]", "empty"], win(vanilla_proofs=[b""])),
                (["vanilla"], win(vanilla_proofs=[good[:100]])),
                (["vanilla_proof"], win(vanilla_proof=b"x")),
        ):
            with self.subTest(words=words):
                self.refused(grpc.StatusCode.INVALID_ARGUMENT, words, client.prove, request)
                self.refused(grpc.StatusCode.INVALID_ARGUMENT, words, client.calls["SubmitProof"],
                             request)
        for n in (0, 31, 33, 36, 39, 64):
            self.refused(grpc.StatusCode.INVALID_ARGUMENT, ["comm_r_new", f"{n} bytes", "32"],
                         client.prove, update_request("update-2KiB", "cid", comm_r_new=b"\1" * n))
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, ["vanilla_proofs", "2 partitions"],
                     client.prove, post_request("window-2KiB", "four", vanilla_proofs=[
                         base64.b64decode(v)
                         for v in golden("window-2KiB", "vanilla.json")]))
        self.assertEqual(in_flight(client), (0, 0))
        self.assertEqual(client.prove(post_request("winning-2KiB", "fine")).status,
                         STATUS.COMPLETED)

    def test_c1_in_its_forms(self):
        client = self.serve()
        c1 = porep_request("porep-2KiB-0", "x", wrapped=False).vanilla_proof
        wrap = lambda inner: json.dumps({"SectorNum": 100, "SectorSize": 2048, "Phase1Out": inner})
        for name, proof in (("cut", c1[:len(c1) // 2]), ("not base64", wrap("%%%").encode()),
                            ("empty", wrap("").encode()), ("no JSON", b"\x00\x01"),
                            ("cut inside", wrap(base64.b64encode(
                                c1[:1000]).decode()).encode()),
                            ("twice", b'{"SectorNum": 100, ' + wrap("x").encode()[1:])):
            with self.subTest(name):
                for call in (client.prove, client.calls["SubmitProof"]):
                    self.refused(grpc.StatusCode.INVALID_ARGUMENT, "", call, porep_request(
                        "porep-2KiB-0", name, vanilla_proof=proof))
        self.assertEqual(in_flight(client), (0, 0))

    def test_a_vanilla_proof_for_another_challenge_is_refused(self):
        client = self.serve()
        request = post_request("winning-2KiB", "other", randomness=b"\1" * 32)
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "challenge", client.prove, request)
        job = client.calls["SubmitProof"](request)
        result = client.call("AwaitProof", job_id=job.job_id)
        self.assertEqual(result.status, STATUS.FAILED)
        self.assertIn("challenge", result.error_message)

    def test_unknown_calls(self):
        client = self.serve()
        for method in (f"/cuzk.v1.ProvingEngine/Nothing", "/other.Service/Prove"):
            call = client.channel.unary_unary(method, request_serializer=lambda b: b,
                                              response_deserializer=lambda b: b)
            self.refused(grpc.StatusCode.UNIMPLEMENTED, "", call, b"", timeout=5)
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "submit", client.call, "Prove")
        self.refused(grpc.StatusCode.NOT_FOUND, "", client.call, "CancelProof", job_id="x")
        broken = client.channel.unary_unary("/cuzk.v1.ProvingEngine/Prove",
                                            request_serializer=lambda b: b,
                                            response_deserializer=lambda b: b)
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "decode", broken, b"\xff" * 50, timeout=5)

    def test_a_full_queue(self):
        client = self.serve(**{"scheduler.max_queue": 4, "synthesis.threads": 1})
        details = None
        for i in range(40):
            try:
                client.calls["SubmitProof"](post_request("window-2KiB", f"full-{i}"))
            except grpc.RpcError as error:
                self.assertEqual(error.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
                details = error.details()
                break
        self.assertIn("scheduler.max_queue", details)
        self.until(lambda: sum(in_flight(client)) == 0)
        self.assertEqual(client.prove(post_request("winning-2KiB", "after")).status,
                         STATUS.COMPLETED)


class Callers(DaemonCase):
    """Callers that leave, and cancelled jobs."""

    def test_a_post_ends_with_its_caller(self):
        client = self.serve()
        call = client.prove_later(post_request("window-2KiB", "left"))
        self.until(lambda: sum(in_flight(client)) == 1)
        call.cancel()
        self.until(lambda: sum(in_flight(client)) == 0, 5)
        self.assertIn("cancelled", self.daemon.text())
        again = client.prove(post_request("window-2KiB", "left"))
        self.assertEqual(again.status, STATUS.COMPLETED)

    def test_a_deadline_is_like_leaving(self):
        client = self.serve()
        self.refused(grpc.StatusCode.DEADLINE_EXCEEDED, "", client.prove,
                     post_request("window-2KiB", "late"), timeout=0.05)
        self.until(lambda: sum(in_flight(client)) == 0, 5)
        self.assertEqual(client.call("GetStatus").total_proofs_completed, 0)

    @unittest.skipUnless(LARGE, "no parameters for PoReps")
    def test_a_porep_that_has_begun_goes_on(self):
        client = self.serve()
        call = client.prove_later(porep_request("porep-2KiB-0", "goes-on"))
        self.until(lambda: in_flight(client)[1] == 1)
        time.sleep(0.1)
        call.cancel()
        self.until(lambda: sum(in_flight(client)) == 0, 300)
        self.assertEqual(client.call("GetStatus").total_proofs_completed, 1)
        started = time.monotonic()
        result = client.prove(porep_request("porep-2KiB-0", "goes-on"))
        self.assertEqual(result.status, STATUS.COMPLETED)
        self.assertLess(time.monotonic() - started, result.total_ms / 1000)
        self.check("porep-2KiB-0", result.proof)

    def test_cancel_proof(self):
        client = self.serve(**{"synthesis.threads": 1})
        jobs = [client.calls["SubmitProof"](post_request("window-2KiB", f"c-{i}")).job_id
                for i in range(4)]
        for job in jobs:
            self.assertTrue(client.call("CancelProof", job_id=job).was_running)
        for job in jobs:
            result = client.call("AwaitProof", job_id=job)
            self.assertEqual(result.status, STATUS.CANCELLED)
            self.assertFalse(client.call("CancelProof", job_id=job).was_running)
        self.assertEqual(client.prove(post_request("window-2KiB", "c-0")).status, STATUS.COMPLETED)


class Ends(DaemonCase):
    """SIGTERM, kill, restarts, sockets."""

    def test_sigterm_lets_jobs_end(self):
        client = self.serve()
        call = client.prove_later(post_request("window-2KiB", "last"))
        self.until(lambda: in_flight(client)[1] == 1)
        self.daemon.signal(signal.SIGTERM)
        self.assertEqual(call.result().result.status, STATUS.COMPLETED)
        self.assertEqual(self.daemon.process.wait(20), 0)
        self.assertFalse((self.dir / "cuzk.sock").exists())

    def test_jobs_and_results_survive(self):
        client = self.serve(**{"synthesis.threads": 1})
        done = client.prove(post_request("winning-2KiB", "done"))
        jobs = [client.calls["SubmitProof"](post_request("window-2KiB", f"kept-{i}")).job_id
                for i in range(4)]
        self.daemon.kill()
        self.daemon.restart()
        client = self.daemon.client()
        self.assertEqual(client.call("AwaitProof", job_id="done").proof, done.proof)
        for job in jobs:
            result = client.call("AwaitProof", job_id=job)
            self.assertEqual(result.status, STATUS.COMPLETED, result.error_message)
            self.check("window-2KiB", result.proof)
        client.close()

    def test_a_short_shutdown_hands_jobs_back(self):
        client = self.serve(**{"synthesis.threads": 1, "daemon.shutdown_timeout": "0s"})
        jobs = [client.calls["SubmitProof"](post_request("window-2KiB", f"back-{i}")).job_id
                for i in range(6)]
        waits = client.calls["AwaitProof"].future(pb.AwaitProofRequest(job_id=jobs[-1]), timeout=30)
        time.sleep(0.05)
        started = time.monotonic()
        self.assertEqual(self.daemon.stop(), 0)
        self.assertLess(time.monotonic() - started, 10)
        self.assertEqual(waits.exception().code(), grpc.StatusCode.UNAVAILABLE)
        self.daemon.restart()
        client = self.daemon.client()
        for job in jobs:
            self.assertEqual(client.call("AwaitProof", job_id=job).status, STATUS.COMPLETED)
        client.close()

    def test_one_daemon_a_socket_and_a_store(self):
        self.serve()
        (self.dir / "second").mkdir()
        second = Daemon(self.dir / "second", listen=self.daemon.listen)
        second.start(wait=False)
        self.assertEqual(second.process.wait(20), 2)
        self.assertIn("cuzk.sock", second.text())
        third = Daemon(self.dir / "second", **{"store.folder": str(self.dir / "store")})
        third.start(wait=False)
        self.assertEqual(third.process.wait(20), 2)
        self.assertIn(str(self.dir / "store"), third.text())
        self.assertEqual(self.client.prove(post_request("winning-2KiB", "fine")).status,
                         STATUS.COMPLETED)

    def test_a_stale_socket_is_replaced(self):
        self.serve()
        self.daemon.kill()
        self.assertTrue((self.dir / "cuzk.sock").exists())
        self.daemon.restart()
        self.assertEqual(self.daemon.client().prove(post_request("winning-2KiB", "new")).status,
                         STATUS.COMPLETED)
        self.assertEqual((self.dir / "cuzk.sock").stat().st_mode & 0o777, 0o660)

    def test_sigterm_during_the_start(self):
        for delay in (0, 0.01, 0.03, 0.1):
            daemon = Daemon(self.dir)
            daemon.start(wait=False)
            time.sleep(delay)
            daemon.signal(signal.SIGTERM)
            self.assertIn(daemon.process.wait(20), (0, -signal.SIGTERM))

    def test_bad_configurations_end_at_the_start(self):
        for words, text, keys in (
                ("max_batch_size", "[scheduler]\nmax_batch_siz = 3\n", {}),
                ("status_listen", "", {"daemon.status_listen": "203.0.113.7:1"}),
                ("listen", "", {"daemon.listen": "0.0.0.0:9820"})):
            daemon = Daemon(self.dir, text=text, status=False, **keys)
            daemon.start(wait=False)
            self.assertEqual(daemon.process.wait(20), 2, daemon.text())
            self.assertIn(words, daemon.text())
        code, _, err = run("--config", self.dir / "none.toml", program=DAEMON)
        self.assertEqual(code, 2)
        self.assertIn("none.toml", err)


class Seen(DaemonCase):
    def test_status_metrics_and_health(self):
        client = self.serve()
        client.prove(post_request("winning-2KiB", "seen"))
        status = json.loads(self.daemon.get("/status"))
        self.assertEqual(status["counters"]["total_completed"], 1)
        self.assertEqual(status["counters"]["queue_depth"], 0)
        self.assertEqual(self.daemon.get("/healthz").strip(), "ok")
        metrics = self.daemon.get("/metrics")
        for text in (metrics, client.call("GetMetrics").prometheus_text):
            self.assertRegex(text, r"(?m)^cuzk_proofs_completed_total 1$")
            self.assertRegex(text, r'(?m)^cuzk_proofs_completed\{proof_kind="winning_post"\} 1$')
        self.assertIn("<html", self.daemon.get("/"))

    def test_busy_workers_are_never_shown_idle(self):
        client = self.serve()
        call = client.prove_later(post_request("window-2KiB", "watched"))
        states = set()
        while not call.done():
            status = json.loads(self.daemon.get("/status"))
            states_now = [p["state"] for job in status["pipelines"] for p in job["partitions"]]
            busy = [w for w in status["gpu_workers"] if w["state"] != "idle"]
            self.assertEqual("gpu" in states_now, bool(busy))
            states.update(states_now)
        self.assertTrue(states & {"synthesizing", "gpu"}, states)

    def test_logs_in_json(self):
        client = self.serve(**{"logging.format": "json"})
        client.prove(post_request("winning-2KiB", "logged"))
        self.assertEqual(self.daemon.stop(), 0)
        lines = [json.loads(line) for line in self.daemon.text().splitlines()]
        self.assertIn("logged", {line.get("request_id") for line in lines})


if __name__ == "__main__":
    main()
