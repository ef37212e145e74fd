// e^x between the limits of vector_math.h, in builds without optimisation, in assembly (internal/inline.h): the same
// operations in the same order. Part of vector_math.h, for AVX2.

static const float vector_exp_numbers[] = {
    LEAP_EXP_LARGEST, LEAP_EXP_LEAST, LEAP_EXP_LOG2_E, LEAP_EXP_LN2_HIGH, LEAP_EXP_LN2_LOW, LEAP_EXP_TERM4,
    LEAP_EXP_TERM3,   LEAP_EXP_TERM2, LEAP_EXP_TERM1,  LEAP_EXP_TERM0,    1.0f,             2.0f,
};

VECTOR_INLINE vector vector_run_exp(vector x) {
    vector r, n, q, t;
    const int32_t bias = 127;
#define NUMBER(place, into) "vbroadcastss 4*" #place "(%[c]), %[" #into "]\n\t"
#define TERM(place) NUMBER(place, t) "vfmadd213ps %[t], %[r], %[q]\n\t"
    __asm__(NUMBER(0, t) "vminps %[x], %[t], %[r]\n\t" NUMBER(1, t) "vmaxps %[r], %[t], %[r]\n\t"
            NUMBER(2, t) "vmulps %[t], %[r], %[n]\n\t" "vroundps $8, %[n], %[n]\n\t"
            NUMBER(3, t) "vfnmadd231ps %[t], %[n], %[r]\n\t" NUMBER(4, t) "vfnmadd231ps %[t], %[n], %[r]\n\t"
            NUMBER(5, q) TERM(6) TERM(7) TERM(8) TERM(9)
            "vmulps %[r], %[r], %[t]\n\tvfmadd231ps %[t], %[q], %[r]\n\t"
            NUMBER(10, t) "vaddps %[t], %[r], %[r]\n\tvsubps %[t], %[n], %[n]\n\tvcvtps2dq %[n], %[n]\n\t"
            "vpbroadcastd %[bias], %[t]\n\tvpaddd %[t], %[n], %[n]\n\tvpslld $23, %[n], %[n]\n\t"
            "vmulps %[n], %[r], %[r]\n\t" NUMBER(11, t) "vmulps %[t], %[r], %[r]"
            : [r] "=&x"(r), [n] "=&x"(n), [q] "=&x"(q), [t] "=&x"(t)
            : [x] "x"(x), [c] "r"(vector_exp_numbers), [bias] "m"(bias), "m"(vector_exp_numbers));
#undef NUMBER
#undef TERM
    return r;
}
