"""Section 8, the loop: it ends for exactly the reasons of its table, each through the real process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Document, Process, Repo, a_result, a_task, until
from test_config_keys import shows

from relais.agents.limits import RESET_MARGIN_SECONDS
from relais.contract.codes import Code, ErrorKind
from relais.contract.findings import Lap
from relais.rules.tables import LOOP_RULES
from relais.text.words import iso

ASLEEP = Path(__file__).resolve().with_name("asleep.py")
Turns = list[dict[str, Any]]
DONE = {"says": a_task(intent="stop here", builder=None, control={"action": "stop", "reason": "all is done"})}
QUESTION = {
    "says": a_task(task_kind="question", builder=None, question={"prompt": "Which colour?", "choices": ["red", "blue"]})
}
OUTSIDE = {"says": a_result(), "writes": {"package.json": "[]\n"}}
NAPS = {"id": "nap", "cmd": sys.executable, "args": ["-c", "import time; time.sleep(60)"]}
USAGE_LIMIT = {"is_error": True, "api_error_status": 429, "api_error": "usage_limit_reached"}


def step(number: int, **changes: Any) -> Turns:
    """A task and the work for it: src/app.py gets one new line."""
    task = a_task(**{"task_id": f"t-{number}", "intent": f"step {number}", **changes})
    return [{"says": task}, {"says": a_result(), "writes": {"src/app.py": f"line {number}\n"}}]


def steps(*numbers: int) -> Turns:
    return [turn for number in numbers for turn in step(number)]


def limited(resets_in: float) -> dict[str, Any]:
    """A usage limit whose margin of a minute is over in so many seconds."""
    resets = int(time.time() - RESET_MARGIN_SECONDS + resets_in)
    return {"wrapper": {**USAGE_LIMIT, "result": f"Claude AI usage limit reached|{resets}"}, "exits": 1}


def loop(repo: Repo, *args: str, mode: str = "autonomous") -> tuple[int, Document]:
    done = repo.relais("loop", "--mode", mode, "--json", *args)
    summary: Document = json.loads(done.stdout) if done.stdout else {}
    return done.returncode, summary


def commits(repo: Repo) -> list[str]:
    return repo.git("log", "--format=%s", "--grep=Relais-Run").splitlines()


# --- how it ends ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["milestone", "autonomous"])
def test_it_goes_on_until_the_brain_says_done(mode: str, repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1, 2), DONE)

    status, summary = loop(repo, mode=mode)

    assert (status, summary["reason"], summary["code"], summary["ticks"]) == (0, "done", "SUCCESS", 3)
    assert [commit["subject"] for commit in summary["commits"]] == ["chore: step 1", "chore: step 2"]
    assert commits(repo) == ["chore: step 2", "chore: step 1"]
    assert summary["reported_cost_usd"] == pytest.approx(0.05)
    assert summary["report"]["control"] == {"action": "stop", "reason": "all is done"}
    assert not (repo.path / "relais/lock.json").exists()


def test_no_more_ticks_than_the_person_wants(repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1, 2, 3))

    status, summary = loop(repo, "--max-ticks", "2")

    assert (status, summary["reason"], summary["ticks"], claude.count) == (0, "max_ticks", 2, 4)


def test_a_verdict_comes_before_a_limit(repo: Repo, claude: Claude) -> None:
    claude.plays(step(1)[0], OUTSIDE)

    status, summary = loop(repo, "--max-ticks", "1")

    assert (status, summary["reason"]) == (10, "stop")


def test_a_stop_ends_it(repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1), step(2)[0], OUTSIDE, *steps(3))

    status, summary = loop(repo)

    assert (status, summary["reason"], summary["code"]) == (10, "stop", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED")
    assert [(row["code"], row["intent"]) for row in summary["rejected"]] == [
        ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "step 2")
    ]
    assert "package.json" in summary["rejected"][0]["why"]
    assert (repo.status, len(commits(repo)), claude.count) == ("", 1, 4)


def test_with_keep_going_the_brain_sees_why_and_goes_on(repo: Repo, claude: Claude) -> None:
    claude.plays(step(1)[0], OUTSIDE, *steps(2), DONE)

    status, summary = loop(repo, "--keep-going")

    assert (status, summary["reason"], len(summary["rejected"]), len(summary["commits"])) == (0, "done", 1, 1)
    assert "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" in claude.calls[2]["stdin"]
    assert "package.json" in claude.calls[2]["stdin"]


def test_a_question_ends_it_until_it_is_answered(repo: Repo, claude: Claude) -> None:
    claude.plays(QUESTION, DONE)

    done = repo.relais("loop", "--mode", "autonomous")
    again, summary = loop(repo)

    assert (done.returncode, again) == (30, 30)
    assert "Which colour?" in done.stderr
    assert "2. blue" in done.stderr
    assert "2. blue" in done.stdout
    assert "relais.py answer TEXT" in done.stdout
    assert (summary["reason"], summary["code"], claude.count) == ("question", "BLOCKED_QUESTION_PENDING", 1)

    repo.relais("answer", "--choice", "2")
    status, summary = loop(repo)

    assert (status, summary["reason"]) == (0, "done")
    assert "Q: Which colour?\nA: blue" in claude.calls[1]["stdin"]


def test_a_question_that_changed_something_was_not_asked(repo: Repo, claude: Claude) -> None:
    asks = a_task(task_kind="question", question={"prompt": "Which colour?"}, scope={"allow_new_files": True})
    claude.plays({"says": asks}, {"says": a_result(), "writes": {"src/app.py": "x\n"}})

    status, summary = loop(repo)

    assert (status, summary["reason"], summary["code"]) == (10, "stop", "STOP_QUESTION_SIDE_EFFECTS")


def test_what_blocks_a_tick_ends_it(repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1))
    repo.write("src/mine.py", "x\n")

    status, summary = loop(repo)

    assert (status, summary["reason"], summary["code"], summary["ticks"]) == (20, "blocked", "BLOCKED_DIRTY_WORKTREE", 0)
    assert claude.count == 0


def test_nearly_used_up_budgets_end_it_softly_and_used_up_ones_block(repo: Repo, claude: Claude) -> None:
    repo.configure({"budgets": {"per_milestone": {"max_ticks": 5}, "warn_at_fraction": 0.4}})
    claude.plays(*steps(1, 2, 3, 4, 5))

    assert [(status, summary["reason"]) for status, summary in [loop(repo)]] == [(0, "budget_warning")]
    assert repo.state["budgets"]["ticks"] == 2

    repo.configure({"budgets": {"per_milestone": {"max_ticks": 2}}})
    status, summary = loop(repo)

    assert (status, summary["reason"], summary["code"]) == (20, "blocked", "BLOCKED_BUDGET_CAP")


def test_it_does_not_start_where_nothing_would_be_committed(repo: Repo, claude: Claude) -> None:
    repo.configure({"git": {"commit_on_success": False}})
    claude.plays(*steps(1))

    done = repo.relais("loop", "--mode", "autonomous")

    assert done.returncode == 20
    assert "commit_on_success" in done.stderr
    assert claude.count == 0


ROWS = {
    "a signal before everything": ({"interrupted_by": 2, "has_question": True}, "interrupted"),
    "a question before a block": ({"code": "BLOCKED_QUESTION_PENDING", "has_question": True}, "question"),
    "a limit that ends too late": ({"code": "BLOCKED_RATE_LIMITED"}, "rate_limited"),
    "a limit that can be waited out": ({"code": "BLOCKED_RATE_LIMITED", "can_wait": True}, None),
    "a limit after enough ticks": ({"code": "BLOCKED_RATE_LIMITED", "can_wait": True, "ticks": 4, "max_ticks": 3}, "max_ticks"),
    "an overload": ({"code": "STOP_INTERRUPTED", "error": ErrorKind.OVERLOADED, "can_wait": True}, None),
    "an overload for too long, whatever --keep-going says": ({"code": "STOP_INTERRUPTED", "error": ErrorKind.OVERLOADED, "keep_going": True}, "transient"),
    "a lost connection": ({"code": "STOP_INTERRUPTED", "error": ErrorKind.CONNECTION, "can_wait": True}, None),
    "turns used up": ({"code": "STOP_INTERRUPTED", "error": ErrorKind.MAX_TURNS, "can_wait": True}, "stop"),
    "logged out": ({"code": "BLOCKED_AGENT_UNAVAILABLE", "error": ErrorKind.AUTH, "troubled_seconds": 599}, None),
    "logged out for too long": ({"code": "BLOCKED_AGENT_UNAVAILABLE", "error": ErrorKind.AUTH, "troubled_seconds": 600}, "blocked"),
    "no money": ({"code": "BLOCKED_AGENT_UNAVAILABLE", "error": ErrorKind.BILLING, "can_wait": True}, "blocked"),
    "no task": ({"code": "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", "in_a_row": 2}, None),
    "no task for the third time": ({"code": "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", "in_a_row": 3}, "blocked"),
    "blocked": ({"code": "BLOCKED_STUCK", "keep_going": True}, "blocked"),
    "another milestone, whatever --keep-going says": ({"code": "STOP_MILESTONE_CHANGED", "keep_going": True}, "milestone_changed"),
    "stopped": ({"code": "STOP_DIFF_TOO_LARGE"}, "stop"),
    "stopped, but going on": ({"code": "STOP_DIFF_TOO_LARGE", "keep_going": True}, None),
    "a claim in a tick that was stopped": ({"code": "STOP_INTERRUPTED", "is_done": True, "keep_going": True}, None),
    "done before a warning": ({"is_done": True, "budget_warning": True}, "done"),
    "a warning before a limit": ({"budget_warning": True, "max_ticks": 1}, "budget_warning"),
    "enough ticks": ({"ticks": 3, "max_ticks": 3}, "max_ticks"),
    "not enough ticks": ({"ticks": 2, "max_ticks": 3}, None),
    "nothing": ({}, None),
}


@pytest.mark.parametrize(("changes", "reason"), ROWS.values(), ids=ROWS)
def test_the_rows_of_the_loop(changes: Document, reason: str | None) -> None:
    lap = Lap(**{**changes, "code": Code(changes.get("code", "SUCCESS"))})

    assert next((ending.reason for ending in LOOP_RULES if ending.applies(lap)), None) == reason


# --- milestones -------------------------------------------------------------------------------


def test_a_milestone_loop_is_for_one_milestone(repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1), *step(2, milestone_id="M2"))

    status, summary = loop(repo, mode="milestone")

    assert (status, summary["reason"], summary["code"]) == (10, "milestone_changed", "STOP_MILESTONE_CHANGED")
    assert claude.count == 3, "nothing was built"
    assert repo.state["milestone_id"] == "M1"


def test_an_autonomous_loop_goes_from_one_to_the_next_and_each_finds_its_ledger_again(repo: Repo, claude: Claude) -> None:
    claude.plays(*step(1), *step(2, milestone_id="M2"), *step(3), DONE)

    status, _ = loop(repo)

    assert status == 0
    assert (repo.state["milestone_id"], repo.state["budgets"]["ticks"], repo.state["total"]["ticks"]) == ("M1", 3, 4)
    assert json.loads(repo.read("relais/history/milestones/M2.json"))["ticks"] == 1


def test_renaming_a_milestone_buys_nothing(repo: Repo, claude: Claude) -> None:
    repo.configure({"budgets": {"total": {"max_builder_calls": 2}, "warn_at_fraction": 1}})
    claude.plays(*step(1), *step(2, milestone_id="M2"), *step(3, milestone_id="M3"))

    assert loop(repo)[1]["reason"] == "budget_warning"
    status, summary = loop(repo)

    assert (status, summary["code"], claude.count) == (20, "BLOCKED_BUDGET_CAP", 4)
    assert "total builder_calls 2 of 2" in repo.blocked["reason"]


@shows("milestone.done_when")
def test_a_claim_to_be_done_is_checked(repo: Repo, claude: Claude) -> None:
    check = "import sys; sys.exit('line 2' not in open('src/app.py').read())"
    repo.configure({
        "verification": {"templates": [{"id": "ready", "cmd": sys.executable, "args": ["-c", check]}]},
        "milestone": {"done_when": ["ready"]},
    })  # fmt: skip
    claude.plays(*steps(1), DONE, *steps(2), DONE)

    status, summary = loop(repo)

    assert (status, summary["reason"], summary["ticks"]) == (0, "done", 4)
    assert "not done: ready exited 1" in claude.calls[3]["stdin"]
    assert [run["exit_code"] for run in summary["report"]["verification"]["runs"]] == [0]


def test_a_refused_claim_is_on_record_and_leaves_nothing_behind(repo: Repo, claude: Claude) -> None:
    check = "import sys; open('src/app.py', 'w'); open('left', 'w'); sys.exit(1)"
    repo.configure({
        "verification": {"templates": [{"id": "ready", "cmd": sys.executable, "args": ["-c", check]}], "required_fast": ["ready"]},
        "milestone": {"done_when": ["ready"]},
    })  # fmt: skip
    repo.commit("configure")
    before = repo.tree()
    claude.plays(DONE)

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.report["control"] == {"action": "continue", "reason": "not done: ready exited 1"}
    assert repo.tree() == before


def test_a_claim_whose_check_does_not_end_is_not_believed(repo: Repo, claude: Claude) -> None:
    repo.configure({
        "verification": {"templates": [NAPS]}, "milestone": {"done_when": ["nap"]}, "runner": {"max_tick_seconds": 3},
    })  # fmt: skip
    claude.plays(DONE, *steps(1))

    status, summary = loop(repo, "--keep-going", "--max-ticks", "2")

    assert (status, summary["reason"], len(summary["commits"])) == (0, "max_ticks", 1)


# --- stuck ------------------------------------------------------------------------------------

REJECTED = [{"says": a_task()}, OUTSIDE]


def test_a_rejected_task_is_not_paid_for_twice(repo: Repo, claude: Claude) -> None:
    claude.plays(*REJECTED, {"says": a_task(task_id="other", milestone_id="M2")})

    repo.relais("run")
    done = repo.relais("run")

    assert (done.returncode, repo.report["code"], claude.count) == (10, "STOP_IDENTICAL_TASK", 3)
    assert repo.report["scope"]["ok"] is True


FREEING: dict[str, Callable[[Repo], object]] = {
    "a commit": lambda repo: repo.git("commit", "-q", "--allow-empty", "-m", "mine"),
    "another configuration": lambda repo: repo.configure({"runner": {"max_tick_seconds": 800}}),
}


@pytest.mark.parametrize("change", FREEING.values(), ids=FREEING)
def test_after_a_commit_or_under_another_configuration_it_may_come_again(
    change: Callable[[Repo], object], repo: Repo, claude: Claude
) -> None:
    claude.plays(*REJECTED, *step(1, task_id="t-1", intent="change app"))
    repo.relais("run")

    change(repo)
    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


def test_a_task_that_was_only_unlucky_may_come_again(repo: Repo, claude: Claude) -> None:
    claude.plays(step(1)[0], {"exits": 1, "raw": "boom"}, *steps(1))
    repo.relais("run")
    assert repo.report["code"] == "STOP_INTERRUPTED"

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


def rejections(count: int) -> Turns:
    return [turn for number in range(count) for turn in (step(number)[0], OUTSIDE)]


@shows("loop.stuck_after")
def test_tick_after_tick_without_a_commit_asks_for_another_plan_and_then_blocks(repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"stuck_after": 2}})
    claude.plays(*rejections(4), *steps(9))

    status, summary = loop(repo, "--keep-going")

    assert (status, summary["reason"], summary["code"], summary["ticks"]) == (20, "blocked", "BLOCKED_STUCK", 4)
    prompts = [call["stdin"] for call in claude.calls[::2]]
    assert ["brought no commit" in prompt for prompt in prompts] == [False, False, True, True]


UNSTUCK: dict[str, Callable[[Repo], object]] = {
    "a fact": lambda repo: repo.relais("facts", "add", "package.json is not yours"),
    "another goal": lambda repo: repo.write("relais/GOAL.md", "Something easier\n"),
    "another configuration": lambda repo: repo.configure({"runner": {"max_tick_seconds": 800}}),
    "a commit": lambda repo: repo.git("commit", "-q", "--allow-empty", "-m", "mine"),
}


@pytest.mark.parametrize("change", UNSTUCK.values(), ids=UNSTUCK)
def test_what_frees_a_stuck_loop(change: Callable[[Repo], object], repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"stuck_after": 1}})
    claude.plays(*rejections(2), *steps(9))
    loop(repo, "--keep-going")
    assert repo.blocked["code"] == "BLOCKED_STUCK"

    change(repo)
    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


def test_an_answer_frees_it_too(repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"stuck_after": 1}})
    claude.plays(*rejections(1), QUESTION, *steps(9))
    repo.relais("run")
    repo.relais("run")

    repo.relais("answer", "red")
    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


def test_checks_alone_are_no_progress(repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"stuck_after": 1}})
    check = {"says": a_task(task_kind="verify_only", builder=None, verification={"fast": ["ok"]})}
    claude.plays(check, check, *steps(1))

    status, summary = loop(repo)

    assert (status, summary["code"], summary["ticks"]) == (20, "BLOCKED_STUCK", 2)


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 1], ids=["Brain", "Hands"])
def test_it_waits_until_the_limit_is_over_and_goes_on(turn: int, repo: Repo, claude: Claude) -> None:
    turns = steps(1)
    claude.plays(*turns[:turn], limited(6), *turns, DONE)
    began = time.monotonic()

    done = repo.relais("loop", "--mode", "autonomous")

    assert done.returncode == 0
    assert time.monotonic() - began > 1
    assert "WAIT" in done.stderr
    assert len(commits(repo)) == 1


def test_a_limit_burns_no_tick_and_its_calls_count(repo: Repo, claude: Claude) -> None:
    claude.plays(limited(6), *steps(1, 2, 3))

    status, summary = loop(repo, "--max-ticks", "2")

    assert (status, summary["reason"], summary["ticks"], len(summary["commits"])) == (0, "max_ticks", 2, 2)
    assert (repo.state["budgets"]["ticks"], repo.state["budgets"]["orchestrator_calls"]) == (2, 3)


@shows("loop.max_wait_seconds")
def test_a_wait_longer_than_the_person_will_wait_ends_it(repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"max_wait_seconds": 30}})
    claude.plays(limited(3000))

    status, summary = loop(repo)

    assert (status, summary["reason"], summary["code"]) == (75, "rate_limited", "BLOCKED_RATE_LIMITED")
    assert summary["retry_at"] > iso(time.time() + 2000)


def test_words_about_limits_in_an_answer_are_no_limit(repo: Repo, claude: Claude) -> None:
    words = "You've hit your 5-hour limit · resets 4:34am (UTC). Claude AI usage limit reached|1999999999"
    claude.plays({"says": a_task(intent=words)}, {"says": a_result(summary=words), "writes": {"src/app.py": f"{words}\n"}}, DONE)

    status, summary = loop(repo)

    assert (status, summary["reason"], len(summary["commits"])) == (0, "done", 1)


# --- a night: what an agent alone is to blame for --------------------------------------------------


def api_fails(status: int | None, words: str, **more: Any) -> dict[str, Any]:
    return {"says": words, "wrapper": {"is_error": True, "api_error_status": status, **more}, "exits": 1}


OVERLOADED = api_fails(529, "API Error: 529 Overloaded")
UNREACHED = api_fails(None, "API Error: Connection refused", api_error="connection_failed")
CUT = api_fails(None, "The connection was lost", api_error="connection_failed")
LOGGED_OUT = api_fails(401, "Failed to authenticate. API Error: 401")
PROSE = {"says": "I would rather talk about it."}


def night(repo: Repo, *args: str) -> tuple[int, Document, float]:
    """A loop with clocks that jump over its waits: how it ended, and the hours it slept."""
    notes = repo.path.parent / "slept"
    argv = [sys.executable, "-I", str(ASLEEP), str(notes), "relais.py", "loop", "--mode", "autonomous", "--json", *args]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout), float(notes.read_text()) / 3600


def test_a_loop_survives_the_night(repo: Repo, claude: Claude) -> None:
    """Eight hours of a bad service, without --keep-going: nothing of it burns a tick, counts as idle or ends the loop."""
    repo.configure({"loop": {"stuck_after": 1}})
    in_hours = api_fails(429, "You've hit your limit. Try again in 5 hours", api_error="usage_limit_reached")
    claude.plays(
        *[OVERLOADED] * 8, *steps(1), in_hours, api_fails(500, "API Error: 500"), CUT, *steps(2), *[UNREACHED] * 5, step(3)[0], OVERLOADED,
        LOGGED_OUT, LOGGED_OUT, *steps(3), PROSE, PROSE, PROSE, PROSE, *steps(4), DONE,
    )  # fmt: skip

    status, summary, hours = night(repo)

    assert (status, summary["reason"]) == (0, "done")
    assert [commit["subject"] for commit in summary["commits"]] == [f"chore: step {number}" for number in (1, 2, 3, 4)]
    assert summary["ticks"] == 4 + 2 + 1, "four steps, two rounds of prose, the last word"
    assert repo.state["idle_ticks"] == 1, "the last word brought no commit"
    assert 6 < hours < 9


def test_a_service_that_does_not_come_back_is_waited_for_longer_and_longer(repo: Repo, claude: Claude) -> None:
    repo.configure({"loop": {"max_wait_seconds": 7200}})
    claude.plays(*[OVERLOADED] * 20)

    status, summary, hours = night(repo)

    assert (status, summary["reason"], summary["code"], summary["ticks"]) == (75, "transient", "STOP_INTERRUPTED", 0)
    assert 1.4 < hours <= 2
    assert 9 <= claude.count <= 12, "15 s, 30 s, …, and half an hour at most"
    assert summary["retry_at"]


def test_a_login_is_waited_for_ten_minutes(repo: Repo, claude: Claude) -> None:
    claude.plays(*[LOGGED_OUT] * 20)

    status, summary, hours = night(repo)

    assert (status, summary["reason"], summary["code"]) == (20, "blocked", "BLOCKED_AGENT_UNAVAILABLE")
    assert hours * 60 == pytest.approx(10, abs=1.1)


def test_three_rounds_without_a_task_end_it(repo: Repo, claude: Claude) -> None:
    claude.plays(*[PROSE] * 20)

    status, summary, hours = night(repo)

    assert (status, summary["reason"], summary["code"]) == (20, "blocked", "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID")
    assert (claude.count, summary["ticks"], hours) == (6, 3, 0)


def test_a_service_in_trouble_is_told_by_run_with_the_time_to_come_back(repo: Repo, claude: Claude) -> None:
    claude.plays(OVERLOADED)

    done = repo.relais("run")

    assert done.returncode == 75
    assert repo.report["error"]["retry_at"] > iso(time.time())
    assert "hint: wait, then: " in done.stdout


# --- signals ----------------------------------------------------------------------------------


STAGES: dict[str, tuple[Callable[[], Turns], int]] = {
    "Brain": (lambda: [{"sleeps": 60}], 1),
    "Hands": (lambda: [step(1)[0], {**step(1)[1], "sleeps": 60}], 2),
    "a stubborn Hands": (
        lambda: [step(1)[0], {"python": "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"}], 2
    ),
    "verification": (lambda: step(1, verification={"fast": ["nap"]}), 2),
    "waiting": (lambda: [limited(100)], 1),
}  # fmt: skip


@pytest.fixture
def unharmed(repo: Repo) -> Iterator[None]:
    repo.configure({"verification": {"templates": [NAPS]}})
    repo.commit("configure")
    before, head = repo.tree(), repo.head
    yield
    assert (repo.tree(), repo.head) == (before, head)
    assert not (repo.path / "relais/lock.json").exists()
    assert not (repo.path / "relais/inflight.json").exists()


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize("stage", STAGES)
def test_a_signal_ends_it_wherever_it_is(
    stage: str, number: signal.Signals, repo: Repo, claude: Claude, start: Callable[..., Process]
) -> None:
    turns, calls = STAGES[stage]
    claude.plays(*turns())
    process = start("loop", "--mode", "autonomous", "--json")
    until(lambda: claude.count == calls)
    time.sleep(0.6)  # into the stage itself: a check or a wait begins after the call that is counted

    began = time.monotonic()
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)

    assert time.monotonic() - began < 7
    assert process.returncode == 128 + number
    assert json.loads(out)["reason"] == "interrupted"
    assert (repo.report["code"], repo.report["error"]["kind"]) == ("STOP_INTERRUPTED", "signal")


def test_a_second_signal_is_the_end_and_the_next_start_recovers(
    repo: Repo, claude: Claude, tmp_path: Path, start: Callable[..., Process]
) -> None:
    note = tmp_path / "home" / "alive"
    stubborn = f"import os, signal, time; signal.signal(15, signal.SIG_IGN); open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    claude.plays(step(1)[0], {"writes": {"src/app.py": "half\n", ".env": "gone\n"}, "python": stubborn})
    before = repo.tree()
    process = start("loop", "--mode", "autonomous")
    until(lambda: note.exists() and note.read_text())

    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)

    assert (process.returncode, time.monotonic() - began < 1) == (130, True)
    until(lambda: not Path(f"/proc/{note.read_text()}").exists() or "zombie" in Path(f"/proc/{note.read_text()}/status").read_text())
    assert repo.relais("run").returncode == 20
    assert repo.blocked["code"] == "BLOCKED_CRASH_RECOVERY_REQUIRED"
    assert repo.relais("recover", "--undo").returncode == 0
    assert repo.tree() == before


# --- the lock and the configuration -----------------------------------------------------------


def test_the_lock_is_held_for_the_whole_loop(repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    claude.plays(*steps(1), limited(100))
    process = start("loop", "--mode", "autonomous")
    until(lambda: claude.count == 3)
    time.sleep(0.6)

    other = repo.relais("run")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)

    assert other.returncode == 20
    assert "BLOCKED_LOCK_HELD" in other.stderr
    assert repo.report["code"] == "STOP_INTERRUPTED"


def test_a_bad_edit_of_the_configuration_blocks_the_next_tick_only(repo: Repo, claude: Claude) -> None:
    broken = repo.read("relais.config.json").replace('"max_turns"', '"max_turnz"', 1)
    first, hands = step(1)
    claude.plays({**first, "writes": {"relais.config.json": broken}}, hands, *steps(2))

    status, summary = loop(repo)

    assert (status, summary["code"], len(summary["commits"])) == (20, "BLOCKED_MISSING_CONFIG", 1)
    assert summary["report"]["ledger"]["ticks"] == 1
    assert "max_turns" in repo.blocked["reason"]


def test_a_good_edit_counts_from_the_next_tick_on(repo: Repo, claude: Claude) -> None:
    config = json.loads(repo.read("relais.config.json"))
    config["scope"]["ceiling_globs"] = ["docs/**"]
    first, hands = step(1)
    claude.plays({**first, "writes": {"relais.config.json": json.dumps(config)}}, hands, *step(2, scope={"allow_new_files": True}))

    status, summary = loop(repo)

    assert (status, summary["code"], len(summary["commits"])) == (10, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", 1)


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--mode", "autonomous", "--max-ticks", "0"], "--max-ticks"),
        (["--mode", "autonomous", "--max-ticks", "-3"], "--max-ticks"),
        (["--mode", "autonomous", "--max-ticks", "two"], "--max-ticks"),
        (["--mode", "forever"], "forever"),
        ([], "--mode"),
    ],
)
def test_wrong_arguments_start_nothing(args: list[str], word: str, repo: Repo, claude: Claude) -> None:
    done = repo.relais("loop", *args)

    assert (done.returncode, claude.count) == (2, 0)
    assert word in done.stderr
    assert "Traceback" not in done.stderr


def test_nobody_reading_any_more_ends_nothing(repo: Repo, claude: Claude) -> None:
    claude.plays(*steps(1), DONE)
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "relais.py", "loop", "--mode", "autonomous"], cwd=repo.path, env=repo.env, stdout=writer, stderr=writer
    )  # fmt: skip
    os.close(writer)
    os.close(reader)

    assert process.wait(60) == 0
    assert len(commits(repo)) == 1


def test_a_clock_set_back_changes_nothing(repo: Repo, claude: Claude) -> None:
    """The runs so far and the last report are of a time that has not come yet."""
    claude.plays(*steps(1), *steps(2), DONE)
    repo.relais("run")
    last = repo.history()
    future = "20991231T000000Z-abcd"
    last.rename(last.with_name(future))
    state = {**repo.state, "last_run_id": future, "last_completed_run_id": future}
    repo.write("relais/STATE.json", json.dumps(state))

    status, summary = loop(repo)

    assert (status, summary["reason"], len(summary["commits"])) == (0, "done", 1)
