"""What is missing, broken or hostile: a code, a sentence, the next command, and nothing of the person's lost."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Callable, Optional

import pytest
from helpers import PROGRAM, Claude, Document, Process, Repo, a_result, a_task, deep_merge, snapshot, until

from relais.commands.init import assets
from relais.contract.state import State, state_document
from relais.world.host import boot_id, digest_of, process_started

Done = subprocess.CompletedProcess

EDIT = {"src/app.py": "one\n2\nthree\n"}
CONFIG = "relais.config.json"
EXIT_STATUS = {"SUCCESS": 0, "STOP": 10, "BLOCKED": 20}


def hints(done: Done[str]) -> list[str]:
    return [line[len("hint: ") :] for line in (done.stdout + done.stderr).splitlines() if line.startswith("hint: ")]


TRY_LATER = ("rate_limit", "overloaded", "server", "connection")


def exit_of(code: str, kind: str = "") -> int:
    return 75 if code == "BLOCKED_RATE_LIMITED" or kind in TRY_LATER else EXIT_STATUS[code.partition("_")[0]]


def assert_said(done: Done[str], code: str, *words: str) -> None:
    """The code, its exit status, the words, no traceback; where it blocks, what to type next."""
    output = done.stdout + done.stderr
    assert "Traceback" not in output
    assert "bug in relais" not in output
    assert code in output
    assert done.returncode == exit_of(code), output
    for word in words:
        assert word in output
    if code.startswith("BLOCKED"):
        assert hints(done), output


def plays_a_good_tick(claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})


def assert_refused(repo: Repo, claude: Claude, code: str, *words: str) -> Done[str]:
    """`run` says no: no call is paid for, nothing of the person's changes."""
    plays_a_good_tick(claude)
    tree, status, git_dir, head = repo.tree(), repo.status, repo.git_dir_tree(), repo.git("rev-parse", "-q", "--verify", "HEAD", check=False)

    done = repo.relais("run")

    assert_said(done, code, *words)
    assert claude.count == 0
    assert repo.tree() == tree
    assert repo.status == status
    assert repo.git_dir_tree() == git_dir
    assert repo.git("rev-parse", "-q", "--verify", "HEAD", check=False) == head
    assert not (repo.path / "relais/inflight.json").exists()
    return done


# --- the configuration --------------------------------------------------------------------


def changed(**changes: Any) -> Callable[[str], str]:
    return lambda text: json.dumps(deep_merge(json.loads(text), changes), indent=2)


def with_first_line(line: str) -> Callable[[str], str]:
    return lambda text: text.replace("{", "{\n  " + line + ",", 1)


TEMPLATE = {"id": "ok", "cmd": "true", "args": []}
BAD_CONFIGS: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "half of it": (lambda text: text[: len(text) // 2], (CONFIG, "line")),
    "nothing in it": (lambda text: "", (CONFIG,)),
    "an array": (lambda text: f"[{text}]", (CONFIG, "object")),
    "a string": (lambda text: '"hello"', (CONFIG, "object")),
    "null": (lambda text: "null", (CONFIG, "object")),
    "a merge conflict": (lambda text: f"<<<<<<< HEAD\n{text}", (CONFIG, "line 1")),
    "deep brackets": (lambda text: "[" * 100_000, (CONFIG,)),
    "not UTF-8": (lambda text: text.replace("{", '{"x": "\udcff",', 1), (CONFIG,)),
    "NaN": (changed(budgets={"warn_at_fraction": float("nan")}), (CONFIG, "NaN")),
    "Infinity": (changed(budgets={"warn_at_fraction": float("inf")}), (CONFIG, "Infinity")),
    "a key twice": (with_first_line('"scope": {}'), (CONFIG, "scope", "twice")),
    "an unknown key": (changed(zzzzqqqq=1), ("zzzzqqqq", "not a known key")),
    "a misspelt key": (changed(runner={"max_tick_second": 5}), ("runner.max_tick_second", "did you mean max_tick_seconds?")),
    "a misspelt section": (changed(bugdets={}), ("bugdets", "did you mean budgets?")),
    "a misspelt key in a list": (
        changed(verification={"templates": [{**TEMPLATE, "argz": []}]}),
        ("verification.templates[0].argz", "did you mean args?"),
    ),
    "a wrong type": (changed(runner={"max_tick_seconds": "long"}), ("runner.max_tick_seconds", "integer")),
    "a wrong type in a list": (
        changed(verification={"templates": [TEMPLATE, {**TEMPLATE, "cmd": 5}]}),
        ("verification.templates[1].cmd", "string"),
    ),
    "true for a number": (changed(runner={"max_tick_seconds": True}), ("runner.max_tick_seconds",)),
    "null for a section": (lambda text: text.replace('"scope": {', '"scope": null, "scope_was": {', 1), (CONFIG,)),
    "no version": (changed(version=None), ("version",)),
    "a bad glob": (changed(scope={"default_forbidden_globs": ["a**b"]}), ("scope.default_forbidden_globs", "a**b")),
    "a glob with braces": (changed(scope={"ceiling_globs": ["*.{ts,tsx}"]}), ("scope.ceiling_globs", "*.{ts,tsx}")),
    "a template twice": (changed(verification={"templates": [TEMPLATE, TEMPLATE]}), ("verification.templates", "ok", "twice")),
    "a required template that is none": (changed(verification={"required_fast": ["nope"]}), ("verification.required_fast", "nope")),
    "a bad regex": (
        changed(verification={"reject_metachars_regex": "[unclosed"}),
        ("verification.reject_metachars_regex", "unterminated"),
    ),
    "a workspace outside": (changed(history={"dir": "../elsewhere"}), ("history.dir",)),
}


@pytest.mark.parametrize("name", BAD_CONFIGS)
def test_a_bad_configuration_is_named_and_blocks(name: str, repo: Repo, claude: Claude) -> None:
    change, words = BAD_CONFIGS[name]
    text = change(repo.read(CONFIG)).encode("utf-8", "surrogateescape")
    repo.write(CONFIG, text)

    assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", *words)

    assert (repo.path / CONFIG).read_bytes() == text
    assert repo.blocked["code"] == "BLOCKED_MISSING_CONFIG"
    assert repo.blocked["remediation"]


def test_no_configuration_says_init(repo: Repo, claude: Claude) -> None:
    (repo.path / CONFIG).unlink()

    done = assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", CONFIG)

    assert hints(done) == ["python3 relais.py init"]
    assert not (repo.path / CONFIG).exists()


@pytest.mark.parametrize("kind", ["a folder", "a FIFO", "a link to nowhere"])
def test_a_configuration_that_is_no_file_blocks(kind: str, repo: Repo, claude: Claude) -> None:
    path = repo.path / CONFIG
    path.unlink()
    {"a folder": path.mkdir, "a FIFO": lambda: os.mkfifo(path), "a link to nowhere": lambda: path.symlink_to("nowhere")}[kind]()

    assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", CONFIG)


def test_a_misspelt_key_is_a_problem_line_at_the_configuration(repo: Repo) -> None:
    repo.configure({"bugdets": {}})

    done = repo.relais("run")

    assert any(line.startswith(f"relais: error BLOCKED_MISSING_CONFIG {CONFIG}:") for line in (done.stdout + done.stderr).splitlines())


# --- the repository -----------------------------------------------------------------------


def test_outside_a_repository_it_says_git_init(tmp_path: Path, repo: Repo) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    done = repo.relais("run", cwd=elsewhere)

    assert_said(done, "BLOCKED_MISSING_CONFIG", "not in a git repository")
    assert hints(done) == ["git init"]
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("command", ["init", "doctor", "status", "history", "recover"])
def test_outside_a_repository_every_command_exits_20(command: str, tmp_path: Path, repo: Repo) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    done = repo.relais(command, cwd=elsewhere)

    assert done.returncode == 20
    assert "Traceback" not in done.stderr
    assert "git init" in done.stdout + done.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_repository_without_a_commit_blocks(tmp_path: Path, claude: Claude) -> None:
    fresh = Repo(tmp_path / "fresh", os.environ)
    fresh.write("mine.txt", "mine\n")
    shutil.copy(PROGRAM, fresh.path)
    fresh.git("init", "-q")
    fresh.relais("init")

    done = assert_refused(fresh, claude, "BLOCKED_MISSING_CONFIG", "no commit yet")

    assert any("git commit" in hint for hint in hints(done))
    assert fresh.report["base_commit"] == "0000000"
    assert fresh.report["task"]["task_id"] == "none"


def test_a_bare_repository_blocks(tmp_path: Path, repo: Repo) -> None:
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    before = snapshot(bare, lambda path: False)

    done = repo.relais("run", cwd=bare)

    assert_said(done, "BLOCKED_MISSING_CONFIG", "bare")
    assert snapshot(bare, lambda path: False) == before


def merge(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.git("commit", "-q", "--allow-empty", "-m", "side")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", "ours", "--no-ff", "--no-commit", "side")


def rebase(repo: Repo) -> None:
    repo.git("rebase", "-q", "--force-rebase", "-x", "false", "HEAD~1", check=False)


def conflict(repo: Repo, *command: str) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.write("src/app.py", "side\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write("src/app.py", "main\n")
    repo.commit("main")
    repo.git(*command, check=False)


OPERATIONS: dict[str, Callable[[Repo], object]] = {
    "a merge": merge,
    "a rebase": rebase,
    "a cherry-pick": lambda repo: conflict(repo, "cherry-pick", "side"),
    "a revert": lambda repo: conflict(repo, "revert", "--no-edit", "side"),
    "a bisect": lambda repo: repo.git("bisect", "start"),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_in_progress_blocks(name: str, repo: Repo, claude: Claude) -> None:
    OPERATIONS[name](repo)

    assert_refused(repo, claude, "BLOCKED_DIRTY_WORKTREE", name)


DIRT: dict[str, Callable[[Repo], object]] = {
    "src/app.py": lambda repo: repo.write("src/app.py", "mine\n"),
    "docs/guide.md": lambda repo: (repo.write("docs/guide.md", "mine\n"), repo.git("add", "-A")),
    "new.txt": lambda repo: repo.write("new.txt", "mine\n"),
    "README.md": lambda repo: repo.git("rm", "-q", "README.md"),
    "src/util.py": lambda repo: (repo.path / "src/util.py").unlink(),
    "package.json": lambda repo: (repo.path / "package.json").chmod(0o755),
    "added.txt": lambda repo: (repo.write("added.txt", ""), repo.git("add", "-N", "added.txt")),
}


@pytest.mark.parametrize("path", DIRT)
def test_a_dirty_tree_blocks_and_names_the_path(path: str, repo: Repo, claude: Claude) -> None:
    DIRT[path](repo)

    assert_refused(repo, claude, "BLOCKED_DIRTY_WORKTREE", path)

    assert repo.blocked["code"] == repo.report["code"] == "BLOCKED_DIRTY_WORKTREE"


@pytest.mark.parametrize("path", ["relais/GOAL.md", "relais/FACTS.md", "relais/BACKLOG.notes", CONFIG])
def test_what_the_person_edits_between_ticks_is_no_dirt(path: str, repo: Repo, claude: Claude) -> None:
    text = repo.read(path) if (repo.path / path).exists() else ""
    repo.write(path, text + "\n")
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert repo.read(path) == text + "\n"
    assert repo.git("diff", "--name-only", "HEAD~1", "HEAD").split() == ["src/app.py"]


def test_refs_that_are_no_files_could_move_unseen(repo: Repo, claude: Claude) -> None:
    """As long as the format's version is 0, git itself does not heed the word: a git of before 2.45 shows it too."""
    repo.git("config", "extensions.refStorage", "reftable")

    done = assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", "reftable")

    assert hints(done) == ["git refs migrate --ref-format=files"]


def test_an_entry_marked_assume_unchanged_blocks(repo: Repo, claude: Claude) -> None:
    repo.git("update-index", "--assume-unchanged", "src/util.py")
    repo.write("src/util.py", "hidden work\n")

    done = assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", "src/util.py", "assume-unchanged")

    subprocess.run(hints(done)[0], shell=True, cwd=repo.path, env=repo.env, check=True)  # noqa: S602 that is what a person does
    assert repo.status == " M src/util.py\n"


def test_the_command_for_an_assume_unchanged_entry_works_for_any_name(repo: Repo) -> None:
    repo.write("src/it's here.py", "x\n")
    repo.commit()
    repo.git("update-index", "--assume-unchanged", "src/it's here.py")

    done = repo.relais("run")

    subprocess.run(hints(done)[0], shell=True, cwd=repo.path, env=repo.env, check=True)  # noqa: S602
    assert "h " not in repo.git("ls-files", "-v")


def odd_git(bin_dir: Path, does: Mapping[str, str]) -> None:
    """A git that does something else at some of its commands."""
    real = shutil.which("git")
    cases = "".join(f'case "$*" in *{command}*) {script};; esac\n' for command, script in does.items())
    fake = bin_dir / "git"
    fake.write_text(f'#!/bin/sh\n{cases}exec {real} "$@"\n')
    fake.chmod(0o755)


def old_git(bin_dir: Path, version: str) -> None:
    odd_git(bin_dir, {"--version": f'echo "{version}"; exit'})


@pytest.mark.parametrize("version", ["git version 2.20.1", "git version 2.31.9 (Apple Git-130)", "git version 1.9"])
def test_a_git_that_is_too_old_blocks(version: str, repo: Repo, claude: Claude) -> None:
    old_git(claude.bin_dir, version)

    assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", version.split()[2], "2.32")


@pytest.mark.parametrize("version", ["git version 2.39.3 (Apple Git-146)", "git version 2.45.1.windows.1", "git version 3.0.0-rc1"])
def test_the_ways_git_says_its_version_are_understood(version: str, repo: Repo, claude: Claude) -> None:
    old_git(claude.bin_dir, version)

    done = repo.relais("status", "--preflight")

    assert (done.returncode, done.stdout) == (0, "ready: relais run\n"), done.stderr


def is_ended(note: Path) -> bool:
    """Whether the process whose number stands there is gone."""
    try:
        os.kill(int(note.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def test_where_one_git_fails_the_other_is_ended(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    note = tmp_path / "slow git"
    fails = f"until [ -s '{note}' ]; do sleep 0.01; done; exit 128"
    odd_git(claude.bin_dir, {"ls-files": fails, "status": f"echo $$ > '{note}'; exec sleep 60"})

    began = time.monotonic()
    done = repo.relais("run")

    assert_said(done, "BLOCKED_MISSING_CONFIG", "git cannot read this repository")
    assert time.monotonic() - began < 30
    assert is_ended(note)


def test_ctrl_c_in_preflight_also_ends_the_git_it_waits_for(repo: Repo, claude: Claude, start: Callable[..., Process], tmp_path: Path) -> None:
    note = tmp_path / "slow git"
    odd_git(claude.bin_dir, {"status": f"echo $$ > '{note}'; exec sleep 60"})
    process = start("status", "--preflight")
    until(lambda: note.exists() and note.read_text().strip())

    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=20) == 130
    until(lambda: is_ended(note))


@pytest.mark.parametrize("command", [["run"], ["status", "--preflight"], ["run", "--dry-run"], ["doctor"]], ids=" ".join)
def test_a_git_that_fails_is_said_and_is_no_bug(command: list[str], repo: Repo, claude: Claude) -> None:
    fake = claude.bin_dir / "git"
    fake.write_text("#!/bin/sh\necho 'dyld: library not loaded' >&2\nexit 134\n")
    fake.chmod(0o755)
    plays_a_good_tick(claude)
    tree = repo.tree()

    done = repo.relais(*command)

    assert done.returncode in (10, 20), done.stderr
    assert "Traceback" not in done.stderr
    assert "bug in relais" not in done.stderr
    assert claude.count == 0
    assert repo.tree() == tree


def test_without_git_it_says_so(repo: Repo, claude: Claude) -> None:
    done = repo.relais("run", env={"PATH": str(claude.bin_dir)})

    assert_said(done, "BLOCKED_MISSING_CONFIG", "git is not on PATH")


@pytest.mark.parametrize("missing", ["name", "email"])
def test_no_identity_blocks_before_anything_is_paid_for(missing: str, repo: Repo, claude: Claude) -> None:
    Path(repo.env["HOME"], ".gitconfig").write_text(f"[user]\n\t{'email = a@b.c' if missing == 'name' else 'name = A'}\n")

    done = assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", "who you are")

    subprocess.run(hints(done)[0], shell=True, cwd=repo.path, env=repo.env, check=True)  # noqa: S602
    assert repo.relais("status", "--preflight").returncode == 0


def test_without_commits_no_identity_is_needed(repo: Repo, claude: Claude) -> None:
    Path(repo.env["HOME"], ".gitconfig").write_text("")
    repo.configure({"git": {"commit_on_success": False}})
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert repo.status == f" M {CONFIG}\n M src/app.py\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("folder", [".", ".git"])
def test_a_folder_of_another_owner_blocks(folder: str, repo: Repo, claude: Claude) -> None:
    os.chown(repo.path / folder, 65534, 65534)
    plays_a_good_tick(claude)
    tree = repo.tree()

    done = repo.relais("run")

    assert_said(done, "BLOCKED_MISSING_CONFIG", "belongs to another user")
    assert claude.count == 0
    assert repo.tree() == tree


# --- the disk -----------------------------------------------------------------------------

UNSHARE = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-r", "-m"]


@pytest.fixture
def mounts(tmp_path: Path) -> None:
    probe = tmp_path / "probe"
    probe.mkdir()
    try:
        done = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "tmpfs", str(probe)], capture_output=True, timeout=30, check=False)
    except FileNotFoundError:
        pytest.skip("NOT TESTED: there is no unshare here, so no disk can be made read-only or full")
    if done.returncode != 0:
        pytest.skip(f"NOT TESTED: no private mounts here: {done.stderr.decode().strip()}")


def shell(script: str, repo: Repo, **variables: Path | str) -> Done[str]:
    env = {**repo.env, **{name: str(value) for name, value in variables.items()}, "PYTHON": sys.executable}
    return subprocess.run([*UNSHARE, "sh", "-c", script], cwd=repo.path.parent, env=env, capture_output=True, encoding="utf-8", timeout=120, check=False)


@pytest.mark.parametrize("command", ["run", "run --dry-run", "status", "status --preflight", "history", "doctor", "answer x"])
def test_a_read_only_repository_is_no_bug(command: str, repo: Repo, claude: Claude, mounts: None) -> None:
    plays_a_good_tick(claude)
    before = snapshot(repo.path, lambda path: False)

    done = shell(f'mount --bind -o ro "$REPO" "$REPO" && cd "$REPO" && exec "$PYTHON" relais.py {command}', repo, REPO=repo.path)

    assert "Traceback" not in done.stderr
    assert "bug in relais" not in done.stderr
    if command.startswith(("run", "answer")):
        assert_said(done, "BLOCKED_MISSING_CONFIG", "Read-only file system")
    assert claude.count == 0
    assert snapshot(repo.path, lambda path: False) == before


def on_a_full_disk(repo: Repo, tmp_path: Path, *, first: str, vault: str) -> tuple[Done[str], Document, Repo]:
    """A run on a disk that fills; then space is made and `recover` typed. What was said, the verdict, the repo after it."""
    disk, out = tmp_path / "disk", tmp_path / "out"
    disk.mkdir()
    out.mkdir()
    script = f"""
        mount -t tmpfs -o size=12m tmpfs "$DISK" && cp -a "$REPO" "$DISK/repo" && cd "$DISK/repo" || exit 99
        {first}
        "$PYTHON" relais.py run --json > "$OUT/json"
        status=$?
        rm -f "$DISK/filler"
        "$PYTHON" relais.py recover --undo >&2 || {{ "$PYTHON" relais.py recover --json >&2; git status --short --ignored >&2; exit 98; }}
        rm -rf "$DISK/repo/.git/worktrees"
        cp -a "$DISK/repo" "$OUT/repo" || exit 97
        exit $status
    """
    done = shell(script, repo, DISK=disk, OUT=out, REPO=repo.path, XDG_STATE_HOME=disk / "state" if vault == "on it" else tmp_path / "state")
    assert done.returncode not in (97, 98, 99), done.stderr
    assert "Traceback" not in done.stderr
    assert "bug in relais" not in done.stderr
    return done, json.loads((out / "json").read_text()), Repo(out / "repo", repo.env)


@pytest.mark.parametrize("vault", ["on it", "elsewhere"])
def test_a_disk_that_is_full_before_a_tick_costs_nothing(vault: str, repo: Repo, claude: Claude, tmp_path: Path, mounts: None) -> None:
    plays_a_good_tick(claude)
    tree = repo.tree()

    done, said, after = on_a_full_disk(repo, tmp_path, first='cat /dev/zero > "$DISK/filler" 2>/dev/null', vault=vault)

    assert done.returncode in (10, 20)
    assert said["code"] != "SUCCESS"
    assert claude.count == 0
    assert after.tree() == tree
    assert after.head == repo.head


@pytest.mark.usefixtures("mounts")
def test_a_small_disk_with_room_for_what_comes_back_keeps_what_was_set_aside(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    """An editor's swap file may be all there is of what the person has not saved yet."""
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"README.md": "outside\n", ".README.md.swp": "unsaved\n", ".env": "KEY=2\n"}})

    _, said, after = on_a_full_disk(repo, tmp_path, first="", vault="elsewhere")

    assert said["rollback"]["ok"] is True
    assert after.quarantine("editor/.README.md.swp").read_text() == "unsaved\n"
    assert after.quarantine("tree/.env").read_text() == "KEY=2\n"


@pytest.mark.parametrize("vault", ["on it", "elsewhere"])
@pytest.mark.parametrize("who", ["brain", "builder"])
@pytest.mark.usefixtures("mounts")
def test_a_disk_that_fills_during_a_tick_loses_nothing(who: str, vault: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    fill = f"import os\ntry:\n    f = open({str(tmp_path / 'disk' / 'filler')!r}, 'wb', 0)\n    while True: f.write(b'x' * 4096)\nexcept OSError: pass\n"
    claude.plays(
        {"says": a_task(), "python": fill if who == "brain" else ""},
        {"says": a_result(), "writes": EDIT, "python": fill if who == "builder" else ""},
    )
    tree = repo.tree()

    done, said, after = on_a_full_disk(repo, tmp_path, first="true", vault=vault)

    if after.head == repo.head:
        assert said["code"] != "SUCCESS"
        assert done.returncode in (10, 20)
        assert after.tree() == tree
    else:
        assert after.read("src/app.py") == EDIT["src/app.py"]
    assert after.status == ""


# --- the agent ----------------------------------------------------------------------------


def test_without_claude_it_says_how_to_install_it(repo: Repo, claude: Claude) -> None:
    (claude.bin_dir / "claude").unlink()
    folders = [str(claude.bin_dir), *(f for f in os.environ["PATH"].split(os.pathsep) if not Path(f, "claude").exists())]
    repo.env["PATH"] = os.pathsep.join(folders)

    done = assert_refused(repo, claude, "BLOCKED_AGENT_UNAVAILABLE", "claude")

    assert "npm install -g @anthropic-ai/claude-code" in done.stdout


def test_a_claude_that_cannot_be_started_is_unavailable(repo: Repo, claude: Claude) -> None:
    (claude.bin_dir / "claude").write_text("#!/nonexistent/interpreter\n")

    done = repo.relais("run")

    assert_said(done, "BLOCKED_AGENT_UNAVAILABLE")
    assert repo.report["error"]["kind"] == "cli_missing"


EVENTS = [{"type": "system", "subtype": "init"}, {"type": "assistant", "message": {}}]


def wrapped(text: str, **more: Any) -> Document:
    return {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "result": text, **more}


TASK = json.dumps(a_task())
ACCEPTED: dict[str, Document] = {
    "an array of events": {"raw": json.dumps([*EVENTS, wrapped(TASK)])},
    "a line for each event": {"raw": "\n".join(map(json.dumps, [*EVENTS, wrapped(TASK)])) + "\n"},
    "a notice before the result": {"raw": "update available!\n" + json.dumps(wrapped(TASK))},
    "300 MB before the result": {"says": a_task(), "floods": [300_000_000, 0]},
    "noise on stderr": {"says": a_task(), "stderr": "warning\n" * 100},
    "a fenced task": {"says": f"```json\n{TASK}\n```"},
    "a fence without a language": {"says": f"\n```\n{TASK}\n```\n"},
    "white space around": {"says": f"\n\n  {TASK}\n\n"},
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_reply_in_this_form_is_accepted(name: str, repo: Repo, claude: Claude) -> None:
    claude.plays(ACCEPTED[name], {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert claude.count == 2


NOT_A_TASK: dict[str, str] = {
    "prose before it": f"Here is the task:\n{TASK}",
    "prose after it": f"{TASK}\nI hope this helps!",
    "two objects": TASK + TASK,
    "two fences": f"```json\n{TASK}\n```\n```json\n{TASK}\n```",
    "an array": f"[{TASK}]",
    "a string": json.dumps(TASK),
    "NaN": TASK.replace('"max_lines_changed": 400', '"max_lines_changed": NaN'),
    "a number out of range": TASK.replace('"max_lines_changed": 400', '"max_lines_changed": 1e999'),
    "a key twice": TASK.replace("{", '{"intent": "other",', 1),
    "brackets": "[" * 100_000,
    "braces": '{"a":' * 100_000,
    "nothing": "",
    "NUL": "\0",
    "a bad glob": json.dumps(a_task(scope={"allowed_globs": ["src/*.{ts,tsx}"]})),
    "an unknown key": json.dumps(a_task(sudo=True)),
}


@pytest.mark.parametrize("name", NOT_A_TASK)
def test_a_reply_that_is_no_task_is_asked_for_once_more_then_blocks(name: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": NOT_A_TASK[name]}, {"says": NOT_A_TASK[name]})
    tree = repo.tree()

    done = repo.relais("run")

    assert_said(done, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID")
    assert claude.count == 2
    assert repo.tree() == tree
    assert "Reason: " in claude.calls[1]["stdin"]
    assert "Reason: " not in claude.calls[0]["stdin"]


def api_error(status: Optional[int], words: str, **more: Any) -> Document:
    wrapper = {"is_error": True, "api_error_status": status, "terminal_reason": "api_error", **more}
    return {"says": words, "wrapper": wrapper, "exits": 1}


def cut_off(subtype: str) -> Document:
    return {"wrapper": {"is_error": True, "subtype": subtype, "errors": ["Reached a limit"]}, "without": ["result"], "exits": 1}


INTERRUPTED, UNAVAILABLE, LIMITED = "STOP_INTERRUPTED", "BLOCKED_AGENT_UNAVAILABLE", "BLOCKED_RATE_LIMITED"
FAILURES: dict[str, tuple[Document, str, str]] = {
    "429": (api_error(429, "API Error: Request rejected (429)"), LIMITED, "rate_limit"),
    "usage limit": (
        api_error(429, "You've hit your 5-hour limit · resets 4:34am (UTC)", api_error="usage_limit_reached"),
        LIMITED,
        "rate_limit",
    ),
    "usage limit, words only": (api_error(None, "You've hit your weekly limit · resets Monday"), LIMITED, "rate_limit"),
    "usage limit, old form": (api_error(None, "Claude AI usage limit reached|1893456000"), LIMITED, "rate_limit"),
    "usage limit, exit 0": ({**api_error(429, "You've hit your limit"), "exits": 0}, LIMITED, "rate_limit"),
    "401": (api_error(401, "Invalid API key · Fix external API key"), UNAVAILABLE, "auth"),
    "403": (api_error(403, "Failed to authenticate. API Error: 403"), UNAVAILABLE, "auth"),
    "not logged in": (api_error(None, "Not logged in · Please run /login"), UNAVAILABLE, "auth"),
    "404": (api_error(404, "There's an issue with the selected model"), UNAVAILABLE, "model"),
    "credit": (api_error(400, "Credit balance is too low"), UNAVAILABLE, "billing"),
    "connection": (api_error(None, "API Error: Connection refused", api_error="connection_failed"), INTERRUPTED, "connection"),
    "500": (api_error(500, "API Error: 500"), INTERRUPTED, "server"),
    "529": (api_error(529, "API Error: 529 Overloaded"), INTERRUPTED, "overloaded"),
    "400": (api_error(400, "API Error: 400"), INTERRUPTED, "wrapper"),
    "max turns": (cut_off("error_max_turns"), INTERRUPTED, "max_turns"),
    "max budget": (cut_off("error_max_budget_usd"), INTERRUPTED, "budget"),
    "no turn": ({"says": "/compact isn't available", "wrapper": {"num_turns": 0}}, INTERRUPTED, "wrapper"),
    "no count of turns": ({"says": a_task(), "without": ["num_turns"]}, INTERRUPTED, "wrapper"),
    "no error flag": ({"says": a_task(), "without": ["is_error"]}, INTERRUPTED, "wrapper"),
    "a result that is no string": ({"wrapper": {"result": {"task_id": "t-1"}}}, INTERRUPTED, "wrapper"),
    "success but exit 3": ({"says": a_task(), "exits": 3}, INTERRUPTED, "wrapper"),
    "exit 1, nothing said": ({"raw": "", "exits": 1, "stderr": "error: unknown option\n"}, INTERRUPTED, "process"),
    "killed": ({"signals": int(signal.SIGKILL)}, INTERRUPTED, "process"),
    "terminated": ({"signals": int(signal.SIGTERM)}, INTERRUPTED, "process"),
    "nothing": ({"raw": ""}, INTERRUPTED, "wrapper"),
    "HTML": ({"raw": "<!doctype html><title>502 Bad Gateway</title>"}, INTERRUPTED, "wrapper"),
    "300 MB": ({"raw": "", "floods": [300_000_000, 0]}, INTERRUPTED, "wrapper"),
    "invalid UTF-8": ({"raw": "\udcff\udcfe{\udc80"}, INTERRUPTED, "wrapper"),
    "NUL bytes": ({"raw": "\0" * 1000}, INTERRUPTED, "wrapper"),
    "brackets": ({"raw": "[" * 200_000}, INTERRUPTED, "wrapper"),
    "braces": ({"raw": '{"a":' * 200_000}, INTERRUPTED, "wrapper"),
    "an array without a result": ({"raw": json.dumps(EVENTS)}, INTERRUPTED, "wrapper"),
    "an object that is no result": ({"raw": TASK}, INTERRUPTED, "wrapper"),
    "escape codes": ({"raw": "", "exits": 1, "stderr": "\x1b]0;pwned\x07\x1b[31mred"}, INTERRUPTED, "process"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_brain_call_that_fails_is_told_apart(name: str, repo: Repo, claude: Claude) -> None:
    turn, code, kind = FAILURES[name]
    claude.plays(turn)
    tree, head = repo.tree(), repo.head

    done = repo.relais("run")

    output = done.stdout + done.stderr
    assert (repo.report["code"], repo.report["error"]["kind"]) == (code, kind), output
    assert done.returncode == exit_of(code, kind)
    assert ("retry_at" in repo.report["error"]) is (kind in TRY_LATER)
    assert repo.report["budgets"]["ticks"] == (kind not in (*TRY_LATER, "auth")), "nobody did anything"
    assert "Traceback" not in output
    assert "\x1b" not in output
    assert "\0" not in output
    assert claude.count == 1
    assert (repo.report["budgets"]["orchestrator_calls"], repo.report["budgets"]["builder_calls"]) == (1, 0)
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")


@pytest.mark.parametrize("name", ["429", "401", "500", "max turns", "killed", "nothing"])
def test_a_builder_call_that_fails_is_told_apart_and_rolled_back(name: str, repo: Repo, claude: Claude) -> None:
    turn, code, kind = FAILURES[name]
    claude.plays({"says": a_task()}, {**turn, "writes": {**EDIT, "src/new.py": "x\n", ".env": "KEY=stolen\n"}})
    tree, head = repo.tree(), repo.head

    done = repo.relais("run")

    assert (repo.report["code"], repo.report["error"]["kind"]) == (code, kind), done.stderr
    assert done.returncode == exit_of(code, kind)
    assert repo.report["rollback"]["ok"] is True
    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")
    assert repo.git("show", f"{repo.report['rollback']['rescue_ref']}:src/app.py") == EDIT["src/app.py"]


@pytest.mark.parametrize("name", ["429", "401", "500", "max turns", "exit 1, nothing said"])
def test_a_failed_call_says_what_to_type_next(name: str, repo: Repo, claude: Claude) -> None:
    claude.plays(FAILURES[name][0])

    done = repo.relais("run")

    assert hints(done), done.stdout + done.stderr


def test_a_login_that_is_refused_names_the_agents_own_command(repo: Repo, claude: Claude) -> None:
    claude.plays(FAILURES["not logged in"][0])

    assert hints(repo.relais("run"))[0] == "claude /login"


@pytest.mark.parametrize(("name", "key"), [("max turns", "max_turns"), ("max budget", "max_budget_usd")])
@pytest.mark.parametrize("role", ["orchestrator", "builder.claude_code"])
def test_what_an_agent_used_up_is_named_with_its_key(role: str, name: str, key: str, repo: Repo, claude: Claude) -> None:
    claude.plays(*[{"says": a_task()}][: role != "orchestrator"], FAILURES[name][0])

    done = repo.relais("run")

    assert hints(done)[0] == f"raise {role}.{key} in relais.config.json"
    assert f"{role}.{key}" in repo.report["error"]["detail"]


@pytest.mark.parametrize("name", ["429", "usage limit", "usage limit, old form"])
def test_a_rate_limit_says_when_to_try_again(name: str, repo: Repo, claude: Claude) -> None:
    claude.plays(FAILURES[name][0])

    done = repo.relais("run", "--json")

    assert done.returncode == 75
    assert json.loads(done.stdout)["error"]["retry_at"] > "2026"


def test_a_reset_time_in_the_message_is_used_exactly_plus_a_minute(repo: Repo, claude: Claude) -> None:
    claude.plays(FAILURES["usage limit, old form"][0])

    done = repo.relais("run", "--json")

    assert json.loads(done.stdout)["error"]["retry_at"] == "2030-01-01T00:01:00Z"


# The workspace is not in it: SPEC 15 has it looked at last, because people edit goal and facts while a Brain thinks.
BRAIN_SIDE_EFFECTS: dict[str, dict[str, str]] = {
    "a file in the task's scope": EDIT,
    "a file outside it": {"package.json": "[]\n"},
    "a new file": {"src/new.py": "x\n"},
    "an ignored file": {".env": "KEY=stolen\n"},
    "a hook": {".git/hooks/post-commit": "#!/bin/sh\ntouch pwned\n"},
}


@pytest.mark.parametrize("name", BRAIN_SIDE_EFFECTS)
def test_what_a_brain_changes_never_stays_behind(name: str, repo: Repo, claude: Claude) -> None:
    writes = BRAIN_SIDE_EFFECTS[name]
    claude.plays({"says": a_task(), "writes": writes}, {"says": a_result()})
    before = {path: repo.read(path) if (repo.path / path).exists() else None for path in writes}

    repo.relais("run")

    after = {path: repo.read(path) if (repo.path / path).exists() else None for path in writes}
    assert after == before or (repo.report["code"] == "SUCCESS" and repo.report["commit"])
    assert repo.status == ""
    if name != "a file in the task's scope":
        assert repo.report["code"] != "SUCCESS"


# --- schemas and prompts ------------------------------------------------------------------

WITHOUT_PACKAGES = "#!/bin/sh\nexec {python} -I -S \"$@\"\n"


@pytest.fixture
def bare_python(tmp_path: Path) -> str:
    """A Python that sees nothing installed beside it."""
    path = tmp_path / "bare-python"
    path.write_text(WITHOUT_PACKAGES.format(python=shlex.quote(sys.executable)))
    path.chmod(0o755)
    return str(path)


SCHEMAS = ["task", "config", "state", "report", "builder_result"]


def edited_schema(repo: Repo, name: str) -> None:
    path = f"relais/schemas/{name}.schema.json"
    repo.write(path, json.dumps({**json.loads(repo.read(path)), "description": "mine"}))
    repo.commit("edit a schema")


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_edited_into_nonsense_blocks(name: str, repo: Repo, claude: Claude) -> None:
    nonsense = '{"type": 17, "properties": []}'
    plays_a_good_tick(claude)
    if name == "report":
        repo.relais("run")
        plays_a_good_tick(claude)
    repo.write(f"relais/schemas/{name}.schema.json", nonsense)
    repo.commit()
    tree, head = repo.tree(), repo.head

    done = repo.relais("run")

    assert_said(done, "BLOCKED_MISSING_CONFIG", f"relais/schemas/{name}.schema.json")
    assert (repo.tree(), repo.head) == (tree, head)
    assert repo.read(f"relais/schemas/{name}.schema.json") == nonsense


def test_a_nonsense_schema_is_found_before_any_call_is_paid_for(repo: Repo, claude: Claude) -> None:
    repo.write("relais/schemas/task.schema.json", "{")
    repo.commit()
    plays_a_good_tick(claude)

    repo.relais("run")

    assert claude.count == 0


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_edited_harmlessly_is_compiled(name: str, repo: Repo, claude: Claude) -> None:
    edited_schema(repo, name)
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr


def test_an_edited_schema_is_obeyed(repo: Repo, claude: Claude) -> None:
    path = "relais/schemas/task.schema.json"
    schema = json.loads(repo.read(path))
    schema["properties"]["intent"]["maxLength"] = 5
    repo.write(path, json.dumps(schema))
    repo.commit()
    claude.plays({"says": a_task()}, {"says": a_task()})

    done = repo.relais("run")

    assert_said(done, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", "task.intent")


@pytest.mark.parametrize("name", ["task", "config", "state"])
def test_an_edited_schema_without_fastjsonschema_says_pip_install(name: str, repo: Repo, claude: Claude, bare_python: str) -> None:
    edited_schema(repo, name)
    plays_a_good_tick(claude)

    done = repo.relais("run", python=bare_python)

    assert_said(done, "BLOCKED_MISSING_CONFIG", f"relais/schemas/{name}.schema.json")
    assert "pip install fastjsonschema" in hints(done)


def test_nothing_installed_is_enough_for_a_tick(repo: Repo, claude: Claude, bare_python: str) -> None:
    plays_a_good_tick(claude)

    done = repo.relais("run", python=bare_python)

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr


def test_deleted_schemas_are_not_needed(repo: Repo, claude: Claude) -> None:
    shutil.rmtree(repo.path / "relais/schemas")
    repo.commit()
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr


PROMPTS = sorted(path for path in assets() if path.startswith("relais/prompts/"))


@pytest.mark.parametrize("path", PROMPTS)
def test_a_missing_prompt_blocks_before_any_call_is_paid_for(path: str, repo: Repo, claude: Claude) -> None:
    (repo.path / path).unlink()
    repo.configure({"review": {"enabled": True}})
    repo.commit()

    assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", path)


@pytest.mark.parametrize("path", [path for path in PROMPTS if ".user." in path])
def test_a_prompt_with_an_unknown_placeholder_blocks_before_any_call_is_paid_for(path: str, repo: Repo, claude: Claude) -> None:
    repo.configure({"review": {"enabled": True}})
    repo.write(path, repo.read(path) + "\n{{PROJECT_GAOL}}\n")
    repo.commit()

    assert_refused(repo, claude, "BLOCKED_MISSING_CONFIG", path, "PROJECT_GAOL")


def test_a_prompt_behind_a_link_is_used_or_refused_but_never_sent_empty(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    path = repo.path / "relais/prompts/orchestrator.user.txt"
    assert path.exists(), PROMPTS
    shutil.move(path, tmp_path / "shared.txt")
    path.symlink_to(tmp_path / "shared.txt")
    repo.commit()
    plays_a_good_tick(claude)

    repo.relais("run")

    assert all(len(call["stdin"]) > 100 for call in claude.calls)


# --- the runner's own files ---------------------------------------------------------------

GOOD_STATE = state_document(State())
BAD_STATES: dict[str, str] = {
    "half of it": json.dumps(GOOD_STATE)[:40],
    "nothing": "",
    "an array": "[]",
    "null": "null",
    "a newer version": json.dumps({**GOOD_STATE, "schema_version": 99}),
    "a version in words": json.dumps({**GOOD_STATE, "schema_version": "two"}),
    "a null version": json.dumps({**GOOD_STATE, "schema_version": None}),
    "null budgets": json.dumps({**GOOD_STATE, "budgets": None}),
    "budgets in words": json.dumps({**GOOD_STATE, "budgets": {**GOOD_STATE["budgets"], "ticks": "many"}}),
    "negative budgets": json.dumps({**GOOD_STATE, "budgets": {**GOOD_STATE["budgets"], "ticks": -1}}),
    "a milestone that is a number": json.dumps({**GOOD_STATE, "milestone_id": 5}),
    "a question that is none": json.dumps({**GOOD_STATE, "question": {"prompt": 5}}),
    "an unknown key": json.dumps({**GOOD_STATE, "extra": 1}),
    "deep brackets": "[" * 100_000,
    "NaN": json.dumps({**GOOD_STATE, "budgets": {**GOOD_STATE["budgets"], "ticks": float("nan")}}),
    "not UTF-8": "\udcff",
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_bad_state_blocks_and_is_never_replaced(name: str, repo: Repo, claude: Claude) -> None:
    text = BAD_STATES[name].encode("utf-8", "surrogateescape")
    repo.write("relais/STATE.json", text)

    done = assert_refused(repo, claude, "BLOCKED_CRASH_RECOVERY_REQUIRED", "relais/STATE.json")

    assert (repo.path / "relais/STATE.json").read_bytes() == text
    assert any(hint.startswith("mv relais/STATE.json") for hint in hints(done))


@pytest.mark.parametrize("name", BAD_STATES)
@pytest.mark.parametrize("command", [["status"], ["doctor"], ["answer", "x"]], ids=" ".join)
def test_no_command_breaks_on_a_bad_state(command: list[str], name: str, repo: Repo) -> None:
    text = BAD_STATES[name].encode("utf-8", "surrogateescape")
    repo.write("relais/STATE.json", text)

    done = repo.relais(*command)

    assert done.returncode in (0, 20), done.stderr
    assert "bug in relais" not in done.stderr
    assert (repo.path / "relais/STATE.json").read_bytes() == text


@pytest.mark.parametrize("kind", ["a FIFO", "a link", "a link to nowhere", "a folder"])
@pytest.mark.parametrize("name", ["STATE", "TASK", "REPORT", "BLOCKED"])
def test_a_file_of_the_runner_that_is_no_file_blocks_without_hanging(name: str, kind: str, repo: Repo, claude: Claude, tmp_path: Path) -> None:
    path = repo.path / "relais" / f"{name}.json"
    path.unlink(missing_ok=True)
    target = tmp_path / "target.json"
    target.write_text(json.dumps(GOOD_STATE))
    make: dict[str, Callable[[], object]] = {
        "a FIFO": lambda: os.mkfifo(path),
        "a link": lambda: path.symlink_to(target),
        "a link to nowhere": lambda: path.symlink_to(tmp_path / "nowhere"),
        "a folder": path.mkdir,
    }
    make[kind]()
    plays_a_good_tick(claude)
    tree = repo.tree()

    done = repo.relais("run", timeout=30)

    assert done.returncode in (10, 20), done.stdout
    assert "bug in relais" not in done.stderr
    assert claude.count == 0
    assert repo.tree() == tree
    assert json.loads(target.read_text()) == GOOD_STATE
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["lock.json", "STATE.json", "REPORT.json", "TASK.json", "inflight.json"])
def test_a_pipe_where_a_scratch_file_goes_does_not_hang(name: str, repo: Repo, claude: Claude) -> None:
    os.mkfifo(repo.path / "relais" / f"{name}.tmp")
    plays_a_good_tick(claude)

    done = repo.relais("run", timeout=30)

    assert done.returncode in (0, 10, 20)
    assert "bug in relais" not in done.stderr


@pytest.mark.parametrize("text", ['{"half', "[]", "5", "{}", "\udcff", "[" * 100_000], ids=["half", "array", "number", "empty", "bytes", "deep"])
@pytest.mark.parametrize("name", ["TASK", "REPORT", "BLOCKED"])
def test_another_damaged_file_of_the_runner_blocks(name: str, text: str, repo: Repo, claude: Claude) -> None:
    repo.write(f"relais/{name}.json", text.encode("utf-8", "surrogateescape"))

    assert_refused(repo, claude, "BLOCKED_CRASH_RECOVERY_REQUIRED", f"relais/{name}.json")


@pytest.mark.parametrize(
    "text", ['{"half', "[]", "5", "{}", '{"code": "X", "remediation": 5}', '{"remediation": null}'], ids=["half", "array", "number", "empty", "type", "null"]
)
def test_status_lives_with_a_damaged_blocked_json(text: str, repo: Repo) -> None:
    repo.write("relais/BLOCKED.json", text)

    done = repo.relais("status")

    assert done.returncode == 0, done.stderr


def test_a_damaged_blocked_json_is_no_bug_where_validation_is_off(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"crash_cleanup": {"validate_runner_json_files": False}}})
    repo.write("relais/BLOCKED.json", "[]")
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert done.returncode in (0, 20), done.stderr


# --- the lock -----------------------------------------------------------------------------


@pytest.fixture
def living() -> Iterator[int]:
    process = subprocess.Popen(["sleep", "300"])
    yield process.pid
    process.kill()
    process.wait()


def dead_pid() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def lock_document(pid: int, **changes: str) -> Document:
    started = process_started(pid) or "1"
    return {"pid": pid, "process_started": started, "boot_id": boot_id(), "started_at": "2026-01-01T00:00:00Z", **changes}


def test_the_lock_of_a_living_process_holds(repo: Repo, claude: Claude, living: int) -> None:
    document = lock_document(living)
    repo.write("relais/lock.json", json.dumps(document))
    report = repo.path / "relais/REPORT.json"

    assert_refused(repo, claude, "BLOCKED_LOCK_HELD", str(living))

    assert json.loads(repo.read("relais/lock.json")) == document
    assert repo.blocked["code"] == "BLOCKED_LOCK_HELD"
    assert not report.exists()
    assert str(living) in repo.relais("status").stdout
    assert repo.relais("status", "--preflight").returncode == 20


@pytest.mark.parametrize("command", [["answer", "x"], ["history", "prune"], ["recover"], ["run", "--dry-run"]], ids=" ".join)
def test_commands_that_write_respect_the_lock(command: list[str], repo: Repo, living: int) -> None:
    repo.write("relais/lock.json", json.dumps(lock_document(living)))

    done = repo.relais(*command)

    assert_said(done, "BLOCKED_LOCK_HELD")


STALE: dict[str, Callable[[int], Document]] = {
    "a dead process": lambda pid: lock_document(dead_pid()),
    "a reused number": lambda pid: lock_document(pid, process_started="12"),
    "another boot": lambda pid: lock_document(pid, boot_id="00000000-0000-0000-0000-000000000000"),
    "a number too large": lambda pid: lock_document(10**12),
    "a negative number": lambda pid: lock_document(-1),
}


@pytest.mark.parametrize("name", STALE)
def test_a_stale_lock_is_reclaimed(name: str, repo: Repo, claude: Claude, living: int) -> None:
    repo.write("relais/lock.json", json.dumps(STALE[name](living)))
    plays_a_good_tick(claude)

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS"), done.stderr
    assert not (repo.path / "relais/lock.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": "x"}', "null"], ids=["empty", "half", "array", "object", "words", "null"])
def test_a_damaged_lock_blocks_with_the_command_that_removes_it(text: str, repo: Repo, claude: Claude) -> None:
    repo.write("relais/lock.json", text)

    done = assert_refused(repo, claude, "BLOCKED_LOCK_HELD", "damaged")

    assert repo.read("relais/lock.json") == text
    command = next(hint for hint in hints(done) if hint.startswith("rm "))
    subprocess.run(command, shell=True, cwd=repo.path, env=repo.env, check=True)  # noqa: S602
    assert repo.relais("status", "--preflight").returncode == 0


def test_the_command_that_removes_a_damaged_lock_works_in_a_folder_with_a_space(repo: Repo, tmp_path: Path) -> None:
    moved = Repo(tmp_path / "my project", repo.env)
    repo.path.rename(moved.path)
    moved.write("relais/lock.json", "{")

    done = moved.relais("run")

    command = next(hint for hint in hints(done) if hint.startswith("rm "))
    subprocess.run(command, shell=True, cwd=moved.path, env=moved.env, check=False)  # noqa: S602
    assert not (moved.path / "relais/lock.json").exists()


# --- the journal --------------------------------------------------------------------------


def journal_of(repo: Repo) -> Path:
    (path,) = Path(repo.env["XDG_STATE_HOME"], "relais").glob("*/journal")
    return path


def cut_off_tick(repo: Repo, claude: Claude, writes: dict[str, str]) -> None:
    """A tick whose runner is killed while its builder is at work."""
    kill = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": writes, "python": kill})
    done = repo.relais("run")
    assert done.returncode == -signal.SIGKILL
    assert (repo.path / "relais/inflight.json").exists()


def with_digest(document: Any) -> bytes:
    import marshal

    content = marshal.dumps(document)
    return digest_of(content) + content


TAMPERED: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda journal: journal[: len(journal) // 2],
    "a bit flipped": lambda journal: journal[:100] + bytes([journal[100] ^ 1]) + journal[101:],
    "emptied": lambda journal: b"",
    "another document": lambda journal: with_digest({"x": 1}),
    "an empty document": lambda journal: with_digest({}),
    "a list": lambda journal: with_digest([1]),
}


@pytest.mark.parametrize("command", ["run", "recover"])
@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_journal_is_never_taken_for_no_crash(name: str, command: str, repo: Repo, claude: Claude) -> None:
    """The builder changed only an ignored file: no dirty tree will tell."""
    cut_off_tick(repo, claude, {".env": "KEY=stolen\n"})
    journal = journal_of(repo)
    journal.write_bytes(TAMPERED[name](journal.read_bytes()))
    plays_a_good_tick(claude)

    done = repo.relais(command)

    assert done.returncode in (10, 20), done.stdout
    assert "bug in relais" not in done.stderr
    assert "nothing to recover" not in done.stdout
    assert claude.count == 0
    assert (repo.path / "relais/inflight.json").exists()


def test_a_cut_off_tick_is_recovered(repo: Repo, claude: Claude) -> None:
    tree, head = repo.tree(), repo.head
    cut_off_tick(repo, claude, {".env": "KEY=stolen\n", **EDIT, "src/new.py": "x\n"})

    assert_said(repo.relais("run"), "BLOCKED_CRASH_RECOVERY_REQUIRED")
    assert repo.relais("recover", "--undo").returncode == 0

    assert (repo.tree(), repo.head, repo.status) == (tree, head, "")
    assert repo.relais("status", "--preflight").returncode == 0


