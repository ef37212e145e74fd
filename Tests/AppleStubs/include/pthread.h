// Without the clock of a condition, which Apple's systems do not have.
#pragma once
#include <stddef.h>
#include <time.h>
typedef struct opaque_pthread *pthread_t;
typedef struct {
    long opaque[8];
} pthread_attr_t, pthread_mutex_t, pthread_cond_t, pthread_once_t;
typedef struct opaque_mutexattr pthread_mutexattr_t;
typedef struct opaque_condattr pthread_condattr_t;
#define PTHREAD_ONCE_INIT {{0}}
#define PTHREAD_MUTEX_INITIALIZER {{0}}
int pthread_once(pthread_once_t *once, void (*body)(void));
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
pthread_t pthread_self(void);
int pthread_setname_np(const char *name);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
