// The store of a program that loads by hand: a new file, no journal, one transaction, one fsync at the end. Includes what
// all such programs share, their version and the times of their phases.
#pragma once

#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_version.h>

#include "die.h"
#include "stopwatch.h"

// Whether the store is there, from an earlier run.
#ifndef SECOND
#define SECOND 0
#endif

// Whether what is written is saved by and by: then the program commits, and each commit is durable.
#ifndef BATCHES
#define BATCHES 0
#endif

static sqlite3 *database;

static void execute(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) die("%s: %s", sql, sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
        die("%s: %s", sql, sqlite3_errmsg(database));
    }
    return statement;
}

// Returns 0 where a constraint forbids the row.
static int insertRow(sqlite3_stmt *insert) {
    int status = sqlite3_step(insert);
    sqlite3_reset(insert);
    if (status != SQLITE_DONE && status != SQLITE_CONSTRAINT) die("cannot insert: %s", sqlite3_errmsg(database));
    return status == SQLITE_DONE;
}

static void openStore(const char *path) {
    // Nothing here is shared between threads, and nobody reads SQLite's statistics.
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (!SECOND && access(path, F_OK) == 0) die("%s exists already", path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) die("%s: %s", path, sqlite3_errmsg(database));
    if (!BATCHES) execute("PRAGMA locking_mode = EXCLUSIVE");
    execute(BATCHES ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = OFF");
    execute(BATCHES ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF");
    execute("PRAGMA secure_delete = OFF");
    execute("PRAGMA cache_size = -65536");
    execute("BEGIN");
}

// Before the indexes that come last. The sorter fills the cache's size with rows before it sorts them: a smaller one stays
// within the processor's caches and is faster by a sixth.
static void prepareForIndexes(void) { execute("PRAGMA cache_size = -8192"); }

static void syncPath(const char *path, int flags) {
    int descriptor = open(path, flags);
    if (descriptor < 0 || fsync(descriptor) != 0) die("cannot sync %s", path);
    close(descriptor);
}

// All statements must be finalized.
static void closeStore(const char *path) {
    execute("COMMIT");
    if (sqlite3_close(database) != SQLITE_OK) die("%s: %s", path, sqlite3_errmsg(database));
    // SQLite was told not to sync, so the whole file is synced here, and its name in the folder.
    syncPath(path, O_RDWR);
    char *copy = strdup(path);
    if (copy == NULL) die("out of memory");
    syncPath(dirname(copy), O_RDONLY | O_DIRECTORY);
    free(copy);
}

static double phaseStart;

static void beginPhases(void) { phaseStart = now(); }

static void endPhase(const char *name) {
    double end = now();
    printf("%s %.3f\n", name, end - phaseStart);
    phaseStart = end;
}

static inline int printVersions(void) {
    int yajl = yajl_version();
    printf("sqlite %s\nyajl %d.%d.%d\n", sqlite3_libversion(), yajl / 10000, yajl / 100 % 100, yajl % 100);
    return 0;
}
