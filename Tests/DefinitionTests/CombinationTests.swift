import DefinitionSupport
import Sluice
import SluiceRecords
import Testing

@testable import SluiceDefinition

/// Any few keys together: those that make no sense are refused with a reason, all others are taken.
///
/// Each table says what is refused: where all of its words are there and none of its others, with which reason.
@Suite struct CombinationTests {
    /// A word is a key with a value that can stand for it, or a circumstance.
    struct Refusal {
        var words: Set<String>
        var unless: Set<String> = []
        /// Part of the message.
        var reason: String

        init(_ words: Set<String>, unless: Set<String> = [], _ reason: String) {
            (self.words, self.unless, self.reason) = (words, unless, reason)
        }

        func applies(to present: Set<String>) -> Bool {
            words.isSubset(of: present) && unless.isDisjoint(with: present)
        }
    }

    /// All sets of at most so many of some words.
    static func subsets(of words: [String], atMost count: Int) -> [[String]] {
        guard count > 0, let last = words.last else { return [[]] }
        let others = words.dropLast()
        return subsets(of: Array(others), atMost: count)
            + subsets(of: Array(others), atMost: count - 1).map { $0 + [last] }
    }

    private func check(_ definition: String, _ present: Set<String>, _ refusals: [Refusal]) {
        let found = problems { () throws(DefinitionProblems) in
            _ = try PipelineDefinition.read(
                Array(definition.utf8), file: "x.json", environment: [:], checks: .all)
        }
        let expected = refusals.filter { $0.applies(to: present) }
        for refusal in expected {
            #expect(found.contains { $0.contains(refusal.reason) }, "\(present.sorted()): \(refusal.reason), \(found)")
        }
        let others = found.filter { message in !expected.contains { message.contains($0.reason) } }
        #expect(others.isEmpty, "\(present.sorted())")
    }

    private func object(_ words: [String], _ values: [String: String]) -> String {
        "{ \(words.compactMap { values[$0] }.joined(separator: ", ")) }"
    }

    // MARK: Attributes

    private static let ofValues = [
        "from": #""from": "a""#, "join": #""join": ["a", "b"]"#, "with": #""with": "-""#, "trim": #""trim": true"#,
        "nullIf": #""nullIf": """#, "match": #""match": "x(.)""#,
    ]

    private static let refusedOfValues = [
        Refusal(["from", "join"], "a value has either \"from\" or \"join\""),
        Refusal(["with"], unless: ["join"], "there is no \"join\""),
    ]

    /// By type: a value that fits.
    private static let literals = [
        "text": "\"b\"", "integer": "7", "real": "7.5", "decimal": "\"7.50\"", "boolean": "true",
        "date": "\"2026-11-20\"", "datetime": "\"2026-11-20T23:13:00Z\"", "duration": "\"PT1H\"", "json": "[7]",
        "bytes": "\"YWI=\"",
    ]

    private static let attributes = [
        Refusal(["default", "required"], "with a \"default\" nothing can be lacking"),
        Refusal(["default", "onAbsent"], "with a \"default\" nothing is absent"),
        Refusal(["required", "onAbsent"], unless: ["default"], "\"onAbsent\" has no effect"),
        Refusal(
            ["identifier", "onAbsent"], unless: ["json", "many"],
            "a record in which an identifier is absent is a reject"),
        Refusal(["identifier", "index"], unless: ["second", "json", "many"], "an identifier has an index already"),
        Refusal(["identifier", "json"], "an attribute of the type json cannot identify anything"),
        Refusal(["format"], unless: ["date", "datetime", "duration"], "\"format\" is for the types date, datetime"),
        Refusal(["timeZone"], unless: ["datetime"], "\"timeZone\" is for the type datetime"),
        Refusal(["fraction"], unless: ["datetime", "duration"], "\"fraction\" is for the types datetime"),
        Refusal(["scale"], unless: ["decimal"], "\"scale\" is for the type decimal"),
        Refusal(["as"], unless: ["decimal"], "\"as\" is for the type decimal"),
        Refusal(["as", "decimal"], unless: ["scale"], "\"as\" needs \"scale\""),
        Refusal(["split"], unless: ["many"], "\"split\" needs \"many\": true"),
        Refusal(["many", "default"], unless: ["json", "bytes"], "a list takes no \"default\""),
        Refusal(["many", "identifier"], unless: ["json"], "an attribute with \"many\" cannot identify anything"),
        Refusal(["many", "json"], "\"many\" is not for the type json"),
        Refusal(["many", "bytes"], "\"many\" is not for the type bytes"),
    ]

    private static let ofAttributes = ofValues.merging([
        "required": #""required": true"#, "index": #""index": true"#, "onAbsent": #""onAbsent": "null""#,
        "was": #""was": "y""#, "timeZone": #""timeZone": "Europe/Berlin""#, "split": #""split": ",""#,
        "many": #""many": true"#, "fraction": #""fraction": 3"#, "scale": #""scale": 2"#, "as": #""as": "integer""#,
    ]) { $1 }

    @Test(arguments: AttributeType.allCases)
    func ofAttributes(_ type: AttributeType) throws {
        var values = Self.ofAttributes
        let literal = try #require(Self.literals[type.rawValue])
        values["default"] = "\"default\": \(literal)"
        values["map"] = "\"map\": { \"a\": \(type == .json ? "1" : literal), \"*\": null }"
        values["format"] = type == .duration ? #""format": "ms""# : #""format": "%Y-%m-%d""#
        values[type.rawValue] = "\"type\": \"\(type.rawValue)\""
        var refusals = Self.refusedOfValues + Self.attributes
        for key in DefinitionKeys.value where !["from", "default"].contains(key) {
            refusals.append(Refusal(["json", key], "the type json takes a value as it is"))
        }
        if type == .datetime { refusals.append(Refusal(["format"], unless: ["timeZone"], "has no offset (%z)")) }
        if type == .date || type == .datetime, let place = values["default"] {
            // What a format reads is not what the type does.
            values["default"] = type == .date ? place : place.replacing("T23:13:00Z", with: "")
            if type == .datetime { refusals.append(Refusal(["default"], unless: ["format"], "does not fit")) }
            values["map"] = "\"map\": { \"a\": null }"
        }
        let words = values.keys.filter { $0 != type.rawValue }.sorted()
        // All pairs with each type; of three keys, each with some types.
        let place = try #require(AttributeType.allCases.firstIndex(of: type))
        let chosen = Self.subsets(of: words, atMost: 3).enumerated().filter { $1.count < 3 || $0 % 4 == place % 4 }
        for keys in chosen.map(\.element) {
            for circumstances in [[], ["identifier"], ["identifier", "second"]] {
                let present = Set(keys + circumstances + [type.rawValue])
                let text = object(keys + [type.rawValue], values)
                // What cannot be read is not converted.
                let isHidden = keys.contains("from") && keys.contains("join")
                check(
                    Self.entity(attribute: text, circumstances), present,
                    isHidden ? refusals.filter { $0.reason != "does not fit" } : refusals)
            }
        }
    }

    /// An entity with an attribute `x`, which identifies, or is the second that does.
    private static func entity(attribute: String, _ circumstances: [String]) -> String {
        let identifier =
            circumstances.isEmpty ? "\"id\"" : circumstances.contains("second") ? "[\"id\", \"x\"]" : "[\"x\"]"
        return """
            { "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": { "A": {
              "records": "$[*]", "identifier": \(identifier), "attributes": { "id": "text", "x": \(attribute) } } } }
            """
    }

    @Test(arguments: [
        ("unix", true, "counts in UTC"), ("unix-ms", true, "counts in UTC"),
        ("%Y-%m-%d %H:%M %z", true, "has an offset"),
        ("%Y-%m-%d %H:%M", true, ""), ("unix", false, ""), ("unix-ms", false, ""), ("%Y-%m-%d %H:%M %z", false, ""),
        ("%Y-%m-%d %H:%M", false, "has no offset"), ("", true, ""), ("", false, ""),
    ])
    func ofFormatAndTimeZone(_ format: String, _ hasZone: Bool, _ reason: String) {
        let keys =
            (format.isEmpty ? "" : ", \"format\": \"\(format)\"") + (hasZone ? ", \"timeZone\": \"Europe/Berlin\"" : "")
        let refusals = reason.isEmpty ? [] : [Refusal([], reason)]
        check(Self.entity(attribute: "{ \"type\": \"datetime\"\(keys) }", []), [format], refusals)
    }

    // MARK: Relationships

    private static let ofRelationships = ofValues.merging([
        "map": #""map": { "a": "b" }"#, "default": #""default": "7""#, "split": #""split": ",""#,
        "identifier": #""identifier": ["a", "b"]"#, "many": #""many": true"#,
        "entity": #""entity": { "from": "kind", "map": { "b": "B", "*": "C" } }"#, "stub": #""missing": "stub""#,
        "reject": #""missing": "reject""#, "cascade": #""onDelete": "cascade""#, "was": #""was": "y""#,
        "onAbsent": #""onAbsent": "clear""#, "required": #""required": true"#, "type": #""type": "text""#,
    ]) { $1 }

    private static let relationships =
        [
            Refusal(["split"], unless: ["many", "identifier"], "\"split\" needs \"many\": true"),
            Refusal(["split", "identifier"], unless: ["many"], "beside \"identifier\" there is no \"split\""),
            Refusal(["entity"], unless: ["several"], "\"entity\" chooses from several entities"),
            Refusal(["stub", "several"], unless: ["entity", "reject"], "a stub needs its entity"),
            Refusal(["pair"], unless: ["identifier"], "is identified by 2 attributes"),
            Refusal(["identifier"], unless: ["pair"], "is identified by one attribute"),
            Refusal(["stub", "reject"], "is repeated"),
            Refusal(["default", "onAbsent"], unless: ["identifier"], "with a \"default\" nothing is absent"),
            Refusal(["required"], "a relationship takes no \"required\""),
            Refusal(["type"], "it takes no \"type\""),
        ] + ["from", "join"].map { Refusal(["identifier", $0], "either \"identifier\" or \"\($0)\"") }
        + ["with", "trim", "nullIf", "match", "map", "split", "default"].map {
            Refusal(["identifier", $0], "beside \"identifier\" there is no \"\($0)\"")
        }

    /// A relationship to one entity, to one that two attributes identify, or to two entities.
    @Test(arguments: ["one", "pair", "several"])
    func ofRelationships(_ target: String) {
        var values = Self.ofRelationships
        values["to"] = ["one": #""to": "B""#, "pair": #""to": "D""#, "several": #""to": ["B", "C"]"#][target]
        let words = values.keys.filter { $0 != "to" }.sorted()
        for keys in Self.subsets(of: words, atMost: 3) {
            let refusals = Self.relationships + Self.refusedOfValues
            // What cannot be read says nothing more.
            var hidden: Set<Set<String>> = []
            if keys.contains("identifier") { hidden = [["with"], ["from", "join"]] }
            if keys.contains("from"), keys.contains("join") { hidden.insert(["pair"]) }
            let present = Set(keys + [target])
            check(
                """
                { "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": {
                  "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" },
                         "relationships": { "x": \(object(keys + ["to"], values)) } },
                  "B": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } },
                  "C": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } },
                  "D": { "records": "$[*]", "identifier": ["a", "b"], "attributes": { "a": "text", "b": "integer" } } } }
                """, present, refusals.filter { !hidden.contains($0.words) })
        }
    }

    // MARK: Entities

    private static let ofEntities = [
        "where": #""where": { "kind": ["a", 1.0] }"#, "deleteWhere": #""deleteWhere": { "kind": [1, "z"] }"#,
        "deleteOther": #""deleteWhere": { "kind": "z" }"#, "table": #""table": "T""#, "was": #""was": "Z""#,
        "insert": #""mode": "insert""#, "update": #""mode": "update""#, "first": #""duplicates": "first""#,
        "reject": #""duplicates": "reject""#, "delete": #""absent": "delete""#, "mark": #""absent": "mark""#,
        "keep": #""absent": "keep""#, "within": #""within": "one""#, "withinMany": #""within": "many""#,
        "withinSeveral": #""within": "several""#,
    ]

    private static let entities =
        [
            Refusal(["where", "deleteOther"], unless: ["deleteWhere"], "takes no record whose \"kind\""),
            Refusal(["keep", "within"], unless: ["delete", "mark"], "\"within\" bounds \"absent\""),
            Refusal(["keep", "withinMany"], unless: ["delete", "mark"], "\"within\" bounds \"absent\""),
            Refusal(["keep", "withinSeveral"], unless: ["delete", "mark"], "\"within\" bounds \"absent\""),
        ]
        + ["within", "withinMany", "withinSeveral"].map {
            Refusal([$0], unless: ["keep", "delete", "mark"], "\"within\" bounds \"absent\"")
        }
        + ["withinMany", "withinSeveral"].map { Refusal([$0], "needs a to-one relationship to one entity") }

    @Test func ofEntities() {
        let one = Self.ofEntities.keys.sorted()
        for keys in Self.subsets(of: one, atMost: 4) {
            // A key stands once.
            let names = keys.compactMap { Self.ofEntities[$0]?.prefix { $0 != ":" } }
            guard Set(names).count == names.count else { continue }
            let members = (keys.compactMap { Self.ofEntities[$0] } + [#""identifier": "id""#]).joined(separator: ", ")
            check(
                """
                { "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": {
                  "A": { "records": "$[*]", "attributes": { "id": "text" }, \(members), "relationships": {
                    "one": { "to": "A" }, "many": { "to": "A", "many": true }, "several": { "to": ["A", "B"] } } },
                  "B": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
                """, Set(keys), Self.entities)
        }
    }

    // MARK: Others

    @Test(arguments: [
        (#""records": ["$.a[*]", "$.b", "$['a'].*"]"#, "\"$.a[*]\" is in this list twice"),
        (#""records": ["$.\u00e9", "$.e\u0301"]"#, ""),
        (#""records": "$", "deleteWhere": { "a": 1 }, "where": { "b": 1 }"#, ""),
        (#""records": "$", "deleteWhere": { "a": 1 }, "where": { "@.a": [true, 1e0] }"#, ""),
        (#""records": "$", "deleteWhere": { "a": "1" }, "where": { "a": 1 }"#, "takes no record whose \"a\""),
        (#""records": "$", "deleteWhere": { "a": null }, "where": { "a": [1, false] }"#, "takes no record whose \"a\""),
    ])
    func ofPathsAndConditions(_ members: String, _ reason: String) {
        check(
            """
            { "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": {
              "A": { \(members), "identifier": "id", "attributes": { "id": "text" } } } }
            """, [members], reason.isEmpty ? [] : [Refusal([], reason)])
    }

    @Test(arguments: [
        (#"["a", { "from": "b", "default": "x" }]"#, "the value of \"default\" does not fit"),
        (#"["a", { "from": "b", "map": { "1": "x" } }]"#, "the value of \"1\" does not fit"),
        (#"["a", { "from": "b", "default": "7" }]"#, ""), (#"[{ "from": "a", "default": "x" }, "b"]"#, ""),
        (#"["a", { "from": "b", "split": "," }]"#, "cannot have \"split\""),
        (#"["a", "b", "c"]"#, "this list has 3 values"), (#""a""#, "a list of values"),
    ])
    func ofPartsOfIdentifiers(_ identifier: String, _ reason: String) {
        check(
            """
            { "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": {
              "A": { "records": "$", "identifier": ["a", "b"], "attributes": { "a": "text", "b": "integer" },
                     "relationships": { "x": { "to": "A", "many": true, "identifier": \(identifier) } } } } }
            """, [identifier], reason.isEmpty ? [] : [Refusal([], reason)])
    }
}
