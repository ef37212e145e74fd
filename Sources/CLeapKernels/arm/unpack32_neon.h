// 32 weights with one scale, unpacked into registers row by row. Part of quantized_neon.h.

/// What is left to subtract from the unpacked weights of a type: the bias that activations store offsets for.
INLINE int unpacked_bias(int32_t type) { return is_block32(type) && code_bias(type) == 8 ? 8 : 0; }

/// All ones in the bytes whose bit is set: bits 16 half ... 16 half + 15 of the 32 bits that fill `bits`.
INLINE uint8x16_t spread_bits(uint8x16_t bits, int half) {
    static const uint8_t byte[2][16] = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
                                        {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3}};
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vtstq_u8(vqtbl1q_u8(bits, vld1q_u8(byte[half])), vld1q_u8(bit));
}

/// The low halves and the high halves of 16 bytes.
INLINE void nibbles(const uint8_t *at, int8x16_t w[2]) {
    const uint8x16_t both = vld1q_u8(at);
    w[0] = vreinterpretq_s8_u8(vandq_u8(both, vdupq_n_u8(15)));
    w[1] = vreinterpretq_s8_u8(vshrq_n_u8(both, 4));
}

/// The values of a table that the halves of 16 bytes are places in.
INLINE void looked_up(const uint8_t *at, const int8_t table[16], int8x16_t w[2]) {
    const int8x16_t values = vld1q_s8(table);
    nibbles(at, w);
    UNROLL for (int i = 0; i < 2; i++) w[i] = vqtbl1q_s8(values, vreinterpretq_u8_s8(w[i]));
}

/// The halves of 16 bytes as the lower bits, with upper bits from `high`.
INLINE void with_upper_bits(const uint8_t *at, const uint8x16_t high[2], int8x16_t w[2]) {
    const uint8x16_t both = vld1q_u8(at);
    w[0] = vreinterpretq_s8_u8(vbslq_u8(vdupq_n_u8(15), both, high[0]));
    w[1] = vreinterpretq_s8_u8(vsriq_n_u8(high[1], both, 4));
}

/// The 32 bits at `at`, in every lane.
INLINE uint8x16_t repeated_dword(const uint8_t *at) {
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return vreinterpretq_u8_u32(vdupq_n_u32(bits));
}

/// Half-precision scales and minimums, one after the other at the start of every block.
INLINE void scales_and_minimums(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) {
    const uint32x4_t both = dwords(blocks, 0);
    *d = low_halves(both);
    *m = high_halves(both);
}

/// 2^(e - 128) for the numbers 0 ... 255 in the lanes, exactly: 2^-128 and 2^-127 are subnormal, so it takes two
/// factors.
INLINE float32x4_t half_of_e8m0(uint32x4_t e) {
    const uint32x4_t bias = vdupq_n_u32(127 - 64);
    const uint32x4_t first = vaddq_u32(vshrq_n_u32(e, 1), bias), second = vaddq_u32(vrshrq_n_u32(e, 1), bias);
    return vmulq_f32(vreinterpretq_f32_u32(vshlq_n_u32(first, 23)), vreinterpretq_f32_u32(vshlq_n_u32(second, 23)));
}

// For every type: unpack_TYPE gives elements 0 ... 15 and 16 ... 31 of a block as signed bytes, unpacked_bias too
// large, and factors_TYPE the scales and minimums of a quad's blocks.

INLINE void unpack_q4_0(const uint8_t *block, int8x16_t w[2]) { nibbles(block + 2, w); }
INLINE void factors_q4_0(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) {
    (void)m;
    *d = halves(blocks, 0);
}

INLINE void unpack_q4_1(const uint8_t *block, int8x16_t w[2]) { nibbles(block + 4, w); }
INLINE void factors_q4_1(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { scales_and_minimums(blocks, d, m); }

INLINE void unpack_q5_0(const uint8_t *block, int8x16_t w[2]) {
    // All ones where the bit is not set, which subtracts the bias of 16.
    const uint8x16_t bits = vmvnq_u8(repeated_dword(block + 2));
    const uint8x16_t high[2] = {spread_bits(bits, 0), spread_bits(bits, 1)};
    with_upper_bits(block + 6, high, w);
}
INLINE void factors_q5_0(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { factors_q4_0(blocks, d, m); }

INLINE void unpack_q5_1(const uint8_t *block, int8x16_t w[2]) {
    const uint8x16_t bits = repeated_dword(block + 4), fifth = vdupq_n_u8(16);
    const uint8x16_t high[2] = {vandq_u8(spread_bits(bits, 0), fifth), vandq_u8(spread_bits(bits, 1), fifth)};
    with_upper_bits(block + 8, high, w);
}
INLINE void factors_q5_1(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { scales_and_minimums(blocks, d, m); }

INLINE void unpack_q8_0(const uint8_t *block, int8x16_t w[2]) {
    UNROLL for (int i = 0; i < 2; i++) w[i] = vreinterpretq_s8_u8(vld1q_u8(block + 2 + 16 * i));
}
INLINE void factors_q8_0(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { factors_q4_0(blocks, d, m); }

INLINE void unpack_iq4_nl(const uint8_t *block, int8x16_t w[2]) { looked_up(block + 2, leap_iq4_values, w); }
INLINE void factors_iq4_nl(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { factors_q4_0(blocks, d, m); }

INLINE void unpack_mxfp4(const uint8_t *block, int8x16_t w[2]) { looked_up(block + 1, leap_e2m1_values, w); }
INLINE void factors_mxfp4(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) {
    (void)m;
    *d = half_of_e8m0(vandq_u32(dwords(blocks, 0), vdupq_n_u32(255)));
}

INLINE void unpack_q1_0(const uint8_t *block, int part, int8x16_t w[2]) {
    const uint8x16_t bits = repeated_dword(block + 2 + 4 * part), one = vdupq_n_u8(1);
    UNROLL for (int i = 0; i < 2; i++) {
        // All ones where the bit is not set, 1 where it is.
        w[i] = vreinterpretq_s8_u8(vorrq_u8(vmvnq_u8(spread_bits(bits, i)), one));
    }
}
INLINE void factors_q1_0(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { factors_q4_0(blocks, d, m); }

INLINE void unpack_q2_0(const uint8_t *block, int part, int8x16_t w[2]) {
    static const uint8_t byte[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    static const int8_t down[16] = {0, -2, -4, -6, 0, -2, -4, -6, 0, -2, -4, -6, 0, -2, -4, -6};
    UNROLL for (int i = 0; i < 2; i++) {
        const uint8x16_t spread = vqtbl1q_u8(repeated_dword(block + 2 + 8 * part + 4 * i), vld1q_u8(byte));
        const uint8x16_t codes = vandq_u8(vshlq_u8(spread, vld1q_s8(down)), vdupq_n_u8(3));
        w[i] = vsubq_s8(vreinterpretq_s8_u8(codes), vdupq_n_s8(1));
    }
}
INLINE void factors_q2_0(const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) { factors_q4_0(blocks, d, m); }

/// Part `part` of a block; blocks of 32 have one.
INLINE void unpack32(int32_t type, const uint8_t *block, int part, int8x16_t w[2]) {
    (void)part;
    switch (type) {
#define UNPACK_PART_OF_32(name) unpack_##name(block, w)
#define UNPACK_PART_OF_64(name) unpack_##name(block, part, w)
#define UNPACK_PART_OF_128(name) unpack_##name(block, part, w)
#define UNPACK(NAME, name, id, elements, ...) \
    case LEAP_##NAME: UNPACK_PART_OF_##elements(name); return;
        LEAP_TYPES_32(UNPACK)
#undef UNPACK
#undef UNPACK_PART_OF_32
#undef UNPACK_PART_OF_64
#undef UNPACK_PART_OF_128
    }
}

/// Scales and minimums of a quad's blocks; m is left alone for types without one.
INLINE void factors32(int32_t type, const quad_blocks *blocks, float32x4_t *d, float32x4_t *m) {
    switch (type) {
#define FACTORS(NAME, name, ...) \
    case LEAP_##NAME: factors_##name(blocks, d, m); return;
        LEAP_TYPES_32(FACTORS)
#undef FACTORS
    }
}
