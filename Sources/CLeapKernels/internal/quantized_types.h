// Facts about the quantised types that kernels ask while they are compiled: every answer is a constant once the type
// is. Include it after defining INLINE.
#ifndef LEAP_QUANTIZED_TYPES_H
#define LEAP_QUANTIZED_TYPES_H

#include <stdbool.h>

#include "../include/CLeapKernels.h"
#include "inline.h"

typedef struct {
    uint16_t bytes;  ///< of a block
    uint16_t codes;  ///< values that an unpacked weight can have
    uint8_t bias;    ///< what is subtracted from them
    uint8_t sub;     ///< elements that share an integer scale; 32 in blocks of 32
    uint8_t parts;   ///< of 32 elements, in types that are computed with like blocks of 32; else 0
    bool has_min;
} leap_quantized_facts;

static const leap_quantized_facts quantized_facts[LEAP_TENSOR_TYPE_LIMIT] = {
#define FACTS_32(NAME, name, id, elements, bytes, format, scale_at, min_at, bias, codes, ...) \
    [id] = {bytes, codes, bias, 32, (elements) / 32, (min_at) >= 0},
#define FACTS_256(NAME, name, id, bytes, format, scale_at, min_at, sub, bias, codes) \
    [id] = {bytes, codes, bias, sub, 0, (min_at) >= 0},
#define FACTS_64(NAME, name, id, bytes, bias, codes) [id] = {bytes, codes, bias, 16, 0, false},
    LEAP_TYPES_32(FACTS_32) LEAP_TYPES_256(FACTS_256) LEAP_TYPES_64(FACTS_64)
#undef FACTS_64
#undef FACTS_32
#undef FACTS_256
};

/// Parts of 32 elements that a block consists of, in types that are computed with like blocks of 32.
LEAP_OPERATION int parts32(int32_t type) { return quantized_facts[type].parts; }

/// Types that are computed with like blocks of 32; the others have blocks of 256, or of 64 with several scales.
LEAP_OPERATION bool is_block32(int32_t type) { return parts32(type) != 0; }

/// Types with blocks of 64, whose 16 elements have a scale each.
LEAP_OPERATION bool is_block64(int32_t type) { return !is_block32(type) && leap_type_block_elements(type) == 64; }

/// Types whose unpacked weights use the whole signed byte.
LEAP_OPERATION bool is_full(int32_t type) { return quantized_facts[type].codes == 256; }

/// Types with a minimum per block or sub-block.
LEAP_OPERATION bool has_min(int32_t type) { return quantized_facts[type].has_min; }

/// Elements that share a scale in types with blocks of 256.
LEAP_OPERATION int sub_block(int32_t type) { return quantized_facts[type].sub; }

LEAP_OPERATION size_t block_bytes(int32_t type) { return quantized_facts[type].bytes; }

/// What is subtracted from the codes that weights are unpacked to.
LEAP_OPERATION int code_bias(int32_t type) { return quantized_facts[type].bias; }

/// The bias of the offsets that activations store for a type (activation.h).
INLINE int stored_bias(int32_t type) {
    if (is_block32(type)) return is_full(type) ? 128 : 8;
    return sub_block(type) == 16 ? 32 : 128;
}

// Blocks of 256 are unpacked in quarters of two times 32 elements, whose codes share bytes.

/// Which 32 elements of the block the first half of quarter q holds; the second half holds second_of_quarter.
LEAP_OPERATION int first_of_quarter(int32_t type, int q) { return type == LEAP_Q6_K ? q / 2 * 4 + q % 2 : 2 * q; }
LEAP_OPERATION int second_of_quarter(int32_t type, int q) { return first_of_quarter(type, q) + (type == LEAP_Q6_K ? 2 : 1); }

#endif
