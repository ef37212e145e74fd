#!/usr/bin/env python3
"""What rounding inputs of products to int8 costs where each channel is divided by a power of two first: a simulation in floats, of no product's code.

    python Benchmarks/channel-scales.py MODEL.gguf TEXT TOKENS

transformers computes in float32 over the file's dequantised weights. The inputs of all linear layers are rounded as engines do, in blocks of 32 to the
block's largest value. A channel's exponent is chosen once, on another text: of each block, those with the least expected error. A weight of 4 bits has 4 bits
of a byte unused when it is unpacked, so multiplying it by a power of two there costs no memory. Prints KL to the unrounded model, and how often the best
token is the same. Needs Python with torch, transformers, accelerate and gguf; takes about a minute on two idle cores.
"""
import os, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer

KINDS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "lm_head")
OTHER = """Once upon a time a fisherman lived by the sea. 17 plus 25 is 42. def f(x): return x + 1
Die Sonne scheint. {"name": "Ann", "age": 31} The committee will meet on Tuesday to discuss the budget. What is the capital of Peru? Lima. """


def rounded(x):
    """Values rounded to int8 in blocks of 32."""
    blocks = x.reshape(*x.shape[:-1], -1, 32)
    scale = blocks.abs().amax(-1, keepdim=True) / 127
    return (torch.round(blocks / torch.where(scale > 0, scale, torch.ones_like(scale))) * scale).reshape(x.shape)


def exponents(x, weights, most, only=None):
    """The exponents of the channels: of each block those with the least expected error. `only` is the single exponent besides 0."""
    values, squares = x.abs().reshape(x.shape[0], -1, 32), weights.reshape(-1, 32)
    size = values.pow(2).mean(0).sqrt()
    least = chosen = None
    for step in range(4 * most + 9):
        limit = size.amax(-1, keepdim=True) * 2 ** (-step / 4)
        found = torch.ceil(torch.log2(size / limit)).clamp(0, most)
        if only:
            found = torch.where(found > 0, torch.full_like(found, only), found)
        error = (values / 2 ** found).amax(-1).pow(2).mean(0) * (4 ** found * squares).sum(-1)
        if least is None:
            least, chosen = error, found
        else:
            chosen = torch.where((error < least)[:, None], found, chosen)
            least = torch.minimum(error, least)
    return chosen.reshape(-1)


def main():
    path, text, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    file = dict(gguf_file=os.path.basename(path))
    model = AutoModelForCausalLM.from_pretrained(os.path.dirname(path), dtype=torch.float32, **file).eval()
    tokenizer = AutoTokenizer.from_pretrained(os.path.dirname(path), **file)
    tokens = torch.tensor([tokenizer(open(text).read())["input_ids"][:count]])
    layers = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, torch.nn.Linear) and name.endswith(KINDS)]

    def run(change, of=tokens):
        hooks = [layer.register_forward_pre_hook(lambda _, inputs, name=name: change(name, inputs[0])) for name, layer in layers]
        with torch.no_grad():
            result = model(of).logits[0].double().log_softmax(-1)
        for hook in hooks:
            hook.remove()
        return result

    exact, seen = run(lambda name, x: None), {}
    run(lambda name, x: seen.__setitem__(name, x.reshape(-1, x.shape[-1])), torch.tensor([tokenizer(OTHER * 2)["input_ids"][:160]]))

    def show(title, change):
        found = run(lambda name, x: (change(name, x),))
        kl, same = float((exact.exp() * (exact - found)).sum(-1).mean()), float((exact.argmax(-1) == found.argmax(-1)).float().mean())
        print(f"{title}: KL {kl:.2e}, best token the same {same:.1%}", flush=True)

    print(f"{os.path.basename(path)}, {tokens.shape[1]} tokens")
    show("blocks of 32", lambda name, x: rounded(x))
    for most, only in ((1, None), (2, None), (3, None), (4, None), (1, 1), (2, 2), (3, 3)):
        chosen = {name: exponents(seen[name], layer.weight.pow(2).mean(0), most, only) for name, layer in layers}
        factors = {name: 2 ** each for name, each in chosen.items()}
        share = sum(float((each > 0).sum()) for each in chosen.values()) / sum(each.numel() for each in chosen.values())
        title = f"0 or {only}" if only else f"0 to {most}"
        show(f"exponents {title}, {share:.0%} of the channels above 0", lambda name, x: rounded(x / factors[name]) * factors[name])


if __name__ == "__main__":
    main()
