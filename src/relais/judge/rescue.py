"""Rejected work is never gone: rescue commit, kept refs."""

from __future__ import annotations

import contextlib
import re
from functools import partial

from relais.contract.evidence import NO_LOOK, Change, GitDamage, Seen
from relais.contract.findings import Halt
from relais.judge.lasting import made_of, move_ref
from relais.judge.tree import (
    converted,
    found_secrets,
    is_plain,
    make_real,
    measure,
    scratch_git,
    seen_as,
    written_tree,
)
from relais.notebook.run import Run
from relais.rules.fence import offences
from relais.text.words import clip, counted, shortened, visible
from relais.typed import Iterable, Optional, cast
from relais.world.git import GitError
from relais.world.looks import read_below, walk
from relais.world.repo import real_git


def keep_moved_refs(run: Run) -> None:
    """Before refs are forgotten, keep what they pointed to: it may be a commit of the person's own."""
    moved = cast(GitDamage, run.git_damage).moved.values()
    kept = keep_values(run, [value for value in moved if re.fullmatch(r"[0-9a-f]{40,64}", value)])
    if kept:
        run.warn(f"refs that moved are kept as {', '.join(shortened(kept, 3))}")


def keep_values(run: Run, values: Iterable[str]) -> list[str]:
    """Give commits names of ours, each once; the names."""
    kept = []
    real = real_git(run.repo, run.pinned)
    for value in sorted({*values}.difference(run.own_refs.values())):
        name = f"{run.kept_refs}/{len(run.own_refs) + 1}"
        with contextlib.suppress(GitError):
            real("cat-file", "-e", f"{value}^{{commit}}")
            real("update-ref", name, value)
            run.own_refs[name] = value
            kept.append(name)
    if kept:
        remember_refs(run)
    return kept


def remember_refs(run: Run) -> None:
    """Our own refs under refs/relais are part of the folder as it is meant to be."""
    ground = run.git_ground
    ground.manifest.update(walk(ground.root, lambda *_: False, start="refs/relais"))
    ground.record("refs/relais")


def rescue(run: Run, cause: str) -> Optional[str]:
    """The rejected work as a commit under refs/relais/rescue and as a patch, without what must not be kept there."""
    name = run.rescue_ref
    try:
        tree = rescued_tree(run)
        if tree is None:
            return rescued_before(run, name)
        message = f"relais rescue of {run.run_id} ({cause})\n"
        git = scratch_git(run, "objects", RESCUE_IDENTITY)
        words = ("commit-tree", tree, "-p", run.base)
        created = made_of(run, tree, lambda: rescued_tree(run), lambda: git.line(*words, stdin=message.encode()))
        move_ref(run, real_git(run.repo, run.pinned), created, lambda: rescued_tree(run), name, created)
        run.own_refs[name] = created
    except (GitError, OSError, Halt) as problem:
        run.warn(f"no rescue commit could be made ({visible(clip(str(problem), 100))}); the work is in quarantine")
        return None
    remember_refs(run)
    return name


def rescued_before(run: Run, name: str) -> Optional[str]:
    """The rescue that the runner had made before it died, if it had."""
    with contextlib.suppress(GitError):
        if run.is_recovering and real_git(run.repo, run.pinned).line("rev-parse", "--verify", "--quiet", name):
            return name
    return None


RESCUE_IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "relais"), ("EMAIL", "relais@localhost"))
}


def rescuable(run: Run) -> dict[str, Seen]:
    """What of the rejected work may lie in git's store, read once: no forbidden paths, nothing special, nothing huge, no secret."""
    if run.fence is None:
        return {}
    chosen: dict[str, Seen] = {}
    total = 0
    for change in run.touched.changes:
        if not is_plain(change) or run.fence.owned(change.path) or offences(change, run.fence):
            continue
        total += change.growth
        if total > run.fence.max_bytes or len(chosen) >= 2000:
            break
        seen = None if change.path in run.ignored else read_rejected(run, change)
        if seen and not found_secrets(run, {change.path: seen}):
            chosen[change.path] = seen
    return chosen


def read_rejected(run: Run, change: Change) -> Optional[Seen]:
    """What stands there now, whoever wrote it; None where it is another thing than the one that was found fit to be kept."""
    with contextlib.suppress(OSError):
        look, content = read_below(run.repo.root, change.path)
        is_same = (look or NO_LOOK).kind == (change.after or NO_LOOK).kind
        if is_same and (look or NO_LOOK).target == (change.after or NO_LOOK).target:
            return seen_as(look, content)
    return None


def rescued_tree(run: Run) -> Optional[str]:
    """The tree of what may be kept, scanned as it was stored; its objects become real, and nothing else does."""
    chosen = rescuable(run)
    for _ in range(2):
        if not chosen:
            return None
        tree = written_tree(run, chosen)
        found = made_of(run, tree, partial(written_tree, run, chosen), partial(measure, run, tree))
        secrets = found_secrets(run, converted(run, chosen, found.entries))
        if not secrets:
            left_out = len(run.touched.changes) - len(chosen)
            if left_out:
                run.warn(
                    f"{counted(left_out, 'path')} of the rejected work only in quarantine, not in the rescue commit"
                )
            make_real(run)
            return tree if found.entries else None
        chosen = {path: seen for path, seen in chosen.items() if path not in {path for path, _, _ in secrets}}
    return None
