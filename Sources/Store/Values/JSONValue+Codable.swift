extension JSONValue: Codable {
    /// A key of an object. Its type is not `Key`, which is the key of a dictionary literal.
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads it. The members of an object come in the order of their keys, and of numbers with many digits, not all are
    /// there: decoders do not say more.
    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [Member] = []
            for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                members.append(Member(key.stringValue, try object.decode(JSONValue.self, forKey: key)))
            }
            self = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .list(elements)
        } else {
            self = try JSONValue(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for member in members { try container.encode(member.value, forKey: Name(stringValue: member.key)) }
        default:
            var container = encoder.singleValueContainer()
            try encode(scalar: &container)
        }
    }

    private func encode(scalar container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value) where value.isFinite: try container.encode(value)
        // It has more digits than any number of Swift.
        case .number(let number): try container.encode(Double(number))
        case .text(let text): try container.encode(text)
        case .null, .real, .list, .object: try container.encodeNil()
        }
    }
}
