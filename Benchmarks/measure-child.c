// measure-child RESULT PROGRAM [ARGUMENT...]
//
// Runs a program and writes its exit status, wall seconds, processor seconds and peak memory in bytes to the file RESULT.
//
// A process's peak memory begins with what was resident where it was forked: started from Python, everything would seem
// to need 18 MiB at least. This one has next to nothing resident.

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "die.h"
#include "stopwatch.h"

extern char **environ;

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int argc, char **argv) {
    if (argc < 3) die("usage: measure-child RESULT PROGRAM [ARGUMENT...]");
    FILE *result = fopen(argv[1], "w");
    if (result == NULL) die("cannot write %s", argv[1]);

    double start = now();
    pid_t child;
    int error = posix_spawn(&child, argv[2], NULL, NULL, argv + 2, environ);
    if (error != 0) die("cannot run %s: %s", argv[2], strerror(error));
    int status;
    struct rusage usage;
    // wait4 tells the use of this child alone, not the largest of all children so far.
    if (wait4(child, &status, 0, &usage) != child) die("cannot wait for %s", argv[2]);
    double wall = now() - start;

#ifdef __APPLE__
    long unit = 1;
#else
    long unit = 1024;  // Linux counts ru_maxrss in KiB
#endif
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    fprintf(result, "%d %.6f %.6f %ld\n", code, wall, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * unit);
    if (fclose(result) != 0) die("cannot write %s", argv[1]);
    return 0;
}
