// Dot products with SDOT: four bytes a lane. A panel's step is transposed, so that a lane of the result is a row, and a
// lane of the activations multiplies it without being spread first. `full` matters to plain NEON only (see dot_neon.h).

#define TILE_TOKENS 4
#define PARTS 1

#include "dot_rows.h"

INLINE void store_step(uint8_t *out, int side, const int8x16_t rows[QUAD]) {
    uint8x16_t x[QUAD];
    uint32x4_t column[4];
    UNROLL for (int r = 0; r < QUAD; r++) x[r] = vreinterpretq_u8_s8(rows[r]);
    transpose(x, column);
    UNROLL for (int c = 0; c < 4; c++) vst1q_u8(out + (2 * c + side) * 16, vreinterpretq_u8_u32(column[c]));
}

/// total[t][side] = products of a panel's steps with the tokens. at: of the activations within a record.
INLINE void tile_dot(int32x4_t total[][2], const uint8_t *panel, const char *const *record, size_t at, int steps, int tokens,
                     bool full) {
    (void)full;
    UNROLL for (int t = 0; t < tokens; t++) total[t][0] = total[t][1] = vdupq_n_s32(0);
    UNROLL for (int i = 0; i < steps; i++) {
        int8x16_t x[4], w[4][2];
        UNROLL for (int t = 0; t < tokens; t++) x[t] = vld1q_s8((const int8_t *)record[t] + at + 16 * i);
        UNROLL for (int c = 0; c < 8; c++) {
            w[c / 2][c % 2] = vreinterpretq_s8_u8(vld1q_u8(panel + i * STEP_BYTES + c * 16));
        }
        // The lane must be a literal.
#define COLUMN(c)                                                                \
        UNROLL for (int t = 0; t < tokens; t++) {                                \
            total[t][0] = vdotq_laneq_s32(total[t][0], w[c][0], x[t], c);        \
            total[t][1] = vdotq_laneq_s32(total[t][1], w[c][1], x[t], c);        \
        }
        COLUMN(0)
        COLUMN(1)
        COLUMN(2)
        COLUMN(3)
#undef COLUMN
    }
}
