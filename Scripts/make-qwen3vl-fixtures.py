#!/usr/bin/env python3
"""Makes Tests/Fixtures/qwen3vl, qwen3vlmoe and qwen35vl: a tiny Qwen3-VL, one with experts and a tiny Qwen3.5 with random weights, and what
transformers makes of pictures and chats with them.

Needs torch, torchvision, transformers and gguf. usage: make-qwen3vl-fixtures.py FOLDER (that of all fixtures)

The .json files are as vision.json (make-vision-fixtures.py), whose functions are used; of Qwen3-VL each vector is followed by those that the
first layers of the language model add.
"""
import importlib
import json
import os
import sys

import gguf
import numpy as np
import torch
from transformers import (Qwen3_5Config, Qwen3_5ForConditionalGeneration, Qwen3VLConfig,
                          Qwen3VLForConditionalGeneration, Qwen3VLMoeConfig, Qwen3VLMoeForConditionalGeneration)
from transformers.models.qwen2_vl.image_processing_qwen2_vl import Qwen2VLImageProcessor

shared = importlib.import_module("make-vision-fixtures")

TEXT, VOCABULARY, HEADS, PAIRS, HEAD = 64, 320, 4, 2, 32
MIN_PIXELS, MAX_PIXELS = 4 * 1024, 32 * 1024
# Of 16 pairs one belongs to no section.
SECTIONS = [6, 6, 4]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
IMAGE = 256 + SPECIAL.index("<|image_pad|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def encode(text):
    """The ids of a text with special tokens."""
    ids, place = [], 0
    while place < len(text):
        special = next((s for s in SPECIAL if text.startswith(s, place)), None)
        if special:
            ids.append(256 + SPECIAL.index(special))
            place += len(special)
        else:
            ids += text[place].encode()
            place += 1
    return ids


def header(writer, layers, inner, head=HEAD, eps=1e-6, pre="qwen2", pairs=PAIRS):
    names = shared.byte_names()
    tokens = [names[byte] for byte in range(256)] + SPECIAL
    types = [1] * 256 + [3] * len(SPECIAL)
    while len(tokens) < VOCABULARY:
        types.append(3)
        tokens.append(f"<|reserved_{len(tokens)}|>")
    writer.add_block_count(layers)
    writer.add_context_length(4096)
    writer.add_embedding_length(TEXT)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(pairs)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_layer_norm_rms_eps(eps)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    # One that no text here has: readers ask for some.
    writer.add_token_merges([f"{names[0]} {names[0]}"])
    tokens[-1], types[-1] = names[0] * 2, 1
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(258)
    writer.add_pad_token_id(256)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def tensors(writer, weights, root, pairs, change=lambda name, array: array):
    for theirs, ours in pairs.items():
        array = weights.get(root + theirs)
        if array is not None:
            writer.add_tensor(ours, np.ascontiguousarray(change(theirs, array)))


ATTENTION = {"self_attn.q_proj.weight": "attn_q.weight", "self_attn.k_proj.weight": "attn_k.weight",
             "self_attn.v_proj.weight": "attn_v.weight", "self_attn.o_proj.weight": "attn_output.weight",
             "self_attn.q_norm.weight": "attn_q_norm.weight", "self_attn.k_norm.weight": "attn_k_norm.weight",
             "mlp.gate_proj.weight": "ffn_gate.weight", "mlp.up_proj.weight": "ffn_up.weight",
             "mlp.down_proj.weight": "ffn_down.weight", "input_layernorm.weight": "attn_norm.weight"}
ENDS = {"embed_tokens.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}


def text_file(path, weights, config, taps):
    experts = getattr(config, "num_experts", 0)
    name = "qwen3vlmoe" if experts else "qwen3vl"
    writer = gguf.GGUFWriter(path, name)
    header(writer, config.num_hidden_layers, config.intermediate_size)
    writer.add_rope_freq_base(5e6)
    writer.add_rope_dimension_count(HEAD)
    writer.add_rope_dimension_sections(SECTIONS + [0])
    writer.add_uint32(f"{name}.n_deepstack_layers", len(taps))
    if experts:
        writer.add_expert_count(experts)
        writer.add_expert_used_count(config.num_experts_per_tok)
        writer.add_expert_feed_forward_length(config.moe_intermediate_size)
    root = "model.language_model."
    tensors(writer, weights, root, ENDS)
    tensors(writer, weights, "", {"lm_head.weight": "output.weight"})
    for layer in range(config.num_hidden_layers):
        pairs = ATTENTION | {"post_attention_layernorm.weight": "ffn_norm.weight"}
        tensors(writer, weights, f"{root}layers.{layer}.", {a: f"blk.{layer}.{b}" for a, b in pairs.items()})
        if experts:
            gates, lifts = np.split(weights[f"{root}layers.{layer}.mlp.experts.gate_up_proj"], 2, axis=1)
            writer.add_tensor(f"blk.{layer}.ffn_gate_exps.weight", np.ascontiguousarray(gates))
            writer.add_tensor(f"blk.{layer}.ffn_up_exps.weight", np.ascontiguousarray(lifts))
            tensors(writer, weights, f"{root}layers.{layer}.mlp.",
                    {"experts.down_proj": f"blk.{layer}.ffn_down_exps.weight", "gate.weight": f"blk.{layer}.ffn_gate_inp.weight"})
    shared.close(writer)


def delta_text_file(path, weights, config, taps):
    """Qwen3.5: norms have 1 added, but for those of delta nets; as many key heads as value heads, so that nothing is reordered."""
    writer = gguf.GGUFWriter(path, "qwen35")
    header(writer, config.num_hidden_layers, config.intermediate_size)
    writer.add_rope_freq_base(1e7)
    writer.add_rope_dimension_count(HEAD // 2)
    writer.add_rope_dimension_sections([3, 3, 2, 0])
    for key, value in {"ssm.conv_kernel": 4, "ssm.state_size": 16, "ssm.group_count": 2, "ssm.time_step_rank": 2,
                       "ssm.inner_size": 32, "full_attention_interval": 2}.items():
        writer.add_uint32(f"qwen35.{key}", value)
    root = "model.language_model."

    def change(name, array):
        if name.endswith("A_log"):
            return -np.exp(array)
        if name.endswith("conv1d.weight"):
            return array[:, 0]
        return array + 1 if name.endswith("norm.weight") and "linear_attn" not in name else array

    tensors(writer, weights, root, ENDS, change)
    tensors(writer, weights, "", {"lm_head.weight": "output.weight"})
    pairs = ATTENTION | {"post_attention_layernorm.weight": "post_attention_norm.weight",
                         "linear_attn.in_proj_qkv.weight": "attn_qkv.weight", "linear_attn.in_proj_z.weight": "attn_gate.weight",
                         "linear_attn.in_proj_a.weight": "ssm_alpha.weight", "linear_attn.in_proj_b.weight": "ssm_beta.weight",
                         "linear_attn.conv1d.weight": "ssm_conv1d.weight", "linear_attn.dt_bias": "ssm_dt.bias",
                         "linear_attn.A_log": "ssm_a", "linear_attn.norm.weight": "ssm_norm.weight",
                         "linear_attn.out_proj.weight": "ssm_out.weight"}
    for layer in range(config.num_hidden_layers):
        tensors(writer, weights, f"{root}layers.{layer}.", {a: f"blk.{layer}.{b}" for a, b in pairs.items()}, change)
    shared.close(writer)


def tower_header(path, kind, layers, heads, vision, eps):
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", kind)
    for key, value in dict(image_size=128, patch_size=16, embedding_length=vision.hidden_size,
                           feed_forward_length=vision.intermediate_size, block_count=layers, projection_dim=TEXT,
                           spatial_merge_size=2, image_min_pixels=MIN_PIXELS, image_max_pixels=MAX_PIXELS).items():
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_uint32("clip.vision.attention.head_count", heads)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", eps)
    writer.add_array("clip.vision.image_mean", [0.5] * 3)
    writer.add_array("clip.vision.image_std", [0.5] * 3)
    return writer


def projector_file(path, weights, vision, taps):
    writer = tower_header(path, "qwen3vl_merger", vision.depth, vision.num_heads, vision, 1e-6)
    writer.add_bool("clip.use_gelu", True)
    if taps:
        writer.add_array("clip.vision.is_deepstack_layers", [layer in taps for layer in range(vision.depth)])
    root = "model.visual."
    filters = weights[root + "patch_embed.proj.weight"]
    writer.add_tensor("v.patch_embd.weight", np.ascontiguousarray(filters[:, :, 0]))
    writer.add_tensor("v.patch_embd.weight.1", np.ascontiguousarray(filters[:, :, 1]))
    tensors(writer, weights, root, {"patch_embed.proj.bias": "v.patch_embd.bias", "pos_embed.weight": "v.position_embd.weight"})
    pairs = {"norm1": "ln1", "norm2": "ln2", "attn.qkv": "attn_qkv", "attn.proj": "attn_out", "mlp.linear_fc1": "ffn_up",
             "mlp.linear_fc2": "ffn_down"}
    for kind in ("weight", "bias"):
        for layer in range(vision.depth):
            tensors(writer, weights, f"{root}blocks.{layer}.",
                    {f"{a}.{kind}": f"v.blk.{layer}.{b}.{kind}" for a, b in pairs.items()})
        for theirs, ours in {"norm": "v.post_ln", "linear_fc1": "mm.0", "linear_fc2": "mm.2"}.items():
            tensors(writer, weights, f"{root}merger.", {f"{theirs}.{kind}": f"{ours}.{kind}"})
        for index, layer in enumerate(taps):
            for theirs, ours in {"norm": "norm", "linear_fc1": "fc1", "linear_fc2": "fc2"}.items():
                tensors(writer, weights, f"{root}deepstack_merger_list.{index}.",
                        {f"{theirs}.{kind}": f"v.deepstack.{layer}.{ours}.{kind}"})
    shared.close(writer)


def references(path, model, encode_pictures):
    reader = Qwen2VLImageProcessor(patch_size=16, temporal_patch_size=2, merge_size=2, image_mean=[0.5] * 3, image_std=[0.5] * 3,
                                   size={"shortest_edge": MIN_PIXELS, "longest_edge": MAX_PIXELS})
    pictures, chats = [], []
    for width, height in [(128, 96), (20, 30), (400, 70), (90, 300)]:
        image = torch.from_numpy(shared.picture(width, height)).permute(2, 0, 1)
        inputs = reader([image], return_tensors="pt")
        grid = inputs["image_grid_thw"]
        with torch.no_grad():
            merged, deep = encode_pictures(inputs["pixel_values"], grid)
        vectors = torch.cat([merged, *deep], dim=1).reshape(-1, TEXT)
        listed = list(range(0, len(vectors), max(1, len(vectors) // 14)))
        pictures.append(dict(width=width, height=height, count=len(vectors), rows=listed,
                             vectors=[round(float(v), 7) for v in vectors[listed].reshape(-1)]))
        slot = "<|vision_start|>" + "<|image_pad|>" * merged.shape[0] + "<|vision_end|>"
        text = f"<|im_start|>user\n{slot}what is {slot}\nthis?<|im_end|>\n<|im_start|>assistant\nNo idea.<|im_end|>\n"
        text += f"<|im_start|>user\nlook{slot}<|im_end|>\n<|im_start|>assistant\n"
        ids = torch.tensor([encode(text)])
        with torch.no_grad():
            types = dict(mm_token_type_ids=(ids == IMAGE).int()) if hasattr(model.model, "get_rope_index") else {}
            logits = model(input_ids=ids, pixel_values=inputs["pixel_values"].repeat(3, 1), image_grid_thw=grid.repeat(3, 1),
                           **types).logits
        chats.append(dict(width=width, height=height, ids=[-1 if token == IMAGE else token for token in ids[0].tolist()],
                          logits=[round(float(v), 6) for v in logits[0, -2:].reshape(-1)]))
    json.dump(dict(pictures=pictures, chats=chats), open(path, "w"))


def rope(theta, sections, **more):
    return dict(rope_type="default", rope_theta=theta, mrope_section=sections, mrope_interleaved=True, **more)


def make(folder, name, model, config, text, taps):
    os.makedirs(f"{folder}/{name}", exist_ok=True)
    weights = shared.randomise(model)
    projector_file(f"{folder}/{name}/mmproj-{name}.gguf", weights, config.vision_config, taps)
    text(f"{folder}/{name}/{name}.gguf", weights, config.text_config, taps)

    def encode_pictures(pixels, grid):
        out = model.model.visual(pixels, grid_thw=grid, return_dict=True)
        return out.pooler_output, list(getattr(out, "deepstack_features", None) or [])

    references(f"{folder}/{name}/{name}.json", model, encode_pictures)


def main(folder):
    torch.set_num_threads(1)
    tower = dict(depth=4, hidden_size=48, intermediate_size=80, num_heads=4, patch_size=16, spatial_merge_size=2,
                 temporal_patch_size=2, out_hidden_size=TEXT, num_position_embeddings=64)
    text = dict(vocab_size=VOCABULARY, hidden_size=TEXT, intermediate_size=96, num_attention_heads=HEADS,
                num_key_value_heads=PAIRS, head_dim=HEAD, max_position_embeddings=4096, rms_norm_eps=1e-6,
                tie_word_embeddings=False)
    ids = dict(image_token_id=IMAGE, video_token_id=IMAGE + 1, vision_start_token_id=259, vision_end_token_id=260,
               tie_word_embeddings=False)
    torch.manual_seed(14)
    config = Qwen3VLConfig(vision_config=dict(**tower, deepstack_visual_indexes=[1, 2]),
                           text_config=dict(**text, num_hidden_layers=4, rope_parameters=rope(5e6, SECTIONS)), **ids)
    make(folder, "qwen3vl", Qwen3VLForConditionalGeneration(config).eval().float(), config, text_file, [1, 2])
    torch.manual_seed(16)
    config = Qwen3VLMoeConfig(vision_config=dict(**(tower | dict(depth=2)), deepstack_visual_indexes=[0]),
                              text_config=dict(**text, num_hidden_layers=2, rope_parameters=rope(5e6, SECTIONS), num_experts=4,
                                               num_experts_per_tok=2, moe_intermediate_size=48, decoder_sparse_step=1,
                                               mlp_only_layers=[]), **ids)
    make(folder, "qwen3vlmoe", Qwen3VLMoeForConditionalGeneration(config).eval().float(), config, text_file, [0])
    torch.manual_seed(15)
    config = Qwen3_5Config(
        vision_config=tower,
        text_config=dict(**text, num_hidden_layers=4, layer_types=["linear_attention", "full_attention"] * 2,
                         linear_conv_kernel_dim=4, linear_key_head_dim=16, linear_value_head_dim=16, linear_num_key_heads=2,
                         linear_num_value_heads=2,
                         rope_parameters=rope(1e7, [3, 3, 2], partial_rotary_factor=0.5)), **ids)
    make(folder, "qwen35vl", Qwen3_5ForConditionalGeneration(config).eval().float(), config, delta_text_file, [])


if __name__ == "__main__":
    main(sys.argv[1])
