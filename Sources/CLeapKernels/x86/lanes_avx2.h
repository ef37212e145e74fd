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
#endif
