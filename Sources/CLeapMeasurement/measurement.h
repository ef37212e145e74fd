// What both kinds of limits share.
#ifndef LEAP_MEASUREMENT_H
#define LEAP_MEASUREMENT_H

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "include/CLeapMeasurement.h"

/// Seconds since some moment.
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Whether the name of the instruction set in use begins so.
static inline bool uses(const char *name) { return strncmp(leap_isa_name(), name, strlen(name)) == 0; }

#endif
