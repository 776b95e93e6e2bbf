"""Find out what the builder did, by bytes."""

from __future__ import annotations

import contextlib
import os

from relais.contract.codes import Code
from relais.contract.evidence import NO_LOOK, Change, Touched, entry_of, looked
from relais.ground.contents import HISTORY_RUNS_KEPT, is_ignored_by
from relais.judge.git_folder import inspect_git
from relais.notebook.run import Ground, Run
from relais.rules.fence import secrets_in
from relais.text.globs import allow_matcher
from relais.text.words import counted, shortened
from relais.typed import Iterable, Iterator, Optional, Sequence
from relais.world.files import read_bytes, read_json, remove
from relais.world.git import HARDENED, Git
from relais.world.host import digest_of
from relais.world.looks import blob_id, differences, look_at, settled
from relais.world.sandbox import READ_ONLY_WORKSPACE

# These write a .gitignore of their own into themselves, so that nobody ever sees them in `git status`.
SELF_IGNORING_FOLDERS = frozenset((".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"))


def changed_old_runs(run: Run) -> Iterator[Change]:
    """What the builder did to runs too old to be backed up. Nobody but it writes there, so a change of now is its own.

    One walk, and no look before it: the kernel's own time of a change cannot be forged without the clock.
    """
    folder, since = run.config.history.dir, os.lstat(run.vault.path("journal")).st_ctime_ns
    for run_id in sorted(run.tree.unseen[folder]):
        path = os.path.join(run.repo.root, folder, run_id)
        try:
            with os.scandir(path) as scan:
                times = [entry.stat(follow_symlinks=False).st_ctime_ns for entry in scan]
            is_changed = max(os.lstat(path).st_ctime_ns, *times, 0) >= since
        except OSError:  # gone, or no folder any more
            is_changed = True
        if is_changed:
            yield Change(f"{folder}/{run_id}", "M", NO_LOOK, looked(look_at(path)), tracked=False)


def survey(run: Run) -> None:
    """Find out what the builder did: git's folder first and put back at once, then the work tree, by bytes."""
    if run.git_damage is None:
        run.screen.note("judge: comparing every file with what was there")
        run.git_damage = inspect_git(run)
        for warning in run.git_damage.warnings:
            run.warn(warning)
        run.touched = Touched(tuple(sorted(look_for_changes(run))))
        deleted = [change.path for change in run.byproducts if change.status == "D"]
        if deleted:
            run.warn(f"build output was deleted: {', '.join(shortened(deleted, 3))}")


def look_for_changes(run: Run) -> list[Change]:
    """Every path the builder changed, by-products apart (they are kept in the notebook)."""
    byproducts, rest = parted(run, settled_changes(run, run.tree))
    run.byproducts = tuple(byproducts)
    for change in byproducts:
        if "/__pycache__/" in f"/{change.path}" and change.after and change.after.kind == "file":
            remove(os.path.join(run.repo.root, change.path))  # bytecode that no source vouches for
    old = [] if run.confined_by in READ_ONLY_WORKSPACE else list(changed_old_runs(run))
    if old:
        run.warn(f"{counted(len(old), 'run')} older than the newest {HISTORY_RUNS_KEPT} changed, and no copy was kept")
    return rest + old


def parted(run: Run, changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """By-products (ignored, and named in scope.volatile_globs), and the rest."""
    ignored = ignored_among(run, changes)
    run.ignored |= ignored
    # A rewritten .gitignore could declare anything a by-product: then nothing is one.
    is_trusted = not any(is_ignore_rule(change.path) for change in changes)
    is_owned = run.fence.owned if run.fence else run.config.owns
    candidates = [c.path for c in changes if is_trusted and c.path in ignored and not is_owned(c.path)]
    volatile = set(filter(run.is_volatile, candidates))
    return [c for c in changes if c.path in volatile], [c for c in changes if c.path not in volatile]


def is_ignore_rule(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name == ".gitignore" and folder.rpartition("/")[2] not in SELF_IGNORING_FOLDERS


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
    tracked = run.listing.find_many([change.path for change in candidates])
    modes_count = (run.settings.get("core.filemode") or "true").lower() != "false"
    changes = []
    for change in candidates:
        change = change._replace(tracked=change.path in tracked)
        same = change.status == "M" and is_same_content(run, ground, change, tracked.get(change.path))
        final = settled(change, same_content=same, modes_count=modes_count or not change.tracked)
        if final and not is_own(run, final):
            changes.append(final)
    return changes


def is_own(run: Run, change: Change) -> bool:
    """Whether the runner itself made this: its quarantine, or another runner's notice that we hold the lock."""
    own_history = run.relative(run.history)
    if run.has_history and (change.path == own_history or change.path.startswith(f"{own_history}/")):
        return True
    return is_notice_of_lock(run, change)


def is_same_content(run: Run, ground: Ground, change: Change, tracked: Optional[tuple[int, str]]) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or after.kind != "file" or before.size != after.size:
        return False
    try:
        current = read_bytes(os.path.join(ground.root, change.path))
    except OSError:  # no longer ours to read
        return False
    kept = run.vault.table.get(f"tree/{change.path}")
    if kept and kept.entry == entry_of(ground.manifest, change.path):
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


def found_secrets(run: Run, changes: Sequence[Change]) -> list[tuple[str, int, str]]:
    """Path, line and kind of what looks like a secret and was not in its file before. Asked before git hashes anything."""
    if not run.config.scope.secret_scan:
        return []
    is_allowed = allow_matcher(run.config.scope.secret_allowed_globs)
    found = []
    for change in changes:
        if change.size and not is_allowed(change.path):
            suspects = []
            with contextlib.suppress(OSError):  # what cannot be read cannot be committed either
                suspects = secrets_in(read_bytes(os.path.join(run.repo.root, change.path)))
            before = (next(run.tree.contents([change.path]))[1] or b"") if suspects else b""
            found += [(change.path, line, kind) for line, kind, words in suspects if words not in before]
    return found
