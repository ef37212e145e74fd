// Products of floating-point weights, written once for every instruction set. One arithmetic, whatever the number of
// tokens:
//
// The input dimension is cut into blocks of BLOCK elements. Within a block, lane i of one accumulator adds up the products
// of elements i, i + LANES, ... in order; the lanes are folded in a fixed tree (fold_and_store), and the block sums are
// added in order. 16-bit weights are exact in the lanes' type.
//
// Speed: lanes run along the input dimension, so neither weights nor inputs are transposed or packed, and a tile of
// TILE_ROWS x TILE_TOKENS accumulators fills the registers. With few tokens the weights stream from memory once, fetched
// TILE_ROWS rows ahead. With many, a block of ROW_GROUP rows stays in the first cache levels while the inputs of
// TOKEN_BLOCK tokens pass by from the second level, and the weights that come next are fetched meanwhile.
//
// Include it after a vector_*.h vocabulary and after defining:
//   LANES                    input elements of one step (one vector of inputs)
//   TILE_ROWS, TILE_TOKENS   shape of a tile, TILE_TOKENS <= 6
//   BLOCK                    see above; a multiple of LANES
//   INPUT_BYTES              bytes of one input element; records are zero after the last element, up to a whole vector
//   weight_bytes(type), expand(type, source), expand_tail(type, source, count)   one step of weights
//   multiply_add(w, x, sum)
//   fold_and_store(sum[tokens][TILE_ROWS], tokens, out, out_stride, rows, first): stores `rows` sums at
//                            out[token * out_stride + row], or adds them unless first
#include "activation.h"
#include "kernels.h"

#define LEAP_UNROLL _Pragma("clang loop unroll(full)")

#define VECTOR_BYTES ((size_t)LANES * INPUT_BYTES)
/// Tokens up to which weights pass by once.
#define FEW_TOKENS (4 * TILE_TOKENS)
/// Rows that pass over the same inputs in turn.
#define ROW_GROUP 16
/// Tokens whose inputs of one block fit half of the second-level cache.
#define TOKEN_BLOCK (20 * TILE_TOKENS)
#define CACHE_LINE 64

/// The operands of one tile.
typedef struct {
    const char *weights[TILE_ROWS];
    const char *inputs[TILE_TOKENS];
    int64_t steps;  // whole vectors
    int tail;       // elements after them
    int64_t ahead;  // distance in bytes of the weights needed next
    float *out;
    int64_t out_stride;
    int rows;       // rows to store
    int first;      // first block: store instead of add
} tile_arguments;

VECTOR_INLINE void tile(const int type, const int tokens, const tile_arguments *arguments) {
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
    const size_t step_bytes = LANES * weight_bytes(type);
    const int64_t steps = arguments->steps, ahead = arguments->ahead;
    for (int64_t s = 0; s < steps; s++) {
        vector w[TILE_ROWS];
        LEAP_UNROLL
        for (int r = 0; r < TILE_ROWS; r++) {
            const char *source = weights[r] + (size_t)s * step_bytes;
            w[r] = expand(type, source);
            vector_prefetch_far(source + ahead);
        }
        LEAP_UNROLL
        for (int t = 0; t < tokens; t++) {
            const vector x = vector_load(inputs[t] + (size_t)s * VECTOR_BYTES);
            LEAP_UNROLL
            for (int r = 0; r < TILE_ROWS; r++) sum[t][r] = multiply_add(w[r], x, sum[t][r]);
        }
    }
    if (arguments->tail > 0) {
        vector w[TILE_ROWS];
        LEAP_UNROLL
        for (int r = 0; r < TILE_ROWS; r++) {
            w[r] = expand_tail(type, weights[r] + (size_t)steps * step_bytes, arguments->tail);
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

VECTOR_INLINE void tile_of_tokens(const int type, int tokens, const tile_arguments *arguments) {
    switch (tokens) {
    case 1: tile(type, 1, arguments); break;
    case 2: tile(type, 2, arguments); break;
    case 3: tile(type, 3, arguments); break;
#if TILE_TOKENS > 4
    case 4: tile(type, 4, arguments); break;
    case 5: tile(type, 5, arguments); break;
#endif
    default: tile(type, TILE_TOKENS, arguments); break;
    }
}

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// Sets the block of the input dimension that starts at an element.
VECTOR_INLINE void set_block(tile_arguments *arguments, const leap_matmul_job *job, int64_t block) {
    const int64_t length = smaller(BLOCK, job->w.cols - block);
    arguments->steps = length / LANES;
    arguments->tail = (int)(length % LANES);
    arguments->first = block == 0;
}

/// Sets the rows from `row` on; those from `row_end` on repeat the last and are not stored.
VECTOR_INLINE void set_rows(const int type, tile_arguments *arguments, const leap_matmul_job *job, int64_t row,
                            int64_t row_end, int64_t block) {
    arguments->rows = (int)smaller(TILE_ROWS, row_end - row);
    for (int r = 0; r < TILE_ROWS; r++) {
        const int64_t index = row + (r < arguments->rows ? r : arguments->rows - 1);
        arguments->weights[r] = (const char *)job->w.data + (size_t)index * job->w.row_bytes
            + (size_t)block * weight_bytes(type);
    }
}

VECTOR_INLINE void set_tokens(tile_arguments *arguments, const leap_matmul_job *job, size_t record_bytes, int64_t token,
                              int count, int64_t block) {
    for (int t = 0; t < count; t++) {
        arguments->inputs[t] =
            (const char *)leap_job_record(job, record_bytes, token + t) + (size_t)block * INPUT_BYTES;
    }
}

/// Tokens of the next of `tiles` tiles that share `tokens` evenly.
static inline int tile_share(int64_t tokens, int64_t tiles) { return (int)((tokens + tiles - 1) / tiles); }

VECTOR_INLINE void multiply_few(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end,
                                size_t record_bytes) {
    const int64_t tiles = (job->tokens + TILE_TOKENS - 1) / TILE_TOKENS;
    tile_arguments arguments;
    arguments.out_stride = job->out_stride;
    for (int64_t row = row_begin; row < row_end; row += TILE_ROWS) {
        // The rows after these, even if another thread should take them; nothing after the last.
        arguments.ahead = row + TILE_ROWS < job->w.rows ? (int64_t)job->w.row_bytes * TILE_ROWS : 0;
        for (int64_t block = 0; block < job->w.cols; block += BLOCK) {
            set_block(&arguments, job, block);
            set_rows(type, &arguments, job, row, row_end, block);
            int64_t token = 0;
            for (int64_t i = 0; i < tiles; i++) {
                const int count = tile_share(job->tokens - token, tiles - i);
                set_tokens(&arguments, job, record_bytes, token, count, block);
                arguments.out = job->out + token * job->out_stride + row;
                tile_of_tokens(type, count, &arguments);
                token += count;
            }
        }
    }
}

/// Fetches part `part` of `parts` of `rows` stretches of memory.
VECTOR_INLINE void fetch_part(const char *start, size_t stride, int64_t rows, size_t bytes, int64_t part, int64_t parts) {
    const int64_t lines = (int64_t)(bytes + CACHE_LINE - 1) / CACHE_LINE;
    int64_t line = lines * rows * part / parts;
    const int64_t end = lines * rows * (part + 1) / parts;
    for (int64_t r = line / lines, i = line % lines; line < end; line++) {
        vector_prefetch_far(start + (size_t)r * stride + (size_t)i * CACHE_LINE);
        if (++i == lines) {
            i = 0;
            r++;
        }
    }
}

VECTOR_INLINE void multiply_many(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end,
                                 int64_t token_begin, int64_t token_end, size_t record_bytes) {
    const int64_t tiles = (token_end - token_begin + TILE_TOKENS - 1) / TILE_TOKENS;
    tile_arguments arguments;
    arguments.out_stride = job->out_stride;
    arguments.ahead = 0;
    for (int64_t block = 0; block < job->w.cols; block += BLOCK) {
        set_block(&arguments, job, block);
        // Needed after this block: the next of the same rows, or the first of the rows after them.
        const int last = block + BLOCK >= job->w.cols;
        const int64_t next_row = last ? row_end : row_begin, next_block = last ? 0 : block + BLOCK;
        const int64_t next_rows = smaller(ROW_GROUP, job->w.rows - next_row);
        const size_t next_bytes = (size_t)smaller(BLOCK, job->w.cols - next_block) * weight_bytes(type);
        const char *next = (const char *)job->w.data + (size_t)next_row * job->w.row_bytes
            + (size_t)next_block * weight_bytes(type);
        int64_t token = token_begin;
        for (int64_t i = 0; i < tiles; i++) {
            const int count = tile_share(token_end - token, tiles - i);
            set_tokens(&arguments, job, record_bytes, token, count, block);
            fetch_part(next, job->w.row_bytes, next_rows, next_bytes, i, tiles);
            for (int64_t row = row_begin; row < row_end; row += TILE_ROWS) {
                set_rows(type, &arguments, job, row, row_end, block);
                arguments.out = job->out + token * job->out_stride + row;
                tile_of_tokens(type, count, &arguments);
            }
            token += count;
        }
    }
}

VECTOR_INLINE void multiply(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end,
                            int activation) {
    const size_t record_bytes = leap_activation_bytes(activation, job->w.cols, 1);
    if (job->tokens <= FEW_TOKENS) {
        multiply_few(type, job, row_begin, row_end, record_bytes);
        return;
    }
    for (int64_t token = 0; token < job->tokens; token += TOKEN_BLOCK) {
        const int64_t token_end = smaller(token + TOKEN_BLOCK, job->tokens);
        for (int64_t row = row_begin; row < row_end; row += ROW_GROUP) {
            const int64_t rows_end = smaller(row + ROW_GROUP, row_end);
            multiply_many(type, job, row, rows_end, token, token_end, record_bytes);
        }
    }
}
