"""The seven states in order, each entered at most once. Start here."""

from __future__ import annotations

import contextlib

from relais.brain.stage import orchestrate
from relais.contract.codes import Code, ErrorKind, Verdict
from relais.contract.findings import SUCCESS, Finding, Halt
from relais.ground.snapshot import take_snapshot
from relais.hands.stage import build
from relais.judge.byproducts import drop_old_byproducts
from relais.judge.commit import commit
from relais.judge.rollback import rolled_back_on_halt
from relais.judge.stage import judge
from relais.notebook.run import Run, blocked_document
from relais.preflight.stage import clean_up, preflight
from relais.report.document import report_document
from relais.report.stage import report
from relais.text.words import blast_line, clip
from relais.tick.provisions import take_in
from relais.typed import Json
from relais.world.claim import claimed
from relais.world.files import remove, write_derived, write_json
from relais.world.git import GitError
from relais.world.processes import adopt_orphans
from relais.world.refusals import refusal_remedies, system_finding


def tick(run: Run) -> Json:
    """One tick: the states of the PRD in order, each entered at most once. 1 LOCK is held by whoever calls."""
    try:
        finding = work(run)
    except Halt as halt:
        finding = halt.finding
    except (OSError, GitError) as problem:
        finding = system_finding(problem)
    except Exception as bug:  # ours: put it on record, then let it be seen
        close(run, Finding(Code.STOP_INTERRUPTED, f"bug in relais: {bug!r}", error=ErrorKind.BUG))
        raise
    return close(run, finding)


def work(run: Run) -> Finding:
    """States 2 to 5. Falling off the end is success."""
    if run.refusal:
        raise Halt(run.refusal)
    run.interrupt.check()
    adopt_orphans()
    with run.stage("preflight"):
        run.screen.note("preflight: looking at the repository")
        run.vault = claimed(run.repo)
        clean_up(run)
        preflight(run)
        take_snapshot(run)
    take_in()
    with rolled_back_on_halt(run):
        with run.stage("orchestrate"):
            task = orchestrate(run)  # 3 ORCHESTRATE
        run.screen.stage(
            "ORCHESTRATE", f"{task.task_kind.value} {task.task_id}: {clip(task.intent, 60)}", run.stages["orchestrate"]
        )
        with run.stage("build"):
            build(run, task)  # 4 BUILD
        if task.builder:
            run.screen.stage("BUILD", task.builder.mode.value, run.stages["build"])
        with run.stage("judge"):
            judge(run, task)  # 5 JUDGE
        with run.stage("commit"):
            commit(run, task)
        run.screen.stage("JUDGE", blast_line(run.touched.blast_radius), run.stages["judge"] + run.stages["commit"])
    return SUCCESS


def close(run: Run, finding: Finding, *, is_final: bool = False) -> Json:
    """States 6 and 7: the report, then the end of everything that said a tick was under way."""
    run.head_commit = run.head_commit or run.repo_status.commit
    try:
        document = report(run, finding)  # 6 REPORT
    except OSError as problem:
        document = unwritable_report(run, finding, problem)
    if run.in_flight and (is_final or not run.rollback or run.rollback["ok"]):
        run.vault.write("reported", run.run_id, write_derived)
        run.vault.leave()
        clear_marks(run)
        drop_old_byproducts(run)
    if run.has_begun and finding.code.verdict is not Verdict.BLOCKED:
        with contextlib.suppress(OSError):
            remove(run.file("BLOCKED.json"))
    return document


def clear_marks(run: Run) -> None:
    """Everything that said a tick was under way, the journal first: without it there is nothing to recover."""
    run.vault.end_signs()
    for name in ("journal", "committing", "spent", "reported", "alive"):
        remove(run.vault.path(name))
    with contextlib.suppress(OSError):
        remove(run.file("inflight.json"))


def unwritable_report(run: Run, finding: Finding, problem: OSError) -> Json:
    """A6, row 1: the verdict cannot be stored, so it is said where it still can be."""
    detail = f"REPORT.json cannot be written ({problem.strerror or problem}); the tick ended as {finding.code.value}: {finding.sentence}"
    remedies = (*refusal_remedies(problem), "relais status --preflight")
    stopped = Finding(Code.STOP_INTERRUPTED, detail, remedies=remedies, error=ErrorKind.SYSTEM)
    document = report_document(run, stopped)
    blocked = blocked_document(stopped._replace(code=Code.BLOCKED_CRASH_RECOVERY_REQUIRED))
    for name, content in (("BLOCKED.json", blocked), ("REPORT.json", document)):
        with contextlib.suppress(OSError):  # a report that could be written must not say what did not come true
            write_json(run.file(name), content)
    return document
