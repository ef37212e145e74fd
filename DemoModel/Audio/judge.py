"""How well the audio demo model hears, answers and speaks, before it is written to files.

    python judge.py CHECKPOINT DETOKENISER.pt --test FOLDER  # FOLDER of speech.py's held-out recordings

The loops are those of the engine, without caches.
"""
import argparse, os, wave

import numpy as np, torch
from tokenizers import Tokenizer

import model as parts, speech, world


class Whole:
    """A checkpoint of train.py."""
    def __init__(self, tokenizer, ears, language, depth):
        self.tok, self.ears, self.language, self.depth = tokenizer, ears, language, depth
        self.im_end, self.audio_start, self.text_end = (self.ids(t)[0] for t in ("<|im_end|>", "<|audio_start|>", "<|text_end|>"))

    @staticmethod
    def load(folder):
        state = {n: torch.load(os.path.join(folder, n + ".pt")) for n in ("ears", "language", "depth")}
        parts_of = parts.Ears(words=len(state["ears"]["words.bias"])), parts.Language(len(state["language"]["tokens.weight"])), parts.Depthformer(192)
        for part, name in zip(parts_of, state): part.load_state_dict(state[name]); part.eval()
        for table in (parts_of[1].frames.weight, parts_of[2].embedding, parts_of[2].to_logits): table.data = parts.coarse(table.data)
        return Whole(Tokenizer.from_file(os.path.join(folder, "tokenizer.json")), *parts_of)

    def ids(self, text): return self.tok.encode(text, add_special_tokens=False).ids

    def prompt(self, system, said):
        """Vectors of a prompt; said is text, or samples at 16 kHz."""
        table = lambda text: self.language.tokens(torch.tensor(self.ids(text)))
        before = "<|startoftext|>" + (f"<|im_start|>system\n{system}<|im_end|>\n" if system else "") + "<|im_start|>user\n"
        middle = table(said) if isinstance(said, str) else self.ears(parts.log_mel(torch.tensor(said)[None]))[0][0]
        return torch.cat([table(before), middle, table("<|im_end|>\n<|im_start|>assistant\n")])

    @torch.no_grad()
    def reply(self, system, said, interleaved=False, temperature=0, limit=80):
        """-> text and frames [n, 8]."""
        x, text, frames = self.prompt(system, said), [], []
        speaking, left, done = False, 6, False
        for _ in range(limit):
            left -= 1
            hidden = self.language(x[None])[0, -1]
            if not speaking:
                token = self.language.logits(hidden).argmax().item()
                if token == self.im_end: break
                x = torch.cat([x, self.language.tokens(torch.tensor([token]))])
                if token == self.audio_start: speaking = True; continue
                if token == self.text_end: done = True
                else: text.append(token)
                if interleaved and (left == 0 or done): speaking, left = True, 12
            else:
                frame = self.depth.sample(hidden, temperature)
                if interleaved and left == 0 and not done: speaking, left = False, 6
                if frame[0] == parts.END: frame, speaking = torch.full((8,), parts.END), False
                else: frames.append(frame)
                x = torch.cat([x, self.language.embed_frames(frame[None])])
        return self.tok.decode(text), torch.stack(frames).clamp(max=parts.CODES - 1) if frames else torch.zeros(0, 8, dtype=torch.long)


def word_errors(wanted, got):
    a, b = world.spoken(wanted), world.spoken(got)
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1): last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1], len(a)


def recordings(folder):
    """-> sentence, samples and what else is known of each held-out recording."""
    for line in open(os.path.join(folder, "sentences.tsv")):
        name, text, *rest = line.rstrip("\n").split("\t")
        with wave.open(os.path.join(folder, name)) as f:
            yield text, np.frombuffer(f.readframes(f.getnframes()), "<i2").astype(np.float32) / 32768, [name, *rest]


def hearing(whole, folder, show=False):
    """-> share of words that are right, and of answers."""
    for part in (whole.ears, whole.language, whole.depth): part.eval()
    wrong = total = right = count = 0
    for text, x, known in recordings(folder):
        got = whole.reply("Perform ASR.", x, limit=16)[0]
        e, n = word_errors(text, got)
        wrong, total, count = wrong + e, total + n, count + 1
        right += whole.reply(None, x, limit=16)[0] == world.answer(text)
        if show and e: print(text, "|", got, "|", *known, flush=True)
    for part in (whole.ears, whole.language, whole.depth): part.train()
    return 1 - wrong / total, right / count


def speaking(whole, detokeniser, temperature, show=False):
    """-> share of words of its own speech that it understands, said one behind the other and between the text, and of texts that are right."""
    import codec
    questions = {a: q for q, a, _ in world.EXCHANGES}
    questions |= {world.NUMBER: "Seven two nine.", world.AGAIN: "The lamp is on."}
    wrong, total, texts = [0, 0], 0, 0
    for answer in world.ANSWERS:
        text, between = whole.reply("Respond with interleaved text and audio.", questions[answer], True, temperature)
        texts += text == answer
        _, behind = whole.reply("Perform TTS. Use the US male voice.", answer, False, temperature)
        for i, frames in enumerate((behind, between)):
            with torch.no_grad(): x = codec.to_ears(detokeniser(frames[None])[0].numpy()) if len(frames) else np.zeros(1600, np.float32)
            got = whole.reply("Perform ASR.", x, limit=16)[0]
            e, n = word_errors(answer, got); wrong[i] += e
            if show and e: print(answer, "|", got, "|", ["behind", "between"][i], len(frames), flush=True)
        total += n
    return 1 - wrong[0] / total, 1 - wrong[1] / total, texts / len(world.ANSWERS)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("checkpoint"); ap.add_argument("detokeniser"); ap.add_argument("--test")
    a = ap.parse_args()
    whole = Whole.load(a.checkpoint)
    detokeniser = parts.Detokeniser(); detokeniser.load_state_dict(torch.load(a.detokeniser)); detokeniser.eval()
    detokeniser.emb.weight.data = parts.coarse(detokeniser.emb.weight.data)
    for temperature in (0, 0.8):
        print("temperature", temperature, "own words understood: behind each other %.3f, between the text %.3f; texts %.3f" % speaking(whole, detokeniser, temperature, True), flush=True)
    if a.test: print("held out: words %.3f answers %.3f" % hearing(whole, a.test, True))
