"""Whole ticks with the other agent CLIs as `init --agent` sets them up; each talks to a stand-in for its model's API.

Nothing in their drivers is changed: what an agent must be told about the stand-in stands in its environment and in the
files of a throw-away HOME, as a person would do it. Roles that an agent cannot play are played by the fake `claude`.
"""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple, Optional

import pytest
from agent_bench import LINUX, Bench, Program, installed, is_running
from helpers import Claude, Document, Repo, a_result, a_task
from model_apis import ASIDE, TOKENS_IN, TOKENS_OUT, Reply, fails, says, uses

pytestmark = [pytest.mark.slow, pytest.mark.outside]

Files = dict[str, str]
EDITED = "one\n2\nthree\n"
DONE = says(json.dumps(a_result()))
INTENT = "The change does what the task's intent says, and nothing else."


class Agent(NamedTuple):
    """A program, what of the stand-in it must be told, and how its model runs a command, if it can."""

    program: Program
    env: Callable[[str], dict[str, str]]
    files: Callable[[str], Files] = lambda _: {}
    runs: Optional[Callable[[str], Reply]] = None
    plays_brain: bool = True
    plays_hands: bool = True


def codex_files(url: str) -> Files:
    return {
        ".codex/config.toml": f"""\
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "{url}/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
"""
    }


def gemini_files(_: str) -> Files:
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    return {".gemini/settings.json": json.dumps(settings)}


def opencode_files(url: str) -> Files:
    """A model that costs 1 $ for a thousand tokens that it reads, and 2 $ for a thousand that it writes."""
    model = {"tool_call": True, "cost": {"input": 1000, "output": 2000}, "limit": {"context": 200000, "output": 8000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
        "models": {"model": model, ASIDE: {}},
    }
    settings = {"model": "stand-in/model", "small_model": f"stand-in/{ASIDE}", "provider": {"stand-in": provider}}
    # The second is what its first start leaves there; in a sandbox its settings are not its own to write.
    return {".config/opencode/opencode.json": json.dumps(settings), ".config/opencode/.gitignore": "node_modules\n"}


def aider_files(_: str) -> Files:
    """A table of prices that is new, so that it does not ask for one."""
    prices = {"gpt-4o": {"litellm_provider": "openai", "max_input_tokens": 128000, "mode": "chat"}}
    return {".aider/caches/model_prices_and_context_window.json": json.dumps(prices)}


def sed(path: str, old: str, new: str) -> str:
    return f"sed -i 's/{old}/{new}/' {path}"


def search_and_replace(path: str, old: str, new: str) -> Reply:
    return says(f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")


AGENTS = {
    "codex": Agent(
        Program("codex", "0.166.0", "@openai/codex@0.166.0"),
        lambda url: {"STAND_IN_KEY": "dummy"},
        codex_files,
        lambda command: uses("exec_command", cmd=command),
    ),
    "gemini": Agent(
        Program("gemini", "0.61.0", "@google/gemini-cli@0.61.0"),
        lambda url: {"GEMINI_API_KEY": "dummy", "GEMINI_MODEL": "gemini-3-pro", "GOOGLE_GEMINI_BASE_URL": url},
        gemini_files,
        lambda command: uses("run_shell_command", command=command),
    ),
    "opencode": Agent(
        Program("opencode", "1.18.33", "opencode-ai@1.18.33"),
        lambda url: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        opencode_files,
        lambda command: uses("bash", command=command, description="what the test wants"),
    ),
    "aider": Agent(
        Program("aider", "0.86.2", "aider-chat==0.86.2", "pip"),
        lambda url: {
            "OPENAI_API_KEY": "dummy",
            "OPENAI_API_BASE": f"{url}/v1",
            "AIDER_MODEL": "openai/gpt-4o",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        },
        aider_files,
        plays_brain=False,
    ),
    "llm": Agent(
        Program("llm", "0.36", "llm==0.36", "pip"),
        lambda url: {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{url}/v1"},
        plays_hands=False,
    ),
}
LOOSE_BRAINS = ("gemini", "opencode")  # they have tools as Brains too, so that a tick needs a sandbox, or somebody's word
BRAINS = [name for name, agent in AGENTS.items() if agent.plays_brain]
HANDS = [name for name, agent in AGENTS.items() if agent.plays_hands]


class AgentBench(Bench):
    """A repo whose roles are played by a real agent, as far as it can play them."""

    def __init__(self, repo: Repo, agent: Agent, claude: Claude) -> None:
        super().__init__(repo)
        self.agent, self.claude, self.name = agent, claude, agent.program.name

    def settle(self) -> None:
        """Make the agent one that a person has installed, and pointed at the stand-in."""
        (self.claude.bin_dir / self.agent.program.name).symlink_to(installed(self.agent.program))
        self.env.update(self.agent.env(self.url))
        for path, text in self.agent.files(self.url).items():
            target = Path(self.repo.env["HOME"]) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        done = self.repo.relais("init", "--agent", self.agent.program.name, "--commit")
        assert done.returncode == 0, done.stdout + done.stderr
        # The key of a provider of one's own is no variable that any table could know.
        self.configure(runner={"environment": ["STAND_IN_KEY"], **({"sandbox": "auto"} if self.name in LOOSE_BRAINS else {})})

    def plays(self, *replies: Reply, task: Optional[Document] = None) -> int:
        """A tick in which the Brain wants this task and the Hands get these replies."""
        if self.agent.plays_brain:
            return self.tick(says(json.dumps(task or a_task())), *replies)
        self.claude.plays({"says": task or a_task()})
        return self.tick(*replies)

    def fails(self, reply: Reply) -> int:
        """A tick in which the agent gets nothing but this reply, in the first role that it plays."""
        self.claude.plays({"says": a_task()})
        return self.tick(reply)

    def hurry(self) -> None:
        """Let no role take longer than the agent needs to start, and to fail a few times; aider needs half a minute."""
        seconds = 45 if self.name == "aider" else 20
        self.configure(orchestrator={"timeout_seconds": seconds}, builder={"claude_code": {"timeout_seconds": seconds}})

    def edits(self, path: str = "src/app.py", old: str = "two", new: str = "2") -> Reply:
        """What a model says to have a line of a file replaced."""
        return self.agent.runs(sed(path, old, new)) if self.agent.runs else search_and_replace(path, old, new)

    def runs(self, command: str) -> Reply:
        assert self.agent.runs, "it has no shell"
        return self.agent.runs(command)

    def calls(self, role: str) -> list[Document]:
        return [call for call in self.repo.report["agent"]["calls"] if call["role"] == role]


@pytest.fixture
def bench(request: pytest.FixtureRequest, repo: Repo, claude: Claude) -> Iterator[AgentBench]:
    bench = AgentBench(repo, AGENTS[request.param], claude)
    bench.settle()
    yield bench
    bench.close()


def played_by(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bench", names, indirect=True)


def retry_in(bench: Bench) -> float:
    """How many seconds from now the report tells to try again."""
    moment = bench.repo.report["error"]["retry_at"]
    return datetime.datetime.strptime(moment + "+0000", "%Y-%m-%dT%H:%M:%SZ%z").timestamp() - time.time()


# --- what goes well ---------------------------------------------------------------------------


USED = {
    "codex": {"input_tokens": 2 * TOKENS_IN, "cached_input_tokens": 8, "output_tokens": 2 * TOKENS_OUT},
    "gemini": {"input_tokens": 2 * TOKENS_IN, "cached_input_tokens": 0, "output_tokens": 2 * TOKENS_OUT},
    "opencode": {"input_tokens": 2 * TOKENS_IN, "output_tokens": 2 * TOKENS_OUT},
    "aider": {},
    "llm": {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT},
}


def confined_by(bench: AgentBench, sandbox: str) -> str:
    trusted = ("codex", "opencode") if sandbox == "off" else ("codex",)
    return "itself" if bench.name in trusted else "none" if sandbox == "off" else "namespaces"


@played_by(*HANDS)
@pytest.mark.parametrize("sandbox", ["off", pytest.param("on", marks=LINUX)])
def test_what_the_hands_edit_is_committed_and_what_they_used_is_told(bench: AgentBench, sandbox: str) -> None:
    brain = json.loads(bench.repo.read("relais.config.json"))["roles"]["orchestrator"]
    word = {brain: {"confines_itself": True}} if sandbox == "off" and brain != "claude" else {}
    bench.configure(runner={"sandbox": sandbox}, drivers=word)

    assert bench.plays(bench.edits(), DONE) == 0

    assert bench.verdict == ("SUCCESS", None)
    assert bench.repo.git("show", "HEAD:src/app.py") == EDITED
    assert bench.repo.status == ""
    assert bench.repo.report["sandbox"] == confined_by(bench, sandbox)
    (call,) = bench.calls("builder")
    assert call.get("usage", {}) == USED[bench.name]
    assert call.get("cost_usd") == (0.04 if bench.name == "opencode" else None)


@played_by("opencode")
def test_a_step_is_not_the_end(bench: AgentBench) -> None:
    bench.configure(runner={"result_grace_seconds": 1})

    assert bench.plays(bench.edits(), bench.runs("sleep 4"), bench.edits("src/util.py", "double", "twice"), DONE) == 0

    assert bench.repo.report["diff"]["files_changed"] == 2
    assert len(bench.api.messages) == 5


@played_by("aider")
def test_an_error_that_was_got_over_is_none(bench: AgentBench) -> None:
    busy, wrong = fails(429, "rate_limit_exceeded", "slow down"), bench.edits(old="four")

    assert bench.plays(busy, busy, busy, wrong, bench.edits()) == 0

    assert bench.verdict == ("SUCCESS", None)
    assert bench.repo.git("show", "HEAD:src/app.py") == EDITED


@played_by("aider")
def test_an_agent_that_reads_whatever_is_named_does_not_read_the_runner(bench: AgentBench) -> None:
    assert bench.plays(bench.edits(), DONE) == 0

    assert "src/util.py" in json.dumps(bench.api.messages[0].body)
    assert "STOP_RUNNER_OWNED_MUTATION" not in json.dumps(bench.api.messages[0].body)


@played_by("llm")
def test_a_brain_without_tools_finds_its_hands_elsewhere(bench: AgentBench) -> None:
    bench.claude.plays({"writes": {"src/app.py": EDITED}, "says": a_result()})

    assert bench.plays() == 0

    assert bench.verdict == ("SUCCESS", None)
    assert bench.calls("orchestrator")[0]["usage"] == USED["llm"]
    assert bench.repo.git("show", "HEAD:src/app.py") == EDITED


@LINUX
@played_by(*(name for name in HANDS if AGENTS[name].runs))
def test_a_process_that_a_command_leaves_behind_is_ended_before_the_judge_looks(bench: AgentBench) -> None:
    """They start their commands in sessions of their own, where no signal to theirs arrives."""
    seconds = f"3600.{time.monotonic_ns()}"
    command = f"sed -i s/two/2/ src/app.py; setsid nohup sleep {seconds} > /dev/null 2>&1 < /dev/null & sleep 0.5"

    assert bench.plays(bench.runs(command), DONE) == 0

    assert bench.verdict == ("SUCCESS", None)
    assert not is_running(seconds)


# --- who looks at it --------------------------------------------------------------------------


def judges(verdict: str) -> Reply:
    row = {"criterion": INTENT, "verdict": verdict, "evidence": "src/app.py:2"}
    return says(json.dumps({"summary": "looked at", "criteria": [row]}))


@played_by("codex")
def test_a_reviewer_lets_a_change_pass(bench: AgentBench) -> None:
    bench.configure(review={"enabled": True})

    assert bench.plays(bench.edits(), DONE, judges("pass")) == 0

    assert bench.verdict == ("SUCCESS", None)
    assert bench.repo.report["review"]["criteria"][0]["verdict"] == "pass"
    assert len(bench.calls("reviewer")) == 1
    assert bench.repo.git("show", "HEAD:src/app.py") == EDITED


@played_by("codex", "llm")
def test_what_a_reviewer_rejects_is_rolled_back(bench: AgentBench) -> None:
    bench.configure(review={"enabled": True})
    bench.claude.plays({"writes": {"src/app.py": EDITED}, "says": a_result()})
    hands = (bench.edits(), DONE) if bench.agent.plays_hands else ()

    assert bench.plays(*hands, judges("fail")) == 10

    assert bench.verdict == ("STOP_REVIEW_REJECTED", "stop_review_rejected")
    assert bench.is_as_before()


# --- what goes wrong --------------------------------------------------------------------------


@played_by(*HANDS)
def test_what_the_hands_do_outside_the_scope_is_rolled_back(bench: AgentBench) -> None:
    stray = bench.edits("README.md", "# App", "# Owned")

    assert bench.plays(stray, stray, DONE) == 10, "aider wants to see a file before it edits it"

    assert bench.verdict == ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "stop_scope_violation_outside_allowed")
    assert bench.is_as_before()


@played_by(*AGENTS)
def test_a_key_that_is_refused_is_an_agent_that_cannot_be_used(bench: AgentBench) -> None:
    assert bench.fails(fails(401, "invalid_api_key", "Incorrect API key provided.")) == 20

    assert bench.verdict == ("BLOCKED_AGENT_UNAVAILABLE", "auth")
    assert "Incorrect API key provided" in bench.repo.report["error"]["detail"]
    assert bench.is_as_before()


@played_by(*AGENTS)
def test_a_refused_connection_is_tried_again_later(bench: AgentBench) -> None:
    """All but llm go on trying for minutes or for ever; then the clock ends them, and their own words say why."""
    bench.is_refusing = True
    bench.hurry()

    assert bench.fails(DONE) == 75

    assert bench.verdict == ("STOP_INTERRUPTED", "connection")
    assert bench.is_as_before()


def exhausted(message: str, quota: str, delay: str) -> Reply:
    """A limit as Google tells it."""
    kind = "type.googleapis.com/google.rpc"
    details = [
        {"@type": f"{kind}.QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": f"{kind}.RetryInfo", "retryDelay": delay},
    ]
    return fails(429, "RESOURCE_EXHAUSTED", message, details=details)


HOUR = 3600
MARGIN = 60  # what relais waits after a reset
SOON = fails(429, "rate_limit_exceeded", "Rate limit reached for this model. Please try again in 20s.")
BILLED = "You exceeded your current quota, please check your plan and billing details."
PER_DAY = exhausted(f"{BILLED} Please retry in 34.07s.", "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "34s")
PER_MINUTE = exhausted(f"{BILLED} Please retry in 34.07s.", "GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "34s")
LIMITS: dict[str, tuple[str, Callable[[], Reply], int]] = {
    "codex, until a time of day": ("codex", lambda: usage_limit(2 * HOUR), 2 * HOUR),
    "codex, until a day": ("codex", lambda: usage_limit(72 * HOUR), 72 * HOUR),
    "gemini, for a day": ("gemini", lambda: PER_DAY, 34),
    "gemini, for a minute": ("gemini", lambda: PER_MINUTE, 34),
    "opencode": ("opencode", lambda: SOON, 20),
    "aider": ("aider", lambda: SOON, 20),
    "llm": ("llm", lambda: SOON, 20),
}


def usage_limit(seconds: int) -> Reply:
    """A limit as OpenAI tells it to subscribers."""
    resets = int(time.time()) + seconds
    return fails(429, "usage_limit_reached", "The usage limit has been reached", plan_type="pro", resets_at=resets)


@pytest.mark.parametrize(("bench", "limit", "seconds"), LIMITS.values(), ids=LIMITS, indirect=["bench"])
def test_a_limit_is_waited_for_until_its_reset(bench: AgentBench, limit: Callable[[], Reply], seconds: int) -> None:
    bench.hurry()

    assert bench.fails(limit()) == 75

    assert bench.verdict == ("BLOCKED_RATE_LIMITED", "rate_limit")
    assert seconds + MARGIN - 70 < retry_in(bench) <= seconds + MARGIN + 2, "codex names only the minute"
    assert bench.is_as_before()


@played_by("codex", "llm")
def test_an_account_without_money_is_not_waited_for(bench: AgentBench) -> None:
    assert bench.fails(fails(429, "insufficient_quota", BILLED)) == 20

    assert bench.verdict == ("BLOCKED_AGENT_UNAVAILABLE", "billing")


@played_by("codex", "llm")
def test_a_server_that_fails_ends_the_tick(bench: AgentBench) -> None:
    assert bench.fails(fails(500, "server_error", "The server had an error.")) == 10

    assert bench.verdict == ("STOP_INTERRUPTED", "server")
    assert bench.is_as_before()


@played_by("aider")
def test_an_edit_that_never_fits_ends_the_tick(bench: AgentBench) -> None:
    assert bench.plays(bench.edits(old="four")) == 10

    assert bench.verdict == ("STOP_INTERRUPTED", "process")
    assert bench.is_as_before()
