"""Four ways to confine a command, each found to hold by trying."""

from __future__ import annotations

import json
import os
import sys
from functools import partial

from relais.typed import NamedTuple
from relais.world.carried import asset
from relais.world.files import fresh_folder
from relais.world.host import quoted, said
from relais.world.looks import regular_files, walk


class Places(NamedTuple):
    """What a confined command may write to, all else being read-only; what it may not inside of that; what it may not see."""

    writable: tuple[str, ...]
    read_only: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    network: bool = True
    note: str = ""


def namespaces(places: Places) -> list[str]:
    """Spaces of its own for users, mounts and processes (Linux): the kernel refuses writes, and ends what is left behind."""
    return [sys.executable, "-I", "-S", "-c", asset("jail.py"), json.dumps({"kind": "namespaces", **places._asdict()})]


def bubblewrap(places: Places) -> list[str]:
    """The same through bwrap, which may be allowed to where we are not."""
    argv = ["bwrap", "--die-with-parent", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]
    argv += [] if places.network else ["--unshare-net"]
    argv += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]  # devices and terminals of its own
    for path in filter(os.path.exists, places.hidden):
        argv += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    binds = [("--bind", path) for path in places.writable] + [("--ro-bind", path) for path in places.read_only]
    for option, path in sorted(binds, key=lambda bind: bind[1].count("/")):
        argv += [option, path, path] if os.path.exists(path) else []
    return [*argv, "--"]


def landlock(places: Places) -> list[str]:
    """Rules that only widen on the way down: nothing outside the repo can be written; inside, the Judge is alone."""
    return [sys.executable, "-I", "-S", "-c", asset("jail.py"), json.dumps({"kind": "landlock", **places._asdict()})]


def seatbelt(places: Places) -> list[str]:
    """macOS: a profile in which the last match wins."""
    quote = partial(json.dumps, ensure_ascii=False)
    rules = ["(version 1)", "(allow default)", "(deny file-write*)", '(allow file-write* (subpath "/dev"))']
    rules += [f"(allow file-write* (subpath {quote(path)}))" for path in places.writable]
    rules += [f"(deny file-write* (subpath {quote(path)}))" for path in places.read_only]
    rules += [] if places.network else ["(deny network*)"]
    return ["sandbox-exec", "-p", "\n".join(rules)]


# Where the kernel itself keeps relais/ as it is, the runs too old to be backed up need no walk of their own.
READ_ONLY_WORKSPACE = ("namespaces", "bwrap")
SANDBOXES = {"namespaces": namespaces, "bwrap": bubblewrap, "landlock": landlock, "sandbox-exec": seatbelt}


def working_sandbox(folder: str) -> str:
    """The first kind of sandbox that holds here, found by really trying in a scratch folder; "none" if none does."""
    inside, outside = os.path.join(folder, "repo"), os.path.join(folder, "outside")
    attempt = f"echo > {quoted(inside)}/may; echo > {quoted(inside)}/kept/must-not; echo > {quoted(outside)}/must-not"
    for name, wrap in SANDBOXES.items():
        fresh_folder(folder)
        for path in (os.path.join(inside, "kept"), outside):
            os.makedirs(path)
        said([*wrap(Places((inside,), (os.path.join(inside, "kept"),))), "/bin/sh", "-c", attempt])
        written = {path for path, _, _ in regular_files(walk(folder, lambda *_: False))}
        if written == {"repo/may"} or (name == "landlock" and written == {"repo/may", "repo/kept/must-not"}):
            return name
    return "none"
