// The vocabulary of internal/vector_*.h in AVX-512: 16 lanes of float.
#ifndef LEAP_VECTOR_AVX512_H
#define LEAP_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "../internal/inline.h"

#define LEAP_AVX512_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c"
#ifndef VECTOR_TARGET
#define VECTOR_TARGET LEAP_AVX512_TARGET
#endif
#define VECTOR_FUNCTION __attribute__((target(VECTOR_TARGET)))
#define VECTOR_INLINE LEAP_INLINE VECTOR_FUNCTION
#define VECTOR_OPERATION LEAP_OPERATION VECTOR_FUNCTION

#define VECTOR_LANES 16
typedef __m512 vector;

VECTOR_OPERATION __mmask16 vector_mask(int count) { return (__mmask16)((1u << count) - 1); }

VECTOR_OPERATION vector vector_zero(void) { return _mm512_setzero_ps(); }
VECTOR_OPERATION vector vector_set(float value) { return _mm512_set1_ps(value); }
VECTOR_OPERATION vector vector_load(const void *source) { return _mm512_loadu_ps(source); }
VECTOR_OPERATION void vector_store(void *target, vector value) { _mm512_storeu_ps(target, value); }
/// The first `count` < VECTOR_LANES elements; the other lanes are zero and their memory is not touched.
VECTOR_INLINE vector vector_load_first(const void *source, int count) {
    return _mm512_maskz_loadu_ps(vector_mask(count), source);
}
VECTOR_INLINE void vector_store_first(void *target, vector value, int count) {
    _mm512_mask_storeu_ps(target, vector_mask(count), value);
}
VECTOR_INLINE vector vector_load_half(const void *source) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)source));
}
VECTOR_INLINE vector vector_load_half_first(const void *source, int count) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(vector_mask(count), source));
}
VECTOR_INLINE void vector_store_half(void *target, vector value) {
    _mm256_storeu_si256((__m256i *)target, _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
VECTOR_INLINE void vector_store_half_first(void *target, vector value, int count) {
    _mm256_mask_storeu_epi16(target, vector_mask(count),
                             _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
/// 16 signed bytes, as 16 / VECTOR_LANES vectors.
VECTOR_INLINE void vector_load_int8(const void *source, vector *lanes) {
    lanes[0] = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)source)));
}
/// Whole numbers of -128...127.
VECTOR_INLINE void vector_store_int8(void *target, const vector *lanes) {
    _mm_storeu_si128((__m128i *)target, _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(lanes[0])));
}
VECTOR_INLINE vector vector_load_bfloat(const void *source) {
    const __m256i half = _mm256_loadu_si256((const __m256i *)source);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}
VECTOR_INLINE vector vector_load_bfloat_first(const void *source, int count) {
    const __m256i half = _mm256_maskz_loadu_epi16(vector_mask(count), source);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

VECTOR_OPERATION vector vector_add(vector a, vector b) { return _mm512_add_ps(a, b); }
VECTOR_OPERATION vector vector_subtract(vector a, vector b) { return _mm512_sub_ps(a, b); }
VECTOR_OPERATION vector vector_multiply(vector a, vector b) { return _mm512_mul_ps(a, b); }
VECTOR_OPERATION vector vector_divide(vector a, vector b) { return _mm512_div_ps(a, b); }
/// a b + c, rounded once.
VECTOR_OPERATION vector vector_fma(vector a, vector b, vector c) { return _mm512_fmadd_ps(a, b, c); }
/// c - a b, rounded once.
VECTOR_OPERATION vector vector_fnma(vector a, vector b, vector c) { return _mm512_fnmadd_ps(a, b, c); }
/// The larger of limit and x; x where x is not a number.
VECTOR_OPERATION vector vector_at_least(vector limit, vector x) { return _mm512_max_ps(limit, x); }
/// The smaller of limit and x; x where x is not a number.
VECTOR_OPERATION vector vector_at_most(vector limit, vector x) { return _mm512_min_ps(limit, x); }
VECTOR_INLINE vector vector_round(vector x) {
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// 2^n for whole n in -126...127.
VECTOR_INLINE vector vector_power_of_two(vector n) {
    const __m512i biased = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
    return _mm512_castsi512_ps(_mm512_slli_epi32(biased, 23));
}
/// a < b ? yes : no
VECTOR_INLINE vector vector_if_less(vector a, vector b, vector yes, vector no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
}
VECTOR_OPERATION vector vector_absolute(vector x) { return _mm512_abs_ps(x); }
/// magnitude, which is not negative, with the sign of `sign`.
VECTOR_INLINE vector vector_with_sign(vector magnitude, vector sign) {
    return _mm512_or_ps(magnitude, _mm512_and_ps(sign, _mm512_set1_ps(-0.0f)));
}
VECTOR_OPERATION float vector_largest(vector x) { return _mm512_reduce_max_ps(x); }
/// Lane numbers from 0.
VECTOR_INLINE vector vector_lane_numbers(void) {
    return _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// Splits 2 VECTOR_LANES elements into those at even and at odd places.
VECTOR_INLINE void vector_load_pairs(const float *source, vector *even, vector *odd) {
    const __m512 low = _mm512_loadu_ps(source), high = _mm512_loadu_ps(source + 16);
    const __m512i pick = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    *even = _mm512_permutex2var_ps(low, pick, high);
    *odd = _mm512_permutex2var_ps(low, _mm512_add_epi32(pick, _mm512_set1_epi32(1)), high);
}
VECTOR_INLINE void vector_store_pairs(float *target, vector even, vector odd) {
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    _mm512_storeu_ps(target, _mm512_permutex2var_ps(even, low, odd));
    _mm512_storeu_ps(target + 16, _mm512_permutex2var_ps(even, _mm512_add_epi32(low, _mm512_set1_epi32(8)), odd));
}

/// Into the first-level cache.
VECTOR_OPERATION void vector_prefetch(const void *address) { _mm_prefetch((const char *)address, _MM_HINT_T0); }
/// Into the second-level cache: for what is used more than about 8 KiB later.
VECTOR_OPERATION void vector_prefetch_far(const void *address) { _mm_prefetch((const char *)address, _MM_HINT_T1); }

/// Sum of 16 lanes, given as 16 / VECTOR_LANES vectors, in the fixed tree: lane i + lane i+8, then +4, +2, +1.
VECTOR_INLINE float vector_sum_16(const vector *lanes) {
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(lanes[0]), _mm512_extractf32x8_ps(lanes[0], 1));
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#include "vector_runs.h"

#endif
