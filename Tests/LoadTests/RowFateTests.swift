import SluiceRecords
import Testing

@testable import SluiceLoad

/// What `RowFate.decide` says, for everything that can be known of a row, beside a reading of its table as questions
/// that are asked one after the other.
@Suite struct RowFateTests {
    /// All that can be known of a row: an object that is not there has had no record in this run that was loaded, and
    /// belongs to no program; one that is there is not unborn.
    private static let evidence: [RowFate.Evidence] = (0..<256).map { bits in
        func flag(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        return RowFate.Evidence(
            saysGone: flag(0), isThere: flag(1), isUnborn: flag(2), isMet: flag(3), isDescribed: flag(4),
            isSkipped: flag(5), isEdited: flag(6), isCreatedByProgram: flag(7))
    }.filter { row in
        (row.isThere ? !row.isUnborn : !row.isMet && !row.isEdited) && (row.isEdited || !row.isCreatedByProgram)
            && (!row.isDescribed || row.isMet || row.isUnborn)
    }

    private static func rules(hasDeletions: Bool, lastCounts: Bool, rejects: Bool) -> RowFate.Rules {
        RowFate.Rules(hasDeletions: hasDeletions, lastCounts: lastCounts, rejectsContradictions: rejects)
    }

    @Test(arguments: [true, false], [true, false])
    func aRecordThatSaysThatItsObjectIsGone(lastCounts: Bool, rejects: Bool) {
        for row in Self.evidence where row.saysGone {
            let fate = RowFate.decide(row, Self.rules(hasDeletions: true, lastCounts: lastCounts, rejects: rejects))
            switch (row.isEdited, row.isSkipped) {
            case (true, _): #expect(fate == (rejects && !row.isCreatedByProgram ? .contradicting : .spared))
            case (false, true): #expect(fate == .skipped)
            case (false, false): #expect(fate == (row.isMet || row.isUnborn ? .goneCopy : .gone))
            }
        }
    }

    @Test(arguments: [true, false], [true, false])
    func aRecordThatSaysWhatItsObjectIsLike(hasDeletions: Bool, lastCounts: Bool) {
        let rules = Self.rules(hasDeletions: hasDeletions, lastCounts: lastCounts, rejects: true)
        for row in Self.evidence where !row.saysGone && (hasDeletions || !row.isUnborn) {
            let isCopy = row.isMet || row.isUnborn
            let isFirstDescription = isCopy && hasDeletions && lastCounts && !row.isDescribed
            var expected: RowFate = row.isThere ? .first : .new
            if isCopy { expected = .copy }
            if isFirstDescription { expected = row.isThere ? .describedAfterDeletion : .createdAfterDeletion }
            if row.isSkipped { expected = .skipped }
            #expect(RowFate.decide(row, rules) == expected)
        }
    }

    /// The lists of a round: each fate has one, but for those that are new or first as well, and skipped rows.
    @Test func aRoundKeepsEachFateApart() {
        let model = LoadPropertyTests.model
        let facts = EntityFacts(
            model, 0, highestAtStart: 0, Deletability(model, startsEmpty: model.entities.map { _ in true }))
        var round = Round(facts)
        let fates: [RowFate] = [
            .new, .first, .copy, .gone, .goneCopy, .createdAfterDeletion, .describedAfterDeletion, .skipped, .spared,
            .contradicting, .nextRound, .kept, .aside, .scattered,
        ]
        for (row, fate) in fates.enumerated() { round.add(row, fate) }
        #expect(round.new == [0, 5] && round.first == [1, 6] && round.reviving == [5, 6])
        #expect(round.copies == [2] && round.gone == [3] && round.goneCopies == [4])
        #expect(round.spared == [8] && round.contradicting == [9] && round.nextRound == [10])
        #expect(round.kept == [11] && round.aside == [12] && round.scattered == [13])
        round.removeTaken([0])
        #expect(round.new == [5] && round.nextRound == [10, 0])
        round.start()
        #expect(round.new.isEmpty && round.reviving.isEmpty && round.nextRound.isEmpty && round.keys.count == 0)
    }
}
