import DefinitionSupport
import Foundation
import Sluice
import SluiceRecords
import Testing

@testable import SluiceDefinition

/// The pages about definitions say all of them, and only what is so.
struct PageTests {
    private static let names = [
        "definition", "sources", "services", "entities", "conditions", "paths", "values", "attributes", "relationships",
        "deletions", "edits", "limits", "checks", "keeping", "history", "search", "hooks",
    ]

    /// All of them, one behind the other.
    private let page: String

    init() throws {
        page = try PageTests.names.map { String(decoding: try documentation("\($0).md"), as: UTF8.self) }.joined(
            separator: "\n")
    }

    /// The first page lists the others.
    @Test func theFirstPageListsAll() throws {
        let first = String(decoding: try documentation("definition.md"), as: UTF8.self)
        let listed = first.matches(of: /(?m)^\| \[[^\]]*\]\(([a-z]+)\.md\) \|/).map { String($0.1) }
        #expect(listed == Array(PageTests.names.dropFirst()))
    }

    /// The page has a row or a heading for each key, in the section of its object.
    @Test(arguments: DefinitionKeys.all.map(\.object))
    func pageNamesEveryKey(_ object: String) throws {
        let known = try #require(DefinitionKeys.all.first { $0.object == object }?.keys)
        let section = try #require(text(under: object), "no page has a section for \(object)")
        // A value's keys are explained once, for attributes and relationships too.
        let shared = ["attribute", "relationship"].contains(object) ? DefinitionKeys.value : []
        for key in known where !shared.contains(key) {
            #expect(section.contains("| `\(key)` |"), "\(key) is not explained in the section of \(object)")
        }
    }

    /// What answers a question is a key that there is, or a name that records have.
    @Test func answersNameKeys() throws {
        let answers = String(decoding: try documentation("how-to.md"), as: UTF8.self)
        let keys = Set(DefinitionKeys.all.flatMap(\.keys) + ["state", "deleted", "postgresql"])
        let named = answers.matches(of: /"([A-Za-z]+)":/).map { String($0.1) }
        #expect(named.count > 50)
        for key in named { #expect(keys.contains(key), "\(key)") }
    }

    /// The page tells the default of each key that has one, as the table of keys has it.
    @Test(arguments: KeyTable.all.map(\.object))
    func pageTellsDefaults(_ object: String) throws {
        let keys = try #require(KeyTable.all.first { $0.object == object }?.keys)
        let section = try #require(text(under: object))
        for key in keys {
            let row = section.split(separator: "\n").first { $0.hasPrefix("| `\(key.name)` |") }
            // The bars within code are escaped; some tables have no column for defaults.
            let cells = row?.replacing("\\|", with: "").split(separator: "|").dropFirst() ?? []
            guard cells.count == 3, let told = cells.last?.trimmingCharacters(in: .whitespaces) else { continue }
            let value = told.wholeMatch(of: #/`([^`]*)`.*|([0-9]+)( .*)?|(no limit)/#)
            let shown = value.map { $0.1 ?? $0.2 ?? "null" }.map(String.init)
            #expect(shown == key.initial?.json, "\(object).\(key.name): \(told)")
        }
    }

    /// The examples of the page.
    private var blocks: [String] {
        page.components(separatedBy: "```jsonc\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// Every example of the page is right, for those too who convert values.
    @Test func pageShowsWhatWorks() throws {
        #expect(blocks.count > 5)
        for block in blocks {
            let whole = block.hasPrefix("{\n") ? block : PageTests.wrapped(block)
            let found = problems { () throws(DefinitionProblems) in
                _ = try PipelineDefinition.read(
                    Array(whole.utf8), file: "x.json", environment: [:], checks: .all)
            }
            #expect(found.isEmpty, "\(block)")
        }
    }

    /// The page has an example for each key, in an object of its kind.
    @Test(arguments: DefinitionKeys.all.map(\.object))
    func pageShowsEveryKey(_ object: String) throws {
        let known = try #require(DefinitionKeys.all.first { $0.object == object }?.keys)
        var shown = ExampleKeys()
        for block in blocks { try shown.note(block) }
        // A value's keys are shown wherever there is one.
        let shared = ["attribute", "relationship"].contains(object) ? DefinitionKeys.value : []
        let missing = Set(known).subtracting(shared).subtracting(shown.keys[object] ?? [])
        #expect(missing.isEmpty, "no page has an example of these keys of \(object)")
    }

    /// The text under the heading of an object.
    private func text(under object: String) -> String? {
        let titles = [
            "pipeline": "Pipeline", "store": "Store", "postgresql": "Stores on a server",
            "limits": "Limits", "check": "Keys of a check", "archive": "Archive",
            "seed": "Seed",
            "ledger": "Ledger", "history": "History", "after": "After the run", "hook": "Commands",
            "source": "Sources", "auth": "Who asks", "basic": "Who asks", "aws": "Who asks", "oauth2": "Who asks",
            "pages": "Pages", "fails": "Answers that are errors",
            "since": "Only what is new", "entity": "Entities",
            "search": "Search", "condition": "Conditions", "value": "Values",
            "attribute": "Attributes",
            "relationship": "Relationships",
        ]
        // A heading ends where its line does; no line of an example begins with `#`.
        let sections = "\n\(page)".split(separator: #/\n#{1,3} /#).filter { $0.hasPrefix("\(titles[object] ?? "?")\n") }
        return sections.count == 1 ? String(sections[0]) : nil
    }

    /// A definition around an example, which is a few members of one object.
    private static func wrapped(_ members: String) -> String {
        let kind = members.hasPrefix("// ") ? members.dropFirst(3).prefix { $0 != "\n" } : ""
        switch kind {
        case "pipeline": return Definition.pipeline(members)
        case "source": return Definition.source("\"source\": {\(members)}")
        case "entities": return Definition.entities(members)
        case "entity": return Definition.entity(members)
        case "attributes": return Definition.attributes(members)
        default: return Definition.relationships(members)
        }
    }
}
