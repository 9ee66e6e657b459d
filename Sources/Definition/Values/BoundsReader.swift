import SluiceExtract
import SluiceRecords

/// Reads which values an attribute may have.
struct BoundsReader {
    let context: DefinitionContext
    let conversion: Conversion

    private static let ordered: [AttributeType] = [.integer, .real, .decimal, .date, .datetime, .duration]

    func bounds(of object: DefinitionObject) -> Attribute.Bounds {
        var bounds = Attribute.Bounds()
        bounds.min = bound("min", object)
        bounds.max = bound("max", object)
        bounds.oneOf = list(object)
        guard !bounds.isEmpty, let reason = context.checks.bounds(bounds, conversion) else { return bounds }
        context.mistake(reason, at: object.position(of: "max") ?? object.position)
        return bounds
    }

    private func bound(_ key: String, _ object: DefinitionObject) -> Literal? {
        guard let node = object[key], let position = object.position(of: key) else { return nil }
        guard BoundsReader.ordered.contains(conversion.type) else {
            let types = BoundsReader.ordered.map(\.rawValue)
            context.mistake(
                "\(quoted(key)) is for the types \(listed(types, last: " and ")), not for \(conversion.type.rawValue)",
                at: position)
            return nil
        }
        return value(node, key)
    }

    private func list(_ object: DefinitionObject) -> [Literal]? {
        guard let node = object["oneOf"], let position = object.position(of: "oneOf") else { return nil }
        guard conversion.type == .text || BoundsReader.ordered.contains(conversion.type) else {
            context.mistake("\"oneOf\" is not for the type \(conversion.type.rawValue)", at: position)
            return nil
        }
        guard case .array(let elements) = node.kind, !elements.isEmpty else {
            context.wrong("oneOf", node, expected: "a list of values")
            return nil
        }
        return elements.compactMap { value($0, "oneOf") }
    }

    private func value(_ node: JSONNode, _ key: String) -> Literal? {
        guard !context.isUnset(node) else { return nil }
        switch node.kind {
        case .number, .string: break
        default:
            context.wrong(key, node, expected: "a text or a number")
            return nil
        }
        guard let literal = context.literal(node, key) else { return nil }
        guard let reason = context.checks.literal(literal, conversion) else { return literal }
        context.mistake("\(quoted(key)): \(reason)", at: node.position)
        return nil
    }
}
