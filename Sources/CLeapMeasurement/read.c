// How fast memory can be read: the best of several ways, because processors differ in what their prefetchers follow.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "../CLeapKernels/internal/kernels.h"
#include "measurement.h"

#if defined(LEAP_X86)
#include <immintrin.h>
#endif

/// Bytes that a thread takes at a time: many pages, so that a stream's beginning does not count.
#define PIECE (INT64_C(1) << 18)
/// Bytes that are read of a stream before the next one's turn.
#define STEP 256
/// Rounds of all ways in turn: a neighbour that takes the memory for a moment does not decide between them.
#define ROUNDS 6
/// Bytes of a page, which processors do not read ahead beyond, and the lines of the next one that are asked for early.
#define PAGE 4096
#define PAGE_LINES 8
/// Bytes between a load and the prefetch that belongs to it.
#define DISTANCE 4096

/// Reads `bytes` bytes, a multiple of STEP * streams, of `streams` streams side by side; returns something that depends
/// on all of them.
typedef uint64_t read_function(const char *p, int64_t bytes, int streams, bool prefetch);

#define PREFETCH_STEP(q)                                                        \
    if (prefetch) {                                                             \
        for (int i = 0; i < STEP; i += 64) __builtin_prefetch((q) + DISTANCE + i, 0, 2); \
    }

static uint64_t read_plain(const char *p, int64_t bytes, int streams, bool prefetch) {
    const int64_t part = bytes / streams;
    uint64_t sum[8] = {0};
    for (int64_t at = 0; at < part; at += STEP) {
        for (int s = 0; s < streams; s++) {
            const char *q = p + s * part + at;
            PREFETCH_STEP(q)
            const uint64_t *words = (const uint64_t *)(const void *)q;
            for (int i = 0; i < STEP / 8; i++) sum[i % 8] ^= words[i];
        }
    }
    for (int i = 1; i < 8; i++) sum[0] ^= sum[i];
    return sum[0];
}

#if defined(LEAP_X86)

#define READ_VECTORS(name, features, load)                                                                      \
    __attribute__((target(features))) static uint64_t name(const char *p, int64_t bytes, int streams, bool prefetch) { \
        const int64_t part = bytes / streams;                                                                   \
        __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),               \
                          _mm512_setzero_si512()};                                                              \
        for (int64_t at = 0; at < part; at += STEP) {                                                           \
            for (int s = 0; s < streams; s++) {                                                                 \
                const char *q = p + s * part + at;                                                              \
                PREFETCH_STEP(q)                                                                                \
                _Pragma("clang loop unroll(full)") for (int i = 0; i < STEP / 64; i++) {                        \
                    sum[i] = _mm512_xor_si512(sum[i], load((const void *)(q + 64 * i)));                        \
                }                                                                                               \
            }                                                                                                   \
        }                                                                                                       \
        sum[0] = _mm512_xor_si512(_mm512_xor_si512(sum[0], sum[1]), _mm512_xor_si512(sum[2], sum[3]));          \
        return (uint64_t)_mm512_reduce_or_epi64(sum[0]);                                                        \
    }

/// One load instruction, whose stride the processor follows, and the first lines of the next page, where it would have
/// to begin anew.
__attribute__((target("avx512f"))) static uint64_t read_avx512_pages(const char *p, int64_t bytes, int streams, bool prefetch) {
    (void)streams;
    __m512i sum = _mm512_setzero_si512();
    for (int64_t page = 0; page < bytes; page += PAGE) {
        for (int i = 0; prefetch && i < PAGE_LINES; i++) __builtin_prefetch(p + page + PAGE + i * 64, 0, 2);
        _Pragma("clang loop unroll(disable)")
        for (int64_t at = page; at < page + PAGE; at += 64) {
            sum = _mm512_xor_si512(sum, _mm512_load_si512((const void *)(p + at)));
        }
    }
    return (uint64_t)_mm512_reduce_or_epi64(sum);
}

READ_VECTORS(read_avx512, "avx512f", _mm512_load_si512)
/// Streaming loads: the hint that the bytes are used once.
READ_VECTORS(read_avx512_streaming, "avx512f", _mm512_stream_load_si512)

#endif

typedef struct {
    const char *name;
    read_function *read;
    int streams;
    bool prefetch;
} read_way;

typedef struct {
    const read_way *way;
    const char *data;
    uint64_t sum;
} read_call;

static void read_piece(void *context, int thread, int64_t begin, int64_t end) {
    (void)thread;
    read_call *call = context;
    uint64_t sum = 0;
    for (int64_t piece = begin; piece < end; piece++) {
        sum ^= call->way->read(call->data + piece * PIECE, PIECE, call->way->streams, call->way->prefetch);
    }
    __atomic_fetch_xor(&call->sum, sum, __ATOMIC_RELAXED);
}

#define WAYS_MAX 16

/// The ways for the instruction set in use; returns how many.
static int list_ways(read_way ways[WAYS_MAX]) {
    int count = 0;
    read_function *plain = read_plain;
#if defined(LEAP_X86)
    if (uses("avx512") || uses("amx")) {
        plain = read_avx512;
        ways[count++] = (read_way){"one stream, pages begun ahead", read_avx512_pages, 1, true};
        ways[count++] = (read_way){"one stream, streaming loads", read_avx512_streaming, 1, false};
        ways[count++] = (read_way){"four streams, streaming loads", read_avx512_streaming, 4, false};
    }
#endif
    ways[count++] = (read_way){"one stream", plain, 1, false};
    ways[count++] = (read_way){"one stream, prefetched", plain, 1, true};
    ways[count++] = (read_way){"two streams", plain, 2, false};
    ways[count++] = (read_way){"two streams, prefetched", plain, 2, true};
    ways[count++] = (read_way){"four streams", plain, 4, false};
    ways[count++] = (read_way){"four streams, prefetched", plain, 4, true};
    ways[count++] = (read_way){"eight streams", plain, 8, false};
    return count;
}

static double rate_of(leap_pool *pool, const read_way *way, const char *data, int64_t pieces) {
    read_call call = {way, data, 0};
    const double start = now();
    leap_pool_run(pool, pieces, 1, read_piece, &call);
    return (double)pieces * PIECE / (now() - start) * 1e-9;
}

/// Where pieces begin, and how many there are: from a multiple of a cache line; prefetches reach beyond the last one.
static int64_t pieces_of(const void *data, size_t bytes, const char **begin) {
    const size_t skipped = (64 - (uintptr_t)data % 64) % 64;
    *begin = (const char *)data + skipped;
    return bytes < skipped ? 0 : (int64_t)(bytes - skipped) / PIECE - 1;
}

leap_read_peak leap_peak_read(leap_pool *pool, const void *data, size_t bytes) {
    const char *begin;
    const int64_t pieces = pieces_of(data, bytes, &begin);
    leap_read_peak best = {0, 0, "none"};
    if (pieces < 1) return best;
    read_way ways[WAYS_MAX];
    const int count = list_ways(ways);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            const double rate = rate_of(pool, &ways[i], begin, pieces);
            if (rate > best.rate) best = (leap_read_peak){rate, i, ways[i].name};
        }
    }
    return best;
}

double leap_read_rate(leap_pool *pool, const void *data, size_t bytes, int way) {
    const char *begin;
    const int64_t pieces = pieces_of(data, bytes, &begin);
    read_way ways[WAYS_MAX];
    const int count = list_ways(ways);
    return pieces < 1 || way < 0 || way >= count ? 0 : rate_of(pool, &ways[way], begin, pieces);
}
