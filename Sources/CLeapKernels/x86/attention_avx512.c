// Attention in AVX-512: 6 rows x 64 positions (or elements) of accumulators.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#include "vector_avx512.h"

#define ROWS_MAX 6
#define WIDTH 4
#include "../internal/vector_attention.h"

void leap_x86_install_attention_avx512(leap_kernels *table) { install_attention(table); }

#endif
