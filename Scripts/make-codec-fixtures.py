#!/usr/bin/env python3
"""Makes Tests/Fixtures/codec.json: what numpy makes in double precision of frames of codes with the codec of LFM3-Audio that the tests
write (Tests/LeapTestSupport/MadeCodec.swift).

Needs numpy. usage: make-codec-fixtures.py FILE

codec.json: `kinds`, one with LFM3's layers (`isLFM3`) and one with LFM2's. Each has `frames`, codes; `spectra`, every `column`-th number
of the spectra that `rows` lists; `wave`, every `step`-th sample of their sound.

Inferred: LFM3's base of rotations within a window where layers have norms behind their blocks, LFM2's elsewhere; Hann's window; and that
sound begins and ends half of the overlap inside of the first and the last window.
"""
import json
import math
import sys

import numpy as np

from fixture_values import numbers, pattern, rotated

CODEBOOKS, CODES, LATENTS, JOINED, LENGTH, INNER, HEADS, KEY_VALUE_HEADS, HEAD = 12, 2016, 4, 32, 64, 96, 4, 2, 16
ATTENTION = [False, False, True, False, True, False]
BINS, SIZE, HOP, REPEATS, WINDOW, EPSILON = 641, 1280, 320, 6, 30, 1e-5


def tensors(is_lfm3):
    """Names, shapes and scales in the order of MadeCodec."""
    list_ = [("quant.first.codebook.weight", (CODES, LATENTS), 1), ("quant.first.out_proj.weight", (JOINED, CODEBOOKS * LATENTS), 0.25),
             ("quant.first.out_proj.bias", (JOINED,), 0.25), ("tfm.in_proj.weight", (LENGTH, JOINED), 0.25),
             ("tfm.in_proj.bias", (LENGTH,), 0.25)]
    for layer, is_attention in enumerate(ATTENTION):
        root = f"tfm.blk.{layer}."
        list_ += [(root + "ln1.weight", (LENGTH,), None), (root + "ln2.weight", (LENGTH,), None)]
        if is_lfm3:
            list_ += [(root + "attn_post_norm.weight", (LENGTH,), None), (root + "ffn_post_norm.weight", (LENGTH,), None)]
        list_ += [(root + "ffn_gate.weight", (INNER, LENGTH), 0.25), (root + "ffn_up.weight", (INNER, LENGTH), 0.25),
                  (root + "ffn_down.weight", (LENGTH, INNER), 0.25)]
        if is_attention:
            width = KEY_VALUE_HEADS * HEAD
            list_ += [(root + "attn_q.weight", (LENGTH, LENGTH), 0.25), (root + "attn_k.weight", (width, LENGTH), 0.25),
                      (root + "attn_v.weight", (width, LENGTH), 0.25), (root + "attn_out.weight", (LENGTH, LENGTH), 0.25),
                      (root + "attn_q_norm.weight", (HEAD,), None), (root + "attn_k_norm.weight", (HEAD,), None)]
            if is_lfm3:
                list_.append((root + "attn_gate.weight", (HEADS, LENGTH), 0.25))
        else:
            list_ += [(root + "conv_pw1.weight", (3 * LENGTH, LENGTH), 0.25), (root + "conv_dw.weight", (LENGTH, 7 if is_lfm3 else 3), 0.5),
                      (root + "conv_pw2.weight", (LENGTH, LENGTH), 0.25)]
    return list_ + [("tfm.output_norm.weight", (LENGTH,), None), ("tfm.out_proj.weight", (2 * BINS, LENGTH), 0.125),
                    ("tfm.out_proj.bias", (2 * BINS,), 0.5)]


def rms(x, weight):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + EPSILON) * weight


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def convolution(x, weight):
    gate, out_gate, values = np.split(x @ weight("conv_pw1").T, 3, axis=-1)
    filters = weight("conv_dw")
    taps = filters.shape[1]
    inputs = np.concatenate([np.zeros((taps - 1, LENGTH)), gate * values])
    mixed = sum(filters[:, tap] * inputs[tap:tap + len(x)] for tap in range(taps))
    return (out_gate * mixed) @ weight("conv_pw2").T


def attention(x, weight, is_lfm3):
    def heads(name, count):
        return (x @ weight(name).T).reshape(len(x), count, HEAD)

    base = 1e4 if is_lfm3 else 1e6
    queries = rotated(rms(heads("attn_q", HEADS), weight("attn_q_norm")), base)
    keys = rotated(rms(heads("attn_k", KEY_VALUE_HEADS), weight("attn_k_norm")), base)
    values = heads("attn_v", KEY_VALUE_HEADS)
    distance = np.arange(len(x))[:, None] - np.arange(len(x))
    mixed = np.empty((len(x), HEADS, HEAD))
    for head in range(HEADS):
        shared = head * KEY_VALUE_HEADS // HEADS
        scores = queries[:, head] @ keys[:, shared].T / math.sqrt(HEAD)
        scores[(distance < 0) | (distance >= WINDOW)] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed[:, head] = scores / scores.sum(-1, keepdims=True) @ values[:, shared]
    if is_lfm3:
        mixed *= sigmoid(x @ weight("attn_gate").T)[..., None]
    return mixed.reshape(len(x), LENGTH) @ weight("attn_out").T


def spectra(frames, weights, is_lfm3):
    latents = weights["quant.first.codebook.weight"][np.array(frames)].reshape(len(frames), CODEBOOKS * LATENTS)
    joined = latents @ weights["quant.first.out_proj.weight"].T + weights["quant.first.out_proj.bias"]
    x = np.repeat(joined @ weights["tfm.in_proj.weight"].T + weights["tfm.in_proj.bias"], REPEATS, axis=0)
    for layer, is_attention in enumerate(ATTENTION):
        def weight(name):
            return weights[f"tfm.blk.{layer}.{name}.weight"]

        def add(x, branch, norm):
            return x + (rms(branch, weight(norm)) if is_lfm3 else branch)

        normed = rms(x, weight("ln1"))
        x = add(x, attention(normed, weight, is_lfm3) if is_attention else convolution(normed, weight), "attn_post_norm")
        normed = rms(x, weight("ln2"))
        gates = normed @ weight("ffn_gate").T
        x = add(x, (gates * sigmoid(gates) * (normed @ weight("ffn_up").T)) @ weight("ffn_down").T, "ffn_post_norm")
    return rms(x, weights["tfm.output_norm.weight"]) @ weights["tfm.out_proj.weight"].T + weights["tfm.out_proj.bias"]


def sound(rows):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE)
    sums = np.zeros((len(rows) - 1) * HOP + SIZE)
    weights = np.zeros_like(sums)
    parts = np.fft.irfft(np.exp(rows[:, :BINS] + 1j * rows[:, BINS:]), SIZE) * window
    for index, part in enumerate(parts):
        sums[index * HOP:index * HOP + SIZE] += part
        weights[index * HOP:index * HOP + SIZE] += window ** 2
    padding = (SIZE - HOP) // 2
    return sums[padding:-padding] / weights[padding:-padding]


def kind(is_lfm3):
    weights = {name: pattern(index, int(np.prod(shape)), scale).reshape(shape).astype(np.float64)
               for index, (name, shape, scale) in enumerate(tensors(is_lfm3))}
    frames = [[int((value + 1) * CODES / 2) for value in pattern(3000 + index, CODEBOOKS, 1)] for index in range(14)]
    # The first and the last code.
    frames[3][0], frames[5][11] = 0, CODES - 1
    all_spectra = spectra(frames, weights, is_lfm3)
    wave = sound(all_spectra)
    rows, column, step = [0, 1, 5, 6, 29, 30, 31, 63, 64, len(all_spectra) - 1], 9, 37
    print("LFM3" if is_lfm3 else "LFM2", all_spectra.shape, float(np.abs(all_spectra).max()), len(wave), float(np.abs(wave).max()))
    return dict(isLFM3=is_lfm3, frames=frames, rows=rows, column=column, spectra=numbers(all_spectra[rows][:, ::column], 7), step=step,
                wave=numbers(wave[::step], 9))


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        json.dump(dict(kinds=[kind(True), kind(False)]), file)
