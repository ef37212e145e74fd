// The vector operations that x86/quantized.h is written in, for AVX-512 VNNI: 16 rows, one per 32-bit lane.
#ifndef LEAP_LANES_H
#define LEAP_LANES_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
/// Tokens of a product tile: with two panels of rows, as many accumulators as the 32 registers hold.
#define TILE_TOKENS 6
/// Float sums of a tile stay in registers.
#define SUMS_IN_REGISTERS 1
/// Weights that use the whole byte carry a bias of 128 (see activation.h).
#define FULL_BYTES_BIASED 1

#include "../internal/grids.h"
#include "../internal/inline.h"

#define INLINE LEAP_INLINE
#define OPERATION LEAP_OPERATION
/// Before a loop of few turns: everything it indexes can then live in registers.
#define UNROLL _Pragma("clang loop unroll(full)")

typedef __m512i vi;
typedef __m512 vf;

OPERATION vi v_zero(void) { return _mm512_setzero_si512(); }
OPERATION vi v_load(const void *p) { return _mm512_loadu_si512(p); }
OPERATION void v_store(void *p, vi x) { _mm512_storeu_si512(p, x); }
OPERATION vi v_set8(int x) { return _mm512_set1_epi8((char)x); }
OPERATION vi v_set32(int x) { return _mm512_set1_epi32(x); }
OPERATION vi v_and(vi a, vi b) { return _mm512_and_si512(a, b); }
OPERATION vi v_or(vi a, vi b) { return _mm512_or_si512(a, b); }
OPERATION vi v_xor(vi a, vi b) { return _mm512_xor_si512(a, b); }
OPERATION vi v_add32(vi a, vi b) { return _mm512_add_epi32(a, b); }
OPERATION vi v_sub32(vi a, vi b) { return _mm512_sub_epi32(a, b); }
OPERATION vi v_mul32(vi a, vi b) { return _mm512_mullo_epi32(a, b); }
OPERATION vi v_shl32(vi x, int n) { return _mm512_slli_epi32(x, (unsigned)n); }
OPERATION vi v_shr32(vi x, int n) { return _mm512_srli_epi32(x, (unsigned)n); }
OPERATION vi v_sar32(vi x, int n) { return _mm512_srai_epi32(x, (unsigned)n); }
/// The low 16 bits of both, as pairs.
OPERATION vi v_pair16(vi low, vi high) { return _mm512_mask_blend_epi16(0xaaaaaaaau, low, _mm512_slli_epi32(high, 16)); }
/// Adds to 16-bit numbers.
OPERATION vi v_add16(vi x, int n) { return _mm512_add_epi16(x, _mm512_set1_epi16((short)n)); }
OPERATION vi v_sar16(vi x, int n) { return _mm512_srai_epi16(x, (unsigned)n); }
/// The 32 bits at p in every lane.
INLINE vi v_broadcast32(const void *p) {
    int32_t x;
    memcpy(&x, p, sizeof x);
    return _mm512_set1_epi32(x);
}
/// Bytes of each 16-byte part chosen by index, where all parts of `table` are equal or indices stay in their lane.
OPERATION vi v_shuffle8(vi table, vi index) { return _mm512_shuffle_epi8(table, index); }
/// The same 16 bytes in every part.
OPERATION vi v_repeat16(const void *p) { return _mm512_broadcast_i32x4(_mm_loadu_si128(p)); }
/// `value` in the bytes where x & bits is not zero.
OPERATION vi v_where_bits(vi x, vi bits, vi value) { return _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(x, bits), value); }

OPERATION vi v_add8(vi a, vi b) { return _mm512_add_epi8(a, b); }
/// Biased magnitudes with the opposite signs in the bytes where marks & bits is not zero.
OPERATION vi v_signed(vi x, vi marks, vi bits, int bias) {
    return _mm512_mask_sub_epi8(x, _mm512_test_epi8_mask(marks, bits), v_set8(2 * bias), x);
}
/// floor(3 x / 256) for unsigned bytes.
OPERATION vi v_first_digit(vi x) {
    const vi one = _mm512_maskz_mov_epi8(_mm512_cmpge_epu8_mask(x, v_set8(86)), v_set8(1));
    return _mm512_mask_mov_epi8(one, _mm512_cmpge_epu8_mask(x, v_set8(171)), v_set8(2));
}

/// For every byte of a register: where its lane of 32 bits starts within its 16 bytes.
static const uint8_t v_dword_starts[64] = {
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
    0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12,
};

OPERATION vf vf_zero(void) { return _mm512_setzero_ps(); }
OPERATION vf vf_load(const void *p) { return _mm512_loadu_ps(p); }
OPERATION void vf_store(void *p, vf x) { _mm512_storeu_ps(p, x); }
OPERATION vf vf_broadcast(const float *p) { return _mm512_set1_ps(*p); }
OPERATION vf vf_set(float x) { return _mm512_set1_ps(x); }
OPERATION vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
OPERATION vf vf_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
OPERATION vf vf_negate(vf a) { return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a), v_set32(INT32_MIN))); }
OPERATION vf vf_from_bits(vi x) { return _mm512_castsi512_ps(x); }
OPERATION vf vf_from_int(vi x) { return _mm512_cvtepi32_ps(x); }
/// The low halves of the lanes, as half-precision numbers.
OPERATION vf vf_from_half(vi x) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(x)); }
/// Stores lanes `skip` and up.
OPERATION void vf_store_from(float *p, vf x, int skip) { _mm512_mask_storeu_ps(p, (__mmask16)(0xffffu << skip), x); }

#include "rows.h"

/// Two numbers of a table for rows 0, 4, 8 and 12 and the ones behind each, from row `first` on.
INLINE vf two_of_four_rows(const uint64_t *table, const uint32_t *index, int first) {
    __m128i x[4];
    UNROLL for (int i = 0; i < 4; i++) x[i] = two_places(table, index[4 * i + first], index[4 * i + first + 1]);
    const __m256i low = _mm256_setr_m128i(x[0], x[1]), high = _mm256_setr_m128i(x[2], x[3]);
    return _mm512_castsi512_ps(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}

/// Eight bytes of a table for every lane; the first four in out[0].
INLINE void v_look_up8(const uint64_t *table, vi index, vi out[2]) {
    uint32_t i[LANES];
    v_store(i, index);
    const vf a = two_of_four_rows(table, i, 0), b = two_of_four_rows(table, i, 2);
    out[0] = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0x88));
    out[1] = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0xdd));
}

#if LEAP_SPECIALISED
INLINE __m256i two_quarters(const row_set *rows, int r, size_t at) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)row_byte(rows, r, at))),
                                   _mm_loadu_si128((const __m128i *)row_byte(rows, r + 4, at)), 1);
}

/// The 16 bytes at `at` of every row, four bytes wide: out[c] holds column c, row r in lane r.
INLINE void v_columns(const row_set *rows, size_t at, vi out[4]) {
    vi a[4];
    UNROLL for (int i = 0; i < 4; i++) {
        a[i] = _mm512_inserti64x4(_mm512_castsi256_si512(two_quarters(rows, i, at)), two_quarters(rows, i + 8, at), 1);
    }
    const vi x0 = _mm512_unpacklo_epi32(a[0], a[1]), x1 = _mm512_unpackhi_epi32(a[0], a[1]);
    const vi x2 = _mm512_unpacklo_epi32(a[2], a[3]), x3 = _mm512_unpackhi_epi32(a[2], a[3]);
    out[0] = _mm512_unpacklo_epi64(x0, x2);
    out[1] = _mm512_unpackhi_epi64(x0, x2);
    out[2] = _mm512_unpacklo_epi64(x1, x3);
    out[3] = _mm512_unpackhi_epi64(x1, x3);
}

/// The 32 bits at `at` of row r in lane r.
INLINE vi v_dwords(const row_set *rows, size_t at) {
    __m128i part[4];
    UNROLL for (int i = 0; i < 4; i++) {
        int32_t x[4];
        UNROLL for (int k = 0; k < 4; k++) memcpy(&x[k], row_byte(rows, 4 * i + k, at), 4);
        part[i] = _mm_setr_epi32(x[0], x[1], x[2], x[3]);
    }
    const __m256i low = _mm256_setr_m128i(part[0], part[1]), high = _mm256_setr_m128i(part[2], part[3]);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// The half-precision number at `at` of row r in lane r.
INLINE vf vf_halves(const row_set *rows, size_t at) {
    uint64_t part[4];
    UNROLL for (int i = 0; i < 4; i++) {
        uint64_t x[4];
        UNROLL for (int k = 0; k < 4; k++) {
            uint16_t half;
            memcpy(&half, row_byte(rows, 4 * i + k, at), 2);
            x[k] = half;
            FORGET(x[k]);
        }
        part[i] = x[0] | x[1] << 16 | (x[2] | x[3] << 16) << 32;
        FORGET(part[i]);
    }
    return _mm512_cvtph_ps(_mm256_setr_epi64x((int64_t)part[0], (int64_t)part[1], (int64_t)part[2], (int64_t)part[3]));
}
#endif
#include "row_runs.h"

/// Numbers of a table, of 64, 128, ... or 1024, that numbers of 16 bits are places in.
INLINE vi v_look_up16(const uint16_t *table, int count, vi index) {
    vi part[16];
    UNROLL for (int i = 0; i < count / 64; i++) {
        part[i] = _mm512_permutex2var_epi16(v_load(table + 64 * i), index, v_load(table + 64 * i + 32));
    }
    UNROLL for (int step = 1; step < count / 64; step *= 2) {
        const __mmask32 second = _mm512_test_epi16_mask(index, _mm512_set1_epi16((short)(64 * step)));
        UNROLL for (int i = 0; i < count / 64; i += 2 * step) {
            part[i] = _mm512_mask_blend_epi16(second, part[i], part[i + step]);
        }
    }
    return part[0];
}

/// Two grid points of eight elements for every lane, whose places are its halves: magnitudes with the bias of their
/// type.
INLINE void v_points8(const leap_grid8 *grid, vi places, vi out[4]) {
    const vi points = v_look_up16(grid->codes, grid->count, places), values = v_repeat16(grid->values);
    UNROLL for (int i = 0; i < 4; i++) {
        // Byte i four times, its upper half in the upper two; of the two codes in a half byte one is left in each.
        const vi byte = v_shuffle8(points, _mm512_add_epi8(v_load(v_dword_starts), v_set8(i)));
        const vi halves = _mm512_srlv_epi16(byte, v_set32(4 << 16));
        out[i] = v_shuffle8(values, v_and(halves, v_set32(0x0c030c03)));
    }
}

/// The same with four elements.
INLINE void v_points4(const leap_grid4 *grid, vi places, vi out[2]) {
    const vi points = v_look_up16(grid->codes, grid->count, places), values = v_repeat16(grid->values);
    UNROLL for (int i = 0; i < 2; i++) {
        // The two bytes of half i, with zeros behind each.
        const vi place = _mm512_add_epi8(v_load(v_dword_starts), v_set32((int)(0x80018000 + (unsigned)i * 0x00020002)));
        const vi bytes = v_shuffle8(points, place);
        out[i] = v_shuffle8(values, v_and(v_or(bytes, v_shl32(bytes, 4)), v_set8(15)));
    }
}

#include "dot_runs.h"

/// acc + products of unsigned and signed bytes, four a lane.
OPERATION vi v_dot(vi acc, vi u, vi s) { return _mm512_dpbusd_epi32(acc, u, s); }
/// acc + products of signed 16-bit numbers, two a lane.
OPERATION vi v_dot16(vi acc, vi a, vi b) { return _mm512_dpwssd_epi32(acc, a, b); }

// Tiles are written as the instructions in their order: compilers load many groups ahead for the products, and then
// keep sums in memory.

/// A load that stays where it stands.
INLINE vi v_load_now(const uint8_t *p) {
    vi x;
    __asm__ volatile("vmovdqu64 %1, %0" : "=v"(x) : "m"(*(const vi *)p));
    return x;
}
/// sum[i] + products of w_i and the four bytes at a, here.
INLINE void v_dot_both(vi sum[2], vi w0, vi w1, const int8_t *a) {
    vi x;
    __asm__ volatile("vpbroadcastd %5, %2\n\tvpdpbusd %2, %3, %0\n\tvpdpbusd %2, %4, %1"
                     : "+v"(sum[0]), "+v"(sum[1]), "=&v"(x)
                     : "v"(w0), "v"(w1), "m"(*(const int8_t(*)[4])a));
}

#include "lanes_vnni.h"

#endif
