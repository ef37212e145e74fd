// Input vectors to int8 with NEON: the bytes that scalar/prepare.c writes.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include <arm_neon.h>

#include "../internal/activation.h"
#include "../internal/numeric.h"

#define INLINE static inline __attribute__((always_inline))
/// Before a loop of few turns: everything it indexes can then live in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

/// Largest magnitude of n elements, a multiple of 32, compared as bits: what is not a number is the largest.
INLINE float largest_magnitude(const float *x, int64_t n) {
    uint32x4_t most[4] = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)};
    for (int64_t i = 0; i < n; i += 16) {
        UNROLL for (int k = 0; k < 4; k++) {
            most[k] = vmaxq_u32(most[k], vreinterpretq_u32_f32(vabsq_f32(vld1q_f32(x + i + 4 * k))));
        }
    }
    const uint32_t bits = vmaxvq_u32(vmaxq_u32(vmaxq_u32(most[0], most[1]), vmaxq_u32(most[2], most[3])));
    return leap_float_from_bits(bits);
}

/// Four elements, rounded to nearest, ties to even, within -127...127; -127 for what is not a number.
INLINE int32x4_t scaled(const float *x, float inverse) {
    const float32x4_t value = vmulq_n_f32(vld1q_f32(x), inverse);
    return vcvtnq_s32_f32(vminq_f32(vmaxnmq_f32(value, vdupq_n_f32(-127)), vdupq_n_f32(127)));
}

/// -32 times the sums of the first two and of the last two of every four of 16 elements.
INLINE void store_start(const int8_t *q, int16_t start[2]) {
    const int16x8_t pairs = vpaddlq_s8(vld1q_s8(q));
    const int16x4_t two = vadd_s16(vget_low_s16(pairs), vget_high_s16(pairs));
    const int16x4_t one = vmul_n_s16(vadd_s16(two, vext_s16(two, two, 2)), -32);
    vst1_lane_s16(start, one, 0);
    vst1_lane_s16(start + 1, one, 1);
}

/// Quantises 16 elements; returns their sum and the sum of their magnitudes.
INLINE int32_t quantize16(const float *x, float inverse, int8_t *q, int32_t *magnitudes) {
    const int16x8_t low = vcombine_s16(vmovn_s32(scaled(x, inverse)), vmovn_s32(scaled(x + 4, inverse)));
    const int16x8_t high = vcombine_s16(vmovn_s32(scaled(x + 8, inverse)), vmovn_s32(scaled(x + 12, inverse)));
    const int8x16_t bytes = vcombine_s8(vmovn_s16(low), vmovn_s16(high));
    vst1q_s8(q, bytes);
    *magnitudes = vaddlvq_s8(vabsq_s8(bytes));
    return vaddlvq_s8(bytes);
}

static void prepare_q8_32(const float *x, int64_t cols, void *record) {
    const leap_act32 act = leap_act32_view(record, cols);
    for (int64_t b = 0; b < cols / 32; b++) {
        const float largest = largest_magnitude(x + b * 32, 32), inverse = leap_activation_inverse(largest);
        int32_t sum = 0, magnitudes;
        UNROLL for (int i = 0; i < 32; i += 16) sum += quantize16(x + b * 32 + i, inverse, act.q + b * 32 + i, &magnitudes);
        act.d[b] = leap_activation_scale(largest);
        act.s[b] = act.d[b] * (float)sum;
        act.offset128[b] = -128 * sum;
        act.offset8[b] = -8 * sum;
    }
}

static void prepare_q8_256(const float *x, int64_t cols, void *record) {
    const leap_act256 act = leap_act256_view(record, cols);
    for (int64_t g = 0; g < cols / 256; g++) {
        const float largest = largest_magnitude(x + g * 256, 256), inverse = leap_activation_inverse(largest);
        int32_t most16 = 0, most32 = 0;
        act.d[g] = leap_activation_scale(largest);
        for (int64_t b = 8 * g; b < 8 * g + 8; b++) {
            int32_t sum[2], magnitudes[2];
            UNROLL for (int i = 0; i < 2; i++) {
                sum[i] = quantize16(x + 32 * b + 16 * i, inverse, act.q + 32 * b + 16 * i, &magnitudes[i]);
                act.sum16[2 * b + i] = (int16_t)sum[i];
                act.offset16[2 * b + i] = -32 * sum[i];
                store_start(act.q + 32 * b + 16 * i, act.start16 + 2 * (2 * b + i));
                if (magnitudes[i] > most16) most16 = magnitudes[i];
            }
            if (magnitudes[0] + magnitudes[1] > most32) most32 = magnitudes[0] + magnitudes[1];
            act.sum32[b] = (int16_t)(sum[0] + sum[1]);
            act.offset32[b] = -128 * (sum[0] + sum[1]);
        }
        act.most16[g] = (int16_t)most16;
        act.most32[g] = (int16_t)most32;
    }
}

void leap_arm_install_prepare_neon(leap_kernels *table) {
    table->prepare[LEAP_ACTIVATION_Q8_32] = prepare_q8_32;
    table->prepare[LEAP_ACTIVATION_Q8_256] = prepare_q8_256;
}

#endif
