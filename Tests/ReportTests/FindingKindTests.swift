import DefinitionSupport
import ReportSupport
import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceReport

/// What must be said of each kind of findings, in the code and outside it: a new kind is told here what it lacks.
@Suite struct FindingKindTests {
    private static let names = Finding.Kind.allCases.map(\.rawValue)

    /// One finding of each kind, and of each case that has a form of its own.
    private static let details: [Finding.Detail] = [
        .unmatched(.records, path: "$.a"), .duplicate(conflicting: false, differs: []),
        .duplicate(conflicting: true, differs: ["a", "b"]), .unresolved(relationship: "r", targets: ["A"], value: "1"),
        .conflict([Finding.Edit(attribute: "a", before: "1", stored: "2", feed: "3")]), .conflictingDeletion,
        .reject(faults: [("a", "is no number")]), .drift(.unknown, field: "f", records: 1),
        .drift(.missing(member: "m"), field: "f", records: 2),
        .drift(.retyped(member: "m", types: ["text"], before: ["number"]), field: "f", records: 2),
        .drift(.repeated, field: "f", records: 2), .drift(.shape(sought: "f.g"), field: "f", records: 2),
        .drift(.untaken, field: "f", records: 2),
        .check(name: "c", values: [("n", "1")]),
    ]

    private func tree(_ name: String) throws -> JSONNode {
        try JSONTree.read(documentation(name), file: name).root
    }

    private func finding(_ detail: Finding.Detail) -> Finding {
        Finding(entity: "Stop", identifier: "7", detail: detail, at: Fixture.reject(41).at)
    }

    @Test func allKindsHaveAWeight() {
        #expect(Set(Finding.Kind.byWeight) == Set(Finding.Kind.allCases))
        #expect(Finding.Kind.byWeight.count == Finding.Kind.allCases.count)
        #expect(Set(FindingKindTests.details.map { finding($0).kind }) == Set(Finding.Kind.allCases))
    }

    @Test(arguments: Finding.Kind.allCases)
    func oneAndSeveralAreHeadings(_ kind: Finding.Kind) {
        #expect(kind.row.heading(1).hasPrefix("1 ") && kind.row.heading(1_000).hasPrefix("1,000 "))
        #expect(kind.row.one != kind.row.several)
    }

    /// The functions of a row are about its own kind, and about no other.
    @Test(arguments: details.indices)
    func aRowHasAllOfItsFindings(_ index: Int) throws {
        let finding = finding(FindingKindTests.details[index])
        for kind in Finding.Kind.allCases {
            let isOwn = kind == finding.kind
            #expect((kind.row.sentence(finding, "Stop 7", []) != nil) == isOwn)
            #expect((kind.row.members(finding) != nil) == isOwn)
            #expect((kind.row.identity(finding) != nil) == (isOwn && kind != .drift))
        }
        let members = try #require(finding.kind.row.members(finding))
        let json = Array(JSONText.object(members).utf8)
        let read = try #require(finding.kind.row.read(JSONTree.read(json, file: "detail").root))
        #expect(self.finding(read).kind == finding.kind)
        #expect(self.finding(read).json([]) == finding.json([]))
    }

    @Test func theSchemaOfReportsCountsThem() throws {
        let counts = try #require(try tree("report.schema.json")["properties"]?["findings"])
        #expect(counts["properties"]?.members.map(\.key) == FindingKindTests.names)
        #expect(counts["required"]?.list.compactMap(\.text) == FindingKindTests.names)
    }

    @Test func theSchemaOfFindingsDescribesThem() throws {
        let definitions = try #require(try tree("finding.schema.json")["$defs"])
        for name in FindingKindTests.names {
            #expect(definitions[name]?["properties"]?["kind"]?["const"]?.text == name, "\(name)")
        }
    }

    @Test func thePageOfReportsNamesThem() throws {
        let page = String(decoding: try documentation("report.md"), as: UTF8.self)
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `kind` | all |") })
        let counted = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `findings` |") })
        for name in FindingKindTests.names { #expect(row.contains("`\(name)`") && counted.contains("`\(name)`")) }
    }
}
