// F32, F16 and BF16 weights times float vectors with AVX-512: 16 lanes, 4 rows x 6 tokens a tile.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#include "vector_avx512.h"

#include "reduce_avx512.h"

#define TILE_ROWS 4
#define TILE_TOKENS 6
#define ONE_BY_ONE 1
#define BLOCK 1024
#include "../internal/float_expand.h"

void leap_x86_install_float_avx512(leap_kernels *table) { install_float(table); }

#endif
