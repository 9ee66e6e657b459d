import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// What an object was, or is, from one run to another: see ``Store/versions(of:identifier:)``.
public struct ObjectVersion: Sendable {
    /// The run that made it so.
    public let fromRun: Int
    /// The run that ended it; nil: it is still true.
    public let toRun: Int?
    /// The names of its attributes and references, then of its to-many relationships.
    public let names: [String]
    /// Where the record stood in its file that made it so, from 1; nil: no record did, or it is not known.
    public let line: Int?
    private let values: [JSONValue]

    init(_ version: PastVersion, _ names: [String]) throws(StoreError) {
        fromRun = version.from
        toRun = version.to
        self.names = names
        line = version.at.map { Int($0.line) }
        var values: [JSONValue] = []
        for json in version.values { values.append(try JSONValue(json: json)) }
        self.values = values
    }

    /// A value by its name: of a reference, what identifies its target; of a to-many relationship, a list; nil: there is none
    /// of that name.
    public subscript(_ name: String) -> JSONValue? {
        names.firstIndex { $0.isIdentical(to: name) }.map { values[$0] }
    }
}

extension Store {
    /// What an object has been, the newest version first; none: nothing was ever called so.
    ///
    /// ```swift
    /// for version in try await store.versions(of: "Stop", identifier: "ostkreuz") {
    ///     print(version.fromRun, version["name"] ?? .null)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entity: the name of its entity.
    ///   - identifier: as the store has it, as a text; of several attributes, a JSON list.
    /// - Throws: `incompatible` where the store keeps no history of the entity.
    public func versions(of entity: String, identifier: String) async throws(StoreError) -> [ObjectVersion] {
        let path = try pathOfHistory
        return try await readers.perform { _ throws(StoreError) in
            let found = try stored { () throws(Failure) in try PastFile(path).versions(of: entity, identifier) }
            var versions: [ObjectVersion] = []
            for version in found.versions.reversed() { versions.append(try ObjectVersion(version, found.names)) }
            return versions
        }
    }

    /// Makes the store as it was when a run had ended, and opens it.
    ///
    /// - Parameters:
    ///   - run: the number of the run in the ledger.
    ///   - output: the path of a file that does not exist yet.
    /// - Throws: `missing` where the store does not know the run, or has forgotten what it left; `incompatible` where the
    ///   store keeps no history.
    public func at(run: Int, output: String) async throws(StoreError) -> Store {
        let path = try pathOfHistory
        return try await readers.perform { _ throws(StoreError) in
            try stored { () throws(Failure) in try PastStore.write(path, run: run, to: output) }
            return try Store(output)
        }
    }

    private var pathOfHistory: String {
        get throws(StoreError) {
            if isFile { return path }
            throw StoreError(
                .incompatible,
                "the store \(path) is on a server: `sluice history` and `sluice at` read what its objects have been")
        }
    }
}
