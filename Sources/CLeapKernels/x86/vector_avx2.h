// The vocabulary of internal/vector_*.h in AVX2, FMA and F16C: 8 lanes of float. Comments: see vector_avx512.h.
#ifndef LEAP_VECTOR_AVX2_H
#define LEAP_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "../internal/inline.h"
#include <string.h>

#define VECTOR_TARGET "avx2,fma,f16c"
#define VECTOR_FUNCTION __attribute__((target(VECTOR_TARGET)))
#define VECTOR_INLINE LEAP_INLINE VECTOR_FUNCTION
#define VECTOR_OPERATION LEAP_OPERATION VECTOR_FUNCTION

#define VECTOR_LANES 8
#if !LEAP_SPECIALISED
/// exp is in assembly.
#define VECTOR_EXP_RUN 1
#endif
typedef __m256 vector;

#if !LEAP_SPECIALISED
#include "vector_operation_runs.h"
#endif

VECTOR_INLINE __m256i vector_mask(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

VECTOR_OPERATION vector vector_zero(void) { return _mm256_setzero_ps(); }
#if LEAP_SPECIALISED
VECTOR_OPERATION vector vector_set(float value) { return _mm256_set1_ps(value); }
#endif
VECTOR_OPERATION vector vector_load(const void *source) { return _mm256_loadu_ps((const float *)source); }
VECTOR_OPERATION void vector_store(void *target, vector value) { _mm256_storeu_ps((float *)target, value); }
VECTOR_INLINE vector vector_load_first(const void *source, int count) {
    return _mm256_maskload_ps((const float *)source, vector_mask(count));
}
VECTOR_INLINE void vector_store_first(void *target, vector value, int count) {
    _mm256_maskstore_ps((float *)target, vector_mask(count), value);
}
/// The first `count` < 8 elements of 16 bits, zeros after them.
VECTOR_INLINE __m128i vector_16_bits_first(const void *source, int count) {
    uint16_t copy[8] = {0};
    memcpy(copy, source, (size_t)count * sizeof *copy);
    return _mm_loadu_si128((const __m128i *)copy);
}
VECTOR_INLINE vector vector_load_half(const void *source) {
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)source));
}
VECTOR_INLINE vector vector_load_half_first(const void *source, int count) {
    return _mm256_cvtph_ps(vector_16_bits_first(source, count));
}
VECTOR_INLINE void vector_store_half(void *target, vector value) {
    _mm_storeu_si128((__m128i *)target, _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
VECTOR_INLINE void vector_store_half_first(void *target, vector value, int count) {
    uint16_t copy[8];
    vector_store_half(copy, value);
    memcpy(target, copy, (size_t)count * sizeof *copy);
}
VECTOR_INLINE void vector_load_int8(const void *source, vector *lanes) {
    for (int i = 0; i < 2; i++) {
        const __m128i bytes = _mm_loadl_epi64((const __m128i *)((const char *)source + 8 * i));
        lanes[i] = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
    }
}
VECTOR_INLINE void vector_store_int8(void *target, const vector *lanes) {
    for (int i = 0; i < 2; i++) {
        const __m256i whole = _mm256_cvtps_epi32(lanes[i]);
        const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
        _mm_storel_epi64((__m128i *)((char *)target + 8 * i), _mm_packs_epi16(words, words));
    }
}
VECTOR_INLINE vector vector_load_bfloat(const void *source) {
    const __m128i half = _mm_loadu_si128((const __m128i *)source);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}
VECTOR_INLINE vector vector_load_bfloat_first(const void *source, int count) {
    const __m128i half = vector_16_bits_first(source, count);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

#if LEAP_SPECIALISED
VECTOR_OPERATION vector vector_add(vector a, vector b) { return _mm256_add_ps(a, b); }
VECTOR_OPERATION vector vector_subtract(vector a, vector b) { return _mm256_sub_ps(a, b); }
VECTOR_OPERATION vector vector_multiply(vector a, vector b) { return _mm256_mul_ps(a, b); }
VECTOR_OPERATION vector vector_fma(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }
VECTOR_OPERATION vector vector_fnma(vector a, vector b, vector c) { return _mm256_fnmadd_ps(a, b, c); }
VECTOR_OPERATION vector vector_at_least(vector limit, vector x) { return _mm256_max_ps(limit, x); }
VECTOR_OPERATION vector vector_at_most(vector limit, vector x) { return _mm256_min_ps(limit, x); }
#endif
VECTOR_OPERATION vector vector_divide(vector a, vector b) { return _mm256_div_ps(a, b); }
VECTOR_INLINE vector vector_round(vector x) {
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
VECTOR_INLINE vector vector_power_of_two(vector n) {
    const __m256i biased = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(biased, 23));
}
VECTOR_INLINE vector vector_if_less(vector a, vector b, vector yes, vector no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
VECTOR_OPERATION vector vector_absolute(vector x) { return _mm256_andnot_ps(vector_set(-0.0f), x); }
VECTOR_INLINE vector vector_with_sign(vector magnitude, vector sign) {
    return _mm256_or_ps(magnitude, _mm256_and_ps(sign, vector_set(-0.0f)));
}
VECTOR_INLINE float vector_largest(vector x) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
VECTOR_OPERATION vector vector_lane_numbers(void) { return _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7); }

VECTOR_INLINE void vector_load_pairs(const float *source, vector *even, vector *odd) {
    const __m256 a = _mm256_loadu_ps(source), b = _mm256_loadu_ps(source + 8);
    const __m256 low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
    *even = _mm256_shuffle_ps(low, high, 0x88);
    *odd = _mm256_shuffle_ps(low, high, 0xdd);
}
VECTOR_INLINE void vector_store_pairs(float *target, vector even, vector odd) {
    const __m256 low = _mm256_unpacklo_ps(even, odd), high = _mm256_unpackhi_ps(even, odd);
    _mm256_storeu_ps(target, _mm256_permute2f128_ps(low, high, 0x20));
    _mm256_storeu_ps(target + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

/// Into the first-level cache.
VECTOR_OPERATION void vector_prefetch(const void *address) { _mm_prefetch((const char *)address, _MM_HINT_T0); }
/// Into the second-level cache: for what is used more than about 8 KiB later.
VECTOR_OPERATION void vector_prefetch_far(const void *address) { _mm_prefetch((const char *)address, _MM_HINT_T1); }

VECTOR_INLINE float vector_sum_16(const vector *lanes) {
    const __m256 eight = _mm256_add_ps(lanes[0], lanes[1]);
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#include "vector_runs.h"

#endif
