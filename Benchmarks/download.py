#!/usr/bin/env python3
"""Measures transfers: throughput and memory against curl, kill -9 at random points, two processes racing, several connections.

    swift build -c release --product leap-transfer-probe
    python3 Benchmarks/download.py .build/release/leap-transfer-probe [throughput|kill|race|parallel ...] [--dir /dev/shm]
"""
import argparse, hashlib, os, random, shutil, signal, subprocess, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("probe")
parser.add_argument("what", nargs="*", default=["throughput", "kill", "race", "parallel"])
parser.add_argument("--dir", default=tempfile.gettempdir(), help="where files are written")
parser.add_argument("--size", type=int, default=200_000_000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--kills", type=int, default=20)
options = parser.parse_args()
random.seed(options.seed)


class Server:
    def __init__(self, size, rate=None):
        command = [options.probe, "serve", str(size)] + ([str(rate)] if rate else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def sent(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def folder():
    return tempfile.mkdtemp(prefix="leap-bench-", dir=options.dir)


def fetch(path, url, *more, env=None):
    run = subprocess.run([options.probe, path, url, *more], capture_output=True, text=True, env={**os.environ, **(env or {})})
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    name, size, seconds, peak = run.stdout.rsplit(maxsplit=3)
    return name, int(size), float(seconds), int(peak)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def throughput():
    size = 5 * options.size
    server = Server(size)
    best = {}
    peaks = []
    for _ in range(options.runs):
        path = folder()
        began = time.time()
        subprocess.run(["curl", "-s", "-o", path + "/file", server.url], check=True)
        best["curl"] = min(best.get("curl", 9e9), time.time() - began)
        shutil.rmtree(path)
        path = folder()
        began = time.time()
        subprocess.run(["curl", "-s", "-o", path + "/file", server.url], check=True)
        subprocess.run(["sha256sum", path + "/file"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["sync", path + "/file"], check=True)
        best["curl, sha256sum, sync"] = min(best.get("curl, sha256sum, sync", 9e9), time.time() - began)
        shutil.rmtree(path)
        for label, connections in (("1 connection", "1"), ("4 connections", "4")):
            path = folder()
            _, _, seconds, peak = fetch(path, server.url, connections)
            best[label] = min(best.get(label, 9e9), seconds)
            peaks.append(peak)
            shutil.rmtree(path)
    server.stop()
    print(f"throughput, {size / 1e6:.0f} MB, best of {options.runs}, written to {options.dir}:")
    for label, seconds in best.items():
        print(f"  {label:24} {size / seconds / 1e6:7.0f} MB/s   {best['curl'] / seconds:.2f}x curl")
    print(f"  peak resident memory {max(peaks) / 1024:.1f} MiB")


def kill():
    server = Server(options.size, 25_000_000)
    path = folder()
    good, worst, lost = None, 0, []
    for index in range(options.kills):
        before = server.sent()
        process = subprocess.Popen([options.probe, path, server.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        point = random.randint(1, options.size - 1)
        while process.poll() is None and server.sent() - before < point:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        visible = [name for _, _, names in os.walk(path) for name in names if name.endswith(".gguf") or name == "manifest.json"]
        name, size, _, _ = fetch(path, server.url)
        total = server.sent() - before
        found = sha256(name)
        good = good or found
        lost.append((total - size) / size)
        print(f"  killed at {point / options.size:6.1%}: {lost[-1]:6.2%} fetched twice, hash {'right' if found == good else 'WRONG'}, "
              f"visible before: {visible or 'nothing'}")
        shutil.rmtree(path)
        os.makedirs(path)
    server.stop()
    print(f"kill -9 at {options.kills} random points of {options.size / 1e6:.0f} MB: at most {max(lost):.2%}, "
          f"on average {sum(lost) / len(lost):.2%} fetched twice")


def race():
    server = Server(options.size, 25_000_000)
    path = folder()
    both = [subprocess.Popen([options.probe, path, server.url], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    names = {process.communicate()[0].split()[0] for process in both}
    print(f"two processes: {len(names)} file, {server.sent() / options.size:.4f} times its bytes sent")
    server.stop()
    shutil.rmtree(path)


def parallel():
    server = Server(options.size // 4, 20_000_000)
    seconds = {}
    for connections in ("1", "4"):
        path = folder()
        seconds[connections] = fetch(path, server.url, connections)[2]
        shutil.rmtree(path)
    server.stop()
    print(f"a server that gives each connection 20 MB/s: 4 connections {seconds['1'] / seconds['4']:.2f}x one")


for what in options.what:
    globals()[what]()
