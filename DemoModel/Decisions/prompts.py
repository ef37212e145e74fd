"""The tokenizer of the decision demo models, and the prompts of questions: those of the types lfm2-d1 and lfm2-d1-omni, as the engine writes them."""
import bisect, json, os

import jinja2
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

import world

HERE = os.path.dirname(os.path.abspath(__file__))
TEMPLATE = open(os.path.join(HERE, "systemone.jinja")).read()
# The special tokens of the demo model, and the marks of lfm2-d1-omni: state, instructions, option, its end, the end.
MARKS = [f"<|reserved_{i}|>" for i in range(7, 12)]
SPECIAL = ["<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|fim_pre|>", "<|fim_mid|>", "<|fim_suf|>", "<|im_start|>", "<|im_end|>",
           "<|tool_list_start|>", "<|tool_list_end|>", "<|tool_call_start|>", "<|tool_call_end|>", "<|tool_response_start|>", "<|tool_response_end|>",
           "<|mask|>"] + MARKS
SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
VOCABULARY = 2048
TYPES = {"choice": 0, "score": 1, "noul": 2}
LETTERS = [chr(65 + i) for i in range(26)]

environment = jinja2.Environment()
environment.filters["tojson"] = lambda x, indent=None: json.dumps(x, ensure_ascii=False, indent=indent)
template = environment.from_string(TEMPLATE)


def options(question):
    """Key and description of each option, in the order of an answer's probabilities."""
    criteria = question.get("criteria")
    if question["type"] == "choice": return list(criteria.items())
    if question["type"] == "score": return [(str(i), text) for i, text in enumerate(criteria)]
    return [("true", (criteria or {}).get("true")), ("false", (criteria or {}).get("false"))]


def labels(question):
    """The spellings of each option's label; the first one stands in the prompt."""
    if question["type"] == "noul": return [["yes", "Yes", "YES"], ["no", "No", "NO"]]
    if question["type"] == "score": return [[str(i)] for i in range(len(question["criteria"]))]
    keys = list(question["criteria"])
    codes = keys if all(len(k) == 1 and k.isascii() and k.isalpha() for k in keys) else LETTERS[:len(keys)]
    return [[code, " " + code] for code in codes]


def label_text(state, question):
    """The prompt of lfm2-d1."""
    listed = [{"key": key, "description": description, "label": spellings[0]} for (key, description), spellings in zip(options(question), labels(question))]
    return template.render(bos_token="<|startoftext|>", images=[], state=state, instructions=question["instructions"], type=question["type"], options=listed)


def option_texts(question):
    """The options of lfm2-d1-omni in the order of its prompts: of yes and no, no is the first."""
    listed = options(question)
    if question["type"] == "choice": return [f"{key}: {text}" if text else key for key, text in listed]
    if question["type"] == "score": return [f"level {key}: {text}" for key, text in listed]
    return [f"false: {listed[1][1] or 'no, the statement does not hold'}", f"true: {listed[0][1] or 'yes, the statement holds'}"]


class Prompts:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.id = tokenizer.token_to_id
        self.known = {}

    def encode(self, text):
        """The tokens of a text; those of short ones, which come again, are kept."""
        found = self.known.get(text)
        if found is None:
            found = self.tokenizer.encode(text, add_special_tokens=False).ids
            if len(text) < 60 and len(self.known) < 50_000: self.known[text] = found
        return found

    def labelled(self, state, question):
        """Tokens of the prompt, those of each option's label, and the places of the options' last tokens; none of yes and no."""
        text = label_text(state, question)
        encoded = self.tokenizer.encode(text, add_special_tokens=False)
        places = []
        if question["type"] != "noul":
            lines = [s[0] + " " + (text or key.replace("_", " ")) for (key, text), s in zip(options(question), labels(question))]
            end, starts = text.rindex("\n" + "\n".join(lines) + "\n\nReply"), [a for a, _ in encoded.offsets]
            for line in lines:
                end += 1 + len(line)
                places.append(bisect.bisect_right(starts, end) - 1)
        return encoded.ids, self.groups(question), places

    def groups(self, question):
        taken, groups = set(), []
        for spellings in labels(question):
            tokens = [self.encode(x) for x in spellings]
            groups.append([t[0] for t in tokens if len(t) == 1])
        return groups

    def masked(self, state, question):
        """Tokens of the prompt, and the places of the masks in the order of an answer's probabilities."""
        if not isinstance(state, str): state = json.dumps(state, ensure_ascii=False)
        of = [self.id(m) for m in MARKS]
        tokens = [self.id("<|startoftext|>"), of[0], *self.encode(state), of[1], *self.encode(question["instructions"])]
        places = []
        for text in option_texts(question):
            tokens.append(of[2]); places.append(len(tokens))
            tokens += [self.id("<|mask|>"), *self.encode(" " + text), of[3]]
        tokens.append(of[4])
        return tokens, places[::-1] if question["type"] == "noul" else places


def make_tokenizer():
    """Trained on the texts of the world. The demo model's own has no token for yes or no, which label readouts need."""
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(SPLIT), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tok.decoder = decoders.ByteLevel()

    def texts():
        for state, questions in world.items(1, "train", 4000, 3):
            yield state if isinstance(state, str) else json.dumps(state, ensure_ascii=False, indent=2)
            for q in questions:
                yield " ".join([q["instructions"]] + option_texts(q))
                yield label_text(None, q).replace("<|startoftext|>", "").replace("<|im_start|>", "").replace("<|im_end|>", "")
                yield r_label(q)

    def r_label(q): return "\n".join(x for group in labels(q) for x in group)

    tok.train_from_iterator(texts(), trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
    assert tok.get_vocab_size() == VOCABULARY
    return tok
