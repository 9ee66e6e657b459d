import SluiceDefinition
import SluiceRecords

/// The few texts of a table's column that are of another kind than all others, as one word among numbers.
struct OddTexts {
    let kind: TextKind
    var count = 0
    /// How many texts there are of any kind, but for those that say that there is none.
    var texts = 0
    /// The first of them.
    var first = ""
    var place: CellPlace?
    /// The line of its row.
    var line = "?"
    /// Whether all of them are numbers of the same kind with marks between groups.
    var areGrouped = true

    init(_ kind: TextKind) { self.kind = kind }

    var remark: String {
        let more = count > 1 ? " and \(grouped(count - 1)) more" : ""
        let these = count > 1 ? "these as its" : "this as its"
        if areGrouped, let grouped = kind.grouped {
            return "numbers, some of them with marks between groups, as \(CellPlace.shown(first)) in \(line): perhaps"
                + " \(grouped.type)"
        }
        return "\(kind.name), but for \(CellPlace.shown(first)) in \(line)\(more): perhaps"
            + " \(kind.type), with \(these) \"nullIf\""
    }
}

/// Where the row of a cell begins.
struct CellPlace {
    /// Which of the files.
    let file: Int
    let offset: UInt64

    private static let mostShown = 40

    /// A text, or its beginning, as a comment has it.
    static func shown(_ text: String) -> String {
        text.count > mostShown ? quoted(text.prefix(mostShown) + "…") : quoted(text)
    }
}
