// F16 and BF16 weights in tile registers (AMX): TDPBF16PS multiplies 16 x 32 with 32 x 16 numbers, sixteen times the
// products per instruction of AVX-512.
//
// Tiles hold bfloat16, so numbers with more bits are the sum of two: inputs of their high and low halves (16 bits
// together), F16 weights likewise, which is exact. Of the four products low * low is left out: it is below what the
// halves keep. That is 20 times more exact than rounding inputs to 16 bits, as others do.
//
// One arithmetic. The input dimension is cut into blocks of 512 elements and these into 16 steps of 16 pairs: step i
// has pair i of every 32 elements. An output is one chain over the steps: it adds the sum of a step's products of low
// weights with high inputs (F16 only), then of high with high, then of high with low. Each of these sums is a chain
// over the first elements of the pairs and one over the second, added at the end. That is what a tile product computes
// for every element alone (Intel SDM, TDPBF16PS: rounded to nearest, subnormals are zero), and what lanes of AVX-512
// can compute as well, step i in lane i, for one token, without rearranging weights (float_one_amx.h). For more of
// them, weights are laid out as tiles once for all tokens (float_many_amx.h).
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#define VECTOR_TARGET LEAP_AVX512_TARGET ",avx512bf16,amx-tile,amx-bf16"
#include "vector_avx512.h"

#include <stdbool.h>

#include "../internal/activation.h"
#include "amx.h"

#define UNROLL _Pragma("clang loop unroll(full)")

/// Rows, tokens and pairs of a tile; steps of a block.
#define SIDE 16
/// Elements of a vector of 16 pairs.
#define DEPTH 32
#define BLOCK LEAP_SPLIT_BLOCK
#define LINE 64

/// bfloat16 numbers that a weight is the sum of.
VECTOR_INLINE int halves_of(const int type) { return type == LEAP_F16 ? 2 : 1; }

/// The upper 16 bits of floats.
VECTOR_INLINE __m512 upper(__m512 x) {
    return _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32((int)0xffff0000)));
}

/// Pairs of bfloat16 from floats whose lower 16 bits are zero.
VECTOR_INLINE __m512i pairs_of(__m512 first, __m512 second) {
    return _mm512_or_si512(_mm512_srli_epi32(_mm512_castps_si512(first), 16), _mm512_castps_si512(second));
}

/// First and second elements of pairs of bfloat16, as floats.
VECTOR_INLINE __m512 first_of(__m512i pairs) { return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16)); }
VECTOR_INLINE __m512 second_of(__m512i pairs) { return upper(_mm512_castsi512_ps(pairs)); }

/// The first and second elements of 16 pairs of weights.
typedef struct {
    __m512 first, second;
} weight_pairs;

/// 32 weights, or the first `count` of them, then zeros.
VECTOR_INLINE weight_pairs load_weights(const int type, const bool whole, const char *source, int64_t count) {
    if (type == LEAP_F16) {
        if (whole) return (weight_pairs){vector_load_half(source), vector_load_half(source + 32)};
        return (weight_pairs){vector_load_half_first(source, (int)leap_smaller(count, 16)),
                              count > 16 ? vector_load_half_first(source + 32, (int)count - 16) : vector_zero()};
    }
    const __mmask32 mask = ((__mmask32)1 << (count & 31)) - 1;
    const __m512i raw = whole ? _mm512_loadu_si512(source) : _mm512_maskz_loadu_epi16(mask, source);
    return (weight_pairs){first_of(raw), second_of(raw)};
}

/// Weights as the sum of numbers that bfloat16 holds; BF16 weights have no low part.
typedef struct {
    weight_pairs high, low;
} weight_halves;

VECTOR_INLINE weight_halves halves_from(const int type, weight_pairs w) {
    if (type == LEAP_BF16) return (weight_halves){w, {vector_zero(), vector_zero()}};
    const weight_pairs high = {upper(w.first), upper(w.second)};
    return (weight_halves){high, {_mm512_sub_ps(w.first, high.first), _mm512_sub_ps(w.second, high.second)}};
}

/// Stores sums of `count` <= 16 rows.
VECTOR_INLINE void store_rows(float *out, __m512 sums, int64_t count) {
    if (count >= SIDE) {
        vector_store(out, sums);
    } else {
        vector_store_first(out, sums, (int)count);
    }
}

/// 16 rows of a matrix from `row` on, the last one repeated where it has no more.
typedef struct {
    const char *row[SIDE];
} row_set;

VECTOR_INLINE row_set rows_from(const leap_matmul_job *job, int64_t row) {
    row_set set;
    for (int r = 0; r < SIDE; r++) {
        set.row[r] = (const char *)job->w.data + (size_t)leap_smaller(row + r, job->w.rows - 1) * job->w.row_bytes;
    }
    return set;
}

/// v[i] lane j becomes v[j] lane i.
VECTOR_INLINE void transpose(__m512i v[SIDE]) {
    __m512i a[SIDE], b[SIDE];
    UNROLL for (int i = 0; i < SIDE; i += 2) {
        a[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL for (int i = 0; i < SIDE; i += 4) {
        UNROLL for (int j = 0; j < 2; j++) {
            b[i + 2 * j] = _mm512_unpacklo_epi64(a[i + j], a[i + 2 + j]);
            b[i + 2 * j + 1] = _mm512_unpackhi_epi64(a[i + j], a[i + 2 + j]);
        }
    }
    // b[4 g + c]: rows 4 g ... 4 g + 3 of the columns c, c + 4, c + 8, c + 12, one in each quarter.
    UNROLL for (int c = 0; c < 4; c++) {
        const __m512i low_even = _mm512_shuffle_i32x4(b[c], b[4 + c], 0x88);
        const __m512i low_odd = _mm512_shuffle_i32x4(b[c], b[4 + c], 0xdd);
        const __m512i high_even = _mm512_shuffle_i32x4(b[8 + c], b[12 + c], 0x88);
        const __m512i high_odd = _mm512_shuffle_i32x4(b[8 + c], b[12 + c], 0xdd);
        v[c] = _mm512_shuffle_i32x4(low_even, high_even, 0x88);
        v[c + 8] = _mm512_shuffle_i32x4(low_even, high_even, 0xdd);
        v[c + 4] = _mm512_shuffle_i32x4(low_odd, high_odd, 0x88);
        v[c + 12] = _mm512_shuffle_i32x4(low_odd, high_odd, 0xdd);
    }
}

#include "float_one_amx.h"
#include "float_many_amx.h"

static void multiply(const int type, const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {
    if (job->tokens == 1 && lanes_fit(job->w.cols)) {
        multiply_one(type, job, begin, end, scratch);
    } else {
        multiply_many(type, job, begin, end, scratch);
    }
}

static void rows_f16(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {
    multiply(LEAP_F16, job, begin, end, scratch);
}

static void rows_bf16(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {
    multiply(LEAP_BF16, job, begin, end, scratch);
}

// MARK: Inputs

/// bfloat16 of 16 numbers, rounded to nearest, and of what is left.
typedef struct {
    __m512 high, low;
} input_halves;

VECTOR_INLINE __m512 rounded(__m512 x) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(x)), 16));
}

VECTOR_INLINE input_halves split_inputs(__m512 x) {
    const __m512 high = rounded(x);
    const __mmask16 finite = _mm512_cmp_ps_mask(_mm512_abs_ps(high), _mm512_set1_ps(__builtin_inff()), _CMP_LT_OQ);
    return (input_halves){high, _mm512_maskz_mov_ps(finite, rounded(_mm512_sub_ps(x, high)))};
}

/// The first `count` elements, then zeros.
VECTOR_INLINE __m512 load_inputs(const float *x, int64_t count) {
    if (count >= 16) return vector_load(x);
    return count > 0 ? vector_load_first(x, (int)count) : vector_zero();
}

VECTOR_INLINE void prepare_split(const bool paired, const float *x, int64_t cols, char *record) {
    for (; cols > 0; x += BLOCK, cols -= BLOCK, record += LEAP_SPLIT_BLOCK_BYTES) {
        __m512i high[SIDE], low[SIDE];
        UNROLL for (int j = 0; j < SIDE; j++) {
            const __m512 a = load_inputs(x + j * DEPTH, cols - j * DEPTH);
            const __m512 b = load_inputs(x + j * DEPTH + 16, cols - j * DEPTH - 16);
            const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
            const input_halves first = split_inputs(paired ? a : _mm512_permutex2var_ps(a, even, b));
            const input_halves second = split_inputs(paired ? b : _mm512_permutex2var_ps(a, odd, b));
            high[j] = pairs_of(first.high, second.high);
            low[j] = pairs_of(first.low, second.low);
        }
        transpose(high);
        transpose(low);
        UNROLL for (int i = 0; i < SIDE; i++) {
            _mm512_store_si512(record + 2 * i * LINE, high[i]);
            _mm512_store_si512(record + (2 * i + 1) * LINE, low[i]);
        }
    }
}

VECTOR_FUNCTION static void prepare_in_order(const float *x, int64_t cols, void *record) {
    prepare_split(false, x, cols, record);
}

VECTOR_FUNCTION static void prepare_paired(const float *x, int64_t cols, void *record) {
    prepare_split(true, x, cols, record);
}

void leap_x86_install_float_amx(leap_kernels *table) {
    table->matmul[LEAP_F16] = (leap_matmul_entry){rows_f16, LEAP_ACTIVATION_BF16_SPLIT_PAIRED, LEAP_FLOAT_ROW_UNIT, NULL};
    table->matmul[LEAP_BF16] = (leap_matmul_entry){rows_bf16, LEAP_ACTIVATION_BF16_SPLIT, LEAP_FLOAT_ROW_UNIT, NULL};
    table->prepare[LEAP_ACTIVATION_BF16_SPLIT] = prepare_in_order;
    table->prepare[LEAP_ACTIVATION_BF16_SPLIT_PAIRED] = prepare_paired;
}

#endif
