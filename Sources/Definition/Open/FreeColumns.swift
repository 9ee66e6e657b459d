import SluiceRecords
import SluiceStores

/// The names that columns of an entity can still have, for members of a feed: what others have called their members is
/// no mistake of the definition, so one that no column can be called has none, and is told as drift.
struct FreeColumns {
    private let location: StoreLocation?
    /// As stores compare names: whose each is.
    private var owners: [[UInt8]: ExactText] = [:]

    /// - Parameters:
    ///   - location: of the store; nil: there is nothing to ask of it.
    ///   - keys: the names in the identifier of the entity. What has one of them comes before what differs only in
    ///     case.
    init(_ location: StoreLocation?, keys: [String]) {
        self.location = location
        for key in keys { owners[NameChecks.folded(key)] = ExactText(key) }
    }

    /// Says that a name has a column, or must not have one.
    mutating func reserve(_ name: String) { owners[NameChecks.folded(name)] = ExactText(name) }

    /// Likewise of the columns that a relationship has of its own, in its table and its view.
    mutating func reserve(reference name: String, to identifier: [String]) {
        let relationship = Relationship(name: name, targets: [], key: [])
        if identifier.isEmpty { reserve(relationship.entityColumn) }
        guard identifier.count > 1 else { return }
        for column in Relationship.viewColumns(of: name, identifier) { reserve(column) }
    }

    /// Whether a member can have a column of its name; then that is taken.
    mutating func take(_ name: String) -> Bool {
        guard NameChecks.wrong(name) == nil, location?.takes(column: name) != false else { return false }
        let folded = NameChecks.folded(name)
        guard owners[folded].map({ $0 == ExactText(name) }) ?? true else { return false }
        owners[folded] = ExactText(name)
        return true
    }
}
