"""How a call, a stage and a tick end: Ran, Reply, Answer, Finding, Halt; a Rule and the two functions that read a table."""

from __future__ import annotations

from relais.contract.codes import CONFIG_FILE, Code, ErrorKind
from relais.text.words import shortened, visible
from relais.typed import Any, Callable, Iterable, Mapping, NamedTuple, Optional, Sequence


class Ran(NamedTuple):
    """What became of one child process."""

    argv: tuple[str, ...]
    exit_code: int
    stdout: bytes = b""
    stderr: bytes = b""
    duration_ms: int = 0
    timed_out: bool = False
    silent: bool = False
    interrupted: bool = False
    not_started: bool = False
    leftovers: int = 0


class Reply(NamedTuple):
    """What an agent answered: its text, or the kind of failure and the words for it."""

    text: str = ""
    error: Optional[ErrorKind] = None
    detail: str = ""
    cost_usd: Optional[float] = None
    usage: Mapping[str, Any] = {}
    turns: Optional[int] = None
    denials: tuple[str, ...] = ()
    resets_at: Optional[float] = None
    said: str = ""


class Answer(NamedTuple):
    """What A2 and A3 look at: how a call failed, or what is wrong with what it said."""

    error: Optional[ErrorKind] = None
    detail: str = ""
    complaint: str = ""
    is_strict: bool = True
    refusal: str = ""

    def failed(self, kinds: Iterable[ErrorKind]) -> tuple[str, ...]:
        return (f"{self.error.value}: {self.detail}",) if self.error and self.error in kinds else ()


class Finding(NamedTuple):
    """Code, sentence, offenders, what to type next. How every tick ends."""

    code: Code
    detail: str
    offenders: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    error: Optional[ErrorKind] = None
    retry_at: Optional[str] = None

    @property
    def sentence(self) -> str:
        named = f": {', '.join(visible(o) for o in shortened(self.offenders, 5))}" if self.offenders else ""
        return f"{self.detail}{named}"


SUCCESS = Finding(Code.SUCCESS, "done")


class Halt(Exception):
    """Leaves a stage with a finding. `tick` catches it, and `main` where there is no tick."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


def halt(
    code: Code,
    detail: str,
    offenders: tuple[str, ...] = (),
    remedies: tuple[str, ...] = (),
    error: Optional[ErrorKind] = None,
) -> Halt:
    return Halt(Finding(code, detail, offenders, remedies, error))


def unfit(detail: str, remedy: str = f"edit {CONFIG_FILE}, then: relais status --preflight") -> Halt:
    """Configuration, repository or git are not fit for a tick."""
    return halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=(remedy,))


class Rule(NamedTuple):
    """A row of Appendix A. It fires when it can name at least one offender."""

    code: Code
    because: str
    offenders: Callable[[Any], Sequence[str]]
    remedies: tuple[str, ...] = ()


def first_match(rules: Iterable[Rule], evidence: Any) -> Optional[Finding]:
    """The finding of the first rule that fires: order is priority, later rows stay unasked."""
    for rule in rules:
        offenders = tuple(rule.offenders(evidence))
        if offenders:
            place = offenders[0].partition(": ")[0]
            return Finding(rule.code, rule.because, offenders, tuple(r.format(place=place) for r in rule.remedies))
    return None


def enforce(rules: Iterable[Rule], evidence: Any) -> None:
    """Leave the tick if any rule fires; otherwise say nothing."""
    finding = first_match(rules, evidence)
    if finding:
        raise Halt(finding)


class Lap(NamedTuple):
    """One tick of a loop and what the loop was told: all that decides whether another follows."""

    code: Code
    error: Optional[ErrorKind] = None
    interrupted_by: Optional[int] = None
    has_question: bool = False
    is_done: bool = False
    budget_warning: bool = False
    ticks: int = 1
    max_ticks: Optional[int] = None
    keep_going: bool = False
    in_a_row: int = 1  # how many ticks the same trouble has ended by now
    troubled_seconds: float = 0.0
    can_wait: bool = False


class Trouble(NamedTuple):
    """What an agent alone is to blame for: how a loop knows it, and how long it goes on asking."""

    name: str
    applies: Callable[[Lap], bool]
    is_borne: Callable[[Lap], bool]


class Ending(NamedTuple):
    """Why a loop ends, with its exit status where the tick's own does not say it."""

    reason: str
    because: str
    applies: Callable[[Lap], bool]
    exit_status: Optional[int] = None
