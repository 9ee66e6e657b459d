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

    /// With the command that is called much like it, or that does what other tools call so.
    init(unknownCommand name: String) {
        let known = UsageError.otherNames.first { $0.names.containsExactly(name) }?.command
        self.init(
            "unknown command \(name)", nearest: known ?? name, among: Command.all.map(\.name))
    }

    /// What the commands are called elsewhere.
    private static let otherNames: [(command: String, names: [String])] = [
        ("init", ["create", "draft", "generate", "infer", "new"]),
        ("run", ["apply", "exec", "execute", "import", "ingest", "load", "start", "sync"]),
        ("fetch", ["download", "get", "pull"]),
        ("check", ["lint", "test", "validate", "verify"]),
        ("preview", ["head", "sample"]),
        ("runs", ["ledger", "log", "logs", "list", "ls", "report", "reports", "status"]),
        ("unresolved", ["missing", "pending", "waiting"]),
        ("diff", ["changes", "compare"]),
        ("at", ["checkout", "restore"]),
        ("forget", ["erase", "prune", "purge"]),
        ("swift", ["codegen", "types"]),
        ("diagram", ["erd", "graph", "schema"]),
        ("plan", ["explain", "sql"]),
    ]
}
