"""What a command is, and the options that all of them take."""

from __future__ import annotations

from relais.commands.output import Arguments
from relais.typed import Callable, Json, NamedTuple


class Command(NamedTuple):
    """What people type, and who does it."""

    name: str
    obey: Callable[[Arguments], int]
    help: str
    options: tuple[tuple[tuple[str, ...], Json], ...] = ()
    example: str = ""


COMMON_OPTIONS: tuple[tuple[tuple[str, ...], Json], ...] = (
    (("-C",), {"dest": "directory", "metavar": "DIR", "help": "work as if started in DIR"}),
    (("--json",), {"action": "store_true", "help": "one JSON object on stdout, everything else on stderr"}),
    (("--quiet",), {"action": "store_true", "help": "no progress"}),
    (("--verbose",), {"action": "store_true", "help": "show tracebacks"}),
)
