// Decimals, days and times from JSON's texts, in the form in which a store keeps them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { momentCapacity = 64 };

static inline int isDigit(char byte) { return byte >= '0' && byte <= '9'; }

// Without an exponent (that would be a reject here), without zeros that say nothing: 12.50 is 12.5, -0.00 is 0.
static int readDecimal(const char *text, size_t length, char *form, size_t *formLength) {
    size_t at = 0, used = 0;
    int isNegative = length > 0 && text[0] == '-';
    at += (size_t)isNegative;
    if (length >= momentCapacity) return 0;
    while (at + 1 < length && text[at] == '0' && isDigit(text[at + 1])) at++;
    if (isNegative) form[used++] = '-';
    size_t start = used, point = 0;
    for (; at < length; at++) {
        if (text[at] == '.' && point == 0 && used > start) {
            point = used;
        } else if (!isDigit(text[at])) {
            return 0;
        }
        form[used++] = text[at];
    }
    if (used == start) return 0;
    if (point != 0) {
        while (form[used - 1] == '0') used--;
        if (form[used - 1] == '.') used--;
    }
    if (used == start + 1 && form[start] == '0') {
        form[0] = '0';
        used = 1;
    }
    *formLength = used;
    return 1;
}

// The number that some digits are; -1 if one of them is none.
static inline int digits(const char *text, int count) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (!isDigit(text[i])) return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

static int daysOfMonth(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && isLeap);
}

static int readDay(const char *text, int *year, int *month, int *day) {
    *year = digits(text, 4);
    *month = digits(text + 5, 2);
    *day = digits(text + 8, 2);
    return text[4] == '-' && text[7] == '-' && *year >= 1 && *month >= 1 && *month <= 12 && *day >= 1
        && *day <= daysOfMonth(*year, *month);
}

static int isDate(const char *text, size_t length) {
    int year, month, day;
    return length == 10 && readDay(text, &year, &month, &day);
}

static inline void writeDigits(char *form, int number, int count) {
    while (count > 0) {
        form[--count] = (char)('0' + number % 10);
        number /= 10;
    }
}

// RFC 3339 with Z or an offset; in UTC.
static int readDatetime(const char *text, size_t length, char *form, size_t *formLength) {
    int year, month, day;
    if (length < 20 || length >= momentCapacity || !readDay(text, &year, &month, &day)) return 0;
    if (text[10] != 'T' || text[13] != ':' || text[16] != ':') return 0;
    int hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return 0;
    size_t at = 19, fraction = 0;
    if (text[at] == '.') {
        while (at + 1 + fraction < length && isDigit(text[at + 1 + fraction])) fraction++;
        if (fraction == 0) return 0;
        at += 1 + fraction;
        while (fraction > 0 && text[19 + fraction] == '0') fraction--;
    }
    int offset = 0;
    if (at + 1 == length && text[at] == 'Z') {
        offset = 0;
    } else if (at + 6 == length && (text[at] == '+' || text[at] == '-') && text[at + 3] == ':') {
        int hours = digits(text + at + 1, 2), minutes = digits(text + at + 4, 2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return 0;
        offset = (hours * 60 + minutes) * (text[at] == '-' ? -1 : 1);
    } else {
        return 0;
    }
    int minutes = hour * 60 + minute - offset;
    if (minutes < 0) {
        minutes += 1440;
        if (--day == 0) {
            if (--month == 0) {
                month = 12;
                year--;
            }
            day = daysOfMonth(year, month);
        }
    } else if (minutes >= 1440) {
        minutes -= 1440;
        if (++day > daysOfMonth(year, month)) {
            day = 1;
            if (++month > 12) {
                month = 1;
                year++;
            }
        }
    }
    memcpy(form, "0000-00-00T00:00:00", 19);
    writeDigits(form, year, 4);
    writeDigits(form + 5, month, 2);
    writeDigits(form + 8, day, 2);
    writeDigits(form + 11, minutes / 60, 2);
    writeDigits(form + 14, minutes % 60, 2);
    writeDigits(form + 17, second, 2);
    size_t used = 19;
    // Microseconds always, so that texts sort as times do.
    form[used++] = '.';
    memset(form + used, '0', 6);
    memcpy(form + used, text + 20, fraction > 6 ? 6 : fraction);
    used += 6;
    form[used++] = 'Z';
    *formLength = used;
    return 1;
}
