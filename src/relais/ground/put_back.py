"""Undo changes: what is there goes to quarantine, what was there comes back."""

from __future__ import annotations

import os
import stat
import time
from functools import partial

from relais.contract.evidence import PACKED, Change, Look, Manifest, entry_of, looked, parents
from relais.notebook.run import Ground, Run
from relais.typed import Callable, Sequence, cast
from relais.world.files import copy_file, ensure_folder, move, writable, write_as, write_into
from relais.world.looks import set_marks, unfix

NOWHERE: frozenset[str] = frozenset()


def put_back(
    run: Run, ground: Ground, changes: Sequence[Change], place: str, stays: frozenset[str] = NOWHERE
) -> list[str]:
    """Undo these changes: what is there now goes to quarantine, what was there comes back. The paths that resist.

    `stays` are folders that hold something else, and are not moved with what is new in them.
    """
    failures = [change.path for change in sorted(changes) if change.status == "m" and not mode_restored(ground, change)]
    # What cannot come back is left as it is: a damaged file is better than none.
    hopeless = {
        c.path
        for c in changes
        if c.status in "MTL" and c.before and c.before.kind == "file" and not ground.is_held(c.path)
    }
    changes = [change for change in changes if change.path not in hopeless]
    # Where it will be moved to, and what is the person's: no folder above these can be moved.
    spared = [os.path.relpath(path, ground.root) for path in (run.history, *run.left)]
    stays = stays.union(spared, *(parents(path) for path in spared))
    shared = {change.path for change in changes if is_mended_in_place(change)}
    aside = {topmost_new(ground.manifest, change.path, stays) for change in changes if change.status in "AMTL"}
    failures += [
        path
        for path in sorted(aside)
        if not quarantine(run, ground, path, place, copy_file if path in shared else move)
    ]
    for path in filter(run.config.is_persons, sorted(aside)):
        changed = f"{quarantined(run, place)}/{path}"
        run.warn(f"{path} changed during the tick and is back as it was before; the changed one: {changed}")
    lost = [change for change in sorted(changes) if change.status in "DMTL" and change.before]
    failures += bring_back(ground, lost)
    run.vault.show_life()
    return [*sorted(hopeless), *failures]


def mode_restored(ground: Ground, change: Change) -> bool:
    target = os.path.join(ground.root, change.path)
    if os.path.islink(target):
        return False
    before = cast(Look, change.before)
    try:
        set_marks(target, before.marks, change.after.marks if change.after else "")
        os.chmod(target, before.permissions)
    except OSError:
        return False
    ground.record(change.path)
    return True


def is_mended_in_place(change: Change) -> bool:
    """A new file would leave the other names of this one, in a store or a copy made of links, with what the builder wrote."""
    return change.status == "M" and change.is_shared


def bring_back(
    ground: Ground, lost: Sequence[Change], finish: Callable[[str, Look], None] = lambda *_: None
) -> list[str]:
    """Make again what was there: folders first, then links and pipes, then files with their bytes; `finish` has the last word on these."""
    failures: list[str] = []
    files: dict[str, Change] = {}
    for change in lost:
        before = cast(Look, change.before)
        if before.kind == "folder":
            failures += restore(ground, change, lambda path, look: remake_folder(path, look.permissions))
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
            failures += restore(ground, files[path], partial(rewritten, content, files[path], finish))
    return failures


def rewritten(content: bytes, change: Change, finish: Callable[[str, Look], None], path: str, look: Look) -> None:
    write = write_into if is_mended_in_place(change) and os.path.lexists(path) else write_as
    write(content, path, look)
    finish(path, look)


def topmost_new(manifest: Manifest, path: str, stays: frozenset[str] = NOWHERE) -> str:
    """The highest folder above `path` that was not there before, or `path` itself: one move takes it all, but nothing in `stays`."""
    for parent in reversed(list(parents(path))):
        entry = entry_of(manifest, parent)
        is_new = entry is None or not stat.S_ISDIR(PACKED.unpack_from(entry)[0])
        if is_new and parent not in stays:
            return parent
    return path


def quarantine(run: Run, ground: Ground, path: str, place: str, take: Callable[[str, str], None] = move) -> bool:
    """Move what stands at `path` out of the way without losing it."""
    source = os.path.join(ground.root, path)
    if not os.path.lexists(source):
        return True
    folder = ensure_folder(own_history_folder(run), f"quarantine/{PASSED_OVER}", 0o700)
    while os.path.lexists(os.path.join(folder, place, path)):
        place += "~"  # not the name itself, which may be as long as names get
    parent = os.path.join(place, os.path.dirname(path)).rstrip("/")
    target = os.path.join(ensure_folder(folder, parent, 0o700), os.path.basename(path))
    unfix(source)
    try:
        with writable(os.path.dirname(source)):
            take(source, target)
    except OSError:
        return False
    return True


# Rejected code must not be collected by the next tick's checks, or by the person's. Test runners, compilers and linters
# that take whatever lies in the repo pass over folders that begin with a dot (pytest, go, mypy) or are called
# node_modules (jest, vitest, tsc).
PASSED_OVER = ".rejected/node_modules"


def quarantined(run: Run, place: str) -> str:
    """Where in the repo `quarantine` puts things."""
    return run.relative(os.path.join(run.history, "quarantine", PASSED_OVER, place))


def own_history_folder(run: Run) -> str:
    """This run's folder in history, made by the runner itself: one that is already there was planted."""
    if not run.has_history and os.path.lexists(run.history):
        os.rename(run.history, f"{run.history}.planted-{time.monotonic_ns():x}")
    run.has_history = True
    return ensure_folder(run.repo.root, run.relative(run.history))


def remake_folder(path: str, permissions: int) -> None:
    if not os.path.isdir(path):
        os.mkdir(path)
    os.chmod(path, permissions)


def remake_parents(ground: Ground, path: str) -> None:
    """The folders above `path`; OSError where a link stands for one: what is behind it, perhaps outside the repo, is not ours to write to."""
    for parent in reversed(list(parents(path))):
        folder, look = os.path.join(ground.root, parent), looked(entry_of(ground.manifest, parent))
        if os.path.islink(folder):
            raise NotADirectoryError(f"{folder} is a link")
        if not os.path.isdir(folder):
            os.mkdir(folder)
            if look and look.kind == "folder":
                os.chmod(folder, look.permissions)


def restore(ground: Ground, change: Change, make: Callable[[str, Look], None]) -> list[str]:
    """Make one file, folder or link anew where it was; its path if that fails."""
    try:
        remake_parents(ground, change.path)
        target = os.path.join(ground.root, change.path)
        with writable(os.path.dirname(target)):
            make(target, cast(Look, change.before))
            set_marks(target, cast(Look, change.before).marks, "")
    except OSError:
        return [change.path]
    ground.record(change.path)
    return []
