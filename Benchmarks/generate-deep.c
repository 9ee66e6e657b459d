// generate-deep SCALE > feed.json
//
// Writes one document of regions, their stations, and the departures of each station, the same bytes on every machine. At
// scale 1: 2,000 stations in 10 regions, 1,000,000 departures with 1,500,000 stations on their way, 300 lines. The id of a
// station and the name of a region come after the arrays within them; the lines come last.

#include <math.h>

#include "output.h"

enum { stationsAtScale1 = 2000, stationsPerRegion = 200, departuresPerStation = 500, lineCount = 300 };

static uint64_t draw(uint64_t stream, uint64_t index) {
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u + stream * 0xD1B54A32D192ED03u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void putStationId(uint64_t station) {
    put("\"de:");
    putUnsigned(11000 + station / stationsPerRegion);
    putByte(':');
    putUnsigned(900000000 + station);
    putByte('"');
}

static void putLineId(uint64_t line) {
    put("\"L");
    putUnsigned(1000 + line % lineCount);
    putByte('"');
}

static void putDeparture(uint64_t station, uint64_t number, uint64_t stations) {
    uint64_t random = draw(1, station * departuresPerStation + number);
    put(number == 0 ? "\n{\"number\":" : ",\n{\"number\":");
    putUnsigned(number);
    put(",\"line\":");
    putLineId(station + random % 8);
    put(",\"time\":\"");
    putTwoDigits(4 + number * 20 / departuresPerStation);
    putByte(':');
    putTwoDigits((random >> 8) % 60);
    put(":00\",\"platform\":");
    if ((random >> 16) % 3 == 0) {
        put("null");
    } else {
        putByte('"');
        putUnsigned(1 + (random >> 20) % 12);
        putByte('"');
    }
    put(",\"via\":[");
    uint64_t count = (random >> 30) % 4;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0) putByte(',');
        // Odd steps up to a stride apart: no station twice.
        putStationId((station + 1 + i * 7 + (random >> 40) % 7) % stations);
    }
    put("]");
    if ((random >> 50) % 4 != 0) {
        put(",\"delay\":");
        putUnsigned((random >> 52) % 30 * 60);
    }
    put(",\"remarks\":{\"bikes\":true,\"texts\":[\"");
    put((random >> 58) % 2 == 0 ? "F\\u00e4hrt nicht über Südkreuz" : "Hält überall");
    put("\"]}}");
}

static void putStation(uint64_t station, uint64_t stations) {
    put(station % stationsPerRegion == 0 ? "\n{\"departures\":[" : ",\n{\"departures\":[");
    for (uint64_t number = 0; number < departuresPerStation; number++) putDeparture(station, number, stations);
    put("\n],\"id\":");
    putStationId(station);
    put(",\"name\":\"Bahnhof Nr. ");
    putUnsigned(station);
    put(" (Süd)\",\"lines\":[");
    for (uint64_t i = 0; i < 8; i++) {
        if (i > 0) putByte(',');
        putLineId(station + i);
    }
    put("]}");
}

int main(int argc, char **argv) {
    char *end = NULL;
    double scale = argc == 2 ? strtod(argv[1], &end) : 0;
    if (!(scale > 0) || *end != '\0' || scale > 10000) {
        fprintf(stderr, "usage: generate-deep SCALE > feed.json\n");
        return 64;
    }
    uint64_t stations = (uint64_t)llround(scale * stationsAtScale1);
    if (stations < 24) stations = 24;
    put("{\"generated\":\"2026-11-20T02:00:00Z\",\"regions\":[");
    for (uint64_t station = 0; station < stations; station++) {
        uint64_t region = station / stationsPerRegion;
        if (station % stationsPerRegion == 0) {
            put(region == 0 ? "\n{\"id\":\"R" : ",\n{\"id\":\"R");
            putUnsigned(region);
            put("\",\"stations\":[");
        }
        putStation(station, stations);
        if ((station + 1) % stationsPerRegion == 0 || station + 1 == stations) {
            put("\n],\"name\":\"Region Nr. ");
            putUnsigned(region);
            put("\"}");
        }
    }
    put("\n],\n\"lines\":[");
    for (uint64_t line = 0; line < lineCount; line++) {
        put(line == 0 ? "\n{\"id\":" : ",\n{\"id\":");
        putLineId(line);
        put(",\"name\":\"Linie ");
        putUnsigned(line);
        put("\",\"color\":\"#");
        putSixHexDigits((uint32_t)draw(2, line));
        put("\"}");
    }
    put("\n]}\n");
    flushOutput();
    return 0;
}
