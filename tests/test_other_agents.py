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
from typing import Any, Callable, NamedTuple, Optional

import pytest
from agent_bench import LINUX, Bench, Program, installed
from helpers import Claude, Document, Repo, a_result, a_task
from model_apis import ASIDE, TOKENS_IN, TOKENS_OUT, Reply, fails, says, uses

pytestmark = pytest.mark.slow

Files = dict[str, str]
EDITED = "one\n2\nthree\n"
DONE = says(json.dumps(a_result()))
INTENT = "The change does what the task's intent says, and nothing else."


class Agent(NamedTuple):
    """A program, what of the stand-in it must be told, and how its model edits the file at a path."""

    program: Program
    env: Callable[[str], dict[str, str]]
    replaces: Callable[[str, str, str], Reply]
    files: Callable[[str], Files] = lambda _: {}
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
    return {".config/opencode/opencode.json": json.dumps(settings), ".local/share/opencode/log/.keep": "", ".local/state/opencode/.keep": ""}


def sed(path: str, old: str, new: str) -> str:
    return f"sed -i s/{old}/{new}/ {path}"


def search_and_replace(path: str, old: str, new: str) -> Reply:
    return says(f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")


AGENTS = {
    "codex": Agent(
        Program("codex", "0.166.0", "@openai/codex@0.166.0"),
        lambda url: {"STAND_IN_KEY": "dummy"},
        lambda *edit: uses("exec_command", cmd=sed(*edit)),
        codex_files,
    ),
    "gemini": Agent(
        Program("gemini", "0.61.0", "@google/gemini-cli@0.61.0"),
        lambda url: {"GEMINI_API_KEY": "dummy", "GEMINI_MODEL": "gemini-3-pro", "GOOGLE_GEMINI_BASE_URL": url},
        lambda *edit: uses("run_shell_command", command=sed(*edit)),
        gemini_files,
    ),
    "opencode": Agent(
        Program("opencode", "1.18.33", "opencode-ai@1.18.33"),
        lambda url: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        lambda *edit: uses("bash", command=sed(*edit), description="what the test wants"),
        opencode_files,
    ),
    "aider": Agent(
        Program("aider", "0.86.2", "aider-chat==0.86.2", "pip"),
        lambda url: {"OPENAI_API_KEY": "dummy", "OPENAI_API_BASE": f"{url}/v1", "AIDER_MODEL": "openai/gpt-4o"},
        search_and_replace,
        plays_brain=False,
    ),
    "llm": Agent(
        Program("llm", "0.36", "llm==0.36", "pip"),
        lambda url: {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{url}/v1"},
        search_and_replace,
        plays_hands=False,
    ),
}
BRAINS = [name for name, agent in AGENTS.items() if agent.plays_brain]
HANDS = [name for name, agent in AGENTS.items() if agent.plays_hands]


class AgentBench(Bench):
    """A repo whose roles are played by a real agent, as far as it can play them."""

    def __init__(self, repo: Repo, agent: Agent, claude: Claude) -> None:
        super().__init__(repo)
        self.agent, self.claude = agent, claude

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

    def plays(self, *replies: Reply, task: Optional[Document] = None) -> int:
        """A tick in which the Brain wants this task and the Hands get these replies."""
        if self.agent.plays_brain:
            return self.tick(says(json.dumps(task or a_task())), *replies)
        self.claude.plays({"says": task or a_task()})
        return self.tick(*replies)

    def edits(self, path: str = "src/app.py", old: str = "two", new: str = "2") -> Reply:
        return self.agent.replaces(path, old, new)

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


@played_by(*HANDS)
@pytest.mark.parametrize("sandbox", ["off", pytest.param("on", marks=LINUX)])
def test_what_the_hands_edit_is_committed(bench: AgentBench, sandbox: str) -> None:
    bench.configure(runner={"sandbox": sandbox})

    assert bench.plays(bench.edits(), DONE) == 0

    assert bench.verdict == ("SUCCESS", None)
    assert bench.repo.git("show", "HEAD:src/app.py") == EDITED
    assert bench.repo.status == ""
