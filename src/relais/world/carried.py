"""What relais carries with it: texts for people, models and other programs, its validators, and itself as one file.

In the one file `bundled.py` stands in the place of this module.
"""

from __future__ import annotations

import os

from relais.typed import Any, Callable, Iterable, cast

PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
READ: dict[str, str] = {}


def asset(name: str) -> str:
    """A text that is carried, from a folder, a wheel or an archive; read once."""
    if name not in READ:
        content = cast(bytes, globals()["__loader__"].get_data(os.path.join(PACKAGE, "assets", *name.split("/"))))
        READ[name] = content.decode("utf-8")
    return READ[name]


def carried_validator(name: str) -> Callable[[Any], Any]:
    """The check that was generated from one of our schemas."""
    import importlib

    return cast("Callable[[Any], Any]", importlib.import_module(f"relais.validators.{name}").validate)


def hold_all(assets: Iterable[str], validators: Iterable[str]) -> None:
    """Have these in memory: later they could be another's."""
    for name in assets:
        asset(name)
    for name in validators:
        carried_validator(name)


def own_place() -> str:
    """Where this program lies: the folder of the package, or the archive that it is in."""
    path = PACKAGE
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path


def one_file() -> bytes:
    """This program as the one file that is dropped into a repo."""
    from relais.amalgamate import amalgamated

    return amalgamated()


def provenance() -> str:
    """What this is, beside its version: the sources themselves."""
    return "package"
