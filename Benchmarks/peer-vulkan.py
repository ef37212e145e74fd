"""llama.cpp on a GPU through Vulkan, one JSON line in the shape of `leap bench --json`.

    python Benchmarks/peer-vulkan.py MODEL [--prompt 512 --generate 64 --repetitions 3 --depth 0]

All layers on the device, batches of 2048, micro-batches of 512, f16 keys and values. Needs cyllama-vulkan (Python 3.12).
"""
import argparse, json, statistics, time
from cyllama.llama.llama_cpp import LlamaBatch, LlamaContext, LlamaContextParams, LlamaModel, LlamaModelParams, ggml_backend_load_all

p = argparse.ArgumentParser(); p.add_argument("model")
for name, value in (("prompt", 512), ("generate", 64), ("repetitions", 3), ("depth", 0)): p.add_argument("--" + name, type=int, default=value)
a = p.parse_args()
ggml_backend_load_all(); start = time.perf_counter()
m = LlamaModelParams(); m.n_gpu_layers = 999
model = LlamaModel(a.model, m)
c = LlamaContextParams(); c.n_ctx = max(a.prompt, a.depth + a.generate) + 256; c.n_batch = 2048; c.n_ubatch = 512
context = LlamaContext(model, c); loaded = time.perf_counter()
token = lambda i: i * 7919 % 60000 + 300
batch = LlamaBatch(n_tokens=2048, embd=0, n_seq_max=1)


def compute(first, count):
    """Positions in batches of up to 2048, the last of which gives logits; reading them waits for the device."""
    end = first + count
    for start in range(first, end, 2048):
        batch.clear(); stop = min(start + 2048, end)
        for i in range(start, stop): batch.add(token(i), i, [0], i == end - 1)
        context.decode(batch)
    context.get_logits_ith(-1)


def timed(work):
    t = time.perf_counter(); work(); return time.perf_counter() - t


def decode():
    for i in range(a.depth, a.depth + a.generate): compute(i, 1)


compute(0, 1); first = time.perf_counter()
prefills, decodes = [], []
context.kv_cache_clear(); compute(0, a.prompt)
for _ in range(a.repetitions): context.kv_cache_clear(); prefills.append(a.prompt / timed(lambda: compute(0, a.prompt)))
for _ in range(a.repetitions + 1):
    context.kv_cache_clear()
    if a.depth: compute(0, a.depth)
    decodes.append(a.generate / timed(decode))
print(json.dumps({"load_ms": (loaded - start) * 1e3, "first_token_ms": (first - start) * 1e3, "prefill_tps": statistics.median(prefills), "decode_tps": statistics.median(decodes[1:])}))
