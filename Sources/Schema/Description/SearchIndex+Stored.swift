import SluiceRecords

// As `sluice_model` has it.
extension SearchIndex {
    /// Nil: it is none.
    init?(_ json: StoredJSON) {
        guard let fields = json["fields"]?.elements?.compactMap(\.string), !fields.isEmpty,
            let tokenizer = json["tokenize"]?.string
        else { return nil }
        self.init(fields: fields)
        self.tokenizer = tokenizer
        prefixes = json["prefix"]?.elements?.compactMap(\.integer) ?? []
    }

    var stored: StoredJSON {
        .members([
            ("fields", .array(fields.map { .string($0) })),
            ("prefix", .array(prefixes.map { .number(String($0)) })), ("tokenize", .string(tokenizer)),
        ])
    }

    mutating func rename(_ old: String, _ new: String) {
        for index in fields.indices where fields[index].isSameName(as: old) { fields[index] = new }
    }
}

extension PlaceIndex {
    /// Nil: it is none.
    init?(_ json: StoredJSON) {
        guard let names = json.elements?.compactMap(\.string), names.count == 2 else { return nil }
        self.init(latitude: names[0], longitude: names[1])
    }

    var stored: StoredJSON { .array([.string(latitude), .string(longitude)]) }

    mutating func rename(_ old: String, _ new: String) {
        if latitude.isSameName(as: old) { latitude = new }
        if longitude.isSameName(as: old) { longitude = new }
    }
}

// As SQL asks for it.
extension PlaceIndex {
    /// How many bands a degree of latitude has: each is a kilometre wide, or a little more.
    package static let bandsInDegree = 100

    /// In which band a latitude is; that around the equator is twice as wide.
    package static func band(_ latitude: String) -> String { "CAST(\(latitude) * \(bandsInDegree) AS INTEGER)" }

    /// Whether a row has a place on earth.
    package func isSomewhere(_ row: String) -> String {
        "\(row)\(quoted(latitude)) BETWEEN -90 AND 90 AND \(row)\(quoted(longitude)) BETWEEN -180 AND 180"
    }
}
