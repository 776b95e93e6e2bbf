"""How relais was started: whose code Python has run before relais could look after that, and what is refused because of it."""

from __future__ import annotations

import contextlib
import os
import re
import sys

from relais.commands.output import Arguments
from relais.contract.codes import Code
from relais.contract.findings import Halt, halt
from relais.starting import Began, library_folders
from relais.text.words import shortened, visible
from relais.typed import Iterator, Mapping, NamedTuple, Optional
from relais.world.host import leads_into, quoted
from relais.world.repo import open_repo
from relais.world.screen import Screen

# What judges or writes must not run beside a builder's code; whoever only looks is warned.
BOUND_COMMANDS = frozenset(("run", "loop", "recover", "rescue apply"))

# Obeyed by Python when it starts, unless with -I or -E.
PYTHON_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX")
# Obeyed by the loader of every program: only whoever starts relais can leave them out.
LOADER_VARIABLES = (
    "LD_LIBRARY_PATH LD_PRELOAD LD_AUDIT DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_FALLBACK_LIBRARY_PATH "
    "DYLD_FALLBACK_FRAMEWORK_PATH DYLD_INSERT_LIBRARIES"
).split()
# These name libraries, not folders: one without a slash is looked for where the system has its own.
LIBRARY_NAMES = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")
# Obeyed by libraries when they are first used: not yet, when relais takes over.
LATER_VARIABLES = ("OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GCONV_PATH")

WHY_NOT = "what a builder wrote there would run as relais, with all that you may do"


class Intrusion(NamedTuple):
    """A way by which Python may have run what a builder wrote, and how to start relais without it."""

    words: str
    option: str = "-I"
    unset: str = ""


class Start(NamedTuple):
    """How this Python was started, as far as that decides whose code it ran."""

    root: str
    environment: Mapping[str, str]
    path: tuple[str, ...]
    loaded: tuple[str, ...]
    is_path_safe: bool = False
    ignores_environment: bool = False
    is_inspecting: bool = False
    runs_a_file: bool = True


def check_start(args: Arguments) -> None:
    """Refuse, or warn of, a start by which a builder's code may run as relais; what relais starts obeys none of it."""
    root = repo_root(args.directory)
    if root is None:
        return
    found = list(intrusions(this_start(root)))
    for name in (*LOADER_VARIABLES, *LATER_VARIABLES):
        if inside_entries(root, name, os.environ):
            del os.environ[name]
    words = "; ".join(intrusion.words for intrusion in found)
    if not found:
        return
    if {args.command.name, f"{args.command.name} {getattr(args, 'action', '')}"} & BOUND_COMMANDS:
        raise halt(Code.BLOCKED_MISSING_CONFIG, f"{words}: {WHY_NOT}", remedies=(safe_command(found, sys.argv[1:]),))
    Screen(quiet=args.quiet).line(f"relais: warning: {visible(words)}: {WHY_NOT}; `run` is refused so")


def repo_root(directory: str) -> Optional[str]:
    with contextlib.suppress(Halt):  # where there is no repository, each command says what that means for it
        return open_repo(directory).root
    return None


def this_start(root: str) -> Start:
    flags, main = sys.flags, sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)  # a module's; or that of the archive which was named like a script
    return Start(
        root,
        os.environ,
        Began.path,
        Began.loaded,
        is_path_safe=bool(flags.isolated or getattr(flags, "safe_path", False)),
        ignores_environment=bool(flags.ignore_environment),
        is_inspecting=bool(flags.inspect),
        runs_a_file=hasattr(main, "__file__") and (spec is None or spec.name == "__main__"),
    )


def intrusions(start: Start) -> Iterator[Intrusion]:
    """Every way by which Python may have run code of the repo before relais began."""
    for name in () if start.ignores_environment else PYTHON_VARIABLES:
        inside = inside_entries(start.root, name, start.environment)
        if inside:
            yield Intrusion(
                f"{name} leads into this repo ({', '.join(map(shown_entry, inside))}), and Python obeyed it"
            )
    for name in LOADER_VARIABLES:
        inside = inside_entries(start.root, name, start.environment)
        if inside:
            yield Intrusion(f"{name} leads into this repo ({', '.join(map(shown_entry, inside))})", unset=name)
    first = start.path[:1] if not start.is_path_safe else ()
    if any(leads_into(start.root, entry) for entry in first):
        if not start.runs_a_file:
            yield Intrusion("`python -m` and `python -c` take modules from the folder they are started in, this repo")
        elif start.is_inspecting:
            yield Intrusion("`python -i` takes a module from beside relais.py, in this repo")
    loaded = [path for path in start.loaded if is_foreign(start.root, path)]
    if loaded:
        yield Intrusion(f"Python has loaded {', '.join(shortened(loaded, 3))} out of this repo", option="-I -S")


def inside_entries(root: str, name: str, environment: Mapping[str, str]) -> list[str]:
    """The places in a variable that lie in the repo; an empty one means the folder that a program is started in."""
    value = environment.get(name)
    if not value:
        return []
    if name in LIBRARY_NAMES:
        return [entry for entry in re.split(r"[:\s]", value) if "/" in entry and leads_into(root, entry)]
    return [entry for entry in value.split(os.pathsep) if leads_into(root, entry)]


def shown_entry(entry: str) -> str:
    return entry or "an empty entry: the current folder"


def is_foreign(root: str, path: str) -> bool:
    """Whether a loaded file is the repo's, and not of the library or environment of a Python that lies in there."""
    if not leads_into(root, path):
        return False
    is_environments = leads_into(sys.prefix, path) and ("/site-packages/" in path or "/dist-packages/" in path)
    return not (is_environments or any(leads_into(folder, path) for folder in library_folders()))


def safe_command(found: list[Intrusion], arguments: list[str]) -> str:
    """What was typed, as it is to be typed."""
    name = sys.argv[0]
    is_installed = os.path.basename(name) in ("relais", "__main__.py")
    option = "-I" if is_installed else max((intrusion.option for intrusion in found), key=len)
    program = "relais.py" if name in ("-c", "-") else quoted(name)
    start = f"{quoted(sys.executable)} -I -m relais" if is_installed else f"python3 {option} {program}"
    unset = "".join(f"-u {intrusion.unset} " for intrusion in found if intrusion.unset)
    return " ".join([f"env {unset}{start}" if unset else start, *map(quoted, arguments)])


def interpreter_warnings(root: str) -> Iterator[str]:
    """What of Python itself lies in the repo, where a builder may write."""
    if any(leads_into(root, path) for path in (sys.executable, sys.prefix, sys.base_prefix)):
        yield f"{sys.executable} lies in this repo: {WHY_NOT}; start relais by a python3 outside"
    ends = [place for place, entry in enumerate(Began.path) if entry in library_folders()]
    installed = [entry for entry in Began.path[max(ends, default=0) + 1 :] if leads_into(root, entry)]
    if installed:
        where = ", ".join(shortened(installed, 3))
        yield f"{where}: site-packages of this Python, and a sitecustomize.py in there would run as relais; python3 -I -S avoids it"
