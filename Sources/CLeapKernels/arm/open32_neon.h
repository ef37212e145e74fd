// Blocks of 32 weights, opened into registers row by row. Part of quantized_neon.h.

/// What is left to subtract from the opened weights of a type.
INLINE int opened_bias(int32_t type) { return type == LEAP_Q4_0 ? 8 : 0; }

/// All ones in the bytes whose bit is set: bits 16 half ... 16 half + 15 of the 32 bits that fill `bits`.
INLINE uint8x16_t spread_bits(uint8x16_t bits, int half) {
    static const uint8_t byte[2][16] = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
                                        {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3}};
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vtstq_u8(vqtbl1q_u8(bits, vld1q_u8(byte[half])), vld1q_u8(bit));
}

/// Elements 0 ... 15 and 16 ... 31 of a block, as signed bytes: opened_bias too large.
INLINE void open32(int32_t type, const uint8_t *block, int8x16_t w[2]) {
    const uint8x16_t nibble = vdupq_n_u8(15);
    if (type == LEAP_Q8_0) {
        UNROLL for (int i = 0; i < 2; i++) w[i] = vreinterpretq_s8_u8(vld1q_u8(block + 2 + 16 * i));
        return;
    }
    const uint8x16_t both = vld1q_u8(block + block_bytes(type) - 16);
    if (type == LEAP_IQ4_NL) {
        const int8x16_t values = vld1q_s8(leap_iq4_values);
        w[0] = vqtbl1q_s8(values, vandq_u8(both, nibble));
        w[1] = vqtbl1q_s8(values, vshrq_n_u8(both, 4));
        return;
    }
    if (type == LEAP_Q4_0 || type == LEAP_Q4_1) {
        w[0] = vreinterpretq_s8_u8(vandq_u8(both, nibble));
        w[1] = vreinterpretq_s8_u8(vshrq_n_u8(both, 4));
        return;
    }
    uint32_t fifth;
    memcpy(&fifth, block + (type == LEAP_Q5_0 ? 2 : 4), sizeof fifth);
    // The upper halves of the bytes. Q5_0: all ones where the bit is not set, which subtracts the bias of 16.
    const uint8x16_t bits = vreinterpretq_u8_u32(vdupq_n_u32(type == LEAP_Q5_0 ? ~fifth : fifth));
    uint8x16_t high[2];
    UNROLL for (int i = 0; i < 2; i++) {
        high[i] = spread_bits(bits, i);
        if (type == LEAP_Q5_1) high[i] = vandq_u8(high[i], vdupq_n_u8(16));
    }
    w[0] = vreinterpretq_s8_u8(vbslq_u8(nibble, both, high[0]));
    w[1] = vreinterpretq_s8_u8(vsriq_n_u8(high[1], both, 4));
}

/// Scales and minimums of a quad's blocks.
INLINE void factors32(int32_t type, const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) {
    if (has_min(type)) {
        const uint32x4_t both = dwords(blocks, 0);
        *d = low_halves(both);
        *m = high_halves(both);
    } else {
        *d = halves(blocks, 0);
        *m = vdupq_n_f32(0);
    }
}
