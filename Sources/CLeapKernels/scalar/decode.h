// Blocks of every quantised type, opened into plain integers: what all scalar kernels work on.
#ifndef LEAP_SCALAR_DECODE_H
#define LEAP_SCALAR_DECODE_H

#include <stdint.h>

/// x[i] = d q[i] + m
typedef struct {
    int8_t q[32];
    float d, m;
} leap_open32;

/// x[i] = (d scale[i / 16]) q[i] - dmin min[i / 16]
typedef struct {
    int8_t q[256];
    int16_t scale[16];
    int16_t min[16];
    float d, dmin;
} leap_open256;

/// Opens one block of 32 (Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL).
typedef void leap_open32_function(const void *block, leap_open32 *open);
/// Opens one block of 256 (Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS).
typedef void leap_open256_function(const void *block, leap_open256 *open);

/// NULL for types of another block size.
leap_open32_function *leap_open32_for(int32_t type);
/// NULL for types of another block size.
leap_open256_function *leap_open256_for(int32_t type);

#endif
