"""Section 9: what people do with what was kept: rescued work, facts, single runs, answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task, at_a_terminal

from relais.judge.verify import UNCONFINED_CHECKS

EDIT = {"src/app.py": "one\n2\nthree\n"}
OUTSIDE = {"package.json": "[]\n"}


def rejected(repo: Repo, claude: Claude, number: int = 1, **hands: Any) -> str:
    """A tick whose work was rolled back and rescued; its run id."""
    work = {"says": a_result(), "writes": {**EDIT, **OUTSIDE}, **hands}
    claude.plays({"says": a_task(task_id=f"t-{number}", intent=f"try {number}")}, work)
    assert repo.relais("run").returncode == 10
    return str(repo.report["run_id"])


def said(repo: Repo, *args: str, status: int = 0) -> Document:
    done = repo.relais(*args, "--json")
    assert done.returncode == status, done.stderr
    document: Document = json.loads(done.stdout)
    return document


# --- rescue -----------------------------------------------------------------------------------


def test_rescued_work_is_listed_oldest_first(repo: Repo, claude: Claude) -> None:
    assert repo.relais("rescue").stdout == "nothing was rescued\n"
    runs = [rejected(repo, claude, number) for number in (1, 2)]

    rows = said(repo, "rescue", "list")["rescues"]

    assert [row["run_id"] for row in rows] == sorted(runs)
    assert all("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" in row["subject"] for row in rows)
    assert repo.relais("rescue").stdout.count(rows[0]["commit"][:12]) == 1


def test_rescued_work_is_shown_as_a_patch_that_nothing_in_it_can_forge(repo: Repo, claude: Claude) -> None:
    run_id = rejected(repo, claude, writes={**OUTSIDE, "src/app.py": "one\x1b[31m\r\nthree\n"})

    shown = repo.relais("rescue", "show", run_id)

    assert "+one\\x1b[31m\\r" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert "diff --git a/package.json" in said(repo, "rescue", "show")["patch"]


BINARY = {"writes_b64": {"src/blob.bin": "AP8AAQ=="}, "writes": OUTSIDE}
WORKS: dict[str, tuple[dict[str, Any], Callable[[Repo], object], object]] = {
    "edits": ({}, lambda repo: repo.read("src/app.py"), "one\n2\nthree\n"),
    "a deletion": ({"writes": OUTSIDE, "deletes": ["src/util.py"]}, lambda repo: (repo.path / "src/util.py").exists(), False),
    "a binary file": (BINARY, lambda repo: (repo.path / "src/blob.bin").read_bytes(), b"\x00\xff\x00\x01"),
    "a mode": ({"writes": OUTSIDE, "chmods": {"src/app.py": "755"}}, lambda repo: os.access(repo.path / "src/app.py", os.X_OK), True),
}


@pytest.mark.parametrize(("hands", "look", "expected"), WORKS.values(), ids=WORKS)
def test_rescued_work_can_be_had_back(
    hands: dict[str, Any], look: Callable[[Repo], object], expected: object, repo: Repo, claude: Claude
) -> None:
    run_id = rejected(repo, claude, **hands)

    assert said(repo, "rescue", "apply", run_id)["applied"] is True

    assert look(repo) == expected
    assert repo.read("package.json") == "[]\n"
    assert repo.relais("run").returncode == 20, "it is the person's now, and must be committed first"


def test_a_rescue_that_no_longer_applies_changes_nothing(repo: Repo, claude: Claude) -> None:
    run_id = rejected(repo, claude)
    repo.write("src/app.py", "something else\n")
    repo.commit("mine")
    before = repo.tree()

    document = said(repo, "rescue", "apply", run_id, status=10)
    done = repo.relais("rescue", "apply", run_id)

    assert document["applied"] is False
    assert "src/app.py" in done.stderr
    assert "git cherry-pick -n refs/relais/rescue/" in done.stderr
    assert repo.tree() == before


def test_a_rescue_is_applied_from_any_folder(repo: Repo, claude: Claude) -> None:
    run_id = rejected(repo, claude)

    done = repo.relais("rescue", "apply", run_id, cwd=repo.path / "docs")

    assert done.returncode == 0, done.stderr
    assert repo.read("src/app.py") == EDIT["src/app.py"]


def test_a_dropped_rescue_can_be_brought_back_by_what_is_printed(repo: Repo, claude: Claude) -> None:
    run_id = rejected(repo, claude)

    done = repo.relais("rescue", "drop", run_id)
    assert said(repo, "rescue")["rescues"] == []

    command = done.stdout.partition("hint: ")[2].partition("   ")[0]
    subprocess.run(command.split(), cwd=repo.path, env=repo.env, check=True)
    assert [row["run_id"] for row in said(repo, "rescue")["rescues"]] == [run_id]


@pytest.mark.parametrize("args", [["show", "nope"], ["apply", "20200101T000000Z-0000"], ["drop"], ["drop", "../heads/main"], ["show"]])
def test_a_rescue_that_is_not_there(args: list[str], repo: Repo) -> None:
    done = repo.relais("rescue", *args)

    assert done.returncode == 2
    assert "rescue list" in done.stderr


# --- facts ------------------------------------------------------------------------------------


def test_facts_are_added_listed_and_removed_and_reach_the_brain(repo: Repo, claude: Claude) -> None:
    repo.relais("facts", "add", "Use", "tabs")
    repo.relais("facts", "add", "No  new\ndependencies\x1b[31m")

    assert said(repo, "facts")["facts"] == ["Use tabs", "No new dependencies\\x1b[31m"]
    assert repo.relais("facts").stdout.startswith("1. Use tabs\n2. No new")

    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    assert repo.relais("run").returncode == 0
    assert "- Use tabs\n- No new dependencies" in claude.calls[0]["stdin"]

    assert said(repo, "facts", "rm", "1")["facts"] == ["No new dependencies\\x1b[31m"]


def test_what_else_stands_in_the_file_stays(repo: Repo) -> None:
    repo.write("relais/FACTS.md", "# Facts\n\n- one\n\nprose\n- two")

    repo.relais("facts", "rm", "1")
    repo.relais("facts", "add", "three")

    assert repo.read("relais/FACTS.md") == "# Facts\n\n\nprose\n- two\n- three\n"


ODD = {
    "long": b"- one\n" + b"x" * (2 << 20) + b"\n",
    "of another encoding": b"- caf\xe9\r\n\x0cpage\xe2\x80\xa8two\r\n",
}


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
def test_no_byte_of_the_rest_is_touched(content: bytes, repo: Repo) -> None:
    repo.write("relais/FACTS.md", content)

    repo.relais("facts", "add", "more")
    assert (repo.path / "relais/FACTS.md").read_bytes() == content + b"- more\n"
    repo.relais("facts", "rm", "2")
    assert (repo.path / "relais/FACTS.md").read_bytes() == content


def test_facts_behind_a_link_stay_there(repo: Repo) -> None:
    repo.write("docs/facts.md", "- one\n")
    (repo.path / "relais/FACTS.md").unlink()
    (repo.path / "relais/FACTS.md").symlink_to("../docs/facts.md")

    repo.relais("facts", "add", "two")

    assert repo.read("docs/facts.md") == "- one\n- two\n"
    assert (repo.path / "relais/FACTS.md").is_symlink()


@pytest.mark.parametrize("args", [["rm"], ["rm", "9" * 5000], ["rm", "1"], ["rm", "x"], ["rm", "0"], ["add"], ["add", "  "], ["forget", "1"]])
def test_a_wrong_fact_is_refused_and_nothing_is_written(args: list[str], repo: Repo) -> None:
    before = repo.read("relais/FACTS.md")

    done = repo.relais("facts", *args)

    assert done.returncode == 2
    assert repo.read("relais/FACTS.md") == before


# --- one run ----------------------------------------------------------------------------------


def test_one_run_in_full(repo: Repo, claude: Claude) -> None:
    run_id = rejected(repo, claude)

    document = said(repo, "history", run_id)
    text = repo.relais("history", run_id).stdout

    assert document["report"] == repo.report
    assert [call["role"] for call in document["meta"]["calls"]] == ["orchestrator", "builder"]
    assert text.startswith("# STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED")
    assert f"relais/history/{run_id}/diff.patch" in text.splitlines()


@pytest.mark.parametrize("name", ["20200101T000000Z-0000", "../../src", "all"])
def test_a_run_that_is_not_there(name: str, repo: Repo) -> None:
    done = repo.relais("history", name)

    assert done.returncode == 2
    assert "relais.py history" in done.stderr


# --- a long history ---------------------------------------------------------------------------


def old_run(number: int) -> str:
    return f"relais/history/2020{number:04}T000000Z-abcd"


@pytest.fixture
def long_history(repo: Repo) -> None:
    for number in range(25):
        repo.write(f"{old_run(number)}/report.json", '{"code": "SUCCESS"}')
        repo.write(f"{old_run(number)}/diff.patch", "")


TAMPERING = {
    "an old report is rewritten": f"open({old_run(0) + '/report.json'!r}, 'w').write('lies')",
    "something is added to an old run": f"open({old_run(3) + '/more'!r}, 'w').write('x')",
    "an old run is deleted": f"import shutil; shutil.rmtree({old_run(2)!r})",
    "an old run becomes a link": f"import os; os.rename({old_run(1)!r}, 'src/x'); os.symlink('/tmp', {old_run(1)!r})",
    "an old run is invented": f"import os; os.mkdir({old_run(99)!r}); open({old_run(99) + '/report.json'!r}, 'w')",
}


@pytest.mark.usefixtures("long_history")
@pytest.mark.parametrize("code", TAMPERING.values(), ids=TAMPERING)
def test_no_run_is_too_old_to_be_watched(code: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(scope={"allow_new_files": True})}, {"says": a_result(), "writes": EDIT, "python": code})

    repo.relais("run")

    assert repo.report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert "relais/history/2020" in repo.report["scope"]["violations"][0]
    assert repo.relais("status", "--preflight").returncode == 0


@pytest.mark.usefixtures("long_history")
def test_a_long_history_disturbs_nobody(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(verification={"fast": ["ok"]})}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert (repo.report["code"], repo.report["budgets"]["warnings"]) == ("SUCCESS", [UNCONFINED_CHECKS])


def test_space_that_was_freed_by_hand_counts_at_once(repo: Repo) -> None:
    repo.configure({"history": {"max_mb": 2}})
    large = f"{old_run(1)}/quarantine/tree/large"
    repo.write(large, b"x" * 3_000_000)
    assert repo.relais("status", "--preflight").returncode == 20

    (repo.path / large).unlink()
    assert repo.relais("status", "--preflight").returncode == 0

    repo.write("relais/history/stray", b"x" * 3_000_000)
    assert repo.relais("status", "--preflight").returncode == 20


# --- answers at a terminal --------------------------------------------------------------------


@pytest.fixture
def asked(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(task_kind="question", builder=None, question={"prompt": "Which colour?", "choices": ["red", "blue"]})})
    repo.relais("run")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("typed", "answer"), [("2\n", "blue"), ("green, please\n", "green, please"), ("3\n", "3"), ("red\n", "red")]
)
def test_a_person_is_asked_at_the_terminal(typed: str, answer: str, repo: Repo) -> None:
    status, shown = at_a_terminal(repo, ["answer"], answers=[typed], size=(24, 80))

    assert status == 0
    assert "Which colour?" in shown
    assert "2. blue" in shown
    assert repo.state["answers"][-1]["answer"] == answer


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("typed", "expected"), [("\x04", 2), ("\n", 2), ("\x03", 130)], ids=["Ctrl-D", "nothing", "Ctrl-C"])
def test_a_person_who_does_not_answer_is_asked_again_another_time(typed: str, expected: int, repo: Repo) -> None:
    status, shown = at_a_terminal(repo, ["answer"], answers=[typed], size=(24, 80))

    assert (status, "Traceback" in shown) == (expected, False)
    assert repo.state["question"]["prompt"] == "Which colour?"
    assert not (repo.path / "relais/lock.json").exists()


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("args", [["--choice", "3"], ["--choice", "0"], []])
def test_an_answer_that_is_none_is_refused(args: list[str], repo: Repo) -> None:
    done = repo.relais("answer", *args)

    assert done.returncode == 2
    assert repo.state["question"]


@pytest.mark.usefixtures("asked")
def test_an_answer_of_other_bytes_is_kept_readable(repo: Repo) -> None:
    assert repo.relais("answer", "caf\udce9").returncode == 0
    assert repo.state["answers"][-1]["answer"] == "caf\\udce9"
    assert repo.relais("status", "--preflight").returncode == 0


@pytest.mark.usefixtures("asked")
def test_an_answer_with_nothing_to_read_from(repo: Repo) -> None:
    done = subprocess.run(["sh", "-c", f"{sys.executable} relais.py answer <&-"], cwd=repo.path, env=repo.env, capture_output=True, check=False)

    assert done.returncode == 2


def test_an_answer_when_nothing_was_asked(repo: Repo) -> None:
    done = repo.relais("answer", "yes")

    assert done.returncode == 2
    assert "nothing was asked" in done.stderr


# --- while people wait ------------------------------------------------------------------------

STREAM = """
import json, sys, time
def say(**event):
    print(json.dumps(event), flush=True)
    time.sleep(0.3)
say(type="system", subtype="init")
for path in ("src/app.py", "src/" + "x" * 300):
    tool = {"type": "tool_use", "name": "Edit", "input": {"file_path": path + "\\x1b[31m"}}
    say(type="assistant", message={"content": [tool], "usage": {"output_tokens": 21}})
"""


@pytest.mark.parametrize("columns", [80, 200])
def test_the_live_line_says_what_the_agent_does_and_never_wraps(columns: int, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": STREAM})

    status, shown = at_a_terminal(repo, ["run"], size=(24, columns))

    assert status == 0, shown
    lines = [line for line in shown.replace("\r\x1b[K", "\n").split("\n") if "builder claude" in line]
    assert any("turn 1, 21 tokens, Edit src/app" in line for line in lines), lines
    assert max(map(len, lines)) < columns
    assert any("turn 2, 42 tokens" in line for line in lines)
    assert "\x1b[31m" not in shown
