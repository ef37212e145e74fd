"""lm-eval through leap-server, and through llama-cpp-python on the same file: accuracies beside each other, and how far log-likelihoods are apart.

    swift build -c release --traits Server --product leap-server
    python -m venv ~/lm-eval && ~/lm-eval/bin/pip install 'lm_eval[api]==0.4.13'
    ~/lm-eval/bin/python Benchmarks/lm-eval.py [MODEL.gguf…] [--peer-python PYTHON] [--limit N --concurrent 4 --threads 2 --context 1024 --peer-server]

Two tasks of our own, which need no network (Benchmarks/lm-eval; make_items.py writes their items): `leap_facts`, questions with four answers, and
`leap_last_words`, texts whose last word is to be told, as in LAMBADA. Both are in the demo model's manner. Without MODEL its files with Q8_0 and F16 in shared/models
are measured. --peer-python is a Python with llama-cpp-python[server]. Everything runs at 127.0.0.1.

- leap-server is asked by lm-eval's `local-completions`, --concurrent requests at a time. Tokens are counted by its own /tokenize.
- llama-cpp-python's server is asked by the same, one at a time, with --logits_all, without which it has no log probabilities of a prompt. It takes texts
  only, leaves the first token out of what it tells, and for models whose texts begin without a token of their own it tells each token's under the one
  before; those are left to the next. So are vocabularies of more than 32,768 tokens, unless --peer-server is given: it sorts all of them for each token of a
  prompt, which takes it half a minute for a text.
- llama-cpp-python's library is asked for the same tokens by lm-eval/library.py.

By lm-eval's own program, from the root of the repository, without a peer (with transformers installed too, and the folder of the model's tokenizer):

    leap-server MODEL.gguf & lm_eval run --model local-completions --include_path Benchmarks/lm-eval --tasks leap_facts,leap_last_words \\
        --model_args base_url=http://127.0.0.1:8080/v1/completions,model=MODEL,tokenizer_backend=huggingface,tokenizer=FOLDER,add_bos_token=True,num_concurrent=4
"""

import argparse
import contextlib
import ctypes
import json
import logging
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TQDM_DISABLE="1")
CACHE = tempfile.TemporaryDirectory()
os.environ["HF_HOME"] = os.environ["HF_DATASETS_CACHE"] = CACHE.name

import lm_eval
from lm_eval.api.model import TemplateLM
from lm_eval.models.openai_completions import LocalCompletionsAPI
from lm_eval.tasks import TaskManager

TASKS = ["leap_facts", "leap_last_words"]


# MARK: Servers

def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@contextlib.contextmanager
def process(command, **options):
    running = subprocess.Popen(command, text=True, preexec_fn=end_with_parent, **options)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(60)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextlib.contextmanager
def leap_server(options, model):
    with process([options.server, model, "--port", "0", "--threads", str(options.threads), "--keep-alive=-1"],
                 stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        line = running.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
        if not address:
            sys.exit(f"leap-server did not start: {line}")
        threading.Thread(target=lambda: [sys.stderr.write(text) for text in running.stderr], daemon=True).start()
        with urllib.request.urlopen(address[0] + "/v1/models", timeout=60) as reply:
            yield address[0], json.load(reply)["data"][0]["id"]


@contextlib.contextmanager
def peer_server(options, model):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryFile("w+") as log, process(
            [options.peer_python, "-m", "llama_cpp.server", "--model", model, "--model_alias", "peer", "--host", "127.0.0.1", "--port", str(port),
             "--n_threads", str(options.threads), "--n_threads_batch", str(options.threads), "--n_ctx", str(options.context), "--logits_all", "True",
             "--interrupt_requests", "False", "--verbose", "False"], stdin=subprocess.DEVNULL, stdout=log, stderr=log) as running:
        for _ in range(1500):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if running.poll() is not None:
                log.seek(0)
                sys.exit("the peer has ended: " + log.read()[-2000:])
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"


def post(address, body):
    request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as reply:
        return json.load(reply)


# MARK: Models of lm-eval

class Tokens:
    """The tokens of texts by leap-server, for all sides, and the log-likelihoods that a side has told."""

    def __init__(self, address):
        self.address, self.known = address, {}

    def encode(self, text, with_start=True):
        key = text, with_start
        if key not in self.known:
            self.known[key] = post(self.address + "/tokenize", {"content": text, "add_special": with_start, "parse_special": True})["tokens"]
        return self.known[key]

    def note(self, told, requests, answers):
        told.update({(context, continuation): answer for ((context, continuation), *_), answer in zip(requests, answers)})


class Completions(LocalCompletionsAPI):
    """local-completions, with tokens counted by leap-server in place of a tokenizer of transformers."""

    def __init__(self, tokens, address, model, context, concurrent):
        super().__init__(base_url=address + "/v1/completions", model=model, tokenizer_backend=None, max_length=context, num_concurrent=concurrent,
                         eos_string="<|im_end|>", max_retries=1)
        self.tokenizer, self.tokenized_requests, self.told = tokens, True, {}

    def tok_encode(self, string, add_special_tokens=None, **_):
        return self.tokenizer.encode(string, add_special_tokens is not False)

    def _loglikelihood_tokens(self, requests, **more):
        answers = super()._loglikelihood_tokens(requests, **more)
        self.tokenizer.note(self.told, requests, answers)
        return answers


class PeerCompletions(Completions):
    """llama-cpp-python's server takes texts only, and leaves out the token that texts begin with."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.texts = {}

    def _loglikelihood_tokens(self, requests, **more):
        self.texts.update({tuple(given + rest): context + continuation for (context, continuation), given, rest in requests})
        return super()._loglikelihood_tokens(requests, **more)

    def create_message(self, messages, generate=False):
        return self.texts[tuple(messages[0])]

    @staticmethod
    def parse_logprobs(outputs, tokens=None, ctxlens=None, **_):
        answers = []
        for output, ids, given in zip(outputs, tokens, ctxlens):
            if output["usage"]["prompt_tokens"] != len(ids):
                raise ValueError(f"{output['usage']['prompt_tokens']} tokens of a prompt of {len(ids)}")
            told = output["choices"][0]["logprobs"]
            # From the end, without what was written: a token, or none at the end of a turn.
            end = len(told["token_logprobs"]) - output["usage"]["completion_tokens"]
            own = told["token_logprobs"][end - (len(ids) - given):end]
            most = [max(top.values()) for top in told["top_logprobs"][end - (len(ids) - given):end]]
            answers.append((sum(own), own == most))
        return answers


class Library(TemplateLM):
    """llama-cpp-python's own calls, in a process of its Python."""

    def __init__(self, tokens, running):
        super().__init__()
        self.tokenizer, self.running, self.told = tokens, running, {}

    eot_token_id = None
    tok_encode = Completions.tok_encode

    def _loglikelihood_tokens(self, requests, **_):
        answers = []
        for _, given, rest in requests:
            self.running.stdin.write(json.dumps({"tokens": given + rest, "context": len(given)}) + "\n")
            self.running.stdin.flush()
            line = self.running.stdout.readline()
            if not line:
                sys.exit("llama-cpp-python has ended")
            answers.append(tuple(json.loads(line)))
        self.tokenizer.note(self.told, requests, answers)
        return answers

    def loglikelihood_rolling(self, requests, **_):
        raise NotImplementedError

    def generate_until(self, requests, **_):
        raise NotImplementedError


# MARK: Measurement

def evaluate(model, options, manager):
    start = time.monotonic()
    with contextlib.redirect_stdout(sys.stderr):
        results = lm_eval.simple_evaluate(model=model, tasks=TASKS, task_manager=manager, limit=options.limit, bootstrap_iters=0, log_samples=False)
    figures = {(task, key.split(",")[0]): value for task in TASKS for key, value in results["results"][task].items() if key.endswith(",none")}
    return figures, model.told, time.monotonic() - start


def measure(options, file, manager):
    sides, notes = {}, []
    with contextlib.ExitStack() as stack:
        address, name = stack.enter_context(leap_server(options, str(file)))
        tokens = Tokens(address)
        sides["leap-server"] = evaluate(Completions(tokens, address, name, options.context, options.concurrent), options, manager)
        if options.peer_python:
            running = stack.enter_context(process(
                [options.peer_python, str(ROOT / "Benchmarks/lm-eval/library.py"), str(file), str(options.context), str(options.threads)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
            first = running.stdout.readline()
            if not first:
                sys.exit("llama-cpp-python does not load the model")
            facts = json.loads(first)
            version = facts["version"]
            sides[f"llama-cpp-python {version}, library"] = evaluate(Library(tokens, running), options, manager)
            if facts["bos"] is None:
                notes.append("llama-cpp-python's server is left out: without a token at the start it tells each token's log probability under the one before.")
            elif facts["vocabulary"] > 32_768 and not options.peer_server:
                notes.append(f"llama-cpp-python's server is left out: it would sort {facts['vocabulary']:,} tokens for each one of a prompt.")
            else:
                peer = stack.enter_context(peer_server(options, str(file)))
                sides[f"llama-cpp-python {version}, server"] = evaluate(PeerCompletions(tokens, peer, "peer", options.context, 1), options, manager)
    ours = sides["leap-server"][1]
    print(f"\n{file.name}, {len(ours)} log-likelihoods:\n")
    print("| | facts: acc | facts: acc_norm | last words: acc | last words: perplexity | largest difference from leap-server | of those above -10 | mean | likeliest or not: told otherwise | seconds |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    worst = None
    for side, (figures, told, seconds) in sides.items():
        cells = [f"{figures[TASKS[0], 'acc']:.4f}", f"{figures[TASKS[0], 'acc_norm']:.4f}", f"{figures[TASKS[1], 'acc']:.4f}",
                 f"{figures[TASKS[1], 'perplexity']:.5f}"]
        if told is ours:
            cells += ["", "", "", ""]
        else:
            if told.keys() != ours.keys():
                sys.exit(f"{side} was asked for other texts than leap-server")
            apart = {key: abs(told[key][0] - ours[key][0]) for key in ours}
            most = max(apart, key=apart.get)
            if worst is None or apart[most] > worst[0]:
                worst = apart[most], side, most, ours[most][0], told[most][0]
            likely = max((apart[key] for key in ours if ours[key][0] > -10), default=float("nan"))
            cells += [f"{apart[most]:.5f}", f"{likely:.5f}", f"{sum(apart.values()) / len(apart):.6f}", str(sum(told[key][1] != ours[key][1] for key in ours))]
        print("| " + " | ".join([side, *cells, f"{seconds:.0f}"]) + " |")
    print()
    if worst:
        print(f"The largest difference is with the {worst[1].split(', ')[1]}: {worst[3]:.5f} and {worst[4]:.5f} for {worst[2][1]!r} after {worst[2][0][-60:]!r}.")
    for note in notes:
        print(note)
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--server", default=str(ROOT / ".build/release/leap-server"))
    parser.add_argument("--peer-python", help="a Python that has llama-cpp-python[server]")
    parser.add_argument("--peer-server", action="store_true", help="its server with large vocabularies too")
    parser.add_argument("--limit", type=int, help="so many items of each task")
    for name, value in [("concurrent", 4), ("threads", 2), ("context", 1024)]:
        parser.add_argument("--" + name, type=int, default=value)
    options = parser.parse_args()
    files = [file.resolve() for file in options.models] or sorted(
        file.resolve() for place in (ROOT / "shared/models", ROOT.parent / "shared/models") if place.is_dir()
        for kind in ("Q8_0", "F16") for file in place.glob(f"leap-demo-{kind}.gguf"))
    if not files:
        sys.exit("name a GGUF file")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("lm_eval").setLevel(logging.WARNING)
    # The tasks name their items from here.
    os.chdir(ROOT)
    manager = TaskManager(include_path=str(ROOT / "Benchmarks/lm-eval"), include_defaults=False)
    print(f"lm-eval {lm_eval.__version__}, {options.concurrent} requests at a time to leap-server, {options.threads} threads")
    for file in dict.fromkeys(files):
        measure(options, file, manager)


if __name__ == "__main__":
    main()
