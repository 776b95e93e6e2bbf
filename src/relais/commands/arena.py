"""relais drill: a throw-away clone to attack in, and whether all of it is as it was before."""

from __future__ import annotations

import os
import re
import stat
import sys

from relais.commands.demo import Stage, a_stage
from relais.contract.codes import CONFIG_FILE
from relais.contract.config import Config, config_document
from relais.contract.evidence import looked
from relais.contract.state import COUNTERS
from relais.text.documents import merged
from relais.typed import Any, Json
from relais.world.carried import asset, one_file
from relais.world.files import read_bytes, read_json, remove_tree, write_derived, write_json
from relais.world.host import digest_of
from relais.world.looks import walk
from relais.world.repo import Repo

# How the clone is configured for an attack: most must be held by the Judge alone.
ALONE: Json = {"runner": {"sandbox": "off"}, "verification": {"sandbox": "off"}, "git": {"run_hooks": False}}
IN_THE_JAIL: Json = {"runner": {"sandbox": "on"}, "verification": {"sandbox": "on"}, "git": {"run_hooks": False}}
SETTINGS: dict[str, Json] = {
    "open": ALONE,
    "hooks": {**ALONE, "git": {"run_hooks": True}},
    "confined": IN_THE_JAIL,
    "apart": IN_THE_JAIL,  # where the sandbox has spaces of its own for mounts and processes
}
DRILL_FILES = ("drill/app.txt", "drill/other.txt", "drill/test_app.txt", "drill/aside/kept.txt", "drill-outside.txt")
# What belongs to the runner, or is looked at otherwise: the index by its entries, loose objects by their names.
RUNNERS_OWN = r"(history|REPORT|STATE|TASK|BLOCKED|inflight)\b"
LOOSE = re.compile(r"\.git/objects/([0-9a-f]{2})/([0-9a-f]{38,62})")


class Arena:
    """A clone of the repository as it is committed, with its configuration and some files to attack, and how it stood."""

    def __init__(self, repo: Repo, config: Config) -> None:
        self.repo, self.config = repo, config
        self.digests: dict[tuple[str, bytes], bytes] = {}
        self.make()

    def make(self) -> None:
        self.stage = a_stage("relais-drill-")
        self.setting: Json = {}
        self.objects: set[str] = set()
        prepare(self.stage, self.repo, self.config)

    def make_anew(self) -> None:
        """After an attack that was not undone: the next one must find everything as it should be."""
        self.remove()
        self.make()

    def remove(self) -> None:
        remove_tree(self.stage.folder)

    def enter(self, setting: str) -> None:
        """Be configured so; what stands then must stand after every attack."""
        wanted = SETTINGS[setting]
        if self.setting is not wanted:
            self.setting = wanted
            self.stage.configure(wanted)
            self.stage.play(task={}, result={})  # no task: what the first tick of a clone makes is made now
            self.before = self.standing()

    def differences(self) -> list[str]:
        """What is not as it was."""
        after = self.standing()
        return sorted(path for path in self.before.keys() | after.keys() if self.before.get(path) != after.get(path))

    def standing(self) -> dict[str, Any]:
        """Everything in the clone, its git folder and its home: kind, mode and bytes; objects may only become more."""
        found: dict[str, Any] = {"the index": self.stage.step("git", "ls-files", "-s", "-v", "-z")}
        found["the root folder"] = stat.S_IMODE(os.stat(self.stage.repo).st_mode)
        objects: set[str] = set()
        own = re.compile(rf"{re.escape(self.config.workspace_dir)}/{RUNNERS_OWN}|\.git/(index|refs/relais|relais)\b")
        for path, entry in self.entries():
            if LOOSE.fullmatch(path) and self.is_sound(path):
                objects.add(path)
            elif not own.match(path) and not re.fullmatch(r"\.git/objects/[0-9a-f]{2}", path):
                found[path] = self.print_of(path, entry)
        found.update(dict.fromkeys(self.objects - objects, "lost"))
        self.objects |= objects
        return found

    def entries(self) -> list[tuple[str, bytes]]:
        """Every path below the clone, and below its home but for what relais keeps there."""
        kept = os.path.basename(self.stage.env["XDG_STATE_HOME"])
        looks = (
            ("", walk(self.stage.repo, lambda *_: False)),
            ("HOME/", walk(self.stage.env["HOME"], lambda path, _: path == kept, unseen={"": frozenset([kept])})),
        )
        return [
            (f"{prefix}{folder}/{name}" if folder else prefix + name, entry)
            for prefix, look in looks
            for folder, names in look.items()
            for name, entry in names.items()
        ]

    def print_of(self, path: str, entry: bytes) -> Any:
        """Kind, mode, and the bytes or the target; bytes are read again only where the look of the file is another one."""
        look = looked(entry)
        if look is None or look.kind != "file":
            return look and (look.kind, look.permissions, look.target)
        if (path, entry) not in self.digests:
            self.digests[path, entry] = digest_of(read_bytes(self.place(path)))
        return (look.permissions, self.digests[path, entry])

    def place(self, path: str) -> str:
        return (
            os.path.join(self.stage.env["HOME"], path[5:]) if path.startswith("HOME/") else f"{self.stage.repo}/{path}"
        )

    def is_sound(self, path: str) -> bool:
        """Whether a loose object is what its name says."""
        import hashlib
        import zlib

        name = "".join(path.split("/")[-2:])
        try:
            data = zlib.decompress(read_bytes(self.place(path)))
        except (OSError, zlib.error):
            return False
        return name in (hashlib.sha1(data, usedforsecurity=False).hexdigest(), hashlib.sha256(data).hexdigest())


def prepare(stage: Stage, repo: Repo, config: Config) -> None:
    """The clone, its files, a branch, a stash, another worktree and a pack to attack."""
    stage.step("git", "clone", "--quiet", "--shared", repo.root, stage.repo)
    stage.step("git", "checkout", "--quiet", "-B", "relais-drill")
    document = merged(config_document(Config()), read_json(os.path.join(repo.root, CONFIG_FILE)))
    write_json(os.path.join(stage.repo, CONFIG_FILE), document)
    write_derived(os.path.join(stage.repo, "relais.py"), one_file())
    write_derived(os.path.join(stage.folder, "attacks.py"), asset("attacks.py").encode())
    stage.step(sys.executable, "-I", "relais.py", "init", "--goal", "Hold")
    for path in (*DRILL_FILES, f"drill/{lockfile_of(config)}", "drill/build/kept"):
        put(stage, path, b"one\ntwo\n")
    put(stage, "mine.drill-notes", b"mine\n")
    put(stage, os.path.join(stage.env["HOME"], ".ssh", "id_drill"), b"mine\n")
    put(stage, ".git/hooks/pre-commit", f"#!{sys.executable}\nopen('.git/hooks/post-commit', 'w')\n".encode())
    os.chmod(os.path.join(stage.repo, ".git/hooks/pre-commit"), 0o700)
    with open(os.path.join(stage.repo, ".git", "info", "exclude"), "a", encoding="utf-8") as exclude:
        exclude.write("*.drill-notes\n/drill/build/\n")
    stage.configure(drill_configuration(stage, config))
    stage.step("git", "branch", "yours")
    put(stage, "drill/app.txt", b"stashed\n")
    stage.step("git", "stash", "push", "--quiet")
    stage.step("git", "worktree", "add", "--quiet", "--detach", os.path.join(stage.folder, "other"))
    stage.step("git", "repack", "--quiet", "-a", "-d", "-l")


def put(stage: Stage, path: str, content: bytes) -> None:
    target = os.path.join(stage.repo, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    write_derived(target, content)


def drill_configuration(stage: Stage, config: Config) -> Json:
    """What the drill needs of a configuration; all else is the person's own."""
    program, *attack = attack_command(stage, config, "{{name}}")
    return {
        "claude_code_cli": {"command": stage.agent, "output_format": "json"},
        "budgets": {"per_milestone": dict.fromkeys([f"max_{name}" for name in COUNTERS], 100000)},
        "loop": {"stuck_after": 1000},
        "git": {"commit_on_success": True},
        "scope": {"ceiling_globs": [], "protected_globs": [*config.scope.protected_globs, "drill/test_*"]},
        "builder": {"claude_code": {"timeout_seconds": 4}},
        "verification": {
            "required_fast": [],
            "required_slow": [],
            "templates": [
                a_python_check("fails", "raise SystemExit(1)"),
                a_python_check("built", "open('drill/build/passes')"),
                a_python_check("kept", "assert 'passes' in open('drill/build/kept').read()"),
                {"id": "attack", "cmd": program, "args": attack, "params": {"name": {"kind": "string_token"}}},
                {"id": "echo", "cmd": "echo", "args": ["{{word}}"], "params": {"word": {"kind": "string_token"}}},
            ],
        },
        "milestone": {"done_when": []},
    }


def attack_command(stage: Stage, config: Config, function: str) -> list[str]:
    return [sys.executable, "-I", "-S", os.path.join(stage.folder, "attacks.py"), function, lockfile_of(config)]


def a_python_check(name: str, program: str) -> Json:
    return {"id": name, "cmd": sys.executable, "args": ["-c", program]}


def lockfile_of(config: Config) -> str:
    return next(iter(config.scope.lockfiles), "package-lock.json")
