# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The status page in headless Chromium: what it shows of made-up daemons, without a fault of its
script. Skipped without chromium. CUZK_SHOTS names a folder for screenshots."""
import html.parser
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

from harness import Case, main
from made_up import MadeUp, get

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    """Texts of elements by id, and rows of tables by id, without what is hidden."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.rows, self.classes = [], {}, {}, {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        is_hidden = "hidden" in values or tag in ("script", "style", "title")
        if tag not in VOID:
            self.open.append((tag, values.get("id"), is_hidden))
        table = [key for name, key, _ in self.open if name == "table"]
        if tag == "tr" and table:
            self.rows.setdefault(table[-1], []).append([])
        if tag in ("td", "th") and table:
            self.rows[table[-1]][-1].append("")
        self.classes[values.get("id") or tag] = values.get("class", "")

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(is_hidden for _, _, is_hidden in self.open):
            return
        table = [key for name, key, _ in self.open if name == "table"]
        if table and any(name in ("td", "th") for name, _, _ in self.open):
            self.rows[table[-1]][-1][-1] += data
        for _, key, _ in self.open:
            if key:
                self.texts[key] = self.texts.get(key, "") + data


class Relay(http.server.BaseHTTPRequestHandler):
    """Hands on the page of another server; what becomes of /status is the test's business."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        status = self.server.status if self.path == "/status" else None
        if status == "once":
            self.server.status = "cut"
        if status == "cut":
            return
        text, headers = get(self.server.to + self.path)
        self.send_response(500 if status == "fail" else 200)
        self.send_header("Content-Type", headers["Content-Type"])
        self.end_headers()
        self.wfile.write((text + self.server.more if self.path == "/" else
                          "out of memory" if status == "fail" else text).encode())


class StatusPage(Case):
    def chromium(self, url, *options, width=1200, height=900):
        done = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", f"--user-data-dir={self.dir}/profile",
             f"--window-size={width},{height}", "--enable-logging=stderr",
             "--virtual-time-budget=3000", *options, url],
            capture_output=True, text=True, timeout=120)
        self.console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return done.stdout

    def page(self, url, **size):
        return Page(self.chromium(url, "--dump-dom", **size))

    def shown(self, name, **size):
        with MadeUp(name) as url:
            page = self.page(url, **size)
        self.assertEqual(self.console, [], name)
        return page

    def relay(self, to, status, more=""):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        server.to, server.status, server.more = to, status, more
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"

    def test_busy(self):
        page = self.shown("busy")
        self.assertEqual(page.texts["state"], "● serving")
        self.assertNotIn("notice", page.texts)
        self.assertEqual(page.texts["address"], "unix:///run/curio/cuzk.sock")
        self.assertEqual(page.rows["queue"][1],
                         ["PoRep", "3", "1", "50 s", "1", "0", "0", "0", "2", "1", "20 ms",
                          "2 m 01 s"])
        self.assertEqual(len(page.rows["queue"]), 5)
        self.assertEqual([row[0] for row in page.rows["waiting"][1:]],
                         ["porep-1000-4712", "porep-1000-4713", "porep-1000-4714",
                          "snap-1000-208"])
        for words in ("porep-1000-4711", "6 of 10 partitions done, 1 proving", "2 in synthesis",
                      "1 partition tried again: partition 2: the proof failed its own check"):
            self.assertIn(words, page.texts["jobs"])
        self.assertEqual(page.rows["workers"][1],
                         ["0", "0", "● proving", "porep-1000-4711", "6", "2.3 s"])
        self.assertEqual(page.rows["srs"][1],
                         ["porep-32g", "48.0 GiB", "25.0 GiB", "4", "now", "no, it is in use"])
        self.assertEqual(page.texts["m-budget"], "240 GiB")
        self.assertEqual(page.rows["recent"][1][:3],
                         ["✓ done", "winpost-1000-9f3c11aa", "WinningPoSt"])

    def test_lanes_have_the_partitions_times(self):
        with MadeUp("busy") as url:
            text = self.chromium(url, "--dump-dom")
        lanes = re.findall(r"<title>partition (\d+): ([^<]*)</title>.*?"
                           r'class="synthesis"([^>]*)>.*?class="proving"([^>]*)>', text)
        first = lanes[:6]
        self.assertEqual([lane[0] for lane in first], list("012345"))
        for _, words, _, _ in first:
            self.assertRegex(words, r"^done; synthesis 1[45] s; proving 5.2 s$")
        starts = []
        for _, _, synthesis, proving in first:
            bars = [{name: float(re.search(rf' {name}="([\d.]+)"', bar)[1])
                     for name in ("x", "width")} for bar in (synthesis, proving)]
            self.assertAlmostEqual(bars[0]["width"] / bars[1]["width"], 14.5 / 5.2, delta=0.05)
            self.assertGreaterEqual(bars[1]["x"] + 0.2, bars[0]["x"] + bars[0]["width"])
            starts.append(bars[1]["x"])
        self.assertEqual(starts, sorted(starts))

    def test_idle_draining_and_many(self):
        page = self.shown("idle")
        self.assertIn("jobs-none", page.texts)
        self.assertEqual(page.texts["recent-none"], "None yet.")
        page = self.shown("draining")
        self.assertEqual(page.texts["state"], "◐ draining")
        self.assertIn("takes no new jobs", page.texts["notice"])
        page = self.shown("many")
        self.assertEqual(len(page.rows["waiting"]), 21)
        self.assertTrue(page.texts["waiting-more"].startswith("and 104 more"))
        self.assertIn("30 of 126 partitions done, 2 in synthesis, 94 to come", page.texts["jobs"])

    def test_errors_are_shown_whole(self):
        page = self.shown("errors")
        results = {row[1].split("partition")[0]: row for row in page.rows["recent"][1:]}
        self.assertEqual(results["porep-1000-77"][0], "✕ failed")
        self.assertIn("the machine computes wrongly (memory, overclocking?)",
                      results["porep-1000-77"][1])
        self.assertEqual([row[0] for row in page.rows["recent"][1:]],
                         ["✕ failed"] * 4 + ["✕ too late", "○ cancelled"])
        self.assertIn("✕ partition 4: the system refused 12 GiB", page.texts["jobs"])

    def test_text_from_outside_is_text(self):
        with MadeUp("long") as url:
            text = self.chromium(url, "--dump-dom")
        self.assertEqual(self.console, [])
        self.assertNotIn("broken", re.search(r"<title>([^<]*)</title>", text)[1])
        page = Page(text)
        self.assertIn("<script>document.title='broken'</script><b>\"&amp;'\\", page.texts["jobs"])
        self.assertIn("sector 18446744073709551615", page.texts["jobs"])
        self.assertIn("e" * 200, page.rows["recent"][1][1])

    def test_nothing_is_wider_than_a_telephone(self):
        more = ("<script>setInterval(() => document.documentElement.className ="
                " `w${document.documentElement.scrollWidth}of${innerWidth}`, 100)</script>")
        for name in ("busy", "long", "many"):
            with MadeUp(name) as url:
                text = self.chromium(self.relay(url, "good", more), "--dump-dom", width=390)
            width, room = map(int, re.search(r'<html[^>]* class="w(\d+)of(\d+)"', text).groups())
            self.assertLessEqual(room, 500)
            self.assertLessEqual(width, room, name)

    def test_a_fault_of_the_script_would_be_seen(self):
        with MadeUp("idle") as url:
            self.page(self.relay(url, "good", "<script>nothing.at.all</script>"))
        self.assertEqual(len(self.console), 1)
        self.assertIn("nothing is not defined", self.console[0])

    def test_silence_is_shown(self):
        with MadeUp("busy") as url:
            page = self.page(self.relay(url, "cut"))
            self.assertEqual(page.texts["state"], "✕ no answer")
            self.assertIn("The daemon does not answer", page.texts["notice"])
            page = self.page(self.relay(url, "fail"))
            self.assertEqual(page.texts["state"], "✕ no answer")
            self.assertIn("HTTP 500: out of memory", page.texts["notice"])

    def test_what_was_shown_stays_when_the_answers_end(self):
        with MadeUp("busy") as url:
            page = self.page(self.relay(url, "once"))
        self.assertEqual(page.texts["state"], "✕ no answer")
        self.assertIn("What is shown is from then", page.texts["notice"])
        self.assertEqual(page.classes["body"], "stale")
        self.assertEqual(page.rows["queue"][1][1], "3")

    def test_screenshots(self):
        folder = pathlib.Path(os.environ.get("CUZK_SHOTS", self.dir))
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("idle", "busy", "many", "long", "errors", "draining"):
            for width in (1200, 390):
                for theme in ("light", "dark"):
                    path = folder / f"{name}-{width}-{theme}.png"
                    options = [f"--screenshot={path}"]
                    if theme == "dark":
                        options.append("--blink-settings=preferredColorScheme=0")
                    if "CUZK_SHOTS" not in os.environ and name != "busy":
                        continue
                    with MadeUp(name) as url:
                        self.chromium(url, *options, width=width, height=1600)
                    self.assertGreater(path.stat().st_size, 10000)


if CHROMIUM is None:
    print("skipped: there is no chromium")
    sys.exit(77)
main()
