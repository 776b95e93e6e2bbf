"""A stage ends when the kernel says so: nothing outlives a command, and nothing stops the clocks of a tick."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from endings import CAN_BE_NOBODY, FAST, MACHINE, NAMES, UNTOUCHABLE, endings
from helpers import SOURCES, Claude, Repo, a_result, a_task

from relais.contract.codes import Code
from relais.contract.findings import Halt
from relais.world.processes import Interrupt

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: who adopts orphans is Linux's; not tested on this machine")
AS_A_PLAIN_USER = pytest.mark.skipif(not CAN_BE_NOBODY, reason="LOUD: becoming a plain user needs root, setpriv and a system Python")
USERS = [pytest.param(False, id="as we are"), pytest.param(True, id="a plain user", marks=AS_A_PLAIN_USER)]


# --- 1, 2: nothing outlives a command ---------------------------------------------------------------


@pytest.mark.parametrize("as_nobody", USERS)
def test_1_2_nothing_outlives_a_command_without_a_sandbox(as_nobody: bool) -> None:
    """Fast chains of forks once escaped in 21 of 22 runs: they get more tries."""
    answer = endings(shapes={name: 15 if name in FAST else 3 for name in NAMES}, as_nobody=as_nobody)

    assert {name: (result["left"], result["wrong"]) for name, result in answer["results"].items()} == dict.fromkeys(NAMES, (0, 0))
    assert answer["goes_on"] is False


@pytest.mark.parametrize("as_nobody", USERS)
def test_1_2_nothing_outlives_a_command_in_a_process_space_of_its_own(as_nobody: bool) -> None:
    answer = endings(shapes=dict.fromkeys(NAMES, 1), as_nobody=as_nobody, jail=True)

    assert {name: (result["left"], result["wrong"]) for name, result in answer["results"].items()} == dict.fromkeys(NAMES, (0, 0))
    assert answer["goes_on"] is False


@AS_A_PLAIN_USER
@pytest.mark.skipif(MACHINE != "x86_64", reason="LOUD: the process that nobody may end is written for x86-64")
def test_what_cannot_be_ended_is_named_in_bounded_time(tmp_path: Path) -> None:
    for folder in [tmp_path, *tmp_path.parents[:3]]:
        folder.chmod(0o755)
    program = tmp_path / "untouchable"
    program.write_bytes(UNTOUCHABLE)
    program.chmod(0o4755)
    began = time.monotonic()

    answer = endings(program=str(program), as_nobody=True)

    for pid in answer["survivors"]:
        os.kill(pid, 9)
    assert len(answer["survivors"]) == 1
    assert time.monotonic() - began < 15  # it would wait for longer


def test_what_could_not_be_ended_stops_the_tick_and_those_after_it() -> None:
    interrupt = Interrupt()
    interrupt.check()
    interrupt.survivors = (17, 4711)

    with pytest.raises(Halt) as halted:
        interrupt.check()

    assert halted.value.finding.code is Code.STOP_INTERRUPTED
    assert halted.value.finding.offenders == ("17", "4711")


def test_what_the_person_started_before_is_left_alone(repo: Repo, claude: Claude) -> None:
    """A shell that becomes relais hands its own background jobs down; those, and what they start, are the person's."""
    has_job = "os.path.exists('../job') and open('../job').read()"
    builder = f"import os, time\nopen('../go', 'w').close()\nend = time.time() + 10\nwhile not ({has_job}) and time.time() < end: time.sleep(0.01)"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}, "python": builder})
    job = "(while [ ! -e ../go ]; do sleep 0.02; done; sleep 30 & echo $! > ../job)"
    jobs = f"{job} & sleep 30 & echo $! > ../other; exec {sys.executable} relais.py run"

    done = subprocess.run(["/bin/sh", "-c", f"exec > ../out 2>&1; {jobs}"], cwd=repo.path, env=repo.env, check=False, timeout=60)

    pids = [int((repo.path.parent / name).read_text()) for name in ("job", "other")]
    alive = [os.path.exists(f"/proc/{pid}") for pid in pids]
    for pid in pids:
        subprocess.run(["kill", str(pid)], check=False, stderr=subprocess.DEVNULL)
    assert done.returncode == 0
    assert alive == [True, True]
    assert "outlived" not in (repo.path.parent / "out").read_text()


def test_a_failed_check_is_one_even_where_the_ends_of_children_are_ignored(repo: Repo, claude: Claude) -> None:
    """With SIGCHLD ignored the kernel keeps no exit statuses, and Python calls every one of them 0."""
    claude.plays({"says": a_task(verification={"fast": ["fail"]})}, {"says": a_result(), "writes": {"src/app.py": "x\n"}})
    ignoring = f"import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv({sys.executable!r}, [{sys.executable!r}, 'relais.py', 'run'])"

    done = subprocess.run([sys.executable, "-c", ignoring], cwd=repo.path, env=repo.env, capture_output=True, check=False, timeout=60)

    assert done.returncode == 10, done.stderr
    assert repo.report["code"] == "STOP_VERIFY_FAILED_FAST"


# --- 7 and "a check that SIGSTOPs relais": nothing stops the clocks -----------------------------------

@pytest.mark.parametrize("signal", ["SIGSTOP", "SIGTSTP"])
def test_a_builder_that_stops_the_runner_stops_no_clock(signal: str, repo: Repo, claude: Claude) -> None:
    stop = f"import os, signal\nos.kill(os.getppid(), signal.{signal})"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}, "python": stop})

    assert repo.relais("run", timeout=30).returncode == 0


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    leader, follower = pty.openpty()
    yield leader, follower
    os.close(leader)
    os.close(follower)


@pytest.mark.parametrize("state", ["stopped before", "stopped by the builder"])
def test_7_a_stopped_terminal_stops_no_clock(state: str, terminal: tuple[int, int], repo: Repo, claude: Claude) -> None:
    _, follower = terminal
    stops = f"import os, termios; termios.tcflow(os.open({os.ttyname(follower)!r}, os.O_RDWR | os.O_NOCTTY), termios.TCOOFF)"
    turn = {} if state == "stopped before" else {"python": stops}
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}, **turn})
    if state == "stopped before":
        termios.tcflow(follower, termios.TCOOFF)
    env = {**repo.env, "TERM": "xterm"}
    argv = [sys.executable, "relais.py", "run"]

    done = subprocess.run(argv, cwd=repo.path, env=env, stdin=follower, stdout=subprocess.DEVNULL, stderr=follower, check=False, timeout=40)

    assert done.returncode == 0
    assert repo.report["code"] == "SUCCESS"


def test_7_what_a_terminal_did_not_take_is_said_when_it_does(terminal: tuple[int, int]) -> None:
    leader, follower = terminal
    program = "from relais.world.outlet import Outlet\nimport sys\nOutlet.say('first ')\nprint('said', flush=True)\nsys.stdin.readline()\nOutlet.say('second')"
    termios.tcflow(follower, termios.TCOOFF)
    env = {**os.environ, "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen([sys.executable, "-c", program], cwd="/", env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=follower) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"said\n"
        termios.tcflow(follower, termios.TCOON)
        process.communicate(b"\n", timeout=20)

    assert select.select([leader], [], [], 5)[0]
    assert os.read(leader, 100) == b"first second"
    assert not fcntl.fcntl(follower, fcntl.F_GETFL) & os.O_NONBLOCK  # the person's shell goes on with it as it was


def test_7_a_terminal_that_stops_background_jobs_stops_no_tick(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}})
    # A job in the background of a terminal with `stty tostop`: the session's leader keeps the foreground.
    leads = f"""
import fcntl, os, subprocess, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
mode = termios.tcgetattr(0)
mode[3] |= termios.TOSTOP
termios.tcsetattr(0, termios.TCSANOW, mode)
job = subprocess.Popen([{sys.executable!r}, "relais.py", "run"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=os.setpgrp)
sys.exit(job.wait(40))
"""
    leader, follower = pty.openpty()
    try:
        done = subprocess.run([sys.executable, "-c", leads], cwd=repo.path, env={**repo.env, "TERM": "xterm"}, stdin=follower, stdout=subprocess.DEVNULL, stderr=follower, start_new_session=True, check=False, timeout=60)
    finally:
        os.close(follower)
        os.close(leader)

    assert done.returncode == 0
