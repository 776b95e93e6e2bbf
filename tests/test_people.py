"""What a person has, and does, beside a tick: flags, staging, worktrees, permissions. None of it may suffer."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import FAKE_CLAUDE, FAKE_PROGRAM, Claude, Repo, a_result, a_task

EDIT = {"src/app.py": "one\n2\nthree\n"}
GOOD = {"says": a_result(), "writes": EDIT}


def plays(claude: Claude, builder: dict[str, object], **task: object) -> None:
    claude.plays({"says": a_task(**task)}, builder)


def test_a_file_kept_apart_with_skip_worktree_blocks_the_tick(repo: Repo, claude: Claude) -> None:
    repo.git("update-index", "--skip-worktree", "docs/guide.md")
    repo.write("docs/guide.md", "my own words\n")

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (20, "BLOCKED_MISSING_CONFIG")
    assert "git update-index --no-skip-worktree -- docs/guide.md" in done.stdout
    assert repo.read("docs/guide.md") == "my own words\n"
    assert claude.count == 0


def test_a_path_outside_a_sparse_checkout_can_be_written_in_scope(repo: Repo, claude: Claude) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/src/util.py")
    plays(claude, {"says": a_result(), "writes": {"src/util.py": "new\n"}}, scope={"allow_new_files": True})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.git("show", "HEAD:src/util.py") == "new\n"
    assert repo.status == ""


@pytest.mark.parametrize("split", [False, True], ids=["plain index", "split index"])
def test_what_a_person_staged_in_the_workspace_stays_theirs(split: bool, repo: Repo, claude: Claude) -> None:
    if split:
        repo.git("config", "core.splitIndex", "true")
        repo.git("update-index", "--split-index")
    repo.write("relais/GOAL.md", "another goal\n" * 500)
    repo.git("add", "relais/GOAL.md")
    plays(claude, GOOD)

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.git("show", "--name-only", "--format=", "HEAD").split() == ["src/app.py"]
    assert repo.status.split() == ["M", "relais/GOAL.md"]
    assert repo.status.startswith("M ")


def test_a_stash_and_its_return_are_no_offence(repo: Repo, claude: Claude) -> None:
    plays(claude, {**GOOD, "runs": [["git", "stash"], ["git", "stash", "pop"]]})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS", repo.report["scope"]
    assert repo.git("stash", "list") == ""


def test_git_behind_a_link_stays_behind_it(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    os.rename(repo.path / ".git", tmp_path / "git-elsewhere")
    os.symlink(tmp_path / "git-elsewhere", repo.path / ".git")
    plays(claude, {"says": a_result(), "writes": {".git/config": "[core]\n"}})

    repo.relais("run")

    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_FORBIDDEN"
    assert repo.report["rollback"]["ok"] is True
    assert os.readlink(repo.path / ".git") == str(tmp_path / "git-elsewhere")


def test_what_a_person_does_while_the_brain_thinks_is_left_alone(repo: Repo, claude: Claude) -> None:
    claude.plays(
        {"says": "no task", "writes": {"README.md": "edited meanwhile\n"}},
        {"says": "no task", "runs": [["git", "commit", "-qam", "mine"]]},
    )
    head = repo.head

    repo.relais("run")

    assert repo.report["code"] == "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"
    assert repo.read("README.md") == "edited meanwhile\n"
    assert repo.git("rev-parse", "HEAD~1").strip() == head


def test_a_commit_in_another_worktree_is_reported_and_kept(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    side = tmp_path / "side"
    repo.git("worktree", "add", "-q", "-b", "side", str(side))
    commit = ["git", "-C", str(side), "commit", "-q", "--allow-empty", "-m", "meanwhile"]
    plays(claude, {**GOOD, "runs": [commit]})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS", repo.report["scope"]
    assert repo.git("log", "-1", "--format=%s", "side").strip() == "meanwhile"
    assert any("another worktree" in warning for warning in repo.report["budgets"]["warnings"])
    assert "meanwhile" in repo.git("reflog", "side")


def test_a_name_of_the_greatest_length_comes_back(repo: Repo, claude: Claude) -> None:
    name = "src/" + "n" * 250
    repo.write(name, "mine\n")
    repo.commit()
    plays(claude, {"says": a_result(), "deletes": [name], "writes": {"package.json": "[]\n"}})
    before = repo.tree()

    repo.relais("run")

    assert repo.report["rollback"]["ok"] is True
    assert repo.tree() == before


@pytest.mark.parametrize("where", ["glob", "patch"])
def test_half_a_character_is_no_valid_task(where: str, repo: Repo, claude: Claude) -> None:
    changes = {"glob": {"scope": {"allowed_globs": ["src/\ud800"]}}, "patch": {"builder": {"mode": "patch", "patch": "\ud800"}}}
    claude.plays({"says": a_task(**changes[where])}, {"says": a_task(**changes[where])})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (20, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID")


def test_backups_that_a_crash_needs_survive_the_next_start(repo: Repo, claude: Claude) -> None:
    """The vault begins anew when most of it is out of date; not before the journal that needs it is done with."""
    for round_number in range(3):
        repo.write("notes.log", bytes([65 + round_number]) * 7_900_000)
        for number in range(4):
            repo.write(f"big{number}.log", bytes([65 + round_number]) * 7_900_000)
        plays(claude, {"says": a_result(), "writes": {"src/app.py": f"{round_number}\n"}})
        repo.relais("run")
    before = repo.tree()
    plays(claude, {"says": a_result(), "deletes": [".env"], "python": f"import os; os.kill(os.getppid(), {int(signal.SIGKILL)})"})
    repo.relais("run")
    assert not (repo.path / ".env").exists()

    repo.relais("status", "--preflight")
    done = repo.relais("recover", "--undo")

    assert done.returncode == 0, done.stdout + done.stderr
    assert repo.tree() == before


def test_a_run_cut_off_under_another_home_is_not_forgotten(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    plays(claude, {"says": a_result(), "deletes": [".env"], "python": f"import os; os.kill(os.getppid(), {int(signal.SIGKILL)})"})
    repo.relais("run")

    said = [repo.relais(*words, env={"XDG_STATE_HOME": str(tmp_path / "other")}) for words in (["run"], ["recover"], ["doctor"])]

    assert repo.report["code"] == "BLOCKED_CRASH_RECOVERY_REQUIRED", said[0].stdout
    assert [done.returncode for done in said] == [20, 20, 20]
    state_home = repo.env["XDG_STATE_HOME"]
    assert all(f"XDG_STATE_HOME={state_home} python3 relais.py recover" in done.stdout + done.stderr for done in said)
    assert repo.relais("recover", "--undo", env={"XDG_STATE_HOME": state_home}).returncode == 0
    assert repo.relais("doctor").returncode == 0
    assert repo.read(".env") == "KEY=1\n"


def test_a_filter_that_keeps_the_size_is_known_to_be_one(repo: Repo, claude: Claude) -> None:
    repo.git("config", "filter.swap.clean", "tr a-z A-Z")
    repo.git("config", "filter.swap.smudge", "tr A-Z a-z")
    repo.write(".gitattributes", "*.swap filter=swap\n")
    repo.write("docs/x.swap", "small words\n")
    repo.commit()
    plays(claude, {"says": a_result(), "deletes": ["docs/x.swap"]})
    before = repo.tree()

    repo.relais("run")

    assert repo.report["rollback"]["ok"] is True
    assert repo.tree() == before


AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
CLOSED = {
    "a file nobody may read": "import os; os.chmod('src/app.py', 0)",
    "a folder nobody may enter": "import os; os.chmod('docs', 0o444)",
    "a file gone from a closed folder": "import os; os.chmod('shut', 0o755); os.unlink('shut/x.log'); os.chmod('shut', 0o555)",
}


@pytest.fixture
def plain_user(repo: Repo, claude: Claude, tmp_path: Path) -> Callable[[], None]:
    """Runs one tick as somebody who is not root, with a Python and an agent that they may start."""
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or not os.path.exists(python):
        pytest.skip("NOT TESTED: becoming a plain user needs root and a system Python")
    agent = shutil.copy(FAKE_CLAUDE, tmp_path)
    wrapper = claude.bin_dir / "claude"
    wrapper.write_text(wrapper.read_text().replace(sys.executable, python).replace(str(FAKE_PROGRAM), agent))

    def run() -> None:
        for folder in [tmp_path, *tmp_path.parents]:
            if "pytest-" not in str(folder):
                break
            folder.chmod(0o755)
        subprocess.run(["chown", "-R", "-h", "65534:65534", str(tmp_path)], check=True)
        argv = [*AS_NOBODY, python, "relais.py", "run"]
        done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, check=False, timeout=120)
        assert done.returncode == 10, done.stderr

    return run


@pytest.mark.parametrize("name", CLOSED)
def test_permissions_do_not_defeat_the_rollback_of_a_plain_user(
    name: str, repo: Repo, claude: Claude, plain_user: Callable[[], None]
) -> None:
    (repo.path / "shut").mkdir()
    repo.write("shut/x.log", "kept\n")
    (repo.path / "shut").chmod(0o555)
    plays(claude, {"says": a_result(), "writes": {"package.json": "[]\n"}, "python": CLOSED[name]})
    before = repo.tree()

    plain_user()

    assert repo.report["code"].startswith("STOP_SCOPE"), repo.report
    assert repo.report["rollback"]["ok"] is True, repo.report
    assert repo.tree() == before
