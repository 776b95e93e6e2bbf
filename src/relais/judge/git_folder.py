"""Git's own folder: what was done to it, what that means, and back it goes."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time

from relais.contract.codes import Code
from relais.contract.evidence import GitDamage, entry_of, is_folder_only, looked
from relais.contract.findings import halt
from relais.ground.put_back import put_back
from relais.ground.snapshot import renew_own_git
from relais.judge.git_objects import (
    GitChange,
    checksum_in,
    inspect_objects,
    is_exposed,
    is_gits_folder,
    is_left,
    is_missed,
    is_same_git_file,
    now,
    person_folders,
    reachable_among,
    sorted_changes,
    store_git,
)
from relais.judge.git_refs import RefVerdict, folded_commits, inspect_refs, kinds_of, ref_folder, values_now
from relais.judge.rescue import keep_values
from relais.notebook.run import Run
from relais.text.git_store import (
    OBJECT_NAME,
    is_fetch_head,
    is_index,
    lost_lines,
    parents_in,
    ref_value,
    reflog_values,
)
from relais.text.words import shortened
from relais.typed import Mapping, Sequence
from relais.world.files import ensure_folder, file_digest, let_in, read_bytes
from relais.world.host import mounts_below, quoted
from relais.world.neighbours import git_lock, is_git_at_work


def inspect_git(run: Run) -> GitDamage:
    """Compare git's own folder with the snapshot, judge what differs by the list, and put back what may not stay."""
    ground = run.git_ground
    refuse_mounts(run)
    if run.is_loose:
        renew_own_git(run)
    let_in(ensure_folder(os.path.dirname(ground.root), os.path.basename(ground.root)))
    closed = opened_again(run) if is_exposed(run) else []
    items = [item for item in sorted_changes(run) if not is_left(run, item.path)]
    if not is_exposed(run):
        items = [item for item in items if is_of_this_tick(run, item)]
    wrong, lost = inspect_objects(run, [item for item in items if is_of_objects(item)])
    verdicts = {prefix: inspect_refs(run, prefix) for prefix in folders_with_refs(items)}
    rest = [item for item in items if not is_of_objects(item) and item.judged != "ref"]
    left = {f"{prefix}logs/{name}" for prefix, verdict in verdicts.items() for name in verdict.left}
    left = {path for path in left if keeps_lines(run, path)}
    undone, offences, warnings = judged_rest(run, [item for item in rest if item.path not in left])
    logged = logged_values(run, undone)
    failures = undo(run, undone)
    wrong += [path for prefix, names in lost_by_folder(lost).items() for path in needed_paths(run, prefix, names)]
    kept = keep_values(run, verdicts[""].replaced) if "" in verdicts else []
    warnings += [f"what refs named that were left is kept as {', '.join(shortened(kept, 3))}"] if kept else []
    damage = damage_of(run, verdicts, [*closed, *wrong, *offences], [*warnings, *failures])
    return damage._replace(moved={**logged, **damage.moved})


def opened_again(run: Run) -> list[str]:
    """Folders that somebody has closed, to us too, are opened before anything is looked for in them; which."""
    ground, found = run.git_ground, []
    for folder in sorted(filter(None, ground.manifest)):  # those above others come first
        path, before = os.path.join(ground.root, folder), looked(entry_of(ground.manifest, folder))
        with contextlib.suppress(OSError):
            seen = os.lstat(path)
            if stat.S_ISDIR(seen.st_mode) and seen.st_mode & 0o700 != 0o700 and before and before.mode != seen.st_mode:
                os.chmod(path, before.permissions)
                found.append(folder)
    return found


def refuse_mounts(run: Run) -> None:
    """STOP where something else lies over a folder now: what is in there is nobody's to judge, and must not be moved away."""
    now = mounts_below((run.repo.root, run.repo.common_dir))
    for place in run.mounts or ():
        if place in now:
            now.remove(place)
    if now and run.mounts is not None:
        detail = (
            "something was mounted in the repository during the tick, and nothing is put back before it is unmounted"
        )
        ways = (*(f"umount {quoted(place)}" for place in now), "relais recover")
        raise halt(Code.STOP_INTERRUPTED, detail, tuple(now), ways)


def is_of_objects(item: GitChange) -> bool:
    return item.place.rest.startswith("objects/") and item.judged not in ("passing", "listing")


def is_of_this_tick(run: Run, item: GitChange) -> bool:
    """What a tick works on itself, even where nobody but the person could touch it: HEAD, the branch, the index."""
    own = ("HEAD", "index", "packed-refs", run.branch_ref)
    return item.place.rest in own and item.place.prefix in ("", run.repo.own_prefix) and not item.place.is_elsewhere


def folders_with_refs(items: Sequence[GitChange]) -> set[str]:
    """Where files of refs changed: in the repository ("", this worktree's HEAD among them), or in a submodule."""
    return {ref_folder(item) for item in items if item.judged == "ref"}


def judged_rest(run: Run, items: Sequence[GitChange]) -> tuple[list[GitChange], list[str], list[str]]:
    """What is neither object nor ref: what of it goes back, what of that is an offence, what is worth a word."""
    undone, offences, left = [], [], []
    is_busy = any(item.judged == "passing" for item in items) and is_git_at_work(person_folders(run))
    paths = {item.path for item in items}
    for item in items:
        if item.place.is_elsewhere and item.judged not in ("forbidden", "passing"):
            if not is_well_elsewhere(run, item, paths):
                undone.append(item)
                offences.append(item.path)
            else:
                left.append(item.path)
        elif not is_allowed(run, item, is_busy=is_busy):
            undone.append(item)
            if not is_excusable(item):
                offences.append(item.path)
    told = [f"{', '.join(shortened(left, 3))} of another worktree changed, whole, and left so"] if left else []
    return undone, offences, told


def is_allowed(run: Run, item: GitChange, *, is_busy: bool) -> bool:
    """Whether this may stay as it is now."""
    after = item.change.after
    if is_folder_only(item.change):
        return is_gits_folder(run, item)
    if item.judged == "passing":
        return is_busy or now(run, item) is None or (after is None and not is_missed(run, item))
    if item.judged == "listing" and after is not None and after.kind == "file":
        return is_sound_listing(run, item)
    if item.judged == "large" and after is not None and after.kind == "file":
        path = os.path.join(run.git_ground.root, item.path)
        return item.change.status == "A" and file_digest(path, "sha256") == os.path.basename(path)
    if item.judged == "boundary" and (after is None or after.kind == "file"):
        return is_sound_boundary(run, item)
    return is_same_git_file(run, item.change)


def is_excusable(item: GitChange) -> bool:
    """Whether an honest git command may have left this, though it goes back."""
    after = item.change.after
    if is_folder_only(item.change):
        return item.change.status == "D"
    if item.judged == "passing":
        return after is not None and after.kind == "file"
    return item.judged == "undone" or (item.judged == "listing" and (after is None or after.kind == "file"))


def is_sound_listing(run: Run, item: GitChange) -> bool:
    """Whether a list is one, and says what is so: a fetch's, or that of packs or refs for those who cannot ask git."""
    with contextlib.suppress(OSError):
        content = read_bytes(os.path.join(run.git_ground.root, item.path))
        if item.place.rest == "FETCH_HEAD":
            return is_fetch_head(content)
        if item.place.rest == "objects/info/packs":
            return re.fullmatch(rb"(P (pack|loose)-[0-9a-f]+\.pack\n)*\n?", content) is not None
        rows = (line.partition(b"\t") for line in content.splitlines())
        told = {os.fsdecode(name): value.decode("ascii", "replace") for value, _, name in rows if name[-3:] != b"^{}"}
        refs = values_now(run, item.place.prefix)
        return told == {
            name: value for name, value in refs.items() if re.fullmatch(OBJECT_NAME, value) and name != "HEAD"
        }
    return False


def is_sound_boundary(run: Run, item: GitChange) -> bool:
    """Whether what a fetch with a depth left, or one without, is true: else a gc would take the history that is hidden."""
    before = (run.vault.content(f"git/{item.path}") or b"").decode("ascii", "replace").split()
    content = b""
    with contextlib.suppress(FileNotFoundError):
        content = read_bytes(os.path.join(run.git_ground.root, item.path))
    after = content.decode("ascii", "replace").split()
    if not all(re.fullmatch(OBJECT_NAME, name) for name in after):
        return False
    added, removed = set(after).difference(before), sorted(set(before).difference(after))
    cut_off = are_cut_off(run, item.place.prefix, [*sorted(added), *removed])
    return all(name in cut_off for name in added) and not any(name in cut_off for name in removed)


def are_cut_off(run: Run, prefix: str, names: Sequence[str]) -> set[str]:
    """Which of these are commits that have a parent which is not there."""
    there = [name for name, kind in kinds_of(run, prefix, names).items() if kind == "commit"]
    parents = {name: parents_in(store_git(run, prefix)("cat-file", "commit", name)) for name in there}
    known = kinds_of(run, prefix, sorted({parent for names in parents.values() for parent in names}))
    return {name for name, found in parents.items() if not known.keys() >= {*found}}


# --- other worktrees --------------------------------------------------------------------------------


def is_well_elsewhere(run: Run, item: GitChange, changed: set[str]) -> bool:
    """Whether another worktree's file is what its person's own work there would leave: whole, and in a worktree that was there."""
    prefix, after = item.place.prefix, item.change.after
    is_of_nobody = prefix and entry_of(run.git_ground.manifest, f"{prefix}gitdir") is None
    if (
        is_of_nobody
        or item.change.new_marks
        or (item.place.rest.startswith("logs/") and not keeps_lines(run, item.path))
    ):
        return False
    if after is None:  # an operation that ended takes its files with it; what says so is the log of that worktree
        return re.fullmatch("(?!ORIG_|FETCH_)[A-Z_]+|sharedindex.*", item.place.rest) is not None and (
            f"{prefix}logs/HEAD" in changed or item.judged == "shared"
        )
    if after.kind != "file":
        return after.kind == "folder" and item.change.status == "A" and item.place.rest.startswith("logs")
    with contextlib.suppress(OSError):
        return is_whole_file(run, item.judged, read_bytes(os.path.join(run.git_ground.root, item.path)))
    return False


# The shortest time that git keeps a line of a reflog for, where nobody has asked for another one.
REFLOG_SECONDS = 30 * 86400


def keeps_lines(run: Run, path: str) -> bool:
    """Whether a reflog still has every line that no gc would have taken: those alone may name somebody's work."""
    before, after = run.vault.content(f"git/{path}") or b"", b""
    with contextlib.suppress(OSError):
        after = read_bytes(os.path.join(run.git_ground.root, path))
    return not lost_lines(before, after, time.time() - REFLOG_SECONDS)


def is_whole_file(run: Run, judged: str, content: bytes) -> bool:
    if judged in ("index", "shared"):
        return is_index(content, checksum_in(run))
    if judged == "pointer":
        value = ref_value(content) or ""
        target = values_now(run, "").get(value.partition("ref: ")[2], "") if value.startswith("ref: ") else value
        return kinds_of(run, "", [target] if target else []).get(target) == "commit"
    if judged == "names":
        names = re.findall(rb"(?m)^(?:%s)(?=\s)" % OBJECT_NAME.encode(), content)
        return bool(names) and len(kinds_of(run, "", [name.decode() for name in names])) == len(set(names))
    return True


# --- and back ---------------------------------------------------------------------------------------


def undo(run: Run, items: Sequence[GitChange]) -> list[str]:
    """Put these back; leftovers first, and an index only while no git writes it. What resists, in words."""
    ground = run.git_ground
    failures = put_back(run, ground, [item.change for item in items if item.judged == "passing"], "git")
    others = [item for item in items if item.judged != "passing"]
    indexes = [item for item in others if item.place.rest == "index"]
    for item in indexes:
        with git_lock(os.path.join(ground.root, item.path)):
            failures += put_back(run, ground, [item.change], "git")
    failures += put_back(run, ground, [item.change for item in others if item not in indexes], "git")
    resisting = [item for item in items if item.path in failures and now(run, item)]
    return [f".git/{item.path} could not be put back" for item in resisting]


def logged_values(run: Run, items: Sequence[GitChange]) -> dict[str, str]:
    """What the reflogs that go back have named since: of several stashes, all but the last stand there alone."""
    found: dict[str, str] = {}
    for item in items:
        if item.place.rest.startswith("logs/refs/") and not item.place.prefix and not is_folder_only(item.change):
            before = set(reflog_values(run.vault.content(f"git/{item.path}") or b""))
            with contextlib.suppress(OSError):
                lines = reflog_values(read_bytes(os.path.join(run.git_ground.root, item.path)))
                found.update((f"{item.path}@{value}", value) for value in lines if value not in before)
    return found


def lost_by_folder(lost: Mapping[str, Sequence[GitChange]]) -> dict[str, dict[str, GitChange]]:
    found: dict[str, dict[str, GitChange]] = {}
    for name, holders in lost.items():
        for item in holders:
            found.setdefault(item.place.prefix, {})[name] = item
    return found


def needed_paths(run: Run, prefix: str, holders: Mapping[str, GitChange]) -> list[str]:
    """The files whose loss would have hurt. Objects that nothing named are what a prune takes: back, and no offence."""
    needed = reachable_among(run, prefix, list(holders))
    unknown = {name for name in holders if not re.fullmatch(OBJECT_NAME, name)}
    return sorted({holders[name].path for name in needed | unknown})


def damage_of(run: Run, verdicts: Mapping[str, RefVerdict], wrong: Sequence[str], warnings: Sequence[str]) -> GitDamage:
    """All of it in the words that rules, report and rescue know."""
    forbidden, said = list(wrong), list(warnings)
    refs: list[str] = []
    moved: dict[str, str] = {}
    for prefix, verdict in verdicts.items():
        (forbidden if prefix else refs).extend(f"{prefix}{name}" for name in verdict.offences)
        named = (f"{run.repo.own_prefix}HEAD", "packed-refs") if verdict.offences else ()
        forbidden += [path for path in verdict.broken if path not in named]
        said += [f"{prefix}{name} moved (a fetch, or your own work?) and was left so" for name in sorted(verdict.left)]
        moved.update({f"{prefix}{name}": value for name, value in verdict.rewound.items()})
    value = moved.get(run.branch_ref, "")
    if value and run.branch_ref not in refs:
        said += folded_commits(run, value)
    return GitDamage(tuple(f".git/{path}" for path in forbidden), tuple(refs), tuple(said), moved)
