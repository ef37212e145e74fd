// Blocks of 256 weights with grids (IQ1 to IQ3) of LANES rows, unpacked into registers. Part of unpack256.h, whose forms they have; the
// layouts are explained in scalar/unpack.c.
#include "../internal/grids.h"

/// The scales 2 s + 1 of two neighbouring sub-blocks as a pair. Both s are numbers of 32 bits.
INLINE vi odd_scales(vi first, vi second) {
    return v_or(v_shl32(v_or(first, v_shl32(second, 16)), 1), v_set32(0x00010001));
}

/// Scales of a half byte for each sub-block of 16. c: the eight bytes of them.
INLINE void scales_of_half_bytes(const vi c[2], vi scale[8]) {
    const vi nibble = v_set32(15);
    UNROLL for (int i = 0; i < 8; i++) {
        const vi both = v_shr32(c[i / 4], i % 4 * 8);
        scale[i] = odd_scales(v_and(both, nibble), v_and(v_shr32(both, 4), nibble));
    }
}

/// Four times seven bits as four bytes.
INLINE vi spread_sevens(vi x) {
    const vi two = v_or(v_and(x, v_set32(0x3fff)), v_and(v_shl32(x, 2), v_set32(0x3fff0000)));
    return v_or(v_and(two, v_set32(0x007f007f)), v_and(v_shl32(two, 1), v_set32(0x7f007f00)));
}

/// Bytes of seven signs with the eighth, which makes the number of set bits even.
INLINE vi even_signs(vi sevens) {
    static const uint8_t odd[16] = {0, 128, 128, 0, 128, 0, 0, 128, 128, 0, 0, 128, 0, 128, 128, 0};
    const vi folded = v_and(v_xor(sevens, v_shr32(sevens, 4)), v_set8(15));
    return v_or(sevens, v_shuffle8(v_repeat16(odd), folded));
}

/// Magnitudes of 32 elements with their signs, which are 32 bits, and the bias.
INLINE void sign32(vi w[8], vi signs, int bias) {
    UNROLL for (int i = 0; i < 8; i++) w[i] = v_signed(w[i], spread_byte(signs, i), bits_of_group(i), v_set8(bias));
}

/// x moved by 8 - `from` bits to the left: bit `from` becomes bit 8. The three bits from there on are kept, or less.
INLINE vi upper_bits(vi x, int from, int mask) {
    return v_and(from > 8 ? v_shr32(x, from - 8) : v_shl32(x, 8 - from), v_set32(mask));
}

/// Byte k of every lane as a number.
INLINE vi byte_of(vi x, int k) { return v_and(v_shr32(x, 8 * k), v_set32(255)); }

INLINE void begin_iq2_xxs(const row_set *rows, block256 *out) { out->d = vf_mul(vf_halves(rows, 0), vf_set(0.125f)); }

INLINE void quarter_iq2_xxs(const row_set *rows, int q, block256 *state, vi w[16]) {
    vi c[4];
    v_columns(rows, (size_t)(2 + 16 * q), c);
    UNROLL for (int half = 0; half < 2; half++) {
        UNROLL for (int k = 0; k < 4; k++) v_look_up8(leap_iq2_xxs_grid, byte_of(c[2 * half], k), w + 8 * half + 2 * k);
        sign32(w + 8 * half, even_signs(spread_sevens(c[2 * half + 1])), 64);
    }
    state->scale[q] = odd_scales(v_shr32(c[1], 28), v_shr32(c[3], 28));
}

INLINE void begin_iq2_xs(const row_set *rows, block256 *out) {
    vi c[4];
    out->d = vf_mul(vf_halves(rows, 0), vf_set(0.125f));
    v_columns(rows, 58, c);  // the last 16 bytes; scales are the last eight
    scales_of_half_bytes(c + 2, out->scale);
}

INLINE void quarter_iq2_xs(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)state;
    vi c[4];
    v_columns(rows, (size_t)(2 + 16 * q), c);
    const vi place = v_set32(511);
    UNROLL for (int half = 0; half < 2; half++) {
        const vi a = c[2 * half], b = c[2 * half + 1];
        vi *to = w + 8 * half;
        v_look_up8(leap_iq2_xs_grid, v_and(a, place), to);
        v_look_up8(leap_iq2_xs_grid, v_and(v_shr32(a, 16), place), to + 2);
        v_look_up8(leap_iq2_xs_grid, v_and(b, place), to + 4);
        v_look_up8(leap_iq2_xs_grid, v_and(v_shr32(b, 16), place), to + 6);
        const vi low = v_or(v_and(v_shr32(a, 9), v_set32(0x7f)), v_and(v_shr32(a, 17), v_set32(0x7f00)));
        const vi high = v_or(v_and(v_shl32(b, 7), v_set32(0x7f0000)), v_and(v_shr32(b, 1), v_set32(0x7f000000)));
        sign32(to, even_signs(v_or(low, high)), 64);
    }
}

INLINE void begin_iq2_s(const row_set *rows, block256 *out) {
    out->d = vf_mul(vf_halves(rows, 0), vf_set(0.125f));
    v_columns(rows, 66, out->high);  // eight bytes of upper bits, then the scales
    scales_of_half_bytes(out->high + 2, out->scale);
}

INLINE void quarter_iq2_s(const row_set *rows, int q, block256 *state, vi w[16]) {
    if (q % 2 == 0) {
        v_columns(rows, (size_t)(2 + 8 * q), state->low);
        v_columns(rows, (size_t)(34 + 8 * q), state->low + 4);
    }
    UNROLL for (int half = 0; half < 2; half++) {
        const int part = 2 * q + half;
        const vi high = v_shr32(state->high[part / 4], part % 4 * 8);
        UNROLL for (int k = 0; k < 4; k++) {
            const vi place = v_or(byte_of(state->low[part % 4], k), upper_bits(high, 2 * k, 0x300));
            v_look_up8(leap_iq2_s_grid, place, w + 8 * half + 2 * k);
        }
        sign32(w + 8 * half, state->low[4 + part % 4], 64);
    }
}

INLINE void begin_iq3_xxs(const row_set *rows, block256 *out) {
    out->d = vf_mul(vf_halves(rows, 0), vf_set(0.25f));
    columns32(rows, 66, out->high);
}

INLINE void quarter_iq3_xxs(const row_set *rows, int q, block256 *state, vi w[16]) {
    vi c[4];
    v_columns(rows, (size_t)(2 + 16 * q), c);
    UNROLL for (int i = 0; i < 16; i++) w[i] = v_look_up4(leap_iq3_xxs_grid, byte_of(c[i / 4], i % 4));
    UNROLL for (int half = 0; half < 2; half++) sign32(w + 8 * half, even_signs(spread_sevens(state->high[2 * q + half])), 64);
    state->scale[q] = odd_scales(v_shr32(state->high[2 * q], 28), v_shr32(state->high[2 * q + 1], 28));
}

INLINE void begin_iq3_s(const row_set *rows, block256 *out) {
    vi c[4];
    out->d = vf_halves(rows, 0);
    v_columns(rows, 94, c);  // the last 16 bytes; scales are the last four
    UNROLL for (int i = 0; i < 4; i++) {
        out->scale[i] = odd_scales(v_and(v_shr32(c[3], 8 * i), v_set32(15)), v_and(v_shr32(c[3], 8 * i + 4), v_set32(15)));
    }
    columns32(rows, 74, out->low);  // signs
    v_columns(rows, 66, out->high);  // eight bytes of upper bits
}

INLINE void quarter_iq3_s(const row_set *rows, int q, block256 *state, vi w[16]) {
    vi c[4];
    v_columns(rows, (size_t)(2 + 16 * q), c);
    UNROLL for (int i = 0; i < 16; i++) {
        const vi upper = upper_bits(state->high[q / 2], q % 2 * 16 + i, 0x100);
        w[i] = v_look_up4(leap_iq3_s_grid, v_or(byte_of(c[i / 4], i % 4), upper));
    }
    UNROLL for (int half = 0; half < 2; half++) sign32(w + 8 * half, state->low[2 * q + half], 16);
}

/// Eight elements of IQ1: what the grid has, and 1 more, or less where `less` has all bits set.
INLINE void look_up_shifted(vi place, vi less, vi w[2]) {
    const vi shift = v_or(less, v_set8(1));
    v_look_up8(leap_iq1_grid, place, w);
    UNROLL for (int i = 0; i < 2; i++) w[i] = v_add8(w[i], shift);
}

INLINE void begin_iq1_s(const row_set *rows, block256 *out) {
    out->d = vf_mul(vf_halves(rows, 0), vf_set(0.125f));
    columns32(rows, 2, out->low);
    v_columns(rows, 34, out->high);
    UNROLL for (int i = 0; i < 4; i++) {
        const vi seven = v_set32(7);
        out->scale[i] = odd_scales(v_and(v_shr32(out->high[i], 12), seven), v_and(v_shr32(out->high[i], 28), seven));
    }
}

INLINE void quarter_iq1_s(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)rows;
    UNROLL for (int half = 0; half < 2; half++) {
        const vi high = state->high[q], less = v_sar32(half ? high : v_shl32(high, 16), 31);
        UNROLL for (int k = 0; k < 4; k++) {
            const vi place = v_or(byte_of(state->low[2 * q + half], k), upper_bits(high, 16 * half + 3 * k, 0x700));
            look_up_shifted(place, less, w + 8 * half + 2 * k);
        }
    }
}

INLINE void begin_iq1_m(const row_set *rows, block256 *out) {
    vi c[4];
    v_columns(rows, 40, c);  // the last 16 bytes; the four numbers of scales are the last eight
    const vi first = v_or(v_and(v_shr32(c[2], 12), v_set32(0xf)), v_and(v_shr32(c[2], 24), v_set32(0xf0)));
    const vi second = v_or(v_and(v_shr32(c[3], 4), v_set32(0xf00)), v_and(v_shr32(c[3], 16), v_set32(0xf000)));
    out->d = vf_mul(vf_from_half(v_or(first, second)), vf_set(0.125f));
    UNROLL for (int i = 0; i < 8; i++) {
        const vi bits = v_shr32(c[2 + i / 4], i / 2 % 2 * 16 + i % 2 * 6);
        out->scale[i] = odd_scales(v_and(bits, v_set32(7)), v_and(v_shr32(bits, 3), v_set32(7)));
    }
    columns32(rows, 0, out->low);
    v_columns(rows, 32, out->high);
}

INLINE void quarter_iq1_m(const row_set *rows, int q, block256 *state, vi w[16]) {
    (void)rows;
    UNROLL for (int i = 0; i < 8; i++) {
        const vi high = state->high[q], less = v_sar32(v_shl32(high, 28 - 4 * i), 31);
        const vi place = v_or(byte_of(state->low[2 * q + i / 4], i % 4), upper_bits(high, 4 * i, 0x700));
        look_up_shifted(place, less, w + 2 * i);
    }
}
