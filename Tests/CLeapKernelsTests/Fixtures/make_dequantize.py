"""Writes dequantize.txt: blocks of every tensor type with the values that gguf-py gives them.

    pip install gguf numpy; python make_dequantize.py > dequantize.txt

Each line: type, the bytes of two blocks in hexadecimal, the little-endian float32 values in hexadecimal.
"""

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType as T
from gguf.quants import dequantize

# Where a block holds half-precision numbers, which random bytes must not turn into infinities.
HALVES = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82], T.Q3_K: [108],
    T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0], T.IQ4_XS: [0], T.MXFP4: [], T.TQ2_0: [64], T.NVFP4: [],
}

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
            half = np.array([random.uniform(-0.2, 0.2)], dtype=np.float16).view(np.uint8)
            data[0, block * size + at : block * size + at + 2] = half
    if kind == T.MXFP4:
        # The smallest scale, which is subnormal, and one whose values are around 1.
        data[0, 0], data[0, size] = 0, 127
    out = dequantize(data, kind).astype("<f4").reshape(-1)
    print(kind.name, data.tobytes().hex(), out.tobytes().hex())
