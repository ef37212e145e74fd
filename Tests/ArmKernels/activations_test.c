// Prepared activations: equal bytes on every instruction set.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void check_prepare(int kind, int64_t cols) {
    enum { TOKENS = 8 };
    leap_pool *pool = leap_pool_create(1);
    const size_t bytes = leap_activation_bytes(kind, cols, TOKENS);
    float *x = random_floats(TOKENS * cols, 10);
    // Zeros, ties, the largest value on both sides, tiny numbers and what is not a number.
    memset(x, 0, 32 * sizeof *x);
    x[cols] = 127.0f;
    x[cols + 1] = 0.5f;
    x[cols + 2] = 1.5f;
    x[cols + 3] = -2.5f;
    for (int64_t i = 0; i < 32; i++) x[2 * cols + i] = i == 7 ? -1e-44f : 0;
    x[3 * cols + 5] = NAN;
    x[4 * cols + 6] = INFINITY;
    // A signalling NaN, one with a sign and bits of its own, an infinity beside a NaN, all infinities.
    const uint32_t nans[] = {0x7f800001, 0xffc54321};
    memcpy(&x[5 * cols + 31], &nans[0], 4);
    memcpy(&x[6 * cols + 9], &nans[1], 4);
    x[6 * cols + 8] = -INFINITY;
    for (int64_t i = 0; i < cols; i++) x[7 * cols + i] = i % 2 == 0 ? INFINITY : -INFINITY;
    char *expected = memory(bytes), *found = memory(bytes);
    leap_isa_select("scalar");
    leap_activation_prepare(pool, kind, x, cols, cols, TOKENS, expected);
    leap_isa_select(isa);
    leap_activation_prepare(pool, kind, x, cols, cols, TOKENS, found);
    check(memcmp(expected, found, bytes) == 0, "activations of kind %d, %lld columns, equal scalar's", kind,
          (long long)cols);
    free(expected);
    free(found);
    free(x);
    leap_pool_destroy(pool);
}

void check_activations(void) {
    for (int kind = LEAP_ACTIVATION_F32; kind <= LEAP_ACTIVATION_Q8_256; kind++) {
        check_prepare(kind, 256);
        check_prepare(kind, 2304);
    }
    check_prepare(LEAP_ACTIVATION_F32, 37);
    check_prepare(LEAP_ACTIVATION_BF16, 51);
    check_prepare(LEAP_ACTIVATION_Q8_32, 96);
}
