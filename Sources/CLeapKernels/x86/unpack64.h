// Blocks of 64 weights of LANES rows, 16 elements at a time unpacked into registers. Part of panels.h.

/// 16 elements of one block: w[g] holds elements 4g ... 4g + 3 of row r in lane r, unsigned; d their scale.
typedef struct {
    vi w[4];
    vf d;
} block16;

/// What scales of one byte stand for. at: of the byte in every row.
INLINE vf vf_of_bytes(const row_set *rows, size_t at, const float table[256]) {
    float x[LANES];
    UNROLL for (int r = 0; r < LANES; r++) x[r] = table[*row_byte(rows, r, at)];
    return vf_load(x);
}

/// The bytes that hold the elements, four bytes wide, and then 16 elements of them.
INLINE void columns_nvfp4(const row_set *rows, vi c[8]) {
    v_columns(rows, 4, c);
    v_columns(rows, 20, c + 4);
}

INLINE void unpack_nvfp4(const row_set *rows, const vi c[8], int part, block16 *out) {
    const vi nibble = v_set8(15), values = v_repeat16(e2m1_table);
    UNROLL for (int i = 0; i < 2; i++) {
        const vi both = c[2 * part + i];
        out->w[i] = v_shuffle8(values, v_and(both, nibble));
        out->w[i + 2] = v_shuffle8(values, v_and(v_shr32(both, 4), nibble));
    }
    out->d = vf_of_bytes(rows, (size_t)part, leap_e4m3_half_values);
}

INLINE void columns64(int32_t type, const row_set *rows, vi c[8]) {
    switch (type) {
#define COLUMNS(NAME, name, ...) \
    case LEAP_##NAME: columns_##name(rows, c); return;
        LEAP_TYPES_64(COLUMNS)
#undef COLUMNS
    }
}

INLINE void unpack64(int32_t type, const row_set *rows, const vi c[8], int part, block16 *out) {
    switch (type) {
#define UNPACK(NAME, name, ...) \
    case LEAP_##NAME: unpack_##name(rows, c, part, out); return;
        LEAP_TYPES_64(UNPACK)
#undef UNPACK
    }
}
