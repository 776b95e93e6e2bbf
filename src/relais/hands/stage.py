"""4 BUILD: whoever the task names."""

from __future__ import annotations

from relais.contract.codes import Mode, TaskKind
from relais.contract.task import Task
from relais.ground.snapshot import prepare_for_crash
from relais.hands.agent import build_with_agent
from relais.hands.external import build_with_cursor
from relais.hands.patch import build_with_patch
from relais.notebook.run import Run
from relais.typed import Callable


def build(run: Run, task: Task) -> None:
    """4 BUILD: one builder call, or none where the task has no builder."""
    if task.builder:
        run.builder = {"mode": task.builder.mode.value, "output_valid": False}
        BUILDERS[task.builder.mode](run, task)
    elif run.plan.checks and task.task_kind is not TaskKind.QUESTION:
        prepare_for_crash(run)


BUILDERS: dict[Mode, Callable[[Run, Task], None]] = {
    Mode.CLAUDE_CODE: lambda run, task: build_with_agent(run, task),
    Mode.PATCH: lambda run, task: build_with_patch(run, task),
    Mode.CURSOR: lambda run, task: build_with_cursor(run, task),
}
