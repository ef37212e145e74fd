"""Tiny random models that make vectors of texts, with reference vectors: OUT/<name>.gguf and OUT/<name>.json.

    python make-embedding-fixtures.py OUT [name ...]

The JSON holds texts, each with its token ids and the vectors that transformers computes for its tokens in float32 behind
the last norm (`states`, row-major), and the pooling that the file names. Names of keys and tensors are those of
llama.cpp's converter. Seeds are fixed: running it again gives the same files. Needs torch, transformers, tokenizers, gguf.
"""
import importlib, json, os, sys, tempfile

import gguf, numpy as np, torch
import torch.nn.functional as F
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertModel, Lfm2Config, Lfm2ForCausalLM, Qwen3Config, Qwen3ForCausalLM
from transformers.models.lfm2 import modeling_lfm2

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gguf_export import Exporter
fixtures = importlib.import_module("make-fixtures")
TEXTS = fixtures.TEXT + [" ".join(fixtures.TEXT), "a"]
POOLING = {"none": gguf.PoolingType.NONE, "mean": gguf.PoolingType.MEAN, "cls": gguf.PoolingType.CLS,
           "last": gguf.PoolingType.LAST}


def randomise(model):
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.ndim != 1:
                p.mul_(4.0)
            elif "norm" in name.lower() and name.endswith("weight"):
                p.copy_(1 + 0.1 * torch.randn_like(p))
            else:
                p.copy_(0.1 * torch.randn_like(p))


def word_pieces():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(fixtures.TEXT * 4, trainers.WordPieceTrainer(vocab_size=200, special_tokens=special))
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return t


def write_bert(path, name, model, t, pooling, fused):
    cfg, w = model.config, gguf.GGUFWriter(path, "bert")
    w.add_name(name)
    w.add_file_type(0)
    w.add_context_length(cfg.max_position_embeddings)
    w.add_embedding_length(cfg.hidden_size)
    w.add_block_count(cfg.num_hidden_layers)
    w.add_feed_forward_length(cfg.intermediate_size)
    w.add_head_count(cfg.num_attention_heads)
    w.add_layer_norm_eps(cfg.layer_norm_eps)
    w.add_causal_attention(False)
    w.add_pooling_type(POOLING[pooling])
    w.add_token_type_count(cfg.type_vocab_size)
    vocab = t.get_vocab()
    control = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    tokens = sorted(vocab, key=vocab.get)
    w.add_tokenizer_model("bert")
    w.add_tokenizer_pre("default")
    w.add_token_list([k if k in control else k[2:] if k.startswith("##") else "\u2581" + k for k in tokens])
    w.add_token_types([3 if k in control else 1 for k in tokens])
    w.add_pad_token_id(0)
    w.add_unk_token_id(1)
    w.add_bos_token_id(2)
    w.add_sep_token_id(3)
    w.add_mask_token_id(4)
    sd = {k: v.detach().float().numpy() for k, v in model.state_dict().items()}
    put = lambda name, *keys: w.add_tensor(name, np.concatenate([sd[k] for k in keys]))
    put("token_embd.weight", "embeddings.word_embeddings.weight")
    put("position_embd.weight", "embeddings.position_embeddings.weight")
    put("token_types.weight", "embeddings.token_type_embeddings.weight")
    names = {"token_embd_norm": "embeddings.LayerNorm"}
    for i in range(cfg.num_hidden_layers):
        p, g = f"encoder.layer.{i}.", f"blk.{i}."
        query = [p + f"attention.self.{x}" for x in ("query", "key", "value")]
        if fused:
            for kind in ("weight", "bias"):
                put(f"{g}attn_qkv.{kind}", *[f"{q}.{kind}" for q in query])
        else:
            names.update({g + "attn_" + x: q for x, q in zip("qkv", query)})
        names.update({g + "attn_output": p + "attention.output.dense", g + "ffn_up": p + "intermediate.dense",
                      g + "attn_output_norm": p + "attention.output.LayerNorm", g + "ffn_down": p + "output.dense",
                      g + "layer_output_norm": p + "output.LayerNorm"})
    for a, b in names.items():
        for kind in ("weight", "bias"):
            put(f"{a}.{kind}", f"{b}.{kind}")
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def bert(out, name, pooling, fused):
    t = word_pieces()
    model = BertModel(BertConfig(
        vocab_size=t.get_vocab_size(), hidden_size=36, num_attention_heads=3, num_hidden_layers=2, intermediate_size=72,
        max_position_embeddings=160, type_vocab_size=2, hidden_act="gelu"), add_pooling_layer=False).float().eval()
    randomise(model)
    write_bert(os.path.join(out, name + ".gguf"), "fixture-" + name, model, t, pooling, fused)
    ids = [t.encode(text).ids for text in TEXTS]
    return ids, [model(input_ids=torch.tensor([i])).last_hidden_state[0] for i in ids], None


class EmbeddingExporter(Exporter):
    def __init__(self, d, out, name, pooling, causal, dense):
        self.pooling, self.causal, self.dense = pooling, causal, dense
        super().__init__(d, out, "f32", name)

    def hyperparameters(self):
        super().hyperparameters()
        self.w.add_pooling_type(POOLING[self.pooling])
        if not self.causal:
            self.w.add_causal_attention(False)
        if self.dense is not None:
            self.w.add_embedding_length_out(self.dense.shape[0])

    def tensors(self):
        super().tensors()
        if self.dense is not None:
            self.put("dense_2.weight", self.dense.numpy())


def centred_convolution(self, hidden_states, *arguments, **options):
    b, c, x = self.in_proj(hidden_states).transpose(-1, -2).chunk(3, dim=-2)
    taps = self.conv.weight.shape[-1]
    mixed = F.conv1d(b * x, self.conv.weight, self.conv.bias, padding=(taps - 1) // 2, groups=b.shape[-2])
    return self.out_proj((c * mixed).transpose(-1, -2).contiguous())


def exported(out, name, model, pre, pooling, causal=True, dense=None):
    randomise(model)
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        t = fixtures.tokenizer(d, pre)
        EmbeddingExporter(d, os.path.join(out, name + ".gguf"), "fixture-" + name, pooling, causal, dense)
    ids = [[1] + t.encode(text).ids for text in TEXTS]
    return ids, [model.model(input_ids=torch.tensor([i])).last_hidden_state[0] for i in ids], dense


SMALL = dict(hidden_size=32, num_attention_heads=4, num_key_value_heads=2, intermediate_size=64, num_hidden_layers=4,
             layer_types=["conv", "full_attention", "conv", "full_attention"])


def lfm2(out, name, pooling, causal, dense=None):
    model = Lfm2ForCausalLM(Lfm2Config(**dict(fixtures.LFM2, **SMALL), attn_implementation="eager")).float().eval()
    if causal:
        return exported(out, name, model, "lfm2", pooling, dense=dense)
    saved = modeling_lfm2.create_causal_mask, modeling_lfm2.Lfm2ShortConv.forward
    modeling_lfm2.create_causal_mask = lambda *arguments, **options: None
    modeling_lfm2.Lfm2ShortConv.forward = centred_convolution
    try:
        return exported(out, name, model, "lfm2", pooling, causal=False)
    finally:
        modeling_lfm2.create_causal_mask, modeling_lfm2.Lfm2ShortConv.forward = saved


MODELS = {
    "bert-mean": lambda out, name: bert(out, name, "mean", fused=False),
    "bert-cls": lambda out, name: bert(out, name, "cls", fused=True),
    "lfm2-retrieval": lambda out, name: lfm2(out, name, "cls", causal=False),
    "lfm2-colbert": lambda out, name: lfm2(out, name, "none", causal=True, dense=torch.randn(24, 32) * 0.3),
    "qwen3-last": lambda out, name: exported(out, name, Qwen3ForCausalLM(Qwen3Config(
        **dict(fixtures.PLAIN, hidden_size=32, intermediate_size=64, num_hidden_layers=2), head_dim=16,
        tie_word_embeddings=True, rope_parameters=fixtures.rope(1e6))).float().eval(), "qwen2", "last"),
}


def main(out, names):
    for name in names or MODELS:
        torch.manual_seed(11)
        with torch.no_grad():
            ids, states, dense = MODELS[name](out, name)
            if dense is not None:
                states = [s @ dense.T for s in states]
        pooling = {"bert-mean": "mean", "bert-cls": "cls", "lfm2-retrieval": "cls", "lfm2-colbert": "none",
                   "qwen3-last": "last"}[name]
        json.dump({"pooling": pooling, "width": states[0].shape[1], "texts": [
            {"text": text, "ids": i, "states": [round(float(x), 6) for x in s.flatten()]}
            for text, i, s in zip(TEXTS, ids, states)]}, open(os.path.join(out, name + ".json"), "w"))
        size = os.path.getsize(os.path.join(out, name + ".gguf"))
        print(name, [len(i) for i in ids], states[0].shape[1], round(float(states[0].abs().max()), 2), size)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
