/// A text in a body or a query whose braces name attributes. Other languages have braces, too: where a pair of them
/// holds more than a name, as in GraphQL, all braces of the text belong to it.
struct BracedText {
    enum Part: Equatable {
        case text(String)
        case name(String)
    }

    private(set) var parts: [Part] = []

    /// Nil: the text names no attributes.
    init?(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else { return nil }
            let end = rest.index(after: close)
            let name = rest[rest.index(after: open)..<close]
            if rest[..<open].last == "$" {
                // A variable that is not set, which is told where the source is asked.
                add(rest[..<end])
            } else {
                guard BracedText.isName(name) else { return nil }
                add(rest[..<open])
                parts.append(.name(String(name)))
            }
            rest = rest[end...]
        }
        add(rest)
        let hasNames = parts.contains { if case .name = $0 { true } else { false } }
        guard hasNames else { return nil }
    }

    private mutating func add(_ text: Substring) {
        if !text.isEmpty { parts.append(.text(String(text))) }
    }

    /// Not what a regular expression has between braces, nor what GraphQL has.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace else {
            return false
        }
        return !text.contains("{") && !text.allSatisfy { ("0"..."9").contains($0) || $0 == "," }
    }
}
