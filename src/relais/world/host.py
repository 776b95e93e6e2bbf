"""This machine and this program: boot, processes by number, PATH, the file that relais is."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time

from relais.contract.codes import COMMAND_NAMES
from relais.text.words import iso
from relais.typed import Optional, Sequence


def boot_id() -> str:
    """Something that is the same until the machine is started again."""
    with contextlib.suppress(OSError):
        return read_text_unchecked("/proc/sys/kernel/random/boot_id").strip()
    return said(["sysctl", "-n", "kern.bootsessionuuid"])


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
        done = subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
        return done.stdout.decode("utf-8", "replace").strip()
    return ""


def absolute_path_variable() -> str:
    """PATH without its relative and empty entries: those would run programs out of the repo."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def find_program(name: str, root: str) -> Optional[str]:
    """The absolute path of a command; one with a slash is looked up from the repo's root."""
    folders = absolute_path_variable().split(os.pathsep)
    candidates = [os.path.join(root, name)] if "/" in name else [os.path.join(folder, name) for folder in folders]
    for candidate in candidates:
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    return None


def utc_now() -> str:
    return iso(time.time())


def state_home() -> str:
    """Where programs keep what must survive: XDG's state folder, or a private one under the temp folder."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    with contextlib.suppress(OSError):
        os.makedirs(os.path.join(home, "relais"), 0o700, exist_ok=True)
        if os.access(os.path.join(home, "relais"), os.W_OK):
            return home
    return os.path.join(os.environ.get("TMPDIR") or "/tmp", f"relais-{os.getuid()}")  # noqa: S108 made 0700 below


def digest_of(data: bytes) -> bytes:
    import hashlib

    return hashlib.sha1(data, usedforsecurity=False).digest()


def quoted(path: str) -> str:
    """`path` as a person can paste it into a shell."""
    import shlex

    return shlex.quote(path)


def typed(remedy: str) -> str:
    """A remedy as it can be typed here: `relais run` where relais is installed, `python3 relais.py run` where it is not."""
    program = "relais" if os.path.basename(sys.argv[0]) == "relais" else f"python3 {quoted(sys.argv[0])}"
    names = "|".join(COMMAND_NAMES)
    return re.sub(rf"\brelais (?=(?:{names})\b)", lambda _: f"{program} ", remedy)


class Library:
    """What Python may still load: anything before the first builder of this process begins, nothing after."""

    is_closed = False
