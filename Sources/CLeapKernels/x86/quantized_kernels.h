// The kernels of one instruction set for quantised weights, by type.
#ifndef LEAP_X86_QUANTIZED_KERNELS_H
#define LEAP_X86_QUANTIZED_KERNELS_H

#include "../internal/kernels.h"

struct leap_x86_panel;

typedef struct {
    leap_matmul_rows *rows, *other;
    /// Unpacks `cols` columns of a pair of panels (panels.h) to the form of tiles.h; NULL where blocks are always
    /// unpacked straight into registers.
    void (*unpack_panels)(const struct leap_x86_panel *panels, int64_t col, int64_t cols, uint8_t *out);
} leap_x86_quantized_kernels;

extern const leap_x86_quantized_kernels leap_x86_avx2_quantized[LEAP_TENSOR_TYPE_LIMIT];
extern const leap_x86_quantized_kernels leap_x86_avxvnni_quantized[LEAP_TENSOR_TYPE_LIMIT];
extern const leap_x86_quantized_kernels leap_x86_avx512vnni_quantized[LEAP_TENSOR_TYPE_LIMIT];

/// Puts them into the table. Rows are handed to threads in multiples of `unit`.
static inline void leap_x86_install_quantized(leap_kernels *table, const leap_x86_quantized_kernels *kernels,
                                              int64_t unit) {
#define INSTALL_32(NAME, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){kernels[LEAP_##NAME].rows, LEAP_ACTIVATION_Q8_32, unit, \
                                                     kernels[LEAP_##NAME].other};
#define INSTALL_256(NAME, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){kernels[LEAP_##NAME].rows, LEAP_ACTIVATION_Q8_256, unit, \
                                                     kernels[LEAP_##NAME].other};
    LEAP_TYPES_32(INSTALL_32)
    LEAP_TYPES_64(INSTALL_32)
    LEAP_TYPES_256(INSTALL_256)
#undef INSTALL_32
#undef INSTALL_256
}

#endif
