// generate-wide SCALE > feed.ndjson
//
// Writes wide records, one a line, the same bytes on every machine: products with sixty fields, half of them texts. At
// scale 1: 200,000 records. Uneven where real feeds are: a twelfth of the fields is null, another one absent, numbers are
// written as strings now and then, a field in ten records is one that nobody asks for, times have offsets.

#include <math.h>

#include "output.h"
#include "wide-columns.h"

enum { recordsAtScale1 = 200000 };

static uint64_t draw(uint64_t stream, uint64_t index) {
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u + (stream + 1) * 0xD1B54A32D192ED03u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static const char *const words[] = {
    "Regenschirm", "blau", "Größe", "robust", "Edelstahl", "handmade", "Baumwolle", "wasserdicht", "\\\"Classic\\\"", "leicht",
    "für", "Kinder", "extra", "Sommer", "Winter", "Qualit\\u00e4t", "neu", "faltbar", "Griff", "Tasche", "mit", "ohne",
    "Leder", "rot", "50\\/50", "Garten", "naturel", "crème", "été", "Premium", "Set", "Zubehör",
};

static void putWords(uint64_t random, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0) put(i % 12 == 11 ? ".\\n" : " ");
        put(words[random % 32]);
        random = random >> 5 | random << 59;
        random *= 0x9E3779B97F4A7C15u | 1;
    }
}

static void putDay(uint64_t random) {
    putUnsigned(1995 + random % 31);
    putByte('-');
    putTwoDigits(1 + (random >> 8) % 12);
    putByte('-');
    putTwoDigits(1 + (random >> 16) % 28);
}

static void putDecimals(uint64_t whole, uint64_t decimals) {
    putUnsigned(whole);
    putByte('.');
    putTwoDigits(decimals % 100);
}

static void putText(enum wideColumn column, uint64_t random) {
    switch (column) {
    case column_ean:
        putUnsigned(4000000000000u + random % 1000000000000u);
        break;
    case column_description: putWords(random, 15 + random % 30); break;
    case column_short_description: putWords(random, 5 + random % 8); break;
    case column_care_instructions: putWords(random, 6 + random % 10); break;
    case column_note: putWords(random, 2 + random % 10); break;
    case column_keywords: putWords(random, 3 + random % 5); break;
    case column_url:
    case column_image_url:
        put("https:\\/\\/shop.example.org\\/");
        put(column == column_url ? "products\\/" : "images\\/");
        putUnsigned(random % 10000000000u);
        break;
    case column_currency: put(random % 4 == 0 ? "CHF" : "EUR"); break;
    case column_language: put(random % 3 == 0 ? "de-AT" : "de"); break;
    case column_category:
        put("C");
        putUnsigned(100 + random % 400);
        break;
    default: putWords(random, 1 + random % 3); break;
    }
}

static void putDatetime(uint64_t random) {
    putDay(random);
    putByte('T');
    putTwoDigits((random >> 24) % 24);
    putByte(':');
    putTwoDigits((random >> 32) % 60);
    putByte(':');
    putTwoDigits((random >> 40) % 60);
    if ((random >> 48) % 4 == 0) {
        putByte('.');
        putTwoDigits((random >> 50) % 100);
        putByte('0');
    }
    put((random >> 60) % 3 == 0 ? "+02:00" : "Z");
}

static void putValue(enum wideColumn column, uint64_t random) {
    int isString = (random >> 52) % 16 == 0;
    const char *quote = isString ? "\"" : "";
    switch (wideColumns[column].type) {
    case wideText:
        putByte('"');
        putText(column, random);
        putByte('"');
        break;
    case wideInteger:
        put(quote);
        if (random % 50 == 0) putByte('-');
        putUnsigned(1 + (random >> 8) % (column == column_views ? 10000000 : 5000));
        put(quote);
        break;
    case wideReal:
        put(quote);
        if (random % 10 == 0) putByte('-');
        putUnsigned((random >> 8) % 180);
        putByte('.');
        putSixDigits((random >> 16) % 1000000);
        put(quote);
        break;
    case wideDecimal:
        put(quote);
        putDecimals((random >> 8) % 2000, random >> 20);
        put(quote);
        break;
    case wideBoolean: put(isString ? (random & 1 ? "1" : "0") : (random & 1 ? "true" : "false")); break;
    case wideDate:
        putByte('"');
        putDay(random);
        putByte('"');
        break;
    case wideDatetime:
        putByte('"');
        putDatetime(random);
        putByte('"');
        break;
    }
}

static void putRecord(uint64_t record, uint64_t identifier) {
    put("{\"sku\":\"A-");
    putUnsigned(10000000 + identifier);
    putByte('"');
    for (int column = 1; column < wideColumnCount; column++) {
        uint64_t random = draw((uint64_t)column, record);
        uint64_t options = (random >> 56) % 12;
        if (options == 0) continue;
        put(",\"");
        put(wideColumns[column].name);
        put("\":");
        if (options == 1) {
            put("null");
        } else {
            putValue((enum wideColumn)column, random);
        }
    }
    if (draw(1000, record) % 10 == 0) put(",\"legacy\":{\"id\":17,\"tags\":[\"a\",\"b\"]}");
    put("}\n");
}

int main(int argc, char **argv) {
    char *end = NULL;
    double scale = argc == 2 ? strtod(argv[1], &end) : 0;
    if (!(scale > 0) || *end != '\0') {
        fprintf(stderr, "usage: generate-wide SCALE > feed.ndjson\n");
        return 64;
    }
    uint64_t records = (uint64_t)llround(scale * recordsAtScale1);
    if (records == 0) records = 1;
    // Identifiers come in no order. The step is a prime and larger than any number of records: all are different.
    for (uint64_t record = 0; record < records; record++) putRecord(record, record * 40503 % 89999999);
    flushOutput();
    return 0;
}
