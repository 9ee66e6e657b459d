/// The members of findings as JSON, in their order. A report has them as texts, a plan as values of a query.
package enum FindingLayout {
    package typealias Members<Value> = [(String, Value)]

    /// - Parameters:
    ///   - detail: what there is of its kind.
    ///   - others: what stands between that and the place.
    package static func finding<Value>(
        kind: Value, entity: Value, source: Value? = nil, identifier: Value?, detail: Members<Value>,
        others: Members<Value> = [], at: Value, first: Value? = nil
    ) -> Members<Value> {
        let head =
            [("kind", kind), ("entity", entity)] + optional("source", source) + optional("identifier", identifier)
        return head + detail + others + [("at", at)] + optional("first", first)
    }

    package static func duplicate<Value>(conflicting: Value, differs: Value) -> Members<Value> {
        [("conflicting", conflicting), ("differs", differs)]
    }

    package static func unresolved<Value>(relationship: Value, to: Value, value: Value) -> Members<Value> {
        [("relationship", relationship), ("to", to), ("value", value)]
    }

    package static func reject<Value>(faults: Value) -> Members<Value> { [("faults", faults)] }

    package static func check<Value>(name: Value, row: Value) -> Members<Value> { [("check", name), ("row", row)] }

    /// One of the faults of a reject.
    package static func fault<Value>(attribute: Value, reason: Value) -> Members<Value> {
        [("attribute", attribute), ("reason", reason)]
    }

    /// The reason of a fault: another record of the identifier came first.
    package static let isRepeated = "a record before has the same identifier"

    /// The reason of a fault in its parts: the target of a reference is missing.
    ///
    /// - Parameters:
    ///   - targets: the entities that it may be of.
    ///   - value: of the reference.
    ///   - text: makes a part of the words between.
    package static func lacksTarget<Value>(_ targets: Value, _ value: Value, text: (String) -> Value) -> [Value] {
        [text("no "), targets, text(" "), value, text(" exists")]
    }

    /// Where a record is, behind its source and file.
    package static func place<Value>(
        record: Value, line: Value, column: Value, offset: Value, path: Value
    ) -> Members<Value> {
        [("record", record), ("line", line), ("column", column), ("offset", offset), ("path", path)]
    }

    /// Where the first copy of a record is, behind its source and file.
    package static func first<Value>(record: Value, offset: Value) -> Members<Value> {
        [("record", record), ("offset", offset)]
    }

    private static func optional<Value>(_ name: String, _ value: Value?) -> Members<Value> {
        value.map { [(name, $0)] } ?? []
    }
}
