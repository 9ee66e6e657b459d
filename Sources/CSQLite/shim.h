#include <sqlite3.h>

// sqlite3_db_config is variadic, and Swift cannot call variadic C functions.
static inline int sluice_sqlite_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// sqlite3_config is variadic, too.
static inline int sluice_sqlite_config(int option, int value) {
    return sqlite3_config(option, value);
}
