"""The decision demo models in torch: a small LFM2, which reads causally (lfm2-d1) or both ways with a head that scores options at masks (lfm2-d1-omni)."""
import torch, torch.nn as nn, torch.nn.functional as F

WIDTH, HEADS, KV, INNER, TAPS, EPS, BASE = 128, 4, 2, 256, 3, 1e-5, 10000.0
HEAD = WIDTH // HEADS
LABEL_LAYERS, MASK_LAYERS, HEAD_BLOCKS = "cacaa", "caca", 1


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x): return F.rms_norm(x, x.shape[-1:], self.weight, EPS)


def linear(columns, rows, scale=1.0, bias=False):
    layer = nn.Linear(columns, rows, bias=bias)
    nn.init.normal_(layer.weight, 0, scale * columns ** -0.5)
    if bias: nn.init.zeros_(layer.bias)
    return layer


def rotate(x, first):
    """Heads of rows at positions first, first + 1, …, with the first half turned against the second. x: (…, rows, HEAD)."""
    angle = torch.arange(first, first + x.shape[-2])[:, None] * BASE ** (-torch.arange(0, HEAD, 2) / HEAD)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1)


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.in_proj, self.out_proj = linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH, 0.15)
        self.taps = nn.Parameter(torch.tensor([0.0, 0.3, 0.7]).repeat(WIDTH, 1) + 0.05 * torch.randn(WIDTH, TAPS))

    def parts(self, x):
        b, c, x = self.in_proj(x).chunk(3, -1)
        return b * x, c

    def mix(self, padded, c):
        """padded: two rows more than c, in front of it or around it."""
        n = c.shape[-2]
        return self.out_proj(c * sum(self.taps[:, j] * padded[..., j:j + n, :] for j in range(TAPS)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(WIDTH, WIDTH), linear(WIDTH, KV * HEAD), linear(WIDTH, KV * HEAD), linear(WIDTH, WIDTH, 0.15)
        self.q_norm, self.k_norm = RMSNorm(HEAD), RMSNorm(HEAD)

    @torch.no_grad()
    def match(self):
        """Begins with one head that looks for the same word elsewhere: equal queries and keys, in dimensions that turn slowly."""
        same = torch.randn(HEAD, WIDTH) * WIDTH ** -0.5
        same[torch.arange(HEAD) % (HEAD // 2) < HEAD // 4] *= 0.1
        self.q.weight[:HEAD] = same; self.k.weight[:HEAD] = same

    def parts(self, x, first):
        """Queries, keys and values as (…, heads, rows, HEAD), keys and values repeated for their queries."""
        split = lambda y: y.unflatten(-1, (-1, HEAD)).transpose(-2, -3)
        q, k, v = rotate(self.q_norm(split(self.q(x))), first), rotate(self.k_norm(split(self.k(x))), first), split(self.v(x))
        repeat = lambda y: y.repeat_interleave(HEADS // KV, -3)
        return q * HEAD ** -0.5, repeat(k), repeat(v)

    def join(self, mixed): return self.out(mixed.transpose(-2, -3).flatten(-2))


class Layer(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.norm, self.mixer, self.ffn_norm = RMSNorm(WIDTH), Convolution() if kind == "c" else Attention(), RMSNorm(WIDTH)
        self.gate, self.up, self.down = linear(WIDTH, INNER), linear(WIDTH, INNER), linear(INNER, WIDTH, 0.15)

    def feed(self, x):
        y = self.ffn_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Trunk(nn.Module):
    def __init__(self, vocabulary, layers):
        super().__init__()
        self.embed, self.layers, self.norm = nn.Embedding(vocabulary, WIDTH), nn.ModuleList(Layer(k) for k in layers), RMSNorm(WIDTH)
        nn.init.normal_(self.embed.weight, 0, 0.15)
        for layer in [x for x in self.layers if isinstance(x.mixer, Attention)][:2]: layer.mixer.match()


def unseen(allowed): return torch.zeros(allowed.shape).masked_fill(~allowed, float("-inf"))


class LabelModel(nn.Module):
    """Causal; scores are logits of label tokens behind the prompt. Questions about a state are branches that continue it."""

    def __init__(self, vocabulary):
        super().__init__()
        self.trunk = Trunk(vocabulary, LABEL_LAYERS)

    def forward(self, states, lengths, branches):
        """states: (n, S), with padding in front; lengths of them; branches: (n, q, B), with padding behind. Returns hidden rows of both, and those of
        the branches before the last layer."""
        n, before = states.shape
        there = torch.arange(before) >= before - lengths[:, None]
        order = torch.arange(before)
        first = unseen((order[None, :] <= order[:, None]) & (there[:, None, :] | (order[None, :] == order[:, None])))[:, None]
        later = unseen(there)[:, None, None, None]
        rows = torch.arange(branches.shape[2])
        own = unseen(rows[None, :] <= rows[:, None])
        s, b = self.trunk.embed(states), self.trunk.embed(branches)
        for layer in self.trunk.layers:
            before_last = b
            ns, nb = layer.norm(s), layer.norm(b)
            if isinstance(layer.mixer, Convolution):
                us, cs = layer.mixer.parts(ns)
                ub, cb = layer.mixer.parts(nb)
                us = us * there[..., None]
                s = s + layer.mixer.mix(F.pad(us, (0, 0, 2, 0)), cs)
                b = b + layer.mixer.mix(torch.cat([us[:, None, -2:].expand(-1, b.shape[1], -1, -1), ub], 2), cb)
            else:
                q, k, v = layer.mixer.parts(ns, 0)
                s = s + layer.mixer.join((q @ k.transpose(-1, -2) + first).softmax(-1) @ v)
                qb, kb, vb = layer.mixer.parts(nb, before)
                weights = torch.cat([qb @ k[:, None].transpose(-1, -2) + later, qb @ kb.transpose(-1, -2) + own], -1).softmax(-1)
                b = b + layer.mixer.join(weights[..., :before] @ v[:, None] + weights[..., before:] @ vb)
            s, b = layer.feed(s), layer.feed(b)
        return self.trunk.norm(s), self.trunk.norm(b), before_last

    def scores(self, last, groups):
        """last: (m, WIDTH); groups: (m, options, spellings) of tokens, -1 for none. Options that are none have -inf."""
        found = torch.einsum("mw,mosw->mos", last, self.trunk.embed(groups.clamp(min=0)))
        return found.masked_fill(groups < 0, float("-inf")).amax(-1)


class HeadBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(WIDTH), linear(WIDTH, 3 * WIDTH, bias=True), linear(WIDTH, WIDTH, 0.15, bias=True)
        self.ffn_norm, self.up, self.down = nn.LayerNorm(WIDTH), linear(WIDTH, 4 * WIDTH, bias=True), linear(4 * WIDTH, WIDTH, 0.15, bias=True)

    def forward(self, x, hidden):
        split = lambda y: y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        q, k, v = (split(y) for y in self.qkv(self.norm(x)).chunk(3, -1))
        mixed = ((q * HEAD ** -0.5) @ k.transpose(-1, -2) + hidden).softmax(-1) @ v
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.down(F.relu(self.up(self.ffn_norm(x))))


class MaskModel(nn.Module):
    """Reads both ways; a score at the mask in front of each option."""

    def __init__(self, vocabulary):
        super().__init__()
        self.trunk = Trunk(vocabulary, MASK_LAYERS)
        self.types = nn.Embedding(3, WIDTH)
        self.blocks = nn.ModuleList(HeadBlock() for _ in range(HEAD_BLOCKS))
        self.norm, self.dense, self.output = nn.LayerNorm(WIDTH), linear(WIDTH, WIDTH, bias=True), linear(WIDTH, 1, bias=True)

    def forward(self, tokens, lengths, types, masks):
        """tokens: (n, L), with padding behind; masks: (n, options), -1 for none. Returns the scores, -inf for none."""
        there = torch.arange(tokens.shape[1]) < lengths[:, None]
        hidden = unseen(there)[:, None, None]
        x = self.trunk.embed(tokens)
        for layer in self.trunk.layers:
            y = layer.norm(x)
            if isinstance(layer.mixer, Convolution):
                u, c = layer.mixer.parts(y)
                x = x + layer.mixer.mix(F.pad(u * there[..., None], (0, 0, 1, 1)), c)
            else:
                q, k, v = layer.mixer.parts(y, 0)
                x = x + layer.mixer.join((q @ k.transpose(-1, -2) + hidden).softmax(-1) @ v)
            x = layer.feed(x)
        x = self.trunk.norm(x) + self.types(types)[:, None]
        for block in self.blocks: x = block(x, hidden)
        at = x.gather(1, masks.clamp(min=0)[..., None].expand(-1, -1, WIDTH))
        return self.output(F.gelu(self.dense(self.norm(at))))[..., 0].masked_fill(masks < 0, float("-inf"))

    @torch.no_grad()
    def begin(self, labels):
        """Takes over what a label model knows of words: its middle tap is the one for the current position there, and the first one that for the last."""
        weights = {k: v for k, v in labels.trunk.state_dict().items() if k in self.trunk.state_dict() and v.shape == self.trunk.state_dict()[k].shape}
        for name, value in weights.items():
            if name.endswith("taps"): weights[name] = torch.stack([value[:, 1], value[:, 2], 0.5 * value[:, 1]], 1)
        self.trunk.load_state_dict(weights, strict=False)
