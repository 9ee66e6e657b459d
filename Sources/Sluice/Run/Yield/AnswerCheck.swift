import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceTransform

/// Finds the answers that are errors, as the definition says (`fails`).
///
/// The values at the paths of the conditions are put into a record of their own, and the conditions are tested on it as
/// on other records: so a condition means the same here as there.
final class AnswerCheck {
    private let failing: WebSource.Failing
    private let model: Model
    private let batch: RecordBatch
    /// Made for the first answer.
    private var transformer: Transformer?

    private static let longest = 200

    init(_ failing: WebSource.Failing) {
        self.failing = failing
        let slots = failing.paths.indices.map { Slot(path: AnswerCheck.member($0)) }
        var entity = Entity(
            name: "answer", records: [Path(root: .feed, steps: [])], slots: slots, identifier: [], attributes: [])
        entity.conditions = failing.conditions
        model = Model(entities: [entity])
        batch = RecordBatch(model: model)
    }

    /// What is to be looked for in each answer.
    var places: [Path] { failing.paths + [failing.message].compactMap { $0 } }

    /// Throws what an answer says, if it is an error.
    ///
    /// - Parameters:
    ///   - values: what it has at the places.
    ///   - beginning: its first bytes.
    func check(
        _ values: [MemberScanner.Value], beginning: @autoclosure () -> [UInt8], named name: String
    ) throws(Failure) {
        guard try isError(values) else { return }
        let who = failing.isOfGraphQL ? "in whole or in part, as GraphQL has it" : "as \"fails\" says"
        throw Failure(.data, "\(name) is an error, \(who): \(words(values, beginning()))")
    }

    private static func member(_ index: Int) -> Path { Path(root: .record, steps: [.name("\(index)")]) }

    private func isError(_ values: [MemberScanner.Value]) throws(Failure) -> Bool {
        let members = zip(failing.paths.indices, values).compactMap { index, value in
            value.json.map { (key: "\(index)", value: $0) }
        }
        let transformer: Transformer
        if let known = self.transformer { transformer = known } else { transformer = try Transformer(model: model) }
        self.transformer = transformer
        let reader = FeedReader(model: model, source: 0, options: FeedOptions())
        var batch = batch
        batch.reset()
        _ = try reader.read(ChunkedBytes(Array(JSONText.object(members).utf8)), named: "an answer", into: &batch) { $0 }
        transformer.transform(batch)
        return batch.sections[0].count > 0 && batch.sections[0].status[0] == .complete
    }

    /// What the answer says; without a message, what its conditions found.
    private func words(_ values: [MemberScanner.Value], _ beginning: [UInt8]) -> String {
        if let path = failing.message, let value = values.last, let text = value.words {
            return AnswerCheck.shown(text, path)
        }
        if let statement = PageStatement(beginning: beginning) { return statement.text }
        let found = zip(failing.paths, values).map { path, value in
            value.words.map { AnswerCheck.shown($0, path) } ?? "`\(path.description)`".printable
        }
        return found.joined(separator: ", ")
    }

    private static func shown(_ text: String, _ path: Path) -> String {
        "\(JSONText.quoted(String(text.prefix(longest)).printable)) (\("`\(path.description)`".printable))"
    }
}

extension MemberScanner.Value {
    /// As JSON, of which containers are shortened; nil: there is nothing.
    fileprivate var json: String? {
        switch self {
        case .absent: nil
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let text): text
        case .text(let text): JSONText.quoted(text)
        case .list(let isEmpty): isEmpty ? "[]" : "[0]"
        case .object(let isEmpty): isEmpty ? "{}" : #"{"":0}"#
        // Only that it is a text is known of such a value.
        case .tooLong, .broken: #""\ufffd""#
        }
    }

    /// What it says to people; nil: nothing.
    fileprivate var words: String? {
        switch self {
        case .boolean(let value): "\(value)"
        case .number(let text), .text(let text): text.isEmpty ? nil : text
        case .absent, .null, .list, .object, .tooLong, .broken: nil
        }
    }
}
