import SluiceRecords

/// An option of a command.
struct Option: Sendable {
    /// The long name, without its dashes.
    let name: String
    let short: Character?
    /// What the help calls the option's value; nil: the option takes none.
    let value: String?
    let help: String

    init(_ name: String, short: Character? = nil, value: String? = nil, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }
}

/// What a command line says, by the conventions of GNU: `--long`, `--long=value`, `--long value`, `-x`, `-xvalue`,
/// `--` before arguments that start with a dash; options and arguments in any order.
struct Arguments {
    private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]

    init(_ words: ArraySlice<String>, _ options: [Option]) throws(UsageError) {
        var words = words
        while let word = words.popFirst() {
            if word == "--" {
                positional += words
                return
            } else if word.hasPrefix("--") {
                try readLong(word, &words, options)
            } else if word.hasPrefix("-"), word != "-" {
                try readShort(word, &words, options)
            } else {
                positional.append(word)
            }
        }
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The values of an option that may be given several times.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option; of several, the last.
    func last(_ name: String) -> String? { values[name]?.last }

    /// The file that `--output` names; nil: what is written goes to standard output, which `-` is, too.
    var output: String? { last("output").flatMap { $0 == "-" ? nil : $0 } }

    private mutating func readLong(
        _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name.isIdentical(to: name) }) else {
            throw UsageError("unknown option --\(name)", nearest: name, among: options.map(\.name), dashes: "--")
        }
        try add(option, parts.count > 1 ? String(parts[1]) : nil, &rest)
    }

    private mutating func readShort(
        _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw UsageError("unknown option -\(letter)")
            }
            if option.value != nil, !letters.isEmpty {
                try add(option, String(letters), &rest)
                return
            }
            try add(option, nil, &rest)
        }
    }

    private mutating func add(
        _ option: Option, _ value: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let placeholder = option.value else {
            if value != nil { throw UsageError("--\(option.name) takes no value") }
            values[option.name, default: []].append("")
            return
        }
        guard let value = value ?? rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
        }
        values[option.name, default: []].append(value)
    }
}
