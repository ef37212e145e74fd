// Blocks of every quantised type, unpacked into plain integers: what all scalar kernels work on.
#ifndef LEAP_SCALAR_UNPACK_H
#define LEAP_SCALAR_UNPACK_H

#include <stdint.h>

/// x[i] = d q[i] + m
typedef struct {
    int8_t q[32];
    float d, m;
} leap_unpacked32;

/// x[i] = (d scale[i / 16]) q[i] - dmin min[i / 16]
typedef struct {
    int8_t q[256];
    int16_t scale[16];
    int16_t min[16];
    float d, dmin;
} leap_unpacked256;

/// x[i] = d[i / 16] q[i]
typedef struct {
    int8_t q[64];
    float d[4];
} leap_unpacked64;

/// Unpacks 32 elements of a block of 32, 64 or 128. part: which of them.
typedef void leap_unpack32_function(const void *block, int part, leap_unpacked32 *out);
/// Unpacks one block of 256.
typedef void leap_unpack256_function(const void *block, leap_unpacked256 *out);

/// Unpacks one block of 64.
typedef void leap_unpack64_function(const void *block, leap_unpacked64 *out);

/// NULL for types of another block size. type: 0 ..< LEAP_TENSOR_TYPE_LIMIT.
leap_unpack32_function *leap_unpack32_for(int32_t type);
/// NULL for types of another block size. type: 0 ..< LEAP_TENSOR_TYPE_LIMIT.
leap_unpack256_function *leap_unpack256_for(int32_t type);
/// NULL for types of another block size. type: 0 ..< LEAP_TENSOR_TYPE_LIMIT.
leap_unpack64_function *leap_unpack64_for(int32_t type);

#endif
