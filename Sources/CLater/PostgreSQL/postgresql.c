#include <later.h>
#include "../../CPostgreSQL/shim.h"

#define LIBRARY "libpq.so.5"
#define LATER(...) SLUICE_LATER(LIBRARY, __VA_ARGS__)

LATER(int, PQbackendPID, (const PGconn *conn), conn)
LATER(int, PQcancel, (PGcancel *cancel, char *errbuf, int errbufsize), cancel, errbuf, errbufsize)
LATER(void, PQclear, (PGresult *res), res)
LATER(char *, PQcmdTuples, (PGresult *res), res)
LATER(PostgresPollingStatusType, PQconnectPoll, (PGconn *conn), conn)
LATER(
    PGconn *, PQconnectStartParams,
    (const char *const *keywords, const char *const *values, int expand_dbname),
    keywords, values, expand_dbname)
LATER(void, PQconninfoFree, (PQconninfoOption *connOptions), connOptions)
LATER(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), conninfo, errmsg)
LATER(int, PQconsumeInput, (PGconn *conn), conn)
LATER(int, PQenterPipelineMode, (PGconn *conn), conn)
LATER(char *, PQerrorMessage, (const PGconn *conn), conn)
LATER(int, PQexitPipelineMode, (PGconn *conn), conn)
LATER(void, PQfinish, (PGconn *conn), conn)
LATER(int, PQflush, (PGconn *conn), conn)
LATER(char *, PQfname, (const PGresult *res, int field_num), res, field_num)
LATER(void, PQfreeCancel, (PGcancel *cancel), cancel)
LATER(void, PQfreemem, (void *ptr), ptr)
LATER(Oid, PQftype, (const PGresult *res, int field_num), res, field_num)
LATER(PGcancel *, PQgetCancel, (PGconn *conn), conn)
LATER(PGresult *, PQgetResult, (PGconn *conn), conn)
LATER(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), res, tup_num, field_num)
LATER(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), res, tup_num, field_num)
LATER(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), res, tup_num, field_num)
LATER(int, PQisBusy, (PGconn *conn), conn)
LATER(int, PQlibVersion, (void))
LATER(int, PQnfields, (const PGresult *res), res)
LATER(int, PQntuples, (const PGresult *res), res)
LATER(const char *, PQparameterStatus, (const PGconn *conn, const char *paramName), conn, paramName)
LATER(int, PQpipelineSync, (PGconn *conn), conn)
LATER(int, PQputCopyData, (PGconn *conn, const char *buffer, int nbytes), conn, buffer, nbytes)
LATER(int, PQputCopyEnd, (PGconn *conn, const char *errormsg), conn, errormsg)
LATER(char *, PQresultErrorField, (const PGresult *res, int fieldcode), res, fieldcode)
LATER(size_t, PQresultMemorySize, (const PGresult *res), res)
LATER(ExecStatusType, PQresultStatus, (const PGresult *res), res)
LATER(int, PQsendFlushRequest, (PGconn *conn), conn)
LATER(
    int, PQsendPrepare,
    (PGconn *conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes),
    conn, stmtName, query, nParams, paramTypes)
LATER(int, PQsendQuery, (PGconn *conn, const char *query), conn, query)
LATER(
    int, PQsendQueryParams,
    (PGconn *conn, const char *command, int nParams, const Oid *paramTypes, const char *const *paramValues, const int
     *paramLengths, const int *paramFormats, int resultFormat),
    conn, command, nParams, paramTypes, paramValues, paramLengths, paramFormats, resultFormat)
LATER(
    int, PQsendQueryPrepared,
    (PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues, const int *paramLengths, const
     int *paramFormats, int resultFormat),
    conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat)
LATER(int, PQserverVersion, (const PGconn *conn), conn)
LATER(PGVerbosity, PQsetErrorVerbosity, (PGconn *conn, PGVerbosity verbosity), conn, verbosity)
LATER(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *conn, PQnoticeProcessor proc, void *arg), conn, proc, arg)
LATER(int, PQsetnonblocking, (PGconn *conn, int arg), conn, arg)
LATER(int, PQsocket, (const PGconn *conn), conn)
LATER(ConnStatusType, PQstatus, (const PGconn *conn), conn)
LATER(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), conn)
LATER(char *, PQuser, (const PGconn *conn), conn)
