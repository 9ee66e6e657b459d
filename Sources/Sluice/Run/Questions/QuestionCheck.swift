import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceStores

/// Asks what the `checks` of a definition ask of its store as it is, without a run.
///
///     let outcome = try QuestionCheck(definition, store: nil).perform()
///     print(outcome.text)
package struct QuestionCheck {
    private let definition: PipelineDefinition
    private let location: StoreLocation

    /// - Parameter store: another store than the definition's; nil: its own.
    package init(_ definition: PipelineDefinition, store: String?) throws {
        try definition.require([.settings, .entities] + (store == nil ? [.store] : []))
        self.definition = definition
        location = try definition.location(instead: store)
    }

    /// Asks.
    ///
    /// - Throws: `definition` where a question cannot be asked; `missing` where there is no store.
    package func perform(isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> Outcome {
        var answers: [Outcome.Answered] = []
        let place = { [tree = definition.tree] (keys: [String]) in tree.place(keys) }
        try location.ask(
            definition.questions, definition.model, pipeline: definition.name, place: place, isCancelled: isCancelled
        ) { question, ask throws(Failure) in
            let collector = FindingCollector()
            let questioner = Questioner(definition.model, collector)
            _ = try questioner.ask(question, by: ask)
            answers.append(Outcome.Answered(facts: questioner.facts[0], examples: collector.examples))
        }
        return Outcome(answers: answers)
    }

    /// What the store answered.
    package struct Outcome: Sendable {
        /// The answer to one question.
        struct Answered: Sendable {
            var facts: RunReport.CheckFacts
            /// The first rows.
            var examples: [Finding]
        }

        var answers: [Answered]

        /// Whether no run would fail for it.
        package var fits: Bool { answers.allSatisfy { !$0.facts.isFailing } }

        /// A line for each question, below it some of the rows of those that have more than they may.
        package var text: String {
            answers.map { answer in
                let facts = answer.facts
                let line = "\(facts.name.printable): \(facts.answer), \(facts.rule)\n"
                guard facts.isExceeded else { return line }
                let rest = (facts.found ?? 0) - answer.examples.count
                let rows = answer.examples.map { "  " + $0.message.printable + "\n" }
                return line + rows.joined() + (rest > 0 ? "  … and \(grouped(rest)) more\n" : "")
            }.joined()
        }

        /// A line of JSON for each question.
        package var json: String {
            answers.map { answer in
                answer.facts.json(rows: answer.examples) + "\n"
            }.joined()
        }
    }
}
