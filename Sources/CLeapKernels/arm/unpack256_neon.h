// Blocks of 256 weights, unpacked into registers a quarter of a row's block at a time. Part of quantized_neon.h.

/// What a quad's blocks multiply their sums with.
typedef struct {
    int32x4_t scale[16];  ///< of every sub-block (8 or 16)
    int16x4_t min[16];    ///< likewise, where the type has minimums
    float32x4_t d, dmin;  ///< dmin is negated
} factors256;

/// The 16 bytes at `at` of every block, in columns of four.
INLINE void columns(const quad_blocks *blocks, size_t at, uint32x4_t out[4]) {
    uint8x16_t x[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) x[r] = vld1q_u8(blocks->at[r] + at);
    transpose(x, out);
}

/// Byte k of every lane, unsigned and signed.
INLINE uint32x4_t byte_of(uint32x4_t x, int k) {
    const uint32x4_t up = k == 3 ? x : vshlq_u32(x, vdupq_n_s32(24 - 8 * k));
    return vshrq_n_u32(up, 24);
}
INLINE int32x4_t signed_byte_of(uint32x4_t x, int k) {
    const uint32x4_t up = k == 3 ? x : vshlq_u32(x, vdupq_n_s32(24 - 8 * k));
    return vshrq_n_s32(vreinterpretq_s32_u32(up), 24);
}

INLINE void scales_from(uint32x4_t bytes, int32x4_t *scale) {
    UNROLL for (int k = 0; k < 4; k++) scale[k] = vreinterpretq_s32_u32(byte_of(bytes, k));
}
INLINE void signed_scales_from(uint32x4_t bytes, int32x4_t *scale) {
    UNROLL for (int k = 0; k < 4; k++) scale[k] = signed_byte_of(bytes, k);
}
INLINE void mins_from(uint32x4_t bytes, int16x4_t *min) {
    UNROLL for (int k = 0; k < 4; k++) min[k] = vreinterpret_s16_u16(vmovn_u32(byte_of(bytes, k)));
}

INLINE uint32x4_t mask32(uint32x4_t x, uint32_t byte) { return vandq_u32(x, vdupq_n_u32(byte * 0x01010101u)); }
INLINE uint32x4_t shr(uint32x4_t x, int n) { return vshlq_u32(x, vdupq_n_s32(-n)); }
INLINE uint32x4_t shl(uint32x4_t x, int n) { return vshlq_u32(x, vdupq_n_s32(n)); }

// For every type: factors_TYPE gives what a quad's blocks multiply their sums with, and eighth_TYPE 16 elements of each
// half of quarter q of a row's block, signed: number i (0 or 1) of w[0 ..< 2] and of w[2 ..< 4].

INLINE void factors_q4_K(const quad_blocks *blocks, factors256 *out) {
    uint32x4_t c[4];
    columns(blocks, 0, c);
    out->d = low_halves(c[0]);
    out->dmin = vnegq_f32(high_halves(c[0]));
    scales_from(mask32(c[1], 63), out->scale);
    scales_from(vorrq_u32(mask32(c[3], 15), mask32(shr(c[1], 2), 48)), out->scale + 4);
    mins_from(mask32(c[2], 63), out->min);
    mins_from(vorrq_u32(mask32(shr(c[3], 4), 15), mask32(shr(c[2], 2), 48)), out->min + 4);
}

INLINE void factors_q5_K(const quad_blocks *blocks, factors256 *out) { factors_q4_K(blocks, out); }

INLINE void factors_q2_K(const quad_blocks *blocks, factors256 *out) {
    uint32x4_t c[4];
    columns(blocks, 0, c);
    const uint32x4_t dm = dwords(blocks, 80);
    out->d = low_halves(dm);
    out->dmin = vnegq_f32(high_halves(dm));
    UNROLL for (int i = 0; i < 4; i++) {
        scales_from(mask32(c[i], 15), out->scale + 4 * i);
        mins_from(mask32(shr(c[i], 4), 15), out->min + 4 * i);
    }
}

INLINE void factors_q3_K(const quad_blocks *blocks, factors256 *out) {
    uint32x4_t c[4], s[3];
    columns(blocks, 94, c);  // the last 16 bytes; scales begin at the third
    out->d = high_halves(c[3]);
    UNROLL for (int i = 0; i < 3; i++) s[i] = vsliq_n_u32(vshrq_n_u32(c[i], 16), c[i + 1], 16);
    const uint32x4_t all[4] = {vorrq_u32(mask32(s[0], 15), mask32(shl(s[2], 4), 48)),
                               vorrq_u32(mask32(s[1], 15), mask32(shl(s[2], 2), 48)),
                               vorrq_u32(mask32(shr(s[0], 4), 15), mask32(s[2], 48)),
                               vorrq_u32(mask32(shr(s[1], 4), 15), mask32(shr(s[2], 2), 48))};
    UNROLL for (int i = 0; i < 4; i++) {
        const uint8x16_t less = vsubq_u8(vreinterpretq_u8_u32(all[i]), vdupq_n_u8(32));
        signed_scales_from(vreinterpretq_u32_u8(less), out->scale + 4 * i);
    }
}

INLINE void factors_q6_K(const quad_blocks *blocks, factors256 *out) {
    uint32x4_t c[4];
    columns(blocks, 192, c);
    out->d = halves(blocks, 208);
    UNROLL for (int i = 0; i < 4; i++) signed_scales_from(c[i], out->scale + 4 * i);
}

INLINE void factors_iq4_xs(const quad_blocks *blocks, factors256 *out) {
    uint32x4_t c[4];
    columns(blocks, 0, c);
    out->d = low_halves(c[0]);
    // Low four bits of scales 2i and 2i + 1 from byte i, high two bits from the second half of the first column.
    UNROLL for (int j = 0; j < 8; j++) {
        const uint32x4_t low = vandq_u32(shr(c[1], 4 * j), vdupq_n_u32(15));
        const uint32x4_t high = vandq_u32(shr(c[0], 16 + 2 * j), vdupq_n_u32(3));
        out->scale[j] = vsubq_s32(vreinterpretq_s32_u32(vsliq_n_u32(low, high, 4)), vdupq_n_s32(32));
    }
}

INLINE void factors_tq2_0(const quad_blocks *blocks, factors256 *out) {
    out->d = halves(blocks, 64);
    UNROLL for (int j = 0; j < 8; j++) out->scale[j] = vdupq_n_s32(1);
}

INLINE uint8x16_t shr8(uint8x16_t x, int n) { return n == 0 ? x : vshlq_u8(x, vdupq_n_s8((int8_t)-n)); }
INLINE uint8x16_t shl8(uint8x16_t x, int n) { return n == 0 ? x : vshlq_u8(x, vdupq_n_s8((int8_t)n)); }

/// Two bits at `from` as the upper half of a byte: their value minus 2, signed.
INLINE uint8x16_t signed_upper_half(uint8x16_t flipped, int from) {
    return vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(shl8(flipped, 6 - from)), 2));
}

/// Bit `from` as bit 4.
INLINE uint8x16_t fifth_bit(uint8x16_t x, int from) {
    return vandq_u8(from > 4 ? shr8(x, from - 4) : shl8(x, 4 - from), vdupq_n_u8(16));
}

/// The low halves of the bytes at `at`, and the high ones.
INLINE void eighth_of_four_bits(const uint8_t *at, int i, int8x16_t w[4]) {
    int8x16_t both[2];
    nibbles(at + 16 * i, both);
    w[i] = both[0];
    w[2 + i] = both[1];
}

/// The same with upper bits from `high`.
INLINE void eighth_with_upper_bits(const uint8_t *at, int i, const uint8x16_t high[2], int8x16_t w[4]) {
    int8x16_t both[2];
    with_upper_bits(at + 16 * i, high, both);
    w[i] = both[0];
    w[2 + i] = both[1];
}

/// Codes of two bits, the upper bits of their bytes not cleared: those at `at` serve two quarters.
INLINE void eighth_of_two_bits(const uint8_t *at, int q, int i, uint8x16_t low[2]) {
    const uint8x16_t both = vld1q_u8(at + q / 2 * 32 + 16 * i);
    UNROLL for (int k = 0; k < 2; k++) low[k] = shr8(both, q % 2 * 4 + 2 * k);
}

INLINE void eighth_q2_K(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    uint8x16_t low[2];
    eighth_of_two_bits(block + 16, q, i, low);
    UNROLL for (int k = 0; k < 2; k++) w[2 * k + i] = vreinterpretq_s8_u8(vandq_u8(low[k], vdupq_n_u8(3)));
}

INLINE void eighth_q3_K(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    uint8x16_t low[2];
    eighth_of_two_bits(block + 32, q, i, low);
    const uint8x16_t high = vmvnq_u8(vld1q_u8(block + 16 * i));
    UNROLL for (int k = 0; k < 2; k++) {
        // Upper bits all ones where the third bit is not set: subtracts the bias of 4.
        const uint8x16_t upper = vtstq_u8(high, vdupq_n_u8((uint8_t)(1 << (2 * q + k))));
        w[2 * k + i] = vreinterpretq_s8_u8(vbslq_u8(vdupq_n_u8(3), low[k], upper));
    }
}

INLINE void eighth_q4_K(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    eighth_of_four_bits(block + 16 + 32 * q, i, w);
}

INLINE void eighth_q5_K(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    const uint8x16_t fifth = vld1q_u8(block + 16 + 16 * i);
    const uint8x16_t high[2] = {fifth_bit(fifth, 2 * q), fifth_bit(fifth, 2 * q + 1)};
    eighth_with_upper_bits(block + 48 + 32 * q, i, high, w);
}

INLINE void eighth_q6_K(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    // Flipping the upper of two bits subtracts 2 from them once they are read as signed; at bit 4 that is the bias of
    // 32.
    const uint8x16_t flipped = veorq_u8(vld1q_u8(block + 128 + q / 2 * 32 + 16 * i), vdupq_n_u8(0xaa));
    const uint8x16_t high[2] = {signed_upper_half(flipped, q % 2 * 2), signed_upper_half(flipped, q % 2 * 2 + 4)};
    eighth_with_upper_bits(block + q / 2 * 64 + q % 2 * 32, i, high, w);
}

INLINE void eighth_iq4_xs(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    // Here bytes hold elements i and i + 16 of one half.
    looked_up(block + 8 + 32 * q + 16 * i, leap_iq4_values, w + 2 * i);
}

INLINE void eighth_tq2_0(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    uint8x16_t low[2];
    eighth_of_two_bits(block, q, i, low);
    UNROLL for (int k = 0; k < 2; k++) {
        w[2 * k + i] = vsubq_s8(vreinterpretq_s8_u8(vandq_u8(low[k], vdupq_n_u8(3))), vdupq_n_s8(1));
    }
}

INLINE void factors_tq1_0(const quad_blocks *blocks, factors256 *out) {
    out->d = halves(blocks, 52);
    UNROLL for (int j = 0; j < 8; j++) out->scale[j] = vdupq_n_s32(1);
}

/// The first ternary digits of bytes, minus 1. powers: what moves a later digit to the first place.
INLINE int8x16_t digits(uint8x16_t bytes, uint8x16_t powers) {
    const uint8x16_t x = vmulq_u8(bytes, powers);
    const int8x16_t one = vreinterpretq_s8_u8(vcgeq_u8(x, vdupq_n_u8(86)));
    const int8x16_t two = vreinterpretq_s8_u8(vcgeq_u8(x, vdupq_n_u8(171)));
    return vsubq_s8(vsubq_s8(vdupq_n_s8(-1), one), two);
}

INLINE void eighth_tq1_0(const uint8_t *block, int q, int i, int8x16_t w[4]) {
    static const uint8_t power[5] = {1, 3, 9, 27, 81};
    static const uint8_t power_of_fours[16] = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half, later = 2 * (part - 5) + i;
        if (part < 5) {
            w[2 * half + i] = digits(vld1q_u8(block + 16 * i), vdupq_n_u8(power[part]));
        } else if (later < 5) {
            w[2 * half + i] = digits(vld1q_u8(block + 32), vdupq_n_u8(power[later]));
        } else {
            w[2 * half + i] = digits(repeated_dword(block + 48), vld1q_u8(power_of_fours));
        }
    }
}

#include "unpack_grids_neon.h"

INLINE void factors_of_block256(int32_t type, const quad_blocks *blocks, factors256 *out) {
    switch (type) {
#define FACTORS(NAME, name, ...) \
    case LEAP_##NAME: factors_##name(blocks, out); return;
        LEAP_TYPES_256(FACTORS)
#undef FACTORS
    }
}

/// Quarter q of a row's block: w[0 ..< 2] and w[2 ..< 4] are 32 elements each.
INLINE void unpack_quarter(int32_t type, const uint8_t *block, int q, int8x16_t w[4]) {
    switch (type) {
#define QUARTER(NAME, name, ...) \
    case LEAP_##NAME:            \
        UNROLL for (int i = 0; i < 2; i++) eighth_##name(block, q, i, w); \
        return;
        LEAP_TYPES_256(QUARTER)
#undef QUARTER
    }
}
