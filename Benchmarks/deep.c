// deep FEED STORE
//
// The job of deep.jsonc by hand, in the manner of baseline.c: one thread; yajl's callbacks fill records, prepared statements
// write them; the store is a new file, no journal, one transaction, one fsync, the indexes on references last.
//
// - A departure needs the id of its station, which comes after it: the departures of one station are kept in memory until it
//   ends, and the stations of one region until that ends.
// - An identifier gets its objectID when it is first seen, be it as a reference: so every row is written once, with its
//   references. One whose object never came is removed at the end.
// - Links are kept in memory (16 bytes each), sorted, and written last, in the order of their table.

#include <stdint.h>
#include <yajl/yajl_parse.h>

#include "arena.h"
#include "identifier-table.h"
#include "numbers.h"
#include "store.h"
#include "yajl-feed.h"

struct text {
    size_t offset;
    size_t length;
    int isSet;
};

// The objects that references find: their objectID is their place in the table, and one.
struct targets {
    struct identifierTable table;
    char *exists;  // by place
    size_t existsCapacity;
};

struct link {
    uint32_t source;
    uint32_t target;
    uint32_t position;
};

struct linkList {
    struct link *links;
    size_t count;
    size_t capacity;
};

struct departure {
    struct text time, platform;
    int64_t number, delay;
    uint32_t line, firstVia, viaCount;
    int hasNumber, hasDelay, isFaulty;
};

struct station {
    struct text id, name;
    uint32_t firstLine, lineCount;
};

struct numberList {
    uint32_t *numbers;
    size_t count;
    size_t capacity;
};

enum list { listNone, listRegions, listStations, listDepartures, listVia, listStationLines, listLines };

enum field {
    fieldNone, fieldId, fieldName, fieldColor, fieldNumber, fieldLine, fieldTime, fieldPlatform, fieldDelay,
    fieldRegions, fieldStations, fieldDepartures, fieldVia, fieldLines,
};

static const struct {
    const char *name;
    size_t length;
    enum field field;
} fields[] = {
    {"number", 6, fieldNumber}, {"line", 4, fieldLine}, {"time", 4, fieldTime}, {"platform", 8, fieldPlatform},
    {"via", 3, fieldVia}, {"delay", 5, fieldDelay}, {"departures", 10, fieldDepartures}, {"id", 2, fieldId},
    {"name", 4, fieldName}, {"lines", 5, fieldLines}, {"stations", 8, fieldStations}, {"regions", 7, fieldRegions},
    {"color", 5, fieldColor},
};

enum { fieldCount = sizeof fields / sizeof fields[0] };

static struct targets regions, stations, lines;
static struct linkList stationLines, departureVia;
static sqlite3_stmt *insertRegion, *insertStation, *insertDeparture, *insertLine;
static uint64_t records, duplicates, rejected;

// Depths: 1 the document, 2 its lists, 3 a region or a line, 4 stations, 5 a station, 6 departures or its lines,
// 7 a departure, 8 what it passes.
static struct {
    int depth;
    int skipped;  // depth of a container that nothing wants; 0: none
    enum list list[16];  // by depth
    enum field field;
    int nextField;
    struct text regionId, regionName, lineId, lineName, lineColor;
    struct station station;
    struct departure departure;
    struct arena departureTexts;  // of the departures of a station
    struct arena texts;  // of a line, or of a region and its stations
    struct departure *departures;
    size_t departureCount, departureCapacity;
    struct station *stationList;
    size_t stationCount, stationCapacity;
    struct numberList vias, stationLines;  // objectIDs
} reader;

// MARK: Lists that grow

static void *grown(void *list, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return list;
    *capacity = *capacity == 0 ? 1024 : *capacity * 2;
    list = realloc(list, *capacity * size);
    if (list == NULL) die("out of memory");
    return list;
}

static void addNumber(struct numberList *list, uint32_t number) {
    list->numbers = grown(list->numbers, list->count, &list->capacity, sizeof *list->numbers);
    list->numbers[list->count++] = number;
}

// A target that is named twice counts once.
static void addLinks(struct linkList *list, uint32_t source, const uint32_t *targets, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t earlier = 0;
        while (earlier < i && targets[earlier] != targets[i]) earlier++;
        if (earlier < i) continue;
        list->links = grown(list->links, list->count, &list->capacity, sizeof *list->links);
        list->links[list->count++] = (struct link){source, targets[i], i};
    }
}

static uint32_t objectIDOf(struct targets *targets, const char *text, size_t length) {
    size_t place = placeOfIdentifier(&targets->table, text, length);
    while (place >= targets->existsCapacity) {
        size_t old = targets->existsCapacity;
        targets->exists = grown(targets->exists, old, &targets->existsCapacity, 1);
        memset(targets->exists + old, 0, targets->existsCapacity - old);
    }
    return (uint32_t)place + 1;
}

// MARK: Rows

static void createTables(void) {
    execute("CREATE TABLE \"Line\" (\"objectID\" INTEGER PRIMARY KEY, \"id\" TEXT, \"name\" TEXT, \"color\" TEXT) STRICT");
    execute("CREATE TABLE \"Region\" (\"objectID\" INTEGER PRIMARY KEY, \"id\" TEXT, \"name\" TEXT) STRICT");
    execute("CREATE TABLE \"Station\" (\"objectID\" INTEGER PRIMARY KEY, \"id\" TEXT, \"name\" TEXT, \"region_name\" TEXT,"
            " \"region\" INTEGER REFERENCES \"Region\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED) STRICT");
    execute("CREATE TABLE \"Departure\" (\"objectID\" INTEGER PRIMARY KEY, \"station_id\" TEXT, \"number\" INTEGER,"
            " \"time\" TEXT, \"platform\" TEXT, \"delay\" INTEGER,"
            " \"station\" INTEGER REFERENCES \"Station\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED,"
            " \"line\" INTEGER REFERENCES \"Line\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED) STRICT");
    execute("CREATE TABLE \"Station_lines\" (\"source\" INTEGER NOT NULL REFERENCES \"Station\"(\"objectID\") DEFERRABLE"
            " INITIALLY DEFERRED, \"target\" INTEGER NOT NULL REFERENCES \"Line\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED,"
            " \"position\" INTEGER NOT NULL, PRIMARY KEY (\"source\", \"target\")) STRICT, WITHOUT ROWID");
    execute("CREATE TABLE \"Departure_via\" (\"source\" INTEGER NOT NULL REFERENCES \"Departure\"(\"objectID\") DEFERRABLE"
            " INITIALLY DEFERRED, \"target\" INTEGER NOT NULL REFERENCES \"Station\"(\"objectID\") DEFERRABLE INITIALLY DEFERRED,"
            " \"position\" INTEGER NOT NULL, PRIMARY KEY (\"source\", \"target\")) STRICT, WITHOUT ROWID");
    execute("CREATE UNIQUE INDEX \"Line_identifier\" ON \"Line\"(\"id\")");
    execute("CREATE UNIQUE INDEX \"Region_identifier\" ON \"Region\"(\"id\")");
    execute("CREATE UNIQUE INDEX \"Station_identifier\" ON \"Station\"(\"id\")");
    execute("CREATE UNIQUE INDEX \"Departure_identifier\" ON \"Departure\"(\"station_id\", \"number\")");
    insertLine = prepare("INSERT INTO \"Line\" VALUES (?, ?, ?, ?)");
    insertRegion = prepare("INSERT INTO \"Region\" VALUES (?, ?, ?)");
    insertStation = prepare("INSERT INTO \"Station\" VALUES (?, ?, ?, ?, ?)");
    insertDeparture = prepare("INSERT INTO \"Departure\" (\"station_id\", \"number\", \"time\", \"platform\", \"delay\","
                              " \"station\", \"line\") VALUES (?, ?, ?, ?, ?, ?, ?)");
}

static void bindText(sqlite3_stmt *statement, int index, const struct arena *arena, struct text text) {
    if (text.isSet) {
        sqlite3_bind_text(statement, index, arena->base + text.offset, (int)text.length, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(statement, index);
    }
}

static void bindObjectID(sqlite3_stmt *statement, int index, uint32_t objectID) {
    if (objectID != 0) {
        sqlite3_bind_int64(statement, index, objectID);
    } else {
        sqlite3_bind_null(statement, index);
    }
}

// The objectID of an object that has come, 0 if it came before.
static uint32_t newObject(struct targets *targets, const struct arena *arena, struct text id) {
    records++;
    if (!id.isSet) {
        rejected++;
        return 0;
    }
    uint32_t objectID = objectIDOf(targets, arena->base + id.offset, id.length);
    if (targets->exists[objectID - 1]) {
        duplicates++;
        return 0;
    }
    targets->exists[objectID - 1] = 1;
    return objectID;
}

static void endLine(void) {
    uint32_t objectID = newObject(&lines, &reader.texts, reader.lineId);
    if (objectID == 0) return;
    sqlite3_bind_int64(insertLine, 1, objectID);
    bindText(insertLine, 2, &reader.texts, reader.lineId);
    bindText(insertLine, 3, &reader.texts, reader.lineName);
    bindText(insertLine, 4, &reader.texts, reader.lineColor);
    insertRow(insertLine);
}

static void endDeparture(void) {
    reader.departures = grown(reader.departures, reader.departureCount, &reader.departureCapacity, sizeof *reader.departures);
    reader.departures[reader.departureCount++] = reader.departure;
}

static void writeDeparture(const struct departure *departure, struct text id, uint32_t station) {
    records++;
    if (!id.isSet || !departure->hasNumber || departure->isFaulty) {
        rejected++;
        return;
    }
    bindText(insertDeparture, 1, &reader.texts, id);
    sqlite3_bind_int64(insertDeparture, 2, departure->number);
    bindText(insertDeparture, 3, &reader.departureTexts, departure->time);
    bindText(insertDeparture, 4, &reader.departureTexts, departure->platform);
    if (departure->hasDelay) {
        sqlite3_bind_int64(insertDeparture, 5, departure->delay);
    } else {
        sqlite3_bind_null(insertDeparture, 5);
    }
    bindObjectID(insertDeparture, 6, station);
    bindObjectID(insertDeparture, 7, departure->line);
    if (!insertRow(insertDeparture)) {
        duplicates++;
        return;
    }
    uint32_t source = (uint32_t)sqlite3_last_insert_rowid(database);
    addLinks(&departureVia, source, reader.vias.numbers + departure->firstVia, departure->viaCount);
}

static void endStation(void) {
    struct station *station = &reader.station;
    station->lineCount = (uint32_t)reader.stationLines.count - station->firstLine;
    uint32_t objectID = station->id.isSet ? objectIDOf(&stations, reader.texts.base + station->id.offset, station->id.length) : 0;
    for (size_t i = 0; i < reader.departureCount; i++) writeDeparture(&reader.departures[i], station->id, objectID);
    reader.departureCount = 0;
    reader.vias.count = 0;
    reader.departureTexts.used = 0;
    reader.stationList = grown(reader.stationList, reader.stationCount, &reader.stationCapacity, sizeof *reader.stationList);
    reader.stationList[reader.stationCount++] = *station;
}

static void endRegion(void) {
    uint32_t region = newObject(&regions, &reader.texts, reader.regionId);
    if (region != 0) {
        sqlite3_bind_int64(insertRegion, 1, region);
        bindText(insertRegion, 2, &reader.texts, reader.regionId);
        bindText(insertRegion, 3, &reader.texts, reader.regionName);
        insertRow(insertRegion);
    } else if (reader.regionId.isSet) {
        region = objectIDOf(&regions, reader.texts.base + reader.regionId.offset, reader.regionId.length);
    }
    for (size_t i = 0; i < reader.stationCount; i++) {
        const struct station *station = &reader.stationList[i];
        uint32_t objectID = newObject(&stations, &reader.texts, station->id);
        if (objectID == 0) continue;
        sqlite3_bind_int64(insertStation, 1, objectID);
        bindText(insertStation, 2, &reader.texts, station->id);
        bindText(insertStation, 3, &reader.texts, station->name);
        bindText(insertStation, 4, &reader.texts, reader.regionName);
        bindObjectID(insertStation, 5, region);
        insertRow(insertStation);
        addLinks(&stationLines, objectID, reader.stationLines.numbers + station->firstLine, station->lineCount);
    }
    reader.stationCount = 0;
    reader.stationLines.count = 0;
}

// MARK: The end

static int compareLinks(const void *a, const void *b) {
    const struct link *one = a, *other = b;
    if (one->source != other->source) return one->source < other->source ? -1 : 1;
    return one->target < other->target ? -1 : one->target > other->target;
}

static void writeLinks(const char *sql, struct linkList *list, const struct targets *targets) {
    if (list->count == 0) return;
    sqlite3_stmt *insert = prepare(sql);
    qsort(list->links, list->count, sizeof *list->links, compareLinks);
    for (size_t i = 0; i < list->count; i++) {
        const struct link *link = &list->links[i];
        if (!targets->exists[link->target - 1]) continue;
        sqlite3_bind_int64(insert, 1, link->source);
        sqlite3_bind_int64(insert, 2, link->target);
        sqlite3_bind_int64(insert, 3, link->position);
        insertRow(insert);
    }
    sqlite3_finalize(insert);
}

// References to what never came. There are none in a good feed, so a scan of the table is no loss.
static void removeDangling(const struct targets *targets, const char *table, const char *column, const char *target) {
    int areAllThere = 1;
    for (size_t place = 0; place < targets->table.count; place++) areAllThere &= targets->exists[place];
    if (areAllThere) return;
    char sql[512];
    snprintf(sql, sizeof sql,
             "UPDATE \"%s\" SET \"%s\" = NULL WHERE \"%s\" NOT IN (SELECT \"objectID\" FROM \"%s\")", table, column, column, target);
    execute(sql);
}

static void createIndexes(void) {
    prepareForIndexes();
    execute("CREATE INDEX \"Station_region\" ON \"Station\"(\"region\")");
    execute("CREATE INDEX \"Departure_station\" ON \"Departure\"(\"station\")");
    execute("CREATE INDEX \"Departure_line\" ON \"Departure\"(\"line\")");
    execute("CREATE INDEX \"Station_lines_target\" ON \"Station_lines\"(\"target\")");
    execute("CREATE INDEX \"Departure_via_target\" ON \"Departure_via\"(\"target\")");
}

// MARK: Callbacks

static struct text keep(struct arena *arena, const char *text, size_t length) {
    return (struct text){copyToArena(arena, text, length), length, 1};
}

static void takeDepartureValue(const char *text, size_t length) {
    struct departure *departure = &reader.departure;
    switch (reader.field) {
    case fieldNumber:
        departure->hasNumber = 1;
        departure->isFaulty |= !readInteger(text, length, &departure->number);
        break;
    case fieldDelay:
        departure->hasDelay = 1;
        departure->isFaulty |= !readInteger(text, length, &departure->delay);
        break;
    case fieldTime: departure->time = keep(&reader.departureTexts, text, length); break;
    case fieldPlatform: departure->platform = keep(&reader.departureTexts, text, length); break;
    case fieldLine: departure->line = objectIDOf(&lines, text, length); break;
    default: break;
    }
}

static void takeValue(const char *text, size_t length) {
    if (reader.skipped != 0) return;
    switch (reader.depth) {
    case 8:
        addNumber(&reader.vias, objectIDOf(&stations, text, length));
        reader.departure.viaCount++;
        break;
    case 7: takeDepartureValue(text, length); break;
    case 6:
        if (reader.list[6] == listStationLines) addNumber(&reader.stationLines, objectIDOf(&lines, text, length));
        break;
    case 5:
        if (reader.field == fieldId) reader.station.id = keep(&reader.texts, text, length);
        if (reader.field == fieldName) reader.station.name = keep(&reader.texts, text, length);
        break;
    case 3:
        if (reader.list[2] == listRegions) {
            if (reader.field == fieldId) reader.regionId = keep(&reader.texts, text, length);
            if (reader.field == fieldName) reader.regionName = keep(&reader.texts, text, length);
        } else {
            if (reader.field == fieldId) reader.lineId = keep(&reader.texts, text, length);
            if (reader.field == fieldName) reader.lineName = keep(&reader.texts, text, length);
            if (reader.field == fieldColor) reader.lineColor = keep(&reader.texts, text, length);
        }
        break;
    default: break;
    }
}

static int onBoolean(void *context, int value) {
    (void)context;
    takeValue(value ? "true" : "false", value ? 4 : 5);
    return 1;
}

static int onNumber(void *context, const char *text, size_t length) {
    (void)context;
    takeValue(text, length);
    return 1;
}

static int onString(void *context, const unsigned char *text, size_t length) {
    (void)context;
    takeValue((const char *)text, length);
    return 1;
}

static int onKey(void *context, const unsigned char *text, size_t length) {
    (void)context;
    if (reader.skipped != 0) return 1;
    reader.field = fieldNone;
    int i = reader.nextField;
    for (int tried = 0; tried < fieldCount; tried++) {
        int found = i;
        if (++i == fieldCount) i = 0;
        if (fields[found].length == length && memcmp(fields[found].name, text, length) == 0) {
            reader.field = fields[found].field;
            reader.nextField = i;
            break;
        }
    }
    return 1;
}

static int onStartMap(void *context) {
    (void)context;
    reader.depth++;
    if (reader.skipped != 0) return 1;
    if (reader.depth == 1) {
        reader.field = fieldNone;
    } else if (reader.depth == 3 && reader.list[2] == listRegions) {
        reader.regionId = reader.regionName = (struct text){0};
        reader.texts.used = 0;
    } else if (reader.depth == 3 && reader.list[2] == listLines) {
        reader.lineId = reader.lineName = reader.lineColor = (struct text){0};
        reader.texts.used = 0;
    } else if (reader.depth == 5 && reader.list[4] == listStations) {
        reader.station = (struct station){.firstLine = (uint32_t)reader.stationLines.count};
    } else if (reader.depth == 7 && reader.list[6] == listDepartures) {
        reader.departure = (struct departure){.firstVia = (uint32_t)reader.vias.count};
        reader.nextField = 0;
    } else {
        reader.skipped = reader.depth;
    }
    reader.field = fieldNone;
    return 1;
}

static int onStartArray(void *context) {
    (void)context;
    reader.depth++;
    if (reader.skipped != 0) return 1;
    enum list list = listNone;
    if (reader.depth == 2 && reader.field == fieldRegions) list = listRegions;
    if (reader.depth == 2 && reader.field == fieldLines) list = listLines;
    if (reader.depth == 4 && reader.list[2] == listRegions && reader.field == fieldStations) list = listStations;
    if (reader.depth == 6 && reader.field == fieldDepartures) list = listDepartures;
    if (reader.depth == 6 && reader.field == fieldLines) list = listStationLines;
    if (reader.depth == 8 && reader.field == fieldVia) list = listVia;
    if (list == listNone) {
        reader.skipped = reader.depth;
    } else {
        reader.list[reader.depth] = list;
    }
    return 1;
}

static int onEndMap(void *context) {
    (void)context;
    int depth = reader.depth--;
    if (reader.skipped != 0) {
        if (reader.skipped == depth) reader.skipped = 0;
    } else if (depth == 7) {
        endDeparture();
    } else if (depth == 5) {
        endStation();
    } else if (depth == 3) {
        if (reader.list[2] == listRegions) {
            endRegion();
        } else {
            endLine();
        }
    }
    return 1;
}

static int onEndArray(void *context) {
    (void)context;
    if (reader.skipped == reader.depth) reader.skipped = 0;
    reader.depth--;
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: deep FEED STORE");
    static const yajl_callbacks callbacks = {
        .yajl_boolean = onBoolean,
        .yajl_number = onNumber,
        .yajl_string = onString,
        .yajl_start_map = onStartMap,
        .yajl_map_key = onKey,
        .yajl_end_map = onEndMap,
        .yajl_start_array = onStartArray,
        .yajl_end_array = onEndArray,
    };
    beginPhases();
    openStore(argv[2]);
    createTables();
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    if (parser == NULL) die("out of memory");
    parseFeed(parser, argv[1]);
    yajl_free(parser);
    endPhase("insert");

    writeLinks("INSERT INTO \"Station_lines\" VALUES (?, ?, ?)", &stationLines, &lines);
    writeLinks("INSERT INTO \"Departure_via\" VALUES (?, ?, ?)", &departureVia, &stations);
    removeDangling(&lines, "Departure", "line", "Line");
    removeDangling(&stations, "Departure", "station", "Station");
    endPhase("update");

    createIndexes();
    endPhase("index");

    sqlite3_stmt *const statements[] = {insertLine, insertRegion, insertStation, insertDeparture};
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) sqlite3_finalize(statements[i]);
    closeStore(argv[2]);
    endPhase("sync");
    fprintf(stderr, "%llu records, %llu duplicates, %llu rejected\n", (unsigned long long)records, (unsigned long long)duplicates,
            (unsigned long long)rejected);
    return 0;
}
