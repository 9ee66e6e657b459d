// A filter, from left to right, by recursive descent: `||` binds weakest, then `&&`, then `!`.
extension PathParser {
    /// What stands behind the question mark.
    mutating func filter() throws(PathError) -> PathFilter {
        var parts = [try conjunction()]
        while skipToken("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(PathError) -> PathFilter {
        var parts = [try term()]
        while skipToken("&&") { parts.append(try term()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func term() throws(PathError) -> PathFilter {
        scanner.skipSpace()
        if scanner.isNext("!"), !scanner.isNext("!=") {
            _ = scanner.skip("!")
            scanner.skipSpace()
            if scanner.isNext("(") { return .not(try group()) }
            let start = scanner
            guard case .exists(let path) = try comparison() else {
                throw start.error("! stands before a path, or before parentheses")
            }
            return .not(.exists(path))
        }
        return scanner.isNext("(") ? try group() : try comparison()
    }

    private mutating func group() throws(PathError) -> PathFilter {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw scanner.error("too many parentheses") }
        _ = scanner.skip("(")
        let filter = try filter()
        guard skipToken(")") else { throw scanner.error("expected )") }
        return filter
    }

    /// A path alone, or one that is compared with a literal.
    private mutating func comparison() throws(PathError) -> PathFilter {
        let start = scanner
        let left = try operand()
        scanner.skipSpace()
        guard let comparison = PathFilter.Operator.allCases.first(where: { scanner.skip($0.rawValue) }) else {
            if scanner.isNext("=") { throw scanner.error("expected ==") }
            guard case .path(let path) = left else { throw start.error("a literal must be compared with a path") }
            return .exists(path)
        }
        scanner.skipSpace()
        let right = scanner
        switch (left, try operand()) {
        case (.path(let path), .literal(let literal)): return .compares(path, comparison, literal)
        case (.literal(let literal), .path(let path)): return .compares(path, comparison.flipped, literal)
        default: throw right.error("a path is compared with a literal, and a literal with a path")
        }
    }

    private enum Operand {
        case path(Path)
        case literal(Literal)
    }

    private mutating func operand() throws(PathError) -> Operand {
        if scanner.isNext("'") || scanner.isNext("\"") { return .literal(.text(try scanner.quotedName())) }
        if let number = scanner.number() { return .literal(.number(number)) }
        let start = scanner
        if let word = scanner.name(), scanner.isAtEndOfWord {
            switch word {
            case "true": return .literal(.boolean(true))
            case "false": return .literal(.boolean(false))
            case "null": return .literal(.null)
            default: break
            }
        }
        scanner = start
        return .path(try query())
    }

    /// A path that starts at the element, `@`, or with a name of a member.
    private mutating func query() throws(PathError) -> Path {
        let start = scanner
        var path = Path(root: .record, steps: [])
        if !scanner.skip("@"), !scanner.isNext("~"), !scanner.isNext("[") {
            guard let name = scanner.name() else {
                throw scanner.error("expected a path that starts with @ or a name, or a literal")
            }
            path.steps.append(.name(name))
        }
        while let step = try step() { path.steps.append(step) }
        path.isKey = scanner.skip("~")
        guard path.isDefinite else { throw start.error("a path in a filter has names and indices only") }
        return path
    }

    /// Moves over a text if it is next, white space aside.
    private mutating func skipToken(_ text: String) -> Bool {
        let start = scanner
        scanner.skipSpace()
        if scanner.skip(text) { return true }
        scanner = start
        return false
    }
}
