import Records
import Testing

@testable import Sluice

/// A count holds for the run, a share for each entity by itself.
@Suite struct LimitTests {
    private static func entity(_ name: String, records: Int, rejected: Int) -> RunReport.EntityFacts {
        Fixture.entity(name, ["a", "b"]) { counts in
            (counts.records, counts.rejected, counts.conflicting) = (records, rejected, rejected)
            counts.relationships[0] = {
                var all = RelationshipCounts()
                all.resolved = records
                return all
            }()
            counts.relationships[1].unresolved = rejected
            counts.relationships[1].null = 1000
        }
    }

    private let entities = [entity("A", records: 100, rejected: 3), entity("B", records: 10, rejected: 2)]

    @Test func aCountIsOfAllEntities() {
        var limits = Limits()
        limits.rejects = .count(4)
        #expect(limits.exceeded(entities) == [ExceededLimit(limit: "rejects", entity: nil, allowed: 4, found: 5)])
        limits.rejects = .count(5)
        #expect(limits.exceeded(entities) == [])
    }

    @Test func rejectsAreNotAllowedUnlessSaid() {
        #expect(Limits().exceeded(entities) == [ExceededLimit(limit: "rejects", entity: nil, allowed: 0, found: 5)])
    }

    @Test func aShareIsOfEachEntity() {
        var limits = Limits()
        limits.rejects = .share(percent: 10)
        #expect(limits.exceeded(entities) == [ExceededLimit(limit: "rejects", entity: "B", allowed: 1, found: 2)])
        limits.rejects = .share(percent: 2.5)
        #expect(limits.exceeded(entities).map(\.entity) == ["A", "B"])
        limits.rejects = .share(percent: 20)
        #expect(limits.exceeded(entities) == [])
    }

    /// Of the references that name a target: null ones are none.
    @Test func unresolvedIsAShareOfReferences() {
        var limits = Limits()
        limits.rejects = .none
        limits.unresolved = .share(percent: 16)
        // Of B, 2 of 12.
        #expect(limits.exceeded(entities) == [ExceededLimit(limit: "unresolved", entity: "B", allowed: 1, found: 2)])
        limits.unresolved = .count(4)
        #expect(limits.exceeded(entities) == [ExceededLimit(limit: "unresolved", entity: nil, allowed: 4, found: 5)])
    }

    @Test func duplicatesAreTheConflictingOnes() {
        var limits = Limits()
        limits.rejects = .none
        limits.duplicates = .count(0)
        #expect(limits.exceeded(entities) == [ExceededLimit(limit: "duplicates", entity: nil, allowed: 0, found: 5)])
        let identical = [Fixture.entity("A") { $0.identical = 9 }]
        #expect(limits.exceeded(identical) == [])
    }

    /// Of the objects before the run, a tenth unless the definition says otherwise.
    @Test func deletesAreAShareOfWhatWasThere() {
        var gone = Fixture.entity("A") { $0.deleted = 11 }
        gone.existing = 110
        #expect(Limits().exceeded([gone]) == [])
        gone.existing = 109
        #expect(
            Limits().exceeded([gone]) == [ExceededLimit(limit: "deletes", entity: "A", allowed: 10, found: 11)])
    }

    /// A share of nothing allows nothing, and is exceeded by nothing.
    @Test func anEntityWithoutRecords() {
        var limits = Limits()
        limits.rejects = .share(percent: 0)
        #expect(limits.exceeded([Fixture.entity("A")]) == [])
    }
}
