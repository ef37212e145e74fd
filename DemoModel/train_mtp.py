"""Trains a block for the demo model that predicts a further token (MTP, "NextN" in files) and writes it as a file apart; the model itself stays as it is.

    python train_mtp.py MODEL.gguf OUT.gguf [--minutes M] [--seed N]

The block is an attention layer of the LFM2 architecture with a network of 512. It learns to say what the model would say one, two and three tokens later
(the model's own probabilities are the target), on conversations of corpus.py. The time is that of one processor core. At the end the quantised block is
measured on conversations that it was not trained on. Needs torch, tokenizers, numpy, gguf.
"""
import argparse, json, math, random, time
import gguf, numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from tokenizers import Regex, Tokenizer, models, pre_tokenizers
import corpus

ap = argparse.ArgumentParser()
ap.add_argument("model"); ap.add_argument("out"); ap.add_argument("--minutes", type=float, default=12); ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--tokens-per-step", type=int, default=2048); ap.add_argument("--seed", type=int, default=0); ap.add_argument("--held-out", type=int, default=200)
a = ap.parse_args()
torch.manual_seed(a.seed); torch.set_num_threads(1)

INNER, STEPS, WEIGHTS = 512, 3, (1.0, 0.7, 0.5)
SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"   # as in train.py

reader = gguf.GGUFReader(a.model)
fields = {k: f for k, f in reader.fields.items() if not k.startswith("GGUF.")}
get = lambda k: fields[k].contents()
W = {t.name: torch.from_numpy(np.ascontiguousarray(gguf.quants.dequantize(t.data, t.tensor_type), dtype=np.float32)) for t in reader.tensors}
LAYERS, WIDTH, HEADS, KV = get("lfm2.block_count"), get("lfm2.embedding_length"), get("lfm2.attention.head_count"), get("lfm2.attention.head_count_kv")
EPS, THETA = get("lfm2.attention.layer_norm_rms_epsilon"), get("lfm2.rope.freq_base")
HEAD, GROUPS, LAST = WIDTH // HEADS, max(KV), max(i for i in range(LAYERS) if KV[i])
E = W["token_embd.weight"]

tok = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(get("tokenizer.ggml.tokens"))}, merges=[tuple(m.split(" ")) for m in get("tokenizer.ggml.merges")]))
tok.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(SPLIT), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
tok.add_special_tokens([t for t, k in zip(get("tokenizer.ggml.tokens"), get("tokenizer.ggml.token_type")) if k != 1])

def rms(x, w): return F.rms_norm(x, (x.shape[-1],), w, EPS)

def turned(x, start):                           # [batch, places, heads, HEAD] at the positions from `start` on
    half = HEAD // 2
    angles = (start + torch.arange(x.shape[1]))[:, None] * THETA ** (-torch.arange(half) / half)
    c, s = angles.cos()[:, None], angles.sin()[:, None]; u, v = x[..., :half], x[..., half:]
    return torch.cat([u * c - v * s, v * c + u * s], -1)

def split(x, heads): return x.view(*x.shape[:2], heads, HEAD)

def spread(x): return x.repeat_interleave(HEADS // GROUPS, 2).transpose(1, 2)

@torch.no_grad()
def trunk(x):
    """The model's vectors behind its last norm."""
    h = E[x]
    for i in range(LAYERS):
        p = f"blk.{i}."; w = lambda n: W[p + n + ".weight"]
        r = rms(h, w("attn_norm"))
        if KV[i]:
            q = turned(rms(split(r @ w("attn_q").T, HEADS), w("attn_q_norm")), 0); k = turned(rms(split(r @ w("attn_k").T, GROUPS), w("attn_k_norm")), 0)
            y = F.scaled_dot_product_attention(q.transpose(1, 2), spread(k), spread(split(r @ w("attn_v").T, GROUPS)), is_causal=True)
            h = h + y.transpose(1, 2).reshape(h.shape) @ w("attn_output").T
        else:
            b, c, z = (r @ w("shortconv.in_proj").T).chunk(3, -1); filters = W[p + "shortconv.conv.weight"]; taps = filters.shape[1]
            z = F.conv1d(F.pad((b * z).transpose(1, 2), (taps - 1, 0)), filters[:, None], groups=WIDTH).transpose(1, 2)
            h = h + (c * z) @ w("shortconv.out_proj").T
        r = rms(h, w("ffn_norm"))
        h = h + (F.silu(r @ w("ffn_gate").T) * (r @ w("ffn_up").T)) @ w("ffn_down").T
    return rms(h, W["token_embd_norm.weight"])

class Block(nn.Module):
    """Its parameters have the names that they have in the file, with _ for the dots."""
    def __init__(self):
        super().__init__()
        last = lambda n: W[f"blk.{LAST}.{n}.weight"]
        self.w = nn.ParameterDict()
        for n in ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "attn_q_norm", "attn_k_norm", "ffn_norm"): self.put(n, last(n))
        self.put("ffn_gate", last("ffn_gate")[:INNER]); self.put("ffn_up", last("ffn_up")[:INNER]); self.put("ffn_down", last("ffn_down")[:, :INNER])
        self.put("nextn.eh_proj", torch.cat([torch.zeros(WIDTH, WIDTH), torch.eye(WIDTH)], 1) + 0.02 * torch.randn(WIDTH, 2 * WIDTH))
        self.put("nextn.enorm", torch.ones(WIDTH)); self.put("nextn.hnorm", torch.ones(WIDTH)); self.put("nextn.shared_head_norm", W["token_embd_norm.weight"])
    def put(self, n, v): self.w[n.replace(".", "_")] = nn.Parameter(v.clone())
    def forward(self, h, x):
        """The vectors of STEPS steps from each row: a token and the vector in front of it, zeros for the first, and what follows from both."""
        w, outs, kept, count = self.w, [], [], x.shape[1] - 1
        h = F.pad(h, (0, 0, 1, 0))
        for step in range(STEPS):
            rows = count - step
            h = h[:, :rows]
            c = torch.cat([rms(E[x[:, step:step + rows]], w["nextn_enorm"]), rms(h, w["nextn_hnorm"])], -1) @ w["nextn_eh_proj"].T
            r = rms(c, w["attn_norm"])
            q = turned(rms(split(r @ w["attn_q"].T, HEADS), w["attn_q_norm"]), step).transpose(1, 2)
            k = spread(turned(rms(split(r @ w["attn_k"].T, GROUPS), w["attn_k_norm"]), step)); v = spread(split(r @ w["attn_v"].T, GROUPS))
            kept.append((k, v))
            # A row of a later step sees the first step's rows up to its own, and its own of every step.
            k, v = (y[:, :, :rows] for y in kept[0])
            scores = [(q @ k.transpose(2, 3)).masked_fill(torch.ones(rows, rows, dtype=torch.bool).triu(1), -math.inf)]
            scores += [(q * k[:, :, :rows]).sum(-1, keepdim=True) for k, _ in kept[1:]]
            p = (torch.cat(scores, -1) / math.sqrt(HEAD)).softmax(-1)
            y = p[..., :rows] @ v
            for j, (_, v) in enumerate(kept[1:]): y = y + p[..., rows + j:rows + j + 1] * v[:, :, :rows]
            c = c + y.transpose(1, 2).reshape(c.shape) @ w["attn_output"].T
            r = rms(c, w["ffn_norm"])
            h = rms(c + (F.silu(r @ w["ffn_gate"].T) * (r @ w["ffn_up"].T)) @ w["ffn_down"].T, w["nextn_shared_head_norm"])
            outs.append(h)
        return outs

def encode(turns, tools):
    ids, counts = [], []
    for text, counted in corpus.render(turns, tools):
        e = tok.encode(text, add_special_tokens=False).ids
        ids += e; counts += [counted] * len(e)
    return ids[:1024], counts[:1024]

def batches(seed, samples=None):
    r = random.Random(seed)
    while True:
        pool = sorted((encode(*corpus.sample(r)) for _ in range(samples or 256)), key=lambda x: len(x[0]))
        out, cur = [], []
        for s in pool:
            if cur and (len(cur) + 1) * len(s[0]) > a.tokens_per_step: out.append(cur); cur = []
            cur.append(s)
        out.append(cur); r.shuffle(out)
        for b in out:
            L = max(len(i) for i, _ in b); x = torch.zeros(len(b), L, dtype=torch.long); c = torch.zeros(len(b), L, dtype=torch.bool)
            for j, (i, m) in enumerate(b): x[j, :len(i)] = torch.tensor(i); c[j, :len(i)] = torch.tensor(m)
            yield x, c
        if samples: return

@torch.no_grad()
def measure(block, seed, samples):
    """Of replies: how often a step says what the model says at the same place, where all steps before it said what stands there."""
    right, all_ = [0] * STEPS, [0] * STEPS
    for x, c in batches(seed, samples):
        h = trunk(x)
        valid = torch.ones(x.shape[0], x.shape[1] - 1, dtype=torch.bool)
        for s, out in enumerate(block(h, x)):
            rows = out.shape[1]; valid = valid[:, :rows]
            keep = valid & c[:, 1 + s:1 + s + rows]
            own = torch.zeros(x.shape[0], rows, dtype=torch.long); own[keep] = (h[:, s:s + rows][keep] @ E.T).argmax(-1)
            said = torch.full_like(own, -1); said[keep] = (out[keep] @ E.T).argmax(-1)
            all_[s] += int(keep.sum()); right[s] += int((said == own)[keep].sum())
            valid = keep & (said == own) & (own == x[:, 1 + s:1 + s + rows])
    return [r / max(n, 1) for r, n in zip(right, all_)], all_

def quantised(name, v):
    if v.ndim < 2: return v, None
    return gguf.quants.quantize(v, gguf.GGMLQuantizationType.Q8_0), gguf.GGMLQuantizationType.Q8_0

def export(block):
    w = gguf.GGUFWriter(a.out, "lfm2"); w.add_name("leap-demo MTP"); w.add_file_type(7)
    own = {"lfm2.block_count": LAYERS + 1, "lfm2.nextn_predict_layers": 1}
    for k, v in own.items(): w.add_uint32(k, v)
    w.add_array("lfm2.attention.head_count_kv", KV + [GROUPS]); w.add_array("lfm2.feed_forward_length", [get("lfm2.feed_forward_length")] * LAYERS + [INNER])
    skipped = [*own, "lfm2.attention.head_count_kv", "lfm2.feed_forward_length", "tokenizer.chat_template"]
    for k, f in fields.items():
        if k.startswith(("lfm2.", "tokenizer.")) and k not in skipped:
            w.add_key_value(k, f.contents(), f.types[0], f.types[-1] if f.types[0] == gguf.GGUFValueType.ARRAY else None)
    for n, v in block.w.items():
        name = f"blk.{LAYERS}.{n.replace('nextn_', 'nextn.')}.weight"
        data, kind = quantised(name, v.detach().numpy())
        w.add_tensor(name, np.ascontiguousarray(data), raw_dtype=kind)
        if kind is not None: v.data.copy_(torch.from_numpy(gguf.quants.dequantize(data, kind)))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()

block = Block()
print("parameters", sum(p.numel() for p in block.parameters()), flush=True)
decay = [p for p in block.parameters() if p.ndim >= 2]; rest = [p for p in block.parameters() if p.ndim < 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0.0}], lr=a.lr, betas=(0.9, 0.98), eps=1e-8)
start, seen, step, avg = time.process_time(), 0, 0, None
for x, c in batches(a.seed + 1000):
    done = (time.process_time() - start) / 60 / a.minutes
    if done >= 1: break
    for g in opt.param_groups: g["lr"] = a.lr * min(1, (step + 1) / 20) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
    h, loss = trunk(x), 0
    for s, out in enumerate(block(h, x)):
        rows = out.shape[1]; keep = c[:, 1 + s:1 + s + rows]
        if not keep.any(): continue
        target = (h[:, s:s + rows][keep] @ E.T).softmax(-1)
        loss = loss - WEIGHTS[s] * (target * (out[keep] @ E.T).log_softmax(-1)).sum(-1).mean()
    opt.zero_grad(set_to_none=True); loss.backward(); nn.utils.clip_grad_norm_(block.parameters(), 1.0); opt.step()
    seen += x.numel(); step += 1; avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
    if step % 20 == 0: print(f"step {step} loss {avg:.4f} tokens {seen/1e3:.0f}k {(time.process_time()-start)/60:.1f} min", flush=True)
export(block)
share, counts = measure(block, a.seed + 2000, a.held_out)
together = np.cumprod(share)
print(json.dumps({"tokens": seen, "steps": step, "share": [round(s, 4) for s in share], "together": [round(float(t), 4) for t in together], "places": counts}))
