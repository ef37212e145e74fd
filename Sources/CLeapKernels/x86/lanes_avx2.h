// Dot products of blocks with AVX2 alone: bytes multiply into 16-bit sums, which hold `span` groups of four before they
// must be widened. `full`: the weights are signed and use the whole byte, so signs move to the other factor.

// Where sums are widened in between, the compiler's order is the faster one (see lanes_vnni.h).
#define TILE_FENCE()
#define TILE_NOW(x)

INLINE vi pair_products(vi w, vi a, bool full) {
    if (full) return _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(a, w));
    return _mm256_maddubs_epi16(w, a);
}

INLINE vi widen(vi acc, vi pairs) {
    return _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#if LEAP_SPECIALISED
/// acc + w . a over `groups` groups of four bytes.
INLINE vi block_dot(vi acc, const vi *w, const int8_t *a, int groups, int span, bool full) {
    UNROLL for (int g = 0; g < groups; g += span) {
        vi pairs = pair_products(w[g], v_broadcast32(a + 4 * g), full);
        UNROLL for (int i = g + 1; i < g + span && i < groups; i++) {
            pairs = _mm256_add_epi16(pairs, pair_products(w[i], v_broadcast32(a + 4 * i), full));
        }
        acc = widen(acc, pairs);
    }
    return acc;
}

/// total[t][panel] += panel . token over `groups` groups. panels: [groups][2][LANES] of 32 bits; tokens at a[t] + at.
INLINE void tile_dot(vi total[][2], const uint8_t *panels, const int8_t *const *a, int64_t at, int groups, int tokens,
                     int span, bool full) {
    UNROLL for (int g = 0; g < groups; g += span) {
        vi pairs[TILE_TOKENS][2];
        UNROLL for (int i = g; i < g + span && i < groups; i++) {
            const vi w0 = v_load(panels + (size_t)i * 2 * sizeof(vi));
            const vi w1 = v_load(panels + ((size_t)i * 2 + 1) * sizeof(vi));
            UNROLL for (int t = 0; t < tokens; t++) {
                const vi x = v_broadcast32(a[t] + at + 4 * i);
                const vi p0 = pair_products(w0, x, full), p1 = pair_products(w1, x, full);
                pairs[t][0] = i == g ? p0 : _mm256_add_epi16(pairs[t][0], p0);
                pairs[t][1] = i == g ? p1 : _mm256_add_epi16(pairs[t][1], p1);
            }
        }
        UNROLL for (int t = 0; t < tokens; t++) {
            total[t][0] = widen(total[t][0], pairs[t][0]);
            total[t][1] = widen(total[t][1], pairs[t][1]);
        }
    }
}
#endif
