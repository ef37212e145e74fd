// Block layouts, byte for byte as GGUF files store them, and one function each that unpacks them.
//
// Source: ggml-org/ggml, src/ggml-common.h and src/ggml-quants.c (dequantize_row_*). Packed: weight data may start at
// any address. All multi-byte fields are little-endian.
#include "unpack.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "../internal/grids.h"
#include "../internal/kernels.h"
#include "../internal/numeric.h"

const int8_t leap_iq4_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

const int8_t leap_e2m1_values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// Half of the value of byte s eeee mmm without its sign: m 2^-9 where e is 0, (1 + m / 8) 2^(e - 7) elsewhere.
#define E4M3(e, m) (float)((e) > 0 ? (8 + (m)) << (e) : (m) << 1) * 0x1p-11f
#define E4M3_SEVEN(e) \
    E4M3(e, 0), E4M3(e, 1), E4M3(e, 2), E4M3(e, 3), E4M3(e, 4), E4M3(e, 5), E4M3(e, 6)
#define E4M3_ROW(e) E4M3_SEVEN(e), E4M3(e, 7)
#define E4M3_ROWS                                                                                              \
    E4M3_ROW(0), E4M3_ROW(1), E4M3_ROW(2), E4M3_ROW(3), E4M3_ROW(4), E4M3_ROW(5), E4M3_ROW(6), E4M3_ROW(7),    \
        E4M3_ROW(8), E4M3_ROW(9), E4M3_ROW(10), E4M3_ROW(11), E4M3_ROW(12), E4M3_ROW(13), E4M3_ROW(14)
// 0x7f is not a number where the format has a sign; here it counts as 0.
const float leap_e4m3_half_values[256] = {E4M3_ROWS, E4M3_SEVEN(15), 0, E4M3_ROWS, E4M3_ROW(15)};

#define BLOCK(name, ...) typedef struct __attribute__((packed)) { __VA_ARGS__ } block_##name;

/// Leaves every sum as it is, a negative zero too.
#define NO_MINIMUM (-0.0f)

// MARK: Blocks of 32, 64 and 128 with one scale

/// x = d (q - 8); byte i holds elements i (low nibble) and i + 16 (high).
BLOCK(q4_0, uint16_t d; uint8_t qs[16];)
static void unpack_q4_0(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_q4_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    for (int i = 0; i < 16; i++) {
        out->q[i] = (int8_t)((block->qs[i] & 15) - 8);
        out->q[i + 16] = (int8_t)((block->qs[i] >> 4) - 8);
    }
}

/// x = d q + m
BLOCK(q4_1, uint16_t d, m; uint8_t qs[16];)
static void unpack_q4_1(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_q4_1 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = leap_f16_to_f32(block->m);
    for (int i = 0; i < 16; i++) {
        out->q[i] = (int8_t)(block->qs[i] & 15);
        out->q[i + 16] = (int8_t)(block->qs[i] >> 4);
    }
}

static void unpack_five_bits(const uint8_t *qh, const uint8_t *qs, int bias, int8_t *q) {
    uint32_t high;
    memcpy(&high, qh, sizeof high);
    for (int i = 0; i < 16; i++) {
        q[i] = (int8_t)((int)((qs[i] & 15u) | (high >> i & 1u) << 4) - bias);
        q[i + 16] = (int8_t)((int)((uint32_t)(qs[i] >> 4) | (high >> (i + 16) & 1u) << 4) - bias);
    }
}

/// x = d (q - 16); bit i of qh is the fifth bit of element i.
BLOCK(q5_0, uint16_t d; uint8_t qh[4]; uint8_t qs[16];)
static void unpack_q5_0(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_q5_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    unpack_five_bits(block->qh, block->qs, 16, out->q);
}

/// x = d q + m
BLOCK(q5_1, uint16_t d, m; uint8_t qh[4]; uint8_t qs[16];)
static void unpack_q5_1(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_q5_1 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = leap_f16_to_f32(block->m);
    unpack_five_bits(block->qh, block->qs, 0, out->q);
}

/// x = d q
BLOCK(q8_0, uint16_t d; int8_t qs[32];)
static void unpack_q8_0(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_q8_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    memcpy(out->q, block->qs, 32);
}

/// x = d table[q], nibbles placed as in q4_0.
BLOCK(iq4_nl, uint16_t d; uint8_t qs[16];)
static void unpack_iq4_nl(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_iq4_nl *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    for (int i = 0; i < 16; i++) {
        out->q[i] = leap_iq4_values[block->qs[i] & 15];
        out->q[i + 16] = leap_iq4_values[block->qs[i] >> 4];
    }
}

/// x = d table[q], nibbles placed as in q4_0; d = 2^(e - 128), so that the table is of whole numbers: twice E2M1's
/// values.
BLOCK(mxfp4, uint8_t e; uint8_t qs[16];)
static void unpack_mxfp4(const void *source, int part, leap_unpacked32 *out) {
    (void)part;
    const block_mxfp4 *block = source;
    out->d = leap_e8m0_half_to_f32(block->e);
    out->m = NO_MINIMUM;
    for (int i = 0; i < 16; i++) {
        out->q[i] = leap_e2m1_values[block->qs[i] & 15];
        out->q[i + 16] = leap_e2m1_values[block->qs[i] >> 4];
    }
}

/// x = d (2 q - 1); bit j % 8 of byte j / 8 is element j.
BLOCK(q1_0, uint16_t d; uint8_t qs[16];)
static void unpack_q1_0(const void *source, int part, leap_unpacked32 *out) {
    const block_q1_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    for (int i = 0; i < 32; i++) out->q[i] = (int8_t)(2 * (block->qs[4 * part + i / 8] >> (i % 8) & 1) - 1);
}

/// x = d (q - 1); bits 2 (j % 4) of byte j / 4 are element j.
BLOCK(q2_0, uint16_t d; uint8_t qs[16];)
static void unpack_q2_0(const void *source, int part, leap_unpacked32 *out) {
    const block_q2_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->m = NO_MINIMUM;
    for (int i = 0; i < 32; i++) out->q[i] = (int8_t)((block->qs[8 * part + i / 4] >> (i % 4 * 2) & 3) - 1);
}

// MARK: Blocks of 256

/// x = d (scale & 15) q - dmin (scale >> 4), sub-blocks of 16. Byte 32 h + i of qs holds elements 128 h + i + 32 s in
/// bits 2s.
BLOCK(q2_K, uint8_t scales[16]; uint8_t qs[64]; uint16_t d, dmin;)
static void unpack_q2_K(const void *source, leap_unpacked256 *out) {
    const block_q2_K *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = leap_f16_to_f32(block->dmin);
    for (int j = 0; j < 16; j++) {
        out->scale[j] = block->scales[j] & 15;
        out->min[j] = block->scales[j] >> 4;
    }
    for (int i = 0; i < 256; i++) {
        out->q[i] = (int8_t)(block->qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3);
    }
}

/// x = d (scale - 32) (q - 4), sub-blocks of 16, q's third bit in hmask; scales of 6 bits packed in 12 bytes.
BLOCK(q3_K, uint8_t hmask[32]; uint8_t qs[64]; uint8_t scales[12]; uint16_t d;)
static void unpack_q3_K(const void *source, leap_unpacked256 *out) {
    const block_q3_K *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = 0;
    const uint8_t *s = block->scales;
    for (int j = 0; j < 16; j++) {
        const int low = j < 8 ? s[j] & 15 : s[j - 8] >> 4;
        const int high = s[8 + j % 4] >> (j / 4 * 2) & 3;
        out->scale[j] = (int16_t)((low | high << 4) - 32);
        out->min[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        const int low = block->qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3;
        const int high = block->hmask[i % 32] >> (i / 32) & 1;
        out->q[i] = (int8_t)((low | high << 2) - 4);
    }
}

/// The 8 scales and 8 mins of 6 bits that Q4_K and Q5_K pack into 12 bytes.
static void unpack_scales(const uint8_t *s, leap_unpacked256 *out) {
    for (int j = 0; j < 8; j++) {
        const int scale = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        const int min = j < 4 ? s[j + 4] & 63 : s[j + 4] >> 4 | (s[j] >> 6) << 4;
        out->scale[2 * j] = out->scale[2 * j + 1] = (int16_t)scale;
        out->min[2 * j] = out->min[2 * j + 1] = (int16_t)min;
    }
}

/// x = d scale q - dmin min, sub-blocks of 32; scales and mins of 6 bits packed in 12 bytes.
BLOCK(q4_K, uint16_t d, dmin; uint8_t scales[12]; uint8_t qs[128];)
static void unpack_q4_K(const void *source, leap_unpacked256 *out) {
    const block_q4_K *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = leap_f16_to_f32(block->dmin);
    unpack_scales(block->scales, out);
    for (int i = 0; i < 256; i++) {
        out->q[i] = (int8_t)(block->qs[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 15);
    }
}

/// As q4_K with a fifth bit in qh: bit j of byte i belongs to element 32 j + i.
BLOCK(q5_K, uint16_t d, dmin; uint8_t scales[12]; uint8_t qh[32]; uint8_t qs[128];)
static void unpack_q5_K(const void *source, leap_unpacked256 *out) {
    const block_q5_K *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = leap_f16_to_f32(block->dmin);
    unpack_scales(block->scales, out);
    for (int i = 0; i < 256; i++) {
        const int low = block->qs[i / 64 * 32 + i % 32] >> (i % 64 / 32 * 4) & 15;
        const int high = block->qh[i % 32] >> (i / 32) & 1;
        out->q[i] = (int8_t)(low | high << 4);
    }
}

/// x = d scale (q - 32), sub-blocks of 16.
BLOCK(q6_K, uint8_t ql[128]; uint8_t qh[64]; int8_t scales[16]; uint16_t d;)
static void unpack_q6_K(const void *source, leap_unpacked256 *out) {
    const block_q6_K *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = 0;
    for (int j = 0; j < 16; j++) {
        out->scale[j] = block->scales[j];
        out->min[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, in_half = i % 128;
        const int low = block->ql[half * 64 + in_half % 64] >> (in_half / 64 * 4) & 15;
        const int high = block->qh[half * 32 + in_half % 32] >> (in_half / 32 * 2) & 3;
        out->q[i] = (int8_t)((low | high << 4) - 32);
    }
}

/// x = d (scale - 32) table[q], sub-blocks of 32 placed like iq4_nl.
BLOCK(iq4_xs, uint16_t d; uint16_t scales_h; uint8_t scales_l[4]; uint8_t qs[128];)
static void unpack_iq4_xs(const void *source, leap_unpacked256 *out) {
    const block_iq4_xs *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = 0;
    for (int j = 0; j < 8; j++) {
        const int low = block->scales_l[j / 2] >> (j % 2 * 4) & 15;
        const int high = block->scales_h >> (2 * j) & 3;
        out->scale[2 * j] = out->scale[2 * j + 1] = (int16_t)((low | high << 4) - 32);
        out->min[2 * j] = out->min[2 * j + 1] = 0;
    }
    for (int i = 0; i < 256; i++) {
        out->q[i] = leap_iq4_values[block->qs[i / 32 * 16 + i % 16] >> (i % 32 / 16 * 4) & 15];
    }
}

/// x = d (q - 1), codes placed as in q2_K.
BLOCK(tq2_0, uint8_t qs[64]; uint16_t d;)
static void unpack_tq2_0(const void *source, leap_unpacked256 *out) {
    const block_tq2_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = 0;
    for (int j = 0; j < 16; j++) {
        out->scale[j] = 1;
        out->min[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        out->q[i] = (int8_t)((block->qs[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3) - 1);
    }
}

/// x = d (q - 1), q the next digit of base 3. A byte is a number of five or four digits times 256 / 243, rounded up:
/// the product with 3 carries its first digit out. Digit k of byte i is element 32 k + i for the first 32 bytes, 160 +
/// 16 k + i for the next 16, and 240 + 4 k + i for the last four, which have four digits.
BLOCK(tq1_0, uint8_t qs[52]; uint16_t d;)
static void unpack_tq1_0(const void *source, leap_unpacked256 *out) {
    const block_tq1_0 *block = source;
    out->d = leap_f16_to_f32(block->d);
    out->dmin = 0;
    for (int j = 0; j < 16; j++) {
        out->scale[j] = 1;
        out->min[j] = 0;
    }
    int8_t *q = out->q;
    static const struct {
        int from, count, digits;
    } runs[] = {{0, 32, 5}, {32, 16, 5}, {48, 4, 4}};
    for (int r = 0; r < 3; r++) {
        for (int k = 0, power = 1; k < runs[r].digits; k++, power *= 3) {
            for (int i = 0; i < runs[r].count; i++) {
                const unsigned rest = (block->qs[runs[r].from + i] * (unsigned)power) & 255;
                *q++ = (int8_t)((int)(rest * 3 >> 8) - 1);
            }
        }
    }
}

// MARK: Blocks of 256 with grids

// Grid points hold eight times (IQ3_XXS: four times) the magnitudes in units of the scale, which is divided by as much:
// exactly, a float reaches further down than half precision does.

/// Sets what types with grids have in common. d: of the block, in units of the grid.
static void begin_grid(float d, leap_unpacked256 *out) {
    out->d = d;
    out->dmin = 0;
    memset(out->min, 0, sizeof out->min);
}

/// The scale of sub-block j, of the 16: 2 s + 1.
static void set_scale(leap_unpacked256 *out, int j, unsigned s) { out->scale[j] = (int16_t)(2 * (s & 15) + 1); }

/// Eight elements, negative where a bit of `signs` is set.
static void put_eight(int8_t *q, uint64_t point, unsigned signs) {
    for (int i = 0; i < 8; i++) {
        const int magnitude = point >> (8 * i) & 255;
        q[i] = (int8_t)(signs >> i & 1 ? -magnitude : magnitude);
    }
}

static uint32_t load_u32(const void *source) {
    uint32_t value;
    memcpy(&value, source, sizeof value);
    return value;
}

/// x = d / 8 (2 s + 1) q, sub-blocks of 32, for each of which there are four places in the grid and 32 bits: four times
/// seven signs, and s.
BLOCK(iq2_xxs, uint16_t d; uint8_t qs[64];)
static void unpack_iq2_xxs(const void *source, leap_unpacked256 *out) {
    const block_iq2_xxs *block = source;
    begin_grid(leap_f16_to_f32(block->d) / 8, out);
    for (int j = 0; j < 8; j++) {
        const uint8_t *places = block->qs + 8 * j;
        const uint32_t bits = load_u32(places + 4);
        set_scale(out, 2 * j, bits >> 28);
        set_scale(out, 2 * j + 1, bits >> 28);
        for (int k = 0; k < 4; k++) {
            put_eight(out->q + 32 * j + 8 * k, leap_iq2_xxs_grid[places[k]], leap_even_signs(bits >> (7 * k) & 127));
        }
    }
}

/// x = d / 8 (2 s + 1) q, sub-blocks of 16; a number of 16 bits is a place in the grid and seven signs.
BLOCK(iq2_xs, uint16_t d; uint16_t qs[32]; uint8_t scales[8];)
static void unpack_iq2_xs(const void *source, leap_unpacked256 *out) {
    const block_iq2_xs *block = source;
    begin_grid(leap_f16_to_f32(block->d) / 8, out);
    for (int j = 0; j < 16; j++) set_scale(out, j, block->scales[j / 2] >> (j % 2 * 4));
    for (int k = 0; k < 32; k++) {
        put_eight(out->q + 8 * k, leap_iq2_xs_grid[block->qs[k] & 511], leap_even_signs(block->qs[k] >> 9));
    }
}

/// x = d / 8 (2 s + 1) q, sub-blocks of 16; places in the grid have two upper bits in qh, and all eight signs are
/// stored.
BLOCK(iq2_s, uint16_t d; uint8_t qs[32]; uint8_t signs[32]; uint8_t qh[8]; uint8_t scales[8];)
static void unpack_iq2_s(const void *source, leap_unpacked256 *out) {
    const block_iq2_s *block = source;
    begin_grid(leap_f16_to_f32(block->d) / 8, out);
    for (int j = 0; j < 16; j++) set_scale(out, j, block->scales[j / 2] >> (j % 2 * 4));
    for (int k = 0; k < 32; k++) {
        const int place = block->qs[k] | (block->qh[k / 4] >> (k % 4 * 2) & 3) << 8;
        put_eight(out->q + 8 * k, leap_iq2_s_grid[place], block->signs[k]);
    }
}

/// Eight elements of two grid points of four.
static void put_four_and_four(int8_t *q, uint32_t first, uint32_t second, unsigned signs) {
    put_eight(q, first | (uint64_t)second << 32, signs);
}

/// x = d / 4 (2 s + 1) q, sub-blocks of 32, for each of which there are eight places in the grid, and 32 bits as in
/// iq2_xxs.
BLOCK(iq3_xxs, uint16_t d; uint8_t qs[64]; uint8_t rest[32];)
static void unpack_iq3_xxs(const void *source, leap_unpacked256 *out) {
    const block_iq3_xxs *block = source;
    begin_grid(leap_f16_to_f32(block->d) / 4, out);
    for (int j = 0; j < 8; j++) {
        const uint32_t bits = load_u32(block->rest + 4 * j);
        set_scale(out, 2 * j, bits >> 28);
        set_scale(out, 2 * j + 1, bits >> 28);
        for (int k = 0; k < 4; k++) {
            const uint8_t *places = block->qs + 8 * j + 2 * k;
            put_four_and_four(out->q + 32 * j + 8 * k, leap_iq3_xxs_grid[places[0]], leap_iq3_xxs_grid[places[1]],
                              leap_even_signs(bits >> (7 * k) & 127));
        }
    }
}

/// x = d (2 s + 1) q, sub-blocks of 32; places in the grid have an upper bit in qh, and all signs are stored.
BLOCK(iq3_s, uint16_t d; uint8_t qs[64]; uint8_t qh[8]; uint8_t signs[32]; uint8_t scales[4];)
static void unpack_iq3_s(const void *source, leap_unpacked256 *out) {
    const block_iq3_s *block = source;
    begin_grid(leap_f16_to_f32(block->d), out);
    for (int j = 0; j < 16; j++) set_scale(out, j, block->scales[j / 4] >> (j / 2 % 2 * 4));
    for (int k = 0; k < 32; k++) {
        const int high = block->qh[k / 4] >> (k % 4 * 2);
        const int first = block->qs[2 * k] | (high & 1) << 8, second = block->qs[2 * k + 1] | (high >> 1 & 1) << 8;
        put_four_and_four(out->q + 8 * k, leap_iq3_s_grid[first], leap_iq3_s_grid[second], block->signs[k]);
    }
}

/// Eight elements of IQ1_S and IQ1_M: eight times the grid's, and 1 more or less. place: 11 bits of it.
static void put_eight_shifted(int8_t *q, unsigned place, bool less) {
    const uint64_t point = leap_iq1_grid[place & 2047];
    for (int i = 0; i < 8; i++) q[i] = (int8_t)((int)(point >> (8 * i) & 255) - LEAP_IQ1_BIAS + (less ? -1 : 1));
}

/// x = d / 8 (2 s + 1) q, sub-blocks of 32, for each of which there is a number of 16 bits in qh: four times three
/// upper bits of places, s, and whether elements are less than eight times the grid's.
BLOCK(iq1_s, uint16_t d; uint8_t qs[32]; uint16_t qh[8];)
static void unpack_iq1_s(const void *source, leap_unpacked256 *out) {
    const block_iq1_s *block = source;
    begin_grid(leap_f16_to_f32(block->d) / 8, out);
    for (int j = 0; j < 16; j++) set_scale(out, j, block->qh[j / 2] >> 12 & 7);
    for (int k = 0; k < 32; k++) {
        const unsigned high = block->qh[k / 4];
        put_eight_shifted(out->q + 8 * k, block->qs[k] | (high >> (k % 4 * 3) & 7) << 8, high >> 15);
    }
}

/// x = d / 8 (2 s + 1) q, sub-blocks of 16. A half byte of qh is three upper bits of a place, and whether elements are
/// less; a number of scales is four times s of three bits and, above them, four bits of d.
BLOCK(iq1_m, uint8_t qs[32]; uint8_t qh[16]; uint16_t scales[4];)
static void unpack_iq1_m(const void *source, leap_unpacked256 *out) {
    const block_iq1_m *block = source;
    unsigned d = 0;
    for (int i = 0; i < 4; i++) d |= (unsigned)(block->scales[i] >> 12) << (4 * i);
    begin_grid(leap_f16_to_f32((uint16_t)d) / 8, out);
    for (int j = 0; j < 16; j++) set_scale(out, j, block->scales[j / 4] >> (j % 4 * 3) & 7);
    for (int k = 0; k < 32; k++) {
        const unsigned high = block->qh[k / 2] >> (k % 2 * 4) & 15;
        put_eight_shifted(out->q + 8 * k, block->qs[k] | (high & 7) << 8, high >> 3);
    }
}

// MARK: Blocks of 64

/// x = d table[q]; byte 8 s + i of qs holds elements 16 s + i (low nibble) and 16 s + 8 + i (high). d[s] is half of an
/// unsigned E4M3 number, so that the table is of whole numbers: twice E2M1's values.
BLOCK(nvfp4, uint8_t d[4]; uint8_t qs[32];)
static void unpack_nvfp4(const void *source, leap_unpacked64 *out) {
    const block_nvfp4 *block = source;
    for (int s = 0; s < 4; s++) {
        out->d[s] = leap_e4m3_half_values[block->d[s]];
        for (int i = 0; i < 8; i++) {
            out->q[16 * s + i] = leap_e2m1_values[block->qs[8 * s + i] & 15];
            out->q[16 * s + 8 + i] = leap_e2m1_values[block->qs[8 * s + i] >> 4];
        }
    }
}

// MARK: By type

#define SIZES_AGREE(NAME, name, id, bytes, ...) _Static_assert(sizeof(block_##name) == (bytes), "size of " #NAME);
#define SIZES_AGREE_32(NAME, name, id, elements, bytes, ...) SIZES_AGREE(NAME, name, id, bytes)
LEAP_TYPES_32(SIZES_AGREE_32)
LEAP_TYPES_256(SIZES_AGREE)
LEAP_TYPES_64(SIZES_AGREE)

#define UNPACK(NAME, name, ...) [LEAP_##NAME] = unpack_##name,
static leap_unpack32_function *const unpack32[LEAP_TENSOR_TYPE_LIMIT] = {LEAP_TYPES_32(UNPACK)};
static leap_unpack256_function *const unpack256[LEAP_TENSOR_TYPE_LIMIT] = {LEAP_TYPES_256(UNPACK)};
static leap_unpack64_function *const unpack64[LEAP_TENSOR_TYPE_LIMIT] = {LEAP_TYPES_64(UNPACK)};

leap_unpack32_function *leap_unpack32_for(int32_t type) { return unpack32[type]; }

leap_unpack256_function *leap_unpack256_for(int32_t type) { return unpack256[type]; }

leap_unpack64_function *leap_unpack64_for(int32_t type) { return unpack64[type]; }
