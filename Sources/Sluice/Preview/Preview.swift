import SluiceRecords
import SluiceReport

/// The first records of each entity, as they would be stored.
package struct Preview: Sendable {
    /// What a column would hold.
    enum Value: Sendable, Hashable {
        case null
        /// No path matches anything. A new object stores null, an existing one keeps what it has.
        case absent
        case integer(Int64)
        case real(Double)
        case text(String)
        /// As hexadecimal digits.
        case bytes(String)
        /// The identifier of a target; of a polymorphic relationship with its entity, where that is known.
        indirect case reference(entity: String?, [Value])
        /// An identifier that the target cannot have.
        case impossible(String)
        /// A target with what the link to it has of its own, by name.
        indirect case link(Value, [String], [Value])
        /// Of a to-many relationship.
        indirect case list([Value])
    }

    struct Row: Sendable {
        var at: FeedPosition
        /// Of the attributes, then of the relationships; none where the record is a reject, or says that its object is
        /// gone.
        var values: [Value] = []
        var faults: [(member: String, reason: String)] = []
        /// Where the record says that its object is gone (`deleteWhere`): which one. It has no values then.
        var gone: Value?
    }

    struct EntityRows: Sendable {
        var entity: Entity
        /// By position.
        var rows: [Row] = []
        /// Records that `where` leaves out, so far.
        var left = 0
        /// The entity for each of whose records alone its sources are asked; nil: they are read.
        var parent: String?
    }

    var entities: [EntityRows]
    var feeds: [Feed]
    /// How many of the records shown are rejects.
    package var rejects: Int { entities.reduce(0) { $0 + $1.rows.count { !$0.faults.isEmpty } } }
    /// The names of entities, by which relationships mean them.
    var names: [String] { entities.map(\.entity.name) }
    /// What ended the reading early, if it was not that enough had been read.
    package internal(set) var error: Failure?
}
