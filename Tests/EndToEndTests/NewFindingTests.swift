import Foundation
import Testing

/// What is new among many findings of a kind: more than a report has examples of.
@Suite struct NewFindingTests {
    private let folder = TemporaryFolder()

    private func define() throws {
        _ = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "Order": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "a": "integer", "b": "date" },
                "relationships": { "parent": { "to": "Order" } } } } }
            """)
    }

    /// - Parameters:
    ///   - bad: the orders whose attribute `a` is none; of others `b` may be.
    ///   - orphans: the orders whose parent is missing.
    private func night(_ bad: Range<Int>, other: Range<Int> = 0..<0, orphans: Range<Int> = 0..<0) throws -> String {
        let orders = (0..<2000).map { id in
            let a = bad.contains(id) ? #""n/a""# : "1"
            let b = other.contains(id) ? "31/12/26" : "2026-01-01"
            return
                #"{"id": \#(id), "a": \#(a), "b": "\#(b)", "parent": \#(orphans.contains(id) ? "\(id + 5000)" : "null")}"#
        }
        _ = try folder.write("feed.json", "[\(orders.joined(separator: ",\n"))]")
        let outcome = try Sluice.run(["run", folder.file("p.jsonc")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.replacing(/\s+/, with: " ")
    }

    /// As many as before, and others.
    @Test func othersAreNew() throws {
        try define()
        _ = try night(0..<62)
        #expect(try night(0..<62, orphans: 1500..<1501).contains("As in run 1: 62 rejected records Entity"))
        let text = try night(0..<0, other: 68..<130)
        #expect(
            text.contains("New since run 2: 62 rejected records: ")
                && text.contains("Order 68 is rejected: b: date expected"), "\(text)")
    }

    /// Fewer than before is nothing new, and how many there were is said.
    @Test func fewerAreNotNew() throws {
        try define()
        _ = try night(0..<0, orphans: 100..<180)
        let text = try night(0..<0, orphans: 120..<175)
        #expect(text.contains("Nothing new since run 1."), "\(text)")
        #expect(text.contains("As in run 1: 55 references without their targets, 80 in run 1"), "\(text)")
    }

    /// Of many that are as before, the one that is new is shown.
    @Test func theNewOneIsShown() throws {
        try define()
        _ = try night(0..<0, orphans: 100..<180)
        let text = try night(0..<0, orphans: 100..<181)
        #expect(
            text.contains("New since run 1: 81 references") && text.contains("the first lacks the Order 5180"),
            "\(text)")
        // One that goes while another comes.
        let later = try night(7..<8, orphans: 101..<182)
        #expect(later.contains("the first lacks the Order 5181"), "\(later)")
    }

    /// Beyond what is kept, numbers are all there is.
    @Test func thereAreTooMany() throws {
        try define()
        _ = try night(0..<1500)
        #expect(try night(1..<1501).contains("Nothing new since run 1. As in run 1: 1,500 rejected records"))
        #expect(try night(1..<1503).contains("New since run 2: 1,502 rejected records"))
    }
}
