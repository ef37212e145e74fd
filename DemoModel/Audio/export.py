"""Checkpoints of train.py and codec.py -> the three GGUF files: text model, projector (ears) and vocoder (voice).

    python export.py CHECKPOINT DETOKENISER.pt OUT_FOLDER

The detokeniser's backbone in a file of its own, as the family also has it, is not needed: the vocoder holds everything.
"""
import argparse, json, os

import gguf, numpy as np, torch

import model as parts

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "leap-audio-demo"
TYPES = {"f32": gguf.GGMLQuantizationType.F32, "f16": gguf.GGMLQuantizationType.F16, "q8_0": gguf.GGMLQuantizationType.Q8_0,
         "q4_0": gguf.GGMLQuantizationType.Q4_0}
CONTROL, NORMAL = 3, 1


def put(w, name, value, kind="f32"):
    value = np.ascontiguousarray(value.detach().float().numpy())
    if kind == "f32" or value.ndim < 2: w.add_tensor(name, value)
    elif kind == "f16": w.add_tensor(name, value.astype(np.float16))
    else: w.add_tensor(name, gguf.quants.quantize(value, TYPES[kind]), raw_dtype=TYPES[kind])


def finish(w): w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()


def text(language, tokenizer, path, kind):
    s, sd = language.lfm.shape, language.state_dict()
    w = gguf.GGUFWriter(path, "lfm2"); w.add_name(NAME); w.add_file_type(7 if kind == "q8_0" else 1)
    w.add_license("Apache-2.0")
    w.add_context_length(1024); w.add_embedding_length(s["d"]); w.add_block_count(len(s["kinds"])); w.add_head_count(s["heads"])
    w.add_head_count_kv([s["kv"] if k == "attn" else 0 for k in s["kinds"]]); w.add_layer_norm_rms_eps(1e-5); w.add_rope_freq_base(s["theta"])
    w.add_vocab_size(len(sd["tokens.weight"])); w.add_feed_forward_length(s["inner"]); w.add_shortconv_l_cache(3)
    vocabulary = dict(tokenizer["model"]["vocab"])
    vocabulary.update({t["content"]: t["id"] for t in tokenizer["added_tokens"]})
    tokens = sorted(vocabulary, key=vocabulary.get)
    w.add_tokenizer_model("gpt2"); w.add_tokenizer_pre("lfm2"); w.add_token_list(tokens)
    special = {t["content"] for t in tokenizer["added_tokens"]}
    w.add_token_types([CONTROL if t in special else NORMAL for t in tokens])
    w.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in tokenizer["model"]["merges"]])
    w.add_bos_token_id(vocabulary["<|startoftext|>"]); w.add_eos_token_id(vocabulary["<|im_end|>"]); w.add_pad_token_id(vocabulary["<|pad|>"])
    w.add_add_bos_token(True); w.add_chat_template(open(os.path.join(HERE, "chat_template.jinja")).read())
    put(w, "token_embd.weight", sd["tokens.weight"], kind); put(w, "token_embd_norm.weight", sd["lfm.norm.weight"])
    for i, k in enumerate(s["kinds"]):
        p, g = f"lfm.layers.{i}.", f"blk.{i}."
        put(w, g + "attn_norm.weight", sd[p + "norm1.weight"]); put(w, g + "ffn_norm.weight", sd[p + "norm2.weight"])
        if k == "attn":
            for a, b in (("q", "attn_q"), ("k", "attn_k"), ("v", "attn_v"), ("out", "attn_output")): put(w, f"{g}{b}.weight", sd[f"{p}mix.{a}.weight"], kind)
            for a in "qk": put(w, f"{g}attn_{a}_norm.weight", sd[f"{p}mix.{a}_norm.weight"])
        else:
            put(w, g + "shortconv.conv.weight", sd[p + "mix.taps"][:, 0])
            put(w, g + "shortconv.in_proj.weight", sd[p + "mix.inward.weight"], kind); put(w, g + "shortconv.out_proj.weight", sd[p + "mix.outward.weight"], kind)
        for a, b in (("w1", "gate"), ("w3", "up"), ("w2", "down")): put(w, f"{g}ffn_{b}.weight", sd[f"{p}ff.{a}.weight"], kind)
    finish(w)


def projector(ears, path, kind):
    s, sd = ears.shape, ears.state_dict()
    w = gguf.GGUFWriter(path, "clip"); w.add_name(NAME); w.add_type("mmproj"); w.add_file_type(7 if kind == "q8_0" else 1)
    w.add_bool("clip.has_audio_encoder", True); w.add_string("clip.projector_type", "lfm2a")
    for k, v in dict(projection_dim=s["out"], embedding_length=s["d"], feed_forward_length=s["inner"], block_count=s["layers"], num_mel_bins=128).items():
        w.add_uint32("clip.audio." + k, v)
    w.add_uint32("clip.audio.attention.head_count", s["heads"]); w.add_float32("clip.audio.attention.layer_norm_epsilon", 1e-5)
    # The modules' numbers in files of the family; here no dropout lies between them.
    for i in (0, 2, 3, 5, 6):
        put(w, f"a.conv1d.{i}.weight", sd[f"conv.{i}.weight"]); put(w, f"a.conv1d.{i}.bias", sd[f"conv.{i}.bias"][:, None, None])
    for part in ("weight", "bias"):
        put(w, "a.pre_encode.out." + part, sd["out." + part], kind)
        for i in range(s["layers"]):
            p, g = f"layers.{i}.", f"a.blk.{i}."
            for a, b in (("norm1", "ffn_norm"), ("ff1.up", "ffn_up"), ("ff1.down", "ffn_down"), ("norm_att", "ln1"), ("att.q", "attn_q"), ("att.k", "attn_k"),
                         ("att.v", "attn_v"), ("att.out", "attn_out"), ("norm_conv", "norm_conv"), ("pw1", "conv_pw1"), ("pw2", "conv_pw2"),
                         ("norm2", "ffn_norm_1"), ("ff2.up", "ffn_up_1"), ("ff2.down", "ffn_down_1"), ("norm_out", "ln2")):
                put(w, f"{g}{b}.{part}", sd[f"{p}{a}.{part}"], kind)
        for i in (0, 1, 3): put(w, f"mm.a.mlp.{i}.{part}", sd[f"adapter.{i}.{part}"], kind)
    for i in range(s["layers"]):
        p, g = f"layers.{i}.", f"a.blk.{i}."
        put(w, g + "conv_dw.weight", sd[p + "dw.weight"][:, 0]); put(w, g + "conv_dw.bias", sd[p + "dw.bias"])
        scale = sd[p + "bn.weight"] / torch.sqrt(sd[p + "bn.running_var"] + 1e-5)
        put(w, g + "conv_norm.weight", scale); put(w, g + "conv_norm.bias", sd[p + "bn.bias"] - sd[p + "bn.running_mean"] * scale)
        put(w, g + "linear_pos.weight", sd[p + "att.pos.weight"], kind)
        put(w, g + "pos_bias_u", sd[p + "att.u"]); put(w, g + "pos_bias_v", sd[p + "att.v_bias"])
    finish(w)


def vocoder(language, depth, detokeniser, path, tables):
    s, sd = depth.shape, depth.state_dict()
    w = gguf.GGUFWriter(path, "this model cannot be used as LLM, use it via --model-vocoder in TTS examples"); w.add_name(NAME)
    w.add_uint32("depthformer_n_layer", s["layers"]); w.add_uint32("depthformer_n_embd", s["d"])
    kind = "q8_0"
    put(w, "depth_linear.weight", sd["linear.weight"], kind); put(w, "depth_linear.bias", sd["linear.bias"])
    for i in range(s["layers"]):
        p, g = f"layers.{i}.", f"depthformer.layers.{i}."
        put(w, g + "operator_norm.weight", sd[p + "norm1.weight"]); put(w, g + "ffn_norm.weight", sd[p + "norm2.weight"])
        put(w, g + "operator.qkv_proj.weight", sd[p + "qkv.weight"], kind); put(w, g + "operator.out_proj.weight", sd[p + "out.weight"], kind)
        for a in "qk": put(w, f"{g}operator.attention.{a}_layernorm.weight", sd[f"{p}{a}_norm.weight"])
        for a in ("w1", "w2", "w3"): put(w, f"{g}feed_forward.{a}.weight", sd[f"{p}ff.{a}.weight"], kind)
    for i in range(parts.CODEBOOKS):
        put(w, f"depth_embeddings.{i}.embedding.weight", sd["embedding"][i], tables); put(w, f"depth_embeddings.{i}.to_logits.weight", sd["to_logits"][i], tables)
        put(w, f"depth_embeddings.{i}.embedding_norm.weight", sd[f"norms.{i}.weight"])
    put(w, "audio_embedding.embedding.weight", language.frames.weight, tables)
    k, sd = detokeniser.lfm.shape, detokeniser.state_dict()
    put(w, "emb.emb.weight", sd["emb.weight"], tables); put(w, "lfm.embedding_norm.weight", sd["lfm.norm.weight"])
    for i, kind_of in enumerate(k["kinds"]):
        p, g = f"lfm.layers.{i}.", f"lfm.layers.{i}."
        put(w, g + "operator_norm.weight", sd[p + "norm1.weight"]); put(w, g + "ffn_norm.weight", sd[p + "norm2.weight"])
        for a in ("w1", "w2", "w3"): put(w, f"{g}feed_forward.{a}.weight", sd[f"{p}ff.{a}.weight"], kind)
        if kind_of == "attn":
            for a in ("q", "k", "v", "out"): put(w, f"{g}self_attn.{a}_proj.weight", sd[f"{p}mix.{a}.weight"], kind)
            for a in "qk": put(w, f"{g}self_attn.{a}_layernorm.weight", sd[f"{p}mix.{a}_norm.weight"])
        else:
            put(w, g + "conv.conv.weight", sd[p + "mix.taps"][:, 0])
            put(w, g + "conv.in_proj.weight", sd[p + "mix.inward.weight"], kind); put(w, g + "conv.out_proj.weight", sd[p + "mix.outward.weight"], kind)
    put(w, "lin.weight", sd["lin.weight"], kind); put(w, "lin.bias", sd["lin.bias"]); put(w, "istft.window", parts.HANN)
    finish(w)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("checkpoint"); ap.add_argument("detokeniser"); ap.add_argument("out"); ap.add_argument("--tables", default="q4_0", choices=TYPES)
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    tokenizer = json.load(open(os.path.join(a.checkpoint, "tokenizer.json")))
    state = {n: torch.load(os.path.join(a.checkpoint, n + ".pt")) for n in ("ears", "language", "depth")}
    words = len(state["ears"]["words.bias"])
    ears, language, depth = parts.Ears(words=words), parts.Language(len(state["language"]["tokens.weight"])), parts.Depthformer(192)
    for n, m in (("ears", ears), ("language", language), ("depth", depth)): m.load_state_dict(state[n])
    text(language, tokenizer, os.path.join(a.out, NAME + "-Q8_0.gguf"), "q8_0")
    projector(ears, os.path.join(a.out, f"mmproj-{NAME}-Q8_0.gguf"), "q8_0")
    if os.path.exists(a.detokeniser):
        detokeniser = parts.Detokeniser(); detokeniser.load_state_dict(torch.load(a.detokeniser))
        vocoder(language, depth, detokeniser, os.path.join(a.out, f"vocoder-{NAME}-Q8_0.gguf"), a.tables)
