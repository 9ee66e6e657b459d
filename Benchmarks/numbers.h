// Numbers from JSON's text. strtod and strtoll need a NUL at the end, which yajl's texts do not have, and cost more than
// the rest of a field; the short numbers of a feed are read by hand, exactly, and only the others are left to strtod.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int readRealSlowly(const char *text, size_t length, double *value) {
    char copy[512];
    if (length == 0 || length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    *value = strtod(copy, &end);
    return end == copy + length;
}

// The nearest double. Up to 15 digits are exact in a double, and so are the powers of ten up to 10^22: their quotient is
// rounded once, and therefore right.
static int readReal(const char *text, size_t length, double *value) {
    static const double powersOfTen[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t at = 0;
    int negative = length > 0 && text[0] == '-';
    if (negative) at++;
    uint64_t mantissa = 0;
    size_t digits = 0, decimals = 0;
    int point = 0;
    for (; at < length; at++) {
        if (text[at] >= '0' && text[at] <= '9') {
            mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
            decimals += point;
            if (++digits > 15) return readRealSlowly(text, length, value);
        } else if (text[at] == '.' && !point) {
            point = 1;
        } else {
            return readRealSlowly(text, length, value);
        }
    }
    if (digits == 0) return 0;
    *value = (double)mantissa / powersOfTen[decimals];
    if (negative) *value = -*value;
    return 1;
}

static int readInteger(const char *text, size_t length, int64_t *value) {
    size_t at = 0;
    int negative = length > 0 && text[0] == '-';
    if (negative) at++;
    int64_t magnitude = 0;
    if (length - at >= 1 && length - at <= 18) {
        while (at < length && text[at] >= '0' && text[at] <= '9') magnitude = magnitude * 10 + (text[at++] - '0');
        if (at == length) {
            *value = negative ? -magnitude : magnitude;
            return 1;
        }
    }
    // 1.0 and 1e3 are integral, too.
    double real;
    if (!readReal(text, length, &real) || !(real >= -9e15 && real <= 9e15) || real != (double)(int64_t)real) return 0;
    *value = (int64_t)real;
    return 1;
}
