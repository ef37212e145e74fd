"""Tiny random models with reference logits: OUT/<name>.gguf and OUT/<name>.json.

    python make-fixtures.py OUT [name ...]

The JSON holds token ids, the logits that transformers computes for them in float32 (row-major, [positions, vocabulary];
of every position unless `positions` lists some), the greedy continuation, and texts with their ids. llama.cpp agrees on
the same files (check-llama-cpp.py). Seeds are fixed: running it again gives the same files.
Needs torch, transformers, tokenizers and gguf.
"""
import json, os, sys, tempfile

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    Gemma3ForCausalLM, Gemma3TextConfig, GraniteConfig, GraniteForCausalLM, Lfm2Config, Lfm2ForCausalLM,
    Lfm2MoeConfig, Lfm2MoeForCausalLM, LlamaConfig, LlamaForCausalLM, Phi3Config, Phi3ForCausalLM,
    PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM, SmolLM3Config,
    SmolLM3ForCausalLM)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gguf_export import ARCHITECTURES, export

WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPLIT = {"lfm2": WORD % r"\p{N}{1,3}", "qwen2": WORD % r"\p{N}"}
TEXT = ["Once upon a time there was a little engine that ran on the device.",
        "How many tokens are in 1234567 words? I'd say we've 89!",
        "Grüße aus Köln, 東京 and Αθήνα; emoji 🦊🐢 and tabs\tand\nnew lines.\n\n  indented",
        "f(x) = {\"name\": \"value\", \"n\": [1, 2, 3]} // comment"]
# Around the sliding window and the original context of the models below, and the edges of a cache page.
SOME_POSITIONS = [0, 1, 2, 19, 20, 21, 47, 48, 49, 62, 63, 64, 65, 79, 80]


def tokenizer(d, pre):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(SPLIT[pre]), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    special = ["<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    t.train_from_iterator(TEXT * 4, trainers.BpeTrainer(
        vocab_size=512, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    n = t.get_vocab_size()
    if n < 512:
        t.add_tokens([f"<|reserved_{i}|>" for i in range(512 - n)])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=t, bos_token="<|startoftext|>", eos_token="<|im_end|>", pad_token="<|pad|>")
    fast.save_pretrained(d)
    p = os.path.join(d, "tokenizer_config.json")
    c = json.load(open(p))
    c["gguf_pre"] = pre
    json.dump(c, open(p, "w"))
    return t


COMMON = dict(vocab_size=512, hidden_size=64, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048)
PLAIN = dict(COMMON, intermediate_size=128, num_hidden_layers=3)
LFM2 = dict(COMMON, intermediate_size=128, block_auto_adjust_ff_dim=False, num_hidden_layers=5, conv_L_cache=3,
            bos_token_id=1, eos_token_id=4, pad_token_id=0,
            layer_types=["conv", "conv", "full_attention", "conv", "full_attention"],
            rope_parameters={"rope_theta": 1e6, "rope_type": "default"})
MOE = dict(LFM2, num_experts=8, num_experts_per_tok=2, moe_intermediate_size=64, num_dense_layers=1,
           use_expert_bias=True, norm_topk_prob=True, routed_scaling_factor=1.0)


def rope(theta, **more):
    return dict({"rope_theta": theta, "rope_type": "default"}, **more)


# name: (pre-tokenizer, model, whether the logits of every position are kept)
MODELS = {
    "lfm2": ("lfm2", lambda: Lfm2ForCausalLM(Lfm2Config(**LFM2)), True),
    "lfm2moe": ("lfm2", lambda: Lfm2MoeForCausalLM(Lfm2MoeConfig(**MOE)), True),
    "llama": ("lfm2", lambda: LlamaForCausalLM(LlamaConfig(
        **PLAIN, tie_word_embeddings=False, rope_parameters=rope(5e5))), True),
    "qwen2": ("qwen2", lambda: Qwen2ForCausalLM(Qwen2Config(
        **PLAIN, tie_word_embeddings=True, rope_parameters=rope(1e6))), True),
    "qwen3": ("qwen2", lambda: Qwen3ForCausalLM(Qwen3Config(
        **PLAIN, head_dim=32, tie_word_embeddings=True, rope_parameters=rope(1e6))), True),
    "llama-3-scaling": ("lfm2", lambda: LlamaForCausalLM(LlamaConfig(
        **dict(PLAIN, num_hidden_layers=2), tie_word_embeddings=True, rope_parameters=rope(
            5e5, rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
            original_max_position_embeddings=64))), False),
    "qwen2-yarn": ("qwen2", lambda: Qwen2ForCausalLM(Qwen2Config(
        **dict(PLAIN, num_hidden_layers=2), tie_word_embeddings=True, rope_parameters=rope(
            1e4, rope_type="yarn", factor=4.0, original_max_position_embeddings=48))), False),
    "qwen3-odd-heads": ("qwen2", lambda: Qwen3ForCausalLM(Qwen3Config(
        **dict(PLAIN, hidden_size=54, num_attention_heads=3, num_key_value_heads=1, intermediate_size=70,
               num_hidden_layers=2), head_dim=22, tie_word_embeddings=False, rope_parameters=rope(1e6))), False),
    "gemma3": ("lfm2", lambda: Gemma3ForCausalLM(Gemma3TextConfig(
        **dict(COMMON, intermediate_size=64, num_hidden_layers=7), head_dim=16, query_pre_attn_scalar=16,
        sliding_window=20, rope_parameters={"full_attention": rope(1e6, rope_type="linear", factor=8.0),
                                            "sliding_attention": rope(1e4)})), False),
    "granite": ("lfm2", lambda: GraniteForCausalLM(GraniteConfig(
        **PLAIN, tie_word_embeddings=True, embedding_multiplier=3.0, attention_multiplier=0.125,
        residual_multiplier=0.22, logits_scaling=4.0, rope_parameters=rope(1e4))), False),
    "smollm3": ("lfm2", lambda: SmolLM3ForCausalLM(SmolLM3Config(
        **dict(PLAIN, num_hidden_layers=4), pad_token_id=0, bos_token_id=1, eos_token_id=4, tie_word_embeddings=True,
        rope_parameters=rope(5e6))), False),
    "phi3": ("lfm2", lambda: Phi3ForCausalLM(Phi3Config(
        **dict(PLAIN, max_position_embeddings=1024), pad_token_id=0, bos_token_id=1, eos_token_id=4,
        original_max_position_embeddings=64, tie_word_embeddings=False, rope_parameters=rope(
            1e4, rope_type="longrope", partial_rotary_factor=0.75,
            short_factor=[1.0, 1.0, 1.02, 1.1, 1.2, 1.4], long_factor=[1.0, 1.5, 2.5, 5.0, 9.0, 14.0]))), False),
}


def randomise(model):
    with torch.no_grad():
        for k, p in model.named_parameters():
            if p.ndim != 1:
                p.mul_(4.0)
            elif "norm" in k:
                centre = 0 if model.config.model_type == "gemma3_text" else 1
                p.copy_(centre + 0.1 * torch.randn_like(p))
            else:
                p.copy_(0.1 * torch.randn_like(p))
        for k, b in model.named_buffers():
            if k.endswith("expert_bias"):
                b.copy_(0.2 * torch.randn_like(b))


def main(out, names):
    os.makedirs(out, exist_ok=True)
    for n in names or MODELS:
        pre, make, every = MODELS[n]
        torch.manual_seed(7)
        m = make().float().eval()
        randomise(m)
        with tempfile.TemporaryDirectory() as d:
            m.save_pretrained(d)
            t = tokenizer(d, pre)
            # llama.cpp looks for Phi's own special tokens where the name of the model says phi3.
            export(d, os.path.join(out, n + ".gguf"), "f32", "fixture-" + n.replace("phi3", "long-rope"))
        ids = [1] + t.encode(" ".join(TEXT)).ids[:95]
        with torch.no_grad():
            logits = m(input_ids=torch.tensor([ids])).logits[0]
            greedy, text = [], list(ids)
            for _ in range(24):
                token = int(m(input_ids=torch.tensor([text])).logits[0, -1].argmax())
                greedy.append(token)
                text.append(token)
        fixture = {"arch": ARCHITECTURES[m.config.model_type], "tokens": ids, "shape": list(logits.shape)}
        if not every:
            fixture["positions"] = SOME_POSITIONS
            logits = logits[SOME_POSITIONS]
        fixture["logits"] = [round(float(x), 6) for x in logits.flatten()]
        fixture["greedy"] = greedy
        fixture["tokenize"] = [{"text": s, "ids": t.encode(s).ids} for s in TEXT]
        json.dump(fixture, open(os.path.join(out, n + ".json"), "w"))
        print(n, tuple(logits.shape), "logits in", round(float(logits.min()), 2), round(float(logits.max()), 2))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
