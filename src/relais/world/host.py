"""This machine and this program: boot, processes by number, PATH, the file that relais is."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time

from relais.contract.codes import COMMAND_NAMES
from relais.text.paths import lies_in
from relais.text.words import iso
from relais.typed import Iterable, Iterator, Optional, Sequence


def boot_id() -> str:
    """Something that is the same until the machine is started again."""
    with contextlib.suppress(OSError):
        return read_text_unchecked("/proc/sys/kernel/random/boot_id").strip()
    return said(["sysctl", "-n", "kern.bootsessionuuid"])


def booted_at() -> int:
    """When this machine was started, in nanoseconds of its clock as it is now."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # sleep included, where the system tells
    return time.time_ns() - time.clock_gettime_ns(clock)


def mounts_below(folders: Sequence[str]) -> list[str]:
    """Every mount in one of these folders, one above the other included (Linux; elsewhere nobody tells)."""
    rows: list[str] = []
    with contextlib.suppress(OSError):
        rows = read_text_unchecked("/proc/self/mountinfo").splitlines()
    places = [re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), row.split(" ")[4]) for row in rows]
    return [place for place in places if any(lies_in(place, folder) for folder in folders)]


def process_started(pid: int) -> Optional[str]:
    """When a living process began, in the system's own words; None where there is no such process."""
    if os.path.isdir("/proc/self"):
        with contextlib.suppress(OSError, IndexError):
            fields = read_text_unchecked(f"/proc/{pid}/stat").rpartition(")")[2].split()
            return fields[19] if fields[0] != "Z" else None
        return None
    return said(["ps", "-o", "lstart=", "-p", str(pid)]) or None


def read_text_unchecked(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def said(argv: Sequence[str], cwd: Optional[str] = None) -> str:
    """What a small system command prints; nothing where it fails."""
    import subprocess

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        env, nothing = unmisled_environment(), subprocess.DEVNULL
        done = subprocess.run(argv, cwd=cwd, env=env, stdin=nothing, capture_output=True, timeout=10, check=False)
        return done.stdout.decode("utf-8", "replace").strip()
    return ""


def leads_into(root: str, path: str) -> bool:
    """Whether a path, as it is written or as links lead it, lies in a folder; what is relative begins where we are."""
    ways = (os.path.abspath(path), os.path.realpath(path))
    return any(lies_in(way, root) for way in ways)


# What a loader or an interpreter obeys before a program begins: what lies in the repo could speak through them.
OBEYED_EARLY = ("LD_", "DYLD_", "PYTHON", "GLIBC_", "GCONV_")


def unmisled_environment() -> dict[str, str]:
    """The person's environment without what would have another program run inside of git, a jail or the like."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OBEYED_EARLY)}


def absolute_path_variable() -> str:
    """PATH without its relative and empty entries: those would run programs out of the repo."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def path_outside(*roots: str) -> str:
    """PATH for what is relais's own: without the folders in which a builder can write, a repo's .venv/bin among them."""
    entries = absolute_path_variable().split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if not any(leads_into(root, entry) for root in roots))


def find_program(name: str, root: str) -> Optional[str]:
    """The absolute path of a command; one with a slash is looked up from the repo's root."""
    folders = absolute_path_variable().split(os.pathsep)
    candidates = [os.path.join(root, name)] if "/" in name else [os.path.join(folder, name) for folder in folders]
    return first_program(candidates)


def own_program(name: str, *roots: str) -> Optional[str]:
    """The absolute path of a program that relais itself relies on, never one that lies in these folders."""
    return first_program(
        path
        for path in (os.path.join(folder, name) for folder in path_outside(*roots).split(os.pathsep))
        if not any(leads_into(root, path) for root in roots)
    )


def first_program(candidates: Iterable[str]) -> Optional[str]:
    for candidate in candidates:
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    return None


def utc_now() -> str:
    return iso(time.time())


def state_home() -> str:
    """Where programs keep what must survive: XDG's state folder, or a private one under the temp folder."""
    given = os.environ.get("XDG_STATE_HOME", "")  # one that is not absolute is to be ignored, says XDG
    person = os.path.expanduser("~")
    home = given if os.path.isabs(given) else os.path.join(person, ".local", "state")
    is_usable = can_be_made(os.path.join(home, "relais")) and (home == given or is_ours(person))
    temp = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"relais-{os.getuid()}")  # noqa: S108 checked where it is used
    return os.path.realpath(home if is_usable else temp)


def system_home() -> str:
    """Where the system has this user's home, whatever HOME says: some programs look there for keys; "" where it has none."""
    import pwd

    with contextlib.suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_dir
    return ""


def links_to(path: str) -> Iterator[str]:
    """Every link by which a path leads to where it really lies, each by its folder's real name."""
    folder, names = "/", os.path.abspath(path).split("/")
    for _ in range(MAX_LINKS):
        while names and not os.path.islink(os.path.join(folder, names[0])):
            folder = os.path.normpath(os.path.join(folder, names.pop(0)))
        if not names:
            return
        link = os.path.join(folder, names.pop(0))
        yield link
        target = os.readlink(link)
        folder, names = "/" if os.path.isabs(target) else folder, [*target.split("/"), *names]


MAX_LINKS = 40  # as many as the kernel follows


def is_ours(path: str) -> bool:
    """Not so with a HOME that sudo or a CI left us."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_uid == os.geteuid()
    return False


def can_be_made(folder: str) -> bool:
    """Whether we may write in a folder, or in what is there of the way to it."""
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.access(folder, os.W_OK) and os.path.isdir(folder)


def digest_of(data: bytes) -> bytes:
    import hashlib

    return hashlib.sha1(data, usedforsecurity=False).digest()


def quoted(path: str) -> str:
    """`path` as a person can paste it into a shell."""
    import shlex

    return shlex.quote(path)


def typed(remedy: str) -> str:
    """A remedy as it can be typed here: `relais run` where relais is installed, `python3 relais.py run` where it is not."""
    name = os.path.basename(sys.argv[0])
    ways = {"relais": "relais", "__main__.py": "python3 -I -m relais"}
    program = ways.get(name, f"python3 {quoted(sys.argv[0])}")
    names = "|".join(COMMAND_NAMES)
    return re.sub(rf"(?<!-m )\brelais (?=(?:{names})\b)", lambda _: f"{program} ", remedy)


class Library:
    """What Python may still load: anything before the first builder of this process begins, nothing after."""

    is_closed = False
