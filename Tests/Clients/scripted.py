"""A model that writes what a script says: a GGUF file as any other, made here with nothing but Python's standard library.

The server runs it as it runs every model: prompts, sampling, grammars, streams and the parsing of calls are its own. A token is a byte, or one
of a few marks. The chat template chooses the reply: it ends the prompt with the mark of the first one whose condition holds. Two short
convolutions carry the last 15 tokens, and one head of attention finds the mark of the reply. A gated network knows each such stretch of each
reply, and what follows it.
"""

import array
import pathlib
import struct

# The tokens that decide what comes next, and the width of a token's code: a Hamming code, so that any two differ in 3 places or more.
LAGS, BITS = 15, 12
TAPS, LAYERS, WIDTH, HEAD, PLAIN_INNER = 8, 3, 224, 32, 32
# Places in the stream: one that is always 1, the codes of the last tokens, whether a token is the mark of a reply, the reply's code, the next one.
FLAG = 1 + LAGS * BITS
REPLY, OUT = FLAG + 1, FLAG + 1 + BITS
END, THINK, THOUGHT, CALL, CALLED = "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"
MARKS = ["<|im_start|>", END, THINK, THOUGHT, CALL, CALLED]
REPLIES = [f"<|reply-{index}|>" for index in range(16)]
# Marks have codes of bytes that no script has.
CODES = {mark: code for mark, code in zip(MARKS + REPLIES, [*range(1, 9), *range(14, 32)])}

TEMPLATE = """\
{%- set turns = messages | selectattr('role', 'equalto', 'assistant') | list | length -%}
{%- set last = messages[-1] | tojson -%}
{%- set all = messages | tojson -%}
{%- if tools -%}
<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}A call is <tool_call>
{"name": NAME, "arguments": OBJECT}
</tool_call><|im_end|>
{% endif -%}
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% if message.content is string %}{{ message.content }}{% elif message.content %}{% for part in message.content %}{{ part.text }}{% endfor %}{% endif -%}
{%- for call in message.tool_calls or [] -%}
{%- set function = call.function or call -%}
<tool_call>
{"name": {{ function.name | tojson }}, "arguments": {{ function.arguments | tojson }}}
</tool_call>
{%- endfor -%}
<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
RULES
{%- endif -%}
"""


class Loop:
    """A reply that begins with a text and then repeats another one for ever."""

    def __init__(self, start, again):
        assert len(tokens(again)) > LAGS, "what is repeated has to be longer than what the model remembers"
        self.start, self.again = start, again


def call(name, arguments):
    """A call as the model writes it; arguments are JSON."""
    return f'{CALL}\n{{"name": "{name}", "arguments": {arguments}}}\n{CALLED}'


def tokens(text):
    """The tokens of a text: marks, and bytes."""
    found = []
    while text:
        mark = next((mark for mark in MARKS if text.startswith(mark)), text[0])
        found.append(mark)
        text = text[len(mark):]
    return found


# A model that thinks until it is told to answer.
ENDLESS_THOUGHTS = [
    ("true", Loop(THINK + "\nLet me count them. ", "I see herons and storks, and I begin again. ")),
    ("thought", "\n\nTwelve."),
]


def code(token):
    """A token's code as 12 numbers of 1 and -1."""
    value = CODES.get(token) or ord(token)
    word = 0
    for bit, place in enumerate((3, 5, 6, 7, 9, 10, 11, 12)):
        if value >> bit & 1:
            word ^= place
    bits = [value >> bit & 1 for bit in range(8)] + [word >> bit & 1 for bit in range(4)]
    return [1.0 if bit else -1.0 for bit in bits]


def steps(script):
    """What follows each stretch of the script, by the reply's mark and its last tokens; a chain begins behind a mark.

    What is behind </think> follows in whatever reply that is.
    """
    found = {}

    def chain(start, text, again=""):
        first, more = tokens(text), tokens(again)
        whole = [start] + first + (more + more[:LAGS] if again else [END])
        for place in range(1, len(whole)):
            context = (start if start != THOUGHT else "", *whole[max(0, place - LAGS):place])
            if found.setdefault(context, whole[place]) != whole[place]:
                raise ValueError(f"the script goes on in two ways behind {''.join(context)!r}")

    for mark, reply in script.items():
        if isinstance(reply, Loop):
            chain(mark, reply.start, reply.again)
        else:
            chain(mark, reply)
    return found


class Tensor:
    def __init__(self, rows, columns):
        self.rows, self.columns, self.values = rows, columns, array.array("f", bytes(4 * rows * columns))

    def set(self, row, column, value):
        self.values[row * self.columns + column] = value


def norm():
    tensor = Tensor(1, WIDTH)
    for column in range(WIDTH):
        tensor.set(0, column, 1)
    return tensor


def stream_scale(codes):
    """What a norm multiplies the stream by where it holds so many codes, besides what is always 1 and the flag."""
    return (WIDTH / (2 + BITS * codes)) ** 0.5


def attention(layer, tensors):
    """One head that looks for the mark of the reply, of which a prompt has one, and brings its code."""
    scale = stream_scale(LAGS)
    query, key, value, out = Tensor(HEAD, WIDTH), Tensor(HEAD, WIDTH), Tensor(HEAD, WIDTH), Tensor(WIDTH, HEAD)
    # The last pair of a head is the one that positions rotate least.
    last = HEAD // 2 - 1
    query.set(last, 0, 12 / scale)
    key.set(last, FLAG, 12 / scale)
    for bit in range(BITS):
        value.set(bit, 1 + bit, 1 / scale)
        out.set(REPLY + bit, bit, 1)
    for name, tensor in zip(("q", "k", "v", "output"), (query, key, value, out)):
        tensors[f"blk.{layer}.attn_{name}.weight"] = tensor


def convolution(layer, tensors):
    """Brings the codes of tokens further back; what layer 1 has of the token 7 places back is what layer 2 goes on from."""
    source = layer * (TAPS - 1)
    scale = stream_scale(1 + source)
    into, out, filters = Tensor(3 * WIDTH, WIDTH), Tensor(WIDTH, WIDTH), Tensor(WIDTH, TAPS)
    for lag in range(1, TAPS):
        for bit in range(BITS):
            channel = 1 + (source + lag) * BITS + bit
            into.set(channel, 0, 1 / scale)
            into.set(WIDTH + channel, 0, 1 / scale)
            into.set(2 * WIDTH + channel, 1 + source * BITS + bit, 1 / scale)
            filters.set(channel, TAPS - 1 - lag, 1)
            out.set(channel, channel, 1)
    tensors[f"blk.{layer}.shortconv.in_proj.weight"] = into
    tensors[f"blk.{layer}.shortconv.out_proj.weight"] = out
    tensors[f"blk.{layer}.shortconv.conv.weight"] = filters


def network(layer, inner, tensors, known=()):
    """A unit for each stretch of the script: it opens where the reply and all tokens are the same, and says what comes next."""
    gate, up, down = Tensor(inner, WIDTH), Tensor(inner, WIDTH), Tensor(WIDTH, inner)
    scale, steepness, strength = stream_scale(LAGS + 1), 6, 10
    for unit, ((reply, *context), following) in enumerate(known):
        places = [(1 + lag * BITS, token) for lag, token in enumerate(reversed(context))] + ([(REPLY, reply)] if reply else [])
        for place, token in places:
            for bit, value in enumerate(code(token)):
                gate.set(unit, place + bit, value * steepness / scale)
        # Another token differs in 3 places, which count twice.
        gate.set(unit, 0, -(BITS * len(places) - 3) * steepness / scale)
        up.set(unit, 0, strength / (3 * steepness) / scale)
        for bit, value in enumerate(code(following)):
            down.set(OUT + bit, unit, value)
    tensors[f"blk.{layer}.ffn_gate.weight"], tensors[f"blk.{layer}.ffn_up.weight"] = gate, up
    tensors[f"blk.{layer}.ffn_down.weight"] = down


def byte_names():
    """The characters that stand for bytes in vocabularies of GPT-2's kind."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = iter(range(0x100, 0x200))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)]


def write(path, replies, context=65536):
    """Writes a model.

    - replies: pairs of a condition and a reply, the first that holds counts. A condition is an expression of the template, over `messages`,
      `tools`, `turns` (the number of the assistant's messages), `last` (the last message as JSON) and `all` (all of them as JSON); a reply is a
      text or a `Loop`. The condition "thought" stands for all that is written behind </think>.
    """
    script = {THOUGHT if condition == "thought" else REPLIES[index]: reply for index, (condition, reply) in enumerate(replies)}
    rules = "".join(
        f"{{% elif {condition} %}}{REPLIES[index]}" for index, (condition, _) in enumerate(replies) if condition != "thought")
    rules = "{% if false %}" + rules + "{% endif %}"
    known = sorted(steps(script).items())
    names = byte_names() + MARKS + REPLIES
    tensors = {"token_embd.weight": Tensor(len(names), WIDTH), "output.weight": Tensor(len(names), WIDTH), "token_embd_norm.weight": norm()}
    for index, name in enumerate(names):
        token = chr(index) if index < 256 else name
        tensors["token_embd.weight"].set(index, 0, 1)
        tensors["token_embd.weight"].set(index, FLAG, 1 if name in REPLIES else -1)
        for bit, value in enumerate(code(token)):
            tensors["token_embd.weight"].set(index, 1 + bit, value)
            if name in CODES or 9 <= index < 14 or 32 <= index < 127:
                tensors["output.weight"].set(index, OUT + bit, 2 * value)
    # What the script does not know ends the reply.
    tensors["output.weight"].set(names.index(END), 0, 10)
    inner = [PLAIN_INNER] * (LAYERS - 1) + [-(-len(known) // 32) * 32]
    for layer in range(LAYERS):
        for part in ("attn_norm", "ffn_norm"):
            tensors[f"blk.{layer}.{part}.weight"] = norm()
        (attention if layer == LAYERS - 1 else convolution)(layer, tensors)
        network(layer, inner[layer], tensors, known if layer == LAYERS - 1 else ())
    keys = {
        "general.architecture": "lfm2", "general.name": pathlib.Path(path).stem, "lfm2.context_length": context, "lfm2.embedding_length": WIDTH,
        "lfm2.block_count": LAYERS, "lfm2.attention.head_count": 1, "lfm2.attention.head_count_kv": [0] * (LAYERS - 1) + [1],
        "lfm2.attention.key_length": HEAD, "lfm2.attention.layer_norm_rms_epsilon": 1e-6, "lfm2.rope.freq_base": 1e9, "lfm2.vocab_size": len(names),
        "lfm2.feed_forward_length": inner, "lfm2.shortconv.l_cache": TAPS, "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": names,
        "tokenizer.ggml.token_type": [1] * 256 + [3 if mark.startswith("<|") else 4 for mark in MARKS + REPLIES],
        "tokenizer.ggml.merges": [], "tokenizer.ggml.eos_token_id": names.index(END),
        "tokenizer.ggml.bos_token_id": names.index(END), "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE.replace("RULES\n", rules),
    }
    save(path, keys, tensors)
    return str(path)


def save(path, keys, tensors):
    def text(value):
        data = value.encode()
        return struct.pack("<Q", len(data)) + data

    def typed(value):
        match value:
            case bool(): return 7, struct.pack("<?", value)
            case int(): return 4, struct.pack("<I", value)
            case float(): return 6, struct.pack("<f", value)
            case str(): return 8, text(value)
            case list():
                kind = typed(value[0])[0] if value else 8
                return 9, struct.pack("<IQ", kind, len(value)) + b"".join(typed(each)[1] for each in value)

    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for key, value in keys.items():
        kind, data = typed(value)
        head += text(key) + struct.pack("<I", kind) + data
    place = 0
    for name, tensor in tensors.items():
        shape = [tensor.columns] if tensor.rows == 1 else [tensor.columns, tensor.rows]
        head += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", 0, place)
        place += -(-4 * len(tensor.values) // 32) * 32
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % 32))
        for tensor in tensors.values():
            data = tensor.values.tobytes()
            file.write(data + bytes(-len(data) % 32))
