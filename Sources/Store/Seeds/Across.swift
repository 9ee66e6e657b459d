import SluiceRecords
import SluiceSchema

extension Store {
    /// The objects that references across stores lead to, by what identifies them; a reference that leads to none is
    /// not among them.
    ///
    /// - Parameter seed: in which seed they are, by the name that the store was opened with.
    public func resolve<Object>(
        _ references: some Sequence<AcrossID<Object>>, in seed: String
    ) async throws(StoreError) -> [Object.Identifier: Object] {
        let wanted = Set(references.map(\.identifier))
        return try await readers.perform { connection throws(StoreError) in
            try connection.reading { () throws(StoreError) in
                try ReadView(connection: connection).resolve(wanted, in: seed)
            }
        }
    }

    /// The objects whose reference across stores leads to nothing in a seed, as that of a newer version may.
    public func dangling<Object, Target>(
        _ column: Column<Object, AcrossID<Target>>, in seed: String
    ) async throws(StoreError) -> [Object] {
        try await fetch(CrossStoreQueries.dangling(column.name, Target.self, in: seed))
    }

    /// The objects whose reference across stores is not null, and leads to nothing in a seed.
    public func dangling<Object, Target>(
        _ column: Column<Object, AcrossID<Target>?>, in seed: String
    ) async throws(StoreError) -> [Object] {
        try await fetch(CrossStoreQueries.dangling(column.name, Target.self, in: seed))
    }
}

extension ReadView {
    fileprivate func resolve<Object: StoredObject>(
        _ wanted: Set<Object.Identifier>, in seed: String
    ) throws(StoreError) -> [Object.Identifier: Object] {
        var found: [Object.Identifier: Object] = [:]
        for query in CrossStoreQueries.queries(Object.self, wanted) {
            try forEach(query.in(seed)) { object throws(StoreError) in
                guard found.updateValue(object, forKey: object.identifier) == nil else {
                    throw StoreError.twins(object.identifier)
                }
            }
        }
        return found
    }
}

/// Conditions about objects in other stores.
enum CrossStoreQueries {
    /// One query where one attribute identifies objects; else one for some hundred of them.
    static func queries<Object: StoredObject>(
        _ type: Object.Type, _ identifiers: Set<Object.Identifier>
    ) -> [Query<Object>] {
        let columns = Object.columnList.identifier
        if columns.count == 1 {
            let values = identifiers.compactMap { try? Object.values(of: $0)[0].stored(as: columns[0].form) }
            if values.isEmpty { return [] }
            return [Query(condition: Condition(columns[0].fragment(type) + " IN " + Fragment(list: values)))]
        }
        let all = Array(identifiers)
        return stride(from: 0, to: all.count, by: 200).map { start in
            let conditions = all[start..<min(start + 200, all.count)].compactMap { Object.with($0).condition?.fragment }
            return Query(condition: Condition("(" + Fragment(joining: conditions, " OR ") + ")"))
        }
    }

    static func dangling<Object: StoredObject, Target: StoredObject>(
        _ column: String, _ target: Target.Type, in seed: String
    ) -> Query<Object> {
        let own = Fragment(column: column, of: Object.columnList.table)
        let identifier = target.columnList.identifier.map { "sluice_target.\(quoted($0.name))" }.first ?? "NULL"
        let found =
            "SELECT 1 FROM \(quoted(seed)).\(quoted(target.columnList.table)) sluice_target WHERE \(identifier) = "
            + own
        return Query(condition: Condition("(" + own + " IS NOT NULL AND NOT EXISTS (" + found + "))"))
    }
}
