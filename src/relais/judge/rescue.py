"""Rejected work is never gone: rescue commit, kept refs."""

from __future__ import annotations

import contextlib
import re

from relais.contract.evidence import NO_LOOK, GitDamage
from relais.judge.commit import measure, written_tree
from relais.judge.survey import found_secrets
from relais.notebook.run import Run
from relais.rules.fence import offences
from relais.text.words import clip, counted, shortened, visible
from relais.typed import Optional, cast
from relais.world.git import HARDENED, Git, GitError
from relais.world.looks import walk
from relais.world.repo import real_git


def keep_moved_refs(run: Run) -> None:
    """Before refs are forgotten, keep what they pointed to: it may be a commit of the person's own."""
    kept = []
    values = sorted(
        {value for value in cast(GitDamage, run.git_damage).moved.values() if re.fullmatch(r"[0-9a-f]{40,64}", value)}
    )
    real = real_git(run.repo, run.pinned)
    for number, value in enumerate(values, 1):
        name = f"refs/relais/kept/{run.run_id}/{number}"
        with contextlib.suppress(GitError):
            real("cat-file", "-e", f"{value}^{{commit}}")
            real("update-ref", name, value)
            kept.append(name)
    if kept:
        remember_refs(run)
        run.warn(f"refs that moved are kept as {', '.join(shortened(kept, 3))}")


def remember_refs(run: Run) -> None:
    """Our own refs under refs/relais are part of the folder as it is meant to be."""
    ground = run.git_ground
    ground.manifest.update(walk(ground.root, lambda *_: False, start="refs/relais"))
    ground.record("refs/relais")


def rescue(run: Run, cause: str) -> Optional[str]:
    """The rejected work as a commit under refs/relais/rescue and as a patch, without what must not be kept there."""
    paths, name = rescuable(run), f"refs/relais/rescue/{run.run_id}"
    if not paths:
        return rescued_before(run, name)
    try:
        run.tree_id = written_tree(run, paths)
        measure(run, run.tree_id)
        if run.tree_id == run.private.line("rev-parse", f"{run.base}^{{tree}}"):
            return None
        message = f"relais rescue of {run.run_id} ({cause})\n"
        env = {**run.private.env, **RESCUE_IDENTITY}
        created = Git(run.repo.git, run.repo.root, HARDENED, env).line(
            "commit-tree", run.tree_id, "-p", run.base, stdin=message.encode()
        )
        real_git(run.repo, run.pinned)("update-ref", name, created)
    except (GitError, OSError) as problem:
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


def rescuable(run: Run) -> list[str]:
    """What of the rejected work may lie in git's store: no forbidden paths, nothing special, nothing huge."""
    if run.fence is None:
        return []
    chosen: list[str] = []
    total = 0
    for change in run.touched.changes:
        is_plain = (change.after or change.before or NO_LOOK).kind in ("file", "link")
        if not is_plain or run.fence.owned(change.path) or offences(change, run.fence) or change.path in run.ignored:
            continue
        total += change.size
        if total > run.fence.max_bytes or len(chosen) >= 2000:
            break
        if not found_secrets(run, [change]):
            chosen.append(change.path)
    left_out = len(run.touched.changes) - len(chosen)
    if left_out and chosen:
        run.warn(f"{counted(left_out, 'path')} of the rejected work only in quarantine, not in the rescue commit")
    return chosen
