// What the checks of this folder share: reporting, random data, and memory that must not be read past its end.
#ifndef KERNELS_TEST_SUPPORT_H
#define KERNELS_TEST_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#include "CLeapKernels.h"

/// The instruction set that is checked.
extern const char *isa;
extern int passed, failed;

/// Counts and prints one check.
void check(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint32_t random_bits(void);
/// Evenly spread in -1...1.
float random_float(void);
/// Zeroed and aligned to LEAP_ALIGNMENT; release with free.
void *memory(size_t bytes);
/// Evenly spread in -size...size; release with free.
float *random_floats(int64_t count, float size);

/// The tensor types with blocks, and all of them.
extern const int32_t quantized_types[];
extern const int quantized_type_count;
extern const int32_t float_types[];
extern const int float_type_count;

/// Random blocks of a type. unit: factors are 1, so that products with whole inputs are whole numbers.
void fill_weights(int32_t type, int64_t blocks, int unit, char *data);

/// Zeroed memory whose end the next byte but `slack` ends the process at.
typedef struct {
    char *data;
    void *mapping;
    size_t mapped;
} guarded;
guarded guarded_memory(size_t bytes, size_t slack);
void release(guarded block);

/// out[tokens][rows] of one product, with the `inputs` rows of x prepared here. gather may be NULL. Release with free.
float *product(leap_pool *pool, const leap_matrix *w, const float *x, int64_t inputs, const int32_t *gather, int64_t tokens);

// The checks, for the instruction set in `isa`.
void check_quantized_products(void);
void check_float_products(void);
void check_activations(void);
void check_row_kernels(void);
void check_ordered_sums(void);
void check_attention(void);
void check_sha256(void);

#endif
