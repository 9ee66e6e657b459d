import SluiceDefinition
import SluiceFetch

/// The address of which a service is asked for each record of an entity: values stand in it, each as a part of the part
/// that it is written in.
struct ParentAddress: Sendable {
    /// What the address of a record is.
    enum Outcome {
        /// With what is shown of it: no part of the query but those in which values stand.
        case address(String, shown: String)
        /// The record has none: one of its values is null.
        case none
        /// The values make a part of the path that leads elsewhere; with the last attribute among them.
        case misfit(attribute: Int, part: String)
    }

    /// What stands between two slashes; the last one has the query, too.
    private struct Part: Sendable {
        var pieces: [WebSource.Parents.Piece] = []
        var attribute: Int?
    }

    private var parts: [Part] = [Part()]
    /// The query and the fragment.
    private var rest: [WebSource.Parents.Piece] = []

    init(_ pieces: [WebSource.Parents.Piece]) {
        for piece in pieces {
            switch piece {
            case .text(let text): add(text)
            case .attribute(let attribute):
                guard rest.isEmpty else {
                    rest.append(piece)
                    continue
                }
                parts[parts.count - 1].pieces.append(piece)
                parts[parts.count - 1].attribute = attribute
            }
        }
    }

    private mutating func add(_ text: String) {
        guard rest.isEmpty else { return rest.append(.text(text)) }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        for (index, part) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { parts.append(Part()) }
            if !part.isEmpty { parts[parts.count - 1].pieces.append(.text(String(part))) }
        }
        if path.endIndex < text.endIndex { rest.append(.text(String(text[path.endIndex...]))) }
    }

    /// The address of a record.
    ///
    /// - Parameter value: the text of an attribute; nil: it has none.
    func outcome(_ value: (Int) -> String?) -> Outcome {
        var texts: [String] = []
        for part in parts {
            guard let text = ParentAddress.text(part.pieces, value) else { return .none }
            // Parts that are empty, or lead up, are none of their own to services, nor to what stands before these.
            if let attribute = part.attribute, ["", ".", ".."].contains(text) {
                return .misfit(attribute: attribute, part: text)
            }
            texts.append(text)
        }
        guard let rest = ParentAddress.text(rest, value) else { return .none }
        let address = texts.joined(separator: "/") + rest
        let name = (try? WebAddress(address))?.shown ?? texts.joined(separator: "/")
        return .address(address, shown: name + shownQuery(value))
    }

    /// The parts of the query that hold values; others may be secret.
    private func shownQuery(_ value: (Int) -> String?) -> String {
        var members: [[WebSource.Parents.Piece]] = [[]]
        for piece in rest {
            guard case .text(let text) = piece else {
                members[members.count - 1].append(piece)
                continue
            }
            let parts = text.split(omittingEmptySubsequences: false) { "?&#".contains($0) }
            for (index, part) in parts.enumerated() {
                if index > 0 { members.append([]) }
                if !part.isEmpty { members[members.count - 1].append(.text(String(part))) }
            }
        }
        let shown = members.filter { $0.contains(where: \.isAttribute) }.compactMap { ParentAddress.text($0, value) }
        return shown.isEmpty ? "" : "?" + shown.joined(separator: "&")
    }

    private static func text(_ pieces: [WebSource.Parents.Piece], _ value: (Int) -> String?) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let own): text += own
            case .attribute(let attribute):
                guard let value = value(attribute) else { return nil }
                text += percentEncoded(value)
            }
        }
        return text
    }
}
