// The objects of the pipeline instruments, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Maker`, which `id` identifies.
public struct Maker: StoredObject, Hashable, Codable {
    public static let entity = "Maker"
    public let objectID: ObjectID<Maker>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `name`.
    public var name: String?
    /// The attribute `place`.
    public var place: String?
    /// The attribute `born`.
    public var born: Int?
    /// The attribute `died`.
    public var died: Int?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        name = try row.value(2)
        place = try row.value(3)
        born = try row.value(4)
        died = try row.value(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Maker
        /// The attribute `id`.
        public var id: Int
        /// The attribute `name`.
        public var name: String?
        /// The attribute `place`.
        public var place: String?
        /// The attribute `born`.
        public var born: Int?
        /// The attribute `died`.
        public var died: Int?

        /// All values.
        public init(
            id: Int,
            name: String? = nil,
            place: String? = nil,
            born: Int? = nil,
            died: Int? = nil
        ) {
            self.id = id
            self.name = name
            self.place = place
            self.born = born
            self.died = died
        }

        public var values: [any StoreValue] { [id, name, place, born, died] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Maker, ObjectID<Maker>>.objectID
        public let id = Column<Maker, Int>("id")
        public let name = Column<Maker, String?>("name")
        public let place = Column<Maker, String?>("place")
        public let born = Column<Maker, Int?>("born")
        public let died = Column<Maker, Int?>("died")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Maker>(
        table: "Maker", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.place) { $0.place },
            .init(columns.born) { $0.born },
            .init(columns.died) { $0.died },
        ])
}

/// An object of the entity `Object`, which `collection`, `number` identifies.
public struct Object: StoredObject, Hashable, Codable {
    public static let entity = "Object"
    public let objectID: ObjectID<Object>
    /// The attribute `collection`.
    public var collection: String
    /// The attribute `number`.
    public var number: Int
    /// The attribute `title`.
    public var title: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `dated`.
    public var dated: String?
    /// The attribute `year`.
    public var year: Int?
    /// The attribute `price`.
    public var price: ExactDecimal?
    /// The attribute `currency`.
    public var currency: String?
    /// The attribute `acquired`.
    public var acquired: CalendarDate?
    /// The attribute `changed`.
    public var changed: Instant?
    /// The attribute `place`.
    public var place: String?
    /// The relationship `maker`.
    public var maker: ObjectID<Maker>?
    /// The relationship `partOf`.
    public var partOf: ObjectID<Object>?

    public var identifier: Identifier { Identifier(collection: collection, number: number) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.collection, identifier.number] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `collection`.
        public var collection: String
        /// The attribute `number`.
        public var number: Int

        /// All values.
        public init(
            collection: String,
            number: Int
        ) {
            self.collection = collection
            self.number = number
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        collection = try row.value(1)
        number = try row.value(2)
        title = try row.value(3)
        `class` = try row.value(4)
        dated = try row.value(5)
        year = try row.value(6)
        price = try row.value(7)
        currency = try row.value(8)
        acquired = try row.value(9)
        changed = try row.value(10)
        place = try row.value(11)
        maker = try row.objectID(12)
        partOf = try row.objectID(13)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Object
        /// The attribute `collection`.
        public var collection: String
        /// The attribute `number`.
        public var number: Int
        /// The attribute `title`.
        public var title: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `dated`.
        public var dated: String?
        /// The attribute `year`.
        public var year: Int?
        /// The attribute `price`.
        public var price: ExactDecimal?
        /// The attribute `currency`.
        public var currency: String?
        /// The attribute `acquired`.
        public var acquired: CalendarDate?
        /// The attribute `changed`.
        public var changed: Instant?
        /// The attribute `place`.
        public var place: String?
        /// The relationship `maker`.
        public var maker: ObjectID<Maker>?
        /// The relationship `partOf`.
        public var partOf: ObjectID<Object>?

        /// All values.
        public init(
            collection: String,
            number: Int,
            title: String? = nil,
            `class`: String? = nil,
            dated: String? = nil,
            year: Int? = nil,
            price: ExactDecimal? = nil,
            currency: String? = nil,
            acquired: CalendarDate? = nil,
            changed: Instant? = nil,
            place: String? = nil,
            maker: ObjectID<Maker>? = nil,
            partOf: ObjectID<Object>? = nil
        ) {
            self.collection = collection
            self.number = number
            self.title = title
            self.`class` = `class`
            self.dated = dated
            self.year = year
            self.price = price
            self.currency = currency
            self.acquired = acquired
            self.changed = changed
            self.place = place
            self.maker = maker
            self.partOf = partOf
        }

        public var values: [any StoreValue] { [collection, number, title, `class`, dated, year, price, currency, acquired, changed, place, maker, partOf] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Object, ObjectID<Object>>.objectID
        public let collection = Column<Object, String>("collection")
        public let number = Column<Object, Int>("number")
        public let title = Column<Object, String?>("title")
        public let `class` = Column<Object, String?>("class")
        public let dated = Column<Object, String?>("dated")
        public let year = Column<Object, Int?>("year")
        public let price = Column<Object, ExactDecimal?>("price")
        public let currency = Column<Object, String?>("currency")
        public let acquired = Column<Object, CalendarDate?>("acquired")
        public let changed = Column<Object, Instant?>("changed")
        public let place = Column<Object, String?>("place")
        public let maker = Column<Object, ObjectID<Maker>?>("maker")
        public let partOf = Column<Object, ObjectID<Object>?>("partOf")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Object>(
        table: "Object", identifier: ["collection", "number"],
        [
            .init(columns.collection) { $0.collection },
            .init(columns.number) { $0.number },
            .init(columns.title) { $0.title },
            .init(columns.`class`) { $0.`class` },
            .init(columns.dated) { $0.dated },
            .init(columns.year) { $0.year },
            .init(columns.price) { $0.price },
            .init(columns.currency) { $0.currency },
            .init(columns.acquired) { $0.acquired },
            .init(columns.changed) { $0.changed },
            .init(columns.place) { $0.place },
            .init(columns.maker, references: .init("maker", to: ["Maker"])) { $0.maker },
            .init(columns.partOf, references: .init("partOf", to: ["Object"])) { $0.partOf },
        ])
}
