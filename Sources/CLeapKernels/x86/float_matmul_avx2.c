// F32, F16 and BF16 weights times float vectors with AVX2: 8 lanes, 2 rows x 6 tokens a tile.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#include "vector_avx2.h"

#define TILE_ROWS 2
#define TILE_TOKENS 6
#define ONE_BY_ONE 0
// The inputs of six tokens and two rows take 24 KB: the first-level cache has room for what is fetched meanwhile.
#define BLOCK 768

/// Two rows of one token: lanes 0...3 + 4...7 of each, row 0 in the lower half.
VECTOR_INLINE vector fold_4(vector a, vector b) {
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

/// Two sums of one token, the first `rows` of them, stored or added.
VECTOR_INLINE void store_sums(float *out, __m128 sums, int rows, int first) {
    float pair[2];
    _mm_storel_pi((__m64 *)pair, sums);
    out[0] = first ? pair[0] : out[0] + pair[0];
    if (rows > 1) out[1] = first ? pair[1] : out[1] + pair[1];
}

/// The fixed tree: lane i + lane i+4, then +2, +1.
VECTOR_INLINE void fold_and_store(vector sum[][TILE_ROWS], const int tokens, float *out, int64_t out_stride, int rows,
                                  int first) {
    vector halves[8];
    _Pragma("clang loop unroll(full)")
    for (int t = 0; t < 8; t++) halves[t] = t < tokens ? fold_4(sum[t][0], sum[t][1]) : vector_zero();
    _Pragma("clang loop unroll(full)")
    for (int t = 0; t < tokens; t += 4, out += 4 * out_stride) {
        const vector *p = halves + t;
        const vector a = _mm256_add_ps(_mm256_shuffle_ps(p[0], p[1], 0x44), _mm256_shuffle_ps(p[0], p[1], 0xee));
        const vector b = _mm256_add_ps(_mm256_shuffle_ps(p[2], p[3], 0x44), _mm256_shuffle_ps(p[2], p[3], 0xee));
        const vector sums = _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xdd));
        const __m128 row0 = _mm256_castps256_ps128(sums), row1 = _mm256_extractf128_ps(sums, 1);
        const __m128 low = _mm_unpacklo_ps(row0, row1), high = _mm_unpackhi_ps(row0, row1);
        store_sums(out, low, rows, first);
        if (t + 1 < tokens) store_sums(out + out_stride, _mm_movehl_ps(low, low), rows, first);
        if (t + 2 < tokens) store_sums(out + 2 * out_stride, high, rows, first);
        if (t + 3 < tokens) store_sums(out + 3 * out_stride, _mm_movehl_ps(high, high), rows, first);
    }
}

#include "../internal/float_expand.h"

void leap_x86_install_float_avx2(leap_kernels *table) { install_float(table); }

#endif
