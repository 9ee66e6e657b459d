/// What a filter, `[?…]`, asks of an element: RFC 9535's logical expressions, with a literal on one side of each
/// comparison.
public indirect enum PathFilter: Hashable, Sendable {
    /// How two values are compared.
    public enum Operator: String, CaseIterable, Sendable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case less = "<"
        case greaterOrEqual = ">="
        case greater = ">"

        /// With its sides exchanged.
        var flipped: Operator {
            switch self {
            case .equal, .notEqual: self
            case .lessOrEqual: .greaterOrEqual
            case .less: .greater
            case .greaterOrEqual: .lessOrEqual
            case .greater: .less
            }
        }
    }

    /// The element has something at the path, be it null.
    case exists(Path)
    case compares(Path, Operator, Literal)
    case not(PathFilter)
    case all([PathFilter])
    case any([PathFilter])

    /// The paths that it looks at; they start at the element, and name one value each.
    public var paths: [Path] {
        switch self {
        case .exists(let path), .compares(let path, _, _): [path]
        case .not(let part): part.paths
        case .all(let parts), .any(let parts): parts.flatMap(\.paths)
        }
    }
}

extension PathFilter: CustomStringConvertible {
    /// As a path writes it.
    public var description: String {
        switch self {
        case .exists(let path): PathFilter.query(path)
        case .compares(let path, let comparison, let literal):
            "\(PathFilter.query(path)) \(comparison.rawValue) \(PathFilter.spelled(literal))"
        case .not(let part): "!(\(part))"
        case .all(let parts): parts.map { $0.grouped(in: false) }.joined(separator: " && ")
        case .any(let parts): parts.map { $0.grouped(in: true) }.joined(separator: " || ")
        }
    }

    private func grouped(in any: Bool) -> String {
        switch self {
        case .any: "(\(self))"
        case .all: any ? description : "(\(self))"
        default: description
        }
    }

    private static func query(_ path: Path) -> String {
        // As RFC 9535 has it; the path alone could begin like a literal.
        let text = Path(root: .feed, steps: path.steps, isKey: path.isKey).description
        return "@" + text.dropFirst()
    }

    private static func spelled(_ literal: Literal) -> String {
        switch literal {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let text), .json(let text): text
        case .text(let text): Path.quoted(text)
        }
    }
}
