import SluiceRecords
import SluiceSchema

/// The index of where objects of an entity are, and the function that finds those around a place.
struct ServerPlaces {
    /// The mean radius of the earth, in metres.
    private static let radius = 6_371_008.8
    /// In degrees: rounding errors are far smaller.
    private static let slack = "1e-9"

    let table: ServerSearchedTable
    let place: PlaceIndex

    var sideIndex: ServerSideIndex {
        table.sideIndex(
            Entity.placeIndex(of: table.name), [place.latitude, place.longitude],
            index: "USING gist (\(point(""))) WHERE \(place.isSomewhere(""))",
            parameters: "latitude double precision, longitude double precision, metres double precision",
            results: "\"objectID\" bigint, distance double precision", body: body)
    }

    private func point(_ row: String) -> String {
        "point(\(row)\(quoted(place.longitude)), \(row)\(quoted(place.latitude)))"
    }

    /// Boxes of degrees around the circle, exact distances for what is in them. A circle that crosses the line of the
    /// date is in a box that is a turn further as well; one with a pole in it has all meridians.
    private var body: String {
        let turns = [0, -360, 360].map { turn in
            """
            \(point("t.")) <@ (SELECT box(point($2 + \(turn) - a.width, $1 - a.degrees),
            point($2 + \(turn) + a.width, $1 + a.degrees)) FROM area a)
            """
        }
        let (latitude, longitude) = ("t.\(quoted(place.latitude))", "t.\(quoted(place.longitude))")
        return """
            WITH area AS (SELECT d.degrees, CASE WHEN abs($1) + d.degrees >= 90 THEN 360
            ELSE degrees(asin(least(1, sind(d.degrees) / cosd($1)))) + \(ServerPlaces.slack) END AS width
            FROM (SELECT least(180, degrees($3 / \(ServerPlaces.radius))) + \(ServerPlaces.slack) AS degrees) d)
            SELECT t."objectID", e.distance FROM \(table.namespace.named(table.name)) t
            CROSS JOIN LATERAL (SELECT 2 * \(ServerPlaces.radius) * asin(least(1, sqrt(sind((\(latitude) - $1) / 2) ^ 2
            + cosd($1) * cosd(\(latitude)) * sind((\(longitude) - $2) / 2) ^ 2))) AS distance) e
            WHERE \(place.isSomewhere("t.")) AND abs($1) <= 90 AND abs($2) <= 180
            AND (\(turns.joined(separator: "\nOR "))) AND e.distance <= $3 ORDER BY 2, 1
            """
    }
}
