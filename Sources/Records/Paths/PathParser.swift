/// Why a text is no path.
public struct PathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first byte (of its UTF-8) that does not fit, from 0; the text's length at its end.
    public var offset: Int
    /// What was expected there: a sentence without a full stop.
    public var message: String

    /// An error at a byte of the path, from 0.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// The sentence, and where.
    public var description: String { "\(message), at byte \(offset)" }
}

extension Path {
    /// Reads a path.
    ///
    ///     try Path.parse("$.stops[*]")       // from the top of the feed
    ///     try Path.parse("address.city")     // from the record; also @.address.city
    ///     try Path.parse("^.name")           // from the parent node of the record; also ^name
    ///     try Path.parse("~")                // the record's own key or index
    public static func parse(_ text: String) throws(PathError) -> Path {
        var parser = PathParser(text)
        return try parser.path()
    }
}

/// Reads a path from left to right, by recursive descent.
struct PathParser {
    var scanner: PathScanner
    /// Open parentheses, and filters in filters.
    var depth = 0

    init(_ text: String) { scanner = PathScanner(text) }

    mutating func path() throws(PathError) -> Path {
        var path = try beginning()
        while let step = try step() { path.steps.append(step) }
        path.isKey = scanner.skip("~")
        guard scanner.isAtEnd else { throw scanner.error(trailing(path)) }
        return path
    }

    /// The root, the `^`, and the first step of a bare path.
    private mutating func beginning() throws(PathError) -> Path {
        if scanner.skip("$") { return Path(root: .feed, steps: []) }
        if scanner.skip("@") { return Path(root: .record, steps: []) }
        var path = Path(root: .record, steps: [])
        while scanner.skip("^") { path.parents += 1 }
        if path.parents > 0 && (scanner.isAtEnd || !scanner.isAtBareStep) { return path }
        if scanner.isNext("~") || scanner.isNext("[") || scanner.isNext("..") { return path }
        if scanner.skip("*") {
            path.steps.append(.wildcard)
        } else if let name = scanner.name() {
            path.steps.append(.name(name))
        } else {
            throw scanner.error(wrongBeginning)
        }
        return path
    }

    private var wrongBeginning: String {
        if scanner.isAtEnd { return "a path cannot be empty" }
        if scanner.isNext(".") { return "a path that starts at the record starts with a name, without a dot" }
        return "a path starts with $, @, ^, ~, [ or a name; a name that is no plain word is written ['so']"
    }

    private func trailing(_ path: Path) -> String {
        if path.isKey { return "nothing may follow ~" }
        if scanner.isNext("^") { return "^ may stand only at the start of a path that starts at the record" }
        if scanner.isNext("$") || scanner.isNext("@") { return "$ and @ may stand only at the start of a path" }
        return "expected ., .., [ or ~; a name that is no plain word is written ['so']"
    }

    mutating func step() throws(PathError) -> Path.Step? {
        if scanner.skip("..") { return try descendant() }
        if scanner.skip(".") {
            if scanner.skip("*") { return .wildcard }
            if let name = scanner.name() { return .name(name) }
            throw scanner.error("expected a name or * after the dot; a name that is no plain word is written ['so']")
        }
        return scanner.skip("[") ? try bracket() : nil
    }

    private mutating func descendant() throws(PathError) -> Path.Step {
        if scanner.skip("*") { return .descendantWildcard }
        if let name = scanner.name() { return .descendantName(name) }
        let start = scanner
        guard scanner.skip("[") else { throw scanner.error("expected a name, [ or * after the two dots") }
        switch try bracket() {
        case .name(let name): return .descendantName(name)
        case .wildcard: return .descendantWildcard
        default: throw start.error("an index cannot follow two dots: only a name or [*] can")
        }
    }

    /// What stands between brackets, with the closing one.
    private mutating func bracket() throws(PathError) -> Path.Step {
        scanner.skipSpace()
        let step = try selector()
        scanner.skipSpace()
        if scanner.isNext(",") { throw scanner.error("a list of names or indices is not supported: expected ]") }
        if scanner.isNext(":") { throw scanner.error("a slice is not supported: expected ]") }
        guard scanner.skip("]") else { throw scanner.error("expected ]") }
        return step
    }

    private mutating func indexFromEnd() throws(PathError) -> Int {
        let start = scanner
        _ = scanner.skip("-")
        guard let index = try scanner.index(), index > 0 else { throw start.error("expected an index such as -1") }
        return index
    }

    private mutating func filterOfElements() throws(PathError) -> PathFilter {
        guard depth == 0 else { throw scanner.error("a filter cannot stand in another one") }
        _ = scanner.skip("?")
        depth += 1
        defer { depth -= 1 }
        return try filter()
    }

    private mutating func selector() throws(PathError) -> Path.Step {
        if scanner.skip("*") { return .wildcard }
        if scanner.isNext("'") || scanner.isNext("\"") { return .name(try scanner.quotedName()) }
        if let index = try scanner.index() { return .index(index) }
        if scanner.isNext("-") { return .indexFromEnd(try indexFromEnd()) }
        if scanner.isNext("?") { return .filter(try filterOfElements()) }
        throw scanner.error("expected an index, * or a name in quotes")
    }
}
