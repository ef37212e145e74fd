"""The vision demo model: LFM2-VL as transformers has it, small, with the demo model as its language model."""
import json, math, os, sys

import torch, torch.nn.functional as F
from tokenizers import AddedToken, Tokenizer
from transformers import AttentionInterface, Lfm2ForCausalLM, Lfm2VlConfig, Lfm2VlForConditionalGeneration, PreTrainedTokenizerFast



def plain_attention(module, q, k, v, mask, scaling, **_):
    """Causal attention without padding, in the order of operations that is fastest on a CPU."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    length = q.shape[2]
    later = torch.full((length, length), float("-inf"), dtype=q.dtype).triu(1)
    mixed = ((q * scaling) @ k.transpose(-1, -2) + later).softmax(-1) @ v
    return mixed.transpose(1, 2), None


AttentionInterface.register("plain", plain_attention)
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
TEMPLATE = open(os.path.join(HERE, "chat_template.jinja")).read()
MARKS = ["<image>", "<|image_start|>", "<|image_end|>"]
VOCABULARY = 4112


def tokenizer(demo):
    """The demo model's tokenizer with the marks of pictures behind its tokens."""
    tok = Tokenizer.from_file(os.path.join(demo, "tokenizer.json"))
    if tok.token_to_id(MARKS[0]) is None:
        first = tok.get_vocab_size()
        names = MARKS + [f"<|reserved_{i}|>" for i in range(VOCABULARY - first - len(MARKS))]
        tok.add_special_tokens([AddedToken(name, special=True) for name in names])
    assert tok.get_vocab_size() == VOCABULARY
    return tok


def save_tokenizer(tok, folder):
    PreTrainedTokenizerFast(tokenizer_object=tok, bos_token="<|startoftext|>", eos_token="<|im_end|>", pad_token="<|pad|>",
                            chat_template=TEMPLATE).save_pretrained(folder)


def build(tok, demo=None):
    """The model; with the demo model's weights where its folder is given."""
    lm = Lfm2ForCausalLM.from_pretrained(demo, dtype=torch.float32) if demo else None
    text = json.load(open(os.path.join(demo, "config.json"))) if demo else {}
    text["vocab_size"] = VOCABULARY
    config = Lfm2VlConfig(
        vision_config=dict(model_type="siglip2_vision_model", hidden_size=192, intermediate_size=512, num_hidden_layers=4,
                           num_attention_heads=4, num_channels=3, patch_size=16, num_patches=256, hidden_act="gelu_pytorch_tanh",
                           layer_norm_eps=1e-6, vision_use_head=False),
        text_config=text, projector_hidden_size=384, projector_use_layernorm=False, image_token_id=tok.token_to_id(MARKS[0]),
        downsample_factor=2, tie_word_embeddings=True)
    model = Lfm2VlForConditionalGeneration(config).float()
    if lm:
        weights = lm.model.state_dict()
        table = model.model.language_model.embed_tokens.weight.data
        old = weights.pop("embed_tokens.weight")
        table.normal_(0, 0.5 * old.std().item())
        table[:len(old)] = old
        missing = model.model.language_model.load_state_dict(weights, strict=False)
        assert not missing.unexpected_keys and missing.missing_keys == ["embed_tokens.weight"], missing
    model.tie_weights()
    with torch.no_grad():
        tower = model.model.vision_tower
        tower.embeddings.position_embedding.weight.normal_(0, 0.2)
        for name, p in list(tower.named_parameters()) + list(model.model.multi_modal_projector.named_parameters()):
            if p.ndim == 2 and "position" not in name: torch.nn.init.normal_(p, 0, p.shape[1] ** -0.5 * (0.15 if "fc2" in name or "out_proj" in name else 1))
            elif name.endswith("bias"): p.zero_()
    return model


@torch.no_grad()
def prepare(model, pictures):
    """Begins the tower with what is known of pictures: patches in low frequencies of brightness and colour, each of unit variance, and positions in
    waves of both directions. All of it is learned on from there."""
    embeddings = model.model.vision_tower.embeddings
    n = torch.arange(16) + 0.5
    wave = torch.stack([torch.cos(math.pi * k * n / 16) for k in range(16)])
    wave = wave / wave.norm(dim=1, keepdim=True)
    rows = []
    for color, count in (((1, 1, 1), 8), ((1, -1, 0), 4), ((1, 1, -2), 4)):
        mix = torch.tensor(color).float(); mix /= mix.norm()
        rows += [torch.einsum("y,x,c->yxc", wave[i], wave[j], mix).flatten() for i in range(count) for j in range(count)]
    rows = torch.stack(rows)
    values = patches(pictures)[0].flatten(0, 1) @ rows.T
    weight, bias = embeddings.patch_embedding.weight, embeddings.patch_embedding.bias
    weight.normal_(0, 0.01); bias.zero_()
    weight[:len(rows)] = rows / (values.std(0)[:, None] + 0.02)
    bias[:len(rows)] = -values.mean(0) / (values.std(0) + 0.02)
    place = (torch.arange(16) + 0.5) / 16
    table = torch.zeros(16, 16, embeddings.position_embedding.weight.shape[1])
    at = len(rows)
    for k in range(1, 13):
        for wave in (torch.cos(math.pi * k * place), torch.sin(math.pi * k * place)):
            table[:, :, at], table[:, :, at + 1] = wave[:, None], wave[None, :]
            at += 2
    # Heads of the first layers look at a patch's neighbours, as convolutions do: waves turned by an angle are waves at another place.
    steps = [[(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)], [(2, 0), (-2, 0), (0, 2), (0, -2)]]
    first = len(rows)
    for layer, offsets in zip(model.model.vision_tower.encoder.layers, steps):
        query, key = layer.self_attn.q_proj.weight, layer.self_attn.k_proj.weight
        query.mul_(0.1); key.mul_(0.1)
        for head, offset in enumerate(offsets):
            for k in range(1, 13):
                for axis in (0, 1):
                    angle = math.pi * k * offset[axis] / 16
                    cos, sin = first + 4 * (k - 1) + axis, first + 4 * (k - 1) + axis + 2
                    row = 48 * head + 4 * (k - 1) + axis
                    key[row, cos] += 1.2; key[row + 2, sin] += 1.2
                    query[row, cos] += 1.2 * math.cos(angle); query[row, sin] -= 1.2 * math.sin(angle)
                    query[row + 2, sin] += 1.2 * math.cos(angle); query[row + 2, cos] += 1.2 * math.sin(angle)
    embeddings.position_embedding.weight.copy_(table.flatten(0, 1) + 0.02 * torch.randn(256, table.shape[2]))


def patches(pictures):
    """(n, h, w, 3) bytes -> (n, h/16 * w/16, 768) in the order of the patch embedding, and the grid."""
    n, h, w, _ = pictures.shape
    x = pictures.float().div(127.5).sub(1)
    return x.reshape(n, h // 16, 16, w // 16, 16, 3).permute(0, 1, 3, 2, 4, 5).reshape(n, h // 16 * (w // 16), 768), (h // 16, w // 16)


def attend(block, h):
    """The block's attention, in the order of operations that is fastest on a CPU."""
    n, tokens, width = h.shape
    split = lambda x: x.reshape(n, tokens, block.num_heads, -1).transpose(1, 2)
    q, k, v = split(block.q_proj(h)), split(block.k_proj(h)), split(block.v_proj(h))
    mixed = ((q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)).softmax(-1) @ v
    return block.out_proj(mixed.transpose(1, 2).reshape(n, tokens, width))


def encode(model, pictures):
    """Pictures of one size -> the vectors that stand for their tokens, (n, tokens, width)."""
    x, (rows, columns) = patches(pictures)
    tower = model.model.vision_tower
    table = tower.embeddings.position_embedding.weight.reshape(16, 16, -1).permute(2, 0, 1)[None]
    if (rows, columns) != (16, 16): table = F.interpolate(table, (rows, columns), mode="bilinear", align_corners=False, antialias=True)
    h = tower.embeddings.patch_embedding(x) + table[0].flatten(1).T
    for layer in tower.encoder.layers:
        h = h + attend(layer.self_attn, layer.layer_norm1(h))
        h = h + layer.mlp(layer.layer_norm2(h))
    h = tower.post_layernorm(h)
    return model.model.multi_modal_projector(h.reshape(len(h), rows, columns, -1)).flatten(1, 2)
