// exp and tanh over vectors, written once for every instruction set: include after a vector_*.h vocabulary.
//
// The same operations in the same order everywhere, fused where written so: equal bits on every instruction set.
// Polynomials: minimax fits (Remez) of (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, relative error of e^r 3.1e-9, and of
// (tanh(y)/y - 1) / y^2 on |y| <= 0.625, relative error 4.1e-9. Largest errors over all floats, in units of the last
// place of the result: exp 1.01, tanh 1.51, silu 2.4 (for |x| <= 80).
// The tail of the normal distribution: a fit of exp(y^2 / 2) (1 - Phi(y)) / t in t = 1 / (1 + 0.35 y) on 0 <= y <= 9,
// relative error 2.5e-8, with rounding 3e-7.
#ifndef LEAP_VECTOR_MATH_H
#define LEAP_VECTOR_MATH_H

/// Below this exp is taken as 0: the last value whose result is not subnormal is -87.3.
#define LEAP_EXP_SMALLEST (-86.5f)

/// What exp is computed with between these limits.
#define LEAP_EXP_LEAST (-87.0f)
#define LEAP_EXP_LARGEST 89.0f
#define LEAP_EXP_LOG2_E 1.44269504089f
/// ln 2 in two parts; a small whole number times the first is exact.
#define LEAP_EXP_LN2_HIGH 0.693359375f
#define LEAP_EXP_LN2_LOW (-2.12194440055e-4f)
/// The polynomial, from the highest power down.
#define LEAP_EXP_TERM4 1.38145401768e-3f
#define LEAP_EXP_TERM3 8.36874510894e-3f
#define LEAP_EXP_TERM2 4.16683907835e-2f
#define LEAP_EXP_TERM1 1.6666520399e-1f
#define LEAP_EXP_TERM0 4.99999934321e-1f

#if defined(VECTOR_EXP_RUN)
#include "../x86/vector_exp_run.h"
#endif

/// e^x: 0 below LEAP_EXP_SMALLEST, infinity above 88.72, NaN for NaN.
VECTOR_INLINE vector vector_exp(vector x) {
#if defined(VECTOR_EXP_RUN)
    return vector_if_less(x, vector_set(LEAP_EXP_SMALLEST), vector_zero(), vector_run_exp(x));
#else
    const vector clamped = vector_at_least(vector_set(LEAP_EXP_LEAST), vector_at_most(vector_set(LEAP_EXP_LARGEST), x));
    const vector n = vector_round(vector_multiply(clamped, vector_set(LEAP_EXP_LOG2_E)));
    vector r = vector_fnma(n, vector_set(LEAP_EXP_LN2_HIGH), clamped);
    r = vector_fnma(n, vector_set(LEAP_EXP_LN2_LOW), r);
    vector q = vector_set(LEAP_EXP_TERM4);
    q = vector_fma(q, r, vector_set(LEAP_EXP_TERM3));
    q = vector_fma(q, r, vector_set(LEAP_EXP_TERM2));
    q = vector_fma(q, r, vector_set(LEAP_EXP_TERM1));
    q = vector_fma(q, r, vector_set(LEAP_EXP_TERM0));
    const vector e = vector_add(vector_fma(q, vector_multiply(r, r), r), vector_set(1.0f));
    // Two steps, so that 2^n itself need not be a float.
    const vector half = vector_multiply(e, vector_power_of_two(vector_subtract(n, vector_set(1.0f))));
    return vector_if_less(x, vector_set(LEAP_EXP_SMALLEST), vector_zero(), vector_multiply(half, vector_set(2.0f)));
#endif
}

/// tanh(x), NaN for NaN.
VECTOR_INLINE vector vector_tanh(vector x) {
    const vector y = vector_absolute(x);
    const vector square = vector_multiply(y, y);
    vector p = vector_set(-5.71704548256e-3f);
    p = vector_fma(p, square, vector_set(2.0650587701e-2f));
    p = vector_fma(p, square, vector_set(-5.37434982128e-2f));
    p = vector_fma(p, square, vector_set(1.33314912887e-1f));
    p = vector_fma(p, square, vector_set(-3.33332839253e-1f));
    const vector small = vector_fma(vector_multiply(p, square), y, y);
    const vector decay = vector_exp(vector_multiply(y, vector_set(-2.0f)));
    const vector one = vector_set(1.0f);
    const vector large = vector_divide(vector_subtract(one, decay), vector_add(one, decay));
    return vector_with_sign(vector_if_less(y, vector_set(0.625f), small, large), x);
}

/// 1 / (1 + e^-x) times x.
VECTOR_INLINE vector vector_silu(vector x) {
    const vector decay = vector_exp(vector_subtract(vector_zero(), x));
    return vector_divide(x, vector_add(vector_set(1.0f), decay));
}

/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), computed as x times a logistic function: no cancellation below zero.
VECTOR_INLINE vector vector_gelu(vector x) {
    const vector cubic = vector_fma(vector_multiply(x, x), vector_set(0.044715f), vector_set(1.0f));
    const vector inner = vector_multiply(vector_multiply(x, vector_set(-1.5957691216057308f)), cubic);
    return vector_divide(x, vector_add(vector_set(1.0f), vector_exp(inner)));
}

/// x times the standard normal distribution function, which is x/2 (1 + erf(x / sqrt(2))): no cancellation below zero.
VECTOR_INLINE vector vector_gelu_exact(vector x) {
    const vector y = vector_absolute(x);
    const vector one = vector_set(1.0f);
    const vector t = vector_divide(one, vector_fma(y, vector_set(0.35f), one));
    vector q = vector_set(-0.0278850086f);
    q = vector_fma(q, t, vector_set(0.137613311f));
    q = vector_fma(q, t, vector_set(-0.242038354f));
    q = vector_fma(q, t, vector_set(0.142823339f));
    q = vector_fma(q, t, vector_set(-0.0112519274f));
    q = vector_fma(q, t, vector_set(0.100179203f));
    q = vector_fma(q, t, vector_set(0.121278629f));
    q = vector_fma(q, t, vector_set(0.139645815f));
    q = vector_fma(q, t, vector_set(0.139634997f));
    // exp(-y^2 / 2), with what the square loses in rounding put back to first order.
    const vector limited = vector_at_most(vector_set(20.0f), y);
    const vector square = vector_multiply(limited, limited);
    const vector lost = vector_fma(limited, limited, vector_subtract(vector_zero(), square));
    const vector bell = vector_exp(vector_multiply(square, vector_set(-0.5f)));
    const vector corrected = vector_fma(vector_multiply(lost, vector_set(-0.5f)), bell, bell);
    const vector tail = vector_multiply(vector_multiply(q, t), corrected);
    return vector_multiply(x, vector_if_less(x, vector_zero(), tail, vector_subtract(one, tail)));
}

#endif
