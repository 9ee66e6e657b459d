import SluiceRecords
import SluiceSchema

extension Column {
    /// A column of the object that the reference leads to; null where it leads to none.
    ///
    /// ```swift
    /// let calls = StopTime.filter { $0.stop.its { $0.name }.hasPrefix("S+U ") }
    /// let byName = try await store.fetch(calls.sorted { [$0.stop.its { $0.name }.ascending] })
    /// ```
    public func its<Target: StoredObject, Of: StoreValue>(
        _ column: (Target.Columns) -> Column<Target, Of>
    ) -> Expression<Object, Of.Present?> where Value == ObjectID<Target>? {
        let column = column(Target.columns)
        // As of the entity's own columns: a server compares no values of its type of JSON.
        let cast = Fragment(file: "", server: column.form.type == .json ? "::text" : "")
        let start = "(SELECT sluice_its.\(quoted(column.name))" + cast + " FROM "
        return Expression(
            start + Fragment(table: Target.columnList.table) + " sluice_its WHERE sluice_its.\"objectID\" = "
                + expression.fragment + ")", column.form)
    }
}

/// A query for objects, each with what is related to it: the target of a reference, or the objects of a to-many
/// relationship. What is related is read once for all objects, and as of the same moment.
public struct RelatedQuery<Object: StoredObject, Related: Sendable>: Sendable {
    let query: Query<Object>
    let related: @Sendable (borrowing ReadView, Query<Object>, [Object]) throws(StoreError) -> [Related]
}

extension Query {
    /// Each with the object to which a reference leads; nil: to none.
    public func including<Target>(
        _ reference: (Object.Columns) -> Column<Object, ObjectID<Target>?>
    ) -> RelatedQuery<Object, Target?> {
        let name = reference(Object.columns).name
        return RelatedQuery(query: self) { view, query, objects throws(StoreError) in
            let ids = objects.map { $0.reference(name) as ObjectID<Target>? }
            let found = try view.targets(ids.compactMap(\.self), of: query)
            return ids.map { id in id.flatMap { found[$0] } }
        }
    }

    /// Each with the objects to which it has links, in the order of their positions.
    public func includingAll<Target>(
        _ links: (Object.Columns) -> Links<Object, Target>
    ) -> RelatedQuery<Object, [Target]> {
        let table = links(Object.columns).table
        return RelatedQuery(query: self) { view, query, objects throws(StoreError) in
            let links: [ObjectID<Object>: [ObjectID<Target>]] = try view.linked(in: table, objects, of: query)
            let found = try view.targets(links.values.flatMap(\.self), of: query)
            return objects.map { links[$0.objectID, default: []].compactMap { found[$0] } }
        }
    }

    /// Each with the objects of another query that refer to it, in the order of that.
    ///
    /// ```swift
    /// let stops = Stop.all.including(StopTime.all.sorted { [$0.arrival.ascending] }, by: { $0.stop })
    /// for (stop, times) in try await store.fetch(stops) { print(stop.name ?? "", times.count) }
    /// ```
    public func including<Source>(
        _ sources: Query<Source>, by reference: (Source.Columns) -> Column<Source, ObjectID<Object>?>
    ) -> RelatedQuery<Object, [Source]> {
        let column = reference(Source.columns)
        return RelatedQuery(query: self) { view, query, objects throws(StoreError) in
            guard sources.isUnlimited else {
                throw StoreError(.statement, "the limit of what refers to objects would be one of all of them together")
            }
            var groups: [ObjectID<Object>: [Source]] = [:]
            let list = objects.map { Optional($0.objectID) }
            var wanted = sources.filter { _ in column.isIn(list) }
            if let seed = query.seed { wanted = wanted.in(seed) }
            try view.forEach(wanted) { source throws(StoreError) in
                guard let id = source.reference(column.name) as ObjectID<Object>? else { return }
                groups[id, default: []].append(source)
            }
            return objects.map { groups[$0.objectID, default: []] }
        }
    }
}

extension StoredObject {
    /// What it has in a column that is a reference.
    fileprivate func reference<Target>(_ column: String) -> ObjectID<Target>? {
        Self.columnList.columns.first { $0.name.isIdentical(to: column) }?.value(self) as? ObjectID<Target>
    }
}

extension ReadView {
    /// The objects of a query, each with what is related to it.
    public func fetch<Object, Related>(
        _ query: RelatedQuery<Object, Related>
    ) throws(StoreError) -> [(Object, Related)] {
        let objects = try fetch(query.query)
        return Array(zip(objects, try query.related(self, query.query, objects)))
    }

    /// Objects by their objectIDs, where a query has its own.
    fileprivate func targets<Target, Object>(
        _ ids: [ObjectID<Target>], of query: Query<Object>
    ) throws(StoreError) -> [ObjectID<Target>: Target] {
        var found: [ObjectID<Target>: Target] = [:]
        var wanted = Query<Target>(condition: Column<Target, ObjectID<Target>>.objectID.isIn(Set(ids)))
        if let seed = query.seed { wanted = wanted.in(seed) }
        try forEach(wanted) { target throws(StoreError) in found[target.objectID] = target }
        return found
    }

    /// The targets of links, by the objects that have them.
    fileprivate func linked<Object, Target>(
        in table: String, _ objects: [Object], of query: Query<Object>
    ) throws(StoreError) -> [ObjectID<Object>: [ObjectID<Target>]] {
        var found: [ObjectID<Object>: [ObjectID<Target>]] = [:]
        if objects.isEmpty { return found }
        let list = Fragment(objectIDs: objects.map(\.objectID.number))
        let start = "SELECT l.source, l.target FROM " + Fragment(table: table) + " l WHERE l.source IN "
        try connection.run(start + list + " ORDER BY l.source, l.position", in: query.seed) {
            row throws(StoreError) in
            found[try row.objectID(0), default: []].append(try row.objectID(1))
            return true
        }
        return found
    }
}

extension Store {
    /// The objects of a query, each with what is related to it.
    ///
    /// ```swift
    /// for (time, stop) in try await store.fetch(StopTime.all.limit(20).including { $0.stop }) {
    ///     print(time.tripID, stop?.name ?? "")
    /// }
    /// ```
    public func fetch<Object, Related>(
        _ query: RelatedQuery<Object, Related>
    ) async throws(StoreError) -> [(Object, Related)] {
        try await read { view throws(StoreError) in try view.fetch(query) }
    }
}
