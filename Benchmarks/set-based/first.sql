-- A first import: objects get the numbers of their rows, and all references are found by joins.
ANALYZE new_route; ANALYZE new_stop; ANALYZE new_trip; ANALYZE new_stop_time;
CREATE TABLE "Route" ("objectID" bigint, "route_id" text COLLATE "C", "short_name" text COLLATE "C",
    "long_name" text COLLATE "C", "type" bigint, "color" text COLLATE "C");
CREATE TABLE "Stop" ("objectID" bigint, "stop_id" text COLLATE "C", "name" text COLLATE "C", "latitude" double precision,
    "longitude" double precision, "parent" bigint);
CREATE TABLE "Trip" ("objectID" bigint, "trip_id" text COLLATE "C", "headsign" text COLLATE "C",
    "service_id" text COLLATE "C", "direction" bigint, "route" bigint);
CREATE TABLE "StopTime" ("objectID" bigint, "trip_id" text COLLATE "C", "sequence" bigint, "arrival" text COLLATE "C",
    "departure" text COLLATE "C", "headsign" text COLLATE "C", "distance" double precision, "trip" bigint, "stop" bigint);
INSERT INTO "Route" SELECT n, route_id, short_name, long_name, type, color FROM new_route;
INSERT INTO "Stop" SELECT s.n, s.stop_id, s.name, s.latitude, s.longitude, p.n
    FROM new_stop s LEFT JOIN new_stop p ON p.stop_id = s.parent;
INSERT INTO "Trip" SELECT t.n, t.trip_id, t.headsign, t.service_id, t.direction, r.n
    FROM new_trip t LEFT JOIN new_route r ON r.route_id = t.route;
INSERT INTO "StopTime" SELECT s.n, s.trip_id, s.sequence, s.arrival, s.departure, s.headsign, s.distance, t.n, p.n
    FROM new_stop_time s LEFT JOIN new_trip t ON t.trip_id = s.trip LEFT JOIN new_stop p ON p.stop_id = s.stop;
ALTER TABLE "Route" ADD PRIMARY KEY ("objectID");
ALTER TABLE "Stop" ADD PRIMARY KEY ("objectID");
ALTER TABLE "Trip" ADD PRIMARY KEY ("objectID");
ALTER TABLE "StopTime" ADD PRIMARY KEY ("objectID");
CREATE UNIQUE INDEX ON "Route" ("route_id");
CREATE UNIQUE INDEX ON "Stop" ("stop_id");
CREATE UNIQUE INDEX ON "Trip" ("trip_id");
CREATE UNIQUE INDEX ON "StopTime" ("trip_id", "sequence");
CREATE INDEX ON "Stop" ("parent");
CREATE INDEX ON "Trip" ("route");
CREATE INDEX ON "StopTime" ("trip");
CREATE INDEX ON "StopTime" ("stop");
ALTER TABLE "Stop" ADD FOREIGN KEY ("parent") REFERENCES "Stop" DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "Trip" ADD FOREIGN KEY ("route") REFERENCES "Route" DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "StopTime" ADD FOREIGN KEY ("trip") REFERENCES "Trip" DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "StopTime" ADD FOREIGN KEY ("stop") REFERENCES "Stop" DEFERRABLE INITIALLY DEFERRED;
ANALYZE "Route"; ANALYZE "Stop"; ANALYZE "Trip"; ANALYZE "StopTime";
