"""Trains the decision demo models on world.py, on one thread of a processor.

    python train.py labels OUT.pt --minutes 10
    python train.py masks OUT.pt --init LABELS.pt --minutes 10

Minutes are those of the processor's time; --wall ends the run after so many by the clock, with the same decay of rates. Needs torch, tokenizers, jinja2.
"""
import argparse, random, time

import torch, torch.nn as nn, torch.nn.functional as F

import measure, model as parts, prompts, world

ap = argparse.ArgumentParser()
ap.add_argument("kind", choices=["labels", "masks"]); ap.add_argument("out"); ap.add_argument("--init"); ap.add_argument("--resume")
ap.add_argument("--minutes", type=float, default=10); ap.add_argument("--wall", type=float, default=1e9); ap.add_argument("--seed", type=int, default=0)
ap.add_argument("--tokens", type=int, default=1200); ap.add_argument("--questions", type=int, default=5); ap.add_argument("--rate", type=float, default=1.0); ap.add_argument("--choices", type=float, default=0, help="the least share of choices among questions")
a = ap.parse_args()
torch.manual_seed(a.seed); torch.set_num_threads(1)
saved = torch.load(a.init or a.resume, weights_only=False) if a.init or a.resume else None
tok = prompts.Tokenizer.from_str(saved["tokenizer"]) if saved else prompts.make_tokenizer()
written = prompts.Prompts(tok)
model = parts.LabelModel(prompts.VOCABULARY) if a.kind == "labels" else parts.MaskModel(prompts.VOCABULARY)
if a.resume: model.load_state_dict(saved["weights"])
elif a.init:
    labels = parts.LabelModel(prompts.VOCABULARY); labels.load_state_dict(saved["weights"]); model.begin(labels)
print("parameters", sum(p.numel() for p in model.parameters()), flush=True)

r = random.Random(f"train {a.seed}")


class Muon:
    """Steps of matrices along the nearest orthogonal matrix of their momentum, by four iterations of Newton and Schulz; those of a shape together."""

    def __init__(self, parameters, rate):
        shapes = {}
        for p in parameters: shapes.setdefault(p.shape, []).append(p)
        self.groups, self.param_groups = [(g, torch.zeros(len(g), *shape)) for shape, g in shapes.items()], [{"lr": rate}]

    @torch.no_grad()
    def step(self):
        for group, momentum in self.groups:
            gradient = torch.stack([p.grad for p in group])
            momentum.lerp_(gradient, 0.05)
            x = gradient.lerp(momentum, 0.95)
            wide = x.shape[1] <= x.shape[2]
            if not wide: x = x.transpose(1, 2)
            x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
            for _ in range(4):
                s = x @ x.transpose(1, 2)
                x = 3.4445 * x + (2.0315 * (s @ s) - 4.7750 * s) @ x
            if not wide: x = x.transpose(1, 2)
            rate = self.param_groups[0]["lr"]
            for p, step in zip(group, x): p.mul_(1 - 0.02 * rate).sub_(step, alpha=rate * max(1, p.shape[0] / p.shape[1]) ** 0.5)


def label_batches():
    while True:
        pool = []
        for _ in range(192):
            state, asked = world.item(r, "train", a.questions)
            if r.random() < a.choices:
                state, more = world.item(r, "train", 3 * a.questions)
                asked = sorted(more, key=lambda q: q["type"] != "choice")[:a.questions]
            pool.append(measure.branches(written, state, asked))
        pool.sort(key=lambda x: len(x[0]) + a.questions * max(len(b) for b in x[1]))
        batches, cur, longest = [], [], (0, 0)
        for x in pool:
            size = (max(longest[0], len(x[0])), max(longest[1], max(len(b) for b in x[1])))
            if cur and (len(cur) + 1) * (size[0] + a.questions * size[1]) > a.tokens: batches.append(cur); cur, size = [], (len(x[0]), max(len(b) for b in x[1]))
            cur.append(x); longest = size
        r.shuffle(batches)
        yield from batches


def label_loss(batch, step):
    states, lengths, branches, ends, groups, answers, marks = measure.label_tensors(batch)
    hs, hb, inner = model(states, lengths, branches)
    last = hb.flatten(0, 1)[torch.arange(len(ends)), ends]
    loss = F.cross_entropy(model.scores(last, groups), answers)
    total = loss
    if not a.resume:
        # The texts themselves, a little: it teaches words, and to look for what came before.
        there = torch.arange(states.shape[1] - 1) >= states.shape[1] - lengths[:, None]
        total = total + 0.15 * F.cross_entropy(F.linear(hs[:, :-1][there], model.trunk.embed.weight), states[:, 1:][there])
    else:
        # Behind an option's text, before the last layer, it is known whether the option is right, and which label it has: what is left is to look there.
        asked = marks[:, 0] >= 0
        at = inner.flatten(0, 1)[asked].gather(1, marks[asked].clamp(min=0)[..., None].expand(-1, -1, parts.WIDTH))
        at, there = F.rms_norm(at, (parts.WIDTH,)), marks[asked] >= 0
        known = marker(at)[..., 0].masked_fill(~there, float("-inf"))
        own = torch.einsum("mow,mpsw->mops", at, model.trunk.embed(groups[asked].clamp(min=0))).masked_fill((groups[asked] < 0)[:, None], float("-inf")).amax(-1)
        total = total + F.cross_entropy(known, answers[asked]) + 0.3 * F.cross_entropy(own[there], torch.arange(there.shape[1]).expand(there.shape)[there])
    return loss, total, len(answers), states.numel() + branches.numel()


def mask_batches():
    while True:
        pool = []
        for _ in range(256):
            state, asked = world.item(r, "train", a.questions)
            pool += [(*written.masked(state, q), prompts.TYPES[q["type"]], q["answer"]) for q in asked]
        pool.sort(key=lambda x: len(x[0]))
        batches, cur = [], []
        for x in pool:
            if cur and (len(cur) + 1) * len(x[0]) > a.tokens: batches.append(cur); cur = []
            cur.append(x)
        r.shuffle(batches)
        yield from batches


def mask_loss(batch, step):
    tokens, lengths, types, masks, answers = measure.mask_tensors(batch)
    loss = F.cross_entropy(model(tokens, lengths, types, masks), answers)
    return loss, loss, len(answers), tokens.numel()


batches, loss_of = (label_batches(), label_loss) if a.kind == "labels" else (mask_batches(), mask_loss)
matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and min(p.shape) > 3 and "embed" not in n and "output" not in n]
chosen = {id(p) for p in matrices}
marker = parts.linear(parts.WIDTH, 1)
rest = [p for p in model.parameters() if id(p) not in chosen] + ([marker.weight] if a.kind == "labels" else [])
muon = Muon(matrices, 0.02 * a.rate)
adam = torch.optim.AdamW(rest, lr=4e-3 * a.rate, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01)
rates = [(g, g["lr"]) for o in (muon, adam) for g in o.param_groups]


def save(): torch.save({"kind": a.kind, "tokenizer": tok.to_str(), "weights": model.state_dict()}, a.out)


start, begun, mean, asked, seen, step = time.process_time(), time.time(), None, 0, 0, 0
while True:
    used, wall = (time.process_time() - start) / 60, (time.time() - begun) / 60
    done = max(used / a.minutes, wall / a.wall)
    if done >= 1: break
    for g, rate in rates: g["lr"] = rate * min(1, (step + 1) / 40) * max(0.01, min(1, (1 - done) / 0.7))
    loss, total, count, tokens = loss_of(next(batches), step)
    model.zero_grad(set_to_none=True); marker.zero_grad(set_to_none=True)
    total.backward(); nn.utils.clip_grad_norm_(model.parameters(), 1.0); muon.step(); adam.step()
    asked, seen, step = asked + count, seen + tokens, step + 1
    mean = loss.item() if mean is None else 0.97 * mean + 0.03 * loss.item()
    if step % 25 == 0: print(f"step {step} loss {mean:.4f} questions {asked} tokens {seen / 1e6:.2f}M {seen / used / 60:.0f} tok/s {used:.2f} of {wall:.2f} min", flush=True)
    if step % 100 == 0: save()
save()
