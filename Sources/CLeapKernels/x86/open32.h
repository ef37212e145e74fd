// Blocks of 32 weights of LANES rows, opened into registers. Part of quantized.h.

/// Rows of one block: w[g] holds elements 4g ... 4g + 3 of row r in lane r, unsigned (or signed where the type uses the
/// whole byte and FULL_BYTES_BIASED is 0); d and m the scale and the minimum.
typedef struct {
    vi w[8];
    vf d, m;
} block32;

/// Bit 4 of every byte, from 32 bits a row: bit i belongs to element i.
INLINE vi fifth_bits(vi bits, int group) {
    const int byte = group / 2 * 0x01010101;
    const vi spread = v_shuffle8(bits, v_add32(v_set32(byte), v_load(dword_starts)));
    return v_where_bits(spread, v_set32(group % 2 ? (int)0x80402010 : 0x08040201), v_set8(16));
}

INLINE void open32(int32_t type, const row_set *rows, block32 *out) {
    const vi nibble = v_set8(15);
    vi c[8];
    switch (type) {
    case LEAP_Q8_0:
        out->d = vf_halves(rows, 0);
        v_columns(rows, 2, c);
        v_columns(rows, 18, c + 4);
        UNROLL for (int i = 0; i < 8; i++) out->w[i] = FULL_BYTES_BIASED ? v_xor(c[i], v_set8(-128)) : c[i];
        return;
    case LEAP_Q4_0:
    case LEAP_IQ4_NL:
        out->d = vf_halves(rows, 0);
        v_columns(rows, 2, c);
        break;
    case LEAP_Q5_0:
        out->d = vf_halves(rows, 0);
        v_columns(rows, 6, c);
        break;
    default: {  // Q4_1, Q5_1
        const vi dm = v_dwords(rows, 0);
        out->d = vf_from_half(dm);
        out->m = vf_from_half(v_shr32(dm, 16));
        v_columns(rows, (type == LEAP_Q5_1 ? 8 : 4), c);
        break;
    }
    }
    UNROLL for (int i = 0; i < 4; i++) {
        out->w[i] = v_and(c[i], nibble);
        out->w[i + 4] = v_and(v_shr32(c[i], 4), nibble);
    }
    if (type == LEAP_IQ4_NL) {
        const vi values = v_repeat16(iq4_table);
        UNROLL for (int i = 0; i < 8; i++) out->w[i] = v_shuffle8(values, out->w[i]);
    }
    if (type == LEAP_Q5_0 || type == LEAP_Q5_1) {
        const vi bits = v_dwords(rows, (type == LEAP_Q5_0 ? 2 : 4));
        UNROLL for (int i = 0; i < 8; i++) out->w[i] = v_or(out->w[i], fifth_bits(bits, i));
    }
}
