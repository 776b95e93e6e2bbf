"""What the one file carries with it: see carried.py, in whose place this stands there."""

from __future__ import annotations

import os
import re

from relais.text.documents import Invalid
from relais.typed import Any, Callable, Iterable, cast

# Filled at the end of the file, by amalgamate.py.
ASSETS: dict[str, str] = {}
VALIDATORS: dict[str, str] = {}
SOURCES = WHOLE = ""

COMPILED: dict[str, Callable[[Any], Any]] = {}


def asset(name: str) -> str:
    """A text that is carried."""
    return ASSETS[name]


def carried_validator(name: str) -> Callable[[Any], Any]:
    """The check that was generated from one of our schemas, compiled when it is first needed."""
    if name not in COMPILED:
        namespace: dict[str, Any] = {"re": re, "Invalid": Invalid}
        exec(compile(VALIDATORS[name], f"<validator {name}>", "exec"), namespace)  # noqa: S102 text of this file
        COMPILED[name] = namespace["validate"]
    return COMPILED[name]


def hold_all(_assets: Iterable[str], _validators: Iterable[str]) -> None:
    """Have these in memory: here they are."""


def own_place() -> str:
    """The file that this program is, or the archive that it lies in."""
    path = os.path.realpath(__file__)
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path


def one_file() -> bytes:
    """This program as the one file that is dropped into a repo."""
    read = getattr(globals().get("__loader__"), "get_data", None)  # a profiler or a debugger may start us without
    if read:
        return cast(bytes, read(__file__))
    with open(__file__, "rb") as file:
        return file.read()


def provenance() -> str:
    """What this is, beside its version: the sources it was built from, and whether somebody edited it since.

    The file holds its own digest, counted with zeros in the digest's place.
    """
    import hashlib

    try:
        counted_now = hashlib.sha256(one_file().replace(WHOLE.encode(), b"0" * len(WHOLE))).hexdigest()
    except (OSError, NameError):  # piped into Python: there is no file
        counted_now = WHOLE
    return f"sources {SOURCES}{'' if counted_now == WHOLE else ', edited'}"
