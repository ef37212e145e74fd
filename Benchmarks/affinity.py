"""What replicas of leap-server keep of their prompts, by how nginx chooses the replica of a request.

    swift build -c release --traits Server --product leap-server
    python Benchmarks/affinity.py [MODEL] [--server PROGRAM --nginx PROGRAM --replicas 3 --conversations 24 --turns 6 --words 40
                                   --shared 80 --tokens 24 --threads 1 --clients 1 --seed 1]

Conversations of several turns, each turn with the whole history as clients send it, reach the replicas behind nginx: in turn (its own way), and by
`hash $http_x_conversation_id consistent`, where clients send a header that is the same in all turns of a conversation. One replica by itself
is the most that can be kept. All three ways get the same conversations in the same order, from replicas that know nothing yet.

Turns are sent in a random order that the seed gives. With one client at a time the shares are exact, and the same on any machine and in any run;
times are those of the machine. Needs Python 3.11 and nginx.
"""

import argparse
import contextlib
import json
import pathlib
import queue
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADER = "x-conversation-id"
WORDS = ("the a one my our this that river city garden train letter teacher island window winter story music bridge market "
         "morning mountain keeps finds writes opens follows carries remembers slowly often near behind before after green "
         "small quiet old bright").split()


# MARK: Servers

def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def replica(options):
    process = subprocess.Popen(
        [options.server, options.model, "--port", "0", "--threads", str(options.threads), "--keep-alive=-1"],
        stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        address = re.search(r"listening at http://(\S+)", line)
        if not address:
            sys.exit(f"no replica: {line}")
        # Read on, as the server would wait for room in the pipe.
        threading.Thread(target=lambda: [sys.stderr.write(text) for text in process.stderr], daemon=True).start()
        yield address.group(1)
    finally:
        end(process)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


CONFIGURATION = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_max_body_size 32m;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream leap {{
        {choice}
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://leap;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_buffering off;
            proxy_read_timeout 3600s;
        }}
    }}
}}
"""


@contextlib.contextmanager
def proxy(options, addresses, choice):
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        file = pathlib.Path(folder) / "nginx.conf"
        servers = "\n        ".join(f"server {address};" for address in addresses)
        file.write_text(CONFIGURATION.format(folder=folder, choice=choice, servers=servers, port=port))
        process = subprocess.Popen([options.nginx, "-e", f"{folder}/error.log", "-p", folder, "-c", str(file)])
        try:
            for _ in range(500):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                if process.poll() is not None:
                    sys.exit("nginx has ended: " + (pathlib.Path(folder) / "error.log").read_text())
                time.sleep(0.02)
            yield f"127.0.0.1:{port}"
        finally:
            end(process)


# MARK: Conversations

def sentence(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count)).capitalize() + "."


def turn(options, address, name, messages):
    """Seconds until the first piece of text, the reply, and the tokens of the prompt: all, and those that were kept."""
    body = {"model": options.model, "messages": messages, "max_tokens": options.tokens, "temperature": 0, "stream": True,
            "stream_options": {"include_usage": True}}
    request = urllib.request.Request(
        f"http://{address}/v1/chat/completions", json.dumps(body).encode(),
        {"content-type": "application/json", HEADER: name})
    start, first, text, usage = time.perf_counter(), None, "", None
    with urllib.request.urlopen(request, timeout=3600) as response:
        for line in response:
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line[6:])
            if "error" in event:
                sys.exit(f"the reply failed: {event}")
            for choice in event["choices"]:
                piece = choice["delta"].get("content")
                if piece:
                    first = first or time.perf_counter() - start
                    text += piece
            usage = event.get("usage") or usage
    return (first or time.perf_counter() - start, text, usage["prompt_tokens"],
            usage["prompt_tokens_details"]["cached_tokens"])


def figure(address, name):
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=60) as reply:
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)", reply.read().decode(), re.M))


def converse(options, address):
    """All conversations, sent to an address: the times until first tokens, tokens of prompts, and those kept."""
    source = random.Random(options.seed)
    system = sentence(source, options.shared)
    histories = {}
    for _ in range(options.conversations):
        histories[f"{source.getrandbits(64):016x}"] = [{"role": "system", "content": system}]
    times, prompt, kept, lock = [], 0, 0, threading.Lock()

    def say(name, words):
        nonlocal prompt, kept
        histories[name].append({"role": "user", "content": words})
        seconds, text, tokens, cached = turn(options, address, name, histories[name])
        histories[name].append({"role": "assistant", "content": text})
        with lock:
            times.append(seconds)
            prompt += tokens
            kept += cached

    def work(waiting):
        with contextlib.suppress(queue.Empty):
            while True:
                say(*waiting.get_nowait())

    for _ in range(options.turns):
        # A turn comes when all conversations have their reply to the one before, in an order of its own.
        names = sorted(histories)
        source.shuffle(names)
        waiting = queue.Queue()
        for name in names:
            waiting.put((name, sentence(source, options.words)))
        workers = [threading.Thread(target=work, args=(waiting,)) for _ in range(options.clients)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if len(times) != options.conversations * options.turns:
        sys.exit("not all turns were answered")
    return sorted(times), prompt, kept


def run(options, count, choice):
    """All conversations with so many replicas: the times until first tokens, tokens of prompts, those kept, and requests by replica."""
    with contextlib.ExitStack() as stack:
        addresses = [stack.enter_context(replica(options)) for _ in range(count)]
        address = addresses[0] if choice is None else stack.enter_context(proxy(options, addresses, choice))
        results = converse(options, address)
        return *results, [int(figure(address, "leap_generations_total")) for address in addresses]


def options_of_conversations():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", nargs="?", default="demo")
    parser.add_argument("--server", default=str(ROOT / ".build/release/leap-server"))
    for name, value in [("replicas", 3), ("conversations", 24), ("turns", 6), ("words", 40), ("shared", 80), ("tokens", 24),
                        ("threads", 1), ("clients", 1), ("seed", 1)]:
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser


def main():
    parser = options_of_conversations()
    parser.add_argument("--nginx", default=shutil.which("nginx") or "nginx")
    options = parser.parse_args()
    ways = [("one replica", 1, None), (f"{options.replicas} replicas, in turn", options.replicas, ""),
            (f"{options.replicas} replicas, by conversation", options.replicas, f"hash $http_{HEADER.replace('-', '_')} consistent;")]
    print(f"{options.conversations} conversations of {options.turns} turns, {options.clients} at a time")
    print(f"{'':30}{'prompt tokens':>15}{'kept':>10}{'share':>8}{'first token p50':>17}{'p99':>9}  requests by replica")
    for name, count, choice in ways:
        times, prompt, kept, requests = run(options, count, choice)
        p50, p99 = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99))
        print(f"{name:30}{prompt:15,}{kept:10,}{kept / prompt:8.1%}{p50 * 1000:14.0f} ms{p99 * 1000:6.0f} ms  {requests}", flush=True)


if __name__ == "__main__":
    main()
