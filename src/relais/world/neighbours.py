"""Other programs that work on the same git folder: whether one does, and waiting one's turn as git does."""

from __future__ import annotations

import contextlib
import os
import time

from relais.text.paths import lies_in
from relais.typed import Iterator, Optional, Sequence
from relais.world.files import read_bytes, remove
from relais.world.host import read_text_unchecked
from relais.world.looks import regular_files, walk

LOCK_PATIENCE_SECONDS = 10.0
OWN_LOCK = b"held by relais\n"


def is_git_at_work(folders: Sequence[str], commands: Sequence[str] = ()) -> bool:
    """Whether a git stands in one of these folders, at one of these commands (Linux; elsewhere waiting must do)."""
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            with contextlib.suppress(OSError):
                is_git = read_text_unchecked(f"/proc/{name}/comm").startswith("git")
                stands = os.readlink(f"/proc/{name}/cwd") if is_git else ""
                if is_git and any(lies_in(stands, folder) for folder in folders):
                    words = read_text_unchecked(f"/proc/{name}/cmdline").split("\0")
                    if not commands or not {*commands}.isdisjoint(words):
                        return True
    return False


def waited_for(path: str, seconds: float = LOCK_PATIENCE_SECONDS) -> bool:
    """Whether what another git keeps for a moment is gone, after a while at most."""
    deadline = time.monotonic() + seconds
    while os.path.lexists(path):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@contextlib.contextmanager
def git_lock(path: str) -> Iterator[None]:
    """Hold `path`.lock as git does, so that none writes `path` meanwhile.

    One that is held for longer than anybody's patience is a leftover: then we go on without it, as a person would.
    """
    lock, deadline = f"{path}.lock", time.monotonic() + LOCK_PATIENCE_SECONDS
    handle = taken(lock)
    while handle is None and os.path.isdir(os.path.dirname(path)) and time.monotonic() < deadline:
        time.sleep(0.005)
        handle = taken(lock)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)
            remove(lock)


def taken(lock: str) -> Optional[int]:
    with contextlib.suppress(OSError):
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        os.write(handle, OWN_LOCK)
        return handle
    return None


def release_own_locks(folder: str) -> None:
    """Locks of a relais that died: only one is at work at a time, so nobody holds them any more."""
    for path, _, size in regular_files(walk(folder, lambda _, name: name == "objects")):
        if path.endswith(".lock") and size == len(OWN_LOCK):
            with contextlib.suppress(OSError):
                if read_bytes(f"{folder}/{path}") == OWN_LOCK:
                    remove(f"{folder}/{path}")
