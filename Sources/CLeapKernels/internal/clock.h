// Time that only goes forward.
#ifndef LEAP_CLOCK_H
#define LEAP_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Nanoseconds since some moment.
static inline int64_t leap_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
