// The thread pool: fork and join in about a microsecond while work keeps coming, asleep soon after it stops.
//
// `state` is one word: a sequence number, an "open" flag and the number of workers inside. A call opens a new number, works
// itself, closes it when all pieces are taken, and waits only for workers that are still inside. A worker that the system
// has not scheduled therefore never delays a call: its pieces are taken by the others.
//
// One that loses its processor in the middle of a piece does. Where that goes on in calls that wait for memory rather than for
// arithmetic, it stays away for a while: the others read nearly as fast without it, and do not wait for it.
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
#elif defined(__linux__)
#include <sys/resource.h>
#endif

#include "internal/clock.h"
#include "internal/kernels.h"

#define STATE_ACTIVE_MASK UINT64_C(0xffff)
#define STATE_OPEN (UINT64_C(1) << 16)
#define STATE_READING (UINT64_C(1) << 17)
#define STATE_SEQUENCE_SHIFT 32
/// How long a worker keeps looking for work before it sleeps, in nanoseconds.
#define SPIN_NANOSECONDS 50000
#define WORKERS_MAX 1024
/// Turns that a caller waits for a worker before it counts as late: longer than a piece of a call that reads takes, shorter than
/// a time slice.
#define LATE_TURNS 4096
/// How long a worker stays away that was late again, at first and at most, in nanoseconds.
#define REST_LEAST INT64_C(8000000)
#define REST_MOST INT64_C(64000000)
/// After this time without being late a worker counts as undisturbed.
#define REST_FORGOTTEN INT64_C(250000000)

typedef struct {
    _Alignas(LEAP_ALIGNMENT) _Atomic int64_t next;
    int64_t end;
} leap_range;

struct leap_pool {
    // Written by the caller before a sequence number opens, read by workers inside it.
    leap_pool_body *body;
    void *context;
    int64_t grain;
    int threads;
    bool spins;
    leap_range *ranges;
    char *scratch;
    pthread_t *handles;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_cond_t stop;  // what resting workers wait for
    _Atomic int late;     // the caller has waited for LATE_TURNS
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

#if defined(__linux__)

/// What a worker knows about the processor it is given.
typedef struct {
    long losses;         // times that the system gave its processor to others
    int64_t rest, late;  // how long it rested last, and when it was late; 0: never
} worker_record;

/// How often the system has taken the processor from this thread. Waiting for a disk does not count.
static long processor_losses(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static worker_record first_record(void) { return (worker_record){processor_losses(), 0, 0}; }

/// How long a worker that has kept the caller waiting is to stay away.
static int64_t rest_after(worker_record *record) {
    const long losses = processor_losses();
    if (losses == record->losses) return 0;
    record->losses = losses;
    const int64_t now = leap_nanoseconds();
    const bool again = record->late != 0 && now - record->late < record->rest + REST_FORGOTTEN;
    record->late = now;
    // Once is nothing: every system has other work now and then.
    record->rest = !again ? 0 : record->rest == 0 ? REST_LEAST : record->rest < REST_MOST ? 2 * record->rest : REST_MOST;
    return record->rest;
}

/// Sleeps, without being woken by calls.
static void rest(leap_pool *pool, int64_t nanoseconds) {
    nanoseconds += leap_nanoseconds();
    const struct timespec until = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    pthread_mutex_lock(&pool->mutex);
    int result = 0;
    while (result == 0 && !atomic_load(&pool->stopping)) {
        result = pthread_cond_timedwait(&pool->stop, &pool->mutex, &until);
    }
    pthread_mutex_unlock(&pool->mutex);
}

/// A condition whose time only goes forward.
static void init_stop(pthread_cond_t *stop) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(stop, &attributes);
    pthread_condattr_destroy(&attributes);
}

#else

typedef int worker_record;

static void init_stop(pthread_cond_t *stop) { pthread_cond_init(stop, NULL); }

static worker_record first_record(void) { return 0; }

static int64_t rest_after(worker_record *record) {
    (void)record;
    return 0;
}

static void rest(leap_pool *pool, int64_t nanoseconds) {
    (void)pool;
    (void)nanoseconds;
}

#endif

static void *worker(void *argument) {
    leap_pool *pool = argument;
    const int thread = 1 + atomic_fetch_add(&pool->started, 1);
#if defined(__APPLE__)
    pthread_set_qos_class_self_np(QOS_CLASS_USER_INITIATED, 0);
    pthread_setname_np("leap.kernels");
#elif defined(__linux__) && defined(_GNU_SOURCE)
    pthread_setname_np(pthread_self(), "leap.kernels");
#endif
    worker_record record = first_record();
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
        const bool late = (state & STATE_READING) && atomic_load_explicit(&pool->late, memory_order_relaxed);
        atomic_fetch_sub_explicit(&pool->state, 1, memory_order_release);
        const int64_t away = late ? rest_after(&record) : 0;
        if (away > 0) rest(pool, away);
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
    init_stop(&pool->stop);
    start_workers(pool, threads);
    return pool;
}

void leap_pool_destroy(leap_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->stopping, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_cond_broadcast(&pool->stop);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->threads - 1; i++) pthread_join(pool->handles[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->stop);
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
    bool late = false;
    for (unsigned turn = 1; atomic_load_explicit(&pool->state, memory_order_acquire) & STATE_ACTIVE_MASK; turn++) {
        if (pool->spins && turn < LATE_TURNS) {
            relax();
            continue;
        }
        // With more threads than processors somebody always waits.
        if (!late && pool->spins) atomic_store_explicit(&pool->late, 1, memory_order_relaxed);
        late = true;
        sched_yield();
    }
    if (late) atomic_store_explicit(&pool->late, 0, memory_order_relaxed);
}

static void run(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *context, bool reading) {
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
    atomic_store(&pool->state,
                 (uint64_t)sequence << STATE_SEQUENCE_SHIFT | STATE_OPEN | (reading ? STATE_READING : 0));
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
    take_pieces(pool, 0);
    atomic_fetch_and_explicit(&pool->state, ~STATE_OPEN, memory_order_acq_rel);
    wait_for_workers(pool);
}

void leap_pool_run(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *context) {
    run(pool, count, grain, body, context, false);
}

void leap_pool_run_reading(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *context) {
    run(pool, count, grain, body, context, true);
}
