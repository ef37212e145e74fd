"""Checkpoint of train.py -> GGUF, of the type lfm2-d1 or lfm2-d1-omni, with the temperatures that measure.py has fitted.

    python export.py MODEL.pt OUT.gguf [--type q8_0|q5_0|f16|f32]

Norms, filters and biases stay F32. Needs torch, tokenizers, gguf, jinja2.
"""
import argparse, json, os

import gguf, numpy as np, torch

import model as parts, prompts

TYPES = {"f32": (gguf.GGMLQuantizationType.F32, 0), "f16": (gguf.GGMLQuantizationType.F16, 1), "q5_0": (gguf.GGMLQuantizationType.Q5_0, 8),
         "q8_0": (gguf.GGMLQuantizationType.Q8_0, 7)}
NORMAL, CONTROL = 1, 3


def tokenizer_fields(w, saved):
    t = json.loads(saved["tokenizer"])
    special = {x["content"] for x in t["added_tokens"]}
    tokens = sorted({**t["model"]["vocab"], **{x["content"]: x["id"] for x in t["added_tokens"]}}.items(), key=lambda x: x[1])
    w.add_tokenizer_model("gpt2"); w.add_tokenizer_pre("lfm2"); w.add_token_list([k for k, _ in tokens])
    w.add_token_types([CONTROL if k in special else NORMAL for k, _ in tokens])
    w.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in t["model"]["merges"]])
    of = dict(tokens)
    w.add_bos_token_id(of["<|startoftext|>"]); w.add_eos_token_id(of["<|im_end|>"]); w.add_pad_token_id(of["<|pad|>"]); w.add_mask_token_id(of["<|mask|>"])
    # Templates and layouts write it themselves.
    w.add_add_bos_token(False)


def export(path, out, kind):
    saved = torch.load(path, weights_only=False)
    weights = {k: v.float().numpy() for k, v in saved["weights"].items()}
    labels = saved["kind"] == "labels"
    layers = parts.LABEL_LAYERS if labels else parts.MASK_LAYERS
    blocks = 0 if labels else parts.HEAD_BLOCKS
    quantized, file_type = TYPES[kind]
    w = gguf.GGUFWriter(out, "lfm2")
    w.add_name(f"leap-decision-demo-{saved['kind']}"); w.add_file_type(file_type); w.add_license("apache-2.0")
    w.add_context_length(4096); w.add_embedding_length(parts.WIDTH); w.add_block_count(len(layers) + blocks); w.add_vocab_size(prompts.VOCABULARY)
    w.add_feed_forward_length([parts.INNER] * len(layers) + [4 * parts.WIDTH] * blocks if blocks else parts.INNER)
    w.add_head_count(parts.HEADS); w.add_head_count_kv([parts.KV if x == "a" else 0 for x in layers] + [parts.HEADS] * blocks)
    w.add_layer_norm_rms_eps(parts.EPS); w.add_rope_freq_base(parts.BASE); w.add_shortconv_l_cache(parts.TAPS)
    w.add_string("lfm2.decision.type", "lfm2-d1" if labels else "lfm2-d1-omni")
    for name, value in json.load(open(path + ".json")).items(): w.add_float32(f"lfm2.decision.temperature.{name}", value)
    if not labels:
        w.add_bool("lfm2.attention.causal", False); w.add_uint32("lfm2.decision.block_count", blocks)
        w.add_layer_norm_eps(1e-5); w.add_token_type_count(3)
    tokenizer_fields(w, saved)
    w.add_array("tokenizer.chat_templates", ["systemone"])
    w.add_string("tokenizer.chat_template.systemone", prompts.TEMPLATE)

    def put(name, value, keep=False):
        value = np.ascontiguousarray(value, dtype=np.float32)
        if value.ndim == 1 or keep or kind == "f32": w.add_tensor(name, value)
        elif kind == "f16": w.add_tensor(name, value.astype(np.float16))
        else: w.add_tensor(name, gguf.quants.quantize(value, quantized), raw_dtype=quantized)

    put("token_embd.weight", weights["trunk.embed.weight"]); put("token_embd_norm.weight", weights["trunk.norm.weight"])
    for i, x in enumerate(layers):
        of, g = lambda name: weights[f"trunk.layers.{i}.{name}"], f"blk.{i}."
        put(g + "attn_norm.weight", of("norm.weight")); put(g + "ffn_norm.weight", of("ffn_norm.weight"))
        for name in ("gate", "up", "down"): put(f"{g}ffn_{name}.weight", of(name + ".weight"))
        if x == "c":
            put(g + "shortconv.conv.weight", of("mixer.taps"), keep=True)
            for name in ("in_proj", "out_proj"): put(f"{g}shortconv.{name}.weight", of(f"mixer.{name}.weight"))
        else:
            for theirs, ours in (("q", "attn_q"), ("k", "attn_k"), ("v", "attn_v"), ("out", "attn_output"), ("q_norm", "attn_q_norm"), ("k_norm", "attn_k_norm")):
                put(f"{g}{ours}.weight", of(f"mixer.{theirs}.weight"))
    for i in range(blocks):
        g = f"blk.{len(layers) + i}."
        for theirs, ours in (("norm", "attn_norm"), ("qkv", "attn_qkv"), ("out", "attn_output"), ("ffn_norm", "ffn_norm"), ("up", "ffn_up"), ("down", "ffn_down")):
            for part in ("weight", "bias"): put(f"{g}{ours}.{part}", weights[f"blocks.{i}.{theirs}.{part}"])
    if blocks:
        put("token_types.weight", weights["types.weight"], keep=True)
        for theirs, ours in (("norm", "cls.norm"), ("dense", "cls"), ("output", "cls.output")):
            for part in ("weight", "bias"): put(f"{ours}.{part}", weights[f"{theirs}.{part}"])
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    print(out, os.path.getsize(out), "bytes")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("model"); ap.add_argument("out"); ap.add_argument("--type", default="q8_0", choices=TYPES)
    a = ap.parse_args(); export(a.model, a.out, a.type)
