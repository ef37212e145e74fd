// The entry points of products with quantised weights. Include it after quantized_rows.h, which explains them, and a dot_*.h.

#include "open32_neon.h"
// Needs open32_neon.h.
#include "open256_neon.h"
// Needs both.
#include "direct_neon.h"
// Needs all of them.
#include "tiles_neon.h"

typedef void direct_function(const leap_matmul_job *job, quad rows);

/// Matrices narrower than a quad go to the scalar kernel, whose results are the same.
INLINE void run_rows(int32_t type, const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch,
                     direct_function *one, direct_function *two, open_function *open) {
    if (job->w.rows < QUAD) {
        leap_scalar_matmul_rows(job, begin, end, scratch);
    } else if (job->tokens > DIRECT_TOKENS) {
        for (int64_t row = begin; row < end; row += UNIT_ROWS) {
            tiles(type, job, row, end - row < UNIT_ROWS ? end : row + UNIT_ROWS, scratch, open);
        }
    } else {
        for (int64_t row = begin; row < end; row += QUAD) (job->tokens == 1 ? one : two)(job, quad_at(job, row));
    }
}

/// Kernels of one type, as functions of their own.
#define ROWS_FUNCTION(type, block, name)                                                                              \
    static __attribute__((noinline)) void one_##name(const leap_matmul_job *job, quad rows) {                           \
        direct##block(type, job, rows, 1);                                                                            \
    }                                                                                                                 \
    static __attribute__((noinline)) void two_##name(const leap_matmul_job *job, quad rows) {                           \
        direct##block(type, job, rows, 2);                                                                            \
    }                                                                                                                 \
    static __attribute__((noinline)) void open_##name(const quad rows[2], int64_t col, int64_t cols, ptrdiff_t ahead,   \
                                                      uint8_t *out) {                                                 \
        open_panel##block(type, rows, col, cols, ahead, out);                                                         \
    }                                                                                                                 \
    static void rows_##name(const leap_matmul_job *job, int64_t begin, int64_t end, void *scratch) {                  \
        run_rows(type, job, begin, end, scratch, one_##name, two_##name, open_##name);                                \
    }

ROWS_FUNCTION(LEAP_Q4_0, 32, q4_0)
ROWS_FUNCTION(LEAP_Q4_1, 32, q4_1)
ROWS_FUNCTION(LEAP_Q5_0, 32, q5_0)
ROWS_FUNCTION(LEAP_Q5_1, 32, q5_1)
ROWS_FUNCTION(LEAP_Q8_0, 32, q8_0)
ROWS_FUNCTION(LEAP_IQ4_NL, 32, iq4_nl)
ROWS_FUNCTION(LEAP_Q2_K, 256, q2_K)
ROWS_FUNCTION(LEAP_Q3_K, 256, q3_K)
ROWS_FUNCTION(LEAP_Q4_K, 256, q4_K)
ROWS_FUNCTION(LEAP_Q5_K, 256, q5_K)
ROWS_FUNCTION(LEAP_Q6_K, 256, q6_K)
ROWS_FUNCTION(LEAP_IQ4_XS, 256, iq4_xs)

void INSTALL(leap_kernels *table) {
    table->matmul[LEAP_Q4_0] = (leap_matmul_entry){rows_q4_0, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_Q4_1] = (leap_matmul_entry){rows_q4_1, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_Q5_0] = (leap_matmul_entry){rows_q5_0, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_Q5_1] = (leap_matmul_entry){rows_q5_1, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_Q8_0] = (leap_matmul_entry){rows_q8_0, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_IQ4_NL] = (leap_matmul_entry){rows_iq4_nl, LEAP_ACTIVATION_Q8_32, UNIT_ROWS};
    table->matmul[LEAP_Q2_K] = (leap_matmul_entry){rows_q2_K, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
    table->matmul[LEAP_Q3_K] = (leap_matmul_entry){rows_q3_K, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
    table->matmul[LEAP_Q4_K] = (leap_matmul_entry){rows_q4_K, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
    table->matmul[LEAP_Q5_K] = (leap_matmul_entry){rows_q5_K, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
    table->matmul[LEAP_Q6_K] = (leap_matmul_entry){rows_q6_K, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
    table->matmul[LEAP_IQ4_XS] = (leap_matmul_entry){rows_iq4_xs, LEAP_ACTIVATION_Q8_256, UNIT_ROWS};
}
