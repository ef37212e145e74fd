// The row-wise kernels, written once for every instruction set: include after a vector_*.h vocabulary.
//
// Sums over a row run in 16 lanes (element i in lane i % 16) that are folded in one fixed tree, on every instruction
// set.
#include <math.h>

#include "kernels.h"
#include "vector_math.h"

#define LANE_VECTORS (16 / VECTOR_LANES)

/// The sum over a row of `map(element)`, the places behind its end left out.
#define ROW_SUM(x, n, map)                                                                         \
    vector lanes[LANE_VECTORS];                                                                    \
    for (int v = 0; v < LANE_VECTORS; v++) lanes[v] = vector_zero();                               \
    int64_t i = 0;                                                                                 \
    for (; i + 16 <= (n); i += 16) {                                                               \
        for (int v = 0; v < LANE_VECTORS; v++) {                                                   \
            const vector value = vector_load((x) + i + v * VECTOR_LANES);                          \
            lanes[v] = map(value, lanes[v], VECTOR_LANES);                                         \
        }                                                                                          \
    }                                                                                              \
    for (int v = 0; v < LANE_VECTORS && i < (n); v++, i += VECTOR_LANES) {                         \
        const int count = (n) - i < VECTOR_LANES ? (int)((n) - i) : VECTOR_LANES;                  \
        const vector value = count < VECTOR_LANES ? vector_load_first((x) + i, count) : vector_load((x) + i); \
        lanes[v] = map(value, lanes[v], count);                                                    \
    }

VECTOR_OPERATION vector add_square(vector x, vector sum) { return vector_fma(x, x, sum); }

VECTOR_FUNCTION static void rms_norm(const leap_rows_args *args, int64_t begin, int64_t end) {
    const int64_t n = args->n;
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
#define MAP(value, sum, count) add_square(value, sum)
        ROW_SUM(x, n, MAP)
#undef MAP
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

/// The first `count` lanes of a vector, zeros behind them.
VECTOR_INLINE vector first_lanes(vector x, int count) {
    return vector_if_less(vector_lane_numbers(), vector_set((float)count), x, vector_zero());
}

VECTOR_INLINE float row_mean(const float *x, int64_t n) {
#define MAP(value, sum, count) vector_add(value, sum)
    ROW_SUM(x, n, MAP)
#undef MAP
    return vector_sum_16(lanes) / (float)n;
}

VECTOR_INLINE float row_variance(const float *x, int64_t n, float mean) {
    const vector means = vector_set(mean);
#define MAP(value, sum, count) add_square(first_lanes(vector_subtract(value, means), count), sum)
    ROW_SUM(x, n, MAP)
#undef MAP
    return vector_sum_16(lanes) / (float)n;
}

VECTOR_FUNCTION static void layer_norm(const leap_rows_args *args, int64_t begin, int64_t end) {
    const int64_t n = args->n;
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const float mean = row_mean(x, n);
        const float factor = 1.0f / sqrtf(row_variance(x, n, mean) + args->parameter);
        const vector means = vector_set(mean), factors = vector_set(factor);
        for (int64_t i = 0; i < n; i += VECTOR_LANES) {
            const int count = n - i < VECTOR_LANES ? (int)(n - i) : VECTOR_LANES;
            const int whole = count == VECTOR_LANES;
#define LOAD(source) (whole ? vector_load(source) : vector_load_first(source, count))
            vector value = vector_multiply(vector_subtract(LOAD(x + i), means), factors);
            if (args->w) value = vector_multiply(value, LOAD(args->w + i));
            if (args->y) value = vector_add(value, LOAD(args->y + i));
#undef LOAD
            if (whole) {
                vector_store(out + i, value);
            } else {
                vector_store_first(out + i, value, count);
            }
        }
    }
}

VECTOR_FUNCTION static void gaussian_topk(const leap_rows_args *args, int64_t begin, int64_t end) {
    const int64_t n = args->n;
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const float mean = row_mean(x, n);
        const vector cutoff = vector_set(fmaf(args->parameter, sqrtf(row_variance(x, n, mean)), mean));
        for (int64_t i = 0; i < n; i += VECTOR_LANES) {
            const int count = n - i < VECTOR_LANES ? (int)(n - i) : VECTOR_LANES;
            const int whole = count == VECTOR_LANES;
            const vector above = vector_subtract(whole ? vector_load(x + i) : vector_load_first(x + i, count), cutoff);
            const vector value = vector_if_less(above, vector_zero(), vector_zero(), above);
            if (whole) {
                vector_store(out + i, value);
            } else {
                vector_store_first(out + i, value, count);
            }
        }
    }
}

/// Elements that are summed as floats before the sum goes on in double precision.
#define LOG_SUM_BLOCK 1024

VECTOR_INLINE float row_largest(const float *x, int64_t n) {
    float largest = -INFINITY;
    int64_t at = 0;
    if (n >= VECTOR_LANES) {
        vector most = vector_set(-INFINITY);
        for (; at + VECTOR_LANES <= n; at += VECTOR_LANES) most = vector_at_least(most, vector_load(x + at));
        largest = vector_largest(most);
    }
    for (; at < n; at++) largest = x[at] > largest ? x[at] : largest;
    return largest;
}

VECTOR_FUNCTION static void log_sum_exp(const leap_rows_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        const float largest = row_largest(x, args->n);
        const vector origin = vector_set(largest);
        double total = 0;
        for (int64_t start = 0; start < args->n; start += LOG_SUM_BLOCK) {
            const float *block = x + start;
            const int64_t length = args->n - start < LOG_SUM_BLOCK ? args->n - start : LOG_SUM_BLOCK;
#define MAP(value, sum, count) vector_add(first_lanes(vector_exp(vector_subtract(value, origin)), count), sum)
            ROW_SUM(block, length, MAP)
#undef MAP
            total += (double)vector_sum_16(lanes);
        }
        args->out[r * args->out_stride] = (float)((double)largest + log(total));
    }
}

VECTOR_FUNCTION static void softmax(const leap_rows_args *args, int64_t begin, int64_t end) {
    const int64_t n = args->n;
    const vector factor = vector_set(args->parameter);
    for (int64_t r = begin; r < end; r++) {
        const float *x = args->x + r * args->x_stride;
        float *out = args->out + r * args->out_stride;
        const vector origin = vector_set(args->parameter * row_largest(x, n));
        for (int64_t at = 0; at < n; at += VECTOR_LANES) {
            const int count = n - at < VECTOR_LANES ? (int)(n - at) : VECTOR_LANES;
            const int whole = count == VECTOR_LANES;
            const vector value = whole ? vector_load(x + at) : vector_load_first(x + at, count);
            const vector power = vector_exp(vector_subtract(vector_multiply(value, factor), origin));
            if (whole) {
                vector_store(out + at, power);
            } else {
                vector_store_first(out + at, power, count);
            }
        }
#define MAP(value, sum, count) vector_add(value, sum)
        ROW_SUM(out, n, MAP)
#undef MAP
        const vector share = vector_set(1.0f / vector_sum_16(lanes));
        for (i = 0; i + VECTOR_LANES <= n; i += VECTOR_LANES) {
            vector_store(out + i, vector_multiply(vector_load(out + i), share));
        }
        if (i < n) {
            const int rest = (int)(n - i);
            vector_store_first(out + i, vector_multiply(vector_load_first(out + i, rest), share), rest);
        }
    }
}

/// What the `weight` of MAP_TWO is: zero, the row's, or the call's parameter.
enum { UNWEIGHTED, ROW_WEIGHT, PARAMETER };

/// A kernel that maps elements x and y of two rows to one; `weight` is a vector of one number.
#define MAP_TWO(name, weighted, expression)                                                            \
    VECTOR_INLINE vector name##_map(vector x, vector y, vector weight) {                               \
        (void)y, (void)weight;                                                                         \
        return expression;                                                                             \
    }                                                                                                  \
    VECTOR_FUNCTION static void name(const leap_rows_args *args, int64_t begin, int64_t end) {         \
        for (int64_t r = begin; r < end; r++) {                                                        \
            const float *x = args->x + r * args->x_stride, *y = args->y + r * args->y_stride;          \
            float *out = args->out + r * args->out_stride;                                             \
            const vector weight = vector_set((weighted) == ROW_WEIGHT  ? args->w[r]                    \
                                             : (weighted) == PARAMETER ? args->parameter               \
                                                                       : 0.0f);                        \
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

/// g * sigmoid(1.702 g) * (u + 1), both cut to a limit.
VECTOR_INLINE vector clamped_gate(vector gate, vector up, vector limit) {
    const vector one = vector_set(1.0f);
    const vector g = vector_at_most(limit, gate);
    const vector u = vector_at_least(vector_subtract(vector_zero(), limit), vector_at_most(limit, up));
    const vector decay = vector_exp(vector_multiply(g, vector_set(-1.702f)));
    return vector_multiply(vector_divide(g, vector_add(one, decay)), vector_add(u, one));
}

MAP_TWO(glu, UNWEIGHTED, vector_divide(x, vector_add(vector_set(1.0f), vector_exp(vector_subtract(vector_zero(), y)))))
MAP_TWO(gate, ROW_WEIGHT, vector_divide(x, vector_add(vector_set(1.0f), vector_exp(vector_subtract(vector_zero(), weight)))))
MAP_TWO(swiglu, UNWEIGHTED, vector_multiply(vector_silu(x), y))
MAP_TWO(geglu, UNWEIGHTED, vector_multiply(vector_gelu(x), y))
MAP_TWO(geglu_exact, UNWEIGHTED, vector_multiply(vector_gelu_exact(x), y))
MAP_TWO(swiglu_clamped, PARAMETER, clamped_gate(x, y, weight))
MAP_TWO(add, UNWEIGHTED, vector_add(x, y))
MAP_TWO(add_scaled, ROW_WEIGHT, vector_fma(weight, y, x))

/// Columns of a panel that are summed at a time.
#define LOW_RANK_COLUMNS (2 * VECTOR_LANES)

/// Adds to `rows` rows from out on: the first `count` of LOW_RANK_COLUMNS columns of a panel, whose rows begin at b.
VECTOR_INLINE void low_rank_block(const leap_low_rank_args *args, float *out, const float *c, const float *b, int rows, int count) {
    vector sums[4][2];
    const int first = count < VECTOR_LANES ? count : VECTOR_LANES, second = count - first;
    const int whole = count == LOW_RANK_COLUMNS;
    for (int r = 0; r < rows; r++) {
        const float *source = out + r * args->out_stride;
        sums[r][0] = whole ? vector_load(source) : vector_load_first(source, first);
        sums[r][1] = whole ? vector_load(source + VECTOR_LANES)
                     : second > 0 ? vector_load_first(source + VECTOR_LANES, second) : vector_zero();
    }
    for (int64_t k = 0; k < args->rank; k++, b += LEAP_LOW_RANK_PANEL) {
        const vector low = vector_load(b), high = vector_load(b + VECTOR_LANES);
        for (int r = 0; r < rows; r++) {
            const vector factor = vector_set(c[r * args->rank + k]);
            sums[r][0] = vector_fma(factor, low, sums[r][0]);
            sums[r][1] = vector_fma(factor, high, sums[r][1]);
        }
    }
    for (int r = 0; r < rows; r++) {
        float *target = out + r * args->out_stride;
        if (whole) {
            vector_store(target, sums[r][0]);
            vector_store(target + VECTOR_LANES, sums[r][1]);
        } else {
            vector_store_first(target, sums[r][0], first);
            if (second > 0) vector_store_first(target + VECTOR_LANES, sums[r][1], second);
        }
    }
}

VECTOR_FUNCTION static void add_low_rank(const leap_low_rank_args *args, int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; panel++) {
        for (int64_t column = 0; column < LEAP_LOW_RANK_PANEL; column += LOW_RANK_COLUMNS) {
            const int64_t left = args->n - panel * LEAP_LOW_RANK_PANEL - column;
            if (left <= 0) break;
            const int count = left < LOW_RANK_COLUMNS ? (int)left : LOW_RANK_COLUMNS;
            const float *b = args->b + panel * args->rank * LEAP_LOW_RANK_PANEL + column, *c = args->c;
            float *out = args->out + panel * LEAP_LOW_RANK_PANEL + column;
            int64_t r = 0;
            for (; r + 4 <= args->rows; r += 4, c += 4 * args->rank, out += 4 * args->out_stride) {
                if (count == LOW_RANK_COLUMNS) low_rank_block(args, out, c, b, 4, LOW_RANK_COLUMNS);
                else low_rank_block(args, out, c, b, 4, count);
            }
            for (; r < args->rows; r++, c += args->rank, out += args->out_stride) {
                if (count == LOW_RANK_COLUMNS) low_rank_block(args, out, c, b, 1, LOW_RANK_COLUMNS);
                else low_rank_block(args, out, c, b, 1, count);
            }
        }
    }
}

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

MAP_ONE(silu, ((void)parameter, vector_silu(x)))
MAP_ONE(relu, ((void)parameter, vector_if_less(x, vector_zero(), vector_zero(), x)))
MAP_ONE(relu_squared, ((void)parameter, vector_if_less(x, vector_zero(), vector_zero(), vector_multiply(x, x))))
MAP_ONE(scale, vector_multiply(x, parameter))
MAP_ONE(gelu, ((void)parameter, vector_gelu_exact(x)))
MAP_ONE(gelu_tanh, ((void)parameter, vector_gelu(x)))
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

/// One vector of channels of one output; count < VECTOR_LANES for the last ones.
VECTOR_INLINE void depthwise_block(const leap_depthwise_args *args, const float *const *inputs, float *out, int64_t c, int count) {
    const int whole = count == VECTOR_LANES;
#define LOAD(source) (whole ? vector_load(source) : vector_load_first(source, count))
    vector sum = args->bias ? LOAD(args->bias + c) : vector_zero();
    for (int j = 0; j < args->taps; j++) {
        if (inputs[j]) sum = vector_fma(LOAD(args->w + j * args->n + c), LOAD(inputs[j] + c), sum);
    }
#undef LOAD
    if (whole) {
        vector_store(out + c, sum);
    } else {
        vector_store_first(out + c, sum, count);
    }
}

VECTOR_FUNCTION static void depthwise(const leap_depthwise_args *args, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r++) {
        const float *const *inputs = args->inputs + r * args->taps;
        float *out = args->out + r * args->out_stride;
        int64_t c = 0;
        for (; c + VECTOR_LANES <= args->n; c += VECTOR_LANES) depthwise_block(args, inputs, out, c, VECTOR_LANES);
        if (c < args->n) depthwise_block(args, inputs, out, c, (int)(args->n - c));
    }
}

#include "vector_recurrence.h"

static void install_rows(leap_kernels *table) {
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
