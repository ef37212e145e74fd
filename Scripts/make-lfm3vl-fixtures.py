#!/usr/bin/env python3
"""Makes Tests/Fixtures/lfm3vl: a tiny LFM3-VL with random weights, and what transformers makes of pictures and chats with it.

Needs torch, torchvision, transformers and gguf. usage: make-lfm3vl-fixtures.py FOLDER (that of all fixtures)

lfm3vl.json is as vision.json (make-vision-fixtures.py). No converter's names of this projector's tensors are known: those here are this project's.
"""
import importlib
import os
import sys

import gguf
import numpy as np
import torch
from transformers import Lfm3VlConfig, Lfm3VlForConditionalGeneration

shared = importlib.import_module("make-vision-fixtures")
whole = importlib.import_module("make-qwen3vl-fixtures")

LAYERS, HEAD, TAPS, WINDOW = 6, 16, 7, 24


def text_file(path, weights, config):
    writer = gguf.GGUFWriter(path, "lfm3")
    kinds = config.layer_types
    whole.header(writer, LAYERS, config.intermediate_size, head=HEAD, eps=1e-5, pre="lfm2",
                 pairs=[0 if kind == "conv" else whole.PAIRS for kind in kinds])
    writer.add_rope_freq_base(1e6)
    writer.add_float32("lfm3.rope.freq_base_swa", 1e4)
    writer.add_rope_dimension_count(HEAD)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in kinds])
    writer.add_shortconv_l_cache(TAPS)
    root = "model.language_model."
    whole.tensors(writer, weights, root, {"embed_tokens.weight": "token_embd.weight", "embedding_norm.weight": "output_norm.weight"})
    writer.add_tensor("rope_freqs.weight", np.array([1.0] * (HEAD // 4) + [1e30] * (HEAD // 4), dtype=np.float32))
    pairs = {"operator_norm": "attn_norm", "post_operator_norm": "post_attention_norm", "ffn_norm": "ffn_norm",
             "post_ffn_norm": "post_ffw_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
             "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.g_proj": "attn_gate",
             "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "conv.conv": "shortconv.conv",
             "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj", "feed_forward.w1": "ffn_gate",
             "feed_forward.w3": "ffn_up", "feed_forward.w2": "ffn_down"}
    for layer in range(LAYERS):
        whole.tensors(writer, weights, f"{root}layers.{layer}.",
                      {f"{a}.weight": f"blk.{layer}.{b}.weight" for a, b in pairs.items()},
                      lambda name, array: array[:, 0] if name == "conv.conv.weight" else array)
    shared.close(writer)


def projector_file(path, weights, vision):
    writer = whole.tower_header(path, "lfm3", vision.num_hidden_layers, vision.num_attention_heads, vision, 1e-5)
    root = "model.vision_tower."
    filters = weights[root + "patch_embed.weight"].reshape(vision.hidden_size, 3, 2, 16, 16)
    writer.add_tensor("v.patch_embd.weight", np.ascontiguousarray(filters[:, :, 0]))
    writer.add_tensor("v.patch_embd.weight.1", np.ascontiguousarray(filters[:, :, 1]))
    whole.tensors(writer, weights, root, {"embedding_norm.weight": "v.pre_ln.weight"})
    pairs = {"operator_norm": "ln1", "ffn_norm": "ln2", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
             "self_attn.v_proj": "attn_v", "self_attn.out_proj": "attn_out", "self_attn.q_norm": "attn_q_norm",
             "self_attn.k_norm": "attn_k_norm", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj",
             "conv.spatial_conv": "shortconv.conv", "feed_forward.w1": "ffn_gate", "feed_forward.w3": "ffn_up",
             "feed_forward.w2": "ffn_down"}
    for layer in range(vision.num_hidden_layers):
        whole.tensors(writer, weights, f"{root}layers.{layer}.",
                      {f"{a}.weight": f"v.blk.{layer}.{b}.weight" for a, b in pairs.items()})
    for kind in ("weight", "bias"):
        whole.tensors(writer, weights, "model.multi_modal_projector.",
                      {f"{a}.{kind}": f"{b}.{kind}" for a, b in
                       {"layer_norm": "mm.input_norm", "linear_1": "mm.1", "linear_2": "mm.2"}.items()})
    shared.close(writer)


def main(folder):
    torch.set_num_threads(1)
    torch.manual_seed(17)
    config = Lfm3VlConfig(
        vision_config=dict(hidden_size=48, intermediate_size=80, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
                           patch_size=16, spatial_merge_size=2, temporal_patch_size=2),
        text_config=dict(model_type="lfm3", vocab_size=whole.VOCABULARY, hidden_size=whole.TEXT, intermediate_size=96,
                         num_hidden_layers=LAYERS, num_attention_heads=whole.HEADS, num_key_value_heads=whole.PAIRS,
                         head_dim=HEAD, max_position_embeddings=4096, sliding_window=WINDOW, conv_L_cache=TAPS,
                         bos_token_id=256, eos_token_id=258, pad_token_id=256),
        image_token_id=whole.IMAGE, video_token_id=whole.IMAGE + 1, projector_hidden_size=96)
    model = Lfm3VlForConditionalGeneration(config).eval().float()
    print(config.vision_config.layer_types, config.text_config.layer_types)
    os.makedirs(f"{folder}/lfm3vl", exist_ok=True)
    weights = shared.randomise(model)
    projector_file(f"{folder}/lfm3vl/mmproj-lfm3vl.gguf", weights, config.vision_config)
    text_file(f"{folder}/lfm3vl/lfm3vl.gguf", weights, config.text_config)

    def encode(pixels, grid):
        out = model.model.get_image_features(pixels, image_grid_thw=grid, return_dict=True)
        return torch.cat(list(out.pooler_output)), []

    whole.references(f"{folder}/lfm3vl/lfm3vl.json", model, encode)


if __name__ == "__main__":
    main(sys.argv[1])
