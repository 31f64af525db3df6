# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cuzk-bench engine: each scenario ends with its line of JSON (times are not judged)."""
import json

from harness import BENCH, PARAMS, Case, main, run


class Engine(Case):
    def scenario(self, name, *args):
        code, out, err = run("engine", "--scenario", name, "--params", PARAMS, "--json", *args,
                             program=BENCH)
        self.assertEqual(code, 0, err)
        line = json.loads(out.decode().splitlines()[-1])
        self.assertEqual((line["bench"], line["scenario"]), ("engine", name))
        return line

    def test_priority(self):
        line = self.scenario("priority", "--bulk", "window")
        for member in ("winning_alone_s", "winning_under_load_s", "start_delay_s", "bulk_alone_s",
                       "bulk_with_winning_s"):
            self.assertGreater(line[member], 0, member)

    def test_pipeline(self):
        line = self.scenario("pipeline", "--bulk", "window")
        self.assertGreater(line["serial_s"], 0)
        self.assertGreater(line["pipelined_s"], 0)

    def test_cancel(self):
        line = self.scenario("cancel", "--bulk", "winning")
        self.assertEqual(line["bytes_left"], 0)
        self.assertGreater(line["stop_s"], 0)
        self.assertIn("msm", line["stages"])

    def test_bad_options(self):
        self.bad(2, "--scenario: is needed", "engine", program=BENCH)
        self.bad(2, ["--scenario", "none of"], "engine", "--scenario", "speed", program=BENCH)
        self.bad(2, ["parameters", "no such file"], "engine", "--scenario", "pipeline",
                 "--bulk", "winning", "--params", self.dir, program=BENCH)


class Ledger(Case):
    """Needs the parameters of all kinds."""

    def test_reserved_is_what_is_held(self):
        code, out, err = run("engine", "--scenario", "budget", "--params", PARAMS, program=BENCH)
        self.assertEqual(code, 0, err)
        kinds = json.loads(out.decode().splitlines()[-1])["kinds"]
        self.assertEqual(sorted(kinds), ["porep", "update", "window", "winning"])
        for kind, row in kinds.items():
            ratio = row["reserved_bytes"] / row["peak_bytes"]
            self.assertTrue(0.95 < ratio < 1.05, f"{kind}: {row}")


main()
