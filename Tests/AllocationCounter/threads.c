// How many threads tests run on. Swift gives tasks a thread for each processor, and a test of the command holds one while
// it waits for a process: with twice as many, the processors are busy. `Tests/run` sets TEST_THREADS; libdispatch asks for
// the number of processors by these two functions, and those of the executable come before the C library's.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

// 0: as many as there are processors.
static int wantedThreads(void) {
    const char *wanted = getenv("TEST_THREADS");
    int threads = wanted ? atoi(wanted) : 0;
    return threads > 0 && threads <= CPU_SETSIZE ? threads : 0;
}

long sysconf(int name) {
    static long (*next)(int);
    if (!next) next = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    int threads = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? wantedThreads() : 0;
    return threads ? threads : next(name);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *processors) {
    static int (*next)(pthread_t, size_t, cpu_set_t *);
    if (!next) next = (int (*)(pthread_t, size_t, cpu_set_t *))dlsym(RTLD_NEXT, "pthread_getaffinity_np");
    int threads = wantedThreads();
    if (!threads) return next(thread, size, processors);
    CPU_ZERO_S(size, processors);
    for (int number = 0; number < threads; number++) CPU_SET_S(number, size, processors);
    return 0;
}
