// Products with quantised weights, for the vector operations of lanes512.h or lanes256.h.
//
// Rows lie in lanes, so a block's scale is one vector, no sum crosses lanes, and every row's float sum runs over its
// blocks in order whatever is computed beside it. Two ways with the same arithmetic (scalar/matmul.c):
// - direct: opens a block of LANES rows into registers and multiplies it with a few tokens; memory is read once, in order
// - tiles:  opens two panels of rows into scratch, once for up to TOKENS_MAX tokens, and multiplies tile by tile
//
// The including file defines the lanes, `INSTALL` (name of the install function) and the target of its functions.
#include "../internal/activation.h"
#include "../internal/blocks.h"
#include "../internal/kernels.h"
#include "../internal/quantized_types.h"

/// Tokens that share one opening of a panel.
#define TOKENS_MAX 512
/// Tokens up to which blocks are opened straight into registers.
#ifndef DIRECT_TOKENS
#define DIRECT_TOKENS 8
#endif
/// Columns of an opened panel: what stays in the second-level cache.
#ifndef CHUNK_COLS
#define CHUNK_COLS 1024
#endif

static const int8_t iq4_table[16] = {
#if FULL_BYTES_BIASED
    // leap_iq4_values + 128
    1, 24, 45, 63, 79, 93, 106, 118, -127, -115, -103, -90, -75, -59, -39, -15,
#else
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
#endif
};

/// For every byte of a register: where its lane of 32 bits starts within its 16 bytes.
static const uint8_t dword_starts[64] = {
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
};

#include "open32.h"
#include "open256.h"

// MARK: Facts about the types

/// Whether weights are opened with a bias, which sums must start from the offset of the activations for.
INLINE bool is_biased(int32_t type) {
    switch (type) {
    case LEAP_Q4_0:
    case LEAP_Q5_0:
    case LEAP_Q3_K:
    case LEAP_Q6_K: return true;
    case LEAP_Q8_0:
    case LEAP_IQ4_NL:
    case LEAP_IQ4_XS: return FULL_BYTES_BIASED;
    default: return false;
    }
}

/// The offset for the bias of a type, from the one that is stored for it (activation.h).
INLINE vi adjust_offset(int32_t type, vi stored) {
    switch (type) {
    case LEAP_Q5_0: return v_shl32(stored, 1);
    case LEAP_Q3_K: return v_sar32(stored, 3);
    default: return stored;
    }
}

/// What a sum of products starts from. offset: of the block or sub-block.
INLINE vi start_sum(int32_t type, const void *offset) {
    return is_biased(type) ? adjust_offset(type, v_broadcast32(offset)) : v_zero();
}

/// Groups of four products that a 16-bit sum holds (lanes_avx2.h).
INLINE int group_span(int32_t type) {
    if (is_full(type)) return 1;
    if (type == LEAP_Q6_K) return 2;
    return type == LEAP_Q5_0 || type == LEAP_Q5_1 || type == LEAP_Q5_K ? 4 : 8;
}

/// Largest magnitude of a weight, before its scale; what sums of products with it are bounded by.
INLINE int largest_weight(int32_t type) {
    switch (type) {
    case LEAP_Q2_K: return 3;
    case LEAP_Q3_K: return 4;
    case LEAP_Q4_K: return 15;
    case LEAP_Q5_K: return 31;
    case LEAP_Q6_K: return 32;
    default: return 127;
    }
}

/// Whether the sums of all sub-blocks of a group fit 16 bits, which halves the work of scaling them. most: of the group.
INLINE bool sums_fit_16(int32_t type, int16_t most) { return most * largest_weight(type) <= INT16_MAX; }

/// Types whose sub-block sums usually fit 16 bits.
INLINE bool has_packed_sums(int32_t type) {
    return type == LEAP_Q2_K || type == LEAP_Q3_K || type == LEAP_Q4_K || type == LEAP_Q6_K;
}

// MARK: Panels of rows

/// LANES rows; results of the lanes below `skip` belong to another panel.
typedef struct {
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

/// Places of the next panel that are asked for in turn. The processor itself reads ahead too, but never beyond the page it is in:
/// with several pages in progress it does so for more of them, and memory is busy all the time.
#define AHEAD_STREAMS 4

/// Asks for the memory of the next panel, a part of every stream with every block: its rows follow this panel's.
///
/// p: how far the first stream is. bytes: of all streams together. panel_bytes: of the panel.
INLINE void prefetch_ahead(const uint8_t *p, size_t bytes, size_t panel_bytes) {
    UNROLL for (int s = 0; s < AHEAD_STREAMS; s++) {
        const char *at = (const char *)p + (size_t)s * (panel_bytes / AHEAD_STREAMS);
        for (size_t i = 0; i < bytes / AHEAD_STREAMS; i += 64) _mm_prefetch(at + i, _MM_HINT_T1);
    }
}

typedef void direct_one_function(const leap_matmul_job *job, panel p, int64_t t);
typedef void direct_few_function(const leap_matmul_job *job, panel p, int64_t first, int tokens);
typedef void open_function(const panel *p, int64_t col, int64_t cols, uint8_t *out);

#include "direct.h"
#include "tiles.h"
#if USES_AMX
#include "tiles_amx.h"
#endif

// MARK: Entry points

/// Kernels of one type, as functions of their own.
#define ROWS_FUNCTION(type, block, name)                                                                          \
    static __attribute__((noinline)) void direct_one_##name(const leap_matmul_job *job, panel p, int64_t t) {       \
        direct##block(type, job, p, t, 1);                                                                        \
    }                                                                                                             \
    static __attribute__((noinline)) void direct_few_##name(const leap_matmul_job *job, panel p, int64_t first,     \
                                                            int tokens) {                                         \
        direct##block(type, job, p, first, tokens);                                                               \
    }                                                                                                             \
    static __attribute__((noinline)) void open_##name(const panel *p, int64_t col, int64_t cols, uint8_t *out) {    \
        open_panels##block(type, p, col, cols, out);                                                              \
    }                                                                                                             \
    static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {              \
        run_rows(type, job, begin, end, scratch, direct_one_##name, direct_few_##name, open_##name);              \
    }

/// Matrices narrower than a register go to the scalar kernel, whose results are the same.
INLINE void run_rows(int32_t type, const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch,
                     direct_one_function *one, direct_few_function *few, open_function *open) {
    if (job->w.rows < LANES) {
        leap_scalar_matmul_rows(job, begin, end, scratch);
        return;
    }
    // Plain AVX2 must move signs for weights of whole bytes: its tiles would do that again for every token.
    const bool has_tiles = FULL_BYTES_BIASED || !is_full(type);
#if USES_AMX
    if (job->tokens >= AMX_TOKENS_MIN && !is_block32(type)) {
        amx_tiles(type, job, begin, end, scratch, open);
        return;
    }
#endif
    if (job->tokens > DIRECT_TOKENS && has_tiles) {
        for (int64_t row = begin; row < end; row += 2 * LANES) tiles(type, job, row, scratch, open);
        return;
    }
    for (int64_t row = begin; row < end; row += LANES) {
        const panel p = panel_at(job, row);
        for (int64_t first = 0; first < job->tokens; first += DIRECT_TOKENS) {
            const int64_t left = job->tokens - first;
            if (job->tokens == 1) {
                one(job, p, 0);
            } else {
                few(job, p, first, left < DIRECT_TOKENS ? (int)left : DIRECT_TOKENS);
            }
        }
    }
}

ROWS_FUNCTION(LEAP_Q4_0, 32, q4_0)
ROWS_FUNCTION(LEAP_Q4_1, 32, q4_1)
ROWS_FUNCTION(LEAP_Q5_0, 32, q5_0)
ROWS_FUNCTION(LEAP_Q5_1, 32, q5_1)
ROWS_FUNCTION(LEAP_Q8_0, 32, q8_0)
ROWS_FUNCTION(LEAP_IQ4_NL, 32, iq4_nl)
ROWS_FUNCTION(LEAP_Q2_K, 256, q2_K)
ROWS_FUNCTION(LEAP_Q3_K, 256, q3_K)
ROWS_FUNCTION(LEAP_Q4_K, 256, q4_K)
ROWS_FUNCTION(LEAP_Q5_K, 256, q5_K)
ROWS_FUNCTION(LEAP_Q6_K, 256, q6_K)
ROWS_FUNCTION(LEAP_IQ4_XS, 256, iq4_xs)

void INSTALL(leap_kernels *table) {
    const int64_t unit = 2 * LANES;
    table->matmul[LEAP_Q4_0] = (leap_matmul_entry){rows_q4_0, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_Q4_1] = (leap_matmul_entry){rows_q4_1, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_Q5_0] = (leap_matmul_entry){rows_q5_0, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_Q5_1] = (leap_matmul_entry){rows_q5_1, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_Q8_0] = (leap_matmul_entry){rows_q8_0, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_IQ4_NL] = (leap_matmul_entry){rows_iq4_nl, LEAP_ACTIVATION_Q8_32, unit};
    table->matmul[LEAP_Q2_K] = (leap_matmul_entry){rows_q2_K, LEAP_ACTIVATION_Q8_256, unit};
    table->matmul[LEAP_Q3_K] = (leap_matmul_entry){rows_q3_K, LEAP_ACTIVATION_Q8_256, unit};
    table->matmul[LEAP_Q4_K] = (leap_matmul_entry){rows_q4_K, LEAP_ACTIVATION_Q8_256, unit};
    table->matmul[LEAP_Q5_K] = (leap_matmul_entry){rows_q5_K, LEAP_ACTIVATION_Q8_256, unit};
    table->matmul[LEAP_Q6_K] = (leap_matmul_entry){rows_q6_K, LEAP_ACTIVATION_Q8_256, unit};
    table->matmul[LEAP_IQ4_XS] = (leap_matmul_entry){rows_iq4_xs, LEAP_ACTIVATION_Q8_256, unit};
}
