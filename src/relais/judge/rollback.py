"""Everything back to the snapshot, and checked."""

from __future__ import annotations

import contextlib
import os

from relais.agents.filters import confined_git
from relais.contract.codes import Code, ErrorKind
from relais.contract.evidence import Change, GitDamage, entry_of, looked
from relais.contract.findings import Finding, Halt
from relais.contract.task import Check
from relais.ground.put_back import put_back
from relais.judge.byproducts import tidy
from relais.judge.commit import refresh_index
from relais.judge.git_folder import inspect_git
from relais.judge.rescue import keep_moved_refs, rescue
from relais.judge.survey import parted, settled_changes, survey
from relais.judge.verify import run_check, spend_late
from relais.notebook.run import Run
from relais.rules.tools import repair_commands
from relais.text.git_output import parse_status
from relais.text.words import visible
from relais.typed import Iterator, Optional, Sequence, cast
from relais.world.files import remove_tree
from relais.world.git import GitError
from relais.world.repo import real_git


@contextlib.contextmanager
def rolled_back_on_halt(run: Run) -> Iterator[None]:
    """What happened since the snapshot stands only if every later stage agrees (Appendix B)."""
    try:
        yield
    except BaseException as problem:
        if run.in_flight and run.commit is None:
            finding = problem.finding if isinstance(problem, Halt) else None
            with run.stage("rollback"):
                run.screen.note("rollback: putting everything back")
                residue = attempted_rollback(run, finding.code.value if finding else "bug")
            if finding and finding.error is ErrorKind.VERIFICATION and run.config.verification.baseline and not residue:
                raise Halt(with_baseline(run, finding)) from None
            if residue:
                raise Halt(unfinished(run, finding, residue)) from problem
        raise


def unfinished(run: Run, finding: Optional[Finding], residue: Sequence[str]) -> Finding:
    """What is said where something could not be put back, and what mends the store that it is linked from."""
    cause = f" after {finding.code.value}: {finding.sentence}" if finding else ""
    looks = ((path, looked(entry_of(run.tree.manifest, path))) for path in residue)
    repairs = repair_commands((path, look.ino) for path, look in looks if look and look.nlink > 1)
    told = f"; its store was written into, too, and is mended by: {' and '.join(repairs)}" if repairs else ""
    detail = f"the rollback could not be completed{cause}{told}; still different"
    remedies = (*repairs, "relais recover")
    return Finding(Code.STOP_INTERRUPTED, detail, tuple(residue), remedies, ErrorKind.ROLLBACK)


def attempted_rollback(run: Run, cause: str) -> list[str]:
    """Roll back; where git or the system refuses, say so instead of pretending."""
    try:
        return roll_back(run, cause)
    except (GitError, OSError, Halt) as problem:
        run.rollback = {"ok": False}
        return [visible(str(problem))]
    except Exception:  # a bug of ours: what a recovery needs must outlast it
        run.rollback = {"ok": False}
        raise


def roll_back(run: Run, cause: str) -> list[str]:
    """Save the rejected work, bring everything back to the snapshot, and check it; what still differs."""
    run.private.deadline = None
    if run.git_damage is None:
        survey(run)
    else:  # the checks have run since, and may have reached for git too
        run.git_damage = joined(run.git_damage, inspect_git(run))
    damage = cast(GitDamage, run.git_damage)
    keep_moved_refs(run)
    if not (
        run.touched.changes or damage.forbidden or damage.refs or damage.moved or unsettled(run) or run.is_recovering
    ):
        return []
    rescue_ref = rescue(run, cause)
    residue = converge(run)
    run.rollback = {"ok": not residue, **({"rescue_ref": rescue_ref} if rescue_ref else {})}
    return residue


def joined(one: GitDamage, other: GitDamage) -> GitDamage:
    return GitDamage(
        one.forbidden + other.forbidden,
        one.refs + other.refs,
        one.warnings + other.warnings,
        {**one.moved, **other.moved},
    )


def with_baseline(run: Run, finding: Finding) -> Finding:
    """Run the check that failed once more, on the base, and say whether it was broken before."""
    failed = run.checks[-1]
    spend_late(run, verify_runs=1)
    ran = run_check(run, Check(failed.template_id, failed.phase, failed.cmd, failed.args))
    run.checks.pop()
    run.git_damage = joined(cast(GitDamage, run.git_damage), inspect_git(run))  # what it finds, it puts back
    residue = converge(run)
    if residue:
        detail = "what the baseline run changed could not be put back"
        return Finding(Code.STOP_INTERRUPTED, detail, tuple(residue), error=ErrorKind.ROLLBACK)
    story = "regressed: it passes on the base" if ran.exit_code == 0 else "already broken on the base"
    return finding._replace(detail=f"{finding.detail} ({story})")


def unsettled(run: Run) -> list[Change]:
    """What still differs from the snapshot."""
    byproducts, rest = parted(run, settled_changes(run, run.tree))
    return byproducts + rest


def converge(run: Run) -> list[str]:
    """Put back until nothing differs; a few rounds, because making room can itself displace something."""
    for _ in range(4):
        byproducts, changes = parted(run, settled_changes(run, run.tree))
        make_room(run, [*byproducts, *changes])
        tidy(run, run.tree, byproducts, changes)  # first: what comes back must be newer than the folders this touches
        if not changes:
            break
        put_back(run, run.tree, changes, "tree")
    damage = inspect_git(run)
    residue = [*damage.forbidden, *(change.path for change in unsettled(run))]
    if residue:
        return residue
    refresh_index(run)
    if run.left.intersection(os.path.join(run.repo.git_dir, name) for name in ("HEAD", "index")):
        return []  # checked out or staged otherwise since a crash: what git says of that is between it and the person
    try:
        real = confined_git(run, real_git(run.repo, run.pinned))
        output = real("status", "--porcelain=v2", "-z", "-uall", "--no-renames", "--ignore-submodules=none")
    except GitError as problem:
        return [problem.words]
    run.git_ground.record(f"{run.repo.own_prefix}index")
    return [path for path in parse_status(output, run.config.owns).dirty if f"{run.repo.root}/{path}" not in run.left]


def make_room(run: Run, changes: Sequence[Change]) -> None:
    """On a full disk the rejected work must make room for the person's own files; else it stays, for it may be theirs, too."""
    lost = (change.before for change in changes if change.before and change.status in "DMTL")
    needed = ROOM_BESIDE + sum(look.size for look in lost if look.kind == "file")
    for folder in (run.vault.path("aside"), os.path.join(run.history, "quarantine")):
        room = os.statvfs(run.repo.root)
        if room.f_bavail * room.f_frsize < needed:
            remove_tree(folder)


# For an index, a report and whatever else is written beside what comes back.
ROOM_BESIDE = 4 << 20
