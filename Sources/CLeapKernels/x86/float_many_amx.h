// Many tokens with F16 and BF16 weights, in tile registers. Part of float_matmul_amx.c.
//
// A tile of tokens is 16 records of inputs as they lie. A tile of weights is 16 rows turned into columns. Weights of
// one block of CHUNK_ROWS rows are laid out as tiles, to be multiplied with all tokens, two panels of 16 rows with two
// groups of 16 tokens at a time; the tokens' tiles of half a block stay in the first-level cache meanwhile.

#define TILE_BYTES (SIDE * LINE)
/// Distance of two tiles of weights: an odd number of cache lines, so that the same line of many tiles lies in
/// different sets.
#define TILE_STRIDE (TILE_BYTES + LINE)
/// Steps of half a block.
#define PART_STEPS 8
/// Distance of the copies of two tokens' halves of a block.
#define COPY_STRIDE (2 * PART_STEPS * LINE + LINE)
/// Rows whose tiles of one block stay in the second-level cache.
#define CHUNK_ROWS 128
/// Tokens whose sums with these rows fit there too.
#define CHUNK_TOKENS 512

_Static_assert(2 * SIDE * COPY_STRIDE + CHUNK_ROWS / SIDE * (2 * SIDE * TILE_STRIDE) + CHUNK_TOKENS * CHUNK_ROWS * 4
                   <= LEAP_SCRATCH_BYTES,
               "Copies of tokens, tiles of weights and sums must fit a thread's scratch.");

/// Bytes of one panel's tiles: for every step high halves, and for F16 low ones.
VECTOR_OPERATION size_t panel_bytes(const int type) { return (size_t)(SIDE * halves_of(type)) * TILE_STRIDE; }

/// Lays 32 elements of 16 rows out as one line of each of the 16 steps' tiles. count: elements there are.
VECTOR_INLINE void unpack_vectors(const int type, const bool whole, const row_set *rows, size_t at, int64_t count,
                                ptrdiff_t ahead, char *tiles) {
    __m512i high[SIDE], low[SIDE];
    UNROLL for (int r = 0; r < SIDE; r++) {
        const char *source = rows->row[r] + at;
        const weight_halves halves = halves_from(type, load_weights(type, whole, source, count));
        vector_prefetch_far(source + ahead);
        high[r] = pairs_of(halves.high.first, halves.high.second);
        if (type == LEAP_F16) {
            low[r] = pairs_of(halves.low.first, halves.low.second);
            // Left alone, the compiler takes all rows apart before it packs any, and spills what is in between.
            __asm__ volatile("" : "+v"(high[r]), "+v"(low[r]));
        }
    }
    transpose(high);
    UNROLL for (int i = 0; i < SIDE; i++) _mm512_store_si512(tiles + i * halves_of(type) * TILE_STRIDE, high[i]);
    if (type == LEAP_BF16) return;
    transpose(low);
    UNROLL for (int i = 0; i < SIDE; i++) _mm512_store_si512(tiles + (2 * i + 1) * TILE_STRIDE, low[i]);
}

/// Lays one block of 16 rows out as tiles. ahead: distance of weights to fetch meanwhile.
VECTOR_INLINE void unpack_panel(const int type, const row_set *rows, int64_t col, int64_t width, ptrdiff_t ahead, char *tiles) {
    for (int j = 0; j < SIDE; j++, tiles += LINE) {
        const int64_t count = width - j * DEPTH;
        const size_t at = (size_t)(col + j * DEPTH) * 2;
        if (count >= DEPTH) {
            unpack_vectors(type, true, rows, at, DEPTH, ahead, tiles);
        } else {
            unpack_vectors(type, false, rows, count > 0 ? at : 0, count > 0 ? count : 0, 0, tiles);
        }
    }
}

/// 16 tokens' inputs of one half of a block: line 2 i of each is its high halves of step i, the next one its low
/// halves.
typedef struct {
    const char *at;
    size_t stride;
} token_group;

/// What lies `offset` bytes into the records of 16 tokens from `first` on: as it lies there, or else a copy. Rows of
/// tiles that stand for no token hold anything: products do not mix rows.
VECTOR_INLINE token_group take_group(const leap_matmul_job *job, int64_t first, size_t offset, char *copy) {
    const size_t record_bytes = leap_split_bytes(job->w.cols);
    if (!job->gather && first + SIDE <= job->tokens) {
        return (token_group){(const char *)leap_job_record(job, record_bytes, first) + offset, record_bytes};
    }
    const token_group group = {copy, COPY_STRIDE};
    const int64_t count = leap_smaller(SIDE, job->tokens - first);
    for (int64_t t = 0; t < count; t++, copy += COPY_STRIDE) {
        const char *source = (const char *)leap_job_record(job, record_bytes, first + t) + offset;
        UNROLL for (int i = 0; i < 2 * PART_STEPS; i++) {
            _mm512_store_si512(copy + i * LINE, _mm512_load_si512(source + i * LINE));
        }
    }
    return group;
}

/// Multiplies the tokens in registers 4 and 5 with the weights in 6 and 7.
#define MULTIPLY_GROUPS(groups)                     \
    do {                                            \
        _tile_dpbf16ps(0, 4, 6);                    \
        _tile_dpbf16ps(1, 4, 7);                    \
        if ((groups) == 2) _tile_dpbf16ps(2, 5, 6); \
        if ((groups) == 2) _tile_dpbf16ps(3, 5, 7); \
    } while (0)

/// PART_STEPS steps from `step` on of `count` groups of tokens with two panels. sums: tiles of the first group and both
/// panels, and of the second group sums_stride floats behind.
VECTOR_INLINE void multiply_part(const int type, const int count, const token_group groups[2], int step, const char *weights,
                                 bool first, float *sums, int64_t sums_stride) {
    const char *a = groups[0].at, *b = groups[1].at;
    const size_t a_stride = groups[0].stride, b_stride = groups[1].stride;
    weights += (size_t)(step * halves_of(type)) * TILE_STRIDE;
    if (first) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    } else {
        _tile_loadd(0, sums, LINE);
        _tile_loadd(1, sums + SIDE * SIDE, LINE);
        if (count == 2) _tile_loadd(2, sums + sums_stride, LINE);
        if (count == 2) _tile_loadd(3, sums + sums_stride + SIDE * SIDE, LINE);
    }
    UNROLL for (int s = 0; s < PART_STEPS; s++, a += 2 * LINE, b += 2 * LINE, weights += halves_of(type) * TILE_STRIDE) {
        _tile_loadd(4, a, a_stride);
        if (count == 2) _tile_loadd(5, b, b_stride);
        if (halves_of(type) == 2) {
            _tile_loadd(6, weights + TILE_STRIDE, LINE);
            _tile_loadd(7, weights + panel_bytes(type) + TILE_STRIDE, LINE);
            MULTIPLY_GROUPS(count);
        }
        _tile_loadd(6, weights, LINE);
        _tile_loadd(7, weights + panel_bytes(type), LINE);
        MULTIPLY_GROUPS(count);
        _tile_loadd(4, a + LINE, a_stride);
        if (count == 2) _tile_loadd(5, b + LINE, b_stride);
        MULTIPLY_GROUPS(count);
    }
    _tile_stored(0, sums, LINE);
    _tile_stored(1, sums + SIDE * SIDE, LINE);
    if (count == 2) _tile_stored(2, sums + sums_stride, LINE);
    if (count == 2) _tile_stored(3, sums + sums_stride + SIDE * SIDE, LINE);
}

/// Rows and tokens of a job whose sums are kept until all blocks have been added.
typedef struct {
    const leap_matmul_job *job;
    int64_t row_begin, row_end, token_begin, token_end;
    char *copies;   ///< of half a block of two groups of tokens
    char *weights;  ///< tiles of one block: [panels]
    float *sums;    ///< [groups of 16 tokens][panels][16 tokens][16 rows]
} chunk;

/// An even number of them.
VECTOR_INLINE int64_t panels_of(const chunk *chunk) {
    return (chunk->row_end - chunk->row_begin + 2 * SIDE - 1) / (2 * SIDE) * 2;
}

/// What will be needed soon: a block of weights, and half a block of 32 tokens.
typedef struct {
    int64_t row, rows, row_col, token;
    size_t token_at;
} needed_next;

/// Fetches piece `piece` of `pieces` of the next weights.
VECTOR_INLINE void fetch_weights(const leap_matmul_job *job, const needed_next *next, int64_t piece, int64_t pieces) {
    const size_t bytes = (size_t)leap_smaller(BLOCK, job->w.cols - next->row_col) * 2;
    for (int64_t r = next->rows * piece / pieces; r < next->rows * (piece + 1) / pieces; r++) {
        const char *source = (const char *)job->w.data + (size_t)(next->row + r) * job->w.row_bytes + (size_t)next->row_col * 2;
        for (size_t at = 0; at < bytes; at += LINE) vector_prefetch_far(source + at);
    }
}

/// Fetches piece `piece` of `pieces` of the next tokens.
VECTOR_INLINE void fetch_tokens(const leap_matmul_job *job, const needed_next *next, int64_t piece, int64_t pieces) {
    const size_t record_bytes = leap_split_bytes(job->w.cols);
    const int64_t count = leap_smaller(2 * SIDE, job->tokens - next->token);
    for (int64_t t = count * piece / pieces; t < count * (piece + 1) / pieces; t++) {
        const char *record = leap_job_record(job, record_bytes, next->token + t);
        UNROLL for (int line = 0; line < 2 * PART_STEPS; line++) vector_prefetch_far(record + next->token_at + line * LINE);
    }
}

/// Half a block of all tokens.
VECTOR_INLINE void add_half(const int type, const chunk *chunk, int64_t col, int step, needed_next *next) {
    const leap_matmul_job *job = chunk->job;
    const int64_t panels = panels_of(chunk), rounds = (chunk->token_end - chunk->token_begin + 2 * SIDE - 1) / (2 * SIDE);
    const int64_t sums_stride = panels * SIDE * SIDE;
    const bool first = col == 0 && step == 0, last = step + PART_STEPS == SIDE;
    const size_t here = (size_t)(col / BLOCK) * LEAP_SPLIT_BLOCK_BYTES + (size_t)(2 * step) * LINE;
    const size_t half_bytes = 2 * PART_STEPS * LINE;
    const bool ends = last && col + BLOCK >= job->w.cols;
    float *sums = chunk->sums;
    for (int64_t round = 0; round < rounds; round++, sums += 2 * sums_stride) {
        const int64_t token = chunk->token_begin + round * 2 * SIDE;
        const int count = token + SIDE < chunk->token_end ? 2 : 1;
        token_group groups[2];
        groups[0] = take_group(job, token, here, chunk->copies);
        groups[1] = count == 2 ? take_group(job, token + SIDE, here, chunk->copies + SIDE * COPY_STRIDE) : groups[0];
        next->token = round + 1 < rounds ? token + 2 * SIDE : chunk->token_begin;
        next->token_at = round + 1 < rounds ? here : ends ? 0 : here + half_bytes;
        for (int64_t panel = 0; panel < panels; panel += 2) {
            fetch_weights(job, next, ((last ? rounds : 0) + round) * panels + panel, 2 * rounds * panels);
            fetch_tokens(job, next, panel / 2, panels / 2);
            const char *weights = chunk->weights + (size_t)panel * panel_bytes(type);
            float *at = sums + panel * SIDE * SIDE;
            if (count == 2) {
                multiply_part(type, 2, groups, step, weights, first, at, sums_stride);
            } else {
                multiply_part(type, 1, groups, step, weights, first, at, sums_stride);
            }
        }
    }
}

/// One block of columns.
VECTOR_INLINE void add_block(const int type, const chunk *chunk, int64_t col) {
    const leap_matmul_job *job = chunk->job;
    const int64_t width = leap_smaller(BLOCK, job->w.cols - col), rows_after = leap_smaller(CHUNK_ROWS, job->w.rows - chunk->row_end);
    const bool last = col + width >= job->w.cols, once = chunk->token_end - chunk->token_begin <= 2 * SIDE;
    // Weights used only once are fetched while others are laid out: the next block's, or those of the rows that follow.
    ptrdiff_t ahead = once && !last ? BLOCK * 2 : 0;
    if (once && last && rows_after == CHUNK_ROWS) {
        ahead = (ptrdiff_t)((size_t)(chunk->row_end - chunk->row_begin) * job->w.row_bytes) - (ptrdiff_t)col * 2;
    }
    for (int64_t panel = 0; panel < panels_of(chunk); panel++) {
        const row_set rows = rows_from(job, chunk->row_begin + panel * SIDE);
        unpack_panel(type, &rows, col, width, ahead, chunk->weights + (size_t)panel * panel_bytes(type));
    }
    needed_next next = {.row = last ? chunk->row_end : chunk->row_begin, .row_col = last ? 0 : col + width};
    next.rows = once ? 0 : last ? rows_after : chunk->row_end - chunk->row_begin;
    for (int step = 0; step < SIDE; step += PART_STEPS) add_half(type, chunk, col, step, &next);
}

VECTOR_INLINE void store_sums(const chunk *chunk) {
    const leap_matmul_job *job = chunk->job;
    const int64_t panels = panels_of(chunk);
    for (int64_t t = 0; t < chunk->token_end - chunk->token_begin; t++) {
        const float *sums = chunk->sums + (t / SIDE * panels * SIDE + t % SIDE) * SIDE;
        float *out = job->out + (chunk->token_begin + t) * job->out_stride;
        for (int64_t row = chunk->row_begin; row < chunk->row_end; row += SIDE, sums += SIDE * SIDE) {
            store_rows(out + row, vector_load(sums), chunk->row_end - row);
        }
    }
}

VECTOR_INLINE void many(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end, char *scratch) {
    const size_t weights_at = 2 * SIDE * COPY_STRIDE;
    const size_t sums_at = weights_at + CHUNK_ROWS / SIDE * panel_bytes(type);
    chunk chunk = {.job = job, .copies = scratch, .weights = scratch + weights_at, .sums = (float *)(scratch + sums_at)};
    amx_configure();
    for (int64_t row = row_begin; row < row_end; row += CHUNK_ROWS) {
        chunk.row_begin = row;
        chunk.row_end = leap_smaller(row + CHUNK_ROWS, row_end);
        for (int64_t token = 0; token < job->tokens; token += CHUNK_TOKENS) {
            chunk.token_begin = token;
            chunk.token_end = leap_smaller(token + CHUNK_TOKENS, job->tokens);
            for (int64_t col = 0; col < job->w.cols; col += BLOCK) add_block(type, &chunk, col);
            store_sums(&chunk);
        }
    }
    amx_release();
}

VECTOR_FUNCTION static void multiply_many(const int type, const leap_matmul_job *job, int64_t begin, int64_t end,
                                          void *scratch) {
    if (type == LEAP_F16) {
        many(LEAP_F16, job, begin, end, scratch);
    } else {
        many(LEAP_BF16, job, begin, end, scratch);
    }
}
