// The vocabulary of internal/vector_*.h in NEON: 4 lanes of float. Comments: see vector_avx512.h.
#ifndef LEAP_VECTOR_NEON_H
#define LEAP_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#include "../internal/inline.h"

#define VECTOR_FUNCTION
#define VECTOR_INLINE LEAP_INLINE
#define VECTOR_OPERATION LEAP_OPERATION

#define VECTOR_LANES 4
typedef float32x4_t vector;

VECTOR_INLINE vector vector_zero(void) { return vdupq_n_f32(0); }
VECTOR_INLINE vector vector_set(float value) { return vdupq_n_f32(value); }
// Byte loads: weight data may have any alignment.
VECTOR_INLINE vector vector_load(const void *source) { return vreinterpretq_f32_u8(vld1q_u8((const uint8_t *)source)); }
VECTOR_INLINE void vector_store(void *target, vector value) {
    vst1q_u8((uint8_t *)target, vreinterpretq_u8_f32(value));
}
VECTOR_INLINE vector vector_load_first(const void *source, int count) {
    float copy[4] = {0};
    memcpy(copy, source, (size_t)count * sizeof *copy);
    return vld1q_f32(copy);
}
VECTOR_INLINE void vector_store_first(void *target, vector value, int count) {
    float copy[4];
    vst1q_f32(copy, value);
    memcpy(target, copy, (size_t)count * sizeof *copy);
}
VECTOR_INLINE uint16x4_t vector_16_bits_first(const void *source, int count) {
    uint16_t copy[4] = {0};
    memcpy(copy, source, (size_t)count * sizeof *copy);
    return vld1_u16(copy);
}
VECTOR_INLINE vector vector_load_half(const void *source) {
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8((const uint8_t *)source)));
}
VECTOR_INLINE vector vector_load_half_first(const void *source, int count) {
    return vcvt_f32_f16(vreinterpret_f16_u16(vector_16_bits_first(source, count)));
}
VECTOR_INLINE void vector_store_half(void *target, vector value) {
    vst1_u8((uint8_t *)target, vreinterpret_u8_f16(vcvt_f16_f32(value)));
}
VECTOR_INLINE void vector_store_half_first(void *target, vector value, int count) {
    uint16_t copy[4];
    vector_store_half(copy, value);
    memcpy(target, copy, (size_t)count * sizeof *copy);
}
VECTOR_INLINE void vector_load_int8(const void *source, vector *lanes) {
    const int8x16_t bytes = vld1q_s8((const int8_t *)source);
    const int16x8_t low = vmovl_s8(vget_low_s8(bytes)), high = vmovl_s8(vget_high_s8(bytes));
    lanes[0] = vcvtq_f32_s32(vmovl_s16(vget_low_s16(low)));
    lanes[1] = vcvtq_f32_s32(vmovl_s16(vget_high_s16(low)));
    lanes[2] = vcvtq_f32_s32(vmovl_s16(vget_low_s16(high)));
    lanes[3] = vcvtq_f32_s32(vmovl_s16(vget_high_s16(high)));
}
VECTOR_INLINE void vector_store_int8(void *target, const vector *lanes) {
    int16x4_t words[4];
    for (int i = 0; i < 4; i++) words[i] = vmovn_s32(vcvtq_s32_f32(lanes[i]));
    const int8x8_t low = vmovn_s16(vcombine_s16(words[0], words[1]));
    const int8x8_t high = vmovn_s16(vcombine_s16(words[2], words[3]));
    vst1q_s8((int8_t *)target, vcombine_s8(low, high));
}
VECTOR_INLINE vector vector_load_bfloat(const void *source) {
    return vreinterpretq_f32_u32(vshll_n_u16(vreinterpret_u16_u8(vld1_u8((const uint8_t *)source)), 16));
}
VECTOR_INLINE vector vector_load_bfloat_first(const void *source, int count) {
    return vreinterpretq_f32_u32(vshll_n_u16(vector_16_bits_first(source, count), 16));
}

VECTOR_INLINE vector vector_add(vector a, vector b) { return vaddq_f32(a, b); }
VECTOR_INLINE vector vector_subtract(vector a, vector b) { return vsubq_f32(a, b); }
VECTOR_INLINE vector vector_multiply(vector a, vector b) { return vmulq_f32(a, b); }
VECTOR_INLINE vector vector_divide(vector a, vector b) { return vdivq_f32(a, b); }
VECTOR_INLINE vector vector_fma(vector a, vector b, vector c) { return vfmaq_f32(c, a, b); }
VECTOR_INLINE vector vector_fnma(vector a, vector b, vector c) { return vfmsq_f32(c, a, b); }
VECTOR_INLINE vector vector_at_least(vector limit, vector x) { return vmaxq_f32(limit, x); }
VECTOR_INLINE vector vector_at_most(vector limit, vector x) { return vminq_f32(limit, x); }
VECTOR_INLINE vector vector_round(vector x) { return vrndnq_f32(x); }
VECTOR_INLINE vector vector_power_of_two(vector n) {
    return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23));
}
VECTOR_INLINE vector vector_if_less(vector a, vector b, vector yes, vector no) {
    return vbslq_f32(vcltq_f32(a, b), yes, no);
}
VECTOR_INLINE vector vector_absolute(vector x) { return vabsq_f32(x); }
VECTOR_INLINE vector vector_with_sign(vector magnitude, vector sign) {
    return vbslq_f32(vdupq_n_u32(0x80000000u), sign, magnitude);
}
VECTOR_INLINE float vector_largest(vector x) { return vmaxvq_f32(x); }
VECTOR_INLINE vector vector_lane_numbers(void) {
    static const float numbers[4] = {0, 1, 2, 3};
    return vld1q_f32(numbers);
}

VECTOR_INLINE void vector_load_pairs(const float *source, vector *even, vector *odd) {
    const float32x4x2_t pair = vld2q_f32(source);
    *even = pair.val[0];
    *odd = pair.val[1];
}
VECTOR_INLINE void vector_store_pairs(float *target, vector even, vector odd) {
    const float32x4x2_t pair = {{even, odd}};
    vst2q_f32(target, pair);
}

/// Into the first-level cache.
VECTOR_INLINE void vector_prefetch(const void *address) { __builtin_prefetch(address); }
/// Into the second-level cache: for what is used more than about 8 KiB later.
VECTOR_INLINE void vector_prefetch_far(const void *address) { __builtin_prefetch(address, 0, 2); }

VECTOR_INLINE float vector_sum_16(const vector *lanes) {
    const vector low = vaddq_f32(lanes[0], lanes[2]), high = vaddq_f32(lanes[1], lanes[3]);
    const vector four = vaddq_f32(low, high);
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

#endif
