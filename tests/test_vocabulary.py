"""Section 1: the words are a published contract."""

from __future__ import annotations

import pytest
from helpers import Claude, Repo, a_result, a_task
from schemas import REPORT_SCHEMA

from relais.commands.output import exit_status
from relais.contract.codes import (
    EXIT_BUG,
    EXIT_SIGNAL,
    EXIT_STATUS,
    EXIT_TRY_LATER,
    EXIT_USAGE,
    Code,
    ErrorKind,
    Mode,
    TaskKind,
    Verdict,
)

SEED_CODES = """
    SUCCESS STOP_SCOPE_VIOLATION_FORBIDDEN STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED STOP_SCOPE_VIOLATION_NEW_FILE
    STOP_LOCKFILE_CHANGE_FORBIDDEN STOP_DIFF_TOO_LARGE STOP_VERIFY_FAILED_FAST STOP_VERIFY_FAILED_SLOW STOP_VERIFY_TAINTED
    STOP_VERIFY_ONLY_SIDE_EFFECTS STOP_QUESTION_SIDE_EFFECTS STOP_RUNNER_OWNED_MUTATION STOP_BUILDER_OUTPUT_INVALID
    STOP_HEAD_MOVED STOP_INTERRUPTED BLOCKED_BUDGET_EXHAUSTED BLOCKED_DIRTY_WORKTREE BLOCKED_LOCK_HELD
    BLOCKED_CRASH_RECOVERY_REQUIRED BLOCKED_ORCHESTRATOR_OUTPUT_INVALID BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED
    BLOCKED_MISSING_CONFIG
""".split()
ADDED_CODES = """
    STOP_BUILDER_TIMEOUT STOP_BUILDER_REFUSED STOP_PATCH_REJECTED STOP_PATCH_APPLY_FAILED STOP_SECRET_DETECTED
    STOP_REVIEW_REJECTED STOP_MILESTONE_CHANGED STOP_IDENTICAL_TASK BLOCKED_BUDGET_CAP BLOCKED_RATE_LIMITED
    BLOCKED_AGENT_UNAVAILABLE BLOCKED_QUESTION_PENDING BLOCKED_STUCK
""".split()


def test_the_codes_are_those_of_the_seed_and_of_the_specification_and_no_others() -> None:
    assert sorted(code.value for code in Code) == sorted(SEED_CODES + ADDED_CODES), "a new code is named in ADDED_CODES"


@pytest.mark.parametrize("code", Code, ids=lambda code: code.value)
def test_a_code_is_spelled_like_its_name_and_its_prefix_is_the_verdict(code: Code) -> None:
    assert code.name == code.value
    assert code.verdict.value == code.value.split("_")[0].lower()


def test_the_report_schema_has_the_same_codes_and_verdicts() -> None:
    properties = REPORT_SCHEMA["properties"]

    assert properties["code"]["enum"] == [code.value for code in Code]
    assert properties["verdict"]["enum"] == ["success", "stop", "blocked"]


@pytest.mark.parametrize(("verdict", "status"), [("success", 0), ("stop", 10), ("blocked", 20)])
def test_the_exit_status_of_a_verdict(verdict: str, status: int) -> None:
    assert EXIT_STATUS[Verdict(verdict)] == status


@pytest.mark.parametrize("code", Code, ids=lambda code: code.value)
def test_the_exit_status_of_a_code(code: Code) -> None:
    expected = 75 if code is Code.BLOCKED_RATE_LIMITED else EXIT_STATUS[code.verdict]

    assert exit_status(code) == expected


def test_the_other_exit_statuses() -> None:
    assert (EXIT_USAGE, EXIT_BUG, EXIT_TRY_LATER, EXIT_SIGNAL) == (2, 70, 75, 128)


def test_kinds_and_modes_are_those_of_the_contract() -> None:
    assert [kind.value for kind in TaskKind] == ["execute", "verify_only", "question"]
    assert [mode.value for mode in Mode] == ["claude_code", "patch", "cursor"]


def test_the_error_kinds_of_the_specification_exist() -> None:
    wanted = {
        "rate_limit",
        "auth",
        "overloaded",
        "max_turns",
        "timeout",
        "process",
        "wrapper",
        "tick_deadline",
        "signing",
    }

    assert wanted <= {kind.value for kind in ErrorKind}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["run"], 0), (["run", "--nonsense"], 2), (["no-such-command"], 2)],
    ids=["run", "flag", "command"],
)
def test_the_process_exits_with_these_statuses(arguments: list[str], status: int, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "one\n2\nthree\n"}})

    done = repo.relais(*arguments)

    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
