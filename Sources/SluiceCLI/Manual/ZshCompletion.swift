import SluiceRecords

/// For `$fpath`, where zsh loads it when it is needed; it can be read with `source`, too.
var zshCompletion: String {
    let commands = Command.all.map { "            \(shellQuoted("\($0.name):\($0.summary)"))\n" }.joined()
    return """
        #compdef sluice
        # Completion of sluice for zsh, made by `sluice --print-completion zsh`.

        # The entities of the definition among the words.
        _sluice_entities() {
            local each names
            for each in $words[2,-1]; do
                if [[ $each == *.json* && -f $each ]]; then
                    names=(${(f)"$(sluice --print-entities $each 2>/dev/null)"})
                    compadd -a names
                    return
                fi
            done
        }

        _sluice() {
            local curcontext=$curcontext state
            local -a line commands
            _arguments -C \\
                '(- *)'{-h,--help}'[\(Command.help.help)]' \\
                '(- *)--version[\(Command.version.help)]' \\
                '1:command:->command' '*::argument:->arguments' && return
            case $state in
            command)
                commands=(
        \(commands)            'help:show the help of a command'
                )
                _describe command commands ;;
            arguments)
                curcontext=${curcontext%:*:*}:sluice-$line[1]:
                case $line[1] in
                help) _values command \(Command.all.map(\.name).joined(separator: " ")) ;;
        \(Command.all.map(zshArguments).joined())        esac ;;
            esac
        }

        if [[ $funcstack[1] == _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi

        """
}

private func zshArguments(_ command: Command) -> String {
    let offer =
        "\\\n                '1:argument:\(zshOffer(command.completion))'"
        + " '*:argument:\(zshOffer(command.furtherCompletion))'"
    let options = command.allOptions.map { "\\\n                \(zshOption($0)) " }.joined()
    return "        \(command.name))\n            _arguments -s -S \(options)\(offer) ;;\n"
}

/// As `_arguments` takes it: what excludes it, its spellings, its help, its value.
private func zshOption(_ option: Option) -> String {
    let help = "[" + option.help.replacingExactly("]", with: "\\]").replacingExactly("[", with: "\\[") + "]"
    let value = option.value.map { ":\($0.replacingExactly(":", with: "\\:")):" } ?? ""
    let rest = shellQuoted(help + value + (option.completion.map(zshOffer) ?? ""))
    let long = "--\(option.name)" + (option.value == nil ? "" : "=")
    guard let short = option.short else { return (option.repeats ? "'*'" : "") + long + rest }
    return "'(-\(short) --\(option.name))'{-\(short),\(long)}\(rest)"
}

private func zshOffer(_ completion: Completion) -> String {
    switch completion {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files: "_files"
    case .definitions: "_files -g \"*.json*(-.)\""
    case .entities: "_sluice_entities"
    case .nothing: " "
    }
}
