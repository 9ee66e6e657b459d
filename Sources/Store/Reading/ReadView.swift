import SluiceRecords
import SluiceSchema

/// A store as it is at one moment: what several reads in it find belongs together.
public struct ReadView: ~Copyable {
    let connection: any ReadConnection

    /// The objects of a query.
    public func fetch<Object>(_ query: Query<Object>) throws(StoreError) -> [Object] {
        var objects: [Object] = []
        try forEach(query) { object throws(StoreError) in objects.append(object) }
        return objects
    }

    /// Hands out the objects of a query, one after the other, and keeps none.
    public func forEach<Object>(
        _ query: Query<Object>, _ body: (Object) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.run(query.selection, in: query.seed) { row throws(StoreError) in
            try body(try Object(row))
            return true
        }
    }

    /// The object with an objectID; nil: there is none.
    public func object<Object>(_ id: ObjectID<Object>) throws(StoreError) -> Object? {
        try one(.objectID, [.integer(id.number)], in: nil)
    }

    /// The object with an identifier; nil: there is none.
    ///
    /// - Parameter seed: the seed in which it is looked for, by the name that the store was opened with; nil: the
    ///   store.
    public func object<Object: StoredObject>(
        _ type: Object.Type, identifier: Object.Identifier, in seed: String? = nil
    ) throws(StoreError) -> Object? {
        let (lookUps, parts) = (Object.columnList.lookUps, Object.values(of: identifier))
        var values: [SQLValue] = []
        for index in parts.indices {
            // What the column cannot have, nobody is called.
            guard let stored = try? parts[index].stored(as: lookUps.forms[index]) else { return nil }
            values.append(stored)
        }
        return try one(.identifier, values, in: seed)
    }

    /// How many objects a query has.
    public func count<Object>(_ query: Query<Object>) throws(StoreError) -> Int {
        Int(try connection.number(query.count, in: query.seed) ?? 0)
    }

    /// The rows of SQL of the program's own, as values of a type whose members are called as the columns are.
    ///
    /// - Parameter values: what the parameters `?` get, in their order.
    public func decode<Value: Decodable>(
        _ type: Value.Type, _ sql: String, _ values: any StoreValue...
    ) throws(StoreError) -> [Value] {
        try decode(type, sql, values: values)
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ sql: String, values: [any StoreValue]
    ) throws(StoreError) -> [Value] {
        var parameters: [FormedValue] = []
        for value in values { parameters.append(try FormedValue(value)) }
        var found: [Value] = []
        let decoding = RowDecoding()
        try connection.query(sql, parameters) { row throws(StoreError) in
            found.append(try decoding.decode(type, row))
            return true
        }
        return found
    }

    /// The targets of to-many relationships, by the objects that have them, in the order of their positions.
    public func links<Object, Target>(
        _ links: Links<Object, Target>, of objects: [ObjectID<Object>]
    ) throws(StoreError) -> [ObjectID<Object>: [ObjectID<Target>]] {
        try self.links("target", in: links.table, of: objects) { row throws(StoreError) in try row.objectID(1) }
    }

    /// Likewise where the targets are of several entities.
    public func links<Object>(
        _ links: AnyLinks<Object>, of objects: [ObjectID<Object>]
    ) throws(StoreError) -> [ObjectID<Object>: [AnyObjectID]] {
        try self.links("target, target_entity", in: links.table, of: objects) { row throws(StoreError) in
            AnyObjectID(entity: try row.value(2), number: Int64(try row.value(1) as Int))
        }
    }

    private func links<Object, Target>(
        _ columns: String, in table: String, of objects: [ObjectID<Object>],
        _ target: (borrowing StoreRow) throws(StoreError) -> Target
    ) throws(StoreError) -> [ObjectID<Object>: [Target]] {
        var found: [ObjectID<Object>: [Target]] = [:]
        if objects.isEmpty { return found }
        let list = Fragment(objectIDs: objects.map(\.number))
        // Of a seed's objects, too, as SQLite finds a table by its name.
        let table = Fragment([.either(file: [.sql(quoted(table))], server: [.table(table)])])
        let start = "SELECT source, \(columns) FROM " + table + " WHERE source IN "
        try connection.run(start + list + " ORDER BY source, position") { row throws(StoreError) in
            found[try row.objectID(0), default: []].append(try target(row))
            return true
        }
        return found
    }

    private func one<Object: StoredObject>(
        _ key: LookUps.Key, _ values: [SQLValue], in seed: String?
    ) throws(StoreError) -> Object? {
        var found: Object?
        try connection.look(up: key, Object.columnList.lookUps, values, in: seed) { row throws(StoreError) in
            found = try Object(row)
        }
        return found
    }
}
