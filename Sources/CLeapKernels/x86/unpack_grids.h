// Blocks of 256 weights with grids (IQ1 to IQ3) of LANES rows, unpacked into registers. Part of unpack256.h, whose
// forms they have; the layouts are explained in scalar/unpack.c.

// The values of the codes, with the bias of the types. A half byte of IQ2 has the code in one of its halves.
#define IQ2_VALUES {72, 89, 107, 0, 89, 0, 0, 0, 107}
static const leap_grid8 iq2_xxs_grid = {leap_iq2_xxs_grid, leap_iq2_xxs_codes, 256, IQ2_VALUES};
static const leap_grid8 iq2_xs_grid = {leap_iq2_xs_grid, leap_iq2_xs_codes, 512, IQ2_VALUES};
static const leap_grid8 iq2_s_grid = {leap_iq2_s_grid, leap_iq2_s_codes, 1024, IQ2_VALUES};
static const leap_grid4 iq3_xxs_grid = {leap_iq3_xxs_grid, leap_iq3_xxs_codes, 256, {68, 76, 84, 92, 100, 108, 116, 126}};
static const leap_grid4 iq3_s_grid = {leap_iq3_s_grid, leap_iq3_s_codes, 512, {17, 19, 21, 23, 25, 27, 29, 31}};

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
    UNROLL for (int i = 0; i < 8; i++) w[i] = v_signed(w[i], spread_byte(signs, i), bits_of_group(i), bias);
}

// Places in a grid come four at a time, in bytes: the even ones, and the odd ones, lie in the halves of a lane.

/// Bytes k and k + 2 of every lane as two numbers.
INLINE vi two_bytes(vi x, int k) { return v_and(v_shr32(x, 8 * k), v_set32(0x00ff00ff)); }

/// The bits under `mask` from bit `first` on as bits 8 and up, and those from bit `second` on as bits 24 and up.
/// second: up to 24.
INLINE vi two_upper_bits(vi x, int first, int second, int mask) {
    const vi low = first > 8 ? v_shr32(x, first - 8) : v_shl32(x, 8 - first);
    return v_or(v_and(low, v_set32(mask << 8)), v_and(v_shl32(x, 24 - second), v_set32(mask << 24)));
}

/// The magnitudes of four points of eight elements. places: of the even points, of the odd ones.
INLINE void points_of_eight(const leap_grid8 *grid, const vi places[2], vi w[8]) {
    UNROLL for (int k = 0; k < 2; k++) {
        vi out[4];
        v_points8(grid, places[k], out);
        UNROLL for (int i = 0; i < 4; i++) w[i / 2 * 4 + 2 * k + i % 2] = out[i];
    }
}

/// The magnitudes of four points of four elements.
INLINE void points_of_four(const leap_grid4 *grid, const vi places[2], vi w[4]) {
    UNROLL for (int k = 0; k < 2; k++) {
        vi out[2];
        v_points4(grid, places[k], out);
        w[k] = out[0];
        w[k + 2] = out[1];
    }
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
        const vi places[2] = {two_bytes(c[2 * half], 0), two_bytes(c[2 * half], 1)};
        points_of_eight(&iq2_xxs_grid, places, w + 8 * half);
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
    const vi place = v_set32(0x01ff01ff);
    UNROLL for (int half = 0; half < 2; half++) {
        const vi a = c[2 * half], b = c[2 * half + 1];
        vi *to = w + 8 * half;
        v_points8(&iq2_xs_grid, v_and(a, place), to);
        v_points8(&iq2_xs_grid, v_and(b, place), to + 4);
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
        const vi low = state->low[part % 4], high = v_shr32(state->high[part / 4], part % 4 * 8);
        const vi places[2] = {v_or(two_bytes(low, 0), two_upper_bits(high, 0, 4, 3)),
                              v_or(two_bytes(low, 1), two_upper_bits(high, 2, 6, 3))};
        points_of_eight(&iq2_s_grid, places, w + 8 * half);
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
    UNROLL for (int i = 0; i < 4; i++) {
        const vi places[2] = {two_bytes(c[i], 0), two_bytes(c[i], 1)};
        points_of_four(&iq3_xxs_grid, places, w + 4 * i);
    }
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
    UNROLL for (int i = 0; i < 4; i++) {
        const int at = 4 * i;
        const vi high = q % 2 ? v_shr32(state->high[q / 2], 16) : state->high[q / 2];
        const vi places[2] = {v_or(two_bytes(c[i], 0), two_upper_bits(high, at, at + 2, 1)),
                              v_or(two_bytes(c[i], 1), two_upper_bits(high, at + 1, at + 3, 1))};
        points_of_four(&iq3_s_grid, places, w + 4 * i);
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
