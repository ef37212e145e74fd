// Asks the processor what it supports, and on x86 the operating system which registers it saves.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // syscall under -std=c11
#endif

#include "internal/cpu.h"

#include "internal/kernels.h"

#if defined(LEAP_X86)

#include <cpuid.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

/// Linux gives tile registers to processes that ask (Documentation/arch/x86/xstate.rst).
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18
#endif

static uint64_t saved_registers(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/// Whether this process may use tile registers. processor: bits of cpuid 7's edx.
static bool may_use_tiles(unsigned processor, uint64_t saved) {
    // AMX-BF16, AMX-TILE, AMX-INT8
    const bool supported = (processor >> 22 & 1) && (processor >> 24 & 1) && (processor >> 25 & 1);
    if (!supported || (saved & 0x60000) != 0x60000) return false;
#if defined(__linux__)
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
    return false;
#endif
}

leap_cpu leap_cpu_detect(void) {
    leap_cpu cpu = {0};
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return cpu;
    const bool ssse3 = c >> 9 & 1, sse41 = c >> 19 & 1;
    const bool osxsave = c >> 27 & 1, avx = c >> 28 & 1, fma = c >> 12 & 1, f16c = c >> 29 & 1;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return cpu;
    cpu.sha256 = ssse3 && sse41 && (b >> 29 & 1);
    if (!osxsave || !avx) return cpu;
    const uint64_t saved = saved_registers();
    const bool ymm = (saved & 0x06) == 0x06;
    const bool zmm = (saved & 0xe6) == 0xe6;
    cpu.avx2 = ymm && fma && f16c && (b >> 5 & 1);
    const bool avx512 = (b >> 16 & 1) && (b >> 17 & 1) && (b >> 30 & 1) && (b >> 31 & 1);  // F, DQ, BW, VL
    cpu.avx512vnni = cpu.avx2 && zmm && avx512 && (c >> 11 & 1);
    const unsigned features = d;
    if (!__get_cpuid_count(7, 1, &a, &b, &c, &d)) return cpu;
    cpu.avxvnni = cpu.avx2 && (a >> 4 & 1);
    cpu.avx512bf16 = cpu.avx512vnni && (a >> 5 & 1);
    cpu.amx = cpu.avx512bf16 && may_use_tiles(features, saved);
    return cpu;
}

#elif defined(LEAP_ARM) && defined(__APPLE__)

#include <stddef.h>
#include <sys/sysctl.h>

static bool feature(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

leap_cpu leap_cpu_detect(void) {
    leap_cpu cpu = {0};
    cpu.dotprod = feature("hw.optional.arm.FEAT_DotProd");
    cpu.i8mm = feature("hw.optional.arm.FEAT_I8MM");
    cpu.fp16 = feature("hw.optional.arm.FEAT_FP16");
    cpu.sha256 = feature("hw.optional.arm.FEAT_SHA256");
    return cpu;
}

#elif defined(LEAP_ARM) && defined(__linux__)

#include <sys/auxv.h>

// Bits of the kernel's hwcaps (arch/arm64/include/uapi/asm/hwcap.h).
#define HWCAP_BIT_SHA2 (1ul << 6)
#define HWCAP_BIT_ASIMDHP (1ul << 10)
#define HWCAP_BIT_ASIMDDP (1ul << 20)
#define HWCAP2_BIT_I8MM (1ul << 13)

leap_cpu leap_cpu_detect(void) {
    leap_cpu cpu = {0};
    const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
    cpu.dotprod = (first & HWCAP_BIT_ASIMDDP) != 0;
    cpu.fp16 = (first & HWCAP_BIT_ASIMDHP) != 0;
    cpu.sha256 = (first & HWCAP_BIT_SHA2) != 0;
    cpu.i8mm = (second & HWCAP2_BIT_I8MM) != 0;
    return cpu;
}

#else

leap_cpu leap_cpu_detect(void) { return (leap_cpu){0}; }

#endif
