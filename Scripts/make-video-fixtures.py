#!/usr/bin/env python3
"""Makes Tests/Fixtures/video: what numpy makes of two different frames with the towers of Tests/Fixtures/lfm3vl and qwen3vl.

Needs numpy. usage: make-video-fixtures.py FOLDER (that of all fixtures, where make-lfm3vl-fixtures.py and make-qwen3vl-fixtures.py have written)

lfm3vl.json and qwen3vl.json: `width`, `height`, `count` (vectors of the two frames), `rows` (those that are listed), `vectors`. First the same code
computes a still picture, which has to agree with the vectors of transformers in the folder of the family.
"""
import json
import math
import os
import struct
import sys

import numpy as np

from fixture_values import listed, numbers, silu

WIDTH, HEIGHT, PATCH, MERGE = 128, 96, 16, 2
ROWS, COLUMNS = HEIGHT // PATCH, WIDTH // PATCH


def gguf(path):
    """The keys and the F32 tensors of a file."""
    data = open(path, "rb").read()
    place = 0

    def take(kind):
        nonlocal place
        value = struct.unpack_from("<" + kind, data, place)[0]
        place += struct.calcsize(kind)
        return value

    def text():
        nonlocal place
        count = take("Q")
        place += count
        return data[place - count:place].decode()

    def value(kind):
        if kind == 8:
            return text()
        if kind == 9:
            inner, count = take("I"), take("Q")
            return [value(inner) for _ in range(count)]
        return take("BbHhIif?__QqdX"[kind])

    assert take("I") == 0x46554747
    take("I")
    tensors, keys = take("Q"), take("Q")
    metadata = {}
    for _ in range(keys):
        name = text()
        metadata[name] = value(take("I"))
    heads = []
    for _ in range(tensors):
        name = text()
        shape = [take("Q") for _ in range(take("I"))]
        assert take("I") == 0, name
        heads.append((name, shape[::-1], take("Q")))
    start = -(-place // 32) * 32
    return metadata, {name: np.frombuffer(data, "<f4", math.prod(shape), start + offset).reshape(shape).astype(np.float64)
                      for name, shape, offset in heads}


def frame(second):
    """The picture of make-vision-fixtures.py, and one made of its bytes."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype("int64")
    bytes = np.stack([x * y // 7 % 256, (x * 3 + y * y) % 256, (x // 9 * 50 + y // 5 * 70) % 256], -1)
    return (bytes * 7 + 13) % 256 if second else bytes


def patches(bytes):
    """[patch][colour · row · column], patches row by row."""
    values = (bytes / 255 - 0.5) / 0.5
    values = values.reshape(ROWS, PATCH, COLUMNS, PATCH, 3).transpose(0, 2, 4, 1, 3)
    return values.reshape(ROWS * COLUMNS, -1)


def squares(x):
    """The vectors of squares of patches side by side."""
    x = x.reshape(ROWS // MERGE, MERGE, COLUMNS // MERGE, MERGE, -1).transpose(0, 2, 1, 3, 4)
    return x.reshape(ROWS * COLUMNS // MERGE ** 2, -1)


def rms(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight


def layer_norm(x, weight, bias):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weight + bias


def erf_gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def rotated(x, base):
    """Heads [patch][head][element]: pairs (i, i + half), the first half of them turned by rows, the others by columns."""
    half = x.shape[-1] // 2
    steps = float(base) ** (-2 * np.arange(half // 2) / half)
    places = np.arange(ROWS * COLUMNS)
    angles = np.concatenate([np.outer(places // COLUMNS, steps), np.outer(places % COLUMNS, steps)], 1)[:, None]
    one, other = x[..., :half], x[..., half:]
    return np.concatenate([one * np.cos(angles) - other * np.sin(angles), other * np.cos(angles) + one * np.sin(angles)], -1)


def attended(q, k, v):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("hqk,khd->qhd", scores / scores.sum(-1, keepdims=True), v).reshape(len(q), -1)


def embedded(weights, first, second):
    return sum(patches(bytes) @ weights[name].reshape(weights[name].shape[0], -1).T
               for bytes, name in [(first, "v.patch_embd.weight"), (second, "v.patch_embd.weight.1")])


def product(x, weights, name):
    return x @ weights[name + ".weight"].T + weights.get(name + ".bias", 0)


def lfm3(metadata, weights, first, second):
    heads = metadata["clip.vision.attention.head_count"]
    x = rms(embedded(weights, first, second), weights["v.pre_ln.weight"])
    for layer in range(metadata["clip.vision.block_count"]):
        def name(part):
            return f"v.blk.{layer}.{part}"

        a = rms(x, weights[name("ln1.weight")])
        if name("shortconv.conv.weight") in weights:
            gate, out, inner = np.split(product(a, weights, name("shortconv.in_proj")), 3, 1)
            grid = np.pad((gate * inner).reshape(ROWS, COLUMNS, -1), ((1, 1), (1, 1), (0, 0)))
            filters = weights[name("shortconv.conv.weight")].reshape(-1, 3, 3)
            sums = sum(grid[i:i + ROWS, j:j + COLUMNS] * filters[:, i, j] for i in range(3) for j in range(3))
            x = x + product(out * sums.reshape(ROWS * COLUMNS, -1), weights, name("shortconv.out_proj"))
        else:
            length = x.shape[1] // heads
            q, k, v = (product(a, weights, name(part)).reshape(len(a), -1, length) for part in ("attn_q", "attn_k", "attn_v"))
            q, k = (rotated(rms(y, weights[name(part + "_norm.weight")]), 1e6) for y, part in ((q, "attn_q"), (k, "attn_k")))
            x = x + product(attended(q, k, v), weights, name("attn_out"))
        a = rms(x, weights[name("ln2.weight")])
        x = x + product(silu(product(a, weights, name("ffn_gate"))) * product(a, weights, name("ffn_up")), weights, name("ffn_down"))
    x = layer_norm(x, weights["mm.input_norm.weight"], weights["mm.input_norm.bias"])
    return product(erf_gelu(product(squares(x), weights, "mm.1")), weights, "mm.2")


def positions(table):
    """The square table of positions for this grid, between corners."""
    side = math.isqrt(len(table))
    table = table.reshape(side, side, -1)

    def spread(count, axis, values):
        places = np.linspace(0, side - 1, count)
        low = np.minimum(places.astype(int), side - 1)
        high = np.minimum(low + 1, side - 1)
        shape = [-1 if index == axis else 1 for index in range(3)]
        part = (places - low).reshape(shape)
        return np.take(values, low, axis) * (1 - part) + np.take(values, high, axis) * part

    return spread(COLUMNS, 1, spread(ROWS, 0, table)).reshape(ROWS * COLUMNS, -1)


def qwen3(metadata, weights, first, second):
    heads = metadata["clip.vision.attention.head_count"]
    x = embedded(weights, first, second) + weights["v.patch_embd.bias"] + positions(weights["v.position_embd.weight"])
    parts = []
    for layer, is_deep in enumerate(metadata["clip.vision.is_deepstack_layers"]):
        def name(part):
            return f"v.blk.{layer}.{part}"

        a = layer_norm(x, weights[name("ln1.weight")], weights[name("ln1.bias")])
        q, k, v = (y.reshape(len(a), heads, -1) for y in np.split(product(a, weights, name("attn_qkv")), 3, 1))
        x = x + product(attended(rotated(q, 1e4), rotated(k, 1e4), v), weights, name("attn_out"))
        a = layer_norm(x, weights[name("ln2.weight")], weights[name("ln2.bias")])
        x = x + product(tanh_gelu(product(a, weights, name("ffn_up"))), weights, name("ffn_down"))
        if is_deep:
            deep = f"v.deepstack.{layer}."
            a = layer_norm(squares(x), weights[deep + "norm.weight"], weights[deep + "norm.bias"])
            parts.append(product(erf_gelu(product(a, weights, deep + "fc1")), weights, deep + "fc2"))
    x = layer_norm(x, weights["v.post_ln.weight"], weights["v.post_ln.bias"])
    parts.insert(0, product(erf_gelu(product(squares(x), weights, "mm.0")), weights, "mm.2"))
    return np.concatenate(parts, 1).reshape(len(parts) * len(parts[0]), -1)


def main(folder):
    os.makedirs(f"{folder}/video", exist_ok=True)
    for family, encode in (("lfm3vl", lfm3), ("qwen3vl", qwen3)):
        metadata, weights = gguf(f"{folder}/{family}/mmproj-{family}.gguf")
        still = json.load(open(f"{folder}/{family}/{family}.json"))["pictures"][0]
        assert (still["width"], still["height"]) == (WIDTH, HEIGHT)
        ours = encode(metadata, weights, frame(False), frame(False))
        theirs = np.array(still["vectors"]).reshape(len(still["rows"]), -1)
        difference = np.abs(ours[still["rows"]] - theirs).max() / np.abs(theirs).max()
        print(f"{family}: a still picture differs from transformers' by {difference:.1e} of the largest value")
        assert difference < 1e-5
        vectors = encode(metadata, weights, frame(False), frame(True))
        rows = listed(len(vectors), 12)
        with open(f"{folder}/video/{family}.json", "w") as file:
            json.dump(dict(width=WIDTH, height=HEIGHT, count=len(vectors), rows=rows, vectors=numbers(vectors[rows], 7)), file)


if __name__ == "__main__":
    main(sys.argv[1])
