// Row-wise kernels in AVX-512.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#include "vector_avx512.h"

#include "../internal/vector_rows.h"

void leap_x86_install_rows_avx512(leap_kernels *table) { install_rows(table); }

#endif
