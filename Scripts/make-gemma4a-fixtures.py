#!/usr/bin/env python3
"""Makes Tests/Fixtures/gemma4a: a tiny encoder of sound as Gemma 4 E2B and E4B have it with random weights, and what numpy makes of sounds with it in
double precision.

Needs numpy and gguf. usage: make-gemma4a-fixtures.py FOLDER

gemma4a.json: `sounds`, each with the number of its samples at 16 kHz, the frames of its spectrum that are listed (`frames`) with their values
(`spectrum`), and the vectors that are listed (`rows`) of `count` with theirs.

The keys and the names of tensors are those of a published file, but for the optional biases of the convolutions and factors of keys.
"""
import json
import math
import os
import sys

import gguf
import numpy as np

from fixture_values import finish, listed, numbers, silu, sound

WIDTH, INNER, HEADS, LAYERS, BANDS, CHANNELS, BETWEEN, OUTPUT, TAPS = 64, 96, 8, 2, 16, (8, 4), 48, 64, 5
HEAD = WIDTH // HEADS
EPSILON, WINDOW, CAP = 1e-6, 12, 50
LENGTH, SIZE, HOP, RATE = 320, 512, 160, 16000
# Matrices whose inputs and outputs are cut to bounds.
BOUNDED = {"a.blk.0.attn_q": 2.0, "a.blk.0.ffn_up": 1.5, "a.blk.1.conv_pw1": 1.5, "a.blk.1.ffn_down_1": 1.0, "mm.a.input_projection": 2.0}


# MARK: Features

def bands():
    """Triangles over the bins of the transform on HTK's scale, `[BANDS][SIZE / 2 + 1]`."""
    highest = 2595 * math.log10(1 + RATE / 2 / 700)
    edges = 700 * (10 ** (np.linspace(0, highest, BANDS + 2) / 2595) - 1)
    bins = np.arange(SIZE // 2 + 1) * RATE / SIZE
    low, middle, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.clip(np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle)), 0, None)


def spectrum(samples):
    count = max(1, (len(samples) + LENGTH // 2 - LENGTH - 1) // HOP + 1)
    padded = np.zeros(max(LENGTH // 2 + len(samples), LENGTH + HOP * (count - 1)), dtype=samples.dtype)
    padded[LENGTH // 2:LENGTH // 2 + len(samples)] = samples
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(LENGTH) / LENGTH)).astype(samples.dtype)
    frames = np.stack([padded[HOP * index:HOP * index + LENGTH] * window for index in range(count)])
    magnitudes = np.abs(np.fft.rfft(frames, SIZE))
    return np.log(magnitudes @ bands().T.astype(samples.dtype) + np.asarray(0.001, samples.dtype))


# MARK: Encoder

def make_weights():
    generator = np.random.default_rng(4)
    weights = {}

    def matrix(name, *shape):
        weights[f"{name}.weight"] = generator.standard_normal(shape) * 1.2 / math.sqrt(np.prod(shape[1:]))

    def norm(name, count):
        weights[f"{name}.weight"] = 1 + 0.1 * generator.standard_normal(count)

    inputs = 1
    for index, count in enumerate(CHANNELS):
        matrix(f"a.conv1d.{index}", count, inputs, 3, 3)
        norm(f"a.conv1d.{index}.norm", count)
        inputs = count
    weights["a.conv1d.1.bias"] = 0.1 * generator.standard_normal(CHANNELS[1])
    matrix("a.input_projection", WIDTH, CHANNELS[1] * BANDS // 4)
    for layer in range(LAYERS):
        root = f"a.blk.{layer}."
        for suffix in ("", "_1"):
            norm(f"{root}ffn_norm{suffix}", WIDTH)
            matrix(f"{root}ffn_up{suffix}", INNER, WIDTH)
            matrix(f"{root}ffn_down{suffix}", WIDTH, INNER)
            norm(f"{root}ffn_post_norm{suffix}", WIDTH)
        norm(root + "attn_pre_norm", WIDTH)
        for name in ("attn_q", "attn_k", "attn_v", "attn_out", "attn_k_rel"):
            matrix(root + name, WIDTH, WIDTH)
        weights[root + "per_dim_scale.weight"] = np.log1p(np.exp(0.5 * generator.standard_normal(HEAD)))
        if layer == 1:
            norm(root + "per_dim_k_scale", HEAD)
        for name in ("attn_post_norm", "conv_norm", "norm_conv", "ln2"):
            norm(root + name, WIDTH)
        matrix(root + "conv_pw1", 2 * WIDTH, WIDTH)
        matrix(root + "conv_dw", WIDTH, TAPS)
        matrix(root + "conv_pw2", WIDTH, WIDTH)
    matrix("a.pre_encode.out", BETWEEN, WIDTH)
    weights["a.pre_encode.out.bias"] = 0.1 * generator.standard_normal(BETWEEN)
    norm("mm.a.soft_emb_norm", BETWEEN)
    matrix("mm.a.input_projection", OUTPUT, BETWEEN)
    for name, bound in BOUNDED.items():
        for kind, value in [("input_min", -bound), ("input_max", 0.9 * bound), ("output_min", -1.1 * bound), ("output_max", bound)]:
            weights[f"{name}.{kind}"] = np.array([value])
    return {name: np.ascontiguousarray(array.astype(np.float32)) for name, array in weights.items()}


def halved(image, weight, bias):
    """A convolution of 3 × 3 with a step of 2 over `[channels][times][bands]`: time t reads 2t - 1, 2t and 2t + 1."""
    channels, times, width = image.shape
    padded = np.zeros((channels, times + 3, width + 3), dtype=image.dtype)
    padded[:, 1:times + 1, 1:width + 1] = image
    out = np.zeros((len(weight), (times + 1) // 2, (width + 1) // 2), dtype=image.dtype)
    for y in range(3):
        for x in range(3):
            out += np.einsum("oc,ctb->otb", weight[:, :, y, x], padded[:, y:y + 2 * out.shape[1]:2, x:x + 2 * out.shape[2]:2])
    return out + bias[:, None, None]


def rms(x, weight):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + np.asarray(EPSILON, x.dtype)) * weight


class Layer:
    def __init__(self, weights, root):
        self.weights, self.root = weights, root

    def __getitem__(self, name):
        return self.weights[f"{self.root}{name}.weight"]

    def product(self, x, name):
        def bound(kind, usual):
            return self.weights.get(f"{self.root}{name}.{kind}", np.array([usual]))[0]

        x = np.clip(x, bound("input_min", -np.inf), bound("input_max", np.inf))
        return np.clip(x @ self[name].T + self.weights.get(f"{self.root}{name}.bias", 0), bound("output_min", -np.inf), bound("output_max", np.inf))


def network(x, layer, suffix):
    inner = silu(layer.product(rms(x, layer["ffn_norm" + suffix]), "ffn_up" + suffix))
    return rms(layer.product(inner, "ffn_down" + suffix), layer["ffn_post_norm" + suffix])


def attention(x, layer):
    normed = rms(x, layer["attn_pre_norm"])

    def heads(name):
        return layer.product(normed, name).reshape(len(x), HEADS, HEAD)

    queries = heads("attn_q") * (layer["per_dim_scale"] / math.sqrt(HEAD) / math.log(2)).astype(x.dtype)
    factors = layer.weights.get(layer.root + "per_dim_k_scale.weight", np.ones(HEAD))
    keys = heads("attn_k") * (factors * math.log(1 + math.e) / math.log(2)).astype(x.dtype)
    values = heads("attn_v")
    angles = np.arange(WINDOW)[:, None] * 10000.0 ** (-np.arange(WIDTH // 2) / (WIDTH // 2 - 1))
    sinusoids = np.concatenate([np.sin(angles), np.cos(angles)], -1).astype(x.dtype)
    positions = (sinusoids @ layer["attn_k_rel"].T).reshape(WINDOW, HEADS, HEAD)
    distance = np.arange(len(x))[:, None] - np.arange(len(x))
    seen = (distance >= 0) & (distance < WINDOW)
    mixed = np.empty((len(x), HEADS, HEAD), dtype=x.dtype)
    for head in range(HEADS):
        by_distance = np.take_along_axis(queries[:, head] @ positions[:, head].T, np.clip(distance, 0, WINDOW - 1), 1)
        scores = CAP * np.tanh((queries[:, head] @ keys[:, head].T + by_distance) / CAP)
        scores = np.where(seen, scores, -np.inf)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed[:, head] = scores / scores.sum(-1, keepdims=True) @ values[:, head]
    return rms(layer.product(mixed.reshape(len(x), WIDTH), "attn_out"), layer["attn_post_norm"])


def convolution(x, layer):
    first, gate = np.split(layer.product(rms(x, layer["conv_norm"]), "conv_pw1"), 2, axis=-1)
    inputs = np.concatenate([np.zeros((TAPS - 1, WIDTH), dtype=x.dtype), first / (1 + np.exp(-gate))])
    mixed = sum(layer["conv_dw"][:, tap] * inputs[tap:tap + len(x)] for tap in range(TAPS))
    return layer.product(silu(rms(mixed, layer["norm_conv"])), "conv_pw2")


def encode(frames, weights):
    weights = {name: array.astype(frames.dtype) for name, array in weights.items()}
    image = frames[None]
    for index in range(2):
        image = halved(image, weights[f"a.conv1d.{index}.weight"], weights.get(f"a.conv1d.{index}.bias", np.zeros(CHANNELS[index], frames.dtype)))
        centred = image - image.mean(0)
        image = centred / np.sqrt((centred ** 2).mean(0) + np.asarray(EPSILON, frames.dtype)) * weights[f"a.conv1d.{index}.norm.weight"][:, None, None]
        image = np.maximum(image, 0)
    flat = image.transpose(1, 2, 0).reshape(image.shape[1], -1)
    outside = Layer(weights, "")
    x = outside.product(flat, "a.input_projection")
    for index in range(LAYERS):
        layer = Layer(weights, f"a.blk.{index}.")
        x = x + network(x, layer, "") / 2
        x = x + attention(x, layer)
        x = x + convolution(x, layer)
        x = x + network(x, layer, "_1") / 2
        x = rms(x, layer["ln2"])
    return outside.product(rms(outside.product(x, "a.pre_encode.out"), weights["mm.a.soft_emb_norm.weight"]), "mm.a.input_projection")


# MARK: Files

def encoder_file(path, weights):
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_audio_encoder", True)
    writer.add_string("clip.audio.projector_type", "gemma4a")
    for key, value in dict(projection_dim=OUTPUT, embedding_length=WIDTH, feed_forward_length=INNER, block_count=LAYERS,
                           num_mel_bins=BANDS).items():
        writer.add_uint32(f"clip.audio.{key}", value)
    writer.add_uint32("clip.audio.attention.head_count", HEADS)
    # Published files have a number that the model was not trained with.
    writer.add_float32("clip.audio.attention.layer_norm_epsilon", 1e-5)
    finish(writer, weights)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    weights = make_weights()
    encoder_file(f"{folder}/mmproj-gemma4a.gguf", weights)
    sounds = []
    for count in (100, 6401, 16123, 80000):
        frames = spectrum(sound(count).astype(np.float64))
        vectors = encode(frames, weights)
        listed_frames, rows = listed(len(frames), 10), listed(len(vectors), 20)
        sounds.append(dict(samples=count, frameCount=len(frames), frames=listed_frames, spectrum=numbers(frames[listed_frames], 7),
                           count=len(vectors), rows=rows, vectors=numbers(vectors[rows], 7)))
        print(count, frames.shape, vectors.shape, float(np.abs(frames).max()), float(np.abs(vectors).max()))
    with open(f"{folder}/gemma4a.json", "w") as file:
        json.dump(dict(sounds=sounds), file)


if __name__ == "__main__":
    make(sys.argv[1])
