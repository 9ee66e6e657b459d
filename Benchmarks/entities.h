// How a job is told to baseline.c: the entities of its feed, and which fields become which columns. The job's own header
// says which entities there are, includes this, and defines them.
#pragma once

#include <stddef.h>

enum type { typeText, typeInteger, typeReal, typeReference };

struct column {
    const char *name;
    const char *field;  // in the feed; two columns can come from one field
    enum type type;
    enum entity target;  // of a reference
};

enum { maxColumns = 8 };

struct entityDefinition {
    const char *name;
    const char *list;  // the field at the top of the feed that holds its records
    const char *identifier;  // the columns of the unique index
    int columnCount;
    int identifierColumn;  // the column by which references find it; -1: nothing refers to it
    struct column columns[maxColumns];
};
