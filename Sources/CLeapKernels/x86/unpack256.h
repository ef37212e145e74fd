// Blocks of 256 weights of LANES rows, unpacked into registers a quarter at a time. Part of panels.h.

/// What all quarters of a block share.
typedef struct {
    vi scale[8];  ///< scales of neighbouring sub-blocks as pairs of 16 bits (4 or 8 pairs)
    vi min[8];    ///< minimums likewise
    vf d, dmin;   ///< dmin is negated
    vi high[8], low[8];  ///< columns that several quarters take bits from
} block256;

INLINE void columns32(const row_set *rows, size_t at, vi out[8]) {
    v_columns(rows, at, out);
    v_columns(rows, at + 16, out + 4);
}

/// The four unsigned bytes of every lane as two pairs of 16 bits.
INLINE void byte_pairs(vi x, vi out[2]) {
    out[0] = v_or(v_and(x, v_set32(0xff)), v_shl32(v_and(x, v_set32(0xff00)), 8));
    out[1] = v_or(v_and(v_shr32(x, 16), v_set32(0xff)), v_and(v_shr32(x, 8), v_set32(0xff0000)));
}

/// The four signed bytes of every lane as two pairs of 16 bits.
INLINE void signed_byte_pairs(vi x, vi out[2]) {
    byte_pairs(x, out);
    UNROLL for (int i = 0; i < 2; i++) out[i] = v_sar16(v_shl32(out[i], 8), 8);
}

/// The scales of a pair as 32-bit numbers.
OPERATION vi first_scale(vi pair) { return v_sar32(v_shl32(pair, 16), 16); }
OPERATION vi second_scale(vi pair) { return v_sar32(pair, 16); }

/// The bits of x under a byte mask, after moving bit `from` of every byte to bit `to`.
INLINE vi move_bits(vi x, int from, int to, int mask) {
    return v_and(from > to ? v_shr32(x, from - to) : v_shl32(x, to - from), v_set8(mask));
}

/// The two factors of a block, from the four bytes of them.
INLINE void factor_and_minimum(vi dm, block256 *out) {
    out->d = vf_from_half(dm);
    out->dmin = vf_negate(vf_from_half(v_shr32(dm, 16)));
}

// For every type: begin_TYPE unpacks what the quarters share, quarter_TYPE quarter q of the elements: w[0 ..< 8] and
// w[8 ..< 16] are laid out like block32.w. Quarters are unpacked in order.

INLINE void begin_q2_K(const row_set *rows, block256 *out) {
    vi c[4];
    v_columns(rows, 0, c);
    factor_and_minimum(v_dwords(rows, 80), out);
    UNROLL for (int i = 0; i < 4; i++) {
        byte_pairs(v_and(c[i], v_set8(15)), out->scale + 2 * i);
        byte_pairs(v_and(v_shr32(c[i], 4), v_set8(15)), out->min + 2 * i);
    }
}

/// Codes of two bits: those at `at` serve two quarters, and elements 32 apart lie in the same byte.
INLINE void quarter_of_two_bits(const row_set *rows, size_t at, int q, block256 *state, vi w[16]) {
    if (q % 2 == 0) columns32(rows, at + (size_t)(q / 2 * 32), state->low);
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = move_bits(state->low[i], q % 2 * 4, 0, 3);
        w[i + 8] = move_bits(state->low[i], q % 2 * 4 + 2, 0, 3);
    }
}

INLINE void quarter_q2_K(const row_set *rows, int q, block256 *state, vi w[16]) {
    quarter_of_two_bits(rows, 16, q, state, w);
}

INLINE void begin_q3_K(const row_set *rows, block256 *out) {
    vi c[4];
    v_columns(rows, 94, c);  // the last 16 bytes; scales begin at the third
    out->d = vf_from_half(v_shr32(c[3], 16));
    vi s[3];
    UNROLL for (int i = 0; i < 3; i++) s[i] = v_or(v_shr32(c[i], 16), v_shl32(c[i + 1], 16));
    const vi four = v_set8(15), two = v_set8(48);
    byte_pairs(v_or(v_and(s[0], four), v_and(v_shl32(s[2], 4), two)), out->scale);
    byte_pairs(v_or(v_and(s[1], four), v_and(v_shl32(s[2], 2), two)), out->scale + 2);
    byte_pairs(v_or(v_and(v_shr32(s[0], 4), four), v_and(s[2], two)), out->scale + 4);
    byte_pairs(v_or(v_and(v_shr32(s[1], 4), four), v_and(v_shr32(s[2], 2), two)), out->scale + 6);
    UNROLL for (int i = 0; i < 8; i++) out->scale[i] = v_add16(out->scale[i], -32);
    columns32(rows, 0, out->high);
}

INLINE void quarter_q3_K(const row_set *rows, int q, block256 *state, vi w[16]) {
    quarter_of_two_bits(rows, 32, q, state, w);
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = v_or(w[i], move_bits(state->high[i], 2 * q, 2, 4));
        w[i + 8] = v_or(w[i + 8], move_bits(state->high[i], 2 * q + 1, 2, 4));
    }
}

/// Scales and minimums of six bits, from the first 16 bytes of a block: four bytes a lane.
INLINE void six_bits(const vi c[4], vi scale[2], vi min[2]) {
    const vi six = v_set8(63), four = v_set8(15), two = v_set8(48);
    scale[0] = v_and(c[1], six);
    scale[1] = v_or(v_and(c[3], four), v_and(v_shr32(c[1], 2), two));
    min[0] = v_and(c[2], six);
    min[1] = v_or(v_and(v_shr32(c[3], 4), four), v_and(v_shr32(c[2], 2), two));
}

INLINE void begin_q4_K(const row_set *rows, block256 *out) {
    vi c[4], scale[2], min[2];
    v_columns(rows, 0, c);
    factor_and_minimum(c[0], out);
    six_bits(c, scale, min);
    UNROLL for (int i = 0; i < 2; i++) {
        byte_pairs(scale[i], out->scale + 2 * i);
        byte_pairs(min[i], out->min + 2 * i);
    }
}

/// Codes of four bits: those of a quarter lie at `at`, and elements 32 apart in the same byte.
INLINE void quarter_of_four_bits(const row_set *rows, size_t at, vi w[16]) {
    const vi nibble = v_set8(15);
    vi c[8];
    columns32(rows, at, c);
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = v_and(c[i], nibble);
        w[i + 8] = v_and(v_shr32(c[i], 4), nibble);
    }
}

INLINE void quarter_q4_K(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)state;
    quarter_of_four_bits(rows, (size_t)(16 + 32 * q), w);
}

INLINE void begin_q5_K(const row_set *rows, block256 *out) {
    begin_q4_K(rows, out);
    columns32(rows, 16, out->high);
}

INLINE void quarter_q5_K(const row_set *rows, int q, block256 *state, vi w[16]) {
    quarter_of_four_bits(rows, (size_t)(48 + 32 * q), w);
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = v_or(w[i], move_bits(state->high[i], 2 * q, 4, 16));
        w[i + 8] = v_or(w[i + 8], move_bits(state->high[i], 2 * q + 1, 4, 16));
    }
}

INLINE void begin_q6_K(const row_set *rows, block256 *out) {
    vi c[4];
    v_columns(rows, 192, c);
    out->d = vf_halves(rows, 208);
    UNROLL for (int i = 0; i < 4; i++) signed_byte_pairs(c[i], out->scale + 2 * i);
}

INLINE void quarter_q6_K(const row_set *rows, int q, block256 *state, vi w[16]) {
    quarter_of_four_bits(rows, (size_t)(q / 2 * 64 + q % 2 * 32), w);
    if (q % 2 == 0) columns32(rows, (size_t)(128 + q / 2 * 32), state->high);
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = v_or(w[i], move_bits(state->high[i], q % 2 * 2, 4, 48));
        w[i + 8] = v_or(w[i + 8], move_bits(state->high[i], q % 2 * 2 + 4, 4, 48));
    }
}

INLINE void begin_iq4_xs(const row_set *rows, block256 *out) {
    vi c[4];
    v_columns(rows, 0, c);
    out->d = vf_from_half(c[0]);
    // Low four bits of scales 2i and 2i + 1 from byte i, high two bits from the second half of the first column.
    UNROLL for (int i = 0; i < 4; i++) {
        const vi low = v_shr32(c[1], 8 * i), high = v_shr32(c[0], 16 + 4 * i);
        const vi first = v_or(v_and(low, v_set32(15)), v_shl32(v_and(high, v_set32(3)), 4));
        const vi second = v_or(v_and(v_shr32(low, 4), v_set32(15)), v_shl32(v_and(high, v_set32(12)), 2));
        out->scale[i] = v_add16(v_pair16(first, second), -32);
    }
}

INLINE void quarter_iq4_xs(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)state;
    UNROLL for (int half = 0; half < 2; half++) {  // placed like blocks of 32
        nibbles32(rows, (size_t)(8 + 32 * q + 16 * half), w + 8 * half);
        look_up32(iq4_table, w + 8 * half);
    }
}

INLINE void begin_tq2_0(const row_set *rows, block256 *out) {
    out->d = vf_halves(rows, 64);
    UNROLL for (int i = 0; i < 4; i++) out->scale[i] = v_set32(0x00010001);
}

INLINE void quarter_tq2_0(const row_set *rows, int q, block256 *state, vi w[16]) {
    quarter_of_two_bits(rows, 0, q, state, w);
}

/// Ternary digits of 32 elements, and the digits that come next made the first.
INLINE void next_digits(vi bytes[8], vi w[8]) {
    UNROLL for (int i = 0; i < 8; i++) {
        w[i] = v_first_digit(bytes[i]);
        bytes[i] = v_add8(bytes[i], v_add8(bytes[i], bytes[i]));
    }
}

INLINE void begin_tq1_0(const row_set *rows, block256 *out) {
    out->d = vf_halves(rows, 52);
    columns32(rows, 0, out->low);
    v_columns(rows, 32, out->high);
    out->high[4] = v_dwords(rows, 48);
    UNROLL for (int i = 0; i < 4; i++) out->scale[i] = v_set32(0x00010001);
}

INLINE void quarter_tq1_0(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)rows;
    UNROLL for (int half = 0; half < 2; half++) {
        if (2 * q + half < 5) {  // all of the first 32 bytes have five digits
            next_digits(state->low, w + 8 * half);
            continue;
        }
        UNROLL for (int i = 0; i < 8; i++) {
            // Of 16 bytes there are five times four groups; the last four bytes have four digits.
            const int group = (2 * q + half - 5) * 8 + i;
            vi *bytes = &state->high[group < 20 ? group % 4 : 4];
            w[8 * half + i] = v_first_digit(*bytes);
            *bytes = v_add8(*bytes, v_add8(*bytes, *bytes));
        }
    }
}

#include "unpack_grids.h"

INLINE void begin256(int32_t type, const row_set *rows, block256 *out) {
    switch (type) {
#define BEGIN(NAME, name, ...) \
    case LEAP_##NAME: begin_##name(rows, out); return;
        LEAP_TYPES_256(BEGIN)
#undef BEGIN
    }
}

/// Quarter q of a block.
INLINE void unpack_quarter(int32_t type, const row_set *rows, int q, block256 *state, vi w[16]) {
    switch (type) {
#define QUARTER(NAME, name, ...) \
    case LEAP_##NAME: quarter_##name(rows, q, state, w); return;
        LEAP_TYPES_256(QUARTER)
#undef QUARTER
    }
}
