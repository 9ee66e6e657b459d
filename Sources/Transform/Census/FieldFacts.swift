import SluiceRecords

/// A type of JSON value.
package enum ValueType: String, CaseIterable, Sendable { case string, number, boolean, object, array, null }

/// What was found of an attribute or a relationship, or of what links have of their own.
package struct FieldFacts: Sendable, Hashable {
    package var name: String
    /// Where it looks for its value.
    package var paths: [String] = []
    /// How many records have anything there; of a value with several places: at the one that most have.
    package var records = 0
    /// Whether a record could have it: what belongs to links needs some.
    package var isPossible = true
    /// Whether it is a list: then `array` says that there is one, and nothing of its values.
    package var isList = false
    /// Of these, how many have a value of each type. Of a list it is the type of its first value, if it has one.
    package var types: [ValueType: Int] = [:]
    /// The first value, where it was kept, as JSON, cut after some characters.
    package var example: String?

    package init(name: String) { self.name = name }

    /// How many records have a value there that is not null, as far as that is known: of a value with several places,
    /// at the most so many. That there is a list is no value of it.
    package var values: Int {
        let none: [ValueType] = isList ? [.null, .array] : [.null]
        return min(records, types.reduce(0) { none.contains($1.key) ? $0 : $0 + $1.value })
    }

    /// Whether no record has anything there.
    package var isMissing: Bool { records == 0 && isPossible }
}
