// Input vectors to int8 with AVX2: the bytes that scalar/prepare.c writes.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>
#include <string.h>

#include "../internal/activation.h"
#include "../internal/inline.h"

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) AVX2
#define OPERATION INLINE __attribute__((unused))

typedef __m256i vi;
typedef __m256 vf;

#if LEAP_SPECIALISED
OPERATION vi v_set8(int x) { return _mm256_set1_epi8((char)x); }
OPERATION vi v_set32(int x) { return _mm256_set1_epi32(x); }
OPERATION vf vf_set(float x) { return _mm256_set1_ps(x); }
#else
#include "set_runs.h"
#endif

/// Largest magnitude of n elements, a multiple of 32, compared as bits: what is not a number is the largest.
INLINE float largest_magnitude(const float *x, int64_t n) {
    const __m256i magnitude = v_set32(0x7fffffff);
#if LEAP_SPECIALISED
    __m256i m[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int64_t i = 0; i < n; i += 32) {
        for (int k = 0; k < 4; k++) {
            const __m256i bits = _mm256_loadu_si256((const __m256i *)(const void *)(x + i + 8 * k));
            m[k] = _mm256_max_epi32(_mm256_and_si256(bits, magnitude), m[k]);
        }
    }
    const __m256i all = _mm256_max_epi32(_mm256_max_epi32(m[0], m[1]), _mm256_max_epi32(m[2], m[3]));
#else
    __m256i all = _mm256_setzero_si256(), t;
    __asm__ volatile("1:\n\tvpand (%[x]), %[magnitude], %[t]\n\tvpmaxsd %[t], %[all], %[all]\n\t"
                     "add $32, %[x]\n\tsub $8, %[n]\n\tjnz 1b"
                     : [all] "+x"(all), [t] "=&x"(t), [x] "+r"(x), [n] "+r"(n)
                     : [magnitude] "x"(magnitude)
                     : "cc", "memory");
#endif
    __m128i half = _mm_max_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_max_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_max_epi32(half, _mm_shuffle_epi32(half, 0xb1))));
}

#if LEAP_SPECIALISED
/// Eight elements, rounded to nearest, ties to even, within -127...127; -127 for what is not a number.
INLINE __m256i scaled(const float *x, __m256 inverse) {
    __m256 v = _mm256_mul_ps(_mm256_loadu_ps(x), inverse);
    // max(a, b) gives b if a is not a number.
    v = _mm256_min_ps(_mm256_max_ps(v, vf_set(-127)), vf_set(127));
    return _mm256_cvtps_epi32(v);
}
#endif

/// 32 elements as bytes, times `factor`.
INLINE __m256i scaled32(const float *x, __m256 factor) {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
#if LEAP_SPECIALISED
    const __m256i a = _mm256_packs_epi32(scaled(x, factor), scaled(x + 8, factor));
    const __m256i b = _mm256_packs_epi32(scaled(x + 16, factor), scaled(x + 24, factor));
    return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(a, b), order);
#else
    __m256i a, b, c, d;
#define SCALED(at, v)                                                                                                  \
    "vmulps " at "(%[x]), %[factor], %[" v "]\n\tvmaxps %[least], %[" v "], %[" v "]\n\t"                              \
    "vminps %[most], %[" v "], %[" v "]\n\tvcvtps2dq %[" v "], %[" v "]\n\t"
    __asm__ volatile(SCALED("0", "a") SCALED("32", "b") SCALED("64", "c") SCALED("96", "d")
                     "vpackssdw %[b], %[a], %[a]\n\tvpackssdw %[d], %[c], %[c]\n\tvpacksswb %[c], %[a], %[a]\n\t"
                     "vpermd %[a], %[order], %[a]"
                     : [a] "=&x"(a), [b] "=&x"(b), [c] "=&x"(c), [d] "=&x"(d)
                     : [x] "r"(x), [factor] "x"(factor), [least] "x"(vf_set(-127)), [most] "x"(vf_set(127)), [order] "x"(order)
                     : "memory");
#undef SCALED
    return a;
#endif
}

/// Sums of the 16 unsigned bytes of both halves.
INLINE void byte_sums(__m256i bytes, int32_t sums[2]) {
    const __m256i eights = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    const __m256i sixteens = _mm256_add_epi64(eights, _mm256_bsrli_epi128(eights, 8));
    sums[0] = _mm256_extract_epi32(sixteens, 0);
    sums[1] = _mm256_extract_epi32(sixteens, 4);
}

/// For both halves of 32 elements: -32 times the sums of the first two and of the last two of every four.
INLINE void store_starts(const int8_t *q, int16_t start[4]) {
    const __m256i four = _mm256_maddubs_epi16(v_set8(32), _mm256_loadu_si256((const __m256i *)q));
    const __m256i two = _mm256_add_epi16(four, _mm256_bsrli_epi128(four, 8));
    const __m256i one = _mm256_sub_epi16(_mm256_setzero_si256(), _mm256_add_epi16(two, _mm256_bsrli_epi128(two, 4)));
    const int32_t both[2] = {_mm256_extract_epi32(one, 0), _mm256_extract_epi32(one, 4)};
    memcpy(start, both, sizeof both);
}

/// Quantises 32 elements; returns the sums of both halves, and those of the magnitudes.
INLINE void quantize32(const float *x, float inverse, int8_t *q, int32_t sums[2], int32_t magnitudes[2]) {
    const __m256i bytes = scaled32(x, vf_set(inverse));
    _mm256_storeu_si256((__m256i *)q, bytes);
    // As unsigned bytes, which are 128 too large.
    byte_sums(_mm256_xor_si256(bytes, v_set8(-128)), sums);
    sums[0] -= 16 * 128;
    sums[1] -= 16 * 128;
    byte_sums(_mm256_abs_epi8(bytes), magnitudes);
}

AVX2 static void prepare_q8_32(const float *x, int64_t cols, void *record) {
    const leap_act32 act = leap_act32_view(record, cols);
    for (int64_t b = 0; b < cols / 32; b++) {
        const float largest = largest_magnitude(x + b * 32, 32);
        int32_t sums[2], magnitudes[2];
        quantize32(x + b * 32, leap_activation_inverse(largest), act.q + b * 32, sums, magnitudes);
        act.d[b] = leap_activation_scale(largest);
        act.s[b] = act.d[b] * (float)(sums[0] + sums[1]);
        act.offset128[b] = -128 * (sums[0] + sums[1]);
        act.offset8[b] = -8 * (sums[0] + sums[1]);
    }
}

AVX2 static void prepare_q8_256(const float *x, int64_t cols, void *record) {
    const leap_act256 act = leap_act256_view(record, cols);
    for (int64_t begin = 0; begin < cols; begin += 256) {
        const float largest = largest_magnitude(x + begin, 256), inverse = leap_activation_inverse(largest);
        int32_t most16 = 0, most32 = 0;
        act.d[begin / 256] = leap_activation_scale(largest);
        for (int64_t b = begin / 32; b < begin / 32 + 8; b++) {
            int32_t sums[2], magnitudes[2];
            quantize32(x + b * 32, inverse, act.q + b * 32, sums, magnitudes);
            for (int i = 0; i < 2; i++) most16 = magnitudes[i] > most16 ? magnitudes[i] : most16;
            most32 = magnitudes[0] + magnitudes[1] > most32 ? magnitudes[0] + magnitudes[1] : most32;
            const int32_t both = sums[0] + sums[1];
            act.sum16[2 * b] = (int16_t)sums[0];
            act.sum16[2 * b + 1] = (int16_t)sums[1];
            act.sum32[b] = (int16_t)both;
            act.offset16[2 * b] = -32 * sums[0];
            act.offset16[2 * b + 1] = -32 * sums[1];
            act.offset32[b] = -128 * both;
            store_starts(act.q + b * 32, act.start16 + 4 * b);
        }
        act.most16[begin / 256] = (int16_t)most16;
        act.most32[begin / 256] = (int16_t)most32;
    }
}

void leap_x86_install_prepare_avx2(leap_kernels *table) {
    table->prepare[LEAP_ACTIVATION_Q8_32] = prepare_q8_32;
    table->prepare[LEAP_ACTIVATION_Q8_256] = prepare_q8_256;
}

#endif
