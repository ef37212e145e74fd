"""Random-weight models at the shapes of real ones, for benchmarks that need no download.

    python Benchmarks/models.py FOLDER [SHAPE[:QUANT] ...]
    python Benchmarks/models.py --blocks FOLDER [SHAPE[:QUANT] ...]

Speed does not depend on the values of the weights, only on shapes and types. Files that exist are kept. Needs numpy, gguf and
llama-cpp-python (its quantiser makes the quantised files). The quantised file alone is needed once it is there: the one in F16 may be deleted.
With --blocks random blocks of a type are written as they are, which needs neither the quantiser nor a file in F16; the head is in Q6_K, as
the quantiser makes it.
"""
import ctypes, itertools, os, sys
import numpy as np, gguf
import gemma

SHAPES = {
    "LFM2-1.2B": dict(arch="lfm2", d=2048, ff=8192, layers=16, heads=32, kv=8, hd=64, attn=[2, 5, 8, 10, 12, 14], vocab=65536, rope=1e6),
    "LFM2-350M": dict(arch="lfm2", d=1024, ff=4608, layers=16, heads=16, kv=8, hd=64, attn=[2, 5, 8, 10, 12, 14], vocab=65536, rope=1e6),
    "Llama-3.2-1B": dict(arch="llama", d=2048, ff=8192, layers=16, heads=32, kv=8, hd=64, vocab=128256, rope=5e5),
    "Llama-3.1-8B": dict(arch="llama", d=4096, ff=14336, layers=32, heads=32, kv=8, hd=128, vocab=128256, rope=5e5, untied=True),
    "Qwen3-0.6B": dict(arch="qwen3", d=1024, ff=3072, layers=28, heads=16, kv=8, hd=128, vocab=151936, rope=1e6),
    "Qwen3-1.7B": dict(arch="qwen3", d=2048, ff=6144, layers=28, heads=16, kv=8, hd=128, vocab=151936, rope=1e6),
    # The first layers of 36.
    "Qwen3-4B-9L": dict(arch="qwen3", d=2560, ff=9728, layers=9, heads=32, kv=8, hd=128, vocab=151936, rope=1e6),
    "Qwen3.5-0.8B": dict(arch="qwen35", d=1024, ff=3584, layers=24, heads=8, kv=2, hd=256, attn=range(3, 24, 4), vocab=248320, rope=1e7,
                         state=128, groups=16, rank=16, inner=2048),
    "Granite-4.0-H-350M": dict(arch="granitehybrid", d=768, ff=2048, layers=32, heads=12, kv=4, hd=64, attn=[10, 13, 17, 27], vocab=100352, rope=1e4,
                               state=128, groups=1, rank=48, inner=1536),
    # The first layers of mixtures: what a layer takes does not depend on how many there are.
    "Qwen3-30B-A3B-3L": dict(arch="qwen3moe", d=2048, ff=6144, layers=3, heads=32, kv=4, hd=128, vocab=151936, rope=1e6, experts=128, used=8, inner_ff=768),
    "gpt-oss-20B-2L": dict(arch="gpt-oss", d=2880, ff=2880, layers=2, heads=64, kv=8, hd=64, vocab=201088, rope=150000.0, experts=32, used=4, inner_ff=2880),
} | gemma.SHAPES
SPECIALS = ["<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = ("{{- bos_token -}}{%- for message in messages -%}{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}"
            "{%- endfor -%}{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}")


def byte_characters():
    """The printable character that stands for each byte in byte-level BPE vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in plain]
    return {b: chr(b) for b in plain} | {b: chr(256 + i) for i, b in enumerate(rest)}


def vocabulary(size):
    """Special tokens, 256 bytes, all pairs of lower-case letters, then pairs of pairs until the vocabulary is full."""
    letters = [chr(c) for c in range(97, 123)]
    tokens, merges = SPECIALS + list(byte_characters().values()), []
    pairs = [a + b for a, b in itertools.product(letters, letters)]
    for pair in pairs:
        merges.append(f"{pair[0]} {pair[1]}"); tokens.append(pair)
    for a, b in itertools.product(pairs, pairs):
        if len(tokens) >= size: break
        merges.append(f"{a} {b}"); tokens.append(a + b)
    return tokens[:size], merges


def write_tokenizer(w, size):
    tokens, merges = vocabulary(size)
    w.add_tokenizer_model("gpt2"); w.add_tokenizer_pre("lfm2"); w.add_token_list(tokens); w.add_token_types([3] * len(SPECIALS) + [1] * (len(tokens) - len(SPECIALS))); w.add_token_merges(merges)
    w.add_bos_token_id(1); w.add_eos_token_id(4); w.add_pad_token_id(0); w.add_add_bos_token(True); w.add_chat_template(TEMPLATE)


def make(name, path):
    w = gguf.GGUFWriter(path, SHAPES[name]["arch"])
    w.add_name(f"random {name}"); w.add_context_length(128000); w.add_file_type(1)
    gemma.add(w, name) if name in gemma.SHAPES else add(w, name)
    write_tokenizer(w, SHAPES[name]["vocab"])
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()


def add(w, name, matrix=None):
    """Adds the numbers and tensors of a shape to a writer; `matrix` makes a matrix of a size."""
    c = SHAPES[name]; rng = np.random.default_rng(0); d, ff, hd, lfm, qwen35, granite = c["d"], c["ff"], c["hd"], *(c["arch"] == a for a in ("lfm2", "qwen35", "granitehybrid"))
    w.add_embedding_length(d); w.add_block_count(c["layers"]); w.add_feed_forward_length(ff)
    w.add_head_count(c["heads"]); w.add_head_count_kv([c["kv"] if i in c["attn"] else 0 for i in range(c["layers"])] if lfm or granite else c["kv"])
    w.add_rope_freq_base(c["rope"]); w.add_layer_norm_rms_eps(1e-5); w.add_vocab_size(c["vocab"])
    if lfm: w.add_shortconv_l_cache(3)
    else: w.add_key_length(hd); w.add_value_length(hd); w.add_rope_dimension_count(hd // 4 if qwen35 else hd)
    if qwen35: w.add_rope_dimension_sections([11, 11, 10, 0])
    oss = c["arch"] == "gpt-oss"
    if "experts" in c: w.add_expert_count(c["experts"]); w.add_expert_used_count(c["used"]); w.add_expert_feed_forward_length(c["inner_ff"])
    if oss: w.add_sliding_window(128); w.add_rope_scaling_type(gguf.RopeScalingType.YARN); w.add_rope_scaling_factor(32.0); w.add_rope_scaling_orig_ctx_len(4096)
    if granite: w.add_logit_scale(3.0); w.add_residual_scale(0.246); w.add_embedding_scale(12.0); w.add_attention_scale(1 / hd); w.add_rope_scaling_finetuned(False)
    if qwen35 or granite: w.add_ssm_conv_kernel(4); w.add_ssm_state_size(c["state"]); w.add_ssm_group_count(c["groups"]); w.add_ssm_time_step_rank(c["rank"]); w.add_ssm_inner_size(c["inner"])
    matrix = matrix or (lambda *s: (rng.standard_normal(s, dtype=np.float32) * 0.02).astype(np.float16))
    norm = lambda n: (1 + 0.01 * rng.standard_normal(n)).astype(np.float32)
    w.add_tensor("token_embd.weight", matrix(c["vocab"], d)); w.add_tensor("token_embd_norm.weight" if lfm else "output_norm.weight", norm(d))
    for i in range(c["layers"]):
        p = f"blk.{i}."
        w.add_tensor(p + "attn_norm.weight", norm(d)); w.add_tensor(p + ("post_attention_norm.weight" if qwen35 or oss else "ffn_norm.weight"), norm(d))
        if "attn" not in c or i in c["attn"]:
            q, kv = c["heads"] * hd, c["kv"] * hd
            w.add_tensor(p + "attn_q.weight", matrix(2 * q if qwen35 else q, d)); w.add_tensor(p + "attn_k.weight", matrix(kv, d)); w.add_tensor(p + "attn_v.weight", matrix(kv, d)); w.add_tensor(p + "attn_output.weight", matrix(d, q))
            if oss:
                small = lambda *s: rng.standard_normal(s, dtype=np.float32) * 0.02
                w.add_tensor(p + "attn_q.bias", small(q)); w.add_tensor(p + "attn_k.bias", small(kv)); w.add_tensor(p + "attn_v.bias", small(kv)); w.add_tensor(p + "attn_output.bias", small(d)); w.add_tensor(p + "attn_sinks.weight", small(c["heads"]))
            if c["arch"] not in ("llama", "granitehybrid", "gpt-oss"): w.add_tensor(p + "attn_q_norm.weight", norm(hd)); w.add_tensor(p + "attn_k_norm.weight", norm(hd))
        elif qwen35 or granite:
            h, inner, keys = c["rank"], c["inner"], c["groups"] * c["state"]; channels = inner + 2 * keys; vector = lambda *s: rng.standard_normal(s, dtype=np.float32) * 0.3
            w.add_tensor(p + "ssm_conv1d.weight", vector(channels, 4)); w.add_tensor(p + "ssm_dt.bias", vector(h)); w.add_tensor(p + "ssm_out.weight", matrix(d, inner))
            if qwen35:
                w.add_tensor(p + "attn_qkv.weight", matrix(channels, d)); w.add_tensor(p + "attn_gate.weight", matrix(inner, d)); w.add_tensor(p + "ssm_alpha.weight", matrix(h, d)); w.add_tensor(p + "ssm_beta.weight", matrix(h, d))
                w.add_tensor(p + "ssm_a", -np.exp(vector(h))); w.add_tensor(p + "ssm_norm.weight", norm(c["state"]))
            else:
                w.add_tensor(p + "ssm_in.weight", matrix(inner + channels + h, d)); w.add_tensor(p + "ssm_conv1d.bias", vector(channels)); w.add_tensor(p + "ssm_d", vector(h, 1))
                w.add_tensor(p + "ssm_a", -np.exp(vector(h, 1))); w.add_tensor(p + "ssm_norm.weight", norm(inner).reshape(c["groups"], -1))
        else:
            w.add_tensor(p + "shortconv.conv.weight", (rng.standard_normal((d, 3), dtype=np.float32) * 0.3)); w.add_tensor(p + "shortconv.in_proj.weight", matrix(3 * d, d)); w.add_tensor(p + "shortconv.out_proj.weight", matrix(d, d))
        if "experts" in c:
            n, inner = c["experts"], c["inner_ff"]
            w.add_tensor(p + "ffn_gate_inp.weight", rng.standard_normal((n, d), dtype=np.float32) * 0.02)
            for part, rows, columns in (("gate", inner, d), ("up", inner, d), ("down", d, inner)):
                w.add_tensor(p + f"ffn_{part}_exps.weight", matrix(n, rows, columns))
                if oss: w.add_tensor(p + f"ffn_{part}_exps.bias", small(n, rows))
            if oss: w.add_tensor(p + "ffn_gate_inp.bias", small(n))
            continue
        w.add_tensor(p + "ffn_gate.weight", matrix(ff, d)); w.add_tensor(p + "ffn_up.weight", matrix(ff, d)); w.add_tensor(p + "ffn_down.weight", matrix(d, ff))
    if oss or "untied" in c: w.add_tensor("output.weight", matrix(c["vocab"], d))


class BlockWriter(gguf.GGUFWriter):
    """Writes every matrix as random blocks of a type; its elements are not looked at."""
    kind, pool = "Q4_0", {}
    # Where a block has its scales in half precision.
    halves = dict.fromkeys(("Q4_0", "Q8_0", "Q1_0", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ1_S", "IQ4_XS", "IQ4_NL"), (0,)) | {
        "Q4_K": (0, 2), "Q5_K": (0, 2), "Q2_K": (80, 82), "Q3_K": (108,), "Q6_K": (208,), "TQ1_0": (52,), "TQ2_0": (64,), "IQ1_M": (), "NVFP4": (), "MXFP4": ()}

    def blocks(self, kind, rows, columns):
        block, length = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]]
        if kind not in self.pool:
            some = np.random.default_rng(1).integers(0, 256, (1 << 16, length), dtype=np.uint8)
            scale = np.frombuffer(np.float16({"Q4_0": 0.004, "Q8_0": 0.0001}.get(kind, 0.0001)).tobytes(), dtype=np.uint8)
            for at in self.halves[kind]: some[:, at:at + 2] = scale
            if kind == "Q6_K": some[:, 192:208] = some[:, 192:208] % 64  # scales of sixteen
            if kind == "IQ1_M": some[:, 49::2] = some[:, 49::2] % 16 + np.array([0, 0, 0x40, 0x10], dtype=np.uint8)  # the nibbles of one scale
            if kind == "NVFP4": some[:, :4] = 0x18
            if kind == "MXFP4": some[:, 0] = 120
            self.pool[kind] = some
        return np.resize(self.pool[kind], (rows * columns // block, length)).reshape(rows, -1)

    def add_tensor(self, name, tensor):
        if isinstance(tensor, Shape):
            kind = "Q6_K" if name in ("token_embd.weight", "output.weight") else self.kind
            super().add_tensor(name, self.blocks(kind, *tensor), raw_dtype=gguf.GGMLQuantizationType[kind])
        else:
            super().add_tensor(name, tensor)


class Shape(tuple):
    """Rows and columns of a matrix whose elements do not matter."""


def make_blocks(name, path, kind):
    w = BlockWriter(path, SHAPES[name]["arch"], use_temp_file=False); w.kind = kind
    w.add_name(f"random {name}"); w.add_context_length(128000); w.add_file_type(int(getattr(gguf.LlamaFileType, "MOSTLY_" + kind, 0)))
    add(w, name, lambda *shape: Shape(shape))
    write_tokenizer(w, SHAPES[name]["vocab"])
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()


def quantize(source, target, kind):
    import llama_cpp
    p = llama_cpp.llama_model_quantize_default_params(); p.nthread = os.cpu_count(); p.ftype = getattr(llama_cpp, "LLAMA_FTYPE_MOSTLY_" + kind)
    if llama_cpp.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(p)) != 0: raise SystemExit(f"quantising {target} failed")


def ensure(folder, name, kind):
    """The path of the model, made if need be."""
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, f"{name}-F16.gguf"); path = os.path.join(folder, f"{name}-{kind}.gguf")
    if not os.path.exists(path) and not os.path.exists(base): make(name, base + ".part"); os.rename(base + ".part", base)
    if not os.path.exists(path): quantize(base, path + ".part", kind); os.rename(path + ".part", path)
    return path


if __name__ == "__main__":
    blocks = sys.argv[1:2] == ["--blocks"]; folder, *words = sys.argv[2 if blocks else 1:]
    for word in words or ["LFM2-1.2B:Q4_0"]:
        name, _, kind = word.partition(":")
        if blocks:
            os.makedirs(folder, exist_ok=True); path = os.path.join(folder, f"{name}-{kind or 'Q4_0'}.gguf")
            if not os.path.exists(path): make_blocks(name, path + ".part", kind or "Q4_0"); os.rename(path + ".part", path)
            print(path)
        else:
            print(ensure(folder, name, kind or "F16"))
