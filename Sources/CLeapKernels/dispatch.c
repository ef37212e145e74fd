// Chooses the instruction set once, and builds its table by layering install functions over the scalar kernels.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "internal/cpu.h"
#include "internal/kernels.h"

#define LAYERS_MAX 12

typedef struct {
    const char *name;
    bool (*supported)(const leap_cpu *cpu);
    void (*layers[LAYERS_MAX])(leap_kernels *table);  // plainest first, after leap_scalar_install
} leap_isa;

static bool always(const leap_cpu *cpu) { return cpu != NULL; }

#if defined(LEAP_X86)
static bool has_avx2(const leap_cpu *cpu) { return cpu->avx2; }
static bool has_avxvnni(const leap_cpu *cpu) { return cpu->avx2 && cpu->avxvnni; }
static bool has_avx512vnni(const leap_cpu *cpu) { return cpu->avx2 && cpu->avx512vnni; }
static bool has_avx512bf16(const leap_cpu *cpu) { return cpu->avx2 && cpu->avx512vnni && cpu->avx512bf16; }
static bool has_amx(const leap_cpu *cpu) { return has_avx512bf16(cpu) && cpu->amx; }
#elif defined(LEAP_ARM)
static bool has_dotprod(const leap_cpu *cpu) { return cpu->dotprod; }
static bool has_i8mm(const leap_cpu *cpu) { return cpu->dotprod && cpu->i8mm; }
#endif

/// From the plainest to the best. Add install functions of new files to the layers.
static const leap_isa isas[] = {
    {"scalar", always, {NULL}},
#if defined(LEAP_X86)
    {"avx2",
     has_avx2,
     {leap_x86_install_prepare_avx2, leap_x86_install_quantized_avx2, leap_x86_install_float_avx2,
      leap_x86_install_rows_avx2, leap_x86_install_attention_avx2, leap_x86_install_jpeg_avx2}},
    {"avxvnni",
     has_avxvnni,
     {leap_x86_install_prepare_avx2, leap_x86_install_quantized_avxvnni, leap_x86_install_float_avx2,
      leap_x86_install_rows_avx2, leap_x86_install_attention_avx2, leap_x86_install_jpeg_avx2}},
    {"avx512vnni",
     has_avx512vnni,
     {leap_x86_install_prepare_avx2, leap_x86_install_quantized_avx512vnni, leap_x86_install_float_avx512,
      leap_x86_install_rows_avx512, leap_x86_install_attention_avx512, leap_x86_install_jpeg_avx2}},
    {"avx512bf16",
     has_avx512bf16,
     {leap_x86_install_prepare_avx2, leap_x86_install_quantized_avx512vnni, leap_x86_install_float_avx512,
      leap_x86_install_rows_avx512, leap_x86_install_attention_avx512, leap_x86_install_float_avx512bf16,
      leap_x86_install_jpeg_avx2}},
    {"amx",
     has_amx,
     {leap_x86_install_prepare_avx2, leap_x86_install_quantized_amx, leap_x86_install_float_avx512,
      leap_x86_install_rows_avx512, leap_x86_install_attention_avx512, leap_x86_install_float_avx512bf16,
      leap_x86_install_float_amx, leap_x86_install_jpeg_avx2}},
#elif defined(LEAP_ARM)
    {"neon",
     always,
     {leap_arm_install_prepare_neon, leap_arm_install_quantized_neon, leap_arm_install_float_neon,
      leap_arm_install_rows_neon, leap_arm_install_attention_neon}},
    {"dotprod",
     has_dotprod,
     {leap_arm_install_prepare_neon, leap_arm_install_quantized_dotprod, leap_arm_install_float_neon,
      leap_arm_install_rows_neon, leap_arm_install_attention_neon}},
    {"i8mm",
     has_i8mm,
     {leap_arm_install_prepare_neon, leap_arm_install_quantized_i8mm, leap_arm_install_float_neon,
      leap_arm_install_rows_neon, leap_arm_install_attention_neon}},
#endif
};

/// SHA-256 instructions come with any processor generation: they do not depend on what its vectors can do.
static void install_sha256(leap_kernels *table, const leap_cpu *cpu) {
    if (!cpu->sha256) return;
#if defined(LEAP_X86)
    leap_x86_install_sha256(table);
#elif defined(LEAP_ARM)
    leap_arm_install_sha256(table);
#else
    (void)table;
#endif
}

#define ISA_COUNT ((int)(sizeof isas / sizeof isas[0]))

static leap_kernels tables[ISA_COUNT];
static _Atomic(const leap_kernels *) current;
static bool supported[ISA_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local const leap_kernels *selected;

static int find(const char *name) {
    for (int i = 0; i < ISA_COUNT; i++) {
        if (strcmp(isas[i].name, name) == 0) return supported[i] ? i : -1;
    }
    return -1;
}

static void start(void) {
    const leap_cpu cpu = leap_cpu_detect();
    int best = 0;
    for (int i = 0; i < ISA_COUNT; i++) {
        supported[i] = isas[i].supported(&cpu);
        if (!supported[i]) continue;
        best = i;
        leap_scalar_install(&tables[i]);
        for (int layer = 0; layer < LAYERS_MAX && isas[i].layers[layer]; layer++) isas[i].layers[layer](&tables[i]);
        if (i > 0) install_sha256(&tables[i], &cpu);  // the plainest set stays the reference
        tables[i].name = isas[i].name;
    }
    const char *wish = getenv("LEAP_ISA");
    const int forced = wish ? find(wish) : -1;
    atomic_store(&current, &tables[forced >= 0 ? forced : best]);
}

const leap_kernels *leap_kernels_current(void) {
    if (selected) return selected;
    const leap_kernels *table = atomic_load_explicit(&current, memory_order_acquire);
    if (table) return table;
    pthread_once(&once, start);
    return atomic_load_explicit(&current, memory_order_acquire);
}

const char *leap_isa_name(void) { return leap_kernels_current()->name; }

const char *leap_isa_at(int index) {
    leap_kernels_current();
    for (int i = 0; i < ISA_COUNT; i++) {
        if (supported[i] && index-- == 0) return isas[i].name;
    }
    return NULL;
}

int leap_isa_select(const char *name) {
    leap_kernels_current();
    if (!name) {
        selected = NULL;
        return 0;
    }
    const int found = find(name);
    if (found < 0) return -1;
    selected = &tables[found];
    return 0;
}

leap_jpeg_kernels leap_jpeg_kernels_current(void) { return leap_kernels_current()->jpeg; }

void leap_dequantize_row(int32_t type, const void *src, float *dst, int64_t n) {
    if (leap_type_block_elements(type) != 0) leap_kernels_current()->dequantize[type](src, dst, n);
}
