#!/usr/bin/env python3
"""Makes Tests/Fixtures/lfm3a: a tiny encoder of LFM3-Audio with random weights, and what numpy makes of sounds with it in double precision.

Needs numpy and gguf. usage: make-lfm3a-fixtures.py FOLDER

lfm3a.json: `sounds`, each with the number of its samples at 16 kHz, the frames of its spectrum that are listed (`frames`) with their values
(`spectrum`), and the vectors that are listed (`rows`) of `count` with theirs: `encoded` behind the encoder, `vectors` behind the adapter.

The keys, the layers and most names of tensors are those of a published file. These are inferred: the names of the attention's output and norms,
the rotation's base, ReLU behind the convolutions, the order of the flattened map, and zeros beside the bands.
"""
import json
import math
import os
import sys

import gguf
import numpy as np

from fixture_values import finish, listed, numbers, rotated, silu, sound

WIDTH, INNER, HEADS, KEY_VALUE_HEADS, BANDS, CHANNELS, OUTPUT, WINDOW = 64, 128, 4, 2, 16, 16, 64, 8
HEAD = WIDTH // HEADS
IS_CONVOLUTION = [True, True, False, True, False, False]
EPSILON, BASE = 1e-5, 1e6
SIZE, HOP, RATE = 400, 160, 16000


# MARK: Features

def hertz(mel):
    return np.where(mel < 15, mel * 200 / 3, 1000 * 6.4 ** ((mel - 15) / 27))


def bands():
    """Slaney's triangles over the bins of the transform, `[BANDS][SIZE / 2 + 1]`."""
    edges = hertz(np.linspace(0, 15 + 27 * math.log(RATE / 2000) / math.log(6.4), BANDS + 2))
    bins = np.arange(SIZE // 2 + 1) * RATE / SIZE
    low, middle, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.clip(np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle)), 0, None) * 2 / (high - low)


def spectrum(samples):
    count = max(0, -(-(len(samples) - SIZE) // HOP)) + 1
    padded = np.zeros(SIZE + HOP * (count - 1))
    padded[:len(samples)] = samples
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE)
    frames = np.stack([padded[HOP * index:HOP * index + SIZE] * window for index in range(count)])
    powers = np.abs(np.fft.rfft(frames)) ** 2
    return (np.maximum(np.log10(powers @ bands().T), -12) + 4) / 4


# MARK: Encoder

def make_weights():
    generator = np.random.default_rng(7)
    weights = {}

    def matrix(name, *shape):
        fan = int(np.prod(shape[1:]))
        weights[name] = generator.standard_normal(shape) * 1.2 / math.sqrt(fan)

    def bias(name, *shape):
        weights[name] = 0.1 * generator.standard_normal(shape)

    def norm(name, count):
        weights[name] = 1 + 0.1 * generator.standard_normal(count)

    for index, shape in [(0, (CHANNELS, 1, 3, 3)), (2, (CHANNELS, 1, 3, 3)), (3, (CHANNELS, CHANNELS, 1, 1)),
                         (5, (CHANNELS, 1, 3, 3)), (6, (CHANNELS, CHANNELS, 1, 1))]:
        matrix(f"a.conv1d.{index}.weight", *shape)
        bias(f"a.conv1d.{index}.bias", CHANNELS, 1, 1)
    matrix("a.pre_encode.out.weight", WIDTH, CHANNELS * BANDS // 8)
    bias("a.pre_encode.out.bias", WIDTH)
    for layer, is_convolution in enumerate(IS_CONVOLUTION):
        root = f"a.blk.{layer}."
        norm(root + "ln1.weight", WIDTH)
        norm(root + "ln2.weight", WIDTH)
        if is_convolution:
            matrix(root + "conv_pw1.weight", 3 * WIDTH, WIDTH)
            matrix(root + "conv_dw.weight", WIDTH, 3)
            matrix(root + "conv_pw2.weight", WIDTH, WIDTH)
        else:
            matrix(root + "attn_q.weight", WIDTH, WIDTH)
            matrix(root + "attn_k.weight", KEY_VALUE_HEADS * HEAD, WIDTH)
            matrix(root + "attn_v.weight", KEY_VALUE_HEADS * HEAD, WIDTH)
            matrix(root + "attn_out.weight", WIDTH, WIDTH)
            # Weights of more than 1 make attention choose.
            weights[root + "attn_q_norm.weight"] = 1.5 + 0.1 * generator.standard_normal(HEAD)
            weights[root + "attn_k_norm.weight"] = 1.5 + 0.1 * generator.standard_normal(HEAD)
        matrix(root + "ffn_gate.weight", INNER, WIDTH)
        matrix(root + "ffn_up.weight", INNER, WIDTH)
        matrix(root + "ffn_down.weight", WIDTH, INNER)
    norm("a.post_ln.weight", WIDTH)
    norm("mm.a.mlp.0.weight", WIDTH)
    bias("mm.a.mlp.0.bias", WIDTH)
    matrix("mm.a.mlp.1.weight", OUTPUT, WIDTH)
    bias("mm.a.mlp.1.bias", OUTPUT)
    matrix("mm.a.mlp.3.weight", OUTPUT, OUTPUT)
    bias("mm.a.mlp.3.bias", OUTPUT)
    return {name: np.ascontiguousarray(array.astype(np.float32)) for name, array in weights.items()}


def halved(image, weight, bias, is_depthwise):
    """A convolution of 3 × 3 with a step of 2 over `[channels][times][bands]`: time t reads 2t - 1, 2t and 2t + 1."""
    channels, times, width = image.shape
    padded = np.zeros((channels, times + 3, width + 3))
    padded[:, 1:times + 1, 1:width + 1] = image
    out = np.zeros((len(weight), (times + 1) // 2, (width + 1) // 2))
    for y in range(3):
        for x in range(3):
            part = padded[:, y:y + 2 * out.shape[1]:2, x:x + 2 * out.shape[2]:2]
            if is_depthwise:
                out += weight[:, 0, y, x][:, None, None] * part
            else:
                out += np.einsum("oc,ctb->otb", weight[:, :, y, x], part)
    return out + bias


def rms(x, weight):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + EPSILON) * weight


def convolution(x, weight):
    gate, out_gate, values = np.split(x @ weight("conv_pw1").T, 3, axis=-1)
    inputs = np.concatenate([np.zeros((2, WIDTH)), gate * values])
    filters = weight("conv_dw")
    mixed = sum(filters[:, tap] * inputs[tap:tap + len(x)] for tap in range(3))
    return (out_gate * mixed) @ weight("conv_pw2").T


def attention(x, weight):
    def heads(name, count):
        return (x @ weight(name).T).reshape(len(x), count, HEAD)

    queries = rotated(rms(heads("attn_q", HEADS), weight("attn_q_norm")), BASE)
    keys = rotated(rms(heads("attn_k", KEY_VALUE_HEADS), weight("attn_k_norm")), BASE)
    values = heads("attn_v", KEY_VALUE_HEADS)
    distance = np.arange(len(x))[:, None] - np.arange(len(x))
    mixed = np.empty((len(x), HEADS, HEAD))
    for head in range(HEADS):
        shared = head * KEY_VALUE_HEADS // HEADS
        scores = queries[:, head] @ keys[:, shared].T / math.sqrt(HEAD)
        scores[(distance < 0) | (distance >= WINDOW)] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed[:, head] = scores / scores.sum(-1, keepdims=True) @ values[:, shared]
    return mixed.reshape(len(x), WIDTH) @ weight("attn_out").T


def encode(frames, weights):
    weights = {name: array.astype(np.float64) for name, array in weights.items()}

    def conv(image, index, is_depthwise):
        return halved(image, weights[f"a.conv1d.{index}.weight"], weights[f"a.conv1d.{index}.bias"], is_depthwise)

    def pointwise(image, index):
        return np.einsum("oc,ctb->otb", weights[f"a.conv1d.{index}.weight"][:, :, 0, 0], image) + weights[f"a.conv1d.{index}.bias"]

    image = np.maximum(conv(frames[None], 0, False), 0)
    image = np.maximum(pointwise(conv(image, 2, True), 3), 0)
    image = np.maximum(pointwise(conv(image, 5, True), 6), 0)
    flat = image.transpose(1, 0, 2).reshape(image.shape[1], -1)
    x = flat @ weights["a.pre_encode.out.weight"].T + weights["a.pre_encode.out.bias"]
    for layer, is_convolution in enumerate(IS_CONVOLUTION):
        def weight(name):
            return weights[f"a.blk.{layer}.{name}.weight"]

        normed = rms(x, weight("ln1"))
        x = x + (convolution if is_convolution else attention)(normed, weight)
        normed = rms(x, weight("ln2"))
        x = x + (silu(normed @ weight("ffn_gate").T) * (normed @ weight("ffn_up").T)) @ weight("ffn_down").T
    return rms(x, weights["a.post_ln.weight"])


def adapt(x, weights):
    weights = {name: array.astype(np.float64) for name, array in weights.items() if name.startswith("mm.")}
    centred = x - x.mean(-1, keepdims=True)
    normed = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + EPSILON) * weights["mm.a.mlp.0.weight"] + weights["mm.a.mlp.0.bias"]
    inner = normed @ weights["mm.a.mlp.1.weight"].T + weights["mm.a.mlp.1.bias"]
    inner = inner / 2 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
    return inner @ weights["mm.a.mlp.3.weight"].T + weights["mm.a.mlp.3.bias"]


# MARK: Files

def encoder_file(path, weights):
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_audio_encoder", True)
    writer.add_string("clip.audio.projector_type", "lfm3a")
    for key, value in dict(projection_dim=OUTPUT, embedding_length=WIDTH, feed_forward_length=INNER, block_count=len(IS_CONVOLUTION),
                           num_mel_bins=BANDS, window_size=WINDOW).items():
        writer.add_uint32(f"clip.audio.{key}", value)
    writer.add_uint32("clip.audio.attention.head_count", HEADS)
    writer.add_uint32("clip.audio.attention.head_count_kv", KEY_VALUE_HEADS)
    writer.add_float32("clip.audio.attention.layer_norm_epsilon", EPSILON)
    finish(writer, weights)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    weights = make_weights()
    encoder_file(f"{folder}/mmproj-lfm3a.gguf", weights)
    sounds = []
    for count in (300, 1600, 16123, 160000):
        frames = spectrum(sound(count))
        encoded = encode(frames, weights)
        vectors = adapt(encoded, weights)
        listed_frames, rows = listed(len(frames), 10), listed(len(vectors), 20)
        sounds.append(dict(samples=count, frameCount=len(frames), frames=listed_frames, spectrum=numbers(frames[listed_frames], 7),
                           count=len(vectors), rows=rows, encoded=numbers(encoded[rows], 7), vectors=numbers(vectors[rows], 7)))
        print(count, frames.shape, vectors.shape, float(np.abs(encoded).max()), float(np.abs(vectors).max()))
    with open(f"{folder}/lfm3a.json", "w") as file:
        json.dump(dict(sounds=sounds), file)


if __name__ == "__main__":
    make(sys.argv[1])
