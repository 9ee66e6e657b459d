// The session extension, which makes deltas and applies them: the header shows it only to who asks for it.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// sqlite3_db_config is variadic, and Swift cannot call variadic C functions.
static inline int sluice_sqlite_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// sqlite3_config is variadic, too.
static inline int sluice_sqlite_config(int option, int value) {
    return sqlite3_config(option, value);
}

// SQLITE_TRANSIENT is a cast, which Swift does not import: SQLite copies the bytes at once.
static inline sqlite3_destructor_type sluice_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

// What a virtual table and its cursors keep besides: C promises the order of members, Swift does not.
typedef struct sluice_virtual_table {
    sqlite3_vtab base;
    void *state;
} sluice_virtual_table;

typedef struct sluice_virtual_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 place;
    void *state;
} sluice_virtual_cursor;

// A layer over SQLite's own files, and a file of it: that of the layer below stands behind it.
typedef struct sluice_overlay_vfs {
    sqlite3_vfs base;
    sqlite3_vfs *usual;
    void *state;
} sluice_overlay_vfs;

typedef struct sluice_overlay_file {
    sqlite3_file base;
    void *state;
} sluice_overlay_file;
