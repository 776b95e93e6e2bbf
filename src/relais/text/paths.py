"""Where a path lies, by its words alone."""

from __future__ import annotations


def is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is this folder, or below it."""
    return path == folder or is_below(path, folder)
