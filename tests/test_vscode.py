"""What a person does in VS Code, done in a real one: the keys, the pickers, the Problems panel, the schemas."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers import Claude, Repo, a_result, a_task, an_environment
from vscode import PERSONS, Server, Unavailable, Window, browser, eventually, install, seen

# `TEST_PICTURE=1 make test-vscode` takes it again, for the README.
PICTURE = Path(__file__).resolve().with_name("pictures") / "vscode.png"
THEIRS = """\
// what we build
{
    "version": "2.0.0", /* of the format */
    "tasks": [
        {
            "label": "build", // by hand
            "type": "process",
            "command": "printf",
            "args": ["%s by %s", "built", "hand"],
            "group": {"kind": "build", "isDefault": true},
            "problemMatcher": [],
        },
        // one more to come
    ],
}
"""
Opens = Callable[[Repo], Window]
EDIT = {"src/app.py": "one\n2\nthree\n"}
BEYOND = {
    "src/util.py": 'def double(number):\n    """Twice the number."""\n    return 2 * number\n',
    "src/version.py": 'VERSION = "1.1"\n',
}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Callable[[Path], Window]]]:
    """Where the server looks for `claude`, and what opens a folder in a new window."""
    try:
        chromium = install()
    except Unavailable as problem:
        pytest.skip(f"LOUD: nothing was tested in VS Code: {problem}")
    folder = tmp_path_factory.mktemp("vscode")
    bin_dir = folder / "bin"
    bin_dir.mkdir()
    server = Server(folder, an_environment(folder / "home", bin_dir))
    try:
        address = server.address()
        with browser(chromium) as chrome:
            yield bin_dir, lambda path: Window(chrome, address, path)
    finally:
        server.close()


@pytest.fixture
def opens(workbench: tuple[Path, Callable[[Path], Window]], claude: Claude, tmp_path: Path) -> Iterator[Opens]:
    """Opens a repo in a window whose tasks find this test's fake `claude`; the test's folder gets a picture of its end."""
    bin_dir, new_window = workbench
    (bin_dir / "claude").unlink(missing_ok=True)
    (bin_dir / "claude").symlink_to(claude.bin_dir / "claude")
    opened: list[Window] = []

    def open_window(repo: Repo) -> Window:
        opened.append(new_window(repo.path))
        opened[-1].wait()
        return opened[-1]

    yield open_window
    for window in opened:
        window.page.screenshot(path=tmp_path / "at-the-end.png")
        window.close()


def plays(claude: Claude, builder: dict[str, Any], **task: Any) -> None:
    claude.plays({"says": a_task(**task)}, builder)


def has_ended(window: Window) -> bool:
    """Whether VS Code says that the task's process is gone."""
    return "exit code" in window.terminal() or "will be reused by tasks" in window.terminal()


# --- the tasks that relais brings -------------------------------------------------------------


@pytest.mark.slow
def test_one_key_runs_a_tick_and_the_terminal_says_success(repo: Repo, claude: Claude, opens: Opens) -> None:
    plays(claude, {"says": a_result(), "writes": EDIT})
    before = repo.head
    window = opens(repo)

    window.build()

    assert not window.asks()
    eventually(lambda: "SUCCESS" in window.terminal(), "SUCCESS in the terminal")
    assert repo.git("show", "HEAD:src/app.py") == EDIT["src/app.py"]
    assert repo.git("rev-parse", "HEAD^").strip() == before
    assert window.problems() == []


def test_a_scope_violation_is_a_problem_that_leads_to_the_patch(repo: Repo, claude: Claude, opens: Opens) -> None:
    plays(claude, {"says": a_result(), "writes": BEYOND})
    window = opens(repo)

    window.build()
    window.problem("src/version.py").dblclick()

    eventually(lambda: "diff.patch" in window.editor(), "the patch in the editor")
    eventually(lambda: '+VERSION = "1.1"' in window.lines(), "what was written, in the patch")
    file, problem = window.problems()
    run = repo.history().name
    assert file.endswith(f"diff.patch of folder relais/history/{run}"), file
    patch = (repo.history() / "diff.patch").read_text("utf-8").splitlines()
    line = patch.index("diff --git a/src/version.py b/src/version.py") + 1
    assert problem.startswith("Error: src/version.py: ")
    assert f"at line {line} and" in problem
    assert not (repo.path / "src/version.py").exists()
    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_NEW_FILE"
    if "TEST_PICTURE" in PERSONS:
        window.picture(PICTURE)


@pytest.mark.slow
def test_a_verification_that_fails_is_a_problem_in_its_log(repo: Repo, claude: Claude, opens: Opens) -> None:
    plays(claude, {"says": a_result(), "writes": EDIT}, verification={"fast": ["fail"]})
    window = opens(repo)

    window.build()
    window.problem("fail").dblclick()

    eventually(lambda: "verify.log" in window.editor(), "the log in the editor")
    eventually(lambda: "boom" in window.lines(), "what the check printed, in the log")
    assert repo.report["code"] == "STOP_VERIFY_FAILED_FAST"
    assert repo.status == ""


@pytest.mark.slow
def test_what_a_loop_found_stays_when_it_has_ended(repo: Repo, claude: Claude, opens: Opens) -> None:
    good, bad = {"says": a_result(), "writes": EDIT}, {"says": a_result(), "writes": {"src/extra.py": "x = 1\n"}}
    claude.plays({"says": a_task()}, good, {"says": a_task(task_id="t-2", intent="more")}, bad)
    window = opens(repo)

    window.run_task("relais: loop")
    window.pick("at the end of this milestone")
    window.answer("5")

    eventually(lambda: has_ended(window), "the end of the loop")
    assert claude.count == 4
    window.problem("src/extra.py")
    assert not seen(lambda: not any("src/extra.py" in row for row in window.problems())), "it went away"


@pytest.mark.slow
def test_a_task_that_is_terminated_puts_everything_back(repo: Repo, claude: Claude, opens: Opens) -> None:
    plays(claude, {"says": a_result(), "writes": {**EDIT, "src/extra.py": "x = 1\n"}, "sleeps": 600})
    before = repo.tree()
    window = opens(repo)
    window.build()
    eventually((repo.path / "src/extra.py").exists, "the builder's work")
    assert (repo.path / "relais/lock.json").exists()

    window.terminate_task("relais: tick")

    eventually(lambda: not (repo.path / "relais/lock.json").exists(), "the end of the lock")
    assert repo.report["code"] == "STOP_INTERRUPTED"  # a second signal would have ended relais before its report
    assert repo.report["error"] == {"kind": "signal", "detail": f"interrupted by signal {signal.SIGHUP.value}"}
    assert repo.tree() == before
    assert repo.status == ""


# --- a person's own files ---------------------------------------------------------------------


class Mistake(NamedTuple):
    """What to write into a file instead of what is right, and what VS Code says to that."""

    right: str
    wrong: str
    complaint: str


A_WORD_THAT_NO_TASK_KNOWS = Mistake('"reveal": "always"', '"reveal": "sometimes"', "Value is not accepted")
A_MISSPELT_KEY = Mistake('"verification": {', '"verificaton": {', "Property verificaton is not allowed")


def shows_the_mistake_and_no_other(window: Window, repo: Repo, path: str, mistake: Mistake) -> None:
    """Open a file with a mistake in it, which VS Code must see, and put it right, so that nothing is left to see.

    The mistake proves that somebody looks; only then does the silence mean anything.
    """
    good = repo.read(path)
    assert mistake.right in good
    repo.write(path, good.replace(mistake.right, mistake.wrong, 1))
    window.open(path)
    window.problem(mistake.complaint)
    repo.write(path, good)
    eventually(lambda: window.problems() == [], f"no problem in {path}")


@pytest.mark.slow
def test_vs_code_finds_nothing_wrong_with_the_tasks(repo: Repo, opens: Opens) -> None:
    shows_the_mistake_and_no_other(opens(repo), repo, ".vscode/tasks.json", A_WORD_THAT_NO_TASK_KNOWS)


@pytest.mark.slow
def test_a_key_that_is_misspelt_in_the_configuration_is_underlined(repo: Repo, opens: Opens) -> None:
    shows_the_mistake_and_no_other(opens(repo), repo, "relais.config.json", A_MISSPELT_KEY)


@pytest.mark.slow
def test_tasks_of_ones_own_go_on_as_before(new_repo: Callable[[], Repo], claude: Claude, opens: Opens) -> None:
    repo = new_repo()
    repo.write(".vscode/tasks.json", THEIRS)
    done = repo.relais("init", "--goal", "Make the app better", "--commit")
    assert done.returncode == 0, done.stdout + done.stderr
    window = opens(repo)

    window.build()

    assert not window.asks()
    eventually(lambda: "built by hand" in window.terminal(), "their own build")
    window.run_task("relais: status")
    eventually(lambda: "orchestrator_calls" in window.terminal(), "the status")
    assert claude.count == 0
    shows_the_mistake_and_no_other(window, repo, ".vscode/tasks.json", A_WORD_THAT_NO_TASK_KNOWS)
