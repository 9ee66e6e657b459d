/// A time by which runs had ended, as it is written.
package enum PastTime {
    private static let shapes = ["0000-00-00", "0000-00-00T00:00Z", "0000-00-00T00:00:00Z"]

    /// Whether a text has the form of a day, or of a time in UTC: such texts are compared with those of the ledger.
    package static func isWritten(so text: String) -> Bool {
        shapes.contains(String(decoding: text.utf8.map { (48...57).contains($0) ? 48 : $0 }, as: UTF8.self))
    }
}
