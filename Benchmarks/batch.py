"""Lines per second of `leap batch`: one at a time and many, and 1, 2 and 3 workers that are pinned to a core each.

    swift build -c release --product leap
    python Benchmarks/batch.py MODEL [--lines 64 --out 64 --rounds 3 --workers 1,2,3]

A worker is a process of its own with one thread, held on one core by taskset, that answers its share of the lines; a third worker on two
cores shares one of them. Cases run in turns; of the rounds the medians are shown. Needs Python 3.11 and Linux's taskset.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def line(index, tokens):
    body = {
        "messages": [
            {"role": "system", "content": "You help the people of a small harbour town with short and friendly answers. " * 8},
            {"role": "user", "content": f"What do I need to know about berth {index}, and who sails from there?"},
        ],
        "max_tokens": tokens, "temperature": 1, "seed": index,
    }
    return json.dumps({"custom_id": f"r{index}", "method": "POST", "url": "/v1/chat/completions", "body": body})


def seconds(program, model, shares, tokens, *arguments, cores=None):
    """How long it takes until every share is answered, and the tokens of all replies."""
    with tempfile.TemporaryDirectory() as folder:
        workers = []
        start = time.monotonic()
        for index, share in enumerate(shares):
            path = pathlib.Path(folder, f"{index}.jsonl")
            path.write_text("".join(line(number, tokens) + "\n" for number in share))
            command = [program, "batch", path, f"{path}.out", "--model", model, "--ignore-model", *arguments]
            if cores:
                command = ["taskset", "-c", str(cores[index % len(cores)]), *command, "--threads", "1"]
            workers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for worker in workers:
            if worker.wait():
                raise SystemExit("leap batch failed")
        elapsed = time.monotonic() - start
        answers = [json.loads(text) for path in pathlib.Path(folder).glob("*.out") for text in path.read_text().splitlines()]
        if len(answers) != sum(map(len, shares)) or any(answer["response"]["status_code"] != 200 for answer in answers):
            raise SystemExit("a line has no answer")
        return elapsed, sum(answer["response"]["body"]["usage"]["completion_tokens"] for answer in answers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--program", default=ROOT / ".build/release/leap")
    parser.add_argument("--lines", type=int, default=64)
    parser.add_argument("--out", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", default="1,2,3")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    counts = [int(text) for text in options.workers.split(",")]
    every = range(options.lines)
    cases = {"one line at a time": lambda: ([every], ["--parallel", "1"], None), "many at a time": lambda: ([every], [], None)}
    for count in counts:
        cases[f"{count} pinned worker{'s' if count > 1 else ''}"] = (
            lambda count=count: ([every[index::count] for index in range(count)], [], cores))
    results = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, case in cases.items():
            shares, arguments, pins = case()
            results[name].append(seconds(options.program, options.model, shares, options.out, *arguments, cores=pins))
    print(f"{options.lines} lines, up to {options.out} tokens each, {len(cores)} cores; loading included")
    for name, runs in results.items():
        rates = [options.lines / elapsed for elapsed, _ in runs]
        tokens = statistics.median(count / elapsed for elapsed, count in runs)
        print(f"{name:20} {statistics.median(rates):7.2f} lines/s  {tokens:7.1f} tokens/s  ({min(rates):.2f} to {max(rates):.2f})")


if __name__ == "__main__":
    main()
