// generate-transit SCALE [forward|backward] [changed] [LIST] > feed.json
//
// Writes a transit feed, one JSON document in the shape of GTFS, the same bytes on every machine. At scale 1:
// 3,000,000 stop times, 187,288 trips, 10,000 stops, 500 routes, about 519 MB.
//
//   forward   stop_times first, then trips, routes, stops: every reference names something that comes later
//   backward  stops, routes, trips, stop_times: every reference but a stop's parent names something known
//   changed   the feed of the next night: of trips, stop times and stops, 1 % changed, 0.1 % new, 0.1 % gone; 1 % of
//             the routes changed
//   LIST      stop_times, trips, routes or stops: the records of that list alone, one a line
//
// Every field is computed from the index of its record, not from the state of a running generator, so that both
// directions hold the same records and no list needs to be kept in memory.
//
// The feed is uneven where real feeds are: fields that are absent when they have their default value, numbers written
// as strings (stop_lat, direction_id), identifiers written as a string here and as a number there (route_id), fields
// that no pipeline asks for, letters beyond ASCII and JSON's escapes. Trips are grouped by route, and the routes are not
// in the order of their ids, so that an index on trip_id does not grow at its end only.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

#define STOP_TIMES_AT_SCALE_1 3000000
#define STOPS_AT_SCALE_1 10000
#define ROUTES_AT_SCALE_1 500

enum {
    firstRouteId = 17100,
    firstStopId = 900100000,
    firstTripId = 186000000,
    tripIdsPerRoute = 1000,
    shortestTrip = 6,
    longestTrip = 26,
    // One station among five stops; the others are its platforms or stand alone.
    stopsPerStation = 5,
    stationPlace = 2,
    // What the next night brings has identifiers that were free.
    newTripIds = 500,
    newStopIds = 5000000,
};

static struct {
    uint64_t stopTimes;
    uint64_t trips;
    uint64_t stops;
    uint64_t routes;
    uint64_t routeStep;  // coprime with routes: place of a route in the feed -> its number
    int isChanged;
    int isLines;  // one list, a record a line
} feed;

// MARK: Random, but the same everywhere

// Each purpose draws from a stream of its own, so that adding a field does not change the others.
enum stream {
    streamTripLength = 1,
    streamTripStart,
    streamTripHeadsign,
    streamTripService,
    streamTripOptions,
    streamStopTime,
    streamLine,
    streamStopName,
    streamStopPlace,
    streamStopOptions,
    streamRoute,
    streamTripChange,
    streamStopTimeChange,
    streamStopChange,
    streamRouteChange,
};

// SplitMix64's finalizer over (stream, index).
static uint64_t draw(enum stream stream, uint64_t index) {
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u + (uint64_t)stream * 0xD1B54A32D192ED03u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// MARK: What the next night changes

enum change { changeNone, changeGone, changeTwin, changeValue };

// 0.1 % are gone, 0.1 % get a twin, which is new, 1 % have other values.
static enum change changeOf(enum stream stream, uint64_t index) {
    if (!feed.isChanged) return changeNone;
    uint64_t random = draw(stream, index) % 1000;
    if (random == 0) return changeGone;
    if (random == 1) return changeTwin;
    return random < 12 ? changeValue : changeNone;
}

// MARK: Names, as they stand in JSON: some letters beyond ASCII are escaped, most are not

static const char *const placeNames[] = {
    "Alexanderplatz", "Möckernbrücke", "Zoologischer Garten", "Gr\\u00fcnau", "Schöneweide",
    "Kottbusser Tor", "Hallesches Tor", "Weißensee", "Köpenick", "Frankfurter Allee",
    "Rathaus Steglitz", "Brückenstraße", "Am Großen Wannsee", "Caf\\u00e9 \\\"Moskau\\\"",
    "Osloer Straße", "Adlershof", "Warschauer Straße", "Südkreuz", "Hermannplatz",
    "Platz der Luftbrücke", "Lübars, Alte Fasanerie", "Betriebshof Lichtenberg",
    "Ostbahnhof \\/ Straße der Pariser Kommune", "Nordbahnhof", "Friedrichshagen, Marktplatz",
    "Łódź Fabryczna", "Gesundbrunnen", "Turmstraße", "Rosa-Luxemburg-Platz", "Karlshorst",
};

static const char *const placePrefixes[] = {"", "", "S ", "U ", "S+U ", "Bhf ", "Abzw. ", ""};

static const char *const placeSuffixes[] = {"", "", " (Berlin)", " Nord", " Süd", " [Gleis 3]", " Mitte", " \\u2013 Halle"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void putPlace(uint64_t random) {
    put(placePrefixes[random % COUNT(placePrefixes)]);
    put(placeNames[(random >> 8) % COUNT(placeNames)]);
    put(placeSuffixes[(random >> 24) % COUNT(placeSuffixes)]);
}

// MARK: What belongs to what

static uint64_t tripLength(uint64_t trip) {
    return shortestTrip + draw(streamTripLength, trip) % (longestTrip - shortestTrip + 1);
}

// Trips of one route stand together; the routes are in no order.
static uint64_t routeOfTrip(uint64_t trip) {
    uint64_t place = trip * feed.routes / feed.trips;
    return place * feed.routeStep % feed.routes;
}

static uint64_t tripId(uint64_t trip) {
    uint64_t place = trip * feed.routes / feed.trips;
    uint64_t firstOfRoute = (place * feed.trips + feed.routes - 1) / feed.routes;
    return firstTripId + routeOfTrip(trip) * tripIdsPerRoute + (trip - firstOfRoute);
}

static uint64_t directionOfTrip(uint64_t trip) { return trip & 1; }

static int isStation(uint64_t stop) { return stop % stopsPerStation == stationPlace; }

// A station never goes, and of two platforms side by side only the first can: the other takes its trains.
static enum change changeOfStop(uint64_t stop) {
    if (!feed.isChanged) return changeNone;
    int canGo = (stop % stopsPerStation == 0 || stop % stopsPerStation == 3) && stop + 1 < feed.stops;
    if (canGo && draw(streamStopChange, stop) % 400 == 0) return changeGone;
    enum change change = changeOf(streamStopChange, stop);
    return change == changeGone ? changeNone : change;
}

// All trips of a route call at the same stops, in one order or the other. Nothing stops at a station as such, only at
// its platforms.
static uint64_t stopOfTrip(uint64_t route, uint64_t direction, uint64_t call) {
    uint64_t place = direction == 0 ? call : longestTrip - 1 - call;
    uint64_t stop = draw(streamLine, route * longestTrip + place) % feed.stops;
    if (isStation(stop)) stop = stop + 1 < feed.stops ? stop + 1 : 0;
    return changeOfStop(stop) == changeGone ? stop + 1 : stop;
}

// MARK: Records

// GTFS counts the hours of a service day beyond midnight: 25:10:00.
static void putTime(uint64_t seconds) {
    putTwoDigits(seconds / 3600);
    putByte(':');
    putTwoDigits(seconds / 60 % 60);
    putByte(':');
    putTwoDigits(seconds % 60);
}

static uint64_t recordsInList;

static void beginList(const char *name) {
    recordsInList = 0;
    if (feed.isLines) return;
    putByte('"');
    put(name);
    put("\":[\n");
}

static void beginRecord(void) {
    if (recordsInList++ > 0) put(feed.isLines ? "\n" : ",\n");
    putByte('{');
}

static void endList(void) { put(feed.isLines ? "\n" : "\n]"); }

// The first `count` stops that a trip calls at, as those of the trip `id`, which starts `delay` seconds later.
static void putCalls(uint64_t trip, uint64_t count, uint64_t id, uint64_t delay) {
    uint64_t length = tripLength(trip);
    uint64_t route = routeOfTrip(trip);
    uint64_t direction = directionOfTrip(trip);
    uint64_t time = 4 * 3600 + draw(streamTripStart, trip) % (21 * 60) * 60 + delay;
    uint64_t tenthsOfMetres = 0;
    for (uint64_t call = 0; call < count; call++) {
        uint64_t random = draw(streamStopTime, trip * longestTrip + call);
        enum change change = changeOf(streamStopTimeChange, trip * longestTrip + call);
        beginRecord();
        put("\"trip_id\":\"");
        putUnsigned(id);
        put("\",\"stop_sequence\":");
        putUnsigned(call);
        put(",\"arrival_time\":\"");
        putTime(time);
        uint64_t dwell = random % 8 == 0 ? 30 : 0;
        put("\",\"departure_time\":\"");
        putTime(time + dwell + (change == changeValue ? 20 : 0));
        put("\",\"stop_id\":\"");
        // Every other changed one stops somewhere else.
        int isMoved = change == changeValue && random % 2 == 0;
        putUnsigned(firstStopId + stopOfTrip(isMoved ? (route + 1) % feed.routes : route, direction, call));
        putByte('"');
        if ((random >> 8) % 20 == 0) {
            put(",\"stop_headsign\":\"");
            putPlace(random >> 16);
            putByte('"');
        }
        if (call + 1 == length) put(",\"pickup_type\":1");
        if (call == 0) put(",\"drop_off_type\":1");
        put(",\"shape_dist_traveled\":");
        putUnsigned(tenthsOfMetres / 10);
        if (tenthsOfMetres % 10 != 0) {
            putByte('.');
            putUnsigned(tenthsOfMetres % 10);
        }
        if ((random >> 40) % 5 != 0) put(",\"timepoint\":0");
        putByte('}');
        time += dwell + 60 + (random >> 48) % 4 * 30;
        tenthsOfMetres += 2500 + (random >> 50) % 9000;
    }
}

static void putStopTimes(void) {
    beginList("stop_times");
    uint64_t left = feed.stopTimes;
    for (uint64_t trip = 0; left > 0; trip++) {
        uint64_t length = tripLength(trip);
        uint64_t count = length < left ? length : left;
        enum change change = changeOf(streamTripChange, trip);
        if (change != changeGone) putCalls(trip, count, tripId(trip), 0);
        if (change == changeTwin) putCalls(trip, count, tripId(trip) + newTripIds, 600);
        left -= count;
    }
    endList();
}

static void putTrip(uint64_t trip, uint64_t id, int hasChanged) {
    uint64_t options = draw(streamTripOptions, trip);
    beginRecord();
    put("\"route_id\":");
    putUnsigned(firstRouteId + routeOfTrip(trip));
    put(",\"service_id\":");
    putUnsigned(1 + (draw(streamTripService, trip) + (hasChanged ? 1 : 0)) % 900);
    put(",\"trip_id\":\"");
    putUnsigned(id);
    put("\",\"trip_headsign\":\"");
    putPlace(draw(streamTripHeadsign, trip));
    put("\",\"direction_id\":\"");
    putUnsigned(directionOfTrip(trip));
    putByte('"');
    if (options % 4 == 0) {
        put(",\"block_id\":null");
    }
    put(",\"bikes_allowed\":");
    putUnsigned((options >> 8) % 3);
    putByte('}');
}

static void putTrips(void) {
    beginList("trips");
    for (uint64_t trip = 0; trip < feed.trips; trip++) {
        enum change change = changeOf(streamTripChange, trip);
        if (change != changeGone) putTrip(trip, tripId(trip), change == changeValue);
        if (change == changeTwin) putTrip(trip, tripId(trip) + newTripIds, 0);
    }
    endList();
}

static void putRoutes(void) {
    static const uint64_t types[] = {3, 3, 3, 700, 900, 109, 400, 2};
    beginList("routes");
    for (uint64_t route = 0; route < feed.routes; route++) {
        uint64_t random = draw(streamRoute, route);
        beginRecord();
        put("\"route_id\":\"");
        putUnsigned(firstRouteId + route);
        put("\",\"agency_id\":");
        putUnsigned(1 + random % 30);
        put(",\"route_short_name\":\"");
        put((random >> 8) % 4 == 0 ? "M" : "");
        putUnsigned(100 + route + (changeOf(streamRouteChange, route) == changeValue ? 1000 : 0));
        put("\",\"route_long_name\":");
        if ((random >> 12) % 3 == 0) {
            put("null");
        } else {
            putByte('"');
            putPlace(random >> 16);
            put(" ↔ ");
            putPlace(random >> 20);
            putByte('"');
        }
        put(",\"route_type\":");
        putUnsigned(types[(random >> 32) % COUNT(types)]);
        if ((random >> 36) % 5 != 0) {
            put(",\"route_color\":\"");
            putSixHexDigits((uint32_t)(random >> 40));
            putByte('"');
        }
        putByte('}');
    }
    endList();
}

// Written as a string, as in many feeds that were made from CSV.
static void putCoordinate(const char *name, uint64_t degrees, uint64_t random) {
    put(",\"");
    put(name);
    put("\":\"");
    putUnsigned(degrees);
    putByte('.');
    putSixDigits(random % 1000000);
    putByte('"');
}

static void putStop(uint64_t stop, uint64_t id, int hasChanged) {
    uint64_t place = draw(streamStopPlace, stop);
    uint64_t options = draw(streamStopOptions, stop);
    beginRecord();
    put("\"stop_id\":\"");
    putUnsigned(id);
    put("\",\"stop_code\":");
    if (options % 3 == 0) {
        put("null");
    } else {
        putUnsigned(options % 100000);
    }
    put(",\"stop_name\":\"");
    putPlace(draw(streamStopName, stop));
    putByte('"');
    putCoordinate("stop_lat", 52, hasChanged ? place + 1 : place);
    putCoordinate("stop_lon", 13, place >> 24);
    put(",\"location_type\":");
    putUnsigned(isStation(stop));
    put(",\"parent_station\":");
    // A station stands in the midst of its platforms: some name it before it is known, some after.
    uint64_t station = stop / stopsPerStation * stopsPerStation + stationPlace;
    if (!isStation(stop) && station < feed.stops && (options >> 24) % 10 < 6) {
        putByte('"');
        putUnsigned(firstStopId + station);
        putByte('"');
    } else {
        put("null");
    }
    putByte('}');
}

static void putStops(void) {
    beginList("stops");
    for (uint64_t stop = 0; stop < feed.stops; stop++) {
        enum change change = changeOfStop(stop);
        if (change != changeGone) putStop(stop, firstStopId + stop, change == changeValue);
        if (change == changeTwin) putStop(stop, firstStopId + stop + newStopIds, 0);
    }
    endList();
}

// MARK: The document

static uint64_t greatestCommonDivisor(uint64_t a, uint64_t b) { return b == 0 ? a : greatestCommonDivisor(b, a % b); }

static uint64_t scaled(double scale, uint64_t count) {
    uint64_t result = (uint64_t)llround(scale * (double)count);
    return result > 0 ? result : 1;
}

static void plan(double scale) {
    feed.stopTimes = scaled(scale, STOP_TIMES_AT_SCALE_1);
    feed.stops = scaled(scale, STOPS_AT_SCALE_1);
    feed.routes = scaled(scale, ROUTES_AT_SCALE_1);
    feed.trips = 0;
    for (uint64_t calls = 0; calls < feed.stopTimes; feed.trips++) calls += tripLength(feed.trips);
    if (feed.routes > feed.trips) feed.routes = feed.trips;
    feed.routeStep = feed.routes / 3 + 1;
    while (greatestCommonDivisor(feed.routeStep, feed.routes) != 1) feed.routeStep++;
}

static const struct {
    const char *name;
    void (*write)(void);
} lists[] = {{"stop_times", putStopTimes}, {"trips", putTrips}, {"routes", putRoutes}, {"stops", putStops}};

static void putDocument(int isBackward) {
    put("{\"feed_info\":{\"publisher\":\"Verkehrsbetriebe \\u00d6st\\/West\",\"language\":\"de\"},\n");
    for (size_t place = 0; place < COUNT(lists); place++) {
        if (place > 0) put(",\n");
        lists[isBackward ? COUNT(lists) - 1 - place : place].write();
    }
    put("}\n");
}

static int usage(void) {
    fprintf(stderr, "usage: generate-transit SCALE [forward|backward] [changed] [LIST] > feed.json\n");
    return 64;
}

int main(int argc, char **argv) {
    if (argc < 2) return usage();
    char *end;
    double scale = strtod(argv[1], &end);
    // Beyond 100, the ids of the stops would change their length.
    if (end == argv[1] || *end != '\0' || !(scale > 0) || scale > 100) return usage();
    int isBackward = 0;
    void (*writeList)(void) = NULL;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "backward") == 0) {
            isBackward = 1;
        } else if (strcmp(argv[i], "changed") == 0) {
            feed.isChanged = 1;
        } else if (strcmp(argv[i], "forward") != 0) {
            for (size_t list = 0; list < COUNT(lists); list++) {
                if (strcmp(argv[i], lists[list].name) == 0) writeList = lists[list].write;
            }
            if (writeList == NULL) return usage();
        }
    }

    plan(scale);
    feed.isLines = writeList != NULL;
    if (writeList != NULL) {
        writeList();
    } else {
        putDocument(isBackward);
    }
    flushOutput();
    return 0;
}
