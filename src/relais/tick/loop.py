"""Tick after tick until a row of LOOP_RULES applies."""

from __future__ import annotations

import gc
import time

from relais.contract.codes import Code, ErrorKind
from relais.contract.findings import Ending, Halt, Lap, Trouble
from relais.notebook.run import Run
from relais.rules.tables import LOOP_RULES, trouble_in
from relais.settings.load import load_config
from relais.text.words import clip, iso
from relais.tick.tick import tick
from relais.typed import Callable, Json, NamedTuple, Optional, Sequence


def essence(report: Json) -> Json:
    """What a loop's summary needs of a report."""
    wanted = ("run_id", "verdict", "code", "task", "budgets", "commit", "error")
    return {name: report[name] for name in wanted if name in report}


def loop_summary(ending: Ending, reports: Sequence[Json], status: int) -> Json:
    """What a loop came to: ticks, commits, what was rejected and why, what it cost as the agent reported it."""
    stopped = [r for r in reports if r["verdict"] == "stop" and r["error"]["kind"] != ErrorKind.SIGNAL.value]
    return {
        "reason": ending.reason,
        "code": reports[-1]["code"],
        "exit_status": status,
        "ticks": sum(report["budgets"]["ticks"] for report in reports),
        "commits": [report["commit"] for report in reports if "commit" in report],
        "rejected": [
            {
                "run_id": report["run_id"],
                "code": report["code"],
                "intent": clip(report["task"]["intent"], 200),
                "why": clip(report["error"]["detail"], 300),
            }
            for report in stopped
        ],
        "reported_cost_usd": round(sum(report["budgets"]["estimated_cost_usd"] for report in reports), 6),
        "retry_at": reports[-1].get("error", {}).get("retry_at"),
        "report": reports[-1],
    }


class Options(NamedTuple):
    """What the person asked of a loop."""

    mode: str
    max_ticks: Optional[int]
    keep_going: bool


class Looped(NamedTuple):
    """A loop that has ended: why, the reports of its ticks, and the notebook of the last one."""

    ending: Ending
    reports: tuple[Json, ...]
    last: Run


def loop(run: Run, options: Options, show: Callable[[Run, Json], None]) -> Looped:
    """Tick after tick until a row of LOOP_RULES applies. The lock is held throughout."""
    reports: list[Json] = []
    before: Optional[Trouble] = None
    in_a_row, since = 0, time.monotonic()
    while True:
        run.keeps_milestone, run.troubles_in_a_row = options.mode == "milestone", in_a_row
        run.screen.line(f"tick {len(reports) + 1}")
        document = tick(run)
        reports[-1:] = [essence(report) for report in reports[-1:]]  # of hours of ticks only the last is kept whole
        reports.append(document)
        show(run, document)
        lap = Lap(
            Code(document["code"]),
            run.finding.error if run.finding else None,
            run.interrupt.number,
            has_question=run.state.question is not None,
            is_done=document.get("control", {}).get("action") == "stop",
            budget_warning=run.state.budget_warning,
            ticks=sum(report["budgets"]["ticks"] for report in reports),
            max_ticks=options.max_ticks,
            keep_going=options.keep_going,
        )
        trouble = trouble_in(lap)
        in_a_row = in_a_row + 1 if trouble and trouble is before else int(trouble is not None)
        since, before = since if in_a_row > 1 else time.monotonic(), trouble
        lasts = time.monotonic() - since
        can_wait = run.retry_at - time.time() <= run.config.loop.max_wait_seconds - lasts
        lap = lap._replace(in_a_row=in_a_row, troubled_seconds=lasts, can_wait=can_wait)
        ending = next((ending for ending in LOOP_RULES if ending.applies(lap)), None)
        if ending:
            return Looped(ending, tuple(reports), run)
        if trouble:
            wait_out(run, trouble)
        run = next_run(run)


def next_run(run: Run) -> Run:
    """The notebook of the next tick, under the configuration as it is now; a bad edit blocks that tick only."""
    fresh = Run(run.repo, run.config, run.interrupt, run.screen)
    fresh.state = run.state
    try:
        fresh.adopt_config(load_config(run.repo))
    except Halt as halt:
        fresh.refusal = halt.finding
    gc.collect()  # a notebook and its ground know each other: without this a loop would keep every look it took
    return fresh


# What is waited for, where it is: an answer that is no task may be better at once.
WAITS = {
    "limit": "the agent's limit to end",
    "service": "the agent's service to come back",
    "login": "somebody to log the agent in",
}
LOGIN_PAUSE_SECONDS = 60


def wait_out(run: Run, trouble: Trouble) -> None:
    """Wait until the agent may be asked again, in sight of whoever watches."""
    if trouble.name in WAITS:
        until = run.retry_at or time.time() + LOGIN_PAUSE_SECONDS
        run.screen.line(f"  WAIT         until {iso(until)}, for {WAITS[trouble.name]}")
        run.screen.begin(f"waiting for {WAITS[trouble.name]}", 0)
        run.interrupt.pause(until, run.screen.countdown)
        run.screen.clear()
