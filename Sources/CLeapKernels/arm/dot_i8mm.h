// Dot products with SMMLA: two tokens times two rows, eight bytes each, in one instruction. So sums come in PARTS: the
// first vector holds rows 0 and 1 of the first token, then of the second, and the other vector rows 2 and 3.
// `full` matters to plain NEON only (see dot_neon.h).

#define TILE_TOKENS 4
#define PARTS 2

#include "dot_rows.h"

INLINE int8x16_t low_halves_of(int8x16_t a, int8x16_t b) {
    return vreinterpretq_s8_s64(vzip1q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}
INLINE int8x16_t high_halves_of(int8x16_t a, int8x16_t b) {
    return vreinterpretq_s8_s64(vzip2q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}

INLINE void store_step(uint8_t *out, int side, const int8x16_t rows[QUAD]) {
    UNROLL for (int part = 0; part < 2; part++) {
        const int8x16_t a = rows[2 * part], b = rows[2 * part + 1];
        vst1q_u8(out + (2 * side + part) * 16, vreinterpretq_u8_s8(low_halves_of(a, b)));
        vst1q_u8(out + (4 + 2 * side + part) * 16, vreinterpretq_u8_s8(high_halves_of(a, b)));
    }
}

/// total[t][side] = products of a panel's steps with the tokens, in PARTS. at: of the activations within a record.
INLINE void tile_dot(int32x4_t total[][2], const uint8_t *panel, const char *const *record, size_t at, int steps, int tokens,
                     bool full) {
    (void)full;
    UNROLL for (int t = 0; t < tokens; t++) total[t][0] = total[t][1] = vdupq_n_s32(0);
    UNROLL for (int i = 0; i < steps; i++) {
        int8x16_t x[2][4];
        UNROLL for (int t = 0; t < tokens; t += 2) {
            const int8x16_t a = vld1q_s8((const int8_t *)record[t] + at + 16 * i);
            const int8x16_t b = vld1q_s8((const int8_t *)record[t + 1] + at + 16 * i);
            x[0][t] = low_halves_of(a, b);
            x[1][t] = high_halves_of(a, b);
        }
        UNROLL for (int k = 0; k < 8; k++) {  // halves of the step, then sides, then parts
            const int half = k / 4, side = k / 2 % 2, part = k % 2;
            const int8x16_t w = vreinterpretq_s8_u8(vld1q_u8(panel + i * STEP_BYTES + k * 16));
            UNROLL for (int t = 0; t < tokens; t += 2) {
                total[t + part][side] = vmmlaq_s32(total[t + part][side], x[half][t], w);
            }
        }
    }
}
