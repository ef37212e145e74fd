#!/usr/bin/env python3
"""Writes the grids of the IQ tensor types as a C header: Sources/CLeapKernels/internal/grid_points.h.

    pip install gguf==0.19.0 numpy; python Scripts/generate_grids.py

A point is a row of codes, the first one in the lowest bits: eight codes of two bits, or four codes of three bits. What codes stand for is
said in grids.c.
"""
import pathlib

import numpy as np
from gguf import quants

TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/CLeapKernels/internal/grid_points.h"
GRIDS = [("IQ2_XXS", 2), ("IQ2_XS", 2), ("IQ2_S", 2), ("IQ3_XXS", 3), ("IQ3_S", 3), ("IQ1_S", 2)]
PER_LINE = 16

lines = [
    "// Grid points of the IQ tensor types, as codes packed from the lowest bits up. Written by Scripts/generate_grids.py.",
    "#ifndef LEAP_GRID_POINTS_H",
    "#define LEAP_GRID_POINTS_H",
]
for name, bits in GRIDS:
    kind = getattr(quants, name)
    kind.init_grid()
    grid = kind.grid.reshape(kind.grid_shape)
    codes = np.searchsorted(np.array(kind.grid_map), grid).astype(np.uint32)
    assert (np.array(kind.grid_map)[codes] == grid).all()
    points = (codes << (bits * np.arange(codes.shape[1], dtype=np.uint32))).sum(axis=1)
    lines += ["", f"/// X(codes): the {len(points)} points of {name}, {codes.shape[1]} codes of {bits} bits each.",
              f"#define LEAP_{name}_POINTS(X) \\"]
    rows = [points[i : i + PER_LINE] for i in range(0, len(points), PER_LINE)]
    texts = [" ".join(f"X(0x{point:x})" for point in row) for row in rows]
    lines += [f"    {text} \\" for text in texts[:-1]] + [f"    {texts[-1]}"]
lines += ["", "#endif", ""]
TARGET.write_text("\n".join(lines))
