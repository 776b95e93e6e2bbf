"""4 BUILD: whoever the task names."""

from __future__ import annotations

from relais.contract.codes import Code, Mode, TaskKind
from relais.contract.evidence import is_folder_only
from relais.contract.findings import halt
from relais.contract.task import Task
from relais.ground.snapshot import prepare_for_crash, take_in_since
from relais.hands.agent import build_with_agent
from relais.hands.external import build_with_cursor
from relais.hands.patch import build_with_patch
from relais.judge.git_refs import own_refs_in, values_before, values_now
from relais.judge.survey import parted, settled_changes
from relais.notebook.run import Run
from relais.rules.fence import is_editors_own
from relais.typed import Callable


def build(run: Run, task: Task) -> None:
    """4 BUILD: one builder call, or none where the task has no builder."""
    if run.sandbox != "none" and (task.builder or run.plan.checks):
        respect_what_came_since(run)
    if task.builder:
        run.builder = {"mode": task.builder.mode.value, "output_valid": False}
        BUILDERS[task.builder.mode](run, task)
    elif run.plan.checks and task.task_kind is not TaskKind.QUESTION:
        prepare_for_crash(run)


def respect_what_came_since(run: Run) -> None:
    """The person may have gone on while the Brain was at work: no builder gets the blame for it, and nothing is undone.

    Where nothing confined the Brain it may have been the Brain: then it is judged with what the builder does.
    """
    before, after = values_before(run, ""), values_now(run, "")
    moved = tuple(name for name in own_refs_in(run, "") if before.get(name) != after.get(name))
    if moved:
        detail = "moved while the Brain was at work, so nothing was built"
        raise halt(Code.STOP_HEAD_MOVED, detail, moved, ("relais run",))
    _, changes = parted(run, settled_changes(run, run.tree))
    since = [c for c in changes if not run.config.owns(c.path) and not (c.status == "A" and is_editors_own(c.path))]
    dirty = tuple(c.path for c in since if c.path not in run.ignored and not is_folder_only(c))
    if dirty:
        detail = "these changed while the Brain was at work, so nothing was built"
        raise halt(Code.BLOCKED_DIRTY_WORKTREE, detail, dirty, ("git status", "git stash -u"))
    take_in_since(run, since)


BUILDERS: dict[Mode, Callable[[Run, Task], None]] = {
    Mode.CLAUDE_CODE: lambda run, task: build_with_agent(run, task),
    Mode.PATCH: lambda run, task: build_with_patch(run, task),
    Mode.CURSOR: lambda run, task: build_with_cursor(run, task),
}
