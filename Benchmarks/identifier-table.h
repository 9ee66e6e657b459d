// A hash table from identifiers (texts) to objectIDs: open addressing, the texts in one growing arena.
//
// An identifier gets its place, a small number that never changes, when it is first seen, be it as an object's own or as
// a reference to an object that has not come yet. Who remembers the place need not look the identifier up again: its
// objectID is 0 until the object exists.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

struct identifier {
    uint64_t hash;
    int64_t objectID;
    size_t offset;
    size_t length;
};

struct identifierTable {
    struct identifier *identifiers;  // by place
    size_t count;
    size_t capacity;
    uint32_t *slots;  // place + 1; 0 is empty
    size_t slotCount;  // a power of two
    char *arena;
    size_t arenaUsed;
    size_t arenaCapacity;
    // Neighbouring records often name the same object: trips are grouped by route, stop times by trip.
    size_t latest;
};

// FNV-1a over words of eight bytes, with a finalizer, since the slot is taken from the low bits.
static inline uint64_t hashIdentifier(const char *text, size_t length) {
    uint64_t hash = 0xCBF29CE484222325u ^ length;
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
        text += 8;
        length -= 8;
    }
    uint64_t word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static void growIdentifierTable(struct identifierTable *table) {
    table->capacity = table->capacity == 0 ? 1024 : table->capacity * 2;
    table->identifiers = realloc(table->identifiers, table->capacity * sizeof *table->identifiers);
    free(table->slots);
    table->slotCount = table->capacity * 2;
    table->slots = calloc(table->slotCount, sizeof *table->slots);
    if (table->identifiers == NULL || table->slots == NULL) die("out of memory");
    for (size_t place = 0; place < table->count; place++) {
        size_t slot = table->identifiers[place].hash & (table->slotCount - 1);
        while (table->slots[slot] != 0) slot = (slot + 1) & (table->slotCount - 1);
        table->slots[slot] = (uint32_t)(place + 1);
    }
}

static inline int isIdentifier(const struct identifierTable *table, size_t place, const char *text, size_t length) {
    const struct identifier *identifier = &table->identifiers[place];
    return identifier->length == length && memcmp(table->arena + identifier->offset, text, length) == 0;
}

// The place of an identifier, which is entered if it is new.
static size_t placeOfIdentifier(struct identifierTable *table, const char *text, size_t length) {
    if (table->latest < table->count && isIdentifier(table, table->latest, text, length)) return table->latest;
    if (table->count == table->capacity) growIdentifierTable(table);

    uint64_t hash = hashIdentifier(text, length);
    size_t slot = hash & (table->slotCount - 1);
    while (table->slots[slot] != 0) {
        size_t place = table->slots[slot] - 1;
        if (table->identifiers[place].hash == hash && isIdentifier(table, place, text, length)) {
            return table->latest = place;
        }
        slot = (slot + 1) & (table->slotCount - 1);
    }

    if (table->arenaCapacity - table->arenaUsed < length) {
        table->arenaCapacity = (table->arenaCapacity + length) * 2 + 65536;
        table->arena = realloc(table->arena, table->arenaCapacity);
        if (table->arena == NULL) die("out of memory");
    }
    memcpy(table->arena + table->arenaUsed, text, length);
    size_t place = table->count++;
    table->identifiers[place] =
        (struct identifier){.hash = hash, .objectID = 0, .offset = table->arenaUsed, .length = length};
    table->arenaUsed += length;
    table->slots[slot] = (uint32_t)(place + 1);
    return table->latest = place;
}
