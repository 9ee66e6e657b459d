import SluiceRecords
import Synchronization

/// What changes in a store, one element for each time that something has: what runs, programs and other versions of a
/// seed change, in this process or another. Several that were missed come as one.
public struct ChangeSequence: AsyncSequence, Sendable {
    /// What comes, one after the other.
    public typealias Element = StoreChanges
    /// What keeps it from going on.
    public typealias Failure = StoreError

    let store: Store
    let entities: Set<String>
    let token: ChangeToken?

    /// Begins from the start.
    public func makeAsyncIterator() -> Iterator { Iterator(store: store, entities: entities, token: token) }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        /// Between two looks, in milliseconds: a look costs some microseconds.
        private static var pause: Duration { .milliseconds(200) }

        let store: Store
        let entities: Set<String>
        var token: ChangeToken?
        private var seen: StoreLook?

        init(store: Store, entities: Set<String>, token: ChangeToken?) {
            self.store = store
            self.entities = entities
            self.token = token
        }

        /// The next changes.
        ///
        /// - Throws: `cancelled` once the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreError) -> StoreChanges? {
            while true {
                let (look, token) = (seen, token)
                let found = try await store.readers.perform { connection throws(StoreError) in
                    try StoreLook.changes(connection, look, token)
                }
                seen = found.look
                self.token = found.changes?.token ?? found.token
                if let changes = found.changes?.limited(to: entities) { return changes }
                let isOver = (try? await store.ownChanges.wait(Iterator.pause)) == nil
                if isOver { throw .cancelled }
            }
        }

        /// The next one; nil: there are no more.
        public mutating func next() async throws(StoreError) -> StoreChanges? {
            try await next(isolation: nil)
        }
    }
}

extension Store {
    /// What changes from now on, or has changed since a moment.
    ///
    /// - Parameters:
    ///   - types: whose objects it is about; empty: all of the store.
    ///   - token: what an earlier element had: a program that starts again hears what it has missed.
    public func changes(of types: [any StoredObject.Type] = [], after token: ChangeToken? = nil) -> ChangeSequence {
        ChangeSequence(store: self, entities: Set(types.map { $0.entity }), token: token)
    }
}

extension Store {
    /// The moment that it is now: ``changes(of:after:)`` tells what happens after it.
    public func changeToken() async throws(StoreError) -> ChangeToken {
        try await readers.perform { connection throws(StoreError) in
            try connection.reading { () throws(StoreError) in try ChangeReading(connection).token() }
        }
    }
}

extension StoreChanges {
    /// What it says of some entities; nil: nothing.
    fileprivate func limited(to names: Set<String>) -> StoreChanges? {
        var changes = self
        if !names.isEmpty { changes.entities = entities.filter { names.contains($0.key) } }
        return changes.entities.isEmpty && isComplete && !seedReplaced ? nil : changes
    }
}

/// What tells without reading whether anybody has written.
struct StoreLook: Sendable, Equatable {
    /// Of one connection: it is another number once somebody else has written.
    private var version: Int64
    private var connection: Int

    struct Found: Sendable {
        /// Nil: the store has nothing that tells.
        var look: StoreLook?
        var token: ChangeToken
        var changes: StoreChanges?
    }

    static func changes(
        _ connection: any ReadConnection, _ before: StoreLook?, _ token: ChangeToken?
    ) throws(StoreError) -> Found {
        let version = try connection.version()
        let look = version.map { StoreLook(version: $0, connection: connection.serial) }
        if let look, let before, let token, before == look { return Found(look: look, token: token) }
        return try connection.reading { () throws(StoreError) in
            let reading = try ChangeReading(connection)
            guard let token else { return Found(look: look, token: try reading.token()) }
            return Found(look: look, token: token, changes: try reading.changes(since: token))
        }
    }
}

/// Wakes who waits for changes of this process: they need not wait for the next look.
final class ChangeSignal: Sendable {
    private let count = Atomic<Int>(0)

    func wake() { count.add(1, ordering: .relaxed) }

    /// Waits for a while, or until somebody wakes.
    ///
    /// - Throws: where the task is cancelled.
    func wait(_ duration: Duration) async throws {
        let before = count.load(ordering: .relaxed)
        let end = ContinuousClock.now + duration
        while count.load(ordering: .relaxed) == before, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
