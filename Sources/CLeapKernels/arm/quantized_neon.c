// Products with quantised weights for NEON alone: every 64-bit Arm processor.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#pragma STDC FP_CONTRACT OFF

#define INSTALL leap_arm_install_quantized_neon
#include "quantized_rows.h"
// Needs the rows.
#include "dot_neon.h"
// Needs the dot products.
#include "quantized_neon.h"

#endif
