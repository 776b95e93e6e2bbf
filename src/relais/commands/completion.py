"""relais completion: a script for the person's shell, made from the table of commands."""

from __future__ import annotations

import re

from relais.commands.command import COMMON_OPTIONS, Command
from relais.commands.output import Arguments, emit
from relais.typed import Sequence
from relais.world.carried import asset


def command_completion(args: Arguments, commands: Sequence[Command]) -> int:
    """A script for the person's shell, made from the parser: what it offers is what the parser takes."""
    names = " ".join(command.name for command in commands)
    words = {command.name: " ".join(completions(command)) for command in commands}
    script = asset(f"completions/relais.{args.shell}").replace("{{COMMANDS}}", names)
    row = re.search(r"(?m)^.*\{\{COMMAND\}\}.*\n", script)
    if row:
        rows = (row.group().replace("{{COMMAND}}", name).replace("{{WORDS}}", words[name]) for name in words)
        script = script.replace(row.group(), "".join(rows))
    emit(args, {"shell": args.shell, "script": script}, script.splitlines())
    return 0


def completions(command: Command) -> list[str]:
    """Every word that may stand behind a command: its flags, its choices, and what all commands take."""
    offered = []
    for flags, options in (*command.options, *COMMON_OPTIONS):
        offered += [flag for flag in flags if flag.startswith("-")] + list(options.get("choices", ()))
    return offered
