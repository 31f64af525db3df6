#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves and verifies a bundled real case of each proof kind; prints what took how long. Then starts
cuzk-daemon, proves one case through it, shows what it says of itself, and stops it.

Usage: demo.py BUILD_FOLDER. Test parameters are kept in BUILD_FOLDER/../demo-params and made where
they are missing; they are insecure, as all parameters of one maker are.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
COLUMNS = "{:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10}"


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr}demo: exit code {done.returncode} from: "
                 f"{' '.join(map(str, command))}")
    return done.stdout


def post_arguments(kind, case, folder):
    who = ["--sector-size", case["sector_size"], "--miner-id", case["miner_id"],
           "--randomness", case["randomness"]]
    sectors = []
    for s in case["sectors"]:
        sectors += ["--sector", f"{s['sector_number']}:{s['comm_r']}"]
    return [kind, *who, "--vanilla", folder / "vanilla.json"], [kind, *who, *sectors]


def porep_arguments(case, folder):
    who = ["--miner-id", case["miner_id"], "--sector-number", case["sector_number"]]
    seal = ["--registered-proof", case["registered_seal_proof"], "--comm-r", case["comm_r"],
            "--comm-d", case["comm_d"], "--ticket", case["ticket"], "--seed", case["seed"]]
    return ["porep", *who, "--c1", folder / "c1.json"], ["porep", *who, *seal]


def update_arguments(case, folder):
    comms = []
    for name in ("comm_r_old", "comm_r_new", "comm_d_new"):
        comms += ["--" + name.replace("_", "-"), case[name]]
    size = ["--sector-size", case["sector_size"]]
    return (["update", *size, *comms, "--vanilla", folder / "vanilla.json"],
            ["update", *size, *comms])


def arguments(kind, case, folder):
    if kind == "porep":
        return porep_arguments(case, folder)
    if kind == "update":
        return update_arguments(case, folder)
    return post_arguments(kind, case, folder)


def ensure_params(cuzk, kind, size, params):
    circuit = json.loads(run(cuzk, "circuit", kind, "--sector-size", size, "--json"))
    if (params / f"v28-{circuit['parameter_id']}.params").exists():
        return
    print(f"making test parameters of {kind} {size} (once; insecure, for tests only)", flush=True)
    start = time.monotonic()
    run(cuzk, "setup", kind, "--sector-size", size, "--params", params)
    print(f"  made in {time.monotonic() - start:.1f} s", flush=True)


def prove(cuzk, kind, name, params, work):
    folder = GOLDEN / name
    case = json.loads((folder / "case.json").read_text())
    prove_args, verify_args = arguments(kind, case, folder)
    proof = pathlib.Path(work) / f"{name}.proof"
    times = json.loads(run(cuzk, "prove", *prove_args, "--params", params, "-o", proof, "--json"))
    start = time.monotonic()
    run(cuzk, "verify", *verify_args, "--params", params, "--proof", proof)
    verify_s = time.monotonic() - start
    n = proof.stat().st_size // 192
    print(COLUMNS.format(f"{name} ({n} proof{'s' if n > 1 else ''})",
                         *(f"{times[k]:.2f} s" for k in ("synthesis_s", "h_s", "msm_s", "verify_s",
                                                         "total_s")),
                         f"{verify_s:.2f} s", f"{times['peak_rss_bytes'] / 2**20:.0f} MiB"),
          flush=True)


def start_daemon(build, params, work):
    """A daemon in a scratch folder: its process, its socket and the address of its status."""
    log = pathlib.Path(work) / "daemon.log"
    config = pathlib.Path(work) / "cuzk.toml"
    socket = f"unix://{work}/cuzk.sock"
    config.write_text(f'[daemon]\nlisten = "{socket}"\nstatus_listen = "127.0.0.1:0"\n'
                      f'[srs]\nparam_cache = "{params}"\n'
                      f'[memory]\nsafety_margin = "0"\n'
                      f'[store]\nfolder = "{work}/store"\n')
    with open(log, "wb") as out:
        process = subprocess.Popen([build / "src/daemon/cuzk-daemon", "--config", config],
                                   stderr=out)
    while "serves on" not in log.read_text():
        if process.poll() is not None:
            sys.exit(f"{log.read_text()}demo: the daemon ended with {process.returncode}")
        time.sleep(0.01)
    status = re.search(r"status page on (\S+)", log.read_text()).group(1)
    return process, socket, status


def prove_by_daemon(build, cuzk, params, work):
    process, socket, status = start_daemon(build, params, work)
    folder = GOLDEN / "winning-2KiB"
    case = json.loads((folder / "case.json").read_text())
    prove_args, verify_args = arguments("winning", case, folder)
    proof = pathlib.Path(work) / "daemon.proof"
    try:
        start = time.monotonic()
        run(cuzk, "prove", *prove_args, "--daemon", socket, "--params", params, "-o", proof)
        took = time.monotonic() - start
        run(cuzk, "verify", *verify_args, "--params", params, "--proof", proof)
        with urllib.request.urlopen(f"{status}/status", timeout=10) as reply:
            seen = json.load(reply)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
    if code:
        sys.exit(f"demo: the daemon ended with {code}")
    counters, memory = seen["counters"], seen["memory"]
    print(f"\nThrough cuzk-daemon: winning-2KiB in {took:.2f} s, valid. Its {status}/status said:\n"
          f"  {counters['total_completed']} proved, {counters['total_failed']} failed, "
          f"{counters['queue_depth']} waiting; {memory['used_bytes'] / 2**20:.0f} of "
          f"{memory['total_bytes'] / 2**20:.0f} MiB used; up {seen['uptime_secs']:.0f} s\n"
          f"It was stopped by SIGTERM and ended with 0.")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: demo.py BUILD_FOLDER")
    build = pathlib.Path(sys.argv[1]).resolve()
    cuzk = build / "src/cli/cuzk"
    params = build.parent / "demo-params"
    params.mkdir(parents=True, exist_ok=True)
    kinds = ["porep", "update", "window", "winning"]
    cases = {"porep": "porep-2KiB-0"}
    for kind in kinds:
        ensure_params(cuzk, kind, "2KiB", params)
    print(f"\nReal cases, proved, checked and verified on {os.cpu_count()} CPUs:\n")
    print(COLUMNS.format("case", "synthesis", "h", "MSMs", "check", "whole", "verify", "peak RAM"))
    with tempfile.TemporaryDirectory() as work:
        for kind in kinds:
            prove(cuzk, kind, cases.get(kind, f"{kind}-2KiB"), params, work)
        print("\nAll proofs are valid.")
        prove_by_daemon(build, cuzk, params, work)


main()
