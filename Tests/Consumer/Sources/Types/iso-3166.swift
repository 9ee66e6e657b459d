// The objects of the pipeline iso-3166, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Country`, which `alpha_2` identifies.
public struct Country: StoredObject, Hashable, Codable {
    public static let entity = "Country"
    public let objectID: ObjectID<Country>
    /// The attribute `alpha_2`.
    public var alpha2: String
    /// The attribute `alpha_3`.
    public var alpha3: String?
    /// The attribute `numeric`.
    public var numeric: String?
    /// The attribute `name`.
    public var name: String?
    /// The attribute `official_name`.
    public var officialName: String?
    /// The attribute `common_name`.
    public var commonName: String?
    /// The attribute `flag`.
    public var flag: String?

    public var identifier: String { alpha2 }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        alpha2 = try row.value(1)
        alpha3 = try row.value(2)
        numeric = try row.value(3)
        name = try row.value(4)
        officialName = try row.value(5)
        commonName = try row.value(6)
        flag = try row.value(7)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Country
        /// The attribute `alpha_2`.
        public var alpha2: String
        /// The attribute `alpha_3`.
        public var alpha3: String?
        /// The attribute `numeric`.
        public var numeric: String?
        /// The attribute `name`.
        public var name: String?
        /// The attribute `official_name`.
        public var officialName: String?
        /// The attribute `common_name`.
        public var commonName: String?
        /// The attribute `flag`.
        public var flag: String?

        /// All values.
        public init(
            alpha2: String,
            alpha3: String? = nil,
            numeric: String? = nil,
            name: String? = nil,
            officialName: String? = nil,
            commonName: String? = nil,
            flag: String? = nil
        ) {
            self.alpha2 = alpha2
            self.alpha3 = alpha3
            self.numeric = numeric
            self.name = name
            self.officialName = officialName
            self.commonName = commonName
            self.flag = flag
        }

        public var values: [any StoreValue] { [alpha2, alpha3, numeric, name, officialName, commonName, flag] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Country, ObjectID<Country>>.objectID
        public let alpha2 = Column<Country, String>("alpha_2")
        public let alpha3 = Column<Country, String?>("alpha_3")
        public let numeric = Column<Country, String?>("numeric")
        public let name = Column<Country, String?>("name")
        public let officialName = Column<Country, String?>("official_name")
        public let commonName = Column<Country, String?>("common_name")
        public let flag = Column<Country, String?>("flag")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Country>(
        table: "Country", identifier: ["alpha_2"],
        [
            .init(columns.alpha2) { $0.alpha2 },
            .init(columns.alpha3) { $0.alpha3 },
            .init(columns.numeric) { $0.numeric },
            .init(columns.name) { $0.name },
            .init(columns.officialName) { $0.officialName },
            .init(columns.commonName) { $0.commonName },
            .init(columns.flag) { $0.flag },
        ])
}

/// An object of the entity `Subdivision`, which `code` identifies.
public struct Subdivision: StoredObject, Hashable, Codable {
    public static let entity = "Subdivision"
    public let objectID: ObjectID<Subdivision>
    /// The attribute `code`.
    public var code: String
    /// The attribute `name`.
    public var name: String?
    /// The attribute `type`.
    public var type: String?
    /// The relationship `country`.
    public var country: ObjectID<Country>?
    /// The relationship `parent`.
    public var parent: ObjectID<Subdivision>?

    public var identifier: String { code }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        code = try row.value(1)
        name = try row.value(2)
        type = try row.value(3)
        country = try row.objectID(4)
        parent = try row.objectID(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Subdivision
        /// The attribute `code`.
        public var code: String
        /// The attribute `name`.
        public var name: String?
        /// The attribute `type`.
        public var type: String?
        /// The relationship `country`.
        public var country: ObjectID<Country>?
        /// The relationship `parent`.
        public var parent: ObjectID<Subdivision>?

        /// All values.
        public init(
            code: String,
            name: String? = nil,
            type: String? = nil,
            country: ObjectID<Country>? = nil,
            parent: ObjectID<Subdivision>? = nil
        ) {
            self.code = code
            self.name = name
            self.type = type
            self.country = country
            self.parent = parent
        }

        public var values: [any StoreValue] { [code, name, type, country, parent] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Subdivision, ObjectID<Subdivision>>.objectID
        public let code = Column<Subdivision, String>("code")
        public let name = Column<Subdivision, String?>("name")
        public let type = Column<Subdivision, String?>("type")
        public let country = Column<Subdivision, ObjectID<Country>?>("country")
        public let parent = Column<Subdivision, ObjectID<Subdivision>?>("parent")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Subdivision>(
        table: "Subdivision", identifier: ["code"],
        [
            .init(columns.code) { $0.code },
            .init(columns.name) { $0.name },
            .init(columns.type) { $0.type },
            .init(columns.country, references: .init("country", to: ["Country"])) { $0.country },
            .init(columns.parent, references: .init("parent", to: ["Subdivision"])) { $0.parent },
        ])
}
