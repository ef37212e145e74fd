"""Plays the recorded session of a coding agent against leap-server and llama-cpp-python's server: tokens computed, first tokens, memory.

    swift build -c release --traits Server --product leap-server
    python Benchmarks/agents/play.py MODEL.gguf [--peer-python PYTHON] [--turns 30] [--share 1] [--seconds 360] [--threads 2]
                                     [--engines ours,peer] [--peer-cache BYTES] [--json FILE]
    python Benchmarks/agents/play.py LFM2-350M:Q4_0 --folder models ...    # a shape of models.py, made if need be (needs numpy and gguf)

Needs Python 3.11 on Linux and nothing else. --peer-python is a Python with llama-cpp-python[server].

session.json has the requests of an agent and its two sub-agents in the order in which they were sent, with the replies that were recorded: whatever
a server replies, the next request carries the recorded reply, so both servers get the same bytes. Prompts go to /v1/completions, as the two servers
would write different chats of the same messages. A reply is --reply tokens long, 1 by default: the model has random weights. With one token
llama.cpp's context ends with the prompt, so that a request that only appends to the one before it needs nothing taken back.

Engines play one after the other, each for --seconds at most; turns that one did not get to are left out of the sums. --turns plays the requests of
the first turns. --share takes that part of every text, so that a whole session with its compaction is short: 0.25 is a quarter.

"computed" are the tokens of a prompt that were not kept: of leap-server prompt_tokens less cached_tokens of its usage, of the peer what its log says
(`prompt eval time`, or the tokens behind the matched prefix). The first token comes with the first event of the stream. Memory is the peak of the
process (VmHWM). llama-cpp-python's server has one sequence; --peer-cache adds its cache of whole states in memory, of so many bytes.
"""
import argparse, contextlib, http.client, json, pathlib, re, statistics, sys, time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import load  # noqa: E402
from serve import ROOT  # noqa: E402

CONTEXT = 32_768


# MARK: The session

def cut(text, share):
    """The first part of a text, to the end of a line where there are lines."""
    if share >= 1:
        return text
    lines = text.split("\n")
    if len(lines) > 3:
        return "\n".join(lines[:max(1, round(len(lines) * share))])
    words = text.split(" ")
    return " ".join(words[:max(1, round(len(words) * share))])


def message(role, content, call=None):
    return f"\n\n== {role}\n{content}" + (f"\ncall {json.dumps(call)}" if call else "")


def prompts(session, turns, share):
    """The prompt of each request, in order: its turn, its conversation and its text."""
    histories, starts = {}, {}
    for name, conversation in session["conversations"].items():
        tools = conversation["tools"][:max(1, round(len(conversation["tools"]) * min(1, share)))]
        starts[name] = cut(conversation["system"], share) + "\n\nTools:\n" + "\n".join(json.dumps(tool) for tool in tools)
        histories[name] = ""
    for request in session["requests"]:
        if request["turn"] > turns:
            return
        name, reply = request["conversation"], request["reply"]
        if request["add"][0]["role"] == "user" and name != "main":
            # Each task of a sub-agent is a conversation of its own.
            histories[name] = ""
        if "compact" in request:
            histories[name] = message("user", cut(request["compact"], share))
        for added in request["add"]:
            histories[name] += message(added["role"], cut(added["content"], share))
        yield request["turn"], name, starts[name] + histories[name] + "\n\n== assistant\n"
        histories[name] += message("assistant", cut(reply["content"], share), reply["call"])


# MARK: Servers

class Engine:
    """A server, and how it tells the tokens that it computed."""

    def __init__(self, server, log=None):
        self.server, self.log, self.position = server, log, 0

    def peak(self):
        """The most memory that the process has had, in MB."""
        with open(f"/proc/{self.server.process.pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:"))

    def ask(self, prompt, options):
        """Seconds to the first token, tokens of the prompt and those of them that were computed; None where it does not say."""
        body = {"model": self.server.model, "prompt": prompt, "max_tokens": options.reply, "temperature": 0, "stream": True,
                "stream_options": {"include_usage": True}}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=3600)
        begin, first, usage, is_whole = time.perf_counter(), None, None, False
        connection.request("POST", "/v1/completions", json.dumps(body), {"content-type": "application/json"})
        reply = connection.getresponse()
        if reply.status != 200:
            sys.exit(f"{self.server.name}: status {reply.status}: {reply.read()[:500].decode(errors='replace')}")
        for line in reply:
            if not line.startswith(b"data: "):
                continue
            if line.startswith(b"data: [DONE]"):
                is_whole = True
                continue
            event = json.loads(line[6:])
            if "error" in event:
                sys.exit(f"{self.server.name}: {event['error']}")
            if event.get("choices"):
                first = first or time.perf_counter() - begin
            usage = event.get("usage") or usage
        connection.close()
        if not is_whole:
            sys.exit(f"{self.server.name}: the stream ended before [DONE]")
        total = (usage or {}).get("prompt_tokens")
        if self.log is None:
            return first, total, total - usage["prompt_tokens_details"]["cached_tokens"]
        return first, *self.told(total)

    # Lines that llama-cpp-python writes with --verbose.
    MATCHED = re.compile(r"(\d+) prefix-match hit, remaining (\d+) prompt tokens to eval")
    EVALUATED = re.compile(r"prompt eval time = *[\d.]+ ms / +(\d+) tokens")

    def told(self, total):
        """The tokens of a prompt and those computed, from what the log has had since the last request."""
        until, text, data = time.monotonic() + 5, "", b""
        while time.monotonic() < until:
            with open(self.log.name, "rb") as file:
                file.seek(self.position)
                data = file.read()
            text = data.decode(errors="replace")
            if self.EVALUATED.search(text):
                break
            time.sleep(0.02)
        self.position += len(data)
        evaluated, matched = self.EVALUATED.findall(text), self.MATCHED.findall(text)
        computed = int(evaluated[-1]) if evaluated else int(matched[-1][1]) if matched else None
        return total, computed


@contextlib.contextmanager
def ours(options):
    with load.ours(options) as server:
        yield Engine(server)


@contextlib.contextmanager
def peer(options):
    cache = ["--cache", "True", "--cache_type", "ram", "--cache_size", str(options.peer_cache)] if options.peer_cache else []
    with load.peer(options, *cache, context=CONTEXT, verbose=True) as server:
        yield Engine(server, server.log)


# MARK: The table

def play(engine, session, options):
    """A row for each request that was played in time."""
    rows, end = [], time.monotonic() + options.seconds
    for turn, name, prompt in prompts(session, options.turns, options.share):
        if time.monotonic() > end:
            print(f"{engine.server.name}: {options.seconds:g} s are over after {len(rows)} requests", file=sys.stderr)
            break
        first, total, computed = engine.ask(prompt, options)
        rows.append({"turn": turn, "conversation": name, "prompt": total, "computed": computed, "first": first})
        print(f"  {engine.server.name}: turn {turn} {name}, {total} tokens, {computed} computed, {first:.2f} s", file=sys.stderr, flush=True)
    return rows


def number(value):
    return "–" if value is None else f"{value:,}"


def table(results):
    names = list(results)
    longest = max((result["rows"] for result in results.values()), key=len)
    print("| turn | conversation | prompt tokens | " + " | ".join(f"computed: {name} | first token" for name in names) + " |")
    print("|---|---|---:|" + "---:|---:|" * len(names))
    for index, row in enumerate(longest):
        cells = []
        for name in names:
            rows = results[name]["rows"]
            cells += [number(rows[index]["computed"]), f"{rows[index]['first']:.2f} s"] if index < len(rows) else ["", ""]
        print(f"| {row['turn']} | {row['conversation']} | {number(row['prompt'])} | " + " | ".join(cells) + " |")
    both = min(len(result["rows"]) for result in results.values())
    print(f"\nOf the first {both} requests, which each server got to:\n")
    print("| | prompt tokens | computed | share | first token, median | longest | all first tokens | peak memory |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, result in results.items():
        rows = result["rows"][:both]
        firsts, computed = [row["first"] for row in rows], [row["computed"] for row in rows]
        # Servers count the same prompts; where one does not say, another does.
        total = sum(row["prompt"] or longest[index]["prompt"] or 0 for index, row in enumerate(rows))
        known = None if None in computed else sum(computed)
        share = f"{known / total:.1%}" if known is not None and total else "–"
        print(f"| {name} | {total:,} | {number(known)} | {share} | {statistics.median(firsts):.2f} s | {max(firsts):.2f} s | "
              f"{sum(firsts):.1f} s | {result['peak']:.0f} MB |")


def model(options):
    """The path of the model, made if it is named by a shape."""
    if pathlib.Path(options.model).exists() or options.model.endswith(".gguf"):
        return options.model
    import models
    name, _, kind = options.model.partition(":")
    if name not in models.SHAPES:
        sys.exit(f"{options.model} is no file and no shape of models.py: {', '.join(models.SHAPES)}")
    path = pathlib.Path(options.folder) / f"{name}-{kind or 'Q4_0'}.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        models.make_blocks(name, f"{path}.part", kind or "Q4_0")
        pathlib.Path(f"{path}.part").rename(path)
    return str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--folder", default="models")
    parser.add_argument("--server", type=pathlib.Path, default=ROOT / ".build/release/leap-server")
    parser.add_argument("--peer-python")
    parser.add_argument("--peer-cache", type=int, default=0)
    parser.add_argument("--engines", default="ours,peer", type=lambda text: text.split(","))
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=360)
    parser.add_argument("--reply", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.model = model(options)
    options.max_active, options.max_queue = 4, 16
    session = json.loads((HERE / "session.json").read_text())
    results = {}
    for name, start in [("ours", ours), ("peer", peer)]:
        if name not in options.engines or name == "peer" and not options.peer_python:
            continue
        with start(options) as engine:
            # The file is read once, so that neither waits for the disk.
            engine.ask("Hello.", options)
            rows = play(engine, session, options)
            results[engine.server.name] = {"rows": rows, "peak": engine.peak()}
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    requests = sum(1 for _ in prompts(session, options.turns, options.share))
    print(f"{pathlib.Path(options.model).name}: {requests} requests of {options.turns} turns, share {options.share:g}, replies of "
          f"{options.reply} token{'s' if options.reply > 1 else ''}, {options.threads} threads.\n")
    table(results)


if __name__ == "__main__":
    main()
