#!/usr/bin/env python3
"""Open Leap's tokenizer beside Hugging Face tokenizers and llama.cpp, on one core, in one run.

    pip install tokenizers gguf llama-cpp-python
    swift build -c release --package-path Benchmarks/tokenizer
    python Benchmarks/tokenizer/compare.py VOCABULARY.gguf [VOCABULARY.gguf ...]

The vocabularies are byte-level BPE or SentencePiece BPE ones. Every number is the best of several runs in turns on the same megabyte
(mixed_text.py); "same ids" compares all ids.
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

from gguf import GGUFReader
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 5
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
WORDS = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def fields(path):
    reader = GGUFReader(path)

    def value(key):
        field = reader.fields.get("tokenizer.ggml." + key)
        return field.contents() if field else None

    return value


def hugging_face(value):
    tokens = value("tokens")
    vocabulary = {}
    for index, token in enumerate(tokens):
        vocabulary.setdefault(token, index)
    if value("model") == "gpt2":
        merges = [tuple(merge.split(" ", 1)) for merge in value("merges")]
        pre = value("pre")
        tokenizer = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=pre in ("llama-bpe", "lfm2")))
        if pre in ("gpt-2", "mpt"):
            tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        elif pre in ("llama-bpe", "lfm2", "qwen2"):
            rule = WORDS % ("" if pre == "qwen2" else "{1,3}")
            tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(rule), "isolated"), BYTES])
        elif pre == "falcon":
            tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
                pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
                pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")])
        else:
            return None
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer
    # As transformers converts SentencePiece models: every way to split a token into two is a merge, ranked by its score.
    scores, kinds = value("scores"), value("token_type")
    merges = []
    for token, index in vocabulary.items():
        if kinds[index] != 1:
            continue
        parts = [(token[:cut], token[cut:]) for cut in range(1, len(token)) if token[:cut] in vocabulary and token[cut:] in vocabulary]
        parts.sort(key=lambda part: (vocabulary[part[0]], vocabulary[part[1]]))
        merges += [(-scores[index], index, part) for part in parts]
    merges.sort(key=lambda merge: merge[:2])
    tokenizer = Tokenizer(models.BPE(vocabulary, [merge[2] for merge in merges], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return tokenizer


class Llama:
    def __init__(self, path):
        import llama_cpp

        self.library = llama_cpp
        self.quiet = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(self.quiet, None)
        parameters = llama_cpp.llama_model_default_params()
        parameters.vocab_only = True
        self.model = llama_cpp.llama_load_model_from_file(path.encode(), parameters)
        self.vocabulary = llama_cpp.llama_model_get_vocab(self.model)

    def encode(self, text):
        data = text.encode()
        buffer = (ctypes.c_int32 * (len(data) + 16))()
        count = self.library.llama_tokenize(self.vocabulary, data, len(data), buffer, len(data) + 16, False, False)
        return list(buffer[:count])


def timed(body):
    # Processor time, as the other side measures it: what other processes do meanwhile does not count.
    start = time.process_time()
    result = body()
    return time.process_time() - start, result


def checksum(ids):
    value = 0
    for token in ids:
        value = (value * 31 + token) & 0xFFFFFFFF
    return value


def main(paths):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "mixed.txt")
        subprocess.run([sys.executable, HERE / "mixed_text.py", file], check=True)
        text = open(file, encoding="utf-8").read()
        size = len(text.encode()) / 1e6
        binary = HERE / ".build" / "release" / "tokenizer-benchmark"
        print("| vocabulary | tokens | load ms | Open Leap MB/s (first call) | Hugging Face MB/s | llama.cpp MB/s | decode MB/s | ratio to HF | same ids |")
        print("|---|---|---|---|---|---|---|---|---|")
        for path in paths:
            value = fields(path)
            peer, llama = hugging_face(value), Llama(path)
            ours, other, third = {}, [float("inf"), None], [float("inf"), None]
            for round in range(ROUNDS):
                result = json.loads(subprocess.run([binary, path, file, "5"], check=True, capture_output=True, text=True).stdout)
                for key, number in result.items():
                    better = min if key == "load_ms" else max
                    ours[key] = better(ours.get(key, number), number)
                if peer:
                    seconds, encoding = timed(lambda: peer.encode(text, add_special_tokens=False))
                    # Line by line it does other ids at the seams, but may be faster; the better time counts.
                    byLine, _ = timed(lambda: [peer.encode(line, add_special_tokens=False) for line in text.splitlines(True)])
                    other = [min(other[0], seconds, byLine), encoding.ids]
                if round == 0:
                    third = timed(lambda: llama.encode(text))
            same = [
                f"{name} {'yes' if checksum(ids) == ours['checksum'] else 'NO'}"
                for name, ids in (("HF", other[1]), ("llama.cpp", third[1])) if ids]
            rate = size / other[0] if peer else 0
            ratio = f"{ours['encode_mbps'] / rate:.1f}×" if peer else "—"
            print(
                f"| {value('model')}, {value('pre')}, {len(value('tokens'))} | {ours['tokens']} | {ours['load_ms']:.1f} "
                f"| {ours['encode_mbps']:.1f} ({ours['encode_cold_mbps']:.1f}) | {rate:.2f} | {size / third[0]:.2f} "
                f"| {ours['decode_mbps']:.0f} | {ratio} | {', '.join(same)} |", flush=True)


main(sys.argv[1:])
