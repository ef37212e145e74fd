// What an instruction set provides for SHA-256; sha256.c does the rest.
#ifndef LEAP_SHA256_BLOCKS_H
#define LEAP_SHA256_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/// Rounds of the compression function.
#define LEAP_SHA256_ROUNDS 64

/// The constants of the rounds (FIPS 180-4, 4.2.2), aligned for vector loads.
extern const uint32_t leap_sha256_constants[LEAP_SHA256_ROUNDS];

/// Compresses `count` whole blocks into the state. data: any alignment.
typedef void leap_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t count);

leap_sha256_blocks leap_scalar_sha256_blocks;

#endif
