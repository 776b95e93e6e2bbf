_relais() {
    local -a words
    words=({{COMMANDS}})
    local word
    for word in ${(Q)${(z)BUFFER}}; do
        case $word in
            {{COMMAND}}) words=({{WORDS}}) ;;
        esac
    done
    compadd -- $words
}
compdef _relais relais relais.py
