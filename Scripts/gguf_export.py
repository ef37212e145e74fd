"""Hugging Face checkpoint -> GGUF, for the architectures the engine runs.

    python gguf_export.py HF_DIR OUT.gguf [--type f32|f16|bf16] [--name NAME]

Needs torch, transformers and gguf. The files load in llama.cpp; check-llama-cpp.py compares its logits with a fixture's.
"""
import argparse, json, math, os

import gguf, numpy as np, torch
from transformers import AutoConfig, AutoModelForCausalLM

ARCHITECTURES = {
    "lfm2": "lfm2", "lfm2_moe": "lfm2moe", "llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3",
    "gemma3_text": "gemma3", "granite": "granite", "smollm3": "smollm3", "phi3": "phi3",
}
# Converters store Q and K of these with the rows of each head interleaved, so that rotation pairs neighbours.
INTERLEAVED = {"llama", "granite", "smollm3"}
TOKEN_NORMAL, TOKEN_CONTROL, TOKEN_USER = 1, 3, 4
FILE_TYPE = {"f32": 0, "f16": 1, "bf16": 32}


def interleave(w, heads):
    return w.reshape(heads, 2, w.shape[0] // heads // 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def write_tokenizer(w, d):
    t = json.load(open(os.path.join(d, "tokenizer.json")))
    c = json.load(open(os.path.join(d, "tokenizer_config.json")))
    vocab, added = dict(t["model"]["vocab"]), {a["content"]: a for a in t["added_tokens"]}
    vocab.update({k: a["id"] for k, a in added.items()})
    tokens = [None] * len(vocab)
    for k, i in vocab.items():
        tokens[i] = k
    kind = lambda k: TOKEN_CONTROL if k in added and added[k]["special"] else TOKEN_USER if k in added else TOKEN_NORMAL
    types = [TOKEN_USER if k in ("<think>", "</think>") else kind(k) for k in tokens]
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre(c.get("gguf_pre", "lfm2"))
    w.add_token_list(tokens)
    w.add_token_types(types)
    w.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in t["model"]["merges"]])
    name = lambda k: c[k] if isinstance(c[k], str) else c[k]["content"]
    w.add_bos_token_id(vocab[name("bos_token")])
    w.add_eos_token_id(vocab[name("eos_token")])
    w.add_pad_token_id(vocab[name("pad_token")])
    w.add_add_bos_token(True)
    template = c.get("chat_template")
    path = os.path.join(d, "chat_template.jinja")
    if not template and os.path.exists(path):
        template = open(path).read()
    if template:
        w.add_chat_template(template)


class Exporter:
    def __init__(self, d, out, dtype, name):
        self.dtype, self.cfg = dtype, AutoConfig.from_pretrained(d)
        model = AutoModelForCausalLM.from_pretrained(d, dtype=torch.float32)
        self.sd = {k: v.detach().float().numpy() for k, v in model.state_dict().items()}
        self.arch = ARCHITECTURES[self.cfg.model_type]
        self.lfm = self.arch.startswith("lfm2")
        self.layers = self.cfg.num_hidden_layers
        heads = self.cfg.num_attention_heads
        self.head_dim = getattr(self.cfg, "head_dim", None) or self.cfg.hidden_size // heads
        kinds = self.cfg.layer_types if self.lfm else ["full_attention"] * self.layers
        self.attention = {i for i, kind in enumerate(kinds) if kind == "full_attention"}
        self.w = gguf.GGUFWriter(out, self.arch)
        self.w.add_name(name or os.path.basename(d.rstrip("/")))
        self.w.add_file_type(FILE_TYPE[dtype])
        self.hyperparameters()
        self.rope()
        write_tokenizer(self.w, d)
        self.tensors()
        self.w.write_header_to_file()
        self.w.write_kv_data_to_file()
        self.w.write_tensors_to_file()
        self.w.close()

    def hyperparameters(self):
        w, cfg = self.w, self.cfg
        w.add_context_length(cfg.max_position_embeddings)
        w.add_embedding_length(cfg.hidden_size)
        w.add_block_count(self.layers)
        w.add_head_count(cfg.num_attention_heads)
        kv = cfg.num_key_value_heads
        w.add_head_count_kv([kv if i in self.attention else 0 for i in range(self.layers)] if self.lfm else kv)
        w.add_layer_norm_rms_eps(getattr(cfg, "norm_eps", None) or cfg.rms_norm_eps)
        w.add_vocab_size(cfg.vocab_size)
        dense = [v.shape[0] for k, v in self.sd.items()
                 if k.endswith(("feed_forward.w1.weight", "mlp.gate_proj.weight")) and "experts" not in k]
        w.add_feed_forward_length(dense[0] if dense else cfg.intermediate_size)
        if self.lfm:
            w.add_shortconv_l_cache(cfg.conv_L_cache)
        else:
            w.add_key_length(self.head_dim)
            w.add_value_length(self.head_dim)
        if self.arch == "lfm2moe":
            w.add_expert_count(cfg.num_experts)
            w.add_expert_used_count(cfg.num_experts_per_tok)
            w.add_expert_feed_forward_length(cfg.moe_intermediate_size)
            w.add_leading_dense_block_count(cfg.num_dense_layers)
            w.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID)
        if self.arch == "granite":
            w.add_attention_scale(cfg.attention_multiplier)
            w.add_embedding_scale(cfg.embedding_multiplier)
            w.add_residual_scale(cfg.residual_multiplier)
            w.add_logit_scale(cfg.logits_scaling)
        if self.arch == "gemma3" or (self.arch == "phi3" and cfg.sliding_window):
            w.add_sliding_window(cfg.sliding_window)

    def rope(self):
        w, p = self.w, self.cfg.rope_parameters
        if self.arch == "gemma3":
            p = p["full_attention"]
        w.add_rope_freq_base(p["rope_theta"])
        dims = int(self.head_dim * p.get("partial_rotary_factor", 1.0))
        if not self.lfm:
            w.add_rope_dimension_count(dims)
        kind = p.get("rope_type", "default")
        if kind == "linear":
            w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
            w.add_rope_scaling_factor(p["factor"])
        elif kind == "yarn":
            w.add_rope_scaling_type(gguf.RopeScalingType.YARN)
            w.add_rope_scaling_factor(p["factor"])
            w.add_rope_scaling_orig_ctx_len(p["original_max_position_embeddings"])
        elif kind == "llama3":
            self.put("rope_freqs.weight", self.llama3_divisors(p, dims))
        elif kind == "longrope":
            original = self.cfg.original_max_position_embeddings
            factor = self.cfg.max_position_embeddings / original
            w.add_rope_scaling_orig_ctx_len(original)
            w.add_rope_scaling_attn_factors(math.sqrt(1 + math.log(factor) / math.log(original)))
            self.put("rope_factors_long.weight", np.array(p["long_factor"], dtype=np.float32))
            self.put("rope_factors_short.weight", np.array(p["short_factor"], dtype=np.float32))

    @staticmethod
    def llama3_divisors(p, dims):
        frequencies = 1.0 / p["rope_theta"] ** (np.arange(0, dims, 2) / dims)
        low = p["original_max_position_embeddings"] / p["low_freq_factor"]
        high = p["original_max_position_embeddings"] / p["high_freq_factor"]
        out = []
        for f in frequencies:
            length = 2 * math.pi / f
            smooth = (p["original_max_position_embeddings"] / length - p["low_freq_factor"]) / (
                p["high_freq_factor"] - p["low_freq_factor"])
            out.append(1.0 if length < high else p["factor"] if length > low
                       else 1 / ((1 - smooth) / p["factor"] + smooth))
        return np.array(out, dtype=np.float32)

    def put(self, name, v, keep=False):
        v = np.ascontiguousarray(v)
        if v.ndim < 2 or keep or self.dtype == "f32":
            self.w.add_tensor(name, v.astype(np.float32))
        elif self.dtype == "f16":
            self.w.add_tensor(name, v.astype(np.float16))
        else:
            kind = gguf.GGMLQuantizationType.BF16
            self.w.add_tensor(name, gguf.quants.quantize(v, kind), raw_dtype=kind)

    def norm(self, name, key):
        # Gemma's norms multiply with 1 + weight; the converter adds the 1.
        self.put(name, self.sd[key] + (1 if self.arch == "gemma3" else 0))

    def tensors(self):
        sd, lfm = self.sd, self.lfm
        self.put("token_embd.weight", sd["model.embed_tokens.weight"])
        if lfm:
            self.norm("token_embd_norm.weight", "model.embedding_norm.weight")
        else:
            self.norm("output_norm.weight", "model.norm.weight")
        if not self.cfg.tie_word_embeddings:
            self.put("output.weight", sd["lm_head.weight"])
        for i in range(self.layers):
            p, g = f"model.layers.{i}.", f"blk.{i}."
            self.norms(p, g)
            if i in self.attention:
                self.attention_tensors(p, g)
            else:
                self.put(g + "shortconv.conv.weight", sd[p + "conv.conv.weight"][:, 0, :], keep=True)
                self.put(g + "shortconv.in_proj.weight", sd[p + "conv.in_proj.weight"])
                self.put(g + "shortconv.out_proj.weight", sd[p + "conv.out_proj.weight"])
            if self.arch == "lfm2moe" and i >= self.cfg.num_dense_layers:
                self.expert_tensors(p, g)
            else:
                self.dense_tensors(p, g)

    def norms(self, p, g):
        if self.lfm:
            names = (("operator_norm", "attn_norm"), ("ffn_norm", "ffn_norm"))
        elif self.arch == "gemma3":
            names = (("input_layernorm", "attn_norm"), ("post_attention_layernorm", "post_attention_norm"),
                     ("pre_feedforward_layernorm", "ffn_norm"), ("post_feedforward_layernorm", "post_ffw_norm"))
        else:
            names = (("input_layernorm", "attn_norm"), ("post_attention_layernorm", "ffn_norm"))
        for a, b in names:
            self.norm(f"{g}{b}.weight", f"{p}{a}.weight")

    def attention_tensors(self, p, g):
        sd, cfg = self.sd, self.cfg
        out = "out_proj" if self.lfm else "o_proj"
        for a, b in (("q_proj", "attn_q"), ("k_proj", "attn_k"), ("v_proj", "attn_v"), ("qkv_proj", "attn_qkv"),
                     (out, "attn_output")):
            for suffix in ("weight", "bias"):
                v = sd.get(f"{p}self_attn.{a}.{suffix}")
                if v is None:
                    continue
                if self.arch in INTERLEAVED and a in ("q_proj", "k_proj"):
                    v = interleave(v, cfg.num_attention_heads if a == "q_proj" else cfg.num_key_value_heads)
                self.put(f"{g}{b}.{suffix}", v)
        for a, b in (("q_layernorm", "attn_q_norm"), ("k_layernorm", "attn_k_norm"), ("q_norm", "attn_q_norm"),
                     ("k_norm", "attn_k_norm")):
            if f"{p}self_attn.{a}.weight" in sd:
                self.norm(f"{g}{b}.weight", f"{p}self_attn.{a}.weight")

    def dense_tensors(self, p, g):
        names = ((("feed_forward.w1", "ffn_gate"), ("feed_forward.w3", "ffn_up"), ("feed_forward.w2", "ffn_down"))
                 if self.lfm else
                 (("mlp.gate_proj", "ffn_gate"), ("mlp.up_proj", "ffn_up"), ("mlp.gate_up_proj", "ffn_up"),
                  ("mlp.down_proj", "ffn_down")))
        for a, b in names:
            if f"{p}{a}.weight" in self.sd:
                self.put(f"{g}{b}.weight", self.sd[f"{p}{a}.weight"])

    def expert_tensors(self, p, g):
        sd, f = self.sd, p + "feed_forward."
        self.put(g + "ffn_gate_inp.weight", sd[f + "gate.weight"], keep=True)
        self.put(g + "exp_probs_b.bias", sd[f + "expert_bias"])
        both = sd[f + "experts.gate_up_proj"]
        half = both.shape[1] // 2
        self.put(g + "ffn_gate_exps.weight", both[:, :half])
        self.put(g + "ffn_up_exps.weight", both[:, half:])
        self.put(g + "ffn_down_exps.weight", sd[f + "experts.down_proj"])


def export(d, out, dtype="f32", name=None):
    Exporter(d, out, dtype, name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("out")
    parser.add_argument("--type", default="f32", choices=sorted(FILE_TYPE))
    parser.add_argument("--name")
    arguments = parser.parse_args()
    export(arguments.dir, arguments.out, arguments.type, arguments.name)
