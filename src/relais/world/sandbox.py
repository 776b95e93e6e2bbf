"""Four ways to confine a command, each found to hold by trying."""

from __future__ import annotations

import json
import os
import sys
from functools import cache, partial

from relais.text.paths import is_below
from relais.typed import Iterator, Mapping, NamedTuple
from relais.world.carried import asset
from relais.world.files import fresh_folder, read_text
from relais.world.host import OBEYED_EARLY, own_program, quoted, said
from relais.world.looks import regular_files, walk


class Places(NamedTuple):
    """What a confined command may write to, all else being read-only, and the exceptions: of two places the inner one counts.

    What is private can be written to, but nobody else sees it, where the system can: else it is writable, and what is
    passing is read-only; what is empty is a folder of its own; what is
    hidden is not there at all. Of one place in two lists the later one counts.
    """

    writable: tuple[str, ...]
    read_only: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    network: bool = True
    scratch: str = ""
    note: str = ""
    environment: Mapping[str, str] = {}


LAYER_KINDS = ("passing", "writable", "private", "read_only", "empty", "hidden")


def layers(places: Places) -> list[tuple[str, str]]:
    """Every place with what becomes of it, the outer ones first; without those that the place around them has settled."""
    kinds = {path: kind for kind in LAYER_KINDS for path in getattr(places, kind)}
    wanted = {path: kind for path, kind in kinds.items() if kind not in SETTLED_BY[kind_around(path, kinds)]}
    pinned = dict.fromkeys(pinned_folders(wanted), "writable")
    wanted = {**pinned, **wanted}
    return sorted(wanted.items(), key=lambda layer: layer[0].count("/"))


def kind_around(path: str, kinds: Mapping[str, str]) -> str:
    """What becomes of the innermost place that a path lies in; the whole disk is read-only."""
    folder = os.path.dirname(path)
    while folder not in kinds and folder != "/":
        folder = os.path.dirname(folder)
    return kinds.get(folder, "read_only")


SETTLED_BY: Mapping[str, tuple[str, ...]] = {
    "writable": ("writable",),
    "private": ("private",),
    "passing": ("passing",),
    "read_only": ("read_only",),
    "empty": ("empty", "hidden"),
    "hidden": ("empty", "hidden"),
}


def pinned_folders(kinds: Mapping[str, str]) -> Iterator[str]:
    """The folders between a writable place and what is guarded in it: as mounts of their own nobody can rename them."""
    for path, kind in kinds.items():
        above = [place for place, other in kinds.items() if other == "writable" and is_below(path, place)]
        if above and kind in ("read_only", "hidden"):
            folder = os.path.dirname(path)
            while is_below(folder, max(above, key=len)):
                yield folder
                folder = os.path.dirname(folder)


def unix_sockets() -> list[str]:
    """Every socket with a place on disk that some program has opened (Linux): a read-only disk does not close them."""
    rows = (line.split(maxsplit=7) for line in read_text("/proc/net/unix").splitlines()[1:])
    return [row[7] for row in rows if len(row) > 7 and row[7].startswith("/")]


def taken_aside(env: dict[str, str]) -> dict[str, str]:
    """What the command obeys, and the programs that confine it must not."""
    return {name: env.pop(name) for name in list(env) if name.startswith(OBEYED_EARLY)}


TOLD = ("network", "scratch", "note", "environment")


def launched(kind: str, places: Places) -> list[str]:
    """Our own program, in the interpreter that runs us."""
    import marshal

    told = {"kind": kind, "layers": layers(places), **{name: getattr(places, name) for name in TOLD}}
    return [sys.executable, "-I", "-S", "-c", asset("jail.py"), marshal.dumps(told).hex()]


# Root owns them, with or without powers. As in jail.py, which imports nothing of ours.
KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")


def namespaces(places: Places) -> list[str]:
    """Spaces of its own for users, mounts and processes (Linux): the kernel refuses writes, and ends what is left behind."""
    return launched("namespaces", places)


def bubblewrap(places: Places) -> list[str]:
    """The same through bwrap, which may be allowed to where we are not, and in it our program; private places are writable ones there."""
    program = own_program("bwrap", *places.writable) or "bwrap is not on PATH"
    argv = [program, "--die-with-parent", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]
    argv += [] if places.network else ["--unshare-net"]
    argv += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]  # devices and terminals of its own
    argv += [word for path in KERNEL_SETTINGS for word in ("--ro-bind-try", path, path)]
    options = {"writable": "--bind", "private": "--bind", "read_only": "--ro-bind"}
    found = [(path, kind) for path, kind in layers(places._replace(passing=())) if os.path.exists(path)]
    for path, kind in found:
        is_folder = os.path.isdir(path)
        argv += [options[kind], path, path] if kind in options else []
        argv += (["--tmpfs", path] if is_folder else ["--ro-bind", "/dev/null", path]) if kind not in options else []
    for path, kind in found:
        argv += ["--remount-ro", path] if kind == "hidden" and os.path.isdir(path) else []
    return [*argv, "--", *launched("bwrap", places)]


def landlock(places: Places) -> list[str]:
    """Rules that only widen on the way down: nothing outside the repo can be written; inside, the Judge is alone."""
    return launched("landlock", places)


def seatbelt(places: Places) -> list[str]:
    """macOS: a profile in which the last match wins."""
    quote = partial(json.dumps, ensure_ascii=False)
    verbs = {"writable": "allow file-write*", "private": "allow file-write*", "read_only": "deny file-write*"}
    rules = ["(version 1)", "(allow default)", "(deny file-write*)", '(allow file-write* (subpath "/dev"))']
    for path, kind in layers(places._replace(empty=(), passing=())):
        rules.append(f"({verbs.get(kind, 'deny file-read* file-write*')} (subpath {quote(path)}))")
    rules += [f"(deny file-write-unlink (literal {quote(path)}))" for path in pinned_folders(dict(layers(places)))]
    rules += [] if places.network else ["(deny network*)"]
    set_here = ["/usr/bin/env", *(f"{name}={value}" for name, value in places.environment.items())]
    return ["sandbox-exec", "-p", "\n".join(rules), *(set_here if places.environment else [])]


# Where the kernel itself keeps relais/ as it is, the runs too old to be backed up need no walk of their own.
READ_ONLY_WORKSPACE = ("namespaces", "bwrap")
# Where whatever a command leaves behind ends with it.
OWN_PROCESSES = ("namespaces", "bwrap")
SANDBOXES = {"namespaces": namespaces, "bwrap": bubblewrap, "landlock": landlock, "sandbox-exec": seatbelt}
STRONGEST = "namespaces"


@cache
def working_sandbox(folder: str) -> str:
    """The first kind of sandbox that holds here, found by really trying in a scratch folder; "none" if none does."""
    inside, outside = os.path.join(folder, "repo"), os.path.join(folder, "outside")
    attempt = f"echo > {quoted(inside)}/may; echo > {quoted(inside)}/kept/must-not; echo > {quoted(outside)}/must-not"
    for name, wrap in SANDBOXES.items():
        fresh_folder(folder)
        for path in (os.path.join(inside, "kept"), outside):
            os.makedirs(path)
        said([*wrap(Places((inside,), (os.path.join(inside, "kept"),))), "/bin/sh", "-c", attempt], cwd=folder)
        written = {path for path, _, _ in regular_files(walk(folder, lambda *_: False))}
        if written == {"repo/may"} or (name == "landlock" and written == {"repo/may", "repo/kept/must-not"}):
            return name
    return "none"
