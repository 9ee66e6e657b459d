/// Names of a definition as names in Swift: `stop_id` is `stopID`, `StopTime` is `StopTime`.
struct SwiftNames {
    private static let keywords: Set = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
    /// What an enumeration has besides its cases, and what an optional one would take for its own.
    private static let takenCases: Set = ["allCases", "rawValue", "none", "some"]
    /// What a written type has besides its attributes.
    private static let taken: Set = [
        "objectID", "identifier", "values", "hashValue", "hash", "self", "init", "row", "columnList",
    ]
    /// What a written file uses.
    private static let usedTypes: Set = [
        "String", "Int", "Double", "Bool", "UInt8", "Optional", "Array", "Sendable", "Hashable", "Self", "Type",
        "Protocol",
        "Any", "Swift", "SluiceStore", "StoredObject", "NewObject", "StoreValue", "StoreRow", "StoreError",
        "StoredForm",
        "Column", "ColumnList", "Links", "AnyLinks", "AnyReference", "AnyObjectID", "ObjectID", "AcrossID",
        "ExactDecimal",
        "CalendarDate", "Instant", "JSONValue", "StoredChoice", "Codable", "ValueBounds", "Duration", "New", "Columns",
        "Identifier", "Stored", "CodingKeys",
    ]
    private static let abbreviations: Set = ["id", "url", "uri", "uuid"]

    private var used: Set<String>

    /// - Parameter used: names that others have.
    init(besides used: [String] = []) { self.used = Set(used) }

    /// The name of a case for a value; another one each time.
    mutating func choice(_ value: String) -> String {
        let name = property(value)
        return SwiftNames.takenCases.contains(name) ? unique(name + "Value") : name
    }

    /// The name of a property; another one each time.
    mutating func property(_ name: String) -> String {
        var text = SwiftNames.words(name).enumerated().map { index, word in
            index == 0 ? SwiftNames.lowered(word) : SwiftNames.capitalized(word)
        }.joined()
        if text.isEmpty { text = "value" }
        if text.first?.isNumber == true { text = "_" + text }
        while SwiftNames.taken.contains(text) { text += "Value" }
        text = unique(text)
        return SwiftNames.keywords.contains(text) ? "`\(text)`" : text
    }

    /// The name of a type; another one each time.
    mutating func type(_ name: String) -> String {
        var text = SwiftNames.words(name).map(SwiftNames.capitalized).joined()
        if text.isEmpty { text = "Object" }
        if text.first?.isNumber == true { text = "_" + text }
        while SwiftNames.usedTypes.contains(text) { text += "Object" }
        return unique(text)
    }

    private mutating func unique(_ name: String) -> String {
        var (text, number) = (name, 2)
        while !used.insert(text).inserted {
            text = "\(name)\(number)"
            number += 1
        }
        return text
    }

    /// The parts of a name between characters that a Swift name cannot have. Invisible characters are left out: Swift
    /// would accept most of them, and two names could look alike.
    private static func words(_ name: String) -> [Substring] {
        seen(name).split { !($0.isLetter || $0.isNumber) }
    }

    private static func seen(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: isUnseen) else { return name }
        return name.unicodeScalars.reduce(into: "") { text, scalar in
            if !isUnseen(scalar) { text.unicodeScalars.append(scalar) }
        }
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isHidden || scalar.properties.isDefaultIgnorableCodePoint
    }

    /// `Name` as `name`, `URLPath` as `urlPath`, `ID` as `id`.
    private static func lowered(_ word: Substring) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count == word.count { return word.lowercased() }
        let count = max(1, capitals.count - 1)
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    private static func capitalized(_ word: Substring) -> String {
        if abbreviations.contains(String(word)) { return word.uppercased() }
        return word.prefix(1).uppercased() + word.dropFirst()
    }
}
