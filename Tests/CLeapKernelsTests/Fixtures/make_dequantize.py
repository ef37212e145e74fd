"""Writes dequantize.txt: blocks of every tensor type with the values that gguf-py gives them.

    pip install gguf numpy; python make_dequantize.py > dequantize.txt

Q1_0 and Q2_0, which gguf-py 0.19 does not expand, get the values of their definition in ggml-common.h, computed here.

Each line: type, the bytes of two blocks in hexadecimal, the little-endian float32 values in hexadecimal.
"""

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType as T
from gguf.quants import dequantize

# Where a block holds half-precision numbers, which random bytes must not turn into infinities.
HALVES = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82], T.Q3_K: [108],
    T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0], T.IQ4_XS: [0], T.MXFP4: [], T.TQ2_0: [64], T.NVFP4: [],
    T.IQ2_XXS: [0], T.IQ2_XS: [0], T.IQ2_S: [0], T.IQ3_XXS: [0], T.IQ3_S: [0], T.IQ1_S: [0], T.IQ1_M: [], T.TQ1_0: [52],
}


def half(value):
    return np.array([value], dtype=np.float16).view(np.uint8)


def with_one_scale(name, elements, bits, values):
    """Blocks of a half-precision scale and 16 bytes of codes, the first element in the lowest bits; values: of the codes."""
    data = random.integers(0, 256, (2, 18), dtype=np.uint8)
    for block in data:
        block[:2] = half(random.uniform(-0.2, 0.2))
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    codes = (data[:, 2:, None] >> shifts & np.uint8(2**bits - 1)).reshape(2, elements)
    out = data[:, :2].copy().view(np.float16).astype(np.float32) * np.array(values, dtype=np.float32)[codes]
    print(name, data.tobytes().hex(), out.astype("<f4").tobytes().hex())


random = np.random.default_rng(20240607)
for kind in [T.F16, T.BF16, *HALVES]:
    elements, size = GGML_QUANT_SIZES[kind]
    blocks = 2 if elements > 1 else 64
    data = random.integers(0, 256, (1, blocks * size), dtype=np.uint8)
    if elements == 1:
        values = random.standard_normal(blocks).astype(np.float32)
        values[:4] = [0, -0.0, 6e-8, 65504]
        if kind == T.F16:
            data = values.astype(np.float16).view(np.uint8)[None]
        else:
            data = (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)[None]
    for block in range(blocks):
        for at in HALVES.get(kind, []):
            data[0, block * size + at : block * size + at + 2] = half(random.uniform(-0.2, 0.2))
        if kind == T.IQ1_M:
            # Four bits of the scale in the upper half of every second byte of the last eight.
            bits = half(random.uniform(-0.2, 0.2)).view(np.uint16)[0]
            for part in range(4):
                at = block * size + 49 + 2 * part
                data[0, at] = data[0, at] & 15 | (bits >> 4 * part & 15) << 4
    if kind == T.MXFP4:
        # The smallest scale, which is subnormal, and one whose values are around 1.
        data[0, 0], data[0, size] = 0, 127
    out = dequantize(data, kind).astype("<f4").reshape(-1)
    print(kind.name, data.tobytes().hex(), out.tobytes().hex())
with_one_scale("Q1_0", 128, 1, [-1, 1])
with_one_scale("Q2_0", 64, 2, [-1, 0, 1, 2])
