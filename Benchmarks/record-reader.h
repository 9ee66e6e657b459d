// Reads the records of a feed, one at a time, as the job's own header says: yajl's callbacks fill one, and its values are
// there until the next. No malloc per value or record. Include it behind the job's header.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "numbers.h"
#include "value.h"
#include "yajl-feed.h"

// A field of the feed, and the columns that take it.
struct field {
    const char *name;
    size_t nameLength;
    int columns[2];
    int columnCount;
};

// The fields of an entity's records that are wanted.
struct fieldList {
    struct field fields[maxColumns];
    int fieldCount;
};

// The record that is being read.
static struct {
    int depth;  // containers that are open: 1 is the document, 2 a list of records, 3 a record
    enum entity entity;  // what the current field at the top holds, noEntity: nothing of ours
    struct fieldList lists[entityCount];
    int listIsArray;
    int inRecord;
    struct field *field;  // NULL: not wanted
    int nextField;  // where to look first: records have their fields in one order, mostly
    int faulty;
    struct value values[maxColumns];
    struct arena arena;
    void (*end)(void);  // what is done with a record
} reader;

static void addField(struct fieldList *list, const char *name, int column) {
    for (int i = 0; i < list->fieldCount; i++) {
        struct field *field = &list->fields[i];
        if (strcmp(field->name, name) == 0) {
            field->columns[field->columnCount++] = column;
            return;
        }
    }
    list->fields[list->fieldCount++] =
        (struct field){.name = name, .nameLength = strlen(name), .columns = {column}, .columnCount = 1};
}

static inline int wantsValue(void) { return reader.inRecord && reader.depth == 3 && reader.field != NULL; }

// The current field has a string or a number, or a boolean as written.
static void takeText(const char *text, size_t length) {
    const struct field *field = reader.field;
    size_t offset = SIZE_MAX;
    for (int i = 0; i < field->columnCount; i++) {
        struct value *value = &reader.values[field->columns[i]];
        switch (entityDefinitions[reader.entity].columns[field->columns[i]].type) {
        case typeText:
        case typeReference:
            if (offset == SIZE_MAX) offset = copyToArena(&reader.arena, text, length);
            value->kind = kindText;
            value->offset = offset;
            value->length = length;
            break;
        case typeInteger:
            value->kind = kindInteger;
            reader.faulty |= !readInteger(text, length, &value->integer);
            break;
        case typeReal:
            value->kind = kindReal;
            reader.faulty |= !readReal(text, length, &value->real);
            break;
        }
    }
}

static int onNull(void *context) {
    (void)context;
    if (!wantsValue()) return 1;
    for (int i = 0; i < reader.field->columnCount; i++) reader.values[reader.field->columns[i]].kind = kindNull;
    return 1;
}

static int onBoolean(void *context, int value) {
    (void)context;
    if (wantsValue()) takeText(value ? "true" : "false", value ? 4 : 5);
    return 1;
}

static int onNumber(void *context, const char *text, size_t length) {
    (void)context;
    if (wantsValue()) takeText(text, length);
    return 1;
}

static int onString(void *context, const unsigned char *text, size_t length) {
    (void)context;
    if (wantsValue()) takeText((const char *)text, length);
    return 1;
}

static int onKey(void *context, const unsigned char *text, size_t length) {
    (void)context;
    if (reader.inRecord && reader.depth == 3) {
        struct fieldList *list = &reader.lists[reader.entity];
        reader.field = NULL;
        int i = reader.nextField;
        for (int tried = 0; tried < list->fieldCount; tried++) {
            struct field *field = &list->fields[i];
            if (++i == list->fieldCount) i = 0;
            if (field->nameLength == length && memcmp(field->name, text, length) == 0) {
                reader.field = field;
                reader.nextField = i;
                break;
            }
        }
    } else if (reader.depth == 1) {
        reader.entity = noEntity;
        for (int entity = 0; entity < entityCount; entity++) {
            const char *name = entityDefinitions[entity].list;
            if (strlen(name) == length && memcmp(name, text, length) == 0) reader.entity = (enum entity)entity;
        }
    }
    return 1;
}

static int onStartMap(void *context) {
    (void)context;
    if (++reader.depth == 3 && reader.entity != noEntity && reader.listIsArray) {
        reader.inRecord = 1;
        reader.field = NULL;
        reader.nextField = 0;
        reader.faulty = 0;
        reader.arena.used = 0;
        for (int i = 0; i < entityDefinitions[reader.entity].columnCount; i++) reader.values[i].kind = kindNull;
    } else if (reader.depth == 2) {
        reader.listIsArray = 0;
    }
    return 1;
}

static int onEndMap(void *context) {
    (void)context;
    if (reader.depth-- == 3 && reader.inRecord) {
        reader.end();
        reader.inRecord = 0;
    }
    return 1;
}

static int onStartArray(void *context) {
    (void)context;
    if (++reader.depth == 2) reader.listIsArray = 1;
    return 1;
}

static int onEndArray(void *context) {
    (void)context;
    reader.depth--;
    return 1;
}

// Calls `end` with each record of the feed's lists.
static void readRecords(const char *path, void (*end)(void)) {
    static const yajl_callbacks callbacks = {
        .yajl_null = onNull,
        .yajl_boolean = onBoolean,
        .yajl_number = onNumber,
        .yajl_string = onString,
        .yajl_start_map = onStartMap,
        .yajl_map_key = onKey,
        .yajl_end_map = onEndMap,
        .yajl_start_array = onStartArray,
        .yajl_end_array = onEndArray,
    };
    reader.entity = noEntity;
    reader.end = end;
    for (int entity = 0; entity < entityCount; entity++) {
        for (int i = 0; i < entityDefinitions[entity].columnCount; i++) {
            addField(&reader.lists[entity], entityDefinitions[entity].columns[i].field, i);
        }
    }
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    if (parser == NULL) die("out of memory");
    parseFeed(parser, path);
    yajl_free(parser);
}
