/// How many of something some entities may have, or must.
package struct LimitRule: Sendable {
    /// What is counted.
    package enum Kind: String, Sendable { case rejects, unresolved, duplicates, updates, deletes, records }

    package enum Amount: Sendable {
        /// All of the entities together; of records, each.
        case count(Int)
        /// Each entity; of records, of those of the last run.
        case share(Share)
        /// Of records: one, if there were that many in the last run.
        case some(after: Int)
    }

    package var kind: Kind
    package var amount: Amount
    /// Their names.
    package var entities: [String]
    /// Whether it is one entity's own.
    package var isOwn: Bool

    package init(_ kind: Kind, _ amount: Amount, _ entities: [String], isOwn: Bool) {
        self.kind = kind
        self.amount = amount
        self.entities = entities
        self.isOwn = isOwn
    }

    /// Whether what is found in all entities is added up.
    package var isOfAll: Bool { if case .count = amount { kind != .records && !isOwn } else { false } }
}
