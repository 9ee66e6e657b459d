/// A kind of texts that a type takes. Of a column with nearly nothing else, a comment tells what else there is.
struct TextKind {
    let form: TextForms
    /// What texts of the kind are.
    let name: String
    /// The type that takes them, and its keys, as a comment has them.
    private(set) var type: String

    /// The narrower before the wider.
    private static let all = [
        TextKind(form: .date, name: "dates", type: "\"date\""),
        TextKind(form: .time, name: "times", type: "\"datetime\""),
        TextKind(form: .localTime, name: "times", type: "\"datetime\""),
        TextKind(form: .dottedDate, name: "dates", type: "\"date\""),
        TextKind(form: .integer, name: "whole numbers", type: "\"integer\""),
        TextKind(form: .anyNumber, name: "numbers", type: "\"decimal\""),
        TextKind(form: .pointGroups, name: "numbers", type: "\"decimal\" with \"thousands\": \",\""),
        TextKind(form: .commaNumber, name: "numbers", type: "\"decimal\" with \"decimalMark\": \",\""),
        TextKind(
            form: .commaGroups, name: "numbers",
            type: "\"decimal\" with \"decimalMark\": \",\" and \"thousands\": \".\""),
    ]

    /// The kinds that take what this one takes, and more numbers: those with a fraction, or with marks between their
    /// groups. The likelier come first.
    var wider: [TextKind] {
        let forms: [TextForms] =
            switch form {
            case .integer: [.anyNumber, .pointGroups, .commaNumber, .commaGroups]
            case .anyNumber: [.pointGroups]
            case .commaNumber: [.commaGroups]
            default: []
            }
        return forms.compactMap { form in TextKind.all.first { $0.form == form } }
    }

    /// Whether marks stand between the groups of its numbers.
    var hasGroups: Bool { form == .pointGroups || form == .commaGroups }

    private static let leastTexts = 5
    private static let leastOfLabels = 10

    /// The kind of nearly all texts, and those that are of another one, as far as a sample tells; nil: they are of no
    /// kind, or nobody knows.
    static func ofNearlyAll(_ column: DraftColumn) -> (kind: TextKind, others: [String])? {
        let texts = column.facts.sample.texts.filter { !$0.isEmpty }
        // A room is called `B` beside 12 and 14.
        let least = Names.isLabel(column.ownName) ? leastOfLabels : leastTexts
        guard column.facts.numbers == 0, texts.count >= least else { return nil }
        guard let kind = kind(of: texts, where: { isFew($0, of: texts.count) }) else { return nil }
        return odd(of: kind, texts)
    }

    /// The kind of most texts that differ, as far as a sample tells: of how many texts it is, is to be counted.
    static func ofMost(_ column: DraftColumn) -> TextKind? {
        let texts = column.facts.sample.texts.filter { !isMissing($0) }
        guard column.facts.numbers == 0, column.values >= leastTexts else { return nil }
        return kind(of: texts) { 2 * $0 < texts.count }?.withCommaQuestion(texts.map(forms))
    }

    private static func kind(of texts: [[UInt8]], where areFew: (Int) -> Bool) -> TextKind? {
        let forms = texts.map(forms)
        return all.first { kind in areFew(forms.count { !$0.contains(kind.form) }) }
    }

    /// A kind, or a wider one that takes more of some texts, and those that are not of it: a few numbers with a
    /// fraction among whole ones are no flaws.
    private static func odd(of kind: TextKind, _ texts: [[UInt8]]) -> (kind: TextKind, others: [String]) {
        let forms = texts.map(forms)
        let others = { (kind: TextKind) in texts.indices.filter { !forms[$0].contains(kind.form) } }
        let widest = ([kind] + kind.wider).min { others($0).count < others($1).count } ?? kind
        return (widest.withCommaQuestion(forms), others(widest).map { String(decoding: texts[$0], as: UTF8.self) })
    }

    /// The same kind, of whose texts with some forms a comment says what the comma in them may be: `1,234` in each.
    private func withCommaQuestion(_ forms: [TextForms]) -> TextKind {
        let own = forms.filter { $0.contains(form) }
        guard [.commaNumber, .pointGroups].contains(form),
            own.allSatisfy({ $0.isSuperset(of: [.commaNumber, .mayHaveGroups]) })
        else { return self }
        var kind = self
        kind.type = "\"decimal\" with \"decimalMark\" or \"thousands\", as the comma is meant"
        return kind
    }

    /// Whether nearly all texts of a column are numbers with a fraction, and a few are words.
    static func areNearlyFractions(_ column: DraftColumn) -> Bool {
        guard !column.isKey, column.cut == nil, let (kind, others) = ofNearlyAll(column), !others.isEmpty else {
            return false
        }
        return [.anyNumber, .commaNumber, .commaGroups, .pointGroups].contains(kind.form)
    }

    /// Whether so few texts are of another kind that these are flaws.
    static func isFew(_ others: Int, of texts: Int) -> Bool {
        others * 10 <= texts || others == 1 && texts >= leastTexts
    }

    static func forms(_ text: [UInt8]) -> TextForms {
        unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe TextForms.ofTrimmed($0, bytes.count) } ?? []
        }
    }

    private static func isMissing(_ text: [UInt8]) -> Bool {
        unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe MissingTexts.isOne($0, bytes.count) } ?? true
        }
    }
}
