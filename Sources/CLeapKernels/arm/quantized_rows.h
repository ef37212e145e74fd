// Products with quantised weights in NEON, for the dot products of dot_neon.h, dot_dotprod.h or dot_i8mm.h.
//
// Rows lie in lanes once blocks are summed, so a block's scale is one vector and every row's float sum runs over its
// blocks in order, whatever is computed beside it. Two ways with the same arithmetic (scalar/matmul.c):
// - direct: unpacks the blocks of four rows into registers and multiplies them with a token or two; the sums within a
//           row are folded with pairwise additions, so that nothing is transposed and memory is read once, in order
// - tiles:  unpacks panels of eight rows into scratch, arranged as the dot products want them, once for many tokens
//
// The including file defines INSTALL (the name of the install function) and the target of its functions.
#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#include "../internal/activation.h"
#include "../internal/inline.h"
#include "../internal/kernels.h"

#define INLINE LEAP_INLINE
/// Before a loop of few turns: everything it indexes can then live in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

#include "../internal/quantized_types.h"

/// Rows of a vector.
#define QUAD 4
/// Panels of two quads that share a load of the activations into the first cache level.
#define UNIT_PANELS 4
/// Rows that are handed to threads in one.
#define UNIT_ROWS (2 * QUAD * UNIT_PANELS)
/// 16 elements of a panel's rows, unpacked (tiles_neon.h).
#define STEP_BYTES (2 * QUAD * 16)
/// Tokens up to which blocks are unpacked straight into registers.
#define DIRECT_TOKENS 2

// MARK: Rows

/// Four rows; results of the first `skip` of them belong to another quad.
typedef struct {
    const uint8_t *data;
    size_t row_bytes;
    int64_t row;
    int skip;
} quad;

/// The quad for rows `row` and up. The last one of a matrix begins early, so that it is full. rows >= QUAD.
INLINE quad quad_at(const leap_matmul_job *job, int64_t row) {
    quad rows = {NULL, job->w.row_bytes, row, 0};
    if (row + QUAD > job->w.rows) {
        rows.row = job->w.rows - QUAD;
        rows.skip = row - rows.row < QUAD ? (int)(row - rows.row) : QUAD;
    }
    rows.data = (const uint8_t *)job->w.data + (size_t)rows.row * job->w.row_bytes;
    return rows;
}

/// Where the current block of each row of a quad begins.
typedef struct {
    const uint8_t *at[QUAD];
} quad_blocks;

INLINE quad_blocks blocks_at(const quad *rows, size_t offset) {
    quad_blocks blocks;
    UNROLL for (int r = 0; r < QUAD; r++) blocks.at[r] = rows->data + (size_t)r * rows->row_bytes + offset;
    return blocks;
}

INLINE void advance(quad_blocks *blocks, size_t bytes) {
    UNROLL for (int r = 0; r < QUAD; r++) blocks->at[r] += bytes;
}

/// Stores lanes `skip` and up.
INLINE void store_from(float *out, float32x4_t x, int skip) {
    if (skip == 0) {
        vst1q_f32(out, x);
        return;
    }
    float copy[QUAD];
    vst1q_f32(copy, x);
    for (int r = skip; r < QUAD; r++) out[r] = copy[r];
}

/// Asks for memory that is needed soon, and for memory that is needed a little later.
INLINE void prefetch(const uint8_t *p, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i, 0, 3);
}
INLINE void prefetch_far(const uint8_t *p, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i, 0, 2);
}

/// The half-precision numbers at `at` of every block.
INLINE float32x4_t halves(const quad_blocks *blocks, size_t at) {
    uint16_t x[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) memcpy(&x[r], blocks->at[r] + at, 2);
    uint16x4_t all = vdup_n_u16(x[0]);
    all = vset_lane_u16(x[1], all, 1);
    all = vset_lane_u16(x[2], all, 2);
    return vcvt_f32_f16(vreinterpret_f16_u16(vset_lane_u16(x[3], all, 3)));
}

/// The 32 bits at `at` of every block.
INLINE uint32x4_t dwords(const quad_blocks *blocks, size_t at) {
    uint32_t x[QUAD];
    UNROLL for (int r = 0; r < QUAD; r++) memcpy(&x[r], blocks->at[r] + at, 4);
    uint32x4_t all = vdupq_n_u32(x[0]);
    all = vsetq_lane_u32(x[1], all, 1);
    all = vsetq_lane_u32(x[2], all, 2);
    return vsetq_lane_u32(x[3], all, 3);
}

/// The low and the high halves of the lanes, as half-precision numbers.
INLINE float32x4_t low_halves(uint32x4_t x) { return vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(x))); }
INLINE float32x4_t high_halves(uint32x4_t x) { return vcvt_f32_f16(vreinterpret_f16_u16(vshrn_n_u32(x, 16))); }

/// out[c] = column c of the four rows of x, in 32-bit lanes.
INLINE void transpose(const uint8x16_t x[QUAD], uint32x4_t out[QUAD]) {
    const uint32x4_t a = vreinterpretq_u32_u8(x[0]), b = vreinterpretq_u32_u8(x[1]);
    const uint32x4_t c = vreinterpretq_u32_u8(x[2]), d = vreinterpretq_u32_u8(x[3]);
    const uint64x2_t ab0 = vreinterpretq_u64_u32(vtrn1q_u32(a, b)), ab1 = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
    const uint64x2_t cd0 = vreinterpretq_u64_u32(vtrn1q_u32(c, d)), cd1 = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
    out[0] = vreinterpretq_u32_u64(vtrn1q_u64(ab0, cd0));
    out[1] = vreinterpretq_u32_u64(vtrn1q_u64(ab1, cd1));
    out[2] = vreinterpretq_u32_u64(vtrn2q_u64(ab0, cd0));
    out[3] = vreinterpretq_u32_u64(vtrn2q_u64(ab1, cd1));
}

/// The sums of the four vectors' lanes.
INLINE int32x4_t fold(const int32x4_t x[QUAD]) { return vpaddq_s32(vpaddq_s32(x[0], x[1]), vpaddq_s32(x[2], x[3])); }
