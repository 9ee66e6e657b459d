import SluiceRecords
import SluiceSchema

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
        let past = past
        return try await readers.perform { _ throws(StoreError) in
            let found = try stored { () throws(Failure) in try past.open().versions(of: entity, identifier) }
            var versions: [ObjectVersion] = []
            for version in found.versions.reversed() { versions.append(try ObjectVersion(version, found.names)) }
            return versions
        }
    }

    /// Makes the store as it was when a run had ended, and opens it.
    ///
    /// - Parameters:
    ///   - run: the number of the run in the ledger.
    ///   - output: the path of a file that does not exist yet; of a store on a server, the name of a schema that its
    ///     database does not have yet, for which the role needs the right to make one.
    /// - Throws: `missing` where the store does not know the run, or has forgotten what it left; `incompatible` where
    ///   the store keeps no history; `io` where something has that name; `statement` where no schema can have it.
    public func at(run: Int, output: String) async throws(StoreError) -> Store {
        let past = past
        return try await readers.perform { _ throws(StoreError) in try past.makeStore(asOf: run, at: output) }
    }

    /// Makes the store as it was at a time, which is as the last run left it that had ended by then, and opens it.
    ///
    /// - Parameters:
    ///   - time: in UTC: `2026-11-20`, which is the beginning of the day, or `2026-11-20T02:00:00Z`.
    ///   - output: as of ``at(run:output:)``.
    /// - Throws: as ``at(run:output:)``; `missing` where no run had ended by then; `statement` where the text is no
    ///   time.
    public func at(time: String, output: String) async throws(StoreError) -> Store {
        let past = past
        return try await readers.perform { _ throws(StoreError) in
            try past.makeStore(asOf: past.lastRun(endedBy: time), at: output)
        }
    }
}
