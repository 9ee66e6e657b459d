import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// An object that is near a place.
public struct Nearby<Object: StoredObject>: Sendable {
    /// The object.
    public var object: Object
    /// How far it is, in metres, along a great circle.
    public var distance: Double
}

extension Nearby: Equatable where Object: Equatable {}

// What `search` and `near` of the definition are for.
extension ReadView {
    /// Objects whose texts have words that begin with each word of a text, by their objectIDs: the first ones, so that it
    /// takes no longer where many have them. With the tokenizer `trigram`, texts are found by three letters or more that
    /// are anywhere in them.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - seed: the seed in which they are looked for, by the name that the store was opened with; nil: the store.
    /// - Throws: `missing` where the entity has no `search`.
    public func search<Object: StoredObject>(
        _ type: Object.Type, _ text: String, limit: Int = 20, in seed: String? = nil
    ) throws(StoreError) -> [Object] {
        let list = Object.columnList
        let table = Entity.searchTable(of: list.table)
        guard try connection.isThere(table, in: seed) else { throw lack(Object.self, "search") }
        guard let match = SearchText(text).match else { return [] }
        var query = Fragment([
            .sql("SELECT \(list.selected) FROM "), .table(table), .sql(" f CROSS JOIN "), .table(list.table),
        ])
        let objectID = "\(quoted(list.table)).\"objectID\""
        query.append(" ON \(objectID) = f.rowid WHERE f.\(quoted(table)) MATCH ")
        query.append(Fragment(value: .text(match)) + " ORDER BY f.rowid LIMIT \(max(0, limit))")
        var found: [Object] = []
        try connection.run(query, schema: seed) { row throws(StoreError) in
            found.append(try Object(row))
            return true
        }
        return found
    }

    /// Objects near a place, the nearest first.
    ///
    /// - Parameters:
    ///   - latitude: in degrees, from -90 to 90.
    ///   - longitude: in degrees, from -180 to 180.
    ///   - distance: in metres, along a great circle.
    ///   - limit: how many at most.
    ///   - seed: the seed in which they are looked for, by the name that the store was opened with; nil: the store.
    /// - Throws: `missing` where the entity has no `near`; `invalid` where there is no such place.
    public func near<Object: StoredObject>(
        _ type: Object.Type, _ latitude: Double, _ longitude: Double, within distance: Double, limit: Int = .max,
        in seed: String? = nil
    ) throws(StoreError) -> [Nearby<Object>] {
        guard let area = SurroundingArea(latitude: latitude, longitude: longitude, within: distance) else {
            throw StoreError(.invalid, "\(latitude), \(longitude) is no place on earth, or \(distance) no distance")
        }
        guard let index = try connection.place(of: Object.entity, in: seed),
            try connection.isThere(Entity.placeIndex(of: Object.columnList.table), in: seed)
        else { throw lack(Object.self, "near") }
        var places: [(id: Int64, distance: Double)] = []
        let query = ReadView.places(Object.columnList.table, index, area)
        try connection.run(query, schema: seed) { row throws(StoreError) in
            let far = area.distance(toLatitude: try row.value(1), try row.value(2))
            if far <= distance { places.append((Int64(try row.value(0) as Int), far)) }
            return true
        }
        places.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
        return try objects(places.prefix(max(0, limit)), seed)
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
        query.append(Fragment([.table(table)]))
        query.append(
            """
             t WHERE \(PlaceIndex.band(row(index.latitude))) = band.n
            AND \(row(index.longitude)) BETWEEN part.west AND part.east AND \(index.isSomewhere("t."))
            """)
        return query
    }

    private func objects<Object>(
        _ places: ArraySlice<(id: Int64, distance: Double)>, _ seed: String?
    ) throws(StoreError) -> [Nearby<Object>] {
        let ids = Fragment([.list(places.map { .integer($0.id) })])
        var query = Query<Object>(
            condition: Condition("\(quoted(Object.columnList.table)).\"objectID\" IN " + ids))
        if let seed { query = query.in(seed) }
        var objects: [Int64: Object] = [:]
        try forEach(query) { object throws(StoreError) in objects[object.objectID.number] = object }
        return places.compactMap { place in
            objects[place.id].map { Nearby(object: $0, distance: place.distance) }
        }
    }

    private func lack<Object: StoredObject>(_ type: Object.Type, _ key: String) -> StoreError {
        StoreError(
            .missing,
            "the store \(connection.target.path) has nothing by which objects of \(Object.entity) are found so: the"
                + " definition says \"\(key)\" of the entity, and a run makes it")
    }
}

extension StoreConnection {
    fileprivate func isThere(_ name: String, in seed: String?) throws(StoreError) -> Bool {
        try first(
            "SELECT 1 FROM \(quoted(seed ?? "main")).sqlite_schema WHERE name = ?", [.value(.text(name))]) != nil
    }

    /// How objects of an entity are found near a place.
    fileprivate func place(of entity: String, in seed: String?) throws(StoreError) -> PlaceIndex? {
        try withConnection { connection throws(Failure) in
            try StoredEntity.all(connection, in: seed ?? "main").first { $0.name.isIdentical(to: entity) }?.place
        }
    }
}
