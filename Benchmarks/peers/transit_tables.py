"""The job of transit.jsonc, as the peers get it: which fields become which columns.

A peer keeps references as the identifiers of their targets, as it would be used: no joins, no keys of its own. That is less
work than Sluice and the baseline have, and the tables say as much. StopTime's reference to its trip is its trip_id.
"""

# table: (list in the feed, primary key, {column: (field, SQL type)}, {reference: table})
TABLES = {
    "Route": (
        "routes",
        ["route_id"],
        {
            "route_id": ("route_id", "TEXT"),
            "short_name": ("route_short_name", "TEXT"),
            "long_name": ("route_long_name", "TEXT"),
            "type": ("route_type", "INTEGER"),
            "color": ("route_color", "TEXT"),
        },
        {},
    ),
    "Stop": (
        "stops",
        ["stop_id"],
        {
            "stop_id": ("stop_id", "TEXT"),
            "name": ("stop_name", "TEXT"),
            "latitude": ("stop_lat", "REAL"),
            "longitude": ("stop_lon", "REAL"),
            "parent": ("parent_station", "TEXT"),
        },
        {"parent": "Stop"},
    ),
    "Trip": (
        "trips",
        ["trip_id"],
        {
            "trip_id": ("trip_id", "TEXT"),
            "headsign": ("trip_headsign", "TEXT"),
            "service_id": ("service_id", "TEXT"),
            "direction": ("direction_id", "INTEGER"),
            "route": ("route_id", "TEXT"),
        },
        {"route": "Route"},
    ),
    "StopTime": (
        "stop_times",
        ["trip_id", "sequence"],
        {
            "trip_id": ("trip_id", "TEXT"),
            "sequence": ("stop_sequence", "INTEGER"),
            "arrival": ("arrival_time", "TEXT"),
            "departure": ("departure_time", "TEXT"),
            "headsign": ("stop_headsign", "TEXT"),
            "distance": ("shape_dist_traveled", "REAL"),
            "stop": ("stop_id", "TEXT"),
        },
        {"stop": "Stop", "trip_id": "Trip"},
    ),
}

LISTS = [definition[0] for definition in TABLES.values()]


def reference_name(table, column):
    """What Sluice calls a reference."""
    return "trip" if (table, column) == ("StopTime", "trip_id") else column


def split_path(feed, name):
    """Where the records of one list of a feed stand, one a line: feed.json, feed.stops.ndjson."""
    return f"{feed.removesuffix('.json')}.{name}.ndjson"


def sync(path):
    """Nothing is done before it is on the disk."""
    import os

    descriptor = os.open(path, os.O_RDWR)
    os.fsync(descriptor)
    os.close(descriptor)
