// Attention over pages in plain C: online softmax, one tile of LEAP_KV_PAGE positions at a time.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../internal/kernels.h"
#include "../internal/numeric.h"

#pragma STDC FP_CONTRACT OFF

/// Keys lie as [kv_heads][head_dim][LEAP_KV_PAGE], so that vectors of positions can be scored without sums across lanes.
static size_t key_place(int head, int offset, int i, int dim) {
    return ((size_t)head * (size_t)dim + (size_t)i) * LEAP_KV_PAGE + (size_t)offset;
}

/// Values lie as [kv_heads][LEAP_KV_PAGE][head_dim].
static size_t value_place(int head, int offset, int i, int dim) {
    return ((size_t)head * LEAP_KV_PAGE + (size_t)offset) * (size_t)dim + (size_t)i;
}

static void kv_store(const leap_kv_store_args *args, int64_t begin, int64_t end) {
    const int dim = args->head_dim;
    for (int64_t t = begin; t < end; t++) {
        const leap_kv_slot *slot = &args->slots[t];
        const float *source[2] = {args->k + t * args->k_stride, args->v + t * args->v_stride};
        void *page[2] = {slot->k_page, slot->v_page};
        for (int side = 0; side < 2; side++) {
            for (int h = 0; h < args->kv_heads; h++) {
                const float *row = source[side] + (int64_t)h * dim;
                for (int i = 0; i < dim; i++) {
                    const size_t at = side == 0 ? key_place(h, slot->offset, i, dim) : value_place(h, slot->offset, i, dim);
                    if (args->kv_type == LEAP_KV_F32) {
                        ((float *)page[side])[at] = row[i];
                    } else {
                        ((uint16_t *)page[side])[at] = leap_f32_to_f16(row[i]);
                    }
                }
            }
        }
    }
}

static float element(const void *page, int kv_type, size_t index) {
    return kv_type == LEAP_KV_F32 ? ((const float *)page)[index] : leap_f16_to_f32(((const uint16_t *)page)[index]);
}

/// One query head. sum: head_dim floats of scratch.
static void attend(const leap_attention_shape *shape, const leap_attention_query *query, int head, float *sum) {
    const int dim = shape->head_dim;
    const int kv_head = head / (shape->q_heads / shape->kv_heads);
    const float *q = query->q + (int64_t)head * dim;
    const int64_t reach = shape->window > 0 && shape->window <= query->position ? shape->window : query->position + 1;
    const int64_t first = query->position + 1 - reach;
    float largest = -INFINITY, total = 0;
    memset(sum, 0, (size_t)dim * sizeof(float));
    for (int64_t page = first / LEAP_KV_PAGE; page <= query->position / LEAP_KV_PAGE; page++) {
        const int64_t start = page * LEAP_KV_PAGE;
        const int from = first > start ? (int)(first - start) : 0;
        const int to = query->position - start < LEAP_KV_PAGE - 1 ? (int)(query->position - start) : LEAP_KV_PAGE - 1;
        const void *k = query->k_pages[page], *v = query->v_pages[page];
        float score[LEAP_KV_PAGE], tile_largest = -INFINITY;
        for (int p = from; p <= to; p++) {
            float dot = 0;
            for (int i = 0; i < dim; i++) dot = fmaf(q[i], element(k, shape->kv_type, key_place(kv_head, p, i, dim)), dot);
            dot *= shape->scale;
            if (shape->softcap != 0) dot = shape->softcap * tanhf(dot / shape->softcap);
            score[p] = dot;
            if (dot > tile_largest) tile_largest = dot;
        }
        const float new_largest = tile_largest > largest ? tile_largest : largest;
        const float shrink = largest == new_largest ? 1.0f : expf(largest - new_largest);
        largest = new_largest;
        total *= shrink;
        for (int i = 0; i < dim; i++) sum[i] *= shrink;
        for (int p = from; p <= to; p++) {
            const float weight = expf(score[p] - largest);
            total += weight;
            for (int i = 0; i < dim; i++) {
                sum[i] = fmaf(weight, element(v, shape->kv_type, value_place(kv_head, p, i, dim)), sum[i]);
            }
        }
    }
    float *out = query->out + (int64_t)head * dim;
    for (int i = 0; i < dim; i++) out[i] = sum[i] / total;
}

typedef struct {
    leap_pool *pool;
    const leap_attention_shape *shape;
    const leap_attention_query *queries;
} attention_call;

static void attention_piece(void *context, int thread, int64_t begin, int64_t end) {
    const attention_call *call = context;
    float *sum = leap_pool_scratch(call->pool, thread);
    for (int64_t i = begin; i < end; i++) {
        attend(call->shape, &call->queries[i / call->shape->q_heads], (int)(i % call->shape->q_heads), sum);
    }
}

static void attention(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                      int64_t count) {
    attention_call call = {pool, shape, queries};
    leap_pool_run(pool, count * shape->q_heads, 1, attention_piece, &call);
}

void leap_scalar_install_attention(leap_kernels *table) {
    table->kv_store = kv_store;
    table->attention = attention;
}
