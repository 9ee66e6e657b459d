import Testing

@testable import SluicePlan

/// The order of a plan's stages, which follows from what each needs. Whether a stage reads only what it needs, plans
/// themselves see to in debug builds, and `PlanReadingTests`, whether it needs no more.
@Suite struct PlanStageTests {
    @Test func allStagesHaveAPlace() {
        #expect(PlanStage.ordered.count == PlanStage.allCases.count)
        #expect(Set(PlanStage.ordered) == Set(PlanStage.allCases))
    }

    @Test(arguments: PlanStage.allCases)
    func aStageComesAfterWhatItNeeds(_ stage: PlanStage) throws {
        let place = try #require(PlanStage.ordered.firstIndex(of: stage))
        #expect(stage.needs.isSubset(of: PlanStage.ordered[..<place]))
    }

    /// Steps of a plan are in this order: a need that is forgotten would move a stage before others.
    @Test func theOrderIsThatOfTheDeclaration() { #expect(PlanStage.ordered == PlanStage.allCases) }
}
