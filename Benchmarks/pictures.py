#!/usr/bin/env python3
"""Pictures beside llama.cpp's mtmd: `leap bench --image` and picture-peer.py in turn, medians of the runs, one row for each projector.

    python Benchmarks/pictures.py MODEL PROJECTOR... --library libmtmd.so [--image 512x512 --threads 2 --runs 3 --leap .build/release/leap]

MODEL is the text model that the projectors make vectors for; its weights may be random. Run it with the Python that has llama-cpp-python
(picture-peer.py says how it and libmtmd.so are built), on an idle machine. `--random LAYERS,WIDTH,INNER,HEADS,HIDDEN,OUTPUT` writes projectors
of those shapes with random weights to the paths that do not exist yet, whose names end in their type (…-F16.gguf, …-Q8_0.gguf).
"""
import argparse, json, os, re, statistics, subprocess, sys, tempfile


def random_projector(path, shape):
    import gguf, numpy as np
    layers, width, inner, heads, hidden, output = shape
    kind = gguf.GGMLQuantizationType[path.rsplit("-", 1)[1].removesuffix(".gguf")]
    source = np.random.default_rng(3)
    w = gguf.GGUFWriter(path, "clip")
    w.add_type("mmproj"); w.add_bool("clip.has_vision_encoder", True); w.add_string("clip.projector_type", "lfm2")
    for key, value in dict(image_size=256, patch_size=16, embedding_length=width, feed_forward_length=inner, block_count=layers,
                           projection_dim=output).items():
        w.add_uint32("clip.vision." + key, value)
    w.add_uint32("clip.vision.attention.head_count", heads); w.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-6)
    w.add_array("clip.vision.image_mean", [0.5] * 3); w.add_array("clip.vision.image_std", [0.5] * 3)
    w.add_bool("clip.use_gelu", True); w.add_uint32("clip.vision.projector.scale_factor", 2)

    def matrix(name, rows, columns):
        values = (source.standard_normal((rows, columns)) * columns ** -0.5).astype(np.float32)
        # Rows that end within a block are stored as they are, as converters do it.
        actual = kind if columns % 32 == 0 else gguf.GGMLQuantizationType.F16
        w.add_tensor(name, gguf.quants.quantize(values, actual), raw_dtype=actual)
        vector(name.replace(".weight", ".bias"), rows)

    def vector(name, count, one=False):
        w.add_tensor(name, np.ones(count, np.float32) if one else (source.standard_normal(count) * 0.02).astype(np.float32))

    w.add_tensor("v.patch_embd.weight", (source.standard_normal((width, 3, 16, 16)) * 0.03).astype(np.float32)); vector("v.patch_embd.bias", width)
    w.add_tensor("v.position_embd.weight", (source.standard_normal((256, width)) * 0.02).astype(np.float32))
    for layer in range(layers):
        prefix = f"v.blk.{layer}."
        for name in ("ln1", "ln2"): vector(prefix + name + ".weight", width, True); vector(prefix + name + ".bias", width)
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"): matrix(f"{prefix}{name}.weight", width, width)
        matrix(prefix + "ffn_up.weight", inner, width); matrix(prefix + "ffn_down.weight", width, inner)
    vector("v.post_ln.weight", width, True); vector("v.post_ln.bias", width)
    matrix("mm.1.weight", hidden, 4 * width); matrix("mm.2.weight", output, hidden)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode: sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def main():
    p = argparse.ArgumentParser(); p.add_argument("model"); p.add_argument("projectors", nargs="+"); p.add_argument("--library", required=True)
    p.add_argument("--image", default="512x512"); p.add_argument("--threads", default="2"); p.add_argument("--runs", type=int, default=3)
    p.add_argument("--leap", default=".build/release/leap"); p.add_argument("--random"); p.add_argument("--repetitions", default="2"); p.add_argument("--questions", default="1")
    a = p.parse_args(); here = os.path.dirname(os.path.abspath(__file__))
    processor = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    print(f"{a.image}, {a.threads} threads, medians of {a.runs} runs, {processor.group(1) if processor else 'unknown processor'}; ours : mtmd")
    common = ["--image", a.image, "--threads", a.threads, "--repetitions", a.repetitions]
    for projector in a.projectors:
        if not os.path.exists(projector) and a.random: random_projector(projector, list(map(int, a.random.split(","))))
        # The model and this projector alone in a folder, where the projector is found.
        with tempfile.TemporaryDirectory() as folder:
            for path in (a.model, projector): os.symlink(os.path.abspath(path), f"{folder}/{os.path.basename(path)}")
            ours, theirs = [], []
            for _ in range(a.runs):
                ours.append(run(a.leap, "bench", f"{folder}/{os.path.basename(a.model)}", *common, "--json"))
                theirs.append(run(sys.executable, f"{here}/picture-peer.py", a.model, projector, "--library", a.library, "--questions", a.questions, *common))
        middle = lambda reports, key: statistics.median(report[key] for report in reports)
        pair = lambda key, scale=1.0: (middle(ours, key) / scale, middle(theirs, key) / scale)
        encode, first, memory = pair("encode_ms"), pair("first_question_ms"), pair("private_rss_bytes", 1 << 20)
        second = middle(ours, "second_question_ms")
        print(f"{os.path.basename(projector)}: encode {encode[0]:.0f} : {encode[1]:.0f} ms = {encode[1] / encode[0]:.2f}× faster, "
              f"first question {first[0]:.0f} : {first[1]:.0f} ms, second {second:.1f} ms = {100 * second / first[0]:.1f} % of the first, "
              f"private {memory[0]:.0f} : {memory[1]:.0f} MiB = {memory[0] / memory[1]:.2f}×")


main()
