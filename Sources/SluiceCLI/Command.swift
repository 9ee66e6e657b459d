/// A command of `sluice`.
struct Command: Sendable {
    let name: String
    /// What the usage line shows after the name.
    let arguments: String
    let summary: String
    /// More than the summary, for the command's own help.
    let detail: String
    let options: [Option]
    /// Runs the command, and returns the exit status.
    let run: @Sendable (Arguments) throws -> Int32

    static let help = Option("help", short: "h", "show this help")

    static let all: [Command] = [.run, .replay, .fetch, .check, .preview, .runs, .unresolved]

    /// The command's own help.
    var helpText: String {
        """
        Usage: sluice \(name) [OPTION]... \(arguments)

        \(detail)

        Options:
        \(optionList(options + [Command.help]))
        """
    }
}

/// The help of the command as a whole.
let topHelp = """
    Usage: sluice COMMAND [OPTION]... ARGUMENT...

    Imports JSON feeds into an SQLite database: typed, without duplicates, with
    relationships resolved whatever the order of the records.

    Commands:
    \(Command.all.map { "  " + $0.name.padded(to: 12) + $0.summary }.joined(separator: "\n"))

    Options:
    \(optionList([Command.help, Option("version", "show the version")]))

    Each command has its own help: sluice COMMAND --help
    """

/// Options in two columns.
func optionList(_ options: [Option]) -> String {
    let names = options.map { option in
        let short = option.short.map { "-\($0), " } ?? "    "
        return "  \(short)--\(option.name)" + (option.value.map { " \($0)" } ?? "")
    }
    let width = (names.map(\.count).max() ?? 0) + 2
    return zip(names, options).map { name, option in name.padded(to: width) + option.help }.joined(separator: "\n")
}

extension String {
    /// Filled up with spaces on the right.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
