#pragma once

#include <stdbool.h>
#include <stdint.h>

// How many blocks of memory the calling thread has asked for: by malloc, calloc, realloc and their kin, from
// any caller. Other threads, and so other tests, do not count.
uint64_t countOfAllocations(void);

// Whether allocations are counted at all: not where a sanitizer has its own malloc.
bool countsAllocations(void);
