// Products with F32, F16 and BF16 weights: near the scalar kernels, and equal to themselves in every batch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/// Largest difference relative to what rounding could amount to: the sum of the products' magnitudes.
static double difference(const leap_matrix *w, const float *x, int64_t tokens, const float *a, const float *b) {
    double worst = 0;
    float *row = memory((size_t)w->cols * sizeof *row);
    for (int64_t r = 0; r < w->rows; r++) {
        leap_dequantize_row(w->type, (const char *)w->data + (size_t)r * w->row_bytes, row, w->cols);
        for (int64_t t = 0; t < tokens; t++) {
            double size = 1e-20;
            for (int64_t k = 0; k < w->cols; k++) size += fabs((double)row[k] * x[t * w->cols + k]);
            const double delta = fabs((double)a[t * w->rows + r] - b[t * w->rows + r]) / size;
            if (!(delta <= worst)) worst = delta;
        }
    }
    free(row);
    return worst;
}

static void check_product(int32_t type, int64_t rows, int64_t cols, int64_t tokens) {
    leap_pool *pool = leap_pool_create(2);
    const size_t row_bytes = leap_row_bytes(type, cols);
    const guarded block = guarded_memory((size_t)rows * row_bytes, 1);
    fill_weights(type, rows * cols, 0, block.data);
    const leap_matrix w = {block.data, type, rows, cols, row_bytes};
    float *x = random_floats(tokens * cols, 1);
    // Inputs that bfloat16 holds, because some instruction sets round to it and scalar does not.
    for (int64_t i = 0; type == LEAP_BF16 && i < tokens * cols; i++) {
        x[i] = (float)((int)(random_bits() % 256) - 128) * 0x1p-7f;
    }
    leap_isa_select("scalar");
    float *expected = product(pool, &w, x, tokens, NULL, tokens);
    leap_isa_select(isa);
    float *found = product(pool, &w, x, tokens, NULL, tokens);
    const double delta = difference(&w, x, tokens, expected, found);
    check(delta <= 2e-6, "%s %lld x %lld, %lld tokens: difference to scalar %.1e of the products' sum, bound 2e-06",
          leap_type_name(type), (long long)rows, (long long)cols, (long long)tokens, delta);
    free(expected);
    free(found);
    free(x);
    release(block);
    leap_pool_destroy(pool);
}

/// The same tokens in every batch size and with several numbers of threads: equal bits.
static void check_one_arithmetic(int32_t type, int64_t rows, int64_t cols) {
    enum { TOKENS = 130 };  // more than the kernels take at a time
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 19, 40, 49, TOKENS};
    const size_t row_bytes = leap_row_bytes(type, cols);
    const guarded block = guarded_memory((size_t)rows * row_bytes, 1);
    fill_weights(type, rows * cols, 0, block.data);
    const leap_matrix w = {block.data, type, rows, cols, row_bytes};
    float *x = random_floats(TOKENS * cols, 1);
    leap_pool *one = leap_pool_create(1);
    float *expected = product(one, &w, x, TOKENS, NULL, TOKENS);
    leap_pool_destroy(one);
    int differing = 0;
    for (int threads = 1; threads <= 3; threads++) {
        leap_pool *pool = leap_pool_create(threads);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (int64_t first = 0; first + sizes[i] <= TOKENS; first += sizes[i] * 5) {
                float *found = product(pool, &w, x + first * cols, sizes[i], NULL, sizes[i]);
                const size_t bytes = (size_t)(sizes[i] * rows) * sizeof *found;
                differing += memcmp(found, expected + first * rows, bytes) != 0;
                free(found);
            }
        }
        leap_pool_destroy(pool);
    }
    check(differing == 0, "%s %lld x %lld: %d batches differ among sizes 1...130 and threads 1...3", leap_type_name(type),
          (long long)rows, (long long)cols, differing);
    free(expected);
    free(x);
    release(block);
}

void check_float_products(void) {
    for (int i = 0; i < float_type_count; i++) {
        check_product(float_types[i], 70, 512, 1);
        check_product(float_types[i], 37, 768, 5);
        check_product(float_types[i], 133, 512, 31);
        check_product(float_types[i], 3, 45, 2);
        check_one_arithmetic(float_types[i], 67, 1077);
    }
}
