// How prepared input vectors lie in memory: one record per token, sections aligned to LEAP_ALIGNMENT.
//
// F32, BF16: the elements, then zeros up to LEAP_ALIGNMENT, then LEAP_ALIGNMENT bytes that are not used: records whose
//         length is a power of two would meet in the same few cache sets.
// BF16_SPLIT: for every 512 elements 16 times { high uint16[16][2] | low uint16[16][2] }: bfloat16(x) and
//         bfloat16(x - high), together 16 bits of x; zeros after the last element; low is zero where high is not finite.
//         Pairs [j] of the i-th of the 16 are the elements 32 j + 2 i and 32 j + 2 i + 1: what the i-th lane meets in 16 vectors of 32 weights.
// BF16_SPLIT_PAIRED: the same with the elements 32 j + i and 32 j + 16 + i for pairs.
// Q8_32:  int8 q[cols] | float d[cols/32] | float s[cols/32] | int32 offset128[cols/32] | int32 offset8[cols/32]
// Q8_256: int8 q[cols] | float d[groups of 256] | int32 offset16[cols/16] | int32 offset32[cols/32]
//         | int16 sum16[cols/16] | int16 sum32[cols/32] | int16 most16[groups], most32[groups] | int16 start16[cols/16][2]
//
// q = rne(x 127 / max|x|) in -127...127, d = max|x| / 127 over the block. sumN are the sums of N consecutive q.
// Offsets are what sums of products start from when weights are stored unsigned, with a bias: minus the bias times the
// sum. offset128 and offset8: of blocks of 32, bias 128 and 8. offset16: of blocks of 16, bias 32. offset32: of blocks
// of 32, bias 128. For other biases shift them (exact). s = d * (float)sum32, for weights with a minimum per block.
// start16: of blocks of 16, bias 32, what the sums of the first two and of the last two of every four products start
// from. mostN: the largest sum of |q| over N consecutive elements of the group: bounds its sums of products with
// weights.
//
// A block with an element that is infinite or not a number has d = NaN, q = -127 for such elements and 0 for the
// others: every product adds something times d for every block, so all outputs of that token are NaN, and those of
// other tokens are as they were.
#ifndef LEAP_ACTIVATION_H
#define LEAP_ACTIVATION_H

#include "../include/CLeapKernels.h"

static inline size_t leap_round_up(size_t bytes) { return (bytes + LEAP_ALIGNMENT - 1) & ~(size_t)(LEAP_ALIGNMENT - 1); }

/// Records of an odd number of cache lines: the same place in many of them then lies in different cache sets.
static inline size_t leap_odd_lines(size_t bytes) { return bytes / 64 % 2 ? bytes : bytes + 64; }

typedef struct {
    int8_t *q;
    float *d, *s;
    int32_t *offset128, *offset8;
} leap_act32;

typedef struct {
    int8_t *q;
    float *d;
    int32_t *offset16, *offset32;
    int16_t *sum16, *sum32;
    int16_t *most16, *most32;
    int16_t *start16;
} leap_act256;

// Where the sections of a record begin, in bytes.
static inline size_t leap_act_d_at(int64_t cols) { return leap_round_up((size_t)cols); }
static inline size_t leap_act32_s_at(int64_t cols) { return leap_act_d_at(cols) + leap_round_up((size_t)cols / 32 * 4); }
static inline size_t leap_act32_offset128_at(int64_t cols) {
    return leap_act32_s_at(cols) + leap_round_up((size_t)cols / 32 * 4);
}
static inline size_t leap_act32_offset8_at(int64_t cols) {
    return leap_act32_offset128_at(cols) + leap_round_up((size_t)cols / 32 * 4);
}
static inline size_t leap_act32_bytes(int64_t cols) {
    return leap_odd_lines(leap_act32_offset8_at(cols) + leap_round_up((size_t)cols / 32 * 4));
}
static inline size_t leap_act256_offset16_at(int64_t cols) {
    return leap_act_d_at(cols) + leap_round_up((size_t)cols / 256 * 4);
}
static inline size_t leap_act256_offset32_at(int64_t cols) {
    return leap_act256_offset16_at(cols) + leap_round_up((size_t)cols / 16 * 4);
}
static inline size_t leap_act256_sum16_at(int64_t cols) {
    return leap_act256_offset32_at(cols) + leap_round_up((size_t)cols / 32 * 4);
}
static inline size_t leap_act256_sum32_at(int64_t cols) {
    return leap_act256_sum16_at(cols) + leap_round_up((size_t)cols / 16 * 2);
}
static inline size_t leap_act256_most16_at(int64_t cols) {
    return leap_act256_sum32_at(cols) + leap_round_up((size_t)cols / 32 * 2);
}
static inline size_t leap_act256_most32_at(int64_t cols) {
    return leap_act256_most16_at(cols) + leap_round_up((size_t)cols / 256 * 2);
}
static inline size_t leap_act256_start16_at(int64_t cols) {
    return leap_act256_most32_at(cols) + leap_round_up((size_t)cols / 256 * 2);
}
static inline size_t leap_act256_bytes(int64_t cols) {
    return leap_odd_lines(leap_act256_start16_at(cols) + leap_round_up((size_t)cols / 16 * 4));
}

/// Elements of a block of a BF16_SPLIT record, and its bytes.
#define LEAP_SPLIT_BLOCK 512
#define LEAP_SPLIT_BLOCK_BYTES 2048
static inline size_t leap_split_bytes(int64_t cols) {
    return leap_odd_lines((size_t)((cols + LEAP_SPLIT_BLOCK - 1) / LEAP_SPLIT_BLOCK) * LEAP_SPLIT_BLOCK_BYTES);
}

/// The sections of the record at `record`.
static inline leap_act32 leap_act32_view(const void *record, int64_t cols) {
    char *base = (char *)record;
    return (leap_act32){(int8_t *)base, (float *)(base + leap_act_d_at(cols)), (float *)(base + leap_act32_s_at(cols)),
                        (int32_t *)(base + leap_act32_offset128_at(cols)),
                        (int32_t *)(base + leap_act32_offset8_at(cols))};
}

/// The sections of the record at `record`.
static inline leap_act256 leap_act256_view(const void *record, int64_t cols) {
    char *base = (char *)record;
    return (leap_act256){(int8_t *)base,
                         (float *)(base + leap_act_d_at(cols)),
                         (int32_t *)(base + leap_act256_offset16_at(cols)),
                         (int32_t *)(base + leap_act256_offset32_at(cols)),
                         (int16_t *)(base + leap_act256_sum16_at(cols)),
                         (int16_t *)(base + leap_act256_sum32_at(cols)),
                         (int16_t *)(base + leap_act256_most16_at(cols)),
                         (int16_t *)(base + leap_act256_most32_at(cols)),
                         (int16_t *)(base + leap_act256_start16_at(cols))};
}

/// d of a block whose largest magnitude this is. largest: found by comparing bits, which puts infinity above all
/// numbers and NaN above infinity.
static inline float leap_activation_scale(float largest) {
    return largest < __builtin_inff() ? largest / 127.0f : __builtin_nanf("");
}

/// What elements of a block are multiplied with: 0 where there is nothing but zeros, or something that is not finite.
static inline float leap_activation_inverse(float largest) { return largest > 0 ? 127.0f / largest : 0; }

/// The record of the token a job reads at index t.
static inline const void *leap_job_record(const leap_matmul_job *job, size_t record_bytes, int64_t t) {
    const int64_t token = job->gather ? job->gather[t] : t;
    return (const char *)job->act + record_bytes * (size_t)token;
}

#endif
