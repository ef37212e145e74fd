// One token with F16 and BF16 weights, in AVX-512, as float_many_amx.h computes it. Part of float_matmul_amx.c.
//
// Lane i of a vector of weights is pair i of 32 elements, so 16 vectors one after another are the 16 steps of a block,
// side by side. Sums of 16 rows are turned around at the end of a block, to be added in the order of the steps.

/// Rows whose weights meet the same inputs: with the chains of F16 they fill the registers.
#define GROUP_ROWS 4

/// Floats of one vector of pairs: high first, high second, low first, low second.
#define LANES_STEP (4 * SIDE)

/// A token's inputs as floats, in the order of the weights: [blocks][SIDE][LANES_STEP].
VECTOR_INLINE void take_lanes(const char *record, int64_t cols, float *to) {
    for (; cols > 0; cols -= BLOCK, record += LEAP_SPLIT_BLOCK_BYTES, to += SIDE * LANES_STEP) {
        for (int half = 0; half < 2; half++) {
            __m512i v[SIDE];
            UNROLL for (int i = 0; i < SIDE; i++) v[i] = _mm512_load_si512(record + (2 * i + half) * LINE);
            transpose(v);
            UNROLL for (int j = 0; j < SIDE; j++) {
                vector_store(to + j * LANES_STEP + half * 2 * SIDE, first_of(v[j]));
                vector_store(to + j * LANES_STEP + (half * 2 + 1) * SIDE, second_of(v[j]));
            }
        }
    }
}

/// Sums of the steps of a block: low weights with high inputs, high with high, high with low; [row][step].
typedef float block_sums[3][SIDE][SIDE];

/// The chains of one row: first and second elements of the pairs.
typedef struct {
    __m512 low_high[2], high_high[2], high_low[2];
} row_chains;

VECTOR_INLINE void add_vector(const int type, row_chains *chains, weight_pairs w, const float *x) {
    const weight_halves halves = halves_from(type, w);
    if (type == LEAP_F16) {
        chains->low_high[0] = _mm512_fmadd_ps(halves.low.first, vector_load(x), chains->low_high[0]);
        chains->low_high[1] = _mm512_fmadd_ps(halves.low.second, vector_load(x + SIDE), chains->low_high[1]);
    }
    chains->high_high[0] = _mm512_fmadd_ps(halves.high.first, vector_load(x), chains->high_high[0]);
    chains->high_high[1] = _mm512_fmadd_ps(halves.high.second, vector_load(x + SIDE), chains->high_high[1]);
    chains->high_low[0] = _mm512_fmadd_ps(halves.high.first, vector_load(x + 2 * SIDE), chains->high_low[0]);
    chains->high_low[1] = _mm512_fmadd_ps(halves.high.second, vector_load(x + 3 * SIDE), chains->high_low[1]);
}

/// `width` elements of GROUP_ROWS rows from `at` on. x: the block's lanes. ahead: distance of the weights needed next.
VECTOR_INLINE void sum_rows(const int type, const row_set *rows, int row, int64_t at, int64_t width, const float *x,
                            ptrdiff_t ahead, block_sums sums) {
    row_chains chains[GROUP_ROWS] = {0};
    int64_t done = 0;
    for (; done + DEPTH <= width; done += DEPTH, x += LANES_STEP) {
        UNROLL for (int r = 0; r < GROUP_ROWS; r++) {
            const char *source = rows->row[row + r] + (size_t)(at + done) * 2;
            add_vector(type, &chains[r], load_weights(type, true, source, DEPTH), x);
            vector_prefetch_far(source + ahead);
        }
    }
    if (done < width) {
        UNROLL for (int r = 0; r < GROUP_ROWS; r++) {
            const char *source = rows->row[row + r] + (size_t)(at + done) * 2;
            add_vector(type, &chains[r], load_weights(type, false, source, width - done), x);
        }
    }
    UNROLL for (int r = 0; r < GROUP_ROWS; r++) {
        if (type == LEAP_F16) {
            vector_store(sums[0][row + r], _mm512_add_ps(chains[r].low_high[0], chains[r].low_high[1]));
        }
        vector_store(sums[1][row + r], _mm512_add_ps(chains[r].high_high[0], chains[r].high_high[1]));
        vector_store(sums[2][row + r], _mm512_add_ps(chains[r].high_low[0], chains[r].high_low[1]));
    }
}

/// Adds the sums of the 16 steps to 16 rows' outputs, one after another.
VECTOR_INLINE __m512 add_steps(const int type, __m512 total, block_sums sums) {
    const int first = type == LEAP_F16 ? 0 : 1;
    for (int k = first; k < 3; k++) {
        __m512i v[SIDE];
        UNROLL for (int r = 0; r < SIDE; r++) v[r] = _mm512_load_si512(sums[k][r]);
        transpose(v);
        UNROLL for (int i = 0; i < SIDE; i++) _mm512_store_si512(sums[k][i], v[i]);
    }
    UNROLL for (int i = 0; i < SIDE; i++) {
        UNROLL for (int k = first; k < 3; k++) total = _mm512_add_ps(total, vector_load(sums[k][i]));
    }
    return total;
}

VECTOR_INLINE void one(const int type, const leap_matmul_job *job, int64_t row_begin, int64_t row_end, float *lanes) {
    const int64_t cols = job->w.cols;
    _Alignas(64) block_sums sums;
    take_lanes(leap_job_record(job, leap_split_bytes(cols), 0), cols, lanes);
    for (int64_t row = row_begin; row < row_end; row += SIDE) {
        const row_set rows = rows_from(job, row);
        // The rows after these, even if another thread should take them; nothing after the last.
        const ptrdiff_t ahead = row + 2 * SIDE <= job->w.rows ? (ptrdiff_t)job->w.row_bytes * SIDE : 0;
        const float *x = lanes;
        __m512 total = vector_zero();
        for (int64_t at = 0; at < cols; at += BLOCK, x += SIDE * LANES_STEP) {
            const int64_t width = leap_smaller(BLOCK, cols - at);
            for (int r = 0; r < SIDE; r += GROUP_ROWS) sum_rows(type, &rows, r, at, width, x, ahead, sums);
            total = add_steps(type, total, sums);
        }
        store_rows(job->out + row, total, row_end - row);
    }
}

// Never inlined: tile products take subnormals as zero, and no arithmetic may leave the part where AVX-512 does so too.
VECTOR_FUNCTION __attribute__((noinline)) static void one_f16(const leap_matmul_job *job, int64_t begin, int64_t end,
                                                              float *lanes) {
    one(LEAP_F16, job, begin, end, lanes);
}

VECTOR_FUNCTION __attribute__((noinline)) static void one_bf16(const leap_matmul_job *job, int64_t begin, int64_t end,
                                                               float *lanes) {
    one(LEAP_BF16, job, begin, end, lanes);
}

/// Whether the scratch memory has room for the lanes of a token.
static inline bool lanes_fit(int64_t cols) {
    return (cols + BLOCK - 1) / BLOCK <= (int64_t)(LEAP_SCRATCH_BYTES / (SIDE * LANES_STEP * sizeof(float)));
}

static inline void multiply_one(const int type, const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {
    const unsigned int before = _mm_getcsr();
    _mm_setcsr(before | _MM_FLUSH_ZERO_ON | _MM_DENORMALS_ZERO_ON);
    if (type == LEAP_F16) {
        one_f16(job, begin, end, scratch);
    } else {
        one_bf16(job, begin, end, scratch);
    }
    _mm_setcsr(before);
}
