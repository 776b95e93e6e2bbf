"""Histories for the page of `relais history --html`: one as a project leaves it, a hostile one, a long one."""

from __future__ import annotations

import datetime
import itertools
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from helpers import RELAIS, Document, Repo, an_environment, deep_merge

FIRST = datetime.datetime(2026, 3, 2, 8, 12, 40, tzinfo=datetime.timezone.utc)
OUTSIDE = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"
MANY = 10_000


class Past(NamedTuple):
    """One run of a history: its report, and the diff beside it (none where it is empty)."""

    report: Document
    diff: str = ""


def run_id_of(number: int, minutes: int = 37) -> str:
    """The id of the run with this number, counted from 0; later numbers sort after earlier ones."""
    began = FIRST + datetime.timedelta(minutes=number * minutes, seconds=number * 7 % 60)
    return f"{began:%Y%m%dT%H%M%SZ}-{number % 65536:04x}"


def a_call(role: str, seconds: float, cost: float | None, **usage: int) -> Document:
    told = {} if cost is None else {"cost_usd": cost}
    return {"role": role, "duration_ms": int(seconds * 1000), "turns": 3, **told, **({"usage": usage} if usage else {})}


def a_check(template: str, status: int, seconds: float, output: str = "", phase: str = "fast") -> Document:
    return {
        "template_id": template,
        "phase": phase,
        "cmd": "pnpm",
        "args": ["run", template],
        "exit_code": status,
        "duration_ms": int(seconds * 1000),
        "timed_out": False,
        "output_tail": output,
    }


def a_report(number: int, code: str = "SUCCESS", **changes: Any) -> Document:
    """A report that its schema admits. Objects in changes are merged in, None takes a key out."""
    verdict = code.partition("_")[0].lower()
    spent = {"milestone_id": "M1", "ticks": 1, "orchestrator_calls": 1, "builder_calls": 1, "verify_runs": 1}
    report = {
        "run_id": run_id_of(number),
        "started_at": "2026-03-02T08:12:40Z",
        "ended_at": "2026-03-02T08:15:40Z",
        "duration_ms": 180_000,
        "base_commit": "7f04538b286f48f54c2a2589122788fd0d2dff04",
        "head_commit": "43a0bb2a59d69fc2c5a57333f614a76e0b4e3723",
        "task": {"task_id": f"t-{number}", "milestone_id": "M1", "task_kind": "execute", "intent": "change the app"},
        "verdict": verdict,
        "code": code,
        "blast_radius": {"files_touched": 0, "lines_added": 0, "lines_deleted": 0, "new_files": 0},
        "scope": {"ok": True, "violations": [], "touched_paths": []},
        "diff": {"files_changed": 0, "lines_changed": 0, "diff_patch_path": "none"},
        "verification": {"exec_mode": "argv_no_shell", "runs": [], "verify_log_path": "none"},
        "budgets": {**spent, "estimated_cost_usd": 0.0, "warnings": []},
        "stages": {"preflight": 210, "orchestrate": 21_400, "build": 139_000, "judge": 480, "verify": 18_300, "commit": 90},
        "pointers": {"report_md_path": "relais/REPORT.md", "history_dir": f"relais/history/{run_id_of(number)}"},
        "sandbox": "namespaces",
    }
    outcome: Document = {"commit": {"id": f"{number:04x}" * 10, "branch": "main", "subject": "feat: change the app"}}
    if verdict == "stop":
        ref = f"refs/relais/rescue/{run_id_of(number)}"
        outcome = {"rollback": {"ok": True, "rescue_ref": ref}, "error": {"kind": code.lower(), "detail": "it was not to be"}}
    elif verdict == "blocked":
        outcome = {"error": {"kind": code.lower(), "detail": "a person has to decide"}}
    return deep_merge({**report, **outcome}, changes)


def a_diff(path: str, deleted: Iterable[str], added: Iterable[str], around: Iterable[str] = ()) -> str:
    """The part of a diff that belongs to one file."""
    lines = [*(f" {line}" for line in around), *(f"-{line}" for line in deleted), *(f"+{line}" for line in added)]
    head = f"diff --git a/{path} b/{path}\nindex 83db48f..bf269f4 100644\n--- a/{path}\n+++ b/{path}\n"
    return f"{head}@@ -1,{len(lines)} +1,{len(lines)} @@\n" + "\n".join(lines) + "\n"


# --- as a project leaves it -------------------------------------------------------------------

STEPS = {
    "M1": [
        "Read the rates from the new endpoint and keep the old one as a fallback",
        "Give every amount a currency of its own instead of assuming euros",
        "Round half to even, and only where an invoice is printed",
        "Move the exchange rates behind one interface",
        "Write down how a rate is chosen when two are valid on the same day",
    ],
    "M2": [
        "Show the total in the customer's currency on the order page",
        "Let a person switch the currency, and remember it for the next visit",
        "Format amounts with the locale of the page, not of the server",
        "Cache the rates for an hour, and say how old they are",
        "Remove the old converter now that nothing calls it",
        "Make the currency menu usable with the keyboard alone",
    ],
    "M3": [
        "Send the monthly statement as one PDF per currency",
        "Skip customers without a single order when statements are made",
        "Retry a failed statement twice, then put it on the list for people",
        "Keep statements for ten years, and nothing else",
        "Name the bank's fee on every statement that has one",
        "Write the statement's totals with the rates of its last day",
        "Let people ask for an old statement again",
        "Say in the log which statements were sent, and to how many",
        "Leave out rates that were never used",
        "Check the PDF against the invoices it sums up",
    ],
}
FAILURE = """\
> shop@4.2.0 test
> vitest run --reporter=basic

 ✓ src/money/round.test.ts (14 tests) 31ms
 ✓ src/money/parse.test.ts (22 tests) 44ms
 ❯ src/money/format.test.ts (9 tests | 2 failed) 57ms
   × formats yen without decimals
     → expected '¥1,234.00' to be '¥1,234'
   × puts the sign before the symbol
     → expected '€-5.00' to be '-€5.00'

 Test Files  1 failed | 2 passed (3)
      Tests  2 failed | 43 passed (45)
   Duration  1.92s (transform 210ms, setup 0ms, collect 480ms, tests 132ms)
"""
FORMAT_DIFF = a_diff(
    "src/money/format.ts",
    ["  return symbol(amount.currency) + amount.value.toFixed(2);"],
    [
        "  const digits = DIGITS[amount.currency] ?? 2;",
        "  return new Intl.NumberFormat(locale, { style: 'currency', currency: amount.currency,",
        "    minimumFractionDigits: digits }).format(amount.value);",
    ],
    ["export function format(amount: Money, locale: string): string {"],
)
SETTINGS_DIFF = a_diff("config/production.json", ['  "ratesUrl": "/v1/rates",'], ['  "ratesUrl": "/v2/rates",'], ["{"])
RATES_DIFF = a_diff(
    "src/rates/client.ts",
    ["-- the old endpoint", "const RATES = '/v1/rates';"],
    ["++ the new one", "const RATES = '/v2/rates';", "const FALLBACK = '/v1/rates';"],
    ["import { get } from '../http';"],
)
REVIEW = {
    "summary": "The amounts are right, the keyboard is not.",
    "criteria": [
        {"criterion": "Amounts follow the locale of the page", "verdict": "pass", "evidence": "format.ts passes the locale on; 9 tests cover it"},
        {"criterion": "The menu opens with Enter and closes with Escape", "verdict": "fail", "evidence": "menu.tsx listens for click only (line 41)"},
        {"criterion": "The colours fit the brand", "verdict": "needs_human", "evidence": "there is no palette in this repo to compare with"},
    ],
}


def radius(files: int, added: int, deleted: int, new: int = 0) -> Document:
    return {"files_touched": files, "lines_added": added, "lines_deleted": deleted, "new_files": new}


def calls(number: int, *, unknown: bool = False) -> Document:
    cost = 0.031 + number % 7 * 0.013
    brain = a_call("orchestrator", 14 + number % 9, round(cost / 3, 4), input_tokens=18_200 + number * 113, output_tokens=940)
    hands = a_call("builder", 90 + number * 17 % 200, None if unknown else round(cost, 4), input_tokens=61_000 + number * 907, output_tokens=7_300)
    return {"usage": {}, "calls": [brain, hands]}


def a_success(number: int, milestone: str, intent: str) -> Past:
    added, deleted = 9 + number * 41 % 190, number * 23 % 70
    task = {"task_id": f"t-{number:03}", "milestone_id": milestone, "intent": intent}
    took = 62_000 + number * 37_123 % 260_000
    changes = {
        "task": task,
        "duration_ms": took,
        "blast_radius": radius(1 + number % 5, added, deleted, number % 3 // 2),
        "scope": {"ok": True, "violations": [], "touched_paths": ["src/rates/client.ts"]},
        "verification": {"runs": [a_check("lint", 0, 3.1), a_check("test", 0, 14.2, "45 passed"), a_check("build", 0, 31.0, phase="slow")]},
        "stages": {"preflight": 190, "orchestrate": took // 7, "build": took * 3 // 5, "judge": 410, "verify": took // 6, "commit": 80},
        "agent": calls(number, unknown=number % 11 == 5),
    }
    return Past(a_report(number, **changes), RATES_DIFF)


def a_scope_stop(number: int) -> Past:
    return Past(
        a_report(
            number,
            OUTSIDE,
            task={"task_id": f"t-{number:03}", "milestone_id": "M3", "intent": "Fetch the rates of the last day from the new endpoint"},
            blast_radius=radius(3, 7, 4),
            scope={"ok": False, "violations": ["config/production.json"], "touched_paths": ["config/production.json", "src/money/format.ts", "src/rates/client.ts"]},
            error={"detail": "these are outside what the task may touch: config/production.json"},
            budgets={"warnings": ["budget critical", "the agent left a file in the temporary folder"]},
            agent=calls(number),
        ),
        SETTINGS_DIFF + FORMAT_DIFF + RATES_DIFF,
    )


def a_failed_check(number: int) -> Past:
    return Past(
        a_report(
            number,
            "STOP_VERIFY_FAILED_FAST",
            task={"task_id": f"t-{number:03}", "milestone_id": "M3", "intent": "Format the amounts of a statement with the locale of its reader"},
            blast_radius=radius(1, 3, 1),
            scope={"touched_paths": ["src/money/format.ts"]},
            verification={"runs": [a_check("lint", 0, 3.4, "clean as a whistle"), a_check("test", 1, 15.9, FAILURE)]},
            error={"detail": "a check failed: fast test (exit 1)"},
            agent=calls(number),
        ),
        FORMAT_DIFF,
    )


def a_rejected_review(number: int) -> Past:
    return Past(
        a_report(
            number,
            "STOP_REVIEW_REJECTED",
            task={"task_id": f"t-{number:03}", "milestone_id": "M3", "intent": "Make the list of statements usable with the keyboard alone"},
            blast_radius=radius(2, 64, 12),
            verification={"runs": [a_check("lint", 0, 3.0), a_check("test", 0, 14.8, "45 passed")]},
            review=REVIEW,
            error={"detail": "the reviewer says that a criterion is not met: The menu opens with Enter and closes with Escape"},
            agent={"usage": {}, "calls": [*calls(number)["calls"], a_call("reviewer", 38, 0.0214)]},
        ),
        FORMAT_DIFF,
    )


def a_question(number: int) -> Past:
    return Past(
        a_report(
            number,
            "BLOCKED_QUESTION_PENDING",
            task={"task_id": f"t-{number:03}", "milestone_id": "M3", "task_kind": "question", "intent": "Ask how long statements have to be kept"},
            question={"prompt": "How long must a statement be kept: six years, or ten?", "choices": ["six years", "ten years"]},
            duration_ms=21_300,
            stages={"preflight": 200, "orchestrate": 21_000},
            agent={"usage": {}, "calls": [a_call("orchestrator", 21, None)]},
            sandbox=None,
        )
    )


def a_plain_end(number: int, code: str, detail: str) -> Past:
    task = {"task_id": f"t-{number:03}", "milestone_id": "M2", "intent": STEPS["M2"][number % 6]}
    return Past(a_report(number, code, task=task, error={"detail": detail}, agent=calls(number)))


SCOPE, CHECK, REVIEWER, ASKS = 36, 34, 31, 38


def a_project() -> list[Past]:
    """Forty runs over three milestones, oldest first, with some of every verdict."""
    others = {
        13: a_plain_end(13, "STOP_DIFF_TOO_LARGE", "612 lines were changed, 400 are allowed"),
        14: a_plain_end(14, "STOP_BUILDER_TIMEOUT", "the builder did not end within 900 seconds"),
        22: a_plain_end(22, "BLOCKED_RATE_LIMITED", "the agent's usage limit is reached until 03:00 UTC"),
        REVIEWER: a_rejected_review(REVIEWER),
        CHECK: a_failed_check(CHECK),
        SCOPE: a_scope_stop(SCOPE),
        ASKS: a_question(ASKS),
    }
    milestones = itertools.chain(["M1"] * 10, ["M2"] * 16, ["M3"] * 14)
    return [
        others.get(number) or a_success(number, milestone, STEPS[milestone][number % len(STEPS[milestone])])
        for number, milestone in enumerate(milestones)
    ]


# --- hostile, long ----------------------------------------------------------------------------


def planted(place: str) -> str:
    """Text that tries to become markup in every way there is, and names the place it stands in."""
    run = f"window.pwned='{place}'"
    return f"</script><script>{run}</script><!--<script><img src=x onerror={run}>\"'>`${{{run}}}`"


PLACES = "intent task_id milestone violation path diff output evidence criterion warning question detail branch sandbox role stage template".split()


def a_hostile_run() -> Past:
    """A run in whose every text something is planted; it fits the schema all the same."""
    failed = {**a_check("t", 1, 1, planted("output")), "template_id": planted("template")[:64]}
    report = a_report(
        0,
        OUTSIDE,
        task={"task_id": planted("task_id"), "milestone_id": planted("milestone"), "intent": planted("intent")},
        blast_radius=radius(1, 1, 1),
        scope={"ok": False, "violations": [planted("violation")], "touched_paths": [planted("path")]},
        verification={"runs": [failed]},
        budgets={"warnings": [planted("warning")]},
        stages={planted("stage"): 1000},
        commit={"id": "0123456789abcdef", "branch": planted("branch"), "subject": "s"},
        question={"prompt": planted("question"), "choices": [planted("choice")]},
        review={"summary": planted("summary"), "criteria": [{"criterion": planted("criterion"), "verdict": "fail", "evidence": planted("evidence")}]},
        error={"detail": planted("detail")},
        sandbox=planted("sandbox"),
        agent={"usage": {}, "calls": [{**a_call("x", 1, None), "role": planted("role")[:40]}]},
    )
    return Past(report, a_diff(planted("diff"), [planted("deleted")], [planted("added")]))


def a_long_past(count: int = MANY) -> Iterator[Past]:
    """So many runs, oldest first: those of a project over and over, each with an id of its own; one in ten has a diff."""
    project = a_project()
    for number in range(count):
        report, diff = project[number % len(project)]
        task = {**report["task"], "task_id": f"task-{number}", "intent": f"{report['task']['intent']} (step {number})"}
        yield Past({**report, "run_id": run_id_of(number), "task": task}, diff if number % 10 == 0 else "")


# --- on disk ----------------------------------------------------------------------------------


def write_past(repo: Repo, runs: Iterable[Past]) -> None:
    """Put these runs into the history of a repo, as ticks would have left them."""
    history = repo.path / "relais" / "history"
    for report, diff in runs:
        folder = history / report["run_id"]
        folder.mkdir(parents=True)
        (folder / "report.json").write_text(json.dumps(report), "utf-8")
        if diff:
            (folder / "diff.patch").write_text(diff, "utf-8")


def page_of(repo: Repo) -> Path:
    """Let relais write the page of this repo, and return where it is."""
    done = repo.relais("history", "--html", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(json.loads(done.stdout)["page"])


def a_repo(folder: Path, name: str = "shop") -> Repo:
    """A small project after `relais init`, in the third milestone of its plan."""
    repo = Repo(folder / name, an_environment(folder / "home", folder / "bin"))
    repo.write("README.md", "# Shop\n")
    shutil.copy(RELAIS, repo.path)
    repo.git("init", "-q")
    repo.commit("a small project")
    done = repo.relais("init", "--goal", "Sell in every currency", "--commit")
    assert done.returncode == 0, done.stdout + done.stderr
    spent = {"ticks": 12, "orchestrator_calls": 14, "builder_calls": 11, "verify_runs": 31, "estimated_cost_usd": 0.91}
    state = {"schema_version": 1, "milestone_id": "M3", "budgets": spent, "budget_warning": False, "last_run_id": None, "last_verdict": None}
    repo.write("relais/STATE.json", json.dumps(state))
    return repo
