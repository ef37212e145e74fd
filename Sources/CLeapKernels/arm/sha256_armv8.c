// SHA-256 with the instructions of Armv8's cryptographic extension: four rounds each.
#include "../internal/kernels.h"

#if defined(LEAP_ARM)

#include <arm_neon.h>

#include "../internal/sha256.h"

__attribute__((target("sha2"))) static void sha256_blocks(uint32_t state[8], const uint8_t *data, size_t count) {
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; count > 0; count--, data += LEAP_SHA256_BLOCK) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t w[4];  // the last 16 words of the schedule
#pragma clang loop unroll(full)
        for (int i = 0; i < 4; i++) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
#pragma clang loop unroll(full)
        for (int i = 0; i < LEAP_SHA256_ROUNDS / 4; i++) {
            const uint32x4_t terms = vaddq_u32(w[i % 4], vld1q_u32(leap_sha256_constants + 4 * i));
            const uint32x4_t abcd_now = abcd;
            abcd = vsha256hq_u32(abcd, efgh, terms);
            efgh = vsha256h2q_u32(efgh, abcd_now, terms);
            // The words of 16 rounds later; the last 16 rounds have none.
            if (i >= LEAP_SHA256_ROUNDS / 4 - 4) continue;
            const uint32x4_t sum = vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]);
            w[i % 4] = vsha256su1q_u32(sum, w[(i + 2) % 4], w[(i + 3) % 4]);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

void leap_arm_install_sha256(leap_kernels *table) { table->sha256_blocks = sha256_blocks; }

#endif
