// wide FEED STORE
//
// The job of wide.jsonc by hand, in the manner of baseline.c: yajl's callbacks fill one record, and a prepared statement
// writes it when it ends; the store is a new file, no journal, one transaction, one fsync, the index on an attribute last.
// Each type is checked and brought into its form as Sluice does it: decimals without zeros that say nothing, days of the
// calendar, times in UTC. A record with a value that does not fit its type is counted and left out, and so is one whose
// identifier exists already.

#include <stdint.h>
#include <yajl/yajl_parse.h>

#include "arena.h"
#include "moments.h"
#include "numbers.h"
#include "store.h"
#include "value.h"
#include "wide-columns.h"
#include "yajl-feed.h"

static sqlite3_stmt *insert;
static size_t nameLengths[wideColumnCount];
static uint64_t records, duplicates, rejected;

// The record that is being read.
static struct {
    int depth;  // containers that are open: 1 is the record
    int column;  // of the current field; -1: not wanted
    int nextColumn;  // where to look first
    int faulty;
    struct value values[wideColumnCount];
    struct arena arena;
} reader;

static void createTable(void) {
    static const char *const types[] = {"TEXT", "INTEGER", "REAL", "TEXT", "INTEGER", "TEXT", "TEXT"};
    char sql[8192];
    size_t used = (size_t)snprintf(sql, sizeof sql, "CREATE TABLE \"Product\" (\"objectID\" INTEGER PRIMARY KEY");
    for (int i = 0; i < wideColumnCount; i++) {
        used += (size_t)snprintf(sql + used, sizeof sql - used, ", \"%s\" %s", wideColumns[i].name, types[wideColumns[i].type]);
    }
    snprintf(sql + used, sizeof sql - used, ") STRICT");
    execute(sql);
    execute("CREATE UNIQUE INDEX \"Product_identifier\" ON \"Product\"(\"sku\")");
}

static void prepareInsert(void) {
    char sql[4096];
    size_t used = (size_t)snprintf(sql, sizeof sql, "INSERT INTO \"Product\" (");
    for (int i = 0; i < wideColumnCount; i++) {
        nameLengths[i] = strlen(wideColumns[i].name);
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s\"%s\"", i == 0 ? "" : ", ", wideColumns[i].name);
    }
    used += (size_t)snprintf(sql + used, sizeof sql - used, ") VALUES (?");
    for (int i = 1; i < wideColumnCount; i++) used += (size_t)snprintf(sql + used, sizeof sql - used, ", ?");
    snprintf(sql + used, sizeof sql - used, ")");
    insert = prepare(sql);
}

static void writeRecord(void) {
    records++;
    if (reader.faulty || reader.values[column_sku].kind == kindNull) {
        rejected++;
        return;
    }
    for (int i = 0; i < wideColumnCount; i++) {
        const struct value *value = &reader.values[i];
        switch (value->kind) {
        case kindNull: sqlite3_bind_null(insert, i + 1); break;
        case kindInteger: sqlite3_bind_int64(insert, i + 1, value->integer); break;
        case kindReal: sqlite3_bind_double(insert, i + 1, value->real); break;
        case kindText:
            sqlite3_bind_text(insert, i + 1, reader.arena.base + value->offset, (int)value->length, SQLITE_STATIC);
            break;
        }
    }
    if (!insertRow(insert)) duplicates++;
}

// MARK: Values

static void setText(struct value *value, const char *text, size_t length) {
    value->kind = kindText;
    value->offset = copyToArena(&reader.arena, text, length);
    value->length = length;
}

static int takeBoolean(struct value *value, const char *text, size_t length) {
    int isTrue = (length == 4 && memcmp(text, "true", 4) == 0) || (length == 1 && *text == '1');
    int isFalse = (length == 5 && memcmp(text, "false", 5) == 0) || (length == 1 && *text == '0');
    value->kind = kindInteger;
    value->integer = isTrue;
    return isTrue || isFalse;
}

static void takeValue(const char *text, size_t length, int isString) {
    struct value *value = &reader.values[reader.column];
    int fits = 1;
    char form[momentCapacity];
    switch (wideColumns[reader.column].type) {
    case wideText: setText(value, text, length); break;
    case wideInteger:
        value->kind = kindInteger;
        fits = readInteger(text, length, &value->integer);
        break;
    case wideReal:
        value->kind = kindReal;
        fits = readReal(text, length, &value->real);
        break;
    case wideDecimal:
        fits = readDecimal(text, length, form, &length);
        if (fits) setText(value, form, length);
        break;
    case wideBoolean: fits = takeBoolean(value, text, length); break;
    case wideDate:
        fits = isString && isDate(text, length);
        if (fits) setText(value, text, length);
        break;
    case wideDatetime:
        fits = isString && readDatetime(text, length, form, &length);
        if (fits) setText(value, form, length);
        break;
    }
    reader.faulty |= !fits;
}

// MARK: Callbacks

static inline int wantsValue(void) { return reader.depth == 1 && reader.column >= 0; }

static int onNull(void *context) {
    (void)context;
    if (wantsValue()) reader.values[reader.column].kind = kindNull;
    return 1;
}

static int onBoolean(void *context, int value) {
    (void)context;
    if (wantsValue()) takeValue(value ? "true" : "false", value ? 4 : 5, 0);
    return 1;
}

static int onNumber(void *context, const char *text, size_t length) {
    (void)context;
    if (wantsValue()) takeValue(text, length, 0);
    return 1;
}

static int onString(void *context, const unsigned char *text, size_t length) {
    (void)context;
    if (wantsValue()) takeValue((const char *)text, length, 1);
    return 1;
}

static int onKey(void *context, const unsigned char *text, size_t length) {
    (void)context;
    if (reader.depth != 1) return 1;
    reader.column = -1;
    int i = reader.nextColumn;
    for (int tried = 0; tried < wideColumnCount; tried++) {
        int column = i;
        if (++i == wideColumnCount) i = 0;
        if (nameLengths[column] == length && memcmp(wideColumns[column].name, text, length) == 0) {
            reader.column = column;
            reader.nextColumn = i;
            break;
        }
    }
    return 1;
}

static int onStart(void *context) {
    (void)context;
    if (++reader.depth == 1) {
        reader.column = -1;
        reader.nextColumn = 0;
        reader.faulty = 0;
        reader.arena.used = 0;
        for (int i = 0; i < wideColumnCount; i++) reader.values[i].kind = kindNull;
    } else if (reader.depth == 2 && reader.column >= 0) {
        reader.faulty = 1;  // an object or an array where a value is wanted
    }
    return 1;
}

static int onEndMap(void *context) {
    (void)context;
    if (--reader.depth == 0) writeRecord();
    return 1;
}

static int onEndArray(void *context) {
    (void)context;
    reader.depth--;
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: wide FEED STORE");
    static const yajl_callbacks callbacks = {
        .yajl_null = onNull,
        .yajl_boolean = onBoolean,
        .yajl_number = onNumber,
        .yajl_string = onString,
        .yajl_start_map = onStart,
        .yajl_map_key = onKey,
        .yajl_end_map = onEndMap,
        .yajl_start_array = onStart,
        .yajl_end_array = onEndArray,
    };
    beginPhases();
    openStore(argv[2]);
    createTable();
    prepareInsert();
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    if (parser == NULL) die("out of memory");
    yajl_config(parser, yajl_allow_multiple_values, 1);
    parseFeed(parser, argv[1]);
    yajl_free(parser);
    endPhase("insert");

    prepareForIndexes();
    execute("CREATE INDEX \"Product_category\" ON \"Product\"(\"category\")");
    endPhase("index");

    sqlite3_finalize(insert);
    closeStore(argv[2]);
    endPhase("sync");
    fprintf(stderr, "Product: %llu records, %llu duplicates, %llu rejected\n", (unsigned long long)records,
            (unsigned long long)duplicates, (unsigned long long)rejected);
    return 0;
}
