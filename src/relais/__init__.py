"""Relais: one safe step of agent coding at a time. Brain → Hands → Judge."""

# No `from __future__ import annotations` here: it imports a module, and the path has yet to be cleared.
import sys

from relais.version import __version__

__all__ = ["__version__", "main"]

if sys.version_info < (3, 9):
    sys.exit(f"relais: needs Python 3.9 or newer, this is {sys.version.split()[0]}; try: python3.11 -I -m relais")


def main() -> int:
    """What `relais` starts. Nothing else is imported before: whoever only asks for the version pays for nothing."""
    from relais.starting import trust_the_library_alone

    trust_the_library_alone()
    from relais.commands.cli import main as start

    return start()
