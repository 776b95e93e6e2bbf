"""What the Brain proposed and the schema admitted; the checks that follow from it."""

from __future__ import annotations

from relais.contract.codes import Mode, Phase, TaskKind
from relais.typed import Any, Mapping, NamedTuple, Optional, Sequence


class Scope(NamedTuple):
    allowed_globs: tuple[str, ...]
    forbidden_globs: tuple[str, ...]
    allow_new_files: bool
    allow_lockfile_changes: bool


class DiffLimits(NamedTuple):
    max_files_touched: int
    max_lines_changed: int


class Verification(NamedTuple):
    fast: tuple[str, ...]
    slow: tuple[str, ...]
    params: Mapping[str, Mapping[str, Any]] = {}


class Builder(NamedTuple):
    mode: Mode
    max_turns: int
    instructions: str
    patch: Optional[str] = None


class Question(NamedTuple):
    prompt: str
    choices: tuple[str, ...] = ()


class Control(NamedTuple):
    action: str
    reason: str = ""


class Task(NamedTuple):
    """What the Brain proposed and the schema admitted."""

    task_id: str
    milestone_id: str
    task_kind: TaskKind
    intent: str
    scope: Scope
    diff_limits: DiffLimits
    verification: Verification
    question: Optional[Question] = None
    builder: Optional[Builder] = None
    control: Optional[Control] = None


class Check(NamedTuple):
    """One verification command, ready to run."""

    template_id: str
    phase: Phase
    cmd: str
    args: tuple[str, ...]


class CheckRun(NamedTuple):
    """One verification command that was run, as the report tells it."""

    template_id: str
    phase: Phase
    cmd: str
    args: tuple[str, ...]
    exit_code: int
    duration_ms: int
    timed_out: bool
    output_tail: str


class Plan(NamedTuple):
    """The verifications of a task, expanded; `unknown` and `tainted` name what cannot be run."""

    checks: tuple[Check, ...]
    unknown: tuple[str, ...]
    tainted: tuple[str, ...]


class Proposal(NamedTuple):
    """What can be held against a task before any builder is paid: each names an offender, or nothing."""

    changed_milestone: Sequence[str]
    rejected_before: Sequence[str]
