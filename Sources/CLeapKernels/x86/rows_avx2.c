// Row-wise kernels in AVX2.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#pragma STDC FP_CONTRACT OFF

#include "vector_avx2.h"

#include "../internal/vector_rows.h"

void leap_x86_install_rows_avx2(leap_kernels *table) { install_rows(table); }

#endif
