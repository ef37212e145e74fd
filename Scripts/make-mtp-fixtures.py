"""Tiny random blocks that predict further tokens, with what numpy computes for them in double precision.

    python make-mtp-fixtures.py FIXTURES

Writes FIXTURES/mtp/mtp-NAME.gguf and .json for the models FIXTURES/NAME.gguf: a file apart with the block alone, as `--mtp` of llama.cpp's
converter writes it. `qwen35` has the tables and norms of its model; `qwen35moe` has `embed_tokens` and `shared_head_head` of its own and no
`shared_head_norm`; `nemotron-h-moe` and `qwen3next` have none of the three tables. JSON: the `tokens` of a text, and for each of `chains` the tokens before it
(`count`), of which the next one is the text's, the drafts that follow one another greedily (`drafts`) and the logits of each (`logits`).
The model itself is computed here too, and compared with FIXTURES/NAME.json. Seeds are fixed. Needs numpy and gguf.
"""
import json
import math
import os
import sys

import gguf
import numpy as np
from fixture_values import finish, numbers, silu

CHAINS = [1, 7, 63, 64, 70]
DRAFTS = 3


def rms(x, weight, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight


class Trunk:
    """A model of a fixture, one text at a time."""

    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = {k: f for k, f in reader.fields.items() if not k.startswith("GGUF.")}
        self.tensors = {t.name: np.asarray(t.data, np.float64) for t in reader.tensors}
        self.architecture = self.fields["general.architecture"].contents()
        self.epsilon = self.number("attention.layer_norm_rms_epsilon")
        self.width, self.head = self.number("embedding_length"), self.number("attention.key_length")
        self.heads, self.layers = self.number("attention.head_count"), self.number("block_count")
        self.embedding = self["token_embd"]
        self.output = self.tensors.get("output.weight", self.embedding)

    def number(self, key):
        return self.fields[f"{self.architecture}.{key}"].contents()

    def __getitem__(self, name):
        return self.tensors[name + ".weight"]

    def normed(self, x, name):
        return rms(x, self[name], self.epsilon)

    def turned(self, x, positions):
        """Heads `[positions, heads, elements]`, the first elements of each rotated as halves."""
        count = self.number("rope.dimension_count")
        half = count // 2
        angles = np.asarray(positions)[:, None] * self.number("rope.freq_base") ** (-np.arange(half) / half)
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        a, b = x[..., :half], x[..., half:count]
        return np.concatenate([a * c - b * s, b * c + a * s, x[..., count:]], -1)

    def attention(self, x, p, positions, cache):
        """Attention of new positions behind those of the cache, which it extends."""
        groups = self[p + "attn_k"].shape[0] // self.head
        q = x @ self[p + "attn_q"].T
        k = (x @ self[p + "attn_k"].T).reshape(len(x), groups, self.head)
        v = (x @ self[p + "attn_v"].T).reshape(len(x), groups, self.head)
        gate = None
        if p + "attn_q_norm.weight" in self.tensors:
            q = q.reshape(len(x), self.heads, 2 * self.head)
            q, gate = q[..., :self.head], q[..., self.head:].reshape(len(x), -1)
            q = self.turned(self.normed(q, p + "attn_q_norm"), positions)
            k = self.turned(self.normed(k, p + "attn_k_norm"), positions)
        q = q.reshape(len(x), self.heads, self.head)
        cache.append((k, v))
        k, v = (np.repeat(np.concatenate(part), self.heads // groups, axis=1) for part in zip(*cache))
        scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(self.head)
        hidden = np.arange(len(k))[None, :] > np.asarray(positions)[:, None]
        scores = np.where(hidden[None], -np.inf, scores)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        read = np.einsum("hqk,khd->qhd", weights, v).reshape(len(x), -1)
        if gate is not None:
            read = read / (1 + np.exp(-gate))
        return read @ self[p + "attn_output"].T

    def convolved(self, u, p):
        taps = self[p + "ssm_conv1d"]
        padded = np.concatenate([np.zeros((taps.shape[1] - 1, u.shape[1])), u])
        c = sum(padded[j:j + len(u)] * taps[:, j] for j in range(taps.shape[1]))
        return silu(c + self.tensors.get(p + "ssm_conv1d.bias", 0))

    def delta_net(self, x, p):
        d, keys, values = self.number("ssm.state_size"), self.number("ssm.group_count"), self.number("ssm.time_step_rank")
        c = self.convolved(x @ self[p + "attn_qkv"].T, p)
        z = (x @ self[p + "attn_gate"].T).reshape(len(x), values, d)
        # Value heads of one key head are neighbours where one tensor has, for each key head, its betas and then its alphas.
        grouped = p + "ssm_ba.weight" in self.tensors
        if grouped:
            pairs = (x @ self[p + "ssm_ba"].T).reshape(len(x), keys, 2, values // keys)
            beta, alpha = (pairs[:, :, part].reshape(len(x), values) for part in range(2))
        else:
            beta, alpha = x @ self[p + "ssm_beta"].T, x @ self[p + "ssm_alpha"].T
        beta = 1 / (1 + np.exp(-beta))
        g = self.tensors[p + "ssm_a"].reshape(-1) * np.log1p(np.exp(alpha + self.tensors[p + "ssm_dt.bias"]))
        spread = (lambda y: np.repeat(y, values // keys, axis=0)) if grouped else lambda y: np.tile(y, (values // keys, 1))
        q, k, v = np.split(c, [keys * d, 2 * keys * d], -1)
        length = lambda y: y / np.sqrt((y * y).sum(-1, keepdims=True) + 1e-6)
        q, k = (length(y.reshape(len(x), keys, d)) for y in (q, k))
        v = v.reshape(len(x), values, d)
        state, rows = np.zeros((values, d, d)), []
        for t in range(len(x)):
            qt, kt = spread(q[t]) / math.sqrt(d), spread(k[t])
            state = state * np.exp(g[t])[:, None, None]
            delta = beta[t][:, None] * (v[t] - np.einsum("hkv,hk->hv", state, kt))
            state = state + np.einsum("hk,hv->hkv", kt, delta)
            rows.append(np.einsum("hkv,hk->hv", state, qt))
        o = self.normed(np.array(rows), p + "ssm_norm") * silu(z)
        return o.reshape(len(x), -1) @ self[p + "ssm_out"].T

    def mamba(self, x, p):
        state, groups, inner = self.number("ssm.state_size"), self.number("ssm.group_count"), self.number("ssm.inner_size")
        heads = self.number("ssm.time_step_rank")
        z, u, dt = np.split(x @ self[p + "ssm_in"].T, [inner, 2 * inner + 2 * groups * state], -1)
        c = self.convolved(u, p)
        values, keys, queries = np.split(c, [inner, inner + groups * state], -1)
        values = values.reshape(len(x), heads, -1)
        keys, queries = (np.repeat(y.reshape(len(x), groups, state), heads // groups, axis=1) for y in (keys, queries))
        dt = np.log1p(np.exp(dt + self.tensors[p + "ssm_dt.bias"]))
        decay = np.exp(dt * self.tensors[p + "ssm_a"].reshape(-1))
        s, rows = np.zeros((heads, state, values.shape[-1])), []
        for t in range(len(x)):
            s = s * decay[t][:, None, None] + np.einsum("hk,hv->hkv", keys[t], dt[t][:, None] * values[t])
            rows.append(np.einsum("hkv,hk->hv", s, queries[t]) + self.tensors[p + "ssm_d"].reshape(-1, 1) * values[t])
        o = (np.array(rows).reshape(len(x), inner) * silu(z)).reshape(len(x), groups, -1)
        return self.normed(o, p + "ssm_norm").reshape(len(x), -1) @ self[p + "ssm_out"].T

    def network(self, x, p):
        if p + "ffn_gate_inp.weight" not in self.tensors:
            return (silu(x @ self[p + "ffn_gate"].T) * (x @ self[p + "ffn_up"].T)) @ self[p + "ffn_down"].T
        scores = x @ self[p + "ffn_gate_inp"].T
        gated = p + "ffn_gate_exps.weight" in self.tensors
        if gated:
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            choice, scale = scores, 1
            inner = lambda y, e: silu(y @ self[p + "ffn_gate_exps"][e].T) * (y @ self[p + "ffn_up_exps"][e].T)
            shared = silu(x @ self[p + "ffn_gate_shexp"].T) * (x @ self[p + "ffn_up_shexp"].T)
            share = 1 / (1 + np.exp(-(x @ self[p + "ffn_gate_inp_shexp"].reshape(-1, 1))))
        else:
            scores = 1 / (1 + np.exp(-scores))
            choice, scale = scores + self.tensors[p + "exp_probs_b.bias"], self.number("expert_weights_scale")
            inner = lambda y, e: np.maximum(y @ self[p + "ffn_up_exps"][e].T, 0) ** 2
            shared, share = np.maximum(x @ self[p + "ffn_up_shexp"].T, 0) ** 2, 1
        out = share * (shared @ self[p + "ffn_down_shexp"].T)
        for t in range(len(x)):
            chosen = np.argsort(-choice[t], kind="stable")[:self.number("expert_used_count")]
            weights = scores[t][chosen] / scores[t][chosen].sum() * scale
            for e, w in zip(chosen, weights):
                out[t] += w * (inner(x[t:t + 1], e) @ self[p + "ffn_down_exps"][e].T)[0]
        return out

    def hidden(self, tokens):
        """Vectors behind the last norm."""
        x = self.embedding[tokens]
        positions = np.arange(len(tokens))
        for layer in range(self.layers):
            p = f"blk.{layer}."
            h = self.normed(x, p + "attn_norm")
            if p + "ssm_in.weight" in self.tensors:
                x = x + self.mamba(h, p)
            elif p + "attn_qkv.weight" in self.tensors:
                x = x + self.delta_net(h, p)
            elif p + "attn_q.weight" in self.tensors:
                x = x + self.attention(h, p, positions, [])
            else:
                x = x + self.network(h, p)
            if p + "post_attention_norm.weight" in self.tensors:
                x = x + self.network(self.normed(x, p + "post_attention_norm"), p)
        return self.normed(x, "output_norm")


class Block:
    """A random block behind a model's layers."""

    def __init__(self, trunk, seed, own_tables, own_norm, writes_tables):
        self.trunk, self.own, self.p = trunk, {}, f"blk.{trunk.layers}."
        random = np.random.default_rng(seed)

        def draw(name, shape, kind=np.float32):
            scale = 1 / math.sqrt(shape[-1])
            value = scale * random.standard_normal(shape) if len(shape) > 1 else 1 + 0.2 * random.standard_normal(shape)
            self.own[name] = np.ascontiguousarray(value, dtype=kind)

        # The shapes of a layer of the model that has the same parts.
        parts = {}
        for name, value in trunk.tensors.items():
            for layer in range(trunk.layers):
                if name.startswith(f"blk.{layer}."):
                    part = name.split(".", 2)[2]
                    if part.startswith(("attn_q.", "attn_k.", "attn_v.", "attn_output.", "attn_q_norm", "attn_k_norm", "ffn_", "exp_")):
                        parts[part] = value.shape
        for part, shape in sorted(parts.items()):
            draw(self.p + part, shape)
        for part in ("attn_norm", "post_attention_norm", "nextn.enorm", "nextn.hnorm") + (("nextn.shared_head_norm",) if own_norm else ()):
            draw(self.p + part + ".weight", (trunk.width,))
        draw(self.p + "nextn.eh_proj.weight", (trunk.width, 2 * trunk.width))
        if own_tables:
            for part in ("embed_tokens", "shared_head_head"):
                draw(self.p + f"nextn.{part}.weight", trunk.embedding.shape, np.float16)
        self.given = {n: trunk.tensors[n].astype(np.float32) for n in ("token_embd.weight", "output_norm.weight", "output.weight")
                      if n in trunk.tensors and writes_tables}
        trunk.tensors.update({n: v.astype(np.float64) for n, v in self.own.items()})
        get = lambda part, other: trunk.tensors.get(self.p + f"nextn.{part}.weight", other)
        self.embedding, self.head = get("embed_tokens", trunk.embedding), get("shared_head_head", trunk.output)
        self.norm = get("shared_head_norm", trunk["output_norm"])

    def run(self, tokens, hidden, positions, cache):
        t = self.trunk
        halves = [t.normed(t.embedding[tokens] if self.embedding is t.embedding else self.embedding[tokens], self.p + "nextn.enorm"),
                  t.normed(hidden, self.p + "nextn.hnorm")]
        x = np.concatenate(halves, -1) @ t[self.p + "nextn.eh_proj"].T
        x = x + t.attention(t.normed(x, self.p + "attn_norm"), self.p, positions, cache)
        x = x + t.network(t.normed(x, self.p + "post_attention_norm"), self.p)
        return rms(x, self.norm, t.epsilon)

    def chain(self, tokens, hidden, count):
        before = np.concatenate([np.zeros((1, self.trunk.width)), hidden[:count - 1]])
        cache = []
        self.run(tokens[:count], before, np.arange(count), cache)
        token, h, drafts, logits = tokens[count], hidden[count - 1:count], [], []
        for step in range(DRAFTS):
            h = self.run([token], h, [count + step], cache)
            row = (h @ self.head.T)[0]
            token = int(row.argmax())
            drafts.append(token)
            logits += numbers(row, 6)
        return dict(count=count, drafts=drafts, logits=logits)

    def write(self, path):
        t = self.trunk
        writer = gguf.GGUFWriter(path, t.architecture)
        more = {"attention.head_count_kv": 2, "feed_forward_length": 16, "attention.recurrent_layers": False}
        for key, field in t.fields.items():
            if key == "general.architecture":
                continue
            value, kind, name = field.contents(), field.types[0], key.split(".", 1)[-1]
            if name == "block_count":
                value += 1
            if kind == gguf.GGUFValueType.ARRAY and name in more:
                value = list(value) + [more[name]]
            writer.add_key_value(key, value, kind, sub_type=field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
        writer.add_uint32(t.architecture + ".nextn_predict_layers", 1)
        finish(writer, self.given | self.own)


def main(folder):
    os.makedirs(os.path.join(folder, "mtp"), exist_ok=True)
    for seed, (name, *options) in enumerate([("qwen35", False, True, True), ("qwen35moe", True, False, False),
                                             ("nemotron-h-moe", False, True, False), ("qwen3next", False, True, False)]):
        path = lambda *parts: os.path.join(folder, *parts)
        trunk = Trunk(path(name + ".gguf"))
        known = json.load(open(path(name + ".json")))
        tokens = known["tokens"][:80]
        hidden = trunk.hidden(tokens)
        positions = known.get("positions", range(known["shape"][0]))
        rows = {p: r for p, r in zip(positions, np.array(known["logits"]).reshape(-1, known["shape"][1]))}
        worst = max(np.abs(hidden[p] @ trunk.output.T - r).max() for p, r in rows.items() if p < len(tokens))
        assert worst < 2e-4, (name, worst)
        block = Block(trunk, 100 + seed, *options)
        block.write(path("mtp", f"mtp-{name}.gguf"))
        chains = [block.chain(tokens, hidden, count) for count in CHAINS]
        json.dump(dict(tokens=tokens, chains=chains), open(path("mtp", f"mtp-{name}.json"), "w"))
        print(name, f"trunk {worst:.1e}", os.path.getsize(path("mtp", f"mtp-{name}.gguf")), [c["drafts"] for c in chains])


if __name__ == "__main__":
    main(sys.argv[1])
