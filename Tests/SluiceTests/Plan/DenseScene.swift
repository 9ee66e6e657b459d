import Foundation
import SluiceColumns
import SluiceDefinition
import SluiceRecords
import TestSupport

@testable import Nights
@testable import Sluice

/// One definition with all that plans know, in random forms, and feeds in which few identifiers meet often: objects
/// come and go, wait, and are stubs; three runs.
final class DenseScene {
    let folder: String
    private var random: SeededRandom
    private let spread: Int
    private var definition = DenseDefinition()
    /// Whether the last feed is the first one again: what was gone comes back as it was.
    private let comesBack: Bool

    init(_ seed: Int, in directory: String) throws {
        folder = "\(directory)/\(seed)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Far apart: the sequences of two seeds are one, some steps further.
        random = SeededRandom((seed + 7_000) * 1_000_000)
        comesBack = seed % 2 == 0
        spread = [3, 8, 30][random.below(3)]
        let names = DenseDefinition.names(OwnNames(SeededRandom((seed + 8_000) * 1_000_000)))
        // What plans refuse is tried again in another form.
        for _ in 0..<200 {
            definition = DenseDefinition(&random, names)
            let text = Array(definition.json(&random).utf8)
            let read = try? PipelineDefinition.read(text, file: "dense.json", environment: [:])
            if let read, (try? read.plan(.duckdb)) != nil { return }
        }
        definition = DenseDefinition()
    }

    /// Runs three times.
    func make() throws {
        var first: [String] = []
        for number in 1...3 {
            definition.vary(&random)
            if comesBack { definition.takeAll() }
            let path = folder + "/dense.json"
            try definition.json(&random).write(toFile: path, atomically: false, encoding: .utf8)
            // A source that gives nothing fails a run. What comes back was gone before.
            let count = 1 + random.below(number == 2 && comesBack ? 5 : 90)
            let drawn = (0..<count).map { _ in line() + "\n" }
            if number == 1 { first = drawn }
            let lines = number == 3 && comesBack ? first : drawn
            try lines.joined().write(toFile: folder + "/main0.json", atomically: false, encoding: .utf8)
            try PlanRuns(folder: folder).run(
                number, path, [SceneFeed(source: 0, name: "main", file: 0, values: lines.count)], &random)
        }
    }

    // MARK: Records

    private func line() -> String {
        var members: [String] = []
        func add(_ name: String, _ value: String?) {
            // Absent, null, or what there is.
            switch random.below(7) {
            case 0: break
            case 1: members.append("\"\(name)\": null")
            default: if let value { members.append("\"\(name)\": \(value)") }
            }
        }
        let kind = random.below(4)
        members.append("\"kind\": \"\(["place", "region", "visit", "person"][kind])\"")
        if random.below(40) > 0 { members.append("\"id\": \(identifier())") }
        members.append("\"number\": \(random.below(3) - 1)")
        add("note", "\"\(["", "n", "m"][random.below(3)])\"")
        add("size", random.below(9) == 0 ? "\"big\"" : "\(random.below(3))")
        for name in ["parent", "place", "thing"] { add(name, identifier()) }
        add("region", "{ \"id\": \(identifier()), \"number\": \(random.below(3) - 1) }")
        add("by", "{ \"kind\": \"\(["p", "q"][random.below(2)])\", \"id\": \(identifier()) }")
        for name in ["near", "things", "tags"] { add(name, "[\(list { self.identifier() })]") }
        add("regions", "[\(list { "{ \"id\": \(self.identifier()), \"number\": \(self.random.below(3) - 1) }" })]")
        return "{ \(members.joined(separator: ", ")) }"
    }

    private func list(_ element: () -> String) -> String {
        (0..<random.below(4)).map { _ in element() }.joined(separator: ", ")
    }

    private func identifier() -> String {
        let number = random.below(spread)
        switch random.below(12) {
        case 0: return "\"x\(number)\""
        case 1: return "\"\(number)\""
        default: return "\(number)"
        }
    }
}

/// The definition: what its entities and relationships say besides.
struct DenseDefinition {
    private static let entities = ["Place", "Region", "Visit", "Person"]
    private static let references = [
        "parent", "near", "region", "place", "about", "by", "regions", "things", "tags",
    ]
    private var settings: [String: [String]] = [:]
    private var relationships: [String: [String]] = [:]
    private var modes: [String: [String]] = [:]
    private var personType = "text"
    private var limits = ""
    /// What entities, attributes and relationships are called, where that is another name than the feed's.
    private var names: [String: String] = [:]

    /// Says nothing.
    init() {}

    static func names(_ own: OwnNames) -> [String: String] {
        var own = own
        var names: [String: String] = [:]
        for name in entities + ["Tag"] { names[name] = own.entity() }
        for name in ["id", "number", "name", "size", "note"] { names[name] = own.attribute() }
        for name in references { names[name] = own.relationship() }
        return names
    }

    init(_ random: inout SeededRandom, _ names: [String: String]) {
        self.names = names
        personType = ["text", "integer"][random.below(2)]
        for entity in Self.entities {
            var said: [String] = []
            let absent = ["keep", "delete", "delete", "mark"][random.below(4)]
            said.append("\"absent\": \"\(absent)\"")
            let bounds = ["Place": "region", "Visit": "place"]
            if absent != "keep", let bound = bounds[entity], random.below(3) == 0 {
                said.append("\"within\": \"\(called(bound))\"")
            }
            if random.below(3) == 0 { said.append("\"repeats\": true") }
            if random.below(2) == 0 { said.append("\"orphans\": \"delete\"") }
            settings[entity] = said
        }
        settings["Tag"] = random.below(2) == 0 ? ["\"orphans\": \"delete\""] : []
        for name in Self.references {
            var said: [String] = []
            switch random.below(6) {
            case 0, 1: if !["about", "things"].contains(name) { said.append("\"missing\": \"stub\"") }
            case 2: if name != "tags" { said.append("\"missing\": \"reject\"") }
            default: break
            }
            if name == "tags" { said = ["\"missing\": \"stub\""] }
            if random.below(3) == 0 { said.append("\"onDelete\": \"cascade\"") }
            if random.below(4) == 0 { said.append("\"onAbsent\": \"clear\"") }
            relationships[name] = said
        }
    }

    /// Other values of what may change between two runs on one store.
    mutating func vary(_ random: inout SeededRandom) {
        for entity in Self.entities {
            modes[entity] = [
                "\"mode\": \"\(["upsert", "upsert", "insert", "update"][random.below(4)])\"",
                "\"duplicates\": \"\(["last", "last", "first", "reject"][random.below(4)])\"",
            ]
        }
        let amounts = ["null", "null", "null", "\"80%\"", "20"]
        let kinds = ["rejects", "unresolved", "duplicates", "deletes"]
        let said = kinds.map { "\"\($0)\": \(amounts[random.below(amounts.count)])" }
        let records = ["null", "null", "0", "\"30%\"", "2"][random.below(5)]
        limits = (said + ["\"records\": \(records)", "\"missing\": null"]).joined(separator: ", ")
    }

    /// No limit ends a run, and what comes is stored whatever is there.
    mutating func takeAll() {
        for entity in Self.entities { modes[entity]?[0] = "\"mode\": \"upsert\"" }
        let kinds = ["rejects", "unresolved", "duplicates", "deletes", "records", "missing"]
        limits = kinds.map { "\"\($0)\": null" }.joined(separator: ", ")
    }

    private func called(_ name: String) -> String { names[name] ?? name }

    /// What a definition says of several parts, as JSON.
    private func entity(_ name: String, _ identifier: [String], _ attributes: [String], _ relationships: [String])
        -> String
    {
        let said = (settings[name] ?? []) + (modes[name] ?? [])
        let members =
            [
                "\"records\": \"$\"", "\"where\": { \"kind\": \"\(name.lowercased())\" }",
                "\"identifier\": [\(identifier.map { "\"\(called($0))\"" }.joined(separator: ", "))]",
                "\"attributes\": { \(attributes.joined(separator: ", ")) }",
                "\"relationships\": { \(relationships.joined(separator: ", ")) }",
            ] + said
        return "\"\(called(name))\": { \(members.joined(separator: ", ")) }"
    }

    private func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "\"\(called(name))\": { \"type\": \"\(type)\", \"from\": \"\(name)\"\(more) }"
    }

    /// - Parameter key: what it refers by, if that is not the member of its name.
    private func relationship(_ name: String, _ to: String..., key: String? = nil, more: [String] = []) -> String {
        let targets = to.map { "\"\(called($0))\"" }.joined(separator: ", ")
        let members =
            ["\"to\": [\(targets)]", key ?? "\"from\": \"\(name)\""] + more + (relationships[name] ?? [])
        return "\"\(called(name))\": { \(members.joined(separator: ", ")) }"
    }

    func json(_ random: inout SeededRandom) -> String {
        let (many, note) = (["\"many\": true"], attribute("note", "text"))
        let selector = """
            "entity": { "from": "by.kind", "map": { "p": "\(called("Place"))", "q": "\(called("Person"))" } }
            """
        let tag =
            ["\"identifier\": \"\(called("name"))\", \"attributes\": { \"\(called("name"))\": \"text\" }"]
            + (settings["Tag"] ?? [])
        let entities = [
            entity(
                "Place", ["id"],
                [attribute("id", "text"), attribute("size", "integer", ", \"onAbsent\": \"null\""), note],
                [
                    relationship("parent", "Place"),
                    relationship("region", "Region", key: "\"identifier\": [\"region.id\", \"region.number\"]"),
                    relationship("near", "Place", key: "\"from\": \"near[*]\"", more: many),
                ]),
            entity("Region", ["id", "number"], [attribute("id", "text"), attribute("number", "integer"), note], []),
            entity(
                "Visit", ["id"], [attribute("id", "integer"), note],
                [
                    relationship("place", "Place"),
                    relationship(
                        "regions", "Region", key: "\"identifier\": [\"regions[*].id\", \"regions[*].number\"]",
                        more: many),
                    relationship("about", "Place", "Person", key: "\"from\": \"thing\""),
                    relationship("by", "Place", "Person", key: "\"from\": \"by.id\"", more: [selector]),
                    relationship("things", "Person", "Place", key: "\"from\": \"things[*]\"", more: many),
                    relationship("tags", "Tag", key: "\"from\": \"tags[*]\"", more: many),
                ]),
            entity("Person", ["id"], [attribute("id", personType), note], []),
            "\"\(called("Tag"))\": { \(tag.joined(separator: ", ")) }",
        ]
        return """
            { "source": { "file": "main0.json", "format": "lines" }, "store": { "sqlite": "store.sqlite" },
              "limits": { \(limits.isEmpty ? "\"missing\": null" : limits) },
              "entities": { \(entities.joined(separator: ",\n")) } }
            """
    }
}
