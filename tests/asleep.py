"""Runs relais.py with clocks that jump over every wait of a loop, and notes how long they were in all.

    python -I asleep.py NOTES relais.py ARGUMENTS…
"""

from __future__ import annotations

import runpy
import select
import sys
import time
from typing import Any

NOTES, PROGRAM, *ARGUMENTS = sys.argv[1:]
slept = [0.0]
real_time, real_monotonic, real_select = time.time, time.monotonic, select.select


def leap(readers: list[Any], writers: list[Any], others: list[Any], seconds: float) -> tuple[list[Any], list[Any], list[Any]]:
    """Only a loop's pause asks this one; children are attended by a selector."""
    found = real_select(readers, writers, others, 0)
    if not any(found):
        slept[0] += seconds
    return found


def main() -> None:
    time.time, time.monotonic, select.select = (  # type: ignore[assignment]
        lambda: real_time() + slept[0],
        lambda: real_monotonic() + slept[0],
        leap,
    )
    sys.argv = [PROGRAM, *ARGUMENTS]
    try:
        runpy.run_path(PROGRAM, run_name="__main__")
    finally:
        with open(NOTES, "w", encoding="ascii") as file:
            file.write(str(slept[0]))


main()
