// Finds out by time which of two kernels reads the weights of a single token faster (internal/reading.h).
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // clock_gettime under -std=c11
#endif

#include "internal/reading.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "internal/clock.h"

/// Kinds of products that are told apart; more take the first kernel.
#define SLOTS 256
/// Times that each kernel computes a product at most. Layers repeat, so two or three tokens settle most of a model; the
/// first of them reads pages that are not mapped yet, which the best of these times leaves out.
#define TRIALS 16
/// Times after which a clear difference settles it: products that come once a token would take long otherwise.
#define TRIALS_LEAST 4
/// Bytes of weights below which a product says more about caches than about memory.
#define LEAST_BYTES (INT64_C(1) << 20)
/// The other kernel is taken where it needs less than this share of the time: the rest is noise.
#define LESS 0.985
/// A difference that is clear at once.
#define CLEARLY_LESS 0.92

typedef struct {
    _Atomic uint64_t key;      ///< 0: not used
    _Atomic uint32_t products; ///< computed so far, up to 2 TRIALS
    _Atomic int64_t best[2];   ///< nanoseconds of the fastest; 0: none yet
} reading_slot;

static reading_slot slots[SLOTS];
static _Thread_local int forced = LEAP_READING_MEASURED;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/// What LEAP_READING in the environment asks for.
static int wish = LEAP_READING_MEASURED;

static void read_wish(void) {
    const char *name = getenv("LEAP_READING");
    if (name && strcmp(name, "first") == 0) wish = LEAP_READING_FIRST;
    if (name && strcmp(name, "other") == 0) wish = LEAP_READING_OTHER;
}

/// What calls of this thread are to take.
static int wanted(void) {
    pthread_once(&once, read_wish);
    return forced != LEAP_READING_MEASURED ? forced : wish;
}

/// FNV-1a over the words that make products alike (Fowler, Noll, Vo).
static uint64_t mix(uint64_t hash, uint64_t word) {
    for (int i = 0; i < 8; i++) hash = (hash ^ (word >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t key_of(const leap_kernels *kernels, const leap_matmul_job *jobs, int count, int threads) {
    uint64_t key = mix(UINT64_C(0xcbf29ce484222325), (uint64_t)(uintptr_t)kernels);
    key = mix(key, (uint64_t)threads);
    for (int i = 0; i < count; i++) {
        key = mix(mix(mix(key, (uint64_t)jobs[i].w.type), (uint64_t)jobs[i].w.rows), (uint64_t)jobs[i].w.row_bytes);
    }
    return key == 0 ? 1 : key;
}

/// The slot of a key, or -1 where there is no room.
static int slot_of(uint64_t key) {
    for (int i = 0; i < SLOTS; i++) {
        const int at = (int)((key + (uint64_t)i) % SLOTS);
        uint64_t found = atomic_load_explicit(&slots[at].key, memory_order_relaxed);
        if (found == 0 && atomic_compare_exchange_strong(&slots[at].key, &found, key)) return at;
        if (found == key) return at;
    }
    return -1;
}

static bool prefers_other(const reading_slot *slot) {
    const int64_t first = atomic_load_explicit(&slot->best[0], memory_order_relaxed);
    const int64_t other = atomic_load_explicit(&slot->best[1], memory_order_relaxed);
    return other > 0 && (double)other < LESS * (double)first;
}

/// Whether nothing more has to be tried. products: computed so far.
static bool is_settled(const reading_slot *slot, uint32_t products) {
    if (products >= 2 * TRIALS) return true;
    if (products < 2 * TRIALS_LEAST) return false;
    const double first = (double)atomic_load_explicit(&slot->best[0], memory_order_relaxed);
    const double other = (double)atomic_load_explicit(&slot->best[1], memory_order_relaxed);
    return first < CLEARLY_LESS * other || other < CLEARLY_LESS * first;
}

leap_reading_trial leap_reading_begin(const leap_kernels *kernels, const leap_matmul_job *jobs, int count, int threads,
                                      int64_t bytes) {
    leap_reading_trial trial = {-1, false, 0};
    bool choice = false;
    for (int i = 0; i < count; i++) {
        if (jobs[i].tokens != 1) return trial;
        choice |= kernels->matmul[jobs[i].w.type].other != NULL;
    }
    if (!choice) return trial;
    const int reading = wanted();
    if (reading != LEAP_READING_MEASURED) {
        trial.other = reading == LEAP_READING_OTHER;
        return trial;
    }
    if (bytes < LEAST_BYTES) return trial;
    const int at = slot_of(key_of(kernels, jobs, count, threads));
    if (at < 0) return trial;
    if (is_settled(&slots[at], atomic_load_explicit(&slots[at].products, memory_order_relaxed))) {
        trial.other = prefers_other(&slots[at]);
        return trial;
    }
    trial.slot = at;
    trial.other = atomic_fetch_add_explicit(&slots[at].products, 1, memory_order_relaxed) % 2 != 0;
    trial.begin = leap_nanoseconds();
    return trial;
}

void leap_reading_end(const leap_reading_trial *trial) {
    if (trial->slot < 0) return;
    const int64_t took = leap_nanoseconds() - trial->begin;
    _Atomic int64_t *best = &slots[trial->slot].best[trial->other];
    int64_t known = atomic_load_explicit(best, memory_order_relaxed);
    while ((known == 0 || took < known)
           && !atomic_compare_exchange_weak_explicit(best, &known, took, memory_order_relaxed, memory_order_relaxed)) {
    }
}

void leap_reading_select(int reading) { forced = reading; }

leap_reading_findings leap_reading_found(void) {
    leap_reading_findings found = {0, 0};
    for (int i = 0; i < SLOTS; i++) {
        if (!is_settled(&slots[i], atomic_load_explicit(&slots[i].products, memory_order_relaxed))) continue;
        found.products++;
        found.other += prefers_other(&slots[i]);
    }
    return found;
}
