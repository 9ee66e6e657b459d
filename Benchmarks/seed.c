// What a seed costs by hand: one VACUUM INTO, the hash of the content, and a patchset applied without a journal.
// `seed vacuum STORE COPY`, `seed hash STORE`, `seed apply STORE PATCHSET`.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *store;
static EVP_MD_CTX *digest;
static unsigned char buffer[1 << 16];
static size_t filled;

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "seed: %s\n", sqlite3_errmsg(store));
    exit(1);
}

static void flush(void) {
    EVP_DigestUpdate(digest, buffer, filled);
    filled = 0;
}

static void put(const void *bytes, size_t length) {
    if (filled + length > sizeof buffer) flush();
    if (length > sizeof buffer) {
        EVP_DigestUpdate(digest, bytes, length);
        return;
    }
    memcpy(buffer + filled, bytes, length);
    filled += length;
}

static void put_text(const void *bytes, uint64_t length) {
    put(&length, 8);
    if (length) put(bytes, length);
}

static void put_value(sqlite3_value *value) {
    unsigned char type = sqlite3_value_type(value);
    put(&type, 1);
    if (type == SQLITE_INTEGER) {
        int64_t number = sqlite3_value_int64(value);
        put(&number, 8);
    } else if (type == SQLITE_FLOAT) {
        double number = sqlite3_value_double(value);
        put(&number, 8);
    } else if (type == SQLITE_TEXT) {
        const void *bytes = sqlite3_value_text(value);
        put_text(bytes, sqlite3_value_bytes(value));
    } else if (type == SQLITE_BLOB) {
        const void *bytes = sqlite3_value_blob(value);
        put_text(bytes, sqlite3_value_bytes(value));
    }
}

// The rest of a query, as SQL makes it of the names of columns.
static char *text_of(const char *sql, const char *table) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(store, sql, -1, &statement, NULL));
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    check(sqlite3_step(statement));
    char *text = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

static void hash_table(const char *table) {
    char *columns = text_of("SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM pragma_table_info(?) ORDER BY name)", table);
    char *key = text_of("SELECT group_concat('\"' || name || '\"', ', ') FROM (SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk)", table);
    char *query = sqlite3_mprintf("SELECT %s FROM \"%w\" ORDER BY %s", columns, table, key);
    sqlite3_stmt *rows;
    check(sqlite3_prepare_v2(store, query, -1, &rows, NULL));
    int count = sqlite3_column_count(rows);
    uint64_t width = count;
    put("T", 1);
    put_text(table, strlen(table));
    put(&width, 8);
    for (int i = 0; i < count; i++) put_text(sqlite3_column_name(rows, i), strlen(sqlite3_column_name(rows, i)));
    int code;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
        put("R", 1);
        for (int i = 0; i < count; i++) put_value(sqlite3_column_value(rows, i));
    }
    check(code);
    sqlite3_finalize(rows);
    sqlite3_free(query);
    free(columns);
    free(key);
}

static void hash(void) {
    digest = EVP_MD_CTX_new();
    EVP_DigestInit_ex(digest, EVP_sha256(), NULL);
    sqlite3_stmt *tables;
    check(sqlite3_prepare_v2(
        store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sluice\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        -1, &tables, NULL));
    while (sqlite3_step(tables) == SQLITE_ROW) hash_table((const char *)sqlite3_column_text(tables, 0));
    sqlite3_finalize(tables);
    flush();
    unsigned char value[32];
    EVP_DigestFinal_ex(digest, value, NULL);
    for (int i = 0; i < 32; i++) printf("%02x", value[i]);
    printf("\n");
}

static int refuse(void *context, int kind, sqlite3_changeset_iter *change) {
    (void)context, (void)kind, (void)change;
    return SQLITE_CHANGESET_ABORT;
}

static int take(void *context, void *bytes, int *count) {
    *count = (int)fread(bytes, 1, *count, context);
    return SQLITE_OK;
}

static void apply(const char *patchset) {
    FILE *file = fopen(patchset, "rb");
    if (!file) exit(1);
    check(sqlite3_exec(store, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536", NULL, NULL, NULL));
    check(sqlite3changeset_apply_strm(store, take, file, NULL, refuse, NULL));
    fclose(file);
}

int main(int count, char **words) {
    if (count < 3) return 2;
    check(sqlite3_open(words[2], &store));
    if (strcmp(words[1], "hash") == 0) {
        hash();
    } else if (strcmp(words[1], "apply") == 0 && count > 3) {
        apply(words[3]);
    } else if (strcmp(words[1], "vacuum") == 0 && count > 3) {
        char *sql = sqlite3_mprintf("VACUUM INTO %Q", words[3]);
        check(sqlite3_exec(store, sql, NULL, NULL, NULL));
        sqlite3_free(sql);
    } else {
        return 2;
    }
    check(sqlite3_close(store));
    return 0;
}
