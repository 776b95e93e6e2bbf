"""What the README tells people to type works, and what it shows is there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable

import pytest
from helpers import DEFAULT_CONFIG, ROOT, Claude, Repo, a_result, a_task

from relais.commands.cli import COMMANDS as THE_COMMANDS
from relais.commands.command import COMMON_OPTIONS
from relais.commands.drill import ATTACKS
from relais.contract.config import Config
from relais.rules.tables import LOOP_RULES
from relais.settings.admission import validator
from relais.settings.faults import config_faults
from relais.settings.recipes import AGENTS
from relais.text.documents import decode, merged

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line.partition("#")[0].strip() for kind, block in BLOCKS if kind == "sh" for line in block.splitlines() if line.strip()]
OURS = [command for command in COMMANDS if "relais.py " in command and not command.startswith("cp ")]
DONE = a_task(task_kind="execute", control={"action": "stop"}, builder=None)


def arguments(command: str) -> list[str]:
    return shlex.split(command)[2:]


@pytest.mark.parametrize("command", OURS)
def test_a_command_of_ours_works_as_it_stands(command: str, new_repo: Callable[[], Repo], claude: Claude) -> None:
    repo = new_repo()
    if arguments(command)[0] != "init":
        repo.relais("init", "--goal", "what you want", "--commit")
    claude.plays({"says": a_task(builder={"max_turns": 1}, scope={"allowed_globs": ["README.md"]})}, {"says": a_result(), "writes": {"README.md": "x\n"}}, {"says": DONE})

    done = repo.relais(*arguments(command))

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_make_targets_are_there() -> None:
    targets = [command.split()[1] for command in COMMANDS if command.startswith("make ")]
    rules = (ROOT / "Makefile").read_text() + (ROOT / "relais/relais.mk").read_text()

    assert targets == ["demo", "test"]
    assert all(re.search(rf"^{re.escape(target)}:", rules, re.MULTILINE) for target in re.findall(r"`make ([a-z.-]+)", README) + targets)


def test_copying_the_file_is_all_that_is_needed(new_repo: Callable[[], Repo]) -> None:
    copy = next(command for command in COMMANDS if command.startswith("cp "))
    repo = new_repo()
    (repo.path / "relais.py").unlink()

    assert copy.split()[:2] == ["cp", "relais.py"]
    shutil.copy(ROOT / "relais.py", repo.path)
    assert repo.relais("init", "--goal", "x", "--commit").returncode == 0


@pytest.mark.parametrize("text", [block for kind, block in BLOCKS if kind == "json"])
def test_a_configuration_is_one_that_relais_accepts(text: str) -> None:
    document = json.loads(text)

    validator("config", "", "")(document)
    assert list(config_faults(decode(Config, merged(DEFAULT_CONFIG, document)))) == []


def test_the_table_of_commands_names_every_command() -> None:
    rows = "\n".join(re.findall(r"^\| `.*$", README[: README.index("Exit statuses")], re.MULTILINE))

    assert all(re.search(rf"`{command.name}\b", rows) for command in THE_COMMANDS)


def test_every_flag_that_is_named_exists() -> None:
    flags = {flag for command in THE_COMMANDS for options, _ in (*command.options, *COMMON_OPTIONS) for flag in options}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(re.findall(r"^\| `(?:[a-z]+)[^|]*", README, re.MULTILINE))))

    assert named <= flags


def test_every_picture_and_link_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)

    assert {"tests/pictures/session.svg", "tests/pictures/vscode.png", "tests/pictures/history.png"} <= set(targets)
    assert all((ROOT / target).is_file() for target in targets)


def test_the_drill_it_shows_is_the_drill_there_is() -> None:
    shown = re.findall(r"^✔ git +(.*?) {2,}(\w+)$", README, re.MULTILINE)

    assert shown == [(attack.what, attack.expected) for attack in ATTACKS if attack.guard == "git"]


def test_the_reasons_of_a_loop_are_those_of_its_table() -> None:
    table = README[README.index("| it ends because") : README.index("Limits of the agent are waited out")]

    assert {ending.reason for ending in LOOP_RULES} <= set(re.findall(r"`(\w+)`", table))


def test_the_agents_it_lists_are_those_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [\w, ]+ \| ([\d.]+) \|", README, re.MULTILINE)

    assert dict(rows) == {name: recipe.tested for name, recipe in AGENTS.items()}
