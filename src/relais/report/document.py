"""REPORT.json, shortened so that no outcome can make it invalid."""

from __future__ import annotations

import time

from relais.contract.codes import NO_TASK, OUTPUT_TAIL_CHARS, Code, TaskKind
from relais.contract.evidence import Tidied
from relais.contract.findings import Finding
from relais.contract.state import COUNTERS, Ledger, is_budget_critical
from relais.contract.task import CheckRun
from relais.notebook.run import Run
from relais.rules.fence import shown_name
from relais.text.documents import encode
from relais.text.words import clip, iso, shortened, visible
from relais.typed import Json, Optional, cast


def report_document(run: Run, finding: Finding) -> Json:
    """The report, shortened wherever a schema has a limit, so that no outcome can make it invalid."""
    ended = max(time.time(), run.started)
    task, kept = run.task, run.config.history.enabled and run.has_begun
    milestone = run.state.milestone_id or NO_TASK
    is_scope_finding = finding.code.value.startswith(
        ("STOP_SCOPE", "STOP_RUNNER", "STOP_LOCKFILE", "STOP_DIFF", "STOP_HEAD", "STOP_SECRET")
    ) or (finding.code in (Code.STOP_QUESTION_SIDE_EFFECTS, Code.STOP_VERIFY_ONLY_SIDE_EFFECTS))
    history = run.relative(run.history)
    document: Json = {
        "run_id": run.run_id,
        "started_at": iso(run.started),
        "ended_at": iso(ended),
        "duration_ms": int((time.monotonic() - run.began) * 1000),
        "base_commit": run.base,
        "head_commit": run.head_commit or run.base,
        "task": {
            "task_id": task.task_id if task else NO_TASK,
            "milestone_id": milestone,
            "task_kind": (task.task_kind if task else TaskKind.EXECUTE).value,
            "intent": clip(task.intent, 1200) if task else NO_TASK,
        },
        "verdict": finding.code.verdict.value,
        "code": finding.code.value,
        "blast_radius": run.touched.blast_radius,
        "scope": {
            "ok": not is_scope_finding,
            "violations": [clip(visible(o), 200) for o in shortened(finding.offenders, 200)]
            if is_scope_finding
            else [],
            "touched_paths": [clip(visible(shown_name(p)), 400) for p in shortened(run.touched.paths, 500)],
        },
        "diff": {
            "files_changed": len(run.touched.changes),
            "lines_changed": run.touched.lines_changed,
            "diff_patch_path": f"{history}/diff.patch"
            if kept and run.patch and run.config.history.include_diff_patch
            else "none",
        },
        "verification": {
            "exec_mode": run.config.verification.execution_mode,
            "runs": [check_document(check) for check in run.checks[:40]],
            "verify_log_path": f"{history}/verify.log"
            if kept and run.checks and run.config.history.include_verify_log
            else "none",
        },
        "budgets": {
            **spent_document(run.spent, milestone),
            "warnings": [clip(visible(w), 200) for w in shortened(run_warnings(run), 20)],
        },
        "ledger": spent_document(run.state.budgets, milestone),
        "stages": run.stages,
        "pointers": {"report_md_path": run.relative(run.file("REPORT.md")), "history_dir": history if kept else "none"},
    }
    return {**document, **report_extras(run, finding)}


def report_extras(run: Run, finding: Finding) -> Json:
    """The optional objects of a report: each stands there only if there is something to say."""
    task = run.task
    is_question = task is not None and task.task_kind is TaskKind.QUESTION
    extras = {
        "builder": run.builder,
        "commit": {**run.commit, "subject": clip(run.commit["subject"], 200)} if run.commit else None,
        "rollback": run.rollback,
        "control": encode(run.control),
        "review": run.review,
        "byproducts": byproducts_document(run.tidied),
        "question": encode(task.question) if task and is_question else None,
        "sandbox": run.confined_by if any(call["role"] == "builder" for call in run.calls) else None,
        "denied": [clip(visible(denial), 400) for denial in dict.fromkeys(run.denied)][:20],
        "agent": {"usage": run.usage, "calls": [receipt(call) for call in run.calls]} if run.calls else None,
        "error": error_document(finding) if finding.code is not Code.SUCCESS else None,
    }
    return {name: value for name, value in extras.items() if value}


def byproducts_document(tidied: Tidied) -> Optional[Json]:
    return {**tidied._asdict(), "seconds": round(tidied.seconds, 3)} if tidied != Tidied() else None


def error_document(finding: Finding) -> Json:
    kind = finding.error.value if finding.error else finding.code.value.lower()
    when = {"retry_at": finding.retry_at} if finding.retry_at else {}
    return {"kind": kind, "detail": clip(visible(finding.sentence), 2000), **when}


def receipt(call: Json) -> Json:
    """What one call cost, as the agent reported it; what it did not report stays out."""
    told = {"cost_usd": call["reported_cost_usd"], "turns": call["turns"], "usage": call["usage"] or None}
    known = {name: value for name, value in told.items() if value is not None}
    return {"role": call["role"], "duration_ms": call["duration_ms"], **known}


def run_warnings(run: Run) -> list[str]:
    critical = ["budget critical"] if is_budget_critical(run.state, run.config.budgets) else []
    return [warning or "(empty)" for warning in (*critical, *run.warnings)]


def spent_document(ledger: Ledger, milestone: str) -> Json:
    counts = {name: getattr(ledger, name) for name in COUNTERS}
    return {"milestone_id": milestone, **counts, "estimated_cost_usd": round(ledger.estimated_cost_usd, 6)}


def check_document(check: CheckRun) -> Json:
    return {
        **cast(Json, encode(check)),
        "cmd": clip(visible(check.cmd), 120),
        "args": [clip(visible(arg), 200) for arg in shortened(check.args, 40)],
        "output_tail": clip(check.output_tail.replace("\0", "\\0"), OUTPUT_TAIL_CHARS),
    }
