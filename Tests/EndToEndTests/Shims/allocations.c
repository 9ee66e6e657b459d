// Counts the blocks of memory that a program asks for, and writes their number to the file that ALLOCATION_COUNT names
// when the program ends. For LD_PRELOAD; see AllocationTests.swift.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static unsigned long count;

static void note(void) { __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

__attribute__((destructor)) static void tell(void) {
    const char *name = getenv("ALLOCATION_COUNT");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "%lu", count);
    fclose(file);
}
