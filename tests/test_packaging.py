"""However relais gets onto a machine, it is the same program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import RELAIS, ROOT, Claude, Repo, a_result, a_task

from relais.version import __version__
from relais.world.host import typed

PERSONS = dict(os.environ)  # before any fixture takes the person's settings for pip away


def test_the_version_has_one_source() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")

    assert 'version = { attr = "relais.version.__version__" }' in project
    assert __version__ not in project
    assert (ROOT / "CHANGELOG.md").read_text("utf-8").count(f"## {__version__}") == 1


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "relais.pyz"
    with zipfile.ZipFile(path, "w") as file:
        file.write(RELAIS, "__main__.py")
    return path


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return Path(shutil.copy(RELAIS, tmp_path / "elsewhere.py"))


Way = Callable[..., subprocess.CompletedProcess[str]]


def behaves(way: Way, repo: Repo, claude: Claude) -> None:
    """The same words, the same verdicts, the same exit statuses as the file that was dropped in."""
    assert way("--version").stdout.startswith(f"relais {__version__} (")
    for argv in (["run", "--help"], ["status", "--json"], ["fly"]):
        here = repo.relais(*argv)
        there = way(*argv)
        assert (there.returncode, there.stdout) == (here.returncode, here.stdout), argv
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "2\n", "README.md": "x\n"}})
    done = way("run")
    assert (done.returncode, repo.report["code"]) == (10, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"), done.stderr
    claude.plays({"says": a_task(intent="another")}, {"says": a_result(), "writes": {"src/app.py": "2\n"}})
    assert way("run").returncode == 0
    shown = way("demo")
    assert shown.returncode == 0, shown.stderr
    assert "SUCCESS" in shown.stdout + shown.stderr


def in_repo(repo: Repo, *program: str) -> Way:
    def way(*argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*program, *argv], cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)

    return way


@pytest.mark.parametrize("form", [pytest.param("archive", marks=pytest.mark.slow), "script"])
def test_an_archive_and_a_file_elsewhere_behave_like_the_file_that_is_dropped_in(form: str, repo: Repo, claude: Claude, request: pytest.FixtureRequest) -> None:
    behaves(in_repo(repo, sys.executable, str(request.getfixturevalue(form))), repo, claude)


def test_an_archive_in_the_repo_belongs_to_the_runner(repo: Repo, claude: Claude, archive: Path) -> None:
    shutil.move(archive, repo.path / "relais.pyz")
    repo.commit("an archive")
    claude.plays({"says": a_task(scope={"allowed_globs": ["**"]})}, {"says": a_result(), "writes": {"relais.pyz": "x"}})

    done = in_repo(repo, sys.executable, "relais.pyz")("run")

    assert (done.returncode, repo.report["code"]) == (10, "STOP_RUNNER_OWNED_MUTATION")
    assert zipfile.is_zipfile(repo.path / "relais.pyz")


def installed(folder: Path, *steps: list[str]) -> None:
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], env=PERSONS, check=True, timeout=120)
    for step in steps:
        argv = [str(folder / "venv/bin" / step[0]), *step[1:]]
        done = subprocess.run(argv, env={**PERSONS, "PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "bin")}, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            pytest.skip(f"LOUD: {' '.join(step)} does not work here, so this way was not tried: {done.stderr[-300:]}")


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["pip", "pipx", "uvx"])
def test_an_installed_relais_behaves_like_the_file_that_is_dropped_in(tool: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "tests", "__pycache__", "history", "build", "*.egg-info"))
    if tool == "pip":
        installed(tmp_path, ["pip", "install", "--quiet", str(source)])
        way = in_repo(repo, str(tmp_path / "venv/bin/relais"))
    elif tool == "pipx":
        installed(tmp_path, ["pip", "install", "--quiet", "pipx"], ["pipx", "install", str(source)])
        way = in_repo(repo, str(tmp_path / "bin/relais"))
    else:
        installed(tmp_path, ["pip", "install", "--quiet", "uv"], ["uvx", "--from", str(source), "relais", "--version"])
        uvx = in_repo(repo, str(tmp_path / "venv/bin/uvx"), "--offline", "--quiet", "--from", str(source), "relais")
        repo.env.update({name: value for name, value in PERSONS.items() if name.startswith(("UV_", "PIP_")) or name in ("HOME", "SSL_CERT_FILE")})
        way = uvx

    behaves(way, repo, claude)


def test_the_remedies_of_an_installed_relais_can_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/relais"])
    assert typed("relais run") == "relais run"
    monkeypatch.setattr(sys, "argv", ["my relais.pyz"])
    assert re.fullmatch(r"python3 'my relais.pyz' run", typed("relais run"))
