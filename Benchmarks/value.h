// What a record holds in one of its columns.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum kind { kindNull, kindInteger, kindReal, kindText };

struct value {
    enum kind kind;
    size_t length;
    union {
        int64_t integer;
        double real;
        size_t offset;  // of a text, in the record's arena, which can move while it grows
    };
};
