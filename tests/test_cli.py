"""What people type and what they see: arguments, output, exit statuses."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import (
    PROGRAM,
    RELAIS,
    Claude,
    Document,
    Repo,
    Tree,
    a_result,
    a_task,
    an_environment,
    at_a_terminal,
    snapshot,
)

from relais.commands.cli import COMMANDS as THE_COMMANDS
from relais.commands.init import assets
from relais.version import __version__
from relais.world.host import boot_id, process_started

Done = subprocess.CompletedProcess
NewRepo = Callable[[], Repo]

EDIT = {"src/app.py": "one\n2\nthree\n"}
CONFIG = "relais.config.json"
PROBLEM = re.compile(r"^relais: (error|warning|info) ([A-Z][A-Z0-9_]*) (.+?):(\d+):(\d+): (.*)$")
COMMANDS = [command.name for command in THE_COMMANDS]
QUESTION = {
    "task_kind": "question",
    "builder": None,
    "question": {"prompt": 'Which colour — "red" or {{FACTS_MD}}?', "choices": ["deep red", "blue"]},
}
HOSTILE = "\x1b[31mred\x1b]0;pwned\x07\x9b32m\u202eoverride\x7f\r\nrelais: error FORGED src/app.py:1:1: forged"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def everything(repo: Repo) -> Tree:
    """The whole work tree and git folder, the runner's files included; not what git itself rewrites when asked."""
    return snapshot(repo.path, lambda path: path == ".git/index")


def plays_a_good_tick(claude: Claude, **changes: Any) -> None:
    claude.plays({"says": a_task(**changes)}, {"says": a_result(), "writes": EDIT})


def asks(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(**QUESTION)})
    done = repo.relais("run")
    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr


def hints(done: Done[str]) -> list[str]:
    return [line[len("hint: ") :] for line in (done.stdout + done.stderr).splitlines() if line.startswith("hint: ")]


# --- arguments ----------------------------------------------------------------------------


def test_version(repo: Repo) -> None:
    shutil.copy(RELAIS, repo.path)
    done = repo.relais("--version")

    assert re.fullmatch(rf"relais {re.escape(__version__)} \((?:sources [0-9a-f]{{12}}|package)\)\n", done.stdout), done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, repo: Repo) -> None:
    done = repo.relais(command, "--help")

    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: relais {command}")
    for option in ("-C", "--json", "--quiet", "--verbose"):
        assert option in done.stdout


def test_help_names_every_command(repo: Repo) -> None:
    done = repo.relais("--help")

    assert all(re.search(rf"^ +{name}\s+\S", done.stdout, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["fly"], ["run", "--fly"], ["run", "extra"], ["answer", "--choice", "x"]], ids=" ".join)
def test_wrong_usage_exits_2(arguments: list[str], repo: Repo) -> None:
    before = everything(repo)

    done = repo.relais(*arguments)

    assert done.returncode == 2
    assert "usage: relais" in done.stderr
    assert done.stdout == ""
    assert everything(repo) == before


JSON_CASES: dict[str, list[str]] = {
    "init": ["init"],
    "init --commit": ["init", "--commit"],
    "doctor": ["doctor"],
    "status": ["status"],
    "status --preflight": ["status", "--preflight"],
    "run": ["run"],
    "run --quiet": ["run", "--quiet"],
    "run --dry-run": ["run", "--dry-run"],
    "recover": ["recover"],
    "answer with nothing asked": ["answer", "x"],
    "history": ["history"],
    "history prune": ["history", "prune", "--keep", "1"],
}


@pytest.mark.parametrize("name", JSON_CASES)
def test_json_is_exactly_one_object_on_stdout(name: str, repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    done = repo.relais(*JSON_CASES[name], "--json")

    assert isinstance(json.loads(done.stdout), dict), done.stderr
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("command", [["status"], ["status", "--preflight"], ["run"], ["history"], ["recover"], ["doctor"], ["answer", "x"]], ids=" ".join)
def test_json_is_one_object_for_a_refusal_too(command: list[str], repo: Repo) -> None:
    repo.write(CONFIG, "{")

    done = repo.relais("--json", *command)

    assert done.returncode == 20
    assert isinstance(json.loads(done.stdout), dict)


# --- where it runs ------------------------------------------------------------------------


def ticks(where: Callable[..., Done[str]], repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    done = where("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert repo.status == ""
    assert repo.git("show", "HEAD:src/app.py") == EDIT["src/app.py"]


def test_minus_c_works_from_elsewhere(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    ticks(lambda *args: repo.relais("-C", str(repo.path), *args, cwd=tmp_path), repo, claude)


def test_minus_c_after_the_command_works_too(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    ticks(lambda *args: repo.relais(*args, "-C", "repo", cwd=tmp_path), repo, claude)


def test_a_sub_folder_works(repo: Repo, claude: Claude) -> None:
    ticks(lambda *args: repo.relais(*args, cwd=repo.path / "src"), repo, claude)


def test_a_folder_reached_through_a_link_works(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.path)
    ticks(lambda *args: repo.relais(*args, cwd=tmp_path / "link" / "src"), repo, claude)


def test_minus_c_with_a_folder_that_is_not_there_does_not_fall_back_to_its_parent(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    done = repo.relais("-C", str(repo.path / "no-such-project"), "run")

    assert done.returncode in (2, 20)
    assert claude.count == 0


def test_a_linked_worktree_works(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", repo.env)
    main_tree, main_head = repo.tree(), repo.head

    ticks(linked.relais, linked, claude)

    assert linked.git("rev-parse", "--abbrev-ref", "HEAD").strip() == "side"
    assert (repo.tree(), repo.head) == (main_tree, main_head)


def test_a_linked_worktree_is_rolled_back(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", repo.env)
    tree, git_dir = linked.tree(), {path: entry for path, entry in repo.git_dir_tree().items() if path != "worktrees/linked/index"}
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {**EDIT, "package.json": "[]\n"}})

    done = linked.relais("run")

    assert linked.report["code"] == "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", done.stderr
    after = {path: entry for path, entry in repo.git_dir_tree().items() if path != "worktrees/linked/index"}
    assert (linked.tree(), linked.status) == (tree, "")
    assert {path for path in {*after, *git_dir} if after.get(path) != git_dir.get(path)} == set()


def test_a_detached_head_works_and_moves_no_branch(repo: Repo, claude: Claude) -> None:
    base = repo.head
    repo.git("checkout", "-q", "--detach")

    ticks(repo.relais, repo, claude)

    assert repo.git("rev-parse", "main").strip() == base
    assert repo.git("rev-parse", "HEAD~1").strip() == base
    assert repo.git("symbolic-ref", "-q", "HEAD", check=False) == ""


@pytest.mark.parametrize("name", ["with a space", "it's \"quoted\"", "two\nlines", "-dash", "ünï", "$HOME;`id`", "end ", "caf\udce9"])
def test_a_repository_at_any_path_works(name: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    moved = Repo(tmp_path / name, repo.env)
    os.rename(repo.path, moved.path)

    ticks(moved.relais, moved, claude)

    for command in (["status"], ["status", "--preflight"], ["doctor"], ["history"]):
        done = moved.relais(*command)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_repository_at_an_odd_path_is_rolled_back(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    moved = Repo(tmp_path / "-a \"b\"\n'c'", repo.env)
    os.rename(repo.path, moved.path)
    tree = moved.tree()
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {**EDIT, "package.json": "[]\n", "x": "y"}})

    done = moved.relais("run")

    assert moved.report["code"] == "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", done.stderr
    assert moved.tree() == tree


ODD_NAMES = [b"a b.txt", b"quote\"'.txt", b"two\nlines.txt", b"-rf", b"tab\t.txt", b"back\\slash.txt", b"caf\xe9.txt", "ünï.txt".encode(), b"\x1b[31m.txt", b":(top)x", b"*"]


def test_odd_file_names_that_are_there_already_do_no_harm(repo: Repo, claude: Claude) -> None:
    root = os.fsencode(repo.path)
    for name in ODD_NAMES:
        for folder in (b"src", b"node_modules", b"docs"):
            Path(os.fsdecode(os.path.join(root, folder, name))).write_bytes(b"content\n")
    repo.commit("odd names")
    tree = repo.tree()
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert {path for path in repo.tree() if repo.tree()[path] != tree.get(path)} == {"src/app.py"}
    assert repo.git("diff", "--name-only", "HEAD~1", "HEAD").split() == ["src/app.py"]


def test_odd_file_names_are_rolled_back_byte_for_byte(repo: Repo, claude: Claude) -> None:
    for name in ODD_NAMES:
        for folder in ("src", "node_modules"):
            (repo.path / folder / os.fsdecode(name)).write_bytes(b"content\n")
    repo.commit("odd names")
    tree = repo.tree()
    damage = "import os\nfor d in ('src', 'node_modules'):\n  for n in os.listdir(d):\n    p = d + '/' + n\n    if os.path.isfile(p): open(p, 'w').write('damage')\n"
    claude.plays({"says": a_task()}, {"says": a_result(), "python": damage, "writes": {"package.json": "[]\n"}})

    done = repo.relais("run")

    assert done.returncode == 10, done.stderr
    assert repo.report["rollback"]["ok"] is True
    assert repo.tree() == tree


# --- init ---------------------------------------------------------------------------------


def test_init_works_without_a_commit(tmp_path: Path) -> None:
    fresh = Repo(tmp_path / "fresh", os.environ)
    fresh.path.mkdir()
    shutil.copy(PROGRAM, fresh.path)
    fresh.git("init", "-q")

    done = fresh.relais("init", "--goal", "Do it", "--commit")

    assert done.returncode == 0, done.stderr
    assert fresh.status == ""
    assert fresh.read("relais/GOAL.md") == "Do it\n"
    assert fresh.relais("status", "--preflight").returncode == 0


def test_init_twice_changes_nothing(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.relais("init")
    before = everything(repo)

    done = repo.relais("init", "--json")

    assert done.returncode == 0
    assert json.loads(done.stdout)["written"] == []
    assert everything(repo) == before


def test_init_keeps_edited_files_and_force_renews_only_what_is_not_the_persons(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.relais("init", "--make")
    mine = ["relais/GOAL.md", "relais/FACTS.md", CONFIG, "Makefile", ".vscode/tasks.json"]
    theirs = ["relais/prompts/orchestrator.user.txt", "relais/schemas/task.schema.json"]
    for path in mine + theirs:
        repo.write(path, f"mine: {path}\n")

    done = repo.relais("init")

    assert done.returncode == 0
    assert all(repo.read(path) == f"mine: {path}\n" for path in mine + theirs)
    assert all(path in done.stdout for path in mine + theirs)

    assert repo.relais("init", "--force").returncode == 0

    assert all(repo.read(path) == f"mine: {path}\n" for path in mine)
    assert all(repo.read(path) == assets()[path] for path in theirs)


def test_init_commit_commits_its_own_files_and_leaves_the_stage_alone(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    repo.write("README.md", "# Edited\n")
    repo.write("untracked.txt", "x\n")

    done = repo.relais("init", "--make", "--commit")

    assert done.returncode == 0, done.stderr
    committed = set(repo.git("show", "--name-only", "--format=", "HEAD").split())
    assert {CONFIG, "relais.py", "relais/GOAL.md", ".vscode/tasks.json", "Makefile"} <= committed
    assert not committed & {"staged.txt", "README.md", "untracked.txt"}
    assert repo.status == " M README.md\nA  staged.txt\n?? untracked.txt\n"


def test_plain_make_costs_nothing(new_repo: NewRepo) -> None:
    """Neither by a Makefile that nobody asked for, nor by one that holds our line first."""
    repo = new_repo()
    repo.relais("init")
    assert not (repo.path / "Makefile").exists()

    repo.relais("init", "--make")
    env = {name: value for name, value in repo.env.items() if not name.startswith("MAKE")}
    done = subprocess.run(["make"], cwd=repo.path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert "No targets" in done.stderr
    assert "relais.py run" in subprocess.run(["make", "-n", "tick"], cwd=repo.path, env=env, capture_output=True, text=True, timeout=60, check=True).stdout

    for text in ("include relais/relais.mk\nmine:\n\t@echo mine\n", "mine:\n\t@echo mine\ninclude relais/relais.mk\n"):
        repo.write("Makefile", text)
        done = subprocess.run(["make"], cwd=repo.path, env=env, capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout == "mine\n"


def test_init_leaves_an_existing_makefile_and_prints_the_line(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write("Makefile", "all:\n\techo hi\n")

    done = repo.relais("init")

    assert repo.read("Makefile") == "all:\n\techo hi\n"
    assert "include relais/relais.mk" in done.stdout


def test_init_leaves_an_existing_tasks_json(new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write(".vscode/tasks.json", '{ // mine\n  "version": "2.0.0", "tasks": [], }\n')

    done = repo.relais("init")

    assert done.returncode == 0
    assert "// mine" in repo.read(".vscode/tasks.json")


def test_init_does_not_move_a_linked_folder_of_the_persons(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = new_repo()
    (tmp_path / "shared").mkdir()
    (repo.path / ".vscode").symlink_to(tmp_path / "shared")

    repo.relais("init")

    assert (repo.path / ".vscode").is_symlink()


def ignores_vscode(repo: Repo) -> None:
    repo.write(".gitignore", ".vscode/\n")
    repo.commit("ignore")


PREPARED: dict[str, Callable[[Repo], object]] = {
    "a fresh repo": lambda repo: None,
    "a Makefile of the person's": lambda repo: repo.write("Makefile", "all:\n"),
    "an ignored .vscode": ignores_vscode,
}


@pytest.mark.parametrize("name", PREPARED)
def test_the_command_that_init_prints_makes_the_repo_ready(name: str, new_repo: NewRepo) -> None:
    repo = new_repo()
    PREPARED[name](repo)
    if name == "a Makefile of the person's":
        repo.commit()

    done = repo.relais("init", "--goal", "Be ready")

    command = next(hint for hint in hints(done) if "init --commit" in hint)
    subprocess.run(command, shell=True, cwd=repo.path, env=repo.env, capture_output=True, check=False)  # noqa: S602 that is what a person does
    assert repo.relais("status", "--preflight").returncode == 0, repo.status


def test_the_command_that_init_prints_works_with_relais_outside_the_repo(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = new_repo()
    shutil.move(repo.path / "relais.py", tmp_path / "relais.py")
    done = subprocess.run([sys.executable, str(tmp_path / "relais.py"), "init"], cwd=repo.path, env=repo.env, capture_output=True, encoding="utf-8", timeout=60, check=True)

    command = next(hint for hint in hints(done) if "init --commit" in hint)
    subprocess.run(command, shell=True, cwd=repo.path, env=repo.env, capture_output=True, check=False)  # noqa: S602

    assert repo.status == ""


# --- doctor, status -----------------------------------------------------------------------


def test_a_healthy_doctor_exits_0(repo: Repo) -> None:
    done = repo.relais("doctor", "--json")

    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)
    names = {check["name"] for check in json.loads(done.stdout)["checks"]}
    assert {"python", "git", "repo", "config", "workspace", "agent", "verification", "lock", "disk", "budgets"} <= names


UNHEALTHY: dict[str, Callable[[Repo], object]] = {
    "config": lambda repo: repo.write(CONFIG, "{"),
    "workspace": lambda repo: (repo.path / "relais/GOAL.md").unlink(),
    "agent": lambda repo: repo.configure({"claude_code_cli": {"command": "no-such-agent"}}),
    "verification": lambda repo: repo.configure({"verification": {"templates": [{"id": "x", "cmd": "no-such-check", "args": []}]}}),
    "lock": lambda repo: repo.write("relais/lock.json", "{"),
    "state": lambda repo: repo.write("relais/STATE.json", "{"),
}


@pytest.mark.parametrize("name", UNHEALTHY)
def test_a_failing_line_of_doctor_has_its_fix(name: str, repo: Repo) -> None:
    UNHEALTHY[name](repo)

    done = repo.relais("doctor")

    assert done.returncode == 20
    lines = done.stdout.splitlines()
    failed = [number for number, line in enumerate(lines) if line.startswith("FAIL")]
    assert [lines[number].split()[1] for number in failed] == [name]
    assert all(re.fullmatch(r" +fix: .+", lines[number + 1]) for number in failed)


def test_doctor_finds_what_blocks_a_tick(repo: Repo) -> None:
    """No identity: `run` is blocked, so the doctor must not say that all is well."""
    Path(repo.env["HOME"], ".gitconfig").write_text("")
    assert repo.relais("status", "--preflight").returncode == 20

    assert repo.relais("doctor").returncode == 20


SITUATIONS: dict[str, tuple[Callable[[Repo], object], int]] = {
    "ready": (lambda repo: None, 0),
    "dirty": (lambda repo: repo.write("src/app.py", "mine\n"), 20),
    "a broken state": (lambda repo: repo.write("relais/STATE.json", "{"), 20),
    "a broken configuration": (lambda repo: repo.write(CONFIG, "{"), 20),
    "a damaged lock": (lambda repo: repo.write("relais/lock.json", "{"), 20),
    "a scratch file": (lambda repo: repo.write("relais/STATE.json.tmp", "{"), 0),
    "a misspelt key": (lambda repo: repo.configure({"bugdets": {}}), 20),
    "a spent budget": (lambda repo: repo.configure({"budgets": {"per_milestone": {"max_ticks": 1}}}), 0),
}


@pytest.mark.parametrize("command", [["status"], ["status", "--preflight"], ["doctor"], ["history"]], ids=" ".join)
@pytest.mark.parametrize("name", SITUATIONS)
def test_looking_writes_nothing(name: str, command: list[str], repo: Repo) -> None:
    SITUATIONS[name][0](repo)
    before = everything(repo)

    repo.relais(*command)

    assert everything(repo) == before


@pytest.mark.parametrize("name", SITUATIONS)
def test_preflight_answers_as_run_would(name: str, repo: Repo, claude: Claude) -> None:
    arrange, status = SITUATIONS[name]
    arrange(repo)
    plays_a_good_tick(claude)

    preflight = repo.relais("status", "--preflight", "--json")
    run = repo.relais("run", "--json")

    assert (preflight.returncode, run.returncode) == (status, status)
    assert json.loads(preflight.stdout)["code"] == json.loads(run.stdout)["code"]


def test_status_shows_where_things_stand(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)
    repo.relais("run")

    done = repo.relais("status")

    assert done.returncode == 0
    assert re.search(r"milestone +M1", done.stdout)
    assert re.search(r"ticks +█*░+ 1 of \d+", done.stdout)
    assert re.search(rf"last run +{repo.report['run_id']} SUCCESS", done.stdout)
    assert hints(done) == ["python3 relais.py run"]


# --- run ----------------------------------------------------------------------------------


def test_a_dry_run_shows_the_task_and_builds_nothing(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)
    tree, head = repo.tree(), repo.head

    done = repo.relais("run", "--dry-run")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == a_task()
    assert claude.count == 1
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")
    assert repo.state["budgets"]["orchestrator_calls"] == 1
    assert not (repo.path / "relais/inflight.json").exists()
    assert not (repo.path / "relais/lock.json").exists()


def test_a_dry_run_of_a_question_leaves_no_question_pending(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(**QUESTION)})

    repo.relais("run", "--dry-run")

    assert repo.relais("status", "--preflight").returncode == 0


ANSWERS: dict[str, tuple[list[str], str]] = {
    "text": (["answer", "Green,", "as in {{GOAL}} — \"sea\""], "Green, as in {{GOAL}} — \"sea\""),
    "choice": (["answer", "--choice", "1"], "deep red"),
    "last choice": (["answer", "--choice", "2"], "blue"),
    "skip": (["answer", "--skip"], "skipped"),
    "text with a dash": (["answer", "--", "-1"], "-1"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_question_is_asked_shown_answered_and_handed_on(name: str, repo: Repo, claude: Claude) -> None:
    arguments, answer = ANSWERS[name]
    prompt = QUESTION["question"]["prompt"]  # type: ignore[index]
    asks(repo, claude)

    status, run = repo.relais("status"), repo.relais("run")
    answered = repo.relais(*arguments)
    plays_a_good_tick(claude)
    last = repo.relais("run")

    assert prompt in status.stdout
    assert "1. deep red" in status.stdout
    assert (run.returncode, repo.relais("status").returncode) == (20, 0)
    assert "BLOCKED_QUESTION_PENDING" in run.stdout
    assert hints(run)
    assert answered.returncode == 0
    assert last.returncode == 0, last.stderr
    assert prompt in claude.calls[0]["stdin"]
    assert answer in claude.calls[0]["stdin"]
    assert repo.relais("answer", "again").returncode == 2


@pytest.mark.parametrize("arguments", [["--choice", "0"], ["--choice", "3"], ["--choice", "-1"], [], [""], ["  "]], ids=repr)
def test_a_bad_answer_exits_2_and_the_question_stays(arguments: list[str], repo: Repo, claude: Claude) -> None:
    asks(repo, claude)

    done = repo.relais("answer", *arguments)

    assert done.returncode == 2
    assert repo.state["question"]["choices"] == ["deep red", "blue"]


def test_answer_with_nothing_asked_exits_2(repo: Repo) -> None:
    before = everything(repo)

    done = repo.relais("answer", "x")

    assert done.returncode == 2
    assert "nothing was asked" in done.stderr
    assert everything(repo) == before


# --- history ------------------------------------------------------------------------------


def some_runs(repo: Repo, claude: Claude, number: int) -> None:
    for count in range(number):
        claude.plays({"says": a_task(task_id=f"t-{count}")}, {"says": a_result(), "writes": {"src/app.py": f"{count}\n"}})
        assert repo.relais("run").returncode == 0


def test_history_lists_the_runs_and_prune_keeps_the_newest(repo: Repo, claude: Claude) -> None:
    assert "no runs yet" in repo.relais("history").stdout
    some_runs(repo, claude, 3)

    runs = json.loads(repo.relais("history", "--json").stdout)["runs"]
    listed = repo.relais("history", "list").stdout.splitlines()
    pruned = repo.relais("history", "prune", "--keep", "1")

    assert len(runs) == 3
    assert all("SUCCESS" in line for line in listed[:3])
    assert listed[3] == "3 runs, 3 commits, 0.06 USD as reported"
    assert pruned.returncode == 0
    kept = json.loads(repo.relais("history", "--json").stdout)["runs"]
    assert [run["run_id"] for run in kept] == [runs[-1]["run_id"]]


def test_prune_refuses_a_negative_number(repo: Repo, claude: Claude) -> None:
    some_runs(repo, claude, 1)

    done = repo.relais("history", "prune", "--keep", "-1")

    assert done.returncode == 2
    assert len(json.loads(repo.relais("history", "--json").stdout)["runs"]) == 1


@pytest.mark.parametrize("text", ["{", "{}", "[]", "5"])
def test_history_lives_with_a_damaged_report(text: str, repo: Repo, claude: Claude) -> None:
    repo.write("relais/history/20260101T000000Z-abcd/report.json", text)
    some_runs(repo, claude, 1)

    done = repo.relais("history")

    assert done.returncode == 0, done.stderr
    assert "SUCCESS" in done.stdout


# --- demo ---------------------------------------------------------------------------------


def test_demo_needs_nothing_and_leaves_the_current_folder_alone(tmp_path: Path) -> None:
    folder, home, temp = tmp_path / "here", tmp_path / "person", tmp_path / "temp"
    folder.mkdir()
    temp.mkdir()
    env = {**an_environment(home, tmp_path / "no-bin"), "TMPDIR": str(temp)}
    (home / ".gitconfig").unlink()
    began = time.monotonic()

    done = subprocess.run([sys.executable, str(RELAIS), "demo", "--json"], cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 30, "ten seconds on an idle machine"
    assert json.loads(done.stdout)["outcomes"] == ["SUCCESS", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "STOP_VERIFY_FAILED_FAST", "SUCCESS"]
    assert list(folder.iterdir()) == []
    assert "\x1b" not in done.stderr


# --- output -------------------------------------------------------------------------------


def piped(repo: Repo, script: str, **env: str) -> Done[str]:
    return subprocess.run(
        ["bash", "-c", script], cwd=repo.path, env={**repo.env, "PYTHON": sys.executable, **env}, capture_output=True,
        encoding="utf-8", errors="backslashreplace", timeout=60, check=False,
    )  # fmt: skip


REDIRECTIONS = {
    "a reader that is gone": '"$PYTHON" relais.py {} | true; exit ${{PIPESTATUS[0]}}',
    "no stdout": '"$PYTHON" relais.py {} >&-',
    "no stderr": '"$PYTHON" relais.py {} 2>&-',
    "neither": '"$PYTHON" relais.py {} >&- 2>&-',
    "none of the three": '"$PYTHON" relais.py {} <&- >&- 2>&-',
    "stderr to a reader that is gone": '"$PYTHON" relais.py {} 2> >(true)',
    "a full device": '"$PYTHON" relais.py {} > /dev/full',
    "a full device for stderr": '"$PYTHON" relais.py {} 2> /dev/full',
}


@pytest.mark.parametrize("command", ["run", "status"])
@pytest.mark.parametrize("name", REDIRECTIONS)
def test_an_output_that_cannot_be_written_changes_no_verdict(name: str, command: str, repo: Repo, claude: Claude) -> None:
    if "full device" in name and not Path("/dev/full").exists():
        pytest.skip("NOT TESTED: there is no /dev/full here")
    plays_a_good_tick(claude)

    done = piped(repo, REDIRECTIONS[name].format(command))

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if command.startswith("run"):
        assert repo.report["code"] == "SUCCESS"
        assert repo.status == ""
        assert not (repo.path / "relais/lock.json").exists()


@pytest.mark.parametrize("command", ["run", "status"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_unicode_is_no_error(encoding: str, command: str, repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude, intent="change the café — ✔")

    done = piped(repo, f'"$PYTHON" relais.py {command}', PYTHONIOENCODING=encoding)

    assert done.returncode == 0, done.stderr
    assert command != "run" or "SUCCESS" in done.stdout


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}], ids=str)
def test_output_that_is_no_terminal_has_no_escape_codes(env: dict[str, str], repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    outputs = [repo.relais(*command, env=env) for command in (["run"], ["status"], ["doctor"], ["history"])]

    for done in outputs:
        assert not RAW.search(done.stdout + done.stderr)


def on_a_terminal(repo: Repo, *arguments: str, **env: str) -> str:
    status, seen = at_a_terminal(repo, arguments, env=env)
    assert status in (0, 10, 20)
    return seen


def test_a_terminal_gets_colour_unless_no_color_is_set(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)
    coloured = on_a_terminal(repo, "run")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "again\n"}})
    plain = on_a_terminal(repo, "run", NO_COLOR="1")

    assert "\x1b[1;30;42m ✔ SUCCESS \x1b[0m" in coloured
    assert "SUCCESS" in plain
    assert not re.search(r"\x1b\[[\d;]*m", plain)


PLANTED = {
    **{f"{name}.py": (name, '"$PYTHON" relais.py run') for name in ("json", "difflib", "subprocess", "shutil", "fastjsonschema")},
    "__future__.py": ("__future__", '"$PYTHON" relais.py run'),
    "json.py, PYTHONPATH that -I ignores": ("json", 'PYTHONPATH="$PWD" "$PYTHON" -I relais.py run'),
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_module_planted_beside_relais_is_not_imported(case: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    name, start = PLANTED[case]
    planted = tmp_path / "planted"
    shutil.copy(RELAIS, repo.path)  # as a module Python takes it only as text
    repo.write(f"{name}.py", f"open({str(planted)!r}, 'w').close()\nraise SystemExit('planted')\n")
    schema = "relais/schemas/task.schema.json"
    repo.write(schema, json.dumps({**json.loads(repo.read(schema)), "description": "mine"}))
    repo.commit()
    plays_a_good_tick(claude)

    done = piped(repo, start)

    assert not planted.exists()
    assert repo.report["code"] == "SUCCESS", done.stderr


def hostile_outputs(repo: Repo, claude: Claude) -> list[tuple[str, Done[str]]]:
    """Every place where words of a model reach a person."""
    verify = {"verification": {"fast": ["fail"]}}
    result = a_result(summary=HOSTILE, status="refused")
    asked = {"task_kind": "question", "builder": None, "question": {"prompt": HOSTILE, "choices": [HOSTILE]}}
    said: list[tuple[str, Done[str]]] = []

    def note(*command: str) -> None:
        said.append((" ".join(command), repo.relais(*command)))

    claude.plays({"says": a_task(intent=HOSTILE)}, {"says": a_result(), "writes": {**EDIT, f"src/{HOSTILE[:12]}.py": "x\n"}})
    note("run")
    claude.plays({"says": a_task(intent=HOSTILE, **verify)}, {"says": a_result(), "writes": EDIT})
    note("run")
    claude.plays({"says": a_task(intent=HOSTILE)}, {"says": result, "writes": EDIT})
    note("run")
    claude.plays({"says": HOSTILE}, {"says": HOSTILE})
    note("run")
    claude.plays({"raw": HOSTILE, "stderr": HOSTILE, "exits": 1})
    note("run")
    claude.plays({"says": HOSTILE, "wrapper": {"is_error": True}, "exits": 1})
    note("run", "--verbose")
    claude.plays({"says": a_task(intent=HOSTILE)})
    note("run", "--dry-run")
    claude.plays({"says": a_task(intent=HOSTILE, **asked)})
    note("run")
    for command in (["status"], ["status", "--preflight"], ["run"], ["history"], ["doctor"], ["answer", HOSTILE]):
        note(*command)
    return said


def test_words_of_a_model_forge_no_line_and_send_no_escape_code(repo: Repo, claude: Claude) -> None:
    said = hostile_outputs(repo, claude)

    raw = [command for command, done in said if RAW.search(done.stdout + done.stderr)]
    forged = [command for command, done in said if re.search(r"^relais: error FORGED", done.stdout + done.stderr, re.MULTILINE)]
    broken = [(command, done.stderr) for command, done in said if done.returncode not in (0, 10, 20)]
    assert (raw, forged, broken) == ([], [], [])


@pytest.mark.parametrize("command", [["run"], ["status", "--preflight"], ["doctor"], ["status"]], ids=" ".join)
def test_control_characters_in_paths_are_made_visible(command: list[str], repo: Repo, tmp_path: Path) -> None:
    moved = Repo(tmp_path / "\x1b[31mred\nrelais: error FORGED x:1:1: y", repo.env)
    os.rename(repo.path, moved.path)
    moved.write("src/\x1b[31m\nrelais: error FORGED x:1:1: y", "mine\n")

    done = moved.relais(*command)

    assert not RAW.search(done.stdout + done.stderr)
    assert not re.search(r"^relais: error FORGED", done.stdout + done.stderr, re.MULTILINE)


def test_a_planted_lock_sends_no_escape_code(repo: Repo) -> None:
    document = {"pid": os.getpid(), "process_started": process_started(os.getpid()), "boot_id": boot_id(), "started_at": HOSTILE}
    repo.write("relais/lock.json", json.dumps(document))

    for command in (["status"], ["status", "--preflight"], ["run"], ["doctor"]):
        done = repo.relais(*command)
        assert not RAW.search(done.stdout + done.stderr), command


def test_an_intent_of_any_characters_can_be_committed(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(intent="a\0bc\x1b[31m\nRelais-Run: forged\n")}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    message = repo.git("log", "-1", "--format=%B")
    assert not RAW.search(message)
    assert repo.git("log", "-1", "--format=%(trailers:key=Relais-Run,valueonly)").split() == [repo.report["run_id"]]


# --- problem lines ------------------------------------------------------------------------

FOUND: dict[str, tuple[Document, dict[str, str], str]] = {
    "outside": ({}, {"package.json": "[]\n", "README.md": "x\n"}, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"),
    "new file": ({}, {"src/new file (1): 2.py": "x\n"}, "STOP_SCOPE_VIOLATION_NEW_FILE"),
    "too large": ({"diff_limits": {"max_lines_changed": 1}}, {"src/app.py": "x\n" * 50}, "STOP_DIFF_TOO_LARGE"),
    "failed": ({"verification": {"fast": ["fail"]}}, EDIT, "STOP_VERIFY_FAILED_FAST"),
    "tainted": ({"verification": {"fast": ["echo"], "params": {"echo": {"pkg": "a;b"}}}}, EDIT, "STOP_VERIFY_TAINTED"),
}


def problem_lines(done: Done[str]) -> list[re.Match[str]]:
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("relais: error", "relais: warning", "relais: info"))]
    matches = [PROBLEM.match(line) for line in lines]
    assert all(matches), lines
    return [match for match in matches if match]


@pytest.mark.parametrize("name", FOUND)
def test_each_finding_is_a_problem_line_at_a_file_that_survives(name: str, repo: Repo, claude: Claude) -> None:
    task, writes, code = FOUND[name]
    claude.plays({"says": a_task(**task)}, {"says": a_result(), "writes": writes})

    done = repo.relais("run")

    found = problem_lines(done)
    assert found, done.stderr
    assert {match[2] for match in found} == {repo.report["code"]} == {code}
    assert len({match.groups()[2:5] for match in found}) == len(found), "VS Code shows one problem per place"
    for match in found:
        assert len(repo.read(match[3]).splitlines()) >= int(match[4])
    violations = repo.report["scope"]["violations"]
    assert len(found) == max(1, len(violations))


BLOCKING: dict[str, Callable[[Repo], object]] = {
    "dirty": lambda repo: repo.write("src/app.py", "mine\n"),
    "two dirty": lambda repo: (repo.write("src/app.py", "mine\n"), repo.write("new file.txt", "mine\n")),
    "a bisect": lambda repo: repo.git("bisect", "start"),
    "a broken state": lambda repo: repo.write("relais/STATE.json", "{"),
    "no agent": lambda repo: repo.configure({"claude_code_cli": {"command": "no-such-agent"}}),
    "a damaged lock": lambda repo: repo.write("relais/lock.json", "{"),
    "a bad configuration": lambda repo: repo.write(CONFIG, "{"),
}


@pytest.mark.parametrize("name", BLOCKING)
def test_what_blocks_is_a_problem_line_at_a_file_that_is_there(name: str, repo: Repo) -> None:
    BLOCKING[name](repo)

    done = repo.relais("run")

    found = problem_lines(done)
    assert found, done.stderr
    assert [match[3] for match in found if not (repo.path / match[3]).exists()] == []


def test_success_is_no_problem_line(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert problem_lines(done) == []


def test_quiet_says_nothing_on_success(repo: Repo, claude: Claude) -> None:
    plays_a_good_tick(claude)

    done = repo.relais("run", "--quiet")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


