"""Appendix A as data, first match wins: A1 preflight, A2 Brain, A3 Hands, A4 Judge, A5 verification, the review, the loop."""

from __future__ import annotations

from relais.contract.codes import (
    CONFIG_FILE,
    EXIT_QUESTION,
    EXIT_TRY_LATER,
    TRANSIENT,
    Code,
    ErrorKind,
    TaskKind,
    Verdict,
)
from relais.contract.evidence import Evidence
from relais.contract.findings import Ending, Lap, Rule, Trouble
from relais.rules.fence import excesses, is_outside, offences
from relais.typed import Optional

# A1. Rows 1–3 are `load_config`, `open_repo` with `examine_repo`, and `lock`. An unfinished run comes first of the
# rest: it explains a dirty tree. Lazy on purpose: the later rows look at what the earlier ones found in order.
UNFINISHED_RULES: tuple[Rule, ...] = (
    Rule(
        Code.BLOCKED_CRASH_RECOVERY_REQUIRED,
        "an earlier tick was cut off, and what could be put back lies where that tick's HOME or XDG_STATE_HOME said",
        lambda obstacles: obstacles.unfinished_elsewhere(),
        ("XDG_STATE_HOME={place} relais recover",),
    ),
    Rule(
        Code.BLOCKED_CRASH_RECOVERY_REQUIRED,
        "an earlier tick was cut off while its builder was at work",
        lambda obstacles: obstacles.unfinished_runs(),
        ("relais recover",),
    ),
)
PREFLIGHT_RULES: tuple[Rule, ...] = (
    *UNFINISHED_RULES,
    Rule(
        Code.BLOCKED_DIRTY_WORKTREE,
        "the work tree has changes that are not committed",
        lambda obstacles: obstacles.dirty_paths(),
        ("git status", "git stash -u"),
    ),
    Rule(
        Code.BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED,
        "the history is larger than history.max_mb",
        lambda obstacles: obstacles.history_excess(),
        ("relais history prune --keep 50",),
    ),
    Rule(
        Code.BLOCKED_CRASH_RECOVERY_REQUIRED,
        "files of the runner are damaged: move them away (without STATE.json its counts begin again at zero)",
        lambda obstacles: obstacles.damaged_files(),
        ("mv {place} {place}.damaged",),
    ),
    Rule(
        Code.BLOCKED_AGENT_UNAVAILABLE,
        "the agent's command is not on PATH",
        lambda obstacles: obstacles.missing_agents(),
        ("relais doctor",),
    ),
    Rule(
        Code.BLOCKED_MISSING_CONFIG,
        "there is no goal yet, and nobody is paid without one",
        lambda obstacles: obstacles.missing_goal(),
        ("write what you want into {place}, then: relais run",),
    ),
    Rule(
        Code.BLOCKED_MISSING_CONFIG,
        "the driver's result would take the place of something else",
        lambda obstacles: obstacles.output_file_faults(),
        (f"edit {CONFIG_FILE}, then: relais status --preflight",),
    ),
    Rule(
        Code.BLOCKED_QUESTION_PENDING,
        "the Brain asked something and waits for your answer",
        lambda obstacles: obstacles.pending_question(),
        ("relais answer TEXT", "relais answer --skip"),
    ),
    Rule(
        Code.BLOCKED_STUCK,
        "tick after tick brought no commit; a commit, an answer, or a changed goal, facts or configuration frees it",
        lambda obstacles: obstacles.idleness(),
        ("relais history", "relais facts add TEXT"),
    ),
    Rule(
        Code.BLOCKED_BUDGET_CAP,
        "a budget is used up",
        lambda obstacles: obstacles.caps_reached(),
        ("raise the cap in relais.config.json (budgets)",),
    ),
    Rule(
        Code.BLOCKED_BUDGET_EXHAUSTED,
        "what is left of the budgets does not cover one more tick",
        lambda obstacles: obstacles.caps_too_near(),
        ("raise the cap in relais.config.json (budgets)",),
    ),
)

# A2 and A3, rows 1–2: a call that failed. What the person must mend, or wait for, is told apart from the rest.
UNUSABLE = frozenset((ErrorKind.CLI_MISSING, ErrorKind.AUTH, ErrorKind.BILLING, ErrorKind.MODEL))
CALL_RULES: tuple[Rule, ...] = (
    Rule(
        Code.BLOCKED_AGENT_UNAVAILABLE,
        "the agent cannot be used",
        lambda answer: answer.failed(UNUSABLE),
        ("relais doctor",),
    ),
    Rule(
        Code.BLOCKED_RATE_LIMITED,
        "the agent has reached a limit",
        lambda answer: answer.failed((ErrorKind.RATE_LIMIT,)),
        ("wait, then: relais run",),
    ),
    Rule(
        Code.STOP_INTERRUPTED,
        "the agent's service is in trouble",
        lambda answer: answer.failed(TRANSIENT),
        ("wait, then: relais run",),
    ),
)
# A2. An answer that is no valid task is asked for once more before rows 3–4 see it.
BRAIN_RULES: tuple[Rule, ...] = (
    *CALL_RULES,
    Rule(
        Code.STOP_INTERRUPTED,
        "the orchestrator call failed",
        lambda answer: answer.failed(ErrorKind),
        ("relais run",),
    ),
    Rule(
        Code.BLOCKED_ORCHESTRATOR_OUTPUT_INVALID,
        "the Brain gave no valid task",
        lambda answer: (answer.complaint,) if answer.complaint else (),
        ("relais run",),
    ),
)
# What can be judged from a task alone, before any builder is paid.
TASK_RULES: tuple[Rule, ...] = (
    Rule(
        Code.STOP_MILESTONE_CHANGED,
        "the Brain went on to another milestone, and this loop is for one",
        lambda proposal: proposal.changed_milestone,
        ("relais loop --mode autonomous",),
    ),
    Rule(
        Code.STOP_IDENTICAL_TASK,
        "this very task was rejected before, and nothing was committed since",
        lambda proposal: proposal.rejected_before,
    ),
)
# The review, where it is on: what was not shown to hold is not committed.
REVIEW_RULES: tuple[Rule, ...] = (
    *CALL_RULES,
    Rule(
        Code.STOP_INTERRUPTED,
        "the reviewer call failed",
        lambda answer: answer.failed(ErrorKind),
    ),
    Rule(
        Code.STOP_REVIEW_REJECTED,
        "the review did not pass",
        lambda answer: (answer.complaint,) if answer.complaint else (),
        ("relais rescue show",),
    ),
)
# A3. Row 3 is no row: without strict_builder_json an invalid answer is a warning, and the Judge decides.
HANDS_RULES: tuple[Rule, ...] = (
    *CALL_RULES,
    Rule(
        Code.STOP_BUILDER_TIMEOUT,
        "the builder ran out of time",
        lambda answer: answer.failed((ErrorKind.TIMEOUT,)),
    ),
    Rule(
        Code.STOP_INTERRUPTED,
        "the builder call failed",
        lambda answer: answer.failed(ErrorKind),
    ),
    Rule(
        Code.STOP_BUILDER_OUTPUT_INVALID,
        "the builder's answer is not valid",
        lambda answer: (answer.complaint,) if answer.complaint and answer.is_strict else (),
    ),
    Rule(
        Code.STOP_BUILDER_REFUSED,
        "the builder refused",
        lambda answer: (answer.refusal,) if answer.refusal else (),
    ),
)


def every_offence(evidence: Evidence) -> list[str]:
    found = (offence for change in evidence.touched.changes for offence in offences(change, evidence.fence))
    return [*evidence.git.forbidden, *found]


def forbidden_names(evidence: Evidence) -> list[str]:
    return [path for path in evidence.touched.paths if evidence.fence.forbidden(path)]


def outside_paths(evidence: Evidence) -> list[str]:
    changes, fence, submodules = evidence.touched.changes, evidence.fence, evidence.submodules
    return [change.path for change in changes if is_outside(change, fence, submodules)]


# A4. The Judge looks at reality, never at what the builder said it did.
JUDGE_RULES: tuple[Rule, ...] = (
    Rule(
        Code.STOP_RUNNER_OWNED_MUTATION,
        "only relais and you may change these",
        lambda e: [path for path in e.touched.paths if e.fence.owned(path)],
        ("relais open report", "relais run"),
    ),
    # A row of its own for its remedy: a name like `tokenizer` is forbidden, and mostly no secret.
    Rule(
        Code.STOP_SCOPE_VIOLATION_FORBIDDEN,
        "these are forbidden to every task, or to this one",
        lambda e: forbidden_names(e) if len(forbidden_names(e)) == len(every_offence(e)) else (),
        (f"if {{place}} is no secret: mend scope.default_forbidden_globs in {CONFIG_FILE}, commit, relais run",),
    ),
    Rule(
        Code.STOP_SCOPE_VIOLATION_FORBIDDEN,
        "these are forbidden to every task, or to this one",
        lambda e: every_offence(e),
    ),
    # A row of its own for its remedy: where nothing else is outside, it was mostly a build that did it.
    Rule(
        Code.STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED,
        "these are outside what the task may touch",
        lambda e: outside_paths(e) if e.ignored.issuperset(outside_paths(e)) else (),
        ('if tools make it: add "{place}" to scope.volatile_globs in relais.config.json, commit, relais run',),
    ),
    Rule(
        Code.STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED,
        "these are outside what the task may touch",
        lambda e: outside_paths(e),
    ),
    Rule(
        Code.STOP_SCOPE_VIOLATION_NEW_FILE,
        "the task allows no new files",
        lambda e: () if e.fence.allow_new_files else e.touched.new_paths,
    ),
    Rule(
        Code.STOP_LOCKFILE_CHANGE_FORBIDDEN,
        "the task allows no lockfile changes",
        lambda e: () if e.fence.allow_lockfile_changes else [p for p in e.touched.paths if e.fence.lockfile(p)],
    ),
    Rule(
        Code.STOP_DIFF_TOO_LARGE,
        "the change is larger than the task's limits",
        lambda e: excesses(e.touched, e.fence),
    ),
    Rule(
        Code.STOP_QUESTION_SIDE_EFFECTS,
        "a question must change nothing",
        lambda e: e.touched.paths if e.kind is TaskKind.QUESTION else (),
    ),
    Rule(
        Code.STOP_VERIFY_ONLY_SIDE_EFFECTS,
        "a verify_only task must change nothing",
        lambda e: e.touched.paths if e.kind is TaskKind.VERIFY_ONLY else (),
    ),
    Rule(
        Code.STOP_HEAD_MOVED,
        "branches, tags or HEAD moved during the tick",
        lambda e: e.git.refs,
    ),
    Rule(
        Code.STOP_SECRET_DETECTED,
        "these look like secrets, and would have been committed",
        lambda e: e.secrets,
        ("scope.secret_allowed_globs in relais.config.json names files that may hold such things",),
    ),
)


def rows_of(table: tuple[Rule, ...], *codes: Code) -> tuple[Rule, ...]:
    return tuple(rule for rule in table if rule.code in codes)


# These need only names and lstat: they are asked before anything is hashed, so that neither a forbidden secret nor a
# 20 GB file ever reaches git's object store. Lines are not counted yet, and count as none.
JUDGE_RULES_BEFORE_HASHING = rows_of(
    JUDGE_RULES,
    Code.STOP_RUNNER_OWNED_MUTATION,
    Code.STOP_SCOPE_VIOLATION_FORBIDDEN,
    Code.STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED,
    Code.STOP_SCOPE_VIOLATION_NEW_FILE,
    Code.STOP_LOCKFILE_CHANGE_FORBIDDEN,
    Code.STOP_DIFF_TOO_LARGE,
)
# What not even a verification may change; everything else it changes is put back.
JUDGE_RULES_AFTER_CHECKS = rows_of(
    JUDGE_RULES, Code.STOP_RUNNER_OWNED_MUTATION, Code.STOP_SCOPE_VIOLATION_FORBIDDEN, Code.STOP_HEAD_MOVED
)

# A5, rows 1–2. Rows 3–4 are the order of execution itself (`verify`).
VERIFY_RULES: tuple[Rule, ...] = (
    Rule(
        Code.STOP_VERIFY_TAINTED,
        "no such verification template in relais.config.json",
        lambda plan: plan.unknown,
    ),
    Rule(
        Code.STOP_VERIFY_TAINTED,
        "verification parameters were refused",
        lambda plan: plan.tainted,
    ),
)

LOGIN_SECONDS, INVALID_ANSWERS = 600, 3
# What a loop bears, and how long. First match wins; whatever else ends a tick is for LOOP_RULES alone.
TROUBLES: tuple[Trouble, ...] = (
    Trouble("limit", lambda lap: lap.code is Code.BLOCKED_RATE_LIMITED, lambda lap: lap.can_wait),
    Trouble("service", lambda lap: lap.error in TRANSIENT, lambda lap: lap.can_wait),
    Trouble("login", lambda lap: lap.error is ErrorKind.AUTH, lambda lap: lap.troubled_seconds < LOGIN_SECONDS),
    Trouble(
        "answer",
        lambda lap: lap.code is Code.BLOCKED_ORCHESTRATOR_OUTPUT_INVALID,
        lambda lap: lap.in_a_row < INVALID_ANSWERS,
    ),
)


def trouble_in(lap: Lap) -> Optional[Trouble]:
    return next((trouble for trouble in TROUBLES if trouble.applies(lap)), None)


def is_borne(lap: Lap) -> bool:
    trouble = trouble_in(lap)
    return trouble is not None and trouble.is_borne(lap)


# The loop. The verdict of a finished tick comes before any limit; where no row applies, another tick follows.
LOOP_RULES: tuple[Ending, ...] = (
    Ending("interrupted", "you stopped it", lambda lap: lap.interrupted_by is not None),
    Ending("question", "a question waits for you", lambda lap: lap.has_question, EXIT_QUESTION),
    Ending(
        "rate_limited",
        "the agent's limit ends too late",
        lambda lap: lap.code is Code.BLOCKED_RATE_LIMITED and not is_borne(lap),
    ),
    Ending(
        "transient",
        "the agent's service did not come back in time",
        lambda lap: lap.error in TRANSIENT and not is_borne(lap),
        EXIT_TRY_LATER,
    ),
    Ending(
        "blocked",
        "something blocks the next tick",
        lambda lap: lap.code.verdict is Verdict.BLOCKED and not is_borne(lap),
    ),
    Ending("milestone_changed", "the milestone changed", lambda lap: lap.code is Code.STOP_MILESTONE_CHANGED),
    Ending(
        "stop",
        "a tick was stopped",
        lambda lap: lap.code.verdict is Verdict.STOP and not (lap.keep_going or is_borne(lap)),
    ),
    Ending("done", "the Brain says it is done", lambda lap: lap.is_done and lap.code is Code.SUCCESS, 0),
    Ending("budget_warning", "the budgets are nearly used up", lambda lap: lap.budget_warning, 0),
    Ending(
        "max_ticks", "--max-ticks is reached", lambda lap: lap.max_ticks is not None and lap.ticks >= lap.max_ticks, 0
    ),
)
