"""What a red team once got through: each case bears the number of its row in the siege's list."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import Claude, Repo, a_result, a_task, snapshot

from relais.agents.claude import counts_in, read_reply
from relais.contract.findings import Ran
from relais.rules.fence import is_bad_name

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's; not tested on this machine")


# --- 46: what comes back is newer than what was built from the rejected ---------------------------

MAKEFILE = "build/out: src/app.py\n\tmkdir -p build\n\tcp src/app.py build/out\n"


def a_compiled_project(repo: Repo) -> None:
    repo.write("Makefile", MAKEFILE)
    repo.write(".gitignore", repo.read(".gitignore") + "build/\n")
    templates = [{"id": "build", "cmd": "make", "args": []}, {"id": "never", "cmd": "false", "args": []}]
    repo.configure({"verification": {"templates": templates, "required_fast": ["build"]}})
    repo.commit("a project that is built")
    subprocess.run(["make"], cwd=repo.path, env=repo.env, capture_output=True, check=True)


@pytest.mark.parametrize("turn", [{"writes": {"src/app.py": "rejected\n"}}, {"deletes": ["src/app.py"]}], ids=["edited", "deleted"])
def test_46_a_build_after_a_rollback_is_made_from_what_came_back(turn: dict[str, object], repo: Repo, claude: Claude) -> None:
    a_compiled_project(repo)
    claude.plays({"says": a_task(verification={"fast": ["build", "never"]})}, {"says": a_result(), "runs": [["make"]], **turn})

    assert repo.relais("run").returncode == 10
    subprocess.run(["make"], cwd=repo.path, env=repo.env, capture_output=True, check=True)

    assert repo.read("build/out") == repo.read("src/app.py") == "one\ntwo\nthree\n"
    assert repo.status == ""


def test_46_git_need_not_read_what_came_back_once_more(repo: Repo, claude: Claude) -> None:
    """The index knows the new times: `git diff-files`, which refreshes nothing, finds nothing."""
    claude.plays({"says": a_task(verification={"fast": ["fail"]})}, {"says": a_result(), "writes": {"src/app.py": "x\n"}})

    assert repo.relais("run").returncode == 10

    assert repo.git("diff-files") == ""


def test_39_nobody_can_foresee_the_name_under_which_a_file_comes_back(repo: Repo, claude: Claude) -> None:
    takes_the_name = "import os\nopen(f'src/.relais-{os.getppid()}', 'w').close()\nos.chmod('src', 0o555)"
    repo.write(".gitignore", repo.read(".gitignore") + ".relais-*\n")
    repo.configure({"scope": {"volatile_globs": ["**/.relais-*"]}})
    repo.commit()
    claude.plays({"says": a_task()}, {"says": a_result(), "deletes": ["src/util.py"], "writes": {"README.md": "x\n"}, "python": takes_the_name})

    assert repo.relais("run").returncode == 10

    assert repo.report["rollback"]["ok"] is True
    assert repo.read("src/util.py").startswith("def double")


# --- 9: the probe of the sandbox does not depend on the caller's idea of where it stands ----------


@LINUX
@pytest.mark.parametrize("pwd", [None, "/nonexistent", "/"])
def test_9_a_missing_or_stale_pwd_weakens_no_sandbox(pwd: str | None, repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"sandbox": "on"}})
    before = repo.relais("doctor", env={"PWD": str(repo.path)}).stdout
    repo.env.pop("PWD", None)
    repo.env.update({} if pwd is None else {"PWD": pwd})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}})

    done = repo.relais("run")

    assert done.returncode == 0, done.stderr
    assert f"sandbox        {repo.report['sandbox']}: " in before
    assert repo.report["sandbox"] in before


# --- 26, 43: what an agent counts ------------------------------------------------------------------


def test_26_names_of_an_agents_counts_are_names() -> None:
    usage = {"input_tokens": 3, "\x1b[2J": 1, "<img src=x>": 1, "x" * 41: 1, "a\n# SUCCESS": 1, "negative": -1, "huge": 1 << 60, "word": "3", "flag": True}

    assert counts_in(usage) == {"input_tokens": 3}
    assert counts_in({f"n{number}": number for number in range(1000)}) == {f"n{number}": number for number in range(20)}
    assert counts_in([1]) == counts_in(None) == {}


@pytest.mark.parametrize("turns", [-1, 10**9, True, "3", None])
def test_43_a_number_of_turns_that_nobody_can_have_taken_is_left_out(turns: object, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}, "wrapper": {"num_turns": turns}})

    repo.relais("run")

    assert repo.report["run_id"] in repo.relais("history", "--json").stdout
    assert "turns" not in repo.report["agent"]["calls"][1]


def test_43_a_sound_number_of_turns_is_told() -> None:
    wrapper = b'{"type":"result","is_error":false,"num_turns":3,"result":"x","usage":{"output_tokens":5}}\n'

    assert (read_reply(Ran(("claude",), 0, wrapper)).turns, read_reply(Ran(("claude",), 0, wrapper)).usage) == (3, {"output_tokens": 5})


# --- 31, 32: names ---------------------------------------------------------------------------------

BAD_NAMES = ["a\x85b", "a\x9bb", "a\u202eb", "a\u2066b", "a\u2028b", "a\u200fb", "a\u061cb", "a\x7f", "a\\b", "a\udc80"]
GOOD_NAMES = ["é", "名", "a b", "👨\u200d👩", "a\u00ad", "naïve.py", "-", "~"]


def test_31_names_that_drive_a_terminal_or_turn_a_line_round_are_bad() -> None:
    assert [name for name in BAD_NAMES if not is_bad_name(name)] == []
    assert [name for name in GOOD_NAMES if is_bad_name(name)] == []


@pytest.mark.parametrize("name", ["a\x9b31m.py", "a\u202eyp.exe"])
def test_31_such_a_new_file_is_a_stop(name: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(scope={"allow_new_files": True})}, {"says": a_result(), "writes": {f"src/{name}": "x\n"}})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (10, "STOP_SCOPE_VIOLATION_FORBIDDEN")
    assert name not in done.stdout + done.stderr
    assert repo.status == ""


@pytest.mark.parametrize("path", ["relais/build/x", "relais/prompts/__pycache__/x.pyc", "relais/x.egg-info/y"])
def test_32_a_by_product_in_the_runners_folder_is_the_runners(path: str, repo: Repo, claude: Claude) -> None:
    repo.write(".gitignore", repo.read(".gitignore") + "build/\n*.egg-info/\n")
    repo.commit()
    claude.plays({"says": a_task(scope={"allowed_globs": ["**"], "allow_new_files": True})}, {"says": a_result(), "writes": {path: "x\n"}})

    repo.relais("run")

    assert repo.report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert not (repo.path / path).exists()


# --- 33: a workspace that leads elsewhere ------------------------------------------------------------


@pytest.mark.parametrize("command", [["init"], ["init", "--force"], ["run"], ["loop", "--mode", "milestone"], ["doctor", "--fix"], ["answer", "x"], ["recover"]], ids=" ".join)
def test_33_nothing_is_written_or_tidied_up_behind_a_workspace_that_leads_out_of_the_repo(command: list[str], repo: Repo, claude: Claude) -> None:
    elsewhere = repo.path.parent / "elsewhere"
    (repo.path / "relais").rename(elsewhere)
    (elsewhere / "mine.tmp").write_text("mine")
    (repo.path / "relais").symlink_to(elsewhere)
    before = snapshot(elsewhere, lambda _: False)
    claude.plays({"says": a_task()}, {"says": a_result()})

    done = repo.relais(*command)

    assert done.returncode == 20, done.stdout + done.stderr
    assert "relais is a link that leads out of the repo" in done.stdout + done.stderr
    assert snapshot(elsewhere, lambda _: False) == before
    assert claude.count == 0
