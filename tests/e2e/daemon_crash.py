# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-daemon killed at random moments under load, and restarted: nothing accepted is lost.

CUZK_KILLS says how often (default 2). cuzk-bench stress calls, follows every job to its end,
verifies each proof and asks for it again at the end.
"""
import json
import os
import random
import subprocess
import time
import unittest

from daemon_harness import PARAMS, Case, Daemon, main
from harness import BENCH, GOLDEN

KILLS = int(os.environ.get("CUZK_KILLS", "2"))


class Crash(Case):
    def test_kill_and_restart_lose_nothing(self):
        seed = random.randrange(2**32)
        chance = random.Random(seed)
        daemon = Daemon(self.dir, **{"memory.total_budget": "300MiB"})
        daemon.start()
        self.addCleanup(daemon.__exit__)
        stress = subprocess.Popen(
            [BENCH, "stress", "-a", daemon.listen, "--cases", GOLDEN, "--params", PARAMS, "--mix",
             "winning=2,window=1", "--jobs", str(30 + 10 * KILLS), "--clients", "12", "--cancels",
             "10", "--disconnects", "10", "--bad", "10", "--seed", str(seed), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        kills = 0
        while kills < KILLS and stress.poll() is None:
            time.sleep(chance.uniform(0.05, 1.5))
            daemon.kill()
            daemon.restart()
            kills += 1
        out, err = stress.communicate(timeout=1200)
        said = json.loads(out.splitlines()[-1])
        self.assertEqual((said["lost"], said["wrong"], said["failed"]), (0, 0, 0),
                         f"seed {seed}\n{out}\n{err}")
        self.assertEqual(said["completed"] + said["cancelled"], said["accepted"], out)
        self.assertEqual(stress.returncode, 0, f"seed {seed}\n{out}\n{err}")
        self.assertEqual(kills, KILLS, "the load ended before the last kill")
        print(f"{kills} kills, {said['accepted']} jobs accepted, {said['reconnects']} reconnects")


if __name__ == "__main__":
    main()
