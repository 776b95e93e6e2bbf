"""Runs relais.py and does something to it at one chosen effect: before or after a write, fsync, rename, spawn or git call.

    python effects.py NOTES NUMBER SIGNAL relais.py ARGUMENTS…

Effect NUMBER (from 1) brings SIGNAL upon the runner; 0 lets it through to the end. NOTES gets the name of each effect,
one a line. The hook is Python's own audit hook, so that the runner has no idea and no code for it.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from typing import Any, Callable

NAMED = frozenset(
    "os.rename os.remove os.mkdir os.rmdir os.link os.symlink os.chmod os.utime os.truncate subprocess.Popen".split()
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND


class Effects:
    def __init__(self, notes: str, chosen: int, number: int) -> None:
        self.notes = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.chosen, self.number, self.count = chosen, number, 0

    def happen(self, name: str) -> None:
        self.count += 1
        os.write(self.notes, f"{name}\n".encode())
        if self.count == self.chosen:
            os.kill(os.getpid(), self.number)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "os.chmod" and "/objects/" in os.fsdecode(args[0]):
            return  # whether that folder is new depends on the name of the commit, which is another one each time
        if event in NAMED:
            what = args[0] if event != "subprocess.Popen" else " ".join(map(str, args[1]))[-60:]
            self.happen(f"{event} {what!r}")
        elif event == "open" and isinstance(args[0], (str, bytes)) and isinstance(args[2], int) and args[2] & WRITING:
            self.happen(f"open {args[0]!r}")

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **named: Any) -> Any:
            self.happen(f"before {name}")
            result = function(*args, **named)
            self.happen(f"after {name}")
            return result

        return wrapped


def main() -> None:
    notes, chosen, number, script, *arguments = sys.argv[1:]
    effects = Effects(notes, int(chosen), int(number))
    sys.argv = [script, *arguments]
    os.fsync = effects.around("fsync", os.fsync)
    subprocess.Popen.__init__ = effects.around("spawn", subprocess.Popen.__init__)  # type: ignore[method-assign]
    sys.addaudithook(effects.hear)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
