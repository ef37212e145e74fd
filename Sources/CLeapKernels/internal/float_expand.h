// Weights of F32, F16 and BF16 as vectors of float, and the entries of float_tiles.h for them: include it after a
// vector_*.h vocabulary and the shape of a tile, before float_tiles.h.
#include "kernels.h"

#define LANES VECTOR_LANES
#define INPUT_BYTES 4

VECTOR_OPERATION size_t weight_bytes(const int type) { return type == LEAP_F32 ? 4 : 2; }

VECTOR_INLINE vector expand(const int type, const char *source) {
    if (type == LEAP_F32) return vector_load(source);
    return type == LEAP_F16 ? vector_load_half(source) : vector_load_bfloat(source);
}

VECTOR_INLINE vector expand_tail(const int type, const char *source, int count) {
    if (type == LEAP_F32) return vector_load_first(source, count);
    return type == LEAP_F16 ? vector_load_half_first(source, count) : vector_load_bfloat_first(source, count);
}

VECTOR_OPERATION vector multiply_add(vector w, vector x, vector sum) { return vector_fma(w, x, sum); }

#ifdef VECTOR_RUNS
VECTOR_INLINE vector multiply_run(const int type, const char *w, int64_t w_step, const char *x, int64_t steps, vector sum) {
    const int64_t x_step = VECTOR_LANES * INPUT_BYTES;
    if (type == LEAP_F32) return vector_run_float(w, w_step, x, x_step, steps, sum);
    return type == LEAP_F16 ? vector_run_half(w, w_step, x, x_step, steps, sum)
                            : vector_run_bfloat(w, w_step, x, x_step, steps, sum);
}
#endif

#include "float_tiles.h"

// Turning 16 bits to float keeps the ports that multiply as busy as one or two multiply-adds.
FLOAT_ROWS(F32, f32, STAYING, LEAP_ACTIVATION_F32)
FLOAT_ROWS(F16, f16, EXPANDING, LEAP_ACTIVATION_F32)
FLOAT_ROWS(BF16, bf16, EXPANDING, LEAP_ACTIVATION_F32)

static void install_float(leap_kernels *table) {
    table->matmul[LEAP_F32] = (leap_matmul_entry){rows_f32, LEAP_ACTIVATION_F32, LEAP_FLOAT_ROW_UNIT, NULL};
    table->matmul[LEAP_F16] = FLOAT_ENTRY(f16, LEAP_ACTIVATION_F32);
    table->matmul[LEAP_BF16] = FLOAT_ENTRY(bf16, LEAP_ACTIVATION_F32);
}
