import DefinitionSupport
import Foundation
import Sluice
import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceDefinition

struct SchemaTests {
    private static func node(_ text: String) throws -> JSONNode {
        try JSONTree.read(Array(text.utf8), file: "x.json").root
    }

    private let schema: JSONNode
    private static let pipeline = Result {
        try JSONTree.read(try documentation("pipeline.schema.json"), file: "pipeline.schema.json").root
    }

    init() throws { schema = try SchemaTests.pipeline.get() }

    /// The schema refuses what the reader refuses for its form, and takes all else.
    @Test(arguments: DefinitionCase.all)
    func agreesWithTheReader(_ example: DefinitionCase) throws {
        let definition = try JSONTree.read(Array(example.text.utf8), file: "x.json").root
        #expect(try Schema(schema).accepts(definition) == (example.kind != .malformed))
    }

    /// Each schema has a name of its own, by which the others find it.
    @Test(arguments: ["pipeline", "report", "finding"])
    func hasAName(_ name: String) throws {
        let file = "\(name).schema.json"
        let schema = try JSONTree.read(try documentation(file), file: file).root
        #expect(schema["$id"]?.text == "https://sluice.invalid/\(file)")
    }

    /// The file is what the table of keys makes of its template; `make schema` writes it anew.
    @Test func isMadeOfTheTable() throws {
        if ProcessInfo.processInfo.environment["SLUICE_WRITE_SCHEMA"] != nil { try PipelineSchema.write() }
        let written = String(decoding: try documentation("pipeline.schema.json"), as: UTF8.self)
        #expect(written == (try PipelineSchema.text()), "make schema")
    }

    /// The keys of an object in the schema.
    private func members(_ object: String) -> [JSONMember] {
        let definitions = schema["$defs"]
        let found =
            switch object {
            case "pipeline": schema["properties"]
            case "value", "attribute", "entity": definitions?[object + "Object"]?["properties"]
            default: definitions?[object]?["properties"]
            }
        guard case .object(let members)? = found?.kind else { return [] }
        return members
    }

    /// The template has a place for each object of the table.
    @Test(arguments: DefinitionKeys.all.map(\.object))
    func namesEveryKey(_ object: String) throws {
        let known = try #require(DefinitionKeys.all.first { $0.object == object }?.keys)
        #expect(Set(members(object).map(\.key)) == Set(known))
    }

    /// Editors show what a key means.
    @Test func explainsEveryKey() {
        func check(_ node: JSONNode, _ name: String) {
            guard case .object(let members) = node.kind else { return }
            for member in members {
                if member.key == "properties", case .object(let properties) = member.value.kind {
                    for property in properties where property.value["description"] == nil {
                        // Within a condition, a key is not explained but compared.
                        #expect(name == "if" || name == "then" || name == "else", "\(property.key) has no description")
                    }
                }
                check(member.value, member.key)
                guard case .array(let elements) = member.value.kind else { continue }
                for element in elements { check(element, member.key) }
            }
        }
        check(schema, "")
    }

    /// Words that the reader takes are those that an editor offers.
    @Test func offersEveryWord() throws {
        func words(_ keys: String...) throws -> [String] {
            let node = try #require(JSONTree(file: "", root: schema).node(keys))
            guard case .array(let elements)? = (node["anyOf"]?.first?["enum"])?.kind else { return [] }
            return elements.map { $0.minified.filter { $0 != "\"" } }
        }
        #expect(try words("$defs", "type") == AttributeType.allCases.map(\.rawValue))
        #expect(try words("$defs", "source", "properties", "format") == Source.Format.allCases.map(\.rawValue))
        #expect(try words("properties", "commit") == PipelineDefinition.Commit.allCases.map(\.rawValue))
        #expect(try words("$defs", "hook", "properties", "per") == Hook.Per.allCases.map(\.rawValue))
        #expect(try words("$defs", "entityObject", "properties", "mode") == Entity.Mode.allCases.map(\.rawValue))
        #expect(
            try words("$defs", "entityObject", "properties", "duplicates") == Entity.Duplicates.allCases.map(\.rawValue)
        )
        #expect(try words("$defs", "entityObject", "properties", "absent") == Entity.Absent.allCases.map(\.rawValue))
        let attribute = try words("$defs", "attributeObject", "properties", "onAbsent")
        #expect(attribute == Attribute.OnAbsent.allCases.map(\.rawValue))
        #expect(try words("$defs", "jsonType") == JSONType.allCases.map(\.rawValue))
        let missing = try words("$defs", "relationship", "properties", "missing")
        #expect(missing == Relationship.Missing.allCases.map(\.rawValue))
        let clearing = try words("$defs", "relationship", "properties", "onAbsent")
        #expect(clearing == Relationship.OnAbsent.allCases.map(\.rawValue))
        let onDelete = try words("$defs", "relationship", "properties", "onDelete")
        #expect(onDelete == Relationship.OnDelete.allCases.map(\.rawValue))
    }

    @Test func unknownKeywordsAreNotPassedOver() throws {
        let schema = Schema(try SchemaTests.node(#"{ "properties": { "a": { "multipleOf": 2 } } }"#))
        #expect(throws: Schema.UnknownKeyword(keyword: "multipleOf")) {
            try schema.accepts(try SchemaTests.node(#"{ "a": 1 }"#))
        }
    }
}

extension JSONNode {
    fileprivate var last: JSONNode? {
        if case .array(let elements) = kind { return elements.last }
        return nil
    }

    fileprivate var first: JSONNode? {
        if case .array(let elements) = kind { return elements.first }
        return nil
    }
}
