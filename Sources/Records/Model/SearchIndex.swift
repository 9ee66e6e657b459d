/// How the objects of an entity are found by words of their texts.
public struct SearchIndex: Sendable {
    /// The tokenizer that is meant where the definition names none.
    public static let defaultTokenizer = "unicode61 remove_diacritics 2"
    /// The prefixes that have an index of their own where the definition names none.
    public static let defaultPrefixes = [2, 3]

    /// The names of the attributes whose words count.
    public var fields: [String]
    /// What makes words of texts, as FTS5 of SQLite takes it.
    public var tokenizer = defaultTokenizer
    /// Of how many letters the beginnings of words are that have an index of their own.
    public var prefixes = defaultPrefixes

    /// An index of the words of these attributes.
    public init(fields: [String]) { self.fields = fields }
}

/// How the objects of an entity are found by where they are.
public struct PlaceIndex: Sendable {
    /// The name of the attribute that holds degrees, from -90 to 90.
    public var latitude: String
    /// The name of the attribute that holds degrees, from -180 to 180.
    public var longitude: String

    /// An index of the places that these attributes say.
    public init(latitude: String, longitude: String) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Entity {
    /// What the table is called that has the words of a table's objects.
    ///
    /// Names of users do not begin so; and as the end tells what it is, no such table, or one that SQLite makes for it,
    /// is called like another one.
    public static func searchTable(of table: String) -> String { "sluice_\(table)_search" }

    /// What the index is called by which a table's objects are found near a place.
    public static func placeIndex(of table: String) -> String { "sluice_\(table)_near" }
}
