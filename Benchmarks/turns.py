"""A chat of ten turns over OpenAI's protocol: how long the first token takes in each turn, on several servers in turn.

    python Benchmarks/turns.py NAME=URL [NAME=URL ...] [--turns 10] [--words 120] [--tokens 32] [--model MODEL]

Each turn sends the whole history, as clients do. A server that keeps what it computed needs as long for turn 10 as for turn 2; one that
does not needs longer each time. Start the servers with one model file and as many threads each, on an idle machine. Needs nothing but Python.
"""
import argparse, json, random, statistics, time, urllib.request


def words(count, seed):
    """Lower-case words of four letters, which random-weight models have a token each for."""
    source = random.Random(seed)
    return " ".join("".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(4)) for _ in range(count))


def turn(url, model, messages, tokens):
    """Seconds to the first token, the reply, and the tokens of the prompt that the server says it computed (None if it does not say)."""
    body = {"model": model, "messages": messages, "max_tokens": tokens, "temperature": 0, "stream": True,
            "stream_options": {"include_usage": True}}
    request = urllib.request.Request(url + "/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    start, first, text, computed = time.perf_counter(), None, "", None
    with urllib.request.urlopen(request) as response:
        for line in response:
            if not line.startswith(b"data: ") or line.strip() == b"data: [DONE]":
                continue
            event = json.loads(line[6:])
            for choice in event.get("choices", []):
                piece = choice.get("delta", {}).get("content")
                if piece:
                    first = first or time.perf_counter() - start
                    text += piece
            usage = event.get("usage")
            details = (usage or {}).get("prompt_tokens_details")
            if details:
                computed = usage["prompt_tokens"] - details.get("cached_tokens", 0)
    return first or time.perf_counter() - start, text, computed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("servers", nargs="+")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--words", type=int, default=120)
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    servers = dict(server.split("=", 1) for server in options.servers)
    histories = {name: [] for name in servers}
    times, computed = {name: [] for name in servers}, {name: [] for name in servers}
    print("turn  " + "  ".join(f"{name:>24}" for name in servers))
    for index in range(options.turns):
        row = []
        for name, url in servers.items():
            histories[name].append({"role": "user", "content": words(options.words, index)})
            seconds, text, count = turn(url, options.model, histories[name], options.tokens)
            histories[name].append({"role": "assistant", "content": text})
            times[name].append(seconds)
            computed[name].append(count)
            row.append(f"{seconds * 1000:9.0f} ms" + (f" ({count} tokens)" if count is not None else "").rjust(14))
        print(f"{index + 1:4}  " + "  ".join(f"{cell:>24}" for cell in row), flush=True)
    for name in servers:
        known = [count for count in computed[name] if count is not None]
        print(f"{name}: {sum(times[name]):.1f} s to first tokens in all, median of the last five turns "
              f"{statistics.median(times[name][-5:]) * 1000:.0f} ms" + (f", {sum(known)} prompt tokens computed" if known else ""))


main()
