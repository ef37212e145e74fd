#!/usr/bin/env python3
"""Time to the first token of a new process, with the model's file on the disk only and with the file in memory, beside llama.cpp.

    swift build -c release --product leap
    python Benchmarks/start.py MODEL.gguf [--runs 5] [--prompt 1] [--threads 2]

Before a cold run the system is asked to forget the file (POSIX_FADV_DONTNEED, Linux; the disk's host may still know it). The first column
is how long it takes to read the file from start to end. Needs Python with llama-cpp-python. What the disk reads in one when a page of a
mapped file is used stands in /sys/block/DISK/queue/read_ahead_kb, 128 on most systems. A slow disk, as root, DISK by its numbers in lsblk:
    mkdir /sys/fs/cgroup/slow; echo "254:0 rbps=209715200" > /sys/fs/cgroup/slow/io.max; echo $$ > /sys/fs/cgroup/slow/cgroup.procs
or with control groups of version 1 blkio/slow and blkio.throttle.read_bps_device, "254:0 209715200".
"""
import argparse, json, os, statistics, subprocess, sys, time

here = os.path.dirname(os.path.abspath(__file__))
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("model"); p.add_argument("--runs", type=int, default=5); p.add_argument("--prompt", default="1"); p.add_argument("--threads", default="2")
p.add_argument("--leap", default=os.path.join(os.path.dirname(here), ".build", "release", "leap"), help="several, with commas between them, are compared")
a = p.parse_args()


def forget():
    file = os.open(a.model, os.O_RDONLY); os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED); os.close(file)


def read():
    forget(); start = time.perf_counter(); buffer = bytearray(1 << 20)
    with open(a.model, "rb", buffering=0) as file:
        while file.readinto(buffer): pass
    return (time.perf_counter() - start) * 1e3


def first_token(command, is_cold):
    if is_cold: forget()
    out = subprocess.run(command + [a.model, "--prompt", a.prompt, "--generate", "1", "--threads", a.threads, "--repetitions", "1"], capture_output=True, text=True)
    if out.returncode != 0: sys.exit(f"{' '.join(command)}\n{out.stderr}")
    return json.loads(out.stdout.strip().splitlines()[-1])["first_token_ms"]


commands = {leap: [leap, "bench", "--json"] for leap in a.leap.split(",")} | {"llama.cpp": [sys.executable, os.path.join(here, "peer.py")]}
times = {name: ([], []) for name in commands}; reads = []
for _ in range(a.runs):
    reads.append(read())
    for name, command in commands.items():
        for is_cold, rows in zip((True, False), times[name]): rows.append(first_token(command, is_cold))
middle = lambda rows: f"{statistics.median(rows):.0f} ({min(rows):.0f} to {max(rows):.0f})"
print(f"reading the file {middle(reads)} ms")
for name, (cold, warm) in times.items(): print(f"{name}: cold {middle(cold)} ms, warm {middle(warm)} ms")
