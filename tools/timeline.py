#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws what a daemon's jobs did over time: a lane for each partition, its stages as bars.

Usage: timeline.py STATUS_URL OUT.svg, such as timeline.py http://127.0.0.1:9821/status t.svg. Looks
twice a second until there has been a job and none is left.
"""
import json
import pathlib
import sys
import time
import urllib.request

WIDTH, LANE, LEFT, TOP = 860, 18, 190, 34
COLOURS = {"wait": "#c9ced6", "synthesis": "#2a7de1", "proving": "#e08a1e"}


def bars(job):
    """(partition, kind, from, to) of a job, in seconds of the daemon's uptime."""
    accepted = job["seen_at"] - job["accepted_secs_ago"]
    for p in job["partitions"]:
        at = {k: p[k] for k in ("synth_begin_secs", "synth_end_secs", "gpu_begin_secs",
                                "gpu_end_secs")}
        if at["synth_begin_secs"] is None:
            continue
        ends = at["gpu_end_secs"], job["accepted_secs_ago"]
        end = ends[0] if ends[0] is not None else ends[1]
        done, begun = (end if at[k] is None else at[k] for k in ("synth_end_secs",
                                                                 "gpu_begin_secs"))
        yield p["index"], "wait", accepted, accepted + at["synth_begin_secs"]
        yield p["index"], "synthesis", accepted + at["synth_begin_secs"], accepted + done
        yield p["index"], "wait", accepted + done, accepted + begun
        yield p["index"], "proving", accepted + begun, accepted + end


def watch(url):
    """All jobs of which a partition has begun, as they were seen last."""
    jobs = {}
    while True:
        with urllib.request.urlopen(url, timeout=10) as reply:
            status = json.load(reply)
        for job in status["pipelines"]:
            if jobs.get(job["job_id"], {}).get("state") != "completed":
                jobs[job["job_id"]] = job | {"seen_at": status["uptime_secs"]}
        if jobs and not status["waiting"] and all(j["ended_secs_ago"] is not None
                                                  for j in status["pipelines"]):
            return list(jobs.values())
        time.sleep(0.5)


def draw(jobs):
    lanes = []
    order = sorted(jobs, key=lambda j: j["seen_at"] - j["accepted_secs_ago"])
    for number, job in enumerate(order, 1):
        by_partition = {}
        for index, *bar in bars(job):
            by_partition.setdefault(index, []).append(bar)
        lanes += [(f"{job['proof_kind']} {number}, partition {i}", b)
                  for i, b in sorted(by_partition.items())]
    first = min(b[1] for _, lane in lanes for b in lane)
    span = max(b[2] for _, lane in lanes for b in lane) - first
    scale = (WIDTH - LEFT - 20) / span
    height = TOP + LANE * len(lanes) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    for i, (kind, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{LEFT + 90 * i}" y="10" width="12" height="10" fill="{colour}"/>'
                   f'<text x="{LEFT + 90 * i + 17}" y="19" fill="#222">{kind}</text>')
    for row, (name, lane) in enumerate(lanes):
        y = TOP + LANE * row
        out.append(f'<text x="8" y="{y + 12}" fill="#222">{name}</text>')
        for kind, begin, end in lane:
            out.append(f'<rect x="{LEFT + (begin - first) * scale:.1f}" y="{y + 2}" '
                       f'width="{max(0.5, (end - begin) * scale):.1f}" height="{LANE - 5}" '
                       f'fill="{COLOURS[kind]}"/>')
    for tick in range(5):
        x = LEFT + tick * (WIDTH - LEFT - 20) / 4
        out.append(f'<text x="{x:.0f}" y="{height - 10}" fill="#555" text-anchor="middle">'
                   f'{span * tick / 4:.1f} s</text>')
    return "\n".join([*out, "</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(draw(watch(sys.argv[1])))


main()
