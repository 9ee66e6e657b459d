import SluiceRecords
import SluiceSchema

/// A store that answers the questions of a definition's `checks`, while nothing of a run is saved yet.
package protocol QuestionStore: AnyObject {
    /// Asks one of the questions of the store's use within the transaction of the run, and hands out the rows of its
    /// answer, in their order.
    ///
    /// - Returns: false: it took longer than it may.
    /// - Throws: `definition` where it cannot be answered.
    func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool
}

/// Asks one question; see `QuestionStore.ask`.
package typealias StoredQuestion = ((Answer) throws(Failure) -> Void) throws(Failure) -> Bool

/// A row of the answer to a question.
package struct Answer {
    /// The names of its columns, and their values as JSON.
    package var values: [(name: String, value: String)]
    /// What identifies the object that it is about, as JSON; `null`: it is about none.
    package var identifier: String

    /// - Parameter identifying: the columns that identify the object; nil: it is about none.
    package init(_ values: [(name: String, value: String)], identifying: [Int]?) {
        self.values = values
        let parts = (identifying ?? []).map { values[$0].value }
        identifier = parts.isEmpty ? "null" : JSONText.oneOrArray(parts)
    }
}

extension Question {
    /// The columns of an answer that identify its objects; nil: it is about none.
    ///
    /// - Throws: `definition` where one of them is not there, or two columns have one name.
    package func identifying(_ columns: [String], _ model: Model, at origin: Failure.Place?) throws(Failure) -> [Int]? {
        var names: Set<ExactText> = []
        if let twice = columns.first(where: { !names.insert(ExactText($0)).inserted }) {
            throw Failure(
                .definition, "the check \(quoted(name)) has two columns \(quoted(twice)): name one of them with AS",
                at: origin)
        }
        guard let entity = entity.map({ model.entities[$0] }) else { return nil }
        var places: [Int] = []
        for name in entity.identifier.map({ entity.attributes[$0].name }) {
            // A column of the store may have other capital letters than the definition has by now.
            let place =
                columns.firstIndex { $0.isIdentical(to: name) } ?? columns.firstIndex { $0.isSameName(as: name) }
            guard let index = place else {
                throw Failure(
                    .definition,
                    "the check \(quoted(self.name)) has no column \(quoted(name)), which identifies the objects of "
                        + "\(entity.name)", at: origin)
            }
            places.append(index)
        }
        return places
    }

    /// The failure of a question that a store cannot answer.
    package func refusal(_ reason: String, at place: Failure.Place?) -> Failure {
        Failure(.definition, "the check \(quoted(name)) cannot be asked: \(reason)", at: place)
    }

    /// What a message shows of a query from where a store stopped to understand it: a line of the rest.
    package static func excerpt(_ rest: some StringProtocol) -> String {
        guard let line = rest.split(whereSeparator: \.isNewline).first else { return "" }
        return ", at: " + (line.count > 40 ? line.prefix(39) + "…" : String(line))
    }
}
