// The arithmetic of Open Leap: tensor kernels for CPUs and the thread pool that runs them.
//
// Rules that hold for the whole header:
// - Shapes are written [slowest]...[fastest], counted in elements. Strides are counted in floats between the starts of
//   two rows.
// - The caller owns every buffer; nothing is kept after a call returns and nothing but leap_pool_create allocates.
// - Sizes are the caller's promise: they are checked where files and requests enter the program, not here.
// - Outputs must not overlap inputs unless a function says that it works in place.
// - float buffers need the alignment of float. Weight data may have any alignment. Activation buffers
//   (leap_activation_*) need LEAP_ALIGNMENT bytes.
// - One arithmetic: on one instruction set, every output element is summed in one fixed order that depends on the shape
//   of its own row only: not on the number of tokens in the call, the other jobs, the number of threads or their
//   timing.
// - A pool may be used by one thread at a time. Functions without a pool may be called from any thread.
#ifndef CLEAPKERNELS_H
#define CLEAPKERNELS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__APPLE__)
#include <mach/mach_init.h>
#endif

#include "CLeapTensorTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Alignment in bytes of activation buffers, and the one from which every other buffer profits too.
#define LEAP_ALIGNMENT 64
/// Positions held by one page of the key/value cache.
#define LEAP_KV_PAGE 64
/// Largest number of taps of a short convolution.
#define LEAP_CONV_TAPS_MAX 8
/// Largest head size that leap_attention takes.
#define LEAP_HEAD_DIM_MAX 512
/// Columns that stand side by side in the tables of leap_add_low_rank.
#define LEAP_LOW_RANK_PANEL 32

// MARK: Tensor types

/// Name of a tensor type as GGUF tools write it ("Q4_K"), or NULL for an identifier that is not supported.
const char *LEAP_NULLABLE leap_type_name(int32_t type);

/// Elements in one block of a type; 0 if the type is not supported. Row lengths are multiples of it.
int64_t leap_type_block_elements(int32_t type);

/// Bytes of one block of a type; 0 if the type is not supported.
size_t leap_type_block_bytes(int32_t type);

/// Bytes of a row of n elements; 0 if the type is not supported or n is not a multiple of its block.
size_t leap_row_bytes(int32_t type, int64_t n);

/// Expands n elements of a row to float. src: any alignment.
void leap_dequantize_row(int32_t type, const void *src, float *dst, int64_t n);

// MARK: Instruction sets

/// Name of the instruction set this thread's calls use: scalar, avx2, avxvnni, avx512vnni, avx512bf16, amx, neon,
/// dotprod or i8mm.
///
/// Chosen once, at the first call of any kernel: the best one that processor and operating system support, or the one
/// that the environment variable LEAP_ISA names. A name that is unknown or not supported here is ignored.
const char *leap_isa_name(void);

/// Name of the index-th instruction set this machine supports, from the plainest to the best; NULL after the last.
const char *LEAP_NULLABLE leap_isa_at(int index);

/// Makes calls from this thread use an instruction set by name (NULL: the process's own again); 0 on success, -1 if it
/// is unknown or not supported here.
///
/// For tests and measurements. Other threads, and calls that run already, are not affected. Activation buffers prepared
/// before the switch must be prepared again.
int leap_isa_select(const char *LEAP_NULLABLE name);

// MARK: Threads

/// A set of threads that computes together with the thread that calls.
typedef struct leap_pool leap_pool;

/// Creates a pool of `threads` threads, the caller's included: 1 starts none. Values below 1 count as 1.
///
/// Fewer threads than asked for are used if the system refuses to start more. NULL only when memory is exhausted.
leap_pool *LEAP_NULLABLE leap_pool_create(int threads);

/// Stops the threads and frees the pool. NULL is allowed. No call may be running.
void leap_pool_destroy(leap_pool *LEAP_NULLABLE pool);

/// Number of threads that compute, the caller's included.
int leap_pool_threads(const leap_pool *pool);

/// Lets that many threads compute from the next call on: at least 1, at most those that leap_pool_create started.
///
/// The others sleep, and calls do not wake them. Results keep their bits. No call may be running.
void leap_pool_limit(leap_pool *pool, int threads);

/// Runs body over [0, count), split into pieces of at most `grain` indices that the threads take as they become free.
///
/// body(context, thread, begin, end) is called with 0 <= thread < leap_pool_threads(pool), at most one call per thread
/// at a time. Returns when all of them have returned. body must not use the pool.
typedef void leap_pool_body(void *LEAP_NULLABLE context, int thread, int64_t begin, int64_t end);
void leap_pool_run(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *LEAP_NULLABLE context);

/// The same for work that waits for memory more than it computes, in pieces of microseconds.
///
/// A thread that others keep interrupting, so that such calls wait for it, stays away for up to 64 ms at a time (on
/// Linux).
void leap_pool_run_reading(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body,
                           void *LEAP_NULLABLE context);

/// How the indices [0, count) of a call are cut into pieces.
///
/// Every thread begins in a stretch of its own, [leap_cut_begin(i), leap_cut_begin(i + 1)), and goes on in those of the
/// others. These functions depend on nothing but their arguments; the pool takes pieces by them.
typedef struct {
    int64_t count;
    int64_t grain;  ///< indices of a piece, at most; at least 1
    int64_t least;  ///< what pieces near the end of a stretch may be as small as, and are multiples of; 1 ... grain
    int threads;
} leap_cut;

/// Where the stretch of a thread begins; `threads`: the end of the last one.
int64_t leap_cut_begin(const leap_cut *cut, int thread);

/// The stretch that a thread takes pieces of after it has found `turn` others used up.
int leap_cut_stretch(const leap_cut *cut, int thread, int turn);

/// The indices of the next piece of a stretch of which [begin, end) is left; begin < end.
int64_t leap_cut_piece(const leap_cut *cut, int64_t begin, int64_t end);

/// What a thread of a pool has done since leap_pool_measure, in nanoseconds.
typedef struct {
    int64_t total;      ///< since then
    int64_t computing;  ///< in pieces of calls
    int64_t waiting;    ///< for other threads: the caller's at the end of calls, a worker's whenever it does not compute
    int64_t asleep;     ///< of `waiting`: blocked rather than looking for work
} leap_thread_time;

/// Begins to measure what the threads of a pool do, from zero, or stops. No call may be running.
void leap_pool_measure(leap_pool *pool, int on);

/// What a thread has done since then; zeros while nothing is measured. Thread 0 is the caller, which computes alone in
/// what is left of `total`. No call may be running.
leap_thread_time leap_pool_time(const leap_pool *pool, int thread);

// MARK: Matrix products

/// A weight matrix as it lies in the file: rows = output elements, cols = input elements (GGUF's ne0).
typedef struct {
    const void *data;  ///< first row; any alignment
    int32_t type;      ///< tensor type identifier
    int64_t rows;
    int64_t cols;      ///< a multiple of the type's block
    size_t row_bytes;  ///< distance of two rows, at least leap_row_bytes(type, cols)
} leap_matrix;

/// Forms in which input vectors are multiplied with weights.
enum {
    LEAP_ACTIVATION_F32 = 0,                ///< plain floats
    LEAP_ACTIVATION_BF16 = 1,               ///< bfloat16
    LEAP_ACTIVATION_Q8_32 = 2,              ///< int8 with one float scale per 32 elements
    LEAP_ACTIVATION_Q8_256 = 3,             ///< int8 with one float scale per 256 elements
    LEAP_ACTIVATION_BF16_SPLIT = 4,         ///< the sum of two bfloat16
    LEAP_ACTIVATION_BF16_SPLIT_PAIRED = 5,  ///< the same in the order of F16 weights
};

/// The form that weights of a type multiply with on the instruction set in use; -1 if the type is not supported.
int leap_activation_kind(int32_t weight_type);

/// Bytes of a buffer of `tokens` prepared input vectors of `cols` elements. Token t starts at t * (bytes for one
/// token).
size_t leap_activation_bytes(int kind, int64_t cols, int64_t tokens);

/// Prepares x[tokens][cols] (rows x_stride floats apart) as `kind` into dst.
///
/// cols: a multiple of 32 for Q8_32 and of 256 for Q8_256. dst: leap_activation_bytes(kind, cols, tokens) bytes,
/// aligned to LEAP_ALIGNMENT. One prepared buffer serves every matrix with the same kind and cols. Int8 values are
/// rounded to nearest, ties to even, with the scale max|x| / 127, equal on every instruction set.
void leap_activation_prepare(leap_pool *pool, int kind, const float *x, int64_t x_stride, int64_t cols, int64_t tokens,
                             void *dst);

/// The number of records that hold a vector to 16 bits: 2 for int8 and bfloat16, and 1 for forms that have as many by
/// themselves.
int leap_activation_parts(int kind);

/// As leap_activation_prepare, for kinds of two parts: record tokens + t is made of what rounding took from vector t.
///
/// The two records hold elements to max|x| / 32258 of their block (int8), or to 2^-17 of themselves (bfloat16).
/// rest: scratch of [tokens][cols]. dst: leap_activation_bytes(kind, cols, 2 * tokens) bytes, aligned to
/// LEAP_ALIGNMENT.
void leap_activation_prepare_parts(leap_pool *pool, int kind, const float *x, int64_t x_stride, int64_t cols, int64_t tokens,
                                   float *rest, void *dst);

/// One product: out[t * out_stride + r] = sum over k of w[r][k] * x[token(t)][k].
typedef struct {
    leap_matrix w;
    const void *act;                      ///< prepared with leap_activation_kind(w.type) and w.cols
    const int32_t *LEAP_NULLABLE gather;  ///< token(t) = gather[t]; NULL: token(t) = t. For experts that see some tokens
    int64_t tokens;                       ///< 0 is allowed
    float *out;                           ///< [tokens][out_stride]; only the first w.rows of each row are written
    int64_t out_stride;
    int64_t remainders;  ///< not 0: the product of record remainders + token(t) is added (leap_activation_prepare_parts)
} leap_matmul_job;

/// Computes independent products in one go (q, k and v; gate and up; the experts of a layer).
void leap_matmul(leap_pool *pool, const leap_matmul_job *jobs, int count);

/// How leap_matmul cuts these products into pieces for so many threads, in units of rows; count 0 where the caller
/// computes them alone.
leap_cut leap_matmul_cut(const leap_matmul_job *jobs, int count, int threads);

/// How the products of a single token read weights from memory: by the first kernel of a type, by its other one, which
/// asks for memory in another order, or by the one that turns out faster while the first tokens are computed. Results
/// are the same bits.
enum { LEAP_READING_FIRST = 0, LEAP_READING_OTHER = 1, LEAP_READING_MEASURED = 2 };

/// Forces one for the calls of this thread; LEAP_READING_MEASURED is what threads start with.
void leap_reading_select(int reading);

/// What has been measured in this process.
typedef struct {
    int products;  ///< kinds of products of one token that are settled
    int other;     ///< those that the other kernel computes
} leap_reading_findings;

leap_reading_findings leap_reading_found(void);

// MARK: Elementwise

/// out[r][i] = x[r][i] / sqrt(mean(x[r]^2) + eps) * w[i], for `rows` rows of n. In place if out == x with equal
/// strides.
///
/// w may be NULL: then no weight is applied. The mean is taken in a fixed tree. For per-head norms pass every head as a
/// row.
void leap_rms_norm(leap_pool *pool, const float *x, int64_t x_stride, const float *LEAP_NULLABLE w, float eps, int64_t n,
                   int64_t rows, float *out, int64_t out_stride);

/// out[r][i] = (x[r][i] - mean(x[r])) / sqrt(variance(x[r]) + eps) * w[i] + b[i], for `rows` rows of n. In place as
/// leap_rms_norm.
///
/// w and b may be NULL, each for itself. The variance is that of the differences from the mean, over n. Sums run in a
/// fixed tree.
void leap_layer_norm(leap_pool *pool, const float *x, int64_t x_stride, const float *LEAP_NULLABLE w,
                     const float *LEAP_NULLABLE b, float eps, int64_t n, int64_t rows, float *out, int64_t out_stride);

/// out[r] = log of the sum of exp(x[r][i]), for `rows` rows of n: what turns scores into log probabilities.
///
/// NaN if an element is NaN or +infinity, or all are -infinity.
void leap_log_sum_exp(leap_pool *pool, const float *x, int64_t x_stride, int64_t n, int64_t rows, float *out);

/// Fills table[rows][rotary_dims]: the cosines, then the sines, of positions[r][axes[i]] * inv_freq[i], times
/// attn_factor.
///
/// positions: [rows][stride]. axes: [rotary_dims / 2], each less than stride; NULL for the first number of all.
/// inv_freq: [rotary_dims / 2]. One table serves all layers that share the frequencies.
void leap_rope_table(const int32_t *positions, int stride, const uint8_t *LEAP_NULLABLE axes, int64_t rows, const float *inv_freq,
                     int rotary_dims, float attn_factor, float *table);

/// Rotates the first rotary_dims elements of every head of x[rows][heads][head_dim] in place; row r starts at r *
/// stride.
///
/// table: from leap_rope_table, one row for each row of x. interleaved != 0: pairs (2i, 2i+1), otherwise
/// (i, i + rotary_dims / 2). (a, b) becomes (a cos - b sin, a sin + b cos).
void leap_rope(leap_pool *pool, float *x, int64_t stride, int64_t rows, int heads, int head_dim, int rotary_dims,
               const float *table, int interleaved);

/// out = silu(gate) * up for rows of n, silu(v) = v / (1 + exp(-v)). In place if out is gate or up with the same
/// stride.
void leap_swiglu(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                 int64_t rows, float *out, int64_t out_stride);

/// out = g * sigmoid(1.702 g) * (u + 1) with g = min(gate, limit) and u = up cut to -limit ... limit, for rows of n
/// (gpt-oss). In place as leap_swiglu.
void leap_swiglu_clamped(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride,
                         float limit, int64_t n, int64_t rows, float *out, int64_t out_stride);

/// out = gelu(gate) * up, gelu(v) = v/2 (1 + tanh(sqrt(2/pi) (v + 0.044715 v^3))). In place as leap_swiglu.
void leap_geglu(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                int64_t rows, float *out, int64_t out_stride);

/// out = gelu(gate) * up, gelu(v) = v/2 (1 + erf(v / sqrt(2))): as leap_geglu with GELU by its definition. In place as
/// leap_swiglu.
void leap_geglu_exact(leap_pool *pool, const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, int64_t n,
                      int64_t rows, float *out, int64_t out_stride);

/// x = x/2 (1 + erf(x / sqrt(2))) for rows of n, in place: GELU by its definition.
void leap_gelu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows);

/// x = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) for rows of n, in place: GELU in its tanh form.
void leap_gelu_tanh(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows);

/// x = x / (1 + exp(-x)) for rows of n, in place.
void leap_silu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows);

/// x = max(x, 0) for rows of n, in place; NaN stays.
void leap_relu(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows);

/// x = max(x, 0)^2 for rows of n, in place; NaN stays.
void leap_relu_squared(leap_pool *pool, float *x, int64_t x_stride, int64_t n, int64_t rows);

/// x = max(x - (mean + deviations * the standard deviation), 0) for rows of n, in place, both over the row, the second
/// without Bessel's correction: what is far above the mean of its row stays (Gemma 3n). NaN stays. Sums run in a fixed
/// tree.
void leap_gaussian_topk(leap_pool *pool, float *x, int64_t x_stride, float deviations, int64_t n, int64_t rows);

/// out = a / (1 + exp(-gate)) for rows of n: a gated linear unit. In place if out is a or gate with the same stride.
void leap_glu(leap_pool *pool, const float *a, int64_t a_stride, const float *gate, int64_t gate_stride, int64_t n,
              int64_t rows, float *out, int64_t out_stride);

/// out = x / (1 + exp(-gate[r])) for rows of n, one gate for each row. In place if out == x with the same stride.
void leap_gate(leap_pool *pool, const float *x, int64_t x_stride, const float *gate, int64_t n, int64_t rows,
               float *out, int64_t out_stride);

/// x[r][i] = exp(factor x[r][i]) / the sum of that over the row, for `rows` rows of n, in place; factor > 0. Sums run
/// in a fixed tree.
void leap_softmax(leap_pool *pool, float *x, int64_t x_stride, float factor, int64_t n, int64_t rows);

/// out = a + b for rows of n. In place if out is a or b with the same stride. b_stride 0 adds one row (a bias) to all.
void leap_add(leap_pool *pool, const float *a, int64_t a_stride, const float *b, int64_t b_stride, int64_t n,
              int64_t rows, float *out, int64_t out_stride);

/// out = a + factor[r] * b for rows of n (the weighted sum of experts). In place if out == a with the same stride.
void leap_add_scaled(leap_pool *pool, const float *a, int64_t a_stride, const float *b, int64_t b_stride,
                     const float *factor, int64_t n, int64_t rows, float *out, int64_t out_stride);

/// out[r][i] += sum over k < rank of c[r][k] * b[i / 32][k][i % 32] for rows of n, in place, k in ascending order (the
/// second half of adapters).
///
/// c: [rows][rank]. b: [panels][rank][LEAP_LOW_RANK_PANEL], the last panel filled up with any numbers. The result is
/// the same on every instruction set.
void leap_add_low_rank(leap_pool *pool, float *out, int64_t out_stride, const float *c, int64_t rank, const float *b,
                       int64_t n, int64_t rows);

/// x *= factor for rows of n, in place.
void leap_scale(leap_pool *pool, float *x, int64_t x_stride, float factor, int64_t n, int64_t rows);

/// x = cap * tanh(x / cap) for rows of n, in place (the logit soft-cap of some models).
void leap_softcap(leap_pool *pool, float *x, int64_t x_stride, float cap, int64_t n, int64_t rows);

// MARK: Short convolution (LFM2)

/// One token of a short convolution layer.
typedef struct {
    const float *bcx;  ///< [3][n]: the projections B, C and x of this token
    /// u = B * x of the positions before: previous[0] one position back, previous[1] two, ... taps - 1 of them, each
    /// [n]; NULL counts as zeros (before the start of the text). May be the `state` of an earlier token of the same
    /// call.
    const float *LEAP_NULLABLE previous[LEAP_CONV_TAPS_MAX - 1];
    float *state;      ///< [n], receives u of this token; keep it for the tokens to come
    float *out;        ///< [n], receives C * convolution; must not overlap bcx
} leap_conv_token;

/// state = B * x; out[c] = C[c] * sum over j < taps of w[c][j] * u[taps - 1 - j positions back][c], oldest first.
///
/// w: [n][taps], the last tap weighs the token itself. 1 <= taps <= LEAP_CONV_TAPS_MAX. Tokens are computed in order.
void leap_short_conv(leap_pool *pool, const float *w, int taps, int64_t n, const leap_conv_token *tokens, int64_t count);

// MARK: Depthwise convolution

/// out[r][c] = bias[c] + sum over j < taps of w[j][c] * inputs[r * taps + j][c], j ascending, for `rows` rows of n
/// channels.
///
/// inputs: [rows][taps], each [n]; NULL counts as zeros. w: [taps][n]. bias may be NULL. The result is the same on
/// every instruction set. One call serves convolutions over time and over images: the caller says which inputs each
/// output is made of.
void leap_depthwise(leap_pool *pool, const float *LEAP_NULLABLE const *LEAP_NONNULL inputs, int taps, const float *w,
                    const float *LEAP_NULLABLE bias, int64_t n, int64_t rows, float *out, int64_t out_stride);

// MARK: Recurrences

/// A layer whose value heads have a matrix each for a state: Gated DeltaNet, Mamba-2.
typedef struct {
    int key_heads;
    int value_heads;  ///< a multiple of key_heads
    int key_dim;      ///< elements of a key, 1 ... LEAP_HEAD_DIM_MAX
    int value_dim;    ///< elements of a value
    /// Value head j reads with the keys and queries of key head j / (value_heads / key_heads), rather than j %
    /// key_heads.
    int is_grouped;
    /// Whether what the state has for a key is subtracted from the value before that is written (the delta rule).
    int is_corrected;
    int64_t stride;   ///< from one token to the next in q, k and v
} leap_recurrence_shape;

/// Consecutive tokens of one sequence.
typedef struct {
    /// [value_heads][key_dim][value_dim]: the state in front of the first token; NULL counts as zeros.
    const float *LEAP_NULLABLE before;
    float *after;        ///< the same behind the last token; may be `before`
    const float *q, *k;  ///< [count][key_heads][key_dim]
    const float *v;      ///< [count][value_heads][value_dim]
    const float *decay;  ///< [count][value_heads]: what the state is multiplied with first
    const float *beta;   ///< [count][value_heads]: how much of the value, or the difference, is written
    /// [value_heads]: how much of the value itself is added to the output; NULL: nothing.
    const float *LEAP_NULLABLE skip;
    float *out;          ///< [count][value_heads * value_dim]
    int64_t count;       ///< at least 1
} leap_recurrence_run;

/// For each token S = decay S; d = beta v, or beta (v - S'k) where it is corrected; S = S + k d'; out = S'q + skip v,
/// with the state S of each value head.
///
/// Tokens are computed one after the other: how many come in a call changes no bit. The result is the same on every
/// instruction set.
void leap_recurrence(leap_pool *pool, const leap_recurrence_shape *shape, const leap_recurrence_run *runs, int64_t count);

/// steps = log(1 + exp(steps + bias)), in place, and decays = exp(rate * steps), for `rows` rows of n. bias, rate: [n].
void leap_time_steps(leap_pool *pool, float *steps, const float *bias, const float *rate, int64_t n, int64_t rows, float *decays);

// MARK: Attention

/// Element types of the key/value cache.
///
/// q8_0: signed bytes and a scale in f16 for every 32 elements of a head (fewer in a last block), 1.0625 bytes an
/// element.
enum { LEAP_KV_F32 = 0, LEAP_KV_F16 = 1, LEAP_KV_Q8_0 = 2 };

/// Bytes of a page of keys, or of values, of one layer: kv_heads * LEAP_KV_PAGE * head_dim elements.
///
/// How they lie inside is leap_kv_store's and leap_attention's business: keys have their positions side by side. Pages
/// may be copied as a whole.
size_t leap_kv_page_bytes(int kv_type, int kv_heads, int head_dim);

/// Where one token's keys and values go.
typedef struct {
    void *k_page;
    void *v_page;
    int32_t offset;  ///< position within the page, 0 ..< LEAP_KV_PAGE
} leap_kv_slot;

/// Writes k and v [count][kv_heads][head_dim] (rows k_stride, v_stride apart) into pages.
///
/// f16 rounds to nearest even. q8_0 does so with the element divided by the scale, which is the block's largest
/// magnitude / 127 as f16. Every instruction set writes the same bytes.
void leap_kv_store(leap_pool *pool, int kv_type, int kv_heads, int head_dim, const float *k, int64_t k_stride,
                   const float *v, int64_t v_stride, const leap_kv_slot *slots, int64_t count);

/// What the queries of a layer have in common.
typedef struct {
    int q_heads;    ///< a multiple of kv_heads; query head h reads key/value head h / (q_heads / kv_heads)
    int kv_heads;
    int head_dim;   ///< 1 ... LEAP_HEAD_DIM_MAX
    int kv_type;    ///< LEAP_KV_F32, LEAP_KV_F16 or LEAP_KV_Q8_0
    float scale;    ///< multiplies q.k
    float softcap;  ///< s = softcap * tanh(s / softcap) before the softmax; 0: none
    int64_t window; ///< attend to the last `window` positions only, the query's included; 0: all
    /// For each query head a score of nothing: exp(sink) is one more summand of the softmax's divisor. NULL: none.
    const float *LEAP_NULLABLE sinks;
} leap_attention_shape;

/// One query token. Queries of one call may belong to different sequences.
typedef struct {
    /// Page i holds positions i * LEAP_KV_PAGE and up, as leap_kv_store wrote them; pages before the window may be
    /// NULL.
    const void *LEAP_NULLABLE const *LEAP_NONNULL k_pages;
    const void *LEAP_NULLABLE const *LEAP_NONNULL v_pages;
    /// Attends positions 0 ... position (as far as the window reaches). Attention without a causal mask is that of
    /// queries which all have the last position; runs of queries of one sequence share work if each has the position of
    /// the one before, or the next.
    int64_t position;
    const float *q;    ///< [q_heads][head_dim]
    float *out;        ///< [q_heads][head_dim]
    /// Positions before it are not attended, whatever the window says; at most position. Queries that share work have
    /// it no lower than the query before.
    int64_t first;
} leap_attention_query;

/// out = softmax(scale * q.K) V for every query and head.
///
/// Keys are taken in tiles of LEAP_KV_PAGE positions that start at position 0 (or at the window's first page), so the
/// result depends only on the query and the positions it sees.
void leap_attention(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                    int64_t count);

// MARK: SHA-256 (FIPS 180-4)

/// Bytes of a block, and of a digest.
#define LEAP_SHA256_BLOCK 64
#define LEAP_SHA256_DIGEST 32

/// The state of a hash between calls. A copy goes on independently of the original.
typedef struct {
    uint32_t state[8];
    uint64_t bytes;                      ///< hashed so far, the pending ones included
    uint8_t pending[LEAP_SHA256_BLOCK];  ///< the first bytes % LEAP_SHA256_BLOCK of them belong to an unfinished block
} leap_sha256;

/// The hash of nothing.
void leap_sha256_init(leap_sha256 *hash);

/// Appends `count` bytes. data: any alignment; may be NULL if count is 0.
void leap_sha256_update(leap_sha256 *hash, const void *LEAP_NULLABLE data, size_t count);

/// Writes the digest of all bytes so far. The hash is not changed and may be continued.
void leap_sha256_digest(const leap_sha256 *hash, uint8_t *digest);

/// Whether this thread's calls use the processor's SHA-256 instructions (SHA-NI, or those of Armv8).
///
/// They are used where the processor has them, with every instruction set but `scalar` (leap_isa_name).
int leap_sha256_is_accelerated(void);

/// Writes the 8 x 8 samples of a block of a JPEG file, each row `stride` bytes behind the one before (LeapVision's
/// JPEGTransform).
///
/// coefficients, quantisation: 64 each, row by row.
typedef void leap_jpeg_block(const int16_t *coefficients, const int16_t *quantisation, uint8_t *samples, ptrdiff_t stride);

/// Turns samples of brightness and of both differences of colour into red, green and blue, three bytes a pixel
/// (JPEGColours).
///
/// Returns how many of the row's pixels it wrote, from the first on; it writes nothing behind byte 3 * width.
typedef int64_t leap_jpeg_colours(const uint8_t *luma, const uint8_t *blues, const uint8_t *reds, uint8_t *pixels, int64_t width);

typedef struct {
    leap_jpeg_block *LEAP_NULLABLE block;
    leap_jpeg_colours *LEAP_NULLABLE colours;
} leap_jpeg_kernels;

/// What the instruction set in use has for JPEG files; NULL where portable code does.
leap_jpeg_kernels leap_jpeg_kernels_current(void);

#if defined(__APPLE__)
/// The port of this task. `mach_task_self()` is a macro over a global variable, which Swift 6 refuses to read.
static inline mach_port_t leap_mach_task_self(void) { return mach_task_self(); }
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
