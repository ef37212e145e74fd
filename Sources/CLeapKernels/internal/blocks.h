// Block layouts of the quantised tensor types, byte for byte as GGUF files store them (ggml-common.h of ggml-org/ggml).
// Packed: weight data may start at any address. All multi-byte fields are little-endian.
#ifndef LEAP_BLOCKS_H
#define LEAP_BLOCKS_H

#include <stdint.h>

#define LEAP_PACKED __attribute__((packed))

/// x = d (q - 8); byte i holds elements i (low nibble) and i + 16 (high).
typedef struct LEAP_PACKED { uint16_t d; uint8_t qs[16]; } leap_q4_0;
/// x = d q + m
typedef struct LEAP_PACKED { uint16_t d, m; uint8_t qs[16]; } leap_q4_1;
/// x = d (q - 16); bit i of qh is the fifth bit of element i.
typedef struct LEAP_PACKED { uint16_t d; uint8_t qh[4]; uint8_t qs[16]; } leap_q5_0;
/// x = d q + m
typedef struct LEAP_PACKED { uint16_t d, m; uint8_t qh[4]; uint8_t qs[16]; } leap_q5_1;
/// x = d q
typedef struct LEAP_PACKED { uint16_t d; int8_t qs[32]; } leap_q8_0;

/// x = d (scale & 15) q - dmin (scale >> 4), sub-blocks of 16. Byte 32 h + i of qs holds elements 128 h + i + 32 s in bits 2s.
typedef struct LEAP_PACKED { uint8_t scales[16]; uint8_t qs[64]; uint16_t d, dmin; } leap_q2_K;
/// x = d (scale - 32) (q - 4), sub-blocks of 16, q's third bit in hmask; scales of 6 bits packed in 12 bytes.
typedef struct LEAP_PACKED { uint8_t hmask[32]; uint8_t qs[64]; uint8_t scales[12]; uint16_t d; } leap_q3_K;
/// x = d scale q - dmin min, sub-blocks of 32; scales and mins of 6 bits packed in 12 bytes.
typedef struct LEAP_PACKED { uint16_t d, dmin; uint8_t scales[12]; uint8_t qs[128]; } leap_q4_K;
/// As leap_q4_K with a fifth bit in qh: bit j of byte i belongs to element 32 j + i.
typedef struct LEAP_PACKED { uint16_t d, dmin; uint8_t scales[12]; uint8_t qh[32]; uint8_t qs[128]; } leap_q5_K;
/// x = d scale (q - 32), sub-blocks of 16.
typedef struct LEAP_PACKED { uint8_t ql[128]; uint8_t qh[64]; int8_t scales[16]; uint16_t d; } leap_q6_K;
/// x = d table[q], nibbles placed as in leap_q4_0.
typedef struct LEAP_PACKED { uint16_t d; uint8_t qs[16]; } leap_iq4_nl;
/// x = d (scale - 32) table[q], sub-blocks of 32 placed like leap_iq4_nl.
typedef struct LEAP_PACKED { uint16_t d; uint16_t scales_h; uint8_t scales_l[4]; uint8_t qs[128]; } leap_iq4_xs;

/// The values of the 16 codes of IQ4_NL and IQ4_XS.
extern const int8_t leap_iq4_values[16];

#endif
