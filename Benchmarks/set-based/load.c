// set-based FEED CONNECTION SCRIPT
//
// The job of transit.jsonc into PostgreSQL, the way that SQL offers first: all records are copied into staging tables (in
// the server's binary form), and the joins of a script do the rest, in the same transaction. The staging table of an entity
// has its name in small letters with `new_` before it; `n` numbers its rows, references are the identifiers of the targets.
//
// No duplicates, no findings, no waiting list: an identifier that comes twice is an error.

#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../die.h"
#include "../stopwatch.h"
#include "../transit-entities.h"

#include "../record-reader.h"

enum { bufferSize = 1 << 18, largestRow = 1 << 14, largestScript = 1 << 14 };

static const char *const stagingTables[entityCount] = {
    [entityRoute] = "new_route", [entityStop] = "new_stop", [entityTrip] = "new_trip", [entityStopTime] = "new_stop_time"};

static PGconn *connection;
static enum entity copied = noEntity;  // to whose table rows are being copied
static int64_t counts[entityCount];

static struct {
    char bytes[bufferSize];
    size_t used;
} rows;

static void check(PGresult *result, const char *what) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN) {
        die("%.200s: %s", what, PQerrorMessage(connection));
    }
    PQclear(result);
}

static void execute(const char *sql) { check(PQexec(connection, sql), sql); }

static void createStaging(enum entity entity) {
    const struct entityDefinition *definition = &entityDefinitions[entity];
    char sql[1024];
    size_t used = (size_t)snprintf(sql, sizeof sql, "CREATE TEMPORARY TABLE %s (n bigint", stagingTables[entity]);
    for (int i = 0; i < definition->columnCount; i++) {
        const struct column *column = &definition->columns[i];
        const char *type = column->type == typeInteger ? "bigint" : column->type == typeReal ? "double precision" : "text COLLATE \"C\"";
        used += (size_t)snprintf(sql + used, sizeof sql - used, ", \"%s\" %s", column->name, type);
    }
    snprintf(sql + used, sizeof sql - used, ")");
    execute(sql);
}

// MARK: Rows

static void append(const void *bytes, size_t length) {
    memcpy(rows.bytes + rows.used, bytes, length);
    rows.used += length;
}

static void append16(uint16_t value) {
    value = htobe16(value);
    append(&value, sizeof value);
}

static void append32(uint32_t value) {
    value = htobe32(value);
    append(&value, sizeof value);
}

static void append64(uint64_t value) {
    value = htobe64(value);
    append32(sizeof value);
    append(&value, sizeof value);
}

static void flush(void) {
    if (PQputCopyData(connection, rows.bytes, (int)rows.used) != 1) die("cannot copy: %s", PQerrorMessage(connection));
    rows.used = 0;
}

static void endCopy(void) {
    if (copied == noEntity) return;
    append16(UINT16_MAX);
    flush();
    if (PQputCopyEnd(connection, NULL) != 1) die("cannot copy: %s", PQerrorMessage(connection));
    check(PQgetResult(connection), stagingTables[copied]);
    while (PQgetResult(connection) != NULL) {}
    copied = noEntity;
}

static void beginCopy(enum entity entity) {
    char sql[128];
    snprintf(sql, sizeof sql, "COPY %s FROM STDIN (FORMAT binary)", stagingTables[entity]);
    execute(sql);
    append("PGCOPY\n\377\r\n\0", 11);
    append32(0);
    append32(0);
    copied = entity;
}

static void writeRecord(void) {
    if (reader.faulty) die("a record has another form");
    if (copied != reader.entity) {
        endCopy();
        beginCopy(reader.entity);
    }
    if (bufferSize - rows.used < largestRow) flush();
    const struct entityDefinition *definition = &entityDefinitions[reader.entity];
    append16((uint16_t)(definition->columnCount + 1));
    append64((uint64_t)++counts[reader.entity]);
    for (int i = 0; i < definition->columnCount; i++) {
        const struct value *value = &reader.values[i];
        uint64_t bits;
        switch (value->kind) {
        case kindNull: append32(UINT32_MAX); break;
        case kindInteger: append64((uint64_t)value->integer); break;
        case kindReal:
            memcpy(&bits, &value->real, sizeof bits);
            append64(bits);
            break;
        case kindText:
            if (value->length > largestRow / maxColumns - 32) die("a text is too long");
            append32((uint32_t)value->length);
            append(reader.arena.base + value->offset, value->length);
            break;
        }
    }
}

// MARK: The run

static void executeScript(const char *path) {
    static char script[largestScript];
    FILE *file = fopen(path, "r");
    if (file == NULL) die("cannot open %s", path);
    script[fread(script, 1, sizeof script - 1, file)] = '\0';
    fclose(file);
    execute(script);
}

int main(int argc, char **argv) {
    if (argc != 4) die("usage: set-based FEED CONNECTION SCRIPT");
    connection = PQconnectdb(argv[2]);
    if (PQstatus(connection) != CONNECTION_OK) die("%s", PQerrorMessage(connection));
    double start = now();
    execute("SET jit = off; SET work_mem = '64MB'; SET maintenance_work_mem = '256MB'; SET client_min_messages = warning; BEGIN");
    for (int entity = 0; entity < entityCount; entity++) createStaging((enum entity)entity);
    readRecords(argv[1], writeRecord);
    endCopy();
    double copy = now();
    executeScript(argv[3]);
    execute("COMMIT");
    printf("copy %.3f\njoin %.3f\n", copy - start, now() - copy);
    PQfinish(connection);
    return 0;
}
