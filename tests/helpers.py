"""What the tests stand on: a real repo, a real process, and an agent that plays a script."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pty
import re
import select
import shlex
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from relais.amalgamate import amalgamated
from relais.contract.config import Config, config_document

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
DEFAULT_CONFIG = config_document(Config())

# How the package is started by tests that run with RELAIS_PROGRAM=package; the script's folder leaves the path first.
START_PACKAGE = f"""\
import sys
sys.path[0] = {str(SOURCES)!r}
from relais import main
sys.exit(main())
"""


PYTHON = os.environ.get("RELAIS_PYTHON") or sys.executable


def laid_down(text: bytes, form: str, name: str = "relais.py", python: str = PYTHON) -> Path:
    """A program of this text in one of its forms, made once for all tests: several workers may come at once.

    Compiled it is the same program: Python runs bytecode by any name, and need not compile it three thousand times.
    """
    known = hashlib.sha256(f"{python} {form}".encode() + text).hexdigest()[:16]
    folder = Path(tempfile.gettempdir(), f"relais-tests-{os.getuid()}", known)
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        scratch = folder / f"{os.getpid()}.py"
        scratch.write_bytes(text)
        if form == "compiled":
            program = "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[1], sys.argv[2], doraise=True)"
            subprocess.run([python, "-I", "-S", "-c", program, str(scratch), name], check=True, timeout=60)
        scratch.replace(folder / name)
    return folder / name


# relais.py as the sources under test make it, not the committed one, which may be older; and what tests put into repos.
BUILT = amalgamated()
RELAIS = laid_down(BUILT, "text")
IS_PACKAGE = os.environ.get("RELAIS_PROGRAM") == "package"
PROGRAM = laid_down(START_PACKAGE.encode(), "text") if IS_PACKAGE else laid_down(BUILT, "compiled")
FAKE_CLAUDE = Path(__file__).resolve().with_name("fake_claude.py")
FAKE_PROGRAM = laid_down(FAKE_CLAUDE.read_bytes(), "compiled", "fake_claude.py", sys.executable)

Document = dict[str, Any]
Tree = dict[str, tuple[str, bytes]]
Process = subprocess.Popen[str]

PERSON = """\
[user]
\tname = Test Person
\temail = person@example.invalid
[init]
\tdefaultBranch = main
"""
FOREIGN_PREFIXES = tuple(
    "GIT_ XDG_ CLAUDE ANTHROPIC_ OPENAI_ CODEX_ GEMINI_ GOOGLE_ OPENCODE_ AIDER_ LLM_ RELAIS_ FAKE_CLAUDE_ VSCODE_ PYTHON".split()
)
FOREIGN = ("CI", "GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM")
RUN_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{4}")
RUN_ID_TIME = len("20260131T142501Z")


def until(is_true: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.005)


def deep_merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> Document:
    """Return base with changes: objects are merged, None deletes its key, anything else replaces."""
    merged = dict(base)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            under = merged.get(key)
            merged[key] = deep_merge(under if isinstance(under, Mapping) else {}, value)
        else:
            merged[key] = value
    return merged


def a_task(**changes: Any) -> Document:
    task = {
        "task_id": "t-1",
        "milestone_id": "M1",
        "task_kind": "execute",
        "intent": "change app",
        "scope": {
            "allowed_globs": ["src/**"],
            "forbidden_globs": [],
            "allow_new_files": False,
            "allow_lockfile_changes": False,
        },
        "diff_limits": {"max_files_touched": 12, "max_lines_changed": 400},
        "verification": {"fast": [], "slow": []},
        "builder": {"mode": "claude_code", "max_turns": 4, "instructions": "do it"},
    }
    return deep_merge(task, changes)


def a_result(**changes: Any) -> Document:
    result = {
        "summary": "changed app",
        "files_intended": ["src/app.py"],
        "commands_ran": [],
        "notes": [],
    }
    return deep_merge(result, changes)


def an_environment(home: Path, bin_dir: Path) -> dict[str, str]:
    """Return this process's environment with nothing of the person's or the CI's left in it."""
    home.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").write_text(PERSON)
    ours = {
        name: value
        for name, value in os.environ.items()
        if name not in FOREIGN and not name.startswith(FOREIGN_PREFIXES)
    }
    return {
        **ours,
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "PATH": os.pathsep.join([str(bin_dir), os.environ["PATH"]]),
    }


def snapshot(root: Path, skipped: Callable[[str], bool]) -> Tree:
    """Return path → (mode, content) of everything below root; a folder's path ends in a slash."""
    tree: Tree = {}

    def visit(folder: Path, prefix: str) -> None:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            path = prefix + entry.name
            if skipped(path):
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                tree[path + "/"] = (oct(mode), b"")
                visit(Path(entry.path), path + "/")
            elif stat.S_ISLNK(mode):
                tree[path] = (oct(mode), os.fsencode(os.readlink(entry.path)))
            elif stat.S_ISREG(mode):
                tree[path] = (oct(mode), Path(entry.path).read_bytes())
            else:
                tree[path] = (oct(mode), b"")

    visit(root, "")
    return tree


def is_the_runners(path: str) -> bool:
    return path in {".git", "relais", "relais.config.json"}


def is_gits_own_bookkeeping(path: str) -> bool:
    return path in {"objects", "logs", "index", "refs/relais", "COMMIT_EDITMSG", "relais-id"} or path.endswith("_HEAD")


class Claude:
    """The `claude` on PATH: what it will play, and how it was called."""

    def __init__(self, bin_dir: Path, notes_dir: Path) -> None:
        self.bin_dir = bin_dir
        self.notes_dir = notes_dir

    def install(self) -> None:
        self.bin_dir.mkdir(parents=True, exist_ok=True)
        self.notes_dir.mkdir(parents=True, exist_ok=True)
        notes, python, fake = map(shlex.quote, (str(self.notes_dir), sys.executable, str(FAKE_PROGRAM)))
        command = self.bin_dir / "claude"
        command.write_text(f'#!/bin/sh\nexec env FAKE_CLAUDE_DIR={notes} {python} -I -S {fake} "$@"\n')
        command.chmod(0o755)

    def plays(self, *turns: Mapping[str, Any]) -> None:
        (self.notes_dir / "script.json").write_text(json.dumps(turns), "utf-8")
        (self.notes_dir / "calls.jsonl").unlink(missing_ok=True)

    @property
    def calls(self) -> list[Document]:
        notes = self.notes_dir / "calls.jsonl"
        return [json.loads(line) for line in notes.read_text("utf-8").splitlines()] if notes.exists() else []

    @property
    def count(self) -> int:
        """How many calls are noted; one that is being noted right now does not count yet."""
        notes = self.notes_dir / "calls.jsonl"
        return notes.read_bytes().count(b"\n") if notes.exists() else 0


class Repo:
    """A git work tree with relais.py in it, and the person who works there."""

    def __init__(self, path: Path, env: Mapping[str, str]) -> None:
        self.path = path
        self.env = dict(env)

    def git(self, *args: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=60,
            check=False,
        )
        assert not check or done.returncode == 0, f"git {' '.join(args)}: {done.stderr}"
        return done.stdout

    def write(self, path: str, content: str | bytes) -> None:
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)

    def read(self, path: str) -> str:
        return (self.path / path).read_bytes().decode()

    def commit(self, message: str = "change") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def relais(
        self,
        *args: str,
        timeout: float = 120,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        python: str = PYTHON,
        stdin: str | None = None,
    ) -> subprocess.CompletedProcess[str]:
        script = "relais.py" if cwd is None else str(self.path / "relais.py")
        return subprocess.run(
            [python, script, *args],
            cwd=cwd or self.path,
            env={**self.env, **(env or {})},
            input=stdin or "",
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )

    def configure(self, changes: Mapping[str, Any]) -> None:
        config = deep_merge(self._json("relais.config.json"), changes)
        self.write("relais.config.json", json.dumps(config, indent=2) + "\n")

    @property
    def report(self) -> Document:
        return self._json("relais/REPORT.json")

    @property
    def state(self) -> Document:
        return self._json("relais/STATE.json")

    @property
    def blocked(self) -> Document:
        return self._json("relais/BLOCKED.json")

    @property
    def task(self) -> Document:
        return self._json("relais/TASK.json")

    @property
    def status(self) -> str:
        return self.git("status", "--porcelain=v1", "-uall")

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def tree(self) -> Tree:
        """Everything in the work tree that is not the runner's, ignored files and folders included."""
        return snapshot(self.path, is_the_runners)

    def git_dir_tree(self) -> Tree:
        """What in .git can change how git behaves: configuration, hooks, refs, HEAD."""
        tree = snapshot(self.path / ".git", is_gits_own_bookkeeping)
        return {path: entry for path, entry in tree.items() if not path.endswith("/")}

    def history(self, run_id: str | None = None) -> Path:
        runs = self.path / "relais" / "history"
        if run_id is not None:
            return runs / run_id
        folders = [folder for folder in runs.iterdir() if RUN_ID.fullmatch(folder.name)]
        return max(folders, key=lambda folder: (folder.name[:RUN_ID_TIME], folder.stat().st_mtime_ns))

    def quarantine(self, place: str) -> Path:
        """What the newest run has put out of the way, where nothing that collects files finds it."""
        return self.history() / "quarantine/.rejected/node_modules" / place

    def _json(self, path: str) -> Document:
        document: Document = json.loads(self.read(path))
        return document


def as_plain_user(act: Callable[[], None]) -> int:
    """Act as somebody who is not root: root may enter every folder. The exit status: 0 where all went well."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            act()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


@contextlib.contextmanager
def run_by_a_plain_user(repo: Repo, turn: Mapping[str, Any]) -> Iterator[Repo]:
    """A copy of the repo that belongs to nobody, after a tick of theirs whose builder plays this turn."""
    python3 = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python3 is None:
        pytest.skip("LOUD: no python3 that everybody may start; not tested here")
    repo.write("relais.py", BUILT)
    repo.commit("relais as text, for any Python")
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(repo.path, f"{place}/repo", symlinks=True)
        shutil.copy(FAKE_CLAUDE, place)
        shutil.copy(f"{repo.env['HOME']}/.gitconfig", place)
        plain = Repo(Path(place, "repo"), {"HOME": place, "PATH": f"{place}:/usr/bin:/bin"})
        command = Path(place, "claude")
        command.write_text(f'#!/bin/sh\nFAKE_CLAUDE_DIR={place} exec {python3} -I {place}/fake_claude.py "$@"\n')
        command.chmod(0o755)
        Claude(Path(place), Path(place)).plays({"says": a_task()}, turn)
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", "65534:65534", place], check=True)
        as_plain_user(lambda: print(plain.relais("run", python=python3).stderr))
        yield plain


def at_a_terminal(
    repo: Repo,
    arguments: Sequence[str],
    *,
    answers: Sequence[str] = (),
    size: tuple[int, int] = (0, 0),
    env: Mapping[str, str] = {},
) -> tuple[int, str]:
    """Type a command at a terminal, and an answer to each of its questions; the exit status and the whole screen."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "relais.py", *arguments],
        cwd=repo.path,
        env={**repo.env, "TERM": "xterm", **env},
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 Ctrl-C must reach it as a signal
    )
    os.close(follower)
    seen, typed, deadline = b"", 0, time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([leader], [], [], 1)[0]:
            if list(answers[typed - 1 : typed]) == ["\x03"]:  # one that comes just before Python begins to read is lost
                os.write(leader, b"\x03")
            continue
        try:
            chunk = os.read(leader, 65536)
        except OSError:
            break
        seen += chunk
        if seen.endswith((b"]: ", b"): ")) and typed < len(answers):
            os.write(leader, answers[typed].encode())
            typed += 1
    os.close(leader)
    try:
        return process.wait(timeout=30), seen.decode("utf-8", "replace")
    finally:
        process.kill()
