// The tensor types of GGUF files: one row each, from which sizes, names and the dispatch of the kernels are generated.
//
// To add a type with kernels: its row here, its block layout and scalar unpacking in CLeapKernels/scalar/unpack.c, and its
// unpacking into registers in CLeapKernels/x86/unpack*.h and CLeapKernels/arm/unpack*_neon.h. Nothing else lists types.
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

/// X(NAME, name, id, bytes, format, scale_at, min_at, bias, codes, tile): blocks of 32.
///
/// format: of the scale, at byte scale_at of a block. min_at: byte of the half-precision minimum, -1 without one.
/// Kernels unpack an element to 0 ..< codes and subtract the bias; 256 codes mean that weights use the whole signed byte.
/// tile: the type whose kernel for tiles of unpacked weights serves this one: equal but for a larger number of codes.
#define LEAP_TYPES_32(X)                                     \
    X(Q4_0, q4_0, 2, 18, HALF, 0, -1, 8, 16, q4_0)           \
    X(Q4_1, q4_1, 3, 20, HALF, 0, 2, 0, 16, q5_1)            \
    X(Q5_0, q5_0, 6, 22, HALF, 0, -1, 16, 32, q5_0)          \
    X(Q5_1, q5_1, 7, 24, HALF, 0, 2, 0, 32, q5_1)            \
    X(Q8_0, q8_0, 8, 34, HALF, 0, -1, 128, 256, q8_0)        \
    X(IQ4_NL, iq4_nl, 20, 18, HALF, 0, -1, 128, 256, q8_0)   \
    X(MXFP4, mxfp4, 39, 17, E8M0, 0, -1, 16, 32, q5_0)

/// X(NAME, name, id, bytes, scale_at, min_at, sub, bias, codes): blocks of 256, whose scales are half-precision numbers.
///
/// sub: elements that share an integer scale (and minimum): 16 or 32. The rest as in LEAP_TYPES_32.
#define LEAP_TYPES_256(X)                                    \
    X(Q2_K, q2_K, 10, 84, 80, 82, 16, 0, 4)                  \
    X(Q3_K, q3_K, 11, 110, 108, -1, 16, 4, 8)                \
    X(Q4_K, q4_K, 12, 144, 0, 2, 32, 0, 16)                  \
    X(Q5_K, q5_K, 13, 176, 0, 2, 32, 0, 32)                  \
    X(Q6_K, q6_K, 14, 210, 208, -1, 16, 32, 64)              \
    X(IQ4_XS, iq4_xs, 23, 136, 0, -1, 32, 128, 256)          \
    X(TQ2_0, tq2_0, 35, 66, 64, -1, 32, 1, 4)

/// X(NAME, name, id, bytes, bias, codes): blocks of 64, of which each 16 elements have a scale of their own (scalar/unpack.h).
///
/// Kernels unpack an element to 0 ..< codes and subtract the bias.
#define LEAP_TYPES_64(X)     \
    X(NVFP4, nvfp4, 40, 36, 16, 32)

/// X(NAME, id, elements, bytes): types that files may hold and that no kernel computes with.
#define LEAP_OTHER_TYPES(X)   \
    X(Q8_1, 9, 32, 36)        \
    X(Q8_K, 15, 256, 292)     \
    X(IQ2_XXS, 16, 256, 66)   \
    X(IQ2_XS, 17, 256, 74)    \
    X(IQ3_XXS, 18, 256, 98)   \
    X(IQ1_S, 19, 256, 50)     \
    X(IQ3_S, 21, 256, 110)    \
    X(IQ2_S, 22, 256, 82)     \
    X(I8, 24, 1, 1)           \
    X(I16, 25, 1, 2)          \
    X(I32, 26, 1, 4)          \
    X(I64, 27, 1, 8)          \
    X(F64, 28, 1, 8)          \
    X(IQ1_M, 29, 256, 56)     \
    X(TQ1_0, 34, 256, 54)     \
    X(Q1_0, 41, 128, 18)

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
