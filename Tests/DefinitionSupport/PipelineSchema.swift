import Foundation
import SluiceExtract
import SluiceRecords

@testable import SluiceDefinition

/// `pipeline.schema.json`, made of the table of keys and of the template beside it.
package enum PipelineSchema {
    /// Where a line is broken, in characters.
    private static let width = 120

    /// What the file is to hold.
    package static func text() throws -> String {
        var template = String(
            decoding: try file("Sources/Definition/Keys/pipeline.schema.template.json"), as: UTF8.self)
        for (object, keys) in KeyTable.all + [("way", KeyTable.way)] {
            template = template.replacing("\"properties\": \"\(object)\"", with: "\"properties\": \(properties(keys))")
        }
        let words = [
            ("AttributeType", AttributeType.allCases.map(\.rawValue)), ("JSONType", JSONType.allCases.map(\.rawValue)),
        ]
        for (name, words) in words {
            let list = JSONText.array(words.map(JSONText.quoted))
            template = template.replacing("\"enum\": \"\(name)\"", with: "\"enum\": \(list)")
        }
        return pretty(try JSONTree.read(Array(template.utf8), file: "template").root, indent: 0, before: 0) + "\n"
    }

    /// Writes the file anew.
    package static func write() throws {
        try Data(try text().utf8).write(to: url("Documentation/pipeline.schema.json"))
    }

    /// The keys of an object, in JSON Schema.
    private static func properties(_ keys: [DefinitionKey]) -> String {
        JSONText.object(
            keys.map { key in
                let meaning = [("description", JSONText.quoted(key.meaning))]
                let initial = key.initial.map { [("default", $0.json)] } ?? []
                return (key.name, JSONText.object(meaning + key.form.schema + initial))
            })
    }

    /// JSON with as much in a line as it holds.
    ///
    /// - Parameter before: how many characters stand before the value in its first line.
    private static func pretty(_ node: JSONNode, indent: Int, before: Int) -> String {
        let whole = line(node)
        if before + whole.count < width { return whole }
        let inner = String(repeating: " ", count: indent + 2)
        let end = "\n" + String(repeating: " ", count: indent)
        switch node.kind {
        case .object(let members):
            let rows = members.map { member in
                let key = inner + JSONText.quoted(member.key) + ": "
                return key + pretty(member.value, indent: indent + 2, before: key.count)
            }
            return "{\n" + rows.joined(separator: ",\n") + end + "}"
        case .array(let elements):
            let rows = elements.map { inner + pretty($0, indent: indent + 2, before: indent + 2) }
            return "[\n" + rows.joined(separator: ",\n") + end + "]"
        default: return whole
        }
    }

    /// A value in one line.
    private static func line(_ node: JSONNode) -> String {
        switch node.kind {
        case .object(let members): JSONText.object(members.map { ($0.key, line($0.value)) })
        case .array(let elements): JSONText.array(elements.map(line))
        default: node.minified
        }
    }
}
