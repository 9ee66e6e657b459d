import SluiceRecords
import SluiceSchema

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
    /// Objects whose texts have words that begin with each word of a text, by their objectIDs: the first ones, so that
    /// it takes no longer where many have them. With the tokenizer `trigram`, texts are found by three letters or more
    /// that are anywhere in them.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - seed: the seed in which they are looked for, by the name that the store was opened with; nil: the store.
    /// - Throws: `missing` where the entity has no `search`.
    public func search<Object: StoredObject>(
        _ type: Object.Type, _ text: String, limit: Int = 20, in seed: String? = nil
    ) throws(StoreError) -> [Object] {
        let table = SearchedTable(type)
        guard let query = try connection.search(table, text, limit: max(0, limit), in: seed) else {
            throw lack(type, "search")
        }
        var found: [Object] = []
        try connection.run(query, in: seed) { row throws(StoreError) in
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
        guard var places = try connection.places(SearchedTable(type), around: area, in: seed) else {
            throw lack(type, "near")
        }
        places.sort { ($0.distance, $0.objectID) < ($1.distance, $1.objectID) }
        return try objects(places.prefix(max(0, limit)), seed)
    }

    private func objects<Object>(
        _ places: ArraySlice<ObjectPlace>, _ seed: String?
    ) throws(StoreError) -> [Nearby<Object>] {
        let ids = Fragment(objectIDs: places.map(\.objectID))
        var query = Query<Object>(
            condition: Condition("\(quoted(Object.columnList.table)).\"objectID\" IN " + ids))
        if let seed { query = query.in(seed) }
        var objects: [Int64: Object] = [:]
        try forEach(query) { object throws(StoreError) in objects[object.objectID.number] = object }
        return places.compactMap { place in
            objects[place.objectID].map { Nearby(object: $0, distance: place.distance) }
        }
    }

    private func lack<Object: StoredObject>(_ type: Object.Type, _ key: String) -> StoreError {
        StoreError(
            .missing,
            "the store \(connection.storeName) has nothing by which objects of \(Object.entity) are found so: the"
                + " definition says \"\(key)\" of the entity, and a run makes it")
    }
}
