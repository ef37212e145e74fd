"""leap-server under load beside llama-cpp-python's server: closed and open loop, requests in time, memory, and a day's requests in minutes.

    swift build -c release --traits Server --product leap-server
    python Benchmarks/load.py [MODEL.gguf] [--peer-python PYTHON] [--guidellm PYTHON] [--clients 1,4,16,64 --shares 50,80,120]
                              [--seconds 20 --open-seconds 30 --first-token-limit 0.5 --prompt 256 --shared 64 --out 64 --threads 2 --max-active 32]
                              [--schedule latency,balanced,throughput]
    python Benchmarks/load.py [MODEL.gguf] --soak 24 [--every 10 --faster 144 --growth 4]

Needs Python 3.11 on Linux and nothing else. --peer-python is a Python with llama-cpp-python[server], --guidellm one with guidellm.

Closed loop: so many clients, each of which sends its next request when it has the whole answer to the one before, until the seconds are over;
what has begun is finished. Open loop: requests arrive at random (Poisson) at shares of the most requests a second that the same server answered
in the closed loop, whether those before are answered or not; waiting counts from the moment at which a request was due. Servers take turns setting
by setting, and both get the same prompts, each of which is sent once to a server: words of one token, of which the first (--shared) are
the same in all (digits, where the tokenizer is that of models.py). Greedy; neither may end a reply before --out tokens (`ignore_eos`, and `min_tokens` for the peer).

"In time" are requests that were answered whole and had their first token within --first-token-limit seconds. A gap is the time between two pieces
of a reply; tokens are the server's own count, else pieces. RSS and private memory (dirty pages of its own) are the server's after the setting.
The client computes on the same machine: the last column says how many processors it kept busy; where that is much, the servers could do more.

--schedule starts one server of ours for each policy that it names, with the policy in its name; all get the same prompts. The rows of a setting
stand together, with tokens/s, the first token's p50 and p99, and the gaps' p99. A server without the option is one with the default.

llama-cpp-python's server computes one request at a time, and others wait; leap-server computes all together. There is no setting that makes
the two alike, so none is set.

With --guidellm each setting is repeated by guidellm, with as many requests and prompts of its own. It does not tell single gaps: its column has the
99th percentile of the mean gap of a request. It counts waiting from the sending, not from when a request was due.

--soak HOURS sends as many short requests, of changing kinds, as HOURS of one every --every seconds would be, --faster times as fast: 24 hours of
one in 10 seconds are 8,640 requests, in 10 minutes; with --faster 10 in 2.4 hours. It ends with status 1 where a request failed or where
private memory grew by more than --growth MB after the first quarter.
"""

import argparse
import asyncio
import collections
import contextlib
import ctypes
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from serve import end, percentile, post

ROOT = pathlib.Path(__file__).resolve().parents[1]


# MARK: Servers

def end_with_parent():
    """Has the kernel end a server when this script is killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def memory(process):
    """RSS and private memory in MB."""
    sizes = collections.Counter()
    with contextlib.suppress(OSError), open(f"/proc/{process.pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith(("Rss:", "Private_Dirty:")):
                sizes[line.split(":")[0]] = int(line.split()[1]) / 1024
    return sizes["Rss"], sizes["Private_Dirty"]


class Server:
    def __init__(self, name, port, model, process):
        self.name, self.port, self.model, self.process = name, port, model, process
        self.capacity = 0

    def body(self, prompt, options):
        """ignore_eos is not known to the peer, which passes over it; repeat_penalty is 1.1 there unless it is told."""
        return {"model": self.model, "prompt": prompt, "max_tokens": options.out, "min_tokens": options.out, "ignore_eos": True,
                "temperature": 0, "repeat_penalty": 1.0, "stream": True, "stream_options": {"include_usage": True}}


@contextlib.contextmanager
def ours(options, schedule=None):
    process = subprocess.Popen(
        [options.server, options.model, "--port", "0", "--threads", str(options.threads), "--keep-alive=-1", "--connections", "4096",
         "--max-active", str(options.max_active), "--max-queue", str(options.max_queue), *(["--schedule", schedule] if schedule else [])],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
    try:
        line = process.stderr.readline()
        address = re.search(r"listening at http://127\.0\.0\.1:(\d+)", line)
        if not address:
            sys.exit(f"leap-server did not start: {line}")
        threading.Thread(target=lambda: [sys.stderr.write(text) for text in process.stderr], daemon=True).start()
        port = int(address[1])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=60) as reply:
            name = f"leap-server, {schedule}" if schedule else "leap-server"
            yield Server(name, port, json.load(reply)["data"][0]["id"], process)
    finally:
        end(process)


@contextlib.contextmanager
def peer(options, *more, context=None, verbose=False):
    """llama-cpp-python's server, with further arguments; `log` of the server is the file of what it writes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen(
            [options.peer_python, "-m", "llama_cpp.server", "--model", options.model, "--model_alias", "peer", "--host", "127.0.0.1",
             "--port", str(port), "--n_threads", str(options.threads), "--n_threads_batch", str(options.threads),
             "--n_ctx", str(context or options.prompt + options.out + 64),
             # Otherwise a request ends the one before it.
             "--interrupt_requests", "False", "--verbose", str(verbose), *more],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent)
        try:
            for _ in range(1500):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                if process.poll() is not None:
                    log.seek(0)
                    sys.exit("the peer has ended: " + log.read()[-2000:])
                time.sleep(0.2)
            server = Server("llama-cpp-python", port, "peer", process)
            server.log = log
            yield server
        finally:
            end(process)


# MARK: Client

class Answer:
    """What one request came to; times are of `time.perf_counter`."""

    def __init__(self, due):
        self.due, self.times, self.tokens, self.error, self.end = due, [], None, None, None
        self.is_whole = False

    @property
    def first(self):
        return self.times[0] - self.due if self.times else float("inf")

    @property
    def gaps(self):
        return [after - before for before, after in zip(self.times, self.times[1:])]


class Connections:
    """Requests over connections that are kept for the next ones, as HTTP clients do."""

    IDLE = 2  # seconds; llama-cpp-python's server closes after 5

    def __init__(self, port):
        self.port, self.idle = port, []

    async def take(self):
        while self.idle:
            since, reader, writer = self.idle.pop()
            if time.perf_counter() - since < self.IDLE and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    def close(self):
        for _, _, writer in self.idle:
            writer.close()

    async def send(self, path, body, due=None, timeout=3600):
        answer = Answer(due or time.perf_counter())
        try:
            await asyncio.wait_for(self.exchange(path, body, answer), timeout)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
            answer.error = f"{type(error).__name__} {error}".strip()
        answer.end = time.perf_counter()
        if not answer.error and body.get("stream") and not answer.is_whole:
            answer.error = "the stream ended before [DONE]"
        if answer.tokens is None:
            answer.tokens = len(answer.times)
        return answer

    async def exchange(self, path, body, answer):
        data = json.dumps(body).encode()
        reader, writer = await self.take()
        try:
            writer.write(f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-type: application/json\r\n"
                         f"content-length: {len(data)}\r\n\r\n".encode() + data)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            status = int(head.split(" ", 2)[1])
            length = re.search(r"content-length: (\d+)", head)
            if length:
                text = await reader.readexactly(int(length[1]))
                if status != 200:
                    answer.error = f"status {status}: {text[:200].decode(errors='replace')}"
                elif not body.get("stream"):
                    answer.times.append(time.perf_counter())
                    answer.tokens = json.loads(text).get("usage", {}).get("completion_tokens")
                    answer.is_whole = True
            else:
                rest, size = b"", 1
                while size:
                    size = int(await reader.readline(), 16)
                    piece = (await reader.readexactly(size + 2))[:-2]
                    now = time.perf_counter()
                    *lines, rest = (rest + piece).split(b"\n")
                    for line in lines:
                        self.event(line, now, answer)
                if status != 200:
                    answer.error = f"status {status}"
            if "connection: close" in head:
                writer.close()
            else:
                self.idle.append((time.perf_counter(), reader, writer))
        except BaseException:
            writer.close()
            raise

    # Most events are not parsed, as the client uses the processors of the server that it measures.
    EMPTY = re.compile(rb'"text": ?""|"content": ?""')

    def event(self, line, now, answer):
        if not line.startswith(b"data: "):
            return
        if line.startswith(b"data: [DONE]"):
            answer.is_whole = True
        elif b'"usage":' in line and (usage := json.loads(line[6:]).get("usage")):
            answer.tokens = usage["completion_tokens"]
        elif b'"error":' in line:
            answer.error = line[6:206].decode(errors="replace")
        elif (b'"text":' in line or b'"content":' in line) and not self.EMPTY.search(line):
            answer.times.append(now)


# MARK: Prompts

CANDIDATES = """a about after all also an and any are as at back be because been before but by call can city come could country day did do
down each end even first five for four from get give go good great had has have he help her here him his home house how if in into is it its
just keep know last left life light like line little live long look made make man many may me men more most move much must my name near need
never new next night no not now number of off old on one only open or other our out over own part place plan play point put read right road
run said same say school see she should show side small so some start still story such take tell than that the their them then there these
they thing think this three time to tree try turn two under until up us use very walk want was water way we well went were what when where
which while white who why will with word work world would write year you your""".split()


class Prompts:
    """Texts of so many tokens by our server's tokenizer: words that are one token each, so that texts need not be counted. The random models of models.py
    have no such words, but digits."""

    def __init__(self, server, options):
        def count(text):
            return len(post(server.port, "/tokenize", {"content": text, "add_special": True})["tokens"])

        def single(text, pieces):
            start = count(text)
            return start, [piece for piece in pieces if count(text + piece) == start + 1 and count(text + piece + pieces[0]) == start + 2]

        for self.text, pieces, least in [("the the", [" the"] + [" " + word for word in CANDIDATES], 40), ("0", list("0123456789"), 10)]:
            start, self.pieces = single(self.text, pieces)
            if len(self.pieces) >= least:
                break
        else:
            sys.exit("neither words nor digits are one token of this model's")
        self.random, self.options = random.Random(options.seed), options
        self.text = self.more(options.shared - start)
        self.missing = options.prompt - max(options.shared, start)

    def more(self, count):
        return self.text + "".join(self.random.choice(self.pieces) for _ in range(max(0, count)))

    def next(self):
        return self.more(self.missing)


# MARK: Loads

async def closed(server, prompts, options, clients, seconds):
    """So many clients, each with one request at a time."""
    connections, answers = Connections(server.port), []
    until = time.perf_counter() + seconds

    async def client():
        while time.perf_counter() < until:
            answers.append(await connections.send("/v1/completions", server.body(prompts.next(), options), timeout=options.timeout))

    await asyncio.gather(*[client() for _ in range(clients)])
    connections.close()
    return answers


async def opened(server, prompts, options, rate, seconds):
    """Requests at random moments, so many a second in the mean; at least one."""
    connections, source = Connections(server.port), random.Random(options.seed)
    moments, at = [], 0.0
    while at < seconds or not moments:
        moments.append(at)
        at += source.expovariate(rate)
    bodies = [server.body(prompts.next(), options) for _ in moments]
    start, tasks = time.perf_counter() + 0.05, []
    for moment, body in zip(moments, bodies):
        await asyncio.sleep(max(0, start + moment - time.perf_counter()))
        tasks.append(asyncio.create_task(connections.send("/v1/completions", body, start + moment, options.timeout)))
    answers = await asyncio.gather(*tasks)
    connections.close()
    return answers


def processor_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def by_this_client(load):
    """Figures of a setting, from this script's own client."""
    used = processor_seconds(resource.RUSAGE_SELF)
    began = time.perf_counter()
    answers = asyncio.run(load)
    wall = time.perf_counter() - began
    used = processor_seconds(resource.RUSAGE_SELF) - used
    good = [answer for answer in answers if not answer.error and answer.times]
    seconds = max(answer.end for answer in answers) - min(answer.due for answer in answers)
    return {
        "client": "load.py", "requests": len(answers), "seconds": seconds, "tokens": sum(answer.tokens for answer in good),
        "errors": collections.Counter(answer.error or "no text" for answer in answers if answer not in good),
        "firsts": sorted(answer.first for answer in good), "gaps": sorted(gap for answer in good for gap in answer.gaps), "busy": used / wall,
    }


def by_guidellm(server, prompts, options, count, profile):
    """The same figures from guidellm, which reads its prompts from a file and writes all requests into another."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "prompts.jsonl"
        file.write_text("".join(json.dumps({
            "prompt": prompts.next(), "prompt_tokens_count": options.prompt, "output_tokens_count": options.out}) + "\n" for _ in range(count)))
        more = {key: value for key, value in server.body("", options).items() if key in ("min_tokens", "temperature", "repeat_penalty")}
        backend = {"kind": "openai_http", "target": f"http://127.0.0.1:{server.port}", "model": server.model,
                   "request_format": "/v1/completions", "validate_backend": False, "timeout": options.timeout, "extras": {"body": more}}
        command = [options.guidellm, "-m", "guidellm", "run", "--backend", json.dumps(backend), "--profile", json.dumps(profile),
                   "--constraint", json.dumps({"kind": "max_requests", "count": count}),
                   "--data", json.dumps({"kind": "json_file", "path": str(file)}),
                   "--output", json.dumps({"kind": "json", "path": f"{folder}/report.json"}), "--disable-console"]
        # A session of its own, so that all of its processes can be ended.
        run = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            preexec_fn=end_with_parent, cwd=folder, env={
                **os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": folder, "HF_DATASETS_CACHE": f"{folder}/datasets",
                "GUIDELLM__MAX_WORKER_PROCESSES": "1"})
        try:
            written, _ = run.communicate()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        report = pathlib.Path(folder) / "report.json"
        if run.returncode or not report.exists():
            sys.exit(f"guidellm ended with {run.returncode}: {written[-3000:]}")
        result = json.loads(report.read_text())["benchmarks"][0]
    good = result["requests"]["successful"] or []
    bad = (result["requests"]["errored"] or []) + (result["requests"]["incomplete"] or [])
    times = [request["info"]["timings"] for request in good]
    begun = [moment["targeted_start"] or moment["request_start"] for moment in times]
    seconds = max(moment["request_end"] for moment in times) - min(begun) if good else float("nan")
    return {
        "client": "guidellm", "requests": len(good) + len(bad), "seconds": seconds,
        # Where a server tells no count, the pieces are counted.
        "tokens": sum(request["output_tokens"] or request["info"]["timings"]["token_iterations"] for request in good),
        "errors": collections.Counter(str(request["info"].get("error") or request["info"]["status"])[:200] for request in bad),
        "firsts": sorted(request["time_to_first_token_ms"] / 1000 for request in good),
        "gaps": sorted(request["inter_token_latency_ms"] / 1000 for request in good if request["inter_token_latency_ms"] is not None),
        # The seconds of its processes would have its start in them.
        "busy": None,
    }


HEAD = ["setting", "server", "client", "requests", "errors", "requests/s", "tokens/s", "first token p50", "first token p99", "gap p99",
        "in time", "in time/s", "RSS", "private", "client's processors"]


def table(rows):
    print("| " + " | ".join(HEAD) + " |")
    print("|---|---|---|" + "---:|" * (len(HEAD) - 3))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def row(setting, server, figures, options):
    good, seconds = figures["firsts"], figures["seconds"]
    in_time = sum(first <= options.first_token_limit for first in good)
    rss, private = memory(server.process)

    def milliseconds(value):
        return f"{value * 1000:,.0f} ms" if value >= 0.1 else f"{value * 1000:.1f} ms"

    return [setting, server.name, figures["client"], f"{figures['requests']:,}", str(sum(figures["errors"].values())),
            f"{len(good) / seconds:.2f}", f"{figures['tokens'] / seconds:,.1f}", milliseconds(percentile(good, 0.5)),
            milliseconds(percentile(good, 0.99)), milliseconds(percentile(figures["gaps"], 0.99)),
            f"{in_time / figures['requests']:.1%}", f"{in_time / seconds:.2f}", f"{rss:.0f} MB", f"{private:.0f} MB",
            "" if figures["busy"] is None else f"{figures['busy']:.2f}"]


def measure(options):
    rows, errors, number = [], collections.Counter(), 0

    def note(setting, server, figures):
        rows.append(row(setting, server, figures, options))
        errors.update({f"{server.name}, {setting}: {text}": count for text, count in figures["errors"].items()})
        print("  " + ", ".join(f"{name} {value}" for name, value in zip(HEAD, rows[-1]) if value), file=sys.stderr, flush=True)
        return len(figures["firsts"]) / figures["seconds"]

    def fresh(prompts):
        """Prompts that no server has seen, the same for all of them in this setting."""
        prompts.random.seed(f"{options.seed} {number}")
        return prompts

    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(ours(options, schedule)) for schedule in options.schedule or [None]]
        prompts = Prompts(servers[0], options)
        before = {server.name: memory(server.process) for server in servers}
        if options.peer_python:
            servers.append(stack.enter_context(peer(options)))
        for server in servers:
            warm = asyncio.run(closed(server, fresh(prompts), options, 2, 1))
            wrong = [answer.error for answer in warm if answer.error]
            if wrong:
                sys.exit(f"{server.name} does not answer: {wrong[0]}")
            before.setdefault(server.name, memory(server.process))
        for clients in options.clients:
            setting = f"closed, {clients} client{'s' if clients > 1 else ''}"
            number += 1
            figures = {}
            for server in servers:
                figures[server] = by_this_client(closed(server, fresh(prompts), options, clients, options.seconds))
                server.capacity = max(server.capacity, note(setting, server, figures[server]))
            number += 1
            for server in servers if options.guidellm else []:
                count = max(1, figures[server]["requests"])
                note(setting, server, by_guidellm(server, fresh(prompts), options, count, {"kind": "concurrent", "streams": [clients]}))
        for share in options.shares:
            number += 1
            for server in servers:
                rate = server.capacity * share / 100
                setting = f"open, {share} % = {rate:.2f}/s"
                note(setting, server, by_this_client(opened(server, fresh(prompts), options, rate, options.open_seconds)))
            number += 1
            for server in servers if options.guidellm else []:
                rate = server.capacity * share / 100
                count = max(1, round(rate * options.open_seconds))
                note(f"open, {share} % = {rate:.2f}/s", server,
                     by_guidellm(server, fresh(prompts), options, count, {"kind": "poisson", "rate": [rate]}))
        after = {server.name: memory(server.process) for server in servers}
    print(f"{pathlib.Path(options.model).name}: prompts of {options.prompt} tokens of which {options.shared} are shared, {options.out} out, "
          f"{options.threads} threads; in time is a first token within {options.first_token_limit:g} s.\n")
    table(rows)
    print()
    for server in servers:
        (rss, private), (last_rss, last_private) = before[server.name], after[server.name]
        print(f"{server.name}: {rss:.0f} MB RSS and {private:.0f} MB private before, {last_rss:.0f} and {last_private:.0f} MB at the end; "
              f"the most answered {server.capacity:.2f} requests/s.")
    if options.peer_python:
        print("llama-cpp-python's server computes one request at a time; the others wait for it.")
    for text, count in errors.most_common(20):
        print(f"{count} errors: {text}")


# MARK: Soak

QUESTIONS = ["What is the capital of Portugal?", "Tell me a joke.", "Hello!", "Count to 5.", "What is a haiku?", "Write a slogan for a bakery.",
             "What is 3 plus 4?", "Who are you?"]


def short_request(index):
    """One after the other: a stream of a chat, an answer, a stream of a text, and a form."""
    question = QUESTIONS[index // 4 % len(QUESTIONS)]
    chat = {"messages": [{"role": "user", "content": question}], "max_tokens": 8, "temperature": 0}
    form = {"type": "json_schema", "json_schema": {"name": "form", "schema": {
        "type": "object", "properties": {"is_true": {"type": "boolean"}}, "required": ["is_true"]}}}
    return [("/v1/chat/completions", {**chat, "stream": True}), ("/v1/chat/completions", chat),
            ("/v1/completions", {"prompt": question, "max_tokens": 4, "temperature": 0, "stream": True}),
            ("/v1/chat/completions", {**chat, "max_tokens": 24, "response_format": form})][index % 4]


async def send_all(server, count, interval, options, samples):
    connections, errors, late = Connections(server.port), collections.Counter(), 0.0
    start, under_way, firsts = time.perf_counter(), set(), []

    async def one(index):
        answer = await connections.send(*short_request(index), timeout=options.timeout)
        if answer.error:
            errors[answer.error] += 1
        elif answer.times:
            firsts.append(answer.first)

    for index in range(count):
        if index * 40 // count != (index - 1) * 40 // count:
            samples.append((index, time.perf_counter() - start, *memory(server.process)))
        pause = start + index * interval - time.perf_counter()
        late = max(late, -pause)
        await asyncio.sleep(max(0, pause))
        task = asyncio.create_task(one(index))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
    await asyncio.gather(*under_way)
    samples.append((count, time.perf_counter() - start, *memory(server.process)))
    connections.close()
    return errors, late, sorted(firsts)


def soak(options):
    count = max(8, round(options.soak * 3600 / options.every))
    interval = options.every / options.faster
    samples = []
    with ours(options) as server:
        begin = time.perf_counter()
        errors, late, firsts = asyncio.run(send_all(server, count, interval, options, samples))
        seconds = time.perf_counter() - begin
        is_running = server.process.poll() is None
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    print("| requests | seconds | RSS | private |\n|---:|---:|---:|---:|")
    for index, at, rss, private in samples[::4]:
        print(f"| {index:,} | {at:.0f} | {rss:.2f} MB | {private:.2f} MB |")
    later = [sample for sample in samples if sample[0] >= count / 4]
    growth = later[-1][3] - later[0][3]
    middle_x, middle_y = (sum(values) / len(later) for values in zip(*[(sample[0], sample[3]) for sample in later]))
    slope = sum((x - middle_x) * (y - middle_y) for x, _, _, y in later) / (sum((x - middle_x) ** 2 for x, *_ in later) or 1)
    is_flat = growth <= options.growth
    failed = sum(errors.values())
    print(f"\n{count:,} requests, as many as {options.soak:g} hours of one every {options.every:g} s, in {seconds:.0f} s: {failed} errors, first token "
          f"p50 {percentile(firsts, 0.5) * 1000:.1f} ms, p99 {percentile(firsts, 0.99) * 1000:.1f} ms. After the first quarter private memory grew by "
          f"{growth:+.2f} MB ({slope * 1e5:+.2f} MB in 100,000 requests by a line through all samples; allowed: {options.growth:g} MB), "
          f"{descriptors} open descriptors at the end, at most {max(0, late):.2f} s behind.")
    for text, number in errors.most_common(10):
        print(f"{number} errors: {text}")
    if failed or not is_flat or not is_running:
        sys.exit("FAILED: " + ", ".join(
            text for text, holds in [("errors", failed), ("memory grew", not is_flat), ("the server has ended", not is_running)] if holds))
    print("ok: no errors, and memory is flat")


def main():
    def numbers(text):
        return [int(part) for part in text.split(",") if part]

    def schedules(text):
        names = text.split(",")
        wrong = [name for name in names if name not in ("latency", "balanced", "throughput")]
        if wrong:
            raise argparse.ArgumentTypeError(f"'{wrong[0]}' is no schedule: latency, balanced or throughput")
        return names

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="demo", help="a GGUF file; demo without a peer")
    parser.add_argument("--server", default=str(ROOT / ".build/release/leap-server"))
    parser.add_argument("--peer-python", help="a Python that has llama-cpp-python[server]")
    parser.add_argument("--guidellm", help="a Python that has guidellm")
    parser.add_argument("--clients", type=numbers, default=[1, 4, 16, 64])
    parser.add_argument("--schedule", type=schedules, default=[], help="policies of leap-server, separated by commas")
    parser.add_argument("--shares", type=numbers, default=[50, 80, 120], help="percent of the capacity")
    for name, value in [("prompt", 256), ("shared", 64), ("out", 64), ("threads", 2), ("max-active", 32), ("max-queue", 100_000), ("seed", 1)]:
        parser.add_argument("--" + name, type=int, default=value)
    for name, value in [("seconds", 20), ("open-seconds", 30), ("first-token-limit", 0.5), ("timeout", 600), ("every", 10), ("faster", 144),
                        ("growth", 4)]:
        parser.add_argument("--" + name, type=float, default=value)
    parser.add_argument("--soak", type=float, metavar="HOURS")
    options = parser.parse_args()
    if options.model != "demo":
        options.model = str(pathlib.Path(options.model).resolve())
    elif options.peer_python:
        sys.exit("the peer needs the path of a GGUF file, such as shared/models/leap-demo-Q8_0.gguf")
    # So that servers are ended by whoever ends this script.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    soak(options) if options.soak else measure(options)


if __name__ == "__main__":
    main()
