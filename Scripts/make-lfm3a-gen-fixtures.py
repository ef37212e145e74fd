#!/usr/bin/env python3
"""Makes Tests/Fixtures/lfm3a-gen.json: what numpy makes, in double precision, of the generator of sound that the tests write
(Tests/LeapTestSupport/MadeGenerator.swift).

Needs numpy. usage: make-lfm3a-gen-fixtures.py FILE

lfm3a-gen.json: `hidden`, vectors of a language model, and `frames`: for each of them, and each of some orders of the codebooks (`order`), the greedy
`codes`, the first eight logits of the codes that each of the three passes draws, codebook by codebook in ascending order (`logits`), and the vector
that the language model reads for the frame (`feedback`). `end` is the place of a frame that ends speech, among `frames`.

The layers, the passes and the tables are those of published descriptions. These are inferred: the shape of the tables, and the rotation.
"""
import json
import math
import sys

import numpy as np

from fixture_values import numbers, pattern, rotated, silu

INPUT, DEPTH, INNER, LAYERS, HEADS, KEY_VALUE_HEADS = 64, 32, 48, 3, 4, 2
HEAD, BOOKS, CODES, END = DEPTH // HEADS, 12, 2017, 2016
EPSILON, BASE = 1e-5, 1e6
ORDERS = [list(range(BOOKS)), [5, 0, 11, 3, 7, 1, 10, 2, 4, 9, 6, 8]]


def make_weights():
    """The tensors in the order of MadeGenerator, up to those of the codec."""
    shapes = [("proj_in.weight", (BOOKS * DEPTH, INPUT), 0.25), ("proj_in.bias", (BOOKS * DEPTH,), 0.25), ("mask_embd.weight", (DEPTH,), 1),
              ("head.weight", (BOOKS, CODES, DEPTH), 1), ("out_embd.weight", (BOOKS, CODES, INPUT), 0.25), ("output_norm.weight", (DEPTH,), None)]
    for layer in range(LAYERS):
        root = f"blk.{layer}."
        shapes += [(root + "ln1.weight", (DEPTH,), None), (root + "ln2.weight", (DEPTH,), None),
                   (root + "ffn_gate.weight", (INNER, DEPTH), 0.25), (root + "ffn_up.weight", (INNER, DEPTH), 0.25),
                   (root + "ffn_down.weight", (DEPTH, INNER), 0.25), (root + "attn_post_norm.weight", (DEPTH,), None),
                   (root + "ffn_post_norm.weight", (DEPTH,), None), (root + "attn_q.weight", (DEPTH, DEPTH), 0.25),
                   (root + "attn_k.weight", (DEPTH // 2, DEPTH), 0.25), (root + "attn_v.weight", (DEPTH // 2, DEPTH), 0.25),
                   (root + "attn_out.weight", (DEPTH, DEPTH), 0.25), (root + "attn_q_norm.weight", (HEAD,), None),
                   (root + "attn_k_norm.weight", (HEAD,), None)]
    weights = {name: pattern(index, int(np.prod(shape)), scale).reshape(shape) for index, (name, shape, scale) in enumerate(shapes)}
    # The end of speech comes now and then.
    weights["head.weight"][0, END] *= np.float32(4)
    return {name: array.astype(np.float64) for name, array in weights.items()}


def rms(x, weight):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + EPSILON) * weight


def attention(x, weight):
    """Each slot sees all of them."""
    def heads(name, count):
        return (x @ weight(name).T).reshape(len(x), count, HEAD)

    queries = rotated(rms(heads("attn_q", HEADS), weight("attn_q_norm")), BASE)
    keys = rotated(rms(heads("attn_k", KEY_VALUE_HEADS), weight("attn_k_norm")), BASE)
    values = heads("attn_v", KEY_VALUE_HEADS)
    mixed = np.empty((len(x), HEADS, HEAD))
    for head in range(HEADS):
        shared = head * KEY_VALUE_HEADS // HEADS
        scores = queries[:, head] @ keys[:, shared].T / math.sqrt(HEAD)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed[:, head] = scores / scores.sum(-1, keepdims=True) @ values[:, shared]
    return mixed.reshape(len(x), DEPTH) @ weight("attn_out").T


def run_layers(x, weights):
    for layer in range(LAYERS):
        def weight(name):
            return weights[f"blk.{layer}.{name}.weight"]

        x = x + rms(attention(rms(x, weight("ln1")), weight), weight("attn_post_norm"))
        normed = rms(x, weight("ln2"))
        inner = silu(normed @ weight("ffn_gate").T) * (normed @ weight("ffn_up").T)
        x = x + rms(inner @ weight("ffn_down").T, weight("ffn_post_norm"))
    return rms(x, weights["output_norm.weight"])


def frame(hidden, weights, order):
    projected = (weights["proj_in.weight"] @ hidden + weights["proj_in.bias"]).reshape(BOOKS, DEPTH)
    codes, logits, gaps = [None] * BOOKS, [], []
    for start in range(0, BOOKS, 4):
        slots = np.stack([projected[book] + (weights["mask_embd.weight"] if code is None else weights["head.weight"][book, code])
                          for book, code in enumerate(codes)])
        rows = run_layers(slots, weights)
        for book in sorted(order[start:start + 4]):
            scores = weights["head.weight"][book] @ rows[book]
            codes[book] = int(scores.argmax())
            logits.append(scores[:8])
            best = np.sort(scores)[-2:]
            gaps.append(best[1] - best[0])
    feedback = sum(weights["out_embd.weight"][book, code] for book, code in enumerate(codes))
    return dict(order=order, codes=codes, logits=numbers(np.stack(logits), 7), feedback=numbers(feedback, 7)), min(gaps)


def make(path):
    weights = make_weights()
    hidden, frames, ends = [], [], []
    for index in range(200):
        vector = pattern(1000 + index, INPUT, 2)
        made, gap = frame(vector.astype(np.float64), weights, ORDERS[index % 2])
        is_end = END in made["codes"]
        # Two sounds in each order, and the first end; no code is nearly another one.
        if gap < 1e-3 or len(hidden) >= 4 and not is_end or is_end and ends:
            continue
        if is_end:
            ends.append(len(frames))
        hidden.append(numbers(vector, 7))
        frames.append(made)
        print(index, made["order"], made["codes"], gap)
        if len(hidden) >= 5 and ends:
            break
    with open(path, "w") as file:
        json.dump(dict(hidden=hidden, frames=frames, end=ends[0]), file)


if __name__ == "__main__":
    make(sys.argv[1])
