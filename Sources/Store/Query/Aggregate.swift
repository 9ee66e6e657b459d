import SluiceRecords

/// One value of many objects, such as the greatest of a column.
public struct Aggregate<Object: StoredObject, Value: Sendable>: Sendable {
    let fragment: Fragment
    let read: @Sendable (borrowing StoreRow, Int) throws(StoreError) -> Value

    init(_ function: String, of operand: Fragment, form: StoredForm) where Value: StoreValue {
        self.init(Fragment(function) + "(" + operand + ")", form)
    }

    fileprivate init(_ fragment: Fragment, _ form: StoredForm) where Value: StoreValue {
        self.fragment = fragment
        read = { row, column throws(StoreError) in try row.value(column, as: form) }
    }
}

extension Operand {
    /// The least, as ``ascending`` has it; nil: there is none.
    public var minimum: Aggregate<Object, Value.Present?> {
        Aggregate(function("min", ofBooleans: "bool_and") + "(" + expression.ordered + ")", expression.form)
    }
    /// The greatest; nil: there is none.
    public var maximum: Aggregate<Object, Value.Present?> {
        Aggregate(function("max", ofBooleans: "bool_or") + "(" + expression.ordered + ")", expression.form)
    }
    /// How many objects have a value.
    public var count: Aggregate<Object, Int> { Aggregate("count", of: expression.fragment, form: Int.usualForm) }
    /// How many different values there are.
    public var distinctCount: Aggregate<Object, Int> {
        Aggregate("count", of: "DISTINCT " + expression.fragment, form: Int.usualForm)
    }

    /// To a server, false and true have no order.
    private func function(_ name: String, ofBooleans server: String) -> Fragment {
        expression.form.type == .boolean ? Fragment(file: name, server: server) : Fragment(name)
    }

    /// The sum of whole numbers, which a server would make a decimal; that of none is 0.
    fileprivate func added<Sum: StoreValue>(as type: Sum.Type) -> Aggregate<Object, Sum> {
        let own = expression.fragment
        // SQLite gives up a sum that is beyond 64 bits on the way, also where it is not in the end.
        let file = "\(Arithmetic.wide)(sum(" + own + " >> 32), sum(" + own + " & 4294967295))"
        let server = "CAST(sum(" + own + ") AS bigint)"
        let sum = Fragment([.either(file: file.pieces, server: server.pieces)])
        return Aggregate("coalesce", of: sum + ", 0", form: expression.form)
    }
}

extension Operand where Value.Present == Int {
    /// The sum; 0 of none. One beyond 64 bits is an error (`statement`).
    public var sum: Aggregate<Object, Int> { added(as: Int.self) }
    /// The mean; nil of none.
    public var average: Aggregate<Object, Double?> {
        Aggregate("avg(" + expression.fragment + ")" + Fragment(file: "", server: "::float8"), Double.usualForm)
    }
}

extension Operand where Value.Present == Double {
    /// The sum; 0 of none. One beyond what a `Double` has is an error (`statement`).
    public var sum: Aggregate<Object, Double> { Aggregate("coalesce(" + finite("sum") + ", 0.0)", Double.usualForm) }
    /// The mean; nil of none. Where the sum is beyond what a `Double` has, it is an error (`statement`).
    public var average: Aggregate<Object, Double?> { Aggregate(finite("avg"), Double.usualForm) }

    private func finite(_ function: String) -> Fragment {
        Fragment(file: Arithmetic.finite, server: "") + "(\(function)(" + expression.fragment + "))"
    }
}

extension Operand where Value.Present == Duration {
    /// The sum; zero of none. One beyond 64 bits in units of the attribute's last digit is an error (`statement`).
    public var sum: Aggregate<Object, Duration> { added(as: Duration.self) }
}

extension Operand where Value.Present == ExactDecimal {
    /// The sum, exactly; 0 of none. In a file, only of an attribute with `"as": "integer"`: SQLite would add others as
    /// doubles.
    public var sum: Aggregate<Object, ExactDecimal> {
        if expression.form.isInteger { return added(as: ExactDecimal.self) }
        let refusal = StoreError(
            .statement, "decimals are added exactly only where the definition has them \"as\": \"integer\"")
        let server = "coalesce(sum(" + expression.fragment + "), 0)"
        return Aggregate(Fragment([.either(file: [.refused(refusal)], server: server.pieces)]), expression.form)
    }
}

extension StoreRow {
    /// A value that a column has in a form.
    func value<Value: StoreValue>(_ column: Int, as form: StoredForm) throws(StoreError) -> Value {
        if isNull(column) { return try Value.read(self, column) }
        var found: (any StoreValue)?
        if form.type == .decimal, form.isInteger {
            found = try decimal(column, scale: form.scale ?? 0) as ExactDecimal
        } else if form.type == .duration {
            found = try duration(column, fraction: form.fraction ?? 0) as Duration
        }
        // Nil would be a value of an optional type.
        if let found, let value = found as? Value { return value }
        return try Value.read(self, column)
    }
}

extension Query {
    /// What is calculated of all its objects, or of those that have the same in the first of the columns.
    func aggregated(_ columns: Fragment, isGrouped: Bool) -> Fragment {
        let table = Object.columnList.table
        var condition = condition
        // Of a part of the objects, which ones these are is found first.
        if !isUnlimited {
            condition = Condition("(" + Fragment(column: "objectID", of: table) + " IN (" + objectIDs + "))")
        }
        var fragment = "SELECT " + columns + " FROM " + Fragment(table: table)
        if let condition { fragment.append(" WHERE " + condition.fragment) }
        if isGrouped { fragment.append(" GROUP BY 1") }
        return fragment
    }
}

extension ReadView {
    /// One value of all objects of a query.
    public func aggregate<Object, Value>(
        _ query: Query<Object>, _ value: (Object.Columns) -> Aggregate<Object, Value>
    ) throws(StoreError) -> Value {
        let aggregate = value(Object.columns)
        var found: Value?
        let statement = query.aggregated(aggregate.fragment, isGrouped: false)
        try connection.run(statement, in: query.seed) { row throws(StoreError) in
            found = try aggregate.read(row, 0)
            return false
        }
        guard let found else { throw StoreError(.defect, "an aggregate has no row") }
        return found
    }

    /// One value of the objects that have the same in a column, by what they have there.
    public func aggregate<Object, Key: Operand, Value>(
        _ query: Query<Object>, by key: (Object.Columns) -> Key,
        _ value: (Object.Columns) -> Aggregate<Object, Value>
    ) throws(StoreError) -> [Key.Value: Value] where Key.Object == Object {
        let (key, aggregate) = (key(Object.columns).expression, value(Object.columns))
        var found: [Key.Value: Value] = [:]
        let statement = query.aggregated(key.fragment + ", " + aggregate.fragment, isGrouped: true)
        try connection.run(statement, in: query.seed) { row throws(StoreError) in
            let group: Key.Value = try row.value(0, as: key.form)
            guard found.updateValue(try aggregate.read(row, 1), forKey: group) == nil else {
                throw StoreError.twins(group)
            }
            return true
        }
        return found
    }
}

extension Store {
    /// One value of all objects of a query.
    ///
    /// ```swift
    /// let last = try await store.aggregate(StopTime.all) { $0.sequence.maximum }
    /// ```
    public func aggregate<Object, Value: Sendable>(
        _ query: Query<Object>, _ value: @escaping @Sendable (Object.Columns) -> Aggregate<Object, Value>
    ) async throws(StoreError) -> Value {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).aggregate(query, value)
        }
    }

    /// One value of the objects that have the same in a column, by what they have there.
    ///
    /// ```swift
    /// let calls = try await store.aggregate(StopTime.all, by: { $0.stop }, { $0.objectID.count })
    /// ```
    public func aggregate<Object, Key: Operand, Value: Sendable>(
        _ query: Query<Object>, by key: @escaping @Sendable (Object.Columns) -> Key,
        _ value: @escaping @Sendable (Object.Columns) -> Aggregate<Object, Value>
    ) async throws(StoreError) -> [Key.Value: Value] where Key.Object == Object {
        try await readers.perform { connection throws(StoreError) in
            try ReadView(connection: connection).aggregate(query, by: key, value)
        }
    }
}
