"""Tiny random models of attention beside state space layers, with reference logits: OUT/<name>.gguf and OUT/<name>.json.

    python make-hybrid-fixtures.py OUT [name ...]

The JSON is as make-fixtures.py writes it, with the logits of some positions by transformers in float32. Names, shapes and what is
multiplied into the weights are those of llama.cpp's converter. Seeds are fixed. Needs torch, transformers 5.24, tokenizers and gguf.
"""
import importlib.util, json, os, sys, tempfile

import gguf, numpy as np, torch
from transformers import FalconH1Config, FalconH1ForCausalLM, NemotronHConfig, NemotronHForCausalLM

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("fixtures", os.path.join(HERE, "make-fixtures.py"))
fixtures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fixtures)
from gguf_export import write_tokenizer

# Where a cache page ends, and some before it.
POSITIONS = [0, 1, 2, 3, 4, 31, 62, 63, 64, 65, 80]
COMMON = dict(vocab_size=512, hidden_size=24, num_attention_heads=4, num_key_value_heads=2, head_dim=8,
              max_position_embeddings=2048, bos_token_id=1, eos_token_id=4, pad_token_id=0, tie_word_embeddings=False)
HEADS, HEAD, STATE, GROUPS, TAPS = 6, 12, 16, 2, 4
INNER, KEYS = HEADS * HEAD, GROUPS * STATE

FALCON = FalconH1Config(
    **COMMON, num_hidden_layers=3, intermediate_size=40, mamba_d_ssm=INNER, mamba_n_heads=HEADS, mamba_d_head=HEAD,
    mamba_n_groups=GROUPS, mamba_d_state=STATE, mamba_d_conv=TAPS, mamba_chunk_size=16, mamba_rms_norm=False,
    mamba_norm_before_gate=False, lm_head_multiplier=0.7, embedding_multiplier=3.0, mlp_multipliers=[0.8, 1.3],
    key_multiplier=0.6, attention_out_multiplier=0.9, attention_in_multiplier=1.2,
    ssm_multipliers=[0.9, 1.1, 0.7, 1.2, 0.8], ssm_in_multiplier=1.25, ssm_out_multiplier=0.75,
    rope_parameters={"rope_theta": 1e11, "rope_type": "default"})
# Two networks beside each other, and two recurrent layers. Nothing is cut off from time steps: files have no key for it.
NEMOTRON = NemotronHConfig(
    **COMMON, layers_block_type=["linear_attention", "mlp", "linear_attention", "linear_attention", "full_attention",
                                 "mlp", "mlp", "linear_attention"],
    intermediate_size=40, mamba_num_heads=HEADS, mamba_head_dim=HEAD, ssm_state_size=STATE, n_groups=GROUPS,
    conv_kernel=TAPS, chunk_size=16, time_step_min=1e-30)
NEMOTRON_MOE = NemotronHConfig(
    **COMMON, layers_block_type=["linear_attention", "moe", "full_attention", "moe", "linear_attention"],
    mamba_num_heads=HEADS, mamba_head_dim=HEAD, ssm_state_size=STATE, n_groups=GROUPS, conv_kernel=TAPS, chunk_size=16,
    time_step_min=1e-30, n_routed_experts=5, num_experts_per_tok=2, moe_intermediate_size=16, n_shared_experts=1,
    moe_shared_expert_intermediate_size=28, routed_scaling_factor=2.5, norm_topk_prob=True)


def randomise(model):
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith("A_log"):
                p.copy_(torch.log(0.05 + 4 * torch.rand_like(p)))
            elif name.endswith("dt_bias"):
                p.copy_(torch.randn_like(p) - 1)
            elif name.endswith(".D") or "norm" in name:
                p.copy_(1 + 0.2 * torch.randn_like(p))
            elif p.ndim == 1:
                p.copy_(0.1 * torch.randn_like(p))
            elif p.ndim == 3 and "conv" in name:
                p.copy_(0.4 * torch.randn_like(p))
            else:
                p.copy_((0.6 if name.endswith("gate.weight") else 0.12) * torch.randn_like(p))
        for name, b in model.named_buffers():
            if name.endswith("e_score_correction_bias"):
                b.copy_(0.2 * torch.randn_like(b))


class Writer:
    def __init__(self, path, arch, model):
        self.arch, self.config = arch, model.config
        self.tensors = {k: v.detach().float().numpy() for k, v in model.state_dict().items()}
        self.w = gguf.GGUFWriter(path, arch)
        self.w.add_name("fixture-" + arch)
        self.w.add_file_type(0)

    def put(self, name, value):
        self.w.add_tensor(name, np.ascontiguousarray(value, dtype=np.float32))

    def numbers(self, layers, epsilon):
        w, c = self.w, self.config
        w.add_context_length(c.max_position_embeddings)
        w.add_embedding_length(c.hidden_size)
        w.add_block_count(layers)
        w.add_head_count(c.num_attention_heads)
        w.add_key_length(c.head_dim)
        w.add_value_length(c.head_dim)
        w.add_layer_norm_rms_eps(epsilon)
        # llama.cpp asks for it in files of Nemotron-H.
        w.add_layer_norm_eps(epsilon)
        w.add_vocab_size(c.vocab_size)
        w.add_ssm_conv_kernel(TAPS)
        w.add_ssm_state_size(STATE)
        w.add_ssm_group_count(GROUPS)
        w.add_ssm_inner_size(INNER)
        w.add_ssm_time_step_rank(HEADS)

    def mamba(self, source, target, into=1.0, rows=None, out=1.0):
        t = lambda k: self.tensors[source + k]
        self.put(target + "ssm_in.weight", t("in_proj.weight") * into * (1 if rows is None else rows[:, None]))
        self.put(target + "ssm_conv1d.weight", t("conv1d.weight")[:, 0])
        self.put(target + "ssm_conv1d.bias", t("conv1d.bias"))
        self.put(target + "ssm_dt.bias", t("dt_bias"))
        self.put(target + "ssm_a", -np.exp(t("A_log"))[:, None])
        self.put(target + "ssm_d", t("D")[:, None])
        self.put(target + "ssm_out.weight", t("out_proj.weight") * out)
        if source + "norm.weight" in self.tensors:
            self.put(target + "ssm_norm.weight", t("norm.weight").reshape(GROUPS, -1))

    def attention(self, source, target, factors=(1, 1, 1, 1)):
        for letter, name, factor in zip("qkvo", ("attn_q", "attn_k", "attn_v", "attn_output"), factors):
            self.put(f"{target}{name}.weight", self.tensors[f"{source}{letter}_proj.weight"] * factor)


def falcon(o):
    c = o.config
    o.numbers(c.num_hidden_layers, c.rms_norm_eps)
    o.w.add_head_count_kv(c.num_key_value_heads)
    o.w.add_feed_forward_length(c.intermediate_size)
    o.w.add_rope_freq_base(c.rope_parameters["rope_theta"])
    o.put("token_embd.weight", o.tensors["model.embed_tokens.weight"] * c.embedding_multiplier)
    o.put("output_norm.weight", o.tensors["model.final_layernorm.weight"])
    o.put("output.weight", o.tensors["lm_head.weight"] * c.lm_head_multiplier)
    parts = [INNER, INNER, KEYS, KEYS, HEADS]
    rows = np.concatenate([np.full(n, f) for n, f in zip(parts, c.ssm_multipliers)])
    into = c.attention_in_multiplier
    for layer in range(c.num_hidden_layers):
        source, target = f"model.layers.{layer}.", f"blk.{layer}."
        o.put(target + "attn_norm.weight", o.tensors[source + "input_layernorm.weight"])
        # The converter names it without the usual end.
        o.put(target + "ffn_norm", o.tensors[source + "pre_ff_layernorm.weight"])
        o.mamba(source + "mamba.", target, c.ssm_in_multiplier, rows, c.ssm_out_multiplier)
        o.attention(source + "self_attn.", target, (into, c.key_multiplier * into, into, c.attention_out_multiplier))
        for name, factor in (("gate", c.mlp_multipliers[0]), ("up", 1), ("down", c.mlp_multipliers[1])):
            o.put(f"{target}ffn_{name}.weight", o.tensors[f"{source}feed_forward.{name}_proj.weight"] * factor)


def nemotron(o):
    c = o.config
    kinds = c.layers_block_type
    o.numbers(len(kinds), c.layer_norm_epsilon)
    o.w.add_head_count_kv([c.num_key_value_heads if kind == "full_attention" else 0 for kind in kinds])
    is_mixture = "moe" in kinds
    inner = c.moe_intermediate_size if is_mixture else c.intermediate_size
    o.w.add_feed_forward_length([inner if kind in ("mlp", "moe") else 0 for kind in kinds])
    if is_mixture:
        o.w.add_expert_count(c.n_routed_experts)
        o.w.add_expert_used_count(c.num_experts_per_tok)
        o.w.add_expert_feed_forward_length(inner)
        o.w.add_expert_shared_feed_forward_length(c.moe_shared_expert_intermediate_size)
        o.w.add_expert_shared_count(c.n_shared_experts)
        o.w.add_expert_weights_norm(c.norm_topk_prob)
        o.w.add_expert_weights_scale(c.routed_scaling_factor)
        o.w.add_expert_group_count(c.n_group)
    o.w.add_rope_dimension_count(c.head_dim)
    o.w.add_rope_scaling_finetuned(False)
    o.put("token_embd.weight", o.tensors["model.embeddings.weight"])
    o.put("output_norm.weight", o.tensors["model.norm_f.weight"])
    o.put("output.weight", o.tensors["lm_head.weight"])
    for layer, kind in enumerate(kinds):
        source, target = f"model.layers.{layer}.", f"blk.{layer}."
        o.put(target + "attn_norm.weight", o.tensors[source + "norm.weight"])
        if kind == "linear_attention":
            o.mamba(source + "mixer.", target)
        elif kind == "full_attention":
            o.attention(source + "mixer.", target)
        elif kind == "moe":
            o.put(target + "ffn_gate_inp.weight", o.tensors[source + "mixer.gate.weight"])
            o.put(target + "exp_probs_b.bias", o.tensors[source + "mixer.gate.e_score_correction_bias"])
            for name in ("up", "down"):
                o.put(f"{target}ffn_{name}_exps.weight", o.tensors[f"{source}mixer.experts.{name}_proj"])
                o.put(f"{target}ffn_{name}_shexp.weight",
                      o.tensors[f"{source}mixer.shared_experts.{name}_proj.weight"])
        else:
            for name in ("up", "down"):
                o.put(f"{target}ffn_{name}.weight", o.tensors[f"{source}mixer.{name}_proj.weight"])


MODELS = {
    "falcon-h1": ("falcon-h1", lambda: FalconH1ForCausalLM(FALCON), falcon),
    "nemotron-h-moe": ("nemotron_h_moe", lambda: NemotronHForCausalLM(NEMOTRON_MOE), nemotron),
    "nemotron-h": ("nemotron_h", lambda: NemotronHForCausalLM(NEMOTRON), nemotron),
}


def main(out, names):
    os.makedirs(out, exist_ok=True)
    for name in names or MODELS:
        arch, make, write = MODELS[name]
        torch.manual_seed(11)
        model = make().float().eval()
        model.set_attn_implementation("eager")
        randomise(model)
        o = Writer(os.path.join(out, name + ".gguf"), arch, model)
        write(o)
        with tempfile.TemporaryDirectory() as folder:
            t = fixtures.tokenizer(folder, "lfm2")
            write_tokenizer(o.w, folder)
        o.w.write_header_to_file()
        o.w.write_kv_data_to_file()
        o.w.write_tensors_to_file()
        o.w.close()
        ids = [1] + t.encode(" ".join(fixtures.TEXT)).ids[:95]
        # All logits of a text, whatever the configuration keeps by itself.
        run = lambda text: model(input_ids=torch.tensor([text]), use_cache=False, logits_to_keep=0).logits[0]
        with torch.no_grad():
            logits = run(ids)
            greedy, text = [], list(ids)
            for _ in range(24):
                greedy.append(int(run(text)[-1].argmax()))
                text.append(greedy[-1])
        fixture = {"arch": arch, "tokens": ids, "shape": list(logits.shape), "positions": POSITIONS,
                   "logits": [round(float(x), 6) for x in logits[POSITIONS].flatten()], "greedy": greedy,
                   "tokenize": [{"text": s, "ids": t.encode(s).ids} for s in fixtures.TEXT]}
        json.dump(fixture, open(os.path.join(out, name + ".json"), "w"))
        print(name, tuple(logits.shape), "logits in", round(float(logits.min()), 2), round(float(logits.max()), 2),
              greedy)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
