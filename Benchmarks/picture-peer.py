"""llama.cpp's mtmd through its C API, one JSON line in the shape of `leap bench --image WxH --json`.

    python Benchmarks/picture-peer.py MODEL MMPROJ --library libmtmd.so [--image 512x512 --threads 2 --repetitions 3 --questions 1]

Needs llama-cpp-python built for this machine (CMAKE_ARGS=-DGGML_NATIVE=ON) and libmtmd of the same sources (tools/mtmd of the
llama.cpp in its source archive), linked with that build's libraries. Flash attention is mtmd's own choice.
"""
import argparse, ctypes, json, statistics, time
from ctypes import c_bool, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_void_p
import llama_cpp as L

p = argparse.ArgumentParser(); p.add_argument("model"); p.add_argument("projector"); p.add_argument("--library", required=True)
p.add_argument("--image", default="512x512"); p.add_argument("--threads", type=int, default=2); p.add_argument("--repetitions", type=int, default=3); p.add_argument("--questions", type=int, default=1)
a = p.parse_args(); width, height = map(int, a.image.split("x"))


class Parameters(ctypes.Structure):
    _fields_ = [("use_gpu", c_bool), ("device", c_void_p), ("print_timings", c_bool), ("n_threads", c_int), ("image_marker", c_char_p),
                ("media_marker", c_char_p), ("flash_attn_type", c_int), ("warmup", c_bool), ("image_min_tokens", c_int),
                ("image_max_tokens", c_int), ("cb_eval", c_void_p), ("cb_eval_user_data", c_void_p), ("batch_max_tokens", c_int32),
                ("progress_callback", c_void_p), ("progress_callback_user_data", c_void_p)]


class Text(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("add_special", c_bool), ("parse_special", c_bool)]


@L.llama_log_callback
def quiet(level, text, user): pass


def status(key):
    """A line of /proc/self/status, in bytes."""
    return next((int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key + ":")), 0)


M = ctypes.CDLL(a.library)
for name, result, arguments in [
        ("mtmd_context_params_default", Parameters, []), ("mtmd_init_from_file", c_void_p, [c_char_p, c_void_p, Parameters]),
        ("mtmd_bitmap_init", c_void_p, [c_uint32, c_uint32, c_char_p]), ("mtmd_input_chunks_init", c_void_p, []),
        ("mtmd_tokenize", c_int32, [c_void_p, c_void_p, ctypes.POINTER(Text), ctypes.POINTER(c_void_p), c_size_t]),
        ("mtmd_input_chunks_size", c_size_t, [c_void_p]), ("mtmd_input_chunks_get", c_void_p, [c_void_p, c_size_t]),
        ("mtmd_input_chunk_get_type", c_int, [c_void_p]), ("mtmd_input_chunk_get_n_tokens", c_size_t, [c_void_p]),
        ("mtmd_encode_chunk", c_int32, [c_void_p, c_void_p]),
        ("mtmd_helper_eval_chunks", c_int32, [c_void_p, c_void_p, c_void_p, c_int32, c_int32, c_int32, c_bool, c_void_p]),
        ("mtmd_log_set", None, [c_void_p, c_void_p]), ("mtmd_helper_log_set", None, [c_void_p, c_void_p]),
        ("mtmd_default_marker", c_char_p, [])]:
    function = getattr(M, name); function.restype, function.argtypes = result, arguments

L.llama_backend_init(); L.llama_log_set(quiet, c_void_p(0))
M.mtmd_log_set(ctypes.cast(quiet, c_void_p), None); M.mtmd_helper_log_set(ctypes.cast(quiet, c_void_p), None)
model = L.llama_model_load_from_file(a.model.encode(), L.llama_model_default_params())
c = L.llama_context_default_params(); c.n_ctx = 4096; c.n_batch = 2048; c.n_ubatch = 512; c.n_threads = c.n_threads_batch = a.threads
context = L.llama_init_from_model(model, c); memory = L.llama_get_memory(context)
parameters = M.mtmd_context_params_default(); parameters.use_gpu = False; parameters.print_timings = False; parameters.n_threads = a.threads
vision = M.mtmd_init_from_file(a.projector.encode(), ctypes.cast(model, c_void_p), parameters)
assert vision, "the projector cannot be loaded"


def chunks(index):
    """A picture of its own for each run, and a question."""
    pixels = bytes(v for y in range(height) for x in range(width) for v in ((x + 17 * index) & 255, 3 * y & 255, (x ^ y) & 255))
    bitmap = M.mtmd_bitmap_init(width, height, pixels); result = M.mtmd_input_chunks_init()
    text = Text(M.mtmd_default_marker() + b"What is it?", True, True)
    start = time.perf_counter()
    assert M.mtmd_tokenize(vision, result, ctypes.byref(text), (c_void_p * 1)(bitmap), 1) == 0
    return result, time.perf_counter() - start


encode, first, tokens, parts = [], [], 0, 0
for run in range(a.repetitions + 1):
    all_chunks, preparing = chunks(run); images = [M.mtmd_input_chunks_get(all_chunks, i) for i in range(M.mtmd_input_chunks_size(all_chunks))]
    images = [chunk for chunk in images if M.mtmd_input_chunk_get_type(chunk) == 1]
    tokens, parts = sum(M.mtmd_input_chunk_get_n_tokens(chunk) for chunk in images), len(images)
    start = time.perf_counter()
    for chunk in images: assert M.mtmd_encode_chunk(vision, chunk) == 0
    encode.append(time.perf_counter() - start + preparing)
    if run < a.repetitions + 1 - a.questions: continue
    L.llama_memory_clear(memory, True); past = L.llama_pos(0); start = time.perf_counter()
    assert M.mtmd_helper_eval_chunks(vision, ctypes.cast(context, c_void_p), all_chunks, 0, 0, 2048, True, ctypes.byref(past)) == 0
    L.llama_synchronize(context); first.append(time.perf_counter() - start + preparing)
encode, first = statistics.median(encode[1:]) * 1000, statistics.median(first or [0]) * 1000
print(json.dumps(dict(width=width, height=height, parts=parts, tokens=tokens, encode_ms=encode, encode_part_ms=encode / parts, encode_tps=tokens / encode * 1000,
                      first_question_ms=first, peak_rss_bytes=status("VmHWM"), private_rss_bytes=status("RssAnon"), threads=a.threads)))
