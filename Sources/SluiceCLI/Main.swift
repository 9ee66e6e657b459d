import Glibc
import Sluice
import SluiceRecords

@main
enum Main {
    static func main() {
        OwnProcess.begin { message in
            printError(message)
            _exit(Failure.Kind.io.rawValue)
        }
        OwnProcess.end(status(CommandLine.arguments.dropFirst()))
    }

    /// Runs a command line, and returns the exit status.
    private static func status(_ words: ArraySlice<String>) -> Int32 {
        do {
            try checkText()
            return try run(words)
        } catch let error as UsageError {
            printError(error.message)
            printNote(error.hint)
            return Failure.Kind.usage.rawValue
        } catch let problems as DefinitionProblems {
            for failure in problems.failures { printFailure(failure) }
            return problems.kind.rawValue
        } catch let failure as Failure {
            printFailure(failure)
            return failure.kind.rawValue
        } catch {
            printError("\(error)")
            return Failure.Kind.defect.rawValue
        }
    }

    /// Refuses arguments that are no text: they would name another file than was meant.
    private static func checkText() throws(UsageError) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
            guard unsafe String(validatingCString: word) == nil else { continue }
            let shown = unsafe String(cString: word)
            throw UsageError(
                "\(shown) is not UTF-8: a file of such a name can be renamed, or read with `--feed - < FILE`")
        }
    }

    private static func run(_ words: ArraySlice<String>) throws -> Int32 {
        guard let word = words.first else { throw UsageError("a command is missing") }
        switch word {
        case "--help", "-h", "help":
            try printOutput(helpText(onlyWord(words, of: "COMMAND")) + "\n")
            return 0
        case "--version", "-v", "-V":
            try printOutput(versionText(words.dropFirst()))
            return 0
        case "--print-man":
            try printOutput(manualPage(onlyWord(words, of: "COMMAND")))
            return 0
        case "--debug-plan":
            guard let file = try onlyWord(words, of: "PIPELINE") else { throw UsageError("PIPELINE is missing") }
            let definition = try readDefinition(file)
            try definition.require([.settings, .entities])
            let lines = try definition.describePlan().split(separator: "\n", omittingEmptySubsequences: false)
            try printOutput(lines.map { String($0).printable }.joined(separator: "\n"))
            return 0
        case "--print-entities":
            // For completions, which have no use for messages.
            let file = try onlyWord(words, of: "PIPELINE")
            let names = file.flatMap { try? readDefinition($0) }?.model.entities.map(\.name) ?? []
            try printOutput(names.filter { $0.isIdentical(to: $0.printable) }.map { $0 + "\n" }.joined())
            return 0
        case "--print-completion":
            try printOutput(completion(for: onlyWord(words, of: "SHELL")))
            return 0
        default:
            return try run(word, words.dropFirst())
        }
    }

    /// The help of a command, or of all.
    private static func helpText(_ name: String?) throws(UsageError) -> String {
        guard let name, !name.hasPrefix("-") else { return topHelp }
        return try command(name).helpText
    }

    private static func command(_ name: String) throws(UsageError) -> Command {
        guard let command = Command.all.first(where: { $0.name.isIdentical(to: name) }) else {
            throw UsageError(unknownCommand: name)
        }
        return command
    }

    /// The version; with `--verbose`, those of the libraries as well.
    private static func versionText(_ words: ArraySlice<String>) throws(UsageError) -> String {
        guard let word = words.first else { return "sluice \(version)\n" }
        guard word == "--verbose" else { throw UsageError("--version takes --verbose, not \(word)") }
        let lines = libraries.map { "  " + $0.name.padded(to: 12) + $0.version }
        return "sluice \(version)\n" + lines.joined(separator: "\n") + "\n"
    }

    /// The only word after an option that stands in the place of a command.
    private static func onlyWord(_ words: ArraySlice<String>, of kind: String) throws(UsageError) -> String? {
        if words.count > 2 { throw UsageError("one \(kind) is enough: \(words[words.startIndex + 2]) is too much") }
        return words.dropFirst().first
    }

    private static func run(_ name: String, _ words: ArraySlice<String>) throws -> Int32 {
        if name.hasPrefix("-") {
            let bare = String(name.drop { $0 == "-" })
            throw UsageError("unknown option \(name)", nearest: bare, among: ["help", "version"], dashes: "--")
        }
        let command = try command(name)
        do {
            let arguments = try Arguments(words, command.options + [Command.help])
            if arguments.has("help") {
                try printOutput(command.helpText + "\n")
                return 0
            }
            return try command.run(arguments)
        } catch var error as UsageError {
            error.command = name
            throw error
        }
    }
}
