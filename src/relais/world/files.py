"""Files that survive a crash, and reading that follows no link."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time

from relais.contract.codes import CAPTURE_BYTES
from relais.contract.evidence import Look, parents
from relais.text.documents import strict_json, to_json
from relais.typed import Any, Callable, Iterator


def write_atomic(path: str, data: bytes) -> None:
    """Make `path` hold `data`, or leave it as it was: never anything in between, not even without power."""
    write_synced(path, data)
    sync_folder(os.path.dirname(path))


def write_synced(path: str, data: bytes) -> None:
    """As `write_atomic`, where the folder is made sure of by a later write."""
    write_derived(path, data, sync=os.fsync)


def write_derived(path: str, data: bytes, sync: Callable[[int], None] = lambda _: None) -> None:
    """As `write_atomic`, for what can be made again: whole or absent, without waiting for the disk."""
    scratch = path + ".tmp"
    remove(scratch)  # whatever it is: a pipe left there would be waited for, a link followed
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        sync(file.fileno())
    os.replace(scratch, path)


def write_new(path: str, data: bytes, mode: int) -> None:
    """A file of the runner's own where none is."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with open(handle, "wb") as file:
        file.write(data)


def sync_folder(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_json(path: str, document: Any) -> None:
    write_atomic(path, to_json(document))


def read_bytes(path: str, limit: int = 1 << 30, flags: int = os.O_NOFOLLOW) -> bytes:
    """A regular file's content, without following a link or waiting at a pipe."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    with open(handle, "rb") as file:
        seen = os.fstat(handle)
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(f"{path} is not a regular file")
        return file.read(min(limit, seen.st_size + CAPTURE_BYTES))  # Python takes the memory for all it may read


def file_digest(path: str, name: str) -> str:
    """A regular file's digest, however large it is; "" where it cannot be read."""
    import hashlib

    digest = hashlib.new(name, usedforsecurity=False)
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
        with open(handle, "rb") as file:
            for part in iter(lambda: file.read(CAPTURE_BYTES), b""):
                digest.update(part)
            return digest.hexdigest()
    return ""


def read_text(path: str, default: str = "") -> str:
    """A person's text file, behind a link if they like; `default` where there is none."""
    with contextlib.suppress(OSError, ValueError):  # ValueError: a NUL in its name
        return read_bytes(path, CAPTURE_BYTES, 0).decode("utf-8", "replace")
    return default


def read_json(path: str) -> Any:
    return strict_json(read_bytes(path).decode("utf-8"))


def remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def ensure_folder(root: str, relative: str, mode: int = 0o777) -> str:
    """`root/relative` as real folders all the way, open to us; an impostor on the way (a link, a file) is moved aside."""
    path = root
    for name in relative.split("/"):
        path = os.path.join(path, name)
        try:
            kind = stat.S_IFMT(os.lstat(path).st_mode)
        except FileNotFoundError:
            kind = 0
        if kind and kind != stat.S_IFDIR:
            os.rename(path, f"{path}.displaced-{os.getpid()}-{time.monotonic_ns():x}")
            kind = 0
        if not kind:
            os.mkdir(path, mode)
        let_in(path)
    return path


def remove_tree(path: str) -> None:
    """Delete a folder of the runner's own, never following a link; what resists is left for the next time."""
    folders = [path] if os.path.isdir(path) and not os.path.islink(path) else []
    for folder in folders:  # grows while it is read: parents stand before what they hold
        with contextlib.suppress(OSError):
            let_in(folder)
        with contextlib.suppress(OSError), os.scandir(folder) as scan:
            for entry in scan:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    with contextlib.suppress(OSError):
                        remove(entry.path)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def fresh_folder(path: str) -> str:
    """An empty folder of the runner's own; what was there and resists is moved out of its way."""
    remove_tree(path)
    if os.path.lexists(path):
        os.rename(path, f"{path}.displaced-{os.getpid()}-{time.monotonic_ns():x}")
    os.makedirs(path, 0o700)
    return path


def let_in(folder: str) -> None:
    """Open a folder that whoever made it has closed, to us too."""
    mode = stat.S_IMODE(os.lstat(folder).st_mode)
    if mode & 0o700 != 0o700:
        os.chmod(folder, mode | 0o700)


def is_inside(root: str, path: str) -> bool:
    resolved = os.path.realpath(os.path.join(root, path))
    return not os.path.isabs(path) and (resolved == root or resolved.startswith(root + os.sep))


def has_link_above(root: str, path: str) -> bool:
    return any(os.path.islink(os.path.join(root, part)) for part in (path, *parents(path)))


def rename(source: str, target: str) -> None:
    """Rename a file, a link, or a folder even if it is closed: one that changes its parent is written into."""
    if os.path.isdir(source) and not os.path.islink(source):
        let_in(source)
    os.rename(source, target)


def move(source: str, target: str) -> None:
    """Rename; where the target lies on another disk, copy and then remove."""
    try:
        rename(source, target)
    except OSError as problem:
        if problem.errno != errno.EXDEV:
            raise
        import shutil

        shutil.move(source, target)


def copy_file(source: str, target: str) -> None:
    """The bytes of a file that must stay where it is."""
    import shutil

    shutil.copyfile(source, target, follow_symlinks=False)


@contextlib.contextmanager
def writable(folder: str) -> Iterator[None]:
    """Let ourselves into a folder of ours that is closed, for the moment."""
    mode = stat.S_IMODE(os.stat(folder).st_mode)
    if mode & 0o700 == 0o700:
        yield
        return
    os.chmod(folder, mode | 0o700)
    try:
        yield
    finally:
        os.chmod(folder, mode)


def write_as(content: bytes, path: str, look: Look) -> None:
    """Write a file with the mode it had, whole or not at all.

    Its time is now: what a build made of a rejected version meanwhile must look older than what came back.
    """
    # Not the file's own name with something added: that may be as long as names get. Nor one that can be foreseen.
    scratch = os.path.join(os.path.dirname(path), f".relais-{os.urandom(8).hex()}")
    write_new(scratch, content, 0o600)
    os.chmod(scratch, look.permissions)
    freshen(scratch)
    os.replace(scratch, path)


def write_into(content: bytes, path: str, look: Look) -> None:
    """As `write_as`, into the very file that is there: its other names, in a store or a copy by links, get well with it."""
    os.chmod(path, look.permissions | 0o200)
    handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "wb") as file:
        if os.fstat(handle).st_ino != look.ino:
            raise OSError(f"{path} is another file by now")
        file.truncate(0)
        file.write(content)
    os.chmod(path, look.permissions)
    freshen(path)


def freshen(path: str) -> None:
    """Make this the newest there is: by the exact clock, since what the kernel writes down may be milliseconds late."""
    now = time.time_ns()
    os.utime(path, ns=(now, now), follow_symlinks=False)
