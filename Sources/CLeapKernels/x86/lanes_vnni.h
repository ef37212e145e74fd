// Dot products of blocks where one instruction multiplies and adds four bytes a lane. Included by lanes512.h and
// lanes256.h; `span` and `full` matter to plain AVX2 only (see lanes_avx2.h).

/// Ends a step of a tile: nothing that comes after it is computed before. Left alone, compilers load ahead, and the
/// sums that make room for that go through memory.
#define TILE_FENCE() __asm__ volatile("" : : : "memory")
/// Computes x here, with the same purpose.
#define TILE_NOW(x) __asm__ volatile("" : "+v"(x))

#if LEAP_SPECIALISED
/// acc + w . a over `groups` groups of four bytes.
INLINE vi block_dot(vi acc, const vi *w, const int8_t *a, int groups, int span, bool full) {
    (void)span;
    (void)full;
    // Two chains, so that one product need not wait for the one before.
    vi second = v_zero();
    UNROLL for (int g = 0; g < groups; g += 2) {
        acc = v_dot(acc, w[g], v_broadcast32(a + 4 * g));
        second = v_dot(second, w[g + 1], v_broadcast32(a + 4 * g + 4));
    }
    return v_add32(acc, second);
}

/// total[t][panel] += panel . token over `groups` groups. panels: [groups][2][LANES] of 32 bits; tokens at a[t] + at.
INLINE void tile_dot(vi total[][2], const uint8_t *panels, const int8_t *const *a, int64_t at, int groups, int tokens,
                     int span, bool full) {
    (void)span;
    (void)full;
    UNROLL for (int g = 0; g < groups; g++) {
        const vi w0 = v_load_now(panels + (size_t)g * 2 * sizeof(vi));
        const vi w1 = v_load_now(panels + ((size_t)g * 2 + 1) * sizeof(vi));
        UNROLL for (int t = 0; t < tokens; t++) v_dot_both(total[t], w0, w1, a[t] + at + 4 * g);
    }
}
#endif
