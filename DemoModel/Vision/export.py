"""Checkpoint of train.py -> the two GGUF files, text and projector.

    python export.py CHECKPOINT OUT_FOLDER [--type q8_0|f16]

Writes leap-vision-demo-F16.gguf, to be quantised with ../quantize.py, and mmproj-leap-vision-demo-TYPE.gguf. The projector's patches and positions
stay F16 and F32, as in the family's own files.
"""
import argparse, os, tempfile

import gguf, numpy as np, torch
from tokenizers import Tokenizer
from transformers import Lfm2ForCausalLM, Lfm2VlForConditionalGeneration

import model as parts
import export_gguf

TYPES = {"f32": gguf.GGMLQuantizationType.F32, "f16": gguf.GGMLQuantizationType.F16, "q8_0": gguf.GGMLQuantizationType.Q8_0}


def text(model, tok, path):
    lm = Lfm2ForCausalLM(model.config.text_config)
    lm.model.load_state_dict(model.model.language_model.state_dict())
    with tempfile.TemporaryDirectory() as folder:
        lm.save_pretrained(folder); parts.save_tokenizer(tok, folder)
        export_gguf.export(folder, path, "f16", "leap-vision-demo")


def projector(model, path, kind):
    vision = model.config.vision_config
    weights = {k: v.detach().float().numpy() for k, v in model.state_dict().items()}
    w = gguf.GGUFWriter(path, "clip")
    w.add_name("leap-vision-demo"); w.add_type("mmproj"); w.add_file_type({"f32": 0, "f16": 1, "q8_0": 7}[kind])
    w.add_bool("clip.has_vision_encoder", True); w.add_string("clip.projector_type", "lfm2"); w.add_bool("clip.use_gelu", True)
    for key, value in dict(image_size=256, patch_size=vision.patch_size, embedding_length=vision.hidden_size, feed_forward_length=vision.intermediate_size,
                           block_count=vision.num_hidden_layers, projection_dim=model.config.text_config.hidden_size).items():
        w.add_uint32("clip.vision." + key, value)
    w.add_uint32("clip.vision.attention.head_count", vision.num_attention_heads)
    w.add_float32("clip.vision.attention.layer_norm_epsilon", vision.layer_norm_eps)
    w.add_array("clip.vision.image_mean", [0.5] * 3); w.add_array("clip.vision.image_std", [0.5] * 3)
    w.add_uint32("clip.vision.projector.scale_factor", model.config.downsample_factor)

    def put(name, value, type="f32"):
        value = np.ascontiguousarray(value, dtype=np.float32)
        if type == "f32" or value.ndim == 1: w.add_tensor(name, value)
        elif type == "f16": w.add_tensor(name, value.astype(np.float16))
        else: w.add_tensor(name, gguf.quants.quantize(value, TYPES[type]), raw_dtype=TYPES[type])

    patch = next(k for k in weights if k.endswith("embeddings.patch_embedding.weight"))
    root, side = patch.removesuffix("embeddings.patch_embedding.weight"), vision.patch_size
    put("v.patch_embd.weight", weights[patch].reshape(-1, side, side, 3).transpose(0, 3, 1, 2), "f16")
    put("v.patch_embd.bias", weights[root + "embeddings.patch_embedding.bias"])
    put("v.position_embd.weight", weights[root + "embeddings.position_embedding.weight"])
    names = {"layer_norm1": "ln1", "layer_norm2": "ln2", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
             "self_attn.out_proj": "attn_out", "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down"}
    for part in ("weight", "bias"):
        put(f"v.post_ln.{part}", weights[f"{root}post_layernorm.{part}"])
        for layer in range(vision.num_hidden_layers):
            for theirs, ours in names.items():
                put(f"v.blk.{layer}.{ours}.{part}", weights[f"{root}encoder.layers.{layer}.{theirs}.{part}"], kind)
        for number in (1, 2):
            put(f"mm.{number}.{part}", weights[f"model.multi_modal_projector.linear_{number}.{part}"], kind)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("checkpoint"); ap.add_argument("out"); ap.add_argument("--type", default="q8_0", choices=TYPES)
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    tok = Tokenizer.from_file(os.path.join(a.checkpoint, "tokenizer.json"))
    model = Lfm2VlForConditionalGeneration.from_pretrained(a.checkpoint, dtype=torch.float32)
    text(model, tok, os.path.join(a.out, "leap-vision-demo-F16.gguf"))
    projector(model, os.path.join(a.out, f"mmproj-leap-vision-demo-{a.type.upper()}.gguf"), a.type)
