// Speed of attention: one token at several depths (GB/s of keys and values read), and a prompt (GFLOPS).
//
// Build and run from the package's root:
//   clang -O2 -std=c11 -ISources/CLeapTensorTypes/include -ISources/CLeapKernels/include Benchmarks/kernels-attention.c
//     $(find Sources/CLeapKernels Sources/CLeapTensorTypes -name '*.c') -lpthread -lm -o /tmp/attention && /tmp/attention [threads]
// LEAP_ISA=avx2 (or another name) forces an instruction set. Times are the best of many runs; with one thread they are
// processor time, so that other programs do not count.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CLeapKernels.h"

static int threads = 2;

static double now(void) {
    struct timespec t;
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *memory(size_t bytes) {
    const size_t rounded = (bytes / LEAP_ALIGNMENT + 1) * LEAP_ALIGNMENT;
    void *result = aligned_alloc(LEAP_ALIGNMENT, rounded);
    if (!result) abort();
    memset(result, 0, rounded);
    return result;
}

/// Layers, so that one token finds none of their pages in the caches.
#define LAYERS 6

static void measure(leap_pool *pool, int q_heads, int kv_heads, int head_dim, int kv_type, int64_t depth, int64_t count) {
    const int64_t pages = (depth + LEAP_KV_PAGE - 1) / LEAP_KV_PAGE, n = (int64_t)kv_heads * head_dim;
    const size_t page_bytes = leap_kv_page_bytes(kv_type, kv_heads, head_dim);
    const void **k = memory((size_t)(LAYERS * pages) * sizeof *k), **v = memory((size_t)(LAYERS * pages) * sizeof *v);
    for (int64_t i = 0; i < LAYERS * pages; i++) {
        k[i] = memory(page_bytes);
        v[i] = memory(page_bytes);
    }
    float *row = memory((size_t)(2 * n) * sizeof *row);
    leap_kv_slot slot;
    for (int64_t i = 0; i < LAYERS * depth; i++) {
        for (int64_t j = 0; j < 2 * n; j++) row[j] = (float)((i * 31 + j * 7) % 1009) / 1009 - 0.5f;
        const int64_t page = i / depth * pages + i % depth / LEAP_KV_PAGE;
        slot = (leap_kv_slot){(void *)k[page], (void *)v[page], (int32_t)(i % depth % LEAP_KV_PAGE)};
        leap_kv_store(pool, kv_type, kv_heads, head_dim, row, n, row + n, n, &slot, 1);
    }
    const int64_t width = (int64_t)q_heads * head_dim;
    float *q = memory((size_t)(count * width) * sizeof *q), *out = memory((size_t)(count * width) * sizeof *out);
    for (int64_t i = 0; i < count * width; i++) q[i] = (float)(i % 613) / 613 - 0.5f;
    leap_attention_query *queries = memory((size_t)count * sizeof *queries);
    const leap_attention_shape shape = {q_heads, kv_heads, head_dim, kv_type, 1 / sqrtf((float)head_dim), 0, 0};
    double best = 1e9, begin = now();
    for (int run = 0; run < 3 || now() - begin < 1; run++) {
        const double start = now();
        for (int layer = 0; layer < LAYERS; layer++) {
            for (int64_t i = 0; i < count; i++) {
                queries[i] = (leap_attention_query){k + layer * pages, v + layer * pages, depth - count + i, q + i * width,
                                                    out + i * width};
            }
            leap_attention(pool, &shape, queries, count);
        }
        if (now() - start < best) best = now() - start;
    }
    best /= LAYERS;
    double seen = 0;
    for (int64_t i = 0; i < count; i++) seen += (double)(depth - count + i + 1);
    printf("%2d/%d heads of %3d, %s, depth %5lld, %3lld tokens: %8.1f us a layer, %6.1f GFLOPS, %5.1f GB/s\n", q_heads,
           kv_heads, head_dim, kv_type == LEAP_KV_F16 ? "f16" : kv_type == LEAP_KV_F32 ? "f32" : "q8_0", (long long)depth, (long long)count, best * 1e6,
           4e-9 * seen * (double)width / best, 1e-9 * (double)(pages * 2) * (double)page_bytes / best);
    for (int64_t i = 0; i < LAYERS * pages; i++) {
        free((void *)k[i]);
        free((void *)v[i]);
    }
    free(k);
    free(v);
    free(row);
    free(q);
    free(out);
    free(queries);
}

int main(int count, char **arguments) {
    if (count > 1) threads = atoi(arguments[1]);
    leap_pool *pool = leap_pool_create(threads);
    printf("%s, %d threads\n", leap_isa_name(), leap_pool_threads(pool));
    static const int64_t depths[] = {512, 2048, 6000};
    static const struct { int q_heads, kv_heads, head_dim; } others[] = {{16, 8, 128}, {16, 16, 64}, {14, 2, 64}, {4, 1, 256}};
    for (int type = LEAP_KV_F16; type <= LEAP_KV_Q8_0; type++) {
        for (int i = 0; i < 3; i++) measure(pool, 32, 8, 64, type, depths[i], 1);
        for (int i = 0; i < 4; i++) measure(pool, others[i].q_heads, others[i].kv_heads, others[i].head_dim, type, 6000, 1);
        measure(pool, 32, 8, 64, type, 512, 512);
        measure(pool, 32, 8, 64, type, 4096, 512);
        measure(pool, 16, 8, 128, type, 4096, 512);
        measure(pool, 32, 32, 96, type, 4096, 512);
    }
    measure(pool, 32, 8, 64, LEAP_KV_F32, 6000, 1);
    measure(pool, 32, 8, 64, LEAP_KV_F32, 4096, 512);
    leap_pool_destroy(pool);
    return 0;
}
