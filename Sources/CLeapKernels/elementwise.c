// The row-wise functions: each splits its rows over the pool and calls the kernel of the instruction set in use.
#include "internal/kernels.h"

#include <math.h>

/// Elements below which a call is not worth waking other threads for.
#define INLINE_ELEMENTS 16384
/// Elements a thread takes at a time.
#define PIECE_ELEMENTS 8192

typedef struct {
    leap_rows_kernel *kernel;
    leap_rows_args args;
} rows_call;

static void rows_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const rows_call *call = context;
    call->kernel(&call->args, begin, end);
}

static void run_rows(leap_pool *pool, rows_call *call, int64_t rows) {
    const int64_t n = call->args.n;
    if (rows <= 0 || n <= 0) return;
    if (rows * n <= INLINE_ELEMENTS) {
        call->kernel(&call->args, 0, rows);
    } else {
        leap_pool_run(pool, rows, PIECE_ELEMENTS / n, rows_piece, call);
    }
}

void leap_rms_norm(leap_pool *pool, const float *x, int64_t x_stride, const float *w, float eps, int64_t n,
                   int64_t rows, float *out, int64_t out_stride) {
    rows_call call = {leap_kernels_current()->rms_norm,
                      {.x = x, .x_stride = x_stride, .w = w, .parameter = eps, .n = n, .out = out,
                       .out_stride = out_stride}};
    run_rows(pool, &call, rows);
}

void leap_layer_norm(leap_pool *pool, const float *x, int64_t x_stride, const float *w, const float *b, float eps,
                     int64_t n, int64_t rows, float *out, int64_t out_stride) {
    rows_call call = {leap_kernels_current()->layer_norm,
                      {.x = x, .x_stride = x_stride, .y = b, .w = w, .parameter = eps, .n = n, .out = out,
                       .out_stride = out_stride}};
    run_rows(pool, &call, rows);
}

void leap_log_sum_exp(leap_pool *pool, const float *x, int64_t x_stride, int64_t n, int64_t rows, float *out) {
    rows_call call = {leap_kernels_current()->log_sum_exp,
                      {.x = x, .x_stride = x_stride, .n = n, .out = out, .out_stride = 1}};
    run_rows(pool, &call, rows);
}

static void two_inputs(leap_pool *pool, leap_rows_kernel *kernel, const float *x, int64_t x_stride, const float *y,
                       int64_t y_stride, const float *w, int64_t n, int64_t rows, float *out, int64_t out_stride) {
    rows_call call = {kernel,
                      {.x = x, .x_stride = x_stride, .y = y, .y_stride = y_stride, .w = w, .n = n, .out = out,
                       .out_stride = out_stride}};
    run_rows(pool, &call, rows);
}

void leap_swiglu(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                 int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->swiglu, gate, gate_stride, up, up_stride, NULL, n, rows, out, out_stride);
}

void leap_geglu(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->geglu, gate, gate_stride, up, up_stride, NULL, n, rows, out, out_stride);
}

void leap_swiglu_clamped(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride,
                         float limit, int64_t n, int64_t rows, float *out, int64_t out_stride) {
    rows_call call = {leap_kernels_current()->swiglu_clamped,
                      {.x = gate, .x_stride = gate_stride, .y = up, .y_stride = up_stride, .parameter = limit, .n = n,
                       .out = out, .out_stride = out_stride}};
    run_rows(pool, &call, rows);
}

void leap_geglu_exact(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                      int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->geglu_exact, gate, gate_stride, up, up_stride, NULL, n, rows, out, out_stride);
}

void leap_glu(leap_pool *pool, const float *a, int64_t a_stride, const float *gate, int64_t gate_stride, int64_t n,
              int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->glu, a, a_stride, gate, gate_stride, NULL, n, rows, out, out_stride);
}

void leap_gate(leap_pool *pool, const float *x, int64_t x_stride, const float *gate, int64_t n, int64_t rows,
               float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->gate, x, x_stride, x, x_stride, gate, n, rows, out, out_stride);
}

void leap_add(leap_pool *pool, const float *a, int64_t a_stride, const float *b, int64_t b_stride, int64_t n,
              int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->add, a, a_stride, b, b_stride, NULL, n, rows, out, out_stride);
}

void leap_add_scaled(leap_pool *pool, const float *a, int64_t a_stride, const float *b, int64_t b_stride,
                     const float *factor, int64_t n, int64_t rows, float *out, int64_t out_stride) {
    two_inputs(pool, leap_kernels_current()->add_scaled, a, a_stride, b, b_stride, factor, n, rows, out, out_stride);
}

typedef struct {
    const leap_kernels *kernels;
    leap_low_rank_args args;
} low_rank_call;

static void low_rank_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const low_rank_call *call = context;
    call->kernels->add_low_rank(&call->args, begin, end);
}

void leap_add_low_rank(leap_pool *pool, float *out, int64_t out_stride, const float *c, int64_t rank, const float *b,
                       int64_t n, int64_t rows) {
    low_rank_call call = {leap_kernels_current(), {out, out_stride, c, rank, b, n, rows}};
    if (rows <= 0 || n <= 0 || rank <= 0) return;
    const int64_t panels = (n + LEAP_LOW_RANK_PANEL - 1) / LEAP_LOW_RANK_PANEL;
    if (rank * n * rows <= INLINE_ELEMENTS) {
        low_rank_piece(&call, 0, 0, panels);
        return;
    }
    // Split by columns: each part of b is read for all rows at once.
    const int64_t grain = panels / (4 * leap_pool_threads(pool));
    leap_pool_run(pool, panels, grain < 1 ? 1 : grain, low_rank_piece, &call);
}

static void one_input(leap_pool *pool, leap_rows_kernel *kernel, float *x, int64_t x_stride, float parameter, int64_t n,
                      int64_t rows) {
    rows_call call = {kernel,
                      {.x = x, .x_stride = x_stride, .parameter = parameter, .n = n, .out = x, .out_stride = x_stride}};
    run_rows(pool, &call, rows);
}

void leap_scale(leap_pool *pool, float *x, int64_t x_stride, float factor, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->scale, x, x_stride, factor, n, rows);
}

void leap_softcap(leap_pool *pool, float *x, int64_t x_stride, float cap, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->softcap, x, x_stride, cap, n, rows);
}

void leap_gelu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->gelu, x, x_stride, 0, n, rows);
}

void leap_gelu_tanh(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->gelu_tanh, x, x_stride, 0, n, rows);
}

void leap_silu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->silu, x, x_stride, 0, n, rows);
}

void leap_relu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->relu, x, x_stride, 0, n, rows);
}

void leap_relu_squared(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->relu_squared, x, x_stride, 0, n, rows);
}

void leap_softmax(leap_pool *pool, float *x, int64_t x_stride, float factor, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->softmax, x, x_stride, factor, n, rows);
}

void leap_gaussian_topk(leap_pool *pool, float *x, int64_t x_stride, float deviations, int64_t n, int64_t rows) {
    one_input(pool, leap_kernels_current()->gaussian_topk, x, x_stride, deviations, n, rows);
}

void leap_rope_table(const int32_t *positions, int stride, const uint8_t *axes, int64_t rows, const float *inv_freq,
                     int rotary_dims, float attn_factor, float *table) {
    const int half = rotary_dims / 2;
    for (int64_t r = 0; r < rows; r++, table += rotary_dims) {
        for (int i = 0; i < half; i++) {
            const float angle = (float)positions[r * stride + (axes ? axes[i] : 0)] * inv_freq[i];
            table[i] = cosf(angle) * attn_factor;
            table[half + i] = sinf(angle) * attn_factor;
        }
    }
}

typedef struct {
    const leap_kernels *kernels;
    leap_rope_args args;
} rope_call;

static void rope_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const rope_call *call = context;
    call->kernels->rope(&call->args, begin, end);
}

void leap_rope(leap_pool *pool, float *x, int64_t stride, int64_t rows, int heads, int head_dim, int rotary_dims,
               const float *table, int interleaved) {
    rope_call call = {leap_kernels_current(), {x, stride, heads, head_dim, rotary_dims, interleaved, table}};
    const int64_t n = (int64_t)heads * head_dim;
    if (rows <= 0 || n <= 0) return;
    if (rows * n <= INLINE_ELEMENTS) {
        rope_piece(&call, 0, 0, rows);
    } else {
        leap_pool_run(pool, rows, PIECE_ELEMENTS / n, rope_piece, &call);
    }
}

typedef struct {
    const leap_kernels *kernels;
    leap_conv_args args;
} conv_call;

static void conv_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const conv_call *call = context;
    call->kernels->short_conv(&call->args, begin, end);
}

void leap_short_conv(leap_pool *pool, const float *w, int taps, int64_t n, const leap_conv_token *tokens, int64_t count) {
    conv_call call = {leap_kernels_current(), {w, taps, n, tokens, count}};
    if (count <= 0 || n <= 0 || taps < 1 || taps > LEAP_CONV_TAPS_MAX) return;
    if (count * n <= INLINE_ELEMENTS) {
        conv_piece(&call, 0, 0, n);
        return;
    }
    // Split by channels, so that tokens of one call can build on each other.
    int64_t grain = n / (4 * leap_pool_threads(pool));
    grain = grain < 64 ? 64 : (grain + 15) / 16 * 16;
    leap_pool_run(pool, n, grain, conv_piece, &call);
}

typedef struct {
    const leap_kernels *kernels;
    leap_depthwise_args args;
} depthwise_call;

static void depthwise_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    const depthwise_call *call = context;
    call->kernels->depthwise(&call->args, begin, end);
}

void leap_depthwise(leap_pool *pool, const float *const *inputs, int taps, const float *w, const float *bias, int64_t n,
                    int64_t rows, float *out, int64_t out_stride) {
    depthwise_call call = {leap_kernels_current(), {inputs, taps, w, bias, n, out, out_stride}};
    if (rows <= 0 || n <= 0 || taps < 1) return;
    if (rows * n * taps <= INLINE_ELEMENTS) {
        depthwise_piece(&call, 0, 0, rows);
    } else {
        leap_pool_run(pool, rows, PIECE_ELEMENTS / (n * taps), depthwise_piece, &call);
    }
}
