"""What people type: the table of commands, the parser, main."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
from functools import partial

from relais.commands.command import COMMON_OPTIONS, Command
from relais.commands.output import Arguments, Usage, edition, emit, print_out
from relais.commands.refusal import confess, refuse
from relais.commands.start import check_start
from relais.contract.codes import AGENT_NAMES, EXIT_SIGNAL, EXIT_USAGE
from relais.contract.findings import Halt
from relais.starting import trust_the_library_alone
from relais.text.words import visible
from relais.typed import Any, NoReturn, Optional, Sequence, cast
from relais.world.git import GitError
from relais.world.host import typed
from relais.world.processes import sweep
from relais.world.refusals import system_finding
from relais.world.screen import Screen, open_streams

# Each command's module is imported when the command is given: a start pays for what it does.


def obey_init(args: Arguments) -> int:
    from relais.commands.init import command_init

    return command_init(args)


def obey_doctor(args: Arguments) -> int:
    from relais.commands.doctor import command_doctor

    return command_doctor(args)


def obey_status(args: Arguments) -> int:
    from relais.commands.status import command_status

    return command_status(args)


def obey_run(args: Arguments) -> int:
    from relais.commands.run import command_run

    return command_run(args)


def obey_loop(args: Arguments) -> int:
    from relais.commands.loop import command_loop

    return command_loop(args)


def obey_recover(args: Arguments) -> int:
    from relais.commands.recover import command_recover

    return command_recover(args)


def obey_answer(args: Arguments) -> int:
    from relais.commands.answer import command_answer

    return command_answer(args)


def obey_history(args: Arguments) -> int:
    from relais.commands.history import command_history

    return command_history(args)


def obey_open(args: Arguments) -> int:
    from relais.commands.history import command_open

    return command_open(args)


def obey_rescue(args: Arguments) -> int:
    from relais.commands.rescue import command_rescue

    return command_rescue(args)


def obey_facts(args: Arguments) -> int:
    from relais.commands.facts import command_facts

    return command_facts(args)


def obey_demo(args: Arguments) -> int:
    from relais.commands.demo import command_demo

    return command_demo(args)


def obey_drill(args: Arguments) -> int:
    from relais.commands.drill import command_drill

    return command_drill(args)


def obey_completion(args: Arguments) -> int:
    from relais.commands.completion import command_completion

    return command_completion(args, COMMANDS)


COMMANDS = (
    Command("init", obey_init, "write the configuration and the workspace", (
        (("--goal",), {"metavar": "TEXT", "help": "what the agent is to work towards (relais/GOAL.md)"}),
        (("--agent",), {"choices": AGENT_NAMES, "help": "who works: Claude Code (the default) or another agent CLI"}),
        (("--commit",), {"action": "store_true", "help": "commit what was written, and nothing else"}),
        (("--make",), {"action": "store_true", "help": "write a Makefile for `make tick`, if none is there"}),
        (("--yes",), {"action": "store_true", "help": "ask nothing, take what is proposed"}),
        (("--force",), {"action": "store_true", "help": "write prompts and schemas anew even if edited"}),
    ), 'init --goal "make the tests fast" --commit'),
    Command("doctor", obey_doctor, "check everything a tick needs, with a fix for what fails", (
        (("--fix",), {"action": "store_true", "help": "write what is missing; never over what is there"}),
    ), "doctor --fix"),
    Command("status", obey_status, "where things stand", (
        (("--preflight",), {"action": "store_true", "help": "say what `run` would answer now"}),
    ), "status --preflight"),
    Command("run", obey_run, "run one tick", (
        (("--dry-run",), {"action": "store_true", "help": "stop after the Brain's task and show it"}),
    ), "run --dry-run"),
    Command("loop", obey_loop, "run ticks until they are done, or something needs you", (
        (("--mode",), {"required": True, "choices": ["milestone", "autonomous"], "help": "one milestone, or one after the other"}),
        (("--max-ticks",), {"type": int, "metavar": "N", "help": "at most so many ticks"}),
        (("--keep-going",), {"action": "store_true", "help": "go on after a tick that was stopped and rolled back"}),
    ), "loop --mode milestone --max-ticks 20"),
    Command("recover", obey_recover, "put the repo back after a tick that was cut off", (
        (("--keep",), {"action": "store_true", "help": "leave what may be yours or the builder's as it is"}),
        (("--undo",), {"action": "store_true", "help": "put that back, too; what is there goes to quarantine"}),
        (("--adopt",), {"action": "store_true", "help": "this repository was moved or brought back: that run is its own"}),
        (("--anew",), {"action": "store_true", "help": "this is another repository: leave that run's vault alone"}),
    ), "recover"),
    Command("answer", obey_answer, "answer the pending question", (
        (("text",), {"nargs": "*", "metavar": "TEXT", "help": "the answer"}),
        (("--choice",), {"type": int, "metavar": "N", "help": "one of the question's choices"}),
        (("--skip",), {"action": "store_true", "help": "let the Brain decide"}),
    ), "answer use the second one"),
    Command("history", obey_history, "the runs so far", (
        (("what",), {"nargs": "?", "metavar": "RUN_ID|prune", "default": "list", "help": "one run in full, or free space"}),
        (("--html",), {"action": "store_true", "help": "write them all on one page"}),
        (("--open",), {"action": "store_true", "help": "and open it in the browser"}),
        (("--keep",), {"type": int, "metavar": "N", "default": 50, "help": "how many runs `prune` leaves"}),
    ), "history --html --open"),
    Command("open", obey_open, "open what the last run left in the editor, or say where it is", (
        (("what",), {"choices": ["report", "diff", "log", "history"], "help": "the report, the diff, the checks' log, the page of all runs"}),
    ), "open report"),
    Command("rescue", obey_rescue, "work that was rolled back: see it, apply it, drop it", (
        (("action",), {"nargs": "?", "choices": ["list", "show", "apply", "drop"], "default": "list", "help": "list them (the default)"}),
        (("run_id",), {"nargs": "?", "metavar": "RUN_ID", "help": "which; the newest for show and apply"}),
    ), "rescue show"),
    Command("facts", obey_facts, "what the Brain should know for good", (
        (("action",), {"nargs": "?", "choices": ["add", "list", "rm"], "default": "list", "help": "list them (the default)"}),
        (("text",), {"nargs": "*", "metavar": "TEXT", "help": "the fact to add, or the number of the one to remove"}),
    ), "facts add the tests need a running database"),
    Command("demo", obey_demo, "see four ticks in a throw-away repo, without an account"),
    Command("drill", obey_drill, "attack every guard in a throw-away clone of this repo, and see whether it holds", (
        (("guard",), {"nargs": "?", "metavar": "GUARD", "help": "only this one, as the table names it"}),
    ), "drill git"),
    Command("completion", obey_completion, "a script that completes commands in your shell", (
        (("shell",), {"choices": ["bash", "zsh", "fish"], "help": "which shell"}),
    ), "completion bash >> ~/.bashrc"),
)  # fmt: skip


class Parser(argparse.ArgumentParser):
    """argparse, whose own words go where those of the commands go: a closed pipe is no error."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            print_out(message)
        else:
            Screen().write(message)


class ShowEdition(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print_out(f"{edition()}\n")
        parser.exit()


def help_style() -> Any:
    """How help is laid out. Told the width, argparse need not import what would measure it: that takes 4 ms."""
    columns = int(os.environ["COLUMNS"]) if os.environ.get("COLUMNS", "").isdecimal() else 0
    if not columns:
        with contextlib.suppress(OSError, ValueError):
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
    return partial(argparse.RawDescriptionHelpFormatter, max_help_position=28, width=max((columns or 80) - 2, 20))


def parser(argv: Sequence[str] = ()) -> Parser:
    """The parser of all commands, or of the one that `argv` names: each of the others would cost a millisecond."""
    asked, style = [command for command in COMMANDS if command.name in argv[:5]], help_style()
    is_clear = len(asked) == 1 or list(argv) == ["--version"]
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS, formatter_class=style)
    for flags, options in COMMON_OPTIONS:
        common.add_argument(*flags, **options)
    top = Parser(
        prog="relais",
        description="One safe step of agent coding at a time: Brain → Hands → Judge.",
        epilog='first time:    relais demo\nin your repo:  relais init --goal "what you want" --commit && relais run',
        formatter_class=style,
        parents=[common],
    )
    top.add_argument("--version", action=ShowEdition, nargs=0, help="which relais this is, and from which sources")
    names = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in asked if is_clear else COMMANDS:
        epilog = f"example: relais {command.example or command.name}"
        sub = names.add_parser(
            command.name,
            help=command.help,
            description=command.help,
            epilog=epilog,
            formatter_class=style,
            parents=[common],
        )
        sub.set_defaults(command=command)
        for flags, options in command.options:
            sub.add_argument(*flags, **options)
    return top


def main(argv: Optional[Sequence[str]] = None) -> int:
    gc.disable()  # one tick makes no cycles worth a search, and a look at a large repo would start hundreds
    open_streams()
    if argv is None:
        trust_the_library_alone()  # has been done, unless this file was imported
        argv = sys.argv[1:]
    args = parser(argv).parse_args(argv, argparse.Namespace(directory=".", json=False, quiet=False, verbose=False))
    with Screen.guarded():
        return obeyed(args)


def obeyed(args: Arguments) -> int:
    """Do as the arguments say; whatever goes wrong becomes a sentence and an exit status."""
    try:
        if not os.path.isdir(args.directory):
            raise Usage(f"there is no folder {args.directory}")
        check_start(args)
        return cast(int, args.command.obey(args))
    except Halt as halt:  # nothing was started, so there is no run to report on
        return refuse(args, halt.finding)
    except (OSError, GitError) as problem:
        return refuse(args, system_finding(problem))
    except Usage as problem:
        Screen().line(f"relais: {visible(typed(str(problem)))}")
        if args.json:
            emit(args, {"error": {"kind": "usage", "detail": str(problem)}}, ())
        return EXIT_USAGE
    except KeyboardInterrupt:
        sweep(spare=frozenset())  # git works in a session of its own, where Ctrl-C does not reach it
        return EXIT_SIGNAL + 2
    except Exception as bug:
        return confess(args, bug)
