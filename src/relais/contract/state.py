"""STATE.json: what outlives a tick, and the budgets that are counted in it."""

from __future__ import annotations

from relais.contract.config import BudgetsConfig, Config
from relais.text.documents import encode
from relais.typed import Iterator, Json, NamedTuple, Optional, cast

RECENT_RUNS_KEPT = 5


class Ledger(NamedTuple):
    """What was spent: by one tick, or by a milestone. Adding is `plus`, nothing is mutated."""

    ticks: int = 0
    orchestrator_calls: int = 0
    builder_calls: int = 0
    verify_runs: int = 0
    estimated_cost_usd: float = 0.0
    patch_attempts: int = 0
    calls_without_cost: int = 0

    def plus(self, **spent: float) -> Ledger:
        return self._replace(**{name: getattr(self, name) + amount for name, amount in spent.items()})


class PendingQuestion(NamedTuple):
    run_id: str
    milestone_id: str
    prompt: str
    choices: tuple[str, ...] = ()


class AnsweredQuestion(NamedTuple):
    run_id: str
    milestone_id: str
    prompt: str
    answer: str


class Digest(NamedTuple):
    """A run in one line, for `status`, which looks at no history."""

    run_id: str
    code: str
    intent: str
    blast: str


class State(NamedTuple):
    """STATE.json: what outlives a tick. `budgets` is the ledger of the current milestone, `total` that of all."""

    schema_version: int = 1
    milestone_id: Optional[str] = None
    budgets: Ledger = Ledger()
    total: Ledger = Ledger()
    budget_warning: bool = False
    last_run_id: Optional[str] = None
    last_verdict: Optional[str] = None
    last_code: Optional[str] = None
    last_completed_run_id: Optional[str] = None
    question: Optional[PendingQuestion] = None
    answers: tuple[AnsweredQuestion, ...] = ()
    idle_ticks: int = 0
    idle_since: str = ""
    rejected: tuple[str, ...] = ()
    recent: tuple[Digest, ...] = ()


COUNTERS = ("ticks", "orchestrator_calls", "builder_calls", "verify_runs")


class Budget(NamedTuple):
    """One counter with its cap; all milestones together have counters of their own."""

    name: str
    spent: int
    cap: int
    needed: int


def budgets_of(state: State, config: BudgetsConfig, needed: Ledger = Ledger()) -> Iterator[Budget]:
    """Every counter that has a cap, and what one more tick may need of it."""
    for prefix, spent, caps in (("", state.budgets, config.per_milestone), ("total ", state.total, config.total)):
        for name in COUNTERS:
            cap = getattr(caps, f"max_{name}")
            if cap is not None:
                yield Budget(f"{prefix}{name}", getattr(spent, name), cap, getattr(needed, name))


def caps_reached(state: State, config: BudgetsConfig) -> list[str]:
    return [f"{b.name} {b.spent} of {b.cap}" for b in budgets_of(state, config) if b.spent >= b.cap]


def caps_too_near(state: State, config: Config) -> list[str]:
    """The caps that a worst-case tick would break."""
    rows = budgets_of(state, config.budgets, worst_tick(config))
    return [f"{b.name} {b.spent} + {b.needed} of {b.cap}" for b in rows if b.spent + b.needed > b.cap]


def worst_tick(config: Config) -> Ledger:
    calls = 1 + config.orchestrator.max_parse_retries_per_tick + (2 if config.review.enabled else 0)
    return Ledger(1, calls, 1, len(config.verification.templates))


def is_budget_critical(state: State, config: BudgetsConfig) -> bool:
    return any(b.spent >= b.cap * config.warn_at_fraction for b in budgets_of(state, config))


def budgets_summary(state: State, config: BudgetsConfig) -> str:
    left = (f"{b.name}: {b.cap - b.spent} left of {b.cap}" for b in budgets_of(state, config))
    critical = ["budget critical: prefer the smallest step that finishes something"]
    return "\n".join([*left, *(critical if is_budget_critical(state, config) else [])])


def state_document(state: State) -> Json:
    """STATE.json keeps the fields of seed 001 visible even where they are empty."""
    document = cast(Json, encode(state))
    empty = dict.fromkeys(("milestone_id", "last_run_id", "last_verdict", "last_code", "last_completed_run_id"))
    return {**empty, **document}
