// Rows of every type to float.
#include "../internal/kernels.h"
#include "../internal/numeric.h"
#include "decode.h"

// Products and sums stay separate roundings, as in the format's definition.
#pragma STDC FP_CONTRACT OFF

static void dequantize_f32(const void *src, float *dst, int64_t n) { memcpy(dst, src, (size_t)n * sizeof(float)); }

static void dequantize_f16(const void *src, float *dst, int64_t n) {
    for (int64_t i = 0; i < n; i++) dst[i] = leap_f16_to_f32(leap_load_u16((const char *)src + 2 * i));
}

static void dequantize_bf16(const void *src, float *dst, int64_t n) {
    for (int64_t i = 0; i < n; i++) dst[i] = leap_bf16_to_f32(leap_load_u16((const char *)src + 2 * i));
}

static void dequantize32(int32_t type, const void *src, float *dst, int64_t n) {
    leap_open32_function *open = leap_open32_for(type);
    const size_t bytes = leap_type_block_bytes(type);
    const char *block = src;
    for (int64_t b = 0; b < n / 32; b++, block += bytes, dst += 32) {
        leap_open32 opened;
        open(block, &opened);
        for (int i = 0; i < 32; i++) dst[i] = (float)opened.q[i] * opened.d + opened.m;
    }
}

static void dequantize256(int32_t type, const void *src, float *dst, int64_t n) {
    leap_open256_function *open = leap_open256_for(type);
    const size_t bytes = leap_type_block_bytes(type);
    const char *block = src;
    for (int64_t b = 0; b < n / 256; b++, block += bytes, dst += 256) {
        leap_open256 opened;
        open(block, &opened);
        for (int i = 0; i < 256; i++) {
            const float scale = opened.d * (float)opened.scale[i / 16];
            const float min = opened.dmin * (float)opened.min[i / 16];
            dst[i] = scale * (float)opened.q[i] - min;
        }
    }
}

#define DEQUANTIZE(size, type, name) \
    static void name(const void *src, float *dst, int64_t n) { dequantize##size(type, src, dst, n); }
DEQUANTIZE(32, LEAP_Q4_0, dequantize_q4_0)
DEQUANTIZE(32, LEAP_Q4_1, dequantize_q4_1)
DEQUANTIZE(32, LEAP_Q5_0, dequantize_q5_0)
DEQUANTIZE(32, LEAP_Q5_1, dequantize_q5_1)
DEQUANTIZE(32, LEAP_Q8_0, dequantize_q8_0)
DEQUANTIZE(32, LEAP_IQ4_NL, dequantize_iq4_nl)
DEQUANTIZE(256, LEAP_Q2_K, dequantize_q2_K)
DEQUANTIZE(256, LEAP_Q3_K, dequantize_q3_K)
DEQUANTIZE(256, LEAP_Q4_K, dequantize_q4_K)
DEQUANTIZE(256, LEAP_Q5_K, dequantize_q5_K)
DEQUANTIZE(256, LEAP_Q6_K, dequantize_q6_K)
DEQUANTIZE(256, LEAP_IQ4_XS, dequantize_iq4_xs)

void leap_scalar_install_dequantize(leap_kernels *table) {
    table->dequantize[LEAP_F32] = dequantize_f32;
    table->dequantize[LEAP_F16] = dequantize_f16;
    table->dequantize[LEAP_BF16] = dequantize_bf16;
    table->dequantize[LEAP_Q4_0] = dequantize_q4_0;
    table->dequantize[LEAP_Q4_1] = dequantize_q4_1;
    table->dequantize[LEAP_Q5_0] = dequantize_q5_0;
    table->dequantize[LEAP_Q5_1] = dequantize_q5_1;
    table->dequantize[LEAP_Q8_0] = dequantize_q8_0;
    table->dequantize[LEAP_IQ4_NL] = dequantize_iq4_nl;
    table->dequantize[LEAP_Q2_K] = dequantize_q2_K;
    table->dequantize[LEAP_Q3_K] = dequantize_q3_K;
    table->dequantize[LEAP_Q4_K] = dequantize_q4_K;
    table->dequantize[LEAP_Q5_K] = dequantize_q5_K;
    table->dequantize[LEAP_Q6_K] = dequantize_q6_K;
    table->dequantize[LEAP_IQ4_XS] = dequantize_iq4_xs;
}
