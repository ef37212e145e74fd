// Attention over pages in plain C: online softmax, one tile of LEAP_KV_PAGE positions at a time.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../internal/kernels.h"
#include "../internal/kv_page.h"
#include "../internal/numeric.h"

#pragma STDC FP_CONTRACT OFF

/// Where element i of a key is among the elements of its head.
static size_t key_place(int offset, int i) { return (size_t)i * LEAP_KV_PAGE + (size_t)offset; }

/// Where element i of a value is among the elements of its head.
static size_t value_place(int offset, int i, int dim) { return (size_t)offset * (size_t)dim + (size_t)i; }

/// Quantises one head of one position: count elements, step apart once they are stored.
static void store_q8(const float *x, int count, int8_t *codes, size_t step, uint16_t *scale) {
    for (int first = 0; first < count; first += LEAP_KV_BLOCK, scale += LEAP_KV_PAGE) {
        const int end = first + LEAP_KV_BLOCK < count ? first + LEAP_KV_BLOCK : count;
        float largest = 0, factor;
        bool finite = true;
        for (int i = first; i < end; i++) {
            finite &= isfinite(x[i]) != 0;
            if (fabsf(x[i]) > largest) largest = fabsf(x[i]);
        }
        *scale = leap_kv_scale(largest, finite, &factor);
        for (int i = first; i < end; i++) {
            float code = factor == 0 ? 0 : rintf(x[i] * factor);
            if (code > LEAP_KV_CODE_MAX) code = LEAP_KV_CODE_MAX;
            if (code < -LEAP_KV_CODE_MAX) code = -LEAP_KV_CODE_MAX;
            codes[(size_t)i * step] = (int8_t)code;
        }
    }
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
                char *head = (char *)page[side] + (size_t)h * leap_kv_head_bytes(args->kv_type, dim);
                if (args->kv_type == LEAP_KV_Q8_0) {
                    const size_t first = side == 0 ? key_place(slot->offset, 0) : value_place(slot->offset, 0, dim);
                    uint16_t *scale = (uint16_t *)(void *)(head + leap_kv_elements_bytes(LEAP_KV_Q8_0, dim));
                    store_q8(row, dim, (int8_t *)head + first, side == 0 ? LEAP_KV_PAGE : 1, scale + slot->offset);
                    continue;
                }
                for (int i = 0; i < dim; i++) {
                    const size_t at = side == 0 ? key_place(slot->offset, i) : value_place(slot->offset, i, dim);
                    if (args->kv_type == LEAP_KV_F32) {
                        ((float *)(void *)head)[at] = row[i];
                    } else {
                        ((uint16_t *)(void *)head)[at] = leap_f32_to_f16(row[i]);
                    }
                }
            }
        }
    }
}

/// Element i of the head at a position, which is at `place`.
static float element(const void *head, int kv_type, int dim, size_t place, int offset, int i) {
    if (kv_type == LEAP_KV_F32) return ((const float *)head)[place];
    if (kv_type == LEAP_KV_F16) return leap_f16_to_f32(((const uint16_t *)head)[place]);
    const uint16_t scale = leap_kv_scales(head, dim)[i / LEAP_KV_BLOCK * LEAP_KV_PAGE + offset];
    return leap_f16_to_f32(scale) * (float)((const int8_t *)head)[place];
}

/// One query head. sum: head_dim floats of scratch.
static void attend(const leap_attention_shape *shape, const leap_attention_query *query, int head, float *sum) {
    const int dim = shape->head_dim;
    const int kv_head = head / (shape->q_heads / shape->kv_heads);
    const float *q = query->q + (int64_t)head * dim;
    const int64_t reach = shape->window > 0 && shape->window <= query->position ? shape->window : query->position + 1;
    const int64_t in_window = query->position + 1 - reach;
    const int64_t first = in_window > query->first ? in_window : query->first;
    // A sink is a position whose value is zero.
    float largest = shape->sinks ? shape->sinks[head] : -INFINITY, total = shape->sinks ? 1 : 0;
    memset(sum, 0, (size_t)dim * sizeof(float));
    for (int64_t page = first / LEAP_KV_PAGE; page <= query->position / LEAP_KV_PAGE; page++) {
        const int64_t start = page * LEAP_KV_PAGE;
        const int from = first > start ? (int)(first - start) : 0;
        const int to = query->position - start < LEAP_KV_PAGE - 1 ? (int)(query->position - start) : LEAP_KV_PAGE - 1;
        const size_t head_start = (size_t)kv_head * leap_kv_head_bytes(shape->kv_type, dim);
        const void *k = (const char *)query->k_pages[page] + head_start;
        const void *v = (const char *)query->v_pages[page] + head_start;
        float score[LEAP_KV_PAGE], tile_largest = -INFINITY;
        for (int p = from; p <= to; p++) {
            float dot = 0;
            for (int i = 0; i < dim; i++) {
                dot = fmaf(q[i], element(k, shape->kv_type, dim, key_place(p, i), p, i), dot);
            }
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
                sum[i] = fmaf(weight, element(v, shape->kv_type, dim, value_place(p, i, dim), p, i), sum[i]);
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
