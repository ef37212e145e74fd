// What the processor and the operating system support.
#ifndef LEAP_CPU_H
#define LEAP_CPU_H

#include <stdbool.h>

typedef struct {
    bool avx2;        ///< AVX2, FMA, F16C, and the system saves YMM registers
    bool avxvnni;     ///< AVX-VNNI (256-bit, VEX encoded)
    bool avx512vnni;  ///< AVX-512 F, BW, DQ, VL, VNNI, and the system saves ZMM registers
    bool avx512bf16;  ///< AVX-512 BF16 on top of that
    bool amx;         ///< AMX tiles of int8 and bfloat16 on top of that, and the system lets this process use them
    bool sha256;      ///< SHA-256 instructions: SHA-NI, or those of Armv8's cryptographic extension
    bool dotprod;     ///< Armv8.2 SDOT
    bool i8mm;        ///< Armv8.6 SMMLA
    bool fp16;        ///< Armv8.2 half-precision arithmetic
} leap_cpu;

leap_cpu leap_cpu_detect(void);

#endif
