// Operations of the vocabulary that take most of the time of builds without optimisation, in assembly
// (internal/inline.h): intrinsics are functions there, and copy each operand to memory once more. Part of vector_avx2.h.

VECTOR_OPERATION vector vector_set(float value) {
    vector all;
    __asm__("vbroadcastss %1, %0" : "=x"(all) : "m"(value));
    return all;
}

#define VECTOR_OF_TWO(name, instruction)                                                                               \
    VECTOR_OPERATION vector vector_##name(vector a, vector b) {                                                        \
        __asm__(instruction " %1, %0, %0" : "+x"(a) : "m"(b));                                                         \
        return a;                                                                                                      \
    }
VECTOR_OF_TWO(add, "vaddps")
VECTOR_OF_TWO(subtract, "vsubps")
VECTOR_OF_TWO(multiply, "vmulps")
/// The second one where either is not a number.
VECTOR_OF_TWO(at_least, "vmaxps")
VECTOR_OF_TWO(at_most, "vminps")

#define VECTOR_OF_THREE(name, instruction)                                                                             \
    VECTOR_OPERATION vector vector_##name(vector a, vector b, vector c) {                                              \
        __asm__(instruction " %2, %1, %0" : "+x"(c) : "x"(a), "m"(b));                                                 \
        return c;                                                                                                      \
    }
VECTOR_OF_THREE(fma, "vfmadd231ps")
VECTOR_OF_THREE(fnma, "vfnmadd231ps")
