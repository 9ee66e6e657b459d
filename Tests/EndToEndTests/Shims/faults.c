// Stands between a program and the C library: lets calls that write, or that start threads, fail, or the program die in
// one of them, or notes all that the program does to the files of a folder. For LD_PRELOAD; see FaultShim.swift for the variables.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { writing = 1, syncing = 2, resizing = 4, naming = 8, threading = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;      // whose files are meant
static int kinds;               // which calls count
static long at;                 // the call that fails, from 1; 0: none
static int error;               // with this error; -1: the program dies
static int sticky;              // all later ones fail, too
static int count_file = -1;     // keeps the number of calls so far
static int log_file = -1;       // takes what is done
static long calls;

__attribute__((constructor)) static void start(void) {
    const char *value;
    folder = getenv("FAULT_FOLDER");
    kinds = (value = getenv("FAULT_KINDS")) ? atoi(value) : 0;
    at = (value = getenv("FAULT_AT")) ? atol(value) : 0;
    error = (value = getenv("FAULT_ERROR")) ? atoi(value) : EIO;
    sticky = getenv("FAULT_STICKY") != NULL;
    if ((value = getenv("FAULT_COUNT"))) count_file = syscall(SYS_open, value, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if ((value = getenv("FAULT_LOG")))
        log_file = syscall(SYS_open, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    // What sluice starts is not meant.
    unsetenv("LD_PRELOAD");
}

static int is_meant_path(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    return length && path && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

// Whether a file is one of those that are meant: in the folder, or without any name (a spool).
static int is_meant(int file) {
    char link[64], path[PATH_MAX];
    if (file < 3 || file == log_file || file == count_file) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_meant_path(path) || (log_file < 0 && strstr(path, " (deleted)"));
}

// Counts a call; nonzero, with errno: it is to fail.
static int fails(int kind) {
    if (!(kinds & kind)) return 0;
    pthread_mutex_lock(&lock);
    long call = ++calls;
    if (count_file >= 0) syscall(SYS_pwrite64, count_file, &calls, sizeof calls, 0L);
    pthread_mutex_unlock(&lock);
    if (at == 0 || call < at || (call > at && !sticky)) return 0;
    if (error < 0) syscall(SYS_kill, getpid(), SIGKILL);
    errno = error;
    return 1;
}

// One entry: the operation, the file's number, offset and length, and bytes.
static void note(char operation, uint64_t file, uint64_t offset, const void *bytes, uint64_t length) {
    if (log_file < 0) return;
    struct { uint64_t operation, file, offset, length; } head = {(uint64_t)operation, file, offset, length};
    pthread_mutex_lock(&lock);
    syscall(SYS_write, log_file, &head, sizeof head);
    if (bytes && length) syscall(SYS_write, log_file, bytes, length);
    pthread_mutex_unlock(&lock);
}

static uint64_t number(int file) {
    struct stat status;
    return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static void note_open(const char *path, int flags, int file) {
    struct stat status;
    if (file < 0 || log_file < 0 || !is_meant_path(path) || (flags & O_DIRECTORY)) return;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return;
    note('o', status.st_ino, status.st_size, path, strlen(path));
}

static void note_names(char operation, const char *from, const char *to) {
    char both[2 * PATH_MAX];
    int length = snprintf(both, sizeof both, "%s\n%s", from, to);
    note(operation, 0, 0, both, length);
}

#define real(name, type) static __typeof__(type) next; if (!next) next = (__typeof__(type))dlsym(RTLD_NEXT, name)

typedef int (*open_call)(const char *, int, ...);

static int opened(open_call next, const char *path, int flags, mode_t mode) {
    if ((flags & O_CREAT) && is_meant_path(path) && fails(naming)) return -1;
    int file = next(path, flags, mode);
    note_open(path, flags, file);
    return file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        real(#name, open_call); \
        return opened(next, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

// What is copied within the kernel is not seen: it is to be copied by hand.
ssize_t copy_file_range(int from, off_t *from_at, int to, off_t *to_at, size_t length, unsigned flags) {
    real("copy_file_range", ssize_t (*)(int, off_t *, int, off_t *, size_t, unsigned));
    if (!is_meant(to)) return next(from, from_at, to, to_at, length, flags);
    errno = EXDEV;
    return -1;
}

int ioctl(int file, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    real("ioctl", int (*)(int, unsigned long, ...));
    // FICLONE
    if (request != 0x40049409 || !is_meant(file)) return next(file, request, argument);
    errno = EOPNOTSUPP;
    return -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    real("pthread_create", int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));
    return fails(threading) ? errno : next(thread, attributes, body, argument);
}

ssize_t write(int file, const void *bytes, size_t length) {
    real("write", ssize_t (*)(int, const void *, size_t));
    if (!is_meant(file)) return next(file, bytes, length);
    if (fails(writing)) return -1;
    off_t offset = lseek(file, 0, SEEK_CUR);
    ssize_t done = next(file, bytes, length);
    if (done > 0) note('w', number(file), offset, bytes, done);
    return done;
}

#define PWRITE(name) \
    ssize_t name(int file, const void *bytes, size_t length, off_t offset) { \
        real(#name, ssize_t (*)(int, const void *, size_t, off_t)); \
        if (!is_meant(file)) return next(file, bytes, length, offset); \
        if (fails(writing)) return -1; \
        ssize_t done = next(file, bytes, length, offset); \
        if (done > 0) note('w', number(file), offset, bytes, done); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define SYNC(name) \
    int name(int file) { \
        struct stat status; \
        real(#name, int (*)(int)); \
        if (!is_meant(file)) return next(file); \
        if (fails(syncing)) return -1; \
        int code = next(file); \
        if (code == 0 && fstat(file, &status) == 0) \
            note(S_ISDIR(status.st_mode) ? 'd' : 's', status.st_ino, 0, NULL, 0); \
        return code; \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name) \
    int name(int file, off_t length) { \
        real(#name, int (*)(int, off_t)); \
        if (!is_meant(file)) return next(file, length); \
        if (fails(resizing)) return -1; \
        int code = next(file, length); \
        if (code == 0) note('t', number(file), length, NULL, 0); \
        return code; \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int unlink(const char *path) {
    real("unlink", int (*)(const char *));
    if (!is_meant_path(path)) return next(path);
    if (fails(naming)) return -1;
    int code = next(path);
    if (code == 0) note('u', 0, 0, path, strlen(path));
    return code;
}

int link(const char *from, const char *to) {
    real("link", int (*)(const char *, const char *));
    if (!is_meant_path(to)) return next(from, to);
    if (fails(naming)) return -1;
    int code = next(from, to);
    if (code == 0) note_names('l', from, to);
    return code;
}

int rename(const char *from, const char *to) {
    real("rename", int (*)(const char *, const char *));
    if (!is_meant_path(to)) return next(from, to);
    if (fails(naming)) return -1;
    int code = next(from, to);
    if (code == 0) note_names('r', from, to);
    return code;
}
