"""What a builder or a check of the oracle does to a repo, one small act after the other.

Played from its text inside the stand-in agent and inside checks, wherever these are confined: it stands alone, and what
the system refuses is passed over, as an agent's tool would.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator

LATE_SECONDS = 20
LARGE = 200_000  # more is compared by its digest


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(as_bytes(text))


def append(path: str, text: str) -> None:
    with open(path, "ab") as file:
        file.write(as_bytes(text))


def delete(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def rename(path: str, target: str) -> None:
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    os.rename(path, target)


def swap(path: str, other: str) -> None:
    rename(path, f"{path}.swapped")
    rename(other, path)
    rename(f"{path}.swapped", other)


def copy(path: str, target: str) -> None:
    """A file or a whole folder, with its times."""
    if os.path.isdir(path):
        shutil.copytree(path, target, symlinks=True)
    else:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)


def chmod(path: str, mode: int) -> None:
    if not os.path.islink(path):
        os.chmod(path, mode)


def link(target: str, path: str) -> None:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with contextlib.suppress(FileNotFoundError, IsADirectoryError):
        os.unlink(path)
    os.symlink(target, path)


def link_for_folder(target: str, path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
        os.symlink(target, path)


def hardlink(path: str, target: str) -> None:
    os.link(path, target, follow_symlinks=False)


def mkdir(path: str) -> None:
    os.makedirs(path)


def fifo(path: str) -> None:
    os.mkfifo(path)


def file_for_folder(path: str) -> None:
    if os.path.isdir(path):
        delete(path)
        write(path, "a file now\n")


def folder_for_file(path: str) -> None:
    if os.path.isfile(path):
        delete(path)
        write(f"{path}/inside.txt", "a folder now\n")


def touch(path: str, when: int) -> None:
    os.utime(path, (when, when))


def rewrite(path: str) -> None:
    """The same bytes in another file."""
    with open(path, "rb") as file:
        content = file.read()
    os.unlink(path)
    with open(path, "wb") as file:
        file.write(content)


def keep_time(path: str, text: str) -> None:
    """Another content of the same size with the old time: a look alone does not tell."""
    seen = os.stat(path)
    with open(path, "r+b") as file:
        file.write(as_bytes(text)[: seen.st_size].ljust(seen.st_size, b"\n"))
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def git(*args: str) -> None:
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["git", "-c", "user.name=B", "-c", "user.email=b@b.invalid", *args], check=False, timeout=30, **quiet)


def leave(path: str) -> None:
    """A process that outlives its agent, and writes late."""
    words = "import sys, time; time.sleep(float(sys.argv[1])); open(sys.argv[2], 'w').write('late')"
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.Popen([sys.executable, "-I", "-S", "-c", words, str(LATE_SECONDS), os.path.abspath(path)], start_new_session=True, **quiet)


def fail(status: int) -> None:
    sys.exit(status)


def content_of(path: str, mode: int) -> str:
    if not mode & 0o400:
        os.chmod(path, mode | 0o400)
    with open(path, "rb") as file:
        content = file.read().decode("latin-1")
    if not mode & 0o400:
        os.chmod(path, mode)
    return content if len(content) < LARGE else hashlib.sha256(content.encode()).hexdigest()


def entry(path: str) -> list[object]:
    """Kind, permissions, content (a link's target) and number of names of what stands at a path."""
    seen = os.lstat(path)
    mode = stat.S_IMODE(seen.st_mode)
    if stat.S_ISDIR(seen.st_mode):
        return ["folder", mode, "", 0]
    if stat.S_ISLNK(seen.st_mode):
        return ["link", 0, os.fsencode(os.readlink(path)).decode("latin-1"), 1]
    if stat.S_ISREG(seen.st_mode):
        return ["file", mode, content_of(path, mode), seen.st_nlink]
    return ["special", mode, "", 1]


@contextlib.contextmanager
def opened(folder: str) -> Iterator[None]:
    """A plain user must open what is closed to look into it; nobody can tell afterwards."""
    mode = stat.S_IMODE(os.lstat(folder).st_mode)
    try:
        if mode & 0o500 != 0o500:
            os.chmod(folder, mode | 0o500)
        yield
    finally:
        if mode & 0o500 != 0o500:
            os.chmod(folder, mode)


def snapshot(root: str, below: str = "") -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    with opened(os.path.join(root, below)):
        for name in os.listdir(os.path.join(root, below)):
            path = os.path.join(below, name)
            found[path] = entry(os.path.join(root, path))
            if found[path][0] == "folder":
                found.update(snapshot(root, path))
    return found


def see(_: str) -> None:
    """Tell what stands there: a line each with path and content."""
    for path, (kind, mode, content, _names) in sorted(snapshot(".").items()):
        if kind != "folder" and path.split("/")[0] not in (".git", "relais"):
            digest = hashlib.sha256(str(content).encode()).hexdigest()[:12]
            print("SEEN", json.dumps(path), kind, bool(mode & 0o100), digest)  # type: ignore[operator]


def note(notes: str, tree: str, git_dir: str) -> None:
    with open(notes, "w", encoding="utf-8") as file:
        json.dump({"tree": snapshot(tree), "git": snapshot(git_dir)}, file)


def perform(acts: list[list[object]]) -> None:
    for name, *args in acts:
        with contextlib.suppress(OSError, shutil.Error, subprocess.SubprocessError):
            globals()[str(name)](*args)


if __name__ == "__main__":
    perform(json.loads(sys.argv[1]))
