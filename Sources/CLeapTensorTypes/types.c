// The table of tensor types by identifier.
#include <stddef.h>

#include "include/CLeapTensorTypes.h"

static const leap_tensor_type types[LEAP_TENSOR_TYPE_LIMIT] = {
#define FLOAT(NAME, name, id, bytes) [id] = {#NAME, 1, bytes, 1, LEAP_SCALE_NONE, -1, -1},
#define BLOCK_32(NAME, name, id, elements, bytes, format, scale_at, min_at, ...) \
    [id] = {#NAME, elements, bytes, 1, LEAP_SCALE_##format, scale_at, min_at},
#define BLOCK_256(NAME, name, id, bytes, format, scale_at, min_at, ...) \
    [id] = {#NAME, 256, bytes, 1, LEAP_SCALE_##format, scale_at, min_at},
#define BLOCK_64(NAME, name, id, bytes, ...) [id] = {#NAME, 64, bytes, 1, LEAP_SCALE_NONE, -1, -1},
#define OTHER(NAME, id, elements, bytes) [id] = {#NAME, elements, bytes, 0, LEAP_SCALE_NONE, -1, -1},
    LEAP_FLOAT_TYPES(FLOAT) LEAP_TYPES_32(BLOCK_32) LEAP_TYPES_256(BLOCK_256) LEAP_TYPES_64(BLOCK_64) LEAP_OTHER_TYPES(OTHER)
};

const leap_tensor_type *leap_tensor_type_find(int64_t id) {
    return id >= 0 && id < LEAP_TENSOR_TYPE_LIMIT && types[id].elements > 0 ? &types[id] : NULL;
}
