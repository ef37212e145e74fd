// Two panels of rows times many tokens: the panels are unpacked into scratch once, then multiplied tile by tile. Part
// of quantized.h.
//
// Float sums of up to TOKENS_MAX tokens lie before the panels: chunks of columns continue where the last one stopped.

/// What a tile kernel works on.
typedef struct {
    const uint8_t *panels;
    const char *const *record;  ///< of the tile's tokens
    float *sums;                ///< [token][2][LANES]
    uint8_t *inputs;            ///< scratch for the tile's tokens in another form
    int64_t first_block, blocks;
    bool begins;                ///< sums start from zero
    ptrdiff_t d_at, offset_at, sum_at, most_at, start_at;  ///< sections of a record
} tile_args;

#if defined(TILES_OF_AVX2)
#include "tiles_avx2.h"
#else
#include "tiles_vnni.h"
#endif

typedef void tile_function(const tile_args *args, int tokens);

/// A kernel of one type, as a function of its own; its parts have the number of tokens as a constant.
///
/// More than DIRECT_TOKENS tokens are shared evenly by tiles of at most TILE_TOKENS: no tile has fewer than TILE_LEAST
/// of them.
#define TILE_LEAST (TILE_TOKENS / 2 + 1)
#if LEAP_SPECIALISED
#define TILE_CASE(n, NAME, block)                                                                  \
    case n:                                                                                        \
        if (n >= TILE_LEAST && n <= TILE_TOKENS) tile##block(LEAP_##NAME, args, n);                \
        break;
#define TILE_FUNCTION(NAME, name, block)                                                           \
    __attribute__((noinline, unused)) static void tile_##name(const tile_args *args, int tokens) { \
        switch (tokens) {                                                                          \
            TILE_CASE(3, NAME, block)                                                              \
            TILE_CASE(4, NAME, block)                                                              \
            TILE_CASE(5, NAME, block)                                                              \
            TILE_CASE(6, NAME, block)                                                              \
        }                                                                                          \
    }
#else
#define TILE_FUNCTION(NAME, name, block)                                                           \
    __attribute__((unused)) static void tile_##name(const tile_args *args, int tokens) {           \
        tile##block(LEAP_##NAME, args, tokens);                                                    \
    }
#endif
_Static_assert(TILE_TOKENS >= 4 && TILE_TOKENS <= 6, "a case for every number of tokens");
_Static_assert(DIRECT_TOKENS == 8, "what TILE_LEAST has been counted for: 9 tokens are 4 + 5 or 3 + 3 + 3");

#define TILE_32(NAME, name, ...) TILE_FUNCTION(NAME, name, 32)
#define TILE_256(NAME, name, ...) TILE_FUNCTION(NAME, name, 256)
LEAP_TYPES_32(TILE_32)
LEAP_TYPES_256(TILE_256)

/// The sections of a record that tiles of a type read.
static void place_sections(int32_t type, int64_t cols, tile_args *args) {
    const bool small = sub_block(type) == 16;
    args->d_at = (ptrdiff_t)leap_act_d_at(cols);
    if (is_block32(type)) {
        args->offset_at = (ptrdiff_t)offset32_at(type, cols);
        args->sum_at = (ptrdiff_t)leap_act32_s_at(cols);
        return;
    }
    args->offset_at = (ptrdiff_t)(small ? leap_act256_offset16_at(cols) : leap_act256_offset32_at(cols));
    args->sum_at = (ptrdiff_t)(small ? leap_act256_sum16_at(cols) : leap_act256_sum32_at(cols));
    args->start_at = (ptrdiff_t)leap_act256_start16_at(cols);
    args->most_at = (ptrdiff_t)(small ? leap_act256_most16_at(cols) : leap_act256_most32_at(cols));
}

/// Asks for share `part` of `parts` of a chunk of columns of two panels: `bytes` bytes of every row from byte `at` on.
/// The tiles of one chunk ask for the next one, which otherwise comes from memory while nothing is computed.
INLINE void prefetch_share(const panel panels[2], size_t at, size_t bytes, int64_t part, int64_t parts) {
    for (int64_t r = 2 * LANES * part / parts; r < 2 * LANES * (part + 1) / parts; r++) {
        const uint8_t *row = panels[r / LANES].data + (size_t)(r % LANES) * panels[0].row_bytes + at;
        for (size_t i = 0; i < bytes; i += 64) _mm_prefetch((const char *)row + i, _MM_HINT_T1);
    }
}

/// Stores a panel's outputs of a token. Masked stores take several times as long as others.
INLINE void store_panel(float *out, const panel *p, vf x) {
    if (p->skip == 0) {
        vf_store(out + p->row, x);
    } else {
        vf_store_from(out + p->row, x, p->skip);
    }
}

/// Rows row ..< row + 2 LANES with all tokens. `next`: the row that comes after them, or `row`.
static void tiles(const leap_matmul_job *job, int64_t row, int64_t next, void *scratch, unpack_function *unpack,
                  tile_function *tile) {
    const int32_t type = job->w.type;
    const int64_t cols = job->w.cols;
    const size_t record_bytes = is_block32(type) ? leap_act32_bytes(cols) : leap_act256_bytes(cols);
    const panel panels[2] = {panel_at(job, row), panel_at(job, row + LANES)};
    const panel next_panels[2] = {panel_at(job, next), panel_at(job, next + LANES)};
    float *sums = scratch;
    uint8_t *inputs = (uint8_t *)(sums + TOKENS_MAX * 2 * LANES), *unpacked = inputs + TILE_INPUT_BYTES;
    tile_args args = {.panels = unpacked, .inputs = inputs};
    place_sections(type, cols, &args);
    const int64_t stored = leap_type_block_elements(type);
    const int64_t block = is_block32(type) ? 32 : 256;
    const int64_t shares = (job->tokens + TOKENS_MAX - 1) / TOKENS_MAX;
    for (int64_t share = 0; share < shares; share++) {
        const int64_t begin = job->tokens * share / shares, count = job->tokens * (share + 1) / shares - begin;
        const int64_t tile_count = (count + TILE_TOKENS - 1) / TILE_TOKENS, chunk = chunk_cols(type, count);
        for (int64_t col = 0; col < cols; col += chunk) {
            const int64_t width = leap_smaller(cols - col, chunk);
            unpack(panels, col, width, unpacked);
            args.first_block = col / block;
            args.blocks = width / block;
            args.begins = col == 0;
            const bool last = col + width == cols;
            const panel *ahead = last && share + 1 == shares ? next_panels : panels;
            const int64_t ahead_col = last ? 0 : col + width;
            const int64_t ahead_cols = leap_smaller(cols - ahead_col, chunk);
            for (int64_t i = 0; i < tile_count; i++) {
                const int64_t from = count * i / tile_count, to = count * (i + 1) / tile_count;
                const char *record[TILE_TOKENS];
                // Not as vectors: masked loads of places there are not take hundreds of cycles.
                _Pragma("clang loop vectorize(disable) unroll(disable)") for (int64_t t = from; t < to; t++) {
                    record[t - from] = leap_job_record(job, record_bytes, begin + t);
                }
                prefetch_share(ahead, (size_t)(ahead_col / stored) * block_bytes(type),
                               (size_t)(ahead_cols / stored) * block_bytes(type), i, tile_count);
                if (last) {
                    for (int64_t t = from; t < to; t++) {
                        float *out = job->out + (begin + t) * job->out_stride;
                        __builtin_prefetch(out + panels[0].row, 1);
                        __builtin_prefetch(out + panels[1].row, 1);
                    }
                }
                args.record = record;
                args.sums = sums + from * 2 * LANES;
                tile(&args, (int)(to - from));
                if (!last) continue;
                for (int64_t t = from; t < to; t++) {
                    float *out = job->out + (begin + t) * job->out_stride;
                    store_panel(out, &panels[0], vf_load(sums + 2 * t * LANES));
                    store_panel(out, &panels[1], vf_load(sums + (2 * t + 1) * LANES));
                }
            }
        }
    }
}
