// Preparation of input vectors and the splitting of matrix products over the pool.
#include "internal/activation.h"
#include "internal/cut.h"
#include "internal/kernels.h"
#include "internal/numeric.h"
#include "internal/reading.h"

/// Multiply-adds below which a call is not worth waking other threads for.
#define INLINE_WORK (INT64_C(1) << 15)
/// Weight bytes a thread takes at a time when few tokens share them.
#define PIECE_BYTES (INT64_C(48) << 10)
/// Units that a thread takes at a time when their inputs do not fit the first-level cache.
#define UNITS_MANY_TOKENS 4
/// Units of floating-point weights that count as one until the end of a stretch: more rows use the inputs that they
/// share more often.
#define FLOAT_UNITS 2

int leap_activation_kind(int32_t weight_type) {
    if (leap_type_block_elements(weight_type) == 0) return -1;
    return leap_kernels_current()->matmul[weight_type].activation;
}

static size_t record_bytes(int kind, int64_t cols) {
    switch (kind) {
    case LEAP_ACTIVATION_F32: return leap_round_up((size_t)cols * 4) + LEAP_ALIGNMENT;
    case LEAP_ACTIVATION_BF16: return leap_round_up((size_t)cols * 2) + LEAP_ALIGNMENT;
    case LEAP_ACTIVATION_BF16_SPLIT:
    case LEAP_ACTIVATION_BF16_SPLIT_PAIRED:
        return leap_split_bytes(cols);
    case LEAP_ACTIVATION_Q8_32: return leap_act32_bytes(cols);
    case LEAP_ACTIVATION_Q8_256: return leap_act256_bytes(cols);
    default: return 0;
    }
}

size_t leap_activation_bytes(int kind, int64_t cols, int64_t tokens) {
    return cols > 0 && tokens > 0 ? record_bytes(kind, cols) * (size_t)tokens : 0;
}

typedef struct {
    void (*prepare)(const float *x, int64_t cols, void *record);
    const float *x;
    int64_t x_stride, cols;
    char *dst;
    size_t bytes;
} prepare_call;

static void prepare_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const prepare_call *call = context;
    for (int64_t t = begin; t < end; t++) {
        call->prepare(call->x + t * call->x_stride, call->cols, call->dst + (size_t)t * call->bytes);
    }
}

void leap_activation_prepare(leap_pool *pool, int kind, const float *x, int64_t x_stride, int64_t cols, int64_t tokens,
                             void *dst) {
    if (kind < 0 || kind >= LEAP_ACTIVATION_LIMIT) return;
    prepare_call call = {leap_kernels_current()->prepare[kind], x, x_stride, cols, dst, record_bytes(kind, cols)};
    if (tokens * cols <= INLINE_WORK) {
        prepare_piece(&call, 0, 0, tokens);
    } else {
        leap_pool_run(pool, tokens, 1 + 8192 / (cols + 1), prepare_piece, &call);
    }
}

int leap_activation_parts(int kind) {
    switch (kind) {
    case LEAP_ACTIVATION_BF16:
    case LEAP_ACTIVATION_Q8_32:
    case LEAP_ACTIVATION_Q8_256: return 2;
    default: return 1;
    }
}

/// rest = x - what a record holds.
static void take_remainder(int kind, const void *record, const float *x, int64_t cols, float *rest) {
#pragma STDC FP_CONTRACT OFF
    if (kind == LEAP_ACTIVATION_BF16) {
        const uint16_t *rounded = record;
        for (int64_t i = 0; i < cols; i++) rest[i] = x[i] - leap_bf16_to_f32(rounded[i]);
        return;
    }
    // Both int8 forms begin with the elements and the scales of their blocks.
    const int64_t block = kind == LEAP_ACTIVATION_Q8_32 ? 32 : 256;
    const int8_t *q = record;
    const float *d = (const float *)((const char *)record + leap_act_d_at(cols));
    for (int64_t b = 0; b < cols / block; b++) {
        for (int64_t i = b * block; i < (b + 1) * block; i++) rest[i] = x[i] - (float)q[i] * d[b];
    }
}

typedef struct {
    prepare_call whole;
    int kind;
    int64_t tokens;
    float *rest;
} prepare_parts_call;

static void prepare_parts_piece(void *context, int thread, int64_t begin, int64_t end) {
    prepare_parts_call *call = context;
    const prepare_call *whole = &call->whole;
    prepare_piece(&call->whole, thread, begin, end);
    for (int64_t t = begin; t < end; t++) {
        float *rest = call->rest + t * whole->cols;
        take_remainder(call->kind, whole->dst + (size_t)t * whole->bytes, whole->x + t * whole->x_stride, whole->cols, rest);
        whole->prepare(rest, whole->cols, whole->dst + (size_t)(call->tokens + t) * whole->bytes);
    }
}

void leap_activation_prepare_parts(leap_pool *pool, int kind, const float *x, int64_t x_stride, int64_t cols, int64_t tokens,
                                   float *rest, void *dst) {
    if (leap_activation_parts(kind) != 2) return;
    const prepare_call whole = {leap_kernels_current()->prepare[kind], x, x_stride, cols, dst, record_bytes(kind, cols)};
    prepare_parts_call call = {whole, kind, tokens, rest};
    if (2 * tokens * cols <= INLINE_WORK) {
        prepare_parts_piece(&call, 0, 0, tokens);
    } else {
        leap_pool_run(pool, tokens, 1 + 4096 / (cols + 1), prepare_parts_piece, &call);
    }
}

/// Tokens that are multiplied together with their remainders at most: kernels unpack weights once for as many.
#define PARTS_TOKENS 256
/// Floats for the sums of both.
#define PARTS_SUMS (1 << 14)

/// Rows [begin, end) of a product whose inputs are in two parts: the sums of both, added.
///
/// All parts of a token meet the weights at the same time, so these are read and unpacked as for twice the tokens.
static void multiply_parts(leap_matmul_rows *rows, int64_t unit, const leap_matmul_job *job, int64_t begin, int64_t end,
                           void *scratch) {
    float sums[PARTS_SUMS];
    int32_t gather[2 * PARTS_TOKENS];
    const int64_t most = leap_smaller(PARTS_TOKENS, PARTS_SUMS / (2 * unit));
    for (int64_t first = 0; first < job->tokens; first += most) {
        const int64_t tokens = leap_smaller(job->tokens - first, most);
        for (int64_t t = 0; t < tokens; t++) {
            gather[t] = job->gather ? job->gather[first + t] : (int32_t)(first + t);
            gather[tokens + t] = (int32_t)job->remainders + gather[t];
        }
        const int64_t fitting = PARTS_SUMS / (2 * tokens) / unit * unit;
        for (int64_t row = begin; row < end; row += fitting) {
            const int64_t count = leap_smaller(end - row, fitting);
            leap_matmul_job part = *job;
            part.w.data = (const char *)job->w.data + (size_t)row * job->w.row_bytes;
            part.w.rows = count;
            part.gather = gather;
            part.tokens = 2 * tokens;
            part.out = sums;
            part.out_stride = count;
            rows(&part, 0, count, scratch);
            for (int64_t t = 0; t < tokens; t++) {
                float *out = job->out + (first + t) * job->out_stride + row;
                const float *high = sums + t * count, *low = sums + (tokens + t) * count;
                for (int64_t i = 0; i < count; i++) out[i] = high[i] + low[i];
            }
        }
    }
}

typedef struct {
    const leap_kernels *kernels;
    const leap_matmul_job *jobs;
    int count;
    leap_pool *pool;
    bool other;  ///< take the entries' `other` kernels, where they have one
} matmul_call;

static int64_t job_units(const leap_kernels *kernels, const leap_matmul_job *job) {
    if (job->tokens <= 0 || leap_type_block_elements(job->w.type) == 0) return 0;
    const int64_t unit = kernels->matmul[job->w.type].row_unit;
    return (job->w.rows + unit - 1) / unit;
}

/// Units [begin, end) of all jobs laid end to end.
static void matmul_piece(void *context, int thread, int64_t begin, int64_t end) {
    const matmul_call *call = context;
    void *scratch = leap_pool_scratch(call->pool, thread);
    int64_t first = 0;
    for (int i = 0; i < call->count && first < end; i++) {
        const leap_matmul_job *job = &call->jobs[i];
        const int64_t units = job_units(call->kernels, job);
        if (first + units > begin) {
            const leap_matmul_entry *entry = &call->kernels->matmul[job->w.type];
            const int64_t from = begin > first ? begin - first : 0;
            const int64_t to = end - first < units ? end - first : units;
            const int64_t row_end = to * entry->row_unit;
            leap_matmul_rows *rows = call->other && entry->other ? entry->other : entry->rows;
            const int64_t row = from * entry->row_unit, stop = leap_smaller(row_end, job->w.rows);
            if (job->remainders) {
                multiply_parts(entry->rows, entry->row_unit, job, row, stop, scratch);
            } else {
                rows(job, row, stop, scratch);
            }
        }
        first += units;
    }
}

/// What decides how products are computed.
typedef struct {
    leap_cut cut;
    int64_t units, work, bytes;
    int64_t tokens;  ///< the most of a product
    bool in_parts;   ///< some inputs are in two parts
} matmul_plan;

static matmul_plan plan_of(const leap_kernels *kernels, const leap_matmul_job *jobs, int count, int threads) {
    matmul_plan plan = {.units = 0};
    int64_t bytes_of_inputs = 0, together = 1;
    for (int i = 0; i < count; i++) {
        const int64_t job = job_units(kernels, &jobs[i]);
        if (job == 0) continue;
        plan.units += job;
        plan.tokens = plan.tokens > jobs[i].tokens ? plan.tokens : jobs[i].tokens;
        const int64_t vectors = jobs[i].remainders ? 2 * jobs[i].tokens : jobs[i].tokens;
        plan.in_parts |= jobs[i].remainders != 0;
        plan.work += jobs[i].w.rows * jobs[i].w.cols * vectors;
        bytes_of_inputs += jobs[i].w.cols * vectors;
        // Many tokens make a unit heavier than its bytes.
        plan.bytes += jobs[i].w.rows * (int64_t)jobs[i].w.row_bytes * (1 + vectors / 8);
        if (leap_type_block_elements(jobs[i].w.type) == 1) together = FLOAT_UNITS;
    }
    if (plan.units == 0 || plan.work <= INLINE_WORK) return plan;
    const int64_t unit_bytes = together * (plan.bytes / plan.units) + 1;
    // Many tokens do not fit the caches: a piece of several units reads them less often.
    int64_t grain = bytes_of_inputs > PIECE_BYTES ? UNITS_MANY_TOKENS : PIECE_BYTES / unit_bytes;
    grain = together * (grain < 1 ? 1 : grain);
    const int64_t fair = plan.units / (4 * threads);
    if (grain > fair) grain = fair;
    plan.cut = (leap_cut){plan.units, grain < 1 ? 1 : grain, 1, threads};
    return plan;
}

leap_cut leap_matmul_cut(const leap_matmul_job *jobs, int count, int threads) {
    return plan_of(leap_kernels_current(), jobs, count, threads).cut;
}

void leap_matmul(leap_pool *pool, const leap_matmul_job *jobs, int count) {
    matmul_call call = {leap_kernels_current(), jobs, count, pool, false};
    const matmul_plan plan = plan_of(call.kernels, jobs, count, leap_pool_threads(pool));
    if (plan.units == 0) return;
    if (plan.cut.count == 0) {
        matmul_piece(&call, 0, 0, plan.units);
        return;
    }
    // Inputs in two parts are two tokens to the kernels, for which a type has one way of reading.
    leap_reading_trial trial = {-1, false, 0};
    if (!plan.in_parts) trial = leap_reading_begin(call.kernels, jobs, count, leap_pool_threads(pool), plan.bytes);
    call.other = trial.other;
    leap_pool_run_cut(pool, &plan.cut, matmul_piece, &call, plan.tokens == 1);
    leap_reading_end(&trial);
}
