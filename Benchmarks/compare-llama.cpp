#!/usr/bin/env python3
"""Open Leap beside llama.cpp or ik_llama.cpp: same files, same threads, alternating runs, medians, ratios.

    swift build -c release --product leap
    python Benchmarks/compare-llama.cpp [--models FOLDER] [--runs 5] [--only LFM2-1.2B] [--quants Q4_0,Q4_K_M] [--quick] [--peer ik_llama.cpp]

Every cell is one pair of processes per run, ours and the peer's in turn, so that a change of the machine meets both. ik_llama.cpp runs
twice, with weights mapped and with weights rearranged, and the better of the two counts in each cell; of ours too, which runs twice beside it.
Needs Python with numpy, gguf and llama-cpp-python (built with CMAKE_ARGS=-DGGML_NATIVE=ON), for ik_llama.cpp ik-llama-cpp-python too.
Models are made on first use.
"""
import argparse, json, os, statistics, subprocess, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models

here = os.path.dirname(os.path.abspath(__file__)); root = os.path.dirname(here)
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("--models", default=os.path.join(root, ".build", "benchmark-models")); p.add_argument("--leap", default=os.path.join(root, ".build", "release", "leap"))
p.add_argument("--runs", type=int, default=5); p.add_argument("--threads", type=int, default=2); p.add_argument("--only"); p.add_argument("--quants"); p.add_argument("--json")
p.add_argument("--peer", default="llama.cpp", choices=("llama.cpp", "ik_llama.cpp")); p.add_argument("--peer-python", default=sys.executable, help="the interpreter whose environment has the peer")
p.add_argument("--quick", action="store_true", help="one run of prefill 512 and decode 64 only")
p.add_argument("--deep-runs", type=int, help="runs of prefill 4096 and of decoding at depth, which take minutes (default: as --runs; 0: none)")
p.add_argument("--sequence-runs", type=int, help="runs of sequences decoded together (default: as --runs; 0: none)")
a = p.parse_args()
if not os.path.exists(a.leap): sys.exit(f"{a.leap} is missing: run `swift build -c release --product leap` first")
QUANTS = {"LFM2-1.2B": ["Q4_0", "Q4_K_M", "Q8_0", "Q6_K", "Q5_K_M", "F16", "BF16"]}
DEFAULT = ["Q4_0", "Q4_K_M", "Q8_0", "F16"]


def run(command, arguments):
    out = subprocess.run(command + arguments, capture_output=True, text=True)
    if out.returncode != 0: sys.exit(f"{' '.join(command + arguments)}\n{out.stderr}")
    return json.loads(out.stdout.strip().splitlines()[-1])


def better(rows):
    return {k: (max if k.endswith("_tps") else min)(r[k] for r in rows) for k in rows[0]}


def both(arguments):
    """Our figures and the peer's, in turn, each in its better mode and of as many processes."""
    modes = [["--engine", "ik_llama.cpp"], ["--engine", "ik_llama.cpp", "--repack"]] if a.peer == "ik_llama.cpp" else [[]]
    rows = [(run([a.leap, "bench", "--json"], arguments), run([a.peer_python, os.path.join(here, "peer.py")], arguments + mode)) for mode in modes]
    return better([r[0] for r in rows]), better([r[1] for r in rows])


def pair(path, prompt, generate, depth=0, sequences=1, runs=None):
    """Medians over alternating runs: (ours, theirs)."""
    arguments = [path, "--prompt", str(prompt), "--generate", str(generate), "--threads", str(a.threads), "--repetitions", "1", "--depth", str(depth), "--sequences", str(sequences)]
    ours, theirs = [], []
    for _ in range(1 if a.quick else a.runs if runs is None else runs):
        o, t = both(arguments); ours.append(o); theirs.append(t)
    median = lambda rows: {k: statistics.median(r[k] for r in rows) for k in rows[0]}
    return median(ours), median(theirs)


if a.peer == "llama.cpp":  # pip takes the wheel that it built first for every environment, whatever CMAKE_ARGS says later
    features = subprocess.run([a.peer_python, "-c", "import llama_cpp; print(llama_cpp.llama_print_system_info().decode())"], capture_output=True, text=True).stdout.strip()
    print("llama.cpp:", features, flush=True)
    if os.environ.get("LEAP_ISA") in ("avx2", "avxvnni") and "AVX512 = 1" in features:
        sys.exit(f"LEAP_ISA is {os.environ['LEAP_ISA']}, and the peer uses AVX-512: build it without, with pip install --no-cache-dir --no-binary llama-cpp-python")

rows = []
for shape in models.SHAPES:
    if a.only and a.only != shape: continue
    for kind in a.quants.split(",") if a.quants else QUANTS.get(shape, DEFAULT):
        path = models.ensure(a.models, shape, kind); cells = {"model": shape, "type": kind}

        def cell(name, ours, theirs, digits=0):
            cells[name] = {"ours": ours, "theirs": theirs, "ratio": ours / theirs}
            print(f"{shape:13} {kind:7} {name:22} {ours:10.{digits}f} {theirs:10.{digits}f}   {ours / theirs:6.2f}x", flush=True)

        with open(path, "rb") as file:  # neither side shall be the one that brings the file into memory
            while file.read(1 << 24): pass
        o, t = pair(path, 512, 1)
        cell("prefill 512", o["prefill_tps"], t["prefill_tps"]); cell("load to first token ms", o["first_token_ms"], t["first_token_ms"])
        o, t = pair(path, 1, 64); cell("decode 64", o["decode_tps"], t["decode_tps"], 1)
        if a.quick: rows.append(cells); continue
        o, t = pair(path, 512, 256, runs=1)  # the same in every run
        cell("private MiB after 256", o["private_rss_bytes"] / 2**20, t["private_rss_bytes"] / 2**20)
        if a.deep_runs != 0:
            o, t = pair(path, 4096, 1, runs=a.deep_runs); cell("prefill 4096", o["prefill_tps"], t["prefill_tps"])
            for depth in (2048, 6000):
                o, t = pair(path, 1, 64, depth, runs=a.deep_runs); cell(f"decode at {depth}", o["decode_tps"], t["decode_tps"], 1)
        for n in (4, 8) if a.sequence_runs != 0 else ():  # beside the same engine's single sequence: what sharing a pass gains
            try: o, t = pair(path, 1, 64, sequences=n, runs=a.sequence_runs)
            except SystemExit as failure: print(f"{shape:13} {kind:7} {n} sequences: not measured, this failed: {failure}", flush=True); continue  # llama.cpp's AMX kernels crash here, ik_llama.cpp's attention too
            cell(f"{n} sequences, tokens/s", o["sequences_tps"], t["sequences_tps"], 1)
            cell(f"{n} sequences : one", o["sequences_tps"] / o["decode_tps"], t["sequences_tps"] / t["decode_tps"], 2)
        rows.append(cells)
if a.json: json.dump(rows, open(a.json, "w"), indent=1)
