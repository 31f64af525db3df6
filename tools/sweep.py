#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures kernels of several libraries over a range of sizes and plots time against size.

    sweep.py run OUT.jsonl --bench ntt --sizes 10 22 --threads 1 \\
        --library cuzk "build/release/src/bench/cuzk-bench kernels --bench {bench}" \\
        --library other "path/to/program {bench}"
    sweep.py plot OUT.svg IN.jsonl [IN.jsonl ...]
    sweep.py table IN.jsonl [...]

A library is a name and a command that takes --log-n K --threads T --runs R and prints one JSON
line with bench, log_n, threads, median_s, cpu_s and result (docs/benchmarks.md). Libraries take
turns at each size, so that a busy moment hits them alike; results must agree.
"""
import argparse
import json
import math
import subprocess
import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 820, 460, 70, 30, 130, 50
COLOURS = ["#c1121f", "#003049", "#2a9d8f", "#e09f3e", "#7b2cbf", "#6c757d", "#8d5524"]


def measure(command, bench, log_n, threads, runs):
    words = command.format(bench=bench).split()
    words += ["--log-n", str(log_n), "--threads", str(threads), "--runs", str(runs)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def run(args):
    slow = set()
    with open(args.out, "a") as out:
        for log_n in range(args.sizes[0], args.sizes[1] + 1):
            results = {}
            for name, command in args.library:
                if name in slow:
                    continue
                row = measure(command, args.bench, log_n, args.threads, args.runs)
                row["library"] = name
                out.write(json.dumps(row) + "\n")
                out.flush()
                results.setdefault(row["result"], []).append(name)
                print(f"{args.bench} 2^{log_n} {name}: {row['median_s']:.6f} s", flush=True)
                if row["median_s"] > args.limit:
                    slow.add(name)
            if len(results) > 1:
                print(f"{args.bench} 2^{log_n}: results differ: {results}", file=sys.stderr)
                sys.exit(1)


def load(paths):
    series = {}
    for path in paths:
        with open(path) as lines:
            for line in lines:
                row = json.loads(line)
                name = row.get("library", row["lib"])
                series.setdefault((row["bench"], row["threads"]), {}).setdefault(name, {})[
                    row["log_n"]] = row["median_s"]
    return series


def nice(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale * 0.9995:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


class Axes:
    """A logarithmic plane: sizes across, seconds up."""

    def __init__(self, libraries):
        sizes = [n for points in libraries.values() for n in points]
        times = [t for points in libraries.values() for t in points.values()]
        self.n = (min(sizes), max(sizes))
        self.t = (math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))))

    def x(self, log_n):
        span = max(1, self.n[1] - self.n[0])
        return LEFT + (log_n - self.n[0]) / span * (WIDTH - LEFT - RIGHT)

    def y(self, seconds):
        span = max(1, self.t[1] - self.t[0])
        return HEIGHT - BOTTOM - (math.log10(seconds) - self.t[0]) / span * (HEIGHT - TOP - BOTTOM)

    def lines(self):
        for n in range(self.n[0], self.n[1] + 1, 2):
            yield f'<line x1="{self.x(n):.1f}" y1="{TOP}" x2="{self.x(n):.1f}" ' \
                  f'y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
            yield f'<text x="{self.x(n):.1f}" y="{HEIGHT - BOTTOM + 18}" ' \
                  f'text-anchor="middle">2^{n}</text>'
        for e in range(self.t[0], self.t[1] + 1):
            y = self.y(10.0 ** e)
            yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" ' \
                  f'stroke="#ddd"/>'
            yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{nice(10.0 ** e)}</text>'


def draw(title, libraries):
    axes = Axes(libraries)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="18" font-size="14" font-weight="bold">{title}</text>',
           *axes.lines()]
    labels = []
    for colour, (name, points) in zip(COLOURS, libraries.items()):
        at = " ".join(f"{axes.x(n):.1f},{axes.y(t):.1f}" for n, t in sorted(points.items()))
        width = 3 if name == "cuzk" else 1.5
        out.append(f'<polyline points="{at}" fill="none" stroke="{colour}" '
                   f'stroke-width="{width}"/>')
        last = max(points)
        labels.append([axes.y(points[last]), axes.x(last), colour, name])
    labels.sort()
    for i in range(1, len(labels)):
        labels[i][0] = max(labels[i][0], labels[i - 1][0] + 14)
    out += [f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{name}</text>'
            for y, x, colour, name in labels]
    return "\n".join(out + ["</svg>"]) + "\n"


def plot(args):
    series = load(args.inputs)
    if len(series) != 1:
        sys.exit(f"plot: one bench and thread count a plot, not {sorted(series)}")
    (bench, threads), libraries = next(iter(series.items()))
    title = f"{bench}, {threads} thread{'s' if threads > 1 else ''}: wall time, median"
    with open(args.out, "w") as out:
        out.write(draw(title, libraries))


def table(args):
    for (bench, threads), libraries in sorted(load(args.inputs).items()):
        names = list(libraries)
        print(f"\n| {bench}, {threads} threads | " + " | ".join(names) + " |")
        print("|---|" + "---|" * len(names))
        for n in sorted({n for points in libraries.values() for n in points}):
            cells = [nice(libraries[m][n]) if n in libraries[m] else "-" for m in names]
            print(f"| 2^{n} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    p = commands.add_parser("run")
    p.add_argument("out")
    p.add_argument("--bench", required=True)
    p.add_argument("--sizes", type=int, nargs=2, required=True, metavar=("FROM", "TO"))
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--limit", type=float, default=30, help="drop a library after a run this long")
    p.add_argument("--library", nargs=2, action="append", required=True,
                   metavar=("NAME", "COMMAND"))
    p.set_defaults(act=run)
    p = commands.add_parser("plot")
    p.add_argument("out")
    p.add_argument("inputs", nargs="+")
    p.set_defaults(act=plot)
    p = commands.add_parser("table")
    p.add_argument("inputs", nargs="+")
    p.set_defaults(act=table)
    args = parser.parse_args()
    args.act(args)


main()
