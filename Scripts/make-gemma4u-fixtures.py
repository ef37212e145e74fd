#!/usr/bin/env python3
"""Makes Tests/Fixtures/gemma4u: a tiny projector of Gemma 4 12B ("Unified") with random weights, and what numpy makes of pictures and sounds with it
in double precision.

Needs numpy and gguf. usage: make-gemma4u-fixtures.py FOLDER

gemma4u.json: `pictures`, each with its sides in pixels, the side of its grid in tokens, and the vectors that are listed (`rows`) of `count`; `sounds`,
each with the number of its samples at 16 kHz and the same. Pictures have the size at which they are read, so none is resized.

The keys and the names of tensors are those of a published file.
"""
import json
import math
import os
import sys

import gguf
import numpy as np

from fixture_values import finish, listed, numbers, sound

PATCH, FACTOR, WIDTH, TABLE, FRAME, OUTPUT = 4, 3, 32, 16, 640, 64
SIDE = PATCH * FACTOR
EPSILON, NORM_EPSILON = 1e-6, 1e-5


def picture(width, height):
    """The same picture in Swift."""
    y, x = np.mgrid[0:height, 0:width].astype("int64")
    return np.stack([x * y // 7 % 256, (x * 3 + y * y) % 256, (x // 9 * 50 + y // 5 * 70) % 256], -1)


def make_weights():
    generator = np.random.default_rng(24)
    weights = {}

    def matrix(name, rows, columns):
        weights[name] = generator.standard_normal((rows, columns)) * 1.2 / math.sqrt(columns)

    def norm(name, count):
        weights[f"{name}.weight"] = 1 + 0.1 * generator.standard_normal(count)
        weights[f"{name}.bias"] = 0.1 * generator.standard_normal(count)

    values = 3 * SIDE * SIDE
    norm("v.patch_norm.1", values)
    matrix("v.patch_embd.weight", WIDTH, values)
    weights["v.patch_embd.bias"] = 0.1 * generator.standard_normal(WIDTH)
    norm("v.patch_norm.2", WIDTH)
    weights["v.position_embd.weight"] = generator.standard_normal((2, TABLE, WIDTH))
    norm("v.patch_norm.3", WIDTH)
    matrix("mm.input_projection.weight", OUTPUT, WIDTH)
    matrix("mm.a.input_projection.weight", OUTPUT, FRAME)
    return {name: np.ascontiguousarray(array.astype(np.float32)) for name, array in weights.items()}


def layer_norm(x, weights, name):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + NORM_EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def rms(x):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + EPSILON)


def picture_vectors(pixels, weights):
    rows, columns = pixels.shape[0] // SIDE, pixels.shape[1] // SIDE
    squares = (pixels / 255).reshape(rows, SIDE, columns, SIDE, 3).transpose(0, 2, 4, 1, 3).reshape(rows * columns, -1)
    x = layer_norm(squares, weights, "v.patch_norm.1")
    x = layer_norm(x @ weights["v.patch_embd.weight"].T + weights["v.patch_embd.bias"], weights, "v.patch_norm.2")
    row, column = np.divmod(np.arange(rows * columns), columns)
    across, down = weights["v.position_embd.weight"]
    x = layer_norm(x + across[column] + down[row], weights, "v.patch_norm.3")
    return rms(x) @ weights["mm.input_projection.weight"].T


def sound_vectors(samples, weights):
    count = -(-len(samples) // FRAME)
    frames = np.zeros(count * FRAME)
    frames[:len(samples)] = samples
    return rms(frames.reshape(count, FRAME)) @ weights["mm.a.input_projection.weight"].T


def projector_file(path, weights):
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_bool("clip.has_audio_encoder", True)
    writer.add_string("clip.vision.projector_type", "gemma4uv")
    writer.add_string("clip.audio.projector_type", "gemma4ua")
    none = {"block_count": 0, "feed_forward_length": 0, "attention.head_count": 0}
    for key, value in (none | dict(embedding_length=WIDTH, projection_dim=OUTPUT, patch_size=PATCH, image_size=224)).items():
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_array("clip.vision.image_mean", [0.0] * 3)
    writer.add_array("clip.vision.image_std", [1.0] * 3)
    # The published file has this number, which means nothing.
    for key, value in (none | dict(embedding_length=FRAME, projection_dim=OUTPUT, num_mel_bins=128)).items():
        writer.add_uint32(f"clip.audio.{key}", value)
    for part in ("vision", "audio"):
        writer.add_float32(f"clip.{part}.attention.layer_norm_epsilon", EPSILON)
    finish(writer, weights)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    weights = make_weights()
    projector_file(f"{folder}/mmproj-gemma4u.gguf", weights)
    weights = {name: array.astype(np.float64) for name, array in weights.items()}
    pictures, sounds = [], []
    for width, height in [(24, 36), (60, 48), (12, 192), (12, 12)]:
        vectors = picture_vectors(picture(width, height), weights)
        rows = listed(len(vectors), 20)
        pictures.append(dict(width=width, height=height, count=len(vectors), rows=rows, vectors=numbers(vectors[rows], 7)))
    for count in (1, 640, 1281, 16123):
        vectors = sound_vectors(sound(count), weights)
        rows = listed(len(vectors), 20)
        sounds.append(dict(samples=count, count=len(vectors), rows=rows, vectors=numbers(vectors[rows], 7)))
    for item in pictures + sounds:
        print({key: item[key] for key in item if key not in ("rows", "vectors")}, max(map(abs, item["vectors"])))
    with open(f"{folder}/gemma4u.json", "w") as file:
        json.dump(dict(pictures=pictures, sounds=sounds), file)


if __name__ == "__main__":
    make(sys.argv[1])
