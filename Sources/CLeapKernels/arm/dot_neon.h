// Dot products with NEON alone: bytes multiply into 16-bit sums. Four products fit one, unless the weights use the
// whole byte (`full`): then two. A panel's step keeps its rows one after the other.

#define TILE_TOKENS 2
#define PARTS 1

/// The sums of the products of steps x 16 bytes, in four lanes.
INLINE int32x4_t row_dot(const int8x16_t *w, const int8x16_t *x, int steps, bool full) {
    int16x8_t pairs = vmull_s8(vget_low_s8(w[0]), vget_low_s8(x[0]));
    pairs = vmlal_high_s8(pairs, w[0], x[0]);
    if (steps == 1) return vpaddlq_s16(pairs);
    if (full) {
        int16x8_t more = vmull_s8(vget_low_s8(w[1]), vget_low_s8(x[1]));
        more = vmlal_high_s8(more, w[1], x[1]);
        return vpadalq_s16(vpaddlq_s16(pairs), more);
    }
    pairs = vmlal_s8(pairs, vget_low_s8(w[1]), vget_low_s8(x[1]));
    return vpaddlq_s16(vmlal_high_s8(pairs, w[1], x[1]));
}

/// Four rows times steps x 16 activations. w: of row r at w[r * stride].
INLINE int32x4_t quad_dot(const int8x16_t *w, int stride, const int8x16_t *x, int steps, bool full) {
    int32x4_t sum[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) sum[r] = row_dot(w + r * stride, x, steps, full);
    return fold(sum);
}

INLINE void store_step(uint8_t *out, int side, const int8x16_t rows[QUAD]) {
    UNROLL for (int r = 0; r < QUAD; r++) vst1q_u8(out + (side * QUAD + r) * 16, vreinterpretq_u8_s8(rows[r]));
}

/// total[t][side] = products of a panel's steps with the tokens. at: of the activations within a record.
INLINE void tile_dot(int32x4_t total[][2], const uint8_t *panel, const char *const *record, size_t at, int steps, int tokens,
                     bool full) {
    UNROLL for (int side = 0; side < 2; side++) {
        int8x16_t w[QUAD * 2];
        UNROLL for (int r = 0; r < QUAD; r++) {
            UNROLL for (int i = 0; i < steps; i++) {
                w[2 * r + i] = vreinterpretq_s8_u8(vld1q_u8(panel + i * STEP_BYTES + (side * QUAD + r) * 16));
            }
        }
        UNROLL for (int t = 0; t < tokens; t++) {
            int8x16_t x[2];
            UNROLL for (int i = 0; i < steps; i++) x[i] = vld1q_s8((const int8_t *)record[t] + at + 16 * i);
            total[t][side] = quad_dot(w, 2, x, steps, full);
        }
    }
}
