#!/usr/bin/env python3
"""Small vocabularies with reference token ids, one for every pre-tokenizer rule: Tests/LeapTokenizerTests/Fixtures.

    pip install tokenizers==0.23.3 sentencepiece==0.2.3 protobuf gguf llama-cpp-python
    python Scripts/make_tokenizer_fixtures.py

Each byte-level vocabulary is trained on the texts below until whole pieces are tokens, with the rules as the models' tokenizer.json
files have them, so that the ids show where the text was cut. The ids are those of Hugging Face tokenizers, SentencePiece and (WordPiece)
Hugging Face again. Where llama-cpp-python is installed, the script also says on how many texts llama.cpp differs: it replaces some
rules by simpler ones (see the documentation of LeapTokenizer).
"""
import json
import pathlib
import tempfile

import gguf
import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "Tests" / "LeapTokenizerTests" / "Fixtures"

TEXTS = [
    "Hello, world! I'm sure you'll say we've won; they'd WE'LL YOU'RE it's 'Tis 'quoted' o'clock x'S 'ſ",
    "The  quick   brown\tfox\n\njumps over\r\nthe lazy dog.  \n  Indented\n\t\ttabs \n ",
    "   leading and trailing   ",
    "\n\n\n \n  \n",
    "1 12 123 1234 12345 123456 1234567 3.14159 1,234,567.89 2024-11-05T07:08:09Z a1b2c3 0x1F 1234abc",
    "½ ² ³ Ⅷ ⅻ ①② ١٢٣٤٥ १२३४५ 𝟘𝟙𝟚𝟛 １２３４５６７",
    "Grüße aus Köln, ÉCOLE élève naïve café déjà-vu Straße ŞŞşŞ ÅÄÖ åäö ǅ ﬁ ÆØÅæøå",
    "camelCase PascalCase XMLHttpRequest iOS macOS SCREAMING_CASE snake_case приВЕТ ПРИВЕТ Привет ΑΒγΔ",
    "Привет, мир! Сегодня хорошая погода. Ёлка ёлка І їжак Български нещо",
    "Καλημέρα κόσμε, τι κάνεις; Αθήνα ΑΘΗΝΑ",
    "我想在apple工作1314151天～。东京タワーへ行きました、カタカナ ひらがな 漢字々〇 안녕하세요 세계 한국어",
    "「引用」　全角スペース　と。、！？：；（括弧）【】《》…—～",
    "नमस्ते दुनिया, यह हिन्दी में एक वाक्य है। कृपया ध्यान दें। বাংলা ভাষা தமிழ் తెలుగు",
    "สวัสดีชาวโลก ผมชื่อ កាន់តែពិសេសអាចខលចេញ ລາວ မြန်မာ",
    "مرحبا بالعالم، كيف حالك؟ شُكْرًا جَزِيلًا שלום עולם שָׁלוֹם",
    "🚀 (normal) 😶‍🌫️ (multiple emojis concatenated) ✅ 🦙🦙 👩‍👩‍👧 🇩🇪 ❤️",
    "e\u0301 a\u0308\u0304 \u0301x \u0301\u0302 o\u0302\u0301n Z\u0351\u036b\u0343a\u030a!\u0301",
    "f(x) = {\"name\": \"value\", \"n\": [1, 2, 3]} // comment /* block */ #include <stdio.h>\n    return a->b != c && d || !e;\n",
    "https://example.org/path/to?q=1&r=2#frag user@example.com C:\\dir\\file.txt </tag> <br/> //\n/\n//\r\n/",
    "!!!!!! ?????? ...... ----- ====== ____ **bold** `code` ~~~ $100 €50 100% a+b=c x^2 <=> |pipe| \\ [](){}",
    "'''''' \"\"\"\" ``` ' \" ` ’s “curly” ‘single’ – — … ‹› «guillemets» ¿Qué? ¡Hola!",
    "\u00a0no\u00a0break\u2003em\u2003space\u3000ideographic\u2028line\u2029para\u0085next\u000bvt\u000cff\u200bzw\ufeffbom",
    "\u0000null\u0001\u0002soh\u007fdel\u0080\u009f\u00ad\ue000\U000e0001\U0010ffff\u0378",
    "  x\n  y\n\n  z\t w  \t v \n\n\n u\r\r\nt",
    "∑∫√∞≠≤≥±×÷ ←→↑↓ ■□▲ ♠♣♥♦ ©®™ °C µm Ω Å K",
    "Tất cả mọi người sinh ra đều được tự do Cửa Việt Łódź žluťoučký kůň İstanbul ığdır",
    "a b c d e f g aa bb cc ab abc abcd bcd",
    "-é .中 $ab €ab _ab (ab \"ab 'ab -ab +1 -1 .5 ,a ;b :c",
    "word\nword\r\nword\u2028word \n word\n\nword\n \nword",
    "<|im_start|>user\nHi<|im_end|>\n<think>hm</think> ok <think> <|endoftext|>",
]

CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def words(letters=r"\p{L}", digits=r"\p{N}{1,3}", tail=r"[\r\n]*", lead=CONTRACTION + "|", marks=""):
    return rf"{lead}[^\r\n\p{{L}}\p{{N}}]?{letters}+|{digits}| ?[^\s\p{{L}}{marks}\p{{N}}]+{tail}|{SPACES}"


def cased(suffix, digits, tail, lead="", extra=""):
    upper = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}" + extra + "]"
    lower = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}" + extra + "]"
    start = r"[^\r\n\p{L}\p{N}]?"
    return (
        rf"{lead}{start}{upper}*{lower}+{suffix}|{start}{upper}+{lower}*{suffix}|{digits}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+{tail}|{SPACES}"
    )


# The letters of DeepSeek LLM's second rule, beyond ASCII, as code points and ranges of them.
DEEPSEEK_LETTERS = "".join(
    "-".join(chr(int(code, 16)) for code in entry.split("-"))
    for entry in (
        "B5 C0-D6 D8-F6 F8-1BA 1BC-1BF 1C4-293 295-2AF 370-373 376 377 37B-37D 37F 386 388-38A 38C 38E-3A1 3A3-3F5 "
        "3F7-481 48A-52F 531-556 10A0-10C5 13A0-13F5 13F8-13FD 1C90-1CBA 1CBD-1CBF 1D00-1D2B 1D6B-1D77 1D79-1D9A "
        "1E00-1F15 1F18-1F1D 1F20-1F45 1F48-1F4D 1F50-1F57 1F59 1F5B 1F5D 1F5F-1F7D 1F80-1FB4 1FB6-1FBC 1FBE 1FC2-1FC4 "
        "1FC6-1FCC 1FD0-1FD3 1FD6-1FDB 1FE0-1FEC 1FF2-1FF4 1FF6-1FFC 2102 2107 210A-2113 2115 2119-211D 2124 2126 2128 "
        "212A-212D 212F-2134 2139 213C-213F 2145-2149 214E 2183 2184 2C00-2C7B 2C7E-2CE4 2CEB-2CEE 2CF2 2CF3 A640-A66D "
        "A680-A69B A722-A76F A771-A787 A78B-A78E AB70-ABBF FB00-FB06 FB13-FB17 FF21-FF3A FF41-FF5A 10400-1044F "
        "104B0-104D3 104D8-104FB 10C80-10CB2 10CC0-10CF2 118A0-118DF 1E900-1E943 "
    ).split()
)
DEEPSEEK_WORDS = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|"""
    + SPACES
)
PHRASE = r" ?[^(\s|.,!?…。，、।۔،)]+"
DIGITS = pre_tokenizers.Digits(individual_digits=True)
BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)

# The rules of each value of tokenizer.ggml.pre.
RULES = {
    "gpt-2": [GPT2],
    "starcoder": [DIGITS, GPT2],
    "llama-bpe": [words()],
    "qwen2": [words(digits=r"\p{N}")],
    "qwen35": [words(letters=r"[\p{L}\p{M}]", digits=r"\p{N}", marks=r"\p{M}")],
    "ufakzeka": [words(digits=r"\p{N}", lead="")],
    "seed-coder": [words(digits=r"\p{N}", tail="", marks=r"\r\n")],
    "exaone-moe": [words(letters=r"(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)", digits=r"\p{N}", tail=r"[\r\n/]?")],
    "minicpm5": [r"\p{N}{1,3}", words(digits=r"\p{N}+")],
    "laguna": [r"[^\n]+|[\n]+", words(digits=r"\p{N}")],
    "gpt-4o": [cased(CONTRACTION + "?", r"\p{N}{1,3}", r"[\r\n/]*")],
    "tekken": [cased("", r"\p{N}", r"[\r\n/]*")],
    "kimi-k2": [cased(CONTRACTION + "?", r"\p{N}{1,3}", r"[\r\n]*", lead=r"[\p{Han}]+|", extra=r"&&[^\p{Han}]")],
    "tiny_aya": [r"\d{1,3}(?=(?:\d{3})*\b)", cased(CONTRACTION + "?", r"\p{N}{1,3}", r"[\r\n/]*")],
    "superbpe": [r"\p{N}+", r"(?=(\d{3})+(?!\d))"],
    "deepseek-llm": [
        r"[\r\n]", r"\s?[A-Za-z" + DEEPSEEK_LETTERS + "]+", r"\s?[!-/:-~！-／：-～‘-‟　-。]+", r"\s+$", "[一-龥ࠀ-一가-\ud7ff]+",
        DIGITS,
    ],
    "deepseek-coder": [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", DIGITS],
    "deepseek-v3": [r"\p{N}{1,3}", "[一-龥\u3040-\u309f\u30a0-\u30ff]+", DEEPSEEK_WORDS],
    "falcon": [
        pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        pre_tokenizers.Digits(individual_digits=False), "[0-9][0-9][0-9]",
    ],
    "default": [r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"],
    "bloom": [PHRASE],
    "viking": [PHRASE, DIGITS],
}
IGNORES_MERGES = {"llama-bpe", "tekken", "minicpm5"}
SPECIAL = ["<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
USER_DEFINED = ["<think>", "</think>"]
# The ids of the last text with control tokens found.
SPECIAL_IDS = {}


def writer(path, model, tokens, types):
    file = gguf.GGUFWriter(path, "bert" if model == "bert" else "t5" if model == "t5" else "llama")
    file.add_tokenizer_model(model)
    file.add_token_list(tokens)
    file.add_token_types(types)
    # llama.cpp wants these before it looks at the vocabulary.
    file.add_context_length(64)
    file.add_embedding_length(8)
    file.add_block_count(1)
    file.add_feed_forward_length(8)
    file.add_head_count(1)
    file.add_layer_norm_rms_eps(1e-5)
    if model in ("bert", "t5"):
        file.add_layer_norm_eps(1e-5)
        file.add_causal_attention(False)
    if model == "t5":
        file.add_relative_attn_buckets_count(32)
    return file


def finish(file):
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.close()


def byte_level(name, path):
    tokenizer = Tokenizer(models.BPE(ignore_merges=name in IGNORES_MERGES))
    steps = [pre_tokenizers.Split(Regex(rule), "isolated") if isinstance(rule, str) else rule for rule in RULES[name]]
    if name != "falcon":
        steps.append(BYTES)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1400, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
        max_token_length=24)
    # The last text is about special tokens; its marks are no pieces to learn.
    tokenizer.train_from_iterator(TEXTS[:-1] * 4, trainer)
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in USER_DEFINED])
    content = json.loads(tokenizer.to_str())
    vocabulary = dict(content["model"]["vocab"])
    vocabulary.update({token["content"]: token["id"] for token in content["added_tokens"]})
    tokens = sorted(vocabulary, key=vocabulary.get)
    types = [3 if token in SPECIAL else 4 if token in USER_DEFINED else 1 for token in tokens]
    file = writer(path, "gpt2", tokens, types)
    file.add_tokenizer_pre(name)
    file.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in content["model"]["merges"]])
    file.add_bos_token_id(1)
    file.add_eos_token_id(4)
    file.add_pad_token_id(0)
    finish(file)
    # Hugging Face always finds control tokens; a second tokenizer that does not know them gives the ids of plain text.
    plain = Tokenizer(models.BPE(
        vocab=content["model"]["vocab"], merges=[tuple(m) if not isinstance(m, str) else tuple(m.split(" ")) for m in content["model"]["merges"]],
        ignore_merges=name in IGNORES_MERGES))
    plain.pre_tokenizer = pre_tokenizers.Sequence(steps)
    # Their ids stay free of text: the added ones come after them in both.
    plain.add_tokens([AddedToken(token, normalized=False) for token in USER_DEFINED])
    assert plain.token_to_id(USER_DEFINED[0]) == tokens.index(USER_DEFINED[0])
    SPECIAL_IDS[name] = tokenizer.encode(TEXTS[-1], add_special_tokens=False).ids
    return [plain.encode(text, add_special_tokens=False).ids for text in TEXTS]


def sentence_piece(model, path, **options):
    with tempfile.TemporaryDirectory() as folder:
        corpus = pathlib.Path(folder) / "corpus.txt"
        corpus.write_text("\n".join(line for text in TEXTS[:-1] for line in text.replace("\0", "").splitlines() if line.strip()))
        rules = pathlib.Path(folder) / "rules.tsv"
        # Ligatures, full-width letters, a multi-character rule, and one that deletes.
        pairs = {"ﬁ": "fi", "½": "1⁄2", "ǅ": "Dž", "\u00a0": " ", "\u3000": " ", "\t": " ", "\n": " ", "a\u0308": "ä", "™": "TM", "\u200b": ""}
        pairs.update({chr(0xFF01 + i): chr(0x21 + i) for i in range(94)})
        rules.write_text(
            "".join(" ".join(f"{ord(c):X}" for c in k) + "\t" + " ".join(f"{ord(c):X}" for c in v) + "\n" for k, v in pairs.items()))
        if model == "t5":
            options["normalization_rule_tsv"] = str(rules)
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus), model_prefix=str(pathlib.Path(folder) / "m"), minloglevel=2, hard_vocab_limit=False, **options)
        file = str(pathlib.Path(folder) / "m.model")
        processor = sentencepiece.SentencePieceProcessor(model_file=file)
        proto = sentencepiece_model_pb2.ModelProto()
        proto.ParseFromString(pathlib.Path(file).read_bytes())
    tokens = [piece.piece.replace("▁", " ") if piece.type == 4 else piece.piece for piece in proto.pieces]
    file = writer(path, model, tokens, [piece.type for piece in proto.pieces])
    file.add_token_scores([piece.score for piece in proto.pieces])
    file.add_add_space_prefix(proto.normalizer_spec.add_dummy_prefix)
    file.add_remove_extra_whitespaces(proto.normalizer_spec.remove_extra_whitespaces)
    file.add_bos_token_id(1)
    file.add_eos_token_id(2)
    file.add_unk_token_id(0)
    if model == "t5":
        file.add_precompiled_charsmap(proto.normalizer_spec.precompiled_charsmap)
    finish(file)
    return [processor.encode(text) if "\0" not in text else None for text in TEXTS]


def word_piece(path):
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=900, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TEXTS[:-1], trainer)
    vocabulary = tokenizer.get_vocab()
    tokens = sorted(vocabulary, key=vocabulary.get)
    types = [3 if token in special else 1 for token in tokens]
    marked = [t if t in special else t[2:] if t.startswith("##") else "▁" + t for t in tokens]
    file = writer(path, "bert", marked, types)
    file.add_token_type_count(2)
    file.add_bos_token_id(2)
    file.add_sep_token_id(3)
    file.add_pad_token_id(0)
    file.add_unk_token_id(1)
    file.add_mask_token_id(4)
    finish(file)
    return [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]


def llama_differences(path, ids):
    try:
        import ctypes
        import llama_cpp
    except ImportError:
        return "not compared with llama.cpp"

    quiet = llama_cpp.llama_log_callback(lambda *_: None)
    llama_cpp.llama_log_set(quiet, None)
    parameters = llama_cpp.llama_model_default_params()
    parameters.vocab_only = True
    model = llama_cpp.llama_load_model_from_file(str(path).encode(), parameters)
    if not model:
        return "llama.cpp does not load it"
    vocabulary = llama_cpp.llama_model_get_vocab(model)
    different = []
    for index, (text, expected) in enumerate(zip(TEXTS, ids)):
        if expected is None:
            continue
        data = text.encode()
        buffer = (ctypes.c_int32 * (len(data) + 16))()
        count = llama_cpp.llama_tokenize(vocabulary, data, len(data), buffer, len(data) + 16, False, False)
        if list(buffer[:count]) != expected:
            different.append(index)
    return f"llama.cpp differs on {different}" if different else "llama.cpp agrees"


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    golden = {}
    for name in RULES:
        golden[name] = byte_level(name, OUT / f"{name}.gguf")
    golden["spm"] = sentence_piece(
        "llama", OUT / "spm.gguf", model_type="bpe", vocab_size=1100, byte_fallback=True, normalization_rule_name="identity",
        remove_extra_whitespaces=False, character_coverage=0.98)
    golden["spm-user"] = sentence_piece(
        "llama", OUT / "spm-user.gguf", model_type="bpe", vocab_size=900, byte_fallback=True, normalization_rule_name="identity",
        remove_extra_whitespaces=False, character_coverage=0.98, add_dummy_prefix=False,
        user_defined_symbols=["<think>", "</think>", "▁▁▁", "\n\n"])
    golden["unigram"] = sentence_piece("t5", OUT / "unigram.gguf", model_type="unigram", vocab_size=900, character_coverage=0.98)
    golden["wordpiece"] = word_piece(OUT / "wordpiece.gguf")
    (OUT / "golden.json").write_text(json.dumps({"texts": TEXTS, "ids": golden, "special": SPECIAL_IDS}, separators=(",", ":")))
    for name, ids in golden.items():
        path = OUT / f"{name}.gguf"
        print(f"{name}: {path.stat().st_size} bytes, {sum(i is not None for i in ids)} texts, {llama_differences(path, ids)}")


main()
