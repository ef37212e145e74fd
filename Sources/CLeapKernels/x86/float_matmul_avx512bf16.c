// BF16 weights times BF16 vectors with AVX-512 BF16: twice the products per instruction of float.
//
// VDPBF16PS adds two products to every lane, rounded to nearest, subnormals taken as zero (Intel SDM). The inputs are
// rounded to BF16 when they are prepared, as llama.cpp does.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#define VECTOR_TARGET LEAP_AVX512_TARGET ",avx512bf16"
#include "vector_avx512.h"

#include "reduce_avx512.h"

#define LANES 32
#define TILE_ROWS 4
#define TILE_TOKENS 6
#define ONE_BY_ONE 1
#define BLOCK 2048
#define INPUT_BYTES 2

VECTOR_INLINE size_t weight_bytes(const int type) {
    (void)type;
    return 2;
}

VECTOR_INLINE vector expand(const int type, const char *source) {
    (void)type;
    return vector_load(source);
}

VECTOR_INLINE vector expand_tail(const int type, const char *source, int count) {
    (void)type;
    return _mm512_castsi512_ps(_mm512_maskz_loadu_epi16((__mmask32)(((uint64_t)1 << count) - 1), source));
}

VECTOR_INLINE vector multiply_add(vector w, vector x, vector sum) {
    return _mm512_dpbf16_ps(sum, (__m512bh)w, (__m512bh)x);
}

#ifdef VECTOR_RUNS
VECTOR_RUN(pairs, "vmovups (%[a]), %[t]\n\tvdpbf16ps (%[b]), %[t], %[sum]")

VECTOR_INLINE vector multiply_run(const int type, const char *w, int64_t w_step, const char *x, int64_t steps, vector sum) {
    (void)type;
    return vector_run_pairs(w, w_step, x, LANES * INPUT_BYTES, steps, sum);
}
#endif

#include "../internal/float_tiles.h"

FLOAT_ROWS(BF16, bf16, STAYING, LEAP_ACTIVATION_BF16)

VECTOR_FUNCTION static void prepare_bf16(const float *x, int64_t cols, void *record) {
    uint16_t *out = record;
    int64_t i = 0;
    for (; i + 16 <= cols; i += 16) {
        _mm256_storeu_si256((__m256i *)(out + i), (__m256i)_mm512_cvtneps_pbh(_mm512_loadu_ps(x + i)));
    }
    if (i < cols) {
        const __m512 last = vector_load_first(x + i, (int)(cols - i));
        _mm256_storeu_si256((__m256i *)(out + i), (__m256i)_mm512_cvtneps_pbh(last));
        i += 16;
    }
    if (i % 32 != 0) _mm256_storeu_si256((__m256i *)(out + i), _mm256_setzero_si256());
}

void leap_x86_install_float_avx512bf16(leap_kernels *table) {
    table->matmul[LEAP_BF16] = FLOAT_ENTRY(bf16, LEAP_ACTIVATION_BF16);
    table->prepare[LEAP_ACTIVATION_BF16] = prepare_bf16;
}

#endif
