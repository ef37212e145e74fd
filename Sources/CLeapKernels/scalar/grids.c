// The grids of the IQ types, expanded from their packed points while they are compiled.
//
// Source: ggml-org/ggml, src/ggml-common.h (iq2xxs_grid and the others).
#include "../internal/grids.h"

#include "../internal/grid_points.h"

/// What codes stand for. IQ2: 8, 25, 43. IQ3_XXS: 4, 12, ... 52, 62. IQ3_S: 1, 3, ... 15. IQ1: -8, 0, 8 with the bias.
#define IQ2_VALUE(code) (8 + 17 * (code) + ((code) >> 1))
#define IQ3_XXS_VALUE(code) (4 + 8 * (code) + ((code) == 7 ? 2 : 0))
#define IQ3_S_VALUE(code) (1 + 2 * (code))
#define IQ1_VALUE(code) (LEAP_IQ1_BIAS + 8 * (code) - 8)

#define OF_TWO_BITS(VALUE, point, i) (uint64_t) VALUE((point) >> (2 * (i)) & 3) << (8 * (i))
#define EIGHT(VALUE, point)                                                                                      \
    OF_TWO_BITS(VALUE, point, 0) | OF_TWO_BITS(VALUE, point, 1) | OF_TWO_BITS(VALUE, point, 2) |                 \
        OF_TWO_BITS(VALUE, point, 3) | OF_TWO_BITS(VALUE, point, 4) | OF_TWO_BITS(VALUE, point, 5) |             \
        OF_TWO_BITS(VALUE, point, 6) | OF_TWO_BITS(VALUE, point, 7)
#define OF_THREE_BITS(VALUE, point, i) (uint32_t) VALUE((point) >> (3 * (i)) & 7) << (8 * (i))
#define FOUR(VALUE, point)                                                                                       \
    OF_THREE_BITS(VALUE, point, 0) | OF_THREE_BITS(VALUE, point, 1) | OF_THREE_BITS(VALUE, point, 2) |           \
        OF_THREE_BITS(VALUE, point, 3)

#define IQ2(point) EIGHT(IQ2_VALUE, point),
#define IQ3_XXS(point) FOUR(IQ3_XXS_VALUE, point),
#define IQ3_S(point) FOUR(IQ3_S_VALUE, point),
#define IQ1(point) EIGHT(IQ1_VALUE, point),
#define CODES(point) point,
#define HALF_BYTES(point) ((point) & 7) | ((point) & 0x38) << 1 | ((point) & 0x1c0) << 2 | ((point) & 0xe00) << 3,

const uint64_t leap_iq2_xxs_grid[256] = {LEAP_IQ2_XXS_POINTS(IQ2)};
const uint64_t leap_iq2_xs_grid[512] = {LEAP_IQ2_XS_POINTS(IQ2)};
const uint64_t leap_iq2_s_grid[1024] = {LEAP_IQ2_S_POINTS(IQ2)};
const uint32_t leap_iq3_xxs_grid[256] = {LEAP_IQ3_XXS_POINTS(IQ3_XXS)};
const uint32_t leap_iq3_s_grid[512] = {LEAP_IQ3_S_POINTS(IQ3_S)};

const uint16_t leap_iq2_xxs_codes[256] = {LEAP_IQ2_XXS_POINTS(CODES)};
const uint16_t leap_iq2_xs_codes[512] = {LEAP_IQ2_XS_POINTS(CODES)};
const uint16_t leap_iq2_s_codes[1024] = {LEAP_IQ2_S_POINTS(CODES)};
const uint16_t leap_iq3_xxs_codes[256] = {LEAP_IQ3_XXS_POINTS(HALF_BYTES)};
const uint16_t leap_iq3_s_codes[512] = {LEAP_IQ3_S_POINTS(HALF_BYTES)};

const uint64_t leap_iq1_grid[2048] = {LEAP_IQ1_S_POINTS(IQ1)};
