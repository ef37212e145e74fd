// SHA-256 over bytes that arrive in pieces: fills blocks, pads the last one, and leaves whole blocks to the kernel in
// use.
#include <string.h>

#include "include/CLeapKernels.h"
#include "internal/kernels.h"
#include "internal/sha256.h"

/// Bytes of the message length that ends the last block.
#define LENGTH_BYTES 8

void leap_sha256_init(leap_sha256 *hash) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, initial, sizeof initial);
}

void leap_sha256_update(leap_sha256 *hash, const void *data, size_t count) {
    leap_sha256_blocks *blocks = leap_kernels_current()->sha256_blocks;
    const uint8_t *next = data;
    const size_t filled = (size_t)(hash->bytes % LEAP_SHA256_BLOCK);
    hash->bytes += count;
    if (filled > 0) {
        const size_t missing = LEAP_SHA256_BLOCK - filled, taken = count < missing ? count : missing;
        if (taken > 0) memcpy(hash->pending + filled, next, taken);
        if (taken < missing) return;
        blocks(hash->state, hash->pending, 1);
        next += taken;
        count -= taken;
    }
    const size_t whole = count / LEAP_SHA256_BLOCK, rest = count % LEAP_SHA256_BLOCK;
    if (whole > 0) blocks(hash->state, next, whole);
    if (rest > 0) memcpy(hash->pending, next + whole * LEAP_SHA256_BLOCK, rest);
}

void leap_sha256_digest(const leap_sha256 *hash, uint8_t *digest) {
    // A one bit, zeros, and the length in bits, up to the end of a block.
    const size_t filled = (size_t)(hash->bytes % LEAP_SHA256_BLOCK);
    const size_t count = filled < LEAP_SHA256_BLOCK - LENGTH_BYTES ? 1 : 2;
    uint8_t last[2 * LEAP_SHA256_BLOCK] = {0};
    memcpy(last, hash->pending, filled);
    last[filled] = 0x80;
    const uint64_t bits = hash->bytes * 8;
    for (int i = 0; i < LENGTH_BYTES; i++) last[count * LEAP_SHA256_BLOCK - 1 - (size_t)i] = (uint8_t)(bits >> 8 * i);
    uint32_t state[8];
    memcpy(state, hash->state, sizeof state);
    leap_kernels_current()->sha256_blocks(state, last, count);
    for (int i = 0; i < LEAP_SHA256_DIGEST; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

int leap_sha256_is_accelerated(void) { return leap_kernels_current()->sha256_blocks != leap_scalar_sha256_blocks; }
