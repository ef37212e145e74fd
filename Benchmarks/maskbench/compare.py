"""`leap schema bench` beside llguidance and XGrammar on the same MaskBench files, one after the other, as a table.

    swift build -c release --product leap
    python Benchmarks/maskbench/compare.py DIR VOCABULARY.gguf [--leap .build/release/leap] [--peers llguidance,xgrammar]

DIR holds MaskBench files (github.com/guidance-ai/jsonschemabench; not part of this repository), VOCABULARY.gguf a byte-level BPE
vocabulary. A peer that crashes on a file, or takes more than --limit seconds for it, counts that file as refused.
"""
import argparse, json, os, subprocess, sys, threading

here = os.path.dirname(os.path.abspath(__file__))
p = argparse.ArgumentParser()
p.add_argument("folder"); p.add_argument("vocabulary")
p.add_argument("--leap", default=os.path.join(here, "../../.build/release/leap"))
p.add_argument("--peers", default="llguidance,xgrammar")
p.add_argument("--limit", type=float, default=20)
a = p.parse_args()


def leap():
    command = [a.leap, "schema", "bench", a.folder, "--model", a.vocabulary, "--json"]
    return [json.loads(line) for line in subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()]


def peer(name):
    rows, first = [], ""
    while True:
        process = subprocess.Popen([sys.executable, os.path.join(here, "peers.py"), name, a.folder, a.vocabulary, first],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        current, timer = None, None
        for line in process.stdout:
            row = json.loads(line)
            if timer: timer.cancel()
            if "begin" in row:
                current = row["begin"]
                timer = threading.Timer(a.limit, process.kill); timer.start()
            else:
                rows.append(row); current = None
        if timer: timer.cancel()
        if process.wait() == 0: return rows
        if current is None: raise SystemExit(f"{name} does not start: run peers.py by hand")
        rows.append({"file": current, "compiled": False, "tests": [], "mask_us": [], "error": {"reason": "crash or time limit"}})
        first = current + "!"


def at(values, share): return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def line(name, rows):
    compiled = [r for r in rows if r["compiled"]]
    rejected = [r for r in compiled if any(t["valid"] and not t["accepted"] for t in r["tests"])]
    accepted = [r for r in compiled if any(t["accepted"] and not t["valid"] for t in r["tests"])]
    right = [r for r in compiled if all(t["valid"] == t["accepted"] for t in r["tests"])]
    masks = sorted(x for r in compiled for x in r["mask_us"]); times = sorted(r["compile_us"] for r in compiled)
    mean = sum(masks) / max(1, len(masks))
    return (f"| {name} | {len(right)} of {len(rows)} | {len(rows) - len(compiled)} | {len(rejected)} | {len(accepted)} "
            f"| {mean:.1f} | {at(masks, .5):.1f} | {at(masks, .99):.0f} | {at(masks, 1):.0f} | {at(times, .5):.0f} | {at(times, .99):.0f} |")


print("| | schemas pass | refused | valid rejected | invalid accepted | mask µs: mean | p50 | p99 | max | compile µs: p50 | p99 |")
print("|---|---|---|---|---|---|---|---|---|---|---|")
print(line("Open Leap", leap()), flush=True)
for name in filter(None, a.peers.split(",")): print(line(name, peer(name)), flush=True)
