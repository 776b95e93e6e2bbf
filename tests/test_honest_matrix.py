"""Honest builders of a dozen stacks in real ticks, with what `init` proposes: none may be stopped. See honest_rows.py."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import ROOT, Claude, Document, Repo, a_result, a_task, deep_merge
from honest_rows import ROWS, Row

TOOLS = ROOT / ".venv" / "tools" / "bin"  # `make test-honest` puts Python's own tools there
# A builder whose script fails has not done its work: then the row is wrong, and must say why.
RUN_SCRIPT = """
import subprocess, sys
done = subprocess.run(["sh", "-euc", {script!r}], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if done.returncode:
    sys.exit("the builder's script failed: " + done.stdout.decode("utf-8", "replace")[-1500:])
"""


def cases() -> list[object]:
    found: list[object] = []
    for row in ROWS:
        for sandbox in ("off",) if row.writes_git else ("off", "auto"):
            is_quick = row.is_quick and sandbox == "off"
            marks = [] if is_quick else [pytest.mark.slow, pytest.mark.outside]
            found.append(pytest.param(row, sandbox, id=f"{row.id}-{sandbox}", marks=marks))
    return found


@pytest.fixture
def with_tools(monkeypatch: pytest.MonkeyPatch, hermetic: None) -> None:
    """Tools on PATH behind the stand-in agent; rustup finds its toolchains although HOME is another's."""
    folder = TOOLS if TOOLS.is_dir() else Path(sys.executable).parent
    fake, rest = os.environ["PATH"].split(os.pathsep, 1)
    monkeypatch.setenv("PATH", os.pathsep.join([fake, str(folder), rest]))
    toolchains = Path(pwd.getpwuid(os.getuid()).pw_dir, ".rustup")
    if toolchains.is_dir():
        monkeypatch.setenv("RUSTUP_HOME", str(toolchains))


def a_project(row: Row, repo: Repo) -> None:
    for path, text in row.files.items():
        repo.write(path, text)
    repo.commit("a project")
    if row.given:
        shell(repo, row.given)
        if repo.status:
            repo.commit("what the person made")
    done = repo.relais("init", "--yes", "--goal", "Make it better", "--commit")
    assert done.returncode == 0, done.stdout + done.stderr


def shell(repo: Repo, script: str) -> None:
    subprocess.run(["sh", "-euc", script], cwd=repo.path, env=repo.env, check=True, capture_output=True, timeout=120)


def proposed_checks(repo: Repo) -> list[str]:
    return [template["id"] for template in json.loads(repo.read("relais.config.json"))["verification"]["templates"]]


def task_of(row: Row, checks: list[str]) -> Document:
    task = a_task(scope={"allowed_globs": list(row.allowed)}, diff_limits={"max_files_touched": 50}, verification={"fast": checks})
    return deep_merge(task, row.task)


@pytest.mark.parametrize(("row", "sandbox"), cases())
def test_an_honest_builder_is_not_stopped(row: Row, sandbox: str, with_tools: None, new_repo: Callable[[], Repo], claude: Claude) -> None:
    missing = [program for program in row.needs if not shutil.which(program)]
    if missing:
        pytest.skip(f"LOUD: {', '.join(missing)} not found: {row.id} is not tested")
    repo = new_repo()
    a_project(row, repo)
    repo.configure(deep_merge({"runner": {"sandbox": sandbox}, "verification": {"sandbox": sandbox}}, row.config))
    if repo.status:  # or it is what `init` wrote
        repo.commit("configure")
    base, checks = repo.head, proposed_checks(repo) if row.checks is None else list(row.checks)
    claude.plays({"says": task_of(row, checks)}, {"says": a_result(), "python": RUN_SCRIPT.format(script=row.does)})

    done = repo.relais("run")

    assert repo.report["code"] == "SUCCESS", (repo.report["error"], repo.report["budgets"]["warnings"], done.stderr, told(repo))
    names = repo.git("diff", "--no-renames", "-z", "--name-only", base, "HEAD").split("\0")
    assert sorted(filter(None, names)) == sorted(row.makes)
    assert repo.git("rev-list", "--count", f"{base}..HEAD") == "1\n"
    assert repo.status == ""


def told(repo: Repo) -> str:
    """What the builder's script and the checks said, for whoever must find out why a row failed."""
    logs = [repo.history() / name for name in ("meta.json", "verify.log")]
    calls = json.loads(logs[0].read_text())["calls"] if logs[0].exists() else []
    return "\n".join([call["stderr"][-2500:] for call in calls] + [log.read_text()[-1500:] for log in logs[1:] if log.exists()])
