import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

/// Asks questions one after another, and notes what comes of it.
final class Questioner {
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
            if found <= Questioner.mostHeld {
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
