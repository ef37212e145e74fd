// Row-wise kernels in plain C.
#include <math.h>

#include "../internal/kernels.h"

#pragma STDC FP_CONTRACT OFF

#define LANES 16

/// Sixteen sums folded pairwise: the tree that 16-lane vectors give.
static float folded(float *lane) {
    for (int width = LANES / 2; width > 0; width /= 2) {
        for (int i = 0; i < width; i++) lane[i] += lane[i + width];
    }
    return lane[0];
}

static void rms_norm(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        float lane[LANES] = {0};
        for (int64_t i = 0; i < args->n; i++) lane[i % LANES] = fmaf(x[i], x[i], lane[i % LANES]);
        const float factor = 1.0f / sqrtf(folded(lane) / (float)args->n + args->parameter);
        for (int64_t i = 0; i < args->n; i++) {
            const float value = x[i] * factor;
            out[i] = args->w ? value * args->w[i] : value;
        }
    }
}

static float row_mean(const float *x, int64_t n) {
    float sum[LANES] = {0};
    for (int64_t i = 0; i < n; i++) sum[i % LANES] += x[i];
    return folded(sum) / (float)n;
}

static float row_variance(const float *x, int64_t n, float mean) {
    float square[LANES] = {0};
    for (int64_t i = 0; i < n; i++) square[i % LANES] = fmaf(x[i] - mean, x[i] - mean, square[i % LANES]);
    return folded(square) / (float)n;
}

static void layer_norm(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const float mean = row_mean(x, args->n);
        const float factor = 1.0f / sqrtf(row_variance(x, args->n, mean) + args->parameter);
        for (int64_t i = 0; i < args->n; i++) {
            float value = (x[i] - mean) * factor;
            if (args->w) value *= args->w[i];
            out[i] = args->y ? value + args->y[i] : value;
        }
    }
}

static void log_sum_exp(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float largest = -INFINITY;
        for (int64_t i = 0; i < args->n; i++) largest = x[i] > largest ? x[i] : largest;
        double total = 0;
        for (int64_t i = 0; i < args->n; i++) total += (double)expf(x[i] - largest);
        args->out[r * args->out_stride] = (float)((double)largest + log(total));
    }
}

static void softmax(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        float largest = -INFINITY;
        for (int64_t i = 0; i < args->n; i++) largest = x[i] > largest ? x[i] : largest;
        const float origin = args->parameter * largest;
        float sum[LANES] = {0};
        for (int64_t i = 0; i < args->n; i++) {
            out[i] = expf(args->parameter * x[i] - origin);
            sum[i % LANES] += out[i];
        }
        const float factor = 1.0f / folded(sum);
        for (int64_t i = 0; i < args->n; i++) out[i] *= factor;
    }
}

static void silu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] / (1.0f + expf(-x[i]));
    }
}

static void relu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] < 0 ? 0 : x[i];
    }
}

static void relu_squared(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] < 0 ? 0 : x[i] * x[i];
    }
}

static void gaussian_topk(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const float mean = row_mean(x, args->n);
        const float cutoff = fmaf(args->parameter, sqrtf(row_variance(x, args->n, mean)), mean);
        for (int64_t i = 0; i < args->n; i++) {
            const float above = x[i] - cutoff;
            out[i] = above < 0 ? 0 : above;
        }
    }
}

static void glu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride, *gate = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] / (1.0f + expf(-gate[i]));
    }
}

static void gate(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const float divisor = 1.0f + expf(-args->w[r]);
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] / divisor;
    }
}

static void gelu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        // 1 + erf(a) = erfc(-a), without the cancellation below zero.
        for (int64_t i = 0; i < args->n; i++) out[i] = 0.5f * x[i] * erfcf(x[i] * -0.70710678118654752440f);
    }
}

static void gelu_tanh(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) {
            const float inner = 0.79788456080286535588f * x[i] * (1.0f + 0.044715f * x[i] * x[i]);
            out[i] = x[i] / (1.0f + expf(-2.0f * inner));
        }
    }
}

static void swiglu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *gate = args->x + r * args->x_stride, *up = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
    }
}

static void geglu(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *gate = args->x + r * args->x_stride, *up = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) {
            const float v = gate[i];
            // (1 + tanh(a)) / 2 = 1 / (1 + exp(-2 a)), without the cancellation.
            const float inner = 0.79788456080286535588f * v * (1.0f + 0.044715f * v * v);
            out[i] = v / (1.0f + expf(-2.0f * inner)) * up[i];
        }
    }
}

static void geglu_exact(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *gate = args->x + r * args->x_stride, *up = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) {
            out[i] = 0.5f * gate[i] * erfcf(gate[i] * -0.70710678118654752440f) * up[i];
        }
    }
}

static void swiglu_clamped(const leap_rows_args *args, int64_t begin, int64_t end) {
    const float limit = args->parameter;
    for (int64_t r = begin; r < end; r++) {
        const float *gate = args->x + r * args->x_stride, *up = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) {
            const float g = gate[i] > limit ? limit : gate[i];
            const float u = up[i] > limit ? limit : up[i] < -limit ? -limit : up[i];
            out[i] = g / (1.0f + expf(-1.702f * g)) * (u + 1.0f);
        }
    }
}

static void add(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *a = args->x + r * args->x_stride, *b = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = a[i] + b[i];
    }
}

static void add_scaled(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *a = args->x + r * args->x_stride, *b = args->y + r * args->y_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = fmaf(args->w[r], b[i], a[i]);
    }
}

static void add_low_rank(const leap_low_rank_args *args, int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; panel++) {
        const int64_t first = panel * LEAP_LOW_RANK_PANEL;
        const int64_t count = leap_smaller(LEAP_LOW_RANK_PANEL, args->n - first);
        for (int64_t r = 0; r < args->rows; r++) {
            float *out = args->out + r * args->out_stride + first;
            for (int64_t k = 0; k < args->rank; k++) {
                const float *b = args->b + (panel * args->rank + k) * LEAP_LOW_RANK_PANEL;
                for (int64_t i = 0; i < count; i++) out[i] = fmaf(args->c[r * args->rank + k], b[i], out[i]);
            }
        }
    }
}

static void scale(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = x[i] * args->parameter;
    }
}

static void softcap(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        for (int64_t i = 0; i < args->n; i++) out[i] = args->parameter * tanhf(x[i] / args->parameter);
    }
}

static void rope(const leap_rope_args *args, int64_t begin, int64_t end) {
    const int half = args->rotary_dims / 2;
    const int step = args->interleaved ? 2 : 1, partner = args->interleaved ? 1 : half;
    for (int64_t r = begin; r < end; r++) {
        const float *cosine = args->table + r * args->rotary_dims, *sine = cosine + half;
        for (int h = 0; h < args->heads; h++) {
            float *x = args->x + r * args->stride + (int64_t)h * args->head_dim;
            for (int i = 0; i < half; i++) {
                float *pair = x + i * step;
                const float a = pair[0], b = pair[partner];
                pair[0] = a * cosine[i] - b * sine[i];
                pair[partner] = a * sine[i] + b * cosine[i];
            }
        }
    }
}

static void short_conv(const leap_conv_args *args, int64_t begin, int64_t end) {
    const int taps = args->taps;
    for (int64_t t = 0; t < args->count; t++) {
        const leap_conv_token *token = &args->tokens[t];
        const float *b = token->bcx, *c = b + args->n, *x = c + args->n;
        for (int64_t i = begin; i < end; i++) {
            const float u = b[i] * x[i];
            token->state[i] = u;
            float sum = 0;
            for (int back = taps - 1; back > 0; back--) {
                const float *previous = token->previous[back - 1];
                if (previous) sum = fmaf(args->w[i * taps + taps - 1 - back], previous[i], sum);
            }
            token->out[i] = c[i] * fmaf(args->w[i * taps + taps - 1], u, sum);
        }
    }
}

static void depthwise(const leap_depthwise_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *const *inputs = args->inputs + r * args->taps;
        float *out = args->out + r * args->out_stride;
        for (int64_t c = 0; c < args->n; c++) {
            float sum = args->bias ? args->bias[c] : 0;
            for (int j = 0; j < args->taps; j++) {
                if (inputs[j]) sum = fmaf(args->w[j * args->n + c], inputs[j][c], sum);
            }
            out[c] = sum;
        }
    }
}

/// One token of one head: the columns one by one.
static void recurrence_step(const leap_recurrence_shape *shape, const leap_recurrence_run *run, int64_t t, int head, const float *from) {
    const int64_t n = shape->key_dim, width = shape->value_dim, row = t * shape->stride, keys = leap_key_head(shape, head) * n;
    const float *q = run->q + row + keys, *k = run->k + row + keys, *v = run->v + row + head * width;
    const float decay = run->decay[t * shape->value_heads + head], beta = run->beta[t * shape->value_heads + head];
    float *to = run->after + head * n * width, *out = run->out + (t * shape->value_heads + head) * width;
    for (int64_t j = 0; j < width; j++) {
        float known[2] = {0, 0}, found[2] = {0, 0};
        for (int64_t i = 0; from && shape->is_corrected && i < n; i++) known[i % 2] = fmaf(k[i], from[i * width + j], known[i % 2]);
        const float delta = (shape->is_corrected ? v[j] - (known[0] + known[1]) * decay : v[j]) * beta;
        for (int64_t i = 0; i < n; i++) {
            const float state = fmaf(k[i], delta, (from ? from[i * width + j] : 0) * decay);
            to[i * width + j] = state;
            found[i % 2] = fmaf(q[i], state, found[i % 2]);
        }
        out[j] = found[0] + found[1];
        if (run->skip) out[j] = fmaf(run->skip[head], v[j], out[j]);
    }
}

static void recurrence(const leap_recurrence_args *args, int64_t begin, int64_t end, void *scratch) {
    (void)scratch;
    const leap_recurrence_shape *shape = args->shape;
    const int64_t state = (int64_t)shape->key_dim * shape->value_dim;
    for (int64_t item = begin; item < end; item++) {
        const leap_recurrence_run *run = &args->runs[item / shape->value_heads];
        const int head = (int)(item % shape->value_heads);
        const float *from = run->before ? run->before + head * state : NULL;
        for (int64_t t = 0; t < run->count; t++, from = run->after + head * state) recurrence_step(shape, run, t, head, from);
    }
}

void leap_scalar_install_elementwise(leap_kernels *table) {
    table->rms_norm = rms_norm;
    table->layer_norm = layer_norm;
    table->log_sum_exp = log_sum_exp;
    table->gelu = gelu;
    table->gelu_tanh = gelu_tanh;
    table->softmax = softmax;
    table->silu = silu;
    table->relu = relu;
    table->relu_squared = relu_squared;
    table->gaussian_topk = gaussian_topk;
    table->glu = glu;
    table->gate = gate;
    table->depthwise = depthwise;
    table->swiglu = swiglu;
    table->geglu = geglu;
    table->swiglu_clamped = swiglu_clamped;
    table->geglu_exact = geglu_exact;
    table->add = add;
    table->add_scaled = add_scaled;
    table->add_low_rank = add_low_rank;
    table->scale = scale;
    table->softcap = softcap;
    table->rope = rope;
    table->short_conv = short_conv;
    table->recurrence = recurrence;
}

void leap_scalar_install(leap_kernels *table) {
    table->sha256_blocks = leap_scalar_sha256_blocks;
    leap_scalar_install_dequantize(table);
    leap_scalar_install_prepare(table);
    leap_scalar_install_matmul(table);
    leap_scalar_install_matmul_float(table);
    leap_scalar_install_elementwise(table);
    leap_scalar_install_attention(table);
}
