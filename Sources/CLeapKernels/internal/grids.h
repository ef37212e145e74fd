// What the grids of the IQ types hold: points of eight or four bytes, the first one in the lowest bits.
#ifndef LEAP_GRIDS_H
#define LEAP_GRIDS_H

#include <stdint.h>

/// Magnitudes of eight elements: eight times the format's in units of its scale.
extern const uint64_t leap_iq2_xxs_grid[256], leap_iq2_xs_grid[512], leap_iq2_s_grid[1024];
/// Magnitudes of four elements: four times the format's, and its own.
extern const uint32_t leap_iq3_xxs_grid[256], leap_iq3_s_grid[512];
/// Eight elements of IQ1_S and IQ1_M: eight times -1, 0 or 1, with LEAP_IQ1_BIAS added.
extern const uint64_t leap_iq1_grid[2048];
#define LEAP_IQ1_BIAS 16

/// A grid as vector kernels look it up: its points, the codes of their elements (of two bits, or half bytes), and what
/// the lower bits of half bytes stand for, with a bias.
typedef struct {
    const uint64_t *points;
    const uint16_t *codes;
    int count;
    uint8_t values[16];
} leap_grid8;
typedef struct {
    const uint32_t *points;
    const uint16_t *codes;
    int count;
    uint8_t values[16];
} leap_grid4;
extern const uint16_t leap_iq2_xxs_codes[256], leap_iq2_xs_codes[512], leap_iq2_s_codes[1024];
extern const uint16_t leap_iq3_xxs_codes[256], leap_iq3_s_codes[512];

/// Seven signs with the eighth, which makes the number of set bits even.
static inline unsigned leap_even_signs(unsigned seven) { return seven | (unsigned)__builtin_parity(seven) << 7; }

#endif
