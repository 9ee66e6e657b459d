// What programs do with a store, by hand: the workload p.
// `objects fetch|update|ids|look-up|across STORE [SEED]`
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *store;

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "objects: %s\n", sqlite3_errmsg(store));
    exit(1);
}

static void execute(const char *sql) { check(sqlite3_exec(store, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(store, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

// All columns of all rows, a loop: what a program does that keeps nothing.
static void fetch(void) {
    sqlite3_stmt *all = prepare("SELECT * FROM StopTime");
    long count = 0, sum = 0, seen = 0;
    while (sqlite3_step(all) == SQLITE_ROW) {
        count++;
        for (int column = 0; column < sqlite3_column_count(all); column++) {
            switch (sqlite3_column_type(all, column)) {
                case SQLITE_INTEGER: seen += sqlite3_column_int64(all, column); break;
                case SQLITE_TEXT: seen += sqlite3_column_text(all, column)[0] + sqlite3_column_bytes(all, column); break;
                default: break;
            }
        }
        sum += sqlite3_column_int64(all, 2) + sqlite3_column_bytes(all, 1);
    }
    if (seen == 42) puts("");
    printf("%ld %ld\n", count, sum);
}

static void update(int returnsIDs) {
    execute("PRAGMA foreign_keys = ON");
    execute("BEGIN IMMEDIATE");
    const char *set = "UPDATE StopTime SET arrival = '12:00:00' WHERE sequence > 1 AND arrival IS NOT '12:00:00'";
    char sql[200];
    snprintf(sql, sizeof sql, "%s%s", set, returnsIDs ? " RETURNING objectID" : "");
    sqlite3_stmt *statement = prepare(sql);
    long count = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) count++;
    if (!returnsIDs) count = sqlite3_changes(store);
    sqlite3_finalize(statement);
    execute("COMMIT");
    printf("%ld 0\n", count);
}

static void lookUp(const char *schema) {
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT stop_id FROM %s.Stop", schema);
    sqlite3_stmt *all = prepare(sql);
    char **names = NULL;
    long total = 0;
    while (sqlite3_step(all) == SQLITE_ROW) {
        if (total % 1024 == 0) names = realloc(names, (total + 1024) * sizeof *names);
        names[total++] = strdup((const char *)sqlite3_column_text(all, 0));
    }
    snprintf(sql, sizeof sql, "SELECT * FROM %s.Stop WHERE stop_id = ?", schema);
    sqlite3_stmt *one = prepare(sql);
    long count = 0, sum = 0, seen = 0;
    for (int turn = 0; turn < 20; turn++) {
        for (long index = 0; index < total; index++) {
            const char *name = names[index * 7919 % total];
            check(sqlite3_bind_text(one, 1, name, -1, SQLITE_STATIC));
            if (sqlite3_step(one) == SQLITE_ROW) {
                for (int column = 0; column < sqlite3_column_count(one); column++) {
                    switch (sqlite3_column_type(one, column)) {
                        case SQLITE_INTEGER: seen += sqlite3_column_int64(one, column); break;
                        case SQLITE_FLOAT: seen += sqlite3_column_double(one, column) > 0; break;
                        case SQLITE_TEXT: seen += sqlite3_column_text(one, column)[0]; break;
                        default: break;
                    }
                }
                sum += sqlite3_column_bytes(one, 1);
            }
            count++;
            sqlite3_reset(one);
        }
    }
    if (seen == 42) puts("");
    printf("%ld %ld\n", count, sum);
}

int main(int count, char **words) {
    if (count < 3) return 64;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    check(sqlite3_open_v2(words[2], &store, flags, NULL));
    if (strcmp(words[1], "across") == 0) {
        char sql[5000];
        snprintf(sql, sizeof sql, "ATTACH 'file:%s?immutable=1' AS seed", words[3]);
        execute(sql);
        execute("BEGIN");
        lookUp("seed");
    } else if (strcmp(words[1], "look-up") == 0) {
        execute("BEGIN");
        lookUp("main");
    } else if (strcmp(words[1], "fetch") == 0) {
        fetch();
    } else {
        update(strcmp(words[1], "ids") == 0);
    }
    return 0;
}
