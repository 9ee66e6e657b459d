import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Reads where values of a record stand in what a service is asked for it: names of attributes in braces.
struct PieceReader {
    private typealias Piece = WebSource.Parents.Piece

    let context: DefinitionContext
    let entity: Entity

    /// The parts of an address; nil: it names what is no attribute.
    func address(_ text: String, _ node: JSONNode) -> [WebSource.Parents.Piece]? {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let end = rest.index(after: close)
            // A variable that is not set, which is told where the source is asked.
            if rest[..<open].last == "$" {
                pieces.append(.text(String(rest[..<end])))
            } else {
                pieces.append(.text(String(rest[..<open])))
                guard let piece = attribute(String(rest[rest.index(after: open)..<close]), node) else { return nil }
                pieces.append(piece)
            }
            rest = rest[end...]
        }
        return pieces + [.text(String(rest))]
    }

    func refuseNone(at node: JSONNode) {
        context.mistake(
            "with \"for\", \"url\", or texts in \"query\" or \"body\", name attributes of \(quoted(entity.name)) in braces, such as"
                + " {\(entity.identifier.first.map { entity.attributes[$0].writtenName } ?? "id")}",
            at: node.position)
    }

    private func attribute(_ name: String, _ node: JSONNode) -> WebSource.Parents.Piece? {
        guard let attribute = entity.attributes.firstIndex(where: { $0.writtenName.isIdentical(to: name) }) else {
            context.unknown(
                "attribute of \(quoted(entity.name))", name, among: entity.attributes.map(\.writtenName),
                at: node.position)
            return nil
        }
        return .attribute(attribute)
    }

    // MARK: The query

    /// The parameters of a query in which values stand; nil: one names what is no attribute.
    func parameters(_ query: JSONNode?) -> [(name: String, pieces: [WebSource.Parents.Piece])]? {
        var found: [(name: String, pieces: [Piece])] = []
        for member in query?.members ?? [] {
            guard let text = member.value.text, let template = BracedText(text) else { continue }
            guard let pieces = pieces(of: template, member.value) else { return nil }
            found.append((member.key, pieces.map(\.encoded)))
        }
        return found
    }

    // MARK: The body

    /// The texts of a body in which values stand; nil: one names what is no attribute, or what no text can hold.
    func fields(_ body: JSONNode?) -> [WebSource.Parents.Field]? {
        guard let body else { return [] }
        return fields(body, at: [])
    }

    private func fields(_ node: JSONNode, at place: [RequestBody.Step]) -> [WebSource.Parents.Field]? {
        var inner: [(step: RequestBody.Step, node: JSONNode)] = []
        switch node.kind {
        case .string(let text):
            guard let template = BracedText(text) else { return [] }
            return pieces(of: template, node) { isText($0, $1, node) }.map { [.init(place: place, pieces: $0)] }
        case .array(let elements): inner = elements.enumerated().map { (.index($0), $1) }
        case .object(let members): inner = members.map { (.name($0.key), $0.value) }
        default: break
        }
        var found: [WebSource.Parents.Field] = []
        for (step, node) in inner {
            guard let fields = fields(node, at: place + [step]) else { return nil }
            found += fields
        }
        return found
    }

    /// - Parameter accepts: whether an attribute, by its index and its name, can stand there; what it refuses is a
    ///   mistake.
    private func pieces(
        of template: BracedText, _ node: JSONNode, accepts: (Int, String) -> Bool = { _, _ in true }
    ) -> [WebSource.Parents.Piece]? {
        var pieces: [Piece] = []
        for part in template.parts {
            switch part {
            case .text(let text): pieces.append(.text(text))
            case .name(let name):
                guard let piece = attribute(name, node) else { return nil }
                guard case .attribute(let index) = piece, accepts(index, name) else { return nil }
                pieces.append(piece)
            }
        }
        return pieces
    }

    private func isText(_ attribute: Int, _ name: String, _ node: JSONNode) -> Bool {
        let conversion = entity.attributes[attribute].conversion
        guard conversion.isMany || [.bytes, .json].contains(conversion.type) else { return true }
        context.mistake(
            "\(quoted(name)) of \(quoted(entity.name)) is \(conversion.isMany ? "a list" : conversion.type.rawValue): a body"
                + " takes a text, a number, a boolean or a time of the record that it is posted for", at: node.position)
        return false
    }
}

extension WebSource.Parents.Piece {
    package var isAttribute: Bool { if case .attribute = self { true } else { false } }

    /// As a part of a query; values are encoded where they are known.
    fileprivate var encoded: Self { if case .text(let text) = self { .text(percentEncoded(text)) } else { self } }
}
