"""Every word relais can end with: verdicts, codes, kinds of failure, exit statuses, names that are a contract."""

from __future__ import annotations

from enum import Enum


class Verdict(str, Enum):
    SUCCESS = "success"
    STOP = "stop"
    BLOCKED = "blocked"


class Code(str, Enum):
    """Why a tick ended so. The names are a published contract, the prefix is the verdict."""

    SUCCESS = "SUCCESS"
    STOP_RUNNER_OWNED_MUTATION = "STOP_RUNNER_OWNED_MUTATION"
    STOP_SCOPE_VIOLATION_FORBIDDEN = "STOP_SCOPE_VIOLATION_FORBIDDEN"
    STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"
    STOP_SCOPE_VIOLATION_NEW_FILE = "STOP_SCOPE_VIOLATION_NEW_FILE"
    STOP_LOCKFILE_CHANGE_FORBIDDEN = "STOP_LOCKFILE_CHANGE_FORBIDDEN"
    STOP_DIFF_TOO_LARGE = "STOP_DIFF_TOO_LARGE"
    STOP_QUESTION_SIDE_EFFECTS = "STOP_QUESTION_SIDE_EFFECTS"
    STOP_VERIFY_ONLY_SIDE_EFFECTS = "STOP_VERIFY_ONLY_SIDE_EFFECTS"
    STOP_HEAD_MOVED = "STOP_HEAD_MOVED"
    STOP_VERIFY_TAINTED = "STOP_VERIFY_TAINTED"
    STOP_VERIFY_FAILED_FAST = "STOP_VERIFY_FAILED_FAST"
    STOP_VERIFY_FAILED_SLOW = "STOP_VERIFY_FAILED_SLOW"
    STOP_BUILDER_OUTPUT_INVALID = "STOP_BUILDER_OUTPUT_INVALID"
    STOP_BUILDER_REFUSED = "STOP_BUILDER_REFUSED"
    STOP_BUILDER_TIMEOUT = "STOP_BUILDER_TIMEOUT"
    STOP_PATCH_REJECTED = "STOP_PATCH_REJECTED"
    STOP_PATCH_APPLY_FAILED = "STOP_PATCH_APPLY_FAILED"
    STOP_SECRET_DETECTED = "STOP_SECRET_DETECTED"
    STOP_REVIEW_REJECTED = "STOP_REVIEW_REJECTED"
    STOP_MILESTONE_CHANGED = "STOP_MILESTONE_CHANGED"
    STOP_IDENTICAL_TASK = "STOP_IDENTICAL_TASK"
    STOP_INTERRUPTED = "STOP_INTERRUPTED"
    BLOCKED_MISSING_CONFIG = "BLOCKED_MISSING_CONFIG"
    BLOCKED_LOCK_HELD = "BLOCKED_LOCK_HELD"
    BLOCKED_CRASH_RECOVERY_REQUIRED = "BLOCKED_CRASH_RECOVERY_REQUIRED"
    BLOCKED_DIRTY_WORKTREE = "BLOCKED_DIRTY_WORKTREE"
    BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED = "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED"
    BLOCKED_AGENT_UNAVAILABLE = "BLOCKED_AGENT_UNAVAILABLE"
    BLOCKED_RATE_LIMITED = "BLOCKED_RATE_LIMITED"
    BLOCKED_QUESTION_PENDING = "BLOCKED_QUESTION_PENDING"
    BLOCKED_STUCK = "BLOCKED_STUCK"
    BLOCKED_BUDGET_CAP = "BLOCKED_BUDGET_CAP"
    BLOCKED_BUDGET_EXHAUSTED = "BLOCKED_BUDGET_EXHAUSTED"
    BLOCKED_ORCHESTRATOR_OUTPUT_INVALID = "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.value.partition("_")[0].lower())

    @property
    def is_on_merits(self) -> bool:
        """Whether the task itself was at fault: carried out again, it would end the same way."""
        return self.verdict is Verdict.STOP and self not in BAD_LUCK


BAD_LUCK = frozenset(
    (
        Code.STOP_BUILDER_OUTPUT_INVALID,
        Code.STOP_BUILDER_TIMEOUT,
        Code.STOP_MILESTONE_CHANGED,
        Code.STOP_IDENTICAL_TASK,
        Code.STOP_INTERRUPTED,
    )
)


class TaskKind(str, Enum):
    EXECUTE = "execute"
    VERIFY_ONLY = "verify_only"
    QUESTION = "question"


class Mode(str, Enum):
    """Who carries a task out."""

    CLAUDE_CODE = "claude_code"
    PATCH = "patch"
    CURSOR = "cursor"


class Phase(str, Enum):
    FAST = "fast"
    SLOW = "slow"


class ErrorKind(str, Enum):
    """What went wrong with a call that did not end well; `report.error.kind`."""

    RATE_LIMIT = "rate_limit"
    AUTH = "auth"
    BILLING = "billing"
    MODEL = "model"
    CONNECTION = "connection"
    CLI_MISSING = "cli_missing"
    OVERLOADED = "overloaded"
    SERVER = "server"
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    TIMEOUT = "timeout"
    PROCESS = "process"
    WRAPPER = "wrapper"
    SIGNAL = "signal"
    TICK_DEADLINE = "tick_deadline"
    SIDE_EFFECTS = "orchestrator_side_effects"
    SIGNING = "signing"
    SYSTEM = "system"
    ROLLBACK = "rollback"
    VERIFICATION = "verification"
    BUG = "bug"


# Trouble of the agent's service, not of the task, the agent or the person: it is over by itself.
TRANSIENT = frozenset((ErrorKind.OVERLOADED, ErrorKind.SERVER, ErrorKind.CONNECTION))

# 1 is Python's own (a crash before relais could speak) and 2 is argparse's (wrong usage).
EXIT_STATUS = {Verdict.SUCCESS: 0, Verdict.STOP: 10, Verdict.BLOCKED: 20}
EXIT_USAGE, EXIT_QUESTION, EXIT_BUG, EXIT_TRY_LATER, EXIT_SIGNAL = 2, 30, 70, 75, 128

COMMAND_NAMES = "init doctor status run loop recover answer history open rescue facts demo drill completion".split()
CONFIG_FILE = "relais.config.json"
GOAL_TO_WRITE = "(Write here, in plain words, what the agent is to work towards.)"
CLAUDE = "claude"  # the one driver that needs no record
AGENT_NAMES = (CLAUDE, "codex", "gemini", "opencode", "aider", "llm")
RUN_ID = r"\d{8}T\d{6}Z-[0-9a-f]{4}"
NO_COMMIT = "0000000"
NO_TASK = "none"

PLACEHOLDER = r"\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}"
DRIVER_PLACE = r"\{([a-z_]+)\}"
DRIVER_PLACES = frozenset(("prompt_file", "system_file", "out_file", "repo", "tmp", "task_file", "files"))

HEAD_BYTES, CAPTURE_BYTES = 1 << 17, 3 << 19  # of what a child says: its beginning, and its end, where the answer is
CHUNK_BYTES = 1 << 16

OUTPUT_TAIL_LINES, OUTPUT_TAIL_CHARS = 40, 4000
