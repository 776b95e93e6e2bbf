"""Section 3: the decision tables of Appendix A. What is the case → which code, and who is named."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from typing import Any

import pytest
from helpers import DEFAULT_CONFIG, a_task

from relais.contract.codes import Code, ErrorKind, TaskKind
from relais.contract.config import Config
from relais.contract.evidence import Change, Evidence, GitDamage, Look, Touched
from relais.contract.findings import Answer, Finding, Halt, Rule, enforce, first_match
from relais.contract.state import Ledger, PendingQuestion, State
from relais.contract.task import Plan, Task
from relais.preflight.obstacles import Obstacles
from relais.rules.fence import fence_of
from relais.rules.tables import (
    BRAIN_RULES,
    HANDS_RULES,
    JUDGE_RULES,
    JUDGE_RULES_AFTER_CHECKS,
    JUDGE_RULES_BEFORE_HASHING,
    LOOP_RULES,
    PREFLIGHT_RULES,
    TASK_RULES,
    VERIFY_RULES,
)
from relais.text.documents import decode
from relais.text.git_output import RepoStatus

CONFIG = decode(Config, DEFAULT_CONFIG)
SCOPE = {"allowed_globs": ["src/**", "pnpm-lock.yaml"], "forbidden_globs": ["src/never/**"]}


def a_change(path: str, status: str = "M", size: int = 1) -> Change:
    look = Look(stat.S_IFREG | 0o644, 1, size, 0, 0, 0, None)
    return Change(path, status, None if status == "A" else look, None if status == "D" else look)


def evidence(
    *changes: Change, kind: str = "execute", git: GitDamage | None = None, lines: int = 1, **scope: Any
) -> Evidence:
    task = decode(
        Task, a_task(scope={**SCOPE, **scope}, diff_limits={"max_files_touched": 2, "max_lines_changed": 20})
    )
    fence = fence_of(task, CONFIG, "relais.py")
    return Evidence(TaskKind(kind), fence, Touched(changes, lines, 0), git or GitDamage(), frozenset({"src/sub"}))


OWNED, FORBIDDEN, OUTSIDE = a_change("relais/STATE.json"), a_change("src/.env"), a_change("package.json")
NEW, LOCKFILE, EDIT = a_change("src/new.py", "A"), a_change("pnpm-lock.yaml"), a_change("src/app.py")
BUILT = a_change("bin/app")
MOVED, HOOK = GitDamage(refs=("refs/heads/main",)), GitDamage(forbidden=(".git/hooks/post-commit",))

JUDGE: dict[str, tuple[Evidence, str, Sequence[str]]] = {
    "nothing": (evidence(lines=0), "", ()),
    "an edit": (evidence(EDIT), "", ()),
    "1 runner-owned": (evidence(OWNED), "STOP_RUNNER_OWNED_MUTATION", ["relais/STATE.json"]),
    "1 the configuration": (evidence(a_change("relais.config.json")), "STOP_RUNNER_OWNED_MUTATION", ["relais.config.json"]),
    "1 relais itself": (evidence(a_change("relais.py")), "STOP_RUNNER_OWNED_MUTATION", ["relais.py"]),
    "1 a new file of the workspace": (evidence(a_change("relais/x", "A")), "STOP_RUNNER_OWNED_MUTATION", ["relais/x"]),
    "2 forbidden": (evidence(FORBIDDEN), "STOP_SCOPE_VIOLATION_FORBIDDEN", ["src/.env"]),
    "2 forbidden by the task": (evidence(a_change("src/never/a")), "STOP_SCOPE_VIOLATION_FORBIDDEN", ["src/never/a"]),
    "2 forbidden though allowed": (evidence(FORBIDDEN, allowed_globs=["**"]), "STOP_SCOPE_VIOLATION_FORBIDDEN", ["src/.env"]),
    "2 git's own folder": (evidence(git=HOOK), "STOP_SCOPE_VIOLATION_FORBIDDEN", [".git/hooks/post-commit"]),
    "3 outside": (evidence(OUTSIDE), "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ["package.json"]),
    "3 a submodule": (evidence(a_change("src/sub")), "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ["src/sub"]),
    "3 a deletion outside": (evidence(a_change("LICENSE", "D")), "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ["LICENSE"]),
    "4 a new file": (evidence(NEW), "STOP_SCOPE_VIOLATION_NEW_FILE", ["src/new.py"]),
    "4 another type": (evidence(a_change("src/app.py", "T")), "STOP_SCOPE_VIOLATION_NEW_FILE", ["src/app.py"]),
    "4 a new file that may be": (evidence(NEW, allow_new_files=True), "", ()),
    "5 a lockfile": (evidence(LOCKFILE), "STOP_LOCKFILE_CHANGE_FORBIDDEN", ["pnpm-lock.yaml"]),
    "5 a lockfile further down": (evidence(a_change("src/web/yarn.lock")), "STOP_LOCKFILE_CHANGE_FORBIDDEN", ["src/web/yarn.lock"]),
    "5 a lockfile that may be": (evidence(LOCKFILE, allow_lockfile_changes=True), "", ()),
    "6 lines": (evidence(EDIT, lines=21), "STOP_DIFF_TOO_LARGE", ["21 lines, at most 20"]),
    "6 files": (evidence(*(a_change(f"src/{n}") for n in "abc")), "STOP_DIFF_TOO_LARGE", ["3 files, at most 2"]),
    "6 bytes": (evidence(a_change("src/a", "A", size=4_000_001), allow_new_files=True), "STOP_DIFF_TOO_LARGE", ["4000001 bytes, at most 4000000"]),
    "7 a question": (evidence(EDIT, kind="question"), "STOP_QUESTION_SIDE_EFFECTS", ["src/app.py"]),
    "7 a question that left all alone": (evidence(kind="question", lines=0), "", ()),
    "8 verify_only": (evidence(EDIT, kind="verify_only"), "STOP_VERIFY_ONLY_SIDE_EFFECTS", ["src/app.py"]),
    "9 HEAD moved": (evidence(git=MOVED), "STOP_HEAD_MOVED", ["refs/heads/main"]),
    "9 a warning is no stop": (evidence(git=GitDamage(warnings=("refs/remotes/x",))), "", ()),
    # two at once: the earlier row answers, and names only its own offenders
    "1 before 2": (evidence(FORBIDDEN, OWNED), "STOP_RUNNER_OWNED_MUTATION", ["relais/STATE.json"]),
    "2 before 3": (evidence(OUTSIDE, FORBIDDEN), "STOP_SCOPE_VIOLATION_FORBIDDEN", ["src/.env"]),
    "2 git first, then paths": (evidence(FORBIDDEN, git=HOOK), "STOP_SCOPE_VIOLATION_FORBIDDEN", [".git/hooks/post-commit", "src/.env"]),
    "3 before 4": (evidence(NEW, OUTSIDE), "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ["package.json"]),
    "3 before 4 for one file": (evidence(a_change("new.py", "A")), "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", ["new.py"]),
    "4 before 5": (evidence(LOCKFILE, NEW), "STOP_SCOPE_VIOLATION_NEW_FILE", ["src/new.py"]),
    "4 before 5 for one file": (evidence(a_change("src/yarn.lock", "A")), "STOP_SCOPE_VIOLATION_NEW_FILE", ["src/yarn.lock"]),
    "5 before 6": (evidence(LOCKFILE, lines=99), "STOP_LOCKFILE_CHANGE_FORBIDDEN", ["pnpm-lock.yaml"]),
    "6 before 7": (evidence(EDIT, kind="question", lines=99), "STOP_DIFF_TOO_LARGE", ["99 lines, at most 20"]),
    "6 before 8": (evidence(EDIT, kind="verify_only", lines=99), "STOP_DIFF_TOO_LARGE", ["99 lines, at most 20"]),
    "7 before 9": (evidence(EDIT, kind="question", git=MOVED), "STOP_QUESTION_SIDE_EFFECTS", ["src/app.py"]),
    "8 before 9": (evidence(EDIT, kind="verify_only", git=MOVED), "STOP_VERIFY_ONLY_SIDE_EFFECTS", ["src/app.py"]),
    "1 before 9": (evidence(OWNED, git=MOVED), "STOP_RUNNER_OWNED_MUTATION", ["relais/STATE.json"]),
}  # fmt: skip


@pytest.mark.parametrize(("seen", "code", "offenders"), JUDGE.values(), ids=JUDGE)
def test_the_judge(seen: Evidence, code: str, offenders: Sequence[str]) -> None:
    finding = first_match(JUDGE_RULES, seen)

    assert (finding.code.value if finding else "") == code
    assert (list(finding.offenders) if finding else []) == list(offenders)


def test_the_judges_rows_stand_in_the_order_of_the_prd() -> None:
    assert [rule.code.value for rule in JUDGE_RULES] == [
        "STOP_RUNNER_OWNED_MUTATION",
        "STOP_SCOPE_VIOLATION_FORBIDDEN",
        "STOP_SCOPE_VIOLATION_FORBIDDEN",
        "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
        "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
        "STOP_SCOPE_VIOLATION_NEW_FILE",
        "STOP_LOCKFILE_CHANGE_FORBIDDEN",
        "STOP_DIFF_TOO_LARGE",
        "STOP_QUESTION_SIDE_EFFECTS",
        "STOP_VERIFY_ONLY_SIDE_EFFECTS",
        "STOP_HEAD_MOVED",
        "STOP_SECRET_DETECTED",
    ]


@pytest.mark.parametrize(("damage", "is_told"), [(GitDamage(), True), (HOOK, False)])
def test_only_where_names_are_all_that_is_forbidden_their_remedy_is_told(damage: GitDamage, is_told: bool) -> None:
    finding = first_match(JUDGE_RULES, evidence(a_change("src/tokenizer.py"), git=damage))

    assert finding
    assert finding.code is Code.STOP_SCOPE_VIOLATION_FORBIDDEN
    assert ("if src/tokenizer.py is no secret: mend scope.default_forbidden_globs" in " ".join(finding.remedies)) == is_told


@pytest.mark.parametrize(("changes", "is_told"), [((BUILT,), True), ((BUILT, EDIT), True), ((BUILT, OUTSIDE), False)])
def test_only_where_all_that_is_outside_is_ignored_its_remedy_is_told(changes: tuple[Change, ...], is_told: bool) -> None:
    finding = first_match(JUDGE_RULES, evidence(*changes)._replace(ignored=frozenset({"bin/app"})))

    assert finding
    assert finding.code is Code.STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
    assert ('add "bin/app" to scope.volatile_globs' in " ".join(finding.remedies)) == is_told


def test_what_is_asked_before_hashing_stands_first_in_the_table() -> None:
    assert JUDGE_RULES[: len(JUDGE_RULES_BEFORE_HASHING)] == JUDGE_RULES_BEFORE_HASHING
    assert JUDGE_RULES_BEFORE_HASHING[-1].code is Code.STOP_DIFF_TOO_LARGE


def test_what_not_even_a_check_may_change() -> None:
    assert list(dict.fromkeys(rule.code.value for rule in JUDGE_RULES_AFTER_CHECKS)) == [
        "STOP_RUNNER_OWNED_MUTATION",
        "STOP_SCOPE_VIOLATION_FORBIDDEN",
        "STOP_HEAD_MOVED",
    ]


# --- A1 ---------------------------------------------------------------------------------------


def test_the_rows_of_preflight_stand_in_the_order_of_the_specification() -> None:
    assert [rule.code.value for rule in PREFLIGHT_RULES] == [
        "BLOCKED_CRASH_RECOVERY_REQUIRED",
        "BLOCKED_CRASH_RECOVERY_REQUIRED",
        "BLOCKED_DIRTY_WORKTREE",
        "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED",
        "BLOCKED_CRASH_RECOVERY_REQUIRED",
        "BLOCKED_AGENT_UNAVAILABLE",
        "BLOCKED_MISSING_CONFIG",
        "BLOCKED_MISSING_CONFIG",
        "BLOCKED_QUESTION_PENDING",
        "BLOCKED_STUCK",
        "BLOCKED_BUDGET_CAP",
        "BLOCKED_BUDGET_EXHAUSTED",
    ]


class Notebook:
    """The lines of a run that the rows about dirt, questions and budgets read."""

    def __init__(self, dirty: tuple[str, ...] = (), question: bool = False, ticks: int = 0) -> None:
        asked = PendingQuestion("r", "M1", "Which colour?") if question else None
        self.config, self.repo_status = CONFIG, RepoStatus(dirty=dirty)
        self.state = State(milestone_id="M1", budgets=Ledger(ticks=ticks), question=asked)


def obstacles(notebook: Any) -> Obstacles:
    return Obstacles(notebook)


PREFLIGHT = {
    "nothing": (Notebook(), ""),
    "4 dirty": (Notebook(dirty=("a", "b")), "BLOCKED_DIRTY_WORKTREE"),
    "a question waits": (Notebook(question=True), "BLOCKED_QUESTION_PENDING"),
    "7 a cap is reached": (Notebook(ticks=200), "BLOCKED_BUDGET_CAP"),
    "dirty before question": (Notebook(dirty=("a",), question=True), "BLOCKED_DIRTY_WORKTREE"),
    "question before budget": (Notebook(question=True, ticks=200), "BLOCKED_QUESTION_PENDING"),
}


@pytest.mark.parametrize(("run", "code"), PREFLIGHT.values(), ids=PREFLIGHT)
def test_preflight_rows_that_need_no_files(run: Any, code: str) -> None:
    rows = [rule for rule in PREFLIGHT_RULES if rule.code.value.split("_")[1] in ("DIRTY", "QUESTION", "BUDGET")]

    finding = first_match(rows, obstacles(run))

    assert (finding.code.value if finding else "") == code
    assert finding is None or finding.remedies


@pytest.mark.parametrize(("calls", "code"), [(258, ""), (259, "BLOCKED_BUDGET_EXHAUSTED"), (260, "BLOCKED_BUDGET_CAP")])
def test_a_cap_that_is_reached_comes_before_one_that_does_not_suffice(calls: int, code: str) -> None:
    run: Any = Notebook()
    run.state = State(budgets=Ledger(orchestrator_calls=calls))

    finding = first_match(PREFLIGHT_RULES[-2:], obstacles(run))

    assert (finding.code.value if finding else "") == code


# --- A5 ---------------------------------------------------------------------------------------

VERIFY = {
    "nothing": (Plan((), (), ()), "", ()),
    "1 unknown": (Plan((), ("nope",), ()), "no such verification template in relais.config.json", ("nope",)),
    "2 tainted": (Plan((), (), ("t.p is empty",)), "verification parameters were refused", ("t.p is empty",)),
    "1 before 2": (
        Plan((), ("nope",), ("t.p is empty",)),
        "no such verification template in relais.config.json",
        ("nope",),
    ),
}


@pytest.mark.parametrize(("plan", "because", "offenders"), VERIFY.values(), ids=VERIFY)
def test_the_plan_of_verifications(plan: Plan, because: str, offenders: tuple[str, ...]) -> None:
    finding = first_match(VERIFY_RULES, plan)

    assert (finding.detail, finding.offenders) == (because, offenders) if finding else not because
    assert finding is None or finding.code is Code.STOP_VERIFY_TAINTED


# --- the machinery ----------------------------------------------------------------------------


def test_later_rows_stay_unasked() -> None:
    def explode(_: object) -> list[str]:
        raise AssertionError("asked")

    rules = [
        Rule(Code.STOP_HEAD_MOVED, "no", lambda _: []),
        Rule(Code.STOP_DIFF_TOO_LARGE, "yes", lambda _: ["a: b"], ("look at {place}",)),
        Rule(Code.STOP_INTERRUPTED, "never", explode),
    ]

    finding = first_match(rules, None)

    assert finding == Finding(Code.STOP_DIFF_TOO_LARGE, "yes", ("a: b",), ("look at a",))


def test_enforce_leaves_with_the_finding_or_says_nothing() -> None:
    enforce(VERIFY_RULES, Plan((), (), ()))
    with pytest.raises(Halt) as halt:
        enforce(VERIFY_RULES, Plan((), ("nope",), ()))
    assert halt.value.finding.offenders == ("nope",)


def test_every_row_says_why_in_words() -> None:
    rules: list[Any] = [*PREFLIGHT_RULES, *TASK_RULES, *JUDGE_RULES, *VERIFY_RULES, *LOOP_RULES]

    assert all(len(rule.because.split()) > 2 for rule in rules)
    assert all(rule.remedies for rule in PREFLIGHT_RULES)


# --- A2 and A3 ----------------------------------------------------------------------------

CALLS = [
    (BRAIN_RULES, {"error": ErrorKind.AUTH}, "BLOCKED_AGENT_UNAVAILABLE"),
    (BRAIN_RULES, {"error": ErrorKind.RATE_LIMIT}, "BLOCKED_RATE_LIMITED"),
    (BRAIN_RULES, {"error": ErrorKind.TIMEOUT}, "STOP_INTERRUPTED"),
    (BRAIN_RULES, {"error": ErrorKind.WRAPPER}, "STOP_INTERRUPTED"),
    (BRAIN_RULES, {"error": ErrorKind.WRAPPER, "complaint": "no JSON"}, "STOP_INTERRUPTED"),
    (BRAIN_RULES, {"complaint": "no JSON"}, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"),
    (BRAIN_RULES, {}, None),
    (HANDS_RULES, {"error": ErrorKind.CONNECTION}, "STOP_INTERRUPTED"),
    (HANDS_RULES, {"error": ErrorKind.RATE_LIMIT}, "BLOCKED_RATE_LIMITED"),
    (HANDS_RULES, {"error": ErrorKind.TIMEOUT}, "STOP_BUILDER_TIMEOUT"),
    (HANDS_RULES, {"error": ErrorKind.MAX_TURNS}, "STOP_INTERRUPTED"),
    (HANDS_RULES, {"complaint": "no JSON", "is_strict": True}, "STOP_BUILDER_OUTPUT_INVALID"),
    (HANDS_RULES, {"complaint": "no JSON", "is_strict": False}, None),
    (HANDS_RULES, {"refusal": "too dangerous"}, "STOP_BUILDER_REFUSED"),
    (HANDS_RULES, {}, None),
]


@pytest.mark.parametrize(("rules", "answer", "code"), CALLS)
def test_a_call_is_judged_by_how_it_ended(rules: tuple[Rule, ...], answer: dict[str, object], code: str | None) -> None:
    finding = first_match(rules, Answer(**answer))

    assert (finding and finding.code.value) == code


@pytest.mark.parametrize("kind", ErrorKind)
def test_no_failed_call_goes_unnoticed(kind: ErrorKind) -> None:
    assert first_match(BRAIN_RULES, Answer(kind))
    assert first_match(HANDS_RULES, Answer(kind))
