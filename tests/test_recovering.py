"""`recover` never takes more than the builder did: what the person did since the crash is seen, named and left."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers import Claude, Process, Repo, Tree, a_result, a_task, until
from test_crash import SCENARIOS, Listed, Made, World, is_a_state_of_its_own, listed, made

from relais.rules.aftermath import GRACE_NS, LastSign, Whose, whose

__all__ = ["listed", "made"]  # fixtures: cutting ticks off at each of their effects is what tests/test_crash.py can do

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: namespaces are Linux's; not tested on this machine")
EDIT = {"src/app.py": "one\n2\nthree\n"}
CutOff = Callable[..., None]


def vault_file(repo: Repo, name: str) -> Path:
    (path,) = Path(repo.env["XDG_STATE_HOME"], "relais").glob(f"*/{name}")
    return path


@pytest.fixture
def cut_off(repo: Repo, claude: Claude, start: Callable[..., Process]) -> Iterator[CutOff]:
    """Cuts a tick off while its builder, which has done its work, waits for more; whatever still lives then is ended later."""
    begun = claude.notes_dir / "begun"

    def cut(python: str = "", writes: dict[str, str] = EDIT) -> None:
        waits = f"import os, subprocess, time\n{python}\nopen({str(begun)!r}, 'w').write(str(os.getpid()))\ntime.sleep(120)"
        claude.plays({"says": a_task()}, {"says": a_result(), "writes": writes, "python": waits})
        process = start("run")
        until(lambda: begun.exists() and begun.read_text(), 60)
        done = begun.stat().st_ctime_ns
        until(lambda: vault_file(repo, "alive").stat().st_mtime_ns > done, 60)
        process.kill()
        process.wait(60)
        time.sleep(0.05)  # no person is as quick as the grain of a file system's clock

    yield cut
    for word in begun.read_text().split() if begun.exists() else ():
        with contextlib.suppress(ProcessLookupError):
            if b"FAKE_CLAUDE_DIR" in Path(f"/proc/{word}/environ").read_bytes() if Path(f"/proc/{word}").exists() else False:
                os.kill(int(word), signal.SIGKILL)


@pytest.fixture
def jailed(repo: Repo) -> Repo:
    repo.configure({"runner": {"sandbox": "on"}, "verification": {"sandbox": "on"}})
    (Path(repo.env["HOME"]) / ".cache").mkdir(exist_ok=True)
    repo.commit("confine")
    return repo


# --- the table ----------------------------------------------------------------------------------

QUIET, JAILED, FREE = LastSign(1000, True, False), LastSign(1000, False, True), LastSign(1000, False, False)


@pytest.mark.parametrize(
    ("changed", "sign", "is_shielded", "verdict"),
    [
        (1000, FREE, False, Whose.BUILDER),
        (1001, FREE, False, Whose.UNKNOWN),
        (1001, FREE, True, Whose.UNKNOWN),
        (1001, QUIET, False, Whose.UNKNOWN),
        (1001 + GRACE_NS, QUIET, False, Whose.PERSON),
        (999, QUIET, True, Whose.BUILDER),
        (1000, JAILED, False, Whose.BUILDER),
        (1001, JAILED, False, Whose.UNKNOWN),
        (1001 + GRACE_NS, JAILED, False, Whose.PERSON),
        (999, JAILED, True, Whose.PERSON),
        (1999, FREE._replace(rebooted=2000), False, Whose.UNKNOWN),
        (2001, FREE._replace(rebooted=2000), False, Whose.PERSON),
        (1, FREE._replace(is_unsure=True), False, Whose.UNKNOWN),
        (1, JAILED._replace(is_unsure=True), True, Whose.PERSON),
        (1, JAILED._replace(is_unsure=True), False, Whose.UNKNOWN),
        (1, FREE._replace(is_unsure=True, is_stranger=True), True, Whose.PERSON),
    ],
)
def test_whose_a_change_is(changed: int, sign: LastSign, is_shielded: bool, verdict: Whose) -> None:
    assert whose(changed, sign, is_shielded=is_shielded) is verdict


# --- 21: what the person did since ---------------------------------------------------------------


def work_of_the_person(repo: Repo) -> None:
    """One piece of work of each kind."""
    repo.write("docs/guide.md", "# Guide\nmine\n")
    repo.git("add", "docs/guide.md")
    repo.git("commit", "-q", "-m", "mine", "--", "docs/guide.md")
    repo.git("branch", "mine")
    repo.git("tag", "-a", "-m", "mine", "v1")
    repo.git("config", "alias.mine", "status")
    repo.write("package.json", '{"stashed": 1}\n')
    repo.git("stash", "push", "-q", "--", "package.json")
    repo.write("mine.log", "mine\n")
    repo.write("src/mine.py", "mine\n")
    repo.write("README.md", "# App, edited\n")
    repo.write("pnpm-lock.yaml", "staged: 1\n")
    repo.git("add", "pnpm-lock.yaml")
    repo.write("relais/GOAL.md", "Make it mine\n")


NAMED = ("mine.log", "src/mine.py", "README.md", "relais/GOAL.md", ".git/refs/heads/mine", ".git/refs/tags/v1", ".git/config")


def standing(repo: Repo) -> tuple[Tree, str, str, str, str]:
    """What a person would miss: their files, commits, branches, tags, stashes, their index and their configuration."""
    tree = {path: entry for path, entry in repo.tree().items() if path != "src/app.py"}
    refs = "\n".join(line for line in repo.git("show-ref").splitlines() if "refs/relais/" not in line)
    return tree, refs, repo.git("diff", "--cached"), repo.git("config", "--list"), repo.read("relais/GOAL.md")


@LINUX
def test_21_everything_that_the_person_did_since_is_left_and_named(jailed: Repo, cut_off: CutOff) -> None:
    cut_off()
    time.sleep(GRACE_NS / 1e9 + 0.1)
    work_of_the_person(jailed)
    before = standing(jailed)

    done = jailed.relais("recover")

    assert done.returncode == 0, done.stdout + done.stderr
    assert standing(jailed) == before
    assert jailed.read("src/app.py") == "one\ntwo\nthree\n", "this was the builder's"
    assert [name for name in NAMED if name not in done.stdout] == []
    assert "nothing to recover" in jailed.relais("recover").stdout


@LINUX
def test_21_what_a_jailed_builder_cannot_reach_is_the_persons_at_once(jailed: Repo, cut_off: CutOff) -> None:
    cut_off()
    jailed.git("tag", "v1")
    jailed.git("branch", "mine")
    jailed.git("commit", "-q", "--allow-empty", "-m", "mine")
    head = jailed.head

    assert jailed.relais("recover").returncode == 0

    assert (jailed.head, jailed.git("rev-parse", "v1^{commit}", "mine").split()) == (head, jailed.git("rev-parse", "HEAD~", "HEAD~").split())
    assert (jailed.read("src/app.py"), jailed.status) == ("one\ntwo\nthree\n", "")


def test_21_without_a_sandbox_recover_stops_with_both_ways(repo: Repo, cut_off: CutOff) -> None:
    cut_off()
    work_of_the_person(repo)
    tree, head = repo.tree(), repo.head

    done = repo.relais("recover")

    assert done.returncode == 20
    assert "recover --keep" in done.stderr
    assert "recover --undo" in done.stderr
    assert (repo.tree(), repo.head) == (tree, head)
    assert repo.relais("run").returncode == 20, "the unfinished run is not forgotten"


def test_21_keep_leaves_what_nobody_can_tell_and_undoes_what_was_watched(repo: Repo, cut_off: CutOff) -> None:
    cut_off()
    work_of_the_person(repo)
    before = standing(repo)

    done = repo.relais("recover", "--keep")

    assert done.returncode == 0, done.stdout + done.stderr
    assert standing(repo) == before
    assert repo.read("src/app.py") == "one\ntwo\nthree\n"


def test_21_undo_puts_everything_back_and_loses_nothing(repo: Repo, cut_off: CutOff) -> None:
    tree, head = repo.tree(), repo.head
    cut_off()
    work_of_the_person(repo)
    mine = repo.git("rev-parse", "refs/heads/mine", "refs/stash").split()

    done = repo.relais("recover", "--undo")

    assert done.returncode == 0, done.stdout + done.stderr
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")
    kept = repo.git("for-each-ref", "--format=%(objectname)", "refs/relais/kept").split()
    assert set(mine) <= set(kept)
    assert (repo.quarantine("tree/mine.log")).read_text() == "mine\n"


def test_21_what_the_builder_did_while_it_was_watched_needs_no_question(repo: Repo, cut_off: CutOff) -> None:
    before, head = repo.tree(), repo.head
    cut_off("subprocess.run(['git', 'commit', '-qam', 'not mine'])\nos.unlink('.env')\nopen('new.log', 'w').write('x')")
    assert repo.head != head

    done = repo.relais("recover")

    assert done.returncode == 0, done.stdout + done.stderr
    assert (repo.tree(), repo.head, repo.status) == (before, head, "")


def test_21_a_file_of_the_persons_in_a_folder_of_the_builders_is_not_moved_away(repo: Repo, cut_off: CutOff) -> None:
    cut_off(writes={"src/new/builder.py": "x\n"})
    repo.write("src/new/mine.py", "mine\n")

    assert repo.relais("recover", "--keep").returncode == 0

    assert repo.read("src/new/mine.py") == "mine\n"
    assert not (repo.path / "src/new/builder.py").exists()


def test_21_a_deletion_since_the_crash_comes_back_by_name(repo: Repo, cut_off: CutOff) -> None:
    cut_off()
    (repo.path / "notes.log").unlink()

    done = repo.relais("recover")

    assert done.returncode == 0, done.stdout + done.stderr
    assert repo.read("notes.log") == "remember the milk\n"
    assert "back again: notes.log" in done.stdout


def test_21_a_clock_that_was_set_back_tells_nothing(repo: Repo, cut_off: CutOff) -> None:
    cut_off()
    future = time.time() + 3600
    os.utime(vault_file(repo, "alive"), (future, future))

    done = repo.relais("recover")

    assert done.returncode == 20
    assert "src/app.py" in done.stderr
    assert repo.read("src/app.py") == EDIT["src/app.py"]
    assert repo.relais("recover", "--undo").returncode == 0
    assert repo.status == ""


@LINUX
@pytest.mark.parametrize("typed", ["checkout -q --orphan fresh", "rm -rq --cached docs", "branch -m main trunk"])
def test_21_what_the_person_checked_out_or_staged_since_makes_no_recovery_incomplete(typed: str, jailed: Repo, cut_off: CutOff) -> None:
    cut_off()
    jailed.git(*typed.split())
    before = jailed.git("diff", "--cached", "--stat", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"), jailed.git("symbolic-ref", "HEAD")

    done = jailed.relais("recover")

    assert done.returncode == 0, done.stdout + done.stderr
    assert before == (jailed.git("diff", "--cached", "--stat", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"), jailed.git("symbolic-ref", "HEAD"))
    assert jailed.read("src/app.py") == "one\ntwo\nthree\n"


def test_a_recovery_that_is_not_complete_names_what_is_missing(repo: Repo, cut_off: CutOff) -> None:
    cut_off("os.unlink('.env')")
    data = vault_file(repo, "data")
    data.write_bytes(data.read_bytes().replace(b"KEY=1", b"KEY=6"))

    done = repo.relais("recover", "--undo")

    assert done.returncode == 10
    assert ".env" in done.stdout
    assert not (repo.path / ".env").exists(), "a copy that was tampered with is none"


@LINUX
def test_21_a_folder_that_the_person_moved_since_is_theirs_though_nothing_in_it_was_touched(jailed: Repo, cut_off: CutOff, tmp_path: Path) -> None:
    """The kernel notes a move at the folder alone: what it holds looks as old as it was elsewhere."""
    for path in ("notes/old.log", "../stuff/thesis.md", "../guides/guide.md"):
        jailed.write(path, "mine\n")
    jailed.write("notes/large.log", bytes(9 << 20))
    cut_off(writes={**EDIT, "docs/builders.md": "x\n"})
    time.sleep(GRACE_NS / 1e9 + 0.1)
    (jailed.path / "notes").rename(jailed.path / "kept")
    (tmp_path / "stuff").rename(jailed.path / "stuff")
    (jailed.path / "docs").rename(tmp_path / "docs")
    (tmp_path / "guides").rename(jailed.path / "docs")

    done = jailed.relais("recover")

    assert done.returncode == 0, done.stdout + done.stderr
    assert [jailed.read(path) for path in ("kept/old.log", "stuff/thesis.md", "docs/guide.md")] == ["mine\n"] * 3
    assert [path for path in ("kept/old.log", "stuff/thesis.md", "docs/guide.md") if path not in done.stdout] == []
    assert [path.name for path in jailed.path.rglob("large.log")] == ["large.log"]
    assert not (jailed.path / "notes/old.log").exists(), "moved, not deleted"
    assert jailed.read("src/app.py") == "one\ntwo\nthree\n", "this was the builder's"


# --- killed anywhere ------------------------------------------------------------------------------

POINTS = 6


@pytest.mark.parametrize("point", [pytest.param(point, marks=[pytest.mark.slow] * (point % 3 > 0)) for point in range(POINTS)])
@pytest.mark.parametrize("name", ["committed", pytest.param("rejected", marks=pytest.mark.slow)])
def test_21_wherever_a_runner_is_killed_the_persons_work_outlives_recovery(name: str, point: int, made: Made, tmp_path: Path, listed: Listed) -> None:
    effects = listed(name)
    numbers = [number for number, effect in enumerate(effects, 1) if is_a_state_of_its_own(effect)]
    journal = next(number for number, effect in enumerate(effects, 1) if effect.endswith("/journal.tmp'"))
    late = [number for number in numbers if number > journal]
    world = World(tmp_path / "world", made, SCENARIOS[name])
    try:
        assert world.run(late[point * (len(late) - 1) // (POINTS - 1)], signal.SIGKILL) == -signal.SIGKILL
        world.settle()
        work_of_the_person(world.repo)
        before = standing(world.repo)

        first = world.type("relais recover")
        done = world.type("relais recover --keep") if first.returncode == 20 else first

        assert done.returncode == 0, done.stderr
        after = standing(world.repo)
        # What the builder did and nobody watched may be undone; nothing of the person's may be missing.
        assert {path: entry for path, entry in before[0].items() if after[0].get(path) != entry}.keys() <= {"new.log", "package.json", ".env"}
        assert after[1:] == before[1:]
        assert "BLOCKED_CRASH" not in world.type("relais status --preflight").stderr
    finally:
        world.end()


# --- 42: what shed its environment ------------------------------------------------------------------

SHEDS = """
if os.fork() == 0:
    os.setsid()
    pid = os.fork()
    if pid:
        open({note!r}, 'w').write(str(pid))
        os._exit(0)
    os.execve({python!r}, [{python!r}, "-I", "-S", "-c", "import time; time.sleep(120)"], {{}})
os.wait()
"""


@LINUX
def test_42_a_process_that_shed_its_environment_is_named_and_nothing_is_pretended(repo: Repo, claude: Claude, cut_off: CutOff) -> None:
    note = claude.notes_dir / "shed"
    cut_off(SHEDS.format(python=sys.executable, note=str(note)))
    pid = int(note.read_text())
    try:
        until(lambda: b"FAKE_CLAUDE" not in Path(f"/proc/{pid}/environ").read_bytes())

        done = repo.relais("recover")

        assert done.returncode == 20
        assert f"process {pid} " in done.stderr
        assert f"kill {pid}" in done.stderr
        os.kill(pid, 0)
    finally:
        os.kill(pid, signal.SIGKILL)
    until(lambda: not os.path.exists(f"/proc/{pid}/cwd") or not os.path.lexists(f"/proc/{pid}/cwd"))
    assert repo.relais("recover").returncode == 0
    assert repo.status == ""


# --- a builder that covers its tracks ---------------------------------------------------------------


@pytest.mark.parametrize("also", ["", "os.utime('.git/HEAD')\n", "import shutil; shutil.rmtree('relais')\n"], ids=["marks", "times", "workspace"])
def test_a_builder_that_removes_the_word_and_the_marker_is_not_forgotten(also: str, repo: Repo, cut_off: CutOff) -> None:
    before = repo.tree()
    cut_off(f"os.unlink('.git/relais-id'); os.unlink('relais/inflight.json'); os.unlink('.env')\n{also}")

    blocked = repo.relais("run")
    done = repo.relais("recover")

    assert "BLOCKED_CRASH_RECOVERY_REQUIRED" in blocked.stdout + blocked.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert repo.tree() == before
    assert len((repo.path / ".git/relais-id").read_text()) == 21
