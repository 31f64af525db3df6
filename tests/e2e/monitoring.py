# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Metrics, and contrib's dashboard and alert rules, which may name nothing that isn't written.
promtool and Python's prometheus_client are asked, too, where they are installed."""
import json
import re
import shutil
import subprocess
import unittest

from harness import ROOT, Case, main
from made_up import MadeUp, get

ALERTS = ROOT / "contrib/prometheus-alerts.yml"
DASHBOARD = ROOT / "contrib/grafana-cuzk.json"
PROMTOOL = shutil.which("promtool")
# What a server of Prometheus adds by itself.
OF_PROMETHEUS = {"up": {"job": None, "instance": None}}

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None


def metrics():
    """{name: {label: values}} of all that is written, and its text."""
    found = {}
    with MadeUp("busy") as url:
        text = get(url + "/metrics")[0]
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels = re.match(r"(\w+)(?:\{(.*)\})? ", line).groups()
            of_name = found.setdefault(name, {})
            for label, value in re.findall(r'(\w+)="([^"]*)"', labels or ""):
                of_name.setdefault(label, set()).add(value)
    return found, text


def alerts():
    """(name, expression) of each rule; expressions may go on in deeper lines."""
    text = ALERTS.read_text()
    for name, rest in re.findall(r"- alert: (\w+)\n((?: {8,}.*\n)+)", text):
        expression = re.search(r" {8}expr: (?:>-\n)?((?:.|\n {10})*)", rest)[1]
        yield name, " ".join(expression.split())


def panels():
    return json.loads(DASHBOARD.read_text())["panels"]


class Monitoring(Case):
    @classmethod
    def setUpClass(cls):
        cls.metrics, cls.text = metrics()

    def check_names(self, where, expression):
        """Every metric named is written, with the labels and values that it is asked for."""
        expression = re.sub(r"\$__\w+|\$\w+", "1", expression)
        of_words = re.findall(r"\b(cuzk_\w+|up)\b(?:\{([^}]*)\})?", expression)
        self.assertTrue(of_words, where)
        for name, matchers in of_words:
            known = self.metrics.get(name, OF_PROMETHEUS.get(name))
            self.assertIsNotNone(known, f"{where}: {name} is not written")
            for label, sign, value in re.findall(r'(\w+)(=~|!=|!~|=)"([^"]*)"', matchers):
                if label in ("instance", "job"):
                    continue
                self.assertIn(label, known, f"{where}: {name} has no label {label}")
                pattern = value.replace("\\\\", "\\") if "~" in sign else re.escape(value)
                self.assertTrue(any(re.fullmatch(pattern, v) for v in known[label]),
                                f"{where}: {name} has no {label}={value}")
        grouped = re.findall(r"\bby \(([^)]*)\)", expression)
        for label in {word.strip() for group in grouped for word in group.split(",")}:
            self.assertTrue(label == "instance" or
                            any(label in self.metrics.get(name, {}) for name, _ in of_words),
                            f"{where}: by {label}")

    def test_alerts_name_what_is_written(self):
        found = dict(alerts())
        self.assertEqual(len(found), ALERTS.read_text().count("- alert:"))
        for name, expression in found.items():
            self.check_names(name, expression)
        for topic in ("Down", "WinningPostLate", "ProofsFail", "QueueGrows", "MemoryNearBudget",
                      "PartitionsTriedAgain"):
            self.assertIn("Cuzk" + topic, found)

    def test_the_dashboard_names_what_is_written(self):
        expressions = 0
        for panel in panels():
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                self.check_names(panel["title"], target["expr"])
                for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                    self.assertRegex(target["expr"], rf"by \([^)]*\b{label}\b|^(?!.* by )",
                                     panel["title"])
                expressions += 1
        self.assertGreater(expressions, 20)

    def test_the_dashboard_is_well_formed(self):
        document = json.loads(DASHBOARD.read_text())
        variables = {v["name"] for v in document["templating"]["list"]}
        self.assertEqual(variables, {"datasource", "instance"})
        self.assertEqual(set(re.findall(r"\$\{?([a-z]+)", json.dumps(document["panels"]))),
                         variables)
        self.assertEqual(len({p["id"] for p in panels()}), len(panels()))
        taken = set()
        for panel in panels():
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                     for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24)
            taken |= cells

    def test_a_name_that_is_not_written_would_be_seen(self):
        for expression in ("cuzk_nothing > 1", 'cuzk_jobs{state="done"}', 'cuzk_jobs{a="b"}',
                           "sum by (owner) (cuzk_jobs)"):
            with self.assertRaises(AssertionError):
                self.check_names("test", expression)

    @unittest.skipUnless(PROMTOOL, "there is no promtool")
    def test_promtool_takes_them(self):
        done = subprocess.run([PROMTOOL, "check", "rules", ALERTS], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=self.text, capture_output=True,
                              text=True)
        # 3: remarks on names; those of the public daemon have no "_total".
        self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
        self.assertNotIn("error", done.stderr)

    @unittest.skipUnless(text_string_to_metric_families, "there is no prometheus_client")
    def test_prometheus_client_takes_them(self):
        samples = {sample.name for family in text_string_to_metric_families(self.text)
                   for sample in family.samples}
        self.assertGreater(len(samples), 30)
        for name in self.metrics:
            self.assertTrue({name, name + "_total"} & samples, name)


main()
