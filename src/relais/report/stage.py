"""6 REPORT: report, history, state, in this order."""

from __future__ import annotations

import os
import sys

from relais.contract.codes import TRANSIENT, Code, ErrorKind, TaskKind, Verdict
from relais.contract.findings import Finding
from relais.contract.state import RECENT_RUNS_KEPT, PendingQuestion
from relais.ground.put_back import PASSED_OVER, own_history_folder
from relais.notebook.progress import fingerprint, idle_ticks, standing
from relais.notebook.run import Run, blocked_document
from relais.report.document import report_document
from relais.report.render import digest_of_run, rendered
from relais.text.documents import to_json
from relais.typed import Json, Optional
from relais.version import __version__
from relais.world.files import ensure_folder, move, write_derived, write_json

FINGERPRINTS_KEPT = 50


def report(run: Run, finding: Finding) -> Json:
    """6 REPORT: REPORT.json, REPORT.md from it, the history, STATE.json, in this order."""
    run.finding = finding
    document = report_document(run, finding)
    completed = run.has_begun
    if finding.code.verdict is Verdict.BLOCKED:
        write_json(run.file("BLOCKED.json"), blocked_document(finding))
    write_json(run.file("REPORT.json"), document)
    markdown = rendered(document, run.config.runner.render_report_md.max_chars)
    if run.config.runner.render_report_md.enabled:
        write_derived(run.file("REPORT.md"), markdown.encode("utf-8", "backslashreplace"))
    if completed:
        if run.config.history.enabled:
            write_history(run, document, markdown)
        run.state = run.state._replace(
            last_run_id=run.run_id,
            last_verdict=finding.code.verdict.value,
            last_code=finding.code.value,
            last_completed_run_id=run.run_id,
            question=asked(run, finding) or run.state.question,
            recent=(*run.state.recent, digest_of_run(document))[-RECENT_RUNS_KEPT:],
            **progress(run, finding),
        )
        run.save_state()
    return document


def progress(run: Run, finding: Finding) -> Json:
    """What a tick means for the next one: how long nothing came of it, and which tasks need not come again."""
    rejected = run.state.rejected
    if run.task and finding.code.is_on_merits:
        rejected = (*rejected, fingerprint(run))[-FINGERPRINTS_KEPT:]
    is_luck = finding.error is ErrorKind.SIGNAL or finding.error in TRANSIENT
    counts = finding.code.verdict is not Verdict.BLOCKED and not is_luck
    idle = 0 if run.commit else idle_ticks(run) + counts
    return {"idle_ticks": idle, "idle_since": standing(run), "rejected": rejected}


def asked(run: Run, finding: Finding) -> Optional[PendingQuestion]:
    task = run.task
    if (
        finding.code is not Code.SUCCESS
        or task is None
        or task.question is None
        or task.task_kind is not TaskKind.QUESTION
    ):
        return None
    return PendingQuestion(run.run_id, task.milestone_id, task.question.prompt, task.question.choices)


def displace_planted(run: Run, folder: str) -> None:
    """Nobody else writes in the run's own folder, and we do so last: what is there already was planted, and says nothing.

    After a crash it may be the dead runner's, which ours takes the place of.
    """
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        is_ours = run.is_recovering and os.path.isfile(path) and not os.path.islink(path)
        if name != "quarantine" and not is_ours:
            place = ensure_folder(folder, f"quarantine/{PASSED_OVER}/planted-{os.urandom(4).hex()}", 0o700)
            move(path, os.path.join(place, name))


def write_history(run: Run, document: Json, markdown: str) -> None:
    """One folder per run: what happened, how it was called, what it changed, what the checks said."""
    folder = own_history_folder(run)
    displace_planted(run, folder)
    meta = {
        "run_id": run.run_id,
        "versions": {
            "relais": __version__,
            "python": sys.version.split()[0],
            "git": run.git_version,
            "platform": sys.platform,
        },
        "stages": run.stages,
        "calls": run.calls,
        "task": run.task_document or None,
        "vault": run.vault.folder,
    }
    write_derived(os.path.join(folder, "meta.json"), to_json(meta))
    write_derived(os.path.join(folder, "report.json"), to_json(document))
    write_derived(os.path.join(folder, "report.md"), markdown.encode("utf-8", "backslashreplace"))
    if run.config.history.include_diff_patch and run.patch:
        write_derived(os.path.join(folder, "diff.patch"), run.patch)
    if run.config.history.include_verify_log and run.checks:
        write_derived(os.path.join(folder, "verify.log"), bytes(run.verify_log))
    if run.driver_output:
        write_derived(os.path.join(folder, "driver_output.json"), run.driver_output)
