// Products with quantised weights for AMX: as with AVX-512 VNNI, but many tokens times blocks of 256 in tile registers.
#include "../internal/kernels.h"

#if defined(LEAP_X86)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma,f16c"))), apply_to = function)

#define INSTALL leap_x86_install_quantized_amx
#define USES_AMX 1
#include "lanes512.h"
// Needs the lanes.
#include "quantized.h"

#pragma clang attribute pop

#endif
