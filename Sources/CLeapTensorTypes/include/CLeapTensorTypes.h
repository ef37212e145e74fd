// The tensor types of GGUF files: one row each, from which sizes, names and the dispatch of the kernels are generated.
//
// To add a type with kernels: its row here, its block layout and scalar unpacking in CLeapKernels/scalar/unpack.c, and
// its unpacking into registers in CLeapKernels/x86/unpack*.h and CLeapKernels/arm/unpack*_neon.h. Nothing else lists
// types.
//
// Identifiers, names and layouts are those of ggml-org/ggml (ggml.h, ggml-common.h).
#ifndef CLEAPTENSORTYPES_H
#define CLEAPTENSORTYPES_H

#include <stdint.h>

#if defined(__clang__)
#define LEAP_NULLABLE _Nullable
#define LEAP_NONNULL _Nonnull
#else
#define LEAP_NULLABLE
#define LEAP_NONNULL
#endif

/// One more than the largest identifier there is space for.
#define LEAP_TENSOR_TYPE_LIMIT 64

/// X(NAME, name, id, bytes): elements that stand for themselves.
#define LEAP_FLOAT_TYPES(X) \
    X(F32, f32, 0, 4)       \
    X(F16, f16, 1, 2)       \
    X(BF16, bf16, 30, 2)

/// X(NAME, name, id, elements, bytes, format, scale_at, min_at, bias, codes, tile): blocks of 32, and of 64 or 128
/// elements with one scale, whose parts of 32 are computed with like blocks of 32.
///
/// format: of the scale, at byte scale_at of a block. min_at: byte of the half-precision minimum, -1 without one.
/// Kernels unpack an element to 0 ..< codes and subtract the bias; 256 codes mean that weights use the whole signed
/// byte. tile: the type whose kernel for tiles of unpacked weights serves this one: equal but for a larger number of
/// codes.
#define LEAP_TYPES_32(X)                                         \
    X(Q4_0, q4_0, 2, 32, 18, HALF, 0, -1, 8, 16, q4_0)           \
    X(Q4_1, q4_1, 3, 32, 20, HALF, 0, 2, 0, 16, q5_1)            \
    X(Q5_0, q5_0, 6, 32, 22, HALF, 0, -1, 16, 32, q5_0)          \
    X(Q5_1, q5_1, 7, 32, 24, HALF, 0, 2, 0, 32, q5_1)            \
    X(Q8_0, q8_0, 8, 32, 34, HALF, 0, -1, 128, 256, q8_0)        \
    X(IQ4_NL, iq4_nl, 20, 32, 18, HALF, 0, -1, 128, 256, q8_0)   \
    X(MXFP4, mxfp4, 39, 32, 17, E8M0, 0, -1, 16, 32, q5_0)       \
    X(Q1_0, q1_0, 41, 128, 18, HALF, 0, -1, 1, 3, q2_0)          \
    X(Q2_0, q2_0, 42, 64, 18, HALF, 0, -1, 1, 4, q2_0)

/// X(NAME, name, id, bytes, format, scale_at, min_at, sub, bias, codes): blocks of 256.
///
/// sub: elements that share an integer scale (and minimum): 16 or 32. The rest as in LEAP_TYPES_32.
#define LEAP_TYPES_256(X)                                        \
    X(Q2_K, q2_K, 10, 84, HALF, 80, 82, 16, 0, 4)                \
    X(Q3_K, q3_K, 11, 110, HALF, 108, -1, 16, 4, 8)              \
    X(Q4_K, q4_K, 12, 144, HALF, 0, 2, 32, 0, 16)                \
    X(Q5_K, q5_K, 13, 176, HALF, 0, 2, 32, 0, 32)                \
    X(Q6_K, q6_K, 14, 210, HALF, 208, -1, 16, 32, 64)            \
    X(IQ2_XXS, iq2_xxs, 16, 66, HALF, 0, -1, 32, 64, 108)        \
    X(IQ2_XS, iq2_xs, 17, 74, HALF, 0, -1, 16, 64, 108)          \
    X(IQ3_XXS, iq3_xxs, 18, 98, HALF, 0, -1, 32, 64, 127)        \
    X(IQ1_S, iq1_s, 19, 50, HALF, 0, -1, 32, 16, 26)             \
    X(IQ3_S, iq3_s, 21, 110, HALF, 0, -1, 32, 16, 32)            \
    X(IQ2_S, iq2_s, 22, 82, HALF, 0, -1, 16, 64, 108)            \
    X(IQ4_XS, iq4_xs, 23, 136, HALF, 0, -1, 32, 128, 256)        \
    X(IQ1_M, iq1_m, 29, 56, SPLIT_HALF, 48, -1, 16, 16, 26)      \
    X(TQ1_0, tq1_0, 34, 54, HALF, 52, -1, 32, 1, 3)              \
    X(TQ2_0, tq2_0, 35, 66, HALF, 64, -1, 32, 1, 4)

/// X(NAME, name, id, bytes, bias, codes): blocks of 64, of which each 16 elements have a scale of their own
/// (scalar/unpack.h).
///
/// Kernels unpack an element to 0 ..< codes and subtract the bias.
#define LEAP_TYPES_64(X)     \
    X(NVFP4, nvfp4, 40, 36, 16, 32)

/// X(NAME, id, elements, bytes): types that files may hold and that no kernel computes with.
#define LEAP_OTHER_TYPES(X)   \
    X(Q8_1, 9, 32, 36)        \
    X(Q8_K, 15, 256, 292)     \
    X(I8, 24, 1, 1)           \
    X(I16, 25, 1, 2)          \
    X(I32, 26, 1, 4)          \
    X(I64, 27, 1, 8)          \
    X(F64, 28, 1, 8)

/// The identifiers.
enum {
#define LEAP_ID(NAME, name, id, ...) LEAP_##NAME = (id),
#define LEAP_OTHER_ID(NAME, id, ...) LEAP_##NAME = (id),
    LEAP_FLOAT_TYPES(LEAP_ID) LEAP_TYPES_32(LEAP_ID) LEAP_TYPES_256(LEAP_ID) LEAP_TYPES_64(LEAP_ID) LEAP_OTHER_TYPES(LEAP_OTHER_ID)
#undef LEAP_ID
#undef LEAP_OTHER_ID
};

/// Formats of a block's scale.
enum {
    LEAP_SCALE_NONE = 0,  ///< there is none, there are several, or the type has no kernels and its layout is not described
    LEAP_SCALE_HALF = 1,  ///< half precision
    LEAP_SCALE_E8M0 = 2,  ///< one byte e, 2^(e - 127)
    LEAP_SCALE_SPLIT_HALF = 3,  ///< half precision: the upper four bits of each of four 16-bit numbers, the lowest part first
};

/// How a type's rows lie in memory.
typedef struct {
    const char *LEAP_NONNULL name;  ///< as GGUF tools write it ("Q4_K")
    int32_t elements;           ///< of a block
    int32_t bytes;              ///< of a block
    int32_t has_kernels;        ///< whether CLeapKernels computes with it
    int32_t scale_format;       ///< of a block's scale
    int32_t scale_at;           ///< byte of a block where its scale is; -1 without one
    int32_t min_at;             ///< byte of a block where its half-precision minimum is; -1 without one
} leap_tensor_type;

/// The type with an identifier; NULL if it is not known.
const leap_tensor_type *LEAP_NULLABLE leap_tensor_type_find(int64_t id);

#endif
