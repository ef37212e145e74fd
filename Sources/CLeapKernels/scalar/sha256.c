// SHA-256 in plain C: the definition that the processors' instructions are compared with.
#include <stddef.h>
#include <stdint.h>

#include "../include/CLeapKernels.h"
#include "../internal/sha256.h"

_Alignas(LEAP_ALIGNMENT) const uint32_t leap_sha256_constants[LEAP_SHA256_ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t rotate(uint32_t x, int count) { return x >> count | x << (32 - count); }

INLINE uint32_t word(const uint8_t *data) {
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/// One round. Instead of moving all eight variables on, the caller names them differently in the next round.
INLINE void compress(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g, uint32_t *h,
                     uint32_t term) {
    *h += (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + term;
    *d += *h;
    *h += (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

/// The words of the schedule, of which the last 16 are kept: word t from the ones before it.
INLINE uint32_t scheduled(uint32_t w[16], int t) {
    const uint32_t early = w[(t + 1) % 16], late = w[(t + 14) % 16];
    return w[t % 16] += (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) + w[(t + 9) % 16]
        + (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
}

/// The term that word and constant contribute to a round.
INLINE uint32_t term(uint32_t w[16], const uint8_t *data, int t) {
    return leap_sha256_constants[t] + (t < 16 ? (w[t] = word(data + 4 * t)) : scheduled(w, t));
}

void leap_scalar_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t count) {
    for (; count > 0; count--, data += LEAP_SHA256_BLOCK) {
        uint32_t w[16], a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int t = 0; t < LEAP_SHA256_ROUNDS; t += 8) {
            compress(a, b, c, &d, e, f, g, &h, term(w, data, t));
            compress(h, a, b, &c, d, e, f, &g, term(w, data, t + 1));
            compress(g, h, a, &b, c, d, e, &f, term(w, data, t + 2));
            compress(f, g, h, &a, b, c, d, &e, term(w, data, t + 3));
            compress(e, f, g, &h, a, b, c, &d, term(w, data, t + 4));
            compress(d, e, f, &g, h, a, b, &c, term(w, data, t + 5));
            compress(c, d, e, &f, g, h, a, &b, term(w, data, t + 6));
            compress(b, c, d, &e, f, g, h, &a, term(w, data, t + 7));
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
}
