extension Store {
    /// The objects of a query.
    ///
    /// - Throws: `cancelled` once the task is cancelled, as do all others.
    public func fetch<Object>(_ query: Query<Object>) async throws(StoreError) -> [Object] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).fetch(query)
        }
    }

    /// The object with an objectID; nil: there is none.
    public func object<Object>(_ id: ObjectID<Object>) async throws(StoreError) -> Object? {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).object(id)
        }
    }

    /// The object with an identifier; nil: there is none.
    public func object<Object: StoredObject>(
        _ type: Object.Type, identifier: Object.Identifier
    ) async throws(StoreError) -> Object? {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).object(type, identifier: identifier)
        }
    }

    /// Objects whose texts have words that begin with each word of a text, by their objectIDs: the first ones, so that
    /// it takes no longer where many have them. What the texts are, `search` of the definition says.
    ///
    /// ```swift
    /// for stop in try await store.search(Stop.self, "alex bhf", limit: 5) { print(stop.name ?? stop.stopID) }
    /// ```
    ///
    /// - Throws: `missing` where the entity has no `search`.
    public func search<Object: StoredObject>(
        _ type: Object.Type, _ text: String, limit: Int = 20
    ) async throws(StoreError) -> [Object] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).search(type, text, limit: limit)
        }
    }

    /// Objects near a place, the nearest first. Where objects are, `near` of the definition says.
    ///
    /// ```swift
    /// for near in try await store.near(Stop.self, 52.5219, 13.4132, within: 500) {
    ///     print(near.object.name ?? near.object.stopID, "\(Int(near.distance)) m")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - latitude: in degrees, from -90 to 90.
    ///   - longitude: in degrees, from -180 to 180.
    ///   - distance: in metres, along a great circle.
    /// - Throws: `missing` where the entity has no `near`; `invalid` where there is no such place.
    public func near<Object: StoredObject>(
        _ type: Object.Type, _ latitude: Double, _ longitude: Double, within distance: Double, limit: Int = .max
    ) async throws(StoreError) -> [Nearby<Object>] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).near(type, latitude, longitude, within: distance, limit: limit)
        }
    }

    /// How many objects a query has.
    public func count<Object>(_ query: Query<Object>) async throws(StoreError) -> Int {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).count(query)
        }
    }

    /// The rows of SQL of the program's own, as values of a type whose members are called as the columns are.
    ///
    /// - Parameter values: what the parameters `?` get, in their order.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, _ sql: String, _ values: any StoreValue...
    ) async throws(StoreError) -> [Value] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).decode(type, sql, values: values)
        }
    }

    /// The targets of to-many relationships, by the objects that have them, in the order of their positions.
    public func links<Object, Target>(
        _ links: Links<Object, Target>, of objects: [ObjectID<Object>]
    ) async throws(StoreError) -> [ObjectID<Object>: [ObjectID<Target>]] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).links(links, of: objects)
        }
    }

    /// Likewise where the targets are of several entities.
    public func links<Object>(
        _ links: AnyLinks<Object>, of objects: [ObjectID<Object>]
    ) async throws(StoreError) -> [ObjectID<Object>: [AnyObjectID]] {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).links(links, of: objects)
        }
    }

    /// Several reads of one moment: what a run or another program writes meanwhile is in all of them, or in none. The
    /// closure runs on a thread of the store's; while it does, it keeps one of four connections.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing ReadView) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await readers.perform { connection throws(StoreError) in
            try connection.reading { () throws(StoreError) in try body(ReadView(connection: connection)) }
        }
    }
}

extension StoreConnection {
    /// Does something in a transaction, and ends it: as it should be, or as if nothing had been done.
    func transaction<Result>(
        _ begin: String, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try execute(begin)
        do throws(StoreError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes what a transaction has done; nothing keeps it from that, not even cancelling.
    func rollBack() {
        listen(to: nil)
        // SQLite has rolled back by itself where the disk is full, for one.
        if isInTransaction { try? execute("ROLLBACK") }
    }
}
