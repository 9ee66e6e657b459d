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
        do throws(Failure) {
            for question in definition.questions {
                let isAnswered = try asking.ask(question) { row throws(Failure) in try store.ask(question, each: row) }
                if !isAnswered, !question.isWarning { throw question.tooSlow(definition) }
            }
        } catch {
            try? asking.reportHeld()
            throw error
        }
        try asking.reportHeld()
        try asking.addEarlier(from: work.store, most: PipelineRun.earlierRuns)
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
    /// Rows of one answer whose objects' records are looked for in the feeds: they are held until all is asked, so that
    /// the feeds are read once for all questions.
    private static let mostHeld = 10_000

    private(set) var facts: [RunReport.CheckFacts] = []
    private let model: Model
    private let sink: any FindingSink
    private let search: Search?
    private var held: [(answer: Answer, question: Question)] = []

    /// Looks for the records of some objects: by entity, what identifies them as JSON.
    typealias Search = (_ objects: [Int: Set<ExactText>]) throws(Failure) -> PlaceSearch

    /// - Parameter search: nil: there are no feeds.
    init(_ model: Model, _ sink: any FindingSink, search: Search? = nil) {
        (self.model, self.sink, self.search) = (model, sink, search)
    }

    /// Asks one question. The rows of its answer are told at once where there are no feeds, and else by `reportHeld`.
    ///
    /// - Returns: whether it was answered in time.
    func ask(_ question: Question, by store: StoredQuestion) throws(Failure) -> Bool {
        var found = 0
        let start = ContinuousClock.now
        let isAnswered = try store { answer throws(Failure) in
            found += 1
            guard search != nil else { return report(answer, question, nil) }
            if found <= Asking.mostHeld {
                held.append((answer, question))
            } else {
                report(answer, question, nil, isMinor: true)
            }
        }
        let seconds = (ContinuousClock.now - start).inSeconds
        facts.append(
            RunReport.CheckFacts(
                question, entity: question.entity.map { model.entities[$0].name }, found: isAnswered ? found : nil,
                seconds: seconds))
        return isAnswered
    }

    /// Tells the rows that are held, with the places of their objects' records.
    func reportHeld() throws(Failure) {
        let rows = held
        held = []
        var wanted: [Int: Set<ExactText>] = [:]
        for (answer, question) in rows {
            if let entity = question.entity { wanted[entity, default: []].insert(ExactText(answer.identifier)) }
        }
        let places = wanted.isEmpty ? nil : try search?(wanted)
        for (answer, question) in rows {
            report(answer, question, question.entity.flatMap { places?.place(of: answer.identifier, entity: $0) })
        }
    }

    /// - Parameter isMinor: whether rows that are told later are better examples.
    private func report(_ answer: Answer, _ question: Question, _ place: FeedPosition?, isMinor: Bool = false) {
        let at = place ?? .beginning(of: 0)
        sink.report(.check, at: at.position, isMinor: isMinor) {
            var finding = Finding(
                entity: question.entity.map { model.entities[$0].name }, identifier: answer.identifier,
                detail: .check(name: question.name, values: answer.values), at: at)
            finding.isPlaced = place != nil
            return finding
        }
    }

    /// Notes what the questions found in runs before.
    func addEarlier(from store: any OpenStore, most: Int) throws(Failure) {
        var runs = 0
        try store.succeededReports { json, _ throws(Failure) in
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
