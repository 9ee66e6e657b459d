// The objects of the pipeline places, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Visit`, which `place`, `day` identifies.
public struct Visit: StoredObject, Hashable, Codable {
    public static let entity = "Visit"
    public let objectID: ObjectID<Visit>
    /// The attribute `day`.
    public var day: CalendarDate
    /// The attribute `note`.
    public var note: String?
    /// The attribute `stars`.
    public var stars: Int?
    /// The relationship `place`, into another store.
    public var place: AcrossID<Subdivision>

    public var identifier: Identifier { Identifier(place: place, day: day) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.place, identifier.day] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The relationship `place`, into another store.
        public var place: AcrossID<Subdivision>
        /// The attribute `day`.
        public var day: CalendarDate

        /// All values.
        public init(
            place: AcrossID<Subdivision>,
            day: CalendarDate
        ) {
            self.place = place
            self.day = day
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        day = try row.value(1)
        note = try row.value(2)
        stars = try row.value(3)
        place = try row.value(4)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Visit
        /// The attribute `day`.
        public var day: CalendarDate
        /// The attribute `note`.
        public var note: String?
        /// The attribute `stars`.
        public var stars: Int?
        /// The relationship `place`, into another store.
        public var place: AcrossID<Subdivision>

        /// All values.
        public init(
            day: CalendarDate,
            note: String? = nil,
            stars: Int? = nil,
            place: AcrossID<Subdivision>
        ) {
            self.day = day
            self.note = note
            self.stars = stars
            self.place = place
        }

        public var values: [any StoreValue] { [day, note, stars, place] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Visit, ObjectID<Visit>>.objectID
        public let day = Column<Visit, CalendarDate>("day")
        public let note = Column<Visit, String?>("note")
        public let stars = Column<Visit, Int?>("stars")
        public let place = Column<Visit, AcrossID<Subdivision>>("place", StoredForm(.text))
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Visit>(
        table: "Visit", identifier: ["place", "day"],
        [
            .init(columns.day) { $0.day },
            .init(columns.note) { $0.note },
            .init(columns.stars, bounds: ValueBounds(min: 1, max: 5)) { $0.stars },
            .init(columns.place) { $0.place },
        ])
}
