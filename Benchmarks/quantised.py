#!/usr/bin/env python3
"""Quantised copies of the tiny models beside llama.cpp: how far the logits of both are from each other, and from the float reference.

    swift build -c release --product leap
    python Benchmarks/quantised.py [NAME …] [--types Q8_0,Q4_0,Q4_1,Q5_0,IQ4_NL] [--fixtures Tests/Fixtures] [--leap .build/release/leap]

A row for each model and type: the mean KL divergence of ours to llama.cpp's on the same file, and of each to the reference. llama.cpp makes the
files, so what its quantiser or its loader does not take is named and passed over. Both keep keys and values in F32.
Needs Python with numpy and llama-cpp-python.
"""
import argparse, ctypes, json, os, subprocess, sys, tempfile
import llama_cpp as L, numpy as np

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("names", nargs="*", default=["mistral3", "gpt-oss", "gemma4", "gemma4moe", "qwen3moe", "qwen35", "qwen35moe", "granitehybrid", "falcon-h1",
                                            "nemotron-h", "nemotron-h-moe", "qwen3vl"])
p.add_argument("--types", default="Q8_0,Q4_0,Q4_1,Q5_0,IQ4_NL"); p.add_argument("--fixtures", default=os.path.join(root, "Tests", "Fixtures"))
p.add_argument("--leap", default=os.path.join(root, ".build", "release", "leap"))
a = p.parse_args()


@L.llama_log_callback
def quiet(level, text, user): pass


L.llama_backend_init(); L.llama_log_set(quiet, ctypes.c_void_p(0))
logs = lambda x: x - x.max(1, keepdims=True) - np.log(np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True))
kl = lambda p, q: float((np.exp(p) * (p - q)).sum(1).mean())


def theirs(path, tokens, width):
    """llama.cpp's log probabilities at every position; None where it does not load the file."""
    model = L.llama_model_load_from_file(path.encode(), L.llama_model_default_params())
    if not model: return None
    c = L.llama_context_default_params(); n = len(tokens)
    c.n_ctx = c.n_batch = c.n_ubatch = 512; c.type_k = c.type_v = L.GGML_TYPE_F32; c.flash_attn_type = 0; c.n_threads = c.n_threads_batch = 2
    context = L.llama_init_from_model(model, c); batch = L.llama_batch_init(n, 0, 1); batch.n_tokens = n
    for i, t in enumerate(tokens): batch.token[i] = t; batch.pos[i] = i; batch.n_seq_id[i] = 1; batch.seq_id[i][0] = 0; batch.logits[i] = 1
    if L.llama_decode(context, batch) != 0: return None
    got = np.stack([np.ctypeslib.as_array(L.llama_get_logits_ith(context, i), (width,)) for i in range(n)]).astype(np.float64)
    L.llama_free(context); L.llama_model_free(model)
    return logs(got)


def ours(path, tokens, width):
    out = subprocess.run([a.leap, "eval", path, "--tokens", ",".join(map(str, tokens)), "--logits", "-", "--kv", "f32"], capture_output=True)
    if out.returncode != 0: sys.exit(f"{path}: {out.stderr.decode()}")
    return logs(np.frombuffer(out.stdout, "<f4").reshape(len(tokens), width).astype(np.float64))


print("| model | type | ours to llama.cpp's | to the reference, ours : llama.cpp's |\n|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    for name in a.names:
        source = os.path.join(a.fixtures, name + ".gguf"); f = json.load(open(os.path.join(a.fixtures, name + ".json")))
        # Some have the logits of some positions only.
        width = f["shape"][1]; at = f.get("positions") or list(range(f["shape"][0])); reference = logs(np.array(f["logits"], np.float64).reshape(-1, width))
        for kind in a.types.split(","):
            target = os.path.join(folder, f"{name}-{kind}.gguf"); q = L.llama_model_quantize_default_params(); q.nthread = 2
            q.ftype = getattr(L, "LLAMA_FTYPE_MOSTLY_" + kind); q.pure = True
            if L.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(q)) != 0:
                print(f"| {name} | {kind} | llama.cpp does not quantise it | |"); continue
            peer = theirs(target, f["tokens"], width)
            if peer is None: print(f"| {name} | {kind} | llama.cpp does not run it | |"); continue
            mine = ours(target, f["tokens"], width)
            x, y = kl(reference, mine[at]), kl(reference, peer[at])
            print(f"| {name} | {kind} | {kl(peer, mine):.1e} | {x:.2e} : {y:.2e} = {x / y:.2f}× |", flush=True)
