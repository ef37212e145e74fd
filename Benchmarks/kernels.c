// Speed of the matrix products: GOPS (2 * rows * cols * tokens operations) and GB/s of weights, per type, shape and batch.
//
// Build and run from the package's root:
//   clang -O2 -std=c11 -ISources/CLeapTensorTypes/include -ISources/CLeapKernels/include -ISources/CLeapMeasurement/include
//     Benchmarks/kernels.c $(find Sources/CLeapKernels Sources/CLeapTensorTypes Sources/CLeapMeasurement -name '*.c')
//     -lpthread -lm -o /tmp/kernels && /tmp/kernels [--threads 2] [--types Q4_0,Q4_K] [--tokens 1,512] [--seconds 0.4]
//     [--reading first|other|measured]: the kernels of a single token (leap_reading_select)
// The column "% read" is the median of what a product reads to what the fastest way to read reads, one after the other: neighbours
// on the same machine change both.
// LEAP_ISA=avx2 (or another name) forces an instruction set. Every figure is the best of repeated runs; each run works on
// another copy of the weights, so that batches of one token read memory and not a cache.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CLeapKernels.h"
#include "CLeapMeasurement.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Bytes of weights that runs rotate through: more than a last-level cache holds.
#define WEIGHT_BYTES ((size_t)192 << 20)
#define TOKENS_MAX 1024

static const struct {
    int64_t rows, cols;
} shapes[] = {{2048, 2048}, {6144, 2048}, {8192, 2048}, {2048, 8192}, {65536, 2048}};

#define ID(NAME, ...) LEAP_##NAME,
static const int32_t all_types[] = {LEAP_TYPES_32(ID) LEAP_TYPES_256(ID) LEAP_TYPES_64(ID) LEAP_FLOAT_TYPES(ID)};

static int listed(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += n) {
        if ((at == list || at[-1] == ',') && (at[n] == 0 || at[n] == ',')) return 1;
    }
    return 0;
}

/// Best time of one product, in seconds.
static double measure(leap_pool *pool, int32_t type, int64_t rows, int64_t cols, int64_t tokens, const char *weights,
                      const void *act, float *out, double seconds) {
    const size_t row_bytes = leap_row_bytes(type, cols), bytes = row_bytes * (size_t)rows;
    const size_t copies = WEIGHT_BYTES / bytes > 0 ? WEIGHT_BYTES / bytes : 1;
    double best = 1e9;
    const double until = now() + seconds;
    for (size_t run = 0; run < 3 || now() < until; run++) {
        leap_matmul_job job = {
            {weights + run % copies * bytes, type, rows, cols, row_bytes}, act, NULL, tokens, out, rows};
        const double begin = now();
        leap_matmul(pool, &job, 1);
        const double took = now() - begin;
        if (took < best) best = took;
    }
    return best;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define PAIRS 21

/// The median share of the fastest reading that products reach, one after the other over the same bytes.
static double share_of_reading(leap_pool *pool, int32_t type, int64_t rows, int64_t cols, int64_t tokens,
                               const char *weights, const void *act, float *out, int way) {
    const size_t row_bytes = leap_row_bytes(type, cols), bytes = row_bytes * (size_t)rows;
    const size_t copies = WEIGHT_BYTES / bytes > 0 ? WEIGHT_BYTES / bytes : 1;
    double shares[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const double read = leap_read_rate(pool, weights, copies * bytes, way);
        const double begin = now();
        for (size_t c = 0; c < copies; c++) {
            leap_matmul_job job = {{weights + c * bytes, type, rows, cols, row_bytes}, act, NULL, tokens, out, rows};
            leap_matmul(pool, &job, 1);
        }
        const double rate = (double)(copies * bytes) / (now() - begin) * 1e-9;
        shares[i] = rate / ((read + leap_read_rate(pool, weights, copies * bytes, way)) / 2);
    }
    qsort(shares, PAIRS, sizeof shares[0], ascending);
    return shares[PAIRS / 2];
}

int main(int count, char **arguments) {
    int threads = 2;
    const char *types = NULL, *batches = "1,4,8,512", *reading = "measured";
    double seconds = 0.4;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(arguments[i], "--threads")) threads = atoi(arguments[i + 1]);
        if (!strcmp(arguments[i], "--types")) types = arguments[i + 1];
        if (!strcmp(arguments[i], "--tokens")) batches = arguments[i + 1];
        if (!strcmp(arguments[i], "--reading")) reading = arguments[i + 1];
        if (!strcmp(arguments[i], "--seconds")) seconds = atof(arguments[i + 1]);
    }
    leap_reading_select(!strcmp(reading, "first")   ? LEAP_READING_FIRST
                        : !strcmp(reading, "other") ? LEAP_READING_OTHER
                                                    : LEAP_READING_MEASURED);
    leap_pool *pool = leap_pool_create(threads);
    const size_t weight_bytes = WEIGHT_BYTES + ((size_t)600 << 20);
    char *weights = aligned_alloc(64, weight_bytes);
    float *x = aligned_alloc(64, sizeof(float) * TOKENS_MAX * 8192);
    float *out = aligned_alloc(64, sizeof(float) * 512 * 65536);
    if (!pool || !weights || !x || !out) return 1;
    memset(out, 0, sizeof(float) * 512 * 65536);
    // Bytes that are small normal numbers read as half, bfloat16 or float.
    for (size_t i = 0; i < weight_bytes; i++) weights[i] = (char)(0x11 + i * 37 % 23);
    // Sums of four uniform numbers, spread much like a model's activations: sums of sub-blocks then fit 16 bits as they usually do.
    uint32_t random = 1;
    for (int64_t i = 0; i < TOKENS_MAX * 8192; i++) {
        x[i] = 0;
        for (int k = 0; k < 4; k++) x[i] += (float)((random = random * 1664525 + 1013904223) >> 8) * 0x1p-24f - 0.5f;
    }
    const leap_read_peak peak = leap_peak_read(pool, weights, WEIGHT_BYTES);
    printf("%s, %d threads, memory %.1f GB/s (%s)\n%-7s %6s %12s %10s %8s %8s\n", leap_isa_name(), leap_pool_threads(pool),
           peak.rate, peak.name, "type", "tokens", "rows x cols", "GOPS", "GB/s", "% read");
    for (size_t k = 0; k < sizeof all_types / sizeof all_types[0]; k++) {
        const int32_t type = all_types[k];
        if (types && !listed(types, leap_type_name(type))) continue;
        const int kind = leap_activation_kind(type);
        for (const char *at = batches; *at;) {
            char *end;
            const int64_t tokens = strtol(at, &end, 10);
            at = *end == ',' ? end + 1 : end;
            if (tokens < 1 || tokens > TOKENS_MAX) break;
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
                const int64_t rows = shapes[s].rows, cols = shapes[s].cols;
                if (tokens * rows > 512 * 65536 || (tokens > 16 && rows > 10000)) continue;
                const size_t bytes = leap_row_bytes(type, cols) * (size_t)rows;
                void *act = aligned_alloc(64, leap_activation_bytes(kind, cols, tokens));
                if (!act) return 1;
                leap_activation_prepare(pool, kind, x, cols, cols, tokens, act);
                const double t = measure(pool, type, rows, cols, tokens, weights, act, out, seconds);
                printf("%-7s %6lld %6lld x %5lld %10.1f %8.1f", leap_type_name(type), (long long)tokens,
                       (long long)rows, (long long)cols, 2e-9 * (double)rows * (double)cols * (double)tokens / t,
                       1e-9 * (double)bytes / t);
                if (tokens <= 8) {
                    printf(" %8.1f", 100 * share_of_reading(pool, type, rows, cols, tokens, weights, act, out, peak.way));
                }
                printf("\n");
                fflush(stdout);
                free(act);
            }
        }
    }
    leap_pool_destroy(pool);
    return 0;
}
