// Stands between a program and the C library: lets calls of some kinds fail, or the program die in one of them, or notes
// all that the program does to the files of a folder. For LD_PRELOAD; see FaultShim.swift for the variables.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    writing = 1, syncing = 2, resizing = 4, naming = 8, threading = 16,
    reading = 32, opening = 64, mapping = 128, locking = 256, looking = 512, connecting = 1024, allocating = 2048
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;      // whose files are meant
static int kinds;               // which calls count
static long at;                 // the call that fails, from 1; 0: none
static int error;               // with this error; -1: the program dies
static int sticky;              // all later ones fail, too
static int count_file = -1;     // keeps the number of calls so far
static int log_file = -1;       // takes what is done
static const char *left_file;   // takes what is open when the program ends
static long calls;

// The code of the libraries whose allocations count.
static struct { uintptr_t start, end; } libraries[32];
static int library_count;
static const char *library_names;   // beginnings of their names, each with a comma behind it

static int add_library(struct dl_phdr_info *info, size_t size, void *unused) {
    const char *name = strrchr(info->dlpi_name, '/');
    if (!name) return 0;
    const char *wanted = library_names;
    for (const char *comma; (comma = strchr(wanted, ',')); wanted = comma + 1)
        if (strncmp(name + 1, wanted, comma - wanted) == 0) break;
    if (!*wanted) return 0;
    for (int index = 0; index < info->dlpi_phnum && library_count < 32; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        libraries[library_count].start = info->dlpi_addr + part->p_vaddr;
        libraries[library_count++].end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

// What was open when the program began, which another thread of the one that started the program may have let through:
// it is not the program's.
static unsigned char inherited[4096];

static void note_inherited(void) {
    DIR *files = opendir("/proc/self/fd");
    for (struct dirent *entry; files && (entry = readdir(files));) {
        int file = atoi(entry->d_name);
        if (file != dirfd(files) && file < (int)sizeof inherited) inherited[file] = 1;
    }
    if (files) closedir(files);
}

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
    if ((left_file = getenv("FAULT_LEFT"))) note_inherited();
    if ((library_names = getenv("FAULT_LIBRARIES"))) dl_iterate_phdr(add_library, NULL);
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

// Not the call below, which counts.
static int look(int file, struct stat *status) { return syscall(SYS_fstat, file, status); }

static uint64_t number(int file) {
    struct stat status;
    return look(file, &status) == 0 ? status.st_ino : 0;
}

static void note_open(const char *path, int flags, int file) {
    struct stat status;
    if (file < 0 || log_file < 0 || !is_meant_path(path) || (flags & O_DIRECTORY)) return;
    if (look(file, &status) != 0 || !S_ISREG(status.st_mode)) return;
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
    if (is_meant_path(path) && fails(flags & O_CREAT ? naming : opening)) return -1;
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
        if (code == 0 && look(file, &status) == 0) \
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

int mkdir(const char *path, mode_t mode) {
    real("mkdir", int (*)(const char *, mode_t));
    return is_meant_path(path) && fails(naming) ? -1 : next(path, mode);
}

// MARK: Calls that change nothing

ssize_t read(int file, void *bytes, size_t length) {
    real("read", ssize_t (*)(int, void *, size_t));
    return (kinds & reading) && is_meant(file) && fails(reading) ? -1 : next(file, bytes, length);
}

#define PREAD(name) \
    ssize_t name(int file, void *bytes, size_t length, off_t offset) { \
        real(#name, ssize_t (*)(int, void *, size_t, off_t)); \
        return (kinds & reading) && is_meant(file) && fails(reading) ? -1 : next(file, bytes, length, offset); \
    }
PREAD(pread)
PREAD(pread64)

DIR *opendir(const char *path) {
    real("opendir", DIR *(*)(const char *));
    return is_meant_path(path) && fails(opening) ? NULL : next(path);
}

#define MMAP(name) \
    void *name(void *place, size_t length, int protection, int flags, int file, off_t offset) { \
        real(#name, void *(*)(void *, size_t, int, int, int, off_t)); \
        if ((kinds & mapping) && file >= 0 && is_meant(file) && fails(mapping)) return MAP_FAILED; \
        return next(place, length, protection, flags, file, offset); \
    }
MMAP(mmap)
MMAP(mmap64)

static int is_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW
        || command == F_GETLK || command == F_OFD_GETLK;
}

#define FCNTL(name) \
    int name(int file, int command, ...) { \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        real(#name, int (*)(int, int, ...)); \
        if ((kinds & locking) && is_lock(command) && is_meant(file) && fails(locking)) return -1; \
        return next(file, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int flock(int file, int operation) {
    real("flock", int (*)(int, int));
    return (kinds & locking) && is_meant(file) && fails(locking) ? -1 : next(file, operation);
}

// Of its logs SQLite takes any error for "is not there": nobody above it can know better.
static int is_log(const char *path) {
    size_t length = strlen(path);
    return (length > 4 && strcmp(path + length - 4, "-wal") == 0)
        || (length > 8 && strcmp(path + length - 8, "-journal") == 0);
}

#define STAT(name) \
    int name(const char *path, struct stat *status) { \
        real(#name, int (*)(const char *, struct stat *)); \
        return is_meant_path(path) && !is_log(path) && fails(looking) ? -1 : next(path, status); \
    }
STAT(stat)
STAT(lstat)

#define STAT64(name) \
    int name(const char *path, struct stat64 *status) { \
        real(#name, int (*)(const char *, struct stat64 *)); \
        return is_meant_path(path) && !is_log(path) && fails(looking) ? -1 : next(path, status); \
    }
STAT64(stat64)
STAT64(lstat64)

int fstat(int file, struct stat *status) {
    real("fstat", int (*)(int, struct stat *));
    return (kinds & looking) && is_meant(file) && fails(looking) ? -1 : next(file, status);
}

int fstat64(int file, struct stat64 *status) {
    real("fstat64", int (*)(int, struct stat64 *));
    return (kinds & looking) && is_meant(file) && fails(looking) ? -1 : next(file, status);
}

int access(const char *path, int mode) {
    real("access", int (*)(const char *, int));
    return is_meant_path(path) && !is_log(path) && fails(looking) ? -1 : next(path, mode);
}

// MARK: The network

int socket(int domain, int type, int protocol) {
    real("socket", int (*)(int, int, int));
    return domain != AF_UNIX && fails(connecting) ? -1 : next(domain, type, protocol);
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
    real("connect", int (*)(int, const struct sockaddr *, socklen_t));
    return address->sa_family != AF_UNIX && fails(connecting) ? -1 : next(file, address, length);
}

ssize_t send(int file, const void *bytes, size_t length, int flags) {
    real("send", ssize_t (*)(int, const void *, size_t, int));
    return fails(connecting) ? -1 : next(file, bytes, length, flags);
}

ssize_t recv(int file, void *bytes, size_t length, int flags) {
    real("recv", ssize_t (*)(int, void *, size_t, int));
    return fails(connecting) ? -1 : next(file, bytes, length, flags);
}

// MARK: Memory

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

// Whether one of the libraries asks for memory, and is to get none.
static int lacks_memory(void *caller) {
    if (!(kinds & allocating)) return 0;
    for (int index = 0; index < library_count; index++) {
        uintptr_t place = (uintptr_t)caller;
        if (place >= libraries[index].start && place < libraries[index].end) return fails(allocating);
    }
    return 0;
}

void *malloc(size_t length) {
    return lacks_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(length);
}

void *calloc(size_t count, size_t length) {
    return lacks_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, length);
}

void *realloc(void *old, size_t length) {
    return lacks_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(old, length);
}

#undef strdup
char *strdup(const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = lacks_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(length);
    return copy ? memcpy(copy, text, length) : NULL;
}

// MARK: The end

static void note_left(int file, const char *path) {
    syscall(SYS_write, file, path, strlen(path));
    syscall(SYS_write, file, "\n", 1L);
}

// The threads of the program, but for the first one.
static int thread_count(void) {
    struct dirent *entry;
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    while (threads && (entry = readdir(threads))) count += atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid();
    if (threads) closedir(threads);
    return count;
}

// Says what files of the folder and sockets are open, and which threads there are, but for the one that ends the program.
__attribute__((destructor)) static void end(void) {
    char path[300], link[PATH_MAX];
    struct dirent *entry;
    kinds = 0;
    if (!left_file) return;
    int to = syscall(SYS_open, left_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    DIR *files = opendir("/proc/self/fd");
    while (files && (entry = readdir(files))) {
        int file = atoi(entry->d_name);
        if (file <= 2 || (file < (int)sizeof inherited && inherited[file])) continue;
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (length <= 0) continue;
        link[length] = 0;
        int is_left = is_meant_path(link) || strstr(link, " (deleted)") || strncmp(link, "socket:", 7) == 0;
        if (is_left) note_left(to, link);
    }
    if (files) closedir(files);
    // One that has ended is seen for a moment yet.
    int count = thread_count();
    for (int times = 0; times < 100 && count > 1; times++, count = thread_count()) usleep(1000);
    for (; count > 0; count--) note_left(to, "a thread");
    close(to);
}
