// Products with quantised weights for AVX2 with FMA and F16C.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)

#define KERNELS leap_x86_avx2_quantized
#include "lanes256.h"
// Needs the lanes.
#include "quantized.h"

#pragma clang attribute pop

void leap_x86_install_quantized_avx2(leap_kernels *table) {
    leap_x86_install_quantized(table, KERNELS, 2 * LANES);
}

#endif
