// The objects of the pipeline odd, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `String`, which `id`, `self` identifies.
public struct StringObject: StoredObject, Hashable, Codable {
    public static let entity = "String"
    public let objectID: ObjectID<StringObject>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = StringObject
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<StringObject, ObjectID<StringObject>>.objectID
        public let id = Column<StringObject, Int>("id")
        public let selfValue = Column<StringObject, String>("self")
        public let identifierValue = Column<StringObject, String?>("identifier")
        public let valuesValue = Column<StringObject, String?>("values")
        public let userName = Column<StringObject, String?>("User Name")
        public let userName2 = Column<StringObject, String?>("user_name")
        public let `class` = Column<StringObject, String?>("class")
        public let _1 = Column<StringObject, Double?>("1")
        public let urlPath = Column<StringObject, String?>("URLPath")
        public let ä = Column<StringObject, Ä?>("ä")
        public let hashValueValue = Links<StringObject, StringObject>("String_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<StringObject>(
        table: "String", identifier: ["id", "self"], links: [.init("hash", to: ["String"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `New`, which `id`, `self` identifies.
public struct NewObjectObject: StoredObject, Hashable, Codable {
    public static let entity = "New"
    public let objectID: ObjectID<NewObjectObject>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = NewObjectObject
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<NewObjectObject, ObjectID<NewObjectObject>>.objectID
        public let id = Column<NewObjectObject, Int>("id")
        public let selfValue = Column<NewObjectObject, String>("self")
        public let identifierValue = Column<NewObjectObject, String?>("identifier")
        public let valuesValue = Column<NewObjectObject, String?>("values")
        public let userName = Column<NewObjectObject, String?>("User Name")
        public let userName2 = Column<NewObjectObject, String?>("user_name")
        public let `class` = Column<NewObjectObject, String?>("class")
        public let _1 = Column<NewObjectObject, Double?>("1")
        public let urlPath = Column<NewObjectObject, String?>("URLPath")
        public let ä = Column<NewObjectObject, Ä?>("ä")
        public let hashValueValue = Links<NewObjectObject, NewObjectObject>("New_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<NewObjectObject>(
        table: "New", identifier: ["id", "self"], links: [.init("hash", to: ["New"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `class`, which `id`, `self` identifies.
public struct Class: StoredObject, Hashable, Codable {
    public static let entity = "class"
    public let objectID: ObjectID<Class>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Class
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Class, ObjectID<Class>>.objectID
        public let id = Column<Class, Int>("id")
        public let selfValue = Column<Class, String>("self")
        public let identifierValue = Column<Class, String?>("identifier")
        public let valuesValue = Column<Class, String?>("values")
        public let userName = Column<Class, String?>("User Name")
        public let userName2 = Column<Class, String?>("user_name")
        public let `class` = Column<Class, String?>("class")
        public let _1 = Column<Class, Double?>("1")
        public let urlPath = Column<Class, String?>("URLPath")
        public let ä = Column<Class, Ä?>("ä")
        public let hashValueValue = Links<Class, Class>("class_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Class>(
        table: "class", identifier: ["id", "self"], links: [.init("hash", to: ["class"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `two words`, which `id`, `self` identifies.
public struct TwoWords: StoredObject, Hashable, Codable {
    public static let entity = "two words"
    public let objectID: ObjectID<TwoWords>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = TwoWords
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<TwoWords, ObjectID<TwoWords>>.objectID
        public let id = Column<TwoWords, Int>("id")
        public let selfValue = Column<TwoWords, String>("self")
        public let identifierValue = Column<TwoWords, String?>("identifier")
        public let valuesValue = Column<TwoWords, String?>("values")
        public let userName = Column<TwoWords, String?>("User Name")
        public let userName2 = Column<TwoWords, String?>("user_name")
        public let `class` = Column<TwoWords, String?>("class")
        public let _1 = Column<TwoWords, Double?>("1")
        public let urlPath = Column<TwoWords, String?>("URLPath")
        public let ä = Column<TwoWords, Ä?>("ä")
        public let hashValueValue = Links<TwoWords, TwoWords>("two words_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<TwoWords>(
        table: "two words", identifier: ["id", "self"], links: [.init("hash", to: ["two words"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `2nd`, which `id`, `self` identifies.
public struct _2nd: StoredObject, Hashable, Codable {
    public static let entity = "2nd"
    public let objectID: ObjectID<_2nd>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = _2nd
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<_2nd, ObjectID<_2nd>>.objectID
        public let id = Column<_2nd, Int>("id")
        public let selfValue = Column<_2nd, String>("self")
        public let identifierValue = Column<_2nd, String?>("identifier")
        public let valuesValue = Column<_2nd, String?>("values")
        public let userName = Column<_2nd, String?>("User Name")
        public let userName2 = Column<_2nd, String?>("user_name")
        public let `class` = Column<_2nd, String?>("class")
        public let _1 = Column<_2nd, Double?>("1")
        public let urlPath = Column<_2nd, String?>("URLPath")
        public let ä = Column<_2nd, Ä?>("ä")
        public let hashValueValue = Links<_2nd, _2nd>("2nd_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<_2nd>(
        table: "2nd", identifier: ["id", "self"], links: [.init("hash", to: ["2nd"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `Object`, which `id`, `self` identifies.
public struct Object: StoredObject, Hashable, Codable {
    public static let entity = "Object"
    public let objectID: ObjectID<Object>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Object
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Object, ObjectID<Object>>.objectID
        public let id = Column<Object, Int>("id")
        public let selfValue = Column<Object, String>("self")
        public let identifierValue = Column<Object, String?>("identifier")
        public let valuesValue = Column<Object, String?>("values")
        public let userName = Column<Object, String?>("User Name")
        public let userName2 = Column<Object, String?>("user_name")
        public let `class` = Column<Object, String?>("class")
        public let _1 = Column<Object, Double?>("1")
        public let urlPath = Column<Object, String?>("URLPath")
        public let ä = Column<Object, Ä?>("ä")
        public let hashValueValue = Links<Object, Object>("Object_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Object>(
        table: "Object", identifier: ["id", "self"], links: [.init("hash", to: ["Object"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `a_id`, which `id`, `self` identifies.
public struct AID: StoredObject, Hashable, Codable {
    public static let entity = "a_id"
    public let objectID: ObjectID<AID>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = AID
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<AID, ObjectID<AID>>.objectID
        public let id = Column<AID, Int>("id")
        public let selfValue = Column<AID, String>("self")
        public let identifierValue = Column<AID, String?>("identifier")
        public let valuesValue = Column<AID, String?>("values")
        public let userName = Column<AID, String?>("User Name")
        public let userName2 = Column<AID, String?>("user_name")
        public let `class` = Column<AID, String?>("class")
        public let _1 = Column<AID, Double?>("1")
        public let urlPath = Column<AID, String?>("URLPath")
        public let ä = Column<AID, Ä?>("ä")
        public let hashValueValue = Links<AID, AID>("a_id_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<AID>(
        table: "a_id", identifier: ["id", "self"], links: [.init("hash", to: ["a_id"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `Wörter`, which `id`, `self` identifies.
public struct Wörter: StoredObject, Hashable, Codable {
    public static let entity = "Wörter"
    public let objectID: ObjectID<Wörter>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Wörter
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Wörter, ObjectID<Wörter>>.objectID
        public let id = Column<Wörter, Int>("id")
        public let selfValue = Column<Wörter, String>("self")
        public let identifierValue = Column<Wörter, String?>("identifier")
        public let valuesValue = Column<Wörter, String?>("values")
        public let userName = Column<Wörter, String?>("User Name")
        public let userName2 = Column<Wörter, String?>("user_name")
        public let `class` = Column<Wörter, String?>("class")
        public let _1 = Column<Wörter, Double?>("1")
        public let urlPath = Column<Wörter, String?>("URLPath")
        public let ä = Column<Wörter, Ä?>("ä")
        public let hashValueValue = Links<Wörter, Wörter>("Wörter_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Wörter>(
        table: "Wörter", identifier: ["id", "self"], links: [.init("hash", to: ["Wörter"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `--`, which `id`, `self` identifies.
public struct Object2: StoredObject, Hashable, Codable {
    public static let entity = "--"
    public let objectID: ObjectID<Object2>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Object2
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Object2, ObjectID<Object2>>.objectID
        public let id = Column<Object2, Int>("id")
        public let selfValue = Column<Object2, String>("self")
        public let identifierValue = Column<Object2, String?>("identifier")
        public let valuesValue = Column<Object2, String?>("values")
        public let userName = Column<Object2, String?>("User Name")
        public let userName2 = Column<Object2, String?>("user_name")
        public let `class` = Column<Object2, String?>("class")
        public let _1 = Column<Object2, Double?>("1")
        public let urlPath = Column<Object2, String?>("URLPath")
        public let ä = Column<Object2, Ä?>("ä")
        public let hashValueValue = Links<Object2, Object2>("--_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Object2>(
        table: "--", identifier: ["id", "self"], links: [.init("hash", to: ["--"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}

/// An object of the entity `objectID2`, which `id`, `self` identifies.
public struct ObjectID2: StoredObject, Hashable, Codable {
    public static let entity = "objectID2"
    public let objectID: ObjectID<ObjectID2>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `self`.
    public var selfValue: String
    /// The attribute `identifier`.
    public var identifierValue: String?
    /// The attribute `values`.
    public var valuesValue: String?
    /// The attribute `User Name`.
    public var userName: String?
    /// The attribute `user_name`.
    public var userName2: String?
    /// The attribute `class`.
    public var `class`: String?
    /// The attribute `1`.
    public var _1: Double?
    /// The attribute `URLPath`.
    public var urlPath: String?
    /// The attribute `ä`.
    public var ä: Ä?

    public var identifier: Identifier { Identifier(id: id, selfValue: selfValue) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.id, identifier.selfValue] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String

        /// All values.
        public init(
            id: Int,
            selfValue: String
        ) {
            self.id = id
            self.selfValue = selfValue
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        selfValue = try row.value(2)
        identifierValue = try row.value(3)
        valuesValue = try row.value(4)
        userName = try row.value(5)
        userName2 = try row.value(6)
        `class` = try row.value(7)
        _1 = try row.value(8)
        urlPath = try row.value(9)
        ä = try row.value(10)
    }

    /// What the attribute `ä` may be.
    public enum Ä: String, StoredChoice {
        case x = "\"\\(x)\u{0}"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = ObjectID2
        /// The attribute `id`.
        public var id: Int
        /// The attribute `self`.
        public var selfValue: String
        /// The attribute `identifier`.
        public var identifierValue: String?
        /// The attribute `values`.
        public var valuesValue: String?
        /// The attribute `User Name`.
        public var userName: String?
        /// The attribute `user_name`.
        public var userName2: String?
        /// The attribute `class`.
        public var `class`: String?
        /// The attribute `1`.
        public var _1: Double?
        /// The attribute `URLPath`.
        public var urlPath: String?
        /// The attribute `ä`.
        public var ä: Ä?

        /// All values.
        public init(
            id: Int,
            selfValue: String,
            identifierValue: String? = nil,
            valuesValue: String? = nil,
            userName: String? = nil,
            userName2: String? = nil,
            `class`: String? = nil,
            _1: Double? = nil,
            urlPath: String? = nil,
            ä: Ä? = nil
        ) {
            self.id = id
            self.selfValue = selfValue
            self.identifierValue = identifierValue
            self.valuesValue = valuesValue
            self.userName = userName
            self.userName2 = userName2
            self.`class` = `class`
            self._1 = _1
            self.urlPath = urlPath
            self.ä = ä
        }

        public var values: [any StoreValue] { [id, selfValue, identifierValue, valuesValue, userName, userName2, `class`, _1, urlPath, ä] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<ObjectID2, ObjectID<ObjectID2>>.objectID
        public let id = Column<ObjectID2, Int>("id")
        public let selfValue = Column<ObjectID2, String>("self")
        public let identifierValue = Column<ObjectID2, String?>("identifier")
        public let valuesValue = Column<ObjectID2, String?>("values")
        public let userName = Column<ObjectID2, String?>("User Name")
        public let userName2 = Column<ObjectID2, String?>("user_name")
        public let `class` = Column<ObjectID2, String?>("class")
        public let _1 = Column<ObjectID2, Double?>("1")
        public let urlPath = Column<ObjectID2, String?>("URLPath")
        public let ä = Column<ObjectID2, Ä?>("ä")
        public let hashValueValue = Links<ObjectID2, ObjectID2>("objectID2_hash")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<ObjectID2>(
        table: "objectID2", identifier: ["id", "self"], links: [.init("hash", to: ["objectID2"])],
        [
            .init(columns.id) { $0.id },
            .init(columns.selfValue) { $0.selfValue },
            .init(columns.identifierValue) { $0.identifierValue },
            .init(columns.valuesValue) { $0.valuesValue },
            .init(columns.userName) { $0.userName },
            .init(columns.userName2) { $0.userName2 },
            .init(columns.`class`) { $0.`class` },
            .init(columns._1) { $0._1 },
            .init(columns.urlPath) { $0.urlPath },
            .init(columns.ä, bounds: ValueBounds(oneOf: ["\"\\(x)\u{0}"])) { $0.ä },
        ])
}
