// Kernels that add in one order: equal bits on every instruction set.
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void run_depthwise(leap_pool *pool, const float *x, const float *w, const float *bias, int taps, int64_t n, int64_t rows,
                          float *out) {
    // Over time, the middle tap on the row itself; beyond the ends there is nothing.
    const float **inputs = memory((size_t)(rows * taps) * sizeof *inputs);
    for (int64_t r = 0; r < rows; r++) {
        for (int tap = 0; tap < taps; tap++) {
            const int64_t source = r + tap - taps / 2;
            inputs[r * taps + tap] = source >= 0 && source < rows ? x + source * n : NULL;
        }
    }
    leap_depthwise(pool, inputs, taps, w, bias, n, rows, out, n);
    free(inputs);
}

static void check_depthwise(int taps, int64_t n, int64_t rows, int has_bias) {
    leap_pool *pool = leap_pool_create(2);
    const size_t bytes = (size_t)(rows * n) * sizeof(float);
    float *x = random_floats(rows * n, 4), *w = random_floats(taps * n, 1), *bias = random_floats(n, 1);
    float *expected = memory(bytes), *found = memory(bytes);
    leap_isa_select("scalar");
    run_depthwise(pool, x, w, has_bias ? bias : NULL, taps, n, rows, expected);
    leap_isa_select(isa);
    run_depthwise(pool, x, w, has_bias ? bias : NULL, taps, n, rows, found);
    check(memcmp(expected, found, bytes) == 0, "depthwise convolution, %d taps over %lld rows of %lld%s, equals scalar's", taps,
          (long long)rows, (long long)n, has_bias ? " with a bias" : "");
    free(x);
    free(w);
    free(bias);
    free(expected);
    free(found);
    leap_pool_destroy(pool);
}

static void check_low_rank(int64_t rank, int64_t n, int64_t rows) {
    leap_pool *pool = leap_pool_create(2);
    const int64_t panels = (n + LEAP_LOW_RANK_PANEL - 1) / LEAP_LOW_RANK_PANEL;
    const size_t bytes = (size_t)(rows * n) * sizeof(float);
    float *start = random_floats(rows * n, 4), *c = random_floats(rows * rank, 1);
    float *b = random_floats(panels * rank * LEAP_LOW_RANK_PANEL, 1);
    float *expected = memory(bytes), *found = memory(bytes);
    memcpy(expected, start, bytes);
    memcpy(found, start, bytes);
    leap_isa_select("scalar");
    leap_add_low_rank(pool, expected, n, c, rank, b, n, rows);
    leap_isa_select(isa);
    leap_add_low_rank(pool, found, n, c, rank, b, n, rows);
    check(memcmp(expected, found, bytes) == 0, "a product of rank %lld added to %lld rows of %lld equals scalar's",
          (long long)rank, (long long)rows, (long long)n);
    free(start);
    free(c);
    free(b);
    free(expected);
    free(found);
    leap_pool_destroy(pool);
}

/// Two runs of tokens, from zeros and in two calls.
static void run_recurrence(leap_pool *pool, const leap_recurrence_shape *shape, const float *x, const float *gates, int64_t tokens,
                           float *states, float *out) {
    const int64_t width = shape->value_heads * shape->value_dim, keys = shape->key_heads * shape->key_dim;
    for (int64_t first = 0; first < tokens; first += tokens / 2) {
        leap_recurrence_run runs[2];
        for (int r = 0; r < 2; r++) {
            const float *row = x + (r * tokens + first) * shape->stride;
            const int64_t gate = (r * tokens + first) * shape->value_heads;
            float *state = states + r * width * shape->key_dim;
            runs[r] = (leap_recurrence_run){.before = first > 0 ? state : NULL, .after = state, .q = row, .k = row + keys,
                                            .v = row + 2 * keys, .decay = gates + gate, .beta = gates + gate + 1,
                                            .skip = shape->is_corrected ? NULL : gates, .out = out + (r * tokens + first) * width,
                                            .count = tokens / 2};
        }
        leap_recurrence(pool, shape, runs, 2);
    }
}

static void check_recurrence(int key_heads, int value_heads, int key_dim, int value_dim, int is_corrected) {
    leap_pool *pool = leap_pool_create(2);
    const int64_t tokens = 8;
    const leap_recurrence_shape shape = {key_heads, value_heads, key_dim, value_dim, !is_corrected, is_corrected,
                                         2 * key_heads * key_dim + value_heads * value_dim};
    const int64_t states = 2 * value_heads * key_dim * value_dim, outs = 2 * tokens * value_heads * value_dim;
    float *x = random_floats(2 * tokens * shape.stride, 0.3f), *gates = random_floats(2 * tokens * value_heads + 1, 1);
    float *expected = memory((size_t)(states + outs) * sizeof(float)), *found = memory((size_t)(states + outs) * sizeof(float));
    leap_isa_select("scalar");
    run_recurrence(pool, &shape, x, gates, tokens, expected, expected + states);
    leap_isa_select(isa);
    run_recurrence(pool, &shape, x, gates, tokens, found, found + states);
    check(memcmp(expected, found, (size_t)(states + outs) * sizeof(float)) == 0, "a recurrence of %d heads with states of %d x %d%s equals scalar's",
          value_heads, key_dim, value_dim, is_corrected ? ", corrected," : "");
    free(x);
    free(gates);
    free(expected);
    free(found);
    leap_pool_destroy(pool);
}

void check_ordered_sums(void) {
    const int taps[] = {1, 3, 9, 25};
    for (int i = 0; i < 4; i++) {
        check_depthwise(taps[i], 5, 1, 1);
        check_depthwise(taps[i], 151, 40, 0);
        check_depthwise(taps[i], 512, 9, 1);
    }
    check_low_rank(1, 7, 1);
    check_low_rank(16, 151, 5);
    check_low_rank(64, 512, 3);
    check_recurrence(1, 2, 5, 5, 1);
    check_recurrence(2, 4, 23, 23, 1);
    check_recurrence(1, 3, 64, 64, 1);
    check_recurrence(2, 4, 16, 37, 0);
    check_recurrence(1, 3, 128, 64, 0);
}
