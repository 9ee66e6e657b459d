#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The codes of an error's fields are characters, which Swift does not import.
enum sluice_pg_field {
    sluice_pg_sqlstate = PG_DIAG_SQLSTATE,
    sluice_pg_message = PG_DIAG_MESSAGE_PRIMARY,
    sluice_pg_detail = PG_DIAG_MESSAGE_DETAIL,
    sluice_pg_hint = PG_DIAG_MESSAGE_HINT,
    sluice_pg_position = PG_DIAG_STATEMENT_POSITION,
    sluice_pg_schema = PG_DIAG_SCHEMA_NAME,
    sluice_pg_table = PG_DIAG_TABLE_NAME,
    sluice_pg_constraint = PG_DIAG_CONSTRAINT_NAME,
};
