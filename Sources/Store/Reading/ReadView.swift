import SluiceRecords
import SluiceSchema

/// A store as it is at one moment: what several reads in it find belongs together.
public struct ReadView: ~Copyable {
    let connection: StoreConnection

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
        try connection.run(query.selection, schema: query.seed) { row throws(StoreError) in
            try body(try Object(row))
            return true
        }
    }

    /// The object with an objectID; nil: there is none.
    public func object<Object>(_ id: ObjectID<Object>) throws(StoreError) -> Object? {
        try one(Object.columnList.lookUps.byObjectID, [.value(.integer(id.number))])
    }

    /// The object with an identifier; nil: there is none.
    ///
    /// - Parameter seed: the seed in which it is looked for, by the name that the store was opened with; nil: the store.
    public func object<Object: StoredObject>(
        _ type: Object.Type, identifier: Object.Identifier, in seed: String? = nil
    ) throws(StoreError) -> Object? {
        let (lookUps, parts) = (Object.columnList.lookUps, Object.values(of: identifier))
        var values: [StatementValue] = []
        for index in parts.indices {
            // What the column cannot have, nobody is called.
            guard let stored = try? parts[index].stored(as: lookUps.forms[index]) else { return nil }
            values.append(.value(stored))
        }
        return try one(seed.map { lookUps.byIdentifier(in: $0) } ?? lookUps.byIdentifier, values)
    }

    /// How many objects a query has.
    public func count<Object>(_ query: Query<Object>) throws(StoreError) -> Int {
        let rendered = try Rendered(query.count, schema: query.seed)
        guard case .integer(let count)? = try connection.first(rendered.sql, rendered.values) else { return 0 }
        return Int(count)
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
        var parameters: [StatementValue] = []
        for value in values { parameters.append(.value(try value.stored(as: Swift.type(of: value).usualForm))) }
        guard try connection.statement(sql).isReading else {
            throw StoreError(
                .statement, "this is no query: objects are written by update, insert, delete and save", sql: sql)
        }
        var found: [Value] = []
        let decoding = RowDecoding()
        try connection.run(sql, parameters) { row throws(StoreError) in
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
        let list = Fragment([.list(objects.map { .integer($0.number) })])
        let start = "SELECT source, \(columns) FROM \(quoted(table)) WHERE source IN "
        try connection.run(start + list + " ORDER BY source, position") { row throws(StoreError) in
            found[try row.objectID(0), default: []].append(try target(row))
            return true
        }
        return found
    }

    private func one<Object: StoredObject>(_ sql: String, _ values: [StatementValue]) throws(StoreError) -> Object? {
        var found: Object?
        try connection.run(sql, values) { row throws(StoreError) in
            found = try Object(row)
            return false
        }
        return found
    }
}
