// What a page of keys or values looks like inside.
//
// One part per key/value head. Keys lie as [head_dim][LEAP_KV_PAGE], so that vectors of positions can be scored without
// sums across lanes; values as [LEAP_KV_PAGE][head_dim]. In q8_0 an element is a signed byte, and behind the elements
// of a head come their scales in f16, [blocks][LEAP_KV_PAGE]: one for LEAP_KV_BLOCK elements of a position (fewer in
// the last block).
#ifndef LEAP_KV_PAGE_H
#define LEAP_KV_PAGE_H

#include <math.h>

#include "../include/CLeapKernels.h"
#include "numeric.h"

/// Elements that share a scale.
#define LEAP_KV_BLOCK 32
/// The largest code of q8_0; the smallest is its negative.
#define LEAP_KV_CODE_MAX 127
#define LEAP_KV_BLOCKS_MAX ((LEAP_HEAD_DIM_MAX + LEAP_KV_BLOCK - 1) / LEAP_KV_BLOCK)

static inline int leap_kv_blocks(int head_dim) { return (head_dim + LEAP_KV_BLOCK - 1) / LEAP_KV_BLOCK; }

/// Bytes of one element, its share of the scale not counted.
static inline int leap_kv_element_bytes(int kv_type) {
    return kv_type == LEAP_KV_F32 ? 4 : kv_type == LEAP_KV_F16 ? 2 : 1;
}

/// Bytes of the elements of one head in a page: with q8_0, where its scales start.
static inline size_t leap_kv_elements_bytes(int kv_type, int head_dim) {
    return (size_t)LEAP_KV_PAGE * (size_t)head_dim * (size_t)leap_kv_element_bytes(kv_type);
}

/// Bytes of one head in a page.
static inline size_t leap_kv_head_bytes(int kv_type, int head_dim) {
    const size_t scales = kv_type == LEAP_KV_Q8_0 ? (size_t)leap_kv_blocks(head_dim) * LEAP_KV_PAGE * 2 : 0;
    return leap_kv_elements_bytes(kv_type, head_dim) + scales;
}

/// The scales of one head in a page of q8_0, given where the head starts.
static inline const uint16_t *leap_kv_scales(const void *head, int head_dim) {
    return (const uint16_t *)(const void *)((const char *)head + leap_kv_elements_bytes(LEAP_KV_Q8_0, head_dim));
}

/// The scale in f16 of a block whose largest magnitude is given, and what its elements are multiplied with and then
/// rounded.
///
/// The factor belongs to the scale as it is stored. 0 where there is nothing to divide by: the codes are 0 then, and
/// with a scale that is no number (an element was infinite, no number, or above 127 * 65504) the block reads as not a
/// number.
static inline uint16_t leap_kv_scale(float largest, int finite, float *factor) {
    const float wanted = largest / LEAP_KV_CODE_MAX;
    const uint16_t scale = finite ? leap_f32_to_f16(wanted) : 0x7e00;
    const float stored = leap_f16_to_f32(scale);
    *factor = stored > 0 && stored < INFINITY ? 1 / stored : 0;
    return scale;
}

#endif
