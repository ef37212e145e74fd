"""Makes Tests/Fixtures/qwen3next: the model of qwen35moe.gguf, stored as files of Qwen3-Next store theirs.

    python make-qwen3next-fixture.py FIXTURES

Both architectures compute the same. In files of qwen35moe value head j has key head j % keyHeads; in files of qwen3next value heads of one
key head are neighbours, as in the checkpoints, and one tensor has for each key head its betas and then its alphas. So the logits of
qwen35moe.json, which transformers computed, are the reference here too. Needs numpy and gguf.
"""
import json
import os
import sys

import gguf
import numpy as np

# Where a cache page ends, and some before it.
POSITIONS = [0, 1, 2, 3, 4, 31, 62, 63, 64, 65, 80]
SOURCE, NAME = "qwen35moe", "qwen3next"
# Qwen3-Next rotates without sections, and takes the layers from the list.
LEFT_OUT = ["rope.dimension_sections", "full_attention_interval"]


def main(folder):
    path = lambda name: os.path.join(folder, name)
    reader = gguf.GGUFReader(path(SOURCE + ".gguf"))
    number = lambda key: reader.fields[f"{SOURCE}.{key}"].contents()
    keys, values, head = number("ssm.group_count"), number("ssm.time_step_rank"), number("ssm.state_size")
    # Value head r · keys + k of the source becomes k · (values / keys) + r.
    order = np.arange(values).reshape(-1, keys).T.reshape(-1)

    def rows(array, size):
        """Rows of value heads, `size` for each, in the other order."""
        return array.reshape(values, size, -1)[order].reshape(array.shape)

    tensors = {t.name: t.data.copy() for t in reader.tensors}
    recurrent = number("attention.recurrent_layers")
    writer = gguf.GGUFWriter(path(NAME + ".gguf"), NAME)
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key == "general.architecture" or key.split(".", 1)[-1] in LEFT_OUT:
            continue
        value, kind = field.contents(), field.types[0]
        if key == "general.name":
            value = "fixture-" + NAME
        if key.endswith("attention.head_count_kv"):
            value, kind = [0 if flag else value for flag in recurrent], gguf.GGUFValueType.ARRAY
        writer.add_key_value(key.replace(SOURCE + ".", NAME + "."), value, kind,
                             sub_type=gguf.GGUFValueType.UINT32 if key.endswith("head_count_kv")
                             else field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    inner = values * head
    for name, array in tensors.items():
        part = name.split(".", 2)[-1]
        if part in ("attn_qkv.weight", "ssm_conv1d.weight"):
            array[-inner:] = rows(array[-inner:], head)
        elif part == "attn_gate.weight":
            array = rows(array, head)
        elif part == "ssm_out.weight":
            array = rows(np.ascontiguousarray(array.T), head).T
        elif part in ("ssm_dt.bias", "ssm_a"):
            array = array[order]
        elif part == "ssm_alpha.weight":
            continue
        elif part == "ssm_beta.weight":
            name = name.replace("ssm_beta", "ssm_ba")
            pairs = (array, tensors[name.replace("ssm_ba", "ssm_alpha")])
            array = np.stack([x[order].reshape(keys, values // keys, -1) for x in pairs], 1).reshape(2 * values, -1)
        writer.add_tensor(name, np.ascontiguousarray(array))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    fixture = json.load(open(path(SOURCE + ".json")))
    logits = np.array(fixture["logits"]).reshape(fixture["shape"])[POSITIONS]
    kept = {key: fixture[key] for key in ("tokens", "shape", "greedy", "tokenize")}
    json.dump({"arch": NAME, "positions": POSITIONS, "logits": logits.flatten().tolist(), **kept},
              open(path(NAME + ".json"), "w"))


if __name__ == "__main__":
    main(sys.argv[1])
