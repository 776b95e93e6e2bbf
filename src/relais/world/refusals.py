"""What the system or git can refuse where nobody expected it, and what to type then."""

from __future__ import annotations

import errno
import os

from relais.contract.codes import Code, ErrorKind
from relais.contract.findings import Finding
from relais.typed import Optional
from relais.world.git import GitError
from relais.world.host import quoted

# What shows the cause, by the system's own number for it. A disk is looked at only where a disk is the cause.
LOOK_AT_IT = ("ls -ld {place}",)
REFUSAL_REMEDIES: dict[int, tuple[str, ...]] = {
    errno.ENOSPC: ("df -h {place}", "df -i {place}"),
    errno.EDQUOT: ("quota -s", "df -h {place}"),
    errno.EFBIG: ("ulimit -f",),
    errno.EACCES: (*LOOK_AT_IT, "id"),
    errno.EPERM: (*LOOK_AT_IT, "id"),
    errno.EROFS: ("mount", *LOOK_AT_IT),
    errno.EMFILE: ("ulimit -n", "ulimit -n 4096"),
    errno.ENFILE: ("ulimit -n", "cat /proc/sys/fs/file-nr"),
    errno.EAGAIN: ("ulimit -u", "ps -u $USER"),
    errno.ENOMEM: ("free -h", "ulimit -v"),
    errno.ELOOP: (*LOOK_AT_IT, "readlink {place}"),
    errno.ENAMETOOLONG: ("getconf NAME_MAX .", "use a shorter name"),
    errno.EIO: ("dmesg | tail", "mount"),
    errno.ESTALE: ("mount", *LOOK_AT_IT),
    errno.ENOTCONN: ("mount", *LOOK_AT_IT),
    errno.EBUSY: ("mount", *LOOK_AT_IT),
    errno.ETXTBSY: ("fuser -v {place}",),
    errno.ENOEXEC: ("file {place}",),
    **dict.fromkeys(
        (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY, errno.EXDEV), LOOK_AT_IT
    ),
}


def system_finding(problem: Exception) -> Finding:
    """What the system or git refused, with what shows the cause."""
    remedies = (*refusal_remedies(problem), "git status" if isinstance(problem, GitError) else "relais doctor")
    detail = f"the system refused: {refusal_words(problem)}"
    return Finding(Code.STOP_INTERRUPTED, detail, remedies=remedies, error=ErrorKind.SYSTEM)


def refusal_remedies(problem: Exception) -> tuple[str, ...]:
    number = problem.errno if isinstance(problem, OSError) else number_in(str(problem))
    place = quoted(place_to_look(refused_path(problem)))
    return tuple(remedy.format(place=place) for remedy in REFUSAL_REMEDIES.get(number or 0, ()))


def number_in(words: str) -> Optional[int]:
    """The number behind the system's words, which git repeats: it speaks English to us (LC_ALL=C)."""
    return next((number for number in REFUSAL_REMEDIES if os.strerror(number) in words), None)


def refused_path(problem: Exception) -> str:
    name = getattr(problem, "filename", None)
    return os.fsdecode(name) if isinstance(name, (str, bytes)) else ""


def place_to_look(path: str) -> str:
    """The path itself, or the nearest above it that is there; where we stand, if a refusal names none."""
    while path and not os.path.lexists(path):
        path = os.path.dirname(path)
    return path or "."


def refusal_words(problem: Exception) -> str:
    """The refusal without the number, which nobody knows by heart."""
    words, path = getattr(problem, "strerror", None) or str(problem), refused_path(problem)
    return f"{words}: {path}" if path else words
