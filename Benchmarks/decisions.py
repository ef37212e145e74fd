#!/usr/bin/env python3
"""Questions a second about a state of 2,000 tokens: leap-server's /v1/systemone beside llama.cpp, which computes the same prompts.

    SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --traits Server --product leap-server
    python Benchmarks/decisions.py [--program .build/release/leap-server] [--shape LFM2-350M] [--type Q8_0] [--questions 1,8,64] [--threads 2]

The model has random weights at the shapes of LFM2-350M and the keys of lfm2-d1: choices of four options, read from the logits of their codes.
llama.cpp (llama-cpp-python) gets the same tokens of the same file, with as many threads, and reads the same rows of the logits:

- one by one: each prompt from its beginning. At most --whole of them are computed, and the rate is theirs.
- state kept: the tokens that all prompts begin with once, then the rest of each prompt, in a copy of that sequence.

Each request has a state of its own, so nothing is known of it. Runs of both take turns; a row has their medians, and the largest difference of a
probability between the two. Prints a table in Markdown. Needs Python with numpy, gguf and llama-cpp-python; takes about three minutes.
"""
import argparse, ctypes, json, math, os, random, re, signal, statistics, subprocess, sys, tempfile, threading, time, urllib.request

# Words of the random vocabulary: a question then has about as many tokens as with the model's own.
OPTIONS = ["abil", "asup", "asal", "aoth"]
HEAD, MIDDLE, TAIL = "<|startoftext|><|im_start|>user\n", "\n\n\naqst:\n", "\nacod only<|im_end|>\n<|im_start|>assistant\n"
# The same text by the file's template.
TEMPLATE = (
    "{{ '<|startoftext|><|im_start|>user\\n' }}{{ state }}{{ '\\n\\n\\naqst:\\n' }}{{ instructions }}{{ '\\n\\n' }}"
    "{% for option in options %}{{ option.label + ' ' + option.key + '\\n' }}{% endfor %}"
    "{{ '\\nacod only<|im_end|>\\n<|im_start|>assistant\\n' }}")


def prompt(state, question):
    options = "".join(f"{code} {option}\n" for code, option in zip("ABCD", OPTIONS))
    return f"{HEAD}{state}{MIDDLE}{question}\n\n{options}{TAIL}"


def words(seed, count):
    """Words of four letters, each two tokens of the random vocabulary: a space and a pair of pairs."""
    draw, letters = random.Random(seed), "abcdefghijklmnopqrstuvwxyz"
    return " ".join("a" + "".join(draw.choice(letters) for _ in range(3)) for _ in range(count))


def request(seed, count):
    """A state of about 2,000 tokens, and questions about it."""
    return words(seed, 1000), [f"{words(1000 * seed + number, 6)}?" for number in range(count)]


def make(folder, shape, kind):
    import gguf, models
    path = os.path.join(folder, f"decisions-{shape}-{kind}.gguf")
    w = models.BlockWriter(path, models.SHAPES[shape]["arch"], use_temp_file=False); w.kind = kind
    w.add_name(f"random {shape}"); w.add_context_length(128000); w.add_file_type(int(getattr(gguf.LlamaFileType, "MOSTLY_" + kind, 0)))
    models.add(w, shape, lambda *size: models.Shape(size))
    models.write_tokenizer(w, models.SHAPES[shape]["vocab"])
    w.add_string("lfm2.decision.type", "lfm2-d1"); w.add_string("tokenizer.chat_template.systemone", TEMPLATE)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    return path


def status(process, key):
    """A line of /proc/PID/status, in MiB; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process}/status") as file:
            return next((int(line.split()[1]) // 1024 for line in file if line.startswith(key + ":")), 0)
    except OSError:
        return 0


class Ours:
    name = "Open Leap"

    def __init__(self, program, path, threads):
        self.process = subprocess.Popen(
            [program, path, "--port", "0", "--threads", str(threads), "--context", "4096"], stderr=subprocess.PIPE, text=True)
        line = next((text for text in self.process.stderr if "listening at" in text), "")
        found = re.search(r"https?://\S+", line) or sys.exit(f"{program} does not start: {line}")
        self.address = found.group(0)
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()

    def ask(self, seed, count, mode):
        state, questions = request(seed, count)
        asked = {f"q{i}": {"type": "choice", "instructions": text, "criteria": dict.fromkeys(OPTIONS)} for i, text in enumerate(questions)}
        call = urllib.request.Request(
            self.address + "/v1/systemone", json.dumps({"state": state, "questions": asked}).encode(), {"content-type": "application/json"})
        start = time.perf_counter()
        with urllib.request.urlopen(call, timeout=600) as reply:
            answers = json.load(reply)
        seconds = time.perf_counter() - start
        return {"rate": count / seconds, "tokens": answers["usage"]["input_tokens"] // count,
                "found": [list(a["probabilities"].values()) for a in answers["answers"].values()]}

    def memory(self):
        return status(self.process.pid, "RssAnon")

    def end(self):
        self.process.send_signal(signal.SIGTERM); self.process.wait(60)


class Peer:
    """llama.cpp in a process of its own, which answers lines of JSON."""
    name = "llama.cpp"

    def __init__(self, path, threads, whole):
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--peer", path, str(threads), str(whole)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("llama.cpp does not load the file: install llama-cpp-python")

    def ask(self, seed, count, mode):
        print(json.dumps([seed, count, mode]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def memory(self):
        return status(self.process.pid, "RssAnon")

    def end(self):
        self.process.stdin.close(); self.process.wait(60)


def serve_peer(path, threads, whole):
    import llama_cpp as L
    quiet = L.llama_log_callback(lambda level, text, user: None)
    L.llama_backend_init(); L.llama_log_set(quiet, ctypes.c_void_p(0))
    model = L.llama_model_load_from_file(path.encode(), L.llama_model_default_params())
    c = L.llama_context_default_params(); c.n_ctx = 8192; c.n_batch = 2048; c.n_ubatch = 512; c.n_threads = c.n_threads_batch = threads
    c.n_seq_max = 2; c.kv_unified = True
    context = L.llama_init_from_model(model, c); memory = L.llama_get_memory(context)
    vocabulary = L.llama_model_get_vocab(model); batch = L.llama_batch_init(2048, 0, 1)

    def tokens(text, special=True):
        data = text.encode(); out = (L.llama_token * (len(data) + 8))()
        return list(out[:L.llama_tokenize(vocabulary, data, len(data), out, len(out), False, special)])

    def compute(ids, first, sequence):
        for start in range(0, len(ids), 2048):
            piece = ids[start:start + 2048]; batch.n_tokens = len(piece)
            for i, token in enumerate(piece):
                batch.token[i] = token; batch.pos[i] = first + start + i; batch.n_seq_id[i] = 1; batch.seq_id[i][0] = sequence
                batch.logits[i] = start + i == len(ids) - 1
            if L.llama_decode(context, batch) != 0:
                raise SystemExit("llama.cpp does not compute the prompt")

    codes = [tokens(code, False) for code in "ABCD"]
    if any(len(code) != 1 for code in codes):
        raise SystemExit("a code is not one token")

    def read():
        logits = L.llama_get_logits_ith(context, -1); rows = [logits[code[0]] for code in codes]
        powers = [math.exp(row - max(rows)) for row in rows]
        return [power / sum(powers) for power in powers]

    print("ready", flush=True)
    for line in sys.stdin:
        seed, count, mode = json.loads(line)
        state, questions = request(seed, count)
        found = []
        L.llama_memory_clear(memory, True)
        start = time.perf_counter()
        prompts = [tokens(prompt(state, question)) for question in questions]
        if mode == "whole":
            prompts = prompts[:whole]
            for ids in prompts:
                L.llama_memory_clear(memory, True); compute(ids, 0, 0); found.append(read())
        else:
            other = tokens(prompt(state, "?")); shared = 0
            while shared < len(other) and all(ids[shared] == other[shared] for ids in prompts): shared += 1
            compute(prompts[0][:shared], 0, 0)
            for ids in prompts:
                L.llama_memory_seq_cp(memory, 0, 1, -1, -1); compute(ids[shared:], shared, 1); found.append(read()); L.llama_memory_seq_rm(memory, 1, -1, -1)
        seconds = time.perf_counter() - start
        print(json.dumps({"rate": len(prompts) / seconds, "tokens": len(prompts[0]), "found": found}), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    p.add_argument("--program", default=os.path.join(root, ".build", "release", "leap-server")); p.add_argument("--shape", default="LFM2-350M")
    p.add_argument("--type", default="Q8_0"); p.add_argument("--questions", default="1,8,64"); p.add_argument("--threads", type=int, default=2)
    p.add_argument("--runs", type=int, default=2); p.add_argument("--whole", type=int, default=2); p.add_argument("--folder", help="where the model is kept")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(a.folder or folder, f"decisions-{a.shape}-{a.type}.gguf")
        if not os.path.exists(path): path = make(a.folder or folder, a.shape, a.type)
        ours, peer = Ours(a.program, path, a.threads), Peer(path, a.threads, a.whole)
        try:
            # Both have read the weights once.
            ours.ask(1, 1, ""); peer.ask(1, 1, "kept")
            print("| questions | tokens of a prompt | Open Leap, questions/s | llama.cpp, one by one | llama.cpp, state kept | largest difference of a probability |\n|---|---|---|---|---|---|")
            seed = 1
            for count in map(int, a.questions.split(",")):
                mine, kept, whole, worst, tokens = [], [], [], 0.0, 0
                for run in range(a.runs):
                    seed += 1
                    x, y = ours.ask(seed, count, ""), peer.ask(seed, count, "kept")
                    mine.append(x["rate"]); kept.append(y["rate"]); tokens = x["tokens"]
                    if run == 0: whole.append(peer.ask(seed, count, "whole")["rate"])
                    worst = max([worst] + [abs(p - q) for one, two in zip(x["found"], y["found"]) for p, q in zip(one, two)])
                    if abs(x["tokens"] - y["tokens"]) > 8: sys.exit(f"the prompts differ: {x['tokens']} and {y['tokens']} tokens")
                m, k, w = map(statistics.median, (mine, kept, whole))
                print(f"| {count} | {tokens:,} | {m:.2f} | {w:.2f}: {m / w:.1f}× | {k:.2f}: {m / k:.1f}× | {worst:.1e} |", flush=True)
            print(f"\nPrivate memory at the end: Open Leap {ours.memory()} MiB, llama.cpp {peer.memory()} MiB.")
        finally:
            ours.end(); peer.end()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        serve_peer(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
