// Facts about the quantised types that kernels ask while they are compiled: every answer is a constant once the type is.
// Include it after defining INLINE (static, always inlined).
#ifndef LEAP_QUANTIZED_TYPES_H
#define LEAP_QUANTIZED_TYPES_H

#include <stdbool.h>

#include "../include/CLeapKernels.h"
#include "blocks.h"

/// Types with blocks of 32; the others have blocks of 256.
INLINE bool is_block32(int32_t type) {
    return type == LEAP_Q4_0 || type == LEAP_Q4_1 || type == LEAP_Q5_0 || type == LEAP_Q5_1 || type == LEAP_Q8_0
        || type == LEAP_IQ4_NL;
}

/// Types whose opened weights use the whole signed byte.
INLINE bool is_full(int32_t type) { return type == LEAP_Q8_0 || type == LEAP_IQ4_NL || type == LEAP_IQ4_XS; }

/// Types with a minimum per block or sub-block.
INLINE bool has_min(int32_t type) {
    return type == LEAP_Q4_1 || type == LEAP_Q5_1 || type == LEAP_Q2_K || type == LEAP_Q4_K || type == LEAP_Q5_K;
}

/// Elements that share a scale in types with blocks of 256.
INLINE int sub_block(int32_t type) { return type == LEAP_Q2_K || type == LEAP_Q3_K || type == LEAP_Q6_K ? 16 : 32; }

INLINE size_t block_bytes(int32_t type) {
    switch (type) {
    case LEAP_Q4_0: return sizeof(leap_q4_0);
    case LEAP_Q4_1: return sizeof(leap_q4_1);
    case LEAP_Q5_0: return sizeof(leap_q5_0);
    case LEAP_Q5_1: return sizeof(leap_q5_1);
    case LEAP_Q8_0: return sizeof(leap_q8_0);
    case LEAP_IQ4_NL: return sizeof(leap_iq4_nl);
    case LEAP_Q2_K: return sizeof(leap_q2_K);
    case LEAP_Q3_K: return sizeof(leap_q3_K);
    case LEAP_Q4_K: return sizeof(leap_q4_K);
    case LEAP_Q5_K: return sizeof(leap_q5_K);
    case LEAP_Q6_K: return sizeof(leap_q6_K);
    default: return sizeof(leap_iq4_xs);
    }
}

#endif
