// The key/value cache and attention: entry points.
#include "internal/kernels.h"
#include "internal/kv_page.h"

#define INLINE_ELEMENTS 16384

size_t leap_kv_page_bytes(int kv_type, int kv_heads, int head_dim) {
    return (size_t)kv_heads * leap_kv_head_bytes(kv_type, head_dim);
}

typedef struct {
    const leap_kernels *kernels;
    leap_kv_store_args args;
} store_call;

static void store_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const store_call *call = context;
    call->kernels->kv_store(&call->args, begin, end);
}

void leap_kv_store(leap_pool *pool, int kv_type, int kv_heads, int head_dim, const float *k, int64_t k_stride,
                   const float *v, int64_t v_stride, const leap_kv_slot *slots, int64_t count) {
    store_call call = {leap_kernels_current(), {kv_type, kv_heads, head_dim, k, v, k_stride, v_stride, slots}};
    const int64_t n = 2 * (int64_t)kv_heads * head_dim;
    if (count <= 0) return;
    if (count * n <= INLINE_ELEMENTS) {
        store_piece(&call, 0, 0, count);
    } else {
        leap_pool_run(pool, count, 1 + INLINE_ELEMENTS / (4 * n + 1), store_piece, &call);
    }
}

void leap_attention(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                    int64_t count) {
    if (count > 0) leap_kernels_current()->attention(pool, shape, queries, count);
}
