// The job of transit.jsonc in C's words: which fields of the feed become which columns. The order of the entities is
// that of the definition, the order of the columns that of Sluice's store: attributes, then relationships.
#pragma once

enum entity { entityRoute, entityStop, entityTrip, entityStopTime, entityCount, noEntity = -1 };

#include "entities.h"

static const struct entityDefinition entityDefinitions[entityCount] = {
    [entityRoute] = {"Route", "routes", "\"route_id\"", 5, 0, {
        {"route_id", "route_id", typeText, noEntity},
        {"short_name", "route_short_name", typeText, noEntity},
        {"long_name", "route_long_name", typeText, noEntity},
        {"type", "route_type", typeInteger, noEntity},
        {"color", "route_color", typeText, noEntity},
    }},
    [entityStop] = {"Stop", "stops", "\"stop_id\"", 5, 0, {
        {"stop_id", "stop_id", typeText, noEntity},
        {"name", "stop_name", typeText, noEntity},
        {"latitude", "stop_lat", typeReal, noEntity},
        {"longitude", "stop_lon", typeReal, noEntity},
        {"parent", "parent_station", typeReference, entityStop},
    }},
    [entityTrip] = {"Trip", "trips", "\"trip_id\"", 5, 0, {
        {"trip_id", "trip_id", typeText, noEntity},
        {"headsign", "trip_headsign", typeText, noEntity},
        {"service_id", "service_id", typeText, noEntity},
        {"direction", "direction_id", typeInteger, noEntity},
        {"route", "route_id", typeReference, entityRoute},
    }},
    [entityStopTime] = {"StopTime", "stop_times", "\"trip_id\", \"sequence\"", 8, -1, {
        {"trip_id", "trip_id", typeText, noEntity},
        {"sequence", "stop_sequence", typeInteger, noEntity},
        {"arrival", "arrival_time", typeText, noEntity},
        {"departure", "departure_time", typeText, noEntity},
        {"headsign", "stop_headsign", typeText, noEntity},
        {"distance", "shape_dist_traveled", typeReal, noEntity},
        {"trip", "trip_id", typeReference, entityTrip},
        {"stop", "stop_id", typeReference, entityStop},
    }},
};
