#!/usr/bin/env python3
"""How near a quantised file's answers are to those of its own weights in floats: `--precision fast` and `exact` beside llama.cpp.

    swift build -c release --product leap && swift build -c release --product leap-tools
    python Benchmarks/precision.py MODEL.gguf [--types Q4_0,Q4_1,Q4_K_M,Q5_K_M,Q6_K,Q8_0,IQ4_XS] [--replies] [--tokens 400] [--threads 2] [--leap .build/release/leap]

The first row is the file as it is. For the others llama.cpp quantises it anew from its dequantised weights. The reference of each row is llama.cpp
over the row's own weights as F32, with inputs in floats. All keep keys and values in F32. Columns: the mean KL divergence to the reference, the share
of positions with the same likeliest token, and perplexity, over the first tokens of LICENSE and README.md. With --replies, of chat models: greedy
replies of 60 tokens to twenty questions that equal the reference's, and the mean share of characters that agree from the beginning.
Needs Python with numpy and llama-cpp-python.
"""
import argparse, ctypes, json, os, subprocess, sys, tempfile
import llama_cpp as L, numpy as np

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("model"); p.add_argument("--types", default="Q4_0,Q4_1,Q4_K_M,Q5_K_M,Q6_K,Q8_0,IQ4_XS"); p.add_argument("--tokens", type=int, default=400)
p.add_argument("--replies", action="store_true"); p.add_argument("--threads", type=int, default=2); p.add_argument("--leap", default=os.path.join(root, ".build", "release", "leap"))
a = p.parse_args()
questions = ["What is the capital of France?", "Write a haiku about autumn.", "List three fruits.", "Explain gravity to a child in two sentences.",
             "Translate 'good morning' to Spanish.", "What is 12 plus 7?", "Name a famous painter and one of their paintings.", "Give me a short recipe for pancakes.",
             "Who wrote Romeo and Juliet?", "Write a Python function that adds two numbers.", "What is the largest planet?", "Why is the sky blue?",
             "What is the opposite of hot?", "Tell me a joke.", "How many days are in a week?", "What does a doctor do?",
             "What color do you get from red and yellow?", "Name two oceans.", "What is water made of?", "Where do penguins live?"]


@L.llama_log_callback
def quiet(level, text, user): pass


L.llama_backend_init(); L.llama_log_set(quiet, ctypes.c_void_p(0))


def quantise(source, target, kind):
    q = L.llama_model_quantize_default_params(); q.nthread = 2; q.allow_requantize = True
    q.ftype = L.LLAMA_FTYPE_ALL_F32 if kind == "F32" else getattr(L, "LLAMA_FTYPE_MOSTLY_" + kind)
    if L.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(q)) != 0: sys.exit(f"llama.cpp does not quantise {source} to {kind}")


def load(path, logits_all=True):
    return L.Llama(path, n_ctx=max(1024, a.tokens), n_threads=a.threads, n_threads_batch=a.threads, type_k=L.GGML_TYPE_F32, type_v=L.GGML_TYPE_F32, flash_attn=False,
                   logits_all=logits_all, verbose=False)


def logs(x):
    x = x.astype(np.float64); x -= x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def theirs(model):
    model.reset(); model.eval(tokens)
    return logs(np.array(model.scores[:len(tokens)]))


def ours(path, precision):
    out = subprocess.run([a.leap, "eval", path, "--tokens", ",".join(map(str, tokens)), "--logits", "-", "--kv", "f32", "--precision", precision, "--threads", str(a.threads)], capture_output=True)
    if out.returncode != 0: sys.exit(out.stderr.decode())
    return logs(np.frombuffer(out.stdout, "<f4").reshape(len(tokens), -1))


def reply(model, question):
    prompt = subprocess.run([a.leap, "render", a.model, "--messages", "-"], input=json.dumps([{"role": "user", "content": question}]), capture_output=True, text=True).stdout
    ids = model.tokenize(prompt.encode(), add_bos=False, special=True)
    return model.create_completion(ids, temperature=0, max_tokens=60, repeat_penalty=1.0)["choices"][0]["text"].strip()


def our_reply(path, precision, question):
    return subprocess.run([a.leap, "run", path, question, "--temperature", "0", "--repetition-penalty", "1", "--max-tokens", "60", "--kv", "f32", "--precision", precision, "--threads", str(a.threads)],
                          capture_output=True, text=True).stdout.strip()


def agreement(reference, found):
    n = next((i for i, (x, y) in enumerate(zip(reference, found)) if x != y), min(len(reference), len(found)))
    return 1 if reference == found else n / max(1, len(reference))


text = "".join(open(os.path.join(root, name), encoding="utf-8").read() for name in ("LICENSE", "README.md"))
tokens = load(a.model).tokenize(text.encode(), add_bos=True, special=False)[:a.tokens]
columns = ["ours, fast", "ours, exact", "llama.cpp"]
print("| type | what | " + " | ".join(columns) + " |\n|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    plain = os.path.join(folder, "plain.gguf"); quantise(a.model, plain, "F32")
    for kind in [None] + [k for k in a.types.split(",") if k]:
        path = a.model if kind is None else os.path.join(folder, f"{kind}.gguf"); floats = os.path.join(folder, "floats.gguf")
        if kind: quantise(plain, path, kind)
        quantise(path, floats, "F32")
        float_model, peer = load(floats), load(path)
        reference = theirs(float_model); found = [ours(path, "fast"), ours(path, "exact"), theirs(peer)]
        following = np.array(tokens[1:]); at = np.arange(len(following))
        perplexity = lambda x: float(np.exp(-x[at, following].mean()))
        row = lambda what, values: print(f"| {kind or 'the file'} | {what} | " + " | ".join(values) + " |", flush=True)
        row("KL", [f"{float((np.exp(reference) * (reference - x)).sum(1).mean()):.2e}" for x in found])
        row("likeliest token", [f"{100 * float((reference.argmax(1) == x.argmax(1)).mean()):.1f}%" for x in found])
        row(f"perplexity ({perplexity(reference):.3f})", [f"{perplexity(x):.3f}" for x in found])
        del float_model, peer
        if a.replies:
            float_model, peer = load(floats, False), load(path, False)
            equal, share = [0, 0, 0], [0, 0, 0]
            for question in questions:
                expected = reply(float_model, question)
                for i, got in enumerate([our_reply(path, "fast", question), our_reply(path, "exact", question), reply(peer, question)]):
                    equal[i] += got == expected; share[i] += agreement(expected, got) / len(questions)
            row("replies of 20, share", [f"{e}, {s:.2f}" for e, s in zip(equal, share)])
            del float_model, peer
        for name in {floats, path} - {a.model}: os.remove(name)
