#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fetches a source package from the index that pip is configured for, and runs nothing of it.

Usage: fetch_sdist.py NAME VERSION SHA256 OUT. The file is written only when its digest is SHA256.
pip itself would run the package's build to learn what it needs, so it is only asked for its index,
proxy and certificates. Exit codes: 0 written; 2 not, with the reason as the last line.
"""
import ast
import base64
import hashlib
import html.parser
import os
import pathlib
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

MAX_BYTES = 64 << 20
TIMEOUT_S = 60


def pip(*arguments):
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "4096"})
    if done.returncode:
        sys.exit(f"pip: {(done.stderr.strip() or 'failed').splitlines()[-1]}")
    return done.stdout


def configuration():
    """pip's options by name: what holds for all commands, for downloads, and the environment."""
    found = {}
    lines = [line.partition("=") for line in pip("config", "list").splitlines()]
    for section in ("global", "download", ":env:"):
        for key, _, value in lines:
            if key.startswith(section + "."):
                found[key[len(section) + 1:]] = ast.literal_eval(value)
    return found


def default_index():
    found = re.search(r"--index-url <url>.*\(default ([^)\s]+)\)", pip("download", "--help"))
    return found.group(1) if found else ""


def indexes(options):
    first = options.get("index-url") or default_index()
    return [*first.split(), *options.get("extra-index-url", "").split()]


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def opener(options):
    context = ssl.create_default_context()
    if options.get("cert"):
        context.load_verify_locations(options["cert"])
    handlers = [urllib.request.HTTPSHandler(context=context)]
    if options.get("proxy"):
        handlers.append(urllib.request.ProxyHandler(dict.fromkeys(("http", "https"),
                                                                  options["proxy"])))
    return urllib.request.build_opener(*handlers)


def read(web, url):
    parts = urllib.parse.urlsplit(url)
    who, at, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(parts._replace(netloc=host, fragment="").geturl())
    if at:
        secret = base64.b64encode(urllib.parse.unquote(who).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {secret}")
    with web.open(request, timeout=TIMEOUT_S) as answer:
        return answer.read(MAX_BYTES)


def fetch(web, index, name, version, sha256):
    page = f"{index.rstrip('/')}/{name}/"
    links = Links()
    links.feed(read(web, page).decode())
    wanted = f"{name}-{version}.tar.gz"
    for link in links.found:
        url = urllib.parse.urljoin(page, link)
        if urllib.parse.urlsplit(url).path.rpartition("/")[2] != wanted:
            continue
        content = read(web, url)
        digest = hashlib.sha256(content).hexdigest()
        if digest != sha256:
            raise ValueError(f"{wanted} has SHA-256 {digest}, expected {sha256}")
        return content
    raise ValueError(f"{wanted} is not in the index")


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: fetch_sdist.py NAME VERSION SHA256 OUT")
    name, version, sha256, out = sys.argv[1:]
    options = configuration()
    web = opener(options)
    reasons = []
    for index in indexes(options):
        try:
            pathlib.Path(out).write_bytes(fetch(web, index, name, version, sha256))
            return
        except (OSError, ValueError) as why:
            reasons.append(f"{index.rpartition('@')[2]}: {why}")
    sys.exit("; ".join(reasons) or "pip names no index")


try:
    main()
except SystemExit as end:
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
        sys.exit(2)
    raise
