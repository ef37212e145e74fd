// Input vectors to the forms of internal/activation.h. Other instruction sets must write the same bytes.
#include <stdbool.h>

#include "../internal/activation.h"
#include "../internal/kernels.h"
#include "../internal/numeric.h"

#pragma STDC FP_CONTRACT OFF

static void prepare_f32(const float *x, int64_t cols, void *record) {
    memcpy(record, x, (size_t)cols * sizeof(float));
    memset((float *)record + cols, 0, leap_round_up((size_t)cols * sizeof(float)) - (size_t)cols * sizeof(float));
}

static void prepare_bf16(const float *x, int64_t cols, void *record) {
    uint16_t *out = record;
    for (int64_t i = 0; i < cols; i++) out[i] = leap_f32_to_bf16(x[i]);
    memset(out + cols, 0, leap_round_up((size_t)cols * sizeof *out) - (size_t)cols * sizeof *out);
}

/// high and low halves of x, rounded to nearest: high + low is x to 16 bits.
static void split(float x, uint16_t *high, uint16_t *low) {
    *high = leap_f32_to_bf16(x);
    const bool finite = (*high & 0x7f80) != 0x7f80;
    *low = finite ? leap_f32_to_bf16(x - leap_bf16_to_f32(*high)) : 0;
}

static void prepare_split(const float *x, int64_t cols, void *record, bool paired) {
    memset(record, 0, leap_split_bytes(cols));
    for (int64_t i = 0; i < cols; i++) {
        const int64_t block = i / LEAP_SPLIT_BLOCK, vector = i % LEAP_SPLIT_BLOCK / 32, place = i % 32;
        const int64_t lane = paired ? place % 16 : place / 2, half = paired ? place / 16 : place % 2;
        uint16_t *high = (uint16_t *)((char *)record + block * LEAP_SPLIT_BLOCK_BYTES) + lane * 64 + vector * 2 + half;
        split(x[i], high, high + 32);
    }
}

static void prepare_bf16_split(const float *x, int64_t cols, void *record) { prepare_split(x, cols, record, false); }

static void prepare_bf16_split_paired(const float *x, int64_t cols, void *record) { prepare_split(x, cols, record, true); }

/// Rounds to nearest, ties to even, within -127...127; -127 for what is not a number.
static int8_t quantize(float value) {
    if (!(value > -127.0f)) return -127;
    if (value > 127.0f) return 127;
    // Adding 1.5 * 2^23 leaves no bits for a fraction; the addition itself rounds to even.
    return (int8_t)(int32_t)((value + 12582912.0f) - 12582912.0f);
}

/// Quantises n elements with one scale, which it returns.
static float quantize_block(const float *x, int n, int8_t *q) {
    // As bits, so that what is not a number is the largest.
    uint32_t bits = 0;
    for (int i = 0; i < n; i++) {
        const uint32_t magnitude = leap_bits_from_float(x[i]) & 0x7fffffffu;
        if (magnitude > bits) bits = magnitude;
    }
    const float largest = leap_float_from_bits(bits), inverse = leap_activation_inverse(largest);
    for (int i = 0; i < n; i++) q[i] = quantize(x[i] * inverse);
    return leap_activation_scale(largest);
}

static int32_t sum(const int8_t *q, int n) {
    int32_t total = 0;
    for (int i = 0; i < n; i++) total += q[i];
    return total;
}

static int32_t sum_of_magnitudes(const int8_t *q, int n) {
    int32_t total = 0;
    for (int i = 0; i < n; i++) total += q[i] < 0 ? -q[i] : q[i];
    return total;
}

static void prepare_q8_32(const float *x, int64_t cols, void *record) {
    const leap_act32 act = leap_act32_view(record, cols);
    for (int64_t b = 0; b < cols / 32; b++) {
        act.d[b] = quantize_block(x + b * 32, 32, act.q + b * 32);
        const int32_t total = sum(act.q + b * 32, 32);
        act.s[b] = act.d[b] * (float)total;
        act.offset128[b] = -128 * total;
        act.offset8[b] = -8 * total;
    }
}

static void prepare_q8_256(const float *x, int64_t cols, void *record) {
    const leap_act256 act = leap_act256_view(record, cols);
    for (int64_t b = 0; b < cols / 256; b++) act.d[b] = quantize_block(x + b * 256, 256, act.q + b * 256);
    for (int64_t g = 0; g < cols / 256; g++) act.most16[g] = act.most32[g] = 0;
    for (int64_t j = 0; j < cols / 16; j++) {
        const int32_t total = sum(act.q + j * 16, 16);
        act.sum16[j] = (int16_t)total;
        act.offset16[j] = -32 * total;
        for (int half = 0; half < 2; half++) {
            int32_t part = 0;
            for (int i = 2 * half; i < 16; i += 4) part += sum(act.q + j * 16 + i, 2);
            act.start16[2 * j + half] = (int16_t)(-32 * part);
        }
        const int32_t magnitudes = sum_of_magnitudes(act.q + j * 16, 16);
        if (magnitudes > act.most16[j / 16]) act.most16[j / 16] = (int16_t)magnitudes;
    }
    for (int64_t j = 0; j < cols / 32; j++) {
        const int32_t total = act.sum16[2 * j] + act.sum16[2 * j + 1];
        act.sum32[j] = (int16_t)total;
        act.offset32[j] = -128 * total;
        const int32_t magnitudes = sum_of_magnitudes(act.q + j * 32, 32);
        if (magnitudes > act.most32[j / 8]) act.most32[j / 8] = (int16_t)magnitudes;
    }
}

void leap_scalar_install_prepare(leap_kernels *table) {
    table->prepare[LEAP_ACTIVATION_F32] = prepare_f32;
    table->prepare[LEAP_ACTIVATION_BF16] = prepare_bf16;
    table->prepare[LEAP_ACTIVATION_BF16_SPLIT] = prepare_bf16_split;
    table->prepare[LEAP_ACTIVATION_BF16_SPLIT_PAIRED] = prepare_bf16_split_paired;
    table->prepare[LEAP_ACTIVATION_Q8_32] = prepare_q8_32;
    table->prepare[LEAP_ACTIVATION_Q8_256] = prepare_q8_256;
}
