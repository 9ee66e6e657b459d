import Testing

@testable import SluiceLoad

/// The order of the second pass follows from what its stages need.
@Suite struct StageTests {
    @Test func eachNeedIsAStageBefore() {
        var done: Set<Stage> = []
        for stage in Stage.ordered {
            #expect(stage.needs.isSubset(of: done), "\(stage)")
            done.insert(stage)
        }
        #expect(Stage.ordered.count == Stage.allCases.count)
    }

    /// Rules that the order must keep, whatever stage comes to it.
    @Test(arguments: [
        (Stage.deleteObjects, Stage.loadCandidates), (.loadCandidates, .loadDeferred), (.loadDeferred, .createStubs),
        (.createStubs, .linkWaiting), (.linkWaiting, .linkLate), (.linkLate, .countOpen),
        (.buildIndexes, .deleteOrphans),
        (.positionNullified, .countOpen), (.deleteOrphans, .recordChanges), (.linkWaiting, .reportDuplicates),
    ])
    func oneComesBeforeTheOther(_ first: Stage, _ second: Stage) throws {
        let order = Stage.ordered
        let (one, other) = (try #require(order.firstIndex(of: first)), try #require(order.firstIndex(of: second)))
        #expect(one < other)
    }
}
