"""Scores of options that numpy computes in double precision, for decision models made of tiny encoders: OUT/decisions.json.

    python make-decision-fixtures.py EMBEDDINGS OUT

The trunks are modern-bert.gguf (type laya) and lfm2-retrieval.gguf (type lfm2-d1-omni) of the folder EMBEDDINGS. Behind them come
two head blocks and the scorer, whose numbers are those of fixture_values.pattern; MaskDecisionFile of the tests makes the same
files. JSON, by type: `cases` with `tokens`, `masks` (indices of tokens), `type` (0 choice, 1 score, 2 yes or no) and `scores`.
Those of `lfm2-d1-omni media` have vectors in front of the tokens: `media` of them, whose numbers are pattern(`pattern`, ..., 0.5).
Seeds are fixed. Needs numpy, gguf.
"""
import json, math, os, sys

import gguf, numpy as np

from fixture_values import numbers, pattern

BLOCKS = 2
# The numbers of the vectors of pictures and sounds begin here.
MEDIA = 1000
erf = np.vectorize(math.erf)
gelu = lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))
silu = lambda x: x / (1 + np.exp(-x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


class Trunk:
    """An encoder's weights by their names, and what its layers have in common."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.arch = reader.fields["general.architecture"].contents()
        self.of = {t.name: t.data.astype(np.float64).reshape(list(reversed(t.shape))) for t in reader.tensors}
        value = lambda key: reader.fields[f"{self.arch}.{key}"].contents()
        self.value, self.vocabulary = value, len(self.of["token_embd.weight"])
        self.width, self.layers, self.heads = value("embedding_length"), value("block_count"), value("attention.head_count")

    def dense(self, x, name):
        return x @ self.of[name + ".weight"].T + self.of.get(name + ".bias", 0)

    def attend(self, q, k, v, heads, allowed=None):
        """Softmax attention of rows of heads side by side; fewer heads of keys and values serve several of the queries."""
        n, d = len(q), q.shape[1] // heads
        split = lambda x: x.reshape(n, -1, d).transpose(1, 0, 2)
        q, k, v = split(q), split(k), split(v)
        k, v = (np.repeat(x, heads // len(x), 0) for x in (k, v))
        score = q @ k.transpose(0, 2, 1) / math.sqrt(d)
        if allowed is not None:
            score = np.where(allowed, score, -np.inf)
        return (softmax(score) @ v).transpose(1, 0, 2).reshape(n, -1)

    @staticmethod
    def turned(x, d, base):
        """Rows of heads of `d` elements, turned to their positions, first half against second."""
        n = len(x)
        angle = np.arange(n)[:, None, None] * float(base) ** (-np.arange(0, d, 2) / d)
        c, s, x = np.cos(angle), np.sin(angle), x.reshape(n, -1, d)
        a, b = x[..., :d // 2], x[..., d // 2:]
        return np.concatenate([a * c - b * s, b * c + a * s], -1).reshape(n, -1)


class ModernBERT(Trunk):
    def normed(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * self.of[name + ".weight"]

    def hidden(self, tokens):
        n, d = len(tokens), self.width // self.heads
        near = np.abs(np.arange(n)[:, None] - np.arange(n)) <= self.value("attention.sliding_window") // 2
        x = self.normed(self.of["token_embd.weight"][tokens], "token_embd_norm")
        for i in range(self.layers):
            p, full = f"blk.{i}.", i % self.value("attention.sliding_window_pattern") == 0
            base = self.value("rope.freq_base" if full else "rope.freq_base_swa")
            q, k, v = np.split(self.dense(self.normed(x, p + "attn_norm") if i else x, p + "attn_qkv"), 3, -1)
            mixed = self.attend(self.turned(q, d, base), self.turned(k, d, base), v, self.heads, None if full else near)
            x = x + self.dense(mixed, p + "attn_output")
            gate, up = np.split(self.dense(self.normed(x, p + "ffn_norm"), p + "ffn_up"), 2, -1)
            x = x + self.dense(gelu(gate) * up, p + "ffn_down")
        return self.normed(x, "output_norm")


class LFM2(Trunk):
    def normed(self, x, name, length=None):
        shape = x.shape
        x = x.reshape(-1, length or shape[-1])
        eps = self.value("attention.layer_norm_rms_epsilon")
        return (x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * self.of[name + ".weight"]).reshape(shape)

    def convolution(self, x, p, media):
        b, c, x = np.split(self.dense(x, p + "in_proj"), 3, -1)
        u = np.pad(b * x, [(1, 1), (0, 0)])
        taps = self.of[p + "conv.weight"]
        ahead = u[2:].copy()
        if media:
            # The last vector of the media does not see the first token.
            ahead[media - 1] = 0
        return self.dense(c * (taps[:, 0] * u[:-2] + taps[:, 1] * u[1:-1] + taps[:, 2] * ahead), p + "out_proj")

    def attention(self, x, p, media):
        d, base = self.width // self.heads, self.value("rope.freq_base")
        q = self.normed(self.dense(x, p + "attn_q"), p + "attn_q_norm", d)
        k = self.normed(self.dense(x, p + "attn_k"), p + "attn_k_norm", d)
        isMedia = np.arange(len(x)) < media
        # Tokens see all, media only media.
        seen = ~isMedia[:, None] | isMedia[None, :]
        mixed = self.attend(self.turned(q, d, base), self.turned(k, d, base), self.dense(x, p + "attn_v"), self.heads, seen)
        return self.dense(mixed, p + "attn_output")

    def hidden(self, tokens, vectors=None):
        x = self.of["token_embd.weight"][tokens]
        media = 0 if vectors is None else len(vectors)
        if media:
            x = np.concatenate([vectors, x])
        for i in range(self.layers):
            p = f"blk.{i}."
            y = self.normed(x, p + "attn_norm")
            convolves = p + "shortconv.conv.weight" in self.of
            x = x + (self.convolution(y, p + "shortconv.", media) if convolves else self.attention(y, p, media))
            y = self.normed(x, p + "ffn_norm")
            x = x + self.dense(silu(self.dense(y, p + "ffn_gate")) * self.dense(y, p + "ffn_up"), p + "ffn_down")
        # The head is given the text alone.
        return self.normed(x, "token_embd_norm")[media:]


class Decider:
    """A trunk with the head of a decision model."""

    def __init__(self, trunk, heads):
        self.trunk, self.heads, width = trunk, heads, trunk.width
        index = 0
        for name, shape, scale in self.tensors(trunk.layers, width):
            trunk.of[name] = pattern(index, math.prod(shape), scale).astype(np.float64).reshape(shape)
            index += 1

    @staticmethod
    def tensors(first, width):
        """Names, shapes (rows first) and scales of the head's tensors, in the order in which they are numbered."""
        matrix = lambda name, rows, columns, scale=0.25: [(name + ".weight", (rows, columns), scale), (name + ".bias", (rows,), 0.125)]
        norm = lambda name: [(name + ".weight", (width,), None), (name + ".bias", (width,), 0.125)]
        found = [("token_types.weight", (3, width), 0.5)]
        for block in range(first, first + BLOCKS):
            p = f"blk.{block}."
            found += norm(p + "attn_norm") + matrix(p + "attn_qkv", 3 * width, width) + matrix(p + "attn_output", width, width)
            found += norm(p + "ffn_norm") + matrix(p + "ffn_up", 4 * width, width) + matrix(p + "ffn_down", width, 4 * width)
        return found + norm("cls.norm") + matrix("cls", width, width) + matrix("cls.output", 1, width, 0.5)

    def normed(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        of = self.trunk.of
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * of[name + ".weight"] + of[name + ".bias"]

    def scores(self, tokens, masks, kind, *vectors):
        trunk = self.trunk
        h = trunk.hidden(tokens, *vectors) + trunk.of["token_types.weight"][kind]
        for block in range(trunk.layers, trunk.layers + BLOCKS):
            p = f"blk.{block}."
            q, k, v = np.split(trunk.dense(self.normed(h, p + "attn_norm"), p + "attn_qkv"), 3, -1)
            h = h + trunk.dense(trunk.attend(q, k, v, self.heads), p + "attn_output")
            inner = np.maximum(trunk.dense(self.normed(h, p + "ffn_norm"), p + "ffn_up"), 0)
            h = h + trunk.dense(inner, p + "ffn_down")
        return trunk.dense(gelu(trunk.dense(self.normed(h[masks], "cls.norm"), "cls")), "cls.output")[:, 0]


def main(source, out):
    found, random = {}, np.random.default_rng(31)
    for kind, trunk in [("laya", ModernBERT(os.path.join(source, "modern-bert.gguf"))),
                        ("lfm2-d1-omni", LFM2(os.path.join(source, "lfm2-retrieval.gguf")))]:
        model = Decider(trunk, trunk.width // 64 if kind == "laya" else trunk.heads)
        cases = []
        for n, masks, question in [(3, [1], 0), (12, [2, 5], 2), (40, [4, 9, 17], 0), (75, [60, 64, 70, 74], 1),
                                   (130, [1, 8, 20, 33, 90], 0)]:
            tokens = random.integers(5, 256, n).tolist()
            scores = model.scores(tokens, masks, question)
            cases.append({"tokens": tokens, "masks": masks, "type": question, "scores": numbers(scores, 9)})
        found[kind] = {"cases": cases}
        print(kind, [case["scores"] for case in cases])
    random, cases = np.random.default_rng(32), []
    for index, (media, n, masks, question) in enumerate([(1, 3, [1], 0), (5, 12, [2, 5], 2), (64, 30, [4, 9, 17], 0), (100, 75, [60, 64, 70, 74], 1)]):
        tokens = random.integers(5, 256, n).tolist()
        vectors = pattern(MEDIA + index, media * trunk.width, 0.5).astype(np.float64).reshape(media, -1)
        scores = model.scores(tokens, masks, question, vectors)
        assert np.abs(scores - model.scores(tokens, masks, question)).max() > 1e-3
        cases.append({"media": media, "pattern": MEDIA + index, "tokens": tokens, "masks": masks, "type": question,
                      "scores": numbers(scores, 9)})
    found["lfm2-d1-omni media"] = {"cases": cases}
    with open(os.path.join(out, "decisions.json"), "w") as f:
        json.dump(found, f)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
