_relais() {
    local words="{{COMMANDS}}"
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
            "{{COMMAND}}") words="{{WORDS}}" ;;
        esac
    done
    # shellcheck disable=SC2207  # the bash of macOS has no mapfile
    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _relais relais relais.py ./relais.py
