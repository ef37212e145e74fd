// Products with quantised weights for NEON with SDOT.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define INSTALL leap_arm_install_quantized_dotprod
#include "quantized_rows.h"
// Needs the rows.
#include "dot_dotprod.h"
// Needs the dot products.
#include "quantized_neon.h"

#pragma clang attribute pop

#endif
