import TestSupport

/// A feed that `init` may meet: lists of records with odd names, members that some lack, lists with repeats, references
/// to several lists, nulls, objects that are empty, maps.
struct RandomFeed {
    private var random: SeededRandom
    private var lists = 0
    /// By list: the identifiers of its records.
    private var identifiers: [[String]] = []

    init(_ random: SeededRandom) { self.random = random }

    private static let names = [
        "id", "name", "type", "objectID", "deleted_at", "sluice_x", "SQLITE_y", "", " ", "a b", "a\0b", "é", "e\u{301}",
        "ß",
        "\u{202E}x", "\u{1B}[2J", "日本", "👩‍👩‍👧", "${HOME}", "$${x}", "$", "@", "~", "^", "a.b", "a[0]", "a'b", "a\"b",
        "a\\b", "a/b",
        "*", "..", "key", "value", "number", "position", "ID", "Id", "records", "source", "2019", "x_id", "parent",
        "x_entity", "x", "to", "from", "a\nb", "//", "/*", "sku", "code", "rank", "user_id", "Straße", "\u{feff}q",
        "q\u{301}",
        "$\u{301}{x}", "object", "class", "main", "path", "set", "e", "list", "data", "target", "ref",
    ]

    mutating func name() -> String {
        if random.below(8) == 0 { return "m\(random.below(400))" }
        return RandomFeed.names[random.below(RandomFeed.names.count)]
    }

    private mutating func text() -> String {
        let texts = [
            "", "a", "b", "x y", "0", "1", "true", "false", "2026-11-20", "2026-11-20T10:00:00Z", "20261120",
            "12:00:00",
            "25:10:00", "PT1H", "007", "1.50", "-0", "1e5", "https://example.org/a/1", "é", "e\u{301}", "DE", "FR",
            "DE-BE",
            "99999999999999999999", "\0", "\u{202E}", "${HOME}", "null", "1.2.3", "01/02/2026", "2026-02-30", "3.1",
            "0000-01-01", "9999-12-31T23:59:60Z", "A-1", "B-2",
        ]
        return texts[random.below(texts.count)]
    }

    private mutating func number() -> String {
        let numbers = [
            "0", "1", "-1", "2", "1.5", "1e3", "1E400", "-0", "-0.0", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "1700000000", "1700000000000", "0.1234567890123456789012345", "1e-400", "3.0",
        ]
        return numbers[random.below(numbers.count)]
    }

    // MARK: Values

    /// What a member of all records of a list is like.
    private indirect enum Kind {
        case unique(String)
        case number, whole, small, text, code, boolean, null, mixed
        case reference([Int])
        case references([Int])
        case empty
        case object([(String, Kind, Int)])
        case list([(String, Kind, Int)])
        case map([(String, Kind, Int)])
        case texts, json
        case rows(Positions)
    }

    /// Lists whose positions have a meaning each.
    private struct Positions {
        var kinds: [Kind]
        /// Of ten lists, so many are shorter.
        var shorter: Int
        var hasHeader: Bool
    }

    private mutating func kind(_ depth: Int) -> Kind {
        switch random.below(depth > 2 ? 13 : 18) {
        case 0: return .unique(["i", "é", "AB-", ""][random.below(4)])
        case 1: return .number
        case 2: return .whole
        case 3: return .small
        case 4: return .text
        case 5: return .code
        case 6: return .boolean
        case 7: return random.below(2) == 0 ? .null : .empty
        case 8: return .mixed
        case 9 where !identifiers.isEmpty: return .reference(targets())
        case 10 where !identifiers.isEmpty: return .references(targets())
        case 11: return .texts
        case 12: return .json
        case 13: return .object(members(depth + 1))
        case 14: return .list(members(depth + 1))
        case 15: return .map(members(depth + 1))
        case 16: return .rows(positions(depth + 1))
        default: return .whole
        }
    }

    private mutating func targets() -> [Int] { (0...random.below(3)).map { _ in random.below(identifiers.count) } }

    private mutating func members(_ depth: Int) -> [(String, Kind, Int)] {
        var names: Set<[UInt8]> = []
        return (0..<(random.below(9) == 0 && depth == 0 ? 60 : random.below(6))).compactMap { _ in
            let name = name()
            // How many of ten records lack it; 10: one of all.
            let lacking = [0, 0, 0, 1, 5, 9, 10][random.below(7)]
            return names.insert(Array(name.utf8)).inserted ? (name, kind(depth), lacking) : nil
        }
    }

    private mutating func positions(_ depth: Int) -> Positions {
        let kinds = (0...random.below(5)).map { _ in kind(depth) }
        return Positions(
            kinds: (random.below(2) == 0 ? [.unique("p")] : []) + kinds, shorter: [0, 0, 1, 5][random.below(4)],
            hasHeader: random.below(3) == 0)
    }

    private mutating func rows(_ positions: Positions, _ count: Int) -> [String] {
        let width = positions.kinds.count
        return (0..<count).map { row in
            if row == 0, positions.hasHeader {
                return "[" + (0..<width).map { quoted("t\($0)") }.joined(separator: ",") + "]"
            }
            if random.below(60) == 0 { return ["null", "7", "[]"][random.below(3)] }
            let length = random.below(10) < positions.shorter ? random.below(width + 1) : width
            return "[" + (0..<length).map { value(positions.kinds[$0], row) }.joined(separator: ",") + "]"
        }
    }

    private mutating func reference(_ targets: [Int]) -> String {
        let list = identifiers[targets[random.below(targets.count)]]
        return list.isEmpty || random.below(40) == 0 ? "\"nowhere\"" : list[random.below(list.count)]
    }

    private mutating func several(_ most: Int, _ value: (inout RandomFeed) -> String) -> String {
        "[" + (0..<random.below(most)).map { _ in value(&self) }.joined(separator: ",") + "]"
    }

    private mutating func value(_ kind: Kind, _ index: Int) -> String {
        switch kind {
        case .unique(let prefix): return prefix.isEmpty ? "\(index + 1)" : quoted("\(prefix)\(index)")
        case .number: return number()
        case .whole: return "\(random.below(1000))"
        case .small: return "\(random.below(2))"
        case .text: return quoted(text())
        case .code: return quoted(["DE", "FR", "IT", "ES"][random.below(4)])
        case .boolean: return random.below(2) == 0 ? "true" : "false"
        case .null: return "null"
        case .mixed: return [quoted(text()), number(), "null", "{}", "[]", "true", "{\"a\":1}"][random.below(7)]
        case .reference(let targets): return reference(targets)
        case .references(let targets): return several(4) { $0.reference(targets) }
        case .empty: return random.below(2) == 0 ? "{}" : "[]"
        case .object(let members): return object(members, index)
        case .list(let members):
            return several(4) { random in
                random.random.below(30) == 0 ? "null" : random.object(members, random.random.below(50))
            }
        case .map(let members):
            let keys = (0..<random.below(5)).map { _ in random.below(3) == 0 ? name() : "\(random.below(20))" }
            let entries = Set(keys.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
            return "{"
                + entries.map { "\(quoted(String(decoding: $0, as: UTF8.self))):\(object(members, index))" }
                .joined(separator: ",") + "}"
        case .texts: return several(4) { random in random.quoted(random.text()) }
        case .rows(let positions): return "[" + rows(positions, random.below(9)).joined(separator: ",") + "]"
        case .json: return several(3) { random in random.several(3) { $0.number() } }
        }
    }

    private mutating func object(_ members: [(String, Kind, Int)], _ index: Int) -> String {
        var parts: [String] = []
        for (name, kind, lacking) in members {
            if lacking < 10 ? random.below(10) < lacking : index == 7 { continue }
            parts.append("\(quoted(name)):\(random.below(25) == 0 ? "null" : value(kind, index))")
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private mutating func records() -> [String] {
        let members = members(0)
        let isNamed = random.below(4) > 0
        let prefix = "l\(lists)-"
        lists += 1
        let count = [0, 1, 2, 12, 40, 130][random.below(6)]
        let keys = (0..<count).map { random.below(60) == 0 ? "\(prefix)0" : "\(prefix)\($0)" }
        let name = ["id", "sku", "", "key", "${HOME}", "é"][random.below(6)]
        if isNamed { identifiers.append(keys.map(quoted)) }
        return (0..<count).map { index in
            if random.below(90) == 0 { return ["null", "{}", "1"][random.below(3)] }
            let own = object(members.filter { !isNamed || !$0.0.isIdentical(to: name) }, index).dropFirst()
            guard isNamed, random.below(90) > 0 else { return "{" + own }
            return "{\(quoted(name)):\(quoted(keys[index]))" + (own == "}" ? "" : ",") + own
        }
    }

    private func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { json, scalar in
            switch scalar {
            case "\"", "\\": json += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: json.unicodeScalars.append(scalar)
            }
        } + "\""
    }

    /// The feed, and the ending of its file.
    mutating func make() -> (text: String, ending: String) {
        switch random.below(6) {
        case 0: return (records().joined(separator: "\n"), "ndjson")
        case 1: return ("[" + records().joined(separator: ",") + "]", "json")
        case 2: return (table(), "csv")
        case 3: return listRecords()
        default:
            var names: Set<[UInt8]> = []
            var members: [String] = []
            // What all lists may refer to.
            if random.below(3) == 0 {
                identifiers.append([quoted("top")])
                names = Set(["id", "name", "size"].map { Array($0.utf8) })
                members = [#""id":"top""#, #""name":\#(quoted(text()))"#, #""size":\#(number())"#]
            }
            for _ in 0...random.below(4) {
                let name = name()
                guard names.insert(Array(name.utf8)).inserted else { continue }
                let value = random.below(4) == 0 ? value(kind(0), 0) : "[" + records().joined(separator: ",") + "]"
                members.append("\(quoted(name)):\(value)")
            }
            return ("{" + members.joined(separator: ",") + "}", "json")
        }
    }

    /// Rows that are lists; or an object, and the list of what it is about.
    private mutating func listRecords() -> (text: String, ending: String) {
        let (positions, count) = (positions(0), [1, 3, 12, 40][random.below(4)])
        let rows = random.below(4) == 0 ? records() : rows(positions, count)
        let list = "[" + rows.joined(separator: ",") + "]"
        let titles = positions.kinds.indices.map { quoted("title \($0)") }
        let objects = titles.map { "{\"\(["name", "id", "x"][random.below(3)])\":\($0)}" }
        switch random.below(6) {
        case 0: return (rows.joined(separator: "\n"), "ndjson")
        case 1: return (list, "json")
        case 2: return ("[{\"page\":1},\(list)]", "json")
        case 3: return ("{\"columns\":[\(titles.joined(separator: ","))],\"rows\":\(list)}", "json")
        case 4: return ("{\"meta\":{\"fields\":[\(objects.joined(separator: ","))]},\"data\":\(list)}", "json")
        default:
            let lists = (0..<3).map { year in
                "\"20\(10 + year)\":[\(self.rows(positions, random.below(9)).joined(separator: ","))]"
            }
            return ("{" + lists.joined(separator: ",") + "}", "json")
        }
    }

    /// Rows with a header.
    private mutating func table() -> String {
        var names: [String] = []
        for _ in 0...random.below(12) {
            let name = name()
            if !names.contains(where: { $0.isIdentical(to: name) }) { names.append(name) }
        }
        let kinds = names.map { _ in random.below(5) }
        let cell = { (text: String) in "\"" + text.replacing("\"", with: "\"\"") + "\"" }
        let rows = (0..<random.below(40)).map { row in
            kinds.map { kind in
                switch kind {
                case 0: "\(row)"
                case 1: random.below(5) == 0 ? "" : "\(random.below(100))"
                case 2: cell(text())
                case 3: "r\(row)"
                default: number()
                }
            }.joined(separator: ",")
        }
        return ([names.map(cell).joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
    }
}
