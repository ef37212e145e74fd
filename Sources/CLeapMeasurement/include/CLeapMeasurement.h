// The limits of the machine, measured: what benchmarks and profiles compare the kernels with. Apps do not link it.
#ifndef CLEAPMEASUREMENT_H
#define CLEAPMEASUREMENT_H

#include <stddef.h>

#include "CLeapKernels.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// The most arithmetic that all threads of the pool do together, measured in a few tenths of a second: operations a
/// second in 10^9 (a multiply-add counts as two), on 8-bit integers, on floats, and on bfloat16 (as floats where the
/// instruction set has nothing faster), in the instruction set in use.
double leap_peak_int8(leap_pool *pool);
double leap_peak_float(leap_pool *pool);
double leap_peak_bfloat(leap_pool *pool);

/// The fastest way to read memory, and how fast that was.
typedef struct {
    /// 10^9 bytes a second; 0 where nothing was measured.
    double rate;
    /// Which way it was, and what that is:
    int way;
    /// how many places are read in turn, and whether with prefetches or streaming loads.
    const char *name;
} leap_read_peak;

/// How fast all threads of the pool together read `bytes` bytes of memory: the best of several ways, each several times
/// in turn.
///
/// Only as true a measure of memory as the region is larger than the processor's caches. A rate of 0 for less than 512
/// KiB.
leap_read_peak leap_peak_read(leap_pool *pool, const void *data, size_t bytes);

/// How fast one way reads them once, in 10^9 bytes a second. 0 for a way that there is not.
double leap_read_rate(leap_pool *pool, const void *data, size_t bytes, int way);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
