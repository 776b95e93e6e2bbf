"""3 ORCHESTRATE: one task, judged alone before anybody is paid for it."""

from __future__ import annotations

import os

from relais.agents.ask import admitted_answer, ask, retry_reason
from relais.agents.call import enforce_call
from relais.agents.prompts import fitted
from relais.brain.briefing import blocked_for_brain, orchestrator_values
from relais.contract.codes import Mode, TaskKind
from relais.contract.config import Config
from relais.contract.evidence import Fence
from relais.contract.findings import Answer, enforce
from relais.contract.state import Ledger
from relais.contract.task import Proposal, Task, Verification
from relais.notebook.progress import adopt_milestone, changed_milestone, fingerprint
from relais.notebook.run import Run
from relais.rules.checks import planned
from relais.rules.fence import fence_of, vanity
from relais.rules.tables import BRAIN_RULES, TASK_RULES, VERIFY_RULES
from relais.text.documents import decode, to_json
from relais.text.globs import glob_fault
from relais.text.words import clip, visible
from relais.typed import Optional, cast
from relais.world.carried import own_place
from relais.world.files import is_inside, write_derived
from relais.world.host import find_program


def task_faults(task: Task, config: Config, ledger: Ledger) -> list[str]:
    """What makes an admitted task invalid all the same; the Brain may try once more."""
    globs = (*task.scope.allowed_globs, *task.scope.forbidden_globs)
    faults = [fault for fault in map(glob_fault, globs) if fault]
    if task.task_kind is TaskKind.VERIFY_ONLY and not (task.verification.fast or task.verification.slow):
        faults.append("verify_only needs at least one verification")
    twice = [name for name in task.verification.fast if name in task.verification.slow]
    faults += [f"verification {name} stands in fast and in slow" for name in twice]
    mode = task.builder.mode if task.builder else None
    if mode and mode not in config.modes:
        modes = ", ".join(available.value for available in config.modes)
        faults.append(f"builder.mode {mode.value} is not available here (available: {modes})")
    if mode is Mode.PATCH and ledger.patch_attempts >= config.builder.patch.max_patch_attempts_per_milestone:
        faults.append("this milestone has used up its patch attempts: use builder.mode claude_code")
    return faults


def orchestrate(run: Run) -> Task:
    """3 ORCHESTRATE: one Brain call, and a second only if the first was no valid task."""
    run.blocked_before = blocked_for_brain(run)
    values = orchestrator_values(run)
    complaint = ""
    for attempt in range(1 + run.config.orchestrator.max_parse_retries_per_tick):
        run.spend(orchestrator_calls=1, **({} if attempt else {"ticks": 1}))
        prompt = fitted(
            run.brain_prompt,
            {**values, "RETRY_REASON": retry_reason(complaint)},
            run.config.orchestrator.max_prompt_chars,
        )
        reply = ask(run, "orchestrator", prompt, run.config.orchestrator.timeout_seconds)
        enforce_call(run, BRAIN_RULES, reply)
        task, complaint = admitted_task(run, reply.text)
        if task:
            accept(run, task)
            return task
    enforce(BRAIN_RULES, Answer(complaint=complaint))
    raise AssertionError("an answer without a task has a complaint")


def admitted_task(run: Run, text: str) -> tuple[Optional[Task], str]:
    """The task in a reply, or why it is none."""
    document, complaint = admitted_answer(run, "task", text)
    if complaint:
        return None, complaint
    task = cast(Task, decode(Task, document))
    faults = task_faults(task, run.config, run.state.budgets)
    is_built = task.task_kind is TaskKind.EXECUTE and task.builder and task.builder.mode is not Mode.PATCH
    if is_built and not faults:
        faults += filter(None, [vanity(fence_around(run, task), run.listing.paths)])
    if faults:
        return None, clip("; ".join(visible(fault) for fault in faults), 500)
    run.task_document = document
    return task, ""


def fence_around(run: Run, task: Task) -> Fence:
    program = own_place()
    inside = program.startswith(run.repo.root + os.sep)
    return fence_of(task, run.config, run.relative(program) if inside else None, run.settings_files)


def accept(run: Run, task: Task) -> None:
    """Judge what can be judged from the task alone, before any builder is paid; persist its milestone."""
    run.task, run.control = task, task.control
    run.fence = fence_around(run, task)
    rejected = [task.task_id] if fingerprint(run) in run.state.rejected else []
    enforce(TASK_RULES, Proposal(changed_milestone(run), rejected))
    adopt_milestone(run, task.milestone_id)
    write_derived(run.file("TASK.json"), to_json(run.task_document))
    asked, policy = task.verification, run.config.verification
    if task.control:  # a claim to be done is checked as the person said, not as the task says
        done_when = run.config.milestone.done_when if task.control.action == "stop" else ()
        asked, policy = Verification((), ()), policy._replace(required_fast=done_when, required_slow=())
    run.plan = planned(asked, policy, lambda path: is_inside(run.repo.root, path))
    enforce(VERIFY_RULES, run.plan)
    # Looked up now, so that nothing the builder plants on the way can be run in their place.
    for check in run.plan.checks:
        run.programs[check.cmd] = find_program(check.cmd, run.repo.root) or check.cmd
