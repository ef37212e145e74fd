// Products with quantised weights for AVX-VNNI (VEX encoded, 256 bits).
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avxvnni,avx2,fma,f16c"))), apply_to = function)

#define LEAP_LANES_AVXVNNI 1
#define KERNELS leap_x86_avxvnni_quantized
#include "lanes256.h"
// Needs the lanes.
#include "quantized.h"

#pragma clang attribute pop

void leap_x86_install_quantized_avxvnni(leap_kernels *table) {
    leap_x86_install_quantized(table, KERNELS, 2 * LANES);
}

#endif
