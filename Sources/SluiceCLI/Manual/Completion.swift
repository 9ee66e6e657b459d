import SluiceRecords

/// A script that lets a shell complete the words of a command line.
func completion(for shell: String?) throws(UsageError) -> String {
    switch shell {
    case "bash": return bashCompletion
    case "zsh": return zshCompletion
    case "fish": return fishCompletion
    case let shell?:
        throw UsageError("--print-completion takes bash, zsh or fish, not \(shell)")
    case nil:
        throw UsageError("SHELL is missing: bash, zsh or fish")
    }
}

/// What a shell can offer for a word.
enum Completion {
    case words([String])
    case files
    /// A definition, mostly: files of JSON.
    case definitions
    /// The entities of the definition that is the first argument.
    case entities
    case nothing
}

extension Option {
    /// How the option is written, long and short.
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }

    /// What may stand as its value; nil: it takes none.
    var completion: Completion? {
        guard let value else { return nil }
        if value.contains("|") { return .words(value.split(separator: "|").map(String.init)) }
        if value == "PIPELINE" { return .definitions }
        if name == "entity" { return .entities }
        return value.hasSuffix("FILE") ? .files : .nothing
    }

    /// Whether it may be given several times, once for each source.
    var repeats: Bool { value?.hasPrefix("[SOURCE=]") ?? false }
}

extension Command {
    /// What may stand as its first argument.
    var completion: Completion { arguments.hasPrefix("PIPELINE") ? .definitions : .files }

    /// What may stand as any further one.
    var furtherCompletion: Completion {
        guard arguments.hasPrefix("PIPELINE"), !arguments.contains("FEED") else { return .files }
        return arguments.contains("ENTITY") ? .entities : arguments.hasSuffix("...") ? .definitions : .nothing
    }

    var allOptions: [Option] { options + [Command.help] }
}
