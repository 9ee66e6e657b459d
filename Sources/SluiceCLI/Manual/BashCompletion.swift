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

        # The entities of the definition among the words.
        _sluice_entities() {
            local each
            for each in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                if [[ $each == *.json* && -f $each ]]; then
                    local IFS=$'\\n'
                    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --print-entities "$each" 2>/dev/null)" -- "$1")
                    return
                fi
            done
        }

        # Whether there is an argument before the word, which is none of an option.
        _sluice_further() {
            local at
            for ((at = 2; at < COMP_CWORD; at++)); do
                if [[ ${COMP_WORDS[at]} == *.json* && -f ${COMP_WORDS[at]} && ${COMP_WORDS[at - 1]} != -* ]]; then return 0; fi
            done
            return 1
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
                _sluice_words '\(commands) help --help --version' "$word"
                return
            fi
            if [[ ${COMP_WORDS[1]} == help ]]; then
                _sluice_words '\(commands)' "$word"
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
                if [[ $word == -* ]]; then _sluice_words '\(options)' "$word"
                elif _sluice_further; then \(bashOffer(command.furtherCompletion))
                else \(bashOffer(command.completion)); fi ;;

        """
}

private func bashOffer(_ completion: Completion) -> String {
    switch completion {
    case .words(let words): "_sluice_words '\(words.joined(separator: " "))' \"$word\""
    case .files: "_sluice_files \"$word\""
    case .definitions: "_sluice_definitions \"$word\""
    case .entities: "_sluice_entities \"$word\""
    case .nothing: ":"
    }
}
