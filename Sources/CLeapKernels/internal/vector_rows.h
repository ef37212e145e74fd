// The row-wise kernels, written once for every instruction set: include after a vector_*.h vocabulary.
//
// Sums over a row run in 16 lanes (element i in lane i % 16) that are folded in one fixed tree, on every instruction set.
#include <math.h>

#include "kernels.h"
#include "vector_math.h"

#define LANE_VECTORS (16 / VECTOR_LANES)

VECTOR_FUNCTION static void rms_norm(const leap_rows_args *args, int64_t begin, int64_t end) {
    const int64_t n = args->n;
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        vector lanes[LANE_VECTORS];
        for (int v = 0; v < LANE_VECTORS; v++) lanes[v] = vector_zero();
        int64_t i = 0;
        for (; i + 16 <= n; i += 16) {
            for (int v = 0; v < LANE_VECTORS; v++) {
                const vector value = vector_load(x + i + v * VECTOR_LANES);
                lanes[v] = vector_fma(value, value, lanes[v]);
            }
        }
        for (int v = 0; v < LANE_VECTORS && i < n; v++, i += VECTOR_LANES) {
            const vector value =
                n - i < VECTOR_LANES ? vector_load_first(x + i, (int)(n - i)) : vector_load(x + i);
            lanes[v] = vector_fma(value, value, lanes[v]);
        }
        const float factor = 1.0f / sqrtf(vector_sum_16(lanes) / (float)n + args->parameter);
        const vector factors = vector_set(factor);
        for (i = 0; i + VECTOR_LANES <= n; i += VECTOR_LANES) {
            vector value = vector_multiply(vector_load(x + i), factors);
            if (args->w) value = vector_multiply(value, vector_load(args->w + i));
            vector_store(out + i, value);
        }
        if (i < n) {
            const int rest = (int)(n - i);
            vector value = vector_multiply(vector_load_first(x + i, rest), factors);
            if (args->w) value = vector_multiply(value, vector_load_first(args->w + i, rest));
            vector_store_first(out + i, value, rest);
        }
    }
}

/// A kernel that maps elements x and y of two rows to one; `parameter` and `weight` (of the row) are vectors.
#define MAP_TWO(name, weighted, expression)                                                            \
    VECTOR_INLINE vector name##_map(vector x, vector y, vector weight) {                               \
        (void)weight;                                                                                  \
        return expression;                                                                             \
    }                                                                                                  \
    VECTOR_FUNCTION static void name(const leap_rows_args *args, int64_t begin, int64_t end) {         \
        for (int64_t r = begin; r < end; r++) {                                                        \
            const float *x = args->x + r * args->x_stride, *y = args->y + r * args->y_stride;          \
            float *out = args->out + r * args->out_stride;                                             \
            const vector weight = (weighted) ? vector_set(args->w[r]) : vector_zero();                 \
            int64_t i = 0;                                                                             \
            for (; i + VECTOR_LANES <= args->n; i += VECTOR_LANES) {                                   \
                vector_store(out + i, name##_map(vector_load(x + i), vector_load(y + i), weight));     \
            }                                                                                          \
            if (i < args->n) {                                                                         \
                const int rest = (int)(args->n - i);                                                   \
                const vector last = vector_load_first(y + i, rest);                                    \
                vector_store_first(out + i, name##_map(vector_load_first(x + i, rest), last, weight), rest); \
            }                                                                                          \
        }                                                                                              \
    }

MAP_TWO(swiglu, 0, vector_multiply(vector_silu(x), y))
MAP_TWO(geglu, 0, vector_multiply(vector_gelu(x), y))
MAP_TWO(add, 0, vector_add(x, y))
MAP_TWO(add_scaled, 1, vector_fma(weight, y, x))

/// A kernel that maps the elements of one row, given `parameter`.
#define MAP_ONE(name, expression)                                                              \
    VECTOR_INLINE vector name##_map(vector x, vector parameter) { return expression; }         \
    VECTOR_FUNCTION static void name(const leap_rows_args *args, int64_t begin, int64_t end) { \
        const vector parameter = vector_set(args->parameter);                                  \
        for (int64_t r = begin; r < end; r++) {                                                \
            const float *x = args->x + r * args->x_stride;                                     \
            float *out = args->out + r * args->out_stride;                                     \
            int64_t i = 0;                                                                     \
            for (; i + VECTOR_LANES <= args->n; i += VECTOR_LANES) {                           \
                vector_store(out + i, name##_map(vector_load(x + i), parameter));              \
            }                                                                                  \
            if (i < args->n) {                                                                 \
                const int rest = (int)(args->n - i);                                           \
                vector_store_first(out + i, name##_map(vector_load_first(x + i, rest), parameter), rest); \
            }                                                                                  \
        }                                                                                      \
    }

MAP_ONE(scale, vector_multiply(x, parameter))
MAP_ONE(softcap, vector_multiply(parameter, vector_tanh(vector_divide(x, parameter))))

/// (a, b) turned by an angle.
VECTOR_INLINE void rotate(vector *a, vector *b, vector cosine, vector sine) {
    const vector first = vector_subtract(vector_multiply(*a, cosine), vector_multiply(*b, sine));
    *b = vector_add(vector_multiply(*a, sine), vector_multiply(*b, cosine));
    *a = first;
}

VECTOR_FUNCTION static void rope_head(float *x, const float *cosine, const float *sine, int half, int interleaved) {
    int i = 0;
    for (; i + VECTOR_LANES <= half; i += VECTOR_LANES) {
        const vector c = vector_load(cosine + i), s = vector_load(sine + i);
        vector a, b;
        if (interleaved) {
            vector_load_pairs(x + 2 * i, &a, &b);
            rotate(&a, &b, c, s);
            vector_store_pairs(x + 2 * i, a, b);
        } else {
            a = vector_load(x + i);
            b = vector_load(x + half + i);
            rotate(&a, &b, c, s);
            vector_store(x + i, a);
            vector_store(x + half + i, b);
        }
    }
    for (; i < half; i++) {
        float *pair = interleaved ? x + 2 * i : x + i;
        const int partner = interleaved ? 1 : half;
        // One lane each, so that the rounding is that of the vectors above.
        vector a = vector_set(pair[0]), b = vector_set(pair[partner]);
        rotate(&a, &b, vector_set(cosine[i]), vector_set(sine[i]));
        vector_store_first(pair, a, 1);
        vector_store_first(pair + partner, b, 1);
    }
}

VECTOR_FUNCTION static void rope(const leap_rope_args *args, int64_t begin, int64_t end) {
    const int half = args->rotary_dims / 2;
    for (int64_t r = begin; r < end; r++) {
        const float *cosine = args->table + r * args->rotary_dims;
        float *x = args->x + r * args->stride;
        for (int h = 0; h < args->heads; h++, x += args->head_dim) {
            rope_head(x, cosine, cosine + half, half, args->interleaved);
        }
    }
}

/// Channels that share one transposed copy of their taps.
#define CONV_CHANNELS 64

/// One vector of channels of one token. w: their taps, [taps][CONV_CHANNELS]; count < VECTOR_LANES for the last ones.
VECTOR_INLINE void convolve(const leap_conv_token *token, const float *w, int taps, int64_t n, int64_t i, int count) {
    const float *b = token->bcx + i, *c = b + n, *x = c + n;
    const int whole = count == VECTOR_LANES;
#define LOAD(source) (whole ? vector_load(source) : vector_load_first(source, count))
    const vector u = vector_multiply(LOAD(b), LOAD(x));
    vector sum = vector_zero();
    for (int back = taps - 1; back > 0; back--) {
        const float *previous = token->previous[back - 1];
        if (previous) sum = vector_fma(vector_load(w + (taps - 1 - back) * CONV_CHANNELS), LOAD(previous + i), sum);
    }
    sum = vector_fma(vector_load(w + (taps - 1) * CONV_CHANNELS), u, sum);
    const vector out = vector_multiply(LOAD(c), sum);
#undef LOAD
    if (whole) {
        vector_store(token->state + i, u);
        vector_store(token->out + i, out);
    } else {
        vector_store_first(token->state + i, u, count);
        vector_store_first(token->out + i, out, count);
    }
}

VECTOR_FUNCTION static void short_conv(const leap_conv_args *args, int64_t begin, int64_t end) {
    float w[LEAP_CONV_TAPS_MAX * CONV_CHANNELS] = {0};
    const int taps = args->taps;
    for (int64_t first = begin; first < end; first += CONV_CHANNELS) {
        const int channels = end - first < CONV_CHANNELS ? (int)(end - first) : CONV_CHANNELS;
        for (int i = 0; i < channels; i++) {
            for (int j = 0; j < taps; j++) w[j * CONV_CHANNELS + i] = args->w[(first + i) * taps + j];
        }
        for (int64_t t = 0; t < args->count; t++) {
            for (int i = 0; i < channels; i += VECTOR_LANES) {
                const int count = channels - i < VECTOR_LANES ? channels - i : VECTOR_LANES;
                convolve(&args->tokens[t], w + i, taps, args->n, first + i, count);
            }
        }
    }
}

static void install_rows(leap_kernels *table) {
    table->rms_norm = rms_norm;
    table->swiglu = swiglu;
    table->geglu = geglu;
    table->add = add;
    table->add_scaled = add_scaled;
    table->scale = scale;
    table->softcap = softcap;
    table->rope = rope;
    table->short_conv = short_conv;
}
