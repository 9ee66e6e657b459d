import DefinitionSupport
import SluiceRecords
import Testing

@testable import SluiceDefinition

struct VariableTests {
    private func read(
        _ text: String, file: String = "folder/x.json", _ environment: [String: String] = [:]
    ) throws(DefinitionProblems) -> PipelineDefinition {
        try PipelineDefinition.understood(text, file: file, environment)
    }

    private func name(_ text: String, _ environment: [String: String] = [:]) throws -> String {
        try read(Definition.pipeline("\"name\": \"\(text)\""), environment).name
    }

    @Test(arguments: [
        ("${A}", "one"), ("x${A}y${B}z", "xoneytwoz"), ("${C:-three}", "three"), ("${EMPTY:-four}", "four"),
        ("${C:-}x", "x"), ("${C:-a:-b $ {}", "a:-b $ {"), ("$${A}", "${A}"), ("$$${A}", "$${A}"), ("$A $", "$A $"),
        ("x${EMPTY}", "x"), (#"\u0024{A}"#, "one"), ("${TRAP}", "${A}"), ("${_x1}", "ä"),
    ])
    func stands(_ text: String, _ expected: String) throws {
        let environment = ["A": "one", "B": "two", "EMPTY": "", "TRAP": "${A}", "_x1": "ä"]
        #expect(try name(text, environment) == expected)
    }

    /// A variable cannot break out of its text, as it is replaced after the text was read.
    @Test func isNoJSON() throws {
        #expect(try name("${A}", ["A": "\", \"batchSize\": \"x"]) == "\", \"batchSize\": \"x")
    }

    @Test func standsInAnyText() throws {
        let text = """
            {
              "source": { "file": "${DATA}/feed.ndjson", "format": "${FORMAT:-lines}" },
              "store": { "sqlite": "${STORE}" },
              "commit": "${COMMIT:-batch}",
              "limits": { "deletes": "${SHARE}%" },
              "archive": { "directory": "${DATA}/archive" },
              "findings": "${DATA}/findings.ndjson",
              "entities": {
                "A": {
                  "records": "$.${KIND}[*]", "identifier": "id",
                  "where": { "region": ["${REGION}"] },
                  "attributes": { "id": "${TYPE:-integer}", "x": { "type": "json", "default": { "a": ["${REGION}"] } } }
                }
              }
            }
            """
        let environment = ["DATA": "/data", "STORE": "a.sqlite", "SHARE": "5", "KIND": "stops", "REGION": "Süd"]
        let definition = try read(text, environment)
        #expect(definition.sources[0].location == .file("/data/feed.ndjson"))
        #expect(definition.sources[0].format == .lines)
        #expect(definition.store == "folder/a.sqlite")
        #expect(definition.commit == .batch)
        #expect(definition.limits.deletes == .share(Share(percent: 5)))
        #expect(definition.archive == PipelineDefinition.Archive(directory: "/data/archive", keep: nil))
        #expect(definition.findings == "/data/findings.ndjson")
        let entity = definition.model.entities[0]
        #expect(entity.records.map(\.description) == ["$.stops[*]"])
        #expect(entity.conditions.map(\.equality?.values) == [[.text("Süd")]])
        #expect(entity.attributes.map(\.conversion.type) == [.integer, .json])
        #expect(entity.attributes[1].value.fallback == .json(#"{"a":["Süd"]}"#))
    }

    @Test func onlyWhatIsUsedMustBeSet() throws {
        let text = """
            {
              "name": "${NAME}",
              "source": { "file": "${FEED}" },
              "store": { "sqlite": "${STORE}/x.sqlite" },
              "archive": { "directory": "${ARCHIVE}" },
              "findings": "${FINDINGS}",
              "entities": {
                "A": {
                  "records": "$.${KIND}", "identifier": "${ID}",
                  "attributes": { "id": "${TYPE}" },
                  "relationships": { "r": { "to": "${TO}", "from": "${FROM}", "missing": "${MISSING}" } }
                }
              }
            }
            """
        let definition = try read(text)
        #expect(definition.model.entities.isEmpty)
        let expected: [(PipelineDefinition.Part, [String])] = [
            (.settings, ["2:11 NAME"]), (.source(0), ["3:23 FEED"]), (.source(1), []), (.store, ["4:24 STORE"]),
            (.archive, ["5:29 ARCHIVE"]), (.findings, ["6:15 FINDINGS"]),
            (
                .entities,
                [
                    "9:18 KIND", "9:45 ID", "10:29 TYPE", "11:39 TO", "11:56 FROM", "11:78 MISSING",
                ]
            ),
        ]
        for (part, words) in expected {
            let lines = words.map { word in
                let parts = word.split(separator: " ")
                return "folder/x.json:\(parts[0]): the environment variable \(parts[1]) is not set,"
                    + " and has no default (${\(parts[1]):-default})"
            }
            #expect(problems { () throws(DefinitionProblems) in try definition.require(part) } == lines)
        }
        #expect(problems { () throws(DefinitionProblems) in try definition.require(.store, .findings) }.count == 2)
    }

    /// A mistake is one, whatever is not set.
    @Test func unsetVariablesHideNoMistake() {
        let text = Definition.pipeline(#""name": "${NAME}", "batchSize": "many""#)
        let found = problems { () throws(DefinitionProblems) in _ = try read(text) }
        #expect(
            found == [#"folder/x.json:27:38: "batchSize" must be a whole number of at least 1, not the text "many""#])
    }

    @Test func emptyVariableIsNoPath() throws {
        let text = Definition.source(#""source": { "file": "${FEED}" }"#)
        let definition = try read(text, ["FEED": ""])
        let found = problems { () throws(DefinitionProblems) in try definition.require(.source(0)) }
        #expect(found == [#"folder/x.json:2:23: "file" must be the path of a file, not an empty text"#])
    }

    @Test(arguments: [
        ("pipelines/x.json", "feed.json", "pipelines/feed.json"), ("x.json", "feed.json", "feed.json"),
        ("/etc/x.json", "../feed.json", "/feed.json"), ("a/x.json", "/feed.json", "/feed.json"),
        ("a/x.json", "-", "-"), ("a/x.json", "./-", "a/-"), ("x.json", "./-", "./-"), ("a/./x.json", "./b//c", "a/b/c"),
        ("a/x.json", "\u{301}.json", "a/\u{301}.json"),
    ])
    func pathsAreRelativeToTheDefinition(_ file: String, _ path: String, _ expected: String) throws {
        let text = Definition.source(#""source": { "file": "\#(path)" }"#)
        #expect(try read(text, file: file).sources[0].location == .file(expected))
        let variable = Definition.source(#""source": { "file": "${FEED}" }"#)
        #expect(try read(variable, file: file, ["FEED": path]).sources[0].location == .file(expected))
    }

    @Test(arguments: [
        ("a/b.c/berlin-transit.json", "berlin-transit"), ("x.tar.gz", "x.tar"), ("x", "x"), ("a/.json", ".json"),
    ])
    func nameIsTheFileName(_ file: String, _ expected: String) throws {
        #expect(try read(Definition.pipeline(""), file: file).name == expected)
    }
}
