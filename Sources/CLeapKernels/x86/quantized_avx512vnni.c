// Products with quantised weights for AVX-512 VNNI.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c"))), apply_to = function)

#define KERNELS leap_x86_avx512vnni_quantized
#include "lanes512.h"
// Needs the lanes.
#include "quantized.h"

#pragma clang attribute pop

void leap_x86_install_quantized_avx512vnni(leap_kernels *table) {
    leap_x86_install_quantized(table, KERNELS, 2 * LANES);
}

#endif
