// Functions that kernels specialise: their arguments are constants once they are inlined.
#ifndef LEAP_INLINE_H
#define LEAP_INLINE_H

/// Whether kernels are compiled once for every type and number of tokens. Without optimisation nothing would come of it
/// but copies of the same code, which take most of a debug build's time.
///
/// The innermost loops are in assembly there (…_run): every vector would go through memory several times for each
/// operation otherwise, and apps run their debug builds with real models. The instructions and their order are the
/// same.
#if defined(__OPTIMIZE__)
#define LEAP_SPECIALISED 1
#define LEAP_INLINE static inline __attribute__((always_inline, unused))
#else
#define LEAP_SPECIALISED 0
#define LEAP_INLINE static __attribute__((unused))
#endif

/// Functions of one operation, which take no more room where they are used than a call would.
#define LEAP_OPERATION static inline __attribute__((always_inline, unused))

#endif
