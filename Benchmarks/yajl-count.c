// yajl-count FEED
//
// Parses a feed with callbacks that only count: the speed of the parser alone, which no importer on top of yajl can
// beat.

#include <stdint.h>
#include <stdio.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

#include "die.h"
#include "stopwatch.h"
#include "yajl-feed.h"

struct counts {
    uint64_t scalars;
    uint64_t keys;
    uint64_t containers;
};

static int countNull(void *context) {
    ((struct counts *)context)->scalars++;
    return 1;
}

static int countBoolean(void *context, int value) {
    (void)value;
    ((struct counts *)context)->scalars++;
    return 1;
}

static int countNumber(void *context, const char *text, size_t length) {
    (void)text, (void)length;
    ((struct counts *)context)->scalars++;
    return 1;
}

static int countString(void *context, const unsigned char *text, size_t length) {
    (void)text, (void)length;
    ((struct counts *)context)->scalars++;
    return 1;
}

static int countKey(void *context, const unsigned char *text, size_t length) {
    (void)text, (void)length;
    ((struct counts *)context)->keys++;
    return 1;
}

static int countContainer(void *context) {
    ((struct counts *)context)->containers++;
    return 1;
}

static int ignoreEnd(void *context) {
    (void)context;
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 2) die("usage: yajl-count FEED");
    static const yajl_callbacks callbacks = {
        .yajl_null = countNull,
        .yajl_boolean = countBoolean,
        .yajl_number = countNumber,
        .yajl_string = countString,
        .yajl_start_map = countContainer,
        .yajl_map_key = countKey,
        .yajl_end_map = ignoreEnd,
        .yajl_start_array = countContainer,
        .yajl_end_array = ignoreEnd,
    };
    struct counts counts = {0, 0, 0};
    double start = now();
    yajl_handle parser = yajl_alloc(&callbacks, NULL, &counts);
    if (parser == NULL) die("out of memory");
    uint64_t bytes = parseFeed(parser, argv[1]);
    yajl_free(parser);
    double seconds = now() - start;
    printf("%llu bytes, %llu scalars, %llu keys, %llu containers\n", (unsigned long long)bytes,
           (unsigned long long)counts.scalars, (unsigned long long)counts.keys, (unsigned long long)counts.containers);
    printf("%.3f s, %.0f MB/s\n", seconds, (double)bytes / 1e6 / seconds);
    return 0;
}
