"""Runs relais.py, and plays a second writer at one chosen effect of it, after its builder has ended.

    python swapped.py NOTES NUMBER KIND PATH relais.py ARGUMENTS…

Effect NUMBER (from 1; 0 for none) after the builder's end finds PATH swapped in the way KIND says; NOTES gets one line
an effect. Effects are git calls and other processes, their ends, and everything that is written, renamed or removed.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from typing import Any, Callable

NAMED = frozenset("os.rename os.remove os.mkdir os.symlink os.chmod subprocess.Popen".split())
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND
SECRET = b"AKIA" + b"IOSFODNN7EXAMPLE"


def same_size(path: str) -> None:
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content.swapcase())


def secret(path: str) -> None:
    with open(path, "r+b") as file:
        size = len(file.read())
        file.seek(0)
        file.write((SECRET + b"\n").ljust(size, b"#"))


def link(path: str) -> None:
    os.unlink(path)
    os.symlink("../docs/guide.md", path)


def mode(path: str) -> None:
    os.chmod(path, 0o755)  # noqa: S103 as the builder might


KINDS: dict[str, Callable[[str], None]] = {
    "same size": same_size,
    "secret": secret,
    "link": link,
    "mode": mode,
    "delete": os.unlink,
}


class SecondWriter:
    def __init__(self, notes: str, chosen: int, kind: str, path: str) -> None:
        self.notes = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.chosen, self.kind, self.path = chosen, kind, os.path.abspath(path)
        self.count, self.has_built, self.is_busy = 0, False, False

    def happen(self, name: str) -> None:
        if not self.has_built or self.is_busy:
            return
        self.count += 1
        self.is_busy = True
        os.write(self.notes, f"{name}\n".encode())
        if self.count == self.chosen and os.path.isfile(self.path) and not os.path.islink(self.path):
            KINDS[self.kind](self.path)
        self.is_busy = False

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event in NAMED:
            self.happen(event)
        elif event == "open" and isinstance(args[0], (str, bytes)) and isinstance(args[2], int) and args[2] & WRITING:
            self.happen("open")

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(process: Any, *args: Any, **named: Any) -> Any:
            result = function(process, *args, **named)
            if process.returncode is not None:
                self.has_built = self.has_built or "--append-system-prompt-file" in process.args
                self.happen("ended")
            return result

        return wrapped


def main() -> None:
    notes, chosen, kind, path, script, *arguments = sys.argv[1:]
    writer = SecondWriter(notes, int(chosen), kind, path)
    sys.argv = [script, *arguments]
    subprocess.Popen.communicate = writer.around(subprocess.Popen.communicate)  # type: ignore[method-assign]
    subprocess.Popen.poll = writer.around(subprocess.Popen.poll)  # type: ignore[method-assign]
    sys.addaudithook(writer.hear)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
