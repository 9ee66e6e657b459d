import Sluice

/// The command line is wrong.
struct UsageError: Error {
    let message: String
    /// Of which command; nil: of none.
    var command: String?

    var hint: String { "Try: sluice \(command.map { "\($0) " } ?? "")--help" }

    init(_ message: String) { self.message = message }

    /// With a suggestion, if a known word is near.
    init(_ message: String, nearest word: String, among known: [String], dashes: String = "") {
        let suggestion = nearestWord(to: word, among: known).map { ": did you mean \(dashes)\($0)?" } ?? ""
        self.message = message + suggestion
    }
}
