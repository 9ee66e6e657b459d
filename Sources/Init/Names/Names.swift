import SluiceRecords

/// Names as people give them.
enum Names {
    /// Words that say nothing of what a list holds.
    private static let generic: Set<String> = [
        "data", "items", "results", "records", "objects", "features", "rows", "list", "values", "elements", "entries",
        "response", "docs", "hits", "content", "payload", "result", "item", "record", "value", "sys",
    ]

    static func isGeneric(_ name: String) -> Bool { generic.contains(name.lowercased()) }

    /// The words of a name: `calendar_dates`, `calendar-dates`, `calendarDates`.
    static func words(_ name: String) -> [String] {
        // Nearly all names are of ASCII, and there what characters are is quickly known.
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return words(ofASCII: name) }
        var words: [String] = []
        var word = ""
        var wasLower = false
        for character in name {
            let isWordCharacter = character.isLetter || character.isNumber
            if !isWordCharacter || character.isUppercase && wasLower {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isWordCharacter { word.append(character) }
            wasLower = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func words(ofASCII name: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var wasLower = false
        for byte in name.utf8 {
            let isUpper = byte &- UInt8(ascii: "A") < 26
            let isLower = byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            if !isUpper && !isLower || isUpper && wasLower {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
            }
            if isUpper || isLower { word.append(byte) }
            wasLower = isLower
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// The name of an entity: `calendar_dates` holds each `CalendarDate`.
    static func entity(_ name: String) -> String {
        var words = words(name)
        guard let last = words.popLast() else { return "Record" }
        words.append(singular(last))
        let text = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return text.first?.isNumber == true ? "Record\(text)" : text
    }

    /// The words of an entity's name, as they are compared with those of members.
    static func parts(_ name: String) -> [String] { words(name).map { singular($0).lowercased() } }

    /// A name with something that can be seen for what is hidden in it, or that no name can hold.
    static func visible(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: \.isHidden) else { return name }
        return name.unicodeScalars.reduce(into: "") { text, scalar in
            // Some scripts need joiners.
            let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
            text.unicodeScalars.append(scalar.isHidden && !isJoiner ? "_" : scalar)
        }
    }

    /// The name of an entity as that of a member: `stopTime` of `StopTime`.
    static func lowered(_ name: String) -> String {
        let upper = name.prefix { $0.isUppercase }
        return upper.count > 1 && upper.count < name.count
            ? upper.dropLast().lowercased() + name.dropFirst(upper.count - 1)
            : name.prefix(max(1, upper.count)).lowercased() + name.dropFirst(max(1, upper.count))
    }
}
