// The objects of the pipeline favourites, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Favourite`, which `stop` identifies.
public struct Favourite: StoredObject, Hashable, Codable {
    public static let entity = "Favourite"
    public let objectID: ObjectID<Favourite>
    /// The attribute `note`.
    public var note: String?
    /// The attribute `visits`.
    public var visits: Int?
    /// The relationship `stop`, into another store.
    public var stop: AcrossID<Stop>

    public var identifier: AcrossID<Stop> { stop }
    public static func values(of identifier: AcrossID<Stop>) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        note = try row.value(1)
        visits = try row.value(2)
        stop = try row.value(3)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Favourite
        /// The attribute `note`.
        public var note: String?
        /// The attribute `visits`.
        public var visits: Int?
        /// The relationship `stop`, into another store.
        public var stop: AcrossID<Stop>

        /// All values.
        public init(
            note: String? = nil,
            visits: Int? = nil,
            stop: AcrossID<Stop>
        ) {
            self.note = note
            self.visits = visits
            self.stop = stop
        }

        public var values: [any StoreValue] { [note, visits, stop] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Favourite, ObjectID<Favourite>>.objectID
        public let note = Column<Favourite, String?>("note")
        public let visits = Column<Favourite, Int?>("visits")
        public let stop = Column<Favourite, AcrossID<Stop>>("stop", StoredForm(.text))
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Favourite>(
        table: "Favourite", identifier: ["stop"],
        [
            .init(columns.note) { $0.note },
            .init(columns.visits, bounds: ValueBounds(min: 0)) { $0.visits },
            .init(columns.stop) { $0.stop },
        ])
}
