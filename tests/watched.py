"""Runs relais, and notes what is imported and opened from the moment on at which its first builder is started.

    python -I -S watched.py NOTES package|FILE ""|bug ARGUMENTS…
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys

NOTES, PROGRAM, BUG, *ARGUMENTS = sys.argv[1:]
SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
seen: dict[str, list[str]] = {"builders": [], "imported": [], "opened": []}


def hear(event: str, args: tuple[object, ...]) -> None:
    if event == "subprocess.Popen" and "--append-system-prompt-file" in str(args[1]):
        seen["builders"].append(str(args[0]))
    elif seen["builders"] and event == "import":
        seen["imported"].append(str(args[0]))
    elif seen["builders"] and event == "open" and isinstance(args[0], str):
        seen["opened"].append(os.path.realpath(args[0]))


def write() -> None:
    noted = json.dumps(seen)
    with open(NOTES, "w", encoding="utf-8") as file:
        file.write(noted)


def break_the_judge() -> None:
    from relais.tick import tick

    def broken(*_: object) -> None:
        raise ZeroDivisionError("the Judge is broken")

    tick.judge = broken


def main() -> None:
    sys.argv = ["relais.py", *ARGUMENTS]
    atexit.register(write)
    if PROGRAM != "package":
        sys.addaudithook(hear)
        runpy.run_path(PROGRAM, run_name="__main__")
        return
    sys.path.insert(0, SOURCES)
    from relais import main as start

    if BUG:
        break_the_judge()
    sys.addaudithook(hear)
    sys.exit(start())


main()
