// Products with quantised weights, for the vector operations of lanes512.h or lanes256.h.
//
// Rows lie in lanes, so a block's scale is one vector, no sum crosses lanes, and every row's float sum runs over its
// blocks in order whatever is computed beside it. Two ways with the same arithmetic (scalar/matmul.c):
// - direct: unpacks a block of LANES rows into registers and multiplies it with a few tokens; memory is read once, in
//   order
// - tiles:  unpacks two panels of rows into scratch, once for up to TOKENS_MAX tokens, and multiplies tile by tile
//
// The including file defines the lanes, KERNELS (name of the table of kernels) and the target of its functions.
#include "panels.h"
#include "quantized_kernels.h"

/// Tokens that share one unpacking of a panel.
#define TOKENS_MAX 512
/// Tokens up to which blocks are unpacked straight into registers, and that they are unpacked for at a time.
#define DIRECT_TOKENS 8

/// Whether tiles multiply weights and inputs as 16 bits: weights that use the whole byte, on plain AVX2 (tiles_avx2.h).
OPERATION bool has_words(int32_t type) { return !FULL_BYTES_BIASED && is_full(type); }

/// Tokens up to which a type has no tiles. Words take longer to unpack, and registers take weights of whole bytes as
/// they are.
OPERATION int64_t direct_tokens(int32_t type) { return has_words(type) ? 20 : DIRECT_TOKENS; }

/// Columns of an unpacked pair of panels, which stays in the second-level cache. With many tokens fewer chunks, each of
/// which loads and stores their sums, are worth more. Words take two bytes: half as many stay in a first-level cache of
/// 32 KiB.
OPERATION int64_t chunk_cols(int32_t type, int64_t tokens) {
    if (has_words(type)) return 512;
    return tokens > 128 ? 128 * LANES : 1024;
}

typedef void direct_one_function(const leap_matmul_job *job, panel p, int64_t t);
typedef void direct_few_function(const leap_matmul_job *job, panel p, int64_t first, int tokens);

#if defined(TILES_OF_AVX2)
#include "token_avx2.h"
#endif
#include "direct.h"
#include "tiles.h"

// MARK: Entry points

/// Matrices narrower than a register go to the scalar kernel, whose results are the same.
static void run_rows(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch, direct_one_function *one,
                     direct_few_function *few, unpack_function *unpack, tile_function *tile) {
    if (job->w.rows < LANES) {
        leap_scalar_matmul_rows(job, begin, end, scratch);
        return;
    }
    if (job->tokens > direct_tokens(job->w.type) && tile) {
        for (int64_t row = begin; row < end; row += 2 * LANES) {
            tiles(job, row, row + 2 * LANES < end ? row + 2 * LANES : row, scratch, unpack, tile);
        }
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

/// Kernels of one type, as functions of their own. tile: the type whose tile kernel it has.
///
/// other_NAME are for one token, where it is not clear which requests for memory a processor likes best (reading.h).
#define DIRECT_FUNCTIONS(NAME, name, block)                                                                        \
    static __attribute__((noinline)) void direct_one_##name(const leap_matmul_job *job, panel p, int64_t t) {       \
        direct##block(LEAP_##NAME, job, p, t, 1, false);                                                          \
    }                                                                                                             \
    static __attribute__((noinline)) void direct_other_##name(const leap_matmul_job *job, panel p, int64_t t) {     \
        direct##block(LEAP_##NAME, job, p, t, 1, true);                                                           \
    }                                                                                                             \
    static __attribute__((noinline)) void direct_few_##name(const leap_matmul_job *job, panel p, int64_t first,     \
                                                            int tokens) {                                         \
        direct##block(LEAP_##NAME, job, p, first, tokens, false);                                                 \
    }
#define UNPACK_FUNCTION(NAME, name, block)                                                                         \
    static __attribute__((noinline)) void unpack_panels_##name(const panel *p, int64_t col, int64_t cols,           \
                                                               uint8_t *out) {                                    \
        unpack_panels##block(LEAP_##NAME, p, col, cols, out);                                                     \
    }
#define ROWS_FUNCTIONS(name, unpack, tile)                                                                        \
    static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {              \
        run_rows(job, begin, end, scratch, direct_one_##name, direct_few_##name, unpack, tile);                   \
    }                                                                                                             \
    static void other_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {             \
        run_rows(job, begin, end, scratch, direct_other_##name, direct_few_##name, unpack, tile);                 \
    }
#define ROWS_32(NAME, name, id, elements, bytes, format, scale_at, min_at, bias, codes, tile) \
    DIRECT_FUNCTIONS(NAME, name, 32)                                                \
    UNPACK_FUNCTION(NAME, name, 32)                                                 \
    ROWS_FUNCTIONS(name, unpack_panels_##name, tile_##tile)
#define ROWS_256(NAME, name, ...)    \
    DIRECT_FUNCTIONS(NAME, name, 256) \
    UNPACK_FUNCTION(NAME, name, 256)  \
    ROWS_FUNCTIONS(name, unpack_panels_##name, tile_##name)
/// Without tiles: their arithmetic of 16 elements at a time would be another one.
#define ROWS_64(NAME, name, ...)     \
    DIRECT_FUNCTIONS(NAME, name, 64) \
    ROWS_FUNCTIONS(name, NULL, NULL)

LEAP_TYPES_32(ROWS_32)
LEAP_TYPES_256(ROWS_256)
LEAP_TYPES_64(ROWS_64)

#define KERNELS_OF(NAME, name, ...) [LEAP_##NAME] = {rows_##name, other_##name, unpack_panels_##name},
#define KERNELS_OF_64(NAME, name, ...) [LEAP_##NAME] = {rows_##name, other_##name, NULL},
const leap_x86_quantized_kernels KERNELS[LEAP_TENSOR_TYPE_LIMIT] = {
    LEAP_TYPES_32(KERNELS_OF) LEAP_TYPES_256(KERNELS_OF) LEAP_TYPES_64(KERNELS_OF_64)};
