#!/usr/bin/env python3
"""Makes Tests/Fixtures/muse-glimmer.gguf and .json: a tiny random Muse Glimmer, and what numpy makes of a text with it in double precision.

Needs numpy and gguf. usage: make-muse-fixtures.py FOLDER (that of all fixtures)

The JSON is as make-fixtures.py writes it, with the logits of some positions. The vocabulary and the prompt are those of the fixture lfm3.
Vectors of tokens and outputs of blocks are so small that each epsilon counts; the cap changes the largest logits by a fiftieth. Seeds are fixed.
"""
import json
import math
import os
import sys

import gguf
import numpy as np

from fixture_values import numbers

WIDTH, INNER, LAYERS, HEADS, KEY_VALUE_HEADS, HEAD, WINDOW = 64, 64, 4, 6, 2, 16, 16
SLIDES = [True, True, True, False]
EPSILON, POST_EPSILON, BASE, CAP, SCALE = 1e-5, 1e-8, 5e5, 20.0, 0.19611613513818404
# Around the window and where a cache page ends.
POSITIONS = [0, 1, 2, 14, 15, 16, 17, 31, 62, 63, 64, 65, 95]


def make_weights(vocabulary):
    generator = np.random.default_rng(19)
    weights = {}

    def matrix(name, rows, columns, scale=1.0):
        values = generator.standard_normal((rows, columns)) * scale / math.sqrt(columns)
        weights[name + ".weight"] = values.astype(np.float32)

    def norm(name, count, centre=1.0):
        weights[name + ".weight"] = (centre * (1 + 0.15 * generator.standard_normal(count))).astype(np.float32)

    matrix("token_embd", vocabulary, WIDTH, 0.04)
    matrix("output", vocabulary, WIDTH, 6)
    norm("output_norm", WIDTH)
    for layer in range(LAYERS):
        prefix = f"blk.{layer}."
        matrix(prefix + "attn_q", HEADS * HEAD, WIDTH)
        matrix(prefix + "attn_k", KEY_VALUE_HEADS * HEAD, WIDTH)
        matrix(prefix + "attn_v", KEY_VALUE_HEADS * HEAD, WIDTH)
        matrix(prefix + "attn_gate", HEADS * HEAD, WIDTH, 1.5)
        matrix(prefix + "attn_output", WIDTH, HEADS * HEAD, 0.001)
        matrix(prefix + "ffn_gate", INNER, WIDTH, 1.5)
        matrix(prefix + "ffn_up", INNER, WIDTH)
        matrix(prefix + "ffn_down", WIDTH, INNER, 0.001)
        norm(prefix + "attn_q_norm", HEAD, 1.5)
        norm(prefix + "attn_k_norm", HEAD)
        for name in ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"]:
            norm(prefix + name, WIDTH)
    return weights


def rms(x, weight=1.0, epsilon=EPSILON):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + epsilon) * weight


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def rotate(x):
    """Turns pairs of neighbours of `[positions][heads][HEAD]`."""
    angles = np.arange(len(x))[:, None] * BASE ** (-np.arange(0, HEAD, 2) / HEAD)[None]
    cosines, sines = np.cos(angles)[:, None], np.sin(angles)[:, None]
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2], turned[..., 1::2] = even * cosines - odd * sines, even * sines + odd * cosines
    return turned


def logits(weights, tokens):
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    x = rms(w["token_embd.weight"][tokens])
    count = len(tokens)
    distance = np.arange(count)[:, None] - np.arange(count)[None]
    for layer in range(LAYERS):
        def of(name):
            return w[f"blk.{layer}.{name}.weight"]

        a = rms(x, of("attn_norm"))
        q = rms((a @ of("attn_q").T).reshape(count, HEADS, HEAD), of("attn_q_norm"))
        k = rms((a @ of("attn_k").T).reshape(count, KEY_VALUE_HEADS, HEAD), of("attn_k_norm"))
        v = (a @ of("attn_v").T).reshape(count, KEY_VALUE_HEADS, HEAD)
        if SLIDES[layer]:
            q, k = rotate(q), rotate(k)
        k, v = (np.repeat(each, HEADS // KEY_VALUE_HEADS, axis=1) for each in (k, v))
        scores = np.einsum("ihd,jhd->hij", q, k) / math.sqrt(HEAD)
        visible = (distance >= 0) & (distance < WINDOW if SLIDES[layer] else True)
        scores = np.where(visible, scores, -np.inf)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = np.einsum("hij,jhd->ihd", scores, v).reshape(count, HEADS * HEAD)
        mixed *= sigmoid(a @ of("attn_gate").T)
        x = x + rms(mixed @ of("attn_output").T, of("post_attention_norm"), POST_EPSILON)
        f = rms(x, of("ffn_norm"))
        gate = f @ of("ffn_gate").T
        inner = gate * sigmoid(gate) * (f @ of("ffn_up").T)
        x = x + rms(inner @ of("ffn_down").T, of("post_ffw_norm"), POST_EPSILON)
    raw = SCALE * (rms(x, w["output_norm.weight"]) @ w["output.weight"].T)
    return CAP * np.tanh(raw / CAP)


def model_file(path, weights, vocabulary):
    writer = gguf.GGUFWriter(path, "muse-glimmer")
    writer.add_name("fixture-muse-glimmer")
    writer.add_file_type(0)
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_VALUE_HEADS)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(BASE)
    writer.add_float32("muse-glimmer.rope.freq_base_swa", BASE)
    writer.add_rope_dimension_count(HEAD)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern(SLIDES)
    writer.add_final_logit_softcapping(CAP)
    writer.add_logit_scale(SCALE)
    writer.add_vocab_size(len(vocabulary["tokens"]))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama4")
    writer.add_token_list(vocabulary["tokens"])
    writer.add_token_types(vocabulary["types"])
    writer.add_token_merges(vocabulary["merges"])
    writer.add_bos_token_id(vocabulary["bos"])
    writer.add_eos_token_id(vocabulary["eos"])
    writer.add_add_bos_token(True)
    for name, value in weights.items():
        writer.add_tensor(name, np.ascontiguousarray(value))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def vocabulary_of(path):
    reader = gguf.GGUFReader(path)

    def field(name):
        return reader.fields["tokenizer.ggml." + name].contents()

    return dict(tokens=field("tokens"), types=field("token_type"), merges=field("merges"), bos=field("bos_token_id"),
                eos=field("eos_token_id"))


def main(folder):
    vocabulary = vocabulary_of(f"{folder}/lfm3.gguf")
    weights = make_weights(len(vocabulary["tokens"]))
    model_file(f"{folder}/muse-glimmer.gguf", weights, vocabulary)
    tokens = json.load(open(f"{folder}/lfm3.json"))["tokens"][:96]
    found = logits(weights, tokens)
    greedy, text, margin = [], list(tokens), math.inf
    for _ in range(24):
        last = np.sort(logits(weights, text)[-1])
        margin = min(margin, last[-1] - last[-2])
        greedy.append(int(logits(weights, text)[-1].argmax()))
        text.append(greedy[-1])
    fixture = {"arch": "muse-glimmer", "tokens": tokens, "shape": list(found.shape), "positions": POSITIONS,
               "logits": numbers(found[POSITIONS], 6), "greedy": greedy}
    with open(f"{folder}/muse-glimmer.json", "w") as file:
        json.dump(fixture, file)
    print(found.shape, "logits in", round(found.min(), 2), round(found.max(), 2), "margin", round(margin, 4))


if __name__ == "__main__":
    main(sys.argv[1])
