// F32, F16 and BF16 weights times float vectors with NEON: 4 lanes, 4 rows x 6 tokens a tile.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include "vector_neon.h"

#define TILE_ROWS 4
#define TILE_TOKENS 6
#define ONE_BY_ONE 0
#define BLOCK 1024

/// The fixed tree: lanes 0 + 1 and 2 + 3, then both.
VECTOR_INLINE void fold_and_store(vector sum[][TILE_ROWS], const int tokens, float *out, int64_t out_stride, int rows,
                                  int first) {
    _Pragma("clang loop unroll(full)")
    for (int t = 0; t < tokens; t++, out += out_stride) {
        vector sums = vpaddq_f32(vpaddq_f32(sum[t][0], sum[t][1]), vpaddq_f32(sum[t][2], sum[t][3]));
        if (rows == TILE_ROWS) {
            if (!first) sums = vaddq_f32(vector_load(out), sums);
            vector_store(out, sums);
        } else {
            if (!first) sums = vaddq_f32(vector_load_first(out, rows), sums);
            vector_store_first(out, sums, rows);
        }
    }
}

#include "../internal/float_expand.h"

void leap_arm_install_float_neon(leap_kernels *table) { install_float(table); }

#endif
