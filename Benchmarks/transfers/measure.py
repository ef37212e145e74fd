#!/usr/bin/env python3
"""Measures transfers: throughput and memory against curl, kill -9 at random points, two processes racing, several connections on a
server that limits each, and a start with the network off.

    swift build -c release --product leap-transfer-probe
    python3 Benchmarks/transfers/measure.py .build/release/leap-transfer-probe [throughput|limited|kill|race|parallel|offline ...]
"""
import argparse, hashlib, os, random, shutil, signal, statistics, subprocess, tempfile, threading, time

parser = argparse.ArgumentParser()
parser.add_argument("probe")
parser.add_argument("what", nargs="*", default=["throughput", "limited", "kill", "race", "parallel", "offline"])
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


def anonymous(pid, peak, done):
    """Keeps the largest RssAnon of a process: what is its own, without the pages of shared libraries."""
    while not done.is_set():
        try:
            with open(f"/proc/{pid}/status") as status:
                for line in status:
                    if line.startswith("RssAnon:"):
                        peak[0] = max(peak[0], int(line.split()[1]))
        except OSError:
            return
        done.wait(0.01)


def timed(command, env=None):
    """Seconds, processor seconds, peak resident KiB and peak anonymous KiB of a process."""
    began = time.time()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **(env or {})})
    peak, done = [0], threading.Event()
    watcher = threading.Thread(target=anonymous, args=(process.pid, peak, done))
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.time() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    watcher.join()
    if process.returncode != 0:
        raise SystemExit(f"{command} failed")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, peak[0]


def beside_curl(size, rate, title):
    """Alternating runs; medians."""
    server = Server(size, rate)
    rows = {}
    for _ in range(options.runs):
        contenders = {
            "curl": lambda path: timed(["curl", "-s", "-o", path + "/file", server.url]),
            "curl, then sha256sum": lambda path: timed(
                ["sh", "-c", 'curl -s -o "$0/file" "$1" && sha256sum "$0/file"', path, server.url]),
            "1 connection": lambda path: timed([options.probe, path, server.url, "1"]),
            "4 connections": lambda path: timed([options.probe, path, server.url, "4"]),
            "1 connection, no hash": lambda path: timed([options.probe, path, server.url, "1"], {"PROBE_NO_HASH": "1"}),
        }
        if rate:  # Several connections would only show that the limit is one of connections.
            del contenders["4 connections"]
        for label, run in contenders.items():
            path = folder()
            rows.setdefault(label, []).append(run(path))
            shutil.rmtree(path)
    server.stop()
    print(f"{title}, {size / 1e6:.0f} MB, medians of {options.runs} alternating runs, written to {options.dir}:")
    curl = statistics.median(run[0] for run in rows["curl"])
    for label, runs in rows.items():
        seconds, cpu, peak, own = (statistics.median(run[index] for run in runs) for index in range(4))
        print(f"  {label:24} {size / seconds / 1e6:6.0f} MB/s  {curl / seconds:.2f}x curl  {cpu:5.2f} CPU s  "
              f"peak {peak / 1024:.1f} MiB, {own / 1024:.1f} of them its own")


def throughput():
    beside_curl(5 * options.size, None, "loopback without a limit")


def limited():
    beside_curl(options.size, 125_000_000, "a server that sends 125 MB/s (1 Gbit/s)")


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


def offline():
    server = Server(options.size)
    path = folder()
    fetch(path, server.url)
    url = server.url
    server.stop()
    # Without root or user namespaces: the server is gone, which is the next best thing.
    apart = ["unshare", "-rn"] if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0 else []
    run = subprocess.run([*apart, options.probe, path, url], capture_output=True, text=True)
    print(f"network off{' (a namespace without one)' if apart else ''}: "
          + (f"there after {float(run.stdout.split()[-2]) * 1000:.1f} ms" if run.returncode == 0 else run.stderr.strip()))
    shutil.rmtree(path)


for what in options.what:
    globals()[what]()
