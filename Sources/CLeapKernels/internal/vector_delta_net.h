// The recurrence of Gated DeltaNet, written once for every instruction set: include after a vector_*.h vocabulary.
//
// Columns of the state do not depend on each other: a vector holds neighbouring columns, and every sum runs down the rows, those at even and
// at odd places apart. The results are therefore the same on every instruction set.
#include "kernels.h"

/// Vectors of columns that are computed together, so that their part of the state stays in the first-level cache.
#define DELTA_VECTORS 4

/// One token: `vectors` vectors of columns from column on, the last of `count` lanes.
VECTOR_INLINE void delta_step(const float *q, const float *k, const float *v, float decay, float beta, const float *from,
                              float *to, float *out, int64_t n, const int vectors, const int count) {
    const int whole = count == VECTOR_LANES;
#define LOAD(source) (whole ? vector_load(source) : vector_load_first(source, count))
#define STORE(target, value)                               \
    do {                                                   \
        if (whole) vector_store(target, value);            \
        else vector_store_first(target, value, count);     \
    } while (0)
    vector sums[2][DELTA_VECTORS], delta[DELTA_VECTORS];
    const vector decays = vector_set(decay);
    for (int c = 0; c < vectors; c++) sums[0][c] = sums[1][c] = vector_zero();
    if (from) {
        for (int64_t i = 0; i < n; i += 2) {
            for (int part = 0; part < 2 && i + part < n; part++) {
                const vector key = vector_set(k[i + part]);
                const float *row = from + (i + part) * n;
                for (int c = 0; c < vectors; c++) {
                    sums[part][c] = vector_fma(key, LOAD(row + c * VECTOR_LANES), sums[part][c]);
                }
            }
        }
    }
    for (int c = 0; c < vectors; c++) {
        const vector known = vector_multiply(vector_add(sums[0][c], sums[1][c]), decays);
        delta[c] = vector_multiply(vector_subtract(LOAD(v + c * VECTOR_LANES), known), vector_set(beta));
        sums[0][c] = sums[1][c] = vector_zero();
    }
    for (int64_t i = 0; i < n; i += 2) {
        for (int part = 0; part < 2 && i + part < n; part++) {
            const vector key = vector_set(k[i + part]), query = vector_set(q[i + part]);
            const int64_t row = (i + part) * n;
            for (int c = 0; c < vectors; c++) {
                const vector old = from ? LOAD(from + row + c * VECTOR_LANES) : vector_zero();
                const vector state = vector_fma(key, delta[c], vector_multiply(old, decays));
                STORE(to + row + c * VECTOR_LANES, state);
                sums[part][c] = vector_fma(query, state, sums[part][c]);
            }
        }
    }
    for (int c = 0; c < vectors; c++) STORE(out + c * VECTOR_LANES, vector_add(sums[0][c], sums[1][c]));
#undef LOAD
#undef STORE
}

/// All tokens of a run: some columns of one head.
VECTOR_INLINE void delta_columns(const leap_delta_shape *shape, const leap_delta_run *run, int head, int64_t column,
                                 const int vectors, const int count) {
    const int64_t n = shape->head_dim, keys = (head % shape->key_heads) * n, values = head * n + column;
    const int64_t state = head * n * n + column;
    float *to = run->after + state;
    const float *from = run->before ? run->before + state : NULL;
    for (int64_t t = 0; t < run->count; t++, from = to) {
        const int64_t row = t * shape->stride, gate = t * shape->value_heads + head;
        delta_step(run->q + row + keys, run->k + row + keys, run->v + row + values, run->decay[gate], run->beta[gate],
                   from, to, run->out + t * shape->value_heads * n + values, n, vectors, count);
    }
}

VECTOR_FUNCTION static void delta_net(const leap_delta_args *args, int64_t begin, int64_t end) {
    const leap_delta_shape *shape = args->shape;
    const int64_t n = shape->head_dim, wide = DELTA_VECTORS * VECTOR_LANES;
    for (int64_t item = begin; item < end; item++) {
        const leap_delta_run *run = &args->runs[item / shape->value_heads];
        const int head = (int)(item % shape->value_heads);
        int64_t column = 0;
        for (; column + wide <= n; column += wide) delta_columns(shape, run, head, column, DELTA_VECTORS, VECTOR_LANES);
        for (; column + VECTOR_LANES <= n; column += VECTOR_LANES) {
            delta_columns(shape, run, head, column, 1, VECTOR_LANES);
        }
        if (column < n) delta_columns(shape, run, head, column, 1, (int)(n - column));
    }
}
