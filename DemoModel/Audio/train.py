"""Trains the audio demo model.

    python train.py OUT --speech A.npz [B.npz ...] [--init FOLDER] [--voice VOICE.npz] [--minutes M] [--batch N] [--rate X]

Without --voice it learns to hear: words under `Perform ASR.`, answers in text without a system message. With --voice, which codec.py makes,
it also learns to speak: the answers as frames of codes, one behind the other or between the text, and to understand its own voice.
"""
import argparse, json, math, os, random, time

import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from tokenizers import Tokenizer

import judge, model as parts, speech, world

ap = argparse.ArgumentParser()
ap.add_argument("out"); ap.add_argument("--speech", nargs="+", required=True); ap.add_argument("--init"); ap.add_argument("--voice")
ap.add_argument("--minutes", type=float, default=30); ap.add_argument("--batch", type=int, default=48); ap.add_argument("--rate", type=float, default=2e-3)
ap.add_argument("--seed", type=int, default=0); ap.add_argument("--alone", type=float, default=0, help="minutes at the beginning without the language model"); ap.add_argument("--words", type=float, default=1.0)
ap.add_argument("--talk", type=float, default=1.0, help="the share of answers and of speech")
ap.add_argument("--threads", type=int, default=2); ap.add_argument("--test", help="held-out recordings of speech.py")
a = ap.parse_args()
torch.manual_seed(a.seed); torch.set_num_threads(a.threads); os.makedirs(a.out, exist_ok=True)
r, noise = random.Random(a.seed), np.random.default_rng(a.seed)

# ---- what is said ----
texts, samples, words = [], [], []
for path in a.speech:
    data = np.load(path)
    whole, begins = data["samples"], data["words"].astype(int)
    starts, word_starts = ([0] + data[k].tolist() for k in ("ends", "word_ends"))
    for i, text in enumerate(data["texts"].tolist()):
        texts.append(text); samples.append(whole[starts[i]:starts[i + 1]]); words.append(begins[word_starts[i]:word_starts[i + 1]])
voice = np.load(a.voice) if a.voice else None
own = {}
if voice is not None:                      # its own voice, decoded, at 16 kHz
    own = {text: torch.tensor(voice[f"codes{i}"]) for i, text in enumerate(world.ANSWERS)}
    own_sounds = [(text, voice[f"sound{i}"]) for i, text in enumerate(world.ANSWERS)]
order = sorted(range(len(texts)), key=lambda i: len(samples[i]))
print(len(texts), "recordings", flush=True)

# ---- the model ----
if a.init: tok = Tokenizer.from_file(os.path.join(a.init, "tokenizer.json"))
else:
    tokens_of = random.Random(5)
    tok = parts.make_tokenizer([world.sentence(tokens_of) for _ in range(8000)] + world.ANSWERS * 40)
tok.save(os.path.join(a.out, "tokenizer.json"))
ears, language, depth = parts.Ears(words=len(world.WORDS) + 1), parts.Language(tok.get_vocab_size()), parts.Depthformer(192)
modules = dict(ears=ears, language=language, depth=depth)
if a.init:
    for name, module in modules.items(): module.load_state_dict(torch.load(os.path.join(a.init, name + ".pt")))


def save():
    for name, module in modules.items(): torch.save(module.state_dict(), os.path.join(a.out, name + ".pt"))


# ---- sequences: token ids, ("sound", number in the batch), ("frame", codes) ----
cache = {}


def ids(text):
    if text not in cache: cache[text] = tok.encode(text, add_special_tokens=False).ids
    return cache[text]


(IM_END,), (AUDIO_START,), (TEXT_END,) = ids("<|im_end|>"), ids("<|audio_start|>"), ids("<|text_end|>")
END_FRAME = torch.full((8,), parts.END)


def interleaved(answer):
    """Text and frames as the loop of the engine asks for them: six tokens, twelve frames, and all frames that are left behind the text's end."""
    text, frames = ids(answer) + [TEXT_END], list(own[answer]) + [END_FRAME]
    out, speaking, left, done = [], False, 6, False
    while True:
        left -= 1
        if not speaking:
            if done and not frames: return out + [IM_END]
            token = text.pop(0); out.append(token); done = token == TEXT_END
            if left == 0 or done: speaking, left = True, 12
        else:
            frame = frames.pop(0); out.append(("frame", frame))
            if left == 0 and not done: speaking, left = False, 6
            if frame[0] == parts.END:
                assert done, answer
                speaking = False


def turn(role, items, learn=False):
    """-> items and whether each is learned."""
    head, tail = ids(f"<|im_start|>{role}\n"), ids("\n")
    if not learn: items = items + [IM_END]
    return [(x, False) for x in head] + [(x, learn) for x in items] + [(x, False) for x in tail]


def start(system=None):
    return [(ids("<|startoftext|>")[0], False)] + (turn("system", ids(system)) if system else [])


def heard(numbers, said):
    """Sequences of a batch's sounds."""
    out = [start("Perform ASR.") + turn("user", [("sound", n)]) + turn("assistant", ids(said[n]) + [IM_END], True) for n in numbers]
    left = [n for n in numbers if r.random() < 0.5 * a.talk]
    while left:
        speak = voice is not None and r.random() < 0.6
        count = r.choice([1, 1, 1, 1, 2, 3])
        sequence = start("Respond with interleaved text and audio." if speak else None)
        for n in left[:count]:
            text, what = said[n], [("sound", n)]
            if count > 1 and r.random() < 0.25:     # typed among the spoken ones
                text = r.choice(world.EXCHANGES)[0]; what = ids(text)
            answer = world.answer(text)
            sequence += turn("user", what) + turn("assistant", interleaved(answer) if speak else ids(answer) + [IM_END], True)
        out.append(sequence); left = left[count:]
    for _ in range(len(numbers) // 4):      # typed
        question = r.choice(world.EXCHANGES)[0] if r.random() < 0.7 else world.sentence(r)
        answer = world.answer(question)
        speak = voice is not None and r.random() < 0.5
        out.append(start("Respond with interleaved text and audio." if speak else None) + turn("user", ids(question))
                   + turn("assistant", interleaved(answer) if speak else ids(answer) + [IM_END], True))
    if voice is not None:
        for _ in range(int(a.talk * len(numbers) / 5)):
            text = r.choice(world.ANSWERS)
            who = "US male" if r.random() < 0.8 else r.choice(["US female", "UK male", "UK female"])
            out.append(start(f"Perform TTS. Use the {who} voice.") + turn("user", ids(text))
                       + turn("assistant", [AUDIO_START] + [("frame", f) for f in own[text]] + [("frame", END_FRAME), IM_END], True))
    return out


def flat(sequence, length):
    """A sequence with a sound's vectors one by one: (kind, what, learned)."""
    out = []
    for x, learn in sequence:
        if not isinstance(x, tuple): out.append(("token", x, learn))
        elif x[0] == "sound": out += [("sound", x[1] * length + i, False) for i in range(length)]
        else: out.append(("frame", x[1], learn))
    return out


def language_loss(sequences, vectors, shown):
    """The loss of the tokens and of the frames that are learned."""
    rows = sorted((flat(s, vectors.shape[1]) for s in sequences), key=len)
    # Groups of like lengths, so that little is computed for padding.
    groups, cut = [], 0
    for i in range(1, len(rows) + 1):
        if i == len(rows) or len(rows[i]) > 1.25 * len(rows[cut]) + 8: groups.append(rows[cut:i]); cut = i
    speaking, texts, wanted_tokens, spoken, wanted_frames = vectors.flatten(0, 1), [], [], [], []
    for group in groups:
        length = max(map(len, group))
        x = torch.zeros(len(group), length, dtype=torch.long); sound = x - 1; targets = x - 100
        codes, places, learned = [], [], []
        for j, row in enumerate(group):
            for i, (kind, what, learn) in enumerate(row):
                if kind == "token":
                    x[j, i] = what
                    if learn: targets[j, i - 1] = what
                elif kind == "sound": sound[j, i] = what
                else:
                    codes.append(what); places.append((j, i))
                    if learn: learned.append((j, i - 1)); wanted_frames.append(what)
        h = language.tokens(x)
        h = torch.where((sound >= 0)[..., None], speaking[sound.clamp(min=0)].to(h.dtype), h)
        if codes: h = h.index_put(tuple(torch.tensor(places).T), language.embed_frames(torch.stack(codes)).to(h.dtype))
        h = language(h)
        keep = targets >= 0
        texts.append(h[keep]); wanted_tokens.append(targets[keep])
        if learned: spoken.append(h[tuple(torch.tensor(learned).T)])
    logits, targets = language.logits(torch.cat(texts)).float(), torch.cat(wanted_tokens)
    loss = F.cross_entropy(logits, targets)
    shown["text"] = loss.item(); shown["tokens"] = (logits.argmax(1) == targets).float().mean().item()
    if spoken:
        hidden, wanted = torch.cat(spoken), torch.stack(wanted_frames)
        if len(wanted) > 320:
            chosen = torch.randperm(len(wanted))[:320]; hidden, wanted = hidden[chosen], wanted[chosen]
        logits = depth(hidden, wanted).float()
        # Behind the end there is nothing to tell.
        wanted = wanted.clone(); wanted[wanted[:, 0] == parts.END, 1:] = -100
        frames = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-100)
        shown["frames"] = frames.item(); shown["codes"] = (logits.argmax(-1) == wanted)[wanted >= 0].float().mean().item()
        loss = loss + 8 * frames
    return loss


def batch():
    """-> sounds, what is said in them, and which word is being said in the middle of each vector: 0 for none, -100 where that is not known."""
    at = r.randrange(max(1, len(order) - a.batch))
    chosen = order[at:at + a.batch]
    sounds = [(texts[i], samples[i].astype(np.float32) / 32768, words[i]) for i in chosen]
    longest = max(len(s) for _, s, _ in sounds)
    if voice is not None:
        fits = [(t, s, None) for t, s in own_sounds if len(s) < longest * 1.05]
        sounds = [r.choice(fits) if fits and r.random() < 0.15 else s for s in sounds]
    length = int(max(len(s) for _, s, _ in sounds) + speech.RATE * r.uniform(0.06, 0.6))
    labels = torch.full((len(sounds), -(-(length // 160 + 1) // 8)), -100)
    spoiled = []
    for n, (_, s, begins) in enumerate(sounds):
        x, at, factor = speech.spoil(noise, s, length)
        spoiled.append(x)
        if begins is None: continue
        middle = torch.arange(labels.shape[1]) * 1280
        labels[n] = 0
        for word, sample in begins: labels[n][middle >= at + factor * sample] = int(word) + 1
        labels[n][middle > at + factor * len(s)] = 0
    return torch.tensor(np.stack(spoiled)), [t for t, _, _ in sounds], labels


if __name__ == "__main__":
    used = [ears, language] + ([depth] if voice is not None else [])
    weights = [p for m in used for p in m.parameters() if p.ndim > 1]; rest = [p for m in used for p in m.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([dict(params=weights, weight_decay=0.03), dict(params=rest, weight_decay=0)], lr=a.rate, betas=(0.9, 0.98), eps=1e-8)
    begun, mean, step, seen, next_judged = time.time(), {}, 0, 0, a.alone + 5
    for m in modules.values(): m.train()
    while True:
        minutes = (time.time() - begun) / 60
        if minutes >= a.minutes: break
        rate = a.rate * min(1, (step + 1) / 150) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * minutes / a.minutes)))
        for g in opt.param_groups: g["lr"] = rate
        x, said, labels = batch(); shown = {}
        with torch.no_grad():
            spectra = parts.log_mel(x)
            for n in range(len(spectra)):      # bands and times that are not there
                for _ in range(r.choice([0, 0, 1, 2])):
                    w = r.randint(2, 14); f = r.randrange(128 - w); spectra[n, :, f:f + w] = 0
                if r.random() < 0.4:
                    w = r.randint(2, 10); f = r.randrange(spectra.shape[1] - w); spectra[n, f:f + w] = 0
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors, guess = ears(spectra)
            loss = F.cross_entropy(guess.float().flatten(0, 1), labels.flatten(), ignore_index=-100)
            shown["words"] = loss.item(); shown["known"] = (guess.argmax(-1) == labels)[labels >= 0].float().mean().item()
            if minutes >= a.alone: loss = a.words * loss + language_loss(heard(range(len(said)), said), vectors, shown)
        loss.backward()
        nn.utils.clip_grad_norm_([p for m in used for p in m.parameters()], 1.0)
        opt.step(); opt.zero_grad(set_to_none=True)
        step += 1; seen += len(said)
        for k, v in shown.items(): mean[k] = v if k not in mean else mean[k] + 0.05 * (v - mean[k])
        if step % 10 == 1: print(f"{minutes:5.1f} min step {step} seen {seen} {seen / (time.time() - begun):.1f}/s " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()), flush=True)
        if step % 50 == 0: save()
        if a.test and minutes > next_judged:
            next_judged = minutes + 8
            print("held out: words %.3f answers %.3f" % judge.hearing(judge.Whole(tok, ears, language, depth), a.test), flush=True)
    save()
    if a.test: print("held out: words %.3f answers %.3f" % judge.hearing(judge.Whole(tok, ears, language, depth), a.test, True), flush=True)
