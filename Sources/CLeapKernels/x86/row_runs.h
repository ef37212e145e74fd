// What is read from all rows of a panel, in builds without optimisation, in assembly (internal/inline.h). Part of
// lanes256.h and lanes512.h.
#if !LEAP_SPECIALISED

#if LANES == 16
#define BASES [b0] "r"(rows->base[0] + at), [b1] "r"(rows->base[1] + at), [b2] "r"(rows->base[2] + at), [b3] "r"(rows->base[3] + at)
/// The 16 bytes of rows i, i + 4, i + 8 and i + 12.
#define LOAD_QUARTERS(i, row)                                                                                          \
    "vmovdqu " row("b0") ", %x[a" i "]\n\tvmovdqu " row("b2") ", %x[t]\n\t"                                             \
    "vinserti128 $1, " row("b1") ", %t[a" i "], %t[a" i "]\n\tvinserti128 $1, " row("b3") ", %t[t], %t[t]\n\t"           \
    "vinserti64x4 $1, %t[t], %[a" i "], %[a" i "]\n\t"
#else
#define BASES [b0] "r"(rows->base[0] + at), [b1] "r"(rows->base[1] + at)
/// The 16 bytes of rows i and i + 4.
#define LOAD_QUARTERS(i, row)                                                                                          \
    "vmovdqu " row("b0") ", %x[a" i "]\n\tvinserti128 $1, " row("b1") ", %[a" i "], %[a" i "]\n\t"
#endif
/// The four rows from a base on, by one and three strides.
#define ROW0(base) "(%[" base "])"
#define ROW1(base) "(%[" base "],%[s])"
#define ROW2(base) "(%[" base "],%[s],2)"
#define ROW3(base) "(%[" base "],%[s3])"

/// The 16 bytes at `at` of every row, four bytes wide: out[c] holds column c, row r in lane r.
INLINE void v_columns(const row_set *rows, size_t at, vi out[4]) {
    vi a0, a1, a2, a3, t;
    __asm__ volatile(LOAD_QUARTERS("0", ROW0) LOAD_QUARTERS("1", ROW1) LOAD_QUARTERS("2", ROW2) LOAD_QUARTERS("3", ROW3)
                     // t, a0: the low and high halves of rows 0 and 1; a1, a2: those of rows 2 and 3.
                     "vpunpckldq %[a1], %[a0], %[t]\n\tvpunpckhdq %[a1], %[a0], %[a0]\n\t"
                     "vpunpckldq %[a3], %[a2], %[a1]\n\tvpunpckhdq %[a3], %[a2], %[a2]\n\t"
                     "vpunpcklqdq %[a1], %[t], %[a3]\n\tvpunpckhqdq %[a1], %[t], %[a1]\n\t"
                     "vpunpcklqdq %[a2], %[a0], %[t]\n\tvpunpckhqdq %[a2], %[a0], %[a2]"
                     : [a0] "=&x"(a0), [a1] "=&x"(a1), [a2] "=&x"(a2), [a3] "=&x"(a3), [t] "=&x"(t)
                     : BASES, [s] "r"(rows->stride), [s3] "r"(rows->stride3)
                     : "memory");
    out[0] = a3;
    out[1] = a1;
    out[2] = t;
    out[3] = a2;
}

#define INSERT(width, place, row, x) "vpinsr" width " $" place ", " row ", %x[" x "], %x[" x "]\n\t"
#define INSERT_HALVES(base, first, second, third, fourth, x)                                                           \
    INSERT("w", first, ROW0(base), x) INSERT("w", second, ROW1(base), x) INSERT("w", third, ROW2(base), x)               \
    INSERT("w", fourth, ROW3(base), x)
#define INSERT_DWORDS(base, x)                                                                                         \
    INSERT("d", "0", ROW0(base), x) INSERT("d", "1", ROW1(base), x) INSERT("d", "2", ROW2(base), x)                      \
    INSERT("d", "3", ROW3(base), x)

/// The half-precision number at `at` of row r in lane r.
INLINE vf vf_halves(const row_set *rows, size_t at) {
    vi x;
#if LANES == 16
    vi t;
    __asm__ volatile("vpxor %x[x], %x[x], %x[x]\n\tvpxor %x[t], %x[t], %x[t]\n\t"
                     INSERT_HALVES("b0", "0", "1", "2", "3", "x") INSERT_HALVES("b1", "4", "5", "6", "7", "x")
                     INSERT_HALVES("b2", "0", "1", "2", "3", "t") INSERT_HALVES("b3", "4", "5", "6", "7", "t")
                     "vinserti128 $1, %x[t], %t[x], %t[x]\n\tvcvtph2ps %t[x], %[x]"
                     : [x] "=&x"(x), [t] "=&x"(t)
                     : BASES, [s] "r"(rows->stride), [s3] "r"(rows->stride3)
                     : "memory");
#else
    __asm__ volatile("vpxor %x[x], %x[x], %x[x]\n\t"
                     INSERT_HALVES("b0", "0", "1", "2", "3", "x") INSERT_HALVES("b1", "4", "5", "6", "7", "x")
                     "vcvtph2ps %x[x], %[x]"
                     : [x] "=&x"(x)
                     : BASES, [s] "r"(rows->stride), [s3] "r"(rows->stride3)
                     : "memory");
#endif
    return vf_from_bits(x);
}

/// The 32 bits at `at` of row r in lane r.
INLINE vi v_dwords(const row_set *rows, size_t at) {
    vi x, t;
#if LANES == 16
    vi u;
    __asm__ volatile("vpxor %x[x], %x[x], %x[x]\n\tvpxor %x[t], %x[t], %x[t]\n\tvpxor %x[u], %x[u], %x[u]\n\t"
                     INSERT_DWORDS("b2", "x") INSERT_DWORDS("b3", "t") "vinserti128 $1, %x[t], %t[x], %t[u]\n\t"
                     INSERT_DWORDS("b0", "x") INSERT_DWORDS("b1", "t") "vinserti128 $1, %x[t], %t[x], %t[x]\n\t"
                     "vinserti64x4 $1, %t[u], %[x], %[x]"
                     : [x] "=&x"(x), [t] "=&x"(t), [u] "=&x"(u)
                     : BASES, [s] "r"(rows->stride), [s3] "r"(rows->stride3)
                     : "memory");
#else
    __asm__ volatile("vpxor %x[x], %x[x], %x[x]\n\tvpxor %x[t], %x[t], %x[t]\n\t"
                     INSERT_DWORDS("b0", "x") INSERT_DWORDS("b1", "t") "vinserti128 $1, %x[t], %[x], %[x]"
                     : [x] "=&x"(x), [t] "=&x"(t)
                     : BASES, [s] "r"(rows->stride), [s3] "r"(rows->stride3)
                     : "memory");
#endif
    return x;
}

#undef BASES
#undef LOAD_QUARTERS
#undef ROW0
#undef ROW1
#undef ROW2
#undef ROW3
#undef INSERT
#undef INSERT_HALVES
#undef INSERT_DWORDS
#endif
