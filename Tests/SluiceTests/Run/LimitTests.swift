import DefinitionSupport
import ReportSupport
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceDefinition

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
        #expect(limits.exceeded(entities) == [ExceededLimit(.rejects, entity: nil, allowed: 4, found: 5)])
        limits.rejects = .count(5)
        #expect(limits.exceeded(entities) == [])
    }

    /// Of objects, a share is one of those before the run.
    @Test func updates() {
        func entity(_ name: String, updated: Int) -> RunReport.EntityFacts {
            var facts = Fixture.entity(name) { ($0.records, $0.updated) = (updated, updated) }
            facts.existing = 100
            return facts
        }
        let entities = [entity("A", updated: 41), entity("B", updated: 40)]
        var limits = Limits()
        #expect(limits.exceeded(entities) == [])
        limits.updates = .share(Share(percent: 40))
        #expect(limits.exceeded(entities) == [ExceededLimit(.updates, entity: "A", allowed: 40, found: 41)])
        limits.updates = .count(80)
        #expect(limits.exceeded(entities) == [ExceededLimit(.updates, entity: nil, allowed: 80, found: 81)])
    }

    @Test func rejectsAreNotAllowedUnlessSaid() {
        #expect(Limits().exceeded(entities) == [ExceededLimit(.rejects, entity: nil, allowed: 0, found: 5)])
    }

    @Test func aShareIsOfEachEntity() {
        var limits = Limits()
        limits.rejects = .share(Share(percent: 10))
        #expect(limits.exceeded(entities) == [ExceededLimit(.rejects, entity: "B", allowed: 1, found: 2)])
        limits.rejects = .share(Share("2.5%")!)
        #expect(limits.exceeded(entities).map(\.entity) == ["A", "B"])
        limits.rejects = .share(Share(percent: 20))
        #expect(limits.exceeded(entities) == [])
    }

    /// What is exactly kept is not exceeded: 9.2 % of 750 are 69, and 4.4 % are 33.
    @Test func sharesAreExact() {
        var limits = Limits()
        limits.rejects = .share(Share("9.2%")!)
        limits.records = .share(Share("4.4%")!)
        func entity(records: Int, rejected: Int) -> [RunReport.EntityFacts] {
            [
                Fixture.entity("A") {
                    $0.records = records
                    $0.rejected = rejected
                }
            ]
        }
        #expect(limits.exceeded(entity(records: 750, rejected: 69)) == [])
        #expect(limits.exceeded(entity(records: 750, rejected: 70)).map(\.allowed) == [69])
        #expect(limits.short(entity(records: 33, rejected: 0), last: ["A": 750], partial: []) == [])
        #expect(limits.short(entity(records: 32, rejected: 0), last: ["A": 750], partial: []).map(\.allowed) == [33])
    }

    /// Of the references that name a target: null ones are none.
    @Test func unresolvedIsAShareOfReferences() {
        var limits = Limits()
        limits.rejects = .none
        limits.unresolved = .share(Share(percent: 16))
        // Of B, 2 of 12.
        #expect(limits.exceeded(entities) == [ExceededLimit(.unresolved, entity: "B", allowed: 1, found: 2)])
        limits.unresolved = .count(4)
        #expect(limits.exceeded(entities) == [ExceededLimit(.unresolved, entity: nil, allowed: 4, found: 5)])
    }

    @Test func duplicatesAreTheConflictingOnes() {
        var limits = Limits()
        limits.rejects = .none
        limits.duplicates = .count(0)
        #expect(limits.exceeded(entities) == [ExceededLimit(.duplicates, entity: nil, allowed: 0, found: 5)])
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
            Limits().exceeded([gone]) == [ExceededLimit(.deletes, entity: "A", allowed: 10, found: 11)])
    }

    /// That of the pipeline, where other entities have their own.
    private static func limit(
        _ kind: Allowance.Kind, of entities: [String], allowed: Int, found: Int
    ) -> ExceededLimit {
        var limit = ExceededLimit(kind, entity: nil, allowed: allowed, found: found)
        limit.entities = entities
        return limit
    }

    /// A limit for one run and one entity leaves those of others as they are; that for the run does not make an
    /// entity's own one tighter.
    @Test func aLimitForOneRunTightensNoOther() throws {
        func exceeded(_ text: String...) throws -> [String] {
            var definition = try Self.definition(
                #""limits": { "rejects": 3 },"#, ofB: #""limits": { "rejects": 0 },"#)
            for word in text {
                let parts = word.split(separator: "=").map(String.init)
                let place = try #require(Allowance.Place(text: parts[0]))
                definition.allow(try #require(Allowance(place, parts[1])))
            }
            let all = definition.limits.exceeded(entities).map { definition.explained($0, entities) }
            return all.map { "\($0.entity ?? "all") \($0.allowed) \($0.found) \($0.allowance)" }
        }
        #expect(try exceeded() == ["B 0 2 B.rejects=2"])
        #expect(try exceeded("B.rejects=2") == [])
        #expect(try exceeded("B.rejects=1") == ["B 1 2 B.rejects=2"])
        // A has three, which the definition allows.
        #expect(try exceeded("rejects=2") == ["all 2 5 rejects=5"])
        #expect(try exceeded("rejects=5") == [])
        #expect(try exceeded("A.rejects=3", "B.rejects=20%", "rejects=0") == [])
    }

    /// Names of entities and checks may hold anything.
    @Test func namesOfLimits() {
        func text(_ name: String) -> String? { Allowance.Place(text: name).map { "\($0)" } }
        #expect(text("rejects") == "all(SluiceDefinition.Allowance.Kind.rejects)")
        #expect(text("a.b.rejects") == #"entity("a.b", SluiceDefinition.Allowance.Kind.rejects)"#)
        #expect(text("checks.a.b c") == #"check("a.b c")"#)
        #expect(text(".rejects") == nil && text("A.reject") == nil && text("checks") == nil && text("") == nil)
        #expect(Allowance(.check("a"), "5%") == nil && Allowance(.entity("A", .missing), "5%") == nil)
        let gaps = ExceededLimit(check: "no gap's", allowed: 0, found: 7)
        #expect(gaps.message.hasSuffix(#"--allow 'checks.no gap'\''s=7' for one run)"#))
    }

    /// An entity's own limit counts for it alone, and the pipeline's for the others.
    @Test func anEntityMayHaveLimitsOfItsOwn() {
        var limits = Limits()
        limits.entities["A"] = EntityLimits()
        limits.entities["A"]?.rejects = .count(2)
        #expect(
            limits.exceeded(entities) == [
                Self.limit(.rejects, of: ["B"], allowed: 0, found: 2),
                ExceededLimit(.rejects, entity: "A", allowed: 2, found: 3),
            ])
        limits.rejects = .count(2)
        limits.entities["A"]?.rejects = .count(3)
        #expect(limits.exceeded(entities) == [])
        limits.entities["B"] = EntityLimits()
        limits.entities["B"]?.rejects = .share(Share(percent: 10))
        #expect(limits.exceeded(entities) == [ExceededLimit(.rejects, entity: "B", allowed: 1, found: 2)])
        limits.entities["B"]?.rejects = Limit.none
        #expect(limits.exceeded(entities) == [])
    }

    // MARK: The fewest records

    private func short(_ limits: Limits, _ found: Int, before: Int?, isPartial: Bool = false) -> Int? {
        let last = before.map { [ExactText("A"): $0] } ?? [:]
        let entity = Self.entity("A", records: found, rejected: 0)
        return limits.short([entity], last: last, partial: isPartial ? ["A"] : []).first?.allowed
    }

    @Test func whatHadRecordsMustHaveSome() {
        #expect(short(Limits(), 0, before: 20) == 1)
        #expect(short(Limits(), 0, before: 19) == nil)
        #expect(short(Limits(), 1, before: 2000) == nil)
        #expect(short(Limits(), 0, before: nil) == nil)
        #expect(short(Limits(), 0, before: 2000, isPartial: true) == nil)
    }

    @Test func theDefinitionSaysHowManyRecordsThereMustBe() {
        var limits = Limits()
        limits.records = .count(5)
        #expect(short(limits, 4, before: nil) == 5)
        #expect(short(limits, 5, before: 900) == nil)
        limits.records = .share(Share(percent: 50))
        #expect(short(limits, 449, before: 899) == 450)
        #expect(short(limits, 450, before: 899) == nil)
        #expect(short(limits, 0, before: nil) == nil)
        limits.records = .none
        #expect(short(limits, 0, before: 900) == nil)
        limits.entities["A"] = EntityLimits()
        #expect(short(limits, 0, before: 900) == nil)
        limits.entities["A"]?.records = .count(1)
        #expect(short(limits, 0, before: 900) == 1)
    }

    @Test func aShortageInWords() {
        var report = Fixture.report()
        report.outcome.exceeded = [
            ExceededLimit(.records, entity: "A", allowed: 1, found: 0, before: 3200),
            ExceededLimit(.records, entity: "B", allowed: 1000, found: 12),
        ]
        #expect(
            report.text.contains(
                "The entity A has no record, and at least 1 must be there (limits.records;\n"
                    + "  --allow A.records=0 for one run): the last run that succeeded had 3,200.\n"
                    + "The entity B has only 12 records, and at least 1,000 must be there\n"
                    + "  (limits.records; --allow B.records=12 for one run).\n"))
    }

    private static func definition(_ limits: String, ofB own: String = "") throws -> PipelineDefinition {
        let entity = #""records": "$", "identifier": "id", "attributes": { "id": "integer" }"#
        let text = #"""
            {
              "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, \#(limits)
              "entities": { "A": { \#(entity) }, "B": { \#(own) \#(entity) } }
            }
            """#
        return try PipelineDefinition.understood(text)
    }

    /// A message says who has said the limit, and what the run would have needed.
    @Test func aMessageSaysWhereALimitIsFrom() throws {
        func message(_ definition: PipelineDefinition) throws -> String {
            let exceeded = try #require(definition.limits.exceeded(entities).first)
            return definition.explained(exceeded, entities).message
        }
        let start = "the limit of"
        #expect(
            try message(Self.definition(""))
                == "\(start) 0 rejects is exceeded: there are 5 (limits.rejects, by default; --allow rejects=5 for one run)"
        )
        #expect(
            try message(Self.definition(#""limits": { "rejects": "12.5%" },"#))
                == "\(start) 1 rejects of B (12.5% of 10 records, rounded down) is exceeded: there are 2 (limits.rejects;"
                + " --allow B.rejects=20% for one run)")
        var definition = try Self.definition(
            #""limits": { "rejects": "12.5%" },"#, ofB: #""limits": { "rejects": 1 },"#)
        #expect(
            try message(definition)
                == "\(start) 1 rejects of B is exceeded: there are 2 (limits.rejects of the entity; --allow B.rejects=2"
                + " for one run)")
        definition.allow(try #require(Allowance(.all(.rejects), "4")))
        #expect(
            try message(definition)
                == "\(start) 4 rejects is exceeded: there are 5 (--allow rejects=4; --allow rejects=5 for one run)")
    }

    /// Below ten objects, the default allows for no deletion: the message says of how many objects it is a share.
    @Test func aShareSaysOfWhatItIs() throws {
        var entity = Fixture.entity("A") { $0.deleted = 1 }
        entity.existing = 9
        let definition = try Self.definition("")
        let exceeded = try #require(definition.limits.exceeded([entity]).first)
        #expect(
            definition.explained(exceeded, [entity]).message
                == "the limit of 0 deletes of A (10% of 9 objects, rounded down) is exceeded: there is 1 (limits.deletes,"
                + " by default; --allow A.deletes=12% for one run)")
    }

    /// A share of nothing allows nothing, and is exceeded by nothing.
    @Test func anEntityWithoutRecords() {
        var limits = Limits()
        limits.rejects = .share(Share(percent: 0))
        #expect(limits.exceeded([Fixture.entity("A")]) == [])
    }
}
