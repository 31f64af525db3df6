# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The HTTP side of a daemon, serving made-up snapshots (src/status/test_server.c)."""
import os
import pathlib
import subprocess
import urllib.request

from harness import ROOT

BUILD = pathlib.Path(os.environ.get("CUZK_BUILD", ROOT / "build/release"))


class MadeUp:
    """with MadeUp("busy") as url: ..."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.process = subprocess.Popen([BUILD / "src/status/test_status_server", self.name],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def __exit__(self, *_):
        self.process.stdin.close()
        code = self.process.wait(30)
        self.process.stdout.close()
        assert code == 0, f"the server ended with {code}"


def get(url):
    """The answer's text and headers."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode(), answer.headers
