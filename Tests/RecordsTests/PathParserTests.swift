import SluiceRecords
import Testing

struct PathParserTests {
    @Test(arguments: [
        ("$", Path(root: .feed, steps: [])),
        ("$.stops[*]", Path(root: .feed, steps: [.name("stops"), .wildcard])),
        ("$['a'][\"b\"]", Path(root: .feed, steps: [.name("a"), .name("b")])),
        ("$[0].*", Path(root: .feed, steps: [.index(0), .wildcard])),
        ("$..stop", Path(root: .feed, steps: [.descendantName("stop")])),
        ("$..['a b']", Path(root: .feed, steps: [.descendantName("a b")])),
        ("$..[*]", Path(root: .feed, steps: [.descendantWildcard])),
        ("$..*", Path(root: .feed, steps: [.descendantWildcard])),
        ("$.stations[*]~", Path(root: .feed, steps: [.name("stations"), .wildcard], isKey: true)),
        ("address.city", Path(root: .record, steps: [.name("address"), .name("city")])),
        ("tags[0]", Path(root: .record, steps: [.name("tags"), .index(0)])),
        ("[2]", Path(root: .record, steps: [.index(2)])),
        ("[*]", Path(root: .record, steps: [.wildcard])),
        ("*", Path(root: .record, steps: [.wildcard])),
        ("['x y'].z", Path(root: .record, steps: [.name("x y"), .name("z")])),
        ("..id", Path(root: .record, steps: [.descendantName("id")])),
        ("größe", Path(root: .record, steps: [.name("größe")])),
        ("@", Path(root: .record, steps: [])),
        ("@[0]", Path(root: .record, steps: [.index(0)])),
        ("@.name", Path(root: .record, steps: [.name("name")])),
        ("@~", Path(root: .record, steps: [], isKey: true)),
        ("~", Path(root: .record, steps: [], isKey: true)),
        ("links.*~", Path(root: .record, steps: [.name("links"), .wildcard], isKey: true)),
        ("^", Path(root: .record, parents: 1, steps: [])),
        ("^^", Path(root: .record, parents: 2, steps: [])),
        ("^.name", Path(root: .record, parents: 1, steps: [.name("name")])),
        ("^name", Path(root: .record, parents: 1, steps: [.name("name")])),
        ("^^['a b'][0]", Path(root: .record, parents: 2, steps: [.name("a b"), .index(0)])),
        ("^~", Path(root: .record, parents: 1, steps: [], isKey: true)),
        ("^^~", Path(root: .record, parents: 2, steps: [], isKey: true)),
        ("$[ 'a' ][ 12 ]", Path(root: .feed, steps: [.name("a"), .index(12)])),
        (#"['it\'s \\ \/ \u00e9 \ud83d\ude00 \n']"#, Path(root: .record, steps: [.name("it's \\ / é 😀 \n")])),
        (#"["say \"hi\""]"#, Path(root: .record, steps: [.name("say \"hi\"")])),
        ("['']", Path(root: .record, steps: [.name("")])),
        ("a[-1].b[ -20 ]", Path(root: .record, steps: [.name("a"), .indexFromEnd(1), .name("b"), .indexFromEnd(20)])),
        ("a[?b]", .filtered(.exists("b"))), ("a[?@.b]", .filtered(.exists("b"))),
        ("a[?(@.b)]", .filtered(.exists("b"))), ("a[?@['b']]", .filtered(.exists("b"))),
        ("a[?['b c'] != null]", .filtered(.compares("b c", .notEqual, .null))),
        ("a[? b == 'x' ]", .filtered(.compares("b", .equal, .text("x")))),
        (#"a[?b=="it's"]"#, .filtered(.compares("b", .equal, .text("it's")))),
        (#"a[?b == "\u00e9\n"]"#, .filtered(.compares("b", .equal, .text("é\n")))),
        ("a[?-1.50e+2 <= b]", .filtered(.compares("b", .greaterOrEqual, .number("-1.50e+2")))),
        ("a[?0 < b]", .filtered(.compares("b", .greater, .number("0")))),
        ("a[?true != b]", .filtered(.compares("b", .notEqual, .boolean(true)))),
        ("a[?trueish == false]", .filtered(.compares("trueish", .equal, .boolean(false)))),
        ("a[?@.true]", .filtered(.exists("true"))),
        (
            "a[?@ > 5 && @ < 9]",
            .filtered(
                .all([
                    .compares(Path(root: .record, steps: []), .greater, .number("5")),
                    .compares(Path(root: .record, steps: []), .less, .number("9")),
                ]))
        ),
        (
            "a[?~ == 'en']",
            .filtered(.compares(Path(root: .record, steps: [], isKey: true), .equal, .text("en")))
        ),
        (
            "a[?b || c && !d || !(e || f)]",
            .filtered(
                .any([
                    .exists("b"), .all([.exists("c"), .not(.exists("d"))]), .not(.any([.exists("e"), .exists("f")])),
                ]))
        ),
        (
            "a[?(b || c) && (d)]", .filtered(.all([.any([.exists("b"), .exists("c")]), .exists("d")]))
        ),
        (
            "a[?b.c[0].d == 1]",
            .filtered(
                .compares(
                    Path(root: .record, steps: [.name("b"), .name("c"), .index(0), .name("d")]), .equal, .number("1")))
        ),
    ])
    func reads(_ text: String, _ expected: Path) throws {
        let path = try Path.parse(text)
        #expect(path == expected)
        #expect(try Path.parse(path.description) == path, "printed as \(path.description)")
    }

    @Test(arguments: [
        ("", 0, "a path cannot be empty"),
        (".name", 0, "a path that starts at the record starts with a name, without a dot"),
        ("stop-id", 4, "expected ., .., [ or ~; a name that is no plain word is written ['so']"),
        ("$stops", 1, "expected ., .., [ or ~; a name that is no plain word is written ['so']"),
        ("$.", 2, "expected a name or * after the dot; a name that is no plain word is written ['so']"),
        ("$.2020", 2, "expected a name or * after the dot; a name that is no plain word is written ['so']"),
        ("0", 0, "a path starts with $, @, ^, ~, [ or a name; a name that is no plain word is written ['so']"),
        ("$..", 3, "expected a name, [ or * after the two dots"),
        ("$..[0]", 3, "an index cannot follow two dots: only a name or [*] can"),
        ("$[", 2, "expected an index, * or a name in quotes"),
        ("$[*", 3, "expected ]"),
        ("$[01]", 2, "an index has no leading zeros"),
        ("$[-0]", 2, "expected an index such as -1"),
        ("$[-]", 2, "expected an index such as -1"),
        ("$[99999999999999999999]", 2, "the index is too large"),
        ("$[0,1]", 3, "a list of names or indices is not supported: expected ]"),
        ("$[0:2]", 3, "a slice is not supported: expected ]"),
        ("a[?]", 3, "expected a path that starts with @ or a name, or a literal"),
        ("a[?b", 4, "expected ]"),
        ("a[?b = 1]", 5, "expected =="),
        ("a[?1]", 3, "a literal must be compared with a path"),
        ("a[?1 == 2]", 8, "a path is compared with a literal, and a literal with a path"),
        ("a[?b == c]", 8, "a path is compared with a literal, and a literal with a path"),
        ("a[?b ==]", 7, "expected a path that starts with @ or a name, or a literal"),
        ("a[?!b == 1]", 4, "! stands before a path, or before parentheses"),
        ("a[?(b]", 5, "expected )"),
        ("a[?b[*] == 1]", 3, "a path in a filter has names and indices only"),
        ("a[?b..c]", 3, "a path in a filter has names and indices only"),
        ("a[?b[?c]]", 5, "a filter cannot stand in another one"),
        ("a[?$.b == 1]", 3, "expected a path that starts with @ or a name, or a literal"),
        ("a[?b &| c]", 5, "expected ]"),
        ("$['a", 4, "expected the name's closing quote"),
        (#"$['a\x']"#, 4, #"a backslash may stand before the quote or one of \/bfnrtu only"#),
        (#"$['a\"']"#, 4, #"a backslash may stand before the quote or one of \/bfnrtu only"#),
        (#"$['\u12']"#, 3, #"four hexadecimal digits must follow \u"#),
        (#"$['\u+123']"#, 3, #"four hexadecimal digits must follow \u"#),
        (#"$['\ud800']"#, 3, "this escape is half of a surrogate pair, and no character"),
        (#"$['\ud800\u0041']"#, 3, "this escape is half of a surrogate pair, and no character"),
        (#"$['\udc00']"#, 3, "this escape is half of a surrogate pair, and no character"),
        ("$['\n']", 3, "a control character in a name must be escaped"),
        ("name~.x", 5, "nothing may follow ~"),
        ("name^", 4, "^ may stand only at the start of a path that starts at the record"),
        ("$^", 1, "^ may stand only at the start of a path that starts at the record"),
        ("a.$", 2, "expected a name or * after the dot; a name that is no plain word is written ['so']"),
        ("a@", 1, "$ and @ may stand only at the start of a path"),
        ("ä b", 2, "expected ., .., [ or ~; a name that is no plain word is written ['so']"),
    ])
    func refuses(_ text: String, _ offset: Int, _ message: String) {
        #expect(throws: PathError(offset: offset, message: message)) { try Path.parse(text) }
    }

    /// Paths put together by chance come back from their text as they were.
    @Test func printsWhatItReads() throws {
        var generator = SplitMix(seed: 7)
        for _ in 0..<6000 {
            let path = Path.random(using: &generator)
            let text = path.description
            #expect(try Path.parse(text) == path, "printed as \(text)")
        }
    }

    /// A text that is no path is refused, whatever it is; nothing ends the process.
    @Test func survivesAnything() {
        var generator = SplitMix(seed: 11)
        let alphabet = Array("$@^~.[]*'\"\\u01dé a,:?-\n[?!=&|<()".unicodeScalars)
        for _ in 0..<15_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<12, using: &generator) {
                if let scalar = alphabet.randomElement(using: &generator) { text.unicodeScalars.append(scalar) }
            }
            guard let path = try? Path.parse(text) else { continue }
            #expect((try? Path.parse(path.description)) == path, "\(text) printed as \(path.description)")
        }
    }
}

/// A small generator of numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension Path {
    fileprivate static func random(using generator: inout SplitMix) -> Path {
        let names = [
            "a", "stop_id", "", "a b", "it's", "\\", "\"", "\n\u{1}", "1a", "größe", "\u{301}a", "😀", ".", "..", "~",
            "$",
        ]
        let root: Root = Bool.random(using: &generator) ? .feed : .record
        let steps = (0..<Int.random(in: 0..<5, using: &generator)).map { _ -> Step in
            let name = names.randomElement(using: &generator) ?? ""
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: return .name(name)
            case 5: return .indexFromEnd(Int.random(in: 1..<100, using: &generator))
            case 6: return .filter(.random(using: &generator, name, depth: 0))
            case 1: return .index(Int.random(in: 0..<100, using: &generator))
            case 2: return .wildcard
            case 3: return .descendantName(name)
            default: return .descendantWildcard
            }
        }
        let parents = root == .feed ? 0 : Int.random(in: 0..<3, using: &generator)
        return Path(root: root, parents: parents, steps: steps, isKey: Bool.random(using: &generator))
    }
}

extension PathFilter {
    fileprivate static func random(using generator: inout SplitMix, _ name: String, depth: Int) -> PathFilter {
        let steps = [[], [Path.Step.name(name)], [.index(3), .name(name)]].randomElement(using: &generator) ?? []
        let path = Path(root: .record, steps: steps, isKey: Bool.random(using: &generator))
        let literals: [Literal] = [.null, .boolean(true), .number("-1.5e9"), .text(name), .text("true")]
        func parts(_ generator: inout SplitMix) -> [PathFilter] {
            (0..<Int.random(in: 2..<4, using: &generator)).map { _ in
                random(using: &generator, name, depth: depth + 1)
            }
        }
        // What is of one kind is one list.
        func isList(_ filter: PathFilter, any: Bool) -> Bool {
            switch filter {
            case .any: any
            case .all: !any
            default: false
            }
        }
        switch Int.random(in: 0..<(depth < 3 ? 5 : 2), using: &generator) {
        case 0: return .exists(path)
        case 2: return .not(random(using: &generator, name, depth: depth + 1))
        case 3: return .all(parts(&generator).map { isList($0, any: false) ? .not($0) : $0 })
        case 4: return .any(parts(&generator).map { isList($0, any: true) ? .not($0) : $0 })
        default:
            let comparison = Operator.allCases.randomElement(using: &generator) ?? .equal
            return .compares(path, comparison, literals.randomElement(using: &generator) ?? .null)
        }
    }
}

extension PathFilter {
    fileprivate static func exists(_ name: String) -> PathFilter { .exists(Path(root: .record, steps: [.name(name)])) }

    fileprivate static func compares(_ name: String, _ comparison: Operator, _ literal: Literal) -> PathFilter {
        .compares(Path(root: .record, steps: [.name(name)]), comparison, literal)
    }
}

extension Path {
    /// The members of `a` that meet a filter.
    fileprivate static func filtered(_ filter: PathFilter) -> Path {
        Path(root: .record, steps: [.name("a"), .filter(filter)])
    }
}
