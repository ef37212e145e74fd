// SHA-256: NIST's digest of "abc", and the scalar code's for every length to five blocks, whole and in pieces.
#include <string.h>

#include "support.h"

static void digest_of(const char *set, const uint8_t *data, size_t count, size_t piece, uint8_t *digest) {
    leap_isa_select(set);
    leap_sha256 hash;
    leap_sha256_init(&hash);
    for (size_t at = 0; at < count; at += piece) {
        leap_sha256_update(&hash, data + at, count - at < piece ? count - at : piece);
    }
    leap_sha256_digest(&hash, digest);
    leap_isa_select(isa);
}

void check_sha256(void) {
    enum { LONGEST = 5 * LEAP_SHA256_BLOCK + 1 };
    static const uint8_t abc[LEAP_SHA256_DIGEST] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                                    0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                                    0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    uint8_t expected[LEAP_SHA256_DIGEST], found[LEAP_SHA256_DIGEST], data[LONGEST];
    digest_of(isa, (const uint8_t *)"abc", 3, 3, found);
    check(memcmp(found, abc, sizeof abc) == 0, "SHA-256 of \"abc\" is NIST's, %s",
          leap_sha256_is_accelerated() ? "with the processor's instructions" : "in plain C");
    for (int i = 0; i < LONGEST; i++) data[i] = (uint8_t)random_bits();
    int differing = 0;
    for (size_t count = 0; count <= LONGEST; count++) {
        digest_of("scalar", data, count, LONGEST, expected);
        for (size_t piece = 1; piece <= LONGEST; piece = piece * 3 + 1) {
            digest_of(isa, data, count, piece, found);
            differing += memcmp(found, expected, sizeof expected) != 0;
        }
    }
    check(differing == 0, "SHA-256 of 0...%d bytes: %d differ from scalar's", LONGEST, differing);
}
