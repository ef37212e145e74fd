#!/usr/bin/env python3
"""Two versions of this package beside each other: the engine and the server, in turns, medians.

    Benchmarks/versions.py OLD NEW MODEL.gguf... [--runs 5] [--server-runs 3]

OLD and NEW are checkouts with `swift build -c release --product leap`, `leap-tools` (where there is one) and `--traits TLS --product leap-server`
(`--traits Server` in older ones) done. The engine: prefill of 512 tokens, decoding of 64, load to first token, four sequences, private memory.
The server: `serve.py` with the last model (8 clients), and a storm of 32 clients x 20 requests at the demo model.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("old", type=pathlib.Path)
parser.add_argument("new", type=pathlib.Path)
parser.add_argument("models", nargs="+", type=pathlib.Path)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--server-runs", type=int, default=3)
arguments = parser.parse_args()
sides = {"old": arguments.old / ".build/release", "new": arguments.new / ".build/release"}


def bench(side, model, *options):
    line = subprocess.run(
        [sides[side] / "leap", "bench", model, "--json", "--repetitions", "1", *options], check=True, capture_output=True, text=True).stdout
    return json.loads(line)


def in_turns(runs, measure):
    """The medians of each figure, of runs that alternate; the side that begins alternates too."""
    found = {side: {} for side in sides}
    for run in range(runs):
        for side in sorted(sides, reverse=run % 2 == 1):
            for name, value in measure(side).items():
                found[side].setdefault(name, []).append(value)
    return {side: {name: statistics.median(values) for name, values in figures.items()} for side, figures in found.items()}


def show(title, medians):
    print(f"\n{title}")
    for name, old in medians["old"].items():
        new = medians["new"].get(name)
        if new is not None:
            print(f"  {name:34} {old:11.2f} {new:11.2f}" + (f"   {new / old:5.2f}x" if old else ""), flush=True)


def engine(model):
    def measure(side):
        whole = bench(side, model, "--prompt", "512", "--generate", "64")
        start = bench(side, model, "--prompt", "1", "--generate", "1")
        many = bench(side, model, "--prompt", "1", "--generate", "64", "--sequences", "4")
        return {
            "prefill 512, tokens/s": whole["prefill_tps"], "decode 64, tokens/s": whole["decode_tps"],
            "load to first token, ms": start["first_token_ms"], "4 sequences, tokens/s": many["sequences_tps"],
            "private memory, MiB": whole["private_rss_bytes"] / 2**20,
        }
    return measure


FIGURES = {
    "tokens/s": r"([\d.]+) tokens/s", "requests/s": r"([\d.]+) requests/s", "errors": r"(\d+) errors",
    "first token p50, ms": r"first token p50 +([\d.]+) ms", "first token p99, ms": r"first token p50 +[\d.]+ ms +p99 +([\d.]+) ms",
    "between tokens p50, ms": r"gap p50 +([\d.]+) ms", "memory, MB": r"(\d+) MB(?: after)?$",
}


def server(model, *options):
    script = pathlib.Path(__file__).with_name("serve.py")

    def measure(side):
        text = subprocess.run(
            [sys.executable, script, model, "--server", sides[side] / "leap-server", *options],
            check=True, capture_output=True, text=True).stdout
        found = {name: re.search(pattern, text, re.M) for name, pattern in FIGURES.items()}
        return {name: float(match.group(1)) for name, match in found.items() if match}
    return measure


for model in arguments.models:
    with open(model, "rb") as file:  # neither side shall be the one that brings the file into memory
        while file.read(1 << 24):
            pass
    show(model.stem, in_turns(arguments.runs, engine(model)))
show(f"HTTP, {arguments.models[-1].stem}, 8 clients", in_turns(arguments.server_runs, server(arguments.models[-1])))
show("HTTP, demo, 32 clients x 20 requests", in_turns(arguments.server_runs, server("demo", "--storm", "32x20")))
