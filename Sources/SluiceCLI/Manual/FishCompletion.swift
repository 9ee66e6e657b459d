import SluiceRecords

var fishCompletion: String {
    let first = "complete -c sluice -n __sluice_needs_command"
    let commands = Command.all.map { "\(first) -a \($0.name) -d \(fishQuoted($0.summary))\n" }.joined()
    return """
        # Completion of sluice for fish, made by `sluice --print-completion fish`.

        function __sluice_needs_command
            test (count (commandline -opc)) -eq 1
        end

        function __sluice_command_is
            set -l words (commandline -opc)
            test (count $words) -ge 2; and test $words[2] = $argv[1]
        end

        # The definition among the words, if there is one.
        function __sluice_definition
            for word in (commandline -opc)[3..-1]
                if string match -q '*.json*' -- $word; and test -f $word
                    echo $word
                    return 0
                end
            end
            return 1
        end

        function __sluice_entities
            set -l definition (__sluice_definition); and sluice --print-entities $definition 2>/dev/null
        end

        complete -c sluice -f
        \(first) -a help -d 'show the help of a command'
        complete -c sluice -n '__sluice_command_is help' -a '\(Command.all.map(\.name).joined(separator: " "))'
        \(first) \(fishOption(Command.help))
        \(first) \(fishOption(Command.version))
        \(commands)
        \(Command.all.map(fishArguments).joined(separator: "\n"))
        """
}

private func fishArguments(_ command: Command) -> String {
    let condition = "complete -c sluice -n '__sluice_command_is \(command.name)'"
    let options = command.allOptions.map { "\(condition) \(fishOption($0))\n" }.joined()
    let further = "complete -c sluice -n '__sluice_command_is \(command.name); and __sluice_definition >/dev/null'"
    let begin = "complete -c sluice -n '__sluice_command_is \(command.name); and not __sluice_definition >/dev/null'"
    return options + "\(begin) \(fishOffer(command.completion))\n\(further) \(fishOffer(command.furtherCompletion))\n"
}

private func fishOption(_ option: Option) -> String {
    let short = option.short.map { "-s \($0) " } ?? ""
    let value = option.completion.map { "\($0.isFiles ? "-r" : "-x") \(fishOffer($0)) " } ?? ""
    return "\(short)-l \(option.name) \(value)-d \(fishQuoted(option.help))"
}

private func fishOffer(_ completion: Completion) -> String {
    switch completion {
    case .words(let words): "-a \(fishQuoted(words.joined(separator: " ")))"
    case .files, .definitions: "-F"
    case .entities: "-a '(__sluice_entities)'"
    case .nothing: ""
    }
}

private func fishQuoted(_ text: String) -> String {
    "'" + text.replacingExactly("\\", with: "\\\\").replacingExactly("'", with: "\\'") + "'"
}

extension Completion {
    fileprivate var isFiles: Bool {
        switch self {
        case .files, .definitions: true
        case .words, .entities, .nothing: false
        }
    }
}
