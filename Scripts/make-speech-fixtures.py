#!/usr/bin/env python3
"""Makes Tests/Fixtures/speech.json: what the liquid-audio package and transformers make of the decoder of speech that the tests write
(Tests/LeapTestSupport/MadeVocoder.swift) behind the language model of Tests/Fixtures/vision.

Needs torch, transformers and gguf, and the files of liquid-audio, unpacked (`pip download --no-deps --ignore-requires-python liquid-audio`).
usage: make-speech-fixtures.py FILE LIQUID_AUDIO VISION_GGUF

speech.json: `hidden`, a vector; `codes`, its frame; `logits`, the first eight logits of each codebook; `feedback`, the frame's vector.
`frames`, codes; `spectra`, numbers of the spectra that `rows` lists; `wave`, every `step`-th sample of their sound.
`replies`, greedy ones, each with `order` ("sequential" or "interleaved"), `prompt`, `start`, `textEnd`, the end token `stop` (-1: none) and
`items`: a number for a token, eight for a frame.
"""
import importlib.util
import json
import os
import sys
import types

import gguf
import numpy as np
import torch
from torch import nn
from torch.nn import functional
from transformers import Lfm2Config, Lfm2Model

from fixture_values import numbers, pattern

INPUT, DEPTH, LAYERS, LENGTH, INNER = 64, 64, 2, 64, 96
KINDS = ["conv", "conv", "full_attention", "conv", "full_attention", "conv"]
CODEBOOKS, CODES, WINDOW = 8, 2049, 30


def transformer(folder):
    """liquid-audio's layers; einops is used for one rearrangement only, and some syntax is newer than the Python that runs this."""
    stub = types.ModuleType("einops")
    stub.rearrange = lambda x, pattern, **sizes: x.unflatten(-1, (-1, 2))
    sys.modules["einops"] = stub
    path = os.path.join(folder, "model", "transformer.py")
    text = open(path).read()
    text = text.replace('type CacheType = torch.Tensor | None | Sequence["CacheType"]', "CacheType = Any")
    text = text.replace("def wrap_activation_checkpoint[T: nn.Module](mod: T) -> T:", "def wrap_activation_checkpoint(mod):")
    module = types.ModuleType("la_transformer")
    sys.modules["la_transformer"] = module
    exec(compile(text, path, "exec"), module.__dict__)
    return module


class Speech:
    def __init__(self, folder):
        package = transformer(folder)
        self.depth = package.RawLMBackbone(
            [package.StandardBlock(package.MHA(DEPTH, num_heads=8, gqa_dim=2), ff_dim=INNER * 3 // 2, multiple_of=32) for _ in range(LAYERS)],
            has_embedding=False).eval()
        self.linear = nn.Linear(INPUT, DEPTH * CODEBOOKS)
        self.tables = nn.ModuleList([package.SharedEmbedding(dim=DEPTH, vocab_size=CODES, tie_embedding=False) for _ in range(CODEBOOKS)])
        self.feedback = nn.Embedding(CODEBOOKS * CODES, INPUT)
        self.layers = Lfm2Model(Lfm2Config(
            vocab_size=8, hidden_size=LENGTH, intermediate_size=INNER, num_hidden_layers=len(KINDS), num_attention_heads=4,
            num_key_value_heads=2, block_auto_adjust_ff_dim=False, layer_types=KINDS, max_position_embeddings=4096,
            rope_parameters={"rope_type": "default", "rope_theta": 1e6})).eval()
        self.codes = nn.Embedding(CODEBOOKS * 2048, LENGTH)
        self.out = nn.Linear(LENGTH, 1282)
        self.fill()

    def fill(self):
        """The tensors in the order of MadeVocoder, each filled with its numbers."""
        index = 0

        def put(value, scale):
            nonlocal index
            with torch.no_grad():
                value.copy_(torch.from_numpy(pattern(index, value.numel(), scale)).reshape(value.shape))
            index += 1

        put(self.linear.weight, 0.25)
        put(self.linear.bias, 0.25)
        for layer in self.depth.layers:
            attention = layer.operator.bounded_attention
            put(layer.operator_norm.weight, None)
            put(layer.ffn_norm.weight, None)
            put(layer.operator.qkv_proj.weight, 0.25)
            put(layer.operator.out_proj.weight, 0.25)
            put(attention.q_layernorm.weight, None)
            put(attention.k_layernorm.weight, None)
            for name in ("w1", "w3", "w2"):
                put(getattr(layer.feed_forward, name).weight, 0.25)
        for table in self.tables:
            put(table.embedding.weight, 1)
            put(table.embedding_norm.weight, None)
            put(table.to_logits.weight, 1)
        with torch.no_grad():
            # The end of speech comes now and then.
            self.tables[0].to_logits.weight[2048] *= 3
        put(self.feedback.weight, 0.25)
        put(self.codes.weight, 1)
        put(self.layers.embedding_norm.weight, None)
        for kind, layer in zip(KINDS, self.layers.layers):
            put(layer.operator_norm.weight, None)
            put(layer.ffn_norm.weight, None)
            for name in ("w1", "w3", "w2"):
                put(getattr(layer.feed_forward, name).weight, 0.25)
            if kind == "conv":
                put(layer.conv.in_proj.weight, 0.25)
                put(layer.conv.conv.weight, 0.5)
                put(layer.conv.out_proj.weight, 0.25)
            else:
                for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    put(getattr(layer.self_attn, name).weight, 0.25)
                put(layer.self_attn.q_layernorm.weight, None)
                put(layer.self_attn.k_layernorm.weight, None)
        put(self.out.weight, 0.125)
        put(self.out.bias, 0.5)

    def frame(self, hidden):
        """A greedy frame, and the logits of each codebook."""
        parts = self.linear(hidden).view(CODEBOOKS, DEPTH)
        before, cache, codes, logits = torch.zeros(DEPTH), None, [], []
        for index in range(CODEBOOKS):
            out, cache = self.depth.forward_cached((parts[index] + before)[None, None], cache)
            scores = self.tables[index].get_logits(out.squeeze())
            codes.append(int(scores.argmax()))
            logits.append(scores)
            before = self.tables[index](torch.tensor([codes[-1]])).squeeze()
        return codes, logits

    def vector(self, codes):
        return self.feedback(torch.tensor(codes) + torch.arange(CODEBOOKS) * CODES).sum(0)

    def sound(self, frames):
        codes = torch.tensor(frames).T[None]
        means = self.codes(codes + (torch.arange(CODEBOOKS) * 2048)[None, :, None]).mean(1).repeat_interleave(6, 1)
        place = torch.arange(means.shape[1])
        distance = place[None] - place[:, None]
        mask = ((distance <= 0) & (distance > -WINDOW))[None, None]
        spectra = self.out(self.layers(inputs_embeds=means, attention_mask=mask, use_cache=False).last_hidden_state)[0]
        complex_ = torch.polar(spectra[:, :641].exp(), spectra[:, 641:]).T[None]
        count, window = complex_.shape[-1], torch.hann_window(1280)
        parts = torch.fft.irfft(complex_, 1280, dim=1) * window[None, :, None]
        sizes = dict(output_size=(1, (count - 1) * 320 + 1280), kernel_size=(1, 1280), stride=(1, 320))
        sums = functional.fold(parts, **sizes)[:, 0, 0, 480:-480]
        weights = functional.fold(window.square().expand(1, count, -1).transpose(1, 2), **sizes)[:, 0, 0, 480:-480]
        return spectra, (sums / weights)[0]


def language_model(path):
    """The language model of the fixtures, with the weights of its file."""
    reader = gguf.GGUFReader(path)
    tensors = {t.name: torch.from_numpy(np.array(t.data, dtype=np.float32)) for t in reader.tensors}

    def field(name):
        return reader.fields["lfm2." + name].contents()

    heads = field("attention.head_count_kv")
    kinds = ["full_attention" if count else "conv" for count in heads]
    model = Lfm2Model(Lfm2Config(
        vocab_size=len(tensors["token_embd.weight"]), hidden_size=field("embedding_length"), intermediate_size=field("feed_forward_length"),
        num_hidden_layers=len(kinds), num_attention_heads=field("attention.head_count"), num_key_value_heads=max(heads),
        block_auto_adjust_ff_dim=False, layer_types=kinds, max_position_embeddings=field("context_length"),
        norm_eps=field("attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": field("rope.freq_base")})).eval()
    weights = {"embed_tokens.weight": tensors["token_embd.weight"], "embedding_norm.weight": tensors["token_embd_norm.weight"]}
    shared = {"operator_norm": "attn_norm", "ffn_norm": "ffn_norm", "feed_forward.w1": "ffn_gate", "feed_forward.w3": "ffn_up",
              "feed_forward.w2": "ffn_down"}
    own = {"conv": {"conv.conv": "shortconv.conv", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj"},
           "full_attention": {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
                              "self_attn.out_proj": "attn_output", "self_attn.q_layernorm": "attn_q_norm",
                              "self_attn.k_layernorm": "attn_k_norm"}}
    for index, kind in enumerate(kinds):
        for theirs, ours in (shared | own[kind]).items():
            value = tensors[f"blk.{index}.{ours}.weight"]
            weights[f"layers.{index}.{theirs}.weight"] = value[:, None] if theirs == "conv.conv" else value
    model.load_state_dict(weights)
    return model


def reply(model, speech, order, prompt, start, text_end, stop, count):
    """The loops of liquid-audio, without a key/value cache."""
    table = model.embed_tokens.weight
    vectors = list(table[torch.tensor(prompt)])
    speaking, text_done, left, items = False, False, 6, []
    for _ in range(count):
        left -= 1
        hidden = model(inputs_embeds=torch.stack(vectors)[None], use_cache=False).last_hidden_state[0, -1]
        if not speaking:
            token = int((table @ hidden).argmax())
            if token == stop:
                break
            items.append(token)
            vectors.append(table[token])
            if order == "sequential":
                speaking = token == start
            else:
                text_done = text_done or token == text_end
                if left == 0 or text_done:
                    speaking, left = True, 12
        else:
            codes, _ = speech.frame(hidden)
            if order == "interleaved" and left == 0 and not text_done:
                speaking, left = False, 6
            if codes[0] == 2048:
                codes, speaking = [2048] * CODEBOOKS, False
            items.append(codes)
            vectors.append(speech.vector(codes))
    return items


@torch.no_grad()
def make(path, package, text_model):
    torch.set_num_threads(1)
    speech, model = Speech(package), language_model(text_model)
    hidden = torch.from_numpy(pattern(1000, INPUT, 2))
    codes, logits = speech.frame(hidden)
    frames = [[int(value) for value in (pattern(2000 + index, CODEBOOKS, 1) + 1) * 1023.9] for index in range(14)]
    spectra, wave = speech.sound(frames)
    rows, step = [0, 1, 5, 6, 29, 30, 31, 47, len(spectra) - 1], 37
    print("codes", codes, "spectra", tuple(spectra.shape), float(spectra.abs().max()), "wave", len(wave), float(wave.abs().max()))
    prompt = [257, 258] + list(b"user\nsay it") + [259, 10, 258] + list(b"assistant\n")
    text = reply(model, speech, "sequential", prompt, -1, -1, -1, 12)
    print("text", text)
    start = next(token for token in text[3:] if token not in text[:3])
    replies = []
    for order, stop, count in (("sequential", -1, 24), ("interleaved", -1, 40)):
        for text_end in ((-1,) if order == "sequential" else (-1, start)):
            items = reply(model, speech, order, prompt, start, text_end, stop, count)
            print(order, items)
            replies.append(dict(order=order, prompt=prompt, start=start, textEnd=text_end, stop=stop, items=items))
    json.dump(dict(
        hidden=numbers(hidden, 6), codes=codes, logits=[numbers(row[:8], 6) for row in logits], feedback=numbers(speech.vector(codes), 6),
        frames=frames, rows=rows, spectra=numbers(spectra[rows], 6), step=step, wave=numbers(wave[::step], 6), replies=replies), open(path, "w"))


if __name__ == "__main__":
    make(*sys.argv[1:4])
