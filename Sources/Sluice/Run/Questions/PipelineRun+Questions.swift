import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

extension PipelineRun {
    /// How many runs before are told of.
    private static let earlierRuns = 30

    /// Asks the questions of the definition's `checks` of the store as the run would leave it, reports each row, and
    /// returns the limits that they exceed.
    ///
    /// - Throws: `definition` where one cannot be answered; `data` where one takes too long that must be answered.
    func ask(_ begun: BegunRun, _ report: inout RunReport) throws(Failure) -> [ExceededLimit] {
        guard !definition.questions.isEmpty, let store = begun.run.questionStore else { return [] }
        let work = begun.work
        let questioner = Questioner(definition.model, work.collector) { objects throws(Failure) in
            let search = PlaceSearch(
                objects, definition, work.transformer, checkCancelled: control.cancellation.check)
            try search.read(work.inputs, batchSize: batchSize)
            return search
        }
        defer {
            report.checks = questioner.facts
            report.found.counts = work.collector.counts
        }
        do throws(Failure) {
            for question in definition.questions {
                let isAnswered = try questioner.ask(question) { row throws(Failure) in
                    try store.ask(question, each: row)
                }
                if !isAnswered, !question.isWarning { throw question.tooSlow(definition) }
            }
        } catch {
            try? questioner.reportHeld()
            throw error
        }
        try questioner.reportHeld()
        try questioner.addEarlier(from: work.store, most: PipelineRun.earlierRuns)
        return zip(definition.questions, questioner.facts).compactMap { question, facts in
            guard !question.isWarning, facts.isExceeded, let limit = question.limit, let found = facts.found else {
                return nil
            }
            return ExceededLimit(check: question.name, allowed: limit, found: found)
        }
    }
}

extension Question {
    /// The failure of a run whose question has taken too long.
    fileprivate func tooSlow(_ definition: PipelineDefinition) -> Failure {
        Failure(
            .data, "the check \(quoted(name)) takes longer than \(timeoutInWords) (checks.\(name).timeout)",
            at: definition.tree.place(keys("sql")))
    }

    private var timeoutInWords: String {
        timeout == timeout.rounded() ? "\(Int(timeout)) s" : "\(timeout) s"
    }
}
