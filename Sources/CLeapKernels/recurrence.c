// Recurrences with a matrix for a state: splits runs and heads over the pool. And the time steps that some of them
// have.
#include <math.h>

#include "internal/kernels.h"

/// Elements of states, times tokens, below which a call is not worth waking other threads for.
#define INLINE_ELEMENTS 16384
/// Time steps below which the same holds.
#define INLINE_STEPS 512
/// Where the logarithm of 1 + exp(x) is x to the last bit, and the exponential might overflow.
#define LARGE_STEP 20.0f

typedef struct {
    const leap_kernels *kernels;
    leap_recurrence_args args;
    leap_pool *pool;
} recurrence_call;

static void recurrence_piece(void *context, int thread, int64_t begin, int64_t end) {
    const recurrence_call *call = context;
    call->kernels->recurrence(&call->args, begin, end, leap_pool_scratch(call->pool, thread));
}

void leap_recurrence(leap_pool *pool, const leap_recurrence_shape *shape, const leap_recurrence_run *runs, int64_t count) {
    recurrence_call call = {leap_kernels_current(), {shape, runs}, pool};
    if (count <= 0 || shape->value_heads <= 0 || shape->key_heads <= 0 || shape->key_dim <= 0 || shape->value_dim <= 0) return;
    const int64_t items = count * shape->value_heads;
    int64_t tokens = 0;
    for (int64_t run = 0; run < count; run++) tokens += runs[run].count;
    if (tokens * shape->value_heads * shape->key_dim * shape->value_dim <= INLINE_ELEMENTS) {
        recurrence_piece(&call, 0, 0, items);
    } else {
        leap_pool_run(pool, items, 1, recurrence_piece, &call);
    }
}

typedef struct {
    float *steps, *decays;
    const float *bias, *rate;
    int64_t n;
} step_call;

static void step_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const step_call *call = context;
    for (int64_t r = begin; r < end; r++) {
        float *steps = call->steps + r * call->n, *decays = call->decays + r * call->n;
        for (int64_t i = 0; i < call->n; i++) {
            const float x = steps[i] + call->bias[i];
            steps[i] = x > LARGE_STEP ? x : log1pf(expf(x));
            decays[i] = expf(call->rate[i] * steps[i]);
        }
    }
}

void leap_time_steps(leap_pool *pool, float *steps, const float *bias, const float *rate, int64_t n, int64_t rows, float *decays) {
    step_call call = {steps, decays, bias, rate, n};
    if (n <= 0 || rows <= 0) return;
    if (n * rows <= INLINE_STEPS) {
        step_piece(&call, 0, 0, rows);
    } else {
        leap_pool_run(pool, rows, 1, step_piece, &call);
    }
}
