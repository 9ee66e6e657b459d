import SluiceRecords

/// A store, as a program uses it: typed objects are read, changed many at once, and what others change is told.
///
/// ```swift
/// let store = try Store("berlin-transit.sqlite", objects: [Stop.self, StopTime.self])
/// let near = try await store.fetch(
///     Stop.filter { $0.name == "S+U Alexanderplatz Bhf" && $0.latitude > 52.5 }.sorted { [$0.stopID.ascending] }
///         .limit(20))
/// ```
///
/// What waits for the disk waits on threads of the store's own, never on those of Swift's concurrency. Cancelling a
/// task ends its statement, and no other.
public final class Store: Sendable {
    /// What a program may do.
    public enum Access: Sendable {
        /// Read. It disturbs nobody, and nobody it.
        case read
        /// Read and write.
        case write
    }

    /// The path of the store; of one on a server, its address, without who connects.
    public let path: String
    /// What the program may do.
    public let access: Access
    /// Whether it is a file of this machine.
    let isFile: Bool
    /// Where it keeps what its objects have been.
    let past: any HistoryLocation
    /// Opens a connection that reads.
    let open: ConnectionThreads.Opening
    let readers: ConnectionThreads
    let writer: ConnectionThreads
    let ownChanges = ChangeSignal()

    /// Opens a store. A seed is opened as what it is: nobody writes to it, so nothing is locked; when another version
    /// is installed in its place, the next read is of that.
    ///
    /// - Parameters:
    ///   - seeds: seeds beside the store, by the names that ``Query/in(_:)`` calls them by.
    ///   - objects: types that must fit their tables, in the store or in a seed.
    /// - Throws: `missing` where there is no such store; `incompatible` where it does not fit a type, with all that it
    ///   lacks, or is no store; `readOnly` where a seed is to be written.
    public convenience init(
        _ path: String, access: Access = .read, seeds: [String: String] = [:], objects: [any StoredObject.Type] = []
    ) throws(StoreError) {
        let sorted = seeds.sorted { $0.key < $1.key }.map { (name: $0.key, path: $0.value) }
        let target = StoreConnection.Target(path: path, seeds: sorted, isWriting: false, objects: objects)
        var writing = target
        writing.isWriting = true
        self.init(
            path, access: access, isFile: true, past: FileHistoryLocation(path: path),
            open: { () throws(StoreError) in try StoreConnection(target) },
            openToWrite: { [writing] () throws(StoreError) in try StoreConnection(writing) })
        // What is wrong is said now, and not at the first query.
        _ = try access == .write ? writer.open() : open()
    }

    /// A store that is kept elsewhere, and only read.
    package convenience init(
        reading name: String, past: any HistoryLocation,
        open: @escaping @Sendable () throws(StoreError) -> any ReadConnection
    ) throws(StoreError) {
        self.init(name, access: .read, isFile: false, past: past, open: open, openToWrite: open)
        _ = try open()
    }

    private init(
        _ path: String, access: Access, isFile: Bool, past: any HistoryLocation,
        open: @escaping ConnectionThreads.Opening, openToWrite: @escaping ConnectionThreads.Opening
    ) {
        self.path = path
        self.access = access
        self.isFile = isFile
        self.past = past
        self.open = open
        readers = ConnectionThreads(open, most: 4)
        writer = ConnectionThreads(openToWrite, most: 1)
    }

    deinit {
        readers.close()
        writer.close()
    }

    /// Which seed the store is, now; nil: it is none.
    ///
    /// - Throws: what opening it does.
    public var seed: SeedVersion? {
        get throws(StoreError) { try open().seed }
    }
}
