import SluiceRecords
import Testing

@testable import SluiceLoad

/// What `RowFate.decide` says, for everything that can be known of a row, beside a reading of its table as questions
/// that are asked one after the other; and what the phase of an entity says of all its rows.
@Suite struct RowFateTests {
    /// All that can be known of a row: an object that is not there has had no record in this run that was loaded, and
    /// belongs to no program; one that is there was created.
    private static let evidence: [RowFate.Evidence] = (0..<256).map { bits in
        func flag(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        return RowFate.Evidence(
            saysGone: flag(0), isThere: flag(1), wasNeverCreated: flag(2), isMet: flag(3), isDescribed: flag(4),
            isSkipped: flag(5), isEdited: flag(6), isCreatedByProgram: flag(7))
    }.filter { row in
        (row.isThere ? !row.wasNeverCreated : !row.isMet && !row.isEdited) && (row.isEdited || !row.isCreatedByProgram)
            && (!row.isDescribed || row.isMet || row.wasNeverCreated)
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
            case (false, false): #expect(fate == (row.isMet || row.wasNeverCreated ? .goneCopy : .gone))
            }
        }
    }

    /// A mark takes nothing away from what a program has changed.
    @Test func whatIsMarkedIsNotSpared() {
        for row in Self.evidence where row.saysGone {
            var rules = Self.rules(hasDeletions: true, lastCounts: true, rejects: true)
            rules.marksGone = true
            let fate = RowFate.decide(row, rules)
            #expect(fate == (row.isSkipped ? .skipped : row.isMet || row.wasNeverCreated ? .goneCopy : .gone))
        }
    }

    @Test(arguments: [true, false], [true, false])
    func aRecordThatSaysWhatItsObjectIsLike(hasDeletions: Bool, lastCounts: Bool) {
        let rules = Self.rules(hasDeletions: hasDeletions, lastCounts: lastCounts, rejects: true)
        for row in Self.evidence where !row.saysGone && (hasDeletions || !row.wasNeverCreated) {
            let isCopy = row.isMet || row.wasNeverCreated
            let isFirstDescription = isCopy && hasDeletions && lastCounts && !row.isDescribed
            var expected: RowFate = row.isThere ? .first : .new
            if isCopy { expected = .copy }
            if isFirstDescription { expected = row.isThere ? .describedAfterDeletion : .createdAfterDeletion }
            if row.isSkipped { expected = .skipped }
            #expect(RowFate.decide(row, rules) == expected)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func aCopyThatIsRejected(saysGone: Bool, wasNeverCreated: Bool) {
        var rules = Self.rules(hasDeletions: true, lastCounts: false, rejects: false)
        rules.rejectsCopies = true
        for row in Self.evidence
        where row.saysGone == saysGone && row.wasNeverCreated == wasNeverCreated && !row.isEdited {
            let isCopy = (row.isMet || row.wasNeverCreated) && !row.isSkipped
            #expect((RowFate.decide(row, rules) == .repeated) == isCopy)
        }
    }

    @Test func aRecordThatContradictsAnEdit() {
        let rules = Self.rules(hasDeletions: false, lastCounts: false, rejects: true)
        for isMet in [true, false] {
            let row = RowFate.Evidence(
                saysGone: false, isThere: true, isMet: isMet, isEdited: true, contradictsEdit: true)
            #expect(RowFate.decide(row, rules) == .contradicting)
        }
    }

    // MARK: By the phase

    private static var traits: EntityTraits {
        let model = LoadPropertyTests.model
        return EntityTraits(
            model, 0, highestAtStart: 0, Deletability(model, startsEmpty: model.entities.map { _ in true }))
    }

    private static func name(_ fates: RowFate.ByPhase) -> String {
        switch fates {
        case .all(let fate): "\(fate)"
        case .byIdentifier(let fates): "\(fates.unmet) or \(fates.met)"
        case .byObject: "by object"
        }
    }

    /// By phase, of an entity that others refer to, whose cache is whole and is not, and of one to which nothing
    /// refers: what becomes of its rows, where all are new or copies.
    @Test func aPhaseDecidesForAllRows() {
        let whole = RowSpool(Self.traits.entity, whole: true)
        let phases: [(phase: EntityPhase, fates: [String])] = [
            (.watching, ["new or nextRound", "by object", "new"]),
            (.streaming, ["new or nextRound", "by object", "new"]),
            (.loadingReserved, ["new or nextRound", "by object", "new"]),
            (
                .indexingLate(LateIndexing(nil)),
                ["new or awaitingIndex", "new or awaitingIndex", "new or awaitingIndex"]
            ),
            (.deferring(whole, nil), ["awaitingTargets", "awaitingTargets", "awaitingTargets"]),
            (.candidates(whole), ["awaitingTargets", "awaitingTargets", "awaitingTargets"]),
            (
                .comparing(ComparedRecords(Self.traits)),
                ["new or awaitingComparison", "awaitingComparison", "awaitingComparison"]
            ),
            (.creating, ["new", "new", "new"]),
        ]
        var rules = Self.rules(hasDeletions: false, lastCounts: false, rejects: false)
        rules.isAllNew = true
        for (phase, fates) in phases {
            for (index, (isTarget, isWhole)) in [(true, true), (true, false), (false, true)].enumerated() {
                rules.isTarget = isTarget
                let found = RowFate.decide(in: phase, rules, cacheIsWhole: isWhole)
                #expect(Self.name(found) == fates[index], "\(phase)")
            }
        }
    }

    @Test(arguments: [true, false])
    func rowsOfAnEntityWithoutObjects(hasNothingToUpdate: Bool) {
        var rules = Self.rules(hasDeletions: false, lastCounts: false, rejects: false)
        rules.hasNothingToUpdate = hasNothingToUpdate
        // Where records may say that objects are gone, the store is queried.
        #expect(Self.name(RowFate.decide(in: .streaming, rules, cacheIsWhole: true)) == "by object")
        rules.isAllNew = true
        let expected = hasNothingToUpdate ? "skipped" : "new"
        #expect(Self.name(RowFate.decide(in: .streaming, rules, cacheIsWhole: true)) == expected)
    }

    // MARK: The round

    @Test func aRoundKeepsEachFateApart() {
        var round = Round(Self.traits)
        for (row, fate) in RowFate.allCases.enumerated() { round.add(row, fate) }
        for (row, fate) in RowFate.allCases.enumerated() { #expect(round[fate] == [row]) }
        #expect(round.new == [round[.new][0], round[.createdAfterDeletion][0]])
        #expect(round.first == [round[.first][0], round[.describedAfterDeletion][0]])
        round.deferRefused(round[.new])
        #expect(round.new == round[.createdAfterDeletion] && round[.nextRound].last == 0)
        round.start()
        #expect(RowFate.allCases.allSatisfy { round[$0].isEmpty } && round.keys.count == 0)
    }
}
