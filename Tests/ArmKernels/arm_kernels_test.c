// Holds every instruction set of this machine against the scalar kernels, and against itself.
//
// Meant for cross-compiled NEON kernels under qemu-user (.ci/arm-kernels), but it runs anywhere:
//   clang -std=c11 -O2 -ISources/CLeapKernels/include Tests/ArmKernels/*.c Sources/CLeapKernels/*.c \
//         Sources/CLeapKernels/*/*.c -lpthread -lm -o kernels-test && ./kernels-test
// With LEAP_ISA set, only that instruction set is checked. One line per check, a closing "N passed, N failed" line, and
// exit status 1 if a check failed or the wanted instruction set is not there.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLeapKernels.h"

// MARK: Reporting

static int passed, failed;
static const char *isa;

static void check(int ok, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s %s: ", ok ? "pass" : "FAIL", isa);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    if (ok) {
        passed++;
    } else {
        failed++;
    }
}

// MARK: Data

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint32_t random_bits(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

/// Evenly spread in -1...1.
static float random_float(void) { return (float)(int32_t)random_bits() * 0x1p-31f; }

static void *memory(size_t bytes) {
    const size_t rounded = (bytes / LEAP_ALIGNMENT + 1) * LEAP_ALIGNMENT;
    void *result = aligned_alloc(LEAP_ALIGNMENT, rounded);
    if (!result) abort();
    memset(result, 0, rounded);
    return result;
}

static float *random_floats(int64_t count, float size) {
    float *result = memory((size_t)count * sizeof *result);
    for (int64_t i = 0; i < count; i++) result[i] = random_float() * size;
    return result;
}

static const int32_t types[] = {LEAP_F32,  LEAP_F16,  LEAP_BF16, LEAP_Q4_0, LEAP_Q4_1, LEAP_Q5_0,   LEAP_Q5_1,  LEAP_Q8_0,
                                LEAP_Q2_K, LEAP_Q3_K, LEAP_Q4_K, LEAP_Q5_K, LEAP_Q6_K, LEAP_IQ4_NL, LEAP_IQ4_XS};
#define TYPE_COUNT (sizeof types / sizeof types[0])

static int is_float_type(int32_t type) { return type == LEAP_F32 || type == LEAP_F16 || type == LEAP_BF16; }

/// Where a block keeps its half-precision factors; -1: nowhere.
static void factor_offsets(int32_t type, int offsets[2]) {
    const int size = (int)leap_type_block_bytes(type);
    offsets[0] = 0;
    offsets[1] = -1;
    switch (type) {
    case LEAP_Q4_1: case LEAP_Q5_1: case LEAP_Q4_K: case LEAP_Q5_K: offsets[1] = 2; break;
    case LEAP_Q2_K: offsets[0] = size - 4; offsets[1] = size - 2; break;
    case LEAP_Q3_K: case LEAP_Q6_K: offsets[0] = size - 2; break;
    default: break;
    }
}

/// Random weights of a type. exact: factors are 1, so that products with whole inputs are whole numbers.
static void *random_weights(int32_t type, int64_t count, int exact) {
    const int64_t blocks = count / leap_type_block_elements(type);
    const size_t block_bytes = leap_type_block_bytes(type);
    char *data = memory((size_t)blocks * block_bytes);
    for (int64_t b = 0; b < blocks; b++) {
        char *block = data + (size_t)b * block_bytes;
        const float value = exact ? (float)((int)(random_bits() % 17) - 8) : random_float();
        const uint32_t bits = ((union { float f; uint32_t u; }){value}).u;
        const uint16_t high = (uint16_t)(bits >> 16);
        if (type == LEAP_F32) {
            memcpy(block, &bits, 4);
        } else if (type == LEAP_BF16) {
            memcpy(block, &high, 2);
        } else if (type == LEAP_F16) {
            // Sign, an exponent of 2^-2...2^1, any mantissa; or -4...4 in halves.
            uint16_t half = (uint16_t)((random_bits() & 0x83ff) | (13 + random_bits() % 4) << 10);
            if (exact) half &= 0xfe00;
            memcpy(block, &half, 2);
        } else {
            for (size_t i = 0; i < block_bytes; i++) block[i] = (char)random_bits();
            int offsets[2];
            factor_offsets(type, offsets);
            for (int i = 0; i < 2; i++) {
                const uint16_t one = 0x3c00, some = (uint16_t)(0x2000 | (random_bits() & 0x83ff));
                if (offsets[i] >= 0) memcpy(block + offsets[i], exact ? &one : &some, 2);
            }
        }
    }
    return data;
}

// MARK: Matrix products

/// out[tokens][rows] of one product, with activations prepared here.
static float *product(leap_pool *pool, const leap_matrix *w, const float *x, int64_t tokens) {
    const int kind = leap_activation_kind(w->type);
    void *act = memory(leap_activation_bytes(kind, w->cols, tokens));
    float *out = random_floats(tokens * w->rows, 1);
    leap_activation_prepare(pool, kind, x, w->cols, w->cols, tokens, act);
    const leap_matmul_job job = {.w = *w, .act = act, .tokens = tokens, .out = out, .out_stride = w->rows};
    leap_matmul(pool, &job, 1);
    free(act);
    return out;
}

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

static void check_product(int32_t type, int64_t rows, int64_t cols, int64_t tokens, int exact) {
    leap_pool *pool = leap_pool_create(2);
    void *data = random_weights(type, rows * cols, exact);
    const leap_matrix w = {data, type, rows, cols, leap_row_bytes(type, cols)};
    float *x = random_floats(tokens * cols, 1);
    for (int64_t i = 0; exact && i < tokens * cols; i++) {
        // Small whole numbers with a 127 in every block of 32: the activations' scales are 1.
        x[i] = i % 32 == 5 ? 127.0f : (float)((int)(random_bits() % 15) - 7);
    }
    // Inputs that bfloat16 holds, because some instruction sets round to it and scalar does not.
    for (int64_t i = 0; type == LEAP_BF16 && i < tokens * cols; i++) {
        x[i] = (float)((int)(random_bits() % 256) - 128) * 0x1p-7f;
    }
    leap_isa_select("scalar");
    float *expected = product(pool, &w, x, tokens);
    leap_isa_select(isa);
    float *found = product(pool, &w, x, tokens);
    if (exact) {
        check(memcmp(expected, found, (size_t)(rows * tokens) * sizeof *found) == 0,
              "%s integer parts are exact, %lld x %lld, %lld tokens", leap_type_name(type), (long long)rows,
              (long long)cols, (long long)tokens);
    } else {
        const double delta = difference(&w, x, tokens, expected, found);
        check(delta <= 2e-6, "%s %lld x %lld, %lld tokens: difference to scalar %.1e of the products' sum, bound 2e-06",
              leap_type_name(type), (long long)rows, (long long)cols, (long long)tokens, delta);
    }
    free(expected);
    free(found);
    free(x);
    free(data);
    leap_pool_destroy(pool);
}

/// The same tokens in every batch size and with several numbers of threads: equal bits.
static void check_one_arithmetic(int32_t type, int64_t rows, int64_t cols) {
    enum { TOKENS = 40 };
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, 19, TOKENS};
    void *data = random_weights(type, rows * cols, 0);
    const leap_matrix w = {data, type, rows, cols, leap_row_bytes(type, cols)};
    float *x = random_floats(TOKENS * cols, 1);
    leap_pool *one = leap_pool_create(1);
    float *expected = product(one, &w, x, TOKENS);
    leap_pool_destroy(one);
    int differing = 0;
    for (int threads = 1; threads <= 3; threads++) {
        leap_pool *pool = leap_pool_create(threads);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (int64_t first = 0; first + sizes[i] <= TOKENS; first += sizes[i] * 3) {
                float *found = product(pool, &w, x + first * cols, sizes[i]);
                const size_t bytes = (size_t)(sizes[i] * rows) * sizeof *found;
                differing += memcmp(found, expected + first * rows, bytes) != 0;
                free(found);
            }
        }
        leap_pool_destroy(pool);
    }
    check(differing == 0, "%s %lld x %lld: %d batches differ among sizes 1...40 and threads 1...3", leap_type_name(type),
          (long long)rows, (long long)cols, differing);
    free(expected);
    free(x);
    free(data);
}

/// Prepared activations are equal bytes on every instruction set.
static void check_prepare(int kind, int64_t cols) {
    leap_pool *pool = leap_pool_create(1);
    const size_t bytes = leap_activation_bytes(kind, cols, 3);
    float *x = random_floats(3 * cols, 10);
    memset(x, 0, 32 * sizeof *x);
    x[cols] = 127.5f;
    char *expected = memory(bytes), *found = memory(bytes);
    leap_isa_select("scalar");
    leap_activation_prepare(pool, kind, x, cols, cols, 3, expected);
    leap_isa_select(isa);
    leap_activation_prepare(pool, kind, x, cols, cols, 3, found);
    check(memcmp(expected, found, bytes) == 0, "activations of kind %d, %lld columns, equal scalar's", kind,
          (long long)cols);
    free(expected);
    free(found);
    free(x);
    leap_pool_destroy(pool);
}

static void check_dequantize(int32_t type) {
    enum { COUNT = 512 };
    void *data = random_weights(type, COUNT, 0);
    float expected[COUNT], found[COUNT];
    leap_isa_select("scalar");
    leap_dequantize_row(type, data, expected, COUNT);
    leap_isa_select(isa);
    leap_dequantize_row(type, data, found, COUNT);
    check(memcmp(expected, found, sizeof found) == 0, "%s expands as scalar does", leap_type_name(type));
    free(data);
}

// MARK: Rows

static double largest_difference(const float *a, const float *b, int64_t count, double floor_size) {
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double delta = fabs((double)a[i] - b[i]) / (fabs((double)a[i]) + floor_size);
        if (!(delta <= worst)) worst = delta;
    }
    return worst;
}

enum { RMS_NORM, RMS_NORM_PLAIN, SWIGLU, GEGLU, ADD, ADD_SCALED, SCALE, SOFTCAP, ROPE, ROPE_PAIRS, CONV, ROW_KERNELS };
static const char *const row_names[] = {"rms norm", "rms norm without weights", "swiglu", "geglu", "add", "add scaled",
                                        "scale", "softcap", "rope", "rope of pairs", "short convolution"};

/// Runs a row kernel over rows of n (even, for the ropes) into out, of 3 x rows x n floats.
static void run_rows(int kernel, leap_pool *pool, const float *x, const float *y, int64_t n, int64_t rows, float *out) {
    memcpy(out, x, (size_t)(rows * n) * sizeof *out);
    switch (kernel) {
    case RMS_NORM: leap_rms_norm(pool, x, n, y, 1e-5f, n, rows, out, n); break;
    case RMS_NORM_PLAIN: leap_rms_norm(pool, x, n, NULL, 1e-5f, n, rows, out, n); break;
    case SWIGLU: leap_swiglu(pool, x, n, y, n, n, rows, out, n); break;
    case GEGLU: leap_geglu(pool, x, n, y, n, n, rows, out, n); break;
    case ADD: leap_add(pool, x, n, y, n, n, rows, out, n); break;
    case ADD_SCALED: leap_add_scaled(pool, x, n, y, n, y, n, rows, out, n); break;
    case SCALE: leap_scale(pool, out, n, 0.7f, n, rows); break;
    case SOFTCAP: leap_softcap(pool, out, n, 3.0f, n, rows); break;
    case ROPE: case ROPE_PAIRS: {
        const int dims = (int)(n / 4 * 2);
        float *frequencies = memory((size_t)dims * sizeof(float)), *table = memory((size_t)(rows * dims) * sizeof(float));
        int32_t *positions = memory((size_t)rows * sizeof *positions);
        for (int64_t r = 0; r < rows; r++) positions[r] = (int32_t)(r * 37);
        for (int i = 0; i < dims / 2; i++) frequencies[i] = 1.0f / (float)(1 + i * i);
        leap_rope_table(positions, rows, frequencies, dims, 1.1f, table);
        leap_rope(pool, out, n, rows, 1, (int)n, dims, table, kernel == ROPE_PAIRS);
        free(frequencies);
        free(table);
        free(positions);
        break;
    }
    case CONV: {
        // Each row is one token's B, C and x, of n / 3 channels.
        const int64_t channels = n / 3;
        const int taps = 3;
        leap_conv_token *tokens = memory((size_t)rows * sizeof *tokens);
        float *state = out + rows * n, *weights = memory((size_t)(channels * taps) * sizeof *weights);
        for (int64_t i = 0; i < channels * taps; i++) weights[i] = y[i % n] * 0.5f;
        for (int64_t r = 0; r < rows; r++) {
            tokens[r] = (leap_conv_token){.bcx = x + r * n, .state = state + r * channels, .out = out + r * channels};
            for (int back = 1; back < taps && back <= r; back++) tokens[r].previous[back - 1] = state + (r - back) * channels;
        }
        leap_short_conv(pool, weights, taps, channels, tokens, rows);
        free(weights);
        free(tokens);
        break;
    }
    }
}

static void check_rows(int kernel, int64_t n, int64_t rows, float size) {
    leap_pool *pool = leap_pool_create(2);
    float *x = random_floats(rows * n, size), *y = random_floats(rows * n, 2);
    const int64_t count = rows * n, total = 2 * count;
    float *expected = memory((size_t)total * sizeof(float)), *found = memory((size_t)total * sizeof(float));
    leap_isa_select("scalar");
    run_rows(kernel, pool, x, y, n, rows, expected);
    leap_isa_select(isa);
    run_rows(kernel, pool, x, y, n, rows, found);
    const double delta = largest_difference(expected, found, total, 1e-6);
    check(delta <= 2e-6, "%s, %lld rows of %lld: largest relative difference to scalar %.1e, bound 2e-06",
          row_names[kernel], (long long)rows, (long long)n, delta);
    free(x);
    free(y);
    free(expected);
    free(found);
    leap_pool_destroy(pool);
}

// MARK: Attention

typedef struct {
    int q_heads, kv_heads, head_dim, kv_type;
    int64_t window;
    float softcap;
    int64_t depth;
} attention_case;

typedef struct {
    void **k, **v;
    int64_t pages;
} cache;

static cache make_cache(leap_pool *pool, const attention_case *c, const float *k, const float *v) {
    cache result = {.pages = (c->depth + LEAP_KV_PAGE - 1) / LEAP_KV_PAGE};
    const size_t bytes = leap_kv_page_bytes(c->kv_type, c->kv_heads, c->head_dim);
    result.k = memory((size_t)result.pages * sizeof(void *));
    result.v = memory((size_t)result.pages * sizeof(void *));
    for (int64_t i = 0; i < result.pages; i++) {
        result.k[i] = memory(bytes);
        result.v[i] = memory(bytes);
        // What is not written must not matter.
        memset(result.k[i], 0xff, bytes);
        memset(result.v[i], 0xff, bytes);
    }
    leap_kv_slot *slots = memory((size_t)c->depth * sizeof *slots);
    for (int64_t i = 0; i < c->depth; i++) {
        slots[i] = (leap_kv_slot){result.k[i / LEAP_KV_PAGE], result.v[i / LEAP_KV_PAGE], (int32_t)(i % LEAP_KV_PAGE)};
    }
    const int64_t n = (int64_t)c->kv_heads * c->head_dim;
    leap_kv_store(pool, c->kv_type, c->kv_heads, c->head_dim, k, n, v, n, slots, c->depth);
    free(slots);
    return result;
}

static void free_cache(cache c) {
    for (int64_t i = 0; i < c.pages; i++) {
        free(c.k[i]);
        free(c.v[i]);
    }
    free(c.k);
    free(c.v);
}

/// Attention of the last `count` positions, `step` of them per call.
static float *attend(const attention_case *c, int threads, const float *q, const float *k, const float *v, int64_t count,
                     int64_t step) {
    leap_pool *pool = leap_pool_create(threads);
    const cache pages = make_cache(pool, c, k, v);
    const int64_t n = (int64_t)c->q_heads * c->head_dim;
    float *out = memory((size_t)(count * n) * sizeof *out);
    leap_attention_query *queries = memory((size_t)count * sizeof *queries);
    for (int64_t i = 0; i < count; i++) {
        queries[i] = (leap_attention_query){(const void *const *)pages.k, (const void *const *)pages.v,
                                            c->depth - count + i, q + i * n, out + i * n};
    }
    const leap_attention_shape shape = {c->q_heads, c->kv_heads, c->head_dim, c->kv_type,
                                        1.0f / sqrtf((float)c->head_dim), c->softcap, c->window};
    for (int64_t i = 0; i < count; i += step) {
        leap_attention(pool, &shape, queries + i, count - i < step ? count - i : step);
    }
    free(queries);
    free_cache(pages);
    leap_pool_destroy(pool);
    return out;
}

static void check_attention(attention_case c) {
    const int64_t count = c.depth < 70 ? c.depth : 70;
    const int64_t n = (int64_t)c.kv_heads * c.head_dim;
    float *q = random_floats(count * c.q_heads * c.head_dim, 3), *k = random_floats(c.depth * n, 3);
    float *v = random_floats(c.depth * n, 1);
    const int64_t total = count * c.q_heads * c.head_dim;
    leap_isa_select("scalar");
    float *expected = attend(&c, 2, q, k, v, count, count);
    leap_isa_select(isa);
    float *found = attend(&c, 2, q, k, v, count, count);
    const double delta = largest_difference(expected, found, total, 1);
    int differing = 0;
    static const int64_t steps[] = {1, 3, 64};
    for (int threads = 1; threads <= 5; threads += 2) {
        for (int i = 0; i < 3; i++) {
            float *other = attend(&c, threads, q, k, v, count, steps[i]);
            differing += memcmp(found, other, (size_t)total * sizeof *other) != 0;
            free(other);
        }
    }
    check(delta <= 3e-6 && differing == 0,
          "attention of %d/%d heads of %d, %s, depth %lld, window %lld, softcap %g: difference to scalar %.1e, bound 3e-06; "
          "%d of 9 combinations of batches and threads differ",
          c.q_heads, c.kv_heads, c.head_dim, c.kv_type == LEAP_KV_F16 ? "f16" : "f32", (long long)c.depth,
          (long long)c.window, (double)c.softcap, delta, differing);
    free(q);
    free(k);
    free(v);
    free(expected);
    free(found);
}

// MARK: All of it

static void check_isa(void) {
    for (int kind = LEAP_ACTIVATION_F32; kind <= LEAP_ACTIVATION_Q8_256; kind++) {
        check_prepare(kind, 512);
        check_prepare(kind, 2304);
    }
    check_prepare(LEAP_ACTIVATION_F32, 37);
    check_prepare(LEAP_ACTIVATION_BF16, 51);
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        check_dequantize(types[i]);
        const int64_t block = leap_type_block_elements(types[i]);
        for (int exact = 0; exact < 2; exact++) {
            if (exact && is_float_type(types[i])) continue;
            check_product(types[i], 70, 512, 1, exact);
            check_product(types[i], 37, 768, 5, exact);
            check_product(types[i], 133, 512, 31, exact);
            check_product(types[i], 3, block == 1 ? 45 : block * 3, 2, exact);
        }
        check_one_arithmetic(types[i], 67, block == 1 ? 1077 : 512);
    }
    for (int kernel = 0; kernel < ROW_KERNELS; kernel++) {
        check_rows(kernel, 96, 300, 4);
        check_rows(kernel, 66, 5, 20);
        check_rows(kernel, 6, 1, 90);
        check_rows(kernel, 3072, 3, 4);
    }
    for (int kv_type = LEAP_KV_F32; kv_type <= LEAP_KV_F16; kv_type++) {
        check_attention((attention_case){8, 2, 64, kv_type, 0, 0, 150});
        check_attention((attention_case){4, 4, 80, kv_type, 0, 0, 97});
        check_attention((attention_case){6, 1, 40, kv_type, 50, 0, 200});
        check_attention((attention_case){7, 1, 128, kv_type, 0, 20, 64});
        check_attention((attention_case){2, 2, 5, kv_type, 0, 0, 1});
        check_attention((attention_case){3, 1, 33, kv_type, 600, 0, 1400});
        check_attention((attention_case){2, 1, 256, kv_type, 0, 30, 1100});
    }
}

int main(void) {
    const char *wanted = getenv("LEAP_ISA");
    int found = 0;
    for (int i = 0; leap_isa_at(i); i++) {
        isa = leap_isa_at(i);
        if (wanted ? strcmp(isa, wanted) != 0 : strcmp(isa, "scalar") == 0) continue;
        found = 1;
        check_isa();
    }
    if (wanted && !found) printf("FAIL: %s is not supported on this machine\n", wanted);
    printf("%d passed, %d failed\n", passed, failed + !found);
    return failed > 0 || !found;
}
