#pragma once
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isfinite(x) __builtin_isfinite(x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
double cos(double), erf(double), exp(double), floor(double), fma(double, double, double), log(double), sin(double), sqrt(double),
    tanh(double), pow(double, double);
float cosf(float), erfcf(float), expf(float), fabsf(float), floorf(float), fmaf(float, float, float), fmaxf(float, float), fminf(float, float),
    logf(float), log1pf(float), powf(float, float), rintf(float), sinf(float), sqrtf(float), tanhf(float);
