"""The demo model with and without its block that predicts further tokens: accepted share, and tokens/s of one client and of four, at two temperatures.

    swift build -c release --traits Server --product leap-server
    python Benchmarks/draft-layers.py [--server PATH] [--rounds 5] [--requests 6] [--threads 2] [--wrong]

Two servers run: one with the demo model, and one with the same weights and the block (`Tests/Fixtures/demo/mtp-leap-demo-Q8_0.gguf`) in one file, which
this script writes. They take turns, round by round; each client sends its requests one after the other, with the same prompts and seeds for both. At
temperature 0 the replies have to be the same, which is checked. Tokens/s are those of all clients together, from the first request to the last token
of a round; medians over the rounds. The shares are those of the server's metrics. With --wrong the rows of the block's matrices are
mixed: hardly a proposal is right, and the ratio shows what that costs. Needs Python with gguf and numpy, on an idle machine: two minutes.
"""
import argparse, collections, concurrent.futures, json, os, pathlib, re, socket, statistics, subprocess, tempfile, time, urllib.request

import gguf, numpy as np

from serve import end

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = ROOT / "Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf"
BLOCK = ROOT / "Tests/Fixtures/demo/mtp-leap-demo-Q8_0.gguf"
THINGS = "fox owl bear rabbit cat dog mouse turtle frog duck deer hedgehog squirrel goat horse".split()


def join(path, is_wrong):
    """Writes the model and its block as one file, as converters write both."""
    model, block = gguf.GGUFReader(MODEL), gguf.GGUFReader(BLOCK)
    order = np.random.default_rng(1)
    writer = gguf.GGUFWriter(path, "lfm2")
    for key, field in {**model.fields, **{k: f for k, f in block.fields.items() if k.startswith("lfm2.")}}.items():
        if key.startswith("GGUF.") or key == "general.architecture":
            continue
        kind = field.types[0]
        writer.add_key_value(key, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    for tensor in model.tensors:
        writer.add_tensor(tensor.name, np.array(tensor.data), raw_dtype=tensor.tensor_type)
    for tensor in block.tensors:
        data = np.array(tensor.data)
        writer.add_tensor(tensor.name, order.permutation(data) if is_wrong and data.ndim > 1 else data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Server:
    def __init__(self, program, model, threads):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [program, str(model), "--port", str(port), "--threads", str(threads)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                return urllib.request.urlopen(self.url + "/v1/models").close()
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def reply(self, index, temperature):
        body = {"messages": [{"role": "user", "content": f"Tell me a story about a {THINGS[index % len(THINGS)]}."}], "max_tokens": 160,
                "temperature": temperature, "seed": index}
        request = urllib.request.Request(self.url + "/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        return answer["choices"][0]["message"]["content"], answer["usage"]["completion_tokens"]

    def counts(self):
        """Proposed and accepted tokens, by their place in a proposal."""
        with urllib.request.urlopen(self.url + "/metrics") as response:
            text = response.read().decode()
        found = collections.Counter()
        for kind, labels, value in re.findall(r"^leap_tokens_(drafted|accepted)_by_position_total\{([^}]*)\} ([0-9.e+]+)$", text, re.M):
            found[kind, int(re.search(r'position="(\d+)"', labels).group(1))] += float(value)
        return found

    def round(self, clients, requests, temperature):
        """Tokens/s of a round, and the replies."""
        def client(number):
            return [self.reply(number * requests + index, temperature) for index in range(requests)]

        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            replies = [reply for each in pool.map(client, range(clients)) for reply in each]
        seconds = time.perf_counter() - start
        return sum(tokens for _, tokens in replies) / seconds, [text for text, _ in replies]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", default=str(ROOT / ".build/release/leap-server"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=6)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        joined = os.path.join(folder, "leap-demo-mtp-Q8_0.gguf")
        join(joined, options.wrong)
        servers = [Server(options.server, model, options.threads) for model in (MODEL, joined)]
        try:
            print("temperature  clients  tokens/s without  with  ratio  accepted by place")
            for temperature in (0, 0.7):
                for clients in (1, 4):
                    speeds = [[], []]
                    for server in servers:
                        server.round(clients, 1, temperature)
                    before = servers[1].counts()
                    for _ in range(options.rounds):
                        texts = []
                        for index, server in enumerate(servers):
                            speed, replies = server.round(clients, options.requests, temperature)
                            speeds[index].append(speed)
                            texts.append(replies)
                        if texts[0] != texts[1]:
                            raise SystemExit(f"the replies differ at temperature {temperature}: {[pair for pair in zip(*texts) if pair[0] != pair[1]][0]}")
                    counts = servers[1].counts() - before
                    places = sorted(place for kind, place in counts if kind == "drafted")
                    shares = " ".join(f"{counts['accepted', place] / counts['drafted', place]:.0%} of {counts['drafted', place]:.0f}" for place in places)
                    plain, ahead = (statistics.median(each) for each in speeds)
                    print(f"{temperature:11}  {clients:7}  {plain:16.0f}  {ahead:4.0f}  {ahead / plain:5.2f}  {shares}", flush=True)
        finally:
            for server in servers:
                end(server.process)


main()
