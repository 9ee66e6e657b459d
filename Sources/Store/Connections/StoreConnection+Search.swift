import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

// How a file finds objects by words, and by where they are.
extension StoreConnection {
    package func search(
        _ list: SearchedTable, _ text: String, limit: Int, in seed: String?
    ) throws(StoreError) -> Fragment? {
        let table = Entity.searchTable(of: list.table)
        guard try isThere(table, in: seed) else { return nil }
        let start = Fragment([
            .sql("SELECT \(list.selected) FROM "), .table(table), .sql(" sluice_found CROSS JOIN "), .table(list.table),
        ])
        guard let match = SearchText(text).match else { return start + " ON false" }
        let isFound =
            " ON \(quoted(list.table)).\"objectID\" = sluice_found.rowid WHERE sluice_found.\(quoted(table)) MATCH "
        return start + isFound + Fragment(value: .text(match)) + " ORDER BY sluice_found.rowid LIMIT \(limit)"
    }

    package func places(
        _ list: SearchedTable, around area: SurroundingArea, in seed: String?
    ) throws(StoreError) -> [ObjectPlace]? {
        guard let index = try place(of: list.entity, in: seed), try isThere(Entity.placeIndex(of: list.table), in: seed)
        else { return nil }
        var places: [ObjectPlace] = []
        try run(StoreConnection.places(list.table, index, area), in: seed) { row throws(StoreError) in
            let distance = area.distance(toLatitude: try row.value(1), try row.value(2))
            if distance <= area.distance {
                places.append(ObjectPlace(objectID: Int64(try row.value(0) as Int), distance: distance))
            }
            return true
        }
        return places
    }

    /// The objects that are between the degrees between which an area lies: with the index, band by band.
    private static func places(_ table: String, _ index: PlaceIndex, _ area: SurroundingArea) -> Fragment {
        let row = { "t.\(quoted($0))" }
        let bands = [area.latitudes.lowerBound, area.latitudes.upperBound].map {
            Int($0 * Double(PlaceIndex.bandsInDegree))
        }
        var query = Fragment(
            "WITH RECURSIVE band(n) AS (SELECT \(bands[0]) UNION ALL SELECT n + 1 FROM band WHERE n < \(bands[1])),"
                + " part(west, east) AS (VALUES ")
        query.append(
            Fragment(
                joining: area.longitudes.map { range in
                    "(" + Fragment(value: .real(range.lowerBound)) + ", " + Fragment(value: .real(range.upperBound))
                        + ")"
                }, ", "))
        query.append(
            ") SELECT t.\"objectID\", \(row(index.latitude)), \(row(index.longitude)) FROM band CROSS JOIN part CROSS JOIN "
        )
        query.append(Fragment(table: table))
        query.append(
            """
             t WHERE \(PlaceIndex.band(row(index.latitude))) = band.n
            AND \(row(index.longitude)) BETWEEN part.west AND part.east AND \(index.isSomewhere("t."))
            """)
        return query
    }

    private func isThere(_ name: String, in seed: String?) throws(StoreError) -> Bool {
        try first(
            "SELECT 1 FROM \(quoted(seed ?? "main")).sqlite_schema WHERE name = ?", [.value(.text(name))]) != nil
    }

    /// How objects of an entity are found near a place.
    private func place(of entity: String, in seed: String?) throws(StoreError) -> PlaceIndex? {
        try withConnection { connection throws(Failure) in
            try StoredEntity.all(connection, in: seed ?? "main").first { $0.name.isIdentical(to: entity) }?.place
        }
    }
}
