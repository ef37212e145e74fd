#pragma once
typedef unsigned sigset_t;
#define SIG_SETMASK 3
int sigfillset(sigset_t *set);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
