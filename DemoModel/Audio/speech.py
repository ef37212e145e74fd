"""Speech to learn from and to be judged by: espeak-ng's voices, and what happens to sound on its way.

    python speech.py train OUT.npz --count N --seed N        # of the training voices
    python speech.py held-out FOLDER --count N               # WAV files of the held-out voices, and their sentences in sentences.tsv
    python speech.py say FILE.wav --text TEXT --voice VOICE  # one sentence

A voice is an accent of espeak-ng with one of its variants. Held out are whole accents and whole variants.
"""
import argparse, concurrent.futures, ctypes, os, random, wave

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.signal import resample_poly

import world

RATE = 16000
ACCENTS = ["en-us", "en-us", "en-us", "gmw/en", "gmw/en", "en-gb-scotland", "en-gb-x-gbclan", "en-us-nyc"]
VARIANTS = ["", "m1", "m2", "m3", "m5", "m6", "m7", "m8", "f1", "f2", "f3", "f5", "klatt", "klatt2", "klatt3", "klatt4", "adam", "Alex", "Alicia", "Andrea", "Annie",
            "antonio", "aunty", "belinda", "benjamin", "boris", "caleb", "david", "Denis", "Diogo", "ed", "edward", "Gene", "gustave", "Henrique",
            "Hugo", "iven", "Jacky", "john", "kaukovalta", "Lee", "marcelo", "Mario", "max", "michel", "miguel", "mike", "Nguyen",
            "pablo", "paul", "pedro", "quincy", "rob", "sandro", "shelby", "steph", "steph2", "travis", "victor", "zac", "grandma", "croak"]
HELD_OUT_ACCENTS = ["en-gb-x-rp", "en-gb-x-gbcwmd"]
HELD_OUT_VARIANTS = ["m4", "f4", "Andy", "linda", "Michael", "robert", "Marco", "anika", "grandpa", "norbert"]


def voices(held_out):
    """-> the voices, as espeak-ng names them."""
    if not held_out: return [a + (f"+{v}" if v else "") for a in ACCENTS for v in VARIANTS]
    return [f"{a}+{v}" for a in ("en-us", "gmw/en", *HELD_OUT_ACCENTS) for v in HELD_OUT_VARIANTS] + [f"{a}+{v}" for a in HELD_OUT_ACCENTS for v in ("m3", "f2", "Alex")]


class _Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("identifier", ctypes.c_uint), ("position", ctypes.c_int), ("length", ctypes.c_int),
                ("milliseconds", ctypes.c_int), ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("id", ctypes.c_char * 8)]


_callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))
_heard = []


@_callback
def _take(samples, count, events):
    if samples and count > 0: _heard[0].append(np.ctypeslib.as_array(samples, (count,)).copy())
    i = 0
    while events[i].type != 0:
        if events[i].type == 1: _heard[1].append((events[i].position - 1, events[i].sample))
        i += 1
    return 0


_library = []


def library():
    if not _library:
        espeak = ctypes.CDLL("libespeak-ng.so.1")
        rate = espeak.espeak_Initialize(1, 0, None, 0)
        assert rate > 0
        espeak.espeak_SetSynthCallback(_take)
        _library.extend((espeak, rate))
    return _library


def say(text, voice, speed=160, pitch=50, rate=RATE):
    """-> samples in -1...1, without the silence around them, and where each word begins: pairs of a place in the text and a sample."""
    espeak, source = library()
    assert espeak.espeak_SetVoiceByName(voice.encode()) == 0, voice
    espeak.espeak_SetParameter(1, speed, 0); espeak.espeak_SetParameter(3, pitch, 0)
    _heard[:] = [[], []]
    data = text.encode() + b"\0"
    espeak.espeak_Synth(data, ctypes.c_size_t(len(data)), 0, 0, 0, 1, None, None)
    espeak.espeak_Synchronize()
    x = np.concatenate(_heard[0] or [np.zeros(0, np.int16)]).astype(np.float64) / 32768
    x = resample_poly(x, rate, source, window=("kaiser", 9.0))
    loud = np.flatnonzero(np.abs(x) > 0.01)
    if len(loud) == 0: return np.zeros(0, np.float32), []
    first, last = max(0, loud[0] - rate // 50), loud[-1] + rate // 25
    return x[first:last].astype(np.float32), [(p, max(0, s * rate // source - first)) for p, s in _heard[1]]


def recording(task):
    text, voice, speed, pitch = task
    x, begins = say(text, voice, speed, pitch)
    # The number of each word in the list of words, and its first sample.
    places = {}
    for i, c in enumerate(text):
        if c.isalpha() and (i == 0 or not text[i - 1].isalpha()): places[i] = len(places)
    words = world.spoken(text)
    return x, [(world.WORDS.index(words[places[p]]), s) for p, s in begins if p in places]


def write(path, x, rate=RATE):
    with wave.open(path, "wb") as f:
        f.setnchannels(1); f.setsampwidth(2); f.setframerate(rate); f.writeframes((np.clip(x, -1, 1) * 32767).astype("<i2").tobytes())


def draw(r, held_out, of=world.sentence):
    return of(r), r.choice(voices(held_out)), r.randint(125, 195), r.randint(25, 75)


# ---- what happens on the way ----

def coloured(r, count, slope):
    """Noise whose power falls with frequency to the power of slope, of deviation 1."""
    size = next_fast_len(count, real=True)
    n = np.arange(size // 2 + 1, dtype=np.float32)
    n[0] = 1
    spectrum = r.standard_normal(2 * len(n), np.float32).view(np.complex64) * n ** (-slope / 2)
    spectrum[0] = 0
    x = irfft(spectrum, size)[:count]
    return x / (x.std() + 1e-9)


def spoil(r, x, length, noisy=True):
    """A recording somewhere in a longer stretch of sound: faster or slower, in a room, over a microphone, with noise.

    r is a numpy generator. -> samples, and where the recording begins in them and how much longer it is than it was.
    """
    before = len(x)
    if r.random() < 0.7:
        n = int(len(x) * r.uniform(0.86, 1.17))
        if n <= length: x = np.interp(np.linspace(0, len(x) - 1, n, dtype=np.float32), np.arange(len(x), dtype=np.float32), x)
    size = next_fast_len(length + RATE // 4, real=True)
    out = np.zeros(size, np.float32)
    at = r.integers(0, length - len(x) + 1)
    out[at:at + len(x)] = x
    spectrum = rfft(out)
    f = np.linspace(0, 1, len(spectrum), dtype=np.float32)
    if r.random() < 0.6:                      # a microphone's curve
        curve = sum(r.normal(0, 0.35) * np.cos(np.pi * k * np.sqrt(f)) for k in range(1, 5))
        spectrum = spectrum * np.exp(curve)
    if r.random() < 0.15: spectrum = spectrum / (1 + (f / r.uniform(0.4, 0.9)) ** 8)
    if r.random() < 0.3:                      # a room
        n = int(RATE * r.uniform(0.05, 0.3))
        room = r.standard_normal(n) * np.exp(-6.9 * np.arange(n) / n) * r.uniform(0.02, 0.12)
        room[0] = 1
        spectrum = spectrum * rfft(room.astype(np.float32), size)
    out = irfft(spectrum, size)[:length]
    level = np.sqrt(np.mean(out ** 2)) + 1e-9
    if noisy: decibels = r.choice([r.uniform(5, 15), r.uniform(15, 30), r.uniform(30, 60)], p=[0.2, 0.4, 0.4])
    else: decibels = 70
    noise = coloured(r, length, r.choice([0, 0.7, 1, 1.5, 2]))
    if r.random() < 0.15: noise = noise + 2 * np.sin(2 * np.pi * (r.choice([50, 60, 100, 120]) / RATE * np.arange(length) + r.random()))
    out = out + noise * level * 10 ** (-decibels / 20)
    return (out * r.uniform(0.2, 0.9) / (np.abs(out).max() + 1e-9)).astype(np.float32), at, len(x) / before


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("which", choices=["train", "held-out", "say"]); ap.add_argument("out")
    ap.add_argument("--count", type=int, default=48); ap.add_argument("--seed", type=int, default=1); ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--text"); ap.add_argument("--voice", default="en-us+Andy")
    a = ap.parse_args()
    if a.which == "say": return write(a.out, np.pad(say(a.text, a.voice)[0], 2400))
    r = random.Random(a.seed)
    held_out = a.which == "held-out"
    def understood(r):                        # no words in disorder where it is judged
        k = r.random()
        return world.question(r)[0] if k < 0.7 else r.choice(world.ANSWERS)
    tasks = [draw(r, held_out, understood if held_out else world.sentence) for _ in range(a.count)]
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        sounds = list(pool.map(recording, tasks, chunksize=64))
    if not held_out:
        kept = [(t, s, b) for t, (s, b) in zip(tasks, sounds) if 0.2 * RATE < len(s) < 3.4 * RATE]
        ends = np.cumsum([len(s) for _, s, _ in kept])
        np.savez(a.out, samples=np.concatenate([(s / (np.abs(s).max() + 1e-9) * 30000).astype(np.int16) for _, s, _ in kept]), ends=ends,
                 words=np.array([w for _, _, b in kept for w in b]), word_ends=np.cumsum([len(b) for _, _, b in kept]),
                 texts=np.array([t[0] for t, _, _ in kept]), voices=np.array([t[1] for t, _, _ in kept]))
        print(len(kept), "recordings", round(ends[-1] / RATE / 3600, 2), "hours")
        return
    os.makedirs(a.out, exist_ok=True)
    noise = np.random.default_rng(a.seed)
    with open(os.path.join(a.out, "sentences.tsv"), "w") as listing:
        for i, (task, (s, _)) in enumerate(zip(tasks, sounds)):
            length = len(s) + int(noise.uniform(0.1, 0.4) * RATE)
            x = np.zeros(length); at = noise.integers(0, length - len(s) + 1); x[at:at + len(s)] = s
            x += coloured(noise, length, noise.choice([0, 1, 2])) * np.sqrt(np.mean(s ** 2)) * 10 ** (-noise.choice([15, 25, 40]) / 20)
            x = x / np.abs(x).max() * noise.uniform(0.3, 0.9)
            write(os.path.join(a.out, f"{i:03d}.wav"), x)
            print(f"{i:03d}.wav", task[0], task[1], task[2], task[3], sep="\t", file=listing)


if __name__ == "__main__": main()
