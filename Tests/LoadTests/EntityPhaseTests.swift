import SluiceRecords
import Testing

@testable import SluiceLoad

/// The phases of an entity, and which may follow which.
@Suite struct EntityPhaseTests {
    private static let model = LoadPropertyTests.model

    private static func traits(_ highest: Int64, _ change: (inout Entity) -> Void = { _ in }) -> EntityTraits {
        var model = model
        change(&model.entities[0])
        return EntityTraits(
            model, 0, highestAtStart: highest,
            Deletability(model, startsEmpty: model.entities.map { _ in highest == 0 }))
    }

    private static func all(_ traits: EntityTraits) -> [EntityPhase] {
        let spool = RowSpool(traits.entity, whole: true)
        return [
            .watching, .streaming, .indexingLate(LateIndexing(nil)), .loadingReserved, .deferring(spool, nil),
            .comparing(ComparedRecords(traits)), .creating, .candidates(spool),
        ]
    }

    /// Each phase but the last ones leads on, none to itself, and none back to what needs the first pass.
    @Test func whatFollowsWhat() {
        let phases = Self.all(Self.traits(0))
        let follows = phases.map { phase in phases.map(phase.mayBecome) }
        for index in phases.indices { #expect(!follows[index][index]) }
        //                watching streaming late   reserv defer  compare create candidates
        #expect(follows[0] == [false, true, true, false, true, true, false, false])
        #expect(follows[1] == [false, false, false, false, true, false, true, false])
        #expect(follows[2] == [false, true, false, true, true, false, false, false])
        #expect(follows[3] == [false, true, false, false, false, false, false, false])
        #expect(follows[4] == [false, true, true, false, false, false, false, false])
        #expect(follows[5] == [false, true, false, false, false, false, false, false])
        #expect(follows[6] == [false, true, false, false, false, false, false, false])
        #expect(follows[7] == [true, true, false, false, false, false, false, false])
    }

    /// Where an entity begins: what needs its targets waits; a new table, and one whose records can be compared, watch.
    @Test func whereAnEntityBegins() {
        func begins(_ traits: EntityTraits, mayCompare: Bool = true) -> String {
            switch EntityPhase(traits, mayCompare: mayCompare) {
            case .watching: "watching"
            case .streaming: "streaming"
            case .candidates: "candidates"
            default: "another"
            }
        }
        #expect(begins(Self.traits(0)) == "watching")
        #expect(begins(Self.traits(0) { $0.mode = .update }) == "streaming")
        let plain: (inout Entity) -> Void = { $0.relationships = [] }
        #expect(begins(Self.traits(10, plain)) == "watching")
        #expect(begins(Self.traits(10, plain), mayCompare: false) == "streaming")
        #expect(
            begins(
                Self.traits(10) {
                    plain(&$0)
                    $0.mode = .insert
                }) == "streaming")
        if !Self.model.entities[0].relationships.isEmpty {
            #expect(begins(Self.traits(0) { $0.relationships[0].missing = .reject }) == "candidates")
        }
    }
}
