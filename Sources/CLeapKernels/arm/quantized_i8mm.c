// Products with quantised weights for NEON with SDOT and SMMLA.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod,i8mm"))), apply_to = function)

#define INSTALL leap_arm_install_quantized_i8mm
#include "quantized_rows.h"
// Needs the rows.
#include "dot_i8mm.h"
// Needs the dot products.
#include "quantized_neon.h"

#pragma clang attribute pop

#endif
