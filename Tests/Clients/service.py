"""Drives the model service of leap-server over its socket, as an app would and as no app should.

    python service.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1. Needs the standard library only.
"""

import base64
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

from support import check, wait_for

MODEL = pathlib.Path(__file__).resolve().parents[2] / "Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf"
VERSION = 8


class App:
    """An app's connection."""

    def __init__(self, path, greets=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.rest = b""
        # What is sent together, until it is; None where each message is sent by itself.
        self.kept = None
        self.last = 0
        if greets:
            self.send({"hello": {"version": VERSION, "app": "service.py"}})
            message = self.receive()
            assert message == {"hello": {"version": VERSION}}, message

    def send(self, message):
        payload = json.dumps(message).encode()
        data = struct.pack("<IB", len(payload), 1) + payload
        if self.kept is None:
            self.socket.sendall(data)
        else:
            self.kept += data

    @contextlib.contextmanager
    def together(self):
        """Sends all messages in one piece."""
        self.kept = b""
        yield
        data, self.kept = self.kept, None
        self.socket.sendall(data)

    def receive(self):
        """The next message; a step as a tuple; None at the end."""
        while True:
            if len(self.rest) >= 5:
                count, kind = struct.unpack_from("<IB", self.rest)
                if len(self.rest) >= 5 + count:
                    payload, self.rest = self.rest[5:5 + count], self.rest[5 + count:]
                    return json.loads(payload) if kind == 1 else struct.unpack("<II7i", payload)
            try:
                data = self.socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            self.rest += data

    def new(self):
        self.last += 1
        return self.last

    def until(self, key):
        """Everything up to a message of a kind, which comes last."""
        seen = []
        while True:
            message = self.receive()
            seen.append(message)
            if message is None or (isinstance(message, dict) and key in message):
                return seen

    def status(self):
        self.send({"status": {"id": self.new()}})
        return self.until("status")[-1]["status"]["status"]

    def load(self, options=None, path=MODEL):
        request = {
            "files": {"modelPath": str(path), "modelId": "demo"},
            "options": {"audioDecoderUseGpu": False, **(options or {})}, "forceDownload": False}
        self.send({"load": {"id": self.new(), "request": request}})
        while True:
            message = self.receive()
            if message is None or "loaded" in message or "failure" in message:
                return message

    def generate(self, session, tokens, maximum, sampling=None, seed=1):
        generation = self.new()
        recipe = {"enableThinking": False, "isReasoningOpen": False}
        request = {
            "generation": generation, "session": session, "sampling": {"values": sampling or {"temperature": 0.8}, "seed": seed},
            "prompt": base64.b64encode(struct.pack(f"<{len(tokens)}i", *tokens)).decode(), "maxTokens": maximum,
            "stopTokens": [], "media": [], "recipe": recipe}
        self.send({"generate": {"_0": request}})
        return generation

    def close(self):
        self.socket.close()


def tokens_of(seen):
    return [step[2] for step in seen if isinstance(step, tuple) and step[1] == 1]


@contextlib.contextmanager
def service(program, folder, *arguments, environment=None, **options):
    path = os.path.join(folder, "s", "service.sock")
    process = subprocess.Popen(
        [program, "--service", "--socket", path, "--cache", os.path.join(folder, "cache"), *arguments],
        stderr=open(os.path.join(folder, "log"), "w"), env={**os.environ, **(environment or {})}, **options)
    try:
        check("the service begins", wait_for(lambda: os.path.exists(path) and answers(path)))
        yield path, process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        code = process.wait(120)
        check("the service ends when it is told to", code in (0, -signal.SIGKILL), code)


def answers(path):
    try:
        App(path).close()
        return True
    except OSError:
        return False


def apps(program, folder):
    with service(program, folder, "--no-http") as (path, process):
        info = os.stat(path)
        check("socket: for its user alone", stat.S_IMODE(info.st_mode) == 0o600, oct(info.st_mode))
        check("socket: in a folder for its user alone", stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700)
        first, second = App(path), App(path)
        loaded = first.load({"contextSize": 512})["loaded"]["model"]
        again = second.load({"contextSize": 1024})["loaded"]["model"]
        check("options of the first app win", loaded["contextSize"] == again["contextSize"] == 512, again)
        prompt = list(range(100, 140))
        first.generate(1000, prompt, 24)
        one = tokens_of(first.until("finished"))
        second.generate(1000, prompt, 24)
        check("two apps get the same tokens", len(one) > 0 and tokens_of(second.until("finished")) == one, one)
        check("one model, two sessions", (first.status()["models"], first.status()["sessions"]) == ([str(MODEL)], 2))
        # All of these belong to one process, whose sessions are counted together.
        first.generate(1001, prompt, 4)
        check("the third session", "error" not in first.until("finished")[-1]["finished"]["_0"])
        first.generate(1002, prompt, 4)
        refused = first.until("finished")[-1]["finished"]["_0"]
        check("the fourth session is refused", refused.get("error", {}).get("code") == "sessionLimit", refused)
        first.send({"release": {"session": 1000}})
        first.generate(1002, prompt, 4)
        check("one that is released makes room", "error" not in first.until("finished")[-1]["finished"]["_0"])
        # Both at once: it could be whole before a later message comes.
        with second.together():
            generation = second.generate(1000, prompt, 400)
            second.send({"cancel": {"generation": generation}})
        ended = second.until("finished")[-1]["finished"]["_0"]
        check("a generation can be cancelled", ended["reason"] == "cancelled", ended)
        second.generate(1000, prompt, 400)
        second.receive()
        second.close()
        check("an app that is gone leaves nothing", wait_for(
            lambda: (lambda status: status["sessions"] == 2 and status["generations"] == 0)(first.status())))
        hostile(path)
        check("it is still running", process.poll() is None and first.status()["sessions"] == 2)
        other = subprocess.run(
            [program, "--service", "--no-http", "--socket", path], stderr=subprocess.PIPE, text=True, timeout=120)
        check("a second service is refused", other.returncode != 0 and "already running there" in other.stderr, other.stderr)
        check("and the first one still answers", answers(path))


def hostile(path):
    generator = random.Random(5)
    for index in range(200):
        app = App(path, greets=index % 2 == 0)
        data = bytes(generator.randrange(256) for _ in range(generator.randrange(1, 300)))
        with contextlib.suppress(OSError):
            app.socket.sendall(data)
        app.close()
    app = App(path)
    app.socket.sendall(struct.pack("<IB", 0xFFFFFFFF, 1))
    check("a message that is too long ends the connection", app.receive() is None)
    app = App(path)
    app.socket.sendall(struct.pack("<IB", 1 << 20, 1) + b"[" * (1 << 20))
    message = app.receive()
    check("deep JSON ends the connection", "failure" in message and app.receive() is None, message)
    slow = [App(path) for _ in range(8)]
    for app in slow:
        app.socket.sendall(struct.pack("<IB", 1 << 20, 1) + b"{")
    check("unfinished messages keep nobody waiting", answers(path))
    for app in slow:
        app.close()


def killed(program, folder):
    path = os.path.join(folder, "s", "service.sock")
    with service(program, folder, "--no-http") as (path, process):
        app = App(path)
        app.load()
        app.generate(1, list(range(100, 140)), 400)
        app.receive()
        process.kill()
        process.wait()
        check("killed: the app sees the end", app.until("never")[-1] is None)
        check("killed: the socket is left behind", os.path.exists(path))
    with service(program, folder, "--no-http") as (path, process):
        check("the next service takes the socket's place", App(path).status()["models"] == [])


def beside_http(program, folder):
    with service(program, folder, "--port", "0", str(MODEL)) as (path, process):
        def address():
            return re.search(r"listening at (http://\S+)\n", pathlib.Path(folder, "log").read_text())

        check("HTTP begins beside the service", found := wait_for(address))

        def http(route, body=None):
            request = urllib.request.Request(found[1] + route, data=json.dumps(body).encode() if body else None)
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.loads(reply.read())

        check("HTTP answers beside the service", http("/health"))
        app = App(path)
        app.load()
        http("/v1/completions", {"prompt": "Once", "max_tokens": 4})
        check("HTTP and apps share one copy", len(app.status()["models"]) == 1, app.status())


def supervised(program, folder):
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind(os.path.join(folder, "notify"))
    notices.settimeout(120)
    with service(program, folder, "--no-http", environment={"NOTIFY_SOCKET": os.path.join(folder, "notify")}) as (
            path, process):
        words = []

        def hear(expected):
            while not any(expected in word for word in words):
                words.append(notices.recv(4096).decode())
            return True

        check("systemd is told that it is ready", hear("READY=1"))
        check("systemd is told the state", hear("STATUS=Ready — 0 models loaded"))
        app = App(path)
        app.load()
        check("systemd is told of models", hear("STATUS=Ready — 1 model loaded"))
        process.send_signal(signal.SIGTERM)
        check("systemd is told of the end", hear("STOPPING=1"))
        process.wait(120)
        check("the socket is gone", not os.path.exists(path))


def activated(program, folder):
    """A socket that is passed as systemd passes one."""
    path = os.path.join(folder, "passed.sock")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def prepare():
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)

    process = subprocess.Popen(
        ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" --service --no-http', program], preexec_fn=prepare,
        close_fds=False, stderr=open(os.path.join(folder, "log"), "w"))
    try:
        check("a passed socket is answered", App(path).status()["processIdentifier"] == process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)
    check("a passed socket is left to whoever passed it", os.path.exists(path))


def main():
    program = sys.argv[1]
    for part in (apps, killed, beside_http, supervised, activated):
        folder = tempfile.mkdtemp(prefix="leap-")
        try:
            part(program, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


main()
