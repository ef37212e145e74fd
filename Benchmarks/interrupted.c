// What products keep of their speed while another process is busy on one of the processors: a loop that is bound to processor 1.
//
// Build and run from the package's root, on Linux:
//   clang -O2 -std=c11 -ISources/CLeapTensorTypes/include -ISources/CLeapKernels/include Benchmarks/interrupted.c
//     $(find Sources/CLeapKernels Sources/CLeapTensorTypes -name '*.c') -lpthread -lm -o /tmp/interrupted && /tmp/interrupted
// Products a second with all threads and with one, alone and beside the loop, in turn. Memory-bound ones are of one token.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CLeapKernels.h"

#define SECONDS 2.0
#define ROUNDS 3
#define COLS 2048
/// Weights that products rotate through: more than a last-level cache holds.
#define WEIGHT_BYTES ((size_t)400 << 20)
#define TOKENS 512

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Products of Q4_K with `rows` rows and `tokens` tokens in a second.
static double rate(leap_pool *pool, const char *weights, const float *x, float *out, int64_t rows, int64_t tokens) {
    const size_t row_bytes = leap_row_bytes(LEAP_Q4_K, COLS), bytes = row_bytes * (size_t)rows;
    const int kind = leap_activation_kind(LEAP_Q4_K);
    void *act = aligned_alloc(64, leap_activation_bytes(kind, COLS, tokens));
    if (!act) exit(1);
    leap_activation_prepare(pool, kind, x, COLS, COLS, tokens, act);
    int64_t count = 0;
    const double begin = now();
    for (; now() - begin < SECONDS; count++) {
        const char *from = weights + (size_t)count % (WEIGHT_BYTES / bytes) * bytes;
        leap_matmul_job job = {{from, LEAP_Q4_K, rows, COLS, row_bytes}, act, NULL, tokens, out, rows};
        leap_matmul(pool, &job, 1);
    }
    free(act);
    return (double)count / (now() - begin);
}

/// A process that keeps processor 1 busy until it is killed.
static pid_t busy_process(void) {
    const pid_t child = fork();
    if (child != 0) return child;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(1, &processors);
    if (sched_setaffinity(0, sizeof processors, &processors) != 0) _exit(1);
    for (volatile unsigned turn = 0;; turn++) {}
}

int main(void) {
    const int all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    char *weights = aligned_alloc(64, WEIGHT_BYTES);
    float *x = aligned_alloc(64, sizeof(float) * TOKENS * COLS), *out = aligned_alloc(64, sizeof(float) * TOKENS * 8192);
    if (all < 2 || !weights || !x || !out) return 1;
    memset(weights, 0x11, WEIGHT_BYTES);
    for (int i = 0; i < TOKENS * COLS; i++) x[i] = (float)(i * 37 % 101 - 50) * 0.01f;
    printf("%s, %d processors\n%-24s %10s %10s\n", leap_isa_name(), all, "", "all", "one thread");
    for (int round = 0; round < ROUNDS; round++) {
        for (int disturbed = 0; disturbed < 2; disturbed++) {
            // Pools of their own, as what threads have met stays with them.
            leap_pool *pool = leap_pool_create(all), *one = leap_pool_create(1);
            if (!pool || !one) return 1;
            const pid_t child = disturbed ? busy_process() : 0;
            const int64_t rows[] = {8192, 8192, 2048}, tokens[] = {TOKENS, 1, 1};
            for (int i = 0; i < 3; i++) {
                printf("%-8s %5lld x %d, %3lld %10.1f %10.1f\n", disturbed ? "beside" : "alone", (long long)rows[i], COLS,
                       (long long)tokens[i], rate(pool, weights, x, out, rows[i], tokens[i]),
                       rate(one, weights, x, out, rows[i], tokens[i]));
                fflush(stdout);
            }
            if (child > 0) {
                kill(child, SIGKILL);
                waitpid(child, NULL, 0);
            }
            leap_pool_destroy(pool);
            leap_pool_destroy(one);
        }
    }
    return 0;
}
