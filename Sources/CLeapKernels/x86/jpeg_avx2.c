// Blocks and colours of JPEG files with AVX2: the numbers that LeapVision's portable code computes (JPEGTransform,
// JPEGColours).
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#include "../internal/inline.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define INLINE LEAP_INLINE
#define OPERATION LEAP_OPERATION

/// Sums of the constants of the factorisation, with 13 bits behind the point.
enum {
    C0298 = 2446, C0390 = 3196, C0541 = 4433, C0765 = 6270, C0899 = 7373, C1175 = 9633, C1501 = 12299, C1847 = 15137,
    C1961 = 16069, C2053 = 16819, C2562 = 20995, C3072 = 25172
};

/// Two rows of a block in one register: columns 0 to 3 of the first and of the second, then columns 4 to 7 of both.
typedef struct {
    __m256i rows01, rows23, rows45, rows67;
} block;

/// The eight results of one pass over all columns, 32 bits each: columns 0 to 3, then 4 to 7.
typedef struct {
    __m256i row[8];
} sums;

OPERATION __m256i factors(int a, int b) { return _mm256_set1_epi32((int)((unsigned)b << 16 | ((unsigned)a & 0xffff))); }
OPERATION __m256i dot(__m256i pairs, int a, int b) { return _mm256_madd_epi16(pairs, factors(a, b)); }

/// One pass, before it is shifted.
INLINE sums pass(block b, int rounding) {
    const __m256i pairs04 = _mm256_unpacklo_epi16(b.rows01, b.rows45), pairs26 = _mm256_unpacklo_epi16(b.rows23, b.rows67);
    const __m256i pairs17 = _mm256_unpackhi_epi16(b.rows01, b.rows67), pairs35 = _mm256_unpackhi_epi16(b.rows23, b.rows45);
    // Rows 7 + 3 and 5 + 1.
    const __m256i z = _mm256_unpackhi_epi16(_mm256_add_epi16(b.rows67, b.rows23), _mm256_add_epi16(b.rows45, b.rows01));

    const __m256i half = _mm256_set1_epi32(rounding);
    const __m256i even0 = _mm256_add_epi32(dot(pairs04, 1 << 13, 1 << 13), half);
    const __m256i even1 = _mm256_add_epi32(dot(pairs04, 1 << 13, -(1 << 13)), half);
    const __m256i even2 = dot(pairs26, C0541, C0541 - C1847), even3 = dot(pairs26, C0541 + C0765, C0541);
    const __m256i e0 = _mm256_add_epi32(even0, even3), e3 = _mm256_sub_epi32(even0, even3);
    const __m256i e1 = _mm256_add_epi32(even1, even2), e2 = _mm256_sub_epi32(even1, even2);

    const __m256i y3 = dot(z, C1175 - C1961, C1175), y4 = dot(z, C1175, C1175 - C0390);
    const __m256i o0 = _mm256_add_epi32(dot(pairs17, -C0899, C0298 - C0899), y3);
    const __m256i o1 = _mm256_add_epi32(dot(pairs35, -C2562, C2053 - C2562), y4);
    const __m256i o2 = _mm256_add_epi32(dot(pairs35, C3072 - C2562, -C2562), y3);
    const __m256i o3 = _mm256_add_epi32(dot(pairs17, C1501 - C0899, -C0899), y4);
    return (sums){{_mm256_add_epi32(e0, o3), _mm256_add_epi32(e1, o2), _mm256_add_epi32(e2, o1), _mm256_add_epi32(e3, o0),
                   _mm256_sub_epi32(e3, o0), _mm256_sub_epi32(e2, o1), _mm256_sub_epi32(e1, o2), _mm256_sub_epi32(e0, o3)}};
}

/// Exchanges rows and columns.
INLINE block transposed(block b) {
    const __m256i even = _mm256_unpacklo_epi16(b.rows01, b.rows23), odd = _mm256_unpackhi_epi16(b.rows01, b.rows23);
    const __m256i more_even = _mm256_unpacklo_epi16(b.rows45, b.rows67), more_odd = _mm256_unpackhi_epi16(b.rows45, b.rows67);
    const __m256i low = _mm256_unpacklo_epi16(even, odd), high = _mm256_unpackhi_epi16(even, odd);
    const __m256i more_low = _mm256_unpacklo_epi16(more_even, more_odd), more_high = _mm256_unpackhi_epi16(more_even, more_odd);
    return (block){_mm256_permute2x128_si256(low, more_low, 0x20), _mm256_permute2x128_si256(high, more_high, 0x20),
                   _mm256_permute2x128_si256(low, more_low, 0x31), _mm256_permute2x128_si256(high, more_high, 0x31)};
}

/// Two rows of coefficients, multiplied with their factors.
INLINE __m256i two_rows(const int16_t *coefficients, const int16_t *quantisation) {
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)coefficients);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)quantisation);
    return _mm256_permute4x64_epi64(_mm256_mullo_epi16(a, b), 0xd8);
}

/// The lower 16 bits of two rows after a shift by 11.
INLINE __m256i shifted(const __m256i *rows) {
    const __m256i a = _mm256_srai_epi32(_mm256_slli_epi32(rows[0], 5), 16);
    return _mm256_packs_epi32(a, _mm256_srai_epi32(_mm256_slli_epi32(rows[1], 5), 16));
}

/// Four columns as bytes, row by row.
INLINE __m256i samples_of(const __m256i *columns) {
    const __m256i a = _mm256_packs_epi32(_mm256_srai_epi32(columns[0], 18), _mm256_srai_epi32(columns[1], 18));
    const __m256i b = _mm256_packs_epi32(_mm256_srai_epi32(columns[2], 18), _mm256_srai_epi32(columns[3], 18));
    // Signed bytes from -128 on.
    const __m256i bytes = _mm256_add_epi8(_mm256_packs_epi16(a, b), _mm256_set1_epi8(-128));
    return _mm256_shuffle_epi8(bytes, _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5,
                                                       9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

INLINE void store_rows(uint8_t *samples, ptrdiff_t stride, __m128i two) {
    _mm_storel_epi64((__m128i *)(void *)samples, two);
    _mm_storeh_pd((double *)(void *)(samples + stride), _mm_castsi128_pd(two));
}

static void jpeg_block(const int16_t *coefficients, const int16_t *quantisation, uint8_t *samples, ptrdiff_t stride) {
    const sums columns = pass((block){two_rows(coefficients, quantisation), two_rows(coefficients + 16, quantisation + 16),
                                      two_rows(coefficients + 32, quantisation + 32),
                                      two_rows(coefficients + 48, quantisation + 48)}, 1 << 10);
    const block middle = transposed((block){shifted(columns.row), shifted(columns.row + 2), shifted(columns.row + 4),
                                            shifted(columns.row + 6)});
    const sums rows = pass(middle, 1 << 17);
    const __m256i left = samples_of(rows.row), right = samples_of(rows.row + 4);
    const __m256i low = _mm256_unpacklo_epi32(left, right), high = _mm256_unpackhi_epi32(left, right);
    store_rows(samples, stride, _mm256_castsi256_si128(low));
    store_rows(samples + 2 * stride, stride, _mm256_castsi256_si128(high));
    store_rows(samples + 4 * stride, stride, _mm256_extracti128_si256(low, 1));
    store_rows(samples + 6 * stride, stride, _mm256_extracti128_si256(high, 1));
}

/// The upper half of twice a product, halved and rounded: a product shifted by 16.
OPERATION __m256i rounded(__m256i difference, int factor) {
    const __m256i product = _mm256_mulhi_epi16(_mm256_add_epi16(difference, difference), _mm256_set1_epi16((short)factor));
    return _mm256_srai_epi16(_mm256_add_epi16(product, _mm256_set1_epi16(1)), 1);
}

/// Writes eight pixels of four bytes each as 24 bytes, and 8 bytes more.
INLINE void store_pixels(uint8_t *pixels, __m256i eight) {
    const __m256i order = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13,
                                           14, -1, -1, -1, -1);
    const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(eight, order), _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    _mm256_storeu_si256((__m256i *)(void *)pixels, packed);
}

/// JFIF's colours of 16 pixels at a time; the last ones of a row are left to the caller.
static int64_t jpeg_colours(const uint8_t *luma, const uint8_t *blues, const uint8_t *reds, uint8_t *pixels, int64_t width) {
    const __m256i middle = _mm256_set1_epi16(128);
    int64_t x = 0;
    // A store reaches eight bytes, three pixels, behind its pixels.
    for (; x + 19 <= width; x += 16) {
        const __m256i y = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(luma + x)));
        const __m256i cb = _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(blues + x))), middle);
        const __m256i cr = _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(reds + x))), middle);
        const __m256i red = _mm256_add_epi16(_mm256_add_epi16(y, cr), rounded(cr, 26345));
        const __m256i blue = _mm256_add_epi16(_mm256_add_epi16(y, _mm256_add_epi16(cb, cb)), rounded(cb, -14942));
        const __m256i half = _mm256_set1_epi32(1 << 15);
        const __m256i g0 = _mm256_add_epi32(dot(_mm256_unpacklo_epi16(cr, cb), 18734, -22554), half);
        const __m256i g1 = _mm256_add_epi32(dot(_mm256_unpackhi_epi16(cr, cb), 18734, -22554), half);
        const __m256i less = _mm256_packs_epi32(_mm256_srai_epi32(g0, 16), _mm256_srai_epi32(g1, 16));
        const __m256i green = _mm256_add_epi16(_mm256_sub_epi16(y, cr), less);
        // Pixels 0 to 7 are in the lower halves, 8 to 15 in the upper ones: red and blue beside each other as bytes.
        const __m256i red_blue = _mm256_packus_epi16(red, blue), green_none = _mm256_packus_epi16(green, _mm256_setzero_si256());
        const __m256i red_green = _mm256_unpacklo_epi8(red_blue, green_none), blue_none = _mm256_unpackhi_epi8(red_blue, green_none);
        const __m256i low = _mm256_unpacklo_epi16(red_green, blue_none), high = _mm256_unpackhi_epi16(red_green, blue_none);
        store_pixels(pixels + 3 * x, _mm256_permute2x128_si256(low, high, 0x20));
        store_pixels(pixels + 3 * x + 24, _mm256_permute2x128_si256(low, high, 0x31));
    }
    return x;
}

#pragma clang attribute pop

void leap_x86_install_jpeg_avx2(leap_kernels *table) {
    table->jpeg = (leap_jpeg_kernels){jpeg_block, jpeg_colours};
}

#endif
