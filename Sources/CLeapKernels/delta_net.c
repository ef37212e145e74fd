// Gated DeltaNet: splits runs and heads over the pool.
#include "internal/kernels.h"

/// Elements of states, times tokens, below which a call is not worth waking other threads for.
#define INLINE_ELEMENTS 16384

typedef struct {
    const leap_kernels *kernels;
    leap_delta_args args;
} delta_call;

static void delta_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const delta_call *call = context;
    call->kernels->delta_net(&call->args, begin, end);
}

void leap_delta_net(leap_pool *pool, const leap_delta_shape *shape, const leap_delta_run *runs, int64_t count) {
    delta_call call = {leap_kernels_current(), {shape, runs}};
    if (count <= 0 || shape->value_heads <= 0 || shape->key_heads <= 0 || shape->head_dim <= 0) return;
    const int64_t items = count * shape->value_heads;
    int64_t tokens = 0;
    for (int64_t run = 0; run < count; run++) tokens += runs[run].count;
    if (tokens * shape->value_heads * shape->head_dim * shape->head_dim <= INLINE_ELEMENTS) {
        delta_piece(&call, 0, 0, items);
    } else {
        leap_pool_run(pool, items, 1, delta_piece, &call);
    }
}
