"""Tiny random drafters with what numpy computes for them in double precision: OUT/<name>.gguf and OUT/<name>.json.

    python make-drafter-fixtures.py MODEL.gguf OUT

The drafters are for MODEL, which is Tests/Fixtures/lfm2.gguf: `dspark` takes its embeddings and head from there and corrects logits by
the token before, `dflash` has tables of its own and does not. JSON: for each of `blocks` the number of positions in front of it
(`context`), the latest token (`anchor`), how many tokens are proposed (`proposals`), their logits from the block alone (`base`), and, each
following from the likeliest before it, the tokens (`chain`) and the logits that they are chosen from (`logits`). What the model's layers put
out at position i in element j is ((131 i + 71 j) mod 257 - 128) / 64. Names of keys and tensors are those of llama.cpp's converter. Seeds are
fixed. Needs numpy, gguf.
"""
import json, math, os, sys

import gguf, numpy as np

LAYERS, HEADS, GROUPS, HEAD, INNER, RANK, THETA, EPSILON = 2, 4, 2, 24, 96, 8, 1e6, 1e-5
# The second of the three blocks begins within a page of the cache and ends in the next.
BLOCKS = [(7, 5, 4), (62, 211, 3), (1, 300, 1)]


class Drafter:
    """Random weights, by their names in the file, and the model that they make."""

    def __init__(self, name, model, seed, layers, block, own):
        self.name, self.layers, self.block, self.own = name, layers, block, own
        self.random = np.random.default_rng(seed)
        reader = gguf.GGUFReader(model)
        self.fields = {k: v for k, v in reader.fields.items() if k.startswith("tokenizer.") and "chat" not in k}
        given = {t.name: t.data.astype(np.float64) for t in reader.tensors if t.name == "token_embd.weight"}
        self.vocabulary, self.width = given["token_embd.weight"].shape
        self.mask = self.vocabulary - 1
        self.tensors = {}
        self.matrix("fc", self.width, len(layers) * self.width)
        self.norm("enc.output_norm", self.width)
        self.norm("output_norm", self.width)
        for i in range(LAYERS):
            p = f"blk.{i}."
            self.norm(p + "attn_norm", self.width)
            self.norm(p + "ffn_norm", self.width)
            self.norm(p + "attn_q_norm", HEAD)
            self.norm(p + "attn_k_norm", HEAD)
            self.matrix(p + "attn_q", HEADS * HEAD, self.width)
            self.matrix(p + "attn_k", GROUPS * HEAD, self.width)
            self.matrix(p + "attn_v", GROUPS * HEAD, self.width)
            self.matrix(p + "attn_output", self.width, HEADS * HEAD)
            self.matrix(p + "ffn_gate", INNER, self.width)
            self.matrix(p + "ffn_up", INNER, self.width)
            self.matrix(p + "ffn_down", self.width, INNER)
        if own:
            self.matrix("token_embd", self.vocabulary, self.width, np.float16)
            self.matrix("output", self.vocabulary, self.width, np.float16)
            self.embeddings, self.head = (self.tensors[k + ".weight"].astype(np.float64) for k in ("token_embd", "output"))
        else:
            self.embeddings = self.head = given["token_embd.weight"]
            self.put("markov_w1.weight", self.draw(self.vocabulary, RANK))
            self.put("markov_w2.weight", 0.05 * self.draw(self.vocabulary, RANK))
            # Of the head that estimates how likely a proposal is right.
            self.put("conf_proj.weight", self.draw(1, self.width + RANK))
            self.put("conf_proj.bias", self.draw(1))

    def draw(self, *shape):
        return self.random.standard_normal(shape)

    def put(self, name, value, kind=np.float32):
        self.tensors[name] = np.ascontiguousarray(value, dtype=kind)

    def matrix(self, name, rows, columns, kind=np.float32):
        self.put(name + ".weight", self.draw(rows, columns) / math.sqrt(columns), kind)

    def norm(self, name, count):
        self.put(name + ".weight", 1 + 0.2 * self.draw(count))

    def times(self, x, name):
        return x @ self.tensors[name + ".weight"].astype(np.float64).T

    def normed(self, x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * self.tensors[name + ".weight"].astype(np.float64)

    def turned(self, x, start):
        """Heads `[positions, heads, HEAD]` at the positions from `start` on, halves rotated."""
        half = HEAD // 2
        angles = (start + np.arange(len(x)))[:, None] * THETA ** (-np.arange(half) / half)
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * c - b * s, b * c + a * s], -1)

    def keys(self, x, p, start):
        k = self.normed(self.times(x, p + "attn_k").reshape(len(x), GROUPS, HEAD), p + "attn_k_norm")
        return self.turned(k, start), self.times(x, p + "attn_v").reshape(len(x), GROUPS, HEAD)

    def hidden(self, context, tokens):
        i, j = np.arange(context)[:, None], np.arange(len(self.layers) * self.width)[None]
        read = ((131 * i + 71 * j) % 257 - 128) / 64
        fused = self.normed(self.times(read, "fc"), "enc.output_norm")
        x = self.embeddings[tokens]
        for layer in range(LAYERS):
            p = f"blk.{layer}."
            h = self.normed(x, p + "attn_norm")
            q = self.normed(self.times(h, p + "attn_q").reshape(len(h), HEADS, HEAD), p + "attn_q_norm")
            q = self.turned(q, context)
            k, v = (np.concatenate(parts) for parts in zip(self.keys(fused, p, 0), self.keys(h, p, context)))
            k, v = (np.repeat(y, HEADS // GROUPS, axis=1) for y in (k, v))
            scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(HEAD)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            x = x + self.times(np.einsum("hqk,khd->qhd", weights, v).reshape(len(x), -1), p + "attn_output")
            h = self.normed(x, p + "ffn_norm")
            gate = self.times(h, p + "ffn_gate")
            x = x + self.times(gate / (1 + np.exp(-gate)) * self.times(h, p + "ffn_up"), p + "ffn_down")
        return self.normed(x, "output_norm")

    def propose(self, context, anchor, count):
        masks = count if self.own else count - 1
        base = (self.hidden(context, [anchor] + [self.mask] * masks) @ self.head.T)[-count:]
        chain, rows = [], []
        for row in base:
            if not self.own:
                before = chain[-1] if chain else anchor
                first, second = (self.tensors[f"markov_{k}.weight"].astype(np.float64) for k in ("w1", "w2"))
                row = row + second @ first[before]
            rows.append(row)
            chain.append(int(row.argmax()))
        flat = lambda a: [round(float(v), 6) for v in np.asarray(a).ravel()]
        return dict(context=context, anchor=anchor, proposals=count, base=flat(base), chain=chain, logits=flat(rows))

    def write(self, path):
        w = gguf.GGUFWriter(path, "dflash")
        w.add_name("fixture-" + self.name)
        w.add_file_type(0)
        w.add_context_length(2048)
        w.add_embedding_length(self.width)
        w.add_block_count(LAYERS)
        w.add_feed_forward_length(INNER)
        w.add_head_count(HEADS)
        w.add_head_count_kv(GROUPS)
        w.add_key_length(HEAD)
        w.add_value_length(HEAD)
        w.add_layer_norm_rms_eps(EPSILON)
        w.add_rope_freq_base(THETA)
        w.add_uint32("dflash.block_size", self.block)
        w.add_array("dflash.target_layers", self.layers)
        for key, field in self.fields.items():
            kind = field.types[0]
            w.add_key_value(key, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
        w.add_mask_token_id(self.mask)
        for name, value in self.tensors.items():
            w.add_tensor(name, value)
        w.write_header_to_file()
        w.write_kv_data_to_file()
        w.write_tensors_to_file()
        w.close()


model, out = sys.argv[1:3]
# The number of a layer that reads an output: one behind the last reads the last one's.
for drafter in [Drafter("dspark", model, 11, [1, 3, 5], 5, own=False), Drafter("dflash", model, 12, [2, 4], 6, own=True)]:
    path = os.path.join(out, drafter.name)
    drafter.write(path + ".gguf")
    json.dump(dict(blocks=[drafter.propose(*block) for block in BLOCKS]), open(path + ".json", "w"))
    print(drafter.name, os.path.getsize(path + ".gguf"))
