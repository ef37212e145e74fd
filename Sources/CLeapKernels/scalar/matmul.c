// Products with quantised weights: the definition every other instruction set is compared with.
//
// Blocks of 32:  acc = fma(isum, d_w * d_x, acc), then acc = fma(m_w, s_x, acc) for types with a minimum; block by
//     block. So are the parts of 32 elements of larger blocks with one scale.
// Blocks of 256: isum = sum of scale * dot16 and msum = sum of min * sum16, both exact in int32;
//     value = isum * d_w, or fma(isum, d_w, msum * -dmin_w) for types with minimums; acc = fma(value, d_x, acc).
// Blocks of 64:  acc = fma(isum, d_w * d_x, acc) for 16 elements after the other; d_x is that of their 32 inputs.
#include <math.h>
#include <stdbool.h>

#include "../internal/activation.h"
#include "../internal/kernels.h"
#include "unpack.h"

#define INLINE static inline
#include "../internal/quantized_types.h"

#pragma STDC FP_CONTRACT OFF

static int32_t dot(const int8_t *a, const int8_t *b, int n) {
    int32_t total = 0;
    for (int i = 0; i < n; i++) total += (int32_t)a[i] * b[i];
    return total;
}

/// Blocks of 32. Every block is unpacked once and multiplied with all tokens; sums continue in out from block to block.
static void rows32(const leap_matmul_job *job, int64_t row_begin, int64_t row_end) {
    const size_t record_bytes = leap_act32_bytes(job->w.cols), block_bytes = leap_type_block_bytes(job->w.type);
    leap_unpack32_function *unpack = leap_unpack32_for(job->w.type);
    const int64_t parts = parts32(job->w.type);
    const bool min = has_min(job->w.type);
    for (int64_t r = row_begin; r < row_end; r++) {
        const char *block = (const char *)job->w.data + (size_t)r * job->w.row_bytes;
        for (int64_t b = 0; b < job->w.cols / 32; b++) {
            leap_unpacked32 w;
            unpack(block + (size_t)(b / parts) * block_bytes, (int)(b % parts), &w);
            for (int64_t t = 0; t < job->tokens; t++) {
                const leap_act32 act = leap_act32_view(leap_job_record(job, record_bytes, t), job->w.cols);
                float *out = &job->out[t * job->out_stride + r];
                float acc = b == 0 ? 0 : *out;
                acc = fmaf((float)dot(w.q, act.q + b * 32, 32), w.d * act.d[b], acc);
                *out = min ? fmaf(w.m, act.s[b], acc) : acc;
            }
        }
    }
}

/// Blocks of 256.
static void rows256(const leap_matmul_job *job, int64_t row_begin, int64_t row_end) {
    const size_t record_bytes = leap_act256_bytes(job->w.cols), block_bytes = leap_type_block_bytes(job->w.type);
    leap_unpack256_function *unpack = leap_unpack256_for(job->w.type);
    const bool min = has_min(job->w.type);
    for (int64_t r = row_begin; r < row_end; r++) {
        const char *block = (const char *)job->w.data + (size_t)r * job->w.row_bytes;
        for (int64_t b = 0; b < job->w.cols / 256; b++, block += block_bytes) {
            leap_unpacked256 w;
            unpack(block, &w);
            for (int64_t t = 0; t < job->tokens; t++) {
                const leap_act256 act = leap_act256_view(leap_job_record(job, record_bytes, t), job->w.cols);
                int32_t isum = 0, msum = 0;
                for (int j = 0; j < 16; j++) {
                    isum += w.scale[j] * dot(w.q + j * 16, act.q + b * 256 + j * 16, 16);
                    msum += w.min[j] * act.sum16[b * 16 + j];
                }
                float value = (float)isum * w.d;
                if (min) value = fmaf((float)isum, w.d, (float)msum * -w.dmin);
                float *out = &job->out[t * job->out_stride + r];
                *out = fmaf(value, act.d[b], b == 0 ? 0 : *out);
            }
        }
    }
}

/// Blocks of 64.
static void rows64(const leap_matmul_job *job, int64_t row_begin, int64_t row_end) {
    const size_t record_bytes = leap_act32_bytes(job->w.cols), block_bytes = leap_type_block_bytes(job->w.type);
    leap_unpack64_function *unpack = leap_unpack64_for(job->w.type);
    for (int64_t r = row_begin; r < row_end; r++) {
        const char *block = (const char *)job->w.data + (size_t)r * job->w.row_bytes;
        for (int64_t b = 0; b < job->w.cols / 64; b++, block += block_bytes) {
            leap_unpacked64 w;
            unpack(block, &w);
            for (int64_t t = 0; t < job->tokens; t++) {
                const leap_act32 act = leap_act32_view(leap_job_record(job, record_bytes, t), job->w.cols);
                float *out = &job->out[t * job->out_stride + r];
                float acc = b == 0 ? 0 : *out;
                for (int s = 0; s < 4; s++) {
                    const int32_t isum = dot(w.q + 16 * s, act.q + 64 * b + 16 * s, 16);
                    acc = fmaf((float)isum, w.d[s] * act.d[2 * b + s / 2], acc);
                }
                *out = acc;
            }
        }
    }
}

void leap_scalar_matmul_rows(const leap_matmul_job *job, int64_t row_begin, int64_t row_end, void *scratch) {
    (void)scratch;
    if (is_block32(job->w.type)) {
        rows32(job, row_begin, row_end);
    } else if (is_block64(job->w.type)) {
        rows64(job, row_begin, row_end);
    } else {
        rows256(job, row_begin, row_end);
    }
}

void leap_scalar_install_matmul(leap_kernels *table) {
#define INSTALL_32(NAME, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){leap_scalar_matmul_rows, LEAP_ACTIVATION_Q8_32, 1, NULL};
#define INSTALL_256(NAME, ...) \
    table->matmul[LEAP_##NAME] = (leap_matmul_entry){leap_scalar_matmul_rows, LEAP_ACTIVATION_Q8_256, 1, NULL};
    LEAP_TYPES_32(INSTALL_32)
    LEAP_TYPES_64(INSTALL_32)
    LEAP_TYPES_256(INSTALL_256)
}
