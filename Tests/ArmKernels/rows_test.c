// Row-wise kernels: near the scalar ones.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static double largest_difference(const float *a, const float *b, int64_t count, double floor_size) {
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double delta = fabs((double)a[i] - b[i]) / (fabs((double)a[i]) + floor_size);
        if (!(delta <= worst)) worst = delta;
    }
    return worst;
}

enum { RMS_NORM, RMS_NORM_PLAIN, LAYER_NORM, GELU, GELU_TANH, SILU, RELU, RELU_SQUARED, SWIGLU, GEGLU, GEGLU_EXACT, SWIGLU_CLAMPED, GLU, GATE, SOFTMAX, GAUSSIAN_TOPK, LOG_SUM_EXP,
       ADD, ADD_SCALED, SCALE, SOFTCAP, ROPE, ROPE_PAIRS, CONV, ROW_KERNELS };
static const char *const row_names[] = {"rms norm", "rms norm without weights", "layer norm", "gelu",
                                        "gelu in its tanh form", "silu", "relu", "squared relu", "swiglu", "geglu", "geglu by its definition", "clamped swiglu", "glu", "gate", "softmax", "gaussian top-k",
                                        "log sum exp", "add", "add scaled", "scale", "softcap",
                                        "rope", "rope of pairs", "short convolution"};

/// Runs a row kernel over rows of n (even, for the ropes) into out, of 3 x rows x n floats.
static void run_rows(int kernel, leap_pool *pool, const float *x, const float *y, int64_t n, int64_t rows, float *out) {
    memcpy(out, x, (size_t)(rows * n) * sizeof *out);
    switch (kernel) {
    case RMS_NORM: leap_rms_norm(pool, x, n, y, 1e-5f, n, rows, out, n); break;
    case RMS_NORM_PLAIN: leap_rms_norm(pool, x, n, NULL, 1e-5f, n, rows, out, n); break;
    case LAYER_NORM: leap_layer_norm(pool, x, n, y, y, 1e-5f, n, rows, out, n); break;
    case GELU: leap_gelu(pool, out, n, n, rows); break;
    case GELU_TANH: leap_gelu_tanh(pool, out, n, n, rows); break;
    case SILU: leap_silu(pool, out, n, n, rows); break;
    case RELU: leap_relu(pool, out, n, n, rows); break;
    case RELU_SQUARED: leap_relu_squared(pool, out, n, n, rows); break;
    case SWIGLU: leap_swiglu(pool, x, n, y, n, n, rows, out, n); break;
    case GEGLU: leap_geglu(pool, x, n, y, n, n, rows, out, n); break;
    case GEGLU_EXACT: leap_geglu_exact(pool, x, n, y, n, n, rows, out, n); break;
    case SWIGLU_CLAMPED: leap_swiglu_clamped(pool, x, n, y, n, 1.5f, n, rows, out, n); break;
    case GLU: leap_glu(pool, x, n, y, n, n, rows, out, n); break;
    case GATE: leap_gate(pool, x, n, y, n, rows, out, n); break;
    case SOFTMAX: leap_softmax(pool, out, n, 0.3f, n, rows); break;
    case GAUSSIAN_TOPK: leap_gaussian_topk(pool, out, n, 0.5f, n, rows); break;
    case LOG_SUM_EXP: leap_log_sum_exp(pool, x, n, n, rows, out); break;
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
        leap_rope_table(positions, 1, NULL, rows, frequencies, dims, 1.1f, table);
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

/// What is not a number stays so, wherever in a register it stands.
static void check_relu_of_nan(void) {
    enum { COUNT = 37 };
    leap_pool *pool = leap_pool_create(1);
    int ok = 1;
    leap_isa_select(isa);
    for (int place = 0; place < COUNT; place++) {
        float x[COUNT];
        for (int i = 0; i < COUNT; i++) x[i] = i == place ? NAN : (float)(i % 3 - 1);
        leap_relu(pool, x, COUNT, COUNT, 1);
        for (int i = 0; i < COUNT; i++) ok &= i == place ? isnan(x[i]) != 0 : x[i] == (i % 3 == 2 ? 1.0f : 0.0f);
    }
    check(ok, "relu, a row of %d with one that is not a number: it stays", (int)COUNT);
    leap_pool_destroy(pool);
}

void check_row_kernels(void) {
    check_relu_of_nan();
    for (int kernel = 0; kernel < ROW_KERNELS; kernel++) {
        check_rows(kernel, 96, 300, 4);
        check_rows(kernel, 66, 5, 20);
        check_rows(kernel, 6, 1, 90);
        check_rows(kernel, 3072, 3, 4);
    }
}
