// Products with float weights. Element k is added to partial sum k % 16; the 16 sums are then added pairwise.
#include <math.h>

#include "../internal/activation.h"
#include "../internal/kernels.h"
#include "../internal/numeric.h"

#define LANES 16

static float reduce(float *lane) {
    for (int width = LANES / 2; width > 0; width /= 2) {
        for (int i = 0; i < width; i++) lane[i] += lane[i + width];
    }
    return lane[0];
}

/// Element k of a row.
static float element(int32_t type, const char *row, int64_t k) {
    if (type == LEAP_F16) return leap_f16_to_f32(leap_load_u16(row + 2 * k));
    if (type == LEAP_BF16) return leap_bf16_to_f32(leap_load_u16(row + 2 * k));
    float value;
    memcpy(&value, row + 4 * k, sizeof value);
    return value;
}

static void rows_float(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, void *scratch) {
    (void)scratch;
    const int64_t cols = job->w.cols;
    const size_t record_bytes = leap_activation_bytes(LEAP_ACTIVATION_F32, cols, 1);
    for (int64_t r = row_begin; r < row_end; r++) {
        const char *row = (const char *)job->w.data + (size_t)r * job->w.row_bytes;
        for (int64_t t = 0; t < job->tokens; t++) {
            const float *x = leap_job_record(job, record_bytes, t);
            float lane[LANES] = {0};
            for (int64_t k = 0; k < cols; k++) {
                lane[k % LANES] = fmaf(element(job->w.type, row, k), x[k], lane[k % LANES]);
            }
            job->out[t * job->out_stride + r] = reduce(lane);
        }
    }
}

void leap_scalar_install_matmul_float(leap_kernels *table) {
    const leap_matmul_entry entry = {rows_float, LEAP_ACTIVATION_F32, 1, NULL};
    table->matmul[LEAP_F32] = entry;
    table->matmul[LEAP_F16] = entry;
    table->matmul[LEAP_BF16] = entry;
}
