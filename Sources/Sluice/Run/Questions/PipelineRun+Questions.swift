import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

extension PipelineRun {
    /// How many runs before are told of.
    private static let earlierRuns = 30

    /// Asks what the definition's `checks` ask of the store as the run would leave it, tells each row, and returns the
    /// limits beyond which they go.
    ///
    /// - Throws: `definition` where one cannot be answered; `data` where one takes too long that must be answered.
    func ask(_ work: RunWork, _ report: inout RunReport) throws(Failure) -> [ExceededLimit] {
        guard !definition.questions.isEmpty, let store = work.store.questionStore else { return [] }
        let asking = Asking(definition.model, work.collector) { objects throws(Failure) in
            let search = PlaceSearch(
                objects, definition, work.transformer, checkCancelled: control.cancellation.check)
            try search.read(work.inputs, batchSize: batchSize)
            return search
        }
        defer {
            report.checks = asking.facts
            report.found.counts = work.collector.counts
        }
        for question in definition.questions {
            let isAnswered = try asking.ask(question) { row throws(Failure) in try store.ask(question, each: row) }
            if !isAnswered, !question.isWarning { throw question.tooSlow(definition) }
        }
        try asking.note(earlier: work.store, most: PipelineRun.earlierRuns)
        return zip(definition.questions, asking.facts).compactMap { question, facts in
            guard !question.isWarning, facts.isExceeded, let limit = question.limit, let found = facts.found else {
                return nil
            }
            return ExceededLimit(check: question.name, allowed: limit, found: found)
        }
    }
}

/// Asks questions one after another, and notes what comes of it.
final class Asking {
    /// Objects of one answer whose records are looked for in the feeds: they are held meanwhile.
    private static let mostPlaces = 10_000

    private(set) var facts: [RunReport.CheckFacts] = []
    private let model: Model
    private let sink: any FindingSink
    private let search: Search?

    /// Looks for the records of some objects: by entity, what identifies them as JSON.
    typealias Search = (_ objects: [Int: Set<ExactText>]) throws(Failure) -> PlaceSearch

    /// - Parameter search: nil: there are no feeds.
    init(_ model: Model, _ sink: any FindingSink, search: Search? = nil) {
        (self.model, self.sink, self.search) = (model, sink, search)
    }

    /// Asks one question, and tells each row of its answer.
    ///
    /// - Returns: whether it was answered in time.
    func ask(_ question: Question, by store: StoredQuestion) throws(Failure) -> Bool {
        var found = 0
        var held: [Answer] = []
        let start = ContinuousClock.now
        let isAnswered = try store { answer throws(Failure) in
            found += 1
            if search != nil, question.entity != nil, held.count < Asking.mostPlaces {
                held.append(answer)
            } else {
                tell(answer, question, nil)
            }
        }
        let seconds = (ContinuousClock.now - start).inSeconds
        try tell(held, question)
        facts.append(
            RunReport.CheckFacts(
                question, entity: question.entity.map { model.entities[$0].name }, found: isAnswered ? found : nil,
                seconds: seconds))
        return isAnswered
    }

    /// Tells rows with the places of their objects' records.
    private func tell(_ answers: [Answer], _ question: Question) throws(Failure) {
        guard let entity = question.entity, let search, !answers.isEmpty else { return }
        let places = try search([entity: Set(answers.map { ExactText($0.identifier) })])
        for answer in answers { tell(answer, question, places.place(of: answer.identifier, entity: entity)) }
    }

    private func tell(_ answer: Answer, _ question: Question, _ place: FeedPosition?) {
        let at = place ?? .beginning(of: 0)
        sink.report(.check, at: at.position) {
            var finding = Finding(
                entity: question.entity.map { model.entities[$0].name }, identifier: answer.identifier,
                detail: .check(name: question.name, values: answer.values), at: at)
            finding.isPlaced = place != nil
            return finding
        }
    }

    /// Notes what the questions found in runs before.
    func note(earlier store: any RunStore, most: Int) throws(Failure) {
        var runs = 0
        try store.succeededReports { json throws(Failure) in
            guard let report = RunReport(json: json, sources: nil), let run = report.run else { return true }
            runs += 1
            for check in report.checks {
                guard let index = facts.firstIndex(where: { $0.name.isIdentical(to: check.name) }),
                    let found = check.found
                else { continue }
                facts[index].earlier.insert(.init(run: run, found: found), at: 0)
            }
            return runs < most
        }
    }
}

extension Question {
    /// Why a run fails that has waited too long.
    fileprivate func tooSlow(_ definition: PipelineDefinition) -> Failure {
        Failure(
            .data, "the check \(quoted(name)) takes longer than \(timeoutInWords) (checks.\(name).timeout)",
            at: definition.tree.place(keys("sql")))
    }

    private var timeoutInWords: String {
        timeout == timeout.rounded() ? "\(Int(timeout)) s" : "\(timeout) s"
    }
}
