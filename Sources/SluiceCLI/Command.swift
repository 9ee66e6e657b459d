import Sluice
import SluiceRecords

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
    /// Of `sluice` as a whole.
    static let version = Option("version", short: "v", "show the version")

    static let all: [Command] = [
        .initialise, .run, .replay, .fetch, .login, .check, .preview, .runs, .unresolved, .history, .diff, .at, .forget,
        .seed,
        .swift, .diagram, .extract, .plan,
    ]

    /// The command's own help.
    var helpText: String {
        """
        Usage: sluice \(name) [OPTION]... \(arguments)

        \(detail.replacingExactly("\n", with: " ").wrapped(80, rest: ""))

        Options:
        \(optionList(options + [Command.help]))
        """
    }
}

/// The help of the command as a whole.
let topHelp = """
    Usage: sluice COMMAND [OPTION]... ARGUMENT...

    Imports JSON, CSV and TSV feeds, from files and web services, into an SQLite or
    PostgreSQL database: typed, without duplicates, with relationships resolved
    whatever the order of the records; all of a run or nothing.

    Feeds come from files and archives, web services with their pages, buckets,
    SFTP, commands and standard input. A definition, which init drafts from a feed,
    says what becomes of them. Runs report what is new, changed, gone and wrong;
    they read what is new, archive feeds, and remember what objects have been.
    Stores are published as seeds, typed records are written as Parquet, or the
    work as SQL for DuckDB and Spark. Programs in Swift get types of the objects.

    Commands:
    \(Command.all.map { "  " + $0.name.padded(to: 12) + $0.summary }.joined(separator: "\n"))

    Options:
    \(optionList([Command.help, Command.version]))

    Each command has its own help: sluice help COMMAND, or sluice COMMAND --help.
    A first night: sluice init FEED -o NAME.jsonc, sluice check NAME.jsonc,
    sluice run NAME.jsonc. All of it is documented in /usr/share/doc/sluice, or
    Documentation/.
    """

/// Options in two columns, of 80 together: where the first is too narrow for a name, the help begins below it.
func optionList(_ options: [Option]) -> String {
    let indent = String(repeating: " ", count: 26)
    return options.map { option in
        let short = option.short.map { "-\($0), " } ?? "    "
        let name = "  \(short)--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        guard name.count + 2 > indent.count else {
            return option.help.wrapped(80, first: name.padded(to: indent.count), rest: indent)
        }
        return name + "\n" + option.help.wrapped(80, first: indent, rest: indent)
    }.joined(separator: "\n")
}

extension String {
    /// Filled up with spaces on the right.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
