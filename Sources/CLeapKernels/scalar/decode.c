// Block formats, one function each. Source: ggml-org/ggml, src/ggml-quants.c (dequantize_row_*).
#include "decode.h"

#include <string.h>

#include "../internal/blocks.h"
#include "../internal/kernels.h"
#include "../internal/numeric.h"

static void open_q4_0(const void *source, leap_open32 *open) {
    const leap_q4_0 *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = -0.0f;  // leaves every sum as it is, a negative zero too
    for (int i = 0; i < 16; i++) {
        open->q[i] = (int8_t)((block->qs[i] & 15) - 8);
        open->q[i + 16] = (int8_t)((block->qs[i] >> 4) - 8);
    }
}

static void open_q4_1(const void *source, leap_open32 *open) {
    const leap_q4_1 *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = leap_f16_to_f32(block->m);
    for (int i = 0; i < 16; i++) {
        open->q[i] = (int8_t)(block->qs[i] & 15);
        open->q[i + 16] = (int8_t)(block->qs[i] >> 4);
    }
}

static void open_five_bits(const uint8_t *qh, const uint8_t *qs, int bias, int8_t *q) {
    uint32_t high;
    memcpy(&high, qh, sizeof high);
    for (int i = 0; i < 16; i++) {
        q[i] = (int8_t)((int)((qs[i] & 15u) | (high >> i & 1u) << 4) - bias);
        q[i + 16] = (int8_t)((int)((uint32_t)(qs[i] >> 4) | (high >> (i + 16) & 1u) << 4) - bias);
    }
}

static void open_q5_0(const void *source, leap_open32 *open) {
    const leap_q5_0 *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = -0.0f;  // leaves every sum as it is, a negative zero too
    open_five_bits(block->qh, block->qs, 16, open->q);
}

static void open_q5_1(const void *source, leap_open32 *open) {
    const leap_q5_1 *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = leap_f16_to_f32(block->m);
    open_five_bits(block->qh, block->qs, 0, open->q);
}

static void open_q8_0(const void *source, leap_open32 *open) {
    const leap_q8_0 *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = -0.0f;  // leaves every sum as it is, a negative zero too
    memcpy(open->q, block->qs, 32);
}

static void open_iq4_nl(const void *source, leap_open32 *open) {
    const leap_iq4_nl *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->m = -0.0f;  // leaves every sum as it is, a negative zero too
    for (int i = 0; i < 16; i++) {
        open->q[i] = leap_iq4_values[block->qs[i] & 15];
        open->q[i + 16] = leap_iq4_values[block->qs[i] >> 4];
    }
}

static void open_q2_K(const void *source, leap_open256 *open) {
    const leap_q2_K *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = leap_f16_to_f32(block->dmin);
    for (int j = 0; j < 16; j++) {
        open->scale[j] = block->scales[j] & 15;
        open->min[j] = block->scales[j] >> 4;
    }
    for (int i = 0; i < 256; i++) {
        open->q[i] = (int8_t)(block->qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3);
    }
}

static void open_q3_K(const void *source, leap_open256 *open) {
    const leap_q3_K *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = 0;
    const uint8_t *s = block->scales;
    for (int j = 0; j < 16; j++) {
        const int low = j < 8 ? s[j] & 15 : s[j - 8] >> 4;
        const int high = s[8 + j % 4] >> (j / 4 * 2) & 3;
        open->scale[j] = (int16_t)((low | high << 4) - 32);
        open->min[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        const int low = block->qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
        const int high = block->hmask[i % 32] >> (i / 32) & 1;
        open->q[i] = (int8_t)((low | high << 2) - 4);
    }
}

/// The 8 scales and 8 mins of 6 bits that Q4_K and Q5_K pack into 12 bytes.
static void open_scales(const uint8_t *s, leap_open256 *open) {
    for (int j = 0; j < 8; j++) {
        const int scale = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        const int min = j < 4 ? s[j + 4] & 63 : s[j + 4] >> 4 | (s[j] >> 6) << 4;
        open->scale[2 * j] = open->scale[2 * j + 1] = (int16_t)scale;
        open->min[2 * j] = open->min[2 * j + 1] = (int16_t)min;
    }
}

static void open_q4_K(const void *source, leap_open256 *open) {
    const leap_q4_K *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = leap_f16_to_f32(block->dmin);
    open_scales(block->scales, open);
    for (int i = 0; i < 256; i++) {
        open->q[i] = (int8_t)(block->qs[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 15);
    }
}

static void open_q5_K(const void *source, leap_open256 *open) {
    const leap_q5_K *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = leap_f16_to_f32(block->dmin);
    open_scales(block->scales, open);
    for (int i = 0; i < 256; i++) {
        const int low = block->qs[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 15;
        const int high = block->qh[i % 32] >> (i / 32) & 1;
        open->q[i] = (int8_t)(low | high << 4);
    }
}

static void open_q6_K(const void *source, leap_open256 *open) {
    const leap_q6_K *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = 0;
    for (int j = 0; j < 16; j++) {
        open->scale[j] = block->scales[j];
        open->min[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, in_half = i % 128;
        const int low = block->ql[half * 64 + in_half % 64] >> (in_half / 64 * 4) & 15;
        const int high = block->qh[half * 32 + in_half % 32] >> (in_half / 32 * 2) & 3;
        open->q[i] = (int8_t)((low | high << 4) - 32);
    }
}

static void open_iq4_xs(const void *source, leap_open256 *open) {
    const leap_iq4_xs *block = source;
    open->d = leap_f16_to_f32(block->d);
    open->dmin = 0;
    for (int j = 0; j < 8; j++) {
        const int low = block->scales_l[j / 2] >> (j % 2 * 4) & 15;
        const int high = block->scales_h >> (2 * j) & 3;
        open->scale[2 * j] = open->scale[2 * j + 1] = (int16_t)((low | high << 4) - 32);
        open->min[2 * j] = open->min[2 * j + 1] = 0;
    }
    for (int i = 0; i < 256; i++) {
        open->q[i] = leap_iq4_values[block->qs[i / 32 * 16 + i % 16] >> (i % 32 / 16 * 4) & 15];
    }
}

leap_open32_function *leap_open32_for(int32_t type) {
    switch (type) {
    case LEAP_Q4_0: return open_q4_0;
    case LEAP_Q4_1: return open_q4_1;
    case LEAP_Q5_0: return open_q5_0;
    case LEAP_Q5_1: return open_q5_1;
    case LEAP_Q8_0: return open_q8_0;
    case LEAP_IQ4_NL: return open_iq4_nl;
    default: return NULL;
    }
}

leap_open256_function *leap_open256_for(int32_t type) {
    switch (type) {
    case LEAP_Q2_K: return open_q2_K;
    case LEAP_Q3_K: return open_q3_K;
    case LEAP_Q4_K: return open_q4_K;
    case LEAP_Q5_K: return open_q5_K;
    case LEAP_Q6_K: return open_q6_K;
    case LEAP_IQ4_XS: return open_iq4_xs;
    default: return NULL;
    }
}
