/// What is wrong with the form of a row, in words by which findings are known again.
package enum RowFaultText {
    private static let behindQuote = "something follows the closing quotation mark of the column "

    static func behindQuote(ofColumn name: String) -> String { behindQuote + name }

    static func count(_ cells: Int, of columns: Int) -> String {
        "the row has \(cells) \(cells == 1 ? "cell" : "cells"), but there are \(columns) columns"
    }

    package static let header = "the row is the header of the table once more, as where files are put together"

    /// How many cells a row has, and how many columns there are, where that is what is wrong with it.
    package static func counts(in reason: String) -> (cells: Int, columns: Int)? {
        guard let match = reason.wholeMatch(of: /the row has (\d+) cells?, but there are (\d+) columns/),
            let cells = Int(match.1), let columns = Int(match.2)
        else { return nil }
        return (cells, columns)
    }

    package static func isBehindQuote(_ reason: String) -> Bool { reason.hasPrefix(behindQuote) }
}
