// baseline FEED STORE
// baseline --version
//
// The job of transit.jsonc as a C programmer would write it by hand, for this job and no other: what Sluice is measured
// against. One thread; yajl's callbacks fill one record, and a prepared statement writes it when it ends.
//
// - The store has the tables, columns, types, keys and indexes that Sluice gives it.
// - References whose target is known are set at once; the others are remembered in memory (16 bytes a row) and set by a
//   second pass, by objectID. The indexes on the references come last.
// - The store is a new file: no journal, one transaction, one fsync at the end.
// - It is no straw man: no malloc per value or record, no conversion that is not needed, SQLite without its mutexes and
//   statistics. All but a second and a half of a first import is spent inside SQLite. Tried, and not worth keeping: -O3,
//   larger chunks and a larger cache (no difference), pages of 16 KiB (3 % faster, but not the store that Sluice makes),
//   memory mapping and sorting in memory only (slower).
//
// `orders` is the same program for the job of orders.jsonc, whose identifiers come at random: there the unique indexes
// are built last as well (UNIQUE_INDEXES_LAST), which is quicker, and fails where an identifier comes twice. `orders-second`
// (SECOND) loads a second feed into the store that `orders` left, and `orders-batches` (BATCHES) commits every 5,000 records,
// in WAL mode, each synced: both with their unique indexes in place.
//
// Not part of it: findings, drift, a report, dry runs, existing stores, feeds of any other shape. A record whose
// identifier exists already is counted and left out.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "arena.h"
#include "die.h"
#include "identifier-table.h"
#include "numbers.h"
#include "store.h"
#ifdef ORDERS
#include "orders-entities.h"
#else
#include "transit-entities.h"
#endif
#include "yajl-feed.h"

#ifdef ORDERS
#define UNIQUE_INDEXES_LAST (!SECOND && !BATCHES)
#else
#define UNIQUE_INDEXES_LAST 0
#endif

enum { maxReferences = 2, noPlace = UINT32_MAX };

// A field of the feed, and the columns that take it.
struct field {
    const char *name;
    size_t nameLength;
    int columns[2];
    int columnCount;
};

// A row whose references could not all be set: their targets' places, or noPlace where nothing is left to do.
struct pendingRow {
    uint32_t objectID;
    uint32_t places[maxReferences];
};

struct loader {
    enum entity entity;
    const struct entityDefinition *definition;
    sqlite3_stmt *insert;
    struct field fields[maxColumns];
    int fieldCount;
    int references[maxReferences];  // their columns
    int referenceCount;
    struct identifierTable identifiers;
    struct pendingRow *pending;
    size_t pendingCount;
    size_t pendingCapacity;
    uint64_t records;
    uint64_t duplicates;
    uint64_t rejected;
};

enum kind { kindNull, kindInteger, kindReal, kindText };

struct value {
    enum kind kind;
    size_t length;
    union {
        int64_t integer;
        double real;
        size_t offset;  // of a text, in the record's arena, which can move while it grows
    };
};

static struct loader loaders[entityCount];

// The record that is being read.
static struct {
    int depth;  // containers that are open: 1 is the document, 2 a list of records, 3 a record
    struct loader *list;  // what the current field at the top holds, NULL: nothing of ours
    int listIsArray;
    int inRecord;
    struct field *field;  // NULL: not wanted
    int nextField;  // where to look first: records have their fields in one order, mostly
    int faulty;
    struct value values[maxColumns];
    struct arena arena;
} reader;

// MARK: SQL

static const char *sqlType(enum type type) {
    switch (type) {
    case typeText: return "TEXT";
    case typeInteger: return "INTEGER";
    case typeReal: return "REAL";
    case typeReference: return "INTEGER";
    }
    return NULL;
}

static void createTable(const struct entityDefinition *definition) {
    char sql[2048];
    size_t used = (size_t)snprintf(sql, sizeof sql, "CREATE TABLE \"%s\" (\"objectID\" INTEGER PRIMARY KEY", definition->name);
    for (int i = 0; i < definition->columnCount; i++) {
        const struct column *column = &definition->columns[i];
        used += (size_t)snprintf(sql + used, sizeof sql - used, ", \"%s\" %s", column->name, sqlType(column->type));
        if (column->type == typeReference) {
            used += (size_t)snprintf(sql + used, sizeof sql - used,
                                     " REFERENCES \"%s\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED",
                                     entityDefinitions[column->target].name);
        }
    }
    snprintf(sql + used, sizeof sql - used, ") STRICT");
    execute(sql);
}

static void createUniqueIndex(const struct entityDefinition *definition) {
    char sql[512];
    snprintf(sql, sizeof sql, "CREATE UNIQUE INDEX \"%s_identifier\" ON \"%s\"(%s)", definition->name, definition->name,
             definition->identifier);
    execute(sql);
}

// The objectID is not among the columns: where SQLite chooses it, it need not look whether it exists already.
static sqlite3_stmt *prepareInsert(const struct entityDefinition *definition) {
    char sql[1024];
    size_t used = (size_t)snprintf(sql, sizeof sql, "INSERT INTO \"%s\" (", definition->name);
    for (int i = 0; i < definition->columnCount; i++) {
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s\"%s\"", i == 0 ? "" : ", ", definition->columns[i].name);
    }
    used += (size_t)snprintf(sql + used, sizeof sql - used, ") VALUES (?");
    for (int i = 1; i < definition->columnCount; i++) used += (size_t)snprintf(sql + used, sizeof sql - used, ", ?");
    snprintf(sql + used, sizeof sql - used, ")");
    return prepare(sql);
}

static void createLastIndexes(void) {
    prepareForIndexes();
    for (int entity = 0; UNIQUE_INDEXES_LAST && entity < entityCount; entity++) createUniqueIndex(&entityDefinitions[entity]);
    for (int entity = 0; entity < entityCount; entity++) {
        struct loader *loader = &loaders[entity];
        for (int i = 0; i < loader->referenceCount; i++) {
            const char *table = loader->definition->name;
            const char *column = loader->definition->columns[loader->references[i]].name;
            char sql[512];
            snprintf(sql, sizeof sql, "CREATE INDEX \"%s_%s\" ON \"%s\"(\"%s\")", table, column, table, column);
            execute(sql);
        }
    }
}

// MARK: Loaders

static void addField(struct loader *loader, const char *name, int column) {
    for (int i = 0; i < loader->fieldCount; i++) {
        struct field *field = &loader->fields[i];
        if (strcmp(field->name, name) == 0) {
            field->columns[field->columnCount++] = column;
            return;
        }
    }
    loader->fields[loader->fieldCount++] =
        (struct field){.name = name, .nameLength = strlen(name), .columns = {column}, .columnCount = 1};
}

// The targets that are there, by their identifiers.
static void rememberStored(struct loader *loader) {
    const struct entityDefinition *definition = loader->definition;
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT \"objectID\", %s FROM \"%s\"", definition->identifier, definition->name);
    sqlite3_stmt *select = prepare(sql);
    while (sqlite3_step(select) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(select, 1);
        size_t place = placeOfIdentifier(&loader->identifiers, text, (size_t)sqlite3_column_bytes(select, 1));
        loader->identifiers.identifiers[place].objectID = sqlite3_column_int64(select, 0);
    }
    sqlite3_finalize(select);
}

static void prepareLoader(enum entity entity) {
    struct loader *loader = &loaders[entity];
    loader->entity = entity;
    loader->definition = &entityDefinitions[entity];
    for (int i = 0; i < loader->definition->columnCount; i++) {
        const struct column *column = &loader->definition->columns[i];
        addField(loader, column->field, i);
        if (column->type == typeReference) loader->references[loader->referenceCount++] = i;
    }
    if (SECOND && loader->definition->identifierColumn >= 0) rememberStored(loader);
    if (!SECOND) createTable(loader->definition);
    if (!SECOND && !UNIQUE_INDEXES_LAST) createUniqueIndex(loader->definition);
    loader->insert = prepareInsert(loader->definition);
}

static void rememberPending(struct loader *loader, const struct pendingRow *row) {
    if (loader->pendingCount == loader->pendingCapacity) {
        loader->pendingCapacity = loader->pendingCapacity == 0 ? 4096 : loader->pendingCapacity * 2;
        loader->pending = realloc(loader->pending, loader->pendingCapacity * sizeof *loader->pending);
        if (loader->pending == NULL) die("out of memory");
    }
    loader->pending[loader->pendingCount++] = *row;
}

static void writeRecord(void) {
    struct loader *loader = reader.list;
    const struct entityDefinition *definition = loader->definition;
    sqlite3_stmt *insert = loader->insert;
    loader->records++;
    static int count;
    if (BATCHES && ++count % 5000 == 0) {
        execute("COMMIT");
        execute("BEGIN");
    }
    if (reader.faulty) {
        loader->rejected++;
        return;
    }

    struct pendingRow pending = {0, {noPlace, noPlace}};
    int isPending = 0;
    int reference = 0;
    for (int i = 0; i < definition->columnCount; i++) {
        const struct value *value = &reader.values[i];
        const char *text = reader.arena.base + value->offset;
        switch (value->kind) {
        case kindNull:
            sqlite3_bind_null(insert, i + 1);
            reference += definition->columns[i].type == typeReference;
            break;
        case kindInteger:
            sqlite3_bind_int64(insert, i + 1, value->integer);
            break;
        case kindReal:
            sqlite3_bind_double(insert, i + 1, value->real);
            break;
        case kindText:
            if (definition->columns[i].type == typeReference) {
                struct identifierTable *targets = &loaders[definition->columns[i].target].identifiers;
                size_t place = placeOfIdentifier(targets, text, value->length);
                int64_t objectID = targets->identifiers[place].objectID;
                if (objectID != 0) {
                    sqlite3_bind_int64(insert, i + 1, objectID);
                } else {
                    sqlite3_bind_null(insert, i + 1);
                    pending.places[reference] = (uint32_t)place;
                    isPending = 1;
                }
                reference++;
            } else {
                sqlite3_bind_text(insert, i + 1, text, (int)value->length, SQLITE_STATIC);
            }
            break;
        }
    }

    if (!insertRow(insert)) {
        loader->duplicates++;
        return;
    }

    if (definition->identifierColumn >= 0 || isPending) {
        int64_t objectID = sqlite3_last_insert_rowid(database);
        if (definition->identifierColumn >= 0) {
            const struct value *value = &reader.values[definition->identifierColumn];
            if (value->kind == kindText) {
                size_t place = placeOfIdentifier(&loader->identifiers, reader.arena.base + value->offset, value->length);
                loader->identifiers.identifiers[place].objectID = objectID;
            }
        }
        if (isPending) {
            pending.objectID = (uint32_t)objectID;
            rememberPending(loader, &pending);
        }
    }
}

// MARK: The second pass

// An UPDATE of just the references that are in the mask.
static sqlite3_stmt *prepareUpdate(const struct loader *loader, unsigned mask) {
    char sql[512];
    size_t used = (size_t)snprintf(sql, sizeof sql, "UPDATE \"%s\" SET ", loader->definition->name);
    const char *separator = "";
    for (int i = 0; i < loader->referenceCount; i++) {
        if ((mask >> i & 1) == 0) continue;
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s\"%s\" = ?%d", separator,
                                 loader->definition->columns[loader->references[i]].name, i + 1);
        separator = ", ";
    }
    snprintf(sql + used, sizeof sql - used, " WHERE \"objectID\" = ?%d", maxReferences + 1);
    return prepare(sql);
}

static uint64_t resolvePending(struct loader *loader) {
    sqlite3_stmt *updates[1 << maxReferences] = {NULL};
    uint64_t unresolved = 0;
    for (size_t i = 0; i < loader->pendingCount; i++) {
        const struct pendingRow *row = &loader->pending[i];
        int64_t targets[maxReferences];
        unsigned mask = 0;
        for (int reference = 0; reference < loader->referenceCount; reference++) {
            if (row->places[reference] == noPlace) continue;
            enum entity target = loader->definition->columns[loader->references[reference]].target;
            targets[reference] = loaders[target].identifiers.identifiers[row->places[reference]].objectID;
            if (targets[reference] != 0) {
                mask |= 1u << reference;
            } else {
                unresolved++;
            }
        }
        if (mask == 0) continue;
        if (updates[mask] == NULL) updates[mask] = prepareUpdate(loader, mask);
        sqlite3_stmt *update = updates[mask];
        for (int reference = 0; reference < loader->referenceCount; reference++) {
            if (mask >> reference & 1) sqlite3_bind_int64(update, reference + 1, targets[reference]);
        }
        sqlite3_bind_int64(update, maxReferences + 1, row->objectID);
        if (sqlite3_step(update) != SQLITE_DONE) die("cannot update: %s", sqlite3_errmsg(database));
        sqlite3_reset(update);
    }
    for (unsigned mask = 0; mask < 1 << maxReferences; mask++) sqlite3_finalize(updates[mask]);
    free(loader->pending);
    return unresolved;
}

// MARK: Callbacks

static inline int wantsValue(void) { return reader.inRecord && reader.depth == 3 && reader.field != NULL; }

// The current field has a string or a number, or a boolean as written.
static void takeText(const char *text, size_t length) {
    const struct field *field = reader.field;
    size_t offset = SIZE_MAX;
    for (int i = 0; i < field->columnCount; i++) {
        struct value *value = &reader.values[field->columns[i]];
        switch (reader.list->definition->columns[field->columns[i]].type) {
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
        struct loader *loader = reader.list;
        reader.field = NULL;
        int i = reader.nextField;
        for (int tried = 0; tried < loader->fieldCount; tried++) {
            struct field *field = &loader->fields[i];
            if (++i == loader->fieldCount) i = 0;
            if (field->nameLength == length && memcmp(field->name, text, length) == 0) {
                reader.field = field;
                reader.nextField = i;
                break;
            }
        }
    } else if (reader.depth == 1) {
        reader.list = NULL;
        for (int entity = 0; entity < entityCount; entity++) {
            const char *list = entityDefinitions[entity].list;
            if (strlen(list) == length && memcmp(list, text, length) == 0) reader.list = &loaders[entity];
        }
    }
    return 1;
}

static int onStartMap(void *context) {
    (void)context;
    if (++reader.depth == 3 && reader.list != NULL && reader.listIsArray) {
        reader.inRecord = 1;
        reader.field = NULL;
        reader.nextField = 0;
        reader.faulty = 0;
        reader.arena.used = 0;
        for (int i = 0; i < reader.list->definition->columnCount; i++) reader.values[i].kind = kindNull;
    } else if (reader.depth == 2) {
        reader.listIsArray = 0;
    }
    return 1;
}

static int onEndMap(void *context) {
    (void)context;
    if (reader.depth-- == 3 && reader.inRecord) {
        writeRecord();
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

// MARK: The run

static void readFeed(const char *path) {
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
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    if (parser == NULL) die("out of memory");
    parseFeed(parser, path);
    yajl_free(parser);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0) return printVersions();
    if (argc != 3) die("usage: baseline FEED STORE");

    beginPhases();
    openStore(argv[2]);
    for (int entity = 0; entity < entityCount; entity++) prepareLoader((enum entity)entity);
    readFeed(argv[1]);
    endPhase("insert");

    uint64_t unresolved = 0;
    for (int entity = 0; entity < entityCount; entity++) unresolved += resolvePending(&loaders[entity]);
    endPhase("update");

    if (!SECOND) createLastIndexes();
    endPhase("index");

    for (int entity = 0; entity < entityCount; entity++) sqlite3_finalize(loaders[entity].insert);
    closeStore(argv[2]);
    endPhase("sync");

    for (int entity = 0; entity < entityCount; entity++) {
        const struct loader *loader = &loaders[entity];
        fprintf(stderr, "%s: %llu records, %llu duplicates, %llu rejected\n", loader->definition->name,
                (unsigned long long)loader->records, (unsigned long long)loader->duplicates,
                (unsigned long long)loader->rejected);
    }
    if (unresolved > 0) fprintf(stderr, "%llu references have no target\n", (unsigned long long)unresolved);
    return 0;
}
