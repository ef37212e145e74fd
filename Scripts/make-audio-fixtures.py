#!/usr/bin/env python3
"""Makes Tests/Fixtures/audio: a tiny encoder of LFM2-Audio with random weights, and what the liquid-audio package makes of sounds with it.

Needs torch, transformers and gguf, and the files of liquid-audio, unpacked (`pip download --no-deps --ignore-requires-python liquid-audio`).
usage: make-audio-fixtures.py FOLDER LIQUID_AUDIO

audio.json: `sounds`, each with the number of its samples at 16 kHz, the frames of its spectrum that are listed (`frames`) with their values
(`spectrum`), and the vectors that are listed (`rows`) of `count` with theirs: `encoded` behind the encoder, `vectors` behind the adapter.
"""
import importlib
import json
import os
import sys
import types

import gguf
import numpy as np
import torch
from torch import nn
from transformers.audio_utils import mel_filter_bank

from fixture_values import listed, numbers, sound

WIDTH, CHANNELS, HEADS, LAYERS, INNER, OUTPUT = 32, 16, 2, 2, 56, 64


def reference(folder):
    """The modules of the package that need nothing but torch; of librosa only the mel bands are used."""
    bands = types.ModuleType("librosa")
    bands.filters = types.SimpleNamespace(
        mel=lambda sr, n_fft, n_mels, fmin, fmax, norm: mel_filter_bank(
            n_fft // 2 + 1, n_mels, fmin, fmax, sr, norm=norm, mel_scale="slaney").T)
    sys.modules["librosa"] = bands
    package = types.ModuleType("conformer")
    package.__path__ = [os.path.join(folder, "model", "conformer")]
    sys.modules["conformer"] = package
    return importlib.import_module("conformer.encoder"), importlib.import_module("conformer.processor")


def randomise(module):
    with torch.no_grad():
        for name, value in module.named_parameters():
            noise = torch.randn_like(value)
            if "pos_bias" in name:
                value.copy_(0.2 * noise)
            elif value.ndim == 1:
                value.copy_((1 if "norm" in name and name.endswith("weight") else 0) + 0.1 * noise)
            else:
                value.mul_(2)
        for name, value in module.named_buffers():
            if name.endswith("running_mean"):
                value.copy_(0.1 * torch.randn_like(value))
            if name.endswith("running_var"):
                value.copy_(1 + 0.3 * torch.rand_like(value))


def encoder_file(folder, encoder, adapter):
    writer = gguf.GGUFWriter(f"{folder}/mmproj-audio.gguf", "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_audio_encoder", True)
    writer.add_string("clip.projector_type", "lfm2a")
    # The width of the networks is not what released files say under this key either.
    for key, value in dict(projection_dim=OUTPUT, embedding_length=WIDTH, feed_forward_length=WIDTH, block_count=LAYERS,
                           num_mel_bins=128).items():
        writer.add_uint32(f"clip.audio.{key}", value)
    writer.add_uint32("clip.audio.attention.head_count", HEADS)
    writer.add_float32("clip.audio.attention.layer_norm_epsilon", 1e-5)
    weights = {name: value.detach().numpy() for name, value in encoder.state_dict().items()}

    def add(name, array):
        writer.add_tensor(name, np.ascontiguousarray(array.astype(np.float32)))

    for index in (0, 2, 3, 5, 6):
        add(f"a.conv1d.{index}.weight", weights[f"pre_encode.conv.{index}.weight"])
        add(f"a.conv1d.{index}.bias", weights[f"pre_encode.conv.{index}.bias"][:, None, None])
    pairs = [("norm_feed_forward1", "ffn_norm"), ("feed_forward1.linear1", "ffn_up"), ("feed_forward1.linear2", "ffn_down"),
             ("norm_self_att", "ln1"), ("self_attn.linear_q", "attn_q"), ("self_attn.linear_k", "attn_k"),
             ("self_attn.linear_v", "attn_v"), ("self_attn.linear_out", "attn_out"), ("norm_conv", "norm_conv"),
             ("conv.pointwise_conv1", "conv_pw1"), ("conv.depthwise_conv", "conv_dw"), ("conv.pointwise_conv2", "conv_pw2"),
             ("norm_feed_forward2", "ffn_norm_1"), ("feed_forward2.linear1", "ffn_up_1"), ("feed_forward2.linear2", "ffn_down_1"),
             ("norm_out", "ln2")]
    for kind in ("weight", "bias"):
        add(f"a.pre_encode.out.{kind}", weights[f"pre_encode.out.{kind}"])
        for layer in range(LAYERS):
            for theirs, ours in pairs:
                array = weights[f"layers.{layer}.{theirs}.{kind}"]
                if kind == "weight" and "pointwise" in theirs:
                    array = array[:, :, 0]
                if kind == "weight" and "depthwise" in theirs:
                    array = array[:, 0, :]
                add(f"a.blk.{layer}.{ours}.{kind}", array)
        for index in (0, 1, 3):
            add(f"mm.a.mlp.{index}.{kind}", adapter.state_dict()[f"{index}.{kind}"].numpy())
    for layer in range(LAYERS):
        root = f"layers.{layer}."
        # Converters fold the running statistics into one factor and one term.
        norm = root + "conv.batch_norm."
        factor = weights[norm + "weight"] / np.sqrt(weights[norm + "running_var"] + 1e-5)
        add(f"a.blk.{layer}.conv_norm.weight", factor)
        add(f"a.blk.{layer}.conv_norm.bias", weights[norm + "bias"] - weights[norm + "running_mean"] * factor)
        add(f"a.blk.{layer}.linear_pos.weight", weights[root + "self_attn.linear_pos.weight"])
        for bias in ("pos_bias_u", "pos_bias_v"):
            add(f"a.blk.{layer}.{bias}", weights[f"{root}self_attn.{bias}"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make(folder, package):
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(5)
    torch.set_num_threads(1)
    encoders, processors = reference(package)
    front = processors.AudioToMelSpectrogramPreprocessor(
        sample_rate=16000, normalize="per_feature", window_size=0.025, window_stride=0.01, window="hann", features=128, n_fft=512, log=True,
        frame_splicing=1, dither=1e-5, pad_to=0, pad_value=0.0).eval()
    encoder = encoders.ConformerEncoder(
        feat_in=128, feat_out=-1, n_layers=LAYERS, d_model=WIDTH, subsampling="dw_striding", subsampling_factor=8,
        subsampling_conv_channels=CHANNELS, causal_downsampling=False, ff_expansion_factor=4, self_attention_model="rel_pos", n_heads=HEADS,
        att_context_size=[-1, -1], xscaling=False, untie_biases=True, pos_emb_max_len=5000, conv_kernel_size=9, conv_norm_type="batch_norm",
        dropout=0.0, dropout_pre_encoder=0.0, dropout_emb=0.0).eval()
    adapter = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, INNER), nn.GELU(), nn.Linear(INNER, OUTPUT)).eval()
    randomise(encoder)
    randomise(adapter)
    encoder_file(folder, encoder, adapter)
    sounds = []
    for count in (1600, 16123, 48000, 193000):
        with torch.no_grad():
            spectrum, _ = front(torch.from_numpy(sound(count))[None], torch.tensor([count]))
            encoded, _ = encoder(spectrum, torch.tensor([spectrum.shape[-1]]))
            vectors = adapter(encoded[0].T)
        frames, rows = listed(spectrum.shape[-1], 12), listed(len(vectors), 10)
        sounds.append(dict(samples=count, frameCount=spectrum.shape[-1], frames=frames, spectrum=numbers(spectrum[0].T[frames], 6),
                           count=len(vectors), rows=rows, encoded=numbers(encoded[0].T[rows], 6), vectors=numbers(vectors[rows], 6)))
        print(count, tuple(spectrum.shape), tuple(vectors.shape), float(vectors.abs().max()))
    json.dump(dict(sounds=sounds), open(f"{folder}/audio.json", "w"))


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2])
