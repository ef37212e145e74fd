// Attention's tile kernels, written once for every instruction set: include after a vector_*.h vocabulary and after
// defining ROWS_MAX and WIDTH, the rows and vectors of accumulators that fit the registers (64 elements are a multiple of WIDTH vectors).
//
// Keys lie with positions side by side, values with their elements side by side, so scores and sums are the same loop:
// a row's scalars are broadcast, and no sum runs across lanes.
#include <math.h>
#include <string.h>

#include "attention.h"
#include "vector_math.h"

#define LEAP_UNROLL _Pragma("clang loop unroll(full)")
#define LANE_VECTORS (LEAP_SOFTMAX_LANES / VECTOR_LANES)

/// c[r][0 ..< width vectors] = carry[r] c[r] (or 0 without carry) + sum over k in from ..< to of a[r][k] b[k].
VECTOR_INLINE void product(const int rows, const int width, const int half, const float *a, int64_t a_stride,
                           const char *b, int64_t b_stride, int from, int to, const float *carry, float *c,
                           int64_t c_stride, const char *next) {
    vector sum[ROWS_MAX][WIDTH];
    LEAP_UNROLL
    for (int r = 0; r < rows; r++) {
        LEAP_UNROLL
        for (int w = 0; w < width; w++) {
            sum[r][w] = carry ? vector_multiply(vector_set(carry[r]), vector_load(c + r * c_stride + w * VECTOR_LANES))
                              : vector_zero();
        }
    }
    const int64_t row_bytes = b_stride * (half ? 2 : 4);
    const int vector_bytes = VECTOR_LANES * (half ? 2 : 4);
    for (int k = from; k < to; k++) {
        const char *source = b + k * row_bytes, *fetch = next + k * row_bytes;
        LEAP_UNROLL
        for (int line = 0; line < width * vector_bytes; line += 64) vector_prefetch_far(fetch + line);
        vector row[WIDTH];
        LEAP_UNROLL
        for (int w = 0; w < width; w++) {
            row[w] = half ? vector_load_half(source + w * vector_bytes) : vector_load(source + w * vector_bytes);
        }
        LEAP_UNROLL
        for (int r = 0; r < rows; r++) {
            const vector scalar = vector_set(a[r * a_stride + k]);
            LEAP_UNROLL
            for (int w = 0; w < width; w++) sum[r][w] = vector_fma(scalar, row[w], sum[r][w]);
        }
    }
    LEAP_UNROLL
    for (int r = 0; r < rows; r++) {
        LEAP_UNROLL
        for (int w = 0; w < width; w++) vector_store(c + r * c_stride + w * VECTOR_LANES, sum[r][w]);
    }
}

/// All columns of a product: as many vectors at a time as possible.
VECTOR_INLINE void product_columns(const int rows, const int half, const float *a, int64_t a_stride, const char *b,
                                   int64_t b_stride, int from, int to, const float *carry, float *c, int64_t c_stride,
                                   int columns, const char *next) {
    const int element = half ? 2 : 4;
    int n = 0;
    for (; n + WIDTH * VECTOR_LANES <= columns; n += WIDTH * VECTOR_LANES) {
        product(rows, WIDTH, half, a, a_stride, b + n * element, b_stride, from, to, carry, c + n, c_stride,
                next + n * element);
    }
#if WIDTH * VECTOR_LANES > 32
    for (; n + 2 * VECTOR_LANES <= columns; n += 2 * VECTOR_LANES) {
        product(rows, 2, half, a, a_stride, b + n * element, b_stride, from, to, carry, c + n, c_stride,
                next + n * element);
    }
#endif
#if WIDTH * VECTOR_LANES > 16
    for (; n + VECTOR_LANES <= columns; n += VECTOR_LANES) {
        product(rows, 1, half, a, a_stride, b + n * element, b_stride, from, to, carry, c + n, c_stride,
                next + n * element);
    }
#endif
}

VECTOR_INLINE void product_rows(int rows, const int half, const float *a, int64_t a_stride, const char *b,
                                int64_t b_stride, int from, int to, const float *carry, float *c, int64_t c_stride,
                                int columns, const char *next) {
#define ROWS(count) \
    case count: \
        product_columns(count, half, a, a_stride, b, b_stride, from, to, carry, c, c_stride, columns, next); \
        break;
    switch (rows) {
        ROWS(1)
        ROWS(2)
        ROWS(3)
        ROWS(4)
        ROWS(5)
        ROWS(6)
    }
#undef ROWS
}

VECTOR_FUNCTION static void scores(int rows, const float *q, int64_t q_stride, const void *k, int kv_type, int dim,
                                   float *s, const char *next) {
    if (kv_type == LEAP_KV_F16) {
        product_rows(rows, 1, q, q_stride, k, LEAP_KV_PAGE, 0, dim, NULL, s, LEAP_KV_PAGE, LEAP_KV_PAGE, next);
    } else {
        product_rows(rows, 0, q, q_stride, k, LEAP_KV_PAGE, 0, dim, NULL, s, LEAP_KV_PAGE, LEAP_KV_PAGE, next);
    }
}

VECTOR_FUNCTION static void accumulate(int rows, const float *s, int from, int to, const void *v, int kv_type,
                                       int64_t v_stride, int dim, const float *shrink, float *o, int64_t o_stride,
                                       const char *next) {
    if (kv_type == LEAP_KV_F16) {
        product_rows(rows, 1, s, LEAP_KV_PAGE, v, v_stride, from, to, shrink, o, o_stride, dim, next);
    } else {
        product_rows(rows, 0, s, LEAP_KV_PAGE, v, v_stride, from, to, shrink, o, o_stride, dim, next);
    }
}

VECTOR_FUNCTION static float exponential(float x) {
    float lanes[VECTOR_LANES];
    vector_store(lanes, vector_exp(vector_set(x)));
    return lanes[0];
}

VECTOR_FUNCTION static void weigh(float *s, int from, int to, float softcap, leap_softmax_state *state, float *shrink) {
    if (softcap != 0) {
        const vector cap = vector_set(softcap);
        for (int p = 0; p < LEAP_KV_PAGE; p += VECTOR_LANES) {
            vector_store(s + p, vector_multiply(cap, vector_tanh(vector_divide(vector_load(s + p), cap))));
        }
    }
    for (int p = 0; p < from; p++) s[p] = -INFINITY;
    for (int p = to; p < LEAP_KV_PAGE; p++) s[p] = -INFINITY;
    vector largest = vector_load(s);
    for (int p = VECTOR_LANES; p < LEAP_KV_PAGE; p += VECTOR_LANES) largest = vector_at_least(largest, vector_load(s + p));
    const float tile_largest = vector_largest(largest), before = state->largest;
    const float now = tile_largest > before ? tile_largest : before;
    *shrink = now == before ? 1.0f : exponential(before - now);
    state->largest = now;
    // A row that has seen nothing yet keeps weights of 0.
    const vector origin = vector_set(now == -INFINITY ? 0.0f : now);
    const vector factor = vector_set(*shrink);
    for (int v = 0; v < LANE_VECTORS; v++) {
        vector weight[4];
        LEAP_UNROLL
        for (int i = 0; i < 4; i++) {
            float *at = s + i * LEAP_SOFTMAX_LANES + v * VECTOR_LANES;
            weight[i] = vector_exp(vector_subtract(vector_load(at), origin));
            vector_store(at, weight[i]);
        }
        float *lanes = state->sum + v * VECTOR_LANES;
        const vector tile = vector_add(vector_add(weight[0], weight[1]), vector_add(weight[2], weight[3]));
        vector_store(lanes, vector_fma(vector_load(lanes), factor, tile));
    }
}

VECTOR_FUNCTION static leap_softmax_part total(const leap_softmax_state *state) {
    vector lanes[LANE_VECTORS];
    for (int v = 0; v < LANE_VECTORS; v++) lanes[v] = vector_load(state->sum + v * VECTOR_LANES);
    return (leap_softmax_part){state->largest, vector_sum_16(lanes)};
}

VECTOR_FUNCTION static void merge(leap_softmax_part *into, float *sum, const leap_softmax_part *part, const float *o,
                                  int dim) {
    if (part->largest == -INFINITY) return;
    const float largest = into->largest > part->largest ? into->largest : part->largest;
    const vector old = vector_exp(vector_set(into->largest - largest));
    const vector new = vector_exp(vector_set(part->largest - largest));
    for (int i = 0; i < dim; i += VECTOR_LANES) {
        const vector kept = vector_multiply(vector_load(sum + i), old);
        vector_store(sum + i, vector_fma(vector_load(o + i), new, kept));
    }
    float lanes[VECTOR_LANES];
    vector_store(lanes, vector_fma(vector_set(part->total), new, vector_multiply(vector_set(into->total), old)));
    *into = (leap_softmax_part){largest, lanes[0]};
}

VECTOR_FUNCTION static void widen(const void *source, int kv_type, int rows, int columns, float *target,
                                  int64_t target_stride) {
    const int half = kv_type == LEAP_KV_F16, element = half ? 2 : 4;
    for (int r = 0; r < rows; r++) {
        const char *from = (const char *)source + (int64_t)r * columns * element;
        float *to = target + r * target_stride;
        int i = 0;
        for (; i + VECTOR_LANES <= columns; i += VECTOR_LANES) {
            vector_store(to + i, half ? vector_load_half(from + i * 2) : vector_load(from + i * 4));
        }
        if (i < columns) {
            const int rest = columns - i;
            const char *last = from + i * element;
            vector_store(to + i, half ? vector_load_half_first(last, rest) : vector_load_first(last, rest));
            i += VECTOR_LANES;
        }
        for (; i < target_stride; i += VECTOR_LANES) vector_store(to + i, vector_zero());
    }
}

static const leap_attention_kernels kernels = {ROWS_MAX, scores, weigh, accumulate, merge, total, widen};

static void attention(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                      int64_t count) {
    leap_attention_tiled(&kernels, pool, shape, queries, count);
}

VECTOR_INLINE void store_value(int half, char *target, vector value) {
    if (half) {
        vector_store_half(target, value);
    } else {
        vector_store(target, value);
    }
}

/// One head of values: its elements side by side.
VECTOR_INLINE void store_values(int half, const float *source, int dim, char *target) {
    int i = 0;
    for (; i + VECTOR_LANES <= dim; i += VECTOR_LANES) {
        store_value(half, target + i * (half ? 2 : 4), vector_load(source + i));
    }
    if (i == dim) return;
    const vector last = vector_load_first(source + i, dim - i);
    if (half) {
        vector_store_half_first(target + i * 2, last, dim - i);
    } else {
        vector_store_first(target + i * 4, last, dim - i);
    }
}

/// One head of keys: element i of the head at place i * LEAP_KV_PAGE.
VECTOR_INLINE void store_keys(int half, const float *source, int dim, char *target) {
    for (int i = 0; i < dim; i += VECTOR_LANES) {
        const int count = dim - i < VECTOR_LANES ? dim - i : VECTOR_LANES;
        const vector value = count < VECTOR_LANES ? vector_load_first(source + i, count) : vector_load(source + i);
        if (half) {
            uint16_t elements[VECTOR_LANES];
            vector_store_half(elements, value);
            for (int j = 0; j < count; j++) ((uint16_t *)target)[(int64_t)(i + j) * LEAP_KV_PAGE] = elements[j];
        } else {
            float elements[VECTOR_LANES];
            vector_store(elements, value);
            for (int j = 0; j < count; j++) ((float *)target)[(int64_t)(i + j) * LEAP_KV_PAGE] = elements[j];
        }
    }
}

VECTOR_FUNCTION static void kv_store(const leap_kv_store_args *args, int64_t begin, int64_t end) {
    const int half = args->kv_type == LEAP_KV_F16, element = half ? 2 : 4;
    const int64_t head_bytes = (int64_t)LEAP_KV_PAGE * args->head_dim * element;
    for (int64_t t = begin; t < end; t++) {
        const leap_kv_slot *slot = &args->slots[t];
        for (int h = 0; h < args->kv_heads; h++) {
            const float *k = args->k + t * args->k_stride + (int64_t)h * args->head_dim;
            const float *v = args->v + t * args->v_stride + (int64_t)h * args->head_dim;
            char *k_head = (char *)slot->k_page + h * head_bytes, *v_head = (char *)slot->v_page + h * head_bytes;
            store_keys(half, k, args->head_dim, k_head + (int64_t)slot->offset * element);
            store_values(half, v, args->head_dim, v_head + (int64_t)slot->offset * args->head_dim * element);
        }
    }
}

static void install_attention(leap_kernels *table) {
    table->attention = attention;
    table->kv_store = kv_store;
}
