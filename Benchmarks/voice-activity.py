"""How often the voice activity detector cuts an utterance, misses one, or hears one that is not there.

    swift build -c release --product leap-audio-probe
    python3 Benchmarks/voice-activity.py .build/release/leap-audio-probe [--voices en-us …] [--seed 1]

Speech is made with espeak-ng (on PATH), noise by its formula; where an utterance begins and ends is taken from the speech alone. Needs numpy.
Every recording has three utterances of one voice with pauses of 1.5 to 3 s, and 1.5 s of noise at both ends.
"""
import argparse, collections, os, re, subprocess, tempfile
import numpy as np

SENTENCES = [
    "Yes.", "No, thank you.", "Stop.", "What time is it?", "Seven, four, nine, two.", "Turn the light off in the kitchen, please.",
    "I would like to know how far it is from here to the nearest station.", "Play the last song again, but a little louder.",
    "She sells sea shells, and he has a house on the hill.", "Please remind me tomorrow morning to call my sister.",
    "Which animals live in the forest, and what do they eat in winter?", "The quick brown fox jumps over the lazy dog.",
]
VOICES = ["en-us", "en-gb", "en-gb-scotland", "en-us+f2", "en-us+f4", "en-gb+m3", "en-us+m7", "en-us+whisper"]
RATE = 16000
p = argparse.ArgumentParser()
p.add_argument("probe"); p.add_argument("--voices", nargs="*", default=VOICES); p.add_argument("--seed", type=int, default=1)
for name in ("threshold", "padding", "silence"): p.add_argument("--" + name)
a = p.parse_args()
settings = [word for name in ("threshold", "padding", "silence") if getattr(a, name) for word in ("--" + name, getattr(a, name))]
random = np.random.default_rng(a.seed)


def speech(text, voice, speed):
    """A sentence at 16 kHz, without silence at its ends."""
    raw = subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "--stdout", text], capture_output=True, check=True).stdout
    samples = np.frombuffer(raw[44:len(raw) // 2 * 2], "<i2") / 32768
    length = len(samples) * RATE // 22050
    spectrum = np.fft.rfft(samples)[:length // 2 + 1]
    samples = np.fft.irfft(spectrum, length) * length / len(samples)
    loud = np.flatnonzero(np.abs(samples) > np.abs(samples).max() * 0.01)
    return samples[loud[0]:loud[-1] + 1]


def noise(kind, length):
    """Noise of power 1."""
    frequencies = np.fft.rfftfreq(length, 1 / RATE)
    spectrum = np.fft.rfft(random.standard_normal(length))
    if kind == "pink": spectrum /= np.sqrt(np.maximum(frequencies, 20))
    if kind == "brown": spectrum /= np.maximum(frequencies, 20)
    samples = np.fft.irfft(spectrum, length)
    if kind == "hum":
        t = np.arange(length) / RATE
        samples = 0.1 * samples / samples.std() + sum(np.sin(2 * np.pi * 50 * n * t + n) / n for n in range(1, 12))
    if kind == "typing":
        samples *= 0.1
        for at in random.integers(0, length - 200, length // 4000): samples[at:at + 160] += random.standard_normal(160) * np.exp(-np.arange(160) / 40) * 4
    if kind == "babble":
        samples = np.zeros(length)
        for n in range(12):
            said = np.concatenate([speech(text, ("en-us+f3", "en-gb+m2", "de")[n % 3], 160) for text in random.permutation(SENTENCES)])
            samples += np.resize(np.roll(said / said.std(), random.integers(len(said))), length)
    return samples / samples.std()


def recording(voice, kind, ratio, level):
    """Samples, and where each utterance is."""
    parts, places, at = [np.zeros(RATE * 3 // 2)], [], RATE * 3 // 2
    for text in random.choice(SENTENCES, 3, replace=False):
        said = speech(text, voice, random.integers(130, 200))
        said *= 10 ** (level / 20) / said.std()
        pause = np.zeros(int(random.uniform(1.5, 3) * RATE))
        places.append((at, at + len(said))); at += len(said) + len(pause); parts += [said, pause]
    samples = np.concatenate(parts)
    if ratio is not None: samples = samples + noise(kind, len(samples)) * 10 ** ((level - ratio) / 20)
    return np.clip(samples, -1, 1), places


def write(path, samples):
    data = (samples * 32767).astype("<i2").tobytes()
    head = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little") + b"\1\0\1\0"
    head += RATE.to_bytes(4, "little") + (2 * RATE).to_bytes(4, "little") + b"\2\0\x10\0data" + len(data).to_bytes(4, "little")
    open(path, "wb").write(head + data)


def figures(recordings, answers):
    """Counts over recordings: of utterances, and what went wrong with them."""
    c = collections.Counter(); begins, ends = [], []
    for (length, places), events in zip(recordings, answers):
        found, start = [], None
        for kind, position, known in events:
            if kind == "started": start = (position, known)
            else: found.append((start, (position, known)))
        for (first, last) in places:
            c["utterances"] += 1
            own = [f for f in found if f[0][0] < last and f[1][0] > first]
            if not own: c["missed"] += 1; continue
            if len(own) > 1: c["cut"] += 1
            if own[0][0][0] > first + RATE // 50: c["late"] += 1
            if own[-1][1][0] < last - RATE // 10: c["early"] += 1
            begins.append(own[0][0][1] - first); ends.append(own[-1][1][1] - last)
        c["false"] += sum(not any(f[0][0] < last and f[1][0] > first for first, last in places) for f in found)
        c["joined"] += sum(max(0, sum(f[0][0] < last and f[1][0] > first for first, last in places) - 1) for f in found)
        c["seconds without speech"] += (length - sum(last - first for first, last in places)) / RATE
    return c, np.median(begins or [0]) / RATE * 1000, np.median(ends or [0]) / RATE * 1000


print("| noise | SNR | utterances | cut | missed | first sound lost | end lost | joined | false starts per minute without speech | start known after | end known after |")
print("|---|---|---|---|---|---|---|---|---|---|---|")
total = collections.Counter()
with tempfile.TemporaryDirectory() as folder:
    for kind, ratio, level in [("none", None, -20), ("none", None, -40)] + [(k, r, -25) for k in ("white", "pink", "brown", "hum", "typing") for r in (20, 10, 5, 0)] + [("babble", 20, -25)]:
        recordings, paths = [], []
        for voice in a.voices:
            for _ in range(2):
                samples, places = recording(voice, kind, ratio, level)
                paths.append(f"{folder}/{len(paths)}.wav"); write(paths[-1], samples); recordings.append((len(samples), places))
        lines = subprocess.run([a.probe, "activity", *settings, *paths], capture_output=True, check=True, text=True).stdout.splitlines()
        answers = [[(k, int(at), int(known)) for k, at, known in re.findall(r"(started|ended) (\d+) (\d+)", line)] for line in lines]
        c, begins, ends = figures(recordings, answers); total += c
        name = f"{ratio} dB" if ratio is not None else f"speech at {level} dB"
        rate = c["false"] / (c["seconds without speech"] / 60)
        print(f"| {kind} | {name} | {c['utterances']} | {c['cut']} | {c['missed']} | {c['late']} | {c['early']} | {c['joined']} | {rate:.2f} | {begins:.0f} ms | {ends:.0f} ms |", flush=True)
print(f"all: {total['utterances']} utterances, cut {total['cut'] / total['utterances']:.1%}, missed {total['missed'] / total['utterances']:.1%}, "
      f"{total['false']} false starts in {total['seconds without speech'] / 60:.1f} minutes without speech")
