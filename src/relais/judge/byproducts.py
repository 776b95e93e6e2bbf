"""By-products: what checks see in volatile folders is what was there before the tick, whatever the builder made of them.

What the builder added or changed there is set aside by rename, outside the repo where the disk allows it. What it
changed or deleted comes back with its old time: it was built from the base, and must look older than the work. What
there is no copy of stays away, and is made again by whoever needs it.
"""

from __future__ import annotations

import contextlib
import os
import time

from relais.contract.codes import Code
from relais.contract.evidence import Change, Look, looked, parents
from relais.contract.findings import halt
from relais.ground.contents import is_ignored_by
from relais.ground.put_back import bring_back, is_mended_in_place, put_back, quarantine, topmost_new
from relais.notebook.run import Ground, Run
from relais.rules.tools import INDIVISIBLE, VOUCHERS, repair_commands, volatile_root
from relais.text.words import shortened
from relais.typed import Callable, Iterable, Sequence, cast
from relais.world.files import copy_file, freshen, move, remove_tree, rename, writable
from relais.world.looks import look_at, regular_files, unfix


def clear_for_checks(run: Run) -> None:
    """From here on the work tree is the judged tree plus what was there before the tick, the judged work being the newest."""
    outdone = tidy(run, run.tree, run.byproducts, run.touched.changes)
    if outdone:
        run.warn(f"build output had to make way for the work: {', '.join(shortened(outdone, 3))}")
    withdraw_ignored(run)
    call_back_folders(run)
    changes = [freshened(run, change) for change in run.touched.changes]
    run.touched = run.touched._replace(changes=tuple(changes))


def call_back_folders(run: Run) -> None:
    """No folder of by-products stands in the future: `make` may take its time for that of everything in it."""
    now = time.time_ns()
    for folder in run.tree.manifest:
        if folder and run.is_volatile(f"{folder}/x"):
            path = os.path.join(run.repo.root, folder)
            with contextlib.suppress(OSError):
                if os.lstat(path).st_mtime_ns > now:
                    os.utime(path, ns=(now, now))


def freshened(run: Run, change: Change) -> Change:
    """Work that carries an old time would be taken for what the last build already knows."""
    path = os.path.join(run.repo.root, change.path)
    if change.after is None or change.after.kind == "folder" or change.path in run.ignored:
        return change
    with contextlib.suppress(OSError):
        freshen(path)
    run.vault.show_life()
    now = looked(look_at(path)) or change.after
    fresh = change.after._replace(mtime_ns=now.mtime_ns, ctime_ns=now.ctime_ns)
    # Only its times may be others: what somebody else put there meanwhile must not pass for what was surveyed.
    return change._replace(after=fresh) if fresh._replace(marks=now.marks) == now else change


def withdraw_ignored(run: Run) -> None:
    """What git ignores will not be committed, even in scope: no check may build on it, and the person's own comes back."""
    hidden = [change for change in run.touched.changes if change.path in run.ignored]
    if hidden:
        rest = [change for change in run.touched.changes if change.path not in run.ignored]
        failures = put_back(run, run.tree, hidden, "ignored", folders_above(rest))
        refuse_displaced(displaced(failures, rest))
        for words, changes in (
            ("so not committed and not shown to the checks (it is in quarantine)", [c for c in hidden if c.after]),
            ("so it came back, deleted though it was", [c for c in hidden if not c.after]),
        ):
            if changes:
                names = ", ".join(shortened([change.path for change in changes], 3))
                run.warn(f"ignored by git, {words}: {names}")
        if failures:
            run.warn(
                f"ignored by git and seen by the checks, since there is no copy: {', '.join(shortened(failures, 3))}"
            )


def displaced(resisting: Iterable[str], work: Iterable[Change]) -> list[str]:
    """What cannot come back because something of the work stands in the place of its folder."""
    standing = {change.path for change in work if change.after and change.after.kind != "folder"}
    return [path for path in resisting if not standing.isdisjoint(parents(path))]


def refuse_displaced(paths: Sequence[str]) -> None:
    """Nobody could make these again: a rollback makes room for them."""
    if paths:
        detail = "these are yours, git ignores them, and the work stands in their place"
        raise halt(Code.STOP_SCOPE_VIOLATION_FORBIDDEN, detail, tuple(paths))


def folders_above(changes: Iterable[Change]) -> frozenset[str]:
    return frozenset(parent for change in changes for parent in parents(change.path))


def tidy(run: Run, ground: Ground, byproducts: Sequence[Change], rest: Sequence[Change] = ()) -> list[str]:
    """Make by-products what they were in `ground`; folders that hold something of the `rest` stay where they are.

    What cannot come back because something of the `rest` stands in the place of its folder: a rollback makes room for it.
    """
    if not byproducts:
        return []
    began = time.monotonic()
    unheld = [change for change in byproducts if is_unheld(ground, change)]
    units = indivisible_units(run, unheld)
    changes = [change for change in byproducts if units.isdisjoint(parents(change.path))]
    for change in changes:
        if change.status in "mt":
            reset(ground, change)
    aside = units | moves(run, ground, changes, rest) | (vouchers(run, ground) if unheld else frozenset())
    lost = [change for change in changes if change.before and change.status in "DMTL" and change not in unheld]
    shared = {change.path for change in lost if is_mended_in_place(change)}
    unclear = {change.path for change in unheld if is_same_file(change)}
    for path in sorted(aside):
        set_aside(run, ground, path, stays_linked=path in shared, is_kept=path in unclear)
    resisting = bring_back(ground, sorted(lost), old_time)
    outdone = displaced(resisting, rest)
    failures = [path for path in resisting if path not in outdone]
    forget(ground, [*aside, *failures, *(change.path for change in unheld)])
    tell_missing(run, unheld, failures)
    made = sum(change.status in "AMTL" for change in byproducts)
    run.tidied = run.tidied.plus(made, len(lost) - len(resisting), time.monotonic() - began)
    return outdone


def moves(run: Run, ground: Ground, changes: Sequence[Change], rest: Sequence[Change]) -> frozenset[str]:
    """What to set aside, a new folder with one move, unless it holds something else."""
    remade = folders_above(change for change in changes if run.is_volatile(change.path))
    stays = folders_above(rest) | {path for path in remade if not run.is_volatile(f"{path}/x")}
    return frozenset(topmost_new(ground.manifest, c.path, stays) for c in changes if c.status in "AMTL")


def is_unheld(ground: Ground, change: Change) -> bool:
    """Whether a file was there before, is not what it was, and cannot be made so again."""
    was_file = change.before is not None and change.before.kind == "file"
    return was_file and change.status in "DMTL" and not ground.is_held(change.path)


def is_same_file(change: Change) -> bool:
    """Whether it was touched, not made anew: then it may be the person's, and no tool could make it again."""
    return change.before is not None and change.after is not None and change.before.ino == change.after.ino


def indivisible_units(run: Run, unheld: Iterable[Change]) -> frozenset[str]:
    roots = {volatile_root(change.path, run.is_volatile) for change in unheld}
    return frozenset(root for root in roots if root.rpartition("/")[2] in INDIVISIBLE)


def vouchers(run: Run, ground: Ground) -> frozenset[str]:
    """Notes of tools that would pass for the output that is missing now."""
    is_ignored = is_ignored_by(run.repo_status.ignored)
    paths = (path for path, _, _ in regular_files(ground.manifest) if path.endswith(VOUCHERS))
    return frozenset(path for path in paths if is_ignored(path) and run.is_volatile(path))


def reset(ground: Ground, change: Change) -> None:
    """Mode and time as they were: the content still is."""
    path, before = os.path.join(ground.root, change.path), cast(Look, change.before)
    with contextlib.suppress(OSError):
        os.chmod(path, before.permissions)
        if before.kind == "file":
            old_time(path, before)
    ground.record(change.path)


def old_time(path: str, look: Look) -> None:
    os.utime(path, ns=(look.mtime_ns, look.mtime_ns))


def set_aside(run: Run, ground: Ground, path: str, *, stays_linked: bool, is_kept: bool) -> None:
    """Out of the repo, where no test runner that collects files finds it.

    Into quarantine where that is another disk, or where it may be the person's and must outlast the next tick.
    """
    if is_kept or not taken_out(run, ground, path, copy_file if stays_linked else rename):
        quarantine(run, ground, path, "byproducts", copy_file if stays_linked else move)


def taken_out(run: Run, ground: Ground, path: str, take: Callable[[str, str], None]) -> bool:
    source, folder = os.path.join(ground.root, path), run.vault.path(f"aside/{run.run_id}")
    if not os.path.lexists(source):
        return True
    while os.path.lexists(os.path.join(folder, path)):
        folder += "~"  # not the name itself, which may be as long as names get
    target = os.path.join(folder, path)
    unfix(source)
    try:
        os.makedirs(os.path.dirname(target), 0o700, exist_ok=True)
        with writable(os.path.dirname(source)):
            take(source, target)
    except OSError:
        return False
    return True


def forget(ground: Ground, paths: Iterable[str]) -> None:
    """Take for granted that what cannot come back is not there."""
    gone = {path for path in paths if not os.path.lexists(os.path.join(ground.root, path))}
    for folder in [folder for folder in ground.manifest if folder in gone or not gone.isdisjoint(parents(folder))]:
        del ground.manifest[folder]
    for path in gone:
        ground.record(path)


def tell_missing(run: Run, unheld: Sequence[Change], failures: Sequence[str]) -> None:
    gone = [*failures, *(change.path for change in unheld if change.status == "D")]
    if gone:
        run.warn(f"build output is gone and will be made again, no copy was kept: {', '.join(shortened(gone, 3))}")
    for path, inode in [(change.path, cast(Look, change.before).ino) for change in unheld if change.is_shared][:3]:
        found = " ".join(repair_commands([(path, inode)]))
        run.warn(f"{path} was written into and has other names, which no copy can mend: {found}")


def drop_old_byproducts(run: Run) -> None:
    """What earlier ticks set aside has had its time."""
    folder = run.vault.path("aside")
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.rstrip("~") != run.run_id:
            remove_tree(os.path.join(folder, name))
