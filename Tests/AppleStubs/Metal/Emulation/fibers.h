// Threads of a threadgroup as fibers that run in shuffled order: one runs until it comes to a barrier or a shuffle of
// its SIMD-group, then any other one that can. Threadgroup memory holds no numbers at first, and small floats are taken
// for 0, as GPUs do. What a kernel does without a barrier that it needs comes out wrong, therefore, or ends here: a
// barrier that not all threads reach is an error.
#pragma once

namespace emulation {

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/// What the host gives to a run of a threadgroup.
struct Launch {
    void *const *arguments;
    uint group[3], groups[3], threads[3];
    /// Function constants, and a bit for each that is defined.
    uint constants[8], defined;
    uint width;
    ulong seed;
};

/// What a run comes to.
enum Result { FINISHED = 0, BARRIER_NOT_REACHED = 1, SHUFFLE_NOT_REACHED = 2, TOO_MANY_THREADS = 3, WIDTH_NOT_A_POWER_OF_TWO = 4 };

/// A value on its way between the threads of a SIMD-group.
struct Slot { ulong words[2]; };

static const uint THREADS_MAX = 256, STACK = 32768 + 320;  // not a power of two: stacks would share lines of the cache
enum State : uchar { READY, AT_BARRIER, AT_SHUFFLE, DONE };

static const Launch *launch;
/// The threads of a SIMD-group are a power of two: a division by their number, at every shuffle, would take longer than
/// the shuffle.
static uint width_shift;
static void (*body)();
static uchar stacks[THREADS_MAX][STACK] __attribute__((aligned(64)));
static void *saved[THREADS_MAX], *scheduler;
static State states[THREADS_MAX];
static Slot slots[2][THREADS_MAX];
static uchar parity[THREADS_MAX];
static volatile uint current;

extern "C" void emulation_switch(void **save, void *load) __attribute__((visibility("hidden")));
// Keeps the registers that a function has to keep, and goes on where another fiber did the same.
#if defined(__x86_64__)
asm(".text\n.hidden emulation_switch\n.globl emulation_switch\n.type emulation_switch,@function\nemulation_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
    ".size emulation_switch,.-emulation_switch\n");
static const uint REGISTERS = 6;
#elif defined(__aarch64__)
asm(".text\n.hidden emulation_switch\n.globl emulation_switch\n.type emulation_switch,%function\nemulation_switch:\n"
    "sub sp, sp, #160\nstp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
    "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\nstp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\n"
    "stp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\nmov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
    "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
    "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\nldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\n"
    "ldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\nadd sp, sp, #160\nret\n"
    ".size emulation_switch,.-emulation_switch\n");
#else
#error "fibers are switched on x86-64 and arm64 only"
#endif

/// The fibers that can run, and of the others how many have come to where they wait.
static uint fiberCount, ready[THREADS_MAX], readyCount, atBarrier, done, atShuffle[THREADS_MAX];
static ulong random;

/// Takes one of those that can run.
static uint next() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const uint place = uint((random >> 32) * readyCount >> 32), fiber = ready[place];
    ready[place] = ready[--readyCount];
    return fiber;
}

/// Leaves the running fiber for the next one, without a way through the scheduler, which would be two switches; for the
/// scheduler where none can run.
static void pause(State state) {
    const uint own = current;
    states[own] = state;
    if (state == DONE) {
        done++;
    } else if (state == AT_BARRIER) {
        if (++atBarrier == fiberCount) {
            for (uint i = 0; i < fiberCount; i++) ready[i] = i;
            readyCount = fiberCount;
            atBarrier = 0;
        }
    } else {
        const uint group = own >> width_shift, first = group << width_shift, width = launch->width;
        const uint end = first + width < fiberCount ? first + width : fiberCount;
        if (++atShuffle[group] == end - first) {
            for (uint i = first; i < end; i++) ready[readyCount++] = i;
            atShuffle[group] = 0;
        }
    }
    if (readyCount == 0) {
        emulation_switch(&saved[own], scheduler);
        return;
    }
    const uint fiber = next();
    if (fiber == own) return;
    current = fiber;
    emulation_switch(&saved[own], saved[fiber]);
}

static void entry() {
    body();
    pause(DONE);
    __builtin_trap();
}

static void *prepare(uint fiber) {
    ulong *top = (ulong *)((ulong)(stacks[fiber] + STACK) & ~15ul);
#if defined(__x86_64__)
    *--top = 0;
    *--top = (ulong)entry;
    for (uint i = 0; i < REGISTERS; i++) *--top = 0;
#else
    top -= 20;
    for (uint i = 0; i < 20; i++) top[i] = 0;
    top[11] = (ulong)entry;
#endif
    return top;
}

/// Small floats count as 0, as arguments and results.
struct FlushedSmallFloats {
#if defined(__x86_64__)
    uint before;
    FlushedSmallFloats() : before(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(before | 0x8040); }
    ~FlushedSmallFloats() { __builtin_ia32_ldmxcsr(before); }
#else
    ulong before;
    FlushedSmallFloats() {
        asm volatile("mrs %0, fpcr" : "=r"(before));
        asm volatile("msr fpcr, %0" : : "r"(before | (1ul << 24)));
    }
    ~FlushedSmallFloats() { asm volatile("msr fpcr, %0" : : "r"(before)); }
#endif
};

// MARK: What kernels call

inline void barrier() { pause(AT_BARRIER); }
inline uint lane() { return current & (launch->width - 1); }
inline uint simdgroup() { return current >> width_shift; }
inline Slot exchange(Slot value, uint lane) {
    const uint own = current, turn = parity[own];
    slots[turn][own] = value;
    parity[own] ^= 1;
    pause(AT_SHUFFLE);
    Slot result;
    __builtin_memset(&result, 0xff, sizeof result);
    // The others write their next values to the other row until all of them have read this one.
    return lane < launch->width ? slots[turn][(own & ~(launch->width - 1)) + lane] : result;
}

struct Position { uint values[3]; };
inline Position local() {
    const uint *n = launch->threads, i = current;
    return {{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}};
}
inline Position global() {
    Position p = local();
    for (uint i = 0; i < 3; i++) p.values[i] += launch->group[i] * launch->threads[i];
    return p;
}
inline uint function_constant(uint index) { return launch->constants[index]; }
inline bool has_function_constant(uint index) { return launch->defined >> index & 1; }

// MARK: The scheduler

extern "C" __attribute__((weak, visibility("hidden"))) uchar __start_threadgroup_memory[], __stop_threadgroup_memory[];

/// Runs all threads of a threadgroup.
static int run(const Launch *what, void (*kernel)()) {
    if (what->width == 0 || (what->width & (what->width - 1))) return WIDTH_NOT_A_POWER_OF_TWO;
    launch = what;
    width_shift = (uint)__builtin_ctz(what->width);
    body = kernel;
    const uint count = what->threads[0] * what->threads[1] * what->threads[2];
    if (count > THREADS_MAX) return TOO_MANY_THREADS;
    if (__start_threadgroup_memory)
        __builtin_memset(__start_threadgroup_memory, 0xff, (ulong)(__stop_threadgroup_memory - __start_threadgroup_memory));
    fiberCount = readyCount = count;
    atBarrier = done = 0;
    for (uint i = 0; i < count; i++) {
        saved[i] = prepare(i);
        states[i] = READY;
        parity[i] = 0;
        ready[i] = i;
        atShuffle[i] = 0;
    }
    random = what->seed | 1;
    FlushedSmallFloats flushed;
    if (count > 0) {
        current = next();
        emulation_switch(&scheduler, saved[current]);
    }
    if (done == count) return FINISHED;
    for (uint i = 0; i < count; i++) if (states[i] == AT_SHUFFLE) return SHUFFLE_NOT_REACHED;
    return BARRIER_NOT_REACHED;
}

}  // namespace emulation
