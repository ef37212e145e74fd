// Rows of every type to float.
#include "../internal/kernels.h"
#include "../internal/numeric.h"
#include "unpack.h"

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
    leap_unpack32_function *unpack = leap_unpack32_for(type);
    const size_t bytes = leap_type_block_bytes(type);
    const int64_t parts = leap_type_block_elements(type) / 32;
    const char *block = src;
    for (int64_t b = 0; b < n / 32; b++, dst += 32) {
        leap_unpacked32 unpacked;
        unpack(block + (size_t)(b / parts) * bytes, (int)(b % parts), &unpacked);
        for (int i = 0; i < 32; i++) dst[i] = (float)unpacked.q[i] * unpacked.d + unpacked.m;
    }
}

static void dequantize256(int32_t type, const void *src, float *dst, int64_t n) {
    leap_unpack256_function *unpack = leap_unpack256_for(type);
    const size_t bytes = leap_type_block_bytes(type);
    const char *block = src;
    for (int64_t b = 0; b < n / 256; b++, block += bytes, dst += 256) {
        leap_unpacked256 unpacked;
        unpack(block, &unpacked);
        for (int i = 0; i < 256; i++) {
            const float scale = unpacked.d * (float)unpacked.scale[i / 16];
            const float min = unpacked.dmin * (float)unpacked.min[i / 16];
            dst[i] = scale * (float)unpacked.q[i] - min;
        }
    }
}

static void dequantize64(int32_t type, const void *src, float *dst, int64_t n) {
    leap_unpack64_function *unpack = leap_unpack64_for(type);
    const size_t bytes = leap_type_block_bytes(type);
    const char *block = src;
    for (int64_t b = 0; b < n / 64; b++, block += bytes, dst += 64) {
        leap_unpacked64 unpacked;
        unpack(block, &unpacked);
        for (int i = 0; i < 64; i++) dst[i] = (float)unpacked.q[i] * unpacked.d[i / 16];
    }
}

#define DEQUANTIZE_32(NAME, name, ...) \
    static void dequantize_##name(const void *src, float *dst, int64_t n) { dequantize32(LEAP_##NAME, src, dst, n); }
#define DEQUANTIZE_256(NAME, name, ...) \
    static void dequantize_##name(const void *src, float *dst, int64_t n) { dequantize256(LEAP_##NAME, src, dst, n); }
#define DEQUANTIZE_64(NAME, name, ...) \
    static void dequantize_##name(const void *src, float *dst, int64_t n) { dequantize64(LEAP_##NAME, src, dst, n); }
LEAP_TYPES_32(DEQUANTIZE_32)
LEAP_TYPES_256(DEQUANTIZE_256)
LEAP_TYPES_64(DEQUANTIZE_64)

void leap_scalar_install_dequantize(leap_kernels *table) {
#define INSTALL(NAME, name, ...) table->dequantize[LEAP_##NAME] = dequantize_##name;
    LEAP_FLOAT_TYPES(INSTALL)
    LEAP_TYPES_32(INSTALL)
    LEAP_TYPES_256(INSTALL)
    LEAP_TYPES_64(INSTALL)
}
