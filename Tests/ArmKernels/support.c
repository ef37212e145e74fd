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

#define ID(NAME, ...) LEAP_##NAME,
const int32_t quantized_types[] = {LEAP_TYPES_32(ID) LEAP_TYPES_256(ID) LEAP_TYPES_64(ID)};
const int quantized_type_count = sizeof quantized_types / sizeof quantized_types[0];
const int32_t float_types[] = {LEAP_FLOAT_TYPES(ID)};
const int float_type_count = sizeof float_types / sizeof float_types[0];

/// Makes a factor of a block 1, or some small number. at: of the factor, -1 without one.
static void fill_factor(int32_t format, int at, int unit, char *block) {
    // 2^(e - 128) is what the kernels multiply with: whole numbers.
    const uint8_t exponent = (uint8_t)(unit ? 128 : 118 + random_bits() % 8);
    const uint16_t half = (uint16_t)(unit ? 0x3c00 : 0x2000 | (random_bits() & 0x83ff));
    if (at < 0) return;
    if (format == LEAP_SCALE_E8M0) {
        memcpy(block + at, &exponent, 1);
    } else if (format == LEAP_SCALE_SPLIT_HALF) {
        for (int part = 0; part < 4; part++) {
            char *byte = block + at + 2 * part + 1;
            *byte = (char)((*byte & 15) | (half >> (4 * part) & 15) << 4);
        }
    } else {
        memcpy(block + at, &half, 2);
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
        const leap_tensor_type *layout = leap_tensor_type_find(type);
        fill_factor(layout->scale_format, layout->scale_at, unit, block);
        fill_factor(LEAP_SCALE_HALF, layout->min_at, unit, block);
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
