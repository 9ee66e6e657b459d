// Buffered output for generators of feeds. printf per field would cost more than everything else they do.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char outputBuffer[1 << 20];
static size_t outputUsed;

// Ends the program when the output cannot be written: half a feed is worth nothing.
static void flushOutput(void) {
    for (size_t done = 0; done < outputUsed;) {
        ssize_t count = write(STDOUT_FILENO, outputBuffer + done, outputUsed - done);
        if (count < 0) {
            perror("cannot write the feed");
            exit(74);
        }
        done += (size_t)count;
    }
    outputUsed = 0;
}

static inline void putBytes(const char *bytes, size_t count) {
    if (count > sizeof outputBuffer - outputUsed) flushOutput();
    memcpy(outputBuffer + outputUsed, bytes, count);
    outputUsed += count;
}

static inline void put(const char *text) { putBytes(text, strlen(text)); }

static inline void putByte(char byte) { putBytes(&byte, 1); }

static inline void putUnsigned(uint64_t value) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    putBytes(digits + first, sizeof digits - first);
}

static inline void putTwoDigits(uint64_t value) {
    char digits[2] = {(char)('0' + value / 10 % 10), (char)('0' + value % 10)};
    putBytes(digits, sizeof digits);
}

static inline void putSixDigits(uint64_t value) {
    putTwoDigits(value / 10000);
    putTwoDigits(value / 100);
    putTwoDigits(value);
}

static inline void putSixHexDigits(uint32_t value) {
    for (int shift = 20; shift >= 0; shift -= 4) putByte("0123456789ABCDEF"[value >> shift & 15]);
}
