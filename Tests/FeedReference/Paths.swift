import SluiceRecords

extension Path: ExpressibleByStringLiteral {
    /// A path for tests: what is here need not be checked.
    public init(stringLiteral text: String) {
        var rest = Substring(text)
        var parents = 0
        var root = Root.record
        if rest.first == "$" {
            root = .feed
            rest.removeFirst()
        } else if rest.first == "@" {
            rest.removeFirst()
        } else if let first = rest.first, first != "[", first != ".", first != "^", first != "~" {
            rest = "." + rest
        }
        while rest.first == "^" {
            parents += 1
            rest.removeFirst()
            if let first = rest.first, first != "^", first != "[", first != ".", first != "~" { rest = "." + rest }
        }
        let isKey = rest.last == "~"
        if isKey { rest.removeLast() }
        var steps: [Step] = []
        while let step = Path.nextStep(&rest) { steps.append(step) }
        self.init(root: root, parents: parents, steps: steps, isKey: isKey)
    }

    private static func nextStep(_ rest: inout Substring) -> Step? {
        if rest.hasPrefix("..") {
            rest.removeFirst(2)
            let name = takeName(&rest)
            return name == "[*]" || name == "*" ? .descendantWildcard : .descendantName(name)
        }
        if rest.hasPrefix(".") {
            rest.removeFirst()
            let name = takeName(&rest)
            return name == "*" ? .wildcard : .name(name)
        }
        guard rest.hasPrefix("["), let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
        if inside == "*" { return .wildcard }
        if let index = Int(inside) { return .index(index) }
        return .name(String(inside.dropFirst().dropLast()))
    }

    private static func takeName(_ rest: inout Substring) -> String {
        if rest.hasPrefix("[*]") {
            rest.removeFirst(3)
            return "[*]"
        }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        rest = rest.dropFirst(name.count)
        return String(name)
    }
}

extension Slot: ExpressibleByStringLiteral {
    /// A path, followed by ` many` or ` json`.
    public init(stringLiteral text: String) {
        let words = text.split(separator: " ")
        self.init(
            // A space in a name would end the path.
            path: Path(stringLiteral: String(words[0]).replacing("_", with: " ")), json: words.contains("json"),
            many: words.contains("many"))
    }
}

/// An entity that is only extracted.
package func entity(_ name: String, _ records: Path..., slots: [Slot] = []) -> Entity {
    Entity(name: name, records: records, slots: slots, identifier: [], attributes: [])
}
