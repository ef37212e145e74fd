"""Compares llama.cpp's logits with a fixture's: python check-llama-cpp.py DIR/<name>.gguf ...

Needs llama-cpp-python and numpy.
"""
import ctypes, json, sys

import llama_cpp as L, numpy as np


@L.llama_log_callback
def quiet(level, text, user):
    pass


L.llama_backend_init()
L.llama_log_set(quiet, ctypes.c_void_p(0))
for path in sys.argv[1:]:
    f = json.load(open(path.replace(".gguf", ".json")))
    m = L.llama_model_load_from_file(path.encode(), L.llama_model_default_params())
    cp = L.llama_context_default_params()
    cp.n_ctx = cp.n_batch = 512
    cp.type_k = cp.type_v = L.GGML_TYPE_F32
    cp.flash_attn_type = 0
    c = L.llama_init_from_model(m, cp)
    n = len(f["tokens"])
    b = L.llama_batch_init(n, 0, 1)
    b.n_tokens = n
    for i, t in enumerate(f["tokens"]):
        b.token[i], b.pos[i], b.n_seq_id[i], b.logits[i] = t, i, 1, 1
        b.seq_id[i][0] = 0
    assert L.llama_decode(c, b) == 0
    width = f["shape"][1]
    positions = f.get("positions", range(n))
    got = np.stack([np.ctypeslib.as_array(L.llama_get_logits_ith(c, i), (width,)) for i in positions])
    ref = np.array(f["logits"]).reshape(-1, width)
    print(path, "max abs diff", float(np.abs(got - ref).max()), "argmax agree", float((got.argmax(1) == ref.argmax(1)).mean()))
