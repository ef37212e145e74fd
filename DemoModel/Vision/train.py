"""Trains the vision demo model on world.py, with the demo model's weights to begin with; one CPU core is enough.

    python train.py tower OUT --demo DEMO_HF --minutes 20      # the tower and the projector, on what each square of a picture shows
    python train.py joint OUT --init OUT --minutes 45          # all of it, on questions and answers, with the demo model's text among them

OUT holds a Hugging Face checkpoint, and heads.pt: the classifiers of the first stage, which are used in training only.
"""
import argparse, json, math, os, random, time

import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import Lfm2VlForConditionalGeneration

import model as parts, world
import corpus

ap = argparse.ArgumentParser()
ap.add_argument("stage", choices=["tower", "joint"]); ap.add_argument("out"); ap.add_argument("--demo"); ap.add_argument("--init")
ap.add_argument("--minutes", type=float, default=20); ap.add_argument("--batch", type=int, default=32); ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--rate", type=float, default=1.0, help="factor on the learning rates"); ap.add_argument("--final", type=float, default=0.02)
ap.add_argument("--mix", default="0.5,0.25", help="shares of shapes and numbers"); ap.add_argument("--extra", type=int, default=0, help="numbers that the tower sees besides")
ap.add_argument("--questions", type=int, default=11); ap.add_argument("--text", type=float, default=0.08)
a = ap.parse_args()
torch.set_num_threads(1); torch.manual_seed(a.seed); os.makedirs(a.out, exist_ok=True)
r = random.Random(a.seed)
# Sizes that are 64 to 72 tokens.
SHAPES = [(256, 256)] * 7 + [(320, 224), (224, 320), (288, 256), (256, 288)]

if a.init:
    tok = Tokenizer.from_file(os.path.join(a.init, "tokenizer.json"))
    model = Lfm2VlForConditionalGeneration.from_pretrained(a.init, dtype=torch.float32)
else:
    tok = parts.tokenizer(a.demo); model = parts.build(tok, a.demo)
model.model.language_model.config._attn_implementation = "plain"
heads = nn.ModuleDict({name.replace(" ", "_"): nn.Linear(256, n) for name, n in world.HEADS.items()})
if a.init: heads.load_state_dict(torch.load(os.path.join(a.init, "heads.pt")))


MIX = [float(x) for x in a.mix.split(",")]


def pictures(count, shape, mix):
    """Pictures of one size in the encoder, a part of them drawn smaller and enlarged, as small files are."""
    scenes, images, marks = [], [], []
    for _ in range(count):
        scene = world.sample_scene(r, *mix); scenes.append(scene)
        w, h = shape
        if r.random() < 0.25:
            image, where = world.draw(r, scene, w // 2, h // 2)
            image = F.interpolate(torch.from_numpy(image).permute(2, 0, 1)[None], (h, w), mode="bilinear", antialias=True)[0].permute(1, 2, 0)
            where = where.repeat(2, 0).repeat(2, 1)
        else:
            image, where = world.draw(r, scene, w, h); image = torch.from_numpy(image)
        images.append(image); marks.append(world.labels(scene, where))
    return scenes, torch.stack(images), {k: torch.from_numpy(np.stack([m[k] for m in marks])) for k in world.HEADS}


# What a square shows comes first; what takes comparing squares counts less, so that it does not drown that.
WEIGHTS = {"class": 4.0, "color": 1.0, "value": 1.0, "number": 0.3, "alike": 0.3, "same color": 0.3}


def tower_loss(vectors, marks):
    total, hits = 0, {}
    for name in world.HEADS:
        target = marks[name]
        keep = target >= 0
        if not keep.any(): continue
        logits = heads[name.replace(" ", "_")](vectors[keep]).float()
        each = F.cross_entropy(logits, target[keep], reduction="none")
        weight = torch.ones_like(each)
        if name == "class": weight[target[keep] == 0] = 0.25
        total = total + WEIGHTS.get(name, 0.5) * (each * weight).sum() / weight.sum()
        shown = target[keep] != 0 if name == "class" else torch.ones_like(target[keep], dtype=torch.bool)
        hits[name] = ((logits.argmax(1) == target[keep]) & shown).sum().item() / max(1, shown.sum().item())
    return total, hits


# ---- text ----
cache = {}


def ids(text):
    if text not in cache: cache[text] = tok.encode(text, add_special_tokens=False).ids
    return cache[text]


START, IMAGE, END = (tok.token_to_id(t) for t in ("<|image_start|>", "<image>", "<|image_end|>"))


def turns(scene, limit):
    pool = world.questions(r, scene)
    r.shuffle(pool)
    pool = pool[:limit]
    # Answers that give much away come last, mostly.
    return sorted(pool, key=lambda q: q[0] in ("description", "json")) if r.random() < 0.7 else pool


def json_facts(scene):
    """What a schema may ask for."""
    if scene.kind == "number": return {"number": scene.number, "color": scene.color}
    if scene.kind == "chart":
        values = [v for _, v in scene.bars]
        highest = [c for c, v in scene.bars if v == max(values)]
        return {"bars": len(values), **({"highest": highest[0]} if len(highest) == 1 else {})}
    facts = {"count": len(scene.objects)}
    if len(scene.objects) == 1:
        cell, shape, color = scene.objects[0]
        facts = {"shape": shape, "color": color, "position": world.PLACES[cell]}
    return facts


def elsewhere(question, place):
    return f"In the {place} picture, {question[0].lower()}{question[1:]}"


def sequence(scenes, tokens):
    """-> token ids with -1 in the places of pictures, and the weight of each in the loss."""
    out, weight = ids("<|startoftext|>").copy(), [0.0]
    def add(piece, w=0.0): out.extend(piece); weight.extend([w] * len(piece))
    picture = [START] + [-1] * tokens + [END]
    def say(question, answer, before=()):
        add(ids("<|im_start|>user\n")); add(before)
        add(ids(question)); add(ids("<|im_end|>\n")); add(ids("<|im_start|>assistant\n"))
        add(ids(answer) + ids("<|im_end|>"), 1.0); add(ids("\n"))
    if r.random() < 0.35:
        add(ids("<|im_start|>system\n" + r.choice(corpus.SYSTEMS) + "<|im_end|>\n"))
    facts = json_facts(scenes[0])
    if len(scenes) == 1 and facts and r.random() < 0.08:
        keys = r.sample(list(facts), r.randint(1, len(facts)))
        kind = lambda v: {"type": "integer"} if isinstance(v, int) else {"type": "string"}
        schema = {"type": "object", "properties": {k: kind(facts[k]) for k in keys}, "required": keys}
        out, weight = ids("<|startoftext|>").copy(), [0.0]
        dense = (",", ":") if r.random() < 0.5 else (", ", ": ")
        add(tok.encode("<|im_start|>system\n" + r.choice(["", r.choice(corpus.SYSTEMS) + "\n\n"]) + "Answer with JSON that follows this JSON Schema: "
                       + json.dumps(schema, separators=dense) + "<|im_end|>\n", add_special_tokens=False).ids)
        answer = json.dumps({k: facts[k] for k in keys})
        say(r.choice(["What is in the picture?", "Describe the picture.", "Describe the picture as JSON.", "What is this?"]), answer, picture)
    elif len(scenes) == 1:
        for i, (_, q, answer) in enumerate(turns(scenes[0], a.questions)): say(q, answer, picture if i == 0 else ())
    if len(scenes) == 1: return out, weight
    plain = lambda s: [q for q in turns(s, 20) if q[0] not in ("description", "json", "picture") and " picture" not in q[1]]
    named = [(elsewhere(q, place), answer) for s, place in zip(scenes, ("first", "second")) for _, q, answer in plain(s)[:a.questions // 2]]
    kinds = [s.kind for s in scenes]
    if kinds[0] != kinds[1]:
        which = r.randrange(2)
        named.append((f"Which picture shows {dict(shapes='shapes', number='a number', chart='a bar chart')[kinds[which]]}?", ["The first.", "The second."][which]))
    r.shuffle(named)
    if r.random() < 0.5:
        for i, (q, answer) in enumerate(named): say(q, answer, picture * 2 if i == 0 else ())
    else:
        for i, (_, q, answer) in enumerate(turns(scenes[0], a.questions // 3)): say(q, answer, picture if i == 0 else ())
        for i, (_, q, answer) in enumerate(turns(scenes[1], a.questions // 2)): say(q, answer, picture if i == 0 else ())
        for q, answer in named[:2]: say(q, answer)
    return out, weight


def language_loss(sequences, vectors=None):
    """-> summed loss of the weighted tokens, their weight, and how many answers are right to the letter."""
    length = max(len(s) for s, _ in sequences)
    x = torch.zeros(len(sequences), length, dtype=torch.long); w = torch.zeros(len(sequences), length)
    for j, (s, m) in enumerate(sequences): x[j, :len(s)] = torch.tensor(s); w[j, :len(s)] = torch.tensor(m)
    places = x < 0
    lm = model.model.language_model
    h = lm.embed_tokens(x.clamp(min=0))
    if vectors is not None: h = h.masked_scatter(places[:, :, None], vectors.to(h.dtype))
    h = lm(inputs_embeds=h, use_cache=False).last_hidden_state[:, :-1]
    target, weight = x[:, 1:], w[:, 1:]
    keep = weight > 0
    logits = F.linear(h[keep], lm.embed_tokens.weight).float()
    loss = (F.cross_entropy(logits, target[keep], reduction="none") * weight[keep]).sum()
    right = torch.ones_like(target, dtype=torch.bool)
    right[keep] = logits.argmax(1) == target[keep]
    # An answer is a run of weighted tokens.
    begins = keep & ~F.pad(keep[:, :-1], (1, 0))
    run = begins.long().cumsum(1) * keep
    wrong = {(i, n) for i, n in zip(*[t.tolist() for t in torch.where(~right)])}
    wrong = {(i, run[i, n].item()) for i, n in wrong}
    answers = begins.sum().item()
    return loss, answers, answers - len(wrong)


def replay(budget):
    out = []
    while budget > 0:
        s, w = [], []
        for text, counts in corpus.render(*corpus.sample(r)):
            e = tok.encode(text, add_special_tokens=False).ids
            s += e; w += [1.0 if counts else 0.0] * len(e)
        if len(s) > 400: continue
        out.append((s, w)); budget -= len(s)
    return out


# ---- optimisers ----
class Muon(torch.optim.Optimizer):
    """Momentum whose steps are made orthogonal, by Newton and Schulz's iteration (K. Jordan, 2024)."""
    def __init__(self, groups, momentum=0.95): super().__init__(groups, dict(lr=0.02, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None: continue
                state = self.state[p]
                m = state.setdefault("m", torch.zeros_like(p))
                m.lerp_(p.grad, 1 - group["momentum"])
                x = p.grad.lerp(m, group["momentum"]).bfloat16()
                flip = x.shape[0] > x.shape[1]
                if flip: x = x.T
                x = x / (x.norm() + 1e-7)
                for _ in range(5):
                    b = x @ x.T
                    x = 3.4445 * x + (-4.7750 * b + 2.0315 * b @ b) @ x
                if flip: x = x.T
                p.mul_(1 - group["lr"] * group.get("decay", 0.0)).add_(x.to(p.dtype), alpha=-group["lr"] * max(1, p.shape[0] / p.shape[1]) ** 0.5)


tower, projector, lm = model.model.vision_tower, model.model.multi_modal_projector, model.model.language_model
joint = a.stage == "joint"
matrices = [p for n, p in tower.encoder.named_parameters() if p.ndim == 2]
rest = [p for n, p in tower.named_parameters() if not any(p is m for m in matrices) and "embeddings" not in n] + list(heads.parameters())
muon = [dict(params=matrices, base=0.006 if joint else 0.02, decay=0.02)]
adam = [dict(params=rest, base=6e-4 if joint else 2e-3, weight_decay=0.0),
        dict(params=list(tower.embeddings.parameters()), base=3e-4, weight_decay=0.0),
        dict(params=list(projector.parameters()), base=3e-3 if joint else 2e-3, weight_decay=0.0)]
if joint:
    inner = [p for n, p in lm.layers.named_parameters() if p.ndim == 2]
    muon.append(dict(params=inner, base=0.006, decay=0.02))
    adam.append(dict(params=[p for p in lm.parameters() if not any(p is m for m in inner)], base=8e-4, weight_decay=0.0))
opts = [Muon(muon), torch.optim.AdamW(adam, lr=1e-3, betas=(0.9, 0.98), eps=1e-8)]


def save():
    model.save_pretrained(a.out); parts.save_tokenizer(tok, a.out); torch.save(heads.state_dict(), os.path.join(a.out, "heads.pt"))


if not a.init: parts.prepare(model, pictures(300, (256, 256), MIX)[1])
if joint:
    # The demo model's first layer makes its vectors a hundred times as long: what stands for a picture comes in at such a size as is not lost beside that.
    with torch.no_grad():
        spread = parts.encode(model, pictures(16, (256, 256), MIX)[1]).std().item()
        if spread < 2:
            for p in projector.linear_2.parameters(): p.mul_(3 / spread)
            for head in heads.values(): head.weight.mul_(spread / 3)
    print("spread", spread, flush=True)
start, mean, seen, step = time.time(), {}, 0, 0
while True:
    done = (time.time() - start) / 60 / a.minutes
    if done >= 1: break
    factor = a.rate * min(1, (step + 1) / 30) * (a.final + (1 - a.final) * min(1, 1.25 * (1 - done)))
    for opt in opts:
        for g in opt.param_groups: g["lr"] = g["base"] * factor
    shape = r.choice(SHAPES)
    scenes, images, marks = pictures(a.batch, shape, MIX); seen += a.batch
    if a.extra:
        _, more, seen_there = pictures(a.extra, shape, (0.25, 0.65))
        images = torch.cat([images, more]); marks = {k: torch.cat([v, seen_there[k]]) for k, v in marks.items()}
    shown = {}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        vectors = parts.encode(model, images)
        loss, hits = tower_loss(vectors, marks)
        shown["squares"] = loss.item(); shown |= hits
        if joint:
            loss = 0.25 * loss
            sequences, at = [], 0
            while at < a.batch:
                n = 2 if r.random() < 0.12 and at + 2 <= a.batch else 1
                sequences.append((*sequence(scenes[at:at + n], vectors.shape[1]), range(at, at + n))); at += n
            # Groups of like lengths, so that little is computed for padding.
            sequences.sort(key=lambda s: len(s[0]))
            third, total, answers, right = -(-len(sequences) // 3), 0, 0, 0
            for group in (sequences[i:i + third] for i in range(0, len(sequences), third)):
                at = [i for s in group for i in s[2]]
                part, asked, hit = language_loss([s[:2] for s in group], vectors[at].flatten(0, 1))
                total, answers, right = total + part, answers + asked, right + hit
            spoken = total / sum(sum(s[1]) for s in sequences)
            loss = loss + spoken
            shown["answers"] = spoken.item(); shown["right"] = right / answers
    loss.backward()
    if joint and a.text:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            old = replay(a.text * sum(len(s[0]) for s in sequences))
            spoken = language_loss(old)[0] / sum(sum(w) for _, w in old)
        (0.3 * spoken).backward(); shown["text"] = spoken.item()
    everything = [p for o in opts for g in o.param_groups for p in g["params"]]
    nn.utils.clip_grad_norm_(everything, 1.0 if joint else 5.0)
    for opt in opts: opt.step(); opt.zero_grad(set_to_none=True)
    for k, v in shown.items(): mean[k] = v if k not in mean else mean[k] + 0.05 * (v - mean[k])
    step += 1
    if step % 20 == 1: print(f"{(time.time() - start) / 60:5.1f} min step {step} pictures {seen} {seen / (time.time() - start):.1f}/s " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()), flush=True)
    if step % 200 == 0: save()
save()
print("saved", a.out, "pictures", seen)
