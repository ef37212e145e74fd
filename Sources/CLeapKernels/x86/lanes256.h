// The vector operations that x86/quantized.h is written in, for 256-bit registers: 8 rows, one per 32-bit lane.
// With LEAP_LANES_AVXVNNI defined, byte products use AVX-VNNI, otherwise AVX2.
#ifndef LEAP_LANES_H
#define LEAP_LANES_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../internal/grids.h"
#include "../internal/inline.h"

#define LANES 8
/// Tokens of a product tile: with two panels of rows, as many accumulators as the 16 registers hold. Sums that are
/// needed once a block lie in memory.
#define SUMS_IN_REGISTERS 0
#if defined(LEAP_LANES_AVXVNNI)
#define TILE_TOKENS 6
#define FULL_BYTES_BIASED 1
#else
#define TILE_TOKENS 4
#define FULL_BYTES_BIASED 0
#if LEAP_SPECIALISED
/// Tiles are those of tiles_avx2.h.
#define TILES_OF_AVX2 1
#endif
#endif

#define INLINE LEAP_INLINE
#define OPERATION LEAP_OPERATION
/// Before a loop of few turns: everything it indexes can then live in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

typedef __m256i vi;
typedef __m256 vf;

#if !LEAP_SPECIALISED && !defined(LEAP_LANES_AVXVNNI)
/// Single operations are in assembly, too: in builds without optimisation, for AVX2 alone.
#define LANE_RUNS 1
#include "set_runs.h"
#else
OPERATION vi v_set8(int x) { return _mm256_set1_epi8((char)x); }
OPERATION vi v_set32(int x) { return _mm256_set1_epi32(x); }
/// The 32 bits at p in every lane.
INLINE vi v_broadcast32(const void *p) {
    int32_t x;
    memcpy(&x, p, sizeof x);
    return _mm256_set1_epi32(x);
}
OPERATION vf vf_broadcast(const float *p) { return _mm256_broadcast_ss(p); }
OPERATION vf vf_set(float x) { return _mm256_set1_ps(x); }
/// Adds to 16-bit numbers.
OPERATION vi v_add16(vi x, int n) { return _mm256_add_epi16(x, _mm256_set1_epi16((short)n)); }
OPERATION vf vf_negate(vf a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
#endif

OPERATION vi v_zero(void) { return _mm256_setzero_si256(); }
OPERATION vi v_load(const void *p) { return _mm256_loadu_si256(p); }
/// A load that stays where it stands.
INLINE vi v_load_now(const uint8_t *p) {
    vi x;
    __asm__ volatile("vmovdqu %1, %0" : "=x"(x) : "m"(*(const vi *)p));
    return x;
}
OPERATION void v_store(void *p, vi x) { _mm256_storeu_si256(p, x); }
OPERATION vi v_and(vi a, vi b) { return _mm256_and_si256(a, b); }
OPERATION vi v_or(vi a, vi b) { return _mm256_or_si256(a, b); }
OPERATION vi v_xor(vi a, vi b) { return _mm256_xor_si256(a, b); }
OPERATION vi v_add32(vi a, vi b) { return _mm256_add_epi32(a, b); }
OPERATION vi v_sub32(vi a, vi b) { return _mm256_sub_epi32(a, b); }
OPERATION vi v_mul32(vi a, vi b) { return _mm256_mullo_epi32(a, b); }
OPERATION vi v_shl32(vi x, int n) { return _mm256_slli_epi32(x, n); }
OPERATION vi v_shr32(vi x, int n) { return _mm256_srli_epi32(x, n); }
OPERATION vi v_sar32(vi x, int n) { return _mm256_srai_epi32(x, n); }
/// The low 16 bits of both, as pairs.
OPERATION vi v_pair16(vi low, vi high) { return _mm256_blend_epi16(low, _mm256_slli_epi32(high, 16), 0xaa); }
OPERATION vi v_sar16(vi x, int n) { return _mm256_srai_epi16(x, n); }
/// Bytes of each 16-byte part chosen by index, where all parts of `table` are equal or indices stay in their lane.
OPERATION vi v_shuffle8(vi table, vi index) { return _mm256_shuffle_epi8(table, index); }
/// The same 16 bytes in every part.
OPERATION vi v_repeat16(const void *p) { return _mm256_broadcastsi128_si256(_mm_loadu_si128(p)); }
/// `value` in the bytes where x & bits is not zero. Each byte of bits has one bit set.
OPERATION vi v_where_bits(vi x, vi bits, vi value) { return v_and(_mm256_cmpeq_epi8(v_and(x, bits), bits), value); }

OPERATION vi v_add8(vi a, vi b) { return _mm256_add_epi8(a, b); }
/// Magnitudes with the bias, and with the opposite signs in the bytes where marks & bits is not zero. Each byte of bits
/// has one bit set.
OPERATION vi v_signed(vi x, vi marks, vi bits, int bias) {
    const vi less = _mm256_cmpeq_epi8(v_and(marks, bits), bits);
    return _mm256_add_epi8(v_xor(x, less), _mm256_sub_epi8(v_set8(bias), less));
}
/// floor(3 x / 256) for unsigned bytes.
OPERATION vi v_first_digit(vi x) {
    const vi one = _mm256_cmpeq_epi8(_mm256_max_epu8(x, v_set8(86)), x);
    const vi two = _mm256_cmpeq_epi8(_mm256_max_epu8(x, v_set8(171)), x);
    return _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_add_epi8(one, two));
}

/// For every byte of a register: where its lane of 32 bits starts within its 16 bytes.
static const uint8_t v_dword_starts[64] = {
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
};

OPERATION vf vf_zero(void) { return _mm256_setzero_ps(); }
OPERATION vf vf_load(const void *p) { return _mm256_loadu_ps(p); }
OPERATION void vf_store(void *p, vf x) { _mm256_storeu_ps(p, x); }
OPERATION vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
OPERATION vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
OPERATION vf vf_from_bits(vi x) { return _mm256_castsi256_ps(x); }
OPERATION vf vf_from_int(vi x) { return _mm256_cvtepi32_ps(x); }
/// The low halves of the lanes, as half-precision numbers.
INLINE vf vf_from_half(vi x) {
    const vi low = v_and(x, v_set32(0xffff));
    const vi packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
    return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
}
/// Stores lanes `skip` and up.
INLINE void vf_store_from(float *p, vf x, int skip) {
    const vi lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_maskstore_ps(p, _mm256_cmpgt_epi32(lane, v_set32(skip - 1)), x);
}

#include "rows.h"

/// Eight bytes of a table for every lane; the first four in out[0].
INLINE void v_look_up8(const uint64_t *table, vi index, vi out[2]) {
    uint32_t i[LANES];
    v_store(i, index);
    const vf a = _mm256_castsi256_ps(_mm256_setr_m128i(two_places(table, i[0], i[1]), two_places(table, i[4], i[5])));
    const vf b = _mm256_castsi256_ps(_mm256_setr_m128i(two_places(table, i[2], i[3]), two_places(table, i[6], i[7])));
    out[0] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    out[1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
}

#if LEAP_SPECIALISED
/// The 16 bytes at `at` of every row, four bytes wide: out[c] holds column c, row r in lane r.
INLINE void v_columns(const row_set *rows, size_t at, vi out[4]) {
    vi a[4];
    UNROLL for (int i = 0; i < 4; i++) {
        a[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)row_byte(rows, i, at))),
                                       _mm_loadu_si128((const __m128i *)row_byte(rows, i + 4, at)), 1);
    }
    const vi x0 = _mm256_unpacklo_epi32(a[0], a[1]), x1 = _mm256_unpackhi_epi32(a[0], a[1]);
    const vi x2 = _mm256_unpacklo_epi32(a[2], a[3]), x3 = _mm256_unpackhi_epi32(a[2], a[3]);
    out[0] = _mm256_unpacklo_epi64(x0, x2);
    out[1] = _mm256_unpackhi_epi64(x0, x2);
    out[2] = _mm256_unpacklo_epi64(x1, x3);
    out[3] = _mm256_unpackhi_epi64(x1, x3);
}

/// The 32 bits at `at` of row r in lane r.
INLINE vi v_dwords(const row_set *rows, size_t at) {
    int32_t x[8];
    UNROLL for (int i = 0; i < 8; i++) memcpy(&x[i], row_byte(rows, i, at), 4);
    return _mm256_setr_epi32(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
}

/// The half-precision number at `at` of row r in lane r.
INLINE vf vf_halves(const row_set *rows, size_t at) {
    int16_t x[8];
    UNROLL for (int i = 0; i < 8; i++) memcpy(&x[i], row_byte(rows, i, at), 2);
    return _mm256_cvtph_ps(_mm_setr_epi16(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]));
}
#endif
#include "row_runs.h"

/// Two grid points of eight elements for every lane, whose places are its halves: magnitudes.
INLINE void v_points8(const leap_grid8 *grid, vi places, vi out[4]) {
    v_look_up8(grid->points, v_and(places, v_set32(0xffff)), out);
    v_look_up8(grid->points, v_shr32(places, 16), out + 2);
}

/// The same with four elements.
INLINE void v_points4(const leap_grid4 *grid, vi places, vi out[2]) {
    out[0] = _mm256_i32gather_epi32((const int *)grid->points, v_and(places, v_set32(0xffff)), 4);
    out[1] = _mm256_i32gather_epi32((const int *)grid->points, v_shr32(places, 16), 4);
}

#include "dot_runs.h"

#if defined(LEAP_LANES_AVXVNNI)
/// acc + products of unsigned and signed bytes, four a lane.
OPERATION vi v_dot(vi acc, vi u, vi s) { return _mm256_dpbusd_avx_epi32(acc, u, s); }
/// acc + products of signed 16-bit numbers, two a lane.
OPERATION vi v_dot16(vi acc, vi a, vi b) { return _mm256_dpwssd_avx_epi32(acc, a, b); }
/// sum[i] + products of w_i and the four bytes at a, here.
INLINE void v_dot_both(vi sum[2], vi w0, vi w1, const int8_t *a) {
    vi x;
    __asm__ volatile("vpbroadcastd %5, %2\n\t%{vex%} vpdpbusd %2, %3, %0\n\t%{vex%} vpdpbusd %2, %4, %1"
                     : "+x"(sum[0]), "+x"(sum[1]), "=&x"(x)
                     : "x"(w0), "x"(w1), "m"(*(const int8_t(*)[4])a));
}
#include "lanes_vnni.h"
#else
/// acc + products of signed 16-bit numbers, two a lane.
OPERATION vi v_dot16(vi acc, vi a, vi b) { return _mm256_add_epi32(acc, _mm256_madd_epi16(a, b)); }
#include "lanes_avx2.h"
#endif

#endif
