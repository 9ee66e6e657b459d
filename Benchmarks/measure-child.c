// measure-child MEMORY SECONDS RESULT PROGRAM [ARGUMENT...]
//
// Runs a program and writes its exit status, wall seconds, processor seconds and peak memory in bytes to the file RESULT.
// MEMORY bounds its address space, in bytes, and SECONDS its wall time, after which it is killed and its exit status is 124;
// 0 is no limit.
//
// A process's peak memory begins with what was resident where it was forked: started from Python, everything would seem
// to need 18 MiB at least. This one has next to nothing resident.

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "stopwatch.h"

extern char **environ;

enum { timedOut = 124 };

static pid_t child;
static volatile sig_atomic_t isTimedOut;

static void killChild(int signal) {
    (void)signal;
    isTimedOut = 1;
    kill(child, SIGKILL);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int argc, char **argv) {
    if (argc < 5) die("usage: measure-child MEMORY SECONDS RESULT PROGRAM [ARGUMENT...]");
    rlim_t memory = strtoull(argv[1], NULL, 10);
    unsigned limit = (unsigned)strtoul(argv[2], NULL, 10);
    FILE *result = fopen(argv[3], "w");
    if (result == NULL) die("cannot write %s", argv[3]);
    // The child inherits it; this program needs no more than it has.
    if (memory > 0 && setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory}) != 0) die("cannot limit the memory");

    double start = now();
    int error = posix_spawn(&child, argv[4], NULL, NULL, argv + 4, environ);
    if (error != 0) die("cannot run %s: %s", argv[4], strerror(error));
    // The system call goes on after the signal.
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = killChild, .sa_flags = SA_RESTART}, NULL);
    alarm(limit);
    int status;
    struct rusage usage;
    // wait4 tells the use of this child alone, not the largest of all children so far.
    if (wait4(child, &status, 0, &usage) != child) die("cannot wait for %s", argv[4]);
    double wall = now() - start;

#ifdef __APPLE__
    long unit = 1;
#else
    long unit = 1024;  // Linux counts ru_maxrss in KiB
#endif
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (isTimedOut) code = timedOut;
    fprintf(result, "%d %.6f %.6f %ld\n", code, wall, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * unit);
    if (fclose(result) != 0) die("cannot write %s", argv[3]);
    return 0;
}
