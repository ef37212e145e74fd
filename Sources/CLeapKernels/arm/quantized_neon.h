// The entry points of products with quantised weights. Include it after quantized_rows.h, which explains them, and a
// dot_*.h.

#include "unpack32_neon.h"
// Needs unpack32_neon.h.
#include "unpack256_neon.h"
// Needs both.
#include "direct_neon.h"
#include "direct64_neon.h"
// Needs all of them.
#include "tiles_neon.h"

typedef void direct_function(const leap_matmul_job *job, quad rows);

/// Matrices narrower than a quad go to the scalar kernel, whose results are the same.
INLINE void run_rows(int32_t type, const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch,
                     direct_function *one, direct_function *two, unpack_function *unpack) {
    if (job->w.rows < QUAD) {
        leap_scalar_matmul_rows(job, begin, end, scratch);
    } else if (job->tokens > DIRECT_TOKENS) {
        for (int64_t row = begin; row < end; row += UNIT_ROWS) {
            tiles(type, job, row, end - row < UNIT_ROWS ? end : row + UNIT_ROWS, scratch, unpack);
        }
    } else {
        for (int64_t row = begin; row < end; row += QUAD) (job->tokens == 1 ? one : two)(job, quad_at(job, row));
    }
}

/// Kernels of one type, as functions of their own.
#define ROWS_FUNCTIONS(NAME, name, block)                                                                        \
    static __attribute__((noinline)) void one_##name(const leap_matmul_job *job, quad rows) {                           \
        direct##block(LEAP_##NAME, job, rows, 1);                                                                     \
    }                                                                                                                 \
    static __attribute__((noinline)) void two_##name(const leap_matmul_job *job, quad rows) {                           \
        direct##block(LEAP_##NAME, job, rows, 2);                                                                     \
    }                                                                                                                 \
    static __attribute__((noinline)) void unpack_panel_##name(const quad rows[2], int64_t col, int64_t cols,            \
                                                              ptrdiff_t ahead, uint8_t *out) {                        \
        unpack_panel##block(LEAP_##NAME, rows, col, cols, ahead, out);                                                \
    }                                                                                                                 \
    static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {                  \
        run_rows(LEAP_##NAME, job, begin, end, scratch, one_##name, two_##name, unpack_panel_##name);                 \
    }
#define ROWS_32(NAME, name, ...) ROWS_FUNCTIONS(NAME, name, 32)
#define ROWS_256(NAME, name, ...) ROWS_FUNCTIONS(NAME, name, 256)

/// Without tiles: blocks are always unpacked straight into registers.
#define ROWS_64(NAME, name, ...)                                                                                      \
    static __attribute__((noinline)) void few_##name(const leap_matmul_job *job, quad rows, int64_t first, int tokens) { \
        direct64(LEAP_##NAME, job, rows, first, tokens);                                                              \
    }                                                                                                                 \
    static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {                  \
        run_rows64(job, begin, end, scratch, few_##name);                                                             \
    }

LEAP_TYPES_32(ROWS_32)
LEAP_TYPES_256(ROWS_256)
LEAP_TYPES_64(ROWS_64)

void INSTALL(leap_kernels *table) {
#define INSTALL_32(NAME, name, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){rows_##name, LEAP_ACTIVATION_Q8_32, UNIT_ROWS, NULL};
#define INSTALL_256(NAME, name, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){rows_##name, LEAP_ACTIVATION_Q8_256, UNIT_ROWS, NULL};
    LEAP_TYPES_32(INSTALL_32)
    LEAP_TYPES_64(INSTALL_32)
    LEAP_TYPES_256(INSTALL_256)
}
