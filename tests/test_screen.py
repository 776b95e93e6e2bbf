"""Section 13: what people see in a terminal, in a CI's log, and what their shell completes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers import RELAIS, Claude, Repo, a_result, a_task, until
from hypothesis import given
from hypothesis import strategies as st

from relais.commands.cli import COMMANDS, parser
from relais.commands.command import Command
from relais.text.words import boxed, fitting, wrapped
from relais.text.words import columns as columns_of

INTENT = "Say hello politely, in the language of the person, and in words that do not fit on one line of a small terminal"
TASK = a_task(task_id="greet-2", intent=INTENT)
OUTSIDE = {"says": a_result(), "writes": {"src/app.py": "one\n2\nthree\n", "README.md": "# Owned\n"}}


# --- a terminal -------------------------------------------------------------------------------


@pytest.fixture
def terminal(repo: Repo) -> Iterator[Callable[[int, str], str]]:
    """Runs a command line in a real terminal of so many columns; the screen when it has ended."""
    if not shutil.which("tmux"):
        pytest.skip("LOUD: tmux is not on this machine, so nobody looked at the screen")
    name = f"relais-{repo.path.parent.name}"[:60]

    def run(columns: int, command: str) -> str:
        done = repo.path.parent / "done"
        words = f"cd '{repo.path}' && {command}; touch '{done}'; sleep 60"
        subprocess.run(["tmux", "-L", name, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", "50", words], env=repo.env, check=True)
        until(done.exists, 60)
        shown = subprocess.run(["tmux", "-L", name, "capture-pane", "-p", "-J"], env=repo.env, capture_output=True, text=True, check=True)
        return settled(shown.stdout)

    yield run
    subprocess.run(["tmux", "-L", name, "kill-server"], env=repo.env, capture_output=True, check=False)


def settled(screen: str) -> str:
    """What is another at each run made the same, without changing any width."""
    screen = re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{4}", "20260131T142501Z-9f3c", screen)
    screen = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d  [0-9a-f]{4}", "2026-01-31 14:25  9f3c", screen)
    screen = re.sub(r"\b\d+\.\d s", "0.1 s", screen)
    return "".join(f"{line.rstrip()}\n" for line in screen.rstrip().splitlines())


STOP_AT_80 = """\
  ORCHESTRATE  execute greet-2: Say hello politely, in the language of …  0.1 s
  BUILD        claude_code  0.1 s
relais: error STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED relais/history/20260131T142501Z-9f3c/diff.patch:1:1: README.md: these are outside what the task may touch
╭─ ✘ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED ─────────────────────────────────╮
│ these are outside what the task may touch: README.md                     │
│ greet-2: Say hello politely, in the language of the person, and in words │
│ that do not fit on one line of a small terminal                          │
│ 2 files, +2/-2, 0 new                                                    │
│ rolled back; the work is kept: git show                                  │
│ refs/relais/rescue/20260131T142501Z-9f3c                                 │
│ report: relais/REPORT.md                                                 │
╰──────────────────────────────────────────────────────────────────────────╯
hint: python3 relais.py run
"""


def test_a_stop_at_80_columns(repo: Repo, claude: Claude, terminal: Callable[[int, str], str]) -> None:
    claude.plays({"says": TASK}, OUTSIDE)

    assert terminal(80, f"{sys.executable} relais.py run") == STOP_AT_80


def test_a_stop_at_200_columns(repo: Repo, claude: Claude, terminal: Callable[[int, str], str]) -> None:
    claude.plays({"says": TASK}, OUTSIDE)

    screen = terminal(200, f"{sys.executable} relais.py run")

    assert f"execute greet-2: {INTENT[:60]}"[:-1] in screen
    assert max(map(len, screen[screen.index("╭") :].splitlines())) == 99, "a line is not made longer than people read"


def test_a_success_and_the_status_after_it_at_80_columns(repo: Repo, claude: Claude, terminal: Callable[[int, str], str]) -> None:
    claude.plays({"says": TASK}, {"says": a_result(), "writes": {"src/app.py": "one\n2\nthree\n"}})

    screen = terminal(80, f"{sys.executable} relais.py run --quiet; {sys.executable} relais.py status")

    assert screen == """\
milestone   M1
ticks                    ░░░░░░░░░░░░░░░░░░░░ 1 of 200
orchestrator_calls       ░░░░░░░░░░░░░░░░░░░░ 1 of 260
builder_calls            ░░░░░░░░░░░░░░░░░░░░ 1 of 200
verify_runs              ░░░░░░░░░░░░░░░░░░░░ 0 of 600
cost as reported         0.02 of 80.00 USD (shown, never a limit)
last run    20260131T142501Z-9f3c SUCCESS
✔ 2026-01-31 14:25  9f3c  SUCCESS  Say hello politely, in the language of the …
hint: python3 relais.py run
"""


@pytest.mark.parametrize("columns", [12, 21, 30, 46, 60])
def test_nothing_is_lost_on_a_narrow_terminal(columns: int, repo: Repo, claude: Claude, terminal: Callable[[int, str], str]) -> None:
    claude.plays({"says": TASK}, OUTSIDE)

    screen = terminal(columns, f"{sys.executable} relais.py run")
    words = re.sub(r"[│╭╮╰╯─\s]", "", screen)

    box = screen.partition("╭")[2].partition("╯")[0]
    assert all(len(line) < columns for line in box.splitlines())
    assert re.sub(r"\s", "", INTENT) in words
    assert "report:relais/REPORT.md" in words


def test_the_live_line_tells_turn_tokens_and_tool(repo: Repo, claude: Claude, terminal: Callable[[int, str], str], tmp_path: Path) -> None:
    event = {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Edit", "input": {"file_path": "src/app.py"}}], "usage": {"output_tokens": 120}}}
    stop = tmp_path / "home" / "seen"
    says = f"print({json.dumps(event)!r}, flush=True)\nimport os, time\nwhile not os.path.exists({str(stop)!r}): time.sleep(0.05)"
    claude.plays({"says": TASK}, {**OUTSIDE, "python": says})
    name = f"relais-{repo.path.parent.name}"[:60]

    def screen() -> str:
        shown = subprocess.run(["tmux", "-L", name, "capture-pane", "-p"], env=repo.env, capture_output=True, text=True, check=False)
        return shown.stdout

    words = f"cd '{repo.path}' && {sys.executable} relais.py run; sleep 60"
    subprocess.run(["tmux", "-L", name, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "20", words], env=repo.env, check=True)
    until(lambda: "builder" in screen() and "Edit" in screen(), 60)
    live = next(line for line in screen().splitlines() if "builder" in line)
    stop.touch()

    assert re.match(r"\S builder claude  \d+ s of 600 s, turn 1, 120 tokens, Edit src/app.py", live)
    until(lambda: "╰" in screen(), 60)
    assert "120 tokens" not in screen(), "the live line is gone"


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=120)


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers(20, 120))
def test_a_box_is_as_wide_as_it_may_be_and_holds_every_word(title: str, lines: list[str], width: int) -> None:
    title = fitting(title.replace("\n", " "), width - 6)

    box = list(boxed(title, lines, width, ""))

    assert len({columns_of(line) for line in box}) == 1
    assert columns_of(box[0]) <= width
    inside = "".join(line[2:-2] for line in box[1:-1])
    assert re.sub(r"\s", "", inside) == re.sub(r"\s", "", "".join(lines))


@pytest.mark.parametrize("width", range(-3, 8))
@pytest.mark.parametrize("text", ["x" * 50, " " * 50 + "漢", "漢" * 9, ""])
def test_no_width_is_too_small_to_come_to_an_end(text: str, width: int) -> None:
    assert columns_of(fitting(text, width)) <= max(width, columns_of(text) if columns_of(text) <= width else 1)
    assert "".join("".join(wrapped(text, max(width, 1))).split()) == "".join(text.split())


def test_a_file_gets_plain_lines_even_while_somebody_watches(repo: Repo, claude: Claude, terminal: Callable[[int, str], str]) -> None:
    claude.plays({"says": TASK}, OUTSIDE)

    terminal(60, f"{sys.executable} relais.py run > run.log; {sys.executable} relais.py history > history.log")

    for name in ("run.log", "history.log"):
        assert not re.search("[\x1b╭…]", repo.read(name)), repo.read(name)
    assert INTENT in repo.read("history.log")


@pytest.mark.parametrize(("text", "wide"), [("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("…", 1), ("", 0)])
def test_columns(text: str, wide: int) -> None:
    assert columns_of(text) == wide


# --- a CI -------------------------------------------------------------------------------------


def obeyed(log: str) -> list[str]:
    """The commands that GitHub's runner would carry out in this log."""
    token, found = "", []
    for line in log.splitlines():
        command = line.strip()
        if token and command == f"::{token}::":
            token = ""
        elif not token and command.startswith("::stop-commands::"):
            token = command[len("::stop-commands::") :]
        elif not token and (re.match(r"::[\w-]+( .*)?::", command) or "##[" in command):
            found.append(command)
    assert not token, "commands of later steps are taken again"
    return found


EVIL = "::error file=x::owned\n::set-output name=a::b\n##[add-mask]1\n::stop-commands::x\n::x::"


@pytest.mark.parametrize("arguments", [["run"], ["loop", "--mode", "autonomous"]], ids=" ".join)
def test_a_ci_gets_annotations_and_takes_no_command_of_an_agent(arguments: list[str], repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(intent=EVIL, task_id="t-1")}, {**OUTSIDE, "stderr": EVIL, "says": EVIL})

    done = subprocess.run([sys.executable, "relais.py", *arguments], cwd=repo.path, env={**repo.env, "GITHUB_ACTIONS": "true"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    (command,) = obeyed(done.stdout)
    assert re.fullmatch(
        r"::error file=relais/history/[\w-]+/diff.patch,line=\d+,title=STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED::README.md: these are outside what the task may touch",
        command,
    )
    assert "owned" in done.stdout, "the words are shown all the same"


def test_without_a_ci_there_are_no_commands(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": TASK}, OUTSIDE)

    done = repo.relais("run")

    assert "::" not in done.stdout + done.stderr


@pytest.mark.parametrize("refusal", ["no config", "a bug"])
def test_a_ci_goes_on_taking_commands_after_a_refusal(refusal: str, repo: Repo) -> None:
    if refusal == "no config":
        (repo.path / "relais.config.json").unlink()
    else:
        repo.write("relais.py", RELAIS.read_text("utf-8").replace("def command_run(args: Arguments) -> int:\n", "def command_run(args: Arguments) -> int:\n    1 / 0\n"))

    done = subprocess.run([sys.executable, "relais.py", "run"], cwd=repo.path, env={**repo.env, "GITHUB_ACTIONS": "true"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    assert done.returncode in (20, 70)
    obeyed(done.stdout)


# --- a shell ----------------------------------------------------------------------------------


def completed(shell: str, script: Path, words: list[str], env: dict[str, str]) -> list[str]:
    """What a shell offers after these words."""
    if not shutil.which(shell):
        pytest.skip(f"LOUD: {shell} is not on this machine, so its completion was not tried")
    programs = {
        "bash": f'source {script}; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _relais; echo "${{COMPREPLY[*]}}"',
        "fish": f"source {script}; complete -C '{' '.join(words)}'",
        "zsh": f"compdef() {{ }}; compadd() {{ shift; print -l -- $@ }}; source {script}; BUFFER='{' '.join(words)}'; _relais",
    }
    done = subprocess.run([shell, "-c", programs[shell]], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_offers_what_the_parser_takes(shell: str, repo: Repo, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(repo.relais("completion", shell).stdout)

    assert {command.name for command in COMMANDS} <= set(completed(shell, script, ["relais", "''" if shell == "bash" else ""], repo.env))
    assert {"--mode", "milestone", "autonomous", "--max-ticks", "--json"} <= set(completed(shell, script, ["relais", "loop", "''" if shell == "bash" else ""], repo.env))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_a_command_fits_a_screen_and_its_example_is_one(command: Command, repo: Repo) -> None:
    shown = repo.relais(command.name, "--help").stdout

    example = re.search(r"example: relais (.*)$", shown, re.MULTILINE)
    assert len(shown.splitlines()) <= 24
    assert example
    argv = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', example.group(1).partition(" >> ")[0])]
    assert parser(argv).parse_args(argv).command is command


@pytest.mark.parametrize(("columns", "widest"), [("60", 58), ("0", 78), ("-5", 78), ("wide", 78)])
def test_help_is_as_wide_as_the_screen_says(columns: str, widest: int, repo: Repo) -> None:
    shown = repo.relais("loop", "--help", env={"COLUMNS": columns}).stdout

    assert widest - 15 < max(map(len, shown.splitlines())) <= widest


# --- the editor -------------------------------------------------------------------------------


def test_open_shows_the_file_in_the_editor_or_says_where_it_is(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    claude.plays({"says": TASK}, OUTSIDE)
    repo.relais("run")
    note = tmp_path / "opened"
    (claude.bin_dir / "code").write_text(f'#!/bin/sh\necho "$@" > {note}\n')
    (claude.bin_dir / "code").chmod(0o755)
    paths = {"report": repo.path / "relais/REPORT.md", "diff": repo.history() / "diff.patch"}

    for what, path in paths.items():
        assert repo.relais("open", what).stdout.strip() == str(path)
        assert not note.exists()
        repo.relais("open", what, env={"TERM_PROGRAM": "vscode"})
        assert note.read_text().strip() == f"--reuse-window --goto {path}:1:1"
        note.unlink()


@pytest.mark.parametrize("what", ["report", "diff", "log"])
def test_open_with_nothing_to_open_exits_2(what: str, repo: Repo) -> None:
    done = repo.relais("open", what)

    assert (done.returncode, f"left no {what}" in done.stderr) == (2, True)


def test_a_run_can_be_named_by_the_end_of_its_id(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": TASK}, OUTSIDE)
    repo.relais("run")
    run_id = repo.report["run_id"]

    assert json.loads(repo.relais("history", run_id[-4:], "--json").stdout)["report"]["run_id"] == run_id
    assert json.loads(repo.relais("rescue", "show", run_id[-4:], "--json").stdout)["run_id"] == run_id
    (repo.path / "relais/history" / f"20200101T000000Z-{run_id[-4:]}").mkdir()
    ambiguous = repo.relais("history", run_id[-4:])
    assert (ambiguous.returncode, f"could be any of: 20200101T000000Z-{run_id[-4:]}, {run_id}" in ambiguous.stderr) == (2, True)
    assert repo.relais("history", run_id[-3:]).returncode == 2
    assert repo.relais("rescue", "show", "ffffff").returncode == 2
