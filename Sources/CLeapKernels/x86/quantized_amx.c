// Products with quantised weights for AMX: as with AVX-512 VNNI, but many tokens times blocks of 256 in tile registers.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c"))), apply_to = function)

#include "lanes512.h"
// Needs the lanes.
#include "panels.h"
// Needs the panels.
#include "tiles_amx.h"

#pragma clang attribute pop

void leap_x86_install_quantized_amx(leap_kernels *table) {
    leap_x86_install_quantized(table, leap_x86_avx512vnni_quantized, 2 * LANES);
#define INSTALL(NAME, ...) table->matmul[LEAP_##NAME].rows = amx_rows;
    LEAP_TYPES_256(INSTALL)
}

#endif
