// Panels of rows of quantised weights, for the vector operations of lanes512.h or lanes256.h: what types are like, and
// how their blocks are unpacked. Include it after the lanes.
#include "../internal/activation.h"
#include "../internal/kernels.h"
#include "../internal/quantized_types.h"

static const int8_t iq4_table[16] = {
#if FULL_BYTES_BIASED
    // leap_iq4_values + 128
    1, 24, 45, 63, 79, 93, 106, 118, -127, -115, -103, -90, -75, -59, -39, -15,
#else
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
#endif
};

/// leap_e2m1_values + 16
static const int8_t e2m1_table[16] = {16, 17, 18, 19, 20, 22, 24, 28, 16, 15, 14, 13, 12, 10, 8, 4};

#include "unpack32.h"
// Needs nibbles32 and look_up32.
#include "unpack256.h"
#include "unpack64.h"

// MARK: Facts about the types

/// Whether weights are unpacked with a bias, which sums must start from the offset of the activations for.
OPERATION bool is_biased(int32_t type) { return code_bias(type) != 0 && (FULL_BYTES_BIASED || !is_full(type)); }

/// The offset for the bias of a type, from the one that is stored for it (activation.h).
INLINE vi adjust_offset(int32_t type, vi stored) {
    const int shift = __builtin_ctz((unsigned)code_bias(type)) - __builtin_ctz((unsigned)stored_bias(type));
    return shift > 0 ? v_shl32(stored, shift) : shift < 0 ? v_sar32(stored, -shift) : stored;
}

/// What a sum of products starts from. offset: of the block or sub-block.
INLINE vi start_sum(int32_t type, const void *offset) {
    return is_biased(type) ? adjust_offset(type, v_broadcast32(offset)) : v_zero();
}

/// Groups of four products, two to a sum of 16 bits, that fit it (lanes_avx2.h).
INLINE int group_span(int32_t type) {
    if (is_full(type)) return 1;
    const int fitting = INT16_MAX / (2 * 127 * (quantized_facts[type].codes - 1));
    return fitting < 8 ? fitting : 8;
}

/// Largest magnitude of a weight, before its scale; what sums of products with it are bounded by.
INLINE int largest_weight(int32_t type) {
    const int bias = code_bias(type), above = quantized_facts[type].codes - 1 - bias;
    return bias > above ? bias : above;
}

/// Whether the sums of all sub-blocks of a group fit 16 bits, which halves the work of scaling them. most: of the
/// group.
OPERATION bool sums_fit_16(int32_t type, int16_t most) { return most * largest_weight(type) <= INT16_MAX; }

/// Types whose sub-block sums usually fit 16 bits: those of activations that use half of their range.
OPERATION bool has_packed_sums(int32_t type) { return largest_weight(type) * sub_block(type) <= 512; }

// MARK: Panels of rows

/// LANES rows; results of the lanes below `skip` belong to another panel.
typedef struct leap_x86_panel {
    const uint8_t *data;
    size_t row_bytes;
    int64_t row;
    int skip;
} panel;

/// The panel for rows `row` and up. The last one of a matrix begins early, so that it is full. rows >= LANES.
INLINE panel panel_at(const leap_matmul_job *job, int64_t row) {
    panel p = {NULL, job->w.row_bytes, row, 0};
    if (row + LANES > job->w.rows) {
        p.row = job->w.rows - LANES;
        p.skip = row - p.row < LANES ? (int)(row - p.row) : LANES;
    }
    p.data = (const uint8_t *)job->w.data + (size_t)p.row * job->w.row_bytes;
    return p;
}

/// Places of the next panel that are asked for in turn. The processor itself reads ahead too, but never beyond the page
/// it is in: with several pages in progress it does so for more of them, and memory is busy all the time.
#define AHEAD_STREAMS_32 8
#define AHEAD_STREAMS_256 4
/// The places of blocks of 32 in their `other` kernels.
#define AHEAD_STREAMS_OTHER 4

/// Asks for a few lines of the next panel.
///
/// Many at once fill the queue of misses, and the loads behind them wait: blocks of 256 ask here and there between
/// computations.
INLINE void prefetch_lines(const uint8_t *p, size_t bytes) {
    // Without optimisation, computing takes longer than memory does.
    for (size_t i = 0; LEAP_SPECIALISED && i < bytes; i += 64) _mm_prefetch((const char *)p + i, _MM_HINT_T1);
}

/// Bytes of a row between those that are computed with and those that are asked for once more.
#define AGAIN_BYTES 256

/// Types whose weights are looked up in grids: they compute longer than memory takes.
OPERATION bool has_grid(int32_t type) {
    return type == LEAP_IQ2_XXS || type == LEAP_IQ2_XS || type == LEAP_IQ2_S || type == LEAP_IQ3_XXS || type == LEAP_IQ3_S ||
           type == LEAP_IQ1_S || type == LEAP_IQ1_M;
}

/// Whether types ask for their lines twice. With few computations a byte there is time for it; IQ4_XS and blocks of 32
/// with less than a byte a weight become slower with one thread, which computes hardly faster than it reads.
OPERATION bool asks_again(int32_t type) {
    return is_block32(type) ? block_bytes(type) > 32 : !is_full(type) && !has_grid(type);
}

/// Asks once more for the line that begins AGAIN_BYTES behind byte `at` of every row, at the end of rows in those of
/// the next panel. here: what `rows` have advanced.
///
/// A processor drops requests while its queues are full, and computations wait for the lines that nobody fetched.
INLINE void prefetch_again(const row_set *rows, size_t here, size_t at) {
    const size_t next_panel = here + at + AGAIN_BYTES < rows->stride ? 0 : (LANES - 1) * rows->stride;
    UNROLL for (int r = 0; LEAP_SPECIALISED && r < LANES; r++) {
        _mm_prefetch((const char *)row_byte(rows, r, next_panel + at + AGAIN_BYTES), _MM_HINT_T1);
    }
}

// MARK: Blocks

#define PAIR (2 * sizeof(vi))

/// Bytes of an unpacked pair of blocks (tiles.h).
INLINE size_t unpacked_bytes(int32_t type) {
    if (is_block32(type)) return (8 + 1 + (has_min(type) ? 1 : 0)) * PAIR;
    const size_t minimums = has_min(type) ? (sub_block(type) == 16 ? 8 : 4) + 1 : 0;
    return (64 + 128 / (size_t)sub_block(type) + minimums + 1) * PAIR;
}

/// The float step of a block of 256: acc + d_x (total * d + minimums * dmin).
INLINE vf finish_block256(bool min, vi total, vi minimums, vf d, vf dmin, vf d_x, vf acc) {
    const vf value = min ? vf_fma(vf_from_int(total), d, vf_mul(vf_from_int(minimums), dmin))
                         : vf_mul(vf_from_int(total), d);
    return vf_fma(value, d_x, acc);
}

/// Unpacks `cols` columns of a pair of panels.
typedef void unpack_function(const panel *p, int64_t col, int64_t cols, uint8_t *out);
