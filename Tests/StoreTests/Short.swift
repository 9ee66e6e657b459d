// The objects of the pipeline short, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `L`, which `id` identifies.
public struct L: StoredObject, Hashable, Codable {
    public static let entity = "L"
    public let objectID: ObjectID<L>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `name`.
    public var name: String?
    /// The relationship `up`.
    public var up: ObjectID<Its>?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        name = try row.value(2)
        up = try row.objectID(3)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = L
        /// The attribute `id`.
        public var id: Int
        /// The attribute `name`.
        public var name: String?
        /// The relationship `up`.
        public var up: ObjectID<Its>?

        /// All values.
        public init(
            id: Int,
            name: String? = nil,
            up: ObjectID<Its>? = nil
        ) {
            self.id = id
            self.name = name
            self.up = up
        }

        public var values: [any StoreValue] { [id, name, up] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<L, ObjectID<L>>.objectID
        public let id = Column<L, Int>("id")
        public let name = Column<L, String?>("name")
        public let up = Column<L, ObjectID<Its>?>("up")
        public let many = Links<L, L>("L_many")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<L>(
        table: "L", identifier: ["id"], links: [.init("many", to: ["L"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.up, references: .init("up", to: ["Its"])) { $0.up },
        ])
}

/// An object of the entity `Its`, which `id` identifies.
public struct Its: StoredObject, Hashable, Codable {
    public static let entity = "Its"
    public let objectID: ObjectID<Its>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `name`.
    public var name: String?
    /// The attribute `deletedAt`.
    public var deletedAt: Instant?
    /// The relationship `its`.
    public var its: ObjectID<L>?
    /// Since when no feed has held the object; nil: the last one did.
    public var deletedAt2: Instant?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        name = try row.value(2)
        deletedAt = try row.value(3)
        its = try row.objectID(4)
        deletedAt2 = try row.value(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Its
        /// The attribute `id`.
        public var id: Int
        /// The attribute `name`.
        public var name: String?
        /// The attribute `deletedAt`.
        public var deletedAt: Instant?
        /// The relationship `its`.
        public var its: ObjectID<L>?

        /// All values.
        public init(
            id: Int,
            name: String? = nil,
            deletedAt: Instant? = nil,
            its: ObjectID<L>? = nil
        ) {
            self.id = id
            self.name = name
            self.deletedAt = deletedAt
            self.its = its
        }

        public var values: [any StoreValue] { [id, name, deletedAt, its, Instant?.none] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Its, ObjectID<Its>>.objectID
        public let id = Column<Its, Int>("id")
        public let name = Column<Its, String?>("name")
        public let deletedAt = Column<Its, Instant?>("deletedAt")
        public let its = Column<Its, ObjectID<L>?>("its")
        public let deletedAt2 = Column<Its, Instant?>("deleted_at", StoredForm(.datetime, fraction: 0))
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Its>(
        table: "Its", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.deletedAt) { $0.deletedAt },
            .init(columns.its, references: .init("its", to: ["L"])) { $0.its },
            .init(mark: columns.deletedAt2) { $0.deletedAt2 },
        ])
}

/// An object of the entity `F`, which `id` identifies.
public struct F: StoredObject, Hashable, Codable {
    public static let entity = "F"
    public let objectID: ObjectID<F>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `name`.
    public var name: String?
    /// The attribute `latitude`.
    public var latitude: Double?
    /// The attribute `longitude`.
    public var longitude: Double?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        name = try row.value(2)
        latitude = try row.value(3)
        longitude = try row.value(4)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = F
        /// The attribute `id`.
        public var id: Int
        /// The attribute `name`.
        public var name: String?
        /// The attribute `latitude`.
        public var latitude: Double?
        /// The attribute `longitude`.
        public var longitude: Double?

        /// All values.
        public init(
            id: Int,
            name: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil
        ) {
            self.id = id
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
        }

        public var values: [any StoreValue] { [id, name, latitude, longitude] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<F, ObjectID<F>>.objectID
        public let id = Column<F, Int>("id")
        public let name = Column<F, String?>("name")
        public let latitude = Column<F, Double?>("latitude")
        public let longitude = Column<F, Double?>("longitude")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<F>(
        table: "F", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.latitude) { $0.latitude },
            .init(columns.longitude) { $0.longitude },
        ])
}

/// An object of the entity `E`, which `id` identifies.
public struct E: StoredObject, Hashable, Codable {
    public static let entity = "E"
    public let objectID: ObjectID<E>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `entity`.
    public var entity: Int?
    /// The attribute `imported`.
    public var imported: Int?
    /// The attribute `picture`.
    public var picture: [UInt8]?
    /// The attribute `row`.
    public var rowValue: String?
    /// The attribute `hash`.
    public var hashValueValue: String?
    /// The attribute `column_list`.
    public var columnListValue: String?
    /// The attribute `codingKeys`.
    public var codingKeys: CodingKeysObject?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        entity = try row.value(2)
        imported = try row.value(3)
        picture = try row.value(4)
        rowValue = try row.value(5)
        hashValueValue = try row.value(6)
        columnListValue = try row.value(7)
        codingKeys = try row.value(8)
    }

    /// What the attribute `codingKeys` may be.
    public enum CodingKeysObject: String, StoredChoice {
        case a = "a"
        case b = "b"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = E
        /// The attribute `id`.
        public var id: Int
        /// The attribute `entity`.
        public var entity: Int?
        /// The attribute `imported`.
        public var imported: Int?
        /// The attribute `picture`.
        public var picture: [UInt8]?
        /// The attribute `row`.
        public var rowValue: String?
        /// The attribute `hash`.
        public var hashValueValue: String?
        /// The attribute `column_list`.
        public var columnListValue: String?
        /// The attribute `codingKeys`.
        public var codingKeys: CodingKeysObject?

        /// All values.
        public init(
            id: Int,
            entity: Int? = nil,
            imported: Int? = nil,
            picture: [UInt8]? = nil,
            rowValue: String? = nil,
            hashValueValue: String? = nil,
            columnListValue: String? = nil,
            codingKeys: CodingKeysObject? = nil
        ) {
            self.id = id
            self.entity = entity
            self.imported = imported
            self.picture = picture
            self.rowValue = rowValue
            self.hashValueValue = hashValueValue
            self.columnListValue = columnListValue
            self.codingKeys = codingKeys
        }

        public var values: [any StoreValue] { [id, entity, imported, picture, rowValue, hashValueValue, columnListValue, codingKeys] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<E, ObjectID<E>>.objectID
        public let id = Column<E, Int>("id")
        public let entity = Column<E, Int?>("entity")
        public let imported = Column<E, Int?>("imported")
        public let picture = Column<E, [UInt8]?>("picture")
        public let rowValue = Column<E, String?>("row")
        public let hashValueValue = Column<E, String?>("hash")
        public let columnListValue = Column<E, String?>("column_list")
        public let codingKeys = Column<E, CodingKeysObject?>("codingKeys")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<E>(
        table: "E", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.entity) { $0.entity },
            .init(columns.imported) { $0.imported },
            .init(columns.picture) { $0.picture },
            .init(columns.rowValue) { $0.rowValue },
            .init(columns.hashValueValue) { $0.hashValueValue },
            .init(columns.columnListValue) { $0.columnListValue },
            .init(columns.codingKeys, bounds: ValueBounds(oneOf: ["a", "b"])) { $0.codingKeys },
        ])
}
