# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What users of proving daemons have met, tried on cuzk-daemon (docs/reports.md has the list)."""
import json
import os
import pathlib
import resource
import shutil
import socket
import time

from daemon import DaemonCase
from daemon_harness import PARAMS, STATUS, Daemon, grpc, in_flight, main, post_request, run


def params_of(kind_and_size):
    out = run("circuit", *kind_and_size, "--json")[1]
    return f"v28-{json.loads(out)['parameter_id']}"


WINNING, WINDOW = (params_of((kind, "--sector-size", "2KiB")) for kind in ("winning", "window"))


class Parameters(DaemonCase):
    def folder(self, *names):
        """A folder of parameters of its own, with copies of these."""
        folder = self.dir / "params"
        folder.mkdir(exist_ok=True)
        for name in names:
            for suffix in (".params", ".vk"):
                shutil.copy(PARAMS / (name + suffix), folder)
        return folder

    def failed(self, client, name, words):
        result = client.prove(post_request(name, f"fails-{time.monotonic()}"))
        self.assertEqual(result.status, STATUS.FAILED)
        for word in words:
            self.assertIn(word, result.error_message)

    def test_a_missing_file_names_the_folder_and_where_it_comes_from(self):
        folder = self.folder()
        client = self.serve(params=folder)
        self.failed(client, "winning-2KiB", [str(folder), "srs.param_cache"])
        self.assertEqual(list(folder.iterdir()), [])  # nothing is made in its place
        shutil.copy(PARAMS / f"{WINNING}.params", folder)
        self.assertEqual(client.prove(post_request("winning-2KiB", "now")).status, STATUS.COMPLETED)

    def test_the_environment_gives_way_to_the_configuration(self):
        folder = self.folder()
        daemon = Daemon(self.dir)
        text = daemon.config.read_text().replace(f'param_cache = "{PARAMS}"', "")
        daemon.config.write_text(text)
        daemon.start(env={"FIL_PROOFS_PARAMETER_CACHE": str(folder)})
        self.addCleanup(daemon.__exit__)
        client = daemon.client()
        self.failed(client, "winning-2KiB", [str(folder), "FIL_PROOFS_PARAMETER_CACHE"])
        client.close()

    def test_another_circuits_file_is_refused(self):
        folder = self.folder(WINNING)
        shutil.copy(PARAMS / f"{WINNING}.params", folder / f"{WINDOW}.params")
        client = self.serve(params=folder)
        self.failed(client, "window-2KiB", [WINDOW])
        self.assertEqual(client.prove(post_request("winning-2KiB", "fine")).status,
                         STATUS.COMPLETED)

    def test_a_cut_file_is_refused_and_the_next_job_is_proved(self):
        folder = self.folder(WINNING, WINDOW)
        path = folder / f"{WINDOW}.params"
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size * 2 // 3)
        client = self.serve(params=folder)
        self.failed(client, "window-2KiB", [path.name])
        self.assertEqual(client.prove(post_request("winning-2KiB", "fine")).status,
                         STATUS.COMPLETED)

    def test_a_file_replaced_while_it_is_open_leaves_the_ledger_right(self):
        folder = self.folder(WINNING)
        client = self.serve(params=folder)
        client.call("PreloadSRS", circuit_id="winning-2k")
        before = client.call("GetStatus").loaded_srs[0].size_bytes
        path = folder / f"{WINNING}.params"
        bigger = path.read_bytes() + bytes(1 << 20)
        path.unlink()
        path.write_bytes(bigger)
        freed = client.call("EvictSRS", circuit_id="winning-2k").freed_bytes
        self.assertGreaterEqual(freed, before)
        memory = json.loads(self.daemon.get("/status"))["memory"]
        self.assertLess(memory["used_bytes"], memory["total_bytes"])
        self.assertEqual(json.loads(self.daemon.get("/status"))["allocations"]["srs"], [])

    def test_eight_at_once_on_a_fresh_daemon(self):
        client = self.serve()
        calls = [client.prove_later(post_request("winning-2KiB", f"first-{i}")) for i in range(8)]
        self.assertEqual({c.result().result.status for c in calls}, {STATUS.COMPLETED})
        self.assertEqual([s.circuit_id for s in client.call("GetStatus").loaded_srs],
                         ["winning-2k"])


class Load(DaemonCase):
    def test_one_thread_and_many_jobs_of_all_priorities(self):
        client = self.serve(**{"synthesis.threads": 1})
        calls = [client.prove_later(post_request(("winning-2KiB", "window-2KiB")[i % 2], f"n-{i}",
                                                 priority=1 + i % 4), timeout=600)
                 for i in range(30)]
        self.assertEqual({c.result().result.status for c in calls}, {STATUS.COMPLETED})
        self.until(lambda: in_flight(client) == (0, 0))

    def test_memory_stays_below_the_budget(self):
        budget = 512 << 20
        client = self.serve(**{"memory.total_budget": "512MiB"})
        calls = [client.prove_later(post_request(("winning-2KiB", "window-2KiB")[i % 2], f"n-{i}"),
                                    timeout=600) for i in range(20)]
        self.assertEqual({c.result().result.status for c in calls}, {STATUS.COMPLETED})
        status = pathlib.Path(f"/proc/{self.daemon.process.pid}/status").read_text()
        peak = int(status.split("VmHWM:")[1].split()[0]) << 10
        self.assertLess(peak, budget)

    def test_nothing_is_in_flight_when_nothing_is_asked_for(self):
        client = self.serve()
        client.prove(post_request("window-2KiB", "one"))
        self.refused(grpc.StatusCode.DEADLINE_EXCEEDED, "", client.prove,
                     post_request("window-2KiB", "left"), timeout=0.05)
        self.until(lambda: in_flight(client) == (0, 0))
        status = json.loads(self.daemon.get("/status"))
        self.assertEqual(set(status["buffers"].values()), {0}, status["buffers"])
        self.assertEqual(status["synthesis"]["active"], 0)
        self.assertEqual({w["state"] for w in status["gpu_workers"]}, {"idle"})

    def test_results_are_forgotten_in_time(self):
        client = self.serve(**{"store.keep": "200ms"})
        done = client.prove(post_request("winning-2KiB", "short"))

        def is_forgotten():
            try:
                client.call("AwaitProof", job_id=done.job_id)
            except grpc.RpcError as error:
                return error.code() == grpc.StatusCode.NOT_FOUND
            return False
        self.until(is_forgotten)

    def test_few_descriptors_and_many_idle_connections(self):
        daemon = Daemon(self.dir)
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (96, before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        daemon.start(wait=False)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        self.addCleanup(daemon.__exit__)
        daemon.wait_for("serves on")
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (96, 96))
        client = daemon.client()
        self.addCleanup(client.close)
        client.call("GetStatus")
        idle = []
        for _ in range(200):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(1)
            try:
                one.connect(str(self.dir / "cuzk.sock"))
                idle.append(one)
            except OSError:
                one.close()
        self.assertEqual(client.prove(post_request("winning-2KiB", "still")).status,
                         STATUS.COMPLETED)
        for one in idle:
            one.close()
        fresh = daemon.client()
        self.addCleanup(fresh.close)
        until = time.monotonic() + 30
        while True:
            try:
                fresh.call("GetStatus", timeout=5)
                break
            except grpc.RpcError:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.2)

    def test_as_many_threads_as_processors_it_may_use(self):
        daemon = Daemon(self.dir)
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(allowed)})
        try:
            daemon.start()
        finally:
            os.sched_setaffinity(0, allowed)
        self.addCleanup(daemon.__exit__)
        self.assertRegex(daemon.get("/metrics"), r"(?m)^cuzk_threads 1$")


class Configuration(DaemonCase):
    def test_keys_given_up_get_one_warning_each(self):
        daemon = Daemon(self.dir, text='[synthesis]\npartition_workers = 4\n', **{
            "memory.pinned_budget": "1GiB", "memory.working_memory_budget": "1GiB",
            "srs.preload": ["porep-32g"]})
        daemon.start()
        self.addCleanup(daemon.__exit__)
        for key in ("memory.pinned_budget", "memory.working_memory_budget", "srs.preload",
                    "synthesis.partition_workers"):
            self.assertEqual(daemon.text().count(key), 1, daemon.text())

    def test_a_device_that_is_not_there(self):
        daemon = Daemon(self.dir, **{"gpus.devices": [7]})
        daemon.start(wait=False)
        self.assertEqual(daemon.process.wait(20), 2)
        self.assertIn("gpus.devices: there is no device 7", daemon.text())

    def test_sizes_that_are_none(self):
        for size in ("abc", "x MiB", "-1", "1e400GiB", "50 Gib "):
            daemon = Daemon(self.dir, **{"memory.total_budget": size})
            daemon.start(wait=False)
            self.assertEqual(daemon.process.wait(20), 2, size)
            self.assertIn("memory.total_budget", daemon.text())
            self.assertIn("cuzk.toml:", daemon.text())

    def test_the_status_port_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            daemon = Daemon(self.dir, **{
                "daemon.status_listen": f"127.0.0.1:{taken.getsockname()[1]}"})
            daemon.start(wait=False)
            self.assertEqual(daemon.process.wait(20), 2)
            self.assertIn("daemon.status_listen", daemon.text())

    def test_short_and_strange_request_ids(self):
        client = self.serve()
        for name in ("", "x", "é", "日本", "a\nb\x1b[31m", "i" * 256):
            result = client.prove(post_request("winning-2KiB", name))
            self.assertEqual(result.status, STATUS.COMPLETED)
        self.assertNotIn("\x1b", self.daemon.text())
        ids = [p["job_id"] for p in json.loads(self.daemon.get("/status"))["pipelines"]]
        self.assertTrue(all(len(i) == 32 for i in ids), ids)


if __name__ == "__main__":
    main()
