// The objects of the pipeline catalogue, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Category`, which `name` identifies.
public struct Category: StoredObject, Hashable, Codable {
    public static let entity = "Category"
    public let objectID: ObjectID<Category>
    /// The attribute `name`.
    public var name: String
    /// The attribute `rank`.
    public var rank: Int?

    public var identifier: String { name }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        name = try row.value(1)
        rank = try row.value(2)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Category
        /// The attribute `name`.
        public var name: String
        /// The attribute `rank`.
        public var rank: Int?

        /// All values.
        public init(
            name: String,
            rank: Int? = nil
        ) {
            self.name = name
            self.rank = rank
        }

        public var values: [any StoreValue] { [name, rank] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Category, ObjectID<Category>>.objectID
        public let name = Column<Category, String>("name")
        public let rank = Column<Category, Int?>("rank")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Category>(
        table: "Category", identifier: ["name"],
        [
            .init(columns.name) { $0.name },
            .init(columns.rank) { $0.rank },
        ])
}

/// An object of the entity `Supplier`, which `country`, `number` identifies.
public struct Supplier: StoredObject, Hashable, Codable {
    public static let entity = "Supplier"
    public let objectID: ObjectID<Supplier>
    /// The attribute `country`.
    public var country: String
    /// The attribute `number`.
    public var number: Int
    /// The attribute `title`.
    public var title: String?

    public var identifier: Identifier { Identifier(country: country, number: number) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.country, identifier.number] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `country`.
        public var country: String
        /// The attribute `number`.
        public var number: Int

        /// All values.
        public init(
            country: String,
            number: Int
        ) {
            self.country = country
            self.number = number
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        country = try row.value(1)
        number = try row.value(2)
        title = try row.value(3)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Supplier
        /// The attribute `country`.
        public var country: String
        /// The attribute `number`.
        public var number: Int
        /// The attribute `title`.
        public var title: String?

        /// All values.
        public init(
            country: String,
            number: Int,
            title: String? = nil
        ) {
            self.country = country
            self.number = number
            self.title = title
        }

        public var values: [any StoreValue] { [country, number, title] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Supplier, ObjectID<Supplier>>.objectID
        public let country = Column<Supplier, String>("country")
        public let number = Column<Supplier, Int>("number")
        public let title = Column<Supplier, String?>("title")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Supplier>(
        table: "Supplier", identifier: ["country", "number"],
        [
            .init(columns.country) { $0.country },
            .init(columns.number) { $0.number },
            .init(columns.title) { $0.title },
        ])
}

/// An object of the entity `Item`, which `item_id` identifies.
public struct Item: StoredObject, Hashable, Codable {
    public static let entity = "Item"
    public let objectID: ObjectID<Item>
    /// The attribute `item_id`.
    public var itemID: Int
    /// The attribute `name`.
    public var name: String?
    /// The attribute `weight`.
    public var weight: Double?
    /// The attribute `stock`.
    public var stock: Int?
    /// The attribute `price`.
    public var price: ExactDecimal?
    /// The attribute `tax`.
    public var tax: ExactDecimal?
    /// The attribute `cents`.
    public var cents: ExactDecimal?
    /// The attribute `is_new`.
    public var isNew: Bool?
    /// The attribute `since`.
    public var since: CalendarDate?
    /// The attribute `seen`.
    public var seen: Instant?
    /// The attribute `checked`.
    public var checked: Instant?
    /// The attribute `lasts`.
    public var lasts: Duration?
    /// The attribute `extra`.
    public var extra: JSONValue?
    /// The attribute `image`.
    public var image: [UInt8]?
    /// The attribute `state`.
    public var state: State?
    /// The relationship `category`.
    public var category: ObjectID<Category>?
    /// The relationship `part_of`.
    public var partOf: ObjectID<Item>?
    /// The relationship `source`.
    public var source: AnyObjectID?
    /// Since when no feed has held the object; nil: the last one did.
    public var deletedAt: Instant?

    public var identifier: Int { itemID }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        itemID = try row.value(1)
        name = try row.value(2)
        weight = try row.value(3)
        stock = try row.value(4)
        price = try row.value(5)
        tax = try row.value(6)
        cents = try row.decimal(7, scale: 2)
        isNew = try row.value(8)
        since = try row.value(9)
        seen = try row.value(10)
        checked = try row.value(11)
        lasts = try row.duration(12, fraction: 3)
        extra = try row.value(13)
        image = try row.value(14)
        state = try row.value(15)
        category = try row.objectID(16)
        partOf = try row.objectID(17)
        source = try row.reference(18, entity: 19)
        deletedAt = try row.value(20)
    }

    /// What the attribute `state` may be.
    public enum State: String, StoredChoice {
        case open = "open"
        case closed = "closed"
        case lost = "lost"
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Item
        /// The attribute `item_id`.
        public var itemID: Int
        /// The attribute `name`.
        public var name: String?
        /// The attribute `weight`.
        public var weight: Double?
        /// The attribute `stock`.
        public var stock: Int?
        /// The attribute `price`.
        public var price: ExactDecimal?
        /// The attribute `tax`.
        public var tax: ExactDecimal?
        /// The attribute `cents`.
        public var cents: ExactDecimal?
        /// The attribute `is_new`.
        public var isNew: Bool?
        /// The attribute `since`.
        public var since: CalendarDate?
        /// The attribute `seen`.
        public var seen: Instant?
        /// The attribute `checked`.
        public var checked: Instant?
        /// The attribute `lasts`.
        public var lasts: Duration?
        /// The attribute `extra`.
        public var extra: JSONValue?
        /// The attribute `image`.
        public var image: [UInt8]?
        /// The attribute `state`.
        public var state: State?
        /// The relationship `category`.
        public var category: ObjectID<Category>?
        /// The relationship `part_of`.
        public var partOf: ObjectID<Item>?
        /// The relationship `source`.
        public var source: AnyObjectID?

        /// All values.
        public init(
            itemID: Int,
            name: String? = nil,
            weight: Double? = nil,
            stock: Int? = nil,
            price: ExactDecimal? = nil,
            tax: ExactDecimal? = nil,
            cents: ExactDecimal? = nil,
            isNew: Bool? = nil,
            since: CalendarDate? = nil,
            seen: Instant? = nil,
            checked: Instant? = nil,
            lasts: Duration? = nil,
            extra: JSONValue? = nil,
            image: [UInt8]? = nil,
            state: State? = nil,
            category: ObjectID<Category>? = nil,
            partOf: ObjectID<Item>? = nil,
            source: AnyObjectID? = nil
        ) {
            self.itemID = itemID
            self.name = name
            self.weight = weight
            self.stock = stock
            self.price = price
            self.tax = tax
            self.cents = cents
            self.isNew = isNew
            self.since = since
            self.seen = seen
            self.checked = checked
            self.lasts = lasts
            self.extra = extra
            self.image = image
            self.state = state
            self.category = category
            self.partOf = partOf
            self.source = source
        }

        public var values: [any StoreValue] { [itemID, name, weight, stock, price, tax, cents, isNew, since, seen, checked, lasts, extra, image, state, category, partOf, source?.number, source?.entity, Instant?.none] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Item, ObjectID<Item>>.objectID
        public let itemID = Column<Item, Int>("item_id")
        public let name = Column<Item, String?>("name")
        public let weight = Column<Item, Double?>("weight")
        public let stock = Column<Item, Int?>("stock")
        public let price = Column<Item, ExactDecimal?>("price")
        public let tax = Column<Item, ExactDecimal?>("tax", StoredForm(.decimal, scale: 2))
        public let cents = Column<Item, ExactDecimal?>("cents", StoredForm(.decimal, scale: 2, isInteger: true))
        public let isNew = Column<Item, Bool?>("is_new")
        public let since = Column<Item, CalendarDate?>("since")
        public let seen = Column<Item, Instant?>("seen")
        public let checked = Column<Item, Instant?>("checked", StoredForm(.datetime, fraction: 0))
        public let lasts = Column<Item, Duration?>("lasts", StoredForm(.duration, fraction: 3))
        public let extra = Column<Item, JSONValue?>("extra")
        public let image = Column<Item, [UInt8]?>("image")
        public let state = Column<Item, State?>("state")
        public let category = Column<Item, ObjectID<Category>?>("category")
        public let partOf = Column<Item, ObjectID<Item>?>("part_of")
        public let source = AnyReference<Item>("source")
        public let deletedAt = Column<Item, Instant?>("deleted_at", StoredForm(.datetime, fraction: 0))
        public let related = Links<Item, Item>("Item_related")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Item>(
        table: "Item", identifier: ["item_id"], links: [.init("related", to: ["Item"])],
        [
            .init(columns.itemID) { $0.itemID },
            .init(columns.name) { $0.name },
            .init(columns.weight) { $0.weight },
            .init(columns.stock, bounds: ValueBounds(min: 0, max: 1000)) { $0.stock },
            .init(columns.price, bounds: ValueBounds(min: ExactDecimal("0"))) { $0.price },
            .init(columns.tax) { $0.tax },
            .init(columns.cents) { $0.cents },
            .init(columns.isNew) { $0.isNew },
            .init(columns.since) { $0.since },
            .init(columns.seen) { $0.seen },
            .init(columns.checked) { $0.checked },
            .init(columns.lasts, bounds: ValueBounds(min: Duration(units: 0, fraction: 3))) { $0.lasts },
            .init(columns.extra) { $0.extra },
            .init(columns.image) { $0.image },
            .init(columns.state, bounds: ValueBounds(oneOf: ["open", "closed", "lost"])) { $0.state },
            .init(columns.category, references: .init("category", to: ["Category"])) { $0.category },
            .init(columns.partOf, references: .init("part_of", to: ["Item"])) { $0.partOf },
            .init(columns.source, references: .init("source", to: ["Category", "Item"])) { $0.source },
            .init(entityOf: columns.source) { $0.source },
            .init(mark: columns.deletedAt) { $0.deletedAt },
        ])
}

/// An object of the entity `Review`, which `id` identifies.
public struct Review: StoredObject, Hashable, Codable {
    public static let entity = "Review"
    public let objectID: ObjectID<Review>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `stars`.
    public var stars: Int?
    /// The relationship `item`.
    public var item: ObjectID<Item>?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        stars = try row.value(2)
        item = try row.objectID(3)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Review
        /// The attribute `id`.
        public var id: Int
        /// The attribute `stars`.
        public var stars: Int?
        /// The relationship `item`.
        public var item: ObjectID<Item>?

        /// All values.
        public init(
            id: Int,
            stars: Int? = nil,
            item: ObjectID<Item>? = nil
        ) {
            self.id = id
            self.stars = stars
            self.item = item
        }

        public var values: [any StoreValue] { [id, stars, item] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Review, ObjectID<Review>>.objectID
        public let id = Column<Review, Int>("id")
        public let stars = Column<Review, Int?>("stars")
        public let item = Column<Review, ObjectID<Item>?>("item")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Review>(
        table: "Review", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.stars) { $0.stars },
            .init(columns.item, references: .init("item", to: ["Item"])) { $0.item },
        ])
}

/// An object of the entity `Spot`, which `id` identifies.
public struct Spot: StoredObject, Hashable, Codable {
    public static let entity = "Spot"
    public let objectID: ObjectID<Spot>
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
        public typealias Stored = Spot
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
        public let objectID = Column<Spot, ObjectID<Spot>>.objectID
        public let id = Column<Spot, Int>("id")
        public let name = Column<Spot, String?>("name")
        public let latitude = Column<Spot, Double?>("latitude")
        public let longitude = Column<Spot, Double?>("longitude")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Spot>(
        table: "Spot", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.latitude) { $0.latitude },
            .init(columns.longitude) { $0.longitude },
        ])
}

/// An object of the entity `Series`, which `id` identifies.
public struct Series: StoredObject, Hashable, Codable {
    public static let entity = "Series"
    public let objectID: ObjectID<Series>
    /// The attribute `id`.
    public var id: Int
    /// The attribute `tags`.
    public var tags: JSONValue?
    /// The attribute `names`.
    public var names: JSONValue?
    /// The attribute `counts`.
    public var counts: JSONValue?
    /// The attribute `weights`.
    public var weights: JSONValue?
    /// The attribute `prices`.
    public var prices: JSONValue?
    /// The attribute `days`.
    public var days: JSONValue?
    /// The attribute `moments`.
    public var moments: JSONValue?
    /// The attribute `spans`.
    public var spans: JSONValue?
    /// The attribute `flags`.
    public var flags: JSONValue?

    public var identifier: Int { id }
    public static func values(of identifier: Int) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        tags = try row.value(2)
        names = try row.value(3)
        counts = try row.value(4)
        weights = try row.value(5)
        prices = try row.value(6)
        days = try row.value(7)
        moments = try row.value(8)
        spans = try row.value(9)
        flags = try row.value(10)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Series
        /// The attribute `id`.
        public var id: Int
        /// The attribute `tags`.
        public var tags: JSONValue?
        /// The attribute `names`.
        public var names: JSONValue?
        /// The attribute `counts`.
        public var counts: JSONValue?
        /// The attribute `weights`.
        public var weights: JSONValue?
        /// The attribute `prices`.
        public var prices: JSONValue?
        /// The attribute `days`.
        public var days: JSONValue?
        /// The attribute `moments`.
        public var moments: JSONValue?
        /// The attribute `spans`.
        public var spans: JSONValue?
        /// The attribute `flags`.
        public var flags: JSONValue?

        /// All values.
        public init(
            id: Int,
            tags: JSONValue? = nil,
            names: JSONValue? = nil,
            counts: JSONValue? = nil,
            weights: JSONValue? = nil,
            prices: JSONValue? = nil,
            days: JSONValue? = nil,
            moments: JSONValue? = nil,
            spans: JSONValue? = nil,
            flags: JSONValue? = nil
        ) {
            self.id = id
            self.tags = tags
            self.names = names
            self.counts = counts
            self.weights = weights
            self.prices = prices
            self.days = days
            self.moments = moments
            self.spans = spans
            self.flags = flags
        }

        public var values: [any StoreValue] { [id, tags, names, counts, weights, prices, days, moments, spans, flags] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Series, ObjectID<Series>>.objectID
        public let id = Column<Series, Int>("id")
        public let tags = Column<Series, JSONValue?>("tags")
        public let names = Column<Series, JSONValue?>("names")
        public let counts = Column<Series, JSONValue?>("counts")
        public let weights = Column<Series, JSONValue?>("weights")
        public let prices = Column<Series, JSONValue?>("prices")
        public let days = Column<Series, JSONValue?>("days")
        public let moments = Column<Series, JSONValue?>("moments")
        public let spans = Column<Series, JSONValue?>("spans")
        public let flags = Column<Series, JSONValue?>("flags")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Series>(
        table: "Series", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.tags, bounds: ValueBounds(oneOf: ["a", "b", "\"c\""]), elements: StoredForm(.text)) { $0.tags },
            .init(columns.names, elements: StoredForm(.text)) { $0.names },
            .init(columns.counts, bounds: ValueBounds(min: 0, max: 10), elements: StoredForm(.integer)) { $0.counts },
            .init(columns.weights, bounds: ValueBounds(max: 1e+300), elements: StoredForm(.real)) { $0.weights },
            .init(columns.prices, bounds: ValueBounds(min: ExactDecimal("0.50")), elements: StoredForm(.decimal, scale: 2)) { $0.prices },
            .init(columns.days, bounds: ValueBounds(min: CalendarDate("2000-01-01")), elements: StoredForm(.date)) { $0.days },
            .init(columns.moments, elements: StoredForm(.datetime, fraction: 0)) { $0.moments },
            .init(columns.spans, bounds: ValueBounds(max: Duration(units: 3600000, fraction: 3)), elements: StoredForm(.duration, fraction: 3)) { $0.spans },
            .init(columns.flags, elements: StoredForm(.boolean)) { $0.flags },
        ])
}

/// An object of the entity `Note`, which `key` identifies.
public struct Note: StoredObject, Hashable, Codable {
    public static let entity = "Note"
    public let objectID: ObjectID<Note>
    /// The attribute `key`.
    public var key: String
    /// The attribute `text`.
    public var text: String?
    /// The attribute `score`.
    public var score: Int?
    /// The relationship `item`, into another store.
    public var item: AcrossID<Item>?
    /// The relationship `category`, into another store.
    public var category: AcrossID<Category>?

    public var identifier: String { key }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        key = try row.value(1)
        text = try row.value(2)
        score = try row.value(3)
        item = try row.value(4)
        category = try row.value(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Note
        /// The attribute `key`.
        public var key: String
        /// The attribute `text`.
        public var text: String?
        /// The attribute `score`.
        public var score: Int?
        /// The relationship `item`, into another store.
        public var item: AcrossID<Item>?
        /// The relationship `category`, into another store.
        public var category: AcrossID<Category>?

        /// All values.
        public init(
            key: String,
            text: String? = nil,
            score: Int? = nil,
            item: AcrossID<Item>? = nil,
            category: AcrossID<Category>? = nil
        ) {
            self.key = key
            self.text = text
            self.score = score
            self.item = item
            self.category = category
        }

        public var values: [any StoreValue] { [key, text, score, item, category] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Note, ObjectID<Note>>.objectID
        public let key = Column<Note, String>("key")
        public let text = Column<Note, String?>("text")
        public let score = Column<Note, Int?>("score")
        public let item = Column<Note, AcrossID<Item>?>("item", StoredForm(.integer))
        public let category = Column<Note, AcrossID<Category>?>("category", StoredForm(.text))
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Note>(
        table: "Note", identifier: ["key"],
        [
            .init(columns.key) { $0.key },
            .init(columns.text) { $0.text },
            .init(columns.score, bounds: ValueBounds(min: 1, max: 5)) { $0.score },
            .init(columns.item) { $0.item },
            .init(columns.category) { $0.category },
        ])
}
