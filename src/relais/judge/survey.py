"""Find out what the builder did, by bytes."""

from __future__ import annotations

import contextlib
import os

from relais.contract.codes import CONFIG_FILE, Code
from relais.contract.evidence import NO_LOOK, Change, Look, Touched, entry_of, looked
from relais.ground.contents import HISTORY_RUNS_KEPT, is_ignored_by
from relais.ground.put_back import quarantine, quarantined
from relais.judge.git_folder import inspect_git
from relais.notebook.run import Ground, Run
from relais.rules.fence import hops, is_editors_own, is_left_over
from relais.rules.tools import SELF_IGNORING, volatile_root
from relais.text.paths import lies_in
from relais.text.words import counted, shortened
from relais.typed import Iterable, Iterator, Optional, Sequence, cast
from relais.world.files import read_bytes, read_json
from relais.world.git import HARDENED, Git
from relais.world.host import digest_of
from relais.world.looks import UNREADABLE, blob_id, differences, look_at, settled
from relais.world.sandbox import READ_ONLY_WORKSPACE

UNSEEN = looked(UNREADABLE)


def changed_old_runs(run: Run) -> Iterator[Change]:
    """What somebody did to runs too old to be backed up. Nobody but relais writes there, so a change of now is an offence.

    One walk, and no look before it: the kernel's own time of a change cannot be forged without the clock.
    """
    folder, since = run.config.history.dir, run.in_flight_since
    for run_id in sorted(run.tree.unseen[folder]):
        path = os.path.join(run.repo.root, folder, run_id)
        if os.path.islink(path) or not os.path.isdir(path) or latest_change(path) >= since:
            yield Change(f"{folder}/{run_id}", "M", NO_LOOK, looked(look_at(path)), tracked=False)


def latest_change(path: str) -> int:
    """The latest of the kernel's times of a change, at a folder and below, wherever we may look."""
    latest, folders = os.lstat(path).st_ctime_ns, [path]
    for folder in folders:  # grows while it is read
        with contextlib.suppress(OSError), os.scandir(folder) as scan:
            for entry in scan:
                latest = max(latest, entry.stat(follow_symlinks=False).st_ctime_ns)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return latest


def survey(run: Run) -> None:
    """Find out what the builder did: git's folder first and put back at once, then the work tree, by bytes."""
    if run.git_damage is None:
        run.screen.note("judge: comparing every file with what was there")
        run.git_damage = inspect_git(run)
        for warning in run.git_damage.warnings:
            run.warn(warning)
        run.touched = Touched(tuple(sorted(without_editors_own(run, look_for_changes(run)))))


def look_for_changes(run: Run) -> list[Change]:
    """Every path the builder changed, by-products apart (they are kept in the notebook)."""
    byproducts, rest = parted(run, settled_changes(run, run.tree))
    left = left_over(run, rest)
    if left:
        names = ", ".join(shortened(sorted(left), 3))
        run.warn(f"new and ignored by git, so set aside, not committed and not shown to the checks: {names}")
    run.byproducts = (*byproducts, *(change for change in rest if change.path in left))
    rest = [change for change in rest if change.path not in left]
    old = [] if run.confined_by in READ_ONLY_WORKSPACE else list(changed_old_runs(run))
    if old:
        run.warn(f"{counted(len(old), 'run')} older than the newest {HISTORY_RUNS_KEPT} changed, and no copy was kept")
    return rest + old


def left_over(run: Run, changes: Sequence[Change]) -> frozenset[str]:
    """What a build in the tree leaves beside the work. Nobody would miss it: it was not there before, and is not committed."""
    fence = run.fence
    if fence is None or any(is_ignore_rule(run, change) for change in changes):
        return frozenset()
    return frozenset(c.path for c in changes if c.path in run.ignored and is_left_over(c, fence))


def without_editors_own(run: Run, changes: Sequence[Change]) -> list[Change]:
    """The changes but for an editor's new files, which are set aside: nobody wants them judged, nor committed."""
    own = {c.path for c in changes if c.status == "A" and is_editors_own(c.path) and not run.config.owns(c.path)}
    aside = {path for path in own if quarantine(run, run.tree, path, "editor")}
    if aside:
        names = ", ".join(shortened(sorted(aside), 3))
        run.warn(f"files of an editor were set aside: {names} (in {quarantined(run, 'editor')})")
    return [change for change in changes if change.path not in aside]


def parted(run: Run, changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """By-products (ignored, and named in scope.volatile_globs), and the rest."""
    ignored = ignored_among(run, changes)
    run.ignored |= ignored
    # A rewritten .gitignore could declare anything a by-product: then nothing is one.
    is_trusted = not any(is_ignore_rule(run, change) for change in changes)
    is_owned = run.fence.owned if run.fence else run.config.owns
    candidates = [c.path for c in changes if is_trusted and c.path in ignored and not is_owned(c.path)]
    volatile = set(filter(run.is_volatile, candidates))
    rest = [c for c in changes if c.path not in volatile and c.status != "t"]
    return [c for c in changes if c.path in volatile], rest


def is_ignore_rule(run: Run, change: Change) -> bool:
    """Whether a changed .gitignore could hide work.

    Not one that speaks only for by-products that were ignored before, or for a folder that a tool just made for itself.
    """
    if os.path.basename(change.path) != ".gitignore" or change.status in "mt":
        return False
    root = volatile_root(change.path, run.is_volatile)
    if not root or change.tracked:
        return True
    was_ignored = is_ignored_by(run.repo_status.ignored)
    if was_ignored(root) or was_ignored(change.path):
        return False
    is_of_a_tool = root.rpartition("/")[2] in SELF_IGNORING
    is_new = entry_of(run.tree.manifest, root) is None
    is_work = run.fence is None or run.fence.allowed(f"{root}/x")
    return not (is_of_a_tool or (is_new and not is_work))


def ignored_among(run: Run, changes: Iterable[Change]) -> frozenset[str]:
    """Which of these paths are ignored: what is gone by the rules of the snapshot, what is there by asking git."""
    untracked = [change for change in changes if not change.tracked]
    was_ignored = is_ignored_by(run.repo_status.ignored)
    gone = {change.path for change in untracked if change.status == "D" and was_ignored(change.path)}
    there = [change.path for change in untracked if change.status != "D"]
    if not there:
        return frozenset(gone)
    git = run.private
    # This one command takes no literal pathspecs; a leading ./ keeps a name like `:(top)x` a name.
    env = {key: value for key, value in git.env.items() if key != "GIT_LITERAL_PATHSPECS"}
    asking = Git(run.repo.git, run.repo.root, HARDENED, env)
    asking.prefix.remove("--literal-pathspecs")
    request = b"\0".join(b"./" + os.fsencode(path) for path in there)
    # Without the index: only untracked paths are asked, and git refuses to look into a submodule.
    output = asking("check-ignore", "-z", "--no-index", "--stdin", stdin=request, fine=(0, 1))
    return frozenset(gone).union(os.fsdecode(path[2:]) for path in output.split(b"\0") if path)


def settled_changes(run: Run, ground: Ground) -> list[Change]:
    """What differs from `ground` now, content compared wherever the look alone does not tell."""
    candidates = differences(ground.manifest, ground.look())
    if let_back_in(run, ground, candidates):
        candidates = differences(ground.manifest, ground.look())
    tracked = run.listing.find_many([change.path for change in candidates])
    modes_count = (run.settings.get("core.filemode") or "true").lower() != "false"
    changes = []
    for change in candidates:
        change = change._replace(tracked=change.path in tracked)
        same = change.status == "M" and is_same_content(run, ground, change, tracked.get(change.path))
        times_count = same and not change.tracked and run.is_volatile(change.path)
        final = settled(
            change, same_content=same, modes_count=modes_count or not change.tracked, times_count=times_count
        )
        if final and not is_own(run, final) and f"{ground.root}/{final.path}" not in run.left:
            changes.append(with_leads(ground.root, final))
    return changes


def with_leads(root: str, change: Change) -> Change:
    """A link is judged by where it really ends, whichever other links are on the way."""
    if change.after is None or change.after.target is None or change.after.target.startswith("/"):
        return change
    return change._replace(leads=tuple(hops(change.path, change.after.target, lambda path: link_at(root, path))))


def link_at(root: str, path: str) -> Optional[str]:
    try:
        return os.readlink(os.path.join(root, path))
    except OSError:  # no link, or nothing at all
        return None


def let_back_in(run: Run, ground: Ground, changes: Sequence[Change]) -> bool:
    """Open the folders of by-products that somebody closed: what they hold is not gone. Whether there were any."""
    closed = [
        c for c in changes if c.before and c.before.kind == "folder" and c.after == UNSEEN and run.is_volatile(c.path)
    ]
    for change in closed:
        with contextlib.suppress(OSError):
            os.chmod(os.path.join(ground.root, change.path), cast(Look, change.before).permissions)
    return bool(closed)


def is_own(run: Run, change: Change) -> bool:
    """Whether the runner itself made this: its quarantine, or another runner's notice that we hold the lock."""
    if run.has_history and lies_in(change.path, run.relative(run.history)):
        return True
    return is_notice_of_lock(run, change) or is_persons_edit(run, change)


def is_persons_edit(run: Run, change: Change) -> bool:
    """Whether only the person can have done this: it is theirs to write, and the kernel kept it from all that ran.

    An editor that puts a new file in the configuration's place takes the kernel's guard away: that may be the builder's.
    """
    if run.is_loose or run.is_recovering or not run.config.is_persons(change.path):
        return False
    if change.path == CONFIG_FILE and (change.before or NO_LOOK).ino != (change.after or NO_LOOK).ino:
        return False
    run.warn(f"{change.path} was edited during the tick: that counts from the next one on")
    return True


def is_same_content(run: Run, ground: Ground, change: Change, tracked: Optional[tuple[int, str]]) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or after.kind != "file" or before.size != after.size:
        return False
    kept = run.vault.table.get(f"tree/{change.path}")
    is_kept = kept is not None and kept.entry == entry_of(ground.manifest, change.path)
    if not is_kept and tracked is None:  # nothing to compare it with
        return False
    try:
        current = read_bytes(os.path.join(ground.root, change.path))
    except OSError:  # no longer ours to read
        return False
    if kept and is_kept:
        return digest_of(current) == kept.digest
    return tracked is not None and blob_id(current, run.object_format) == tracked[1]


def is_notice_of_lock(run: Run, change: Change) -> bool:
    """Whether this is only another runner's BLOCKED.json saying that we hold the lock."""
    if os.path.join(run.repo.root, change.path) != run.file("BLOCKED.json") or change.status not in "AM":
        return False
    try:
        document = read_json(run.file("BLOCKED.json"))
        run.admit("blocked", document)
    except (OSError, ValueError):
        return False
    return bool(document["code"] == Code.BLOCKED_LOCK_HELD.value)
