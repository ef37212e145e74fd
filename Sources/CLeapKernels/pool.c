// The thread pool: fork and join in about a microsecond while work keeps coming, asleep soon after it stops.
//
// `state` is one word: a sequence number, an "open" flag and the number of workers inside. A call opens a new number, works
// itself, closes it when all pieces are taken, and waits only for workers that are still inside. A worker that the system
// has not scheduled therefore never delays a call: its pieces are taken by the others.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // pthread_setname_np, posix_memalign under -std=c11
#endif

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <pthread/qos.h>
#endif

#include "internal/clock.h"
#include "internal/kernels.h"

#define STATE_ACTIVE_MASK UINT64_C(0xffff)
#define STATE_OPEN (UINT64_C(1) << 16)
#define STATE_SEQUENCE_SHIFT 32
/// How long a worker keeps looking for work before it sleeps, in nanoseconds.
#define SPIN_NANOSECONDS 50000
#define WORKERS_MAX 1024

typedef struct {
    _Alignas(LEAP_ALIGNMENT) _Atomic int64_t next;
    int64_t end;
} leap_range;

struct leap_pool {
    // Written by the caller before a sequence number opens, read by workers inside it.
    void (*body)(void *context, int thread, int64_t begin, int64_t end);
    void *context;
    int64_t grain;
    int threads;
    bool spins;
    leap_range *ranges;
    char *scratch;
    pthread_t *handles;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Alignas(LEAP_ALIGNMENT) _Atomic uint64_t state;
    _Alignas(LEAP_ALIGNMENT) _Atomic int sleepers;
    _Atomic int stopping;
    _Atomic int started;  // hands out worker indices
};

static inline void relax(void) {
#if defined(LEAP_X86)
    __builtin_ia32_pause();
#elif defined(LEAP_ARM)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static void *aligned_memory(size_t bytes) {
    void *memory = NULL;
    return posix_memalign(&memory, LEAP_ALIGNMENT, bytes) == 0 ? memory : NULL;
}

/// Takes pieces, from this thread's own range first (neighbouring memory), then from the others'.
static void take_pieces(leap_pool *pool, int thread) {
    const int64_t grain = pool->grain;
    for (int i = 0, owner = thread; i < pool->threads; i++, owner = owner + 1 == pool->threads ? 0 : owner + 1) {
        leap_range *range = &pool->ranges[owner];
        while (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            const int64_t begin = atomic_fetch_add_explicit(&range->next, grain, memory_order_relaxed);
            if (begin >= range->end) break;
            const int64_t end = begin + grain < range->end ? begin + grain : range->end;
            pool->body(pool->context, thread, begin, end);
        }
    }
}

static bool is_new(uint64_t state, uint32_t seen) {
    return (state & STATE_OPEN) && (uint32_t)(state >> STATE_SEQUENCE_SHIFT) != seen;
}

static void sleep_until_new(leap_pool *pool, uint32_t seen) {
    pthread_mutex_lock(&pool->mutex);
    // Sequentially consistent with the caller, which opens first and then looks for sleepers: one of us sees the other.
    atomic_fetch_add(&pool->sleepers, 1);
    while (!is_new(atomic_load(&pool->state), seen) && !atomic_load(&pool->stopping)) {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

/// Returns when a sequence number other than `seen` is open (its state), or 0 when the pool stops.
static uint64_t wait_for_work(leap_pool *pool, uint32_t seen) {
    int64_t deadline = 0;
    for (unsigned turn = 0;; turn++) {
        const uint64_t state = atomic_load_explicit(&pool->state, memory_order_acquire);
        if (is_new(state, seen)) return state;
        if (atomic_load_explicit(&pool->stopping, memory_order_relaxed)) return 0;
        relax();
        if (turn % 64 != 0 && pool->spins) continue;
        const int64_t now = pool->spins ? leap_nanoseconds() : 1;
        if (deadline == 0) deadline = pool->spins ? now + SPIN_NANOSECONDS : 1;
        if (now >= deadline) {
            sleep_until_new(pool, seen);
            deadline = 0;
        }
    }
}

static void *worker(void *argument) {
    leap_pool *pool = argument;
    const int thread = 1 + atomic_fetch_add(&pool->started, 1);
#if defined(__APPLE__)
    pthread_set_qos_class_self_np(QOS_CLASS_USER_INITIATED, 0);
    pthread_setname_np("leap.kernels");
#elif defined(__linux__) && defined(_GNU_SOURCE)
    pthread_setname_np(pthread_self(), "leap.kernels");
#endif
    uint32_t seen = 0;
    for (;;) {
        uint64_t state = wait_for_work(pool, seen);
        if (state == 0) return NULL;
        if (!atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                                   memory_order_relaxed)) {
            continue;
        }
        seen = (uint32_t)(state >> STATE_SEQUENCE_SHIFT);
        take_pieces(pool, thread);
        atomic_fetch_sub_explicit(&pool->state, 1, memory_order_release);
    }
}

static int online_processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 && count < WORKERS_MAX ? (int)count : 1;
}

/// Starts workers until `threads` are reached or the system refuses.
static void start_workers(leap_pool *pool, int threads) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 20);
    // Signals belong to the program's own threads.
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    while (pool->threads < threads
           && pthread_create(&pool->handles[pool->threads - 1], &attributes, worker, pool) == 0) {
        pool->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    pthread_attr_destroy(&attributes);
}

leap_pool *leap_pool_create(int threads) {
    if (threads < 1) threads = 1;
    if (threads > WORKERS_MAX) threads = WORKERS_MAX;
    leap_pool *pool = aligned_memory(sizeof *pool);
    if (!pool) return NULL;
    *pool = (leap_pool){.threads = 1, .spins = threads <= online_processors()};
    pool->ranges = aligned_memory((size_t)threads * sizeof *pool->ranges);
    pool->scratch = aligned_memory((size_t)threads * LEAP_SCRATCH_BYTES);
    pool->handles = calloc((size_t)threads, sizeof *pool->handles);
    if (!pool->ranges || !pool->scratch || !pool->handles || pthread_mutex_init(&pool->mutex, NULL) != 0) {
        free(pool->ranges);
        free(pool->scratch);
        free(pool->handles);
        free(pool);
        return NULL;
    }
    pthread_cond_init(&pool->wake, NULL);
    start_workers(pool, threads);
    return pool;
}

void leap_pool_destroy(leap_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->stopping, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->threads - 1; i++) pthread_join(pool->handles[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->ranges);
    free(pool->scratch);
    free(pool->handles);
    free(pool);
}

int leap_pool_threads(const leap_pool *pool) { return pool->threads; }

void *leap_pool_scratch(leap_pool *pool, int thread) { return pool->scratch + (size_t)thread * LEAP_SCRATCH_BYTES; }

/// Waits until no worker is inside. They are at their last piece, so this is short unless one lost its processor.
static void wait_for_workers(leap_pool *pool) {
    for (unsigned turn = 1; atomic_load_explicit(&pool->state, memory_order_acquire) & STATE_ACTIVE_MASK; turn++) {
        if (pool->spins && turn < 4096) {
            relax();
        } else {
            sched_yield();
        }
    }
}

void leap_pool_run(leap_pool *pool, int64_t count, int64_t grain,
                   void (*body)(void *context, int thread, int64_t begin, int64_t end), void *context) {
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    if (pool->threads == 1 || count <= grain) {
        for (int64_t begin = 0; begin < count; begin += grain) {
            body(context, 0, begin, count - begin < grain ? count : begin + grain);
        }
        return;
    }
    pool->body = body;
    pool->context = context;
    pool->grain = grain;
    // Every thread starts in a stretch of its own, made of whole pieces.
    const int64_t pieces = (count + grain - 1) / grain;
    for (int i = 0; i < pool->threads; i++) {
        const int64_t end = pieces * (i + 1) / pool->threads * grain;
        atomic_store_explicit(&pool->ranges[i].next, pieces * i / pool->threads * grain, memory_order_relaxed);
        pool->ranges[i].end = end < count ? end : count;
    }
    const uint64_t previous = atomic_load_explicit(&pool->state, memory_order_relaxed);
    // Sequence number 0 is what workers start from, so it is skipped.
    uint32_t sequence = (uint32_t)(previous >> STATE_SEQUENCE_SHIFT) + 1;
    if (sequence == 0) sequence = 1;
    atomic_store(&pool->state, (uint64_t)sequence << STATE_SEQUENCE_SHIFT | STATE_OPEN);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
    take_pieces(pool, 0);
    atomic_fetch_and_explicit(&pool->state, ~STATE_OPEN, memory_order_acq_rel);
    wait_for_workers(pool);
}
