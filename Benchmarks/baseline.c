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

#include "die.h"
#include "identifier-table.h"
#include "store.h"
#ifdef ORDERS
#include "orders-entities.h"
#else
#include "transit-entities.h"
#endif
#include "record-reader.h"

#ifdef ORDERS
#define UNIQUE_INDEXES_LAST (!SECOND && !BATCHES)
#else
#define UNIQUE_INDEXES_LAST 0
#endif

enum { maxReferences = 2, noPlace = UINT32_MAX };

// A row whose references could not all be set: their targets' places, or noPlace where nothing is left to do.
struct pendingRow {
    uint32_t objectID;
    uint32_t places[maxReferences];
};

struct loader {
    enum entity entity;
    const struct entityDefinition *definition;
    sqlite3_stmt *insert;
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

static struct loader loaders[entityCount];

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
    struct loader *loader = &loaders[reader.entity];
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

// MARK: The run

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0) return printVersions();
    if (argc != 3) die("usage: baseline FEED STORE");

    beginPhases();
    openStore(argv[2]);
    for (int entity = 0; entity < entityCount; entity++) prepareLoader((enum entity)entity);
    readRecords(argv[1], writeRecord);
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
