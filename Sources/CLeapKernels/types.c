// What the kernels say about tensor types: those they compute with.
#include "include/CLeapKernels.h"

static const leap_tensor_type *info(int32_t type) {
    const leap_tensor_type *found = leap_tensor_type_find(type);
    return found && found->has_kernels ? found : NULL;
}

const char *leap_type_name(int32_t type) {
    const leap_tensor_type *found = info(type);
    return found ? found->name : NULL;
}

int64_t leap_type_block_elements(int32_t type) {
    const leap_tensor_type *found = info(type);
    return found ? found->elements : 0;
}

size_t leap_type_block_bytes(int32_t type) {
    const leap_tensor_type *found = info(type);
    return found ? (size_t)found->bytes : 0;
}

size_t leap_row_bytes(int32_t type, int64_t n) {
    const leap_tensor_type *found = info(type);
    if (!found || n < 0 || n % found->elements != 0) return 0;
    const uint64_t blocks = (uint64_t)(n / found->elements);
    if (blocks > SIZE_MAX / (size_t)found->bytes) return 0;
    return (size_t)blocks * (size_t)found->bytes;
}
