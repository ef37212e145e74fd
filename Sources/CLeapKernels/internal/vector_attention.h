// Attention's tile kernels, written once for every instruction set: include after a vector_*.h vocabulary and after
// defining ROWS_MAX and WIDTH, the rows and vectors of accumulators that fit the registers (64 elements are a multiple
// of WIDTH vectors).
//
// Keys lie with positions side by side, values with their elements side by side, so scores and sums are the same loop:
// a row's scalars are broadcast, and no sum runs across lanes.
#include <math.h>
#include <string.h>

#include "attention.h"
#include "kv_page.h"
#include "vector_math.h"

#define LEAP_UNROLL _Pragma("clang loop unroll(full)")
#define LANE_VECTORS (LEAP_SOFTMAX_LANES / VECTOR_LANES)

/// Elements of the right side of a product.
enum { FLOATS, HALVES, CODES };

/// What scales do in a product: nothing; scale columns of the result (keys); or scale the left side, for each block of
/// columns (values).
enum { PLAIN, KEYS, VALUES };

VECTOR_OPERATION int element_bytes(const int element) { return element == FLOATS ? 4 : element == HALVES ? 2 : 1; }

/// The sides of a product.
typedef struct {
    const float *a;          ///< rows a_stride apart
    int64_t a_stride;
    int64_t a_block_stride;  ///< VALUES: from what is for one block of columns to what is for the next
    const char *b;           ///< rows b_stride elements apart
    int64_t b_stride;
    const char *next;        ///< what to prefetch, of the same shape as b
    const uint16_t *scales;  ///< KEYS: of the columns
    const float *carry;      ///< PLAIN and VALUES: what c[r] is multiplied with first; NULL: 0
    int adds;                ///< KEYS: the product is added to c
    float *c;
    int64_t c_stride;
} sides;

/// c[r][0 ..< width vectors] at a column = carry[r] c[r] + sum over k in from ..< to of a[r][k] b[k].
VECTOR_INLINE void product(const int rows, const int width, const int element, const int scaling, const sides *x,
                           int column, int from, int to) {
    vector sum[ROWS_MAX][WIDTH];
    float *c = x->c + column;
    LEAP_UNROLL
    for (int r = 0; r < rows; r++) {
        LEAP_UNROLL
        for (int w = 0; w < width; w++) {
            const float *at = c + r * x->c_stride + w * VECTOR_LANES;
            sum[r][w] = scaling != KEYS && x->carry ? vector_multiply(vector_set(x->carry[r]), vector_load(at))
                                                    : vector_zero();
        }
    }
    const int64_t row_bytes = x->b_stride * element_bytes(element);
    const int vector_bytes = VECTOR_LANES * element_bytes(element);
    const char *b = x->b + (int64_t)column * element_bytes(element), *next = x->next + (int64_t)column * element_bytes(element);
    // Vectors that do not start at a multiple of a block's columns do not reach beyond the block.
    const float *a = scaling == VALUES ? x->a + column / LEAP_KV_BLOCK * x->a_block_stride : x->a;
#ifdef VECTOR_RUNS
    for (int r = 0; element != CODES && r < rows; r++) {
        for (int w = 0; w < width; w++) {
            const int block = scaling == VALUES ? w * VECTOR_LANES / LEAP_KV_BLOCK : 0;
            const float *scalars = a + block * x->a_block_stride + r * x->a_stride + from;
            const char *rows_from = b + from * row_bytes + w * vector_bytes;
            sum[r][w] = element == FLOATS ? vector_run_scaled(scalars, 4, rows_from, row_bytes, to - from, sum[r][w])
                                          : vector_run_scaled_half(scalars, 4, rows_from, row_bytes, to - from, sum[r][w]);
        }
    }
    if (element != CODES) from = to;
#endif
    for (int k = from; k < to; k++) {
        const char *source = b + k * row_bytes, *fetch = next + k * row_bytes;
        LEAP_UNROLL
        for (int line = 0; line < width * vector_bytes; line += 64) vector_prefetch_far(fetch + line);
        vector row[WIDTH];
        LEAP_UNROLL
        for (int w = 0; w < width; w++) {
            if (element == FLOATS) row[w] = vector_load(source + w * vector_bytes);
            if (element == HALVES) row[w] = vector_load_half(source + w * vector_bytes);
            if (element == CODES && w % LANE_VECTORS == 0) vector_load_int8(source + w * vector_bytes, row + w);
        }
        LEAP_UNROLL
        for (int r = 0; r < rows; r++) {
            LEAP_UNROLL
            for (int w = 0; w < width; w++) {
                const int block = scaling == VALUES ? w * VECTOR_LANES / LEAP_KV_BLOCK : 0;
                const vector scalar = vector_set(a[block * x->a_block_stride + r * x->a_stride + k]);
                sum[r][w] = vector_fma(scalar, row[w], sum[r][w]);
            }
        }
    }
    LEAP_UNROLL
    for (int w = 0; w < width; w++) {
        const vector scale = scaling == KEYS ? vector_load_half(x->scales + column + w * VECTOR_LANES) : vector_zero();
        LEAP_UNROLL
        for (int r = 0; r < rows; r++) {
            float *at = c + r * x->c_stride + w * VECTOR_LANES;
            if (scaling == KEYS) sum[r][w] = vector_fma(scale, sum[r][w], x->adds ? vector_load(at) : vector_zero());
            vector_store(at, sum[r][w]);
        }
    }
}

/// All columns of a product: as many vectors at a time as possible.
VECTOR_INLINE void product_columns(const int rows, const int element, const int scaling, const sides *x, int from, int to,
                                   int columns) {
    int n = 0;
    for (; n + WIDTH * VECTOR_LANES <= columns; n += WIDTH * VECTOR_LANES) {
        product(rows, WIDTH, element, scaling, x, n, from, to);
    }
#if WIDTH * VECTOR_LANES > 32
    for (; n + 2 * VECTOR_LANES <= columns; n += 2 * VECTOR_LANES) product(rows, 2, element, scaling, x, n, from, to);
#endif
#if WIDTH * VECTOR_LANES > 16
    for (; n + VECTOR_LANES <= columns; n += VECTOR_LANES) product(rows, 1, element, scaling, x, n, from, to);
#endif
}

VECTOR_INLINE void product_rows(int rows, const int element, const int scaling, const sides *x, int from, int to,
                                int columns) {
#define ROWS(count) \
    case count: \
        product_columns(count, element, scaling, x, from, to, columns); \
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

VECTOR_FUNCTION static void scores(int rows, const float *q, int64_t q_stride, const void *k, int kv_type,
                                   const uint16_t *scales, int dim, float *s, const char *next) {
    sides x = {.a = q, .a_stride = q_stride, .b = k, .b_stride = LEAP_KV_PAGE, .next = next, .c = s, .c_stride = LEAP_KV_PAGE};
    if (!scales) {
        if (kv_type == LEAP_KV_F16) {
            product_rows(rows, HALVES, PLAIN, &x, 0, dim, LEAP_KV_PAGE);
        } else {
            product_rows(rows, FLOATS, PLAIN, &x, 0, dim, LEAP_KV_PAGE);
        }
        return;
    }
    for (int i = 0; i < dim; i += LEAP_KV_BLOCK) {
        const int stop = (int)leap_smaller(i + LEAP_KV_BLOCK, dim);
        x.scales = scales + i / LEAP_KV_BLOCK * LEAP_KV_PAGE;
        x.adds = i > 0;
        if (kv_type == LEAP_KV_Q8_0) {
            const uint16_t *then = leap_kv_scales(next, dim) + i / LEAP_KV_BLOCK * LEAP_KV_PAGE;
            for (int p = 0; p < LEAP_KV_PAGE; p += 32) vector_prefetch_far(then + p);
            product_rows(rows, CODES, KEYS, &x, i, stop, LEAP_KV_PAGE);
        } else {
            product_rows(rows, FLOATS, KEYS, &x, i, stop, LEAP_KV_PAGE);
        }
    }
}

VECTOR_FUNCTION static void accumulate(int rows, const float *s, int from, int to, const void *v, int kv_type,
                                       int64_t v_stride, const uint16_t *scales, int dim, const float *shrink, float *o,
                                       int64_t o_stride, const char *next) {
    sides x = {.a = s, .a_stride = LEAP_KV_PAGE, .b = v, .b_stride = v_stride, .next = next, .carry = shrink, .c = o,
               .c_stride = o_stride};
    if (!scales) {
        if (kv_type == LEAP_KV_F16) {
            product_rows(rows, HALVES, PLAIN, &x, from, to, dim);
        } else {
            product_rows(rows, FLOATS, PLAIN, &x, from, to, dim);
        }
        return;
    }
    float scaled[LEAP_KV_BLOCKS_MAX * ROWS_MAX * LEAP_KV_PAGE], *target = scaled;
    for (int block = 0; block < leap_kv_blocks(dim); block++, scales += LEAP_KV_PAGE) {
        vector scale[LEAP_KV_PAGE / VECTOR_LANES];
        for (int i = 0; i < LEAP_KV_PAGE / VECTOR_LANES; i++) scale[i] = vector_load_half(scales + i * VECTOR_LANES);
        for (int r = 0; r < rows; r++, target += LEAP_KV_PAGE) {
            const float *row = s + r * LEAP_KV_PAGE;
            for (int i = 0; i < LEAP_KV_PAGE / VECTOR_LANES; i++) {
                vector_store(target + i * VECTOR_LANES, vector_multiply(scale[i], vector_load(row + i * VECTOR_LANES)));
            }
        }
    }
    x.a = scaled;
    x.a_block_stride = (int64_t)rows * LEAP_KV_PAGE;
    if (kv_type == LEAP_KV_Q8_0) {
        const uint16_t *then = leap_kv_scales(next, dim);
        for (int i = 0; i < leap_kv_blocks(dim) * LEAP_KV_PAGE; i += 32) vector_prefetch_far(then + i);
        product_rows(rows, CODES, VALUES, &x, from, to, dim);
    } else {
        product_rows(rows, FLOATS, VALUES, &x, from, to, dim);
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

/// 16 elements to floats.
VECTOR_INLINE void widen_16(const int element, const char *source, float *target) {
    vector lanes[LANE_VECTORS];
    if (element == CODES) vector_load_int8(source, lanes);
    for (int j = 0; j < LANE_VECTORS; j++) {
        if (element == FLOATS) lanes[j] = vector_load(source + j * VECTOR_LANES * 4);
        if (element == HALVES) lanes[j] = vector_load_half(source + j * VECTOR_LANES * 2);
        vector_store(target + j * VECTOR_LANES, lanes[j]);
    }
}

/// `count` elements, and zeros up to a multiple of 16.
VECTOR_INLINE void widen_row(const int element, const char *source, int count, float *target) {
    int i = 0;
    for (; i + 16 <= count; i += 16) widen_16(element, source + i * element_bytes(element), target + i);
    if (i == count) return;
    char last[16 * 4] = {0};
    memcpy(last, source + i * element_bytes(element), (size_t)(count - i) * (size_t)element_bytes(element));
    widen_16(element, last, target + i);
}

VECTOR_FUNCTION static void widen(const void *source, int kv_type, int rows, int columns, float *target,
                                  int64_t target_stride) {
    const int64_t row_bytes = (int64_t)columns * leap_kv_element_bytes(kv_type);
    for (int r = 0; r < rows; r++, target += target_stride) {
        const char *row = (const char *)source + r * row_bytes;
        if (kv_type == LEAP_KV_F16) {
            widen_row(HALVES, row, columns, target);
        } else if (kv_type == LEAP_KV_Q8_0) {
            widen_row(CODES, row, columns, target);
        } else {
            widen_row(FLOATS, row, columns, target);
        }
    }
}

static const leap_attention_kernels kernels = {ROWS_MAX, scores, weigh, accumulate, merge, total, widen};

static void attention(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                      int64_t count) {
    leap_attention_tiled(&kernels, pool, shape, queries, count);
}

#include "vector_kv_store.h"

static void install_attention(leap_kernels *table) {
    table->attention = attention;
    table->kv_store = kv_store;
}
