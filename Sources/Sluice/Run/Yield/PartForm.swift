import SluiceExtract
import SluiceRecords

/// Distinguishes the answers of a service that is asked for each record of an entity from other answers: with status
/// 200, and without a word of an error, an error looks like an answer without records.
///
/// An answer without the place of the records may be valid: some services leave an empty list out. An answer with a
/// message, and without any of the members that the others have at their top, is an error. One without a message is
/// strange: what belongs to its record is not known.
struct PartForm {
    /// Answers that have nothing that the others have.
    struct StrangeAnswers: Sendable {
        var count = 0
        /// What the first is called.
        var first = ""
    }

    /// The members at the top of answers with the place of the records.
    private var names: Set<ExactText> = []
    private var answers = 0
    /// The first answers without, while there was none with.
    private var odd: [(name: String, names: Set<ExactText>, statement: PageStatement?)] = []
    private(set) var strange = StrangeAnswers()

    /// So many answers tell what they have in common.
    private static let mostAnswers = 16

    /// Looks at an answer.
    ///
    /// - Parameter isOdd: whether it has nothing where records are looked for, and is not empty.
    /// - Throws: what is there instead.
    mutating func check(
        _ beginning: @autoclosure () -> [UInt8], named name: String, isOdd: Bool
    ) throws(Failure) {
        guard isOdd else {
            guard answers < PartForm.mostAnswers else { return }
            answers += 1
            names.formUnion(PartForm.names(in: beginning()))
            let earlier = odd
            odd = []
            for answer in earlier { try judge(answer.name, answer.names, answer.statement) }
            return
        }
        let bytes = beginning()
        let (own, statement) = (PartForm.names(in: bytes), PageStatement(beginning: bytes))
        if answers > 0 {
            try judge(name, own, statement)
        } else if odd.count < PartForm.mostAnswers {
            odd.append((name, own, statement))
        }
    }

    private mutating func judge(
        _ name: String, _ own: Set<ExactText>, _ statement: PageStatement?
    ) throws(Failure) {
        guard !names.isEmpty, own.isDisjoint(with: names) else { return }
        guard let statement else {
            if strange.count == 0 { strange.first = name }
            strange.count += 1
            return
        }
        throw Failure(.data, "\(name) has nothing that the answers for other records have, and says \(statement.text)")
    }

    private static func names(in beginning: [UInt8]) -> Set<ExactText> {
        guard case .object(let members)? = JSONBeginning.root(of: beginning)?.kind else { return [] }
        return Set(members.map { ExactText($0.key) })
    }
}
