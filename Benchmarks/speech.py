"""How fast a model of LFM2.5-Audio's shapes hears and speaks: `leap run --audio` and `--speak`, with random weights of type Q4_0 that
need no download.

    python Benchmarks/speech.py FOLDER PATH-OF-LEAP [THREADS]

It makes the text model (LFM2-1.2B shapes), its encoder of sound (Q8_0) and its decoder of speech in FOLDER, where they are not there yet
(1.2 GB; numpy and gguf). The first token after ten seconds of sound is a whole process, from its start on: model, encoder and decoder are
loaded, the sound is encoded and the prompt computed. Beside it stands a process that is asked in two words instead. The
real-time factor is the time that a reply of six tokens of text and twelve frames of speech in turn takes after its prompt, over the seconds
of its sound. Text alone is measured with the decoder beside the model and without it.
"""
import json, os, subprocess, sys, time, wave
import numpy as np, gguf
from gguf.quants import quantize
import models

Q4 = gguf.GGMLQuantizationType.Q4_0
rng = np.random.default_rng(1)


def matrix(writer, name, *shape, kind=Q4):
    """Rows of random numbers; few of them are drawn, as speed does not depend on them."""
    block = (rng.standard_normal((min(shape[0], 256), shape[1]), dtype=np.float32) * 0.02)
    quantised = quantize(block, kind)
    writer.add_tensor(name, np.tile(quantised, (-(-shape[0] // len(block)), 1))[:shape[0]], raw_dtype=kind)


def vector(writer, name, count, value=1.0):
    writer.add_tensor(name, np.full(count, value, np.float32))


def text_model(path):
    c = models.SHAPES["LFM2-1.2B"]
    d, ff = c["d"], c["ff"]
    w = gguf.GGUFWriter(path, "lfm2")
    w.add_name("random LFM2.5-Audio"); w.add_context_length(32768); w.add_embedding_length(d); w.add_block_count(c["layers"]); w.add_feed_forward_length(ff)
    w.add_head_count(c["heads"]); w.add_head_count_kv([c["kv"] if i in c["attn"] else 0 for i in range(c["layers"])])
    w.add_rope_freq_base(c["rope"]); w.add_layer_norm_rms_eps(1e-5); w.add_vocab_size(c["vocab"]); w.add_shortconv_l_cache(3)
    tokens, merges = models.vocabulary(c["vocab"])
    w.add_tokenizer_model("gpt2"); w.add_tokenizer_pre("lfm2"); w.add_token_list(tokens)
    w.add_token_types([3] * len(models.SPECIALS) + [1] * (len(tokens) - len(models.SPECIALS))); w.add_token_merges(merges)
    w.add_bos_token_id(1); w.add_eos_token_id(4); w.add_add_bos_token(True); w.add_chat_template(models.TEMPLATE)
    # LFM2's files of this type have their embeddings in Q6_K, which gguf does not write: Q8_0 reads somewhat more.
    matrix(w, "token_embd.weight", c["vocab"], d, kind=gguf.GGMLQuantizationType.Q8_0); vector(w, "token_embd_norm.weight", d)
    for i in range(c["layers"]):
        p = f"blk.{i}."
        vector(w, p + "attn_norm.weight", d); vector(w, p + "ffn_norm.weight", d)
        if i in c["attn"]:
            kv = c["kv"] * c["hd"]
            matrix(w, p + "attn_q.weight", d, d); matrix(w, p + "attn_k.weight", kv, d); matrix(w, p + "attn_v.weight", kv, d); matrix(w, p + "attn_output.weight", d, d)
            vector(w, p + "attn_q_norm.weight", c["hd"]); vector(w, p + "attn_k_norm.weight", c["hd"])
        else:
            matrix(w, p + "shortconv.in_proj.weight", 3 * d, d); matrix(w, p + "shortconv.out_proj.weight", d, d)
            w.add_tensor(p + "shortconv.conv.weight", (rng.standard_normal((d, 3)) * 0.3).astype(np.float32))
        matrix(w, p + "ffn_gate.weight", ff, d); matrix(w, p + "ffn_up.weight", ff, d); matrix(w, p + "ffn_down.weight", d, ff)
    finish(w)


def decoder(path, d=2048, depth=1024, length=512):
    w = gguf.GGUFWriter(path, "this model cannot be used as LLM, use it via --model-vocoder in TTS examples")
    w.add_uint32("depthformer_n_layer", 6); w.add_uint32("depthformer_n_embd", depth)
    matrix(w, "depth_linear.weight", 8 * depth, d); vector(w, "depth_linear.bias", 8 * depth, 0.0)
    for i in range(6):
        p = f"depthformer.layers.{i}."
        vector(w, p + "operator_norm.weight", depth); vector(w, p + "ffn_norm.weight", depth)
        matrix(w, p + "operator.qkv_proj.weight", depth + 512, depth); matrix(w, p + "operator.out_proj.weight", depth, depth)
        vector(w, p + "operator.attention.q_layernorm.weight", 32); vector(w, p + "operator.attention.k_layernorm.weight", 32)
        matrix(w, p + "feed_forward.w1.weight", 2816, depth); matrix(w, p + "feed_forward.w3.weight", 2816, depth); matrix(w, p + "feed_forward.w2.weight", depth, 2816)
    for i in range(8):
        p = f"depth_embeddings.{i}."
        matrix(w, p + "embedding.weight", 2049, depth); vector(w, p + "embedding_norm.weight", depth)
        # The end of speech is never the likeliest code.
        scores = quantize(rng.standard_normal((2048, depth), dtype=np.float32) * 0.02, Q4)
        w.add_tensor(p + "to_logits.weight", np.concatenate([scores, quantize(np.zeros((1, depth), np.float32), Q4)]), raw_dtype=Q4)
    matrix(w, "audio_embedding.embedding.weight", 8 * 2049, d); matrix(w, "emb.emb.weight", 8 * 2048, length)
    vector(w, "lfm.embedding_norm.weight", length)
    for i, kind in enumerate("ccacacac"):
        p = f"lfm.layers.{i}."
        vector(w, p + "operator_norm.weight", length); vector(w, p + "ffn_norm.weight", length)
        matrix(w, p + "feed_forward.w1.weight", 2304, length); matrix(w, p + "feed_forward.w3.weight", 2304, length); matrix(w, p + "feed_forward.w2.weight", length, 2304)
        if kind == "c":
            matrix(w, p + "conv.in_proj.weight", 3 * length, length); matrix(w, p + "conv.out_proj.weight", length, length)
            w.add_tensor(p + "conv.conv.weight", (rng.standard_normal((length, 3)) * 0.3).astype(np.float32))
        else:
            for name, rows in (("q_proj", length), ("k_proj", 256), ("v_proj", 256), ("out_proj", length)):
                matrix(w, p + f"self_attn.{name}.weight", rows, length)
            vector(w, p + "self_attn.q_layernorm.weight", 32); vector(w, p + "self_attn.k_layernorm.weight", 32)
    matrix(w, "lin.weight", 1282, length); vector(w, "lin.bias", 1282, 0.0)
    w.add_tensor("istft.window", (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1280) / 1280)).astype(np.float32))
    finish(w)


def encoder(path, d=512, ff=2048, out=2048):
    q8, w = gguf.GGMLQuantizationType.Q8_0, gguf.GGUFWriter(path, "clip")
    w.add_type("mmproj"); w.add_bool("clip.has_audio_encoder", True); w.add_string("clip.projector_type", "lfm2a")
    for key, value in (("projection_dim", out), ("embedding_length", d), ("feed_forward_length", d), ("block_count", 17), ("num_mel_bins", 128),
                       ("attention.head_count", 8)): w.add_uint32("clip.audio." + key, value)
    w.add_float32("clip.audio.attention.layer_norm_epsilon", 1e-5)
    random = lambda *shape: (rng.standard_normal(shape) * 0.05).astype(np.float32)
    for i, shape in ((0, (256, 1, 3, 3)), (2, (256, 1, 3, 3)), (3, (256, 256, 1, 1)), (5, (256, 1, 3, 3)), (6, (256, 256, 1, 1))):
        w.add_tensor(f"a.conv1d.{i}.weight", random(*shape)); w.add_tensor(f"a.conv1d.{i}.bias", random(256, 1, 1))

    def linear(name, rows, columns): matrix(w, name + ".weight", rows, columns, kind=q8); vector(w, name + ".bias", rows, 0.0)

    def norm(name, count=d): vector(w, name + ".weight", count); vector(w, name + ".bias", count, 0.0)

    linear("a.pre_encode.out", d, 4096)
    for i in range(17):
        p = f"a.blk.{i}."
        for end in ("", "_1"):
            norm(p + "ffn_norm" + end); linear(p + "ffn_up" + end, ff, d); linear(p + "ffn_down" + end, d, ff)
        norm(p + "ln1"); norm(p + "ln2"); norm(p + "norm_conv"); norm(p + "conv_norm")
        for name in ("q", "k", "v", "out"): linear(p + "attn_" + name, d, d)
        matrix(w, p + "linear_pos.weight", d, d, kind=q8)
        w.add_tensor(p + "pos_bias_u", random(8, 64)); w.add_tensor(p + "pos_bias_v", random(8, 64))
        linear(p + "conv_pw1", 2 * d, d); linear(p + "conv_pw2", d, d)
        w.add_tensor(p + "conv_dw.weight", random(d, 9)); vector(w, p + "conv_dw.bias", d, 0.0)
    norm("mm.a.mlp.0"); linear("mm.a.mlp.1", 2048, d); linear("mm.a.mlp.3", out, 2048)
    finish(w)


def ten_seconds(path):
    """A voice-like sound: a few harmonics that come and go."""
    t = np.arange(160000) / 16000
    sound = sum(np.sin(2 * np.pi * 140 * k * t) / k for k in range(1, 12)) * (0.5 + 0.5 * np.sin(2 * np.pi * 3 * t)) * 0.2
    with wave.open(path, "wb") as file:
        file.setnchannels(1); file.setsampwidth(2); file.setframerate(16000); file.writeframes((sound * 32767).astype(np.int16).tobytes())


def process(leap, model, threads, *options):
    """Seconds of a whole process that writes one token."""
    begin = time.monotonic()
    run(leap, model, threads, 1, *options)
    return time.monotonic() - begin


def finish(writer):
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()


def run(leap, model, threads, tokens, *options):
    command = [leap, "run", model, "Say it.", "--json", "--threads", str(threads), "--max-tokens", str(tokens), "--temperature", "0", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["stats"]


def rate(stats):
    return next(value for key, value in stats.items() if key.lower().replace("_", "") in ("tokenpersecond", "tokenspersecond"))


def count(stats):
    return next(value for key, value in stats.items() if key.lower().replace("_", "") == "completiontokens")


def main():
    folder, leap = sys.argv[1:3]
    counts = [int(sys.argv[3])] if len(sys.argv) > 3 else [1, 2]
    os.makedirs(folder + "/silent", exist_ok=True)
    paths = {"text": f"{folder}/audio-q4_0.gguf", "speech": f"{folder}/vocoder-audio-q4_0.gguf", "silent": f"{folder}/silent/audio-q4_0.gguf"}
    if not os.path.exists(paths["text"]): text_model(paths["text"])
    if not os.path.exists(paths["speech"]): decoder(paths["speech"])
    if not os.path.exists(folder + "/mmproj-audio-q4_0.gguf"): encoder(folder + "/mmproj-audio-q4_0.gguf")
    if not os.path.exists(paths["silent"]): os.link(paths["text"], paths["silent"])
    sound, question = folder + "/speech.wav", folder + "/question.wav"
    ten_seconds(question)
    for threads in counts:
        for model in ("silent", "text"): run(leap, paths[model], threads, 8)
        text = [(rate(run(leap, paths["silent"], threads, 64)), rate(run(leap, paths["text"], threads, 64))) for _ in range(3)]
        plain, beside = (sorted(values)[1] for values in zip(*text))
        first = [(process(leap, paths["text"], threads, "--audio", question), process(leap, paths["text"], threads)) for _ in range(5)]
        heard, written = (sorted(values)[2] * 1000 for values in zip(*first))
        best = None
        for _ in range(3):
            # Random weights may end the reply sooner.
            stats = run(leap, paths["text"], threads, 180, "--speak", sound, "--extras", '{"audioOrder": "interleaved"}')
            steps = count(stats) / rate(stats)
            with wave.open(sound) as file: seconds = file.getnframes() / file.getframerate()
            best = min(best or (steps, seconds, count(stats)), (steps, seconds, count(stats)), key=lambda item: item[0] / item[1])
        frames = best[1] / 0.08
        frame = (best[0] - (best[2] - frames) / beside) / frames
        print(f"{threads} threads: {best[1]:.2f} s of sound in {best[0]:.2f} s, real-time factor {best[0] / best[1]:.2f}; a frame takes {frame * 1000:.0f} ms; "
              f"text alone {plain:.1f} tokens/s, with the decoder beside it {beside:.1f}; "
              f"first token of a new process after 10 s of sound {heard:.0f} ms, after two words {written:.0f}")


if __name__ == "__main__":
    main()
