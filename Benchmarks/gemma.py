"""Random-weight models at the shapes of Gemma 3n and Gemma 4, for `models.py`.

Tensors are made when they are written, one after the other: the tables of vectors for each layer are larger than the rest of a small model.
"""
import gguf, numpy as np
from gguf.lazy import LazyNumpyTensor

# The last layer of each period sees everything. `shared`: last layers that read keys and values of earlier ones.
SHAPES = {
    "Gemma4-E2B": dict(arch="gemma4", d=1536, ff=6144, wide=12288, layers=35, heads=8, kv=1, hd=512, local=256, period=5, shared=20, window=512, per=256, vocab=262144),
    # The first layers of 30.
    "Gemma4-26B-A4B-2L": dict(arch="gemma4", d=2816, ff=2112, wide=2112, layers=2, heads=16, kv=8, full_kv=2, hd=512, local=256, period=2, shared=0, window=1024, per=0,
                              vocab=262144, experts=128, used=8, inner_ff=704),
    "Gemma3n-E2B": dict(arch="gemma3n", d=2048, ff=8192, wide=8192, layers=30, heads=8, kv=2, hd=256, local=256, period=5, shared=10, window=512, per=256, vocab=262144),
}
STREAMS, RANK = 4, 64
# Rows of the table of vectors for each layer that differ: it is made of copies of them.
DISTINCT_ROWS = 4096


def lazy(dtype, shape, make): return LazyNumpyTensor(meta=LazyNumpyTensor.meta_with_dtype_and_shape(np.dtype(dtype), shape), args=(), func=make)


class Sink:
    """Adds tensors to a writer, each with numbers of its own that are drawn when it is written."""

    def __init__(self, writer): self.writer, self.rng = writer, np.random.default_rng(0)

    def matrix(self, name, *shape, scale=0.02):
        self.writer.add_tensor(name + ".weight", lazy(np.float16, shape, lambda: (self.rng.standard_normal(shape, dtype=np.float32) * np.float32(scale)).astype(np.float16)))

    def table(self, name, rows, columns):
        def make(): return np.tile((self.rng.standard_normal((DISTINCT_ROWS, columns), dtype=np.float32) * 0.02).astype(np.float16), (rows // DISTINCT_ROWS, 1))
        self.writer.add_tensor(name + ".weight", lazy(np.float16, (rows, columns), make))

    def floats(self, name, *shape, mean=1.0, deviation=0.01):
        self.writer.add_tensor(name, (mean + deviation * self.rng.standard_normal(shape)).astype(np.float32))

    def norm(self, name, n): self.floats(name + ".weight", n)


def slides(c): return [(i + 1) % c["period"] != 0 for i in range(c["layers"])]


def numbers(w, c):
    gemma4 = c["arch"] == "gemma4"; local = slides(c)
    w.add_embedding_length(c["d"]); w.add_block_count(c["layers"]); w.add_head_count(c["heads"]); w.add_layer_norm_rms_eps(1e-6); w.add_vocab_size(c["vocab"])
    w.add_feed_forward_length([c["wide"] if i >= c["layers"] - c["shared"] else c["ff"] for i in range(c["layers"])])
    w.add_head_count_kv([c["kv"] if l else c["full_kv"] for l in local] if "full_kv" in c else c["kv"])
    w.add_key_length(c["hd"]); w.add_value_length(c["hd"]); w.add_rope_freq_base(1e6); w.add_sliding_window(c["window"]); w.add_sliding_window_pattern(local)
    w.add_uint32(f"{c['arch']}.attention.shared_kv_layers", c["shared"]); w.add_embedding_length_per_layer_input(c["per"])
    if gemma4:
        w.add_rope_dimension_count(c["hd"]); w.add_final_logit_softcapping(30.0); w.add_float32("gemma4.rope.freq_base_swa", 1e4)
        for key in ("attention.key_length_swa", "attention.value_length_swa", "rope.dimension_count_swa"): w.add_uint32(f"gemma4.{key}", c["local"])
    else:
        w.add_altup_active_idx(0); w.add_altup_num_inputs(STREAMS); w.add_activation_sparsity_scale([1.6448535919189453 if i < 10 else float("-inf") for i in range(c["layers"])])
    if "experts" in c: w.add_expert_count(c["experts"]); w.add_expert_used_count(c["used"]); w.add_expert_feed_forward_length(c["inner_ff"])


def layer(s, c, i):
    p = f"blk.{i}."; d = c["d"]; hd = c["local"] if slides(c)[i] else c["hd"]; kv = c["kv"] if slides(c)[i] else c.get("full_kv", c["kv"]); reads = i >= c["layers"] - c["shared"]
    ff = c["wide"] if reads else c["ff"]
    for name in ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"): s.norm(p + name, d)
    s.matrix(p + "attn_q", c["heads"] * hd, d); s.matrix(p + "attn_output", d, c["heads"] * hd); s.norm(p + "attn_q_norm", hd)
    if not reads or c["arch"] == "gemma3n":  # files of Gemma 3n have these for all layers
        s.matrix(p + "attn_k", kv * hd, d); s.norm(p + "attn_k_norm", hd)
        if slides(c)[i] or "full_kv" not in c: s.matrix(p + "attn_v", kv * hd, d)
    s.matrix(p + "ffn_gate", ff, d); s.matrix(p + "ffn_up", ff, d); s.matrix(p + "ffn_down", d, ff)
    if c["per"]: s.matrix(p + "inp_gate", c["per"], d); s.matrix(p + "proj", d, c["per"]); s.norm(p + "post_norm", d)
    if c["arch"] == "gemma4": s.floats(p + "layer_output_scale.weight", 1, mean=0.5)
    if "experts" in c:
        n, inner = c["experts"], c["inner_ff"]
        for name in ("pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"): s.norm(p + name, d)
        s.floats(p + "ffn_gate_inp.weight", n, d, mean=0, deviation=0.02); s.floats(p + "ffn_gate_inp.scale", d); s.floats(p + "ffn_down_exps.scale", n)
        s.matrix(p + "ffn_gate_up_exps", n, 2 * inner, d); s.matrix(p + "ffn_down_exps", n, d, inner)
    if c["arch"] == "gemma3n":
        s.matrix(p + "laurel_l", RANK, d); s.matrix(p + "laurel_r", d, RANK); s.norm(p + "laurel_post_norm", d); s.norm(p + "altup_router_norm", d); s.norm(p + "altup_correct_scale", d)
        s.floats(p + "altup_router.weight", STREAMS, d, mean=0, deviation=0.02)
        s.floats(p + "altup_predict_coef.weight", STREAMS * STREAMS, STREAMS, mean=0, deviation=0.05); s.floats(p + "altup_correct_coef.weight", STREAMS, STREAMS, mean=0, deviation=0.05)


def add(w, name):
    """Adds the numbers and tensors of a shape to a writer."""
    c = SHAPES[name]; s = Sink(w); numbers(w, c)
    s.matrix("token_embd", c["vocab"], c["d"]); s.norm("output_norm", c["d"])
    if c["arch"] == "gemma4": w.add_tensor("rope_freqs.weight", np.array([1.0] * (c["hd"] // 8) + [1e30] * (c["hd"] // 2 - c["hd"] // 8), dtype=np.float32))
    else: s.matrix("altup_proj", STREAMS - 1, c["d"], c["d"]); s.matrix("altup_unembd_proj", STREAMS - 1, c["d"], c["d"])
    if c["per"]:
        s.table("per_layer_token_embd", c["vocab"], c["per"] * c["layers"]); s.matrix("per_layer_model_proj", c["per"] * c["layers"], c["d"]); s.norm("per_layer_proj_norm", c["per"])
    for i in range(c["layers"]): layer(s, c, i)
