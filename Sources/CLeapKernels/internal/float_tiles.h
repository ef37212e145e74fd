// Products of floating-point weights, written once for every instruction set. One arithmetic, whatever the number of
// tokens:
//
// The input dimension is cut into blocks of BLOCK elements. Within a block, lane i of one accumulator adds up the
// products of elements i, i + LANES, ... in order; the lanes are folded in a fixed tree (fold_and_store), and the block
// sums are added in order. 16-bit weights are exact in the lanes' type.
//
// Speed: lanes run along the input dimension, so neither weights nor inputs are transposed, and a tile of TILE_ROWS x
// TILE_TOKENS accumulators fills the registers. Weights that take instructions to expand are expanded once for all
// tokens: the first tile of a few rows keeps them in a panel, in the order in which the tiles of the other tokens read
// them.
//
// A single token reads the rows of 16-bit weights one after the other: processors read ahead by themselves of one
// sequence, and hardly of several. With few more the weights stream from memory once, fetched TILE_ROWS rows ahead.
// With many, a block of ROW_GROUP rows stays in the second-level cache beside the inputs of TOKEN_BLOCK tokens, of
// which one tile at a time is in the first; the inputs of the next tile and the weights of the next group are fetched
// meanwhile. All rows of a call take one block before any takes the next, so that inputs longer than a block are read
// from outside once a call.
//
// Include it after a vector_*.h vocabulary and after defining:
//   ONE_BY_ONE               whether a single token takes the rows of 16-bit weights one by one: 1 where one
//                            accumulator adds them up as fast as memory gives them
//   LANES                    input elements of one step (one vector of inputs)
//   TILE_ROWS, TILE_TOKENS   shape of a tile, TILE_TOKENS <= 6
//   BLOCK                    see above; a multiple of LANES
//   INPUT_BYTES              bytes of one input element; records are zero after the last element, up to a whole vector
//   weight_bytes(type), expand(type, source), expand_tail(type, source, count)   one step of weights
//   multiply_add(w, x, sum)
//   multiply_run(type, w, w_step, x, steps, sum)   where VECTOR_RUNS is defined: multiply_add of `steps` expanded
//   vectors fold_and_store(sum[tokens][TILE_ROWS], tokens, out, out_stride, rows, first): stores `rows` sums at
//                            out[token * out_stride + row], or adds them unless first
// and follow it by FLOAT_ROWS for every type.
#include "activation.h"
#include "kernels.h"

#define LEAP_UNROLL _Pragma("clang loop unroll(full)")

#define VECTOR_BYTES ((size_t)LANES * INPUT_BYTES)
/// Tokens up to which weights pass by once. A tile reads its inputs from the second-level cache then: more rows, more
/// tokens.
#define FEW_TOKENS (2 * TILE_ROWS * TILE_TOKENS)
/// Rows that pass over the same inputs in turn.
#define ROW_GROUP 32
/// Tokens whose inputs of one block fit half of the second-level cache.
#define TOKEN_BLOCK (20 * TILE_TOKENS)
#define CACHE_LINE 64
#define PAGE 4096

/// Where a tile finds its weights.
enum {
    PASSING,    // in memory, in the rows they have: they pass by, and those `ahead` are fetched meanwhile
    EXPANDING,  // the same, and once expanded they are stored in `panel`
    EXPANDED,   // in `panel`; the inputs at `next` are fetched meanwhile
    STAYING     // in a cache, in the rows they have; the inputs at `next` are fetched meanwhile
};

_Static_assert(ROW_GROUP % TILE_ROWS == 0 && (size_t)ROW_GROUP * (BLOCK / LANES) * VECTOR_BYTES <= LEAP_SCRATCH_BYTES,
               "The panel of a group of rows must fit a thread's scratch.");

/// The operands of one tile.
typedef struct {
    const char *weights[TILE_ROWS];
    const char *inputs[TILE_TOKENS];
    int64_t steps;     // whole vectors
    int tail;          // elements after them
    int64_t ahead;     // distance in bytes of the weights to fetch
    const char *next;  // the block of one token's inputs to fetch
    char *panel;       // for each step, and the tail, the vectors of TILE_ROWS rows
    float *out;
    int64_t out_stride;
    int rows;          // rows to store
    int first;         // first block: store instead of add
} tile_arguments;

#ifdef VECTOR_RUNS
/// Adds the products of `steps` vectors to the sums of a tile: the loop of tile() in builds without optimisation.
VECTOR_INLINE void run_tile(const int type, const int place, const int tokens, const tile_arguments *arguments,
                            int64_t steps, vector sum[TILE_TOKENS][TILE_ROWS]) {
    const int64_t panel_bytes = (int64_t)(TILE_ROWS * VECTOR_BYTES), step_bytes = (int64_t)(LANES * weight_bytes(type));
    for (int r = 0; r < TILE_ROWS; r++) {
        const char *weights = arguments->weights[r];
        char *kept = arguments->panel + (size_t)r * VECTOR_BYTES;
        for (int64_t s = 0; place == EXPANDING && s < steps; s++) {
            vector_store(kept + s * panel_bytes, expand(type, weights + s * step_bytes));
        }
        for (int t = 0; t < tokens; t++) {
            sum[t][r] = place == EXPANDED ? multiply_run(LEAP_F32, kept, panel_bytes, arguments->inputs[t], steps, sum[t][r])
                                          : multiply_run(type, weights, step_bytes, arguments->inputs[t], steps, sum[t][r]);
        }
    }
}
#endif

VECTOR_INLINE void tile(const int type, const int place, const int tokens, const tile_arguments *arguments) {
    vector sum[TILE_TOKENS][TILE_ROWS];
    LEAP_UNROLL
    for (int t = 0; t < tokens; t++) {
        LEAP_UNROLL
        for (int r = 0; r < TILE_ROWS; r++) sum[t][r] = vector_zero();
    }
    const char *weights[TILE_ROWS], *inputs[TILE_TOKENS];
    LEAP_UNROLL
    for (int r = 0; r < TILE_ROWS; r++) weights[r] = arguments->weights[r];
    LEAP_UNROLL
    for (int t = 0; t < tokens; t++) inputs[t] = arguments->inputs[t];
    const size_t step_bytes = LANES * weight_bytes(type), panel_bytes = TILE_ROWS * VECTOR_BYTES;
    const int64_t ahead = arguments->ahead;
    const char *next = arguments->next;
    char *panel = arguments->panel;
    // The panel has zeros after the last element.
    const int64_t steps = arguments->steps + (place == EXPANDED && arguments->tail > 0);
    int64_t s = 0;
#ifdef VECTOR_RUNS
    run_tile(type, place, tokens, arguments, steps, sum);
    s = steps;
#endif
    for (; s < steps; s++) {
        vector w[TILE_ROWS];
        LEAP_UNROLL
        for (int r = 0; r < TILE_ROWS; r++) {
            char *kept = panel + (size_t)s * panel_bytes + (size_t)r * VECTOR_BYTES;
            const char *source = weights[r] + (size_t)s * step_bytes;
            w[r] = place == EXPANDED ? vector_load(kept) : expand(type, source);
            if (place == EXPANDING) vector_store(kept, w[r]);
            if (place == PASSING || place == EXPANDING) vector_prefetch_far(source + ahead);
        }
        if (place == EXPANDED || place == STAYING) vector_prefetch_far(next + (size_t)s * VECTOR_BYTES);
        LEAP_UNROLL
        for (int t = 0; t < tokens; t++) {
            const vector x = vector_load(inputs[t] + (size_t)s * VECTOR_BYTES);
            LEAP_UNROLL
            for (int r = 0; r < TILE_ROWS; r++) sum[t][r] = multiply_add(w[r], x, sum[t][r]);
        }
    }
    if (place != EXPANDED && arguments->tail > 0) {
        vector w[TILE_ROWS];
        LEAP_UNROLL
        for (int r = 0; r < TILE_ROWS; r++) {
            w[r] = expand_tail(type, weights[r] + (size_t)steps * step_bytes, arguments->tail);
            if (place == EXPANDING) vector_store(panel + (size_t)steps * panel_bytes + (size_t)r * VECTOR_BYTES, w[r]);
        }
        LEAP_UNROLL
        for (int t = 0; t < tokens; t++) {
            const vector x = vector_load(inputs[t] + (size_t)steps * VECTOR_BYTES);
            LEAP_UNROLL
            for (int r = 0; r < TILE_ROWS; r++) sum[t][r] = multiply_add(w[r], x, sum[t][r]);
        }
    }
    fold_and_store(sum, tokens, arguments->out, arguments->out_stride, arguments->rows, arguments->first);
}

typedef void tile_function(int tokens, const tile_arguments *arguments);

typedef void row_function(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, size_t record_bytes);

/// Lines of a page that are fetched before it is reached. From there on the processor reads ahead by itself, to the
/// page's end.
#define PAGE_LINES 8
/// Bytes of a token's inputs that stay in the first-level cache while rows pass by.
#define ROW_INPUT_BYTES 12288

#if ONE_BY_ONE
/// Fetches the first lines of the pages that begin one page behind the `bytes` bytes at `source`.
VECTOR_INLINE void fetch_page_starts(const char *source, size_t bytes) {
    for (size_t at = (size_t)(-(uintptr_t)source % PAGE); at < bytes; at += PAGE) {
        LEAP_UNROLL
        for (size_t line = 0; line < PAGE_LINES; line++) vector_prefetch_far(source + PAGE + at + line * CACHE_LINE);
    }
}

/// The rows [row_begin, row_end) of one token, one row after the other.
VECTOR_INLINE void one_by_one(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end,
                              size_t record_bytes) {
    const size_t step_bytes = LANES * weight_bytes(type);
    for (int64_t row = row_begin; row < row_end; row++) {
        const char *weights = (const char *)job->w.data + (size_t)row * job->w.row_bytes;
        const char *inputs = (const char *)leap_job_record(job, record_bytes, 0);
        float total = 0;
        for (int64_t block = 0; block < job->w.cols; block += BLOCK) {
            const int64_t length = leap_smaller(BLOCK, job->w.cols - block), steps = length / LANES;
            fetch_page_starts(weights, (size_t)length * weight_bytes(type));
            vector sum = vector_zero();
#ifdef VECTOR_RUNS
            sum = multiply_run(type, weights, (int64_t)step_bytes, inputs, steps, sum);
#else
            // One load instruction for all steps: processors follow the stride of each of them, and best where there is
            // one.
            _Pragma("clang loop unroll(disable)")
            for (int64_t s = 0; s < steps; s++) {
                sum = multiply_add(expand(type, weights + (size_t)s * step_bytes),
                                   vector_load(inputs + (size_t)s * VECTOR_BYTES), sum);
            }
#endif
            weights += (size_t)steps * step_bytes;
            inputs += (size_t)steps * VECTOR_BYTES;
            if (length % LANES > 0) {
                sum = multiply_add(expand_tail(type, weights, (int)(length % LANES)), vector_load(inputs), sum);
            }
            const float value = vector_sum_16(&sum);
            total = block == 0 ? value : total + value;
        }
        job->out[row] = total;
    }
}

#define ROW_FUNCTION(name, type)                                                                                        \
    __attribute__((noinline)) VECTOR_FUNCTION static void name(const leap_matmul_job *job, int64_t row_begin,           \
                                                               int64_t row_end, size_t record_bytes) {                  \
        one_by_one(type, job, row_begin, row_end, record_bytes);                                                        \
    }
#else
#define ROW_FUNCTION(name, type) static row_function *const name = NULL;
#endif

/// Tiles of a type at a place as a function of their own, for every number of tokens.
#if LEAP_SPECIALISED
#define TILE_CASE(n, type, place) \
    case n: if (n <= TILE_TOKENS) tile(type, place, n, arguments); break;
#define TILE_FUNCTION(name, type, place)                                                                                \
    __attribute__((unused, noinline)) VECTOR_FUNCTION static void name(int tokens, const tile_arguments *arguments) {   \
        switch (tokens) {                                                                                               \
            TILE_CASE(1, type, place)                                                                                   \
            TILE_CASE(2, type, place)                                                                                   \
            TILE_CASE(3, type, place)                                                                                   \
            TILE_CASE(4, type, place)                                                                                   \
            TILE_CASE(5, type, place)                                                                                   \
            TILE_CASE(6, type, place)                                                                                   \
        }                                                                                                               \
    }
#else
#define TILE_FUNCTION(name, type, place)                                                                                \
    __attribute__((unused)) VECTOR_FUNCTION static void name(int tokens, const tile_arguments *arguments) {             \
        tile(type, place, tokens, arguments);                                                                           \
    }
#endif
_Static_assert(TILE_TOKENS <= 6, "a case for every number of tokens");

/// Tiles of EXPANDED weights, which are the same code for every type.
TILE_FUNCTION(expanded_tile, LEAP_F32, EXPANDED)

/// The tiles of a type: of weights that pass by, and of those that stay, for which `expands` says where they are found:
/// EXPANDING for the first tokens and then EXPANDED, or STAYING.
typedef struct {
    int type;
    int expands;
    tile_function *passing, *staying;
    row_function *rows;  // or NULL
} float_kernels;

/// Sets the block of the input dimension that starts at an element.
VECTOR_INLINE void set_block(tile_arguments *arguments, const leap_matmul_job *job, int64_t block) {
    const int64_t length = leap_smaller(BLOCK, job->w.cols - block);
    arguments->steps = length / LANES;
    arguments->tail = (int)(length % LANES);
    arguments->first = block == 0;
}

/// Sets the rows from `row` on; those from `row_end` on repeat the last and are not stored.
VECTOR_INLINE void set_rows(int type, tile_arguments *arguments, const leap_matmul_job *job, int64_t row,
                            int64_t row_end, int64_t block) {
    arguments->rows = (int)leap_smaller(TILE_ROWS, row_end - row);
    for (int r = 0; r < TILE_ROWS; r++) {
        const int64_t index = row + (r < arguments->rows ? r : arguments->rows - 1);
        arguments->weights[r] = (const char *)job->w.data + (size_t)index * job->w.row_bytes
            + (size_t)block * weight_bytes(type);
    }
}

/// One block of a token's inputs.
VECTOR_INLINE const char *input_block(const leap_matmul_job *job, size_t record_bytes, int64_t token, int64_t block) {
    return (const char *)leap_job_record(job, record_bytes, token) + (size_t)block * INPUT_BYTES;
}

VECTOR_INLINE void set_tokens(tile_arguments *arguments, const leap_matmul_job *job, size_t record_bytes, int64_t token,
                              int count, int64_t block) {
    for (int t = 0; t < count; t++) arguments->inputs[t] = input_block(job, record_bytes, token + t, block);
}

/// The next of `tiles` tiles that share `tokens` evenly.
static inline int tile_share(int64_t tokens, int64_t tiles) { return (int)((tokens + tiles - 1) / tiles); }

VECTOR_FUNCTION static void multiply_few(const float_kernels *kernels, const leap_matmul_job *job, int64_t row_begin,
                                         int64_t row_end, size_t record_bytes, char *panel) {
    const int64_t tiles = (job->tokens + TILE_TOKENS - 1) / TILE_TOKENS;
    // Storing expanded weights pays for itself from the third tile on.
    const int expanding = kernels->expands && tiles > 2;
    tile_arguments arguments = {.out_stride = job->out_stride, .panel = panel};
    for (int64_t row = row_begin; row < row_end; row += TILE_ROWS) {
        // The rows after these, even if another thread should take them; nothing after the last.
        arguments.ahead = row + TILE_ROWS < job->w.rows ? (int64_t)job->w.row_bytes * TILE_ROWS : 0;
        for (int64_t block = 0; block < job->w.cols; block += BLOCK) {
            set_block(&arguments, job, block);
            set_rows(kernels->type, &arguments, job, row, row_end, block);
            int64_t token = 0;
            for (int64_t i = 0; i < tiles; i++) {
                const int count = tile_share(job->tokens - token, tiles - i);
                set_tokens(&arguments, job, record_bytes, token, count, block);
                arguments.out = job->out + token * job->out_stride + row;
                if (!expanding) {
                    kernels->passing(count, &arguments);
                } else if (i == 0) {
                    kernels->staying(count, &arguments);
                } else {
                    arguments.next = arguments.inputs[0];  // nothing new
                    expanded_tile(count, &arguments);
                }
                token += count;
            }
        }
    }
}

/// Memory that is fetched bit by bit: `rows` stretches of `lines` cache lines, `stride` bytes apart.
typedef struct {
    const char *row;
    size_t stride;
    int64_t rows, lines, line;
} fetch_list;

/// Fetches the next `count` lines.
VECTOR_INLINE void fetch_lines(fetch_list *list, int64_t count) {
    for (; count > 0 && list->rows > 0; count--) {
        vector_prefetch_far(list->row + (size_t)list->line * CACHE_LINE);
        if (++list->line < list->lines) continue;
        list->line = 0;
        list->row += list->stride;
        list->rows--;
    }
}

/// A place in a product: one block of the rows from `row` on.
typedef struct {
    int64_t row, block;
} block_place;

/// The block at `at` of the rows before row_end, a group at most, times tokens [token_begin, token_end). Meanwhile what
/// is needed after it is fetched: the block of as many rows at `after`, and the inputs of every next tile.
VECTOR_FUNCTION static void multiply_group(const float_kernels *kernels, const leap_matmul_job *job, block_place at,
                                           int64_t row_end, int64_t token_begin, int64_t token_end, block_place after,
                                           size_t record_bytes, char *panel) {
    const int64_t tiles = (token_end - token_begin + TILE_TOKENS - 1) / TILE_TOKENS;
    const int64_t row_tiles = (row_end - at.row + TILE_ROWS - 1) / TILE_ROWS;
    tile_arguments arguments = {.out_stride = job->out_stride};
    set_block(&arguments, job, at.block);
    const size_t panel_bytes = (size_t)(arguments.steps + (arguments.tail > 0)) * TILE_ROWS * VECTOR_BYTES;
    const size_t after_bytes = (size_t)leap_smaller(BLOCK, job->w.cols - after.block) * weight_bytes(kernels->type);
    fetch_list list = {
        (const char *)job->w.data + (size_t)after.row * job->w.row_bytes + (size_t)after.block * weight_bytes(kernels->type),
        job->w.row_bytes, leap_smaller(ROW_GROUP, job->w.rows - after.row),
        (int64_t)(after_bytes + CACHE_LINE - 1) / CACHE_LINE, 0};
    const int64_t lines_per_tile = (list.rows * list.lines + tiles * row_tiles - 1) / (tiles * row_tiles);
    int64_t token = token_begin;
    for (int64_t i = 0; i < tiles; i++) {
        const int count = tile_share(token_end - token, tiles - i);
        set_tokens(&arguments, job, record_bytes, token, count, at.block);
        // Every tile of these tokens fetches the inputs of one of the next; after the last, those of the first again.
        const int last = i + 1 == tiles;
        const int64_t next_token = last ? token_begin : token + count, next_block = last ? after.block : at.block;
        arguments.panel = panel;
        for (int64_t r = 0; r < row_tiles; r++, arguments.panel += panel_bytes) {
            const int64_t next = leap_smaller(next_token + leap_smaller(r, TILE_TOKENS - 1), token_end - 1);
            arguments.next = input_block(job, record_bytes, next, next_block);
            fetch_lines(&list, lines_per_tile);
            set_rows(kernels->type, &arguments, job, at.row + r * TILE_ROWS, row_end, at.block);
            arguments.out = job->out + token * job->out_stride + at.row + r * TILE_ROWS;
            if (!kernels->expands || i == 0) {
                kernels->staying(count, &arguments);
            } else {
                expanded_tile(count, &arguments);
            }
        }
        token += count;
    }
}

VECTOR_FUNCTION static void multiply_many(const float_kernels *kernels, const leap_matmul_job *job, int64_t row_begin,
                                          int64_t row_end, size_t record_bytes, char *panel) {
    int64_t shares = (job->tokens + TOKEN_BLOCK - 1) / TOKEN_BLOCK;
    int64_t tiles = (job->tokens + TILE_TOKENS - 1) / TILE_TOKENS;
    for (int64_t token = 0; shares > 0; shares--) {
        const int64_t share = tile_share(tiles, shares);
        const int64_t token_end = leap_smaller(token + share * TILE_TOKENS, job->tokens);
        for (int64_t block = 0; block < job->w.cols; block += BLOCK) {
            for (int64_t row = row_begin; row < row_end; row += ROW_GROUP) {
                const int64_t end = leap_smaller(row + ROW_GROUP, row_end);
                // After these rows come the next, or the first of the next block, of the next tokens or of the next
                // call.
                block_place after = {end, block};
                if (end == row_end) {
                    after.block = block + BLOCK < job->w.cols ? block + BLOCK : 0;
                    if (after.block > 0 || shares > 1) after.row = row_begin;
                }
                multiply_group(kernels, job, (block_place){row, block}, end, token, token_end, after, record_bytes, panel);
            }
        }
        token = token_end;
        tiles -= share;
    }
}

VECTOR_FUNCTION static void multiply(const float_kernels *kernels, const leap_matmul_job *job, int64_t row_begin,
                                     int64_t row_end, int activation, void *scratch) {
    const size_t record_bytes = leap_activation_bytes(activation, job->w.cols, 1);
    if (job->tokens == 1 && kernels->rows && (size_t)job->w.cols * INPUT_BYTES <= ROW_INPUT_BYTES) {
        kernels->rows(job, row_begin, row_end, record_bytes);
    } else if (job->tokens <= FEW_TOKENS) {
        multiply_few(kernels, job, row_begin, row_end, record_bytes, scratch);
    } else {
        multiply_many(kernels, job, row_begin, row_end, record_bytes, scratch);
    }
}

/// rows_NAME: products with weights of a type. place: EXPANDING where that takes more than a load, else STAYING.
/// other_NAME: for one token, where rows_NAME takes the rows one by one, several rows at a time (reading.h).
#define FLOAT_ROWS(NAME, name, place, activation)                                                                     \
    TILE_FUNCTION(tile_##name##_passing, LEAP_##NAME, PASSING)                                                        \
    TILE_FUNCTION(tile_##name##_staying, LEAP_##NAME, place)                                                          \
    ROW_FUNCTION(one_by_one_##name, LEAP_##NAME)                                                                      \
    VECTOR_FUNCTION static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {  \
        const float_kernels kernels = {LEAP_##NAME, place == EXPANDING, tile_##name##_passing, tile_##name##_staying,  \
                                      LEAP_##NAME == LEAP_F32 ? NULL : one_by_one_##name};                            \
        multiply(&kernels, job, begin, end, activation, scratch);                                                     \
    }                                                                                                                 \
    __attribute__((unused)) VECTOR_FUNCTION static void other_##name(const leap_matmul_job *job, int64_t begin,       \
                                                                     int64_t end, void *scratch) {                    \
        const float_kernels kernels = {LEAP_##NAME, place == EXPANDING, tile_##name##_passing, tile_##name##_staying,  \
                                      NULL};                                                                          \
        multiply(&kernels, job, begin, end, activation, scratch);                                                     \
    }

/// The entry of a type with rows_NAME and, where that is not the same, other_NAME.
#define FLOAT_ENTRY(name, activation) \
    ((leap_matmul_entry){rows_##name, activation, LEAP_FLOAT_ROW_UNIT, ONE_BY_ONE ? other_##name : NULL})
