"""Log-likelihoods by llama-cpp-python's own calls: python library.py MODEL.gguf CONTEXT THREADS

Reads lines of JSON, {"tokens": [...], "context": how many of them are given}, and writes for each the sum of the log probabilities of the others and whether
each of them was the likeliest. The first line that it writes has its version, the size of the vocabulary, and the number of the token that texts begin with, or null.
"""

import json
import os
import sys

import llama_cpp
import numpy

lines = os.fdopen(os.dup(1), "w", buffering=1)
# What llama.cpp writes goes elsewhere.
os.dup2(2, 1)
model = llama_cpp.Llama(sys.argv[1], n_ctx=int(sys.argv[2]), n_threads=int(sys.argv[3]), n_threads_batch=int(sys.argv[3]), logits_all=True, verbose=False)
begins = llama_cpp.llama_vocab_get_add_bos(llama_cpp.llama_model_get_vocab(model._model.model))
lines.write(json.dumps({"version": llama_cpp.__version__, "vocabulary": model.n_vocab(), "bos": model.token_bos() if begins else None}) + "\n")
for line in sys.stdin:
    request = json.loads(line)
    tokens, context = request["tokens"], request["context"]
    model.reset()
    model.eval(tokens[:-1])
    logits = model.scores[context - 1:len(tokens) - 1].astype(numpy.float64)
    most = logits.max(axis=1)
    rest = numpy.array(tokens[context:])
    chosen = logits[numpy.arange(len(rest)), rest]
    sums = chosen - most - numpy.log(numpy.exp(logits - most[:, None]).sum(axis=1))
    lines.write(json.dumps([float(sums.sum()), bool((chosen == most).all())]) + "\n")
