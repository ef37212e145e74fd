// SHA-256 with the SHA extensions of x86: two rounds per instruction.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#include "../internal/sha256.h"

__attribute__((target("sha,sse4.1"))) static void sha256_blocks(uint32_t state[8], const uint8_t *data, size_t count) {
    // The instructions want the state as (from the highest lane) a b e f and c d g h.
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    for (; count > 0; count--, data += LEAP_SHA256_BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];  // the last 16 words of the schedule
#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data + i), big_endian);
        }
#pragma clang loop unroll(full)
        for (int i = 0; i < LEAP_SHA256_ROUNDS / 4; i++) {
            const __m128i terms =
                _mm_add_epi32(w[i % 4], _mm_load_si128((const __m128i *)(leap_sha256_constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, terms);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(terms, 0x0e));
            // The words of 16 rounds later; the last 16 rounds have none.
            if (i >= LEAP_SHA256_ROUNDS / 4 - 4) continue;
            const __m128i middle = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
            const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), middle);
            w[i % 4] = _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

void leap_x86_install_sha256(leap_kernels *table) { table->sha256_blocks = sha256_blocks; }

#endif
