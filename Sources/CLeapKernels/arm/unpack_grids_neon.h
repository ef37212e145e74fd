// Blocks of 256 weights with grids (IQ1 to IQ3), unpacked into registers. Part of unpack256_neon.h, whose forms they
// have; the layouts are explained in scalar/unpack.c.
#include "../internal/grids.h"
#include "../internal/numeric.h"

INLINE uint32_t load_u32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/// The scales 2 s + 1 of the blocks. x: s in the bits of `mask`, moved right by `from` bits.
INLINE int32x4_t odd_scales(uint32x4_t x, int from, uint32_t mask) {
    const uint32x4_t s = vandq_u32(shr(x, from), vdupq_n_u32(mask));
    return vreinterpretq_s32_u32(vorrq_u32(vaddq_u32(s, s), vdupq_n_u32(1)));
}

INLINE float32x4_t halves_times(const quad_blocks *blocks, size_t at, float factor) {
    return vmulq_n_f32(halves(blocks, at), factor);
}

INLINE void factors_iq2_xxs(const quad_blocks *blocks, factors256 *out) {
    out->d = halves_times(blocks, 0, 0.125f);
    UNROLL for (int j = 0; j < 8; j++) out->scale[j] = odd_scales(dwords(blocks, (size_t)(6 + 8 * j)), 28, 15);
}

/// Scales of a half byte for each sub-block of 16, eight bytes at `at`.
INLINE void scales_of_half_bytes(const quad_blocks *blocks, size_t at, factors256 *out) {
    const uint32x4_t c[2] = {dwords(blocks, at), dwords(blocks, at + 4)};
    UNROLL for (int j = 0; j < 16; j++) out->scale[j] = odd_scales(c[j / 8], 4 * (j % 8), 15);
}

INLINE void factors_iq2_xs(const quad_blocks *blocks, factors256 *out) {
    out->d = halves_times(blocks, 0, 0.125f);
    scales_of_half_bytes(blocks, 66, out);
}

INLINE void factors_iq2_s(const quad_blocks *blocks, factors256 *out) {
    out->d = halves_times(blocks, 0, 0.125f);
    scales_of_half_bytes(blocks, 74, out);
}

INLINE void factors_iq3_xxs(const quad_blocks *blocks, factors256 *out) {
    out->d = halves_times(blocks, 0, 0.25f);
    UNROLL for (int j = 0; j < 8; j++) out->scale[j] = odd_scales(dwords(blocks, (size_t)(66 + 4 * j)), 28, 15);
}

INLINE void factors_iq3_s(const quad_blocks *blocks, factors256 *out) {
    out->d = halves(blocks, 0);
    const uint32x4_t scales = dwords(blocks, 106);
    UNROLL for (int j = 0; j < 8; j++) out->scale[j] = odd_scales(scales, 4 * j, 15);
}

INLINE void factors_iq1_s(const quad_blocks *blocks, factors256 *out) {
    out->d = halves_times(blocks, 0, 0.125f);
    UNROLL for (int j = 0; j < 8; j++) {
        out->scale[j] = odd_scales(dwords(blocks, (size_t)(34 + 4 * (j / 2))), 16 * (j % 2) + 12, 7);
    }
}

INLINE void factors_iq1_m(const quad_blocks *blocks, factors256 *out) {
    const uint32x4_t c[2] = {dwords(blocks, 48), dwords(blocks, 52)};
    const uint32x4_t first = vorrq_u32(vandq_u32(shr(c[0], 12), vdupq_n_u32(0xf)), vandq_u32(shr(c[0], 24), vdupq_n_u32(0xf0)));
    const uint32x4_t second =
        vorrq_u32(vandq_u32(shr(c[1], 4), vdupq_n_u32(0xf00)), vandq_u32(shr(c[1], 16), vdupq_n_u32(0xf000)));
    out->d = vmulq_n_f32(low_halves(vorrq_u32(first, second)), 0.125f);
    UNROLL for (int j = 0; j < 16; j++) out->scale[j] = odd_scales(c[j / 8], j / 4 % 2 * 16 + j % 4 * 3, 7);
}

INLINE int8x16_t sixteen(uint64_t first, uint64_t second) {
    return vcombine_s8(vcreate_s8(first), vcreate_s8(second));
}

/// Magnitudes of 16 elements, negative where a bit of `signs` is set.
INLINE int8x16_t with_signs(int8x16_t magnitudes, unsigned signs) {
    const uint8x16_t both = vreinterpretq_u8_u16(vdupq_n_u16((uint16_t)signs));
    const int8x16_t less = vreinterpretq_s8_u8(spread_bits(both, 0));
    return vsubq_s8(veorq_s8(magnitudes, less), less);
}

/// Two times seven bits as 16 signs.
INLINE unsigned two_even_signs(unsigned first, unsigned second) {
    return leap_even_signs(first & 127) | leap_even_signs(second & 127) << 8;
}

INLINE void eighth_iq2_xxs(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const uint8_t *at = block + 2 + 8 * (2 * q + half), *place = at + 2 * i;
        const uint32_t bits = load_u32(at + 4);
        w[2 * half + i] = with_signs(sixteen(leap_iq2_xxs_grid[place[0]], leap_iq2_xxs_grid[place[1]]),
                                     two_even_signs(bits >> (14 * i), bits >> (14 * i + 7)));
    }
}

INLINE void eighth_iq2_xs(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const uint32_t both = load_u32(block + 2 + 8 * (2 * q + half) + 4 * i);
        w[2 * half + i] = with_signs(sixteen(leap_iq2_xs_grid[both & 511], leap_iq2_xs_grid[both >> 16 & 511]),
                                     two_even_signs(both >> 9, both >> 25));
    }
}

INLINE void eighth_iq2_s(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half, k = 4 * part + 2 * i;
        const unsigned high = block[66 + part] >> (4 * i), first = block[2 + k] | (high & 3) << 8;
        const unsigned second = block[3 + k] | (high & 12) << 6;
        w[2 * half + i] = with_signs(sixteen(leap_iq2_s_grid[first], leap_iq2_s_grid[second]), leap_load_u16(block + 34 + k));
    }
}

INLINE void eighth_iq3_xxs(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half;
        const uint8_t *place = block + 2 + 8 * part + 4 * i;
        const uint32_t bits = load_u32(block + 66 + 4 * part);
        uint32_t points[4];
        UNROLL for (int k = 0; k < 4; k++) points[k] = leap_iq3_xxs_grid[place[k]];
        w[2 * half + i] = with_signs(vreinterpretq_s8_u32(vld1q_u32(points)),
                                     two_even_signs(bits >> (14 * i), bits >> (14 * i + 7)));
    }
}

INLINE void eighth_iq3_s(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half;
        const uint8_t *place = block + 2 + 8 * part + 4 * i;
        const unsigned high = block[66 + part] >> (4 * i);
        uint32_t points[4];
        UNROLL for (int k = 0; k < 4; k++) points[k] = leap_iq3_s_grid[place[k] | (high >> k & 1) << 8];
        w[2 * half + i] = with_signs(vreinterpretq_s8_u32(vld1q_u32(points)), leap_load_u16(block + 74 + 4 * part + 2 * i));
    }
}

/// 16 elements of IQ1: what the grid has, and 1 more, or less.
INLINE int8x16_t two_shifted(unsigned first, unsigned second, bool first_less, bool second_less) {
    const int8x8_t low = vdup_n_s8(first_less ? -1 - LEAP_IQ1_BIAS : 1 - LEAP_IQ1_BIAS);
    const int8x8_t high = vdup_n_s8(second_less ? -1 - LEAP_IQ1_BIAS : 1 - LEAP_IQ1_BIAS);
    return vaddq_s8(sixteen(leap_iq1_grid[first & 2047], leap_iq1_grid[second & 2047]), vcombine_s8(low, high));
}

INLINE void eighth_iq1_s(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half;
        const uint8_t *place = block + 2 + 4 * part + 2 * i;
        const unsigned bits = leap_load_u16(block + 34 + 2 * part), high = bits >> (6 * i);
        w[2 * half + i] = two_shifted(place[0] | (high & 7) << 8, place[1] | (high >> 3 & 7) << 8, bits >> 15, bits >> 15);
    }
}

INLINE void eighth_iq1_m(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half;
        const uint8_t *place = block + 4 * part + 2 * i;
        const unsigned high = block[32 + 2 * part + i];
        w[2 * half + i] = two_shifted(place[0] | (high & 7) << 8, place[1] | (high >> 4 & 7) << 8, high >> 3 & 1, high >> 7);
    }
}
