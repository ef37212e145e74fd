"""A tiny random Gemma 3n with reference logits: OUT/gemma3n.gguf and OUT/gemma3n.json.

    python make-gemma3n-fixtures.py OUT

The JSON is as make-fixtures.py writes it, with the logits of some positions by transformers in float32. Names and shapes are those of
llama.cpp's converter: layers that read keys and values of earlier ones have tensors for their own all the same, with other numbers, and the
number of these layers is a float, as in the files of the first months. Seeds are fixed. Needs torch, transformers 5.24, tokenizers and gguf.
"""
import importlib.util, json, os, sys, tempfile

import gguf, numpy as np, torch
from transformers import Gemma3nForCausalLM, Gemma3nTextConfig

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("fixtures", os.path.join(HERE, "make-fixtures.py"))
fixtures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fixtures)
from gguf_export import write_tokenizer

# Around the window and where a cache page ends.
POSITIONS = [0, 1, 2, 3, 19, 20, 21, 31, 62, 63, 64, 65, 80]
KINDS = ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
         "sliding_attention", "full_attention", "sliding_attention"]
SHARED = 3
CONFIG = Gemma3nTextConfig(
    vocab_size=512, vocab_size_per_layer_input=512, hidden_size=32, hidden_size_per_layer_input=8,
    intermediate_size=[48, 48, 64, 48, 48, 48, 64, 48], num_hidden_layers=len(KINDS), num_attention_heads=4,
    num_key_value_heads=2, head_dim=16, max_position_embeddings=2048, sliding_window=20, layer_types=KINDS,
    num_kv_shared_layers=SHARED, laurel_rank=6, activation_sparsity_pattern=[0.95, 0.8, 0.95, 0.0, 0.3, 0.0, 0.95, 0.0],
    bos_token_id=1, eos_token_id=4, pad_token_id=0, rms_norm_eps=1e-6,
    rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 1e6},
                     "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})

# The ends of names in transformers and in files.
LAYER = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "altup.correction_coefs": "altup_correct_coef", "altup.prediction_coefs": "altup_predict_coef",
    "altup.modality_router": "altup_router", "altup.router_norm": "altup_router_norm",
    "laurel.linear_left": "laurel_l", "laurel.linear_right": "laurel_r", "laurel.post_laurel_norm": "laurel_post_norm",
    "per_layer_input_gate": "inp_gate", "per_layer_projection": "proj", "post_per_layer_input_norm": "post_norm",
}
MODEL = {
    "embed_tokens": "token_embd", "norm": "output_norm", "embed_tokens_per_layer": "per_layer_token_embd",
    "per_layer_model_projection": "per_layer_model_proj", "per_layer_projection_norm": "per_layer_proj_norm",
}


def randomise(model):
    # Larger coefficients of the streams leave single precision less than four digits of the logits.
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "q_norm" in name or "k_norm" in name:
                p.copy_(0.6 + 0.12 * torch.randn_like(p))
            elif "norm" in name or name.endswith("correct_output_scale"):
                p.copy_(1 + 0.2 * torch.randn_like(p))
            elif "modality_router" in name:
                p.copy_(3 * torch.randn_like(p))
            elif name.endswith("_coefs.weight"):
                p.copy_(0.2 * torch.randn_like(p))
            else:
                p.copy_((0.4 if "embed_tokens" in name else 0.15) * torch.randn_like(p))


def numbers(w, c):
    w.add_context_length(c.max_position_embeddings)
    w.add_embedding_length(c.hidden_size)
    w.add_block_count(c.num_hidden_layers)
    w.add_feed_forward_length(c.intermediate_size)
    w.add_head_count(c.num_attention_heads)
    w.add_head_count_kv(c.num_key_value_heads)
    w.add_key_length(c.head_dim)
    w.add_value_length(c.head_dim)
    w.add_layer_norm_rms_eps(c.rms_norm_eps)
    w.add_rope_freq_base(c.rope_parameters["full_attention"]["rope_theta"])
    w.add_sliding_window(c.sliding_window)
    w.add_sliding_window_pattern([kind == "sliding_attention" for kind in c.layer_types])
    w.add_float32("gemma3n.attention.shared_kv_layers", float(SHARED))
    w.add_altup_active_idx(c.altup_active_idx)
    w.add_altup_num_inputs(c.altup_num_inputs)
    w.add_embedding_length_per_layer_input(c.hidden_size_per_layer_input)
    normal = torch.distributions.normal.Normal(0, 1)
    w.add_activation_sparsity_scale([normal.icdf(torch.tensor(s, dtype=torch.float32)).item()
                                     for s in c.activation_sparsity_pattern])
    w.add_vocab_size(c.vocab_size)


def tensors(w, model):
    weights = {k.removeprefix("model."): v.detach().float().numpy() for k, v in model.state_dict().items()}
    put = lambda name, value: w.add_tensor(name, np.ascontiguousarray(value, dtype=np.float32))
    for source, target in MODEL.items():
        put(target + ".weight", weights[source + ".weight"])
    for source, target in (("altup_projections", "altup_proj"), ("altup_unembed_projections", "altup_unembd_proj")):
        put(target + ".weight", np.stack([weights[f"{source}.{i}.weight"] for i in range(CONFIG.altup_num_inputs - 1)]))
    unused = np.random.default_rng(3)
    for layer in range(CONFIG.num_hidden_layers):
        put(f"blk.{layer}.altup_correct_scale.weight", weights[f"layers.{layer}.altup.correct_output_scale"])
        for source, target in LAYER.items():
            name = f"layers.{layer}.{source}.weight"
            value = weights.get(name)
            if value is None:
                value = unused.standard_normal(weights[f"layers.0.{source}.weight"].shape)
            put(f"blk.{layer}.{target}.weight", value)


def main(out):
    os.makedirs(out, exist_ok=True)
    torch.manual_seed(15)
    model = Gemma3nForCausalLM(CONFIG).float().eval()
    model.set_attn_implementation("eager")
    randomise(model)
    w = gguf.GGUFWriter(os.path.join(out, "gemma3n.gguf"), "gemma3n")
    w.add_name("fixture-gemma3n")
    w.add_file_type(0)
    numbers(w, CONFIG)
    with tempfile.TemporaryDirectory() as folder:
        t = fixtures.tokenizer(folder, "lfm2")
        write_tokenizer(w, folder)
    tensors(w, model)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    ids = [1] + t.encode(" ".join(fixtures.TEXT)).ids[:95]
    run = lambda text: model(input_ids=torch.tensor([text]), use_cache=False).logits[0]
    with torch.no_grad():
        logits = run(ids)
        greedy, text = [], list(ids)
        for _ in range(24):
            greedy.append(int(run(text)[-1].argmax()))
            text.append(greedy[-1])
    fixture = {"arch": "gemma3n", "tokens": ids, "shape": list(logits.shape), "positions": POSITIONS,
               "logits": [round(float(x), 6) for x in logits[POSITIONS].flatten()], "greedy": greedy,
               "tokenize": [{"text": s, "ids": t.encode(s).ids} for s in fixtures.TEXT]}
    json.dump(fixture, open(os.path.join(out, "gemma3n.json"), "w"))
    print("gemma3n", tuple(logits.shape), "logits in", round(float(logits.min()), 2), round(float(logits.max()), 2),
          greedy)


if __name__ == "__main__":
    main(sys.argv[1])
