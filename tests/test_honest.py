"""Honest work is not stopped, and what a refusal tells the person leads to its cause."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from helpers import Claude, Document, Process, Repo, a_result, a_task, deep_merge, until

from relais.world.git import GitError
from relais.world.refusals import REFUSAL_REMEDIES, system_finding

# --- what is typed next shows the cause ------------------------------------------------------------

FIRST_REMEDIES = {
    errno.ENOSPC: "df -h /",
    errno.EDQUOT: "quota -s",
    errno.EACCES: "ls -ld /",
    errno.EPERM: "ls -ld /",
    errno.EMFILE: "ulimit -n",
    errno.EROFS: "mount",
    errno.ELOOP: "ls -ld /",
    errno.ENAMETOOLONG: "getconf NAME_MAX .",
    errno.EIO: "dmesg | tail",
    errno.ENOTDIR: "ls -ld /",
}


@pytest.mark.parametrize(("number", "remedy"), FIRST_REMEDIES.items(), ids=[errno.errorcode[number] for number in FIRST_REMEDIES])
def test_a_refusal_of_the_system_is_followed_by_what_shows_its_cause(number: int, remedy: str) -> None:
    finding = system_finding(OSError(number, os.strerror(number), "/no such/place"))
    by_git = system_finding(GitError(("add",), 128, f"fatal: cannot open 'x': {os.strerror(number)}".encode()))

    assert finding.remedies[0] == remedy
    assert finding.detail == f"the system refused: {os.strerror(number)}: /no such/place"
    assert by_git.remedies[0] == remedy.replace("/", ".", 1) if remedy.endswith("/") else remedy
    assert by_git.remedies[-1] == "git status"


def test_only_what_fills_disks_sends_anybody_to_look_at_disks() -> None:
    about_disks = {number for number, remedies in REFUSAL_REMEDIES.items() if any(r.startswith("df ") for r in remedies)}

    assert about_disks == {errno.ENOSPC, errno.EDQUOT}
    assert not any(r.startswith("df ") for r in system_finding(OSError("pipes are no files")).remedies)


def test_a_path_in_a_remedy_can_be_pasted(tmp_path: os.PathLike[str]) -> None:
    folder = os.path.join(tmp_path, "my $(folder)")
    os.mkdir(folder)

    assert system_finding(PermissionError(errno.EACCES, "no", f"{folder}/x")).remedies[0] == f"ls -ld '{folder}'"


def test_a_process_with_too_few_files_is_not_sent_to_look_at_its_disk(repo: Repo) -> None:
    """Ten are enough for Python to start, and too few to talk to git."""
    few = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (10, 10))
    argv = [sys.executable, "relais.py", "status", "--preflight"]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=False, preexec_fn=few)

    assert done.returncode == 10, done.stdout + done.stderr
    assert "the system refused: Too many open files" in done.stdout
    assert "hint: ulimit -n\n" in done.stdout
    assert "df -h" not in done.stdout


# --- a reader who has gone is no error -------------------------------------------------------------


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
@pytest.mark.parametrize(("arguments", "status"), [("--help", 0), ("run --help", 0), ("--version", 0), ("status --bogus", 2), ("bogus", 2)])
def test_what_nobody_reads_any_more_changes_no_exit_status(arguments: str, status: int, closed: str, unbuffered: str, repo: Repo) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, closed: writing}
    argv = [sys.executable, "relais.py", *arguments.split()]
    env = {**repo.env, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(argv, cwd=repo.path, env=env, timeout=60, check=False, **streams)  # type: ignore[call-overload]
    os.close(writing)

    assert done.returncode == status
    assert b"BrokenPipe" not in (done.stderr or b"")


# --- a patch leaves what git would have left ----------------------------------------------------------


def created(path: str, content: str = "x") -> str:
    return f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{content}\n"


def deleted(path: str, *lines: str) -> str:
    removed = "".join(f"-{line}\n" for line in lines)
    return f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n@@ -1,{len(lines)} +0,0 @@\n{removed}"


EDIT = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n three\n"
APP, UTIL = deleted("src/app.py", "one", "two", "three"), deleted("src/util.py", "def double(number):", "    return 2 * number")


def patched(repo: Repo, claude: Claude, patch: str, *globs: str) -> Document:
    scope = {"allow_new_files": True, "allowed_globs": list(globs) or ["src/**", "src"]}
    claude.plays({"says": a_task(builder={"mode": "patch", "patch": patch}, scope=scope)})
    done = repo.relais("run")
    assert "Traceback" not in done.stderr
    assert repo.status == ""
    return repo.report


def with_crlf_by_setting(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")


def with_crlf_by_attribute(repo: Repo) -> None:
    repo.write(".gitattributes", "*.py text eol=crlf\n")
    repo.commit("line ends")


@pytest.mark.parametrize("given", [with_crlf_by_setting, with_crlf_by_attribute])
def test_a_patch_of_a_file_with_crlf_leaves_crlf(given: Callable[[Repo], None], repo: Repo, claude: Claude) -> None:
    given(repo)
    for path in ("src/app.py", "src/util.py"):
        (repo.path / path).unlink()
    repo.git("checkout", "--", "src")
    assert "\r\n" in repo.read("src/app.py")

    report = patched(repo, claude, EDIT + created("src/new.py"))

    assert report["code"] == "SUCCESS", report
    assert repo.read("src/app.py") == "ONE\r\ntwo\r\nthree\r\n"
    assert repo.read("src/new.py") == "x\r\n"
    assert repo.git("show", "HEAD:src/app.py") == "ONE\ntwo\nthree\n"


def test_a_patch_without_crlf_of_a_file_committed_with_it_fits_and_leaves_crlf(repo: Repo, claude: Claude) -> None:
    repo.write("src/app.py", "one\r\ntwo\r\nthree\r\n")
    repo.commit("a file from elsewhere")

    report = patched(repo, claude, EDIT + created("src/new.py"))

    assert report["code"] == "SUCCESS", report
    assert repo.read("src/app.py") == "ONE\r\ntwo\r\nthree\r\n"
    assert repo.git("cat-file", "-s", "HEAD:src/app.py") == "17\n"
    assert repo.read("src/new.py") == "x\n"


def test_a_folder_that_becomes_a_file_is_a_patch_like_any_other(repo: Repo, claude: Claude) -> None:
    report = patched(repo, claude, APP + UTIL + created("src"))

    assert report["code"] == "SUCCESS", report
    assert repo.read("src") == "x\n"


def test_a_file_that_becomes_a_folder_is_a_patch_like_any_other(repo: Repo, claude: Claude) -> None:
    report = patched(repo, claude, created("src/app.py/main.py") + APP)

    assert report["code"] == "SUCCESS", report
    assert repo.read("src/app.py/main.py") == "x\n"


def test_a_folder_that_a_patch_empties_goes_as_it_does_with_git(repo: Repo, claude: Claude) -> None:
    report = patched(repo, claude, deleted("docs/guide.md", "# Guide"), "docs/**")

    assert report["code"] == "SUCCESS", report
    assert not (repo.path / "docs").exists()


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        (APP + UTIL + created("src"), "src/mine.log"),
        (created("notes.log/x"), "notes.log"),
        (created("notes.log"), "notes.log"),
        (created(f"src/{'n' * 300}"), "too long a name"),
    ],
    ids=["folder with an ignored file", "below an ignored file", "an ignored file", "300 bytes"],
)
def test_what_is_in_the_way_of_a_patch_is_named_and_stays(patch: str, sentence: str, repo: Repo, claude: Claude) -> None:
    repo.write("src/mine.log", "mine\n")
    before = repo.tree()

    report = patched(repo, claude, patch, "**")

    assert report["code"] in ("STOP_PATCH_APPLY_FAILED", "STOP_PATCH_REJECTED"), report
    assert sentence in report["error"]["detail"]
    assert repo.tree() == before


# --- what is said to be removed is gone -----------------------------------------------------------------

OLD_RUNS = [f"2020010{day}T000000Z-000{day}" for day in (1, 2, 3)]


def with_old_runs(repo: Repo) -> Path:
    history = repo.path / "relais/history"
    for run_id in OLD_RUNS:
        repo.write(f"relais/history/{run_id}/report.md", "x\n")
    return history


def test_prune_says_of_a_linked_run_that_it_is_still_there(repo: Repo, tmp_path: Path) -> None:
    history = with_old_runs(repo)
    (history / OLD_RUNS[0]).rename(tmp_path / "elsewhere")
    (history / OLD_RUNS[0]).symlink_to(tmp_path / "elsewhere")

    done = repo.relais("history", "prune", "--keep", "1")

    assert done.returncode == 0
    assert "removed 1 run, kept the newest 1" in done.stdout
    assert f"not removed: {OLD_RUNS[0]} (a link" in done.stdout
    assert (tmp_path / "elsewhere/report.md").exists()
    assert sorted(path.name for path in history.iterdir()) == [OLD_RUNS[0], OLD_RUNS[2]]


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="LOUD: only root makes a folder that resists its owner (chattr); not tested")
def test_prune_says_of_a_run_that_resists_that_it_is_still_there(repo: Repo) -> None:
    history = with_old_runs(repo)
    immovable = history / OLD_RUNS[0]
    if subprocess.run(["chattr", "+i", str(immovable)], check=False, capture_output=True).returncode:
        pytest.skip("LOUD: this file system knows no immutable folders; not tested")
    try:
        done = repo.relais("history", "prune", "--keep", "0", "--json")
    finally:
        subprocess.run(["chattr", "-i", str(immovable)], check=True)

    assert done.returncode == 10
    document = json.loads(done.stdout)
    assert document == {"code": "STOP_INTERRUPTED", "removed": OLD_RUNS[1:], "left": OLD_RUNS[:1]}


# --- init reads what is there, and goes on --------------------------------------------------------------

MEMBER = '{"scripts": {"test": "true"}}\n'


def with_unreadable_folder(repo: Repo) -> None:
    repo.write("closed/a/package.json", MEMBER)
    (repo.path / "closed").chmod(0)


def with_link_out(repo: Repo) -> None:
    elsewhere = repo.path.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / "package.json").write_text(MEMBER)
    (repo.path / "closed").mkdir()
    (repo.path / "closed/out").symlink_to(elsewhere)


def with_circle(repo: Repo) -> None:
    (repo.path / "closed").symlink_to("closed")


def with_pipe(repo: Repo) -> None:
    (repo.path / "closed/a").mkdir(parents=True)
    os.mkfifo(repo.path / "closed/a/package.json")


# What package.json says, what else is there; nothing of it gives a check.
PACKAGES: dict[str, tuple[str | bytes, Callable[[Repo], None] | None]] = {
    "an unreadable folder": ('{"workspaces": ["closed/*"]}', with_unreadable_folder),
    "a folder in an unreadable one": ('{"workspaces": ["closed/a/*", "closed/a"]}', with_unreadable_folder),
    "links out of the repo": ('{"workspaces": ["closed/*"]}', with_link_out),
    "a link in circles": ('{"workspaces": ["closed/*", "closed"]}', with_circle),
    "a pipe": ('{"workspaces": ["closed/*"]}', with_pipe),
    "absolute": ('{"workspaces": ["/etc/*", "/etc"]}', None),
    "upwards": ('{"workspaces": ["../*", "../../*"]}', with_link_out),
    "a NUL": ('{"workspaces": ["a\\u0000b/*", "a\\u0000b"]}', None),
    "a lone surrogate": ('{"workspaces": ["\\ud800/*", "\\ud800"]}', None),
    "a name of 5,000 bytes": (json.dumps({"workspaces": ["n" * 5000 + "/*"]}), None),
    "broken": ('{"workspaces": ["closed/*"', None),
    "no UTF-8": (b'{"workspaces": ["\xff\xfe/*"]}', None),
    "deep": ('{"workspaces": ' + "[" * 100_000 + "]" * 100_000 + "}", None),
    "huge": ('{"workspaces": [' + '"x",' * 1_000_000 + '"x"]}', None),
    "other types": ('{"workspaces": 7, "scripts": [1]}', None),
}


def as_anybody() -> None:
    """Root without its right to read everything: closed folders are closed to it too."""
    if os.getuid() == 0:
        for capability in (1, 2):
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="LOUD: rights are dropped as Linux does it; not tested")
@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_that_is_odd_does_not_stop_init(name: str, new_repo: Callable[[], Repo]) -> None:
    text, given = PACKAGES[name]
    repo = new_repo()
    repo.write("package.json", text)
    if given:
        given(repo)
    argv = [sys.executable, "relais.py", "init", "--yes", "--json"]
    try:
        done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=False, preexec_fn=as_anybody)
    finally:
        if (repo.path / "closed").is_dir():
            (repo.path / "closed").chmod(0o755)

    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(repo.read("relais.config.json"))["verification"]["templates"] == []


# --- the person's own work during a tick ------------------------------------------------------------------

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: only Linux keeps the workspace from a builder by its kernel; not tested here")
WAITS = """
import os, time
notes = {notes!r}
open(os.path.join(notes, "begun"), "w").close()
end = time.monotonic() + 60
while not os.path.exists(os.path.join(notes, "go")) and time.monotonic() < end:
    time.sleep(0.01)
"""


@dataclass
class Tick:
    """A tick whose builder has changed src/app.py, and whose builder or check waits until the person has done something."""

    repo: Repo
    claude: Claude
    process: Process

    def ended(self) -> int:
        (self.claude.notes_dir / "go").touch()
        self.process.communicate(timeout=60)
        return self.process.returncode


Begin = Callable[..., Tick]


@pytest.fixture
def begin(repo: Repo, claude: Claude, start: Callable[..., Process]) -> Begin:
    def begun(*, who: str = "builder", does: str = "", task: Document = {}, **config: Document) -> Tick:
        waits = WAITS.format(notes=str(claude.notes_dir)) + does
        templates = [*json.loads(repo.read("relais.config.json"))["verification"]["templates"], {"id": "waits", "cmd": sys.executable, "args": ["-c", waits]}]
        repo.configure(deep_merge(config, {"verification": {"templates": templates}}))
        repo.commit("how this tick is run")
        plays = {"python": waits} if who == "builder" else {}
        claude.plays({"says": a_task(**task)}, {"says": a_result(), "writes": {"src/app.py": "better\n"}, **plays})
        process = start("run", "--quiet")
        until((claude.notes_dir / "begun").exists)
        return Tick(repo, claude, process)

    return begun


def edited_in_place(path: Path, text: str) -> None:
    path.write_text(text)


def replaced(path: Path, text: str) -> None:
    """As vim and many others save."""
    (path.parent / "4913").write_text(text)
    (path.parent / "4913").replace(path)


PERSONS = ["relais/GOAL.md", "relais/FACTS.md", "relais/prompts/builder.user.txt", "relais/.GOAL.md.swp"]


@LINUX
@pytest.mark.parametrize("save", [edited_in_place, replaced])
def test_what_the_person_writes_during_a_confined_tick_is_left_and_counts_from_the_next(save: Callable[[Path, str], None], repo: Repo, begin: Begin) -> None:
    tick = begin(runner={"sandbox": "on"}, verification={"sandbox": "on", "required_fast": ["ok"]})
    for path in PERSONS:
        save(repo.path / path, "mine\n")

    assert tick.ended() == 0, repo.report

    assert repo.report["code"] == "SUCCESS"
    assert {path: repo.read(path) for path in PERSONS} == dict.fromkeys(PERSONS, "mine\n")
    warnings = "\n".join(repo.report["budgets"]["warnings"])
    assert "relais/GOAL.md was edited during the tick: that counts from the next one on" in warnings
    assert repo.git("show", "--name-only", "--format=") == "src/app.py\n"


@LINUX
def test_a_configuration_edited_in_its_place_during_a_confined_tick_is_left(repo: Repo, begin: Begin) -> None:
    tick = begin(runner={"sandbox": "on"})
    repo.configure({"budgets": {"max_ticks": 7}})

    assert tick.ended() == 0, repo.report

    assert json.loads(repo.read("relais.config.json"))["budgets"]["max_ticks"] == 7
    assert repo.report["code"] == "SUCCESS"


# --- while a confined Brain thinks nobody but the person writes ------------------------------------------


def typed_while_the_brain_thinks(repo: Repo, claude: Claude, start: Callable[..., Process], types: Callable[[], object]) -> Document:
    """A tick whose Brain answers only once the person has done this."""
    repo.configure({"runner": {"sandbox": "on"}, "verification": {"sandbox": "on"}})
    repo.git("commit", "-q", "-a", "-m", "how this tick is run")
    claude.plays({"says": a_task(), "python": WAITS.format(notes=str(claude.notes_dir))}, {"says": a_result(), "writes": {"src/app.py": "better\n"}})
    process = start("run", "--quiet")
    until((claude.notes_dir / "begun").exists)
    types()
    (claude.notes_dir / "go").touch()
    process.wait(timeout=60)
    return repo.report


@LINUX
@pytest.mark.parametrize("path", ["README.md", "src/app.py", "new.md"])
def test_a_file_saved_while_the_brain_thinks_is_left_and_nobody_is_blamed(path: str, repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    report = typed_while_the_brain_thinks(repo, claude, start, lambda: repo.write(path, "mine\n"))

    assert (report["code"], claude.count) == ("BLOCKED_DIRTY_WORKTREE", 1)
    assert path in report["error"]["detail"]
    assert repo.read(path) == "mine\n"
    assert repo.relais("status", "--preflight").returncode == 20, "dirty, and not cut off"
    assert "was cut off" not in repo.blocked["reason"]


@LINUX
def test_a_commit_made_while_the_brain_thinks_stays_where_it_is(repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    report = typed_while_the_brain_thinks(repo, claude, start, lambda: repo.git("commit", "-q", "--allow-empty", "-m", "mine"))

    assert (report["code"], claude.count) == ("STOP_HEAD_MOVED", 1)
    assert repo.git("log", "-1", "--format=%s") == "mine\n"


@LINUX
def test_what_git_ignores_and_refs_of_the_persons_from_that_time_outlast_a_rollback(repo: Repo, claude: Claude, start: Callable[..., Process]) -> None:
    def types() -> None:
        repo.write(".env", "KEY=mine\n")
        repo.write("logs/new.log", "mine\n")
        repo.git("tag", "v1")
        (repo.path / "notes.log").unlink()

    repo.configure({"verification": {"required_fast": ["fail"]}})
    report = typed_while_the_brain_thinks(repo, claude, start, types)

    assert report["code"] == "STOP_VERIFY_FAILED_FAST", report
    assert report["rollback"]["ok"] is True
    assert (repo.read(".env"), repo.read("logs/new.log"), repo.git("tag")) == ("KEY=mine\n", "mine\n", "v1\n")
    assert not (repo.path / "notes.log").exists()


@LINUX
def test_what_the_person_writes_is_left_by_a_rollback_too(repo: Repo, begin: Begin) -> None:
    tick = begin(task={"verification": {"fast": ["fail"]}}, runner={"sandbox": "on"}, verification={"sandbox": "on"})
    repo.write("relais/GOAL.md", "mine\n")

    assert tick.ended() == 10

    assert (repo.report["code"], repo.report["rollback"]["ok"]) == ("STOP_VERIFY_FAILED_FAST", True)
    assert repo.read("relais/GOAL.md") == "mine\n"
    assert repo.read("src/app.py") == "one\ntwo\nthree\n"


UNCONFINED: dict[str, tuple[Document, Document]] = {
    "builder": ({"runner": {"sandbox": "off"}}, {}),
    "check": ({"runner": {"sandbox": "on"}, "verification": {"sandbox": "off"}}, {"verification": {"fast": ["waits"]}}),
}


@LINUX
@pytest.mark.parametrize("who", UNCONFINED)
@pytest.mark.parametrize("path", ["relais/GOAL.md", "relais.config.json"])
def test_where_something_ran_unconfined_an_edit_is_a_stop_that_names_both_versions(path: str, who: str, repo: Repo, begin: Begin) -> None:
    config, task = UNCONFINED[who]
    tick = begin(who=who, task=task, **config)
    before = repo.read(path)
    (repo.path / path).write_text(before + "\n")

    assert tick.ended() == 10

    assert repo.report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert repo.read(path) == before
    kept = [place for place in repo.history().rglob(Path(path).name) if "quarantine" in str(place)]
    assert [place.read_text() for place in kept] == [before + "\n"]
    told = f"{path} changed during the tick and is back as it was before; the changed one: {kept[0].relative_to(repo.path)}"
    assert told in repo.report["budgets"]["warnings"]
    assert told in repo.read("relais/REPORT.md").replace("\\", "")


@LINUX
def test_a_configuration_that_was_replaced_is_a_stop_because_the_builder_could_reach_it_then(repo: Repo, begin: Begin) -> None:
    tick = begin(runner={"sandbox": "on"}, does="open('relais.config.json', 'w').write('{}')")
    before = repo.read("relais.config.json")
    replaced(repo.path / "relais.config.json", before + "\n")

    assert tick.ended() == 10

    assert repo.report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert repo.read("relais.config.json") == before
    kept = repo.quarantine("tree/relais.config.json")
    assert kept.read_text() == "{}"  # the kernel's guard went with the file that it was on


EDITORS_FILES = ["src/.app.py.swp", "src/4913", "src/app.py~", "src/#app.py#", "src/new/.new.py.swo", "docs/.DS_Store", ".README.md.swp"]


@pytest.mark.parametrize("allow_new_files", [True, False])
def test_an_editors_files_are_set_aside_and_neither_judged_nor_committed(allow_new_files: bool, repo: Repo, claude: Claude) -> None:
    made = {path: f"{path}\n" for path in EDITORS_FILES if allow_new_files or "/new/" not in path}
    work = {"src/app.py": "better\n", **({"src/new/new.py": "x\n"} if allow_new_files else {})}
    opens = "import os; os.symlink('person@host.1:2', 'src/.#app.py')"
    claude.plays({"says": a_task(scope={"allow_new_files": allow_new_files})}, {"says": a_result(), "writes": {**work, **made}, "python": opens})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS", repo.report
    assert repo.git("show", "--name-only", "--format=").split() == sorted(work)
    assert repo.status == ""
    kept = repo.quarantine("editor")
    assert {path: (kept / path).read_text() for path in made} == made
    assert (kept / "src/.#app.py").is_symlink()
    assert "files of an editor were set aside: " in str(repo.report["budgets"]["warnings"])


def test_an_editors_file_that_is_tracked_is_a_file_like_any_other(repo: Repo, claude: Claude) -> None:
    repo.write("src/app.py~", "old\n")
    repo.commit("somebody committed it")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py~": "new\n"}})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.git("show", "HEAD:src/app.py~") == "new\n"


@pytest.mark.parametrize("path", [".idea/workspace.xml", ".vscode/settings.json"])
def test_an_editors_settings_stay_forbidden_and_are_not_lost(path: str, repo: Repo, begin: Begin) -> None:
    tick = begin()
    repo.write(path, "mine\n")

    assert tick.ended() == 10

    assert repo.report["scope"]["violations"] == [path]
    kept = [place.read_text() for place in repo.history().rglob(Path(path).name) if "quarantine" in str(place)]
    assert kept == ["mine\n"]


def test_nobody_is_said_to_have_moved_what_the_person_is_to_move(repo: Repo) -> None:
    repo.write("relais/STATE.json", "{")

    done = repo.relais("status", "--preflight")

    assert "damaged: move them away" in done.stdout
    assert "hint: mv relais/STATE.json relais/STATE.json.damaged" in done.stdout
