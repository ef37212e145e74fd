#!/usr/bin/env python3
"""Makes Tests/Fixtures/gemma4vl and gemma4vl-large: a tiny Gemma 4 as E2B and E4B are and one as 31B is, with random weights, and what transformers
makes of pictures and chats with them. In the large one the positions of a picture see each other in layers with a window, which is shorter than
pictures here; keys are values in layers that see everything, and products of the tower have no bounds.

Needs torch, torchvision, transformers and gguf. usage: make-gemma4vl-fixtures.py FOLDER (that of all fixtures)

The .json files are as vision.json (make-vision-fixtures.py).
"""
import importlib
import json
import os
import sys

import gguf
import numpy as np
import torch
from transformers import Gemma4Config, Gemma4ForConditionalGeneration
from transformers.models.gemma4.image_processing_gemma4 import Gemma4ImageProcessor

shared = importlib.import_module("make-vision-fixtures")
whole = importlib.import_module("make-qwen3vl-fixtures")

TEXT, VOCABULARY, HEADS, PAIRS, LAYERS, PER_LAYER, WINDOW = 64, 320, 4, 2, 6, 16, 16
TYPES = ["sliding_attention", "full_attention"] * 3
# What differs: layers that read keys and values of others, heads of keys in layers that see everything, the seed.
SMALL = dict(name="gemma4vl", per_layer=PER_LAYER, shared=2, full_pairs=PAIRS, large=False, seed=18)
LARGE = dict(name="gemma4vl-large", per_layer=0, shared=0, full_pairs=1, large=True, seed=19)
TOKENS = 70
SPECIAL = ["<|image>", "<image|>", "<|image|>", "<|turn>", "<turn|>", "▁", "▁▁"]
IMAGE = 260 + SPECIAL.index("<|image|>")
LINEARS = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
           "self_attn.o_proj": "attn_out", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|turn>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}<|image|>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}<turn|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|turn>assistant\n{% endif %}"
)


def encode(text):
    """The ids of a text with special tokens: bytes, as nothing but spaces is in the vocabulary."""
    ids, place = [2], 0
    text = text.replace(" ", "▁")
    while place < len(text):
        special = next((s for s in SPECIAL if text.startswith(s, place)), None)
        if special:
            ids.append(260 + SPECIAL.index(special))
            place += len(special)
        else:
            ids += [4 + byte for byte in text[place].encode()]
            place += 1
    return ids


def text_file(path, weights, variant):
    tokens = ["<pad>", "<eos>", "<bos>", "<unk>"] + [f"<0x{byte:02X}>" for byte in range(256)] + SPECIAL
    types = [3, 3, 3, 2] + [6] * 256 + [4] * 5 + [1] * 2
    while len(tokens) < VOCABULARY:
        types.append(5)
        tokens.append(f"<unused{len(tokens)}>")
    writer = gguf.GGUFWriter(path, "gemma4")
    writer.add_context_length(4096)
    writer.add_embedding_length(TEXT)
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv([PAIRS if kind == "sliding_attention" else variant["full_pairs"] for kind in TYPES] if variant["large"] else PAIRS)
    writer.add_vocab_size(VOCABULARY)
    writer.add_feed_forward_length([96 * (2 if layer >= LAYERS - variant["shared"] else 1) for layer in range(LAYERS)])
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_key_length(32)
    writer.add_value_length(32)
    writer.add_rope_freq_base(1e6)
    writer.add_rope_dimension_count(32)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in TYPES])
    writer.add_final_logit_softcapping(30.0)
    for key, value in {"attention.key_length_swa": 16, "attention.value_length_swa": 16, "rope.dimension_count_swa": 16,
                       "attention.shared_kv_layers": variant["shared"], "embedding_length_per_layer_input": variant["per_layer"]}.items():
        writer.add_uint32(f"gemma4.{key}", value)
    writer.add_float32("gemma4.rope.freq_base_swa", 1e4)
    writer.add_tokenizer_model("gemma4")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types(types)
    writer.add_token_merges(["▁ ▁"])
    writer.add_bos_token_id(2)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(3)
    writer.add_pad_token_id(0)
    writer.add_add_space_prefix(False)
    writer.add_add_bos_token(True)
    writer.add_chat_template(TEMPLATE)
    root = "model.language_model."
    whole.tensors(writer, weights, root, {
        "embed_tokens.weight": "token_embd.weight", "norm.weight": "output_norm.weight",
        "embed_tokens_per_layer.weight": "per_layer_token_embd.weight",
        "per_layer_model_projection.weight": "per_layer_model_proj.weight",
        "per_layer_projection_norm.weight": "per_layer_proj_norm.weight"})
    writer.add_tensor("rope_freqs.weight", np.array([1.0] * 4 + [1e30] * 12, dtype=np.float32))
    pairs = {"input_layernorm.weight": "attn_norm.weight", "post_attention_layernorm.weight": "post_attention_norm.weight",
             "pre_feedforward_layernorm.weight": "ffn_norm.weight", "post_feedforward_layernorm.weight": "post_ffw_norm.weight",
             "layer_scalar": "layer_output_scale.weight", "per_layer_input_gate.weight": "inp_gate.weight",
             "per_layer_projection.weight": "proj.weight", "post_per_layer_input_norm.weight": "post_norm.weight"}
    pairs |= {a: b for a, b in whole.ATTENTION.items() if a != "input_layernorm.weight"}
    for layer in range(LAYERS):
        whole.tensors(writer, weights, f"{root}layers.{layer}.", {a: f"blk.{layer}.{b}" for a, b in pairs.items()})
    shared.close(writer)


def projector_file(path, weights, vision):
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.vision.projector_type", "gemma4v")
    for key, value in dict(image_size=224, patch_size=16, embedding_length=vision.hidden_size,
                           feed_forward_length=vision.intermediate_size, block_count=vision.num_hidden_layers,
                           projection_dim=TEXT).items():
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_uint32("clip.vision.projector.scale_factor", 3)
    writer.add_uint32("clip.vision.attention.head_count", vision.num_attention_heads)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-6)
    writer.add_array("clip.vision.image_mean", [0.0] * 3)
    writer.add_array("clip.vision.image_std", [1.0] * 3)
    root = "model.vision_tower."
    filters = weights[root + "patch_embedder.input_proj.weight"].reshape(vision.hidden_size, 16, 16, 3)
    writer.add_tensor("v.patch_embd.weight", np.ascontiguousarray(filters.transpose(0, 3, 1, 2)))
    whole.tensors(writer, weights, root, {"patch_embedder.position_embedding_table": "v.position_embd.weight",
                                          "std_bias": "v.std_bias", "std_scale": "v.std_scale"})
    whole.tensors(writer, weights, "model.embed_vision.", {"embedding_projection.weight": "mm.input_projection.weight"})
    norms = {"input_layernorm": "ln1", "post_attention_layernorm": "attn_post_norm", "pre_feedforward_layernorm": "ln2",
             "post_feedforward_layernorm": "ffn_post_norm", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm"}
    for layer in range(vision.num_hidden_layers):
        place = f"{root}encoder.layers.{layer}."
        whole.tensors(writer, weights, place, {f"{a}.weight": f"v.blk.{layer}.{b}.weight" for a, b in norms.items()})
        whole.tensors(writer, weights, place, {f"{a}.linear.weight": f"v.blk.{layer}.{b}.weight" for a, b in LINEARS.items()})
        for bound in ("input_min", "input_max", "output_min", "output_max"):
            whole.tensors(writer, weights, place, {f"{a}.{bound}": f"v.blk.{layer}.{b}.{bound}" for a, b in LINEARS.items()},
                          lambda name, array: array.reshape(1))
    shared.close(writer)


def references(path, model):
    reader = Gemma4ImageProcessor(max_soft_tokens=TOKENS)
    pictures, chats = [], []
    for width, height in [(128, 96), (20, 30), (400, 70), (90, 300)]:
        image = torch.from_numpy(shared.picture(width, height)).permute(2, 0, 1)
        inputs = reader([image], return_tensors="pt")
        count = int(inputs["num_soft_tokens_per_image"][0])
        pixels, places = inputs["pixel_values"], inputs["image_position_ids"]
        with torch.no_grad():
            vectors = model.model.get_image_features(pixels, places, return_dict=True).pooler_output
        vectors = (torch.cat(list(vectors)) if isinstance(vectors, (list, tuple)) else vectors).reshape(-1, TEXT)
        assert len(vectors) == count
        listed = list(range(0, len(vectors), max(1, len(vectors) // 14)))
        pictures.append(dict(width=width, height=height, count=len(vectors), rows=listed,
                             vectors=[round(float(v), 7) for v in vectors[listed].reshape(-1)]))
        slot = "<|image>" + "<|image|>" * count + "<image|>"
        text = f"<|turn>user\n{slot}what is {slot}\nthis?<turn|>\n<|turn>assistant\nNo idea.<turn|>\n"
        text += f"<|turn>user\nlook{slot}<turn|>\n<|turn>assistant\n"
        ids = torch.tensor([encode(text)])
        with torch.no_grad():
            logits = model(input_ids=ids, pixel_values=pixels.repeat(3, 1, 1), image_position_ids=places.repeat(3, 1, 1),
                           mm_token_type_ids=(ids == IMAGE).int()).logits
        chats.append(dict(width=width, height=height, ids=[-1 if token == IMAGE else token for token in ids[0].tolist()],
                          logits=[round(float(v), 6) for v in logits[0, -2:].reshape(-1)]))
    json.dump(dict(pictures=pictures, chats=chats), open(path, "w"))


def configuration(variant):
    large = variant["large"]
    return Gemma4Config(
        text_config=dict(vocab_size=VOCABULARY, vocab_size_per_layer_input=VOCABULARY, hidden_size=TEXT, intermediate_size=96,
                         num_hidden_layers=LAYERS, layer_types=TYPES, num_attention_heads=HEADS, num_key_value_heads=PAIRS,
                         num_global_key_value_heads=variant["full_pairs"], attention_k_eq_v=large,
                         use_bidirectional_attention="vision" if large else None,
                         head_dim=16, global_head_dim=32, num_kv_shared_layers=variant["shared"], sliding_window=WINDOW,
                         hidden_size_per_layer_input=variant["per_layer"], use_double_wide_mlp=not large, final_logit_softcapping=30.0,
                         tie_word_embeddings=True, max_position_embeddings=4096, bos_token_id=2, eos_token_id=1, pad_token_id=0),
        vision_config=dict(hidden_size=48, intermediate_size=80, num_hidden_layers=3, num_attention_heads=4,
                           num_key_value_heads=4, head_dim=12, patch_size=16, pooling_kernel_size=3,
                           position_embedding_size=80, use_clipped_linears=not large, standardize=True),
        audio_config=None, image_token_id=IMAGE, boi_token_id=260, eoi_token_id=261, video_token_id=300)


def randomise(model):
    shared.randomise(model)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            # Scores are not divided: with queries as long as random norms make them, rounding would decide who attends to whom.
            if name.endswith("q_norm.weight"):
                parameter.mul_(0.2)
        for name, buffer in model.named_buffers():
            if name.endswith(("input_min", "output_min")):
                buffer.fill_(-1.5 if "mlp" in name else -2.5)
            elif name.endswith(("input_max", "output_max")):
                buffer.fill_(1.25 if "mlp" in name else 2.0)
            elif name.endswith(("std_bias", "layer_scalar")):
                buffer.copy_(0.5 + 0.1 * torch.randn_like(buffer))
            elif name.endswith("std_scale"):
                buffer.copy_(1 + 0.2 * torch.randn_like(buffer))


def write(folder, variant):
    torch.manual_seed(variant["seed"])
    config = configuration(variant)
    model = Gemma4ForConditionalGeneration(config).eval().float()
    model.set_attn_implementation("eager")
    randomise(model)
    weights = {name: value.detach().float().numpy() for name, value in model.state_dict().items()}
    name = variant["name"]
    os.makedirs(f"{folder}/{name}", exist_ok=True)
    projector_file(f"{folder}/{name}/mmproj-{name}.gguf", weights, config.vision_config)
    text_file(f"{folder}/{name}/{name}.gguf", weights, variant)
    references(f"{folder}/{name}/{name}.json", model)


def main(folder):
    torch.set_num_threads(1)
    for variant in (SMALL, LARGE):
        write(folder, variant)


if __name__ == "__main__":
    main(sys.argv[1])
