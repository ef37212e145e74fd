// How much arithmetic the machine can do at most: loops without memory traffic, in the instruction set in use.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "../CLeapKernels/internal/kernels.h"
#include "measurement.h"

#if defined(LEAP_X86)
#include <immintrin.h>

#include "../CLeapKernels/x86/amx.h"
#elif defined(LEAP_ARM)
#include <arm_neon.h>
#endif

/// Independent chains: enough to cover the latency of a multiply-add on two ports.
#define CHAINS 12
#define ROUNDS 2000000
#define REPEATS 5

/// A loop of `rounds` rounds; returns the operations of one.
typedef int64_t peak_loop(int64_t rounds);

/// All chains once, kept in registers by an empty statement the compiler cannot see through.
#define RUN_CHAINS(type, zero, step, constraint)                                  \
    type x[CHAINS];                                                               \
    _Pragma("clang loop unroll(full)") for (int i = 0; i < CHAINS; i++) x[i] = zero; \
    for (int64_t r = 0; r < rounds; r++) {                                        \
        _Pragma("clang loop unroll(full)") for (int i = 0; i < CHAINS; i++) {      \
            x[i] = step;                                                          \
            __asm__ volatile("" : constraint(x[i]));                              \
        }                                                                         \
    }

#if defined(LEAP_X86)

__attribute__((target("avx512f,avx512vnni"))) static int64_t int8_avx512(int64_t rounds) {
    const __m512i a = _mm512_set1_epi8(1);
    RUN_CHAINS(__m512i, _mm512_setzero_si512(), _mm512_dpbusd_epi32(x[i], a, a), "+v")
    return CHAINS * 128;
}

/// What tile products multiply here: from registers that were never loaded they would be faster.
static _Alignas(64) const uint8_t whole_tile[1024];

/// Tile products into four registers; as much work in a round as the other loops do in one of several products.
#define RUN_TILES(product)                          \
    amx_configure();                                \
    _tile_loadd(4, whole_tile, 64);                 \
    _tile_loadd(5, whole_tile, 64);                 \
    for (int64_t r = 0; r < rounds / 16; r++) {     \
        product(0, 4, 5);                           \
        product(1, 4, 5);                           \
        product(2, 4, 5);                           \
        product(3, 4, 5);                           \
    }                                               \
    amx_release();

/// One tile product of 16 x 64 with 64 x 16 is 32768 operations.
__attribute__((target("amx-tile,amx-int8"))) static int64_t int8_amx(int64_t rounds) {
    RUN_TILES(_tile_dpbssd)
    return 4 * 32768 / 16;
}

/// One tile product of 16 x 32 with 32 x 16 is 16384 operations.
__attribute__((target("amx-tile,amx-bf16"))) static int64_t bfloat_amx(int64_t rounds) {
    RUN_TILES(_tile_dpbf16ps)
    return 4 * 16384 / 16;
}

__attribute__((target("avx512f,avx512bf16"))) static int64_t bfloat_avx512(int64_t rounds) {
    const __m512bh a = (__m512bh)_mm512_set1_epi16(0x3f80), b = (__m512bh)_mm512_set1_epi16(0x3a80);
    RUN_CHAINS(__m512, _mm512_setzero_ps(), _mm512_dpbf16_ps(x[i], a, b), "+v")
    return CHAINS * 64;
}

__attribute__((target("avx512f"))) static int64_t float_avx512(int64_t rounds) {
    const __m512 a = _mm512_set1_ps(1), b = _mm512_set1_ps(1.0f / 1024);
    RUN_CHAINS(__m512, _mm512_setzero_ps(), _mm512_fmadd_ps(a, b, x[i]), "+v")
    return CHAINS * 32;
}

__attribute__((target("avxvnni"))) static int64_t int8_avxvnni(int64_t rounds) {
    const __m256i a = _mm256_set1_epi8(1);
    RUN_CHAINS(__m256i, _mm256_setzero_si256(), _mm256_dpbusd_avx_epi32(x[i], a, a), "+x")
    return CHAINS * 64;
}

/// Makes the compiler forget what is in a register: products of what never changes would be computed once, before the
/// loop.
__attribute__((target("avx2"), always_inline)) static inline void forget(__m256i *a) { __asm__ volatile("" : "+x"(*a)); }

/// Sums of products in 16 bits, which is how tiles add them; that they must be widened now and then takes a little
/// more.
__attribute__((target("avx2"))) static int64_t int8_avx2(int64_t rounds) {
    __m256i a = _mm256_set1_epi8(1);
    RUN_CHAINS(__m256i, _mm256_setzero_si256(), (forget(&a), _mm256_add_epi16(x[i], _mm256_maddubs_epi16(a, a))), "+x")
    return CHAINS * 64;
}

__attribute__((target("avx2,fma"))) static int64_t float_avx2(int64_t rounds) {
    const __m256 a = _mm256_set1_ps(1), b = _mm256_set1_ps(1.0f / 1024);
    RUN_CHAINS(__m256, _mm256_setzero_ps(), _mm256_fmadd_ps(a, b, x[i]), "+x")
    return CHAINS * 16;
}

#elif defined(LEAP_ARM)

__attribute__((target("i8mm"))) static int64_t int8_i8mm(int64_t rounds) {
    const int8x16_t a = vdupq_n_s8(1);
    RUN_CHAINS(int32x4_t, vdupq_n_s32(0), vmmlaq_s32(x[i], a, a), "+w")
    return CHAINS * 64;
}

__attribute__((target("dotprod"))) static int64_t int8_dotprod(int64_t rounds) {
    const int8x16_t a = vdupq_n_s8(1);
    RUN_CHAINS(int32x4_t, vdupq_n_s32(0), vdotq_s32(x[i], a, a), "+w")
    return CHAINS * 32;
}

static int64_t int8_neon(int64_t rounds) {
    const int8x8_t a = vdup_n_s8(1);
    RUN_CHAINS(int16x8_t, vdupq_n_s16(0), vmlal_s8(x[i], a, a), "+w")
    return CHAINS * 16;
}

static int64_t float_neon(int64_t rounds) {
    const float32x4_t a = vdupq_n_f32(1), b = vdupq_n_f32(1.0f / 1024);
    RUN_CHAINS(float32x4_t, vdupq_n_f32(0), vfmaq_f32(x[i], a, b), "+w")
    return CHAINS * 8;
}

#endif

static int64_t float_scalar(int64_t rounds) {
    volatile float a = 1, b = 1.0f / 1024;
    const float p = a, q = b;
    RUN_CHAINS(float, 0, x[i] + p * q, "+m")
    return CHAINS * 2;
}

static int64_t int8_scalar(int64_t rounds) {
    volatile int8_t a = 1;
    const int p = a;
    RUN_CHAINS(int32_t, 0, x[i] + p * p, "+r")
    return CHAINS * 2;
}

static peak_loop *int8_loop(void) {
#if defined(LEAP_X86)
    if (uses("amx")) return int8_amx;
    if (uses("avx512")) return int8_avx512;
    if (uses("avxvnni")) return int8_avxvnni;
    if (uses("avx2")) return int8_avx2;
#elif defined(LEAP_ARM)
    if (uses("i8mm")) return int8_i8mm;
    if (uses("dotprod")) return int8_dotprod;
    if (uses("neon")) return int8_neon;
#endif
    return int8_scalar;
}

static peak_loop *float_loop(void) {
#if defined(LEAP_X86)
    if (uses("avx512") || uses("amx")) return float_avx512;
    if (uses("avx")) return float_avx2;
#elif defined(LEAP_ARM)
    if (!uses("scalar")) return float_neon;
#endif
    return float_scalar;
}

static peak_loop *bfloat_loop(void) {
#if defined(LEAP_X86)
    if (uses("amx")) return bfloat_amx;
    if (uses("avx512bf16")) return bfloat_avx512;
#endif
    return float_loop();
}

typedef struct {
    peak_loop *loop;
    int64_t operations;
} peak_call;

static void peak_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    peak_call *call = context;
    const int64_t operations = call->loop((end - begin) * ROUNDS);
    __atomic_store_n(&call->operations, operations, __ATOMIC_RELAXED);
}

/// The best of several runs on all threads, in 10^9 operations a second.
static double best_rate(leap_pool *pool, peak_loop *loop) {
    double best = 0;
    const int64_t pieces = leap_pool_threads(pool);
    for (int i = 0; i < REPEATS; i++) {
        peak_call call = {loop, 0};
        const double start = now();
        leap_pool_run(pool, pieces, 1, peak_piece, &call);
        const double rate = (double)(call.operations * pieces * ROUNDS) / (now() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    return best;
}

double leap_peak_int8(leap_pool *pool) { return best_rate(pool, int8_loop()); }

double leap_peak_float(leap_pool *pool) { return best_rate(pool, float_loop()); }

double leap_peak_bfloat(leap_pool *pool) { return best_rate(pool, bfloat_loop()); }
