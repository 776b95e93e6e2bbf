"""An oracle for whole ticks: random repos, builders, checks and settings, and a second opinion on what must come of them.

The second opinion is a plain model over copies of all bytes, modes and refs, taken before the tick, when the builder was
done, and after the tick. It uses nothing of relais. `python tests/oracle.py SEED COUNT` plays COUNT ticks from SEED on.
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import fastjsonschema
from helpers import PROGRAM, PYTHON, Claude, Repo, a_result, a_task, an_environment, deep_merge
from oracle_acts import snapshot

ACTS_SOURCE = Path(__file__).with_name("oracle_acts.py").read_text("utf-8")
Acts = list[list[Any]]
Entry = list[Any]  # kind, permissions, content, names: as oracle_acts.entry makes them
Tree = dict[str, Entry]

# --- a case ----------------------------------------------------------------------------------------

BASE_FILES = {
    "src/app.py": "one\ntwo\nthree\n",
    "src/util.py": "def double(number):\n    return 2 * number\n",
    "src/pkg/mod.py": "MOD = 1\n",
    "docs/guide.md": "# Guide\n",
    "tests/test_app.py": "def test_app():\n    assert True\n",
    "package.json": "{}\n",
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "README.md": "# App\n",
}
IGNORE = [".env", "node_modules/", "*.log", "__pycache__/", "build/", "*.egg-info/"]
IGNORED_FILES = {
    ".env": "KEY=1\n",
    "notes.log": "remember the milk\n",
    "src/debug.log": "a log in scope\n",
    "src/pkg/trace.log": "a log below\n",
    "src/pkg/__pycache__/mod.pyc": "bytecode below\n",
    "node_modules/lib/index.js": "module.exports = 1\n",
    "build/out.o": "object code\n",
    "src/__pycache__/app.pyc": "bytecode\n",
    "app.egg-info/PKG-INFO": "Name: app\n",
}
ODD_NAMES = [
    "src/with space.py", "src/ünï.py", "src/-dash.py", "src/quo'te\".py", "src/new\nline.py", "src/tab\t.py", "src/\udcff.bin", "docs/[x].md", "src/:(top)x",
    "src/a{b}.py", "src/%0A.py", "src/$HOME", "src/*.py", "src/back\\slash", "docs/:x", "src/!bang", "src/a..b", "src/ lead", "src/trail ", "src/.hidden", "src/名.py",
]  # fmt: skip
GLOBS = [["src/**"], ["src/**", "docs/**"], ["**"], ["src/*.py", "README.md"], ["src/**", "tests/**", "*.md"], ["src/app.py"]]
SECRET = "key = AKIA" + "Q3EXAMPLE7ABCDEF"  # the shape of one, in two parts
PLACES = [
    "src/app.py", "src/util.py", "src/pkg/mod.py", "src/pkg", "src/new.py", "src/pkg/new.py", "src/deep/er/new.py", "docs/guide.md", "docs/new.md", "tests/test_app.py", "tests/test_new.py",
    "README.md", "package.json", "pnpm-lock.yaml", "src/pnpm-lock.yaml", "top.txt", ".env", "notes.log", "src/debug.log", "src/fresh.log", "node_modules/lib/index.js", "node_modules/new/x.js",
    "build/out.o", "build/new.o", "src/build/gen.c", "src/__pycache__/app.pyc", "src/__pycache__/x.pyc", "app.egg-info/PKG-INFO", "new.egg-info/entry_points.txt", ".gitignore", ".gitattributes",
    "src/.gitignore", ".github/workflows/x.yml", "src/secret.txt", "src/Token.py", "CLAUDE.md", "src/empty", "link", "src/link", "sub/inner.txt", "vendor/new.txt",
]  # fmt: skip
FOLDERS = ["src/pkg", "src/pkg", "docs", "build", "src/__pycache__", "src/pkg/__pycache__", "node_modules", "tests", "app.egg-info"]
USUAL = ["src/app.py", "src/util.py", "src/pkg/mod.py", "src/new.py", "src/pkg/new.py", "src/deep/er/new.py"]
RUNNERS = [
    "relais.config.json", "relais.py", "relais/GOAL.md", "relais/FACTS.md", "relais/STATE.json", "relais/REPORT.json", "relais/prompts/builder.user.txt", "relais/new.txt", "relais/history/x",
    "relais/out/note.txt", "relais/.gitignore", "relais/build/x", "relais/__pycache__/x.pyc",
]  # fmt: skip
GIT_FILES = [
    "config", "hooks/pre-commit", "hooks/post-checkout", "info/exclude", "info/attributes", "HEAD", "refs/heads/evil", "refs/heads/side", "refs/tags/v1", "packed-refs", "objects/info/alternates",
    "objects/aa/" + "b" * 38, "shallow", "index", "logs/HEAD", "ORIG_HEAD", "MERGE_HEAD", "config.worktree", "index.lock", "refs/heads/x.lock", "objects/pack/multi-pack-index", "strange", "refs/stash",
    "worktrees/w/HEAD", "modules/x/config", "rebase-merge/done", "sequencer/todo", "objects/pack/pack-" + "a" * 40 + ".rev", "refs/remotes/origin/x", "refs/relais/rescue/x", "relais-id", "FETCH_HEAD", "gc.pid",
]  # fmt: skip
GIT_COMMANDS = [
    ["add", "-A"], ["commit", "-qam", "by the builder"], ["commit", "-q", "--allow-empty", "-m", "empty"], ["commit", "-q", "--amend", "-m", "amended"], ["tag", "built"], ["tag", "-a", "-m", "x", "annotated"],
    ["branch", "other"], ["branch", "-D", "side"], ["checkout", "-q", "-b", "away"], ["checkout", "-q", "--detach"], ["stash"], ["stash", "-u"], ["config", "core.pager", "x"], ["gc", "-q"], ["gc", "-q", "--prune=now"],
    ["pack-refs", "--all"], ["repack", "-adq"], ["reset", "-q", "--hard", "HEAD~1"], ["reset", "-q", "--soft", "HEAD~1"], ["update-index", "--assume-unchanged", "src/app.py"],
    ["update-index", "--skip-worktree", "docs/guide.md"], ["rm", "-q", "--cached", "src/app.py"], ["clean", "-fdxq", "src"], ["clean", "-fdq"], ["worktree", "add", "-q", "--detach", "src/tree"], ["init", "-q", "src/nested"],
    ["notes", "add", "-m", "x"], ["reflog", "expire", "--expire=now", "--all"], ["prune", "--expire=now"], ["commit-graph", "write", "--reachable"], ["update-ref", "refs/remotes/origin/y", "HEAD"],
    ["update-ref", "-d", "refs/tags/v1"], ["symbolic-ref", "HEAD", "refs/heads/side"], ["maintenance", "run", "-q", "--task=gc"], ["sparse-checkout", "set", "docs"], ["replace", "HEAD", "HEAD~1"], ["multi-pack-index", "write"],
]  # fmt: skip


class Case(NamedTuple):
    seed: int
    repo: dict[str, Any]
    config: dict[str, Any]
    task: dict[str, Any]
    acts: Acts
    checks: list[tuple[str, Acts]]


def a_text(rng: random.Random) -> str:
    lines = rng.choice([1, 1, 2, 3, 5, 20, 600])
    text = "".join(f"line {rng.randrange(99)}\n" for _ in range(lines))
    return rng.choice([text, text, text, text, text.rstrip("\n"), text.replace("\n", "\r\n"), f"\0{text}", "", f"\udcff{text}", f"{text}{SECRET}\n" if rng.random() < 0.3 else text])


def a_place(rng: random.Random, repo: dict[str, Any]) -> str:
    return str(rng.choice(rng.choice([USUAL, USUAL, USUAL, PLACES, list(repo["files"])])))


def tree_act(  # noqa: PLR0911 one for each kind of act
    rng: random.Random, repo: dict[str, Any]
) -> list[Any]:
    place = a_place(rng, repo)
    name = rng.choice(["write"] * 8 + ["append", "append", "delete", "delete", "rename", "rename", "chmod", "chmod", "link", "hardlink", "mkdir", "fifo", "file_for_folder", "folder_for_file", "touch", "rewrite", "keep_time", "link_for_folder", "file_for_folder", "swap", "case", "copy"])
    if name in ("write", "append", "keep_time"):
        return [name, place, a_text(rng)]
    if name == "case":
        return ["rename", place, place[:-2] + place[-2:].upper()]
    if name in ("rename", "hardlink", "swap", "copy"):
        return [name, place, a_place(rng, repo)]
    if name == "chmod" and rng.random() < 0.3:
        return [name, rng.choice(FOLDERS), rng.choice([0o700, 0o755, 0o555, 0o500, 0o000, 0o777])]
    if name == "chmod":
        return [name, place, rng.choice([0o755, 0o755, 0o600, 0o444, 0o700, 0o4755, 0o666])]
    if name == "link":
        return [name, rng.choice(["app.py", "util.py", "../README.md", "/etc/hostname", "../../outside", "OUTSIDE", "nowhere", ".", "pkg", "../.git/config", "../.env", "../docs"]), place]
    if name == "file_for_folder":
        return [name, rng.choice(FOLDERS)]
    if name == "link_for_folder":
        return [name, rng.choice(["OUTSIDE", "OUTSIDE", "app.py", "../docs", ".", "nowhere", "src"]), rng.choice(FOLDERS)]
    if name == "touch":
        return [name, place, rng.choice([0, 1_000_000_000, 4_000_000_000])]
    return [name, rng.choice(["src/empty", "docs/empty", "src/pkg"])] if name in ("mkdir", "fifo") else [name, place]


def builders_act(rng: random.Random, repo: dict[str, Any]) -> list[Any]:
    kind = rng.random()
    if kind < 0.76:
        return tree_act(rng, repo)
    if kind < 0.88:
        return ["git", *rng.choice(GIT_COMMANDS)]
    if kind < 0.92:
        return [rng.choice(["write", "append", "delete"]), f".git/{rng.choice(GIT_FILES)}", "BUILDER\n"]
    if kind < 0.96:
        return [rng.choice(["write", "append", "delete"]), rng.choice(RUNNERS), "BUILDER\n"]
    if kind < 0.98:
        return ["write", rng.choice(ODD_NAMES), a_text(rng)]
    return ["leave", "src/late.txt"]


def whole(act: list[Any]) -> list[Any]:
    return act[:2] if act[0] == "delete" else act


CHECK_ACTS: list[list[Any]] = [
    ["fail", 3], ["write", "src/app.py", "by the check\n"], ["write", "src/made.txt", "by the check\n"], ["delete", "src/util.py"], ["write", "build/check.o", "by the check\n"], ["write", ".env", "CHECK\n"],
    ["write", "relais/GOAL.md", "CHECK\n"], ["write", ".git/config", "CHECK\n"], ["git", "tag", "checked"], ["write", "coverage.log", "CHECK\n"], ["chmod", "src/app.py", 0o755], ["leave", "src/late.txt"],
    ["delete", "build"], ["write", "src/__pycache__/new.pyc", "by the check\n"], ["append", "docs/guide.md", "CHECK\n"], ["mkdir", "src/checked"], ["rename", "src/util.py", "src/moved.py"], ["git", "commit", "-qam", "by the check"],
    ["link", "/etc/hostname", "src/link"], ["write", "relais.config.json", "CHECK\n"],
]  # fmt: skip


def a_check(rng: random.Random) -> tuple[str, Acts]:
    acts: Acts = [["see", ""]]
    if rng.random() < 0.5:
        acts += [rng.choice(CHECK_ACTS) for _ in range(rng.choice([1, 1, 2]))]
    return rng.choice(["fast", "fast", "slow"]), acts


def a_repo(rng: random.Random) -> dict[str, Any]:
    files = {**BASE_FILES, **{name: f"odd {number}\n" for number, name in enumerate(ODD_NAMES) if rng.random() < 0.15}}
    for path in ("docs/guide.md", "tests/test_app.py", "package.json", "pnpm-lock.yaml", "README.md", "src/pkg/mod.py"):
        if rng.random() < 0.1:
            del files[path]
    if rng.random() < 0.2:
        files["build/tracked.txt"] = "tracked though ignored\n"
    return {
        "files": files,
        "ignored": {path: text for path, text in IGNORED_FILES.items() if rng.random() < 0.6},
        "modes": {path: rng.choice([0o755, 0o755, 0o600, 0o444, 0o664]) for path in [*files, *IGNORED_FILES] if rng.random() < 0.15},
        "links": {path: target for path, target in (("src/to-util", "util.py"), ("outward", "/etc/hostname"), ("src/dangling", "nowhere"), ("folder-link", "src")) if rng.random() < 0.15},
        "empty": [path for path in ("empty", "src/hollow/low") if rng.random() < 0.1],
        "refs": rng.choice(["loose", "loose", "packed", "gc"]),
        "kind": rng.choice(["plain"] * 8 + ["worktree", "beside", "submodule", "detached"]),
        "persons": rng.choice([""] * 60 + ["goal", "staged goal", "goal", "staged goal", "untracked", "assumed", "skipped"]),
        "hook": rng.choice([""] * 9 + ["pass", "edit", "fail"]),
    }


def a_config(rng: random.Random) -> dict[str, Any]:
    sandbox = rng.choice(["off", "off", "off", "auto"])
    return {
        "runner": {"sandbox": sandbox},
        "git": {"commit_on_success": rng.random() < 0.8, "run_hooks": rng.random() < 0.3},
        "scope": {"protected_globs": rng.choice([[], [], [], ["tests/**"]]), "secret_scan": rng.random() < 0.9, "ceiling_globs": rng.choice([[], [], [], [], ["src/**", "docs/**"]])},
        "diff_limits": {"ceiling_max_files_touched": rng.choice([None, None, None, 2]), "ceiling_max_lines_changed": rng.choice([None, None, 30])},
        "verification": {"sandbox": rng.choice(["off", "off", sandbox]), "baseline": rng.random() < 0.2},
        "history": {"include_diff_patch": rng.random() < 0.9, "include_verify_log": True},
    }


def a_case(seed: int) -> Case:
    rng = random.Random(seed)  # noqa: S311 it must be the same one again
    repo, config = a_repo(rng), a_config(rng)
    scope = {"allowed_globs": rng.choice(GLOBS), "forbidden_globs": rng.choice([[], [], [], ["src/pkg/**"]]), "allow_new_files": rng.random() < 0.7, "allow_lockfile_changes": rng.random() < 0.2}
    acts = [whole(builders_act(rng, repo)) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4, 6]))]
    checks = [a_check(rng) for _ in range(rng.choice([0, 1, 1, 2]))]
    limits = {"max_files_touched": rng.choice([12, 12, 3]), "max_lines_changed": rng.choice([400, 400, 10])}
    return Case(seed, repo, config, {"scope": scope, "diff_limits": limits}, acts, checks)


# --- the stage -------------------------------------------------------------------------------------


class Stage:
    """A repo of a case, with the person, the agent and the folders around it."""

    def __init__(self, folder: Path, template: Path, case: Case) -> None:
        self.folder, self.case = folder, case
        self.home, self.temp = folder / "home", folder / "tmp"
        self.claude = Claude(folder / "bin", self.home / ".claude" / "fake")
        self.claude.install()
        self.temp.mkdir()
        self.outside = folder / "outside"
        for name in ("out.o", "app.pyc", "mod.pyc", "trace.log", "guide.md", "mod.py", "PKG-INFO"):
            put(self.outside, name, "outside\n")
        env = {**an_environment(self.home, folder / "bin"), "TMPDIR": str(self.temp), "ORACLE_MARK": str(folder)}
        self.main = Repo(folder / "main", env)
        shutil.copytree(template, self.main.path, symlinks=True)
        self.repo = self.main
        self.prepare()

    def prepare(self) -> None:
        plan, main = self.case.repo, self.main
        for path, text in plan["files"].items():
            put(main.path, path, text)
        for path, target in plan["links"].items():
            os.symlink(target, main.path / path)
        for path, mode in plan["modes"].items():
            if (main.path / path).exists():
                (main.path / path).chmod(mode)
        put(main.path, ".gitignore", "".join(f"{line}\n" for line in IGNORE))
        main.git("add", "-A")
        if "build/tracked.txt" in plan["files"]:
            main.git("add", "-f", "build/tracked.txt")
        if plan["kind"] == "submodule":
            self.add_submodule()
        main.git("commit", "-q", "-m", "a project")
        main.configure(deep_merge(self.case.config, {"verification": {"templates": self.templates()}}))
        main.commit("configure relais")
        self.arrange_refs()
        self.leave_the_persons()

    def arrange_refs(self) -> None:
        plan, main = self.case.repo, self.main
        for command in (["branch", "side", "HEAD~1"], ["tag", "v1"], ["update-ref", "refs/remotes/origin/main", "HEAD"]):
            main.git(*command)
        if plan["refs"] == "packed":
            main.git("pack-refs", "--all")
        if plan["refs"] == "gc":
            main.git("gc", "-q")
        if plan["kind"] == "detached":
            main.git("checkout", "-q", "--detach")
        if plan["kind"] in ("worktree", "beside"):
            main.git("worktree", "add", "-q", "-b", "tree", str(self.folder / "repo"))
        if plan["kind"] == "worktree":
            self.repo = Repo(self.folder / "repo", main.env)

    def leave_the_persons(self) -> None:
        plan, repo = self.case.repo, self.repo
        for path, text in plan["ignored"].items():
            put(repo.path, path, text)
        for path in plan["empty"]:
            (repo.path / path).mkdir(parents=True)
        if "goal" in plan["persons"]:
            put(repo.path, "relais/GOAL.md", "# Another goal\n\nMake it good.\n")
            if "staged" in plan["persons"]:
                repo.git("add", "relais/GOAL.md")
        if plan["persons"] == "untracked":
            put(repo.path, "scribble.txt", "not committed\n")
        if plan["persons"] in ("assumed", "skipped"):
            repo.git("update-index", "--assume-unchanged" if plan["persons"] == "assumed" else "--skip-worktree", "src/util.py")
            put(repo.path, "src/util.py", "the person's own, unseen by git\n")
        if plan["hook"]:
            words = {"pass": "exit 0", "edit": "echo hooked >> src/app.py; exit 0", "fail": "exit 1"}[plan["hook"]]
            hook = self.git_dir / "hooks" / "pre-commit"
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(f"#!/bin/sh\n{words}\n")
            hook.chmod(0o755)

    def add_submodule(self) -> None:
        inner = Repo(self.folder / "inner", self.main.env)
        put(inner.path, "inner.txt", "inner\n")
        inner.git("init", "-q")
        inner.commit("inner")
        self.main.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "sub")

    def templates(self) -> list[dict[str, Any]]:
        program = self.folder / "checks.py"
        program.write_text(ACTS_SOURCE.replace("json.loads(sys.argv[1])", "json.load(open(sys.argv[1]))"), "utf-8")
        for number, (_, acts) in enumerate(self.case.checks):
            (self.folder / f"check-{number}.json").write_text(json.dumps(acts))
        return [{"id": f"check-{n}", "cmd": PYTHON, "args": ["-I", "-S", str(program), str(self.folder / f"check-{n}.json")]} for n in range(len(self.case.checks))]

    @property
    def git_dir(self) -> Path:
        """What all worktrees share."""
        return self.main.path / ".git"

    def task(self) -> dict[str, Any]:
        named = {phase: [f"check-{n}" for n, (when, _) in enumerate(self.case.checks) if when == phase] for phase in ("fast", "slow")}
        return a_task(**self.case.task, verification=named, task_id=f"t-{self.case.seed}")

    def play(self) -> subprocess.CompletedProcess[str]:
        notes = self.claude.notes_dir / "built.json"
        acts = [[str(self.outside) if word == "OUTSIDE" else word for word in act] for act in self.case.acts]
        acts = [*acts, ["note", str(notes), str(self.repo.path), str(self.git_dir)]]
        source = ACTS_SOURCE.partition("if __name__")[0]
        self.claude.plays({"says": self.task()}, {"says": a_result(), "python": f"{source}\nperform(json.loads({json.dumps(acts)!r}))"})
        return self.repo.relais("run")

    def built(self) -> dict[str, Tree] | None:
        notes = self.claude.notes_dir / "built.json"
        return json.loads(notes.read_text("utf-8")) if notes.exists() else None


def put(root: Path, path: str, text: str) -> None:
    target = os.path.join(root, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))


class World(NamedTuple):
    """Everything that counts, at one moment."""

    tree: Tree
    git: Tree
    refs: dict[str, str]
    head: str
    index: dict[str, str]
    flags: dict[str, str]
    listing: dict[str, str]
    objects: frozenset[str]
    home: frozenset[str]
    outside: Tree

    @classmethod
    def of(cls, stage: Stage) -> World:
        git = stage.repo.git
        rows = [line for line in git("ls-files", "-s", "-z").split("\0") if line]
        flags = [line for line in git("ls-files", "-v", "-z").split("\0") if line]
        home = {path for path, entry in snapshot(str(stage.home)).items() if entry[0] != "folder" and not path.startswith((".local/state/relais", ".claude/fake", *MADE_EMPTY))}
        return cls(
            snapshot(str(stage.repo.path)),
            snapshot(str(stage.git_dir)),
            dict(line.split(" ", 1)[::-1] for line in git("for-each-ref", "--format=%(objectname) %(refname)").splitlines()),
            git("symbolic-ref", "-q", "HEAD", check=False).strip() or git("rev-parse", "HEAD").strip(),
            {row.partition("\t")[2]: row.partition("\t")[0] for row in rows},
            {row[2:]: row[0] for row in flags},
            tree_listing(stage, "HEAD"),
            frozenset(git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()),
            frozenset(home),
            snapshot(str(stage.outside)),
        )


def tree_listing(stage: Stage, commit: str) -> dict[str, str]:
    """Path → mode and name of the blob, in a commit."""
    rows = [line.partition("\t") for line in stage.repo.git("ls-tree", "-r", "-z", commit).split("\0") if line]
    return {path: f"{fields.split()[0]} {fields.split()[2]}" for fields, _, path in rows}


# --- the second opinion ----------------------------------------------------------------------------

RUNNERS_OWN = re.compile(r"relais/(STATE\.json|TASK\.json|REPORT\.(json|md)|BLOCKED\.json|lock\.json|inflight\.json|history|out)(/|$)")
FORBIDDEN_NAMES = ".env* *secret* *token* .mcp.json claude*.md agents.md".split()
# What relais makes where it is not, so that no builder does: a person's own sessions would obey it.
MADE_EMPTY = (".claude/settings.json", ".claude/CLAUDE.md")
FORBIDDEN_BELOW = ("node_modules", ".claude")
CONTROL_NAMES = ".git .gitattributes .gitmodules .gitignore .lfsconfig .claude .mcp.json .vscode .github .envrc .npmrc".split()
VOLATILE_FOLDERS = "__pycache__ .pytest_cache build *.egg-info".split()
BAD_NAME = re.compile("[\x00-\x1f\x7f-\x9f\\\\\udc80-\udcff]")


def glob_match(glob: str, path: str) -> bool:
    parts = re.escape(glob).replace(r"\*\*/", "(?:.*/)?").replace(r"/\*\*", "/.*").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.fullmatch(parts, path, re.DOTALL) is not None


def is_owned(path: str) -> bool:
    low = path.lower()
    return (low == "relais" or low.startswith("relais/") or low in ("relais.config.json", "relais.py")) and not path.startswith("relais/out/")


def is_forbidden(path: str) -> bool:
    parts = path.lower().split("/")
    named = any(fnmatch.fnmatchcase(part, glob) for part in parts for glob in FORBIDDEN_NAMES)
    return named or any(part in FORBIDDEN_BELOW for part in parts[:-1]) or any(part in CONTROL_NAMES for part in parts)


def is_ignored(path: str, is_folder: bool) -> bool:
    parts = path.split("/")
    for number, part in enumerate(parts):
        is_inner = number < len(parts) - 1 or is_folder
        if any(fnmatch.fnmatchcase(part, line.rstrip("/")) and (is_inner or not line.endswith("/")) for line in IGNORE):
            return True
    return False


def is_volatile(path: str) -> bool:
    return any(fnmatch.fnmatchcase(part.lower(), glob) for part in path.split("/")[:-1] for glob in VOLATILE_FOLDERS) and "node_modules" not in path.split("/")


class Verdict(NamedTuple):
    """What must come of a tick: the code (several where they cannot be told apart), what changed, what is a by-product."""

    codes: tuple[str, ...]
    changes: dict[str, str]
    byproducts: frozenset[str]
    ignored: frozenset[str]


def differing(before: Tree, built: Tree, tracked: set[str]) -> dict[str, str]:
    """Path → A D T M m L, folders only where nothing below them differs."""
    found = {}
    for path in before.keys() | built.keys():
        if path == ".git" or path.startswith(".git/") or RUNNERS_OWN.match(path):
            continue
        old, new = before.get(path), built.get(path)
        status = compared(old, new, path in tracked)
        if status:
            found[path] = status
    busy = {parent for path in found for parent in parents(path)}
    return {p: s for p, s in found.items() if not (p in busy and s in "AD" and (built.get(p) or before.get(p) or [""])[0] == "folder")}


def compared(old: Entry | None, new: Entry | None, is_tracked: bool) -> str:
    if old is None or new is None:
        return "" if old == new else "A" if old is None else "D"
    if old[0] != new[0]:
        return "T"
    if old[2] != new[2]:
        return "M"
    if old[1] != new[1]:
        return "m"
    return "L" if is_tracked and old[3] != new[3] else ""


# What a builder may leave in git's folder: undone, or kept where it is right; refs are compared by what they say.
HARMLESS_IN_GIT = re.compile(
    r"(worktrees/[^/]+/)?(index|logs(/.*)?|[A-Z]+_HEAD|COMMIT_EDITMSG|AUTO_MERGE|gc\.log|HEAD|refs/.*|packed-refs)$"
    r"|info/refs$|objects/([0-9a-f]{2}/[0-9a-f]{38}|pack/.*|info/(packs|commit-graph.*))$"
)
FORBIDDEN_IN_GIT = re.compile(
    r"(worktrees/[^/]+/)?(config(\.worktree)?|hooks/.*|info/(exclude|attributes|grafts|sparse-checkout)|commondir|gitdir|shallow|strange|description|relais-id)$|refs/replace/"
)
REF_FILES = re.compile(r"refs/|packed-refs$|(worktrees/[^/]+/)?HEAD$")


def git_file_verdict(path: str, old: Entry | None, new: Entry | None) -> str:
    """Whether a change in git's folder is `forbidden`, harmless (nothing), or `?`: nobody can tell."""
    if old == new or "folder" in ((old or new or [""])[0], (new or old or [""])[0]):
        return ""  # what lies in it tells
    is_written = new is not None and "BUILDER" in new[2]
    if path == "relais-id" and old is None and new and not is_written:
        return ""  # the runner's own, made by the first tick
    if FORBIDDEN_IN_GIT.match(path):
        return "forbidden"
    if new and REF_FILES.match(path) and not is_sound_ref(path, new[2]):
        return "?"  # no ref, and perhaps not even a name for one
    is_undone = re.match(r"(worktrees/[^/]+/)?(index|logs/.*|[A-Z]+_HEAD)$", path)
    return "" if HARMLESS_IN_GIT.match(path) and (is_undone or not is_written) else "?"


def git_verdicts(before: Tree, built: Tree) -> set[str]:
    found = {git_file_verdict(path, before.get(path), built.get(path)) for path in before.keys() | built.keys()}
    return found | ({"forbidden"} if "relais-id" not in built else set())


def has_moved_refs(before: dict[str, str], built: dict[str, str], branch: str, descends: Callable[[str], bool]) -> bool:
    moved = {name for name in before.keys() | built.keys() if before.get(name) != built.get(name) and not name.startswith("refs/remotes/")}
    return any(name != branch or not descends(built.get(name, "")) for name in moved)


def is_sound_ref(path: str, content: str) -> bool:
    if path == "packed-refs":
        return all(re.match(r"#|\^|[0-9a-f]{40} refs/", line) for line in content.splitlines())
    return re.fullmatch(r"([0-9a-f]{40}|ref: refs/\S+)\n?", content) is not None


def refs_in(git: Tree, prefix: str) -> dict[str, str]:
    """What each ref says, from the files alone."""
    found = {}
    for line in git.get("packed-refs", ["", 0, "", 1])[2].splitlines():
        name = re.fullmatch(r"([0-9a-f]{40}) (refs/.*)", line)
        if name:
            found[name[2]] = name[1]
    for path, (kind, _mode, content, _names) in git.items():
        if path.startswith("refs/") and kind != "folder":
            found[path] = content.strip()
    found["HEAD"] = git[f"{prefix}HEAD"][2].strip() if f"{prefix}HEAD" in git else ""
    return found


def judged(stage: Stage, before: World, built: dict[str, Tree]) -> Verdict:
    """What the documents say must come of this."""
    tree, tracked = built["tree"], set(before.index)
    changes = differing(before.tree, tree, tracked)
    ignored = {p for p in changes if p not in tracked and is_ignored(p, (tree.get(p) or before.tree[p])[0] == "folder")}
    trusts = not any(os.path.basename(p) == ".gitignore" and changes[p] != "m" for p in changes)
    byproducts = {p for p in ignored if trusts and is_volatile(p) and not is_owned(p)}
    rest = {p: s for p, s in changes.items() if p not in byproducts}
    codes = list(offending_codes(stage, before, built, rest, ignored))
    if not codes and any(is_displaced(p, tree) for p in ignored - byproducts):
        codes = ["STOP_SCOPE_VIOLATION_FORBIDDEN"]
    return Verdict(tuple(codes), rest, frozenset(byproducts), frozenset(ignored - byproducts))


def offending_codes(  # noqa: C901 the Judge's table, row by row
    stage: Stage, before: World, built: dict[str, Tree], changes: dict[str, str], ignored: set[str]
) -> Iterator[str]:
    """The codes of all rules that a builder broke, first first; `?` where the model cannot tell."""
    case, tree = stage.case, built["tree"]
    scope, limits, config = case.task["scope"], case.task["diff_limits"], case.config
    branch = before.head if before.head.startswith("refs/") else "HEAD"
    prefix = "worktrees/repo/" if case.repo["kind"] == "worktree" else ""

    def descends(value: str) -> bool:
        return bool(re.fullmatch("[0-9a-f]{40}", value)) and subprocess.run(["git", "merge-base", "--is-ancestor", base_of(before), value], cwd=stage.repo.path, env=stage.repo.env, capture_output=True, check=False).returncode == 0

    in_git = git_verdicts(before.git, built["git"])
    if any(map(is_owned, changes)) or meddled(tree, before.tree):
        yield "STOP_RUNNER_OWNED_MUTATION"
    if "?" in in_git:
        yield "?"
    protected = {p for p in changes for glob in config["scope"]["protected_globs"] if glob_match(glob, p) and changes[p] != "A"}
    if "forbidden" in in_git or protected or any(is_offence(p, s, before, tree, scope) for p, s in changes.items()):
        yield "STOP_SCOPE_VIOLATION_FORBIDDEN"
    if any(is_outside(p, tree, scope, config, case) for p in changes):
        yield "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"
    if not scope["allow_new_files"] and any(status in "AT" for status in changes.values()):
        yield "STOP_SCOPE_VIOLATION_NEW_FILE"
    if any(os.path.basename(p) == "pnpm-lock.yaml" for p in changes) and not scope["allow_lockfile_changes"]:
        yield "STOP_LOCKFILE_CHANGE_FORBIDDEN"
    yield from sizes({p for p in changes if p not in ignored}, len(changes), before.tree, tree, (limits, config["diff_limits"]))
    if has_moved_refs(refs_in(before.git, prefix), refs_in(built["git"], prefix), branch, descends):
        yield "STOP_HEAD_MOVED"
    if config["scope"]["secret_scan"] and any(SECRET in (tree.get(p) or [0, 0, ""])[2] for p in changes if p not in ignored):
        yield "STOP_SECRET_DETECTED"
    if any(crosses_link(p, tree) or is_closed(tree.get(p)) for p in changes):
        yield "?"


def is_displaced(path: str, tree: Tree) -> bool:
    """Whether something that is no folder stands where a folder of this path stood."""
    return any((tree.get(parent) or ["folder"])[0] != "folder" for parent in parents(path))


def is_closed(entry: Entry | None) -> bool:
    """Whether a plain user cannot look into it: what it holds is then told apart from nothing by nobody."""
    return entry is not None and entry[0] == "folder" and entry[1] & 0o500 != 0o500


def base_of(world: World) -> str:
    return world.refs.get(world.head, world.head)


def meddled(tree: Tree, before: Tree) -> bool:
    """Whether the builder wrote where only the runner writes."""
    written = any("BUILDER" in entry[2] for path, entry in tree.items() if RUNNERS_OWN.match(path) and not path.startswith("relais/out/"))
    return written or any(path in before and path not in tree for path in ("relais/STATE.json", "relais/REPORT.json"))


def is_offence(path: str, status: str, before: World, tree: Tree, scope: dict[str, Any]) -> bool:
    entry = tree.get(path)
    if is_forbidden(path) or any(glob_match(glob, path) for glob in scope["forbidden_globs"]):
        return True
    if status in "AT" and BAD_NAME.search(path):
        return True
    if entry is None:
        return False
    if entry[0] == "special" or (entry[0] == "file" and (entry[3] > 1 or entry[1] & 0o6000)):
        return True
    if entry[0] != "link":
        return False
    target = os.path.normpath(os.path.join(os.path.dirname(path), entry[2]))
    return target.startswith(("/", "..")) or is_owned(target) or is_forbidden(target) or any(glob_match(glob, target) for glob in scope["forbidden_globs"])


def is_outside(path: str, tree: Tree, scope: dict[str, Any], config: dict[str, Any], case: Case) -> bool:
    ceiling = config["scope"]["ceiling_globs"]

    def allowed(place: str) -> bool:
        return any(glob_match(glob, place) for glob in scope["allowed_globs"]) and (not ceiling or any(glob_match(glob, place) for glob in ceiling))

    if not allowed(path) or (case.repo["kind"] == "submodule" and (path == "sub" or path.startswith("sub/"))):
        return True
    entry = tree.get(path)
    return entry is not None and entry[0] == "link" and not allowed(os.path.normpath(os.path.join(os.path.dirname(path), entry[2])))


def crosses_link(path: str, tree: Tree) -> bool:
    """Whether a changed link leads through others: where it ends is hard to say."""
    entry = tree.get(path)
    if entry is None or entry[0] != "link":
        return False
    target = os.path.normpath(os.path.join(os.path.dirname(path), entry[2]))
    parts = target.split("/")
    return any((tree.get("/".join(parts[: n + 1])) or [""])[0] == "link" for n in range(len(parts))) or (tree.get(os.path.dirname(path)) or [""])[0] == "link"


def sizes(paths: set[str], files: int, before: Tree, tree: Tree, limits: tuple[dict[str, Any], dict[str, Any]]) -> Iterator[str]:
    """How many lines differ is between how many more there are and how many there are at all."""
    asked, ceilings = limits
    most_files = min(filter(None, [asked["max_files_touched"], ceilings["ceiling_max_files_touched"]]))
    most_lines = min(filter(None, [asked["max_lines_changed"], ceilings["ceiling_max_lines_changed"]]))
    least = most = 0
    for path in paths:
        old, new = lines_of(before.get(path)), lines_of(tree.get(path))
        least += max(0, abs(new - old) - 1)
        most += new + old
    if files > most_files or least > most_lines:
        yield "STOP_DIFF_TOO_LARGE"
    elif most > most_lines:
        yield "? STOP_DIFF_TOO_LARGE"


def lines_of(entry: Entry | None) -> int:
    return entry[2].count("\n") + 1 if entry and entry[0] in ("file", "link") else 0


# --- what must hold --------------------------------------------------------------------------------


class Fault(AssertionError):
    pass


def demand(is_true: object, *words: object) -> None:
    if not is_true:
        raise Fault(" ".join(map(str, words)))


def same(what: str, expected: dict[str, Any], found: dict[str, Any]) -> None:
    for key in sorted(expected.keys() | found.keys(), key=repr):
        demand(expected.get(key) == found.get(key), f"{what}: {key!r} should be {brief(expected.get(key))} and is {brief(found.get(key))}")


def brief(value: object) -> str:
    return repr(value)[:160]


EXITS = {"success": 0, "stop": 10, "blocked": 20}
REPORT_SCHEMA: list[Any] = []


def check_report(stage: Stage, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    whole = done.stdout + done.stderr
    demand("Traceback" not in whole and "bug in relais" not in whole and done.returncode != 70, "a bug in relais:", whole[-3000:])
    report: dict[str, Any] = stage.repo.report
    demand(done.returncode == EXITS[report["verdict"]], f"exit {done.returncode}, but the report says {report['code']}")
    if not REPORT_SCHEMA:
        REPORT_SCHEMA.append(fastjsonschema.compile(json.loads((stage.repo.path / "relais/schemas/report.schema.json").read_text())))
    REPORT_SCHEMA[0](report)
    words = stage.repo.read("relais/REPORT.md")
    demand(words.startswith(f"# {report['code']}\n"), "REPORT.md begins with another code:", words[:60])
    for path in report["scope"]["touched_paths"][:20]:
        demand(path in words, "REPORT.md does not name", path)
    demand(report["code"] in whole, "the screen does not name", report["code"])
    kept = stage.repo.history(report["run_id"]) / "report.json"
    demand(not kept.exists() or json.loads(kept.read_text()) == report, "history has another report")
    return report


def check_surroundings(stage: Stage, before: World, after: World) -> None:
    fsck = subprocess.run(["git", "fsck", "--full", "--strict", "--no-dangling"], cwd=stage.repo.path, env=stage.repo.env, capture_output=True, text=True, check=False)
    demand(fsck.returncode == 0 and not re.search("error|missing|broken|fatal", fsck.stdout + fsck.stderr), "fsck:", fsck.stdout[-500:], fsck.stderr[-500:])
    demand(os.listdir(stage.temp) == [], "left in TMPDIR:", os.listdir(stage.temp))
    demand(after.home == before.home, "in HOME:", after.home ^ before.home)
    same("outside the repo", before.outside, after.outside)
    demand(marked(str(stage.folder)) == [], "a process is left:", marked(str(stage.folder)))
    demand(before.objects <= after.objects, "objects are gone:", sorted(before.objects - after.objects)[:3])
    odd = {path: entry for path, entry in after.git.items() if path not in before.git and not is_usual_in_git(path)}
    demand(not odd, "new in .git:", sorted(odd))


def is_usual_in_git(path: str) -> bool:
    return bool(re.match(r"(objects|refs|logs)(/|$)|relais-id$|modules/sub/|(worktrees/[^/]+/)?(index|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|logs(/.*)?)$|packed-refs$|info/refs$", path))


def marked(mark: str) -> list[str]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if f"ORACLE_MARK={mark}\0".encode() in Path("/proc", pid, "environ").read_bytes():
                found.append(Path("/proc", pid, "cmdline").read_bytes().decode("utf-8", "replace"))
    return found


def check_git_kept(stage: Stage, before: World, after: World, built: dict[str, Tree] | None, moved_to: str) -> None:
    """Configuration, hooks, refs, HEAD, flags: as before, but for the branch where there is a commit, and what a fetch brought."""
    steady = re.compile(r"(worktrees/[^/]+/)?(config(\.worktree)?|hooks(/.*)?|info(/.*)?|description|HEAD|commondir|gitdir|shallow)$|modules/.*(config|HEAD)$")
    for path in before.git.keys() | after.git.keys():
        if steady.match(path) and path != "info/refs" and not (moved_to and path.endswith("HEAD") and not before.head.startswith("refs/")):
            demand(before.git.get(path, [""])[:3] == after.git.get(path, [""])[:3], f".git/{path} changed: {brief(before.git.get(path))} → {brief(after.git.get(path))}")
    expected = {name: value for name, value in before.refs.items() if not name.startswith("refs/relais/")}
    if moved_to and before.head.startswith("refs/"):
        expected[before.head] = moved_to
    found = {name: value for name, value in after.refs.items() if not name.startswith("refs/relais/")}
    brought = {name for name in found.keys() ^ expected.keys() if name.startswith("refs/remotes/")} | {n for n in found if n.startswith("refs/remotes/")}
    same("refs", {n: v for n, v in expected.items() if n not in brought}, {n: v for n, v in found.items() if n not in brought})
    demand(after.head == (moved_to if moved_to and not before.head.startswith("refs/") else before.head), "HEAD:", before.head, after.head)
    own_logs = "worktrees/repo/logs/" if stage.case.repo["kind"] == "worktree" else "logs/"  # others' persons may be at work there
    for path, entry in before.git.items():
        if path.startswith(own_logs) and entry[0] == "file" and path in after.git:
            demand(after.git[path][2].startswith(entry[2]), f".git/{path} lost lines")


def check_tree(expected: Tree, after: Tree, may_differ: Callable[[str], bool]) -> None:
    def kept(tree: Tree) -> dict[str, Any]:
        return {p: e[:3] for p, e in tree.items() if p != ".git" and not p.startswith(".git/") and not RUNNERS_OWN.match(p) and not may_differ(p)}

    same("work tree", kept(expected), kept(after))


def applied(before: Tree, built: Tree, verdict: Verdict) -> Tree:
    """The tree with the judged work in it, and nothing else that the builder did."""
    work = {path: status for path, status in verdict.changes.items() if path not in verdict.ignored}
    tree = {path: entry for path, entry in before.items() if work.get(path) != "D"}
    tree.update({path: built[path] for path, status in work.items() if status != "D"})
    tree = {path: entry for path, entry in tree.items() if not is_displaced(path, tree)}
    kept = [path for path, entry in tree.items() if entry[0] != "folder" or path in built]
    above = {parent for path in kept for parent in parents(path)}
    tree.update({path: built.get(path, ["folder", 0o755, "", 0]) for path in above if path not in tree})
    emptied = {parent for path in work for parent in parents(path)} - above - built.keys()
    return {path: entry for path, entry in tree.items() if path not in emptied}


def parents(path: str) -> list[str]:
    return [path[: match.start()] for match in re.finditer("/", path)]


def expected_listing(before: World, built: Tree, verdict: Verdict) -> dict[str, str]:
    listing = dict(before.listing)
    for path, status in verdict.changes.items():
        if path in verdict.ignored:
            continue
        entry = built.get(path)
        if status == "D" or entry is None or entry[0] in ("folder", "special"):
            listing.pop(path, None)
            continue
        content = entry[2].encode("latin-1")
        oid = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324 git's
        mode = "120000" if entry[0] == "link" else "100755" if entry[1] & 0o100 else "100644"
        listing[path] = f"{mode} {oid}"
    return listing


def check_rescue(stage: Stage, report: dict[str, Any], before: World, built: Tree, verdict: Verdict) -> None:
    """Whatever was rejected is in the rescue commit or in quarantine, byte for byte."""
    ref = report.get("rollback", {}).get("rescue_ref")
    rescued = tree_listing(stage, ref) if ref else {}
    folder = stage.repo.history(report["run_id"]) / "quarantine"
    aside = {entry[2] for entry in (snapshot(str(folder)) if folder.exists() else {}).values() if entry[0] in ("file", "link")}
    for path, status in verdict.changes.items():
        entry = built.get(path)
        if status == "D" or status in "mL" or entry is None or entry[0] not in ("file", "link"):
            continue
        content = entry[2].encode("latin-1")
        oid = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324 git's
        demand(rescued.get(path, "").endswith(oid) or entry[2] in aside, f"the rejected {path!r} is kept nowhere ({report['code']}, {ref})")


def seen_by_checks(stage: Stage, report: dict[str, Any]) -> list[list[str]]:
    log = stage.repo.history(report["run_id"]) / "verify.log"
    if not log.exists():
        return []
    blocks = re.split(r"(?m)^\[(?:fast|slow) check-\d.*\n", log.read_text("utf-8"))
    return [[line for line in block.splitlines() if line.startswith("SEEN ")] for block in blocks if "SEEN" in block]


def seen_lines(tree: Tree) -> list[str]:
    lines = []
    for path, (kind, mode, content, _names) in sorted(tree.items()):
        if kind != "folder" and path.split("/")[0] not in (".git", "relais"):
            lines.append(f"SEEN {json.dumps(path)} {kind} {bool(mode & 0o100)} {hashlib.sha256(str(content).encode()).hexdigest()[:12]}")
    return lines


def expected_codes(stage: Stage, verdict: Verdict, report: dict[str, Any]) -> tuple[str, ...]:
    """The codes that are right: the first rule that was broken, or what the checks make of it."""
    case, codes = stage.case, verdict.codes
    if any(code.startswith("?") for code in codes):
        known = [code.lstrip("? ") for code in codes if code != "?"]
        if codes[0] == "? STOP_DIFF_TOO_LARGE":
            return (*known, *after_checks(case, verdict))
        return (*known, *after_checks(case, verdict), "STOP_SCOPE_VIOLATION_FORBIDDEN", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", "STOP_HEAD_MOVED")
    if "STOP_SECRET_DETECTED" in codes and codes[0] == "STOP_DIFF_TOO_LARGE":
        return (codes[0], "STOP_SECRET_DETECTED", "STOP_HEAD_MOVED")  # what holds a secret is not measured
    return (codes[0],) if codes else tuple(after_checks(case, verdict))


def after_checks(case: Case, verdict: Verdict) -> Iterator[str]:
    """What the checks, in their order, may make of work that the Judge let pass."""
    confined = case.config["verification"]["sandbox"] == "auto"
    for phase in ("fast", "slow"):
        for when, acts in case.checks:
            if when != phase:
                continue
            names = [act[0] for act in acts]
            if case.repo["kind"] == "worktree":  # .git is a file there
                acts = [act for act in acts if not str(act[1]).startswith(".git/")]
            meddles = [code for code in (meddling(act, verdict) for act in acts) if code]
            if "fail" in names:
                yield f"STOP_VERIFY_FAILED_{phase.upper()}"
                return
            if meddles:
                yield from meddles
                if not confined and not any(act[0] == "git" for act in acts):
                    return
    hooks = case.config["git"]["run_hooks"] and case.config["git"]["commit_on_success"] and verdict.changes
    if case.repo["hook"] == "fail" and hooks:
        yield "STOP_VERIFY_FAILED_SLOW"
        return
    yield "SUCCESS"


def meddling(act: list[Any], verdict: Verdict) -> str:
    if act[0] == "git":
        return "STOP_HEAD_MOVED"
    places = [str(place) for place in act[1:]]
    if any(map(is_owned, places)):
        return "STOP_RUNNER_OWNED_MUTATION"
    return "STOP_SCOPE_VIOLATION_FORBIDDEN" if any(p.startswith(".git/") or is_forbidden(p) or p == "/etc/hostname" for p in places) else ""


def check_outcome(stage: Stage, before: World, after: World, report: dict[str, Any]) -> None:
    case, built = stage.case, stage.built()
    if report["verdict"] == "blocked" or built is None:
        demand(case.repo["persons"] in ("untracked", "assumed", "skipped"), "blocked:", report["code"], report.get("error"))
        check_git_kept(stage, before, after, None, "")
        check_tree(before.tree, after.tree, lambda _: False)
        return
    verdict = judged(stage, before, built)
    codes = expected_codes(stage, verdict, report)
    demand(report["code"] in codes, f"code {report['code']}, should be one of {codes}; {report.get('error')}; changes {verdict.changes}")
    touched = sorted(path for path in verdict.changes)
    if "?" not in verdict.codes and all(path.isprintable() for path in touched):
        demand(sorted(p for p in report["scope"]["touched_paths"] if not RUNNERS_OWN.match(p)) == touched, "touched_paths:", report["scope"]["touched_paths"], "should be", touched)
    demand(report["diff"]["files_changed"] == len(report["scope"]["touched_paths"]), "files_changed")
    by_check = {str(place) for _, acts in case.checks for act in acts for place in act[1:]}

    def is_of_checks(path: str) -> bool:
        return report["verdict"] == "success" and is_ignored(path, (after.tree.get(path) or before.tree.get(path) or [""])[0] == "folder") and is_volatile(f"{path}/x") and any(path == p or p.startswith(f"{path}/") or path.startswith(f"{p}/") for p in by_check)

    if report["verdict"] == "stop":
        demand("commit" not in report, "a commit in the report of a STOP")
        demand(report.get("rollback", {"ok": True})["ok"], "rollback not ok:", report.get("error"))
        check_git_kept(stage, before, after, built, "")
        check_tree(before.tree, after.tree, is_of_checks)
        same("index", before.index, after.index)
        same("flags", before.flags, after.flags)
        check_rescue(stage, report, before, built["tree"], verdict)
        return
    tree = applied(before.tree, built["tree"], verdict)
    check_tree(tree, after.tree, is_of_checks)
    for seen in seen_by_checks(stage, report)[:1]:
        same("seen by the first check", dict.fromkeys(seen_lines(tree)), dict.fromkeys(seen))
    listing = expected_listing(before, built["tree"], verdict)
    commits = case.config["git"]["commit_on_success"] and listing != before.listing
    if commits:
        demand("commit" in report, "no commit in the report")
        head = stage.repo.head
        demand(report["commit"]["id"] == head == report["head_commit"], "the report's commit is not HEAD")
        demand(stage.repo.git("rev-parse", f"{head}^@").split() == [base_of(before)], "parents of the commit")
        same("committed tree", listing, after.listing)
        same("index", {**{p: v for p, v in before.index.items() if p in listing}, **{p: f"{v} 0" for p, v in listing.items() if before.listing.get(p) != v}}, after.index)
    else:
        same("index", before.index, after.index)
    check_git_kept(stage, before, after, built, report["commit"]["id"] if "commit" in report else "")


def check_next(stage: Stage) -> None:
    """An honest builder's tick after it succeeds."""
    repo = stage.repo
    if repo.report["code"] == "BLOCKED_DIRTY_WORKTREE":
        os.unlink(repo.path / "scribble.txt")
    if stage.case.repo["persons"] in ("assumed", "skipped"):
        repo.git("update-index", "--no-assume-unchanged", "src/util.py")
        repo.git("update-index", "--no-skip-worktree", "src/util.py")
        repo.git("checkout", "-q", "src/util.py")
    if not stage.case.config["git"]["commit_on_success"]:
        repo.git("add", "-A")
        repo.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "the person commits")
    if stage.case.repo["hook"] == "fail":
        (stage.git_dir / "hooks/pre-commit").unlink(missing_ok=True)
    task = a_task(task_id="honest", scope={"allowed_globs": ["honest.txt"], "allow_new_files": True})
    ceiling = stage.case.config["scope"]["ceiling_globs"]
    place = "src/honest.txt" if ceiling else "honest.txt"
    task["scope"]["allowed_globs"] = [place]
    stage.claude.plays({"says": task}, {"says": a_result(), "writes": {place: "honest\n"}})
    done = repo.relais("run")
    demand(done.returncode == 0, "the next honest tick:", done.stdout[-1500:], done.stderr[-1500:])
    demand(repo.report["scope"]["touched_paths"] == [place], "the next tick touched", repo.report["scope"]["touched_paths"])


def play(seed_or_case: int | Case, template: Path, folder: Path) -> tuple[str, str]:
    """One case from its beginning to its end: its code, and what is wrong."""
    case = a_case(seed_or_case) if isinstance(seed_or_case, int) else seed_or_case
    stage = Stage(folder, template, case)
    before = World.of(stage)
    done = stage.play()
    code = "?"
    try:
        report = check_report(stage, done)
        code = report["code"]
        after = World.of(stage)
        check_surroundings(stage, before, after)
        check_outcome(stage, before, after, report)
        check_next(stage)
        check_surroundings(stage, after, World.of(stage))
    except (Fault, AssertionError, fastjsonschema.JsonSchemaException, OSError, ValueError, KeyError) as fault:
        return code, f"{type(fault).__name__}: {fault}"
    return code, ""


def clear_away(folder: Path) -> None:
    """A plain user must open what a builder closed."""
    subprocess.run(["chmod", "-R", "u+rwX", str(folder)], check=False, capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


def make_template(folder: Path) -> Path:
    """A repo after `relais init`, copied for each case."""
    project = Repo(folder / "template", an_environment(folder / "template-home", folder / "bin"))
    project.write("README.md", "# App\n")
    shutil.copy(PROGRAM, project.path)
    project.git("init", "-q")
    project.commit("first")
    done = project.relais("init", "--goal", "Make the app better", "--commit", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    return project.path


def told(case: Case, fault: str) -> str:
    """All that is needed to play it again."""
    rows = [f"seed {case.seed}: {fault}", f"  repo {case.repo['kind']} {case.repo['refs']} {case.repo['persons']!r} hook {case.repo['hook']!r}", f"  config {case.config}", f"  task {case.task}"]
    rows += [f"  act {act!r}"[:200] for act in case.acts] + [f"  check {when} {acts!r}"[:300] for when, acts in case.checks]
    return "\n".join(rows)


def shrunk(case: Case, template: Path, folder: Path) -> Case:
    """A smaller case that still fails: acts and checks are left out one by one."""
    number = 0

    def fails(smaller: Case) -> bool:
        nonlocal number
        number += 1
        room = folder / f"shrink-{number}"
        room.mkdir()
        try:
            return bool(play(smaller, template, room)[1])
        finally:
            clear_away(room)

    for field in ("checks", "acts"):
        items = list(getattr(case, field))
        position = 0
        while position < len(items):
            fewer = items[:position] + items[position + 1 :]
            if fails(case._replace(**{field: fewer})):
                items = fewer
                case = case._replace(**{field: items})
            else:
                position += 1
    plain = {**case.repo, "kind": "plain", "persons": "", "hook": "", "refs": "loose", "links": {}, "empty": [], "modes": {}}
    for key, value in plain.items():
        simpler = case._replace(repo={**case.repo, key: value})
        if simpler != case and fails(simpler):
            case = simpler
    return case


def main(first: int, count: int) -> int:
    failures = 0
    codes: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="oracle-") as name:
        base = Path(name)
        template = make_template(base)
        for seed in range(first, first + count):
            folder = base / str(seed)
            folder.mkdir()
            code, fault = play(seed, template, folder)
            codes[code] = codes.get(code, 0) + 1
            clear_away(folder)
            if fault:
                failures += 1
                smaller = shrunk(a_case(seed), template, base) if not os.environ.get("ORACLE_WHOLE") else a_case(seed)
                folder.mkdir()
                print(told(smaller, play(smaller, template, folder)[1] or f"(only whole) {fault}"), flush=True)
                clear_away(folder)
    print(f"{count} ticks, {failures} failures, {codes}")
    return failures


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
