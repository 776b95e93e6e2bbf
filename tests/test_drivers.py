"""Section 12: any agent CLI by its record, as Brain, as Hands, as reviewer."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task
from hypothesis import given
from hypothesis import strategies as st
from test_config_keys import shows

from relais.agents.claude import read_reply
from relais.agents.driver import found_at, read_driven
from relais.contract.codes import AGENT_NAMES
from relais.contract.config import Driver
from relais.contract.findings import Ran
from relais.judge.stage import INTENT_CRITERION
from relais.settings.admission import validator
from relais.settings.recipes import AGENTS, EVERYBODY

EDITS = "open('src/app.py', 'w').write('one\\n2\\nthree\\n')"
TASK, RESULT = json.dumps(a_task()), json.dumps(a_result())
STDOUT = {"from": "stdout"}


def prints(text: str) -> str:
    return f"print({text!r}, flush=True)"


def driver(*lines: str, result: Document = STDOUT, words: tuple[str, ...] = (), **more: Any) -> Document:
    """The record of a driver that runs these lines of Python."""
    return {"argv": [sys.executable, "-c", "\n".join(("import json, os, sys, time", *lines)), *words], "result": result, **more}


def play(repo: Repo, role: str = "builder", **record: Any) -> Document:
    """One tick in which this driver has this role; as a Brain it says that it needs no sandbox, unless it says otherwise."""
    record = {**({"confines_itself": True} if role == "orchestrator" else {}), **record}
    repo.configure({"drivers": {"mine": record}, "roles": {role: "mine"}})
    repo.relais("run", timeout=60)
    return repo.report


@shows("drivers", "roles.builder")
def test_a_driver_plays_the_hands(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})

    report = play(repo, **driver(EDITS, prints(RESULT)))

    assert (report["code"], report["builder"]) == ("SUCCESS", {"mode": "claude_code", "output_valid": True, "status": "done"})
    assert repo.git("show", "HEAD:src/app.py") == "one\n2\nthree\n"
    assert claude.count == 1, "Claude was only the Brain"


@shows("roles.orchestrator")
def test_a_driver_plays_the_brain(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_result(), "writes": {"src/app.py": "2\n"}})

    assert play(repo, "orchestrator", **driver(prints(TASK)))["code"] == "SUCCESS"
    assert claude.count == 1, "Claude was only the Hands"


PROMPTS = {
    "on stdin": ("asked = sys.stdin.read()", ()),
    "in a file": ("asked = open(sys.argv[1]).read(); assert sys.stdin.read() == ''", ("{prompt_file}",)),
    "with the system prompt apart": ("asked = sys.stdin.read() + open(sys.argv[1]).read()", ("{system_file}",)),
}


@pytest.mark.parametrize(("lines", "words"), PROMPTS.values(), ids=PROMPTS)
def test_system_and_user_prompt_arrive_once(lines: str, words: tuple[str, ...], repo: Repo) -> None:
    checks = "assert asked.count('You are the Orchestrator') == asked.count('Make the app better') == 1, asked"

    assert play(repo, "orchestrator", **driver(lines, checks, prints(json.dumps(a_task(control={"action": "stop"}, builder=None))), words=words))["code"] == "SUCCESS"


def test_the_prompt_never_stands_in_argv(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(builder={"instructions": "WORDS OF THE TASK"})})

    play(repo, **driver(EDITS, prints(RESULT), words=("{prompt_file}",)))

    meta = json.loads((repo.history() / "meta.json").read_text())
    assert "WORDS OF THE TASK" not in json.dumps([call["argv"] for call in meta["calls"]])


def test_the_places_are_filled(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(scope={"allowed_globs": ["src/**", "*evil", "relais.config.json", ".gitignore"]})})
    checks = [
        "repo, tmp, task, *files = sys.argv[1:]",
        "assert repo == '--repo=' + os.getcwd() and os.path.isdir(tmp), sys.argv",
        "assert json.load(open(task))['task_id'] == 't-1'",
        "assert files == ['./--evil', './src/app.py', './src/util.py'], files",
    ]
    repo.write("--evil", "x\n")
    repo.commit()

    assert play(repo, **driver(*checks, EDITS, prints(RESULT), words=("--repo={repo}", "{tmp}", "{task_file}", "{files}")))["code"] == "SUCCESS"


# --- where the answer stands ------------------------------------------------------------------

MESSAGE = {"type": "item", "item": {"kind": "message", "text": RESULT}}
NOISE = {"type": "item", "item": {"kind": "reasoning", "text": "hm"}}
PICKS = {
    "stdout": (prints(f"\x1b[1m{RESULT}\x1b[0m"), STDOUT, ()),
    "json": (prints(json.dumps({"response": {"text": RESULT}}, indent=2)), {"from": "json", "pick": "response.text"}, ()),
    "json in an array": (prints(json.dumps([{"response": RESULT}])), {"from": "json", "pick": "0.response"}, ()),
    "jsonl": (
        "; ".join(prints(json.dumps(event)) for event in (NOISE, MESSAGE, NOISE, {"type": "end"})),
        {"from": "jsonl", "where": {"type": "item", "item.kind": "message"}, "pick": "item.text"},
        (),
    ),
    "jsonl among other words": (
        "; ".join((prints("loading {"), prints(json.dumps(MESSAGE)), prints("bye }"))),
        {"from": "jsonl", "where": {"item.kind": "message"}, "pick": "item.text"},
        (),
    ),
    "file": (f"open(sys.argv[1], 'w').write({RESULT!r})", {"from": "file"}, ("{out_file}",)),
}


@pytest.mark.parametrize(("lines", "result", "words"), PICKS.values(), ids=PICKS)
def test_the_answer_is_found(lines: str, result: Document, words: tuple[str, ...], repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})

    report = play(repo, **driver(EDITS, lines, result=result, words=words))

    assert (report["code"], report["builder"]["output_valid"]) == ("SUCCESS", True)


# --- what went wrong --------------------------------------------------------------------------

JSONL = {"from": "jsonl", "where": {"type": "text"}, "pick": "text"}
SAYS = prints(json.dumps({"type": "text", "text": RESULT}))
FAILS = [{"where": {"type": "failed"}, "pick": "error.message"}]
DONE = {"must_see": {"type": "done"}}


def failed(message: str) -> str:
    return prints(json.dumps({"type": "failed", "error": {"message": message}}))


RATE, GONE, BROKEN = "BLOCKED_RATE_LIMITED", "BLOCKED_AGENT_UNAVAILABLE", "STOP_INTERRUPTED"
FAILURES: dict[str, tuple[list[str], Document, str, str]] = {
    "a bad exit": ([SAYS, "sys.exit(3)"], {}, BROKEN, "process"),
    "a sign that is missing": ([SAYS], DONE, BROKEN, "wrapper"),
    "no answer": ([prints("hello")], {}, BROKEN, "wrapper"),
    "exit 0, but it says so on stderr": (["sys.stderr.write('litellm.Error')", SAYS], {"error_if": [r"litellm\.\w*Error"]}, BROKEN, "process"),
    "a usage limit": ([failed("You’ve hit your usage limit. Try again later."), "sys.exit(1)"], {"errors": FAILS}, RATE, "rate_limit"),
    "a limit in words of its own": ([failed("come back tomorrow"), "sys.exit(1)"], {"errors": FAILS, "limit_if": ["come back"]}, RATE, "rate_limit"),
    "a limit behind a time-out": ([failed("429 Too Many Requests"), "time.sleep(60)"], {"errors": FAILS}, RATE, "rate_limit"),
    "no credit": ([failed("Quota exceeded. Check your plan and billing details."), "sys.exit(1)"], {"errors": FAILS}, GONE, "billing"),
    "a wrong key": ([failed("unexpected status 401 Unauthorized"), "sys.exit(1)"], {"errors": FAILS}, GONE, "auth"),
    "nobody there, on stderr": (["sys.exit('Error: Connection error.')"], {}, BROKEN, "connection"),
    "an unknown model": (["sys.exit('The model gpt-0 does not exist')"], {}, GONE, "model"),
    "a full house": ([failed("Selected model is at capacity."), "sys.exit(1)"], {"errors": FAILS}, BROKEN, "overloaded"),
    "a number that means nothing": (["sys.stderr.write('wrote line 404, 503 of 599')", "time.sleep(60)"], {}, "STOP_BUILDER_TIMEOUT", "timeout"),
    "a server that fails": ([failed("HTTP 500"), "sys.exit(1)"], {"errors": FAILS}, BROKEN, "server"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_by_its_own_diagnostics(failure: str, repo: Repo, claude: Claude) -> None:
    lines, more, code, kind = FAILURES[failure]
    claude.plays({"says": a_task()})
    repo.configure({"builder": {"claude_code": {"timeout_seconds": 2}}})
    before = repo.tree()

    report = play(repo, **driver(EDITS, *lines, result=JSONL, **more))

    assert (report["code"], report["error"]["kind"]) == (code, kind)
    assert repo.tree() == before


def test_words_of_an_answer_are_no_diagnosis(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    talk = json.dumps(a_result(summary="429: I hit a usage limit, 401 Unauthorized"))

    assert play(repo, **driver(EDITS, prints(json.dumps({"type": "text", "text": talk})), result=JSONL, errors=FAILS))["code"] == "SUCCESS"


def test_what_a_failed_agent_said_to_the_person_is_no_diagnosis_either(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})

    report = play(repo, **driver(prints(json.dumps({"type": "text", "text": "429 usage limit"})), "sys.exit(1)", result=JSONL, errors=FAILS))

    assert (report["code"], report["error"]["kind"]) == ("STOP_INTERRUPTED", "process")


def test_a_reset_that_the_hands_named_is_believed_for_five_minutes(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    words = "rate limit exceeded: Please try again \nin 2h0m0s."

    report = play(repo, **driver(failed(words), "sys.exit(1)", result=JSONL, errors=FAILS))

    wait = time.mktime(time.strptime(report["error"]["retry_at"], "%Y-%m-%dT%H:%M:%SZ")) - time.mktime(time.gmtime())
    assert 200 <= wait <= 300


def test_one_that_lingers_after_what_must_be_seen_is_ended(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    repo.configure({"runner": {"result_grace_seconds": 1}})
    began = time.monotonic()

    report = play(repo, **driver(EDITS, SAYS, prints('{"type": "done"}'), "time.sleep(60)", result=JSONL, **DONE))

    assert (report["code"], time.monotonic() - began < 20) == ("SUCCESS", True)


# --- what it cost -----------------------------------------------------------------------------

STEPS = "; ".join(prints(json.dumps({"type": "step", "cost": cost, "tokens": {"in": 7}})) for cost in (0.25, 0.5))


def test_usage_and_cost_are_summed_as_they_were_reported(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    usage = {"where": {"type": "step"}, "pick": {"input_tokens": "tokens.in", "cost_usd": "cost"}}

    report = play(repo, **driver(EDITS, STEPS, SAYS, result=JSONL, usage=usage))

    _, hands = report["agent"]["calls"]
    assert (hands["usage"], hands["cost_usd"]) == ({"input_tokens": 14}, 0.75)
    assert report["budgets"]["estimated_cost_usd"] == 0.76
    assert json.loads(repo.relais("status", "--json").stdout)["calls_without_cost"] == 0


def test_a_cost_that_nobody_reported_stays_unknown(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})

    report = play(repo, **driver(EDITS, prints(RESULT)))

    assert "cost_usd" not in report["agent"]["calls"][1]
    assert json.loads(repo.relais("status", "--json").stdout)["calls_without_cost"] == 1
    assert "0.01 of 80.00 USD (shown, never a limit), and 1 call of unknown cost" in repo.relais("status").stdout
    assert "0.01 USD + 1 unknown" in repo.relais("history").stdout


# --- the sandbox ------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's")
@pytest.mark.parametrize(("own", "confined"), [(False, True), (True, False)], ids=["confined by relais", "confines itself"])
def test_a_driver_is_confined_unless_it_does_that_itself(own: bool, confined: bool, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    repo.configure({"runner": {"sandbox": "on"}})
    reach = "\ntry:\n    open(os.environ['HOME'] + '/reached', 'w')\nexcept OSError:\n    pass"

    report = play(repo, **driver(EDITS, reach, prints(RESULT), confines_itself=own))

    assert (report["code"], report["sandbox"] == "itself") == ("SUCCESS", own)
    assert Path(os.environ["HOME"], "reached").exists() is not confined


@pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's")
def test_a_brain_with_tools_can_change_nothing(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_result(), "writes": {"src/app.py": "2\n"}})
    repo.configure({"runner": {"sandbox": "on"}})
    reach = "for path in ('README.md', os.environ['HOME'] + '/reached'):\n    try:\n        open(path, 'w')\n    except OSError:\n        pass"

    report = play(repo, "orchestrator", **driver(reach, prints(TASK), confines_itself=False))

    assert (report["code"], repo.read("README.md")) == ("SUCCESS", "# App\n")
    assert not Path(os.environ["HOME"], "reached").exists()


LOOSE: dict[str, tuple[Document, str]] = {
    "a driver": ({"drivers": {"mine": driver(prints(TASK))}, "roles": {"orchestrator": "mine"}}, "BLOCKED_MISSING_CONFIG"),
    "claude with a shell": ({"orchestrator": {"allowed_tools": "Read,Bash"}}, "BLOCKED_MISSING_CONFIG"),
    "claude that can only read": ({"orchestrator": {"allowed_tools": "Read, Grep"}}, "SUCCESS"),
}


@pytest.mark.parametrize(("change", "code"), LOOSE.values(), ids=LOOSE)
def test_a_brain_that_could_write_is_refused_where_nothing_confines_it(change: Document, code: str, repo: Repo, claude: Claude) -> None:
    """What it did would be nobody's to judge: a task without a builder ends before the Judge looks."""
    claude.plays({"says": a_task()}, {"says": a_result()})
    repo.configure(change)

    repo.relais("run")

    assert repo.report["code"] == code
    assert claude.count == (2 if code == "SUCCESS" else 0)


@pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's")
def test_claude_as_a_brain_with_tools_is_confined(repo: Repo, claude: Claude) -> None:
    tries = "try:\n    open('README.md', 'w')\nexcept OSError:\n    pass"
    claude.plays({"says": a_task(control={"action": "stop"}, builder=None), "python": tries})
    repo.configure({"runner": {"sandbox": "on"}, "orchestrator": {"allowed_tools": "Read,Bash"}})

    repo.relais("run")

    assert (repo.report["code"], repo.read("README.md")) == ("SUCCESS", "# App\n")


# --- what is refused --------------------------------------------------------------------------

BAD: dict[str, tuple[Document, str]] = {
    "an unknown place": ({"drivers": {"mine": driver("", words=("{prompt}",))}}, "drivers.mine.argv: nothing fills {prompt}"),
    "an unknown driver": ({"roles": {"builder": "yours"}}, "roles.builder: there is no driver yours"),
    "an unknown key": ({"drivers": {"mine": {**driver(""), "limit_fi": []}}}, "drivers.mine.limit_fi is not a known key, did you mean limit_if?"),
    "no pick": ({"drivers": {"mine": driver("", result={"from": "json"})}}, "drivers.mine.result: from json needs a pick"),
    "no file": ({"drivers": {"mine": driver("", result={"from": "file"})}}, "needs {out_file}"),
    "a bad pattern": ({"drivers": {"mine": driver("", error_if=["("])}}, "drivers.mine.error_if: "),
    "a taken name": ({"drivers": {"claude": driver("")}}, "this name is taken"),
    "another taken name": ({"drivers": {"cursor": driver("")}}, "this name is taken"),
    "a pattern too large": ({"drivers": {"mine": driver("", error_if=["a{99999999999999999999}"])}}, "drivers.mine.error_if: "),
    "files in a word": ({"drivers": {"mine": driver("", words=("--f={files}",))}}, "{files} must be a word of its own"),
    "no command": ({"drivers": {"mine": {"argv": [""], "result": STDOUT}}}, "it must begin with a command"),
    "a place for a command": ({"drivers": {"mine": {"argv": ["{repo}/x"], "result": STDOUT}}}, "it must begin with a command"),
    "a pick of nothing": ({"drivers": {"mine": driver("", result={"from": "stdout", "pick": "a"})}}, "has no use for a pick"),
    "no argv": ({"drivers": {"mine": {"argv": [], "result": STDOUT}}}, "drivers"),
    "another source": ({"drivers": {"mine": driver("", result={"from": "psychic"})}}, "from"),
    "no such program": (
        {"drivers": {"mine": {"argv": ["no-such-agent"], "result": STDOUT}}, "roles": {"builder": "mine"}},
        "the agent's command is not on PATH: no-such-agent",
    ),
}


@pytest.mark.parametrize(("change", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_used_is_refused_before_anything_is_paid_for(change: Document, words: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()})
    repo.configure(change)

    done = repo.relais("run")

    assert (done.returncode, claude.count) == (20, 0)
    assert words in repo.blocked["reason"]


# --- the review -------------------------------------------------------------------------------


def verdicts(*rows: str, criteria: tuple[str, ...] = (INTENT_CRITERION, "It is short.")) -> str:
    told = [{"criterion": c, "verdict": v, "evidence": f"src/app.py:2 says {v}"} for c, v in zip(criteria, rows)]
    return json.dumps({"summary": "looked", "criteria": told})


REVIEWS = {
    "all pass": (verdicts("pass", "pass"), "SUCCESS", "It is short"),
    "one fails": (verdicts("pass", "fail"), "STOP_REVIEW_REJECTED", "fail: It is short. (src/app.py:2 says fail)"),
    "one needs a person": (verdicts("needs_human", "pass"), "STOP_REVIEW_REJECTED", "needs_human"),
    "one is left out": (verdicts("pass"), "STOP_REVIEW_REJECTED", "answer each criterion exactly once"),
    "one is another": (verdicts("pass", "pass", criteria=(INTENT_CRITERION, "It is nice.")), "STOP_REVIEW_REJECTED", "in its own words"),
    "no JSON": ("LGTM", "STOP_REVIEW_REJECTED", "no valid answer"),
}


@shows("review.enabled", "review.criteria", "roles.reviewer")
@pytest.mark.parametrize(("answer", "code", "words"), REVIEWS.values(), ids=REVIEWS)
def test_what_a_reviewer_does_not_find_to_hold_is_not_committed(answer: str, code: str, words: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "one\n2\nthree\n"}})
    repo.configure({"review": {"enabled": True, "criteria": ["It is short."]}})
    sees = "asked = sys.stdin.read(); assert '+2' in asked and 'change app' in asked and '- It is short.' in asked, asked"

    report = play(repo, "reviewer", **driver(sees, prints(answer)))

    assert report["code"] == code
    assert words in json.dumps(report["review"] if code == "SUCCESS" else report["error"])
    assert ("commit" in report) == (code == "SUCCESS")
    assert ("## Review" in repo.read("relais/REPORT.md")) == ("review" in report)


@shows("review.system_prompt_file", "review.user_prompt_file")
def test_claude_reviews_without_tools_and_gets_one_more_try(repo: Repo, claude: Claude) -> None:
    good = verdicts("pass", criteria=(INTENT_CRITERION,))
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}}, {"says": "hm"}, {"says": good})
    repo.configure({"review": {"enabled": True, "user_prompt_file": "relais/prompts/mine.txt", "system_prompt_file": "relais/prompts/hard.txt"}})
    repo.write("relais/prompts/mine.txt", "LOOK: {{DIFF}} {{RETRY_REASON}}\n")
    repo.write("relais/prompts/hard.txt", "be hard\n")

    repo.relais("run")

    first, second = claude.calls[2:]
    assert repo.report["code"] == "SUCCESS"
    assert repo.report["budgets"]["orchestrator_calls"] == 3
    assert first["argv"][first["argv"].index("--tools") + 1] == ""
    assert first["argv"][-1].endswith("relais/prompts/hard.txt")
    assert first["stdin"].startswith("LOOK: diff --git")
    assert "Your previous answer was refused" in second["stdin"]


@shows("review.max_diff_chars")
def test_a_diff_that_cannot_be_shown_whole_cannot_pass(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x" * 2000 + "\n"}})
    repo.configure({"review": {"enabled": True, "max_diff_chars": 1000}})

    repo.relais("run")

    assert (repo.report["code"], claude.count) == ("STOP_REVIEW_REJECTED", 2)
    assert "only 1000 could be shown" in repo.report["error"]["detail"]


@shows("review.timeout_seconds")
def test_a_reviewer_has_a_clock_of_its_own(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}})
    repo.configure({"review": {"enabled": True, "timeout_seconds": 1}})

    report = play(repo, "reviewer", **driver("time.sleep(60)"))

    assert (report["code"], report["error"]["kind"]) == ("STOP_INTERRUPTED", "timeout")


TAMPERS = {
    "what was judged": ("open('src/app.py', 'a').write('evil')", "SUCCESS"),
    "the runner's files": ("open('relais/FACTS.md', 'a').write('evil')", "STOP_RUNNER_OWNED_MUTATION"),
    "git's hooks": ("open('.git/hooks/post-checkout', 'w').write('evil')", "STOP_SCOPE_VIOLATION_FORBIDDEN"),
}


@pytest.mark.parametrize(("line", "code"), TAMPERS.values(), ids=TAMPERS)
def test_what_a_reviewer_changes_is_put_back_or_stops_the_tick(line: str, code: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}})
    repo.configure({"review": {"enabled": True}})

    report = play(repo, "reviewer", **driver(line, prints(verdicts("pass", criteria=(INTENT_CRITERION,)))))

    assert report["code"] == code
    assert repo.status in ("", " M relais.config.json\n")
    assert "evil" not in repo.read("src/app.py") + repo.read("relais/FACTS.md")
    assert not (repo.path / ".git/hooks/post-checkout").exists()


def test_a_call_of_a_reviewer_is_counted_though_the_runner_dies(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}})
    repo.configure({"review": {"enabled": True}, "drivers": {"mine": driver("os.kill(os.getppid(), 9)")}, "roles": {"reviewer": "mine"}})
    repo.relais("run")

    assert repo.relais("recover", "--undo").returncode == 0
    assert repo.state["budgets"]["orchestrator_calls"] == 2


def test_a_review_that_only_a_persons_own_schema_admits_leaves_a_sound_report(repo: Repo, claude: Claude) -> None:
    pytest.importorskip("fastjsonschema")
    path = "relais/schemas/review_result.schema.json"
    repo.write(path, repo.read(path).replace('"maxLength": 800', '"maxLength": 8000'))
    answer = json.loads(verdicts("pass", criteria=(INTENT_CRITERION,)))
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}}, {"says": {**answer, "summary": "x" * 900}})
    repo.configure({"review": {"enabled": True}})

    repo.relais("run")

    validator("report", "", "")(repo.report)
    assert repo.report["code"] == "SUCCESS"


def test_without_a_change_nobody_is_asked_for_a_review(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result()})
    repo.configure({"review": {"enabled": True}})

    repo.relais("run")

    assert (repo.report["code"], claude.count) == ("SUCCESS", 2)


def test_the_next_brain_learns_what_the_review_found(repo: Repo, claude: Claude) -> None:
    bad = verdicts("fail", criteria=(INTENT_CRITERION,))
    turns = [{"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n"}}, {"says": bad}]
    claude.plays(*turns, {"says": a_task(control={"action": "stop"}, builder=None)})
    repo.configure({"review": {"enabled": True}})

    repo.relais("run")
    repo.relais("run")

    assert "src/app.py:2 says fail" in claude.calls[3]["stdin"]


# --- init and doctor --------------------------------------------------------------------------


@pytest.mark.parametrize("name", AGENTS)
def test_init_writes_the_recipe_of_an_agent(name: str, repo: Repo, claude: Claude) -> None:
    done = repo.relais("init", "--agent", name)

    config = json.loads(repo.read("relais.config.json"))
    recipe = AGENTS[name]
    assert done.returncode == 0, done.stderr
    assert config["drivers"] == dict(recipe.drivers)
    assert config["roles"] == {**dict.fromkeys(EVERYBODY, "claude"), **recipe.roles}
    assert config["verification"]["templates"][0]["id"] == "ok", "all else is as the person left it"
    assert repo.relais("init", "--agent", name).stdout.count("wrote") == 0
    assert repo.relais("doctor").stdout.count(f"fix: {recipe.install}") == (name != "claude")


def test_agents_that_play_different_parts_can_be_joined(repo: Repo) -> None:
    repo.relais("init", "--agent", "llm")
    repo.relais("init", "--agent", "aider")
    joined = json.loads(repo.read("relais.config.json"))["roles"]
    repo.relais("init", "--agent", "claude")

    assert joined == {"orchestrator": "llm", "builder": "aider", "reviewer": "llm"}
    assert set(json.loads(repo.read("relais.config.json"))["roles"].values()) == {"claude"}


def test_a_driver_that_a_person_tuned_stays_theirs(repo: Repo) -> None:
    repo.relais("init", "--agent", "codex")
    repo.configure({"drivers": {"codex": {"argv": ["codex", "my-way"]}}})

    repo.relais("init", "--agent", "codex")

    assert json.loads(repo.read("relais.config.json"))["drivers"]["codex"]["argv"] == ["codex", "my-way"]


def test_doctor_starts_nobody_whom_it_does_not_know(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.write_text("#!/bin/sh\necho worked >> src/app.py\n")
    agent.chmod(0o755)
    repo.configure({"builder": {"cursor": {"command": str(agent)}}, "drivers": {"mine": {"argv": [str(agent)], "result": STDOUT}}, "roles": {"builder": "mine"}})
    before = repo.tree()

    done = repo.relais("doctor")

    assert (done.returncode, repo.tree() == before) == (0, True)
    assert "relais was never tested with it" in done.stdout


def test_every_recipe_has_its_name() -> None:
    assert tuple(AGENTS) == AGENT_NAMES


def test_init_refuses_to_touch_a_configuration_it_cannot_read(repo: Repo) -> None:
    repo.write("relais.config.json", "{")

    done = repo.relais("init", "--agent", "codex")

    assert (done.returncode, repo.read("relais.config.json")) == (20, "{")


def test_doctor_says_who_plays_what_and_what_was_never_tried(repo: Repo) -> None:
    agent = repo.path.parent / "bin" / "codex"
    agent.write_text("#!/bin/sh\necho codex-cli 9.9.9\n")
    agent.chmod(0o755)
    repo.relais("init", "--agent", "codex")

    lines = [line for line in repo.relais("doctor").stdout.splitlines() if line[6:].startswith("agent ")]

    assert len(lines) == 1
    assert f"codex (orchestrator, builder, reviewer): {agent} codex-cli 9.9.9; relais was tested with 0.166.0" in lines[0]


# --- reading, as properties -------------------------------------------------------------------

documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc*.0", max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(documents, st.text("abc*.012", max_size=8))
def test_any_path_may_be_asked_of_any_document(document: Any, path: str) -> None:
    assert isinstance(found_at(document, path), list)


@pytest.mark.parametrize(
    ("path", "found"),
    [("a", [1]), ("b.0.c", [2]), ("b.*.c", [2, 3]), ("*", [1, [{"c": 2}, {"c": 3}]]), ("b.9", []), ("a.x", []), ("", [])],
)
def test_a_path_leads_where_it_says(path: str, found: list[Any]) -> None:
    assert found_at({"a": 1, "b": [{"c": 2}, {"c": 3}]}, path) == found


@given(st.lists(documents, max_size=5), st.binary(max_size=50), st.integers(0, 3))
def test_whatever_is_printed_is_an_answer_or_a_failure(lines: list[Any], junk: bytes, status: int) -> None:
    output = b"\n".join([*(json.dumps(line).encode() for line in lines), junk])
    record = Driver(("x",), {"from": "jsonl", "pick": "a"}, errors=({"pick": "b"},), usage={"pick": {"n": "c", "cost_usd": "d"}})

    reply = read_driven(record, Ran(("x",), status, output), "")

    assert bool(reply.text.strip()) != bool(reply.error)
    assert status == 0 or reply.error


def test_structured_output_is_the_answer() -> None:
    wrapper = {"type": "result", "is_error": False, "num_turns": 1, "result": "prose", "structured_output": {"a": 1}}

    assert read_reply(Ran(("x",), 0, json.dumps(wrapper).encode())).text == '{"a": 1}'
