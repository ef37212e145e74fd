// What the C sources call of Apple's C library, for Scripts/check-apple.
#pragma once
#include <stddef.h>
void *calloc(size_t count, size_t size);
void *malloc(size_t size);
void free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t size);
char *getenv(const char *name);
