/// What is read of a store, and again each time that the result changes: an element at once, then one for each change,
/// whichever program or run made it.
///
/// Several changes that come while one is being dealt with are one element. What others write with SQL of their own is
/// noticed with the next run or write of a program.
public struct Observation<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    /// What comes, one after the other.
    public typealias Element = Value
    /// What keeps it from going on.
    public typealias Failure = StoreError

    let store: Store
    let types: [any StoredObject.Type]
    let read: @Sendable (borrowing ReadView) throws(StoreError) -> Value

    /// Begins with what there is.
    public func makeAsyncIterator() -> Iterator { Iterator(observation: self) }

    /// Waits for other results.
    public struct Iterator: AsyncIteratorProtocol {
        let observation: Observation
        private var changes: ChangeSequence.Iterator?
        private var last: Value?

        init(observation: Observation) { self.observation = observation }

        /// The next result.
        ///
        /// - Throws: `cancelled` once the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreError) -> Value? {
            let (store, read) = (observation.store, observation.read)
            if changes == nil {
                // What happens from here on is heard of, be it in the result already.
                let token = try await store.changeToken()
                changes = store.changes(of: observation.types, after: token).makeAsyncIterator()
                let value = try await store.read(read)
                last = value
                return value
            }
            while try await changes?.next(isolation: actor) != nil {
                let value = try await store.read(read)
                if value == last { continue }
                last = value
                return value
            }
            return nil
        }

        /// The next one; nil: there are no more.
        public mutating func next() async throws(StoreError) -> Value? {
            try await next(isolation: nil)
        }
    }
}

extension Store {
    /// The objects of a query, and again each time that they have become others.
    ///
    /// ```swift
    /// for try await stops in store.observe(Stop.filter { $0.platform.isNull }) { print(stops.count) }
    /// ```
    ///
    /// A condition in SQL of the program's own (`Condition(sql:)`) is taken to be about the entity alone; for one that
    /// looks at other tables, ``observe(of:_:)`` hears of them.
    public func observe<Object: Equatable>(_ query: Query<Object>) -> Observation<[Object]> {
        // One that looks at other tables, too, changes with these; and so do references, which a run links or takes
        // away when what they lead to comes and goes.
        let tables = query.selection.pieces.reduce(0) { $0 + $1.tables }
        let refers = Object.columnList.columns.contains { $0.relationship != nil }
        return observe(of: tables > 1 || refers ? [] : [Object.self]) { view throws(StoreError) in try view.fetch(query)
        }
    }

    /// What a closure reads in one moment, and again each time that it has become something else.
    ///
    /// - Parameter types: what it reads; empty: anything.
    public func observe<Value: Sendable & Equatable>(
        of types: [any StoredObject.Type] = [],
        _ read: @escaping @Sendable (borrowing ReadView) throws(StoreError) -> Value
    ) -> Observation<Value> {
        Observation(store: self, types: types, read: read)
    }
}
