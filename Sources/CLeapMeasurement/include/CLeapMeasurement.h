// The limits of the machine, measured: what benchmarks and profiles compare the kernels with. Apps do not link it.
#ifndef CLEAPMEASUREMENT_H
#define CLEAPMEASUREMENT_H

#include <stddef.h>

#include "CLeapKernels.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// The most arithmetic that all threads of the pool do together, measured in a few tenths of a second: operations a second
/// in 10^9 (a multiply-add counts as two), on 8-bit integers, on floats, and on bfloat16 (as floats where the instruction set
/// has nothing faster), in the instruction set in use.
double leap_peak_int8(leap_pool *pool);
double leap_peak_float(leap_pool *pool);
double leap_peak_bfloat(leap_pool *pool);

/// How fast all threads of the pool together read `bytes` bytes of memory, in 10^9 bytes a second.
///
/// Only as true a measure of memory as the region is larger than the processor's caches. 0 for less than 256 KiB.
double leap_peak_read(leap_pool *pool, const void *data, size_t bytes);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
