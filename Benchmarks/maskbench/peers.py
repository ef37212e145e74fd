"""llguidance or XGrammar over MaskBench files, one JSON line a file, in the shape of `leap schema bench --json`.

    python peers.py llguidance|xgrammar DIR VOCABULARY.gguf [FIRST]     files from FIRST on

Instances are judged token by token in the tokenizer's own tokens, as `leap schema bench` does; a mask's time is that of the
call that fills a bitmask, through Python.
"""
import glob, json, os, sys, time

import gguf
import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast


def tokenizer(path):
    fields = gguf.GGUFReader(path).fields
    strings = lambda key: [bytes(fields[key].parts[i]).decode() for i in fields[key].data]
    tokens, merges = strings("tokenizer.ggml.tokens"), strings("tokenizer.ggml.merges")
    made = Tokenizer(models.BPE({text: i for i, text in enumerate(tokens)}, [tuple(m.split(" ")) for m in merges]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    end = tokens[int(fields["tokenizer.ggml.eos_token_id"].parts[-1][0])]
    made.add_special_tokens([end])
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token=end)


class LLGuidance:
    def __init__(self, hf):
        import llguidance, llguidance.hf
        self.module, self.tokenizer = llguidance, llguidance.hf.from_tokenizer(hf)
        self.mask = np.zeros((self.tokenizer.vocab_size + 31) // 32, dtype=np.int32)

    def compile(self, schema):
        matcher = self.module.LLMatcher
        self.matcher = matcher(self.tokenizer, matcher.grammar_from_json_schema(schema, {"whitespace_flexible": True}))
        if self.matcher.is_error(): raise ValueError(self.matcher.get_error())

    def start(self): self.matcher.reset()
    def fill(self): self.matcher.unsafe_compute_mask_ptr(self.mask.ctypes.data, self.mask.nbytes)
    def accept(self, token): return self.matcher.consume_token(token)
    def ended(self): return self.matcher.is_accepting()


class XGrammar:
    def __init__(self, hf):
        import xgrammar
        self.module = xgrammar
        info = xgrammar.TokenizerInfo.from_huggingface(hf, vocab_size=len(hf))
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self.bits = xgrammar.allocate_token_bitmask(1, info.vocab_size)
        self.mask, self.end = self.bits.numpy()[0], hf.eos_token_id

    def compile(self, schema): self.grammar = self.compiler.compile_json_schema(json.dumps(schema), strict_mode=False)
    def start(self): self.matcher = self.module.GrammarMatcher(self.grammar)
    def fill(self):
        if not self.matcher.fill_next_token_bitmask(self.bits, 0): self.mask[:] = -1
    def accept(self, token): return self.matcher.accept_token(token)
    def ended(self):
        self.fill()
        return bool(self.mask[self.end >> 5] >> (self.end & 31) & 1)


def judge(peer, ids):
    peer.start()
    masks = []
    for token in ids:
        start = time.perf_counter(); peer.fill(); masks.append((time.perf_counter() - start) * 1e6)
        if not (int(peer.mask[token >> 5]) >> (token & 31)) & 1 or not peer.accept(token): return False, masks
    return peer.ended(), masks


def main():
    hf = tokenizer(sys.argv[3])
    peer = {"llguidance": LLGuidance, "xgrammar": XGrammar}[sys.argv[1]](hf)
    first = sys.argv[4] if len(sys.argv) > 4 else ""
    for path in sorted(glob.glob(os.path.join(sys.argv[2], "*.json"))):
        name = os.path.basename(path)
        if name < first: continue
        print(json.dumps({"begin": name}), flush=True)
        data = json.load(open(path)); row = {"file": name, "compiled": False, "tests": [], "mask_us": []}
        start = time.perf_counter()
        try: peer.compile(data["schema"])
        except Exception as error:
            row["error"] = {"pointer": "", "reason": str(error)[:200]}; print(json.dumps(row), flush=True); continue
        row["compile_us"] = (time.perf_counter() - start) * 1e6; row["compiled"] = True
        for test in data["tests"]:
            ids = hf.backend_tokenizer.encode(json.dumps(test["data"], indent=None, ensure_ascii=False)).ids
            accepted, masks = judge(peer, ids)
            if test["valid"]: row["mask_us"] += [round(x, 1) for x in masks]
            row["tests"].append({"valid": test["valid"], "accepted": accepted, "tokens": len(ids)})
        print(json.dumps(row), flush=True)


main()
