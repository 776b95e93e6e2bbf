from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers import PROGRAM, Claude, Process, Repo, an_environment
from hypothesis import settings

FILES = {
    "src/app.py": "one\ntwo\nthree\n",
    "src/util.py": "def double(number):\n    return 2 * number\n",
    "docs/guide.md": "# Guide\n",
    "package.json": "{}\n",
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "README.md": "# App\n",
    ".gitignore": ".env\nnode_modules/\n*.log\n__pycache__/\n",
}
IGNORED_FILES = {
    ".env": "KEY=1\n",
    "notes.log": "remember the milk\n",
    "node_modules/lib/index.js": "module.exports = 1\n",
}


def exits(status: int) -> list[str]:
    return ["-c", f"import sys; print('boom'); sys.exit({status})"]


CONFIG = {
    # All that the Judge must hold, it must hold alone; tests/test_sandbox.py shows what the kernel refuses.
    "runner": {"sandbox": os.environ.get("TEST_SANDBOX", "off")},
    "verification": {
        "sandbox": os.environ.get("TEST_SANDBOX", "off"),
        "required_fast": [],
        "required_slow": [],
        "templates": [
            {"id": "ok", "cmd": "true", "args": []},
            {"id": "fail", "cmd": sys.executable, "args": exits(3)},
            {"id": "slow_ok", "cmd": "true", "args": []},
            {"id": "slow_fail", "cmd": sys.executable, "args": exits(4)},
            {"id": "echo", "cmd": "echo", "args": ["{{pkg}}"], "params": {"pkg": {"kind": "string_token"}}},
        ],
    },
}


# Started in the background (`make test &`) a shell has us ignore Ctrl-C, and so would every relais that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Fewer examples in `make test`; HYPOTHESIS_PROFILE=default gives them all.
settings.register_profile("quick", max_examples=30, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# What these give a test are programs beyond Python and git, fetched and started.
OUTSIDE = {"chrome", "axe_script", "workbench", "real_claude", "bwrap"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if OUTSIDE & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.outside)


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    """The fake's notes lie in the agent's own state folder, which a sandbox leaves writable."""
    fake = Claude(tmp_path / "bin", tmp_path / "home" / ".claude" / "fake")
    fake.install()
    return fake


@pytest.fixture(autouse=True)
def hermetic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claude: Claude) -> None:
    environment = an_environment(tmp_path / "home", claude.bin_dir)
    for name in os.environ.keys() - environment.keys():
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project after `relais init`, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("template")
    project = Repo(folder / "repo", an_environment(folder / "home", folder / "bin"))
    for path, text in {**FILES, **IGNORED_FILES}.items():
        project.write(path, text)
    shutil.copy(PROGRAM, project.path)
    project.git("init", "-q")
    project.commit("a small project")

    done = project.relais("init", "--goal", "Make the app better", "--commit")
    assert done.returncode == 0, done.stdout + done.stderr

    project.configure(CONFIG)
    project.commit("configure relais")
    return project.path


@pytest.fixture
def repo(template: Path, tmp_path: Path, hermetic: None) -> Repo:
    shutil.copytree(template, tmp_path / "repo", symlinks=True)
    return Repo(tmp_path / "repo", os.environ)


@pytest.fixture
def new_repo(tmp_path: Path, hermetic: None) -> Callable[[], Repo]:
    """Makes a git repo with one commit and an untracked relais.py in it, before any `init`."""
    numbers = itertools.count(1)

    def make() -> Repo:
        fresh = Repo(tmp_path / f"new-{next(numbers)}", os.environ)
        fresh.write("README.md", "# New\n")
        fresh.git("init", "-q")
        fresh.commit("first")
        shutil.copy(PROGRAM, fresh.path)
        return fresh

    return make


@pytest.fixture
def start(repo: Repo) -> Iterator[Callable[..., Process]]:
    """Starts relais in the background; whatever still runs at the end of the test is ended."""
    started: list[Process] = []

    def begin(*args: str, script: str = "relais.py") -> Process:
        process = subprocess.Popen(
            [sys.executable, script, *args],
            cwd=repo.path,
            env=repo.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate(timeout=60)
