// Holds every instruction set of this machine against the scalar kernels, and against itself.
//
// Meant for cross-compiled NEON kernels under qemu-user (.ci/arm-kernels), but it runs anywhere:
//   clang -std=c11 -O2 -ISources/CLeapTensorTypes/include -ISources/CLeapKernels/include Tests/ArmKernels/*.c \
//         Sources/CLeapKernels/*.c Sources/CLeapKernels/*/*.c -lpthread -lm -o kernels-test && ./kernels-test
// With LEAP_ISA set, only that instruction set is checked. One line per check, a closing "N passed, N failed" line, and
// exit status 1 if a check failed or the wanted instruction set is not there. `kernels-test list` only prints the
// instruction sets of this machine, the chosen one last.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void list(void) {
    for (int i = 0; leap_isa_at(i); i++) printf("%s ", leap_isa_at(i));
    printf("-> %s\n", leap_isa_name());
}

static void check_isa(void) {
    check_activations();
    check_quantized_products();
    check_float_products();
    check_row_kernels();
    check_ordered_sums();
    check_attention();
    check_sha256();
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    const char *wanted = getenv("LEAP_ISA");
    int found = 0;
    for (int i = 0; leap_isa_at(i); i++) {
        isa = leap_isa_at(i);
        if (wanted ? strcmp(isa, wanted) != 0 : strcmp(isa, "scalar") == 0) continue;
        found = 1;
        check_isa();
    }
    if (wanted && !found) printf("FAIL: %s is not supported on this machine\n", wanted);
    printf("%d passed, %d failed\n", passed, failed + !found);
    return failed > 0 || !found;
}
