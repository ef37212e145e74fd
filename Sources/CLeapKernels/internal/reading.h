// Which of two kernels reads the weights of a single token's products.
//
// Processors differ in how many requests for memory they keep, in what they do with more, and in how many sequences of
// addresses they follow. No name of a product tells, so both kernels of a product compute the first tokens in turn, and
// the faster one the rest. Their results are the same bits. What has been found out holds for the process.
#ifndef LEAP_READING_H
#define LEAP_READING_H

#include <stdbool.h>

#include "kernels.h"

/// One product that is being computed.
typedef struct {
    int slot;       ///< of what it measures, or -1
    bool other;     ///< whether the entries' `other` kernels compute it
    int64_t begin;  ///< nanoseconds
} leap_reading_trial;

/// Chooses the kernels for jobs of one token each with `bytes` bytes of weights. Follow it by leap_reading_end.
leap_reading_trial leap_reading_begin(const leap_kernels *kernels, const leap_matmul_job *jobs, int count, int threads,
                                      int64_t bytes);

/// Notes how long the product took.
void leap_reading_end(const leap_reading_trial *trial);

#endif
