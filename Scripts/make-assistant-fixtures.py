"""A tiny random assistant of Gemma 4 with what numpy computes for it in double precision: OUT/assistant.gguf and OUT/assistant.json.

    python make-assistant-fixtures.py MODEL.gguf MODEL.json OUT

The assistant is for MODEL, which is Tests/Fixtures/gemma4.gguf. JSON: for each of `cases` the number of tokens of MODEL.json that the model has
computed (`context`), the token behind them (`token`), the model's vector behind its last norm (`vector`), and of each step, which follows from the
likeliest token of the one before, its `logits`; the likeliest tokens are `chain`, and `next` is the vector that the second step takes. The model's
own logits are compared with those of MODEL.json first. Names of keys and tensors are those of llama.cpp's converter; the head of clusters is there and
is not used. The seed is fixed. Needs numpy, gguf.
"""
import json, math, os, sys

import gguf, numpy as np

from fixture_values import finish, numbers

WIDTH, INNER, HEADS, SLIDES, WINDOW, CLUSTERS = 32, 48, 4, [True, True, False], 16, 8
# The last page of the cache ends with the second of the contexts.
CONTEXTS, STEPS = [5, 64, 90], 3


def normed(x, weight=None, epsilon=1e-6):
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
    return x if weight is None else x * weight


def gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def turned(x, positions, base, divisors=1):
    """Rotates heads `[places][heads][elements]` at positions; pairs are an element of the first half and its counterpart in the second."""
    half = x.shape[-1] // 2
    angles = np.asarray(positions)[:, None] * base ** (-np.arange(half) / half) / divisors
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def attend(q, k, v, seen):
    """Queries `[places][heads][elements]` over keys of fewer heads; `seen` tells which positions each place sees."""
    k, v = (np.repeat(y, q.shape[1] // y.shape[1], axis=1) for y in (k, v))
    scores = np.where(seen, np.einsum("qhd,khd->hqk", q, k), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("hqk,khd->qhd", weights / weights.sum(-1, keepdims=True), v).reshape(len(q), -1)


class Layers:
    """What layers of both models have in common."""

    def w(self, name):
        return self.weights[name + ".weight"]

    def rotated(self, x, positions, slides):
        return turned(x, positions, 1e4) if slides else turned(x, positions, 1e6, self.divisors)

    def queries(self, a, p, heads, positions, slides):
        q = normed((a @ self.w(p + "attn_q").T).reshape(len(a), heads, -1), self.w(p + "attn_q_norm"))
        return self.rotated(q, positions, slides)

    def add(self, x, p, mixed):
        """The stream behind a layer whose attention gathered `mixed`, in front of its scale."""
        x = x + normed(mixed @ self.w(p + "attn_output").T, self.w(p + "post_attention_norm"))
        a = normed(x, self.w(p + "ffn_norm"))
        f = (gelu(a @ self.w(p + "ffn_gate").T) * (a @ self.w(p + "ffn_up").T)) @ self.w(p + "ffn_down").T
        return x + normed(f, self.w(p + "post_ffw_norm"))


class Target(Layers):
    """The model, in so far as the fixture needs it: per-layer vectors, shared keys and values."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = reader.fields
        self.weights = {t.name: t.data.astype(np.float64) for t in reader.tensors}
        get = lambda key: reader.fields["gemma4." + key].contents()
        self.layers, self.heads, self.groups = get("block_count"), get("attention.head_count"), get("attention.head_count_kv")
        self.slides, self.own = get("attention.sliding_window_pattern"), get("block_count") - get("attention.shared_kv_layers")
        self.extra, self.cap = get("embedding_length_per_layer_input"), get("final_logit_softcapping")
        assert get("attention.sliding_window") == WINDOW
        self.divisors, self.width = self.w("rope_freqs"), self.w("token_embd").shape[1]

    def source(self, slides):
        return max(i for i in range(self.own) if self.slides[i] == slides)

    def run(self, tokens):
        x = self.w("token_embd")[tokens] * math.sqrt(self.width)
        table = self.w("per_layer_token_embd")[tokens] * math.sqrt(self.extra)
        made = (x @ self.w("per_layer_model_proj").T / math.sqrt(self.width)).reshape(len(x), self.layers, self.extra)
        inputs = (normed(made, self.w("per_layer_proj_norm")) + table.reshape(made.shape)) / math.sqrt(2)
        places = np.arange(len(x))
        back = places[:, None] - places[None]
        self.kept = {}
        for i in range(self.layers):
            p, slides = f"blk.{i}.", self.slides[i]
            a = normed(x, self.w(p + "attn_norm"))
            if i < self.own:
                k = (a @ self.w(p + "attn_k").T).reshape(len(x), self.groups, -1)
                v = (a @ self.w(p + "attn_v").T).reshape(k.shape)
                self.kept[i] = self.rotated(normed(k, self.w(p + "attn_k_norm")), places, slides), normed(v)
            q = self.queries(a, p, self.heads, places, slides)
            k, v = self.kept[i if i < self.own else self.source(slides)]
            x = self.add(x, p, attend(q, k, v, (back >= 0) & (back < (WINDOW if slides else len(x)))))
            f = (gelu(x @ self.w(p + "inp_gate").T) * inputs[:, i]) @ self.w(p + "proj").T
            x = (x + normed(f, self.w(p + "post_norm"))) * self.w(p + "layer_output_scale")
        return normed(x, self.w("output_norm"))

    def logits(self, vectors):
        return self.cap * np.tanh(vectors @ self.w("token_embd").T / self.cap)


class Assistant(Layers):
    def __init__(self, target, seed):
        self.target, self.divisors, self.random = target, target.divisors, np.random.default_rng(seed)
        self.tensors, vocabulary = {}, target.w("token_embd").shape[0]
        self.matrix("token_embd", vocabulary, WIDTH)
        self.matrix("nextn.pre_projection", WIDTH, 2 * target.width)
        self.matrix("nextn.post_projection", target.width, WIDTH)
        self.norm("output_norm", WIDTH)
        self.tensors["rope_freqs.weight"] = target.divisors.astype(np.float32)
        for i, slides in enumerate(SLIDES):
            p, head = f"blk.{i}.", 16 if slides else 32
            for name in ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"):
                self.norm(p + name, WIDTH)
            self.norm(p + "attn_q_norm", head)
            self.matrix(p + "attn_q", HEADS * head, WIDTH)
            self.matrix(p + "attn_output", WIDTH, HEADS * head)
            self.matrix(p + "ffn_gate", INNER, WIDTH)
            self.matrix(p + "ffn_up", INNER, WIDTH)
            self.matrix(p + "ffn_down", WIDTH, INNER)
            self.tensors[p + "layer_output_scale.weight"] = np.array([0.8 + 0.1 * i], dtype=np.float32)
        self.matrix("masked_embd_centroids", CLUSTERS, WIDTH)
        self.tensors["masked_embd_ordering"] = np.arange(vocabulary, dtype=np.int32)
        self.weights = {name: value.astype(np.float64) for name, value in self.tensors.items()}

    def matrix(self, name, rows, columns):
        self.tensors[name + ".weight"] = (self.random.standard_normal((rows, columns)) / math.sqrt(columns)).astype(np.float32)

    def norm(self, name, count):
        self.tensors[name + ".weight"] = (1 + 0.2 * self.random.standard_normal(count)).astype(np.float32)

    def step(self, context, token, vector):
        embedded = self.target.w("token_embd")[token] * math.sqrt(self.target.width)
        x = np.concatenate([embedded, vector])[None] @ self.w("nextn.pre_projection").T
        for i, slides in enumerate(SLIDES):
            p = f"blk.{i}."
            q = self.queries(normed(x, self.w(p + "attn_norm")), p, HEADS, [context], slides)
            k, v = (kept[:context] for kept in self.target.kept[self.target.source(slides)])
            seen = context - np.arange(context)[None] < (WINDOW if slides else context + 1)
            x = self.add(x, p, attend(q, k, v, seen)) * self.w(p + "layer_output_scale")
        x = normed(x, self.w("output_norm"))
        return (x @ self.w("token_embd").T)[0], (x @ self.w("nextn.post_projection").T)[0]

    def case(self, tokens, vectors, context):
        case = dict(context=context, token=tokens[context], vector=numbers(vectors[context - 1], 6), chain=[], logits=[])
        token, vector = tokens[context], vectors[context - 1]
        for step in range(STEPS):
            logits, vector = self.step(context, token, vector)
            token = int(logits.argmax())
            best = np.sort(logits)[-2:]
            assert best[1] - best[0] > 0.01, "the likeliest token is not certain: use another seed"
            case["chain"].append(token)
            case["logits"] += numbers(logits, 5)
            if step == 0:
                case["next"] = numbers(vector, 6)
        return case

    def write(self, path):
        w = gguf.GGUFWriter(path, "gemma4-assistant")
        w.add_name("fixture-assistant")
        w.add_file_type(0)
        w.add_context_length(2048)
        w.add_embedding_length(WIDTH)
        w.add_uint32("gemma4-assistant.embedding_length_out", self.target.width)
        w.add_block_count(len(SLIDES))
        w.add_uint32("gemma4-assistant.nextn_predict_layers", len(SLIDES))
        w.add_feed_forward_length(INNER)
        w.add_head_count(HEADS)
        w.add_head_count_kv(self.target.groups)
        w.add_key_length(32)
        w.add_value_length(32)
        w.add_layer_norm_rms_eps(1e-6)
        w.add_rope_freq_base(1e6)
        w.add_rope_dimension_count(32)
        for key, value in (("attention.key_length_swa", 16), ("attention.value_length_swa", 16), ("rope.dimension_count_swa", 16), ("attention.sliding_window", WINDOW)):
            w.add_uint32("gemma4-assistant." + key, value)
        w.add_float32("gemma4-assistant.rope.freq_base_swa", 1e4)
        w.add_array("gemma4-assistant.attention.sliding_window_pattern", SLIDES)
        for key, field in self.target.fields.items():
            if key.startswith("tokenizer."):
                kind = field.types[0]
                w.add_key_value(key, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
        finish(w, self.tensors)


model, reference, out = sys.argv[1:4]
target, given = Target(model), json.load(open(reference))
tokens = given["tokens"]
vectors = target.run(tokens)
difference = np.abs(target.logits(vectors) - np.array(given["logits"]).reshape(given["shape"])).max()
assert difference < 1e-3, difference
assistant = Assistant(target, 23)
path = os.path.join(out, "assistant")
assistant.write(path + ".gguf")
json.dump(dict(cases=[assistant.case(tokens, vectors, context) for context in CONTEXTS]), open(path + ".json", "w"))
print("the model's logits differ by", difference, "bytes", os.path.getsize(path + ".gguf"), os.path.getsize(path + ".json"))
