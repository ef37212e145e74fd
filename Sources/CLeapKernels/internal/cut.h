// How the pool runs what internal callers cut themselves.
#ifndef LEAP_CUT_H
#define LEAP_CUT_H

#include <stdbool.h>

#include "kernels.h"

/// Pieces of `grain` indices from the first to the last.
static inline leap_cut leap_cut_even(int64_t count, int64_t grain, int threads) {
    if (grain < 1) grain = 1;
    return (leap_cut){count, grain, grain, threads};
}

/// leap_pool_run with a cut of its own, for the pool's number of threads. reading: as leap_pool_run_reading.
void leap_pool_run_cut(leap_pool *pool, const leap_cut *cut, leap_pool_body *body, void *context, bool reading);

#endif
