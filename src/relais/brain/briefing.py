"""What the Brain is told."""

from __future__ import annotations

import contextlib
import json
import os

from relais.agents.prompts import compact_schema, described
from relais.contract.codes import Code
from relais.contract.config import Config
from relais.contract.state import budgets_summary
from relais.notebook.progress import goal, idle_ticks
from relais.notebook.run import Run, run_ids
from relais.report.render import digest_line, rendered
from relais.text.documents import json_or_none
from relais.typed import Iterator, Optional
from relais.world.files import read_json, read_text


def blocked_for_brain(run: Run) -> Optional[str]:
    """BLOCKED.json for the Brain, unless another runner left it only to say that we were at work."""
    text = read_text(run.file("BLOCKED.json"))
    document = json_or_none(text)
    is_notice = isinstance(document, dict) and document.get("code") == Code.BLOCKED_LOCK_HELD.value
    return text if document and not is_notice else None


def orchestrator_values(run: Run) -> dict[str, str]:
    """What fills the Brain's prompt. A test holds this and the shipped template in step."""
    config, state = run.config, run.state
    answers = [a for a in state.answers if a.milestone_id == state.milestone_id]
    return {
        "PROJECT_GOAL": goal(run),
        "MILESTONE_ID": state.milestone_id or "(none yet: choose a short id, for example M1)",
        "BUDGETS_SUMMARY": budgets_summary(state, config.budgets),
        "VERIFY_TEMPLATE_IDS": "\n".join(map(described, config.verification.templates)) or "(none configured)",
        "DEFAULTS": defaults_summary(config),
        "GIT_STATUS": f"on {run.repo_status.branch or 'a detached HEAD'} at {run.base[:12]}, clean",
        "FACTS_MD": read_text(run.file("FACTS.md")) or "(none)",
        "NOTICES": replan_notice(run) or "(none)",
        "RECENT_RUNS": "\n".join(recent_digests(run)) or "(none yet)",
        "LAST_REPORT_MD": last_report(run) or "(none yet)",
        "BLOCKED_JSON_OR_EMPTY": run.blocked_before or "(not blocked)",
        "ANSWERED_QUESTION": "\n".join(f"Q: {a.prompt}\nA: {a.answer}" for a in answers) or "(none)",
        "TASK_SCHEMA": compact_schema(run, "task"),
    }


def replan_notice(run: Run) -> str:
    idle = idle_ticks(run)
    if idle < run.config.loop.stuck_after:
        return ""
    return (
        f"The last {idle} ticks brought no commit. Do not go on as before: read why they failed, then propose a smaller "
        "step, another way, or a question. A task that was rejected is refused when it comes again unchanged."
    )


def defaults_summary(config: Config) -> str:
    scope, limits = config.scope, config.diff_limits
    return "\n".join(
        (
            f"allowed_globs: {json.dumps(scope.default_allowed_globs)}",
            f"forbidden_globs: {json.dumps(scope.default_forbidden_globs)} (always in force)",
            f"allow_new_files: {json.dumps(scope.default_allow_new_files)}",
            f"allow_lockfile_changes: {json.dumps(scope.default_allow_lockfile_changes)}",
            f"diff_limits: {limits.default_max_files_touched} files, {limits.default_max_lines_changed} lines",
            f"builder.mode: {config.builder.default_mode.value} (available: {', '.join(m.value for m in config.modes)}), "
            f"max_turns at most {config.builder.claude_code.max_turns}",
        )
    )


def recent_digests(run: Run) -> Iterator[str]:
    """One line for each of the last runs, oldest first."""
    for run_id in run_ids(run)[-10:]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            yield digest_line(read_json(os.path.join(run.repo.root, run.config.history.dir, run_id, "report.json")))


def last_report(run: Run) -> str:
    """The report of the last tick that was completed: a preflight BLOCKED never stands in its place."""
    run_id = run.state.last_completed_run_id
    if not run_id:
        return ""
    kept = read_text(os.path.join(run.repo.root, run.config.history.dir, run_id, "report.md"))
    if kept:
        return kept
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        report = read_json(run.file("REPORT.json"))
        if report["run_id"] == run_id:
            return rendered(report, run.config.runner.render_report_md.max_chars)
    return ""
