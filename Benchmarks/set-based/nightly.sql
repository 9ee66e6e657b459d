-- A night: new objects, then all that has changed, references among it, then what the feed lacks.
ANALYZE new_route; ANALYZE new_stop; ANALYZE new_trip; ANALYZE new_stop_time;
INSERT INTO "Route" ("objectID", route_id) SELECT (SELECT max("objectID") FROM "Route") + row_number() OVER (), n.route_id
    FROM new_route n LEFT JOIN "Route" o USING (route_id) WHERE o."objectID" IS NULL;
INSERT INTO "Stop" ("objectID", stop_id) SELECT (SELECT max("objectID") FROM "Stop") + row_number() OVER (), n.stop_id
    FROM new_stop n LEFT JOIN "Stop" o USING (stop_id) WHERE o."objectID" IS NULL;
INSERT INTO "Trip" ("objectID", trip_id) SELECT (SELECT max("objectID") FROM "Trip") + row_number() OVER (), n.trip_id
    FROM new_trip n LEFT JOIN "Trip" o USING (trip_id) WHERE o."objectID" IS NULL;
INSERT INTO "StopTime" ("objectID", trip_id, sequence)
    SELECT (SELECT max("objectID") FROM "StopTime") + row_number() OVER (), n.trip_id, n.sequence
    FROM new_stop_time n LEFT JOIN "StopTime" o USING (trip_id, sequence) WHERE o."objectID" IS NULL;
UPDATE "Route" o SET short_name = n.short_name, long_name = n.long_name, type = n.type, color = n.color
    FROM new_route n WHERE n.route_id = o.route_id
    AND (o.short_name, o.long_name, o.type, o.color) IS DISTINCT FROM (n.short_name, n.long_name, n.type, n.color);
UPDATE "Stop" o SET name = n.name, latitude = n.latitude, longitude = n.longitude, parent = p."objectID"
    FROM new_stop n LEFT JOIN "Stop" p ON p.stop_id = n.parent WHERE n.stop_id = o.stop_id
    AND (o.name, o.latitude, o.longitude, o.parent) IS DISTINCT FROM (n.name, n.latitude, n.longitude, p."objectID");
UPDATE "Trip" o SET headsign = n.headsign, service_id = n.service_id, direction = n.direction, route = r."objectID"
    FROM new_trip n LEFT JOIN "Route" r ON r.route_id = n.route WHERE n.trip_id = o.trip_id
    AND (o.headsign, o.service_id, o.direction, o.route) IS DISTINCT FROM (n.headsign, n.service_id, n.direction, r."objectID");
UPDATE "StopTime" o SET arrival = n.arrival, departure = n.departure, headsign = n.headsign, distance = n.distance,
        trip = t."objectID", stop = p."objectID"
    FROM new_stop_time n LEFT JOIN "Trip" t ON t.trip_id = n.trip LEFT JOIN "Stop" p ON p.stop_id = n.stop
    WHERE n.trip_id = o.trip_id AND n.sequence = o.sequence
    AND (o.arrival, o.departure, o.headsign, o.distance, o.trip, o.stop)
        IS DISTINCT FROM (n.arrival, n.departure, n.headsign, n.distance, t."objectID", p."objectID");
DELETE FROM "StopTime" o WHERE NOT EXISTS
    (SELECT FROM new_stop_time n WHERE n.trip_id = o.trip_id AND n.sequence = o.sequence);
DELETE FROM "Trip" o WHERE NOT EXISTS (SELECT FROM new_trip n WHERE n.trip_id = o.trip_id);
DELETE FROM "Stop" o WHERE NOT EXISTS (SELECT FROM new_stop n WHERE n.stop_id = o.stop_id);
DELETE FROM "Route" o WHERE NOT EXISTS (SELECT FROM new_route n WHERE n.route_id = o.route_id);
