// The innermost loops of products of bytes in builds without optimisation, in assembly (internal/inline.h). Part of
// lanes256.h and lanes512.h, before lanes_avx2.h or lanes_vnni.h.
#if !LEAP_SPECIALISED

/// acc + w . a over `groups` > 0 groups of four bytes. w: vectors w_step bytes apart. full: see lanes_avx2.h.
INLINE vi dot_run(vi acc, const void *w, int64_t w_step, const void *a, int64_t groups, bool full) {
#define DOT_RUN(body)                                                                                                  \
    __asm__ volatile("1:\n\tvpbroadcastd (%[a]), %[x]\n\t" body "\n\tadd %[step], %[w]\n\tadd $4, %[a]\n\tdec %[n]\n\tjnz 1b" \
                     : [acc] "+x"(acc), [x] "=&x"(x), [t] "=&x"(t), [w] "+r"(w), [a] "+r"(a), [n] "+r"(groups)           \
                     : [step] "r"(w_step), [ones] "x"(ones)                                                            \
                     : "cc", "memory")
    vi x, t;
    const vi ones = v_set32(0x00010001);
#if LANES == 16
    (void)full;
    DOT_RUN("vmovdqu32 (%[w]), %[t]\n\tvpdpbusd %[x], %[t], %[acc]");
#elif defined(LEAP_LANES_AVXVNNI)
    (void)full;
    DOT_RUN("vmovdqu (%[w]), %[t]\n\t%{vex%} vpdpbusd %[x], %[t], %[acc]");
#else
    // Sums of two products fit 16 bits whatever the type: they are widened after each group.
    if (full) {
        DOT_RUN("vmovdqu (%[w]), %[t]\n\tvpsignb %[t], %[x], %[x]\n\tvpabsb %[t], %[t]\n\t"
                "vpmaddubsw %[x], %[t], %[t]\n\tvpmaddwd %[ones], %[t], %[t]\n\tvpaddd %[t], %[acc], %[acc]");
    } else {
        DOT_RUN("vmovdqu (%[w]), %[t]\n\tvpmaddubsw %[x], %[t], %[t]\n\t"
                "vpmaddwd %[ones], %[t], %[t]\n\tvpaddd %[t], %[acc], %[acc]");
    }
#endif
#undef DOT_RUN
    return acc;
}

/// The same, of a block that is unpacked into `w`.
INLINE vi block_dot(vi acc, const vi *w, const int8_t *a, int groups, int span, bool full) {
    (void)span;
    return dot_run(acc, w, sizeof(vi), a, groups, full);
}

#if defined(LANE_RUNS)
/// The same for both panels of a pair. panels: [groups][2][LANES] of 32 bits.
INLINE void dot_run_both(vi total[2], const uint8_t *panels, const int8_t *a, int64_t groups, bool full) {
#define DOT_RUN(body)                                                                                                  \
    __asm__ volatile("1:\n\tvpbroadcastd (%[a]), %[x]\n\t" body("0", "first") body("%c[side]", "second")                 \
                     "add %[step], %[w]\n\tadd $4, %[a]\n\tdec %[n]\n\tjnz 1b"                                         \
                     : [first] "+x"(first), [second] "+x"(second), [x] "=&x"(x), [y] "=&x"(y), [t] "=&x"(t),             \
                       [w] "+r"(panels), [a] "+r"(a), [n] "+r"(groups)                                                  \
                     : [step] "r"(2 * sizeof(vi)), [side] "i"(sizeof(vi)), [ones] "x"(ones)                             \
                     : "cc", "memory")
#define FULL_PRODUCTS(at, acc)                                                                                         \
    "vmovdqu " at "(%[w]), %[t]\n\tvpsignb %[t], %[x], %[y]\n\tvpabsb %[t], %[t]\n\t"                                 \
    "vpmaddubsw %[y], %[t], %[t]\n\tvpmaddwd %[ones], %[t], %[t]\n\tvpaddd %[t], %[" acc "], %[" acc "]\n\t"
#define PRODUCTS(at, acc)                                                                                              \
    "vmovdqu " at "(%[w]), %[t]\n\tvpmaddubsw %[x], %[t], %[t]\n\t"                                                   \
    "vpmaddwd %[ones], %[t], %[t]\n\tvpaddd %[t], %[" acc "], %[" acc "]\n\t"
    vi first = total[0], second = total[1], x, y, t;
    const vi ones = v_set32(0x00010001);
    if (full) {
        DOT_RUN(FULL_PRODUCTS);
    } else {
        DOT_RUN(PRODUCTS);
    }
#undef FULL_PRODUCTS
#undef PRODUCTS
#undef DOT_RUN
    total[0] = first;
    total[1] = second;
}
#endif

/// total[t][panel] += panel . token over `groups` groups. panels: [groups][2][LANES] of 32 bits; tokens at a[t] + at.
INLINE void tile_dot(vi total[][2], const uint8_t *panels, const int8_t *const *a, int64_t at, int groups, int tokens,
                     int span, bool full) {
    (void)span;
    for (int t = 0; t < tokens; t++) {
#if defined(LANE_RUNS)
        dot_run_both(total[t], panels, a[t] + at, groups, full);
#else
        for (int side = 0; side < 2; side++) {
            total[t][side] = dot_run(total[t][side], panels + (size_t)side * sizeof(vi), 2 * sizeof(vi), a[t] + at, groups, full);
        }
#endif
    }
}

#if defined(LANE_RUNS)
/// sum += total * (scale * d). sum, total and scale: of a vector each.
OPERATION void sum_run(void *sum, const vi *total, const void *scale, const float *d) {
    vf x, t, s;
    __asm__ volatile("vbroadcastss (%[d]), %[x]\n\tvmulps (%[scale]), %[x], %[x]\n\tvcvtdq2ps (%[total]), %[t]\n\t"
                     "vmovups (%[sum]), %[s]\n\tvfmadd231ps %[t], %[x], %[s]\n\tvmovups %[s], (%[sum])"
                     : [x] "=&x"(x), [t] "=&x"(t), [s] "=&x"(s)
                     : [d] "r"(d), [scale] "r"(scale), [total] "r"(total), [sum] "r"(sum)
                     : "memory");
}
#else
/// sum + total * (scale * d). scale: of a vector.
INLINE vf sum_run(vf sum, const vi *total, const void *scale, const float *d) {
    vf x, t;
    __asm__("vbroadcastss %[d], %[x]\n\tvmulps %[scale], %[x], %[x]\n\tvcvtdq2ps %[total], %[t]\n\t"
            "vfmadd231ps %[t], %[x], %[sum]"
            : [sum] "+x"(sum), [x] "=&x"(x), [t] "=&x"(t)
            : [d] "m"(*d), [scale] "m"(*(const vf *)scale), [total] "m"(*total));
    return sum;
}
#endif
#endif
