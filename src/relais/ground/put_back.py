"""Undo changes: what is there goes to quarantine, what was there comes back."""

from __future__ import annotations

import os
import stat
import time
from functools import partial

from relais.contract.evidence import PACKED, Change, Look, Manifest, entry_of, parents
from relais.notebook.run import Ground, Run
from relais.typed import Callable, Sequence, cast
from relais.world.files import ensure_folder, move, writable, write_as


def put_back(run: Run, ground: Ground, changes: Sequence[Change], place: str) -> list[str]:
    """Undo these changes: what is there now goes to quarantine, what was there comes back. The paths that resist."""
    failures = [change.path for change in sorted(changes) if change.status == "m" and not mode_restored(ground, change)]
    # What cannot come back is left as it is: a damaged file is better than none.
    hopeless = {
        c.path
        for c in changes
        if c.status in "MTL" and c.before and c.before.kind == "file" and not ground.is_held(c.path)
    }
    changes = [change for change in changes if change.path not in hopeless]
    spare = os.path.relpath(run.history, ground.root)
    aside = {topmost_new(ground.manifest, change.path, spare) for change in changes if change.status in "AMTL"}
    failures += [path for path in sorted(aside) if not quarantine(run, ground, path, place)]
    lost = [change for change in sorted(changes) if change.status in "DMTL" and change.before]
    return [*sorted(hopeless), *failures, *bring_back(ground, lost)]


def mode_restored(ground: Ground, change: Change) -> bool:
    target = os.path.join(ground.root, change.path)
    if os.path.islink(target):
        return False
    os.chmod(target, cast(Look, change.before).permissions)
    ground.record(change.path)
    return True


def bring_back(ground: Ground, lost: Sequence[Change]) -> list[str]:
    """Make again what was there: folders first, then links and pipes, then files with their bytes."""
    failures: list[str] = []
    files: dict[str, Change] = {}
    for change in lost:
        before = cast(Look, change.before)
        if before.kind == "folder":
            restore_folder(ground, change.path)
        elif before.kind == "file":
            files[change.path] = change
        elif before.kind == "link":
            failures += restore(ground, change, lambda path, look: os.symlink(cast(str, look.target), path))
        elif stat.S_ISFIFO(before.mode):
            failures += restore(ground, change, lambda path, look: os.mkfifo(path, look.permissions))
        else:
            failures.append(change.path)
    for path, content in ground.contents(list(files)):
        if content is None:
            failures.append(path)
        else:
            failures += restore(ground, files[path], partial(write_as, content))
    return failures


def topmost_new(manifest: Manifest, path: str, spare: str = "") -> str:
    """The highest folder above `path` that was not there before, or `path` itself: one move takes it all.

    `spare` is where it will be moved to: no folder above that can be moved there.
    """
    for parent in reversed(list(parents(path))):
        entry = entry_of(manifest, parent)
        is_new = entry is None or not stat.S_ISDIR(PACKED.unpack_from(entry)[0])
        if is_new and not f"{spare}/".startswith(f"{parent}/"):
            return parent
    return path


def quarantine(run: Run, ground: Ground, path: str, place: str) -> bool:
    """Move what stands at `path` out of the way without losing it."""
    source = os.path.join(ground.root, path)
    if not os.path.lexists(source):
        return True
    folder = ensure_folder(own_history_folder(run), "quarantine", 0o700)
    parent = os.path.join(place, os.path.dirname(path)).rstrip("/")
    target = os.path.join(ensure_folder(folder, parent, 0o700), os.path.basename(path))
    while os.path.lexists(target):
        target += "~"
    try:
        with writable(os.path.dirname(source)):
            move(source, target)
    except OSError:
        return False
    return True


def own_history_folder(run: Run) -> str:
    """This run's folder in history, made by the runner itself: one that is already there was planted."""
    if not run.has_history and os.path.lexists(run.history):
        os.rename(run.history, f"{run.history}.planted-{time.monotonic_ns():x}")
    run.has_history = True
    return ensure_folder(run.repo.root, run.relative(run.history))


def restore_folder(ground: Ground, path: str) -> None:
    target = os.path.join(ground.root, path)
    entry = entry_of(ground.manifest, path)
    os.makedirs(target, exist_ok=True)
    if entry:
        os.chmod(target, stat.S_IMODE(PACKED.unpack_from(entry)[0]))


def restore(ground: Ground, change: Change, make: Callable[[str, Look], None]) -> list[str]:
    """Make one file or link anew where it was; its path if that fails."""
    try:
        for parent in reversed(list(parents(change.path))):
            if not os.path.isdir(os.path.join(ground.root, parent)):
                restore_folder(ground, parent)
        target = os.path.join(ground.root, change.path)
        with writable(os.path.dirname(target)):
            make(target, cast(Look, change.before))
    except OSError:
        return [change.path]
    ground.record(change.path)
    return []
