// The texts of a record: yajl's are gone when its callback returns. Offsets, since the arena can move while it grows.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "die.h"

struct arena {
    char *base;
    size_t used;
    size_t capacity;
};

static inline size_t copyToArena(struct arena *arena, const char *text, size_t length) {
    if (arena->capacity - arena->used < length) {
        arena->capacity = (arena->capacity + length) * 2 + 4096;
        arena->base = realloc(arena->base, arena->capacity);
        if (arena->base == NULL) die("out of memory");
    }
    size_t offset = arena->used;
    memcpy(arena->base + offset, text, length);
    arena->used += length;
    return offset;
}
