"""What a check was refused by its jail, told from its own words, and the entry that would allow it."""

from __future__ import annotations

import os
import re

from relais.contract.places import NEVER_ADVISED, NEVER_ADVISED_BELOW
from relais.text.paths import lies_in
from relais.typed import Callable, Iterator, NamedTuple, Optional

# How programs tell that something was refused, by what the entry that allows it is called. First match wins.
READ_ONLY_WORDS = r"read-only file ?system|\bEROFS\b|(?:could not|cannot|unable to|failed to) create"
SIGNS: dict[str, tuple[tuple[str, str], ...]] = {
    "landlock": (("write", r"permission denied|\bEACCES\b"),),
    "sandbox-exec": (("write", r"operation not permitted|\bEPERM\b"),),
    "": (
        ("write", READ_ONLY_WORDS),
        ("sockets", r"connection refused|\bECONNREFUSED\b|not a socket|\bENOTSOCK\b"),
        ("read", r"no such file or directory|\bENOENT\b"),
    ),
}
NO_NETWORK = (
    r"(?i)network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|name resolution|could not resolve host|failed to lookup"
)
A_PATH = r"(?:^|[\s'\"‘`(=:\[])(/[^\s'\"’`:,;)\]]+)"
MAX_LINES, MAX_DENIALS = 2000, 10


class Denial(NamedTuple):
    """Something that a check says it was refused: how it would have used it, and where it is."""

    use: str
    path: str


class Confines(NamedTuple):
    """What a jail left open and what it closed; which of that stays closed whatever a check asks for."""

    sandbox: str
    root: str
    home: str
    left_open: tuple[str, ...]
    hidden: tuple[str, ...]
    closed: tuple[str, ...]


def told_denials(output: str, sandbox: str) -> Iterator[Denial]:
    """What the words of a check say. They are the builder's words too: nothing may follow from them but advice."""
    signs = SIGNS.get(sandbox, SIGNS[""])
    for line in output.splitlines()[-MAX_LINES:]:
        use = next((use for use, pattern in signs if re.search(pattern, line, re.IGNORECASE)), None)
        for path in re.findall(A_PATH, line) if use else ():
            yield Denial(str(use), os.path.normpath(path.rstrip("/.") or "/"))


def is_among(path: str, places: tuple[str, ...]) -> bool:
    return any(lies_in(path, place) for place in places)


def is_the_jails(denial: Denial, confines: Confines) -> bool:
    """Whether it can have been the jail that refused this."""
    is_hidden = is_among(denial.path, confines.hidden)
    return is_hidden if denial.use != "write" else is_hidden or not is_among(denial.path, confines.left_open)


def advice(denial: Denial, confines: Confines, is_folder: Callable[[str], bool]) -> str:
    """What to tell about a denial: the entry that would allow it, unless nobody should be advised to add it."""
    shown = re.sub(f"^{re.escape(confines.home)}(?=/|$)", "~", denial.path)
    if is_among(denial.path, confines.closed):
        return f"{shown} stays closed to checks"
    folder = opened_by(denial, is_folder) if denial.use == "write" else denial.path
    if folder is None or is_never_advised(folder, confines.home):
        return f"{shown} is read-only for checks"
    entry = re.sub(f"^{re.escape(confines.home)}(?=/)", "~", folder)
    return f'{shown}: "{entry}" in verification.reach.{denial.use} would allow it'


def is_never_advised(path: str, home: str) -> bool:
    """Whether opening this would let a check leave something that a later program obeys."""
    alone, below = ([os.path.join(home, name) for name in names] for names in (NEVER_ADVISED, NEVER_ADVISED_BELOW))
    return path in (home, *alone) or is_among(path, tuple(below))


def opened_by(denial: Denial, is_folder: Callable[[str], bool]) -> Optional[str]:
    """The folder that must be writable: the innermost one that is there."""
    folder = denial.path
    while not is_folder(folder) and folder.count("/") > 1:
        folder = folder.rpartition("/")[0]
    return folder if is_folder(folder) else None


def advised(output: str, confines: Confines, network: bool, is_folder: Callable[[str], bool]) -> list[str]:
    """Everything to tell about what a failed check was refused."""
    denials = dict.fromkeys(told_denials(output, confines.sandbox))
    told = [advice(denial, confines, is_folder) for denial in denials if is_the_jails(denial, confines)]
    if not network and re.search(NO_NETWORK, output):
        told.append("the network: verification.network would allow it")
    return list(dict.fromkeys(told))[:MAX_DENIALS]
