"""The audio demo model in plain torch: LFM2 layers, a FastConformer, a depthformer and a detokeniser, in the layout of LFM2.5-Audio."""
import json, math, os

import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
CODEBOOKS, CODES, END = 8, 2048, 2048

# ---- tables as their files have them ----


def coarse(w):
    """What Q4_0 leaves of a table: 32 values at a time in sixteenths of the largest one. Gradients pass as if nothing were changed.

    Models learn with it; to be judged, their tables are brought to it once.
    """
    blocks = w.detach().unflatten(-1, (-1, 32))
    largest = blocks.gather(-1, blocks.abs().argmax(-1, keepdim=True))
    scale = largest / -8
    kept = (blocks / torch.where(scale == 0, torch.ones_like(scale), scale)).add(8.5).floor().clamp(0, 15).sub(8) * scale.half().float()
    return w + (kept.flatten(-2) - w).detach()


# ---- spectra ----


def mel_filters(count=128, size=512, rate=16000):
    """Triangles of equal area on Slaney's scale."""
    def mel(h): return h * 3 / 200 if h < 1000 else 15 + math.log(h / 1000) * 27 / math.log(6.4)
    def hertz(m): return m * 200 / 3 if m < 15 else 1000 * math.exp((m - 15) * math.log(6.4) / 27)
    edges = np.array([hertz(mel(rate / 2) * i / (count + 1)) for i in range(count + 2)])
    f = np.arange(size // 2 + 1) * rate / size
    low, middle, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return torch.tensor(np.maximum(0, np.minimum((f - low) / (middle - low), (high - f) / (high - middle))) * 2 / (high - low), dtype=torch.float32)


FILTERS = mel_filters()
WINDOW = F.pad(torch.hann_window(400, periodic=False), (56, 56))


def log_mel(x):
    """[B, n] at 16 kHz -> [B, n // 160 + 1, 128], each band of mean 0 and deviation 1, the last frame zero."""
    x = torch.cat([x[:, :1], x[:, 1:] - 0.97 * x[:, :-1]], 1)
    frames = F.pad(x, (256, 256)).unfold(1, 512, 160) * WINDOW
    power = torch.fft.rfft(frames).abs().square()
    y = torch.log(power @ FILTERS.T + 2 ** -24)
    valid = x.shape[1] // 160
    y, total = y[:, :valid], valid + 1
    y = (y - y.mean(1, keepdim=True)) / (y.std(1, keepdim=True) + 1e-5)
    return F.pad(y, (0, 0, 0, total - valid))


# ---- FastConformer ----


class RelativeAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        for name in ("q", "k", "v", "out"): setattr(self, name, nn.Linear(d, d))
        self.pos = nn.Linear(d, d, bias=False)
        self.u = nn.Parameter(torch.zeros(heads, d // heads)); self.v_bias = nn.Parameter(torch.zeros(heads, d // heads))

    def forward(self, x):
        b, n, d = x.shape
        split = lambda y: y.view(b, n, self.heads, -1)
        q, k, v = split(self.q(x)), split(self.k(x)).transpose(1, 2), split(self.v(x)).transpose(1, 2)
        distance = torch.arange(n - 1, -n, -1)[:, None].float()
        angle = distance * torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        p = self.pos(torch.stack([angle.sin(), angle.cos()], -1).flatten(1)).view(2 * n - 1, self.heads, -1).transpose(0, 1)
        content = (q + self.u).transpose(1, 2) @ k.transpose(-1, -2)
        position = (q + self.v_bias).transpose(1, 2) @ p.transpose(-1, -2)
        at = (n - 1) - torch.arange(n)[:, None] + torch.arange(n)[None]
        scores = content + position.gather(-1, at.expand(b, self.heads, n, n))
        return self.out(((scores / math.sqrt(d // self.heads)).softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


class ConformerFeedForward(nn.Module):
    def __init__(self, d, inner):
        super().__init__()
        self.up = nn.Linear(d, inner); self.down = nn.Linear(inner, d)

    def forward(self, x): return self.down(F.silu(self.up(x)))


class ConformerLayer(nn.Module):
    def __init__(self, d, inner, heads, drop):
        super().__init__()
        self.norm1, self.norm_att, self.norm_conv, self.norm2, self.norm_out = (nn.LayerNorm(d) for _ in range(5))
        self.ff1, self.ff2, self.att = ConformerFeedForward(d, inner), ConformerFeedForward(d, inner), RelativeAttention(d, heads)
        self.pw1, self.dw, self.bn, self.pw2 = nn.Linear(d, 2 * d), nn.Conv1d(d, d, 9, padding=4, groups=d), nn.BatchNorm1d(d), nn.Linear(d, d)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        x = x + 0.5 * self.drop(self.ff1(self.norm1(x)))
        x = x + self.drop(self.att(self.norm_att(x)))
        y = F.glu(self.pw1(self.norm_conv(x)), -1)
        x = x + self.drop(self.pw2(F.silu(self.bn(self.dw(y.transpose(1, 2)))).transpose(1, 2)))
        x = x + 0.5 * self.drop(self.ff2(self.norm2(x)))
        return self.norm_out(x)


class Ears(nn.Module):
    """Spectra to vectors of the language model, one for eight frames."""
    def __init__(self, d=160, inner=512, layers=4, heads=4, channels=32, out=192, between=320, words=1, drop=0.05):
        super().__init__()
        c = channels
        self.conv = nn.Sequential(nn.Conv2d(1, c, 3, 2, 1), nn.ReLU(), nn.Conv2d(c, c, 3, 2, 1, groups=c), nn.Conv2d(c, c, 1), nn.ReLU(),
                                  nn.Conv2d(c, c, 3, 2, 1, groups=c), nn.Conv2d(c, c, 1), nn.ReLU())
        self.out = nn.Linear(16 * c, d)
        self.layers = nn.ModuleList(ConformerLayer(d, inner, heads, drop) for _ in range(layers))
        self.adapter = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, between), nn.GELU(), nn.Linear(between, out))
        self.words = nn.Linear(d, words)        # for learning only: which word is being said
        self.shape = dict(d=d, inner=inner, layers=layers, heads=heads, channels=channels, out=out, between=between)

    def forward(self, spectra):
        x = self.conv(spectra[:, None]).transpose(1, 2).flatten(2)
        x = self.out(x)
        for layer in self.layers: x = layer(x)
        return self.adapter(x), self.words(x)


# ---- LFM2 ----


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__(); self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), 1e-5)


def rope(n, size, theta, start=0):
    angle = torch.arange(start, start + n)[:, None] * theta ** (-torch.arange(0, size, 2) / size)
    return angle.cos(), angle.sin()


def turn_halves(x, angles):
    """Rotation of pairs (i, i + size / 2)."""
    cos, sin = angles
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def turn_neighbours(x, angles):
    """Rotation of pairs (2i, 2i + 1)."""
    cos, sin = angles
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)


def attend(q, k, v, mask):
    """q [B, H, n, s]; k and v may have fewer heads."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    return (((q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2) + mask).softmax(-1) @ v).transpose(1, 2).flatten(2)


def causal(n, window=None):
    i = torch.arange(n)
    seen = i[None] <= i[:, None]
    if window: seen &= i[None] > i[:, None] - window
    return torch.zeros(n, n).masked_fill(~seen, float("-inf"))


class Attention(nn.Module):
    def __init__(self, d, heads, kv, size):
        super().__init__()
        self.size = size
        self.q, self.k, self.v, self.out = (nn.Linear(a, b, bias=False) for a, b in ((d, heads * size), (d, kv * size), (d, kv * size), (heads * size, d)))
        self.q_norm, self.k_norm = RMSNorm(size), RMSNorm(size)

    def forward(self, x, angles, mask):
        split = lambda y: y.unflatten(-1, (-1, self.size))
        q = turn_halves(self.q_norm(split(self.q(x))).transpose(1, 2), angles); k = turn_halves(self.k_norm(split(self.k(x))).transpose(1, 2), angles)
        return self.out(attend(q, k, split(self.v(x)).transpose(1, 2), mask))


class ShortConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.inward, self.outward = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.taps = nn.Parameter(torch.randn(d, 1, 3) * 0.4)

    def forward(self, x, *_):
        b, c, y = self.inward(x).chunk(3, -1)
        y, taps = F.pad(b * y, (0, 0, 2, 0)), self.taps[:, 0].T.to(y.dtype)
        return self.outward(c * (y[:, :-2] * taps[0] + y[:, 1:-1] * taps[1] + y[:, 2:] * taps[2]))


class Gated(nn.Module):
    def __init__(self, d, inner):
        super().__init__()
        self.w1, self.w3, self.w2 = nn.Linear(d, inner, bias=False), nn.Linear(d, inner, bias=False), nn.Linear(inner, d, bias=False)

    def forward(self, x): return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Lfm2Layer(nn.Module):
    def __init__(self, d, inner, kind, heads, kv, size):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(d), RMSNorm(d)
        self.kind, self.mix = kind, Attention(d, heads, kv, size) if kind == "attn" else ShortConv(d)
        self.ff = Gated(d, inner)

    def forward(self, x, angles, mask):
        x = x + self.mix(self.norm1(x), angles, mask)
        return x + self.ff(self.norm2(x))


class Lfm2(nn.Module):
    """Layers and the norm behind them; vectors come in."""
    def __init__(self, d, inner, kinds, heads, kv, size, theta, window=None):
        super().__init__()
        self.layers = nn.ModuleList(Lfm2Layer(d, inner, kind, heads, kv, size) for kind in kinds)
        self.norm, self.theta, self.size, self.window = RMSNorm(d), theta, size, window
        self.shape = dict(d=d, inner=inner, kinds=kinds, heads=heads, kv=kv, size=size, theta=theta, window=window)

    def forward(self, x):
        n = x.shape[1]
        angles, mask = rope(n, self.size, self.theta), causal(n, self.window)
        for layer in self.layers: x = layer(x, angles, mask)
        return self.norm(x)


class Language(nn.Module):
    """The text model, and the table that brings frames of codes back to it."""
    def __init__(self, vocabulary, d=192, inner=384, kinds=("conv", "conv", "attn", "conv", "attn", "conv"), heads=3, kv=1, size=64):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, d); nn.init.normal_(self.tokens.weight, 0, d ** -0.5)
        self.frames = nn.Embedding(CODEBOOKS * (CODES + 1), d); nn.init.normal_(self.frames.weight, 0, d ** -0.5)
        self.lfm = Lfm2(d, inner, list(kinds), heads, kv, size, 1e6)

    def embed_frames(self, codes):
        return F.embedding(codes + torch.arange(CODEBOOKS) * (CODES + 1), self.frames.weight if not self.training else coarse(self.frames.weight)).sum(-2)

    def forward(self, vectors): return self.lfm(vectors)

    def logits(self, hidden): return F.linear(hidden, self.tokens.weight)


# ---- depthformer ----


class DepthLayer(nn.Module):
    def __init__(self, d, inner, heads, kv, size):
        super().__init__()
        self.norm1, self.norm2, self.q_norm, self.k_norm = RMSNorm(d), RMSNorm(d), RMSNorm(size), RMSNorm(size)
        self.qkv, self.out = nn.Linear(d, (heads + 2 * kv) * size, bias=False), nn.Linear(heads * size, d, bias=False)
        self.ff, self.parts, self.size = Gated(d, inner), (heads * size, kv * size, kv * size), size

    def forward(self, x, angles, mask):
        q, k, v = (y.unflatten(-1, (-1, self.size)) for y in self.qkv(self.norm1(x)).split(self.parts, -1))
        q = turn_neighbours(self.q_norm(q).transpose(1, 2), angles); k = turn_neighbours(self.k_norm(k).transpose(1, 2), angles)
        x = x + self.out(attend(q, k, v.transpose(1, 2), mask))
        return x + self.ff(self.norm2(x))


class Depthformer(nn.Module):
    def __init__(self, width, d=96, inner=256, layers=3, heads=3, kv=1, size=32):
        super().__init__()
        self.linear = nn.Linear(width, CODEBOOKS * d)
        self.layers = nn.ModuleList(DepthLayer(d, inner, heads, kv, size) for _ in range(layers))
        table = lambda: nn.Parameter(torch.randn(CODEBOOKS, CODES + 1, d) * d ** -0.5)
        self.embedding, self.to_logits = table(), table()
        self.norms = nn.ModuleList(RMSNorm(d) for _ in range(CODEBOOKS))
        self.shape = dict(width=width, d=d, inner=inner, layers=layers, heads=heads, kv=kv, size=size)

    def run(self, hidden, codes, embedding):
        """Hidden [N, width] and the first i codes [N, i] -> vectors [N, i + 1, d]."""
        d, i = self.shape["d"], codes.shape[1]
        x = self.linear(hidden).unflatten(-1, (CODEBOOKS, d))[:, :i + 1]
        before = torch.stack([torch.zeros(len(x), d)] + [embedding[c][codes[:, c]] for c in range(i)], 1)
        x = x + before
        angles, mask = rope(i + 1, self.shape["size"], 1e6), causal(i + 1)
        for layer in self.layers: x = layer(x, angles, mask)
        return x

    def forward(self, hidden, codes):
        """Hidden [N, width] and frames [N, 8] -> logits [N, 8, 2049]."""
        x = self.run(hidden, codes[:, :CODEBOOKS - 1], coarse(self.embedding))
        x = torch.stack([norm(x[:, i]) for i, norm in enumerate(self.norms)])
        return torch.bmm(x, coarse(self.to_logits).to(x.dtype).transpose(1, 2)).transpose(0, 1)

    @torch.no_grad()
    def sample(self, hidden, temperature=0, top=64):
        """Hidden [width] -> 8 codes."""
        codes = torch.zeros(1, 0, dtype=torch.long)
        for i in range(CODEBOOKS):
            x = self.run(hidden[None], codes, self.embedding)[:, i]
            logits = F.linear(self.norms[i](x), self.to_logits[i])[0]
            if temperature > 0:
                logits = logits / temperature
                logits = logits.masked_fill(logits < logits.topk(top).values[-1], float("-inf"))
                code = torch.multinomial(logits.softmax(-1), 1)
            else: code = logits.argmax(keepdim=True)
            codes = torch.cat([codes, code[None]], 1)
        return codes[0]


# ---- detokeniser ----


class Detokeniser(nn.Module):
    """Frames of codes to sound of 24 kHz, 1920 samples each."""
    def __init__(self, d=128, inner=384, kinds=("conv", "conv", "attn", "conv", "attn", "conv"), heads=4, kv=2, size=32):
        super().__init__()
        self.emb = nn.Embedding(CODEBOOKS * CODES, d)
        self.lfm = Lfm2(d, inner, list(kinds), heads, kv, size, 1e6, window=30)
        self.lin = nn.Linear(d, 1282)

    def spectrum(self, codes):
        """[B, n, 8] -> log magnitudes and phases, each [B, 6n, 641]."""
        x = F.embedding(codes + torch.arange(CODEBOOKS) * CODES, coarse(self.emb.weight) if self.training else self.emb.weight).mean(-2).repeat_interleave(6, 1)
        return self.lin(self.lfm(x)).split(641, -1)

    def forward(self, codes): return overlap_add(*self.spectrum(codes))


HANN = torch.hann_window(1280)


def overlap_add(magnitude, phase):
    """Log magnitudes and phases [B, n, 641] -> samples [B, 320 n]."""
    frames = torch.fft.irfft(torch.polar(magnitude.float().exp(), phase.float()), 1280) * HANN
    n = frames.shape[1]
    fold = lambda x: F.fold(x.transpose(1, 2), (1, (n - 1) * 320 + 1280), (1, 1280), stride=(1, 320))[:, 0, 0, 480:-480]
    return fold(frames) / fold(HANN.square().expand(1, n, -1))


# ---- text ----

# The LFM2 family's special tokens, in its own order, and the two of its audio models.
SPECIAL = ["<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|fim_pre|>", "<|fim_mid|>", "<|fim_suf|>", "<|im_start|>", "<|im_end|>",
           "<|tool_list_start|>", "<|tool_list_end|>", "<|tool_call_start|>", "<|tool_call_end|>", "<|tool_response_start|>", "<|tool_response_end|>",
           "<|audio_start|>", "<|text_end|>"]
SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
VOCABULARY = 640
PROMPTS = ["Perform ASR.", "Perform TTS. Use the US male voice.", "Respond with interleaved text and audio."]


def make_tokenizer(sentences):
    tok = Tokenizer(models.BPE(ignore_merges=True))
    tok.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(SPLIT), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tok.decoder = decoders.ByteLevel()
    corpus = list(sentences) + [p for p in PROMPTS for _ in range(400)] + ["system\n", "user\n", "assistant\n"] * 200
    tok.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    n = tok.get_vocab_size()
    if n < VOCABULARY: tok.add_tokens([f"<|reserved_{i}|>" for i in range(VOCABULARY - n)])
    return tok
