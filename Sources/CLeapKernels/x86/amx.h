// Setting up the eight tile registers of AMX, all of them whole: 16 rows of 64 bytes.
#ifndef LEAP_AMX_H
#define LEAP_AMX_H

#include <stdint.h>

/// What LDTILECFG reads: shapes of the eight tile registers.
typedef struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t column_bytes[16];
    uint8_t rows[16];
} amx_shapes;

__attribute__((target("amx-tile"))) static inline void amx_configure(void) {
    amx_shapes shapes = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        shapes.rows[i] = 16;
        shapes.column_bytes[i] = 64;
    }
    // The compiler's own function does not tell it that the whole structure is read.
    __asm__ volatile("ldtilecfg %0" : : "m"(shapes));
}

__attribute__((target("amx-tile"))) static inline void amx_release(void) { __asm__ volatile("tilerelease" ::: "memory"); }

#endif
