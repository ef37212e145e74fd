// Names and block sizes of the tensor types.
#include "include/CLeapKernels.h"
#include "internal/blocks.h"
#include "internal/kernels.h"

typedef struct {
    const char *name;
    int64_t elements;
    size_t bytes;
} leap_type_info;

static const leap_type_info types[LEAP_TYPE_LIMIT] = {
    [LEAP_F32] = {"F32", 1, 4},
    [LEAP_F16] = {"F16", 1, 2},
    [LEAP_BF16] = {"BF16", 1, 2},
    [LEAP_Q4_0] = {"Q4_0", 32, sizeof(leap_q4_0)},
    [LEAP_Q4_1] = {"Q4_1", 32, sizeof(leap_q4_1)},
    [LEAP_Q5_0] = {"Q5_0", 32, sizeof(leap_q5_0)},
    [LEAP_Q5_1] = {"Q5_1", 32, sizeof(leap_q5_1)},
    [LEAP_Q8_0] = {"Q8_0", 32, sizeof(leap_q8_0)},
    [LEAP_Q2_K] = {"Q2_K", 256, sizeof(leap_q2_K)},
    [LEAP_Q3_K] = {"Q3_K", 256, sizeof(leap_q3_K)},
    [LEAP_Q4_K] = {"Q4_K", 256, sizeof(leap_q4_K)},
    [LEAP_Q5_K] = {"Q5_K", 256, sizeof(leap_q5_K)},
    [LEAP_Q6_K] = {"Q6_K", 256, sizeof(leap_q6_K)},
    [LEAP_IQ4_NL] = {"IQ4_NL", 32, sizeof(leap_iq4_nl)},
    [LEAP_IQ4_XS] = {"IQ4_XS", 256, sizeof(leap_iq4_xs)},
};

_Static_assert(sizeof(leap_q4_0) == 18 && sizeof(leap_q4_1) == 20 && sizeof(leap_q5_0) == 22 && sizeof(leap_q5_1) == 24
                   && sizeof(leap_q8_0) == 34,
               "blocks of 32");
_Static_assert(sizeof(leap_q2_K) == 84 && sizeof(leap_q3_K) == 110 && sizeof(leap_q4_K) == 144
                   && sizeof(leap_q5_K) == 176 && sizeof(leap_q6_K) == 210 && sizeof(leap_iq4_xs) == 136,
               "blocks of 256");

const int8_t leap_iq4_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

static const leap_type_info *info(int32_t type) {
    if (type < 0 || type >= LEAP_TYPE_LIMIT || types[type].elements == 0) return NULL;
    return &types[type];
}

const char *leap_type_name(int32_t type) {
    const leap_type_info *found = info(type);
    return found ? found->name : NULL;
}

int64_t leap_type_block_elements(int32_t type) {
    const leap_type_info *found = info(type);
    return found ? found->elements : 0;
}

size_t leap_type_block_bytes(int32_t type) {
    const leap_type_info *found = info(type);
    return found ? found->bytes : 0;
}

size_t leap_row_bytes(int32_t type, int64_t n) {
    const leap_type_info *found = info(type);
    if (!found || n < 0 || n % found->elements != 0) return 0;
    const uint64_t blocks = (uint64_t)(n / found->elements);
    if (blocks > SIZE_MAX / found->bytes) return 0;
    return (size_t)blocks * found->bytes;
}
