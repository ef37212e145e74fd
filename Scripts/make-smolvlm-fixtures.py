#!/usr/bin/env python3
"""Makes Tests/Fixtures/smolvlm: a tiny SmolVLM with random weights, and what transformers makes of pictures and chats with it.

Needs torch, torchvision, transformers, tokenizers and gguf. usage: make-smolvlm-fixtures.py FOLDER

smolvlm.json is as vision.json (make-vision-fixtures.py); the ids are those of transformers' processor and tokenizer.
"""
import importlib
import json
import os
import sys

import gguf
import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, SmolVLMConfig, SmolVLMForConditionalGeneration
from transformers.models.idefics3.image_processing_idefics3 import Idefics3ImageProcessor
from transformers.models.idefics3.processing_idefics3 import Idefics3Processor

from gguf_export import interleave

shared = importlib.import_module("make-vision-fixtures")

TEXT, VOCABULARY, LAYERS, HEADS, PAIRS = 64, 320, 2, 4, 2
# A side that is no multiple of the patch's: what is left over is not read.
SIDE, PATCH, SCALE, LONGEST = 100, 16, 3, 400
IMAGE = 262
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<end_of_utterance>", "<fake_token_around_image>", "<global-img>", "<image>"]
SPECIAL += [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role | capitalize }}:"
    "{{ '' if message.content[0].type == 'image' else ' ' }}"
    "{% for part in message.content %}{{ part.text if part.type == 'text' else '<image>' }}{% endfor %}<end_of_utterance>\n"
    "{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
)


def vocabulary():
    names = shared.byte_names()
    return [names[byte] for byte in range(256)] + [names[10] * 2] + SPECIAL


def processor():
    plain = vocabulary()[:257]
    tokenizer = Tokenizer(models.BPE(vocab={text: index for index, text in enumerate(plain)},
                                     merges=[(plain[10], plain[10])]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True),
                                                       pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer)
    fast.add_special_tokens({"additional_special_tokens": SPECIAL})
    fast.pad_token = SPECIAL[0]
    images = Idefics3ImageProcessor(size={"longest_edge": LONGEST}, max_image_size={"longest_edge": SIDE})
    return Idefics3Processor(images, fast, image_seq_len=(SIDE // PATCH // SCALE) ** 2, chat_template=TEMPLATE)


def text_file(folder, weights):
    tokens = vocabulary()
    types = [1] * 257 + [3] * len(SPECIAL)
    while len(tokens) < VOCABULARY:
        types.append(3)
        tokens.append(f"<|reserved_{len(tokens)}|>")
    writer = gguf.GGUFWriter(f"{folder}/smolvlm.gguf", "llama")
    writer.add_block_count(LAYERS)
    writer.add_context_length(4096)
    writer.add_embedding_length(TEXT)
    writer.add_feed_forward_length(96)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(PAIRS)
    writer.add_rope_dimension_count(TEXT // HEADS)
    writer.add_rope_freq_base(1e5)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([f"{tokens[10]} {tokens[10]}"])
    writer.add_bos_token_id(258)
    writer.add_eos_token_id(259)
    writer.add_pad_token_id(257)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    root = "model.text_model."
    pairs = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
             "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
             "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
    writer.add_tensor("token_embd.weight", weights[root + "embed_tokens.weight"])
    writer.add_tensor("output_norm.weight", weights[root + "norm.weight"])
    writer.add_tensor("output.weight", weights["lm_head.weight"])
    for layer in range(LAYERS):
        for theirs, ours in pairs.items():
            array = weights[f"{root}layers.{layer}.{theirs}.weight"]
            if ours in ("attn_q", "attn_k"):
                array = interleave(array, HEADS if ours == "attn_q" else PAIRS)
            writer.add_tensor(f"blk.{layer}.{ours}.weight", np.ascontiguousarray(array))
    shared.close(writer)


def references(folder, model):
    reader = processor()
    pictures, chats = [], []
    for width, height in [(100, 100), (90, 60), (250, 61), (37, 260)]:
        image = torch.from_numpy(shared.picture(width, height)).permute(2, 0, 1)
        messages = [
            {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "1\n\nwhat is "}, {"type": "image"},
                                         {"type": "text", "text": "\nthis?"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "No idea."}]},
            {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image"}]},
        ]
        prompt = reader.apply_chat_template(messages, add_generation_prompt=True)
        inputs = reader(text=prompt, images=[image] * 3, return_tensors="pt")
        with torch.no_grad():
            vectors = model.model.get_image_features(inputs["pixel_values"], inputs["pixel_attention_mask"]).pooler_output
            logits = model(**inputs).logits
        vectors = torch.cat(list(vectors)).reshape(-1, TEXT)
        vectors = vectors[: len(vectors) // 3]
        listed = list(range(0, len(vectors), max(1, len(vectors) // 12)))
        pictures.append(dict(width=width, height=height, count=len(vectors), rows=listed,
                             vectors=[round(float(v), 7) for v in vectors[listed].reshape(-1)]))
        chats.append(dict(width=width, height=height,
                          ids=[-1 if token == IMAGE else token for token in inputs["input_ids"][0].tolist()],
                          logits=[round(float(v), 6) for v in logits[0, -2:].reshape(-1)]))
    json.dump(dict(pictures=pictures, chats=chats), open(f"{folder}/smolvlm.json", "w"))


def make(folder):
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(12)
    torch.set_num_threads(1)
    config = SmolVLMConfig(
        vision_config=dict(hidden_size=48, intermediate_size=80, num_hidden_layers=2, num_attention_heads=4, image_size=SIDE,
                           patch_size=PATCH),
        text_config=dict(model_type="llama", vocab_size=VOCABULARY, hidden_size=TEXT, intermediate_size=96,
                         num_hidden_layers=LAYERS, num_attention_heads=HEADS, num_key_value_heads=PAIRS,
                         max_position_embeddings=4096, rms_norm_eps=1e-5, pad_token_id=257,
                         rope_parameters={"rope_type": "default", "rope_theta": 1e5}),
        image_token_id=IMAGE, scale_factor=SCALE, pad_token_id=257)
    model = SmolVLMForConditionalGeneration(config).eval().float()
    weights = shared.randomise(model)
    writer, add = shared.tower_file(f"{folder}/mmproj-smolvlm.gguf", "idefics3", weights, config.vision_config, TEXT, SCALE, SIDE,
                                    preproc_image_size=LONGEST)
    add("mm.model.fc.weight", weights["model.connector.modality_projection.proj.weight"])
    shared.close(writer)
    text_file(folder, weights)
    references(folder, model)


if __name__ == "__main__":
    make(sys.argv[1])
