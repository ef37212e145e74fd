// The innermost loops of builds without optimisation, in assembly (internal/inline.h): each adds the products of
// `count` steps to a vector of sums, one step after the other, as the loops that it stands for do. Part of
// vector_avx2.h and vector_avx512.h: registers are as wide as `vector`.
//
// a and b advance by their steps, in bytes.
#if !LEAP_SPECIALISED
#define VECTOR_RUNS 1

/// Defines vector_run_NAME. body: the instructions of a step; u, if it has one, is a second register of its own.
#define VECTOR_RUN(name, body)                                                                                          \
    VECTOR_INLINE vector vector_run_##name(const void *a, int64_t a_step, const void *b, int64_t b_step, int64_t count,  \
                                           vector sum) {                                                                \
        if (count <= 0) return sum;                                                                                     \
        vector t, u;                                                                                                    \
        __asm__ volatile("1:\n\t" body "\n\tadd %[as], %[a]\n\tadd %[bs], %[b]\n\tdec %[n]\n\tjnz 1b"                       \
                         : [sum] "+x"(sum), [t] "=&x"(t), [u] "=&x"(u), [a] "+r"(a), [b] "+r"(b), [n] "+r"(count)        \
                         : [as] "r"(a_step), [bs] "r"(b_step)                                                           \
                         : "cc", "memory");                                                                             \
        return sum;                                                                                                     \
    }

/// Vectors of float, half-precision numbers or BF16 at a times vectors of float at b.
VECTOR_RUN(float, "vmovups (%[a]), %[t]\n\tvfmadd231ps (%[b]), %[t], %[sum]")
VECTOR_RUN(half, "vcvtph2ps (%[a]), %[t]\n\tvfmadd231ps (%[b]), %[t], %[sum]")
VECTOR_RUN(bfloat, "vpmovzxwd (%[a]), %[t]\n\tvpslld $16, %[t], %[t]\n\tvfmadd231ps (%[b]), %[t], %[sum]")
/// Single floats at a times vectors of float or half-precision numbers at b.
VECTOR_RUN(scaled, "vbroadcastss (%[a]), %[t]\n\tvfmadd231ps (%[b]), %[t], %[sum]")
VECTOR_RUN(scaled_half, "vcvtph2ps (%[b]), %[u]\n\tvbroadcastss (%[a]), %[t]\n\tvfmadd231ps %[u], %[t], %[sum]")
#endif
