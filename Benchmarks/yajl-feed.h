// Feeds a file to a yajl parser in chunks, and ends the program with yajl's own message where the feed is not JSON.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <yajl/yajl_parse.h>

#include "die.h"

enum { feedChunk = 64 * 1024 };

// Returns the number of bytes read.
static uint64_t parseFeed(yajl_handle parser, const char *path) {
    static unsigned char chunk[feedChunk];
    FILE *file = fopen(path, "rb");
    if (file == NULL) die("cannot open %s", path);
    setvbuf(file, NULL, _IONBF, 0);  // the chunk is the buffer
    uint64_t total = 0;
    size_t count;
    yajl_status status = yajl_status_ok;
    while (status == yajl_status_ok && (count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        total += count;
        status = yajl_parse(parser, chunk, count);
    }
    if (ferror(file)) die("cannot read %s", path);
    if (status == yajl_status_ok) status = yajl_complete_parse(parser);
    if (status != yajl_status_ok) {
        die("%s: %s", path, (char *)yajl_get_error(parser, 1, chunk, count));
    }
    fclose(file);
    return total;
}
