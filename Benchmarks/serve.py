"""leap-server under load, and beside llama-cpp-python's server: the same requests to both, in turns.

    swift build -c release --product leap && swift build -c release --traits Server --product leap-server
    python Benchmarks/serve.py MODEL [--clients 8 --rounds 3 --prompt 512 --shared 400 --out 128 --threads 2]
                                     [--peer PYTHON-WITH-llama_cpp]
    python Benchmarks/serve.py MODEL --overhead     # decode over HTTP beside `leap bench`
    python Benchmarks/serve.py demo --storm 64x50   # clients x requests each: errors, and times
    python Benchmarks/serve.py demo --connections 10000

Needs Python 3.11 and nothing else; the peer needs llama-cpp-python[server]. Each client sends one streamed request to /v1/completions in a
round; prompts begin alike and go on differently, and no two rounds share a prompt's end. Token counts are the servers' own where they tell
them, else one for each event. Of the rounds the medians are shown.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]


# MARK: Servers

def private_megabytes(process):
    try:
        with open(f"/proc/{process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_Dirty")) / 1024
    except OSError:
        return float("nan")


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def ours(arguments, *more):
    process = subprocess.Popen(
        [arguments.server, arguments.model, "--port", "0", "--threads", str(arguments.threads), "--keep-alive=-1",
         "--connections", "4096", *more], stderr=subprocess.PIPE, text=True)
    try:
        yield int(re.search(r":(\d+)$", process.stderr.readline().strip()).group(1)), process
    finally:
        end(process)


@contextlib.contextmanager
def peer(arguments):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = (arguments.prompt + arguments.out + 64)
    process = subprocess.Popen(
        [arguments.peer, "-m", "llama_cpp.server", "--model", arguments.model, "--host", "127.0.0.1", "--port", str(port),
         "--n_threads", str(arguments.threads), "--n_threads_batch", str(arguments.threads), "--n_ctx", str(context),
         # Otherwise a request ends the one before it.
         "--interrupt_requests", "False", "--verbose", "False"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.2)
        yield port, process
    finally:
        end(process)


def post(port, path, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as reply:
        return json.load(reply)


# MARK: Clients

class Answer:
    """What one request came to."""

    def __init__(self, status, start, times, tokens, is_whole):
        self.status, self.start, self.times, self.tokens, self.is_whole = status, start, times, tokens, is_whole

    @property
    def first(self):
        return self.times[0] - self.start

    @property
    def gaps(self):
        return [after - before for before, after in zip(self.times, self.times[1:])]


async def read_head(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    return int(head.split(" ", 2)[1]), "transfer-encoding: chunked" in head, re.search(r"content-length: (\d+)", head)


async def stream(port, body, path="/v1/completions"):
    """Sends a request and notes when each event with text comes."""
    data = json.dumps({**body, "stream": True}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    start = time.perf_counter()
    writer.write(
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(data)}\r\nconnection: close\r\n\r\n".encode() + data)
    times, tokens, rest, is_done, is_whole = [], None, b"", False, False
    status, chunked, length = await read_head(reader)
    try:
        while not is_done:
            if chunked:
                size = int(await reader.readline(), 16)
                piece = (await reader.readexactly(size + 2))[:-2]
                is_done = size == 0
            else:
                piece = await reader.read(65536)
                is_done = not piece
            now = time.perf_counter()
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                is_whole = is_whole or line.strip() == b"data: [DONE]"
                if not line.startswith(b"data: {"):
                    continue
                event = json.loads(line[6:])
                if "error" in event:
                    status = 500
                if event.get("usage"):
                    tokens = event["usage"]["completion_tokens"]
                choices = event.get("choices") or [{}]
                if choices[0].get("text") or (choices[0].get("delta") or {}).get("content"):
                    times.append(now)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    return Answer(status, start, times, tokens if tokens is not None else len(times), is_whole)


# MARK: Prompts

class Prompts:
    """Texts of so many tokens, by our server's tokenizer, that begin with the same ones."""

    def __init__(self, port, arguments):
        self.port, self.random = port, random.Random(1)
        words = "the of and to in is that for it was on are as with his they at be this from".split()
        self.word = lambda: " " + (self.random.choice(words) if self.random.random() < 0.5 else "".join(
            self.random.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(self.random.randint(3, 8))))
        self.count = arguments.prompt
        self.shared = self.cut("", arguments.shared)

    def length(self, text):
        return len(post(self.port, "/tokenize", {"content": text, "add_special": True})["tokens"])

    def cut(self, start, count):
        text = start
        while (missing := count - self.length(text)) > 0:
            for _ in range(max(1, missing // 3)):
                text += self.word()
            while self.length(text) > count and " " in text[len(start) + 1:]:
                text = text[: text.rindex(" ")]
                if self.length(text) >= count - 1:
                    return text
        return text

    def next(self):
        return self.cut(self.shared, self.count)


# MARK: Measurements

def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


async def one_round(port, prompts, arguments):
    bodies = [{
        "prompt": prompt, "max_tokens": arguments.out, "temperature": 0, "stream_options": {"include_usage": True},
    } for prompt in prompts]
    start = time.perf_counter()
    answers = await asyncio.gather(*[stream(port, body) for body in bodies])
    seconds = time.perf_counter() - start
    assert all(answer.status == 200 and answer.times for answer in answers), [answer.status for answer in answers]
    gaps = [gap for answer in answers for gap in answer.gaps]
    firsts = [answer.first for answer in answers]
    return {
        "tokens": sum(answer.tokens for answer in answers), "tokens/s": sum(answer.tokens for answer in answers) / seconds,
        "first p50": percentile(firsts, 0.5), "first p99": percentile(firsts, 0.99),
        "gap p50": percentile(gaps, 0.5), "gap p99": percentile(gaps, 0.99),
    }


def show(name, rounds, memory):
    middle = {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}
    print(f"{name:8} {middle['tokens']:6.0f} tokens  {middle['tokens/s']:8.1f} tokens/s  "
          f"first token p50 {middle['first p50'] * 1e3:8.0f} ms  p99 {middle['first p99'] * 1e3:8.0f} ms  "
          f"gap p50 {middle['gap p50'] * 1e3:7.2f} ms  p99 {middle['gap p99'] * 1e3:7.2f} ms  {memory:6.0f} MB", flush=True)
    return middle


def compare(arguments):
    if arguments.model == "demo":
        arguments.prompt, arguments.shared = min(arguments.prompt, 512), min(arguments.shared, 400)
    with contextlib.ExitStack() as stack:
        servers = {"leap": stack.enter_context(ours(arguments))}
        prompts = Prompts(servers["leap"][0], arguments)
        if arguments.peer:
            servers["llama.cpp"] = stack.enter_context(peer(arguments))
        rounds = {name: [] for name in servers}
        for name, (port, _) in servers.items():
            asyncio.run(one_round(port, [prompts.next()], arguments))
        for _ in range(arguments.rounds):
            batch = [prompts.next() for _ in range(arguments.clients)]
            for name, (port, _) in servers.items():
                rounds[name].append(asyncio.run(one_round(port, batch, arguments)))
        print(f"{arguments.clients} clients, prompts of {arguments.prompt} tokens of which {arguments.shared} are shared, "
              f"{arguments.out} out, {arguments.threads} threads, medians of {arguments.rounds} rounds")
        results = {name: show(name, rounds[name], private_megabytes(servers[name][1])) for name in servers}
        if arguments.peer:
            print(f"throughput {results['leap']['tokens/s'] / results['llama.cpp']['tokens/s']:.2f}×")


def overhead(arguments):
    """Decode speed of one client over HTTP beside that of the engine alone, in turns."""
    bench = [arguments.server.with_name("leap"), "bench", arguments.model, "--prompt", str(arguments.prompt), "--generate",
             str(arguments.out), "--depth", str(arguments.prompt), "--threads", str(arguments.threads), "--repetitions", "1",
             "--json"]
    with ours(arguments) as (port, _):
        prompts = Prompts(port, arguments)
        asyncio.run(one_round(port, [prompts.next()], arguments))
        engine, http, gaps = [], [], []
        for _ in range(arguments.rounds):
            engine.append(json.loads(subprocess.run(bench, capture_output=True, text=True, check=True).stdout))
            answer = asyncio.run(stream(port, {
                "prompt": prompts.next(), "max_tokens": arguments.out, "temperature": 0,
                "stream_options": {"include_usage": True}}))
            # From the first token on, as the engine's decode speed is.
            http.append((answer.tokens - 1) / (answer.times[-1] - answer.times[0]))
    key = next(key for key in engine[0] if "decode" in key.lower() and isinstance(engine[0][key], (int, float)))
    alone = statistics.median(result[key] for result in engine)
    over = statistics.median(http)
    print(f"decode: engine {alone:.1f} tokens/s, over HTTP {over:.1f} tokens/s: {(alone / over - 1) * 100:+.1f} %, "
          f"{(1 / over - 1 / alone) * 1e3:+.3f} ms a token")


async def storm(port, clients, requests):
    words = ["What is the capital of Portugal?", "Tell me a story.", "Hello!", "Ana is 31 years old."]

    async def client(number):
        answers = []
        for index in range(requests):
            body = {"messages": [{"role": "user", "content": words[(number + index) % 4]}], "max_tokens": 32}
            try:
                answers.append(await stream(port, body, "/v1/chat/completions"))
            except (OSError, asyncio.IncompleteReadError, ValueError) as error:
                answers.append(error)
        return answers

    return [answer for answers in await asyncio.gather(*[client(number) for number in range(clients)]) for answer in answers]


def measure_storm(arguments):
    clients, requests = map(int, arguments.storm.split("x"))
    with ours(arguments) as (port, process):
        asyncio.run(storm(port, 4, 4))
        before, start = private_megabytes(process), time.perf_counter()
        answers = asyncio.run(storm(port, clients, requests))
        seconds = time.perf_counter() - start
        errors = [answer for answer in answers if not isinstance(answer, Answer) or answer.status != 200 or not answer.is_whole]
        good = [answer for answer in answers if answer not in errors]
        print(f"{clients} clients × {requests} requests: {len(errors)} errors, {len(good) / seconds:.1f} requests/s, "
              f"{sum(answer.tokens for answer in good) / seconds:.0f} tokens/s, first token p50 "
              f"{percentile([answer.first for answer in good if answer.times], 0.5) * 1e3:.0f} ms p99 "
              f"{percentile([answer.first for answer in good if answer.times], 0.99) * 1e3:.0f} ms, "
              f"{before:.0f} MB before, {private_megabytes(process):.0f} MB after")
        for error in errors[:5]:
            print("  ", error if not isinstance(error, Answer) else error.status)


def measure_connections(arguments):
    with ours(arguments) as (port, process):
        asyncio.run(storm(port, 4, 4))
        request = b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        sizes, start = [], time.perf_counter()
        for index in range(arguments.connections):
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                if index % 2:
                    connection.sendall(request)
                    assert b" 200 " in connection.recv(4096)
            if index % max(1, arguments.connections // 5) == 0:
                sizes.append(private_megabytes(process))
        sizes.append(private_megabytes(process))
        descriptors = len(os.listdir(f"/proc/{process.pid}/fd")) if os.path.exists("/proc") else None
        print(f"{arguments.connections} connections in {time.perf_counter() - start:.1f} s: "
              f"{', '.join(f'{size:.1f}' for size in sizes)} MB; {descriptors} open descriptors after")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    for name, value in [("clients", 8), ("rounds", 3), ("prompt", 512), ("shared", 400), ("out", 128), ("threads", 2)]:
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--server", type=pathlib.Path, default=ROOT / ".build/release/leap-server")
    parser.add_argument("--peer", help="a Python that has llama-cpp-python[server]")
    parser.add_argument("--overhead", action="store_true")
    parser.add_argument("--storm", metavar="CLIENTSxREQUESTS")
    parser.add_argument("--connections", type=int)
    arguments = parser.parse_args()
    if arguments.overhead:
        overhead(arguments)
    elif arguments.storm:
        measure_storm(arguments)
    elif arguments.connections:
        measure_connections(arguments)
    else:
        compare(arguments)


if __name__ == "__main__":
    main()
