"""The audio demo model's voice: the answers as codes, and the detokeniser that makes sound of codes.

    python codec.py make VOICE.npz [--wav FOLDER]            # says the answers and writes them as codes
    python codec.py learn VOICE.npz OUT.pt --minutes M       # trains the detokeniser, and writes VOICE.npz anew with what it says

Nothing here compresses speech in general. espeak-ng says each answer once; of that come, 75 times a second, a spectral envelope as cepstrum and
whether it is voiced. The sound is made anew from them: pulses, a whole number of them in each frame of 80 ms, or noise that is the same in each
frame, through filters of minimum phase. So its spectra with their phases are a function of envelope, voicing, pulses per frame and place in the
frame, which a small network can learn. Of the 8 codes of a frame 7 tell the envelopes of its six spectra, by k-means of what is left of the
code before, and the last one the voicing and the number of pulses.
"""
import argparse, math, os, random, time

import numpy as np, torch, torch.nn.functional as F
from scipy.signal import resample_poly

import model as parts, speech, world

RATE, FRAME, HOP, SIZE, PER_FRAME = 24000, 1920, 320, 1280, 6
ORDER = 40                  # coefficients of an envelope
ENTRIES, STAGES = 64, 7     # of the codebooks of envelopes
PULSES = (7, 8, 9)          # in a frame: 87.5, 100 and 112.5 Hz
VOICE, SPEED, PITCH = "en-us+m3", 155, 30
WINDOW = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE)
QUEFRENCY = np.arange(1, ORDER)
_omega = np.pi * np.arange(SIZE // 2 + 1) / (SIZE // 2)
COSINES = np.concatenate([np.ones((1, len(_omega))), 2 * np.cos(QUEFRENCY[:, None] * _omega)])
SINES = np.concatenate([np.zeros((1, len(_omega))), -2 * np.sin(QUEFRENCY[:, None] * _omega)])
_noise = np.random.default_rng(7).standard_normal(FRAME)
_noise /= _noise.std()


# ---- analysis ----


def envelope(block):
    """Cepstrum of the curve over a spectrum's peaks (A. Röbel and X. Rodet, 2005)."""
    n = 2048
    level = np.log(np.abs(np.fft.rfft(block, n)) + 1e-5)
    curve = level
    for _ in range(25):
        c = np.fft.irfft(curve, n)[:ORDER]
        smooth = np.fft.rfft(np.concatenate([c, np.zeros(n - 2 * ORDER + 1), c[:0:-1]])).real
        curve = np.maximum(level, smooth)
    return c


def is_voiced(block):
    x = np.convolve(block, np.hanning(25) / 12, "same")[::4]
    x = x - x.mean()
    n = len(x)
    r = np.fft.irfft(np.abs(np.fft.rfft(x, 2 * n)) ** 2)[:n]
    lags = slice(RATE // 4 // 220, RATE // 4 // 60)
    return r[0] > 1e-3 and np.max(r[lags] / (r[0] + 1e-12) / (1 - np.arange(n)[lags] / n)) > 0.6


def analyse(x):
    """-> for each 320 samples the cepstrum of the envelope, and whether it is voiced."""
    count, half = len(x) // HOP, 480
    padded = np.pad(x, half)
    window = np.hanning(2 * half)
    cepstra, voiced = [], []
    for t in range(count):
        block = padded[t * HOP + HOP // 2:][:2 * half]
        cepstra.append(envelope(block * window)); voiced.append(is_voiced(block))
    voiced = np.array(voiced)
    for t in range(1, count - 1):             # single ones are errors
        if voiced[t - 1] == voiced[t + 1] != voiced[t]: voiced[t] = voiced[t - 1]
    return np.array(cepstra), voiced


# ---- synthesis ----


def excitation(voiced, pulses):
    """Pulses or noise, of power 1; voiced for each 320 samples, pulses for each frame."""
    train = np.zeros(len(pulses) * FRAME)
    for i, n in enumerate(pulses):
        at = i * FRAME + np.arange(n) * FRAME / n
        low = np.floor(at).astype(int); part = at - low
        train[low] += (1 - part) * math.sqrt(FRAME / n)
        train[np.minimum(low + 1, len(train) - 1)] += part * math.sqrt(FRAME / n)
    mix = np.repeat(voiced.astype(float), HOP)
    mix = np.convolve(np.pad(mix, 80, mode="edge"), np.hanning(161) / 80, "valid")
    return mix * train + (1 - mix) * np.tile(_noise, len(pulses))


def spectra(x):
    """The spectra of the detokeniser's windows: [n, 641] complex."""
    padded = np.pad(x, (SIZE - HOP) // 2)
    return np.fft.rfft(np.stack([padded[t * HOP:][:SIZE] for t in range(len(x) // HOP)]) * WINDOW)


def filtered(cepstra, voiced, pulses):
    """-> what the detokeniser has to say: complex spectra [n, 641]."""
    return spectra(excitation(voiced, pulses)) * np.exp(cepstra @ COSINES + 1j * (cepstra @ SINES))


def sound(s):
    return parts.overlap_add(torch.tensor(np.log(np.abs(s) + 1e-7))[None].float(), torch.tensor(np.angle(s))[None].float())[0].numpy()


def power(x): return np.convolve(x ** 2, np.hanning(961), "same")[HOP // 2::HOP] + 1e-7


def utterance(text):
    x, _ = speech.say(text, VOICE, SPEED, PITCH, RATE)
    x = x / np.abs(x).max() * 0.5
    frames = max(14, math.ceil((len(x) + 2400) / FRAME))
    x = np.pad(x, (960, frames * FRAME - len(x) - 960))
    cepstra, voiced = analyse(x)
    pulses = [PULSES[2]] * (frames * 2 // 5); pulses += [PULSES[1]] * (frames - 5 - len(pulses)) + [PULSES[0]] * 5
    for _ in range(3):                        # as loud as it was, everywhere
        cepstra[:, 0] += 0.5 * np.log(power(x) / power(sound(filtered(cepstra, voiced, pulses))))
        cepstra[:, 0] = np.maximum(cepstra[:, 0], -11)
    return cepstra, voiced, pulses


# ---- codes ----


def nearest(x, centres): return ((x ** 2).sum(1)[:, None] - 2 * x @ centres.T + (centres ** 2).sum(1)).argmin(1)


def means(x, count, r):
    centres = x[r.choice(len(x), count, replace=False)]
    for _ in range(40):
        which = nearest(x, centres)
        for c in range(count):
            mine = x[which == c]
            centres[c] = mine.mean(0) if len(mine) else x[r.integers(len(x))]
    return centres


WEIGHT = np.concatenate([[0.7], np.sqrt(2) / (1 + QUEFRENCY / 25)])


class Book:
    """What codes mean: envelopes by sums of entries, voicing and pulses by the last one."""
    def __init__(self, centres): self.centres = centres

    @staticmethod
    def made_of(frames):
        r, left, centres = np.random.default_rng(3), frames.copy(), []
        for stage in range(STAGES):
            centres.append(means(left, ENTRIES, r)); left = left - centres[-1][nearest(left, centres[-1])]
            print("stage", stage, "left", round(float(np.sqrt((left ** 2).mean() / frames.var(0).mean())), 3), flush=True)
        return Book(np.stack(centres))

    def codes(self, cepstra, voiced, pulses):
        left, out = (cepstra * WEIGHT).reshape(len(pulses), -1), []
        for centres in self.centres:
            out.append(nearest(left, centres)); left = left - centres[out[-1]]
        bits = voiced.reshape(-1, PER_FRAME) @ (1 << np.arange(PER_FRAME))
        return np.stack(out + [bits * len(PULSES) + np.array([PULSES.index(p) for p in pulses])], 1)

    def meaning(self, codes):
        cepstra = sum(c[codes[:, i]] for i, c in enumerate(self.centres)).reshape(len(codes) * PER_FRAME, ORDER) / WEIGHT
        bits = codes[:, STAGES] // len(PULSES)
        return cepstra, ((bits[:, None] >> np.arange(PER_FRAME)) & 1).astype(bool).reshape(-1), [PULSES[c % len(PULSES)] for c in codes[:, STAGES]]


def to_ears(x): return resample_poly(x, 2, 3, window=("kaiser", 9.0)).astype(np.float32)


def make(a):
    said = [utterance(text) for text in world.ANSWERS]
    book = Book.made_of(np.concatenate([(c * WEIGHT).reshape(len(p), -1) for c, _, p in said]))
    out = dict(centres=book.centres)
    for i, one in enumerate(said):
        codes = book.codes(*one); out[f"codes{i}"] = codes
        x = sound(filtered(*book.meaning(codes)))
        out[f"sound{i}"] = to_ears(x)
        if a.wav: speech.write(os.path.join(a.wav, f"{i:02d}.wav"), x, RATE)
    np.savez(a.voice, **out)
    print("frames", sum(len(p) for _, _, p in said), "longest", max(len(p) for _, _, p in said))


# ---- the detokeniser ----


def learn(a):
    torch.manual_seed(0); torch.set_num_threads(a.threads)
    data = dict(np.load(a.voice)); book = Book(data["centres"])
    codes = [data[f"codes{i}"] for i in range(len(world.ANSWERS))]
    every = np.concatenate(codes)
    detokeniser = parts.Detokeniser()
    if a.init: detokeniser.load_state_dict(torch.load(a.init))
    opt = torch.optim.AdamW(detokeniser.parameters(), lr=a.rate, betas=(0.9, 0.98), weight_decay=0.0)
    r, length = random.Random(a.seed), 14
    begun, step, mean = time.time(), 0, {}
    def goal(c): return filtered(*book.meaning(c))
    kept = [goal(c) for c in codes]
    while True:
        done = (time.time() - begun) / 60 / a.minutes
        if done >= 1: break
        for g in opt.param_groups: g["lr"] = a.rate * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
        chosen, goals = [], []
        for _ in range(a.batch):
            k = r.randrange(len(codes))
            if r.random() < 0.15:             # what it never said, piece by piece: so that a wrong code does little harm
                c = np.concatenate([codes[j][at:at + n] for j, at, n in ((j, r.randrange(len(codes[j]) - 6), r.randint(1, 6)) for j in r.choices(range(len(codes)), k=14))])[:length]
                chosen.append(c); goals.append(goal(c)); continue
            at = r.choice([0, r.randrange(len(codes[k]) - length + 1), len(codes[k]) - length])
            chosen.append(codes[k][at:at + length]); goals.append(kept[k][at * PER_FRAME:(at + length) * PER_FRAME])
        wanted = torch.tensor(np.stack(goals)).to(torch.complex64)
        level, phase = detokeniser.spectrum(torch.tensor(np.stack(chosen)))
        # The floor of what can be heard; the ends of a stretch know nothing of what was before and comes behind.
        floor = 2e-3
        size = wanted.abs()
        goal_level = torch.log(size + floor)
        levels = (torch.log(level.exp() + floor) - goal_level).abs().mean()
        weight = goal_level - math.log(floor)
        phases = ((1 - torch.cos(phase - wanted.angle())) * weight).sum() / weight.sum()
        got = torch.polar(level.exp(), phase)
        both = ((got - wanted).abs() / (size + 0.05 * size.amax(-1, keepdim=True) + floor)).mean()
        loss = levels + phases + 0.3 * both
        shown = dict(levels=levels.item(), phases=phases.item(), both=both.item())
        if step % 2:
            x, y = parts.overlap_add(level, phase), parts.overlap_add(torch.log(size + 1e-7), wanted.angle())
            heard = 0
            for n in (512, 1024):
                p, q = (torch.stft(z, n, n // 4, window=torch.hann_window(n), return_complex=True).abs() for z in (x, y))
                heard = heard + (torch.log(p + 3e-2) - torch.log(q + 3e-2)).abs().mean()
            loss = loss + heard; shown["heard"] = heard.item()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(detokeniser.parameters(), 1.0)
        opt.step(); opt.zero_grad(set_to_none=True); step += 1
        for k, v in shown.items(): mean[k] = v if k not in mean else mean[k] + 0.03 * (v - mean[k])
        if step % 50 == 1: print(f"{(time.time() - begun) / 60:5.1f} min step {step} " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()), flush=True)
        if step % 400 == 0: torch.save(detokeniser.state_dict(), a.out)
    torch.save(detokeniser.state_dict(), a.out)
    with torch.no_grad():
        for i, c in enumerate(codes):
            x = detokeniser(torch.tensor(c)[None])[0].numpy()
            data[f"sound{i}"] = to_ears(x)
            if a.wav: speech.write(os.path.join(a.wav, f"{i:02d}.wav"), x, RATE)
    np.savez(a.voice, **data)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("what", choices=["make", "learn"]); ap.add_argument("voice"); ap.add_argument("out", nargs="?"); ap.add_argument("--wav"); ap.add_argument("--init")
    ap.add_argument("--minutes", type=float, default=15); ap.add_argument("--batch", type=int, default=8); ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0); ap.add_argument("--threads", type=int, default=1)
    a = ap.parse_args()
    if a.wav: os.makedirs(a.wav, exist_ok=True)
    make(a) if a.what == "make" else learn(a)
