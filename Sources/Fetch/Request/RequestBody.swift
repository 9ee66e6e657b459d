import SluiceExtract
import SluiceRecords

/// A JSON value that is posted with each request.
package indirect enum RequestBody: Sendable, Hashable {
    /// A text, a number, a boolean or null, as JSON.
    case scalar(String)
    case list([RequestBody])
    case object([Member])

    package struct Member: Sendable, Hashable {
        var key: String
        var value: RequestBody
    }

    /// The value that a node of a definition is.
    package init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .scalar("null")
        case .boolean(let value): self = .scalar("\(value)")
        case .number(let text): self = .scalar(text)
        case .string(let text): self = .scalar(JSONText.quoted(text))
        case .array(let elements): self = .list(elements.map(RequestBody.init))
        case .object(let members): self = .object(members.map { Member(key: $0.key, value: RequestBody($0.value)) })
        }
    }

    package var text: String {
        switch self {
        case .scalar(let json): json
        case .list(let elements): JSONText.array(elements.map(\.text))
        case .object(let members): JSONText.object(members.map { ($0.key, $0.value.text) })
        }
    }

    /// The same with another value where some names lead to, the objects on the way there included.
    package func setting(_ names: some Collection<String>, to value: RequestBody) -> RequestBody {
        guard let name = names.first else { return value }
        var members: [Member] = []
        if case .object(let own) = self { members = own }
        let rest = names.dropFirst()
        if let index = members.lastIndex(where: { $0.key.isIdentical(to: name) }) {
            members[index].value = members[index].value.setting(rest, to: value)
        } else {
            members.append(Member(key: name, value: RequestBody.object([]).setting(rest, to: value)))
        }
        return .object(members)
    }
}

extension RequestBody {
    /// A step on the way to a value.
    package enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    /// The same with another value where steps lead to; where they lead nowhere, the same.
    package func putting(_ value: RequestBody, at steps: some Collection<Step>) -> RequestBody {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.name(let name), .object(var members)):
            guard let index = members.lastIndex(where: { $0.key.isIdentical(to: name) }) else { return self }
            members[index].value = members[index].value.putting(value, at: rest)
            return .object(members)
        case (.index(let index), .list(var elements)):
            guard elements.indices.contains(index) else { return self }
            elements[index] = elements[index].putting(value, at: rest)
            return .list(elements)
        default: return self
        }
    }
}
