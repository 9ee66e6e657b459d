import Foundation

/// Timetables, maps and the ground that shakes.
extension GalleryReading {
    /// A table of GTFS: its cells by column.
    private static func table(_ name: String) throws -> [[String: String]] {
        let text = try String(contentsOfFile: Sluice.path("Samples/gallery/gtfs/\(name).txt"), encoding: .utf8)
        let lines = text.replacing("\u{FEFF}", with: "").split(whereSeparator: \.isNewline).map { line in
            // No cell of the sample holds a line break.
            line.matches(of: /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/).map {
                String($0.1 ?? $0.2 ?? "").replacing("\"\"", with: "\"")
            }
        }
        return lines.dropFirst().map { cells in
            Dictionary(uniqueKeysWithValues: zip(lines[0], cells)).filter { $0.value != "" }
        }
    }

    private static func seconds(_ clock: String?) -> String? {
        let parts = clock?.split(separator: ":").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? []
        return parts.count == 3 ? "\(parts[0] * 3600 + parts[1] * 60 + parts[2])" : nil
    }

    private static func day(_ digits: String?) -> String? {
        digits.map { "\($0.prefix(4))-\($0.dropFirst(4).prefix(2))-\($0.suffix(2))" }
    }

    static func gtfs() throws -> GalleryTables {
        let stops = unique(
            try table("stops").map { row in
                [
                    "id": row["stop_id"], "name": row["stop_name"],
                    "latitude": row["stop_lat"].flatMap(Double.init).map { "\($0)" },
                    "longitude": row["stop_lon"].flatMap(Double.init).map { "\($0)" },
                    "kind": row["location_type"] ?? "0", "station": row["parent_station"],
                ]
            })
        let known = stops.compactMap { $0["id"] ?? nil }
        return [
            "Stop": stops,
            "Route": try table("routes").map { row in
                [
                    "id": row["route_id"], "name": row["route_short_name"], "title": row["route_long_name"],
                    "type": row["route_type"],
                ]
            },
            "Service": try table("calendar").map { row in
                [
                    "id": row["service_id"], "monday": row["monday"], "saturday": row["saturday"],
                    "sunday": row["sunday"], "first": day(row["start_date"]), "last": day(row["end_date"]),
                ]
            },
            "Trip": try table("trips").map { row in
                [
                    "id": row["trip_id"], "headsign": row["trip_headsign"], "direction": row["direction_id"],
                    "route": row["route_id"], "service": row["service_id"],
                ]
            },
            "StopTime": try table("stop_times").map { row in
                [
                    "sequence": row["stop_sequence"], "arrival": seconds(row["arrival_time"]),
                    "departure": seconds(row["departure_time"]), "trip_id": row["trip_id"], "trip": row["trip_id"],
                    "stop": row["stop_id"].flatMap { known.contains($0) ? $0 : nil },
                ]
            },
        ]
    }

    static func gtfsRealtime() throws -> GalleryTables {
        let feed = try GalleryNode(sample: "gtfs-realtime.json")
        let updates = feed["entity"].list.map { $0["tripUpdate"] }.filter { !$0.isNull }
        let calls = updates.flatMap { update in
            update["stopTimeUpdate"].list.filter { $0["stopSequence"].text != nil }.map { call in
                let (trip, start) = (update["trip"]["tripId"].text, day(update["trip"]["startDate"].text))
                return [
                    "sequence": call["stopSequence"].text, "stop": call["stopId"].text,
                    "state": call["scheduleRelationship"].text ?? "SCHEDULED",
                    "arrivalDelay": call["arrival"]["delay"].text, "departureDelay": call["departure"]["delay"].text,
                    "departure": call["departure"]["time"].text?.sinceEpoch(digits: 0),
                    "of_trip": trip, "of_day": start, "of": "\(trip ?? "")/\(start ?? "")",
                ]
            }
        }
        return [
            "TripUpdate": updates.map { update in
                [
                    "trip": update["trip"]["tripId"].text, "day": day(update["trip"]["startDate"].text),
                    "state": update["trip"]["scheduleRelationship"].text ?? "SCHEDULED",
                    "vehicle": update["vehicle"]["id"].text, "delay": update["delay"].text,
                    "measured": update["timestamp"].text?.sinceEpoch(digits: 0),
                    "published": feed["header"]["timestamp"].text?.sinceEpoch(digits: 0),
                ]
            },
            "Call": calls,
        ]
    }

    static func overpass() throws -> GalleryTables {
        let elements = try GalleryNode(sample: "overpass.json")["elements"].list
        func these(_ type: String) -> [GalleryNode] { elements.filter { $0["type"].text == type } }
        func row(_ element: GalleryNode) -> [String: String?] {
            [
                "id": element["id"].text, "name": element["tags"]["name"].text,
                "amenity": element["tags"]["amenity"].text, "tags": element["tags"].json,
            ]
        }
        let names = ["node": "Node", "way": "Way", "relation": "Relation"]
        var tables: GalleryTables = [
            "Node": these("node").map { node in
                row(node).merging(["latitude": node["lat"].real, "longitude": node["lon"].real]) { $1 }
            },
            "Way": these("way").map(row), "Relation": these("relation").map(row),
        ]
        let nodes = these("node").map { $0["id"].text }
        tables["Way_nodes"] = these("way").flatMap { way in
            way["nodes"].list.enumerated().filter { nodes.contains($1.text) }.map { position, node in
                ["source": way["id"].text, "position": "\(position)", "target": node.text]
            }
        }
        tables["Relation_members"] = these("relation").flatMap { relation in
            relation["members"].list.enumerated().filter { _, member in
                these(member["type"].text ?? "").contains { $0["id"].text == member["ref"].text }
            }.map { position, member in
                [
                    "source": relation["id"].text, "position": "\(position)", "target": member["ref"].text,
                    "target_entity": names[member["type"].text ?? ""], "role": member["role"].text,
                ]
            }
        }
        return tables
    }

    static func earthquakes() throws -> GalleryTables {
        let features = try GalleryNode(sample: "earthquakes.json")["features"].list.filter {
            let magnitude = $0["properties"]["mag"].text
            return $0["properties"]["type"].text == "earthquake"
                && (magnitude == nil || magnitude.flatMap(Double.init) != nil)
        }
        func list(_ text: String?) -> String? {
            text.map { "[\($0.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ","))]" }
        }
        return [
            "Earthquake": features.map { feature in
                let (what, place) = (feature["properties"], feature["geometry"]["coordinates"])
                return [
                    "id": feature["id"].text, "magnitude": what["mag"].text, "place": what["place"].text,
                    "time": what["time"].text?.sinceEpoch(digits: 3),
                    "updated": what["updated"].text?.sinceEpoch(digits: 3), "status": what["status"].text,
                    "alert": what["alert"].text, "tsunami": what["tsunami"].flag, "felt": what["felt"].text ?? "0",
                    "network": what["net"].text, "names": list(what["ids"].text),
                    "products": list(what["types"].text), "longitude": place[0].real, "latitude": place[1].real,
                    "depth": place[2].real,
                ]
            }
        ]
    }
}
