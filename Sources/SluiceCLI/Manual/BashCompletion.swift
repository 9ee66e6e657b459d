/// It needs nothing but bash itself, as not everyone has the package bash-completion.
var bashCompletion: String {
    let commands = Command.all.map(\.name).joined(separator: " ")
    return """
        # Completion of sluice for bash, made by `sluice --print-completion bash`.

        _sluice_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

        _sluice_files() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$1")
        }

        _sluice_definitions() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -X '!*.json*' -- "$1"; compgen -d -- "$1")
        }

        _sluice() {
            local word=${COMP_WORDS[COMP_CWORD]} first=$COMP_CWORD option
            COMPREPLY=()
            # Bash makes each equals sign a word of its own: --feed=main=x and --feed main=x are several.
            while [[ ${COMP_WORDS[first]} == = || ${COMP_WORDS[first - 1]} == = ]]; do ((first -= 1)); done
            if [[ $word == = ]]; then word=; fi
            option=${COMP_WORDS[first - 1]}
            if ((first < COMP_CWORD)) && [[ ${COMP_WORDS[first]} == -* ]]; then option=${COMP_WORDS[first]}; fi
            if ((COMP_CWORD == 1)); then
                _sluice_words '\(commands) --help --version' "$word"
                return
            fi
            case "${COMP_WORDS[1]} $option" in
        \(Command.all.map(bashValues).joined())\
            esac
            case ${COMP_WORDS[1]} in
        \(Command.all.map(bashArguments).joined())\
            esac
        }

        complete -F _sluice sluice

        """
}

/// What may follow the options of a command.
private func bashValues(_ command: Command) -> String {
    command.options.filter { $0.value != nil }.map { option in
        let patterns = option.spellings.map { "'\(command.name) \($0)'" }.joined(separator: " | ")
        return "    \(patterns)) \(bashOffer(option.completion ?? .nothing)); return ;;\n"
    }.joined()
}

private func bashArguments(_ command: Command) -> String {
    let options = command.allOptions.flatMap(\.spellings).joined(separator: " ")
    return """
            \(command.name))
                if [[ $word == -* ]]; then _sluice_words '\(options)' "$word"; else \(bashOffer(command.completion)); fi ;;

        """
}

private func bashOffer(_ completion: Completion) -> String {
    switch completion {
    case .words(let words): "_sluice_words '\(words.joined(separator: " "))' \"$word\""
    case .files: "_sluice_files \"$word\""
    case .definitions: "_sluice_definitions \"$word\""
    case .nothing: ":"
    }
}
