#!/usr/bin/env python3
"""Makes Tests/Fixtures/vision: a tiny LFM2-VL with random weights, and what transformers makes of pictures with it.

Needs torch, torchvision, transformers and gguf. usage: make-vision-fixtures.py FOLDER
make-smolvlm-fixtures.py beside it does the same for SmolVLM, with the functions of this file.

vision.json: `pictures`, each with its size, the rows of its vectors that are listed (`rows`) and these vectors (`vectors`); `chats`, each with the
token ids of a prompt (the picture's slots as -1) and the logits of its last positions.
"""
import json
import os
import sys

import gguf
import numpy as np
import torch
from transformers import Lfm2VlConfig, Lfm2VlForConditionalGeneration
from transformers.models.lfm2_vl.image_processing_lfm2_vl import Lfm2VlImageProcessor

TEXT, VOCABULARY = 64, 416
KINDS = ["conv", "full_attention"]


def byte_names():
    """The characters that stand for bytes in byte-level vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names, extra = {}, 256
    for byte in range(256):
        if byte in plain:
            names[byte] = chr(byte)
        else:
            names[byte] = chr(extra)
            extra += 1
    return names


def randomise(model):
    """Random weights, and what they are by name."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn_like(parameter)
            parameter.copy_(1 + 0.2 * noise if "norm" in name and name.endswith("weight") else 0.15 * noise)
    return {name: value.detach().float().numpy() for name, value in model.state_dict().items()}


def tower_file(path, projector, weights, vision, dimension, scale, size, **more):
    """A writer with the tower in it, and a function that adds a tensor."""
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_file_type(0)
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", projector)
    width, side = vision.hidden_size, vision.patch_size
    for key, value in dict(image_size=size, patch_size=side, embedding_length=width, feed_forward_length=vision.intermediate_size,
                           block_count=vision.num_hidden_layers, projection_dim=dimension, **more).items():
        writer.add_uint32(f"clip.vision.{key}", value)
    writer.add_uint32("clip.vision.attention.head_count", vision.num_attention_heads)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", vision.layer_norm_eps)
    writer.add_array("clip.vision.image_mean", [0.5] * 3)
    writer.add_array("clip.vision.image_std", [0.5] * 3)
    writer.add_bool("clip.use_gelu", True)
    writer.add_uint32("clip.vision.projector.scale_factor", scale)

    def add(name, array):
        writer.add_tensor(name, np.ascontiguousarray(array))

    patch = next(key for key in weights if key.endswith("embeddings.patch_embedding.weight"))
    root = patch.removesuffix("embeddings.patch_embedding.weight")
    filters = weights[patch]
    add("v.patch_embd.weight",
        filters.reshape(width, side, side, 3).transpose(0, 3, 1, 2) if filters.ndim == 2 else filters)
    add("v.patch_embd.bias", weights[root + "embeddings.patch_embedding.bias"])
    add("v.position_embd.weight", weights[root + "embeddings.position_embedding.weight"])
    pairs = [("layer_norm1", "ln1"), ("layer_norm2", "ln2"), ("self_attn.q_proj", "attn_q"), ("self_attn.k_proj", "attn_k"),
             ("self_attn.v_proj", "attn_v"), ("self_attn.out_proj", "attn_out"), ("mlp.fc1", "ffn_up"), ("mlp.fc2", "ffn_down")]
    for kind in ("weight", "bias"):
        add(f"v.post_ln.{kind}", weights[f"{root}post_layernorm.{kind}"])
        for layer in range(vision.num_hidden_layers):
            for theirs, ours in pairs:
                add(f"v.blk.{layer}.{ours}.{kind}", weights[f"{root}encoder.layers.{layer}.{theirs}.{kind}"])
    return writer, add


def projector_file(folder, model, weights):
    writer, add = tower_file(f"{folder}/mmproj-vision.gguf", "lfm2", weights, model.config.vision_config, TEXT, 2, 256)
    projector = "model.multi_modal_projector."
    for kind in ("weight", "bias"):
        add(f"mm.input_norm.{kind}", weights[f"{projector}layer_norm.{kind}"])
        add(f"mm.1.{kind}", weights[f"{projector}linear_1.{kind}"])
        add(f"mm.2.{kind}", weights[f"{projector}linear_2.{kind}"])
    close(writer)


def close(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def text_file(folder, weights):
    names = byte_names()
    tokens, types = [names[byte] for byte in range(256)], [1] * 256
    special = {256: "<|pad|>", 257: "<|startoftext|>", 258: "<|im_start|>", 259: "<|im_end|>", 300: "<image>",
               301: "<|image_start|>", 302: "<|image_end|>", 303: "<|img_thumbnail|>"}
    special |= {304 + 10 * row + column: f"<|img_row_{row + 1}_col_{column + 1}|>" for row in range(10) for column in range(10)}
    for token in range(256, VOCABULARY):
        tokens.append(special.get(token, f"<|reserved_{token}|>"))
        types.append(3)
    writer = gguf.GGUFWriter(f"{folder}/vision.gguf", "lfm2")
    writer.add_block_count(2)
    writer.add_context_length(4096)
    writer.add_embedding_length(TEXT)
    writer.add_feed_forward_length(96)
    writer.add_head_count(4)
    writer.add_head_count_kv([0, 2])
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(VOCABULARY)
    writer.add_shortconv_l_cache(3)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("lfm2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([names[97] + " " + names[98]])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(259)
    writer.add_pad_token_id(256)
    writer.add_add_bos_token(True)
    writer.add_chat_template(TEMPLATE)

    def add(name, array):
        writer.add_tensor(name, np.ascontiguousarray(array))

    root = "model.language_model."
    add("token_embd.weight", weights[root + "embed_tokens.weight"])
    add("token_embd_norm.weight", weights[root + "embedding_norm.weight"])
    shared = {"operator_norm": "attn_norm", "ffn_norm": "ffn_norm", "feed_forward.w1": "ffn_gate",
              "feed_forward.w3": "ffn_up", "feed_forward.w2": "ffn_down"}
    kinds = {"conv": {"conv.conv": "shortconv.conv", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj"},
             "full_attention": {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
                                "self_attn.out_proj": "attn_output", "self_attn.q_layernorm": "attn_q_norm",
                                "self_attn.k_layernorm": "attn_k_norm"}}
    for layer, kind in enumerate(KINDS):
        for theirs, ours in (shared | kinds[kind]).items():
            array = weights[f"{root}layers.{layer}.{theirs}.weight"]
            add(f"blk.{layer}.{ours}.weight", array.squeeze(1) if theirs == "conv.conv" else array)
    close(writer)


def picture(width, height):
    """The same picture in Swift: no file is needed for it."""
    y, x = np.mgrid[0:height, 0:width].astype("int64")
    return np.stack([x * y // 7 % 256, (x * 3 + y * y) % 256, (x // 9 * 50 + y // 5 * 70) % 256], -1).astype("uint8")


def references(folder, model):
    processor = Lfm2VlImageProcessor()
    names = byte_names()
    pictures, chats = [], []
    for width, height in [(256, 256), (384, 256), (200, 300), (1100, 500)]:
        inputs = processor(images=[torch.from_numpy(picture(width, height)).permute(2, 0, 1)], return_tensors="pt",
                           return_row_col_info=True)
        rows, columns = inputs.pop("image_rows")[0], inputs.pop("image_cols")[0]
        inputs.pop("image_sizes")
        with torch.no_grad():
            vectors = model.model.get_image_features(return_dict=True, **inputs).pooler_output
        vectors = torch.cat([part.reshape(-1, TEXT) for part in vectors]) if isinstance(vectors, (list, tuple)) else vectors
        vectors = vectors.reshape(-1, TEXT)
        listed = list(range(0, len(vectors), max(1, len(vectors) // 12)))
        pictures.append(dict(width=width, height=height, count=len(vectors), rows=listed,
                             vectors=[round(float(v), 7) for v in vectors[listed].reshape(-1)]))
        parts = [(int(h) // 2) * (int(w) // 2) for h, w in inputs["spatial_shapes"]]
        ids = [257, 258] + list(b"user\nwhat is ") + [301]
        grid = [304 + 10 * row + column for row in range(int(rows)) for column in range(int(columns))] if len(parts) > 1 else []
        for index, count in enumerate(parts):
            if len(parts) > 1:
                ids.append(grid[index] if index < len(grid) else 303)
            ids += [300] * count
        ids += [302] + list(b" this?") + [259] + list(b"\n") + [258] + list(b"assistant\n")
        with torch.no_grad():
            out = model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long), **inputs)
        chats.append(dict(width=width, height=height, ids=[-1 if token == 300 else token for token in ids],
                          logits=[round(float(v), 6) for v in out.logits[0, -2:].reshape(-1)]))
    json.dump(dict(pictures=pictures, chats=chats), open(f"{folder}/vision.json", "w"))


def make(folder):
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(11)
    torch.set_num_threads(1)
    config = Lfm2VlConfig(
        vision_config=dict(model_type="siglip2_vision_model", hidden_size=48, intermediate_size=80, num_hidden_layers=2,
                           num_attention_heads=4, num_channels=3, patch_size=16, num_patches=256,
                           hidden_act="gelu_pytorch_tanh", layer_norm_eps=1e-6, vision_use_head=False),
        text_config=dict(model_type="lfm2", vocab_size=VOCABULARY, hidden_size=TEXT, intermediate_size=96, num_hidden_layers=2,
                         num_attention_heads=4, num_key_value_heads=2, block_auto_adjust_ff_dim=False, layer_types=KINDS,
                         max_position_embeddings=4096, rope_parameters={"rope_type": "default", "rope_theta": 1e6}),
        projector_hidden_size=56, projector_use_layernorm=True, image_token_id=300, downsample_factor=2)
    model = Lfm2VlForConditionalGeneration(config).eval().float()
    weights = randomise(model)
    projector_file(folder, model, weights)
    text_file(folder, weights)
    references(folder, model)


if __name__ == "__main__":
    make(sys.argv[1])
