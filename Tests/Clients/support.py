"""What the checks of the programs share; nothing but Python's standard library."""

import contextlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request


@contextlib.contextmanager
def server(program, *arguments, model="demo"):
    """Runs the server at a free port, and sees to it that it ends when it is told to."""
    process = subprocess.Popen([program, model, "--port", "0", *arguments], stderr=subprocess.PIPE, text=True)
    try:
        # Notes on tools of MCP servers come before it.
        line = next((text for text in process.stderr if "listening at" in text), "")
        address = re.search(r"https?://\S+", line)
        assert address, f"no address in {line!r}"
        # Read on, as the server would wait for room in the pipe.
        threading.Thread(target=lambda: [sys.stderr.write(text) for text in process.stderr], daemon=True).start()
        yield address.group(0), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("the server does not end when it is told to")
        assert code == 0, f"the server ended with {code}"


def check(name, condition, found=None):
    print(f"{'ok' if condition else 'FAILED'}: {name}", flush=True)
    if not condition:
        print(f"  found {found!r}"[:4000])
        sys.exit(1)


def metric(address, name):
    """The sum of a figure over its labels."""
    with urllib.request.urlopen(address + "/metrics", timeout=120) as reply:
        text = reply.read().decode()
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)", text, re.M))


def wait_for(condition, seconds=120):
    """Waits for something that must come, and returns it; the limit is for what never does, which is None."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    return None


def lasting_port():
    """A free port of those that the system gives to nobody who asks for any, so that a server can have it again after its end."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
            given = int(file.read().split()[0])
    except OSError:
        given = 49152
    others = range(20_000, given)
    # Where there are none of those, any has to do.
    for port in [*random.sample(others, min(100, len(others))), 0]:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return probe.getsockname()[1]
    raise AssertionError("no port is free")


def private_bytes(process):
    """The memory that a process has for itself, or None where the system does not tell."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup") as file:
            return 1024 * sum(int(line.split()[1]) for line in file if line.startswith("Private_Dirty"))
    except OSError:
        return None
