// 32 weights of LANES rows with one scale, unpacked into registers. Part of panels.h.

/// Rows of one block: w[g] holds elements 4g ... 4g + 3 of row r in lane r, unsigned (or signed where the type uses the
/// whole byte and FULL_BYTES_BIASED is 0); d and m the scale and the minimum.
typedef struct {
    vi w[8];
    vf d, m;
} block32;

/// The 16 bytes at `at` of every row as 32 elements: low halves, then high halves.
INLINE void nibbles32(const row_set *rows, size_t at, vi w[8]) {
    const vi nibble = v_set8(15);
    vi c[4];
    v_columns(rows, at, c);
    UNROLL for (int i = 0; i < 4; i++) {
        w[i] = v_and(c[i], nibble);
        w[i + 4] = v_and(v_shr32(c[i], 4), nibble);
    }
}

/// The values of a table that the elements are places in.
INLINE void look_up32(const int8_t table[16], vi w[8]) {
    const vi values = v_repeat16(table);
    UNROLL for (int i = 0; i < 8; i++) w[i] = v_shuffle8(values, w[i]);
}

/// The byte of every lane that has the bits of a group, four times, and their places in it. Bit i of a lane belongs to
/// element i.
INLINE vi spread_byte(vi bits, int group) {
    return v_shuffle8(bits, v_add32(v_set32(group / 2 * 0x01010101), v_load(v_dword_starts)));
}
INLINE vi bits_of_group(int group) { return v_set32(group % 2 ? (int)0x80402010 : 0x08040201); }

/// Bit 4 of every byte, from 32 bits a row.
INLINE vi fifth_bits(vi bits, int group) {
    return v_where_bits(spread_byte(bits, group), bits_of_group(group), v_set8(16));
}

/// Adds the fifth bits that lie at `at` of every row.
INLINE void add_fifth_bits(const row_set *rows, size_t at, vi w[8]) {
    const vi bits = v_dwords(rows, at);
    UNROLL for (int i = 0; i < 8; i++) w[i] = v_or(w[i], fifth_bits(bits, i));
}

/// Scale and minimum, one after the other at the start of every row.
INLINE void scale_and_minimum(const row_set *rows, block32 *out) {
    const vi dm = v_dwords(rows, 0);
    out->d = vf_from_half(dm);
    out->m = vf_from_half(v_shr32(dm, 16));
}

/// 2^(e - 128) for the numbers 0 ... 255 in the lanes, exactly: 2^-128 and 2^-127 are subnormal, so it takes two
/// factors.
INLINE vf vf_half_of_e8m0(vi e) {
    const vi first = v_shr32(e, 1), second = v_shr32(v_add32(e, v_set32(1)), 1), bias = v_set32(127 - 64);
    return vf_mul(vf_from_bits(v_shl32(v_add32(first, bias), 23)), vf_from_bits(v_shl32(v_add32(second, bias), 23)));
}

INLINE void unpack_q4_0(const row_set *rows, block32 *out) {
    out->d = vf_halves(rows, 0);
    nibbles32(rows, 2, out->w);
}

INLINE void unpack_q4_1(const row_set *rows, block32 *out) {
    scale_and_minimum(rows, out);
    nibbles32(rows, 4, out->w);
}

INLINE void unpack_q5_0(const row_set *rows, block32 *out) {
    out->d = vf_halves(rows, 0);
    nibbles32(rows, 6, out->w);
    add_fifth_bits(rows, 2, out->w);
}

INLINE void unpack_q5_1(const row_set *rows, block32 *out) {
    scale_and_minimum(rows, out);
    nibbles32(rows, 8, out->w);
    add_fifth_bits(rows, 4, out->w);
}

INLINE void unpack_q8_0(const row_set *rows, block32 *out) {
    out->d = vf_halves(rows, 0);
    v_columns(rows, 2, out->w);
    v_columns(rows, 18, out->w + 4);
    if (!FULL_BYTES_BIASED) return;
    const vi bias = v_set8(-128);
    UNROLL for (int i = 0; i < 8; i++) out->w[i] = v_xor(out->w[i], bias);
}

INLINE void unpack_iq4_nl(const row_set *rows, block32 *out) {
    out->d = vf_halves(rows, 0);
    nibbles32(rows, 2, out->w);
    look_up32(iq4_table, out->w);
}

INLINE void unpack_mxfp4(const row_set *rows, block32 *out) {
    out->d = vf_half_of_e8m0(v_and(v_dwords(rows, 0), v_set32(255)));
    nibbles32(rows, 1, out->w);
    look_up32(e2m1_table, out->w);
}

INLINE void unpack_q1_0(const row_set *rows, int part, block32 *out) {
    out->d = vf_halves(rows, 0);
    vi c[4];
    v_columns(rows, 2, c);
    UNROLL for (int i = 0; i < 8; i++) out->w[i] = v_where_bits(spread_byte(c[part], i), bits_of_group(i), v_set8(2));
}

INLINE void unpack_q2_0(const row_set *rows, int part, block32 *out) {
    out->d = vf_halves(rows, 0);
    vi c[4];
    v_columns(rows, 2, c);
    UNROLL for (int i = 0; i < 8; i++) {
        const vi byte = v_and(v_shr32(c[2 * part + i / 4], i % 4 * 8), v_set32(255));
        const vi twice = v_or(byte, v_shl32(byte, 12));
        out->w[i] = v_and(v_or(twice, v_shl32(twice, 6)), v_set8(3));
    }
}

/// Part `part` of a block; blocks of 32 have one.
INLINE void unpack32(int32_t type, const row_set *rows, int part, block32 *out) {
    (void)part;
    switch (type) {
#define UNPACK_PART_OF_32(name) unpack_##name(rows, out)
#define UNPACK_PART_OF_64(name) unpack_##name(rows, part, out)
#define UNPACK_PART_OF_128(name) unpack_##name(rows, part, out)
#define UNPACK(NAME, name, id, elements, ...) \
    case LEAP_##NAME: UNPACK_PART_OF_##elements(name); return;
        LEAP_TYPES_32(UNPACK)
#undef UNPACK
#undef UNPACK_PART_OF_32
#undef UNPACK_PART_OF_64
#undef UNPACK_PART_OF_128
    }
}
