#define _GNU_SOURCE  // mmap
#include "support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *isa;
int passed, failed;

void check(int ok, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s %s: ", ok ? "pass" : "FAIL", isa);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    if (ok) {
        passed++;
    } else {
        failed++;
    }
}

static uint64_t seed = 0x9e3779b97f4a7c15u;

uint32_t random_bits(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

float random_float(void) { return (float)(int32_t)random_bits() * 0x1p-31f; }

void *memory(size_t bytes) {
    const size_t rounded = (bytes / LEAP_ALIGNMENT + 1) * LEAP_ALIGNMENT;
    void *result = aligned_alloc(LEAP_ALIGNMENT, rounded);
    if (!result) abort();
    memset(result, 0, rounded);
    return result;
}

float *random_floats(int64_t count, float size) {
    float *result = memory((size_t)count * sizeof *result);
    for (int64_t i = 0; i < count; i++) result[i] = random_float() * size;
    return result;
}

const int32_t quantized_types[] = {LEAP_Q4_0, LEAP_Q4_1, LEAP_Q5_0, LEAP_Q5_1, LEAP_Q8_0, LEAP_IQ4_NL,
                                   LEAP_Q2_K, LEAP_Q3_K, LEAP_Q4_K, LEAP_Q5_K, LEAP_Q6_K, LEAP_IQ4_XS};
const int quantized_type_count = sizeof quantized_types / sizeof quantized_types[0];
const int32_t float_types[] = {LEAP_F32, LEAP_F16, LEAP_BF16};
const int float_type_count = sizeof float_types / sizeof float_types[0];

/// Where a block keeps its half-precision factors; -1: nowhere.
static void factor_offsets(int32_t type, int offsets[2]) {
    const int size = (int)leap_type_block_bytes(type);
    offsets[0] = 0;
    offsets[1] = -1;
    switch (type) {
    case LEAP_Q4_1: case LEAP_Q5_1: case LEAP_Q4_K: case LEAP_Q5_K: offsets[1] = 2; break;
    case LEAP_Q2_K: offsets[0] = size - 4; offsets[1] = size - 2; break;
    case LEAP_Q3_K: case LEAP_Q6_K: offsets[0] = size - 2; break;
    default: break;
    }
}

static void fill_block(int32_t type, int unit, char *block) {
    const size_t block_bytes = leap_type_block_bytes(type);
    const uint32_t bits = ((union { float f; uint32_t u; }){random_float()}).u;
    const uint16_t high = (uint16_t)(bits >> 16);
    if (type == LEAP_F32) {
        memcpy(block, &bits, 4);
    } else if (type == LEAP_BF16) {
        memcpy(block, &high, 2);
    } else if (type == LEAP_F16) {
        // Sign, an exponent of 2^-2...2^1, any mantissa.
        const uint16_t half = (uint16_t)((random_bits() & 0x83ff) | (13 + random_bits() % 4) << 10);
        memcpy(block, &half, 2);
    } else {
        for (size_t i = 0; i < block_bytes; i++) block[i] = (char)random_bits();
        int offsets[2];
        factor_offsets(type, offsets);
        for (int i = 0; i < 2; i++) {
            const uint16_t one = 0x3c00, some = (uint16_t)(0x2000 | (random_bits() & 0x83ff));
            if (offsets[i] >= 0) memcpy(block + offsets[i], unit ? &one : &some, 2);
        }
    }
}

void fill_weights(int32_t type, int64_t blocks, int unit, char *data) {
    for (int64_t b = 0; b < blocks; b++) fill_block(type, unit, data + (size_t)b * leap_type_block_bytes(type));
}

guarded guarded_memory(size_t bytes, size_t slack) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (bytes + slack + page - 1) / page + 1;
    void *mapping = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (mapping == MAP_FAILED || mprotect((char *)mapping + (pages - 1) * page, page, PROT_NONE) != 0) abort();
    return (guarded){(char *)mapping + (pages - 1) * page - bytes - slack, mapping, pages * page};
}

void release(guarded block) { munmap(block.mapping, block.mapped); }

float *product(leap_pool *pool, const leap_matrix *w, const float *x, int64_t inputs, const int32_t *gather, int64_t tokens) {
    const int kind = leap_activation_kind(w->type);
    void *act = memory(leap_activation_bytes(kind, w->cols, inputs));
    float *out = random_floats(tokens * w->rows, 1);
    leap_activation_prepare(pool, kind, x, w->cols, w->cols, inputs, act);
    const leap_matmul_job job = {
        .w = *w, .act = act, .gather = gather, .tokens = tokens, .out = out, .out_stride = w->rows};
    leap_matmul(pool, &job, 1);
    free(act);
    return out;
}
