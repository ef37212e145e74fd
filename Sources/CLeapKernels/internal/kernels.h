// The table of kernels, and how an instruction set plugs into it.
//
// dispatch.c starts every table from the scalar one and layers "install" functions over it, plainest first; each
// replaces the entries it has a better kernel for. To add kernels: write a file under x86/ or arm/ (guarded by #if,
// functions marked __attribute__((target("..."))), no special compiler flags), give it one install function, declare it
// below and name it in the `isas` list of dispatch.c. Entries must be correct for every shape the public header allows.
#ifndef LEAP_KERNELS_H
#define LEAP_KERNELS_H

#include "../include/CLeapKernels.h"
#include "sha256.h"

#if defined(__x86_64__) || defined(_M_X64)
#define LEAP_X86 1
#elif defined(__aarch64__) || defined(__arm64__)
#define LEAP_ARM 1
#endif

/// Rows of float kernels that are handed out together: a group of rows that passes over the same inputs.
#define LEAP_FLOAT_ROW_UNIT 32
/// Number of activation kinds.
#define LEAP_ACTIVATION_LIMIT 6
/// Scratch memory of every thread of a pool, aligned to LEAP_ALIGNMENT. Only touched pages cost memory.
#define LEAP_SCRATCH_BYTES ((size_t)1 << 20)

/// Multiplies rows [row_begin, row_end) of job->w with all tokens of the job.
///
/// row_begin is a multiple of the entry's row_unit; row_end too, or it is job->w.rows. scratch: LEAP_SCRATCH_BYTES.
typedef void leap_matmul_rows(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, void *scratch);

typedef struct {
    leap_matmul_rows *rows;
    int activation;     ///< the kind that job->act has
    int64_t row_unit;   ///< rows are handed to threads in multiples of this
    /// For jobs of one token: the same results, with requests for memory in another order; or NULL (reading.h).
    leap_matmul_rows *other;
} leap_matmul_entry;

/// Arguments of the row-wise kernels; each uses the fields its public function has. Row r of x starts at x + r *
/// x_stride.
typedef struct {
    const float *x;
    int64_t x_stride;
    const float *y;
    int64_t y_stride;
    const float *w;
    float *out;
    int64_t out_stride;
    int64_t n;
    float parameter;
} leap_rows_args;

typedef struct {
    float *out;
    int64_t out_stride;
    const float *c;
    int64_t rank;
    const float *b;
    int64_t n, rows;
} leap_low_rank_args;

typedef struct {
    float *x;
    int64_t stride;
    int heads, head_dim, rotary_dims, interleaved;
    const float *table;
} leap_rope_args;

typedef struct {
    const float *w;
    int taps;
    int64_t n;
    const leap_conv_token *tokens;
    int64_t count;
} leap_conv_args;

typedef struct {
    const float *const *inputs;
    int taps;
    const float *w, *bias;
    int64_t n;
    float *out;
    int64_t out_stride;
} leap_depthwise_args;

typedef struct {
    const leap_recurrence_shape *shape;
    const leap_recurrence_run *runs;
} leap_recurrence_args;

/// The key head that a value head reads with.
static inline int64_t leap_key_head(const leap_recurrence_shape *shape, int head) {
    return shape->is_grouped ? head / (shape->value_heads / shape->key_heads) : head % shape->key_heads;
}

typedef struct {
    int kv_type, kv_heads, head_dim;
    const float *k, *v;
    int64_t k_stride, v_stride;
    const leap_kv_slot *slots;
} leap_kv_store_args;

static inline int64_t leap_smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// A kernel over rows [begin, end).
typedef void leap_rows_kernel(const leap_rows_args *args, int64_t begin, int64_t end);

typedef struct leap_kernels {
    const char *name;
    leap_matmul_entry matmul[LEAP_TENSOR_TYPE_LIMIT];
    /// One token of `cols` floats to a record of kind.
    void (*prepare[LEAP_ACTIVATION_LIMIT])(const float *x, int64_t cols, void *record);
    void (*dequantize[LEAP_TENSOR_TYPE_LIMIT])(const void *src, float *dst, int64_t n);
    leap_rows_kernel *rms_norm;    ///< x, w (or NULL), parameter = eps
    leap_rows_kernel *layer_norm;  ///< x, w (or NULL), y = bias (or NULL), parameter = eps
    leap_rows_kernel *log_sum_exp; ///< x; one element of out for each row
    leap_rows_kernel *gelu;        ///< x
    leap_rows_kernel *gelu_tanh;   ///< x
    leap_rows_kernel *silu;        ///< x
    leap_rows_kernel *relu;        ///< x
    leap_rows_kernel *relu_squared;  ///< x
    leap_rows_kernel *softmax;     ///< x, parameter = factor
    leap_rows_kernel *gaussian_topk;  ///< x, parameter = standard deviations
    leap_rows_kernel *glu;         ///< x, y = gate
    leap_rows_kernel *gate;        ///< x, w[row] = gate; y is not read
    leap_rows_kernel *swiglu;      ///< x = gate, y = up
    leap_rows_kernel *geglu;       ///< x = gate, y = up
    leap_rows_kernel *swiglu_clamped;  ///< x = gate, y = up, parameter = limit
    leap_rows_kernel *geglu_exact; ///< x = gate, y = up
    leap_rows_kernel *add;         ///< x + y
    leap_rows_kernel *add_scaled;  ///< x + w[row] * y
    leap_rows_kernel *scale;       ///< out = x * parameter
    leap_rows_kernel *softcap;     ///< out = parameter * tanh(x / parameter)
    void (*add_low_rank)(const leap_low_rank_args *args, int64_t begin, int64_t end);  ///< panels
    void (*rope)(const leap_rope_args *args, int64_t begin, int64_t end);            ///< rows
    void (*short_conv)(const leap_conv_args *args, int64_t begin, int64_t end);      ///< channels, begin a multiple of 16
    void (*depthwise)(const leap_depthwise_args *args, int64_t begin, int64_t end);  ///< rows
    /// Runs times value heads. scratch: LEAP_SCRATCH_BYTES.
    void (*recurrence)(const leap_recurrence_args *args, int64_t begin, int64_t end, void *scratch);
    void (*kv_store)(const leap_kv_store_args *args, int64_t begin, int64_t end);    ///< tokens
    /// The whole call: splits itself over the pool.
    void (*attention)(leap_pool *pool, const leap_attention_shape *shape, const leap_attention_query *queries,
                      int64_t count);
    leap_sha256_blocks *sha256_blocks;
    leap_jpeg_kernels jpeg;        ///< NULL where LeapVision's portable code does
} leap_kernels;

/// The table for calls from this thread. Public functions fetch it once and hand it on: the pool's threads must not
/// ask.
const leap_kernels *leap_kernels_current(void);

/// Scratch of one thread of a pool: LEAP_SCRATCH_BYTES, contents undefined between calls.
void *leap_pool_scratch(leap_pool *pool, int thread);

/// The scalar product with quantised weights: its results are the definition, so kernels may leave odd shapes to it.
void leap_scalar_matmul_rows(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, void *scratch);

/// The values of the 16 codes of IQ4_NL and IQ4_XS.
extern const int8_t leap_iq4_values[16];
/// Twice the values of the 16 codes of E2M1, the four-bit floats of MXFP4 and NVFP4.
extern const int8_t leap_e2m1_values[16];
/// Half of the values of the bytes of E4M3 without a sign, the scales of NVFP4.
extern const float leap_e4m3_half_values[256];

// Install functions, by file.
void leap_scalar_install(leap_kernels *table);
void leap_scalar_install_dequantize(leap_kernels *table);
void leap_scalar_install_prepare(leap_kernels *table);
void leap_scalar_install_matmul(leap_kernels *table);
void leap_scalar_install_matmul_float(leap_kernels *table);
void leap_scalar_install_elementwise(leap_kernels *table);
void leap_scalar_install_attention(leap_kernels *table);
void leap_x86_install_sha256(leap_kernels *table);
void leap_x86_install_jpeg_avx2(leap_kernels *table);
void leap_x86_install_prepare_avx2(leap_kernels *table);
void leap_x86_install_quantized_avx2(leap_kernels *table);
void leap_x86_install_quantized_avxvnni(leap_kernels *table);
void leap_x86_install_quantized_avx512vnni(leap_kernels *table);
void leap_x86_install_quantized_amx(leap_kernels *table);
void leap_x86_install_float_avx2(leap_kernels *table);
void leap_x86_install_float_avx512(leap_kernels *table);
void leap_x86_install_float_avx512bf16(leap_kernels *table);
void leap_x86_install_float_amx(leap_kernels *table);
void leap_x86_install_rows_avx2(leap_kernels *table);
void leap_x86_install_rows_avx512(leap_kernels *table);
void leap_x86_install_attention_avx2(leap_kernels *table);
void leap_x86_install_attention_avx512(leap_kernels *table);

void leap_arm_install_sha256(leap_kernels *table);
void leap_arm_install_prepare_neon(leap_kernels *table);
void leap_arm_install_quantized_neon(leap_kernels *table);
void leap_arm_install_quantized_dotprod(leap_kernels *table);
void leap_arm_install_quantized_i8mm(leap_kernels *table);
void leap_arm_install_float_neon(leap_kernels *table);
void leap_arm_install_rows_neon(leap_kernels *table);
void leap_arm_install_attention_neon(leap_kernels *table);

#endif
