"""Tiny random encoders with what numpy computes for them in double precision: OUT/<name>.gguf and OUT/<name>.json.

    python make-encoder-fixtures.py EMBEDDINGS OUT

`nomic-bert-moe` has mixtures of experts, `bert-rank` and `modern-bert-rank` the heads of rerankers. Vocabularies are those of
bert-mean.gguf and modern-bert.gguf in the folder EMBEDDINGS. JSON: of the first `tokens`, `hidden` (row-major, of each token),
`shape` and `pooled` (their mean, of length 1), of the others `pairs`: `tokens`, `second` (where the second text begins) and
`score`. Names of keys and tensors are those of llama.cpp's converter. Seeds are fixed. Needs numpy, gguf.
"""
import json, math, os, sys

import gguf, numpy as np

WIDTH, HEADS, INNER, LAYERS, EXPERTS, USED, CONTEXT, WINDOW = 32, 4, 48, 4, 5, 2, 160, 24
erf = np.vectorize(math.erf)
gelu = lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))


class Encoder:
    """Random weights, by their names in the file, and the model that they make."""

    def __init__(self, arch, source, seed, ranks):
        self.arch, self.ranks, self.random = arch, ranks, np.random.default_rng(seed)
        self.fields = {k: v for k, v in gguf.GGUFReader(source).fields.items() if k.startswith("tokenizer.")}
        self.vocabulary = len(self.fields["tokenizer.ggml.tokens"].contents())
        self.modern, self.moe = arch == "modern-bert", arch == "nomic-bert-moe"
        self.tensors = {}
        self.matrix("token_embd", self.vocabulary, WIDTH, scale=1, bias=False)
        self.norm("token_embd_norm")
        if not self.modern:
            self.matrix("token_types", 2, WIDTH, scale=1, bias=False)
        if arch == "bert":
            self.matrix("position_embd", CONTEXT, WIDTH, scale=1, bias=False)
        for i in range(LAYERS):
            self.layer(i, f"blk.{i}.")
        if self.modern:
            self.norm("output_norm")
        if ranks:
            self.matrix("cls", WIDTH, WIDTH)
            self.matrix("cls.output", 1, WIDTH)
            if self.modern:
                self.norm("cls.norm")

    def layer(self, i, p):
        self.matrix(p + "attn_qkv", 3 * WIDTH, WIDTH)
        self.matrix(p + "attn_output", WIDTH, WIDTH)
        if self.modern:
            if i > 0:
                self.norm(p + "attn_norm")
            self.norm(p + "ffn_norm")
        else:
            self.norm(p + "attn_output_norm")
            self.norm(p + "layer_output_norm")
        if self.moe and i % 2 == 1:
            self.matrix(p + "ffn_gate_inp", EXPERTS, WIDTH, bias=False)
            self.tensors[p + "ffn_up_exps.weight"] = self.draw(EXPERTS, INNER, WIDTH) / math.sqrt(WIDTH)
            self.tensors[p + "ffn_down_exps.weight"] = self.draw(EXPERTS, WIDTH, INNER) / math.sqrt(INNER)
        else:
            self.matrix(p + "ffn_up", INNER * (2 if self.modern else 1), WIDTH)
            self.matrix(p + "ffn_down", WIDTH, INNER)

    def draw(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def matrix(self, name, rows, columns, scale=None, bias=True):
        self.tensors[name + ".weight"] = self.draw(rows, columns) * np.float32(scale or 2 / math.sqrt(columns))
        if bias and not self.modern:
            self.tensors[name + ".bias"] = self.draw(rows) * np.float32(0.1)

    def norm(self, name):
        self.tensors[name + ".weight"] = 1 + self.draw(WIDTH) * np.float32(0.1)
        if not self.modern:
            self.tensors[name + ".bias"] = self.draw(WIDTH) * np.float32(0.1)

    # The model.

    def of(self, name):
        return self.tensors[name].astype(np.float64)

    def bias(self, name):
        return self.of(name + ".bias") if name + ".bias" in self.tensors else 0

    def dense(self, x, name):
        return x @ self.of(name + ".weight").T + self.bias(name)

    def normed(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * self.of(name + ".weight") + self.bias(name)

    def attention(self, x, p, i):
        n, d = len(x), WIDTH // HEADS
        q, k, v = (y.reshape(n, HEADS, d).transpose(1, 0, 2) for y in np.split(self.dense(x, p + "attn_qkv"), 3, -1))
        full = not self.modern or i % 3 == 0
        if self.arch != "bert":
            base = (160000 if full else 10000) if self.modern else 1000
            angle = np.arange(n)[:, None] * float(base) ** (-np.arange(0, d, 2) / d)
            c, s = np.cos(angle), np.sin(angle)
            turn = lambda y: np.concatenate(
                [y[..., :d // 2] * c - y[..., d // 2:] * s, y[..., d // 2:] * c + y[..., :d // 2] * s], -1)
            q, k = turn(q), turn(k)
        score = q @ k.transpose(0, 2, 1) / math.sqrt(d)
        if not full:
            score[:, np.abs(np.arange(n)[:, None] - np.arange(n)) > WINDOW // 2] = -np.inf
        score = np.exp(score - score.max(-1, keepdims=True))
        mixed = score / score.sum(-1, keepdims=True) @ v
        return self.dense(mixed.transpose(1, 0, 2).reshape(n, -1), p + "attn_output")

    def mixture(self, x, p):
        router = x @ self.of(p + "ffn_gate_inp.weight").T
        router = np.exp(router - router.max(-1, keepdims=True))
        router /= router.sum(-1, keepdims=True)
        up, down, out = self.of(p + "ffn_up_exps.weight"), self.of(p + "ffn_down_exps.weight"), np.zeros_like(x)
        for row in range(len(x)):
            for expert in np.argsort(-router[row])[:USED]:
                out[row] += router[row, expert] * (down[expert] @ gelu(up[expert] @ x[row]))
        return out

    def hidden(self, tokens, second=None):
        n = len(tokens)
        x = self.of("token_embd.weight")[tokens]
        if self.arch == "bert":
            x = x + self.of("position_embd.weight")[:n]
        if not self.modern:
            x = x + self.of("token_types.weight")[(np.arange(n) >= (n if second is None else second)).astype(int)]
        x = self.normed(x, "token_embd_norm")
        for i in range(LAYERS):
            p = f"blk.{i}."
            if self.modern:
                x = x + self.attention(self.normed(x, p + "attn_norm") if i else x, p, i)
                gate, up = np.split(self.dense(self.normed(x, p + "ffn_norm"), p + "ffn_up"), 2, -1)
                x = x + self.dense(gelu(gate) * up, p + "ffn_down")
                continue
            x = self.normed(x + self.attention(x, p, i), p + "attn_output_norm")
            expert = p + "ffn_gate_inp.weight" in self.tensors
            inner = self.mixture(x, p) if expert else self.dense(gelu(self.dense(x, p + "ffn_up")), p + "ffn_down")
            x = self.normed(x + inner, p + "layer_output_norm")
        return self.normed(x, "output_norm") if self.modern else x

    def score(self, tokens, second):
        x = self.hidden(tokens, second)
        if self.modern:
            x = self.normed(gelu(self.dense(x.mean(0), "cls")), "cls.norm")
        else:
            x = np.tanh(self.dense(x[0], "cls"))
        return float(self.dense(x, "cls.output")[0])

    def write(self, path):
        w = gguf.GGUFWriter(path, self.arch)
        w.add_name("fixture-" + os.path.basename(path)[:-5])
        w.add_file_type(0)
        w.add_context_length(CONTEXT)
        w.add_embedding_length(WIDTH)
        w.add_block_count(LAYERS)
        w.add_feed_forward_length(INNER)
        w.add_head_count(HEADS)
        w.add_layer_norm_eps(1e-5)
        w.add_causal_attention(False)
        w.add_pooling_type(gguf.PoolingType.RANK if self.ranks else gguf.PoolingType.MEAN)
        if self.moe:
            w.add_rope_freq_base(1000.0)
            w.add_moe_every_n_layers(2)
            w.add_expert_count(EXPERTS)
            w.add_expert_used_count(USED)
        if self.modern:
            w.add_rope_freq_base(160000.0)
            w.add_float32("modern-bert.rope.freq_base_swa", 10000.0)
            w.add_sliding_window(WINDOW)
            w.add_sliding_window_pattern(3)
            w.add_string("modern-bert.hidden_act", "gelu")
        for name, field in self.fields.items():
            kinds = field.types + [None]
            w.add_key_value(name, field.contents(), kinds[0], sub_type=kinds[1])
        for name, values in self.tensors.items():
            w.add_tensor(name, np.ascontiguousarray(values, dtype=np.float32))
        w.write_header_to_file()
        w.write_kv_data_to_file()
        w.write_tensors_to_file()
        w.close()


def rounded(x):
    return [float(f"{v:.8g}") for v in np.ravel(x)]


def main(source, out):
    for seed, (name, arch, vocabulary) in enumerate([
            ("nomic-bert-moe", "nomic-bert-moe", "bert-mean"), ("bert-rank", "bert", "bert-mean"),
            ("modern-bert-rank", "modern-bert", "modern-bert")]):
        ranks = name.endswith("rank")
        model = Encoder(arch, os.path.join(source, vocabulary + ".gguf"), 11 + seed, ranks)
        model.write(os.path.join(out, name + ".gguf"))
        tokens = lambda n: model.random.integers(5, model.vocabulary, n).tolist()
        if ranks:
            found = {"pairs": []}
            for first, rest in [(3, 4), (5, 1), (8, 60), (30, 90), (2, 33), (12, 140)]:
                ids = tokens(first + rest)
                found["pairs"].append({"tokens": ids, "second": first, "score": model.score(ids, first)})
        else:
            ids = tokens(90)
            hidden = model.hidden(ids)
            mean = hidden.mean(0)
            found = {"tokens": ids, "shape": list(hidden.shape), "hidden": rounded(hidden),
                     "pooled": rounded(mean / np.linalg.norm(mean)), "tokenize": []}
        with open(os.path.join(out, name + ".json"), "w") as f:
            json.dump(found, f)
        print(name, os.path.getsize(os.path.join(out, name + ".gguf")), found.get("pairs", [{}])[-1].get("score"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
