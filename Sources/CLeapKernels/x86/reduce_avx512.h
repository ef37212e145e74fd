// Sums over the 16 lanes of AVX-512 accumulators, many at a time.
//
// The order is part of the arithmetic and never changes: lane i + lane i+8, then +4, +2, +1. Sixteen accumulators are
// folded together so that the shuffles are shared; the additions of each are the same as if it were folded alone.
// Include it after vector_avx512.h.
#ifndef LEAP_REDUCE_AVX512_H
#define LEAP_REDUCE_AVX512_H

#include <immintrin.h>
#include <stdint.h>

// A pair is folded with a blend and a shuffle rather than with two shuffles: of the two ports that multiply only one
// shuffles.

/// Halves of a and b added: lanes 0...7 from a, 8...15 from b.
VECTOR_INLINE __m512 leap_fold_8(__m512 a, __m512 b) {
    return _mm512_add_ps(_mm512_mask_blend_ps(0xff00, a, b), _mm512_shuffle_f32x4(a, b, 0x4e));
}

/// Four accumulators folded to four lanes each, one per 128-bit quarter: a, c, b, d.
VECTOR_INLINE __m512 leap_fold_4(__m512 a, __m512 b, __m512 c, __m512 d) {
    const __m512 ab = leap_fold_8(a, b), cd = leap_fold_8(c, d);
    const __m512i swap = _mm512_setr_epi32(4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xf0f0, ab, cd), _mm512_permutex2var_ps(ab, swap, cd));
}

/// Four results of leap_fold_4 folded to sums: quarter i holds the sums of p_i's four accumulators.
VECTOR_INLINE __m512 leap_fold_1(__m512 p0, __m512 p1, __m512 p2, __m512 p3) {
    const __m512 a = _mm512_add_ps(_mm512_mask_blend_ps(0xcccc, p0, p1), _mm512_shuffle_ps(p0, p1, 0x4e));
    const __m512 b = _mm512_add_ps(_mm512_mask_blend_ps(0xcccc, p2, p3), _mm512_shuffle_ps(p2, p3, 0x4e));
    const __m512 sums = _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xdd));
    const __m512i transpose = _mm512_setr_epi32(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
    return _mm512_permutexvar_ps(transpose, sums);
}

/// Four sums of one token, the first `rows` of them, stored or added.
VECTOR_INLINE void leap_store_sums(float *out, __m128 sums, int rows, int first) {
    const __mmask8 mask = (__mmask8)((1u << rows) - 1);
    if (!first) sums = _mm_add_ps(_mm_maskz_loadu_ps(mask, out), sums);
    if (rows == 4) {
        _mm_storeu_ps(out, sums);
    } else {
        _mm_mask_storeu_ps(out, mask, sums);
    }
}

/// Folds a tile of tokens x 4 accumulators and stores the sums at out[token * out_stride + row], or adds them.
VECTOR_INLINE void fold_and_store(__m512 sum[][4], const int tokens, float *out, int64_t out_stride, int rows,
                                            int first) {
    const __m512 none = _mm512_setzero_ps();
    __m512 quarters[8];
    _Pragma("clang loop unroll(full)")
    for (int t = 0; t < 8; t++) {
        quarters[t] = t < tokens ? leap_fold_4(sum[t][0], sum[t][1], sum[t][2], sum[t][3]) : none;
    }
    _Pragma("clang loop unroll(full)")
    for (int t = 0; t < tokens; t += 4) {
        const __m512 sums = leap_fold_1(quarters[t], quarters[t + 1], quarters[t + 2], quarters[t + 3]);
        leap_store_sums(out + t * out_stride, _mm512_castps512_ps128(sums), rows, first);
        if (t + 1 < tokens) leap_store_sums(out + (t + 1) * out_stride, _mm512_extractf32x4_ps(sums, 1), rows, first);
        if (t + 2 < tokens) leap_store_sums(out + (t + 2) * out_stride, _mm512_extractf32x4_ps(sums, 2), rows, first);
        if (t + 3 < tokens) leap_store_sums(out + (t + 3) * out_stride, _mm512_extractf32x4_ps(sums, 3), rows, first);
    }
}

#endif
