import SluiceDefinition
import SluiceRecords

/// The few texts of a table's column that are of another kind than all others, as one word among numbers.
struct OddTexts {
    /// The kinds that the texts may be of, the narrower before the wider.
    private var kinds: [OddKind]
    /// How many texts there are of any kind, but for those that say that there is none.
    private var texts = 0
    /// The line of the row with the first of them.
    var line = "?"

    /// A kind, and the texts that are not of it.
    private struct OddKind {
        let kind: TextKind
        var count = 0
        var examples: [String] = []
        var place: CellPlace?

        mutating func add(_ text: String, at place: CellPlace) {
            count += 1
            if self.place == nil { self.place = place }
            if examples.count < CellPlace.mostNamed, !examples.containsExactly(text) { examples.append(text) }
        }
    }

    init(_ kind: TextKind) { kinds = ([kind] + kind.wider).map { OddKind(kind: $0) } }

    mutating func add(_ bytes: UnsafePointer<UInt8>, _ length: Int, at place: CellPlace) {
        texts += 1
        let forms = unsafe TextForms.ofTrimmed(bytes, length)
        if forms.contains(kinds[0].kind.form) { return }
        let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
        for index in kinds.indices where !forms.contains(kinds[index].kind.form) { kinds[index].add(text, at: place) }
    }

    /// The kind that the most texts are of: a few numbers with a fraction among whole ones are no flaws.
    private var best: OddKind { kinds.min { $0.count < $1.count } ?? kinds[0] }

    /// Whether all texts are numbers, a few of which have marks between their groups.
    private var areGrouped: Bool { best.count == 0 && best.kind.hasGroups }

    /// Where the first of them is; nil: there are none, or too many to be flaws.
    var place: CellPlace? {
        let told = areGrouped ? kinds[0] : best
        return TextKind.isFew(told.count, of: texts) ? told.place : nil
    }

    /// Whether some of them are digits all the same, as `00918` is: then all are codes.
    var areCodes: Bool {
        !areGrouped && best.examples.contains { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
    }

    var remark: String {
        let best = best
        if areGrouped, let first = kinds[0].examples.first {
            return "numbers, some of them with marks between groups, as \(CellPlace.shown(first)) in \(line): perhaps"
                + " \(best.kind.type)"
        }
        let hasFractions = kinds[0].kind.form == .integer && kinds[0].count > best.count && !best.kind.hasGroups
        let fractions = hasFractions ? ", \(grouped(kinds[0].count - best.count)) of them with a fraction" : ""
        return "\(best.kind.name)\(fractions), but for \(CellPlace.named(best.examples, of: best.count, in: line)):"
            + " perhaps \(best.kind.type), with \(max(best.count, best.examples.count) > 1 ? "these" : "this") as its \"nullIf\""
    }
}

/// Where the row of a cell begins.
struct CellPlace {
    /// Which of the files.
    let file: Int
    let offset: UInt64

    private static let mostShown = 40
    /// So many texts are examples enough.
    static let mostNamed = 3

    /// A text, or its beginning, as a comment has it.
    static func shown(_ text: String) -> String {
        text.count > mostShown ? quoted(text.prefix(mostShown) + "…") : quoted(text)
    }

    /// Some texts, as a comment has them: the only one, or examples.
    ///
    /// - Parameters:
    ///   - count: how many texts there are; nil: nobody has counted them.
    ///   - line: that of the first; nil: it is in none.
    static func named(_ texts: [String], of count: Int?, in line: String? = nil) -> String {
        var shown = texts.prefix(mostNamed).map { CellPlace.shown($0) }
        if let line, !shown.isEmpty { shown[0] += " in \(line)" }
        if count == 1 { return listed(shown) }
        return (count.map { "\(grouped($0)) texts, such as " } ?? "texts such as ") + listed(shown)
    }
}
