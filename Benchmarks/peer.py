"""llama.cpp through its C API, one JSON line in the shape of `leap bench --json`.

    python Benchmarks/peer.py MODEL [--prompt 512 --generate 64 --threads 2 --repetitions 3 --depth 0]

llama-bench's settings: batches of 2048, micro-batches of 512, f16 KV cache, its own choice of flash attention. Needs
llama-cpp-python built for this machine: CMAKE_ARGS=-DGGML_NATIVE=ON pip install llama-cpp-python.
"""
import argparse, ctypes, json, statistics, time
import llama_cpp as L

p = argparse.ArgumentParser(); p.add_argument("model")
for name, value in (("prompt", 512), ("generate", 64), ("threads", 2), ("repetitions", 3), ("depth", 0), ("sequences", 1)): p.add_argument("--" + name, type=int, default=value)
a = p.parse_args()


@L.llama_log_callback
def quiet(level, text, user): pass


def status(key):
    """A line of /proc/self/status, in bytes."""
    return next((int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key + ":")), 0)


L.llama_backend_init(); L.llama_log_set(quiet, ctypes.c_void_p(0))
before = status("RssAnon"); start = time.perf_counter()
model = L.llama_model_load_from_file(a.model.encode(), L.llama_model_default_params())
length = max(a.prompt, (a.depth + a.generate) * a.sequences) + 256
c = L.llama_context_default_params(); c.n_ctx = length; c.n_batch = 2048; c.n_ubatch = 512; c.n_threads = c.n_threads_batch = a.threads; c.n_seq_max = a.sequences; c.kv_unified = True
context = L.llama_init_from_model(model, c); loaded = time.perf_counter(); memory = L.llama_get_memory(context)
vocabulary = L.llama_vocab_n_tokens(L.llama_model_get_vocab(model)); span = vocabulary * 9 // 10
token = lambda i: i * 7919 % span + 300


def prefill(count, first=0):
    for start in range(first, first + count, 2048):
        n = min(2048, first + count - start); ids = (L.llama_token * n)(*[token(i) for i in range(start, start + n)])
        assert L.llama_decode(context, L.llama_batch_get_one(ids, n)) == 0
    L.llama_synchronize(context)


def timed(work):
    t = time.perf_counter(); work(); return time.perf_counter() - t


def decode():
    ids = (L.llama_token * 1)(301); batch = L.llama_batch_get_one(ids, 1)
    for i in range(a.generate):
        ids[0] = token(a.depth + i); assert L.llama_decode(context, batch) == 0; L.llama_synchronize(context)


def decode_together():
    batch = L.llama_batch_init(a.sequences, 0, 1); batch.n_tokens = a.sequences
    for step in range(a.generate):
        for s in range(a.sequences): batch.token[s] = token(step + s); batch.pos[s] = step; batch.n_seq_id[s] = 1; batch.seq_id[s][0] = s; batch.logits[s] = 1
        assert L.llama_decode(context, batch) == 0; L.llama_synchronize(context)


prefill(1); first = time.perf_counter()
L.llama_memory_clear(memory, True); prefill(min(64, a.prompt))
prefills, decodes, together = [], [], []
for _ in range(a.repetitions):
    L.llama_memory_clear(memory, True); prefills.append(a.prompt / timed(lambda: prefill(a.prompt)))
for _ in range(a.repetitions):
    L.llama_memory_clear(memory, True)
    if a.depth: prefill(a.depth)
    decodes.append(a.generate / timed(decode))
if a.sequences > 1:
    for _ in range(a.repetitions): L.llama_memory_clear(memory, True); together.append(a.generate * a.sequences / timed(decode_together))
row = {"load_ms": (loaded - start) * 1e3, "first_token_ms": (first - start) * 1e3, "prefill_tps": statistics.median(prefills), "decode_tps": statistics.median(decodes),
       "peak_rss_bytes": status("VmHWM"), "private_rss_bytes": status("RssAnon") - before}
if together: row["sequences_tps"] = statistics.median(together)
print(json.dumps(row))
