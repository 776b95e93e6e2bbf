"""Section 5 against the world: locks, signals, crashes, processes, files, the vault."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import RELAIS, SOURCES, Claude, Document, Process, Repo, a_result, a_task, until

from relais.contract.codes import CAPTURE_BYTES, CHUNK_BYTES, HEAD_BYTES
from relais.world.child import Capture
from relais.world.files import write_atomic
from relais.world.host import boot_id
from relais.world.looks import UNREADABLE, walk

EDIT = {"src/app.py": "one\n2\nthree\n"}
PATIENCE = 20.0


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(OSError):
        return stat.read_text().rpartition(")")[2].split()[0] != "Z" if stat.exists() else True
    return False


class Stage:
    """A turn or a check that says it has begun, starts a grandchild in its own session, and waits."""

    def __init__(self, claude: Claude) -> None:
        self.note = claude.notes_dir / "begun"

    def code(self, before: str = "") -> str:
        return (
            f"import os, subprocess, sys, time\n{before}\n"
            "child = subprocess.Popen(['sleep', '120'], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
            f"open({str(self.note) + '.part'!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
            f"os.rename({str(self.note) + '.part'!r}, {str(self.note)!r})\n"
            "time.sleep(120)\n"
        )

    @property
    def pids(self) -> list[int]:
        return [int(word) for word in self.note.read_text().split()]

    def wait(self) -> None:
        until(self.note.exists)

    def end(self) -> None:
        for pid in self.pids if self.note.exists() else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def stage(claude: Claude) -> Iterator[Stage]:
    waiting = Stage(claude)
    yield waiting
    waiting.end()


def script_for(where: str, stage: Stage, repo: Repo, claude: Claude, before: str = "") -> None:
    """Let the tick hang in the Brain, the Hands, or a verification."""
    hangs = {"python": stage.code(before)}
    task, hands = a_task(), {"says": a_result(), "writes": EDIT}
    if where == "brain":
        claude.plays({"says": task, **hangs})
    elif where == "hands":
        claude.plays({"says": task}, {**hands, **hangs})
    else:
        repo.configure({"verification": {"templates": [{"id": "hang", "cmd": sys.executable, "args": ["-c", stage.code(before)]}]}})
        repo.commit()
        claude.plays({"says": a_task(verification={"fast": ["hang"]})}, hands)


def rescued(repo: Repo) -> str:
    return str(repo.report["rollback"]["rescue_ref"])


# --- the lock ---------------------------------------------------------------------------------


def test_of_two_runs_one_gets_in_and_is_not_hurt(repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    go = claude.notes_dir / "go"
    begun = claude.notes_dir / "begun"
    waits = f"import os, time\nopen({str(begun)!r}, 'w')\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "python": waits})
    first = start("run")
    until(begun.exists)
    ours = {path: content for path, content in workspace(repo).items() if path != "BLOCKED.json"}

    second = repo.relais("run")
    blocked = repo.blocked
    left = {path: content for path, content in workspace(repo).items() if path != "BLOCKED.json"}
    go.touch()
    first.wait(PATIENCE)

    assert (second.returncode, blocked["code"]) == (20, "BLOCKED_LOCK_HELD")
    assert str(first.pid) in blocked["reason"]
    assert left == ours
    assert (first.returncode, repo.report["code"]) == (0, "SUCCESS")
    assert claude.count == 2
    assert not (repo.path / "relais/BLOCKED.json").exists()
    assert not (repo.path / "relais/lock.json").exists()


def workspace(repo: Repo) -> dict[str, bytes]:
    root = repo.path / "relais"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_two_runs_started_together_make_one_commit(repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT, "sleeps": 1.5})
    base = repo.head

    ended = [process.wait(PATIENCE) for process in [start("run"), start("run")]]

    assert sorted(ended) == [0, 20]
    assert repo.report["code"] == "SUCCESS"
    assert len(repo.git("rev-list", f"{base}..HEAD").split()) == 1


OTHER_BOOT = {"pid": os.getpid(), "process_started": "1", "boot_id": "another", "started_at": "2026-01-01T00:00:00Z"}
DEAD = {"pid": 2**22 + 1, "process_started": "1", "boot_id": boot_id(), "started_at": "2026-01-01T00:00:00Z"}
REUSED = {"pid": os.getpid(), "process_started": "1", "boot_id": boot_id(), "started_at": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize("holder", [OTHER_BOOT, DEAD, REUSED], ids=["other boot", "dead", "pid reused"])
def test_a_stale_lock_is_reclaimed(holder: Document, repo: Repo, claude: Claude) -> None:
    repo.write("relais/lock.json", json.dumps(holder))
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert not (repo.path / "relais/lock.json").exists()


# --- signals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        ("brain", signal.SIGINT),
        ("hands", signal.SIGINT),
        ("hands", signal.SIGTERM),
        ("hands", signal.SIGHUP),
        ("verification", signal.SIGTERM),
    ],
    ids=lambda case: f"{case[0]}-{case[1].name}",
)
def test_a_signal_ends_the_tick_cleanly(
    case: tuple[str, signal.Signals], repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    where, number = case
    script_for(where, stage, repo, claude)
    tree, git_dir, head = repo.tree(), repo.git_dir_tree(), repo.head
    process = start("run")
    stage.wait()
    began = time.monotonic()

    process.send_signal(number)
    process.wait(PATIENCE)

    assert time.monotonic() - began < 7
    assert process.returncode == 128 + number
    assert not any(map(is_alive, stage.pids))
    assert (repo.report["code"], repo.report["error"]["kind"]) == ("STOP_INTERRUPTED", "signal")
    assert (repo.tree(), repo.git_dir_tree(), repo.head) == (tree, git_dir, head)
    assert not (repo.path / "relais/lock.json").exists()
    assert not (repo.path / "relais/inflight.json").exists()
    assert repo.relais("status", "--preflight").returncode == 0
    if where != "brain":
        assert repo.git("show", f"{rescued(repo)}:src/app.py") == EDIT["src/app.py"]


def test_a_second_signal_ends_everything_at_once_and_recover_restores(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.unlink('.env')")
    tree, git_dir = repo.tree(), repo.git_dir_tree()
    process = start("run")
    stage.wait()
    process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    began = time.monotonic()

    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)

    assert time.monotonic() - began < 1
    assert process.returncode == 128 + signal.SIGINT
    preflight = json.loads(repo.relais("status", "--preflight", "--json").stdout)
    assert preflight["code"] == "BLOCKED_CRASH_RECOVERY_REQUIRED"
    assert repo.relais("recover", "--undo").returncode == 0
    assert (repo.tree(), repo.git_dir_tree()) == (tree, git_dir)
    assert not any(map(is_alive, stage.pids))
    assert repo.relais("status", "--preflight").returncode == 0


def test_a_closed_terminal_does_not_stop_the_rollback(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude)
    tree = repo.tree()
    process = start("run")
    stage.wait()
    for pipe in (process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()

    process.send_signal(signal.SIGHUP)
    status = process.wait(PATIENCE)
    process.stdout = process.stderr = None

    assert status == 128 + signal.SIGHUP
    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert repo.tree() == tree


def test_the_terminal_itself_may_go_away(repo: Repo, claude: Claude, stage: Stage) -> None:
    """Closing a terminal window: the kernel sends HUP, and every write fails from then on."""
    script_for("hands", stage, repo, claude)
    tree = repo.tree()
    ours, theirs = os.openpty()
    takes_terminal = (
        "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", takes_terminal, "relais.py", "run"],
        cwd=repo.path,
        env=repo.env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        stage.wait()
        os.close(ours)
        status = process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait(PATIENCE)

    assert status == 128 + signal.SIGHUP
    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert repo.tree() == tree
    assert not (repo.path / "relais/lock.json").exists()


# --- kill -9 ----------------------------------------------------------------------------------


def kill_runner(process: Process) -> None:
    process.kill()
    process.wait(PATIENCE)


VANDAL = """
import shutil
def git(*args): subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *args], check=False, capture_output=True)
open("src/util.py", "w").write("broken\\n")
open("src/new.py", "w").write("new\\n")
os.unlink(".env")
shutil.rmtree("node_modules")
git("add", "-A")
git("commit", "-q", "-m", "mine")
git("config", "core.fsmonitor", "touch pwned")
open(".git/hooks/post-checkout", "w").write("#!/bin/sh\\ntouch pwned\\n")
shutil.rmtree("relais")
"""


def test_after_kill_9_recover_brings_everything_back(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude, VANDAL)
    tree, git_dir, head = repo.tree(), repo.git_dir_tree(), repo.head
    committed = repo.git("ls-files", "relais").split()
    process = start("run")
    stage.wait()
    kill_runner(process)

    blocked = repo.relais("run")
    code = repo.blocked["code"] if (repo.path / "relais/BLOCKED.json").exists() else blocked.stderr
    recovered = repo.relais("recover", "--undo")

    assert (blocked.returncode, code) == (20, "BLOCKED_CRASH_RECOVERY_REQUIRED")
    assert recovered.returncode == 0, recovered.stderr
    assert (repo.tree(), repo.git_dir_tree(), repo.head) == (tree, git_dir, head)
    assert all((repo.path / path).exists() for path in committed)
    assert repo.status == ""
    assert not any(map(is_alive, stage.pids))
    assert repo.git("show", f"{rescued(repo)}:src/util.py") == "broken\n"
    assert repo.git("show", f"{rescued(repo)}:src/new.py") == "new\n"
    assert repo.state["budgets"]["builder_calls"] == 1
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    assert repo.relais("run").returncode == 0


DAMAGES = {
    "the config gone": "os.unlink('relais.config.json')",
    "the config broken": "open('relais.config.json', 'w').write('{')",
    "git's HEAD gone": "os.unlink('.git/HEAD')",
    "git's config broken": "open('.git/config', 'w').write('[core')",
    "a lock of git's left": "open('.git/index.lock', 'w')",
    "the index gone": "os.unlink('.git/index')",
    "the state forged": "open('relais/STATE.json', 'w').write('{}')",
    "schemas edited": "open('relais/schemas/task.schema.json', 'w').write('{}')",
    "the marker gone": "os.unlink('relais/inflight.json')",
    "another branch": "subprocess.run(['git', 'checkout', '-q', '-b', 'other'])",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_recover_copes_with(
    damage: str, repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude, damage)
    tree, git_dir = repo.tree(), repo.git_dir_tree()
    config, head = repo.read("relais.config.json"), repo.head
    process = start("run")
    stage.wait()
    kill_runner(process)

    done = repo.relais("recover", "--undo")

    assert done.returncode == 0, done.stderr
    assert (repo.tree(), repo.git_dir_tree()) == (tree, git_dir)
    assert (repo.read("relais.config.json"), repo.head, repo.status) == (config, head, "")
    assert repo.relais("status", "--preflight").returncode == 0


def test_a_check_that_was_running_at_the_crash_stays_counted(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("verification", stage, repo, claude)
    tree = repo.tree()
    process = start("run")
    stage.wait()
    kill_runner(process)

    repo.relais("recover", "--undo")

    assert repo.tree() == tree
    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert {name: repo.state["budgets"][name] for name in ("orchestrator_calls", "builder_calls", "verify_runs")} == {
        "orchestrator_calls": 1,
        "builder_calls": 1,
        "verify_runs": 1,
    }


def crashing_copy(repo: Repo, tmp_path: Path, moment: str) -> str:
    """A relais.py that kills itself right before or after its branch moves."""
    lines = RELAIS.read_text("utf-8").splitlines(keepends=True)
    (at,) = [number for number, line in enumerate(lines) if UPDATE_REF in line]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at + (moment == "after"), f"{indent}os.kill(os.getpid(), 9)\n")
    copy = tmp_path / "crashing.py"
    copy.write_text("".join(lines), "utf-8")
    return str(copy)


UPDATE_REF = "move_ref(run, real, created, remake, *words)"


def test_a_commit_that_was_made_before_the_crash_is_kept_and_not_made_twice(
    repo: Repo, claude: Claude, tmp_path: Path, start: Callable[..., Process]
) -> None:
    task = a_task(scope={"allow_new_files": True}, verification={"fast": ["ok"]})
    claude.plays({"says": task}, {"says": a_result(), "writes": {**EDIT, "src/new.py": "new\n"}})
    base = repo.head
    start("run", script=crashing_copy(repo, tmp_path, "after")).wait(PATIENCE)
    made = repo.head

    done = repo.relais("recover", "--undo")

    assert made != base
    assert done.returncode == 0, done.stderr
    assert repo.head == made
    assert repo.status == ""
    assert (repo.report["code"], repo.report["commit"]["id"]) == ("SUCCESS", made)
    assert repo.report["blast_radius"] == {"files_touched": 2, "lines_added": 2, "lines_deleted": 1, "new_files": 1}
    assert (repo.history() / "diff.patch").exists()
    assert repo.state["budgets"]["verify_runs"] == 1
    assert repo.relais("status", "--preflight").returncode == 0
    assert "nothing to recover" in repo.relais("recover").stdout
    assert repo.head == made


def test_a_commit_that_no_branch_had_yet_is_rolled_back(
    repo: Repo, claude: Claude, tmp_path: Path, start: Callable[..., Process]
) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    base, tree = repo.head, repo.tree()
    start("run", script=crashing_copy(repo, tmp_path, "before")).wait(PATIENCE)

    repo.relais("recover", "--undo")

    assert (repo.head, repo.tree(), repo.status) == (base, tree, "")
    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert repo.git("show", f"{rescued(repo)}:src/app.py") == EDIT["src/app.py"]


FORGES = """
def git(*args): subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *args], check=True, capture_output=True)
run = os.environ["RELAIS_RUN"]
git("commit", "-q", "-a", "-m", f"chore: change app\\n\\nRelais-Run: {run}\\nRelais-Task: t-1\\nRelais-Milestone: M1")
"""


def test_a_forged_trailer_is_no_commit_of_ours(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude, FORGES)
    base, tree = repo.head, repo.tree()
    process = start("run")
    stage.wait()
    kill_runner(process)
    forged = repo.head

    repo.relais("recover", "--undo")

    assert forged != base
    assert (repo.head, repo.tree(), repo.status) == (base, tree, "")
    assert repo.report["code"] == "STOP_INTERRUPTED"


def test_a_crash_before_the_builder_needs_no_recovery(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("brain", stage, repo, claude)
    process = start("run")
    stage.wait()
    kill_runner(process)
    stage.end()
    repo.write("relais/inflight.json", '{"run_id": "20260101T000000Z-0000"}')
    repo.write("relais/REPORT.json.tmp", '{"half')
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS")
    assert not (repo.path / "relais/inflight.json").exists()
    assert not (repo.path / "relais/REPORT.json.tmp").exists()
    assert repo.state["budgets"]["orchestrator_calls"] == 2


def test_recover_without_a_crash_changes_nothing(repo: Repo) -> None:
    tree, head = repo.tree(), repo.head

    done = repo.relais("recover")

    assert done.returncode == 0
    assert "nothing to recover" in done.stdout
    assert (repo.tree(), repo.head) == (tree, head)


def test_what_the_person_did_after_the_crash_is_rescued_too(
    repo: Repo, claude: Claude, stage: Stage, start: Callable[..., Process]
) -> None:
    script_for("hands", stage, repo, claude)
    process = start("run")
    stage.wait()
    kill_runner(process)
    stage.end()
    repo.write("src/mine.py", "my own\n")

    repo.relais("recover", "--undo")

    assert repo.git("show", f"{rescued(repo)}:src/mine.py") == "my own\n"


# --- files ------------------------------------------------------------------------------------


WRITER = """
import itertools, sys
sys.path.insert(0, sys.argv[1])
from relais.world.files import write_atomic
for number in itertools.count():
    write_atomic(sys.argv[2], b"%d\\n" % number * 50000)
"""


def test_write_atomic_never_leaves_half_a_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    for _ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(SOURCES), str(target)])
        try:
            until(target.exists)
            deadline = time.monotonic() + 0.3
            while time.monotonic() < deadline:
                assert len(set(target.read_bytes().split())) == 1
        finally:
            writer.kill()
            writer.wait()
        lines = target.read_bytes().split()
        assert (len(lines), len(set(lines))) == (50000, 1)
        target.unlink()


def test_write_atomic_does_not_follow_a_link_planted_in_its_way(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "file.tmp").symlink_to(tmp_path / "precious")

    with contextlib.suppress(OSError):
        write_atomic(str(tmp_path / "file"), b"new")

    assert (tmp_path / "precious").read_text() == "precious"


# --- looking ----------------------------------------------------------------------------------


def test_a_link_that_vanishes_under_the_look_takes_nothing_else_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").write_text("x")
    for name in ("gone", "unreadable", "there"):
        (folder / name).symlink_to("target")
    problems = {"gone": FileNotFoundError(), "unreadable": PermissionError()}
    readlink = os.readlink

    def odd_readlink(name: str, **more: Any) -> str:
        if name in problems:
            raise problems[name]
        return readlink(name, **more)

    monkeypatch.setattr(os, "readlink", odd_readlink)

    names = walk(str(folder), lambda *_: False)[""]

    assert names.keys() == {"file", "there", "unreadable"}
    assert names["unreadable"] == UNREADABLE
    assert names["there"].endswith(b"target")


def test_a_folder_that_cannot_be_looked_into_is_no_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        walk(str(tmp_path / "missing"), lambda *_: False)


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (2 << 20) + 7, 10 << 20])
def test_capture_keeps_head_and_tail_within_bounds(size: int) -> None:
    data = bytes(range(251)) * (size // 251 + 1)
    capture = Capture()
    for start in range(0, size, 60000):
        capture.feed(data[start : min(start + 60000, size)])

    content = capture.content

    head, tail = min(size, HEAD_BYTES), min(size, CAPTURE_BYTES)
    assert content[:head] == data[:head]
    assert content[len(content) - tail :] == data[size - tail : size]
    assert len(content) <= CAPTURE_BYTES * 5 // 4 + 100
    assert capture.total == size
    if size <= CAPTURE_BYTES:
        assert content == data[:size]
    elif len(content) < size:
        assert b"bytes left out" in content


def test_capture_of_many_small_pieces_takes_no_more_room() -> None:
    capture = Capture()
    for _ in range(300_000):
        capture.feed(b"0123456789")

    assert len(capture.content) <= CAPTURE_BYTES * 5 // 4 + 100
    assert len(capture.tail) <= CAPTURE_BYTES // CHUNK_BYTES + 1
    assert capture.end.endswith(b"0123456789") and len(capture.end) == CAPTURE_BYTES // 4


# --- processes --------------------------------------------------------------------------------

RUN_ONE = """
import json, os, resource, sys, time
sys.path.insert(0, sys.argv[1])
from relais.world.child import Call, execute
from relais.world.processes import Interrupt, adopt_orphans
given = json.loads(sys.argv[2])
adopt_orphans()
call = Call(
    argv=tuple(given["argv"]), cwd=os.getcwd(), env=dict(os.environ), stdin=b"x" * given["stdin"],
    wall=given["wall"], kill_grace=given["kill_grace"],
)
began = time.monotonic()
ran = execute(call, Interrupt())
if os.path.exists("/proc/self/status"):  # ru_maxrss begins with what the test runner had when it forked
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({
    "exit_code": ran.exit_code, "timed_out": ran.timed_out, "not_started": ran.not_started, "leftovers": ran.leftovers,
    "stdout": len(ran.stdout), "tail": ran.stdout[-20:].decode(), "seconds": time.monotonic() - began, "peak": peak,
}))
"""


def execute(*argv: str, stdin: int = 0, wall: float = 15, kill_grace: float = 0.5) -> Document:
    """What `relais.execute` makes of a command, in a process of its own: it sweeps all its descendants."""
    given = json.dumps({"argv": argv, "stdin": stdin, "wall": wall, "kill_grace": kill_grace})
    done = subprocess.run(
        [sys.executable, "-c", RUN_ONE, str(SOURCES), given],
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    document: Document = json.loads(done.stdout)
    return document


def python(code: str, **more: Any) -> Document:
    return execute(sys.executable, "-c", code, **more)


@pytest.mark.parametrize(
    ("code", "wall", "expected"),
    [
        ("raise SystemExit(0)", 15, (0, False)),
        ("raise SystemExit(7)", 15, (7, False)),
        ("import os; os.kill(os.getpid(), 15)", 15, (143, False)),
        ("import os; os.kill(os.getpid(), 9)", 15, (137, False)),
        ("import time; time.sleep(60)", 0.5, (-1, True)),
        ("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)", 0.5, (-1, True)),
    ],
    ids=["0", "7", "TERM", "KILL", "time-out", "time-out that ignores TERM"],
)
def test_exit_codes(code: str, wall: float, expected: tuple[int, bool]) -> None:
    ran = python(code, wall=wall)

    assert (ran["exit_code"], ran["timed_out"]) == expected
    assert ran["seconds"] < 10


def test_a_missing_command_is_127() -> None:
    ran = execute("no-such-command-anywhere")

    assert (ran["exit_code"], ran["not_started"]) == (127, True)


FORKS = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(sys.argv[1], "w").write(str(os.getpid()))
        time.sleep(120)
    os._exit(0)
while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read(): time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")
def test_what_a_command_leaves_running_is_ended_even_if_it_forked_twice(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    ran = execute(sys.executable, "-c", FORKS, str(note))

    assert ran["exit_code"] == 0
    assert ran["leftovers"] >= 1
    assert ran["seconds"] < 10
    assert not is_alive(int(note.read_text()))


@pytest.mark.parametrize(
    ("code", "stdin"),
    [
        ("import time; time.sleep(0.3)", 5 << 20),
        ("import os, time; os.close(0); time.sleep(0.3)", 5 << 20),
        ("import os, time; os.close(1); os.close(2); time.sleep(0.5)", 0),
        ("import sys; assert len(sys.stdin.buffer.read()) == 5 << 20", 5 << 20),
    ],
    ids=["does not read", "closes stdin", "closes its outputs", "reads all"],
)
def test_a_child_may_treat_its_pipes_as_it_likes(code: str, stdin: int) -> None:
    ran = python(code, stdin=stdin)

    assert (ran["exit_code"], ran["timed_out"]) == (0, False)
    assert ran["seconds"] < 5


def test_much_output_costs_little_memory() -> None:
    ran = python("import sys\nfor _ in range(50): sys.stdout.write('x' * (1 << 20))\nprint('the end')")

    assert ran["exit_code"] == 0
    assert ran["stdout"] <= 2 * CAPTURE_BYTES
    assert ran["tail"].endswith("the end\n")
    assert ran["peak"] < 100 << 20


# --- the vault --------------------------------------------------------------------------------


def vault_data(repo: Repo) -> Path:
    (data,) = (Path(repo.env["XDG_STATE_HOME"]) / "relais").glob("*/data")
    return data


def test_only_what_changed_is_read_again(repo: Repo, claude: Claude) -> None:
    repo.write("big.log", b"x" * (3 << 20))
    claude.plays(
        {"says": a_task()},
        {"says": a_result(), "writes": EDIT},
        {"says": a_task(task_id="t-2")},
        {"says": a_result(), "writes": {"src/app.py": "other\n"}, "deletes": ["big.log"]},
    )

    repo.relais("run")
    first = vault_data(repo).stat().st_size
    repo.relais("run")

    assert first > 3 << 20
    assert vault_data(repo).stat().st_size - first < 1 << 20
    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"
    assert (repo.path / "big.log").read_bytes() == b"x" * (3 << 20)


TAMPERS = """
import glob, os
(data,) = glob.glob(os.environ["XDG_STATE_HOME"] + "/relais/*/data")
size = os.path.getsize(data)
with open(data, "r+b") as file: file.write(b"#" * size)
os.unlink(".env")
os.unlink("src/util.py")
"""


def test_a_tampered_vault_is_not_believed(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "python": TAMPERS})

    done = repo.relais("run")

    assert done.returncode == 10
    assert (repo.report["code"], repo.report["rollback"]["ok"]) == ("STOP_INTERRUPTED", False)
    assert repo.report["error"]["kind"] == "rollback"
    assert ".env" in repo.report["error"]["detail"]
    assert not (repo.path / ".env").exists()
    assert repo.read("src/util.py").startswith("def double")
    assert (repo.path / "relais/inflight.json").exists()
    assert repo.relais("run").returncode == 20
    assert repo.report["code"] == "BLOCKED_CRASH_RECOVERY_REQUIRED"
    assert "python3 relais.py recover" in repo.blocked["remediation"]


def test_a_vault_without_its_table_starts_anew(repo: Repo, claude: Claude) -> None:
    claude.plays(*[{"says": a_task()}, {"says": a_result(), "writes": EDIT}] * 1)
    repo.relais("run")
    for name in ("kept", "data"):
        (vault_data(repo).parent / name).write_bytes(b"garbage")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "x\n"}, "deletes": [".env"]})
    tree = repo.tree()

    repo.relais("run")

    assert repo.report["code"] == "STOP_SCOPE_VIOLATION_FORBIDDEN"
    assert repo.tree() == tree


def test_the_vault_is_private(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert vault_data(repo).parent.stat().st_mode & 0o077 == 0
