"""llama.cpp or ik_llama.cpp through their C API, one JSON line in the shape of `leap bench --json`.

    python Benchmarks/peer.py MODEL [--engine ik_llama.cpp [--repack]] [--prompt 512 --generate 64 --threads 2 --repetitions 3 --depth 0]

llama-bench's settings: batches of 2048, micro-batches of 512, f16 KV cache; flash attention as each engine chooses (ik_llama.cpp: on).
llama.cpp needs llama-cpp-python built for this machine: CMAKE_ARGS=-DGGML_NATIVE=ON pip install llama-cpp-python. ik_llama.cpp needs
ik-llama-cpp-python, whose wheel is built for AVX2; --repack lets it rearrange the weights when it loads.
"""
import argparse, ctypes, json, statistics, time

p = argparse.ArgumentParser(); p.add_argument("model"); p.add_argument("--engine", default="llama.cpp", choices=("llama.cpp", "ik_llama.cpp")); p.add_argument("--repack", action="store_true")
for name, value in (("prompt", 512), ("generate", 64), ("threads", 2), ("repetitions", 3), ("depth", 0), ("sequences", 1)): p.add_argument("--" + name, type=int, default=value)
a = p.parse_args(); ik = a.engine == "ik_llama.cpp"
if ik: import ik_llama_cpp._ctypes_api as L
else: import llama_cpp as L

Log = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p); quiet = Log(lambda level, text, user: None)
library = L._lib if ik else L.llama_cpp._lib
library.llama_synchronize.argtypes = [ctypes.c_void_p]; library.llama_synchronize.restype = None
synchronize = lambda: library.llama_synchronize(context)
clear = lambda: L.llama_kv_cache_clear(context) if ik else L.llama_memory_clear(L.llama_get_memory(context), True)


def status(key):
    """A line of /proc/self/status, in bytes."""
    return next((int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key + ":")), 0)


L.llama_backend_init(); library.llama_log_set(quiet, ctypes.c_void_p(0))
before = status("RssAnon"); start = time.perf_counter()
m = L.llama_model_default_params()
if ik: m.repack_tensors = a.repack; m.use_mmap = not a.repack
model = L.llama_model_load_from_file(a.model.encode(), m)
length = max(a.prompt, (a.depth + a.generate) * a.sequences) + 256
c = L.llama_context_default_params(); c.n_ctx = length; c.n_batch = 2048; c.n_ubatch = 512; c.n_threads = c.n_threads_batch = a.threads; c.n_seq_max = a.sequences
if ik: c.flash_attn = True
else: c.kv_unified = True
context = L.llama_init_from_model(model, c); loaded = time.perf_counter()
vocabulary = L.llama_vocab_n_tokens(L.llama_model_get_vocab(model)); span = vocabulary * 9 // 10
token = lambda i: i * 7919 % span + 300
batch = L.llama_batch_init(2048, 0, 1)


def compute(rows):
    """One batch of (token, position, sequence), of which the last of each sequence gives logits."""
    batch.n_tokens = len(rows); last = {s: i for i, (_, _, s) in enumerate(rows)}
    for i, (id, position, s) in enumerate(rows): batch.token[i] = id; batch.pos[i] = position; batch.n_seq_id[i] = 1; batch.seq_id[i][0] = s; batch.logits[i] = last[s] == i
    assert L.llama_decode(context, batch) == 0


def prefill(count):
    for start in range(0, count, 2048): compute([(token(i), i, 0) for i in range(start, min(count, start + 2048))])
    synchronize()


def timed(work):
    t = time.perf_counter(); work(); return time.perf_counter() - t


def decode(sequences=1):
    for i in range(a.generate): compute([(token(a.depth * (sequences == 1) + s + i), a.depth * (sequences == 1) + i, s) for s in range(sequences)]); synchronize()


prefill(1); first = time.perf_counter()
clear(); prefill(min(64, a.prompt))
prefills, decodes, together = [], [], []
for _ in range(a.repetitions): clear(); prefills.append(a.prompt / timed(lambda: prefill(a.prompt)))
for _ in range(a.repetitions):
    clear()
    if a.depth: prefill(a.depth)
    decodes.append(a.generate / timed(decode))
if a.sequences > 1:
    for _ in range(a.repetitions): clear(); together.append(a.generate * a.sequences / timed(lambda: decode(a.sequences)))
row = {"load_ms": (loaded - start) * 1e3, "first_token_ms": (first - start) * 1e3, "prefill_tps": statistics.median(prefills), "decode_tps": statistics.median(decodes),
       "peak_rss_bytes": status("VmHWM"), "private_rss_bytes": status("RssAnon") - before}
if together: row["sequences_tps"] = statistics.median(together)
print(json.dumps(row))
