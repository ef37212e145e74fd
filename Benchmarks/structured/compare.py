#!/usr/bin/env python3
"""Times a JSON object with 12 named fields: ours with and without jump-forward, and llama.cpp with the same schema.

    swift build -c release --product leap
    python Benchmarks/structured/compare.py MODEL [--leap .build/release/leap --threads 2 --repetitions 3]

All decode greedily after the same prompt, in alternating runs. Random weights write different white space here and there, so times
are given for as many tokens as ours has. llama.cpp runs as llama-cpp-python samples (the grammar over the whole vocabulary at every
token), as llama.cpp's own programs do (the likeliest token first, the grammar over the vocabulary only where it is refused, which
random weights make the rule), and without any grammar. Needs llama-cpp-python built for this machine.
"""
import argparse
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROMPT = "Book the flight."


def ours(options, jump):
    """Tokens and seconds of decoding."""
    extras = {"jumpForward": jump}
    if options.whitespace:
        extras["whitespace"] = options.whitespace
    command = [
        options.leap, "run", options.model, "--prompt", PROMPT, "--schema", options.schema, "--json", "--temperature", "0",
        "--threads", str(options.threads), "--context", "2048", "--max-tokens", "1024", "--extras", json.dumps(extras),
    ]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    value = json.loads(answer["text"])
    assert len(value) == 12, value
    tokens = answer["stats"]["completion_tokens"]
    # The first token comes out of the prompt's pass.
    return tokens, (tokens - 1) / answer["stats"]["tokens_per_second"], answer["text"]


class Peer:
    """llama.cpp through its C API."""

    def __init__(self, options):
        import llama_cpp as L
        from llama_cpp.llama_grammar import json_schema_to_gbnf

        self.L = L

        @L.llama_log_callback
        def quiet(level, text, user):
            pass

        self.quiet = quiet
        L.llama_backend_init()
        L.llama_log_set(quiet, ctypes.c_void_p(0))
        self.model = L.llama_model_load_from_file(options.model.encode(), L.llama_model_default_params())
        self.vocabulary = L.llama_model_get_vocab(self.model)
        parameters = L.llama_context_default_params()
        parameters.n_ctx = 2048
        parameters.n_threads = parameters.n_threads_batch = options.threads
        self.context = L.llama_init_from_model(self.model, parameters)
        schema = pathlib.Path(options.schema).read_text()
        self.prompt = (
            f"<|im_start|>system\nAnswer with JSON that follows this JSON Schema: {schema}<|im_end|>\n"
            f"<|im_start|>user\n{PROMPT}<|im_end|>\n<|im_start|>assistant\n"
        )
        self.grammar = json_schema_to_gbnf(schema).encode()

    def tokenize(self, text):
        ids = (self.L.llama_token * 2048)()
        count = self.L.llama_tokenize(self.vocabulary, text.encode(), len(text.encode()), ids, 2048, True, True)
        return list(ids[:count])

    def run(self, limit, mode):
        """Tokens and seconds of decoding."""
        L = self.L
        L.llama_memory_clear(L.llama_get_memory(self.context), True)
        prompt = self.tokenize(self.prompt)
        ids = (L.llama_token * len(prompt))(*prompt)
        grammar = L.llama_sampler_init_grammar(self.vocabulary, self.grammar, b"root")
        size = L.llama_vocab_n_tokens(self.vocabulary)
        all_data = (L.llama_token_data * size)()
        one_data = (L.llama_token_data * 1)()
        assert L.llama_decode(self.context, L.llama_batch_get_one(ids, len(prompt))) == 0
        one = (L.llama_token * 1)()
        import numpy as np

        table = np.frombuffer(all_data, dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        table["id"] = np.arange(size)
        start, count = None, 0
        while count < limit:
            logits = np.ctypeslib.as_array(L.llama_get_logits_ith(self.context, -1), (size,))
            if start is None:
                start = time.perf_counter()
            token = -1
            if mode == "free":
                token = int(logits.argmax())
            if mode == "lazy":
                token = int(logits.argmax())
                one_data[0].id, one_data[0].logit, one_data[0].p = token, 1.0, 0.0
                array = L.llama_token_data_array(one_data, 1, -1, False)
                L.llama_sampler_apply(grammar, ctypes.byref(array))
                if one_data[0].logit == float("-inf"):
                    token = -1
            if token < 0:
                table["id"] = np.arange(size)
                table["logit"] = logits
                array = L.llama_token_data_array(all_data, size, -1, False)
                L.llama_sampler_apply(grammar, ctypes.byref(array))
                token = int(table["id"][table["logit"].argmax()])
            if L.llama_vocab_is_eog(self.vocabulary, token):
                break
            if mode != "free":
                L.llama_sampler_accept(grammar, token)
            count += 1
            one[0] = token
            assert L.llama_decode(self.context, L.llama_batch_get_one(one, 1)) == 0
            L.llama_synchronize(self.context)
        seconds = time.perf_counter() - start
        L.llama_sampler_free(grammar)
        return count, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--leap", default=str(HERE.parent.parent / ".build" / "release" / "leap"))
    parser.add_argument("--schema", default=str(HERE / "booking.schema.json"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--peer-tokens", type=int, default=400, help="the most tokens to measure llama.cpp with")
    parser.add_argument("--whitespace", choices=["bounded", "none"])
    options = parser.parse_args()
    peer = Peer(options)
    modes = {"llama.cpp": "full", "llama.cpp, lazy": "lazy", "llama.cpp, free": "free"}
    times = {name: [] for name in ["jump-forward", "token by token", *modes]}
    texts = set()
    for _ in range(options.repetitions):
        for name, jump in (("jump-forward", True), ("token by token", False)):
            tokens, seconds, text = ours(options, jump)
            texts.add(text)
            times[name].append(seconds)
            print(f"{name}: {tokens} tokens in {seconds:.2f} s", file=sys.stderr, flush=True)
        for name, mode in modes.items():
            count, seconds = peer.run(options.peer_tokens, mode)
            times[name].append(seconds / count * tokens)
            print(f"{name}: {count} tokens in {seconds:.2f} s", file=sys.stderr, flush=True)
    assert len(texts) == 1, "jump-forward changed the text"
    base = statistics.median(times["llama.cpp"])
    print(f"{tokens} tokens, {len(text)} characters")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:16} {median:7.2f} s  {median / tokens * 1000:6.1f} ms a token  {median / base:5.2f}×", flush=True)


if __name__ == "__main__":
    main()
