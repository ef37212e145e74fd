// Conversions between float and the 16-bit formats, exact and equal on every machine.
#ifndef LEAP_NUMERIC_H
#define LEAP_NUMERIC_H

#include <stdint.h>
#include <string.h>

static inline float leap_float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t leap_bits_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// IEEE half to float, subnormals and NaN included.
static inline float leap_f16_to_f32(uint16_t h) {
    const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    const uint32_t rest = h & 0x7fffu;
    if (rest >= 0x7c00u) return leap_float_from_bits(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    if (rest >= 0x0400u) return leap_float_from_bits(sign | ((rest << 13) + 0x38000000u));
    // Subnormal: rest * 2^-24, exact in float.
    const float magnitude = (float)rest * 5.9604644775390625e-8f;
    return leap_float_from_bits(sign | leap_bits_from_float(magnitude));
}

/// Float to IEEE half, to nearest, ties to even; overflow becomes infinity.
static inline uint16_t leap_f32_to_f16(float value) {
    const uint32_t bits = leap_bits_from_float(value);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    uint32_t rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (uint16_t)(sign | 0x7e00u | (rest >> 13 & 0x3ffu));
    if (rest >= 0x47800000u) return (uint16_t)(sign | 0x7c00u);
    if (rest < 0x38800000u) {
        // Below 2^-14: adding 0.5 leaves the subnormal mantissa in the low bits, rounded to even by the addition.
        const float shifted = leap_float_from_bits(rest) + 0.5f;
        return (uint16_t)(sign | (leap_bits_from_float(shifted) - 0x3f000000u));
    }
    rest += 0x0fffu + (rest >> 13 & 1u);
    return (uint16_t)(sign | ((rest - 0x38000000u) >> 13));
}

/// bfloat16 to float.
static inline float leap_bf16_to_f32(uint16_t h) { return leap_float_from_bits((uint32_t)h << 16); }

/// Float to bfloat16, to nearest, ties to even; NaN stays NaN.
static inline uint16_t leap_f32_to_bf16(float value) {
    const uint32_t bits = leap_bits_from_float(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// Half the scale that a byte of E8M0 stands for: 2^(e - 128), subnormal for 0 and 1.
static inline float leap_e8m0_half_to_f32(uint8_t e) {
    return leap_float_from_bits(e < 2 ? UINT32_C(0x00200000) << e : (uint32_t)(e - 1) << 23);
}

static inline uint16_t leap_load_u16(const void *source) {
    uint16_t value;
    memcpy(&value, source, sizeof value);
    return value;
}

#endif
