"""What `init` finds in a repo, asks a person, writes; and what `doctor --fix` puts back."""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import Claude, Document, Repo, at_a_terminal

from relais.commands.init import assets
from relais.contract.config import Config
from relais.settings.admission import validator
from relais.settings.faults import config_faults
from relais.text.documents import decode

NewRepo = Callable[[], Repo]
CONFIG = "relais.config.json"
TOOLS = "pnpm npm yarn bun uv tox nox python3 cargo go mvn gradle bundle rake composer dotnet make".split()
NODE = '{"scripts": {"test": "node --version", "lint": "node --version", "other": "x"}}\n'
MEMBER = {"packages/one/package.json": '{"name": "one", "version": "1.0.0", "scripts": {"test": "node --version"}}\n'}
WORKSPACE = {**MEMBER, "package.json": '{"name": "all", "private": true, "workspaces": ["packages/*"]}\n'}
PYTEST = {"pyproject.toml": "", "tests/test_it.py": "def test_it(): pass\n"}
STACKS: dict[str, tuple[dict[str, str], list[str]]] = {
    "pnpm": ({"package.json": NODE, "pnpm-lock.yaml": ""}, ["lint: pnpm run lint", "test: pnpm run test"]),
    "npm": ({"package.json": NODE, "package-lock.json": "{}"}, ["lint: npm run lint", "test: npm run test"]),
    "yarn": ({"package.json": NODE, "yarn.lock": ""}, ["lint: yarn run lint", "test: yarn run test"]),
    "bun": ({"package.json": NODE, "bun.lock": ""}, ["lint: bun run lint", "test: bun run test"]),
    "bun, binary": ({"package.json": NODE, "bun.lockb": ""}, ["lint: bun run lint", "test: bun run test"]),
    "npm workspaces": (WORKSPACE, ["test: npm --workspaces --if-present run test"]),
    "pnpm workspaces": (
        {**MEMBER, "package.json": "{}", "pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n"},
        ["test: pnpm --recursive --if-present run test"],
    ),
    "yarn workspaces": ({**WORKSPACE, "yarn.lock": ""}, ["test: yarn workspaces run test"]),
    "bun workspaces": ({**WORKSPACE, "bun.lock": ""}, ["test: bun --filter * run test"]),
    "workspaces that check nothing": ({"package.json": '{"workspaces": {"packages": ["gone/*", 7]}}'}, []),
    "node, nothing to test": ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
    "node without scripts": ({"package.json": "{}"}, []),
    "node, broken": ({"package.json": "{"}, []),
    "node, odd": ({"package.json": '["scripts"]'}, []),
    "pytest": (PYTEST, ["test: python3 -m pytest -q"]),
    "uv": ({**PYTEST, "uv.lock": ""}, ["test: uv run pytest -q"]),
    "tox": ({"tox.ini": ""}, ["test: tox -q"]),
    "nox": ({"noxfile.py": "", "pyproject.toml": ""}, ["test: nox"]),
    "cargo": (
        {"Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": "#[test]\nfn it() {}\n"},
        ["check: cargo check", "test: cargo test"],
    ),
    "go": ({"go.mod": "module x\n\ngo 1.20\n", "x.go": "package x\n"}, ["vet: go vet ./...", "test: go test ./..."]),
    "maven": ({"pom.xml": ""}, ["test: mvn -q test"]),
    "maven, wrapper": ({"pom.xml": "", "mvnw": ""}, ["test: ./mvnw -q test"]),
    "gradle": ({"build.gradle": ""}, ["test: gradle test"]),
    "gradle, wrapper": ({"build.gradle.kts": "", "gradlew": ""}, ["test: ./gradlew test"]),
    "ruby with specs": ({"Gemfile": "", "spec/x_spec.rb": ""}, ["test: bundle exec rspec"]),
    "ruby with specs of RSpec, and rake": ({"Gemfile": "gem 'rspec'\n", "spec/x_spec.rb": "", "Rakefile": ""}, ["test: bundle exec rspec"]),
    "ruby with specs of minitest": ({"Gemfile": "gemspec\n", "x.gemspec": "", "spec/x_spec.rb": "", "Rakefile": 'task "spec" do\nend\n'}, ["test: bundle exec rake spec"]),
    "ruby": ({"Gemfile": "", "Rakefile": ""}, ["test: bundle exec rake test"]),
    "ruby without bundler": ({"Rakefile": ""}, ["test: rake test"]),
    "php": ({"composer.json": '{"scripts": {"test": "phpunit"}}'}, ["test: composer run-script test"]),
    "php with phpunit": ({"composer.json": "{}", "phpunit.xml": "", "vendor/bin/phpunit": ""}, ["test: vendor/bin/phpunit"]),
    "php without tests": ({"composer.json": "{}"}, ["validate: composer validate --no-check-publish"]),
    "dotnet": ({"App.csproj": ""}, ["build: dotnet build", "test: dotnet test"]),
    "make": ({"Makefile": "all:\n\ttrue\ntest: all\n\ttrue\n"}, ["test: make test"]),
    "make beside others": ({"Makefile": "test:\n\ttrue\n", "go.mod": ""}, ["vet: go vet ./...", "test: go test ./..."]),
    "two languages": ({**PYTEST, "package.json": NODE}, ["lint: npm run lint", "test: npm run test", "python-test: python3 -m pytest -q"]),
    "nothing": ({}, []),
}


def sample(repo: Repo, name: str) -> Repo:
    """The repo with the files of one of the samples."""
    for path, text in STACKS[name][0].items():
        repo.write(path, text)
        if path.rpartition("/")[2] in ("gradlew", "mvnw", "phpunit"):
            (repo.path / path).chmod(0o755)
    return repo


def proposed(repo: Repo) -> list[str]:
    templates = json.loads(repo.read(CONFIG))["verification"]["templates"]
    return [f"{t['id']}: {' '.join([t['cmd'], *t['args']])}" for t in templates]


def is_accepted(repo: Repo) -> bool:
    document = json.loads(repo.read(CONFIG))
    validator("config", "", "")(document)
    return not list(config_faults(decode(Config, document)))


@pytest.fixture
def tools(claude: Claude) -> None:
    """Every tool of every stack on PATH, each of them a stand-in that has a version."""
    for name in TOOLS:
        command = claude.bin_dir / name
        command.write_text("#!/bin/sh\necho 1.0\n")
        command.chmod(0o755)


@pytest.mark.parametrize("name", STACKS)
def test_init_proposes_the_checks_of_the_stack(name: str, new_repo: NewRepo, tools: None) -> None:
    repo = sample(new_repo(), name)

    done = repo.relais("init")

    assert (done.returncode, proposed(repo)) == (0, STACKS[name][1])
    assert is_accepted(repo)
    assert ("found checks: " in done.stdout) == bool(STACKS[name][1])


@pytest.mark.parametrize("name", [name for name, (_, checks) in STACKS.items() if checks and "wrapper" not in name and "phpunit" not in name])
def test_init_proposes_nothing_that_is_not_there(name: str, new_repo: NewRepo, tmp_path: Path) -> None:
    repo = sample(new_repo(), name)
    only_git = tmp_path / "only-git"
    only_git.mkdir()
    (only_git / "git").symlink_to(shutil.which("git") or "")

    done = subprocess.run([sys.executable, "relais.py", "init"], cwd=repo.path, env={**repo.env, "PATH": str(only_git)}, capture_output=True, text=True, check=True)

    assert proposed(repo) == []
    assert " does not work here: the checks for " in done.stdout


HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)  # the tests' own HOME is empty, and rustup has its tools below this one
RUST = {"CARGO_NET_OFFLINE": "true", "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(HOME / ".rustup"))}
RUNNABLE = ["npm", "npm workspaces", "pytest", "cargo", "go", "make"]


@pytest.mark.parametrize("name", RUNNABLE)
def test_what_is_proposed_really_runs(name: str, new_repo: NewRepo) -> None:
    repo = sample(new_repo(), name)
    repo.relais("init")
    checks = proposed(repo)
    if not checks:
        pytest.skip(f"LOUD: the tool of {name} is not on this machine, so its checks were not run")

    for check in checks:
        done = subprocess.run(check.partition(": ")[2].split(), cwd=repo.path, env={**repo.env, **RUST}, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert checks == STACKS[name][1]


def test_the_folders_of_the_repo_are_what_tasks_may_touch(new_repo: NewRepo) -> None:
    repo = new_repo()
    for path in ("lib/a.py", "my docs/b.md", ".github/c.yml", "node_modules/d.js", "odd{1}/e"):
        repo.write(path, "x\n")

    repo.relais("init")

    assert json.loads(repo.read(CONFIG))["scope"]["default_allowed_globs"] == ["lib/**", "my docs/**", "README.md"]


def test_the_agent_that_is_here_plays_all_parts_where_claude_is_not(new_repo: NewRepo, claude: Claude) -> None:
    repo = new_repo()
    (claude.bin_dir / "claude").rename(claude.bin_dir / "codex")

    done = repo.relais("init")

    assert "found codex, and no claude: it plays all parts" in done.stdout
    assert json.loads(repo.read(CONFIG))["roles"]["builder"] == "codex"


def test_init_runs_nothing_of_the_repo(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write("setup.py", "")
    repo.write("pytest.py", "open('owned', 'w')\n")

    repo.relais("init")

    assert not (repo.path / "owned").exists()


def test_init_does_not_commit_what_a_person_was_still_at(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write(".vscode/tasks.json", '{"version": "2.0.0", "tasks": []}\n')
    repo.commit("tasks")
    repo.write(".vscode/tasks.json", '{"version": "2.0.0", "tasks": [/* not done yet */]}\n')

    done = repo.relais("init", "--commit")

    assert "not committed: .vscode/tasks.json (it holds changes of yours)" in done.stdout
    assert "not done yet" not in repo.git("show", "HEAD:.vscode/tasks.json")
    assert ".vscode/tasks.json" in repo.status


def test_init_does_not_commit_a_file_that_it_could_not_add_to(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write(".vscode/tasks.json", "{ nope")

    repo.relais("init", "--commit")

    assert ".vscode" not in repo.git("ls-files")


def test_init_writes_nothing_outside_the_repo(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = new_repo()
    (tmp_path / "mine.json").write_text('{"version": "2.0.0", "tasks": []}')
    (repo.path / ".vscode").mkdir()
    (repo.path / ".vscode/tasks.json").symlink_to(tmp_path / "mine.json")

    done = repo.relais("init")

    assert "kept  .vscode/tasks.json: it leads out of the repo" in done.stdout
    assert (tmp_path / "mine.json").read_text() == '{"version": "2.0.0", "tasks": []}'


@pytest.mark.parametrize("arguments", [["init"], ["init", "--agent", "codex"], ["doctor", "--fix"]], ids=" ".join)
def test_nobody_writes_beside_a_runner_at_work(arguments: list[str], repo: Repo) -> None:
    (repo.path / "relais/GOAL.md").unlink()
    before = repo.read(CONFIG)
    with (repo.path / "held").open("w"):
        folder = os.open(repo.path, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        done = repo.relais(*arguments)
        os.close(folder)

    assert (done.returncode, "BLOCKED_LOCK_HELD" in done.stderr) == (20, True)
    assert not (repo.path / "relais/GOAL.md").exists()
    assert repo.read(CONFIG) == before


ODD: dict[str, Callable[[Repo], object]] = {
    "a folder that is not UTF-8": lambda repo: os.mkdir(os.fsencode(repo.path) + b"/\xff"),
    "a workspace with a NUL": lambda repo: repo.write("package.json", '{"workspaces": ["a\\u0000b"]}'),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_repo_is_no_bug(name: str, new_repo: NewRepo) -> None:
    repo = new_repo()
    ODD[name](repo)

    assert repo.relais("init", "--goal", "\udcff").returncode == 0


def test_what_stands_in_the_way_is_named(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write(".vscode", "a file\n")

    done = repo.relais("init")

    assert (done.returncode, ".vscode/tasks.json cannot be written" in done.stderr) == (20, True)


# --- a talk -----------------------------------------------------------------------------------


def talk(repo: Repo, *answers: str, arguments: tuple[str, ...] = ("init", "--commit"), size: tuple[int, int] = (40, 100)) -> tuple[int, str]:
    return at_a_terminal(repo, arguments, answers=answers, size=size)


def test_at_a_terminal_init_asks_and_does_as_it_is_told(new_repo: NewRepo, tools: None) -> None:
    repo = sample(new_repo(), "npm")
    repo.write("lib/a.js", "x\n")

    status, seen = talk(repo, "(1) make it fast\n", "codex\n", "no\n", "lib/**\n", "tests/** lib/keep/**\n")

    config = json.loads(repo.read(CONFIG))
    assert status == 0, seen
    assert "found checks: npm run lint, npm run test" in seen
    assert repo.read("relais/GOAL.md") == "(1) make it fast\n"
    assert config["roles"]["builder"] == "codex"
    assert config["verification"]["templates"] == []
    assert config["scope"]["default_allowed_globs"] == ["lib/**"]
    assert config["scope"]["protected_globs"] == ["tests/**", "lib/keep/**"]
    assert "committed" in seen
    assert seen.rstrip().endswith("relais.py run")


def test_an_empty_answer_takes_what_is_proposed(new_repo: NewRepo, tools: None) -> None:
    asked, told = sample(new_repo(), "npm"), sample(new_repo(), "npm")
    for repo in (asked, told):
        repo.write("my docs/a.md", "x\n")

    status, _ = talk(asked, "\n", "\n", "\n", "\n", "\n")
    told.relais("init", "--commit", "--yes")

    assert status == 0
    assert asked.read(CONFIG) == told.read(CONFIG)
    assert asked.read("relais/GOAL.md") == told.read("relais/GOAL.md")


@pytest.mark.parametrize(("answers", "status", "words"), [
    (("x\n", "siri\n"), 2, "there is no recipe for siri"),
    (("x\n", "\n", "\n", "*.{a,b}\n", "\n"), 2, "contains braces"),
    (("\x03",), 130, ""),
], ids=["an unknown agent", "a bad glob", "Ctrl-C"])  # fmt: skip
def test_a_talk_that_fails_writes_nothing(answers: tuple[str, ...], status: int, words: str, new_repo: NewRepo, tools: None) -> None:
    repo = sample(new_repo(), "npm")

    ended, seen = talk(repo, *answers)

    assert (ended, words in seen) == (status, True), seen
    assert not (repo.path / CONFIG).exists()
    assert not (repo.path / "relais").exists()


@pytest.mark.parametrize("arguments", [("init", "--yes"), ("init", "--json"), ("init", "--quiet")], ids=" ".join)
def test_nobody_is_asked_who_does_not_want_to_be(arguments: tuple[str, ...], new_repo: NewRepo) -> None:
    status, seen = talk(new_repo(), arguments=arguments)

    assert (status, "]: " in seen) == (0, False)


def test_a_second_init_asks_nothing(repo: Repo) -> None:
    status, seen = talk(repo, arguments=("init",))

    assert (status, "]: " in seen) == (0, False)


# --- doctor --fix -----------------------------------------------------------------------------


def checks_of(done: subprocess.CompletedProcess[str]) -> dict[str, Document]:
    return {check["name"]: check for check in json.loads(done.stdout)["checks"]}


@pytest.mark.parametrize("path", ["relais/prompts/builder.user.txt", "relais/GOAL.md", "relais/.gitignore"])
def test_doctor_writes_what_is_missing(path: str, repo: Repo) -> None:
    text = repo.read(path)
    (repo.path / path).unlink()
    assert checks_of(repo.relais("doctor", "--json"))["workspace"]["ok"] is False

    done = repo.relais("doctor", "--fix", "--json")

    assert (done.returncode, checks_of(done)["workspace"]["ok"]) == (0, True)
    assert f"wrote {path}" in done.stderr
    assert repo.read(path) == (text if path != "relais/GOAL.md" else assets()[path])


def test_doctor_lays_a_workspace_down_where_there_is_none(new_repo: NewRepo) -> None:
    repo = new_repo()

    done = repo.relais("doctor", "--fix", "--json")

    assert checks_of(done)["config"]["ok"] is True


@pytest.mark.parametrize("text", ["{", '{"version": "1.0", "scpoe": {}}'], ids=["broken", "misspelt"])
def test_doctor_mends_nothing_that_a_person_wrote(text: str, repo: Repo) -> None:
    repo.write(CONFIG, text)

    done = repo.relais("doctor", "--fix")

    assert (done.returncode, repo.read(CONFIG)) == (20, text)
