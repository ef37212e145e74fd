// Attention in NEON: 6 rows x 16 positions (or elements) of accumulators.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include "vector_neon.h"

#define ROWS_MAX 6
#define WIDTH 4
#include "../internal/vector_attention.h"

void leap_arm_install_attention_neon(leap_kernels *table) { install_attention(table); }

#endif
