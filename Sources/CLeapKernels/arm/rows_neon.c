// Row-wise kernels in NEON.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include "vector_neon.h"

#include "../internal/vector_rows.h"

void leap_arm_install_rows_neon(leap_kernels *table) { install_rows(table); }

#endif
