// Products with quantised weights: equal to the scalar kernels bit for bit, in every shape.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { THREAD_COUNTS = 4 };
static const int thread_counts[THREAD_COUNTS] = {1, 2, 3, 5};
static leap_pool *pools[THREAD_COUNTS];
static int next_pool;

/// Products take turns with the numbers of threads.
static leap_pool *some_pool(void) {
    const int i = next_pool++ % THREAD_COUNTS;
    if (!pools[i]) pools[i] = leap_pool_create(thread_counts[i]);
    return pools[i];
}

typedef struct {
    leap_matrix matrix;
    guarded block;
} weights;

/// Random weights that end where memory ends, at an even address with rows close together; or with slack one byte
/// before, with three bytes between the rows.
static weights random_weights(int32_t type, int64_t rows, int64_t cols, int unit, int slack) {
    const size_t bytes = leap_row_bytes(type, cols), row_bytes = bytes + (slack ? 3 : 0);
    const guarded block = guarded_memory((size_t)(rows - 1) * row_bytes + bytes, (size_t)slack);
    for (int64_t r = 0; r < rows; r++) {
        fill_weights(type, cols / leap_type_block_elements(type), unit, block.data + (size_t)r * row_bytes);
    }
    return (weights){{block.data, type, rows, cols, row_bytes}, block};
}

/// Whether the instruction set gives the scalar kernels' bits. unit: with inputs whose scales are 1.
static int equals_scalar(int32_t type, int64_t rows, int64_t cols, int64_t tokens, int unit, int slack) {
    const weights w = random_weights(type, rows, cols, unit, slack);
    float *x = random_floats(tokens * cols, 1);
    for (int64_t i = 0; unit && i < tokens * cols; i++) {
        // Whole numbers of the full range with a 127 in every block of 32.
        x[i] = i % 32 == 5 ? 127.0f : (float)((int)(random_bits() % 255) - 127);
    }
    leap_isa_select("scalar");
    float *expected = product(some_pool(), &w.matrix, x, tokens, NULL, tokens);
    leap_isa_select(isa);
    float *found = product(some_pool(), &w.matrix, x, tokens, NULL, tokens);
    const int equal = memcmp(expected, found, (size_t)(rows * tokens) * sizeof *found) == 0;
    if (!equal) {
        printf("     %s, %lld x %lld, %lld tokens, %s factors differs\n", leap_type_name(type), (long long)rows,
               (long long)cols, (long long)tokens, unit ? "unit" : "random");
    }
    free(expected);
    free(found);
    free(x);
    release(w.block);
    return equal;
}

static void check_shapes(int32_t type) {
    const int64_t block = leap_type_block_elements(type);
    static const int64_t rows[] = {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 67};
    enum { ROW_COUNTS = sizeof rows / sizeof rows[0] };
    int differing = 0, slack = 0;
    for (int i = 0; i < ROW_COUNTS; i++) {
        differing += !equals_scalar(type, rows[i], block, 1, 0, slack ^= 1);
        differing += !equals_scalar(type, rows[i], block * 2, 2, 0, slack ^= 1);
        differing += !equals_scalar(type, rows[i], block, 7, 0, slack ^= 1);
    }
    for (int64_t tokens = 1; tokens <= 17; tokens++) {
        differing += !equals_scalar(type, 37, block * 3, tokens, 0, slack ^= 1);
        differing += !equals_scalar(type, 12, block, tokens, 1, slack ^= 1);
    }
    // Several chunks of columns, and more tokens than share one opening of the weights.
    const int64_t wide = block == 32 ? 1056 : 1280;
    differing += !equals_scalar(type, 75, wide, 5, 0, 0);
    differing += !equals_scalar(type, 75, wide, 1, 0, 1);
    differing += !equals_scalar(type, 11, wide, 600, 0, 0);
    check(differing == 0,
          "%s equals scalar bit for bit: 1...67 rows (%d counts), %lld...%lld columns, 1...17 and 600 tokens, odd addresses, "
          "rows apart, memory's end, 1...5 threads: %d differ",
          leap_type_name(type), (int)ROW_COUNTS, (long long)block, (long long)wide, differing);
}

/// Where a block's scale or minimum is a number that all bits must not be set in.
static int in_scale(const leap_tensor_type *type, int at) {
    static const int bytes[] = {[LEAP_SCALE_HALF] = 2, [LEAP_SCALE_E8M0] = 1, [LEAP_SCALE_SPLIT_HALF] = 8};
    const int size = type->scale_format == LEAP_SCALE_NONE ? 0 : bytes[type->scale_format];
    return (at >= type->scale_at && at < type->scale_at + size) || (type->min_at >= 0 && at >= type->min_at && at < type->min_at + 2);
}

/// Codes and inputs that are the largest there are, so that sums in 16 bits are the largest there can be.
static void check_largest(int32_t type) {
    enum { ROWS = 40, TOKENS = 26 };
    static const uint8_t codes[] = {0x00, 0xff, 0x80, 0x7f, 0x0f, 0xf0, 0x88, 0x77};
    static const int8_t inputs[][4] = {{1, 1, 1, 1}, {-1, -1, -1, -1}, {1, 1, -1, -1}, {-1, -1, 1, 1}, {1, -1, 1, -1}, {1, 1, 0, 0}, {0, 0, -1, -1}};
    const int64_t cols = leap_type_block_elements(type) == 32 ? 96 : 512;
    const weights w = random_weights(type, ROWS, cols, 0, 1);
    const size_t bytes = leap_row_bytes(type, cols), block = leap_type_block_bytes(type);
    const leap_tensor_type *layout = leap_tensor_type_find(type);
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t i = 0; i < bytes; i++) {
            if (!in_scale(layout, (int)(i % block))) w.block.data[r * w.matrix.row_bytes + i] = (char)codes[r % sizeof codes];
        }
    }
    float *x = memory(TOKENS * (size_t)cols * sizeof *x);
    for (int64_t i = 0; i < TOKENS * cols; i++) x[i] = inputs[i / cols % 7][i % 4];
    leap_isa_select("scalar");
    float *expected = product(some_pool(), &w.matrix, x, TOKENS, NULL, TOKENS);
    leap_isa_select(isa);
    int differing = 0;
    for (int64_t tokens = 1; tokens <= TOKENS; tokens++) {
        float *found = product(some_pool(), &w.matrix, x, tokens, NULL, tokens);
        differing += memcmp(expected, found, (size_t)(ROWS * tokens) * sizeof *found) != 0;
        free(found);
    }
    check(differing == 0, "%s equals scalar with the largest codes and inputs: 1...%d tokens: %d differ", leap_type_name(type),
          (int)TOKENS, differing);
    free(expected);
    free(x);
    release(w.block);
}

/// The same tokens in every batch size, order and number of threads: equal bits.
static void check_one_arithmetic(int32_t type) {
    enum { TOKENS = 40, ROWS = 67 };
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 19, TOKENS};
    static const int32_t gather[] = {39, 0, 5, 5, 17, 38, 2, 1, 9};
    const int64_t cols = 3 * 256;
    const weights w = random_weights(type, ROWS, cols, 0, 1);
    float *x = random_floats(TOKENS * cols, 1);
    float *expected = product(some_pool(), &w.matrix, x, TOKENS, NULL, TOKENS);
    int differing = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int64_t first = 0; first + sizes[i] <= TOKENS; first += sizes[i] * 3) {
            float *found = product(some_pool(), &w.matrix, x + first * cols, sizes[i], NULL, sizes[i]);
            differing += memcmp(found, expected + first * ROWS, (size_t)(sizes[i] * ROWS) * sizeof *found) != 0;
            free(found);
        }
    }
    for (int64_t count = 1; count <= 9; count++) {
        float *found = product(some_pool(), &w.matrix, x, TOKENS, gather, count);
        for (int64_t t = 0; t < count; t++) {
            differing += memcmp(found + t * ROWS, expected + gather[t] * ROWS, ROWS * sizeof *found) != 0;
        }
        free(found);
    }
    check(differing == 0, "%s equals itself: batches of 1...40 tokens, gathered tokens, 1...5 threads: %d differ",
          leap_type_name(type), differing);
    free(expected);
    free(x);
    release(w.block);
}

/// Several products in one call, of several types and sizes.
static void check_several(void) {
    enum { JOBS = 4, TOKENS = 3, COLS = 512 };
    static const int64_t rows[JOBS] = {40, 3, 129, 64};
    static const int32_t types[JOBS] = {LEAP_Q4_K, LEAP_Q6_K, LEAP_Q4_0, LEAP_Q8_0};
    float *x = random_floats(TOKENS * COLS, 1), *expected[JOBS], *found[JOBS];
    weights w[JOBS];
    leap_matmul_job jobs[JOBS];
    void *act[JOBS];
    for (int i = 0; i < JOBS; i++) {
        w[i] = random_weights(types[i], rows[i], COLS, 0, 1);
        expected[i] = product(some_pool(), &w[i].matrix, x, TOKENS, NULL, TOKENS);
        found[i] = random_floats(TOKENS * rows[i], 1);
        const int kind = leap_activation_kind(types[i]);
        act[i] = memory(leap_activation_bytes(kind, COLS, TOKENS));
        leap_activation_prepare(some_pool(), kind, x, COLS, COLS, TOKENS, act[i]);
        jobs[i] = (leap_matmul_job){
            .w = w[i].matrix, .act = act[i], .tokens = TOKENS, .out = found[i], .out_stride = rows[i]};
    }
    leap_matmul(some_pool(), jobs, JOBS);
    int differing = 0;
    for (int i = 0; i < JOBS; i++) {
        differing += memcmp(expected[i], found[i], (size_t)(TOKENS * rows[i]) * sizeof *found[i]) != 0;
        free(expected[i]);
        free(found[i]);
        free(act[i]);
        release(w[i].block);
    }
    free(x);
    check(differing == 0, "%d products in one call equal those of %d calls: %d differ", (int)JOBS, (int)JOBS, differing);
}

/// NaNs of both kinds and signs, and infinities.
static float not_finite(int64_t i) {
    static const uint32_t bits[] = {0x7fc00000, 0xffc12345, 0x7f800001, 0xff9abcde, 0x7f800000, 0xff800000};
    float value;
    memcpy(&value, &bits[i % (int64_t)(sizeof bits / sizeof bits[0])], sizeof value);
    return value;
}

/// Tokens whose outputs are wrong after a product with one element of every third token replaced: not NaN where there
/// is such an element, or not the bits they were where there is none.
static int wrong_tokens(const weights *w, const float *clean, int64_t tokens, int64_t place) {
    const int64_t cols = w->matrix.cols, rows = w->matrix.rows;
    float *x = memory((size_t)(tokens * cols) * sizeof *x);
    memcpy(x, clean, (size_t)(tokens * cols) * sizeof *x);
    for (int64_t t = tokens / 2 % 3; t < tokens; t += 3) x[t * cols + (place + 7 * t) % cols] = not_finite(place + t);
    float *expected = product(some_pool(), &w->matrix, clean, tokens, NULL, tokens);
    float *found = product(some_pool(), &w->matrix, x, tokens, NULL, tokens);
    int wrong = 0;
    for (int64_t t = 0; t < tokens; t++) {
        if (t % 3 != tokens / 2 % 3) {
            wrong += memcmp(found + t * rows, expected + t * rows, (size_t)rows * sizeof *found) != 0;
            continue;
        }
        int numbers = 0;
        for (int64_t r = 0; r < rows; r++) numbers += !isnan(found[t * rows + r]);
        wrong += numbers > 0;
    }
    free(found);
    free(expected);
    free(x);
    return wrong;
}

/// What is not finite, at any place of an input: all outputs of its token are NaN, those of other tokens keep their
/// bits.
static void check_not_finite(int32_t type) {
    enum { TOKENS = 70, ROWS = 19 };
    static const int64_t batches[] = {2, 3, 5, 9, 17, TOKENS};
    const int64_t block = leap_type_block_elements(type), cols = block == 32 ? 96 : 512;
    // More rows than a register has lanes, fewer, and weights and factors that are zero.
    const weights w = random_weights(type, ROWS, cols, 0, 1), few = random_weights(type, 3, cols, 0, 0);
    const weights zero = random_weights(type, ROWS, cols, 0, 0);
    memset(zero.block.data, 0, (size_t)(ROWS - 1) * zero.matrix.row_bytes + leap_row_bytes(type, cols));
    float *x = random_floats(TOKENS * cols, 1);
    int wrong = 0;
    for (int64_t place = 0; place < cols; place++) {
        wrong += wrong_tokens(&w, x, 1, place);
        const int64_t tokens = batches[place % (int64_t)(sizeof batches / sizeof batches[0])];
        if (place % 5 == 0) wrong += wrong_tokens(&w, x, tokens, place);
        if (place % 7 == 0) wrong += wrong_tokens(&few, x, 1 + place % 4, place) + wrong_tokens(&zero, x, 1 + place % 4, place);
    }
    wrong += wrong_tokens(&zero, x, TOKENS, 11);
    check(wrong == 0,
          "%s: NaN and infinity at every place of %lld columns give NaN in all outputs of their token and nowhere else, "
          "1...%d tokens: %d wrong",
          leap_type_name(type), (long long)cols, (int)TOKENS, wrong);
    free(x);
    release(w.block);
    release(few.block);
    release(zero.block);
}

static void check_dequantize(int32_t type) {
    enum { COUNT = 512 };
    const weights w = random_weights(type, 1, COUNT, 0, 1);
    float expected[COUNT], found[COUNT];
    leap_isa_select("scalar");
    leap_dequantize_row(type, w.matrix.data, expected, COUNT);
    leap_isa_select(isa);
    leap_dequantize_row(type, w.matrix.data, found, COUNT);
    check(memcmp(expected, found, sizeof found) == 0, "%s expands as scalar does", leap_type_name(type));
    release(w.block);
}

void check_quantized_products(void) {
    leap_isa_select(isa);
    for (int i = 0; i < quantized_type_count; i++) {
        check_dequantize(quantized_types[i]);
        check_shapes(quantized_types[i]);
        check_largest(quantized_types[i]);
        check_one_arithmetic(quantized_types[i]);
        check_not_finite(quantized_types[i]);
    }
    // The scalar kernels are not among the instruction sets that are checked against them.
    leap_isa_select("scalar");
    for (int i = 0; i < quantized_type_count; i++) check_not_finite(quantized_types[i]);
    leap_isa_select(isa);
    check_several();
    for (int i = 0; i < THREAD_COUNTS; i++) {
        leap_pool_destroy(pools[i]);
        pools[i] = NULL;
    }
}
