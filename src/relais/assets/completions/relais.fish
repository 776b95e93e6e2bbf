complete -c relais -f -n "not __fish_seen_subcommand_from {{COMMANDS}}" -a "{{COMMANDS}}"
complete -c relais -f -n "__fish_seen_subcommand_from {{COMMAND}}" -a "{{WORDS}}"
