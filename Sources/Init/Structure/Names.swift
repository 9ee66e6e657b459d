import SluiceRecords

/// Names as people give them.
enum Names {
    /// Words that say nothing of what a list holds.
    private static let generic: Set<String> = [
        "data", "items", "results", "records", "objects", "features", "rows", "list", "values", "elements", "entries",
        "response", "docs", "hits", "content", "payload", "result", "item", "record", "value",
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

    static func singular(_ word: String) -> String {
        let lower = word.lowercased()
        for (plural, one) in [("people", "person"), ("children", "child"), ("men", "man"), ("data", "datum")]
        where lower == plural {
            return word.first?.isUppercase == true ? one.prefix(1).uppercased() + one.dropFirst() : one
        }
        if ["series", "species", "news", "status", "bus", "gas", "class", "address", "process"].contains(lower) {
            return word
        }
        if lower.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zzes", "tuses", "buses", "iases"] where lower.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        if lower.hasSuffix("s"), !lower.hasSuffix("ss"), !lower.hasSuffix("us"), !lower.hasSuffix("is"), word.count > 3
        {
            return String(word.dropLast())
        }
        return word
    }

    /// What a feed holds, by the name of its file: `legislators-current.json.zst` holds legislators.
    static func feed(_ location: String) -> String { kind(file(location)) }

    /// What a file, or a folder of files, holds, by its name.
    static func kind(_ name: String) -> String {
        var kept = words(name).filter { word in !word.allSatisfy(\.isNumber) }
        let noise: Set<String> = [
            "current", "all", "latest", "full", "export", "dump", "list", "feed", "sample", "new", "old", "utf", "v",
        ]
        while kept.count > 1, let last = kept.last, noise.contains(last.lowercased()) { kept.removeLast() }
        return kept.joined(separator: "_")
    }

    /// What files are called that say nothing of what is in them, without their endings.
    private static let plain: Set<String> = ["data", "default", "index", "info", "main", "metadata"]

    /// The name of the last folder of a pattern that is the same for all its files, where the files in its folders are
    /// called alike: `type` of `data/type/*/index.json`. Nil: there is none.
    static func folder(_ location: String) -> String? {
        let folders = location.split(separator: "/").dropLast()
        let first = folders.firstIndex { $0.contains("*") }
        guard let first, first > folders.startIndex else { return nil }
        let name = String(folders[first - 1])
        return name.contains(where: \.isLetter) ? name : nil
    }

    /// The name of a file without its endings, of which none is empty; of a pattern that names all files of a folder,
    /// that of the folder, and so where all files have one name that says nothing.
    static func file(_ location: String) -> String {
        let own = ownFile(location)
        return plain.contains(own.lowercased()) ? folder(location) ?? own : own
    }

    /// The name of a file without its endings, or else that of its folder, whatever it says.
    static func ownFile(_ location: String) -> String {
        let parts = location.split(separator: "/")
        let own = parts.last { part in
            !part.hasPrefix("*") || part.dropFirst().prefix { $0 != "." }.contains(where: \.isLetter)
        }
        var name = (own ?? parts.last).map { $0.filter { $0 != "*" } } ?? location
        if let query = name.firstIndex(where: { $0 == "?" || $0 == "#" }) { name = String(name[..<query]) }
        let formats = [".json", ".ndjson", ".jsonl", ".geojson", ".csv", ".tsv", ".tab"]
        for ending in [".gz", ".zst", ".xz", ".bz2", ".zip"] + formats + [".txt"]
        where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        for ending in formats where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        return name.isEmpty || name == "-" ? "feed" : name
    }

    // MARK: Identifiers and references

    private static let usual: [String] = [
        "id", "_id", "@id", "uuid", "guid", "uid", "gid", "identifier", "key", "code", "slug",
    ]
    private static let codes: [String] = [
        "iri", "uri", "url", "href", "self", "number", "nr", "no", "symbol", "name", "hash", "sha",
    ]
    fileprivate static let identifiers = usual + codes
    /// What is known by these everywhere, and people by the last ones.
    private static let registered: Set<String> = [
        "doi", "isbn", "issn", "arn", "orcid", "email", "login", "username",
    ]
    /// Of these, those that are nothing else.
    private static let sure: Set<String> = ["id", "_id", "@id", "uuid", "guid", "uid", "gid", "identifier"]
    /// How the names of members end that have the identifier of something.
    private static let endings: Set<String> = ["id", "uuid", "guid", "uid", "gid", "identifier"]

    /// Whether a member is called as identifiers are; `entity` is what the object is called.
    static func isIdentifier(_ name: String, of entity: String) -> Bool { rank(name, of: entity) < .code }

    /// Whether a member is called as identifiers are, and as nothing else.
    static func isPlainIdentifier(_ name: String) -> Bool { sure.contains(name.lowercased()) }

    /// How much a name is like that of an identifier.
    static func rank(_ name: String, of entity: String) -> NameRank {
        let lower = name.lowercased()
        if sure.contains(lower) { return .own }
        let parts = words(name).map { $0.lowercased() }
        let last = parts.last ?? ""
        if endings.contains(last) || ["code", "key"].contains(last), isOwn(parts.dropLast(), of: entity) {
            return .own
        }
        if endings.contains(last) { return .ending }
        if usual.contains(lower) { return .usual }
        if codes.contains(lower) || registered.contains(lower) { return .code }
        let isCode = ["code", "number", "key", "nr", "no", "ref", "sequence"].contains(last)
        return isCode ? .code : .other
    }

    /// Whether a member is called as what is known everywhere by its value.
    static func isRegistered(_ name: String) -> Bool { registered.contains(name.lowercased()) }

    /// Whether some words are the name of an entity, or end as it does.
    private static func isOwn(_ words: ArraySlice<String>, of entity: String) -> Bool {
        let own = parts(entity)
        return !own.isEmpty && (words.map(singular) == own || words.last.map(singular) == own.last)
    }

    private static let ordinals: Set<String> = ["sequence", "seq", "index", "position", "ordinal"]
    private static let measures: Set<String> = [
        "amount", "balance", "bytes", "cost", "count", "distance", "downloads", "duration", "elevation", "fee",
        "height", "lat", "latitude", "length", "lng", "lon", "longitude", "population", "price", "qty", "quantity",
        "rate",
        "rating",
        "score", "size", "speed", "tax", "temperature", "total", "value", "views", "weight", "width",
    ]
    private static let prose: Set<String> = [
        "abstract", "body", "caption", "comment", "content", "description", "message", "note", "notes", "remark",
        "summary", "text",
    ]

    /// Whether a member is called as places in an order are.
    static func isOrdinal(_ name: String) -> Bool { ends(name, in: ordinals) }

    /// Whether a member is called as what is measured or counted, whose values are unique by chance only.
    static func isMeasure(_ name: String) -> Bool { ends(name, in: measures) }

    private static let measured: Set<String> = ["indicator", "metric", "observable", "parameter", "variable"]

    /// Whether a member says what it is that another one has the value of.
    static func isMeasured(_ name: String) -> Bool { measured.contains(name.lowercased()) }

    /// Whether a member says which year it was.
    static func isYear(_ name: String) -> Bool { words(name).contains { ["year", "years"].contains($0.lowercased()) } }

    /// Whether a member is called as a time is, or as how long something took.
    static func isTime(_ name: String) -> Bool { ends(name, in: ["time"]) }

    private static let digests = ["blake", "checksum", "digest", "etag", "md5", "sha1", "sha2", "sha3", "sha5"]

    /// Whether a member is called as what is computed of something, to compare it by. A `hash` or a `sha` by itself may
    /// well be what something is known by, as commits are.
    static func isDigest(_ name: String) -> Bool {
        words(name).contains { word in digests.contains { word.lowercased().hasPrefix($0) } }
    }

    /// Whether a member is called as what people write, whose values are unique by chance only.
    static func isProse(_ name: String) -> Bool { ends(name, in: prose) }

    private static func ends(_ name: String, in known: Set<String>) -> Bool {
        words(name).last.map { known.contains($0.lowercased()) } ?? false
    }

    /// Whether a member is called as what people know something by.
    static func isName(_ name: String) -> Bool { ["name", "title", "label"].contains(name.lowercased()) }

    /// What answers say of themselves and their pages.
    private static let pages: Set<String> = [
        "count", "cursor", "generated", "limit", "message", "next", "offset", "page", "pages", "prev", "previous",
        "retrieved", "size", "status", "timestamp", "took", "total",
    ]

    /// Whether a member says something of a page, rather than of what is in it.
    static func isOfPage(_ name: String) -> Bool { words(name).contains { pages.contains($0.lowercased()) } }

    /// Whether a member says whether there is a next page, or where.
    static func leadsOn(_ name: String) -> Bool {
        words(name).contains { ["cursor", "next"].contains($0.lowercased()) }
    }

    /// Whether a member is called as references are.
    static func isReference(_ name: String) -> Bool {
        let words = words(name).map { $0.lowercased() }
        guard let last = words.last else { return false }
        // As Trello has them: `idBoard`.
        return words.contains("parent") || words.count > 1 && words[0] == "id"
            || ["ids", "ref", "refs", "key", "parent", "uri", "href"].contains(last) || endings.contains(last)
    }

    /// Whether members of an object are called as the links between pages, and to what is shown itself, of which `self`
    /// or one of the pages is always there.
    static func areLinks(_ names: [String]) -> Bool {
        names.contains { ["self", "first", "last", "next", "prev", "previous"].contains($0.lowercased()) }
    }

    /// How well the name of a member fits an entity: 0 is not at all.
    static func fit(_ member: MemberName, _ entity: [String], identifier: MemberName) -> Int {
        if member.lower == identifier.lower, !identifier.isCommon { return 3 }
        let base = member.base
        if base.isEmpty || entity.isEmpty { return 0 }
        if base == entity { return 3 }
        if base.last == entity.last || base.count >= entity.count && base.suffix(entity.count) == entity[...] {
            return 2
        }
        return base.contains(entity[entity.count - 1]) ? 1 : 0
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

    /// The name of a relationship, by that of the member that holds it: `airport_id` is `airport`.
    static func relationship(_ member: String, isMany: Bool) -> String {
        for ending in ["_ids", "_id", "_refs", "_ref", "_uuid", "Ids", "IDs", "Id", "ID", "_key", "Ref", "Refs"]
        where member.hasSuffix(ending) && member.count > ending.count {
            var base = String(member.dropLast(ending.count))
            while let last = base.last, !last.isLetter, !last.isNumber { base.removeLast() }
            if base.isEmpty { return member }
            return isMany && !base.hasSuffix("s") && (ending.lowercased().hasSuffix("s")) ? base + "s" : base
        }
        return member
    }
}

/// The name of a member, as it is compared with those of entities.
struct MemberName {
    let lower: String
    /// Whether identifiers of all kinds of objects are called so.
    let isCommon: Bool
    /// Its words, without those that say that it identifies something.
    let base: [String]

    init(_ name: String) {
        lower = name.lowercased()
        isCommon = Names.identifiers.contains(lower) || lower == "ref"
        var words = Names.parts(name)
        while let last = words.last, MemberName.endings.contains(last) { words.removeLast() }
        base = words
    }

    private static let endings: Set<String> = [
        "id", "ref", "code", "key", "uuid", "guid", "uid", "gid", "uri", "href", "number", "name",
    ]
}
