// Recurrences with a matrix for a state, written once for every instruction set: include after a vector_*.h vocabulary.
//
// Columns of a state do not depend on each other: a vector holds neighbouring columns, and every sum runs down the
// rows, those at even and at odd places apart. The results are therefore the same on every instruction set.
//
// A token goes over its state once: what the state has for the next token's key is added up on the way. In between
// tokens the columns lie in scratch memory one row behind the other, as the rows of whole states are so far apart that
// their columns would push each other out of the first-level cache.
#include <string.h>

#include "kernels.h"

/// Vectors of columns that are computed together: as many as the registers have room for the sums of.
#if VECTOR_LANES == 8
#define RECURRENCE_VECTORS 2
#else
#define RECURRENCE_VECTORS 4
#endif

/// One token of a head, at the columns that are computed.
typedef struct {
    const float *q, *k, *v;
    /// The next token's key; NULL where nothing is asked for it.
    const float *next;
    float decay, beta;
    const float *skip;  ///< one number, or NULL
    const float *from;
    float *to;
    int64_t from_stride, to_stride;  ///< floats from one row to the next
    float *out;
} recurrence_token;

#define LOAD(source) (count == VECTOR_LANES ? vector_load(source) : vector_load_first(source, count))
#define STORE(target, value)                                            \
    do {                                                                \
        if (count == VECTOR_LANES) vector_store(target, value);         \
        else vector_store_first(target, value, count);                  \
    } while (0)

/// What a state has for a key.
VECTOR_INLINE void recurrence_known(const float *k, const float *from, int64_t stride, int64_t n, vector *known,
                                    const int vectors, const int count) {
    vector sums[2][RECURRENCE_VECTORS];
    for (int c = 0; c < vectors; c++) sums[0][c] = sums[1][c] = vector_zero();
    for (int64_t i = 0; i < n; i += 2) {
        for (int part = 0; part < 2 && i + part < n; part++) {
            const vector key = vector_set(k[i + part]);
            const float *row = from + (i + part) * stride;
            for (int c = 0; c < vectors; c++) sums[part][c] = vector_fma(key, LOAD(row + c * VECTOR_LANES), sums[part][c]);
        }
    }
    for (int c = 0; c < vectors; c++) known[c] = vector_add(sums[0][c], sums[1][c]);
}

/// One row of a token's state.
VECTOR_INLINE void recurrence_row(const recurrence_token *token, int64_t i, const vector *delta, vector *found, vector *next,
                                  const int vectors, const int count, const int looks_ahead) {
    const vector key = vector_set(token->k[i]), query = vector_set(token->q[i]), decay = vector_set(token->decay);
    const vector ahead = looks_ahead ? vector_set(token->next[i]) : vector_zero();
    const float *from = token->from + i * token->from_stride;
    float *to = token->to + i * token->to_stride;
    for (int c = 0; c < vectors; c++) {
        const vector old = LOAD(from + c * VECTOR_LANES);
        const vector state = vector_fma(key, delta[c], vector_multiply(old, decay));
        STORE(to + c * VECTOR_LANES, state);
        found[c] = vector_fma(query, state, found[c]);
        if (looks_ahead) next[c] = vector_fma(ahead, state, next[c]);
    }
}

/// `vectors` vectors of columns of a token, the last of `count` lanes. known: what the state has for the key, and then
/// for the next one.
VECTOR_INLINE void recurrence_step(const recurrence_token *token, int64_t n, vector *known, const int vectors, const int count,
                                   const int is_corrected, const int looks_ahead) {
    vector found[2][RECURRENCE_VECTORS], next[2][RECURRENCE_VECTORS], delta[RECURRENCE_VECTORS];
    for (int c = 0; c < vectors; c++) {
        vector value = LOAD(token->v + c * VECTOR_LANES);
        if (is_corrected) value = vector_subtract(value, vector_multiply(known[c], vector_set(token->decay)));
        delta[c] = vector_multiply(value, vector_set(token->beta));
        found[0][c] = found[1][c] = next[0][c] = next[1][c] = vector_zero();
    }
    int64_t i = 0;
    for (; i + 2 <= n; i += 2) {
        recurrence_row(token, i, delta, found[0], next[0], vectors, count, looks_ahead);
        recurrence_row(token, i + 1, delta, found[1], next[1], vectors, count, looks_ahead);
    }
    if (i < n) recurrence_row(token, i, delta, found[0], next[0], vectors, count, looks_ahead);
    for (int c = 0; c < vectors; c++) {
        vector out = vector_add(found[0][c], found[1][c]);
        if (token->skip) out = vector_fma(vector_set(*token->skip), LOAD(token->v + c * VECTOR_LANES), out);
        STORE(token->out + c * VECTOR_LANES, out);
        if (looks_ahead) known[c] = vector_add(next[0][c], next[1][c]);
    }
}

/// All tokens of a run: some columns of one head.
VECTOR_INLINE void recurrence_columns(const leap_recurrence_shape *shape, const leap_recurrence_run *run, int head, int64_t column,
                                      float *work, const int vectors, const int count, const int is_corrected) {
    const int64_t n = shape->key_dim, width = shape->value_dim, lanes = (vectors - 1) * VECTOR_LANES + count;
    const int64_t keys = leap_key_head(shape, head) * n, values = head * width + column, state = head * n * width + column;
    recurrence_token token = {.skip = run->skip ? run->skip + head : NULL, .from_stride = width};
    vector known[RECURRENCE_VECTORS];
    for (int c = 0; c < vectors; c++) known[c] = vector_zero();
    // A single token has no use for a copy.
    float *const between = run->count > 1 ? work : run->after + state;
    const int64_t stride = run->count > 1 ? lanes : width;
    if (run->before) {
        token.from = run->before + state;
        if (is_corrected) recurrence_known(run->k + keys, token.from, width, n, known, vectors, count);
    } else {
        for (int64_t i = 0; i < n; i++) memset(between + i * stride, 0, (size_t)lanes * sizeof(float));
        token.from = between;
        token.from_stride = stride;
    }
    for (int64_t t = 0; t < run->count; t++) {
        const int64_t row = t * shape->stride, gate = t * shape->value_heads + head;
        const int is_last = t + 1 == run->count;
        token.q = run->q + row + keys;
        token.k = run->k + row + keys;
        token.v = run->v + row + values;
        token.next = token.k + shape->stride;
        token.decay = run->decay[gate];
        token.beta = run->beta[gate];
        token.out = run->out + t * shape->value_heads * width + values;
        token.to = is_last ? run->after + state : between;
        token.to_stride = is_last ? width : stride;
        if (is_corrected && !is_last) {
            recurrence_step(&token, n, known, vectors, count, is_corrected, 1);
        } else {
            recurrence_step(&token, n, known, vectors, count, is_corrected, 0);
        }
        token.from = token.to;
        token.from_stride = token.to_stride;
    }
}

#undef LOAD
#undef STORE

VECTOR_INLINE void recurrence_head(const leap_recurrence_shape *shape, const leap_recurrence_run *run, int head, float *work,
                                   const int is_corrected) {
    const int64_t n = shape->value_dim, wide = RECURRENCE_VECTORS * VECTOR_LANES;
    int64_t column = 0;
    for (; column + wide <= n; column += wide) {
        recurrence_columns(shape, run, head, column, work, RECURRENCE_VECTORS, VECTOR_LANES, is_corrected);
    }
    for (; RECURRENCE_VECTORS > 2 && column + 2 * VECTOR_LANES <= n; column += 2 * VECTOR_LANES) {
        recurrence_columns(shape, run, head, column, work, 2, VECTOR_LANES, is_corrected);
    }
    for (; column + VECTOR_LANES <= n; column += VECTOR_LANES) {
        recurrence_columns(shape, run, head, column, work, 1, VECTOR_LANES, is_corrected);
    }
    if (column < n) recurrence_columns(shape, run, head, column, work, 1, (int)(n - column), is_corrected);
}

VECTOR_FUNCTION static void recurrence(const leap_recurrence_args *args, int64_t begin, int64_t end, void *scratch) {
    _Static_assert((size_t)LEAP_HEAD_DIM_MAX * RECURRENCE_VECTORS * VECTOR_LANES * sizeof(float) <= LEAP_SCRATCH_BYTES,
                   "the columns of a state fit");
    const leap_recurrence_shape *shape = args->shape;
    for (int64_t item = begin; item < end; item++) {
        const leap_recurrence_run *run = &args->runs[item / shape->value_heads];
        const int head = (int)(item % shape->value_heads);
        if (shape->is_corrected) {
            recurrence_head(shape, run, head, scratch, 1);
        } else {
            recurrence_head(shape, run, head, scratch, 0);
        }
    }
}
