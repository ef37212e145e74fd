// The thread pool: fork and join in about a microsecond while work keeps coming, asleep soon after it stops.
//
// `state` is one word: a sequence number, an "open" flag and the number of workers inside. A call opens a new number,
// works itself, closes it when all pieces are taken, and waits only for workers that are still inside. A worker that
// the system has not scheduled therefore never delays a call: its pieces are taken by the others.
//
// How the indices of a call are cut into pieces is a rule of its own (internal/cut.h, cut.c): it knows nothing of
// threads that run.
//
// One that loses its processor in the middle of a piece does. Where that goes on in calls that wait for memory rather
// than for arithmetic, it stays away for a while: the others read nearly as fast without it, and do not wait for it.
//
// A limit lets fewer threads compute than were started. The others park: no call wakes them.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // pthread_setname_np, posix_memalign under -std=c11
#endif

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <pthread/qos.h>
#elif defined(__linux__)
#include <sys/resource.h>
#endif

#include "internal/clock.h"
#include "internal/cut.h"
#include "internal/kernels.h"

#define STATE_ACTIVE_MASK UINT64_C(0xffff)
#define STATE_OPEN (UINT64_C(1) << 16)
#define STATE_READING (UINT64_C(1) << 17)
#define STATE_SEQUENCE_SHIFT 32
/// How long a worker keeps looking for work before it sleeps, in nanoseconds.
#define SPIN_NANOSECONDS 50000
#define WORKERS_MAX 1024
/// Turns that a caller waits for a worker before it counts as late: longer than a piece of a call that reads takes,
/// shorter than a time slice.
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

/// What one thread has spent since measuring began, in nanoseconds. The thread itself writes, the caller reads.
typedef struct {
    _Alignas(LEAP_ALIGNMENT) _Atomic int64_t computing;
    _Atomic int64_t waiting;        // the caller's only: for workers at the end of calls
    _Atomic int64_t asleep;
    _Atomic int64_t asleep_since;   // 0: awake
} leap_thread_clock;

struct leap_pool {
    // Written by the caller before a sequence number opens, read by workers inside it.
    leap_pool_body *body;
    void *context;
    leap_cut cut;
    int threads;          // that were started, the caller's included
    _Atomic int limit;    // of them, those that calls use; changes between calls only
    bool spins;
    _Atomic int64_t measured_since;  // nanoseconds; 0: nothing is measured
    leap_thread_clock *clocks;
    leap_range *ranges;
    char *scratch;
    pthread_t *handles;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_cond_t stop;  // what resting and parked workers wait for
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

/// Takes the next piece of a stretch; false where nothing of it is left.
static bool take_piece(const leap_cut *cut, leap_range *range, int64_t *begin, int64_t *end) {
    int64_t next = atomic_load_explicit(&range->next, memory_order_relaxed);
    do {
        if (next >= range->end) return false;
        *end = next + leap_cut_piece(cut, next, range->end);
    } while (!atomic_compare_exchange_weak_explicit(&range->next, &next, *end, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = next;
    return true;
}

/// Takes pieces, from this thread's own stretch first (neighbouring memory), then from the others'.
static void take_pieces(leap_pool *pool, int thread) {
    const int64_t since = atomic_load_explicit(&pool->measured_since, memory_order_relaxed);
    const int64_t start = since != 0 ? leap_nanoseconds() : 0;
    for (int turn = 0; turn < pool->cut.threads; turn++) {
        leap_range *range = &pool->ranges[leap_cut_stretch(&pool->cut, thread, turn)];
        int64_t begin, end;
        while (take_piece(&pool->cut, range, &begin, &end)) pool->body(pool->context, thread, begin, end);
    }
    if (since == 0) return;
    atomic_fetch_add_explicit(&pool->clocks[thread].computing, leap_nanoseconds() - start, memory_order_relaxed);
}

static bool is_new(uint64_t state, uint32_t seen) {
    return (state & STATE_OPEN) && (uint32_t)(state >> STATE_SEQUENCE_SHIFT) != seen;
}

/// Notes that a thread falls asleep. Sleeps are rare and long beside two looks at the clock, so they are always timed.
static void fall_asleep(leap_pool *pool, int thread) {
    atomic_store_explicit(&pool->clocks[thread].asleep_since, leap_nanoseconds(), memory_order_relaxed);
}

/// How long a thread has been asleep since measuring began; 0 where nothing is measured.
static int64_t time_asleep(const leap_pool *pool, int thread, int64_t now) {
    const int64_t since = atomic_load_explicit(&pool->measured_since, memory_order_relaxed);
    const int64_t fell = atomic_load_explicit(&pool->clocks[thread].asleep_since, memory_order_relaxed);
    if (since == 0 || fell == 0) return 0;
    return now - (fell > since ? fell : since);
}

/// Notes that a thread is awake again.
static void wake_up(leap_pool *pool, int thread) {
    const int64_t slept = time_asleep(pool, thread, leap_nanoseconds());
    atomic_store_explicit(&pool->clocks[thread].asleep_since, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&pool->clocks[thread].asleep, slept, memory_order_relaxed);
}

static void sleep_until_new(leap_pool *pool, int thread, uint32_t seen) {
    fall_asleep(pool, thread);
    pthread_mutex_lock(&pool->mutex);
    // Sequentially consistent with the caller, which opens first and then looks for sleepers: one of us sees the other.
    atomic_fetch_add(&pool->sleepers, 1);
    while (!is_new(atomic_load(&pool->state), seen) && !atomic_load(&pool->stopping)) {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
    wake_up(pool, thread);
}

static bool is_beyond_limit(leap_pool *pool, int thread) {
    return thread >= atomic_load_explicit(&pool->limit, memory_order_relaxed);
}

/// Sleeps while the limit leaves this thread out.
static void park(leap_pool *pool, int thread) {
    fall_asleep(pool, thread);
    pthread_mutex_lock(&pool->mutex);
    while (is_beyond_limit(pool, thread) && !atomic_load(&pool->stopping)) {
        pthread_cond_wait(&pool->stop, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    wake_up(pool, thread);
}

/// Returns when a sequence number other than `seen` is open (its state), or 0 when the pool stops.
static uint64_t wait_for_work(leap_pool *pool, int thread, uint32_t seen) {
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
            sleep_until_new(pool, thread, seen);
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
        if (is_beyond_limit(pool, thread)) park(pool, thread);
        uint64_t state = wait_for_work(pool, thread, seen);
        if (state == 0) return NULL;
        if (!atomic_compare_exchange_weak_explicit(&pool->state, &state, state + 1, memory_order_acquire,
                                                   memory_order_relaxed)) {
            continue;
        }
        seen = (uint32_t)(state >> STATE_SEQUENCE_SHIFT);
        // The limit cannot change while this thread is inside; the call may have opened after it was lowered.
        if (!is_beyond_limit(pool, thread)) take_pieces(pool, thread);
        const bool late = (state & STATE_READING) && atomic_load_explicit(&pool->late, memory_order_relaxed);
        atomic_fetch_sub_explicit(&pool->state, 1, memory_order_release);
        const int64_t away = late ? rest_after(&record) : 0;
        if (away > 0) {
            fall_asleep(pool, thread);
            rest(pool, away);
            wake_up(pool, thread);
        }
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
    *pool = (leap_pool){.threads = 1, .limit = threads, .spins = threads <= online_processors()};
    pool->ranges = aligned_memory((size_t)threads * sizeof *pool->ranges);
    pool->clocks = aligned_memory((size_t)threads * sizeof *pool->clocks);
    pool->scratch = aligned_memory((size_t)threads * LEAP_SCRATCH_BYTES);
    pool->handles = calloc((size_t)threads, sizeof *pool->handles);
    if (!pool->ranges || !pool->clocks || !pool->scratch || !pool->handles
        || pthread_mutex_init(&pool->mutex, NULL) != 0) {
        free(pool->ranges);
        free(pool->clocks);
        free(pool->scratch);
        free(pool->handles);
        free(pool);
        return NULL;
    }
    memset(pool->clocks, 0, (size_t)threads * sizeof *pool->clocks);
    pthread_cond_init(&pool->wake, NULL);
    init_stop(&pool->stop);
    start_workers(pool, threads);
    atomic_store(&pool->limit, pool->threads);
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
    free(pool->clocks);
    free(pool->scratch);
    free(pool->handles);
    free(pool);
}

int leap_pool_threads(const leap_pool *pool) { return atomic_load_explicit(&pool->limit, memory_order_relaxed); }

void leap_pool_limit(leap_pool *pool, int threads) {
    if (threads < 1) threads = 1;
    if (threads > pool->threads) threads = pool->threads;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->limit, threads);
    pthread_cond_broadcast(&pool->stop);
    pthread_mutex_unlock(&pool->mutex);
}

void *leap_pool_scratch(leap_pool *pool, int thread) { return pool->scratch + (size_t)thread * LEAP_SCRATCH_BYTES; }

void leap_pool_measure(leap_pool *pool, int on) {
    atomic_store_explicit(&pool->measured_since, 0, memory_order_relaxed);
    for (int i = 0; i < pool->threads; i++) {
        atomic_store_explicit(&pool->clocks[i].computing, 0, memory_order_relaxed);
        atomic_store_explicit(&pool->clocks[i].waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&pool->clocks[i].asleep, 0, memory_order_relaxed);
    }
    if (on) atomic_store_explicit(&pool->measured_since, leap_nanoseconds(), memory_order_relaxed);
}

leap_thread_time leap_pool_time(const leap_pool *pool, int thread) {
    const int64_t since = atomic_load_explicit(&pool->measured_since, memory_order_relaxed);
    if (since == 0 || thread < 0 || thread >= pool->threads) return (leap_thread_time){0, 0, 0, 0};
    const leap_thread_clock *clock = &pool->clocks[thread];
    const int64_t now = leap_nanoseconds();
    leap_thread_time time = {now - since, atomic_load_explicit(&clock->computing, memory_order_relaxed), 0, 0};
    if (thread == 0) {
        time.waiting = atomic_load_explicit(&clock->waiting, memory_order_relaxed);
    } else {
        time.waiting = time.total - time.computing;
        const int64_t slept = atomic_load_explicit(&clock->asleep, memory_order_relaxed) + time_asleep(pool, thread, now);
        time.asleep = leap_smaller(slept, time.waiting);
    }
    return time;
}

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

void leap_pool_run_cut(leap_pool *pool, const leap_cut *cut, leap_pool_body *body, void *context, bool reading) {
    if (cut->count <= 0) return;
    if (cut->threads == 1 || cut->count <= cut->grain) {
        for (int64_t begin = 0; begin < cut->count;) {
            const int64_t end = begin + leap_smaller(cut->grain, cut->count - begin);
            body(context, 0, begin, end);
            begin = end;
        }
        return;
    }
    pool->body = body;
    pool->context = context;
    pool->cut = *cut;
    for (int i = 0; i < cut->threads; i++) {
        atomic_store_explicit(&pool->ranges[i].next, leap_cut_begin(cut, i), memory_order_relaxed);
        pool->ranges[i].end = leap_cut_begin(cut, i + 1);
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
    if (atomic_load_explicit(&pool->measured_since, memory_order_relaxed) == 0) return wait_for_workers(pool);
    const int64_t start = leap_nanoseconds();
    wait_for_workers(pool);
    atomic_fetch_add_explicit(&pool->clocks[0].waiting, leap_nanoseconds() - start, memory_order_relaxed);
}

void leap_pool_run(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *context) {
    const leap_cut cut = leap_cut_even(count, grain, leap_pool_threads(pool));
    leap_pool_run_cut(pool, &cut, body, context, false);
}

void leap_pool_run_reading(leap_pool *pool, int64_t count, int64_t grain, leap_pool_body *body, void *context) {
    const leap_cut cut = leap_cut_even(count, grain, leap_pool_threads(pool));
    leap_pool_run_cut(pool, &cut, body, context, true);
}
