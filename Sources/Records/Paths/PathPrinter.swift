extension Path: CustomStringConvertible {
    /// The path as it is written: ``parse(_:)`` makes the same path of it.
    public var description: String {
        var text =
            switch root {
            case .feed: "$"
            case .record: String(repeating: "^", count: parents)
            case .request: Path.request
            }
        for (index, step) in steps.enumerated() {
            // A bare path starts with a name, not with a dot.
            let isFirst = root == .record && parents == 0 && index == 0
            if isFirst, case .name(let name) = step, Path.isPlain(name) {
                text += name
            } else {
                text += Path.spelled(step)
            }
        }
        if isKey { text += "~" }
        return text.isEmpty ? "@" : text
    }

    /// What a path to an attribute of the record begins with for which a service was asked.
    package static let request = "$for"

    static func isPlain(_ name: String) -> Bool {
        // By bytes: a combining character would melt with the dot.
        spelled(name: name).utf8.first == UInt8(ascii: ".")
    }

    static func spelled(_ step: Step) -> String {
        switch step {
        case .name(let name): escaped(spelled(name: name))
        case .index(let index): "[\(index)]"
        case .indexFromEnd(let index): "[-\(index)]"
        case .filter(let filter): "[?\(escaped(filter.description))]"
        case .wildcard: "[*]"
        case .descendantWildcard: "..[*]"
        case .descendantName(let name):
            (isPlain(name) ? "." : "..") + escaped(spelled(name: name))
        }
    }

    /// Control characters, which can stand only between quotes, as escapes.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            guard scalar.value < 0x20 else { return result.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
