"""relais init: what a repo is made of, and the checks that suit it."""

from __future__ import annotations

import contextlib
import os
import re

from relais.contract.codes import CLAUDE
from relais.contract.config import Config, config_document
from relais.settings.recipes import AGENTS, EVERYBODY, Recipe
from relais.text.documents import json_or_none, merged
from relais.text.globs import glob_fault
from relais.typed import Any, Json, NamedTuple, Sequence
from relais.world.files import is_inside, read_text
from relais.world.host import find_program, said


class Setup(NamedTuple):
    """What `init` is to write beyond what is the same everywhere."""

    goal: str = ""
    agent: str = ""
    templates: tuple[Json, ...] = ()
    allowed_globs: tuple[str, ...] = ()
    protected_globs: tuple[str, ...] = ()
    force: bool = False
    make: bool = False

    @property
    def config(self) -> Json:
        scope: Json = {"default_allowed_globs": list(self.allowed_globs)} if self.allowed_globs else {}
        scope["protected_globs"] = list(self.protected_globs)
        document = merged(
            config_document(Config()), {"scope": scope, "verification": {"templates": list(self.templates)}}
        )
        return merged(document, roles_document(AGENTS[self.agent])) if self.agent else document


def roles_document(recipe: Recipe) -> Json:
    """The parts that an agent takes over, and its drivers; Claude Code takes all of them back."""
    return {"drivers": dict(recipe.drivers), "roles": dict(recipe.roles) or dict.fromkeys(EVERYBODY, CLAUDE)}


def proposed_setup(root: str) -> tuple[Setup, list[str]]:
    """What suits this repo: checks whose commands are here, the folders it has; and what was left out, in words."""
    templates: list[Json] = []
    notes = []
    for family, checks in found_stacks(root).items():
        missing = [argv for _, argv in checks if not is_there(argv, root)]
        if missing:
            notes.append(f"{' '.join(missing[0][:3])} does not work here: the checks for {family} were left out")
            continue
        taken = {template["id"] for template in templates}
        for name, (cmd, *arguments) in checks:
            templates.append({"id": f"{family}-{name}" if name in taken else name, "cmd": cmd, "args": arguments})
    if templates:
        notes.insert(0, f"found checks: {', '.join(' '.join([t['cmd'], *t['args']]) for t in templates)}")
    agent = found_agent(root)
    if agent:
        notes.append(f"found {agent}, and no {CLAUDE}: it plays all parts unless you say another (--agent)")
    return Setup(agent=agent, templates=tuple(templates), allowed_globs=tuple(proposed_globs(root))), notes


def found_agent(root: str) -> str:
    """The agent that is here and can play every part, where Claude Code is not; "" for that one."""
    able = [name for name, recipe in AGENTS.items() if name == CLAUDE or len(recipe.roles) == len(EVERYBODY)]
    found = next((name for name in able if find_program(name, root)), CLAUDE)
    return "" if found == CLAUDE else found


def found_stacks(root: str) -> dict[str, list[tuple[str, list[str]]]]:
    """The checks of each family of tools that left its files here: the first of a family that fits."""
    names = os.listdir(root)
    found: dict[str, list[tuple[str, list[str]]]] = {}
    node = node_checks(root) if "package.json" in names else []
    if node:
        found["node"] = node
    for stack in STACKS:
        if stack.family not in found and any(has_all(names, sign) for sign in stack.signs):
            pairs = (check.partition(": ") for check in stack.checks)
            found[stack.family] = [(name, words.split()) for name, _, words in pairs]
    if "php" in found and "test" in scripts_in(root, "composer.json"):
        found["php"] = [("test", ["composer", "run-script", "test"])]
    if "ruby" in found and "Rakefile" in names and not has_rspec(root, names):
        bundle = ["bundle", "exec"] if "Gemfile" in names else []
        found["ruby"] = [("test", [*bundle, "rake", rake_task(root)])]
    if not found and re.search(r"^test:", read_text(os.path.join(root, "Makefile")), re.MULTILINE):
        found["make"] = [("test", ["make", "test"])]
    return found


def has_rspec(root: str, names: Sequence[str]) -> bool:
    """Whether specs are RSpec's: minitest and others have a folder `spec` too."""
    named_in = [name for name in names if name.startswith("Gemfile") or name.endswith(".gemspec")]
    return ".rspec" in names or any("rspec" in read_text(os.path.join(root, name)) for name in named_in)


def rake_task(root: str) -> str:
    """The task of a Rakefile that runs its tests."""
    tasks = re.findall(r"\btask\W+(test|spec)\b", read_text(os.path.join(root, "Rakefile")))
    return tasks[0] if tasks else "test"


def has_all(names: Sequence[str], sign: str) -> bool:
    """Whether all parts of `a+b` are there; a part that begins with * is the end of a name."""
    return all(any(n.endswith(part[1:]) if part[0] == "*" else n == part for n in names) for part in sign.split("+"))


def scripts_in(root: str, path: str) -> dict[str, Any]:
    package = json_or_none(read_text(os.path.join(root, path)))
    scripts = package.get("scripts") if isinstance(package, dict) else None
    return scripts if isinstance(scripts, dict) else {}


NODE_LOCKS = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun"), ("bun.lock", "bun"))
MOST_MEMBERS = 1000  # one package.json is read for each
NODE_EVERYWHERE = {
    "pnpm": "pnpm --recursive --if-present run",
    "npm": "npm --workspaces --if-present run",
    "yarn": "yarn workspaces run",
    "bun": "bun --filter * run",
}


def node_checks(root: str) -> list[tuple[str, list[str]]]:
    """The scripts of a package that check something; those of its workspaces where it has none of its own."""
    names = os.listdir(root)
    manager = next((name for lockfile, name in NODE_LOCKS if lockfile in names), "npm")
    wanted = ("lint", "typecheck", "test")
    own = {name for name in wanted if is_real_script(scripts_in(root, "package.json").get(name))}
    members = [] if own else workspace_members(root)
    theirs = {n for n in wanted for m in members if is_real_script(scripts_in(root, f"{m}/package.json").get(n))}
    start = [manager, "run"] if own else NODE_EVERYWHERE[manager].split()
    return [(name, [*start, name]) for name in wanted if name in own | theirs]


def is_real_script(script: Any) -> bool:
    return isinstance(script, str) and "no test specified" not in script


def workspace_members(root: str) -> list[str]:
    """The folders of a package's workspaces, as package.json or pnpm-workspace.yaml names them."""
    package = json_or_none(read_text(os.path.join(root, "package.json")))
    listed = package.get("workspaces", []) if isinstance(package, dict) else []
    listed = listed.get("packages", []) if isinstance(listed, dict) else listed
    globs = [glob for glob in listed if isinstance(glob, str)] if isinstance(listed, list) else []
    globs += re.findall(r"""(?m)^\s*-\s*['"]?([\w@./*-]+)""", read_text(os.path.join(root, "pnpm-workspace.yaml")))
    members = [member for glob in globs for member in matching_members(root, glob)]
    return [member for member in members[:MOST_MEMBERS] if is_inside(root, member)]


def matching_members(root: str, glob: str) -> list[str]:
    """The paths that a workspace's glob means; none where it cannot be read: that is for its own tools to complain of."""
    folder = glob.rstrip("*").rstrip("/")
    with contextlib.suppress(OSError, ValueError):
        if not is_inside(root, folder):
            return []
        return (
            [f"{folder}/{name}" for name in sorted(os.listdir(os.path.join(root, folder)))] if "*" in glob else [glob]
        )
    return []


def is_there(argv: Sequence[str], root: str) -> bool:
    """Whether a check can be started; for a module of Python's, whether it is installed."""
    program = find_program(argv[0], root)
    if program and argv[1:2] == ["-m"]:
        return bool(said([program, *argv[1:3], "--version"], cwd=os.sep))  # here it would run a pytest.py of the repo
    return program is not None


def proposed_globs(root: str) -> list[str]:
    """What tasks may touch by default: the repo's own folders that hold no caches, and its README."""
    entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    folders = [e.name for e in entries if e.is_dir(follow_symlinks=False) and e.name not in NOT_SOURCES]
    globs = [f"{name}/**" for name in folders if name.isprintable() and not name.startswith(".")]
    readme = [e.name for e in entries if e.name.upper() == "README.MD" and os.path.isfile(e.path)]
    return [glob for glob in globs if not glob_fault(glob)][:30] + readme if globs else []


class Stack(NamedTuple):
    """A tool chain: its family, of which the first that fits counts, the files that give it away, and its checks."""

    family: str
    signs: tuple[str, ...]
    checks: tuple[str, ...]


STACKS = (
    Stack("python", ("uv.lock",), ("test: uv run pytest -q",)),
    Stack("python", ("tox.ini",), ("test: tox -q",)),
    Stack("python", ("noxfile.py",), ("test: nox",)),
    Stack("python", ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini"), ("test: python3 -m pytest -q",)),
    Stack("rust", ("Cargo.toml",), ("check: cargo check", "test: cargo test")),
    Stack("go", ("go.mod",), ("vet: go vet ./...", "test: go test ./...")),
    Stack("jvm", ("pom.xml+mvnw",), ("test: ./mvnw -q test",)),
    Stack("jvm", ("pom.xml",), ("test: mvn -q test",)),
    Stack("jvm", ("build.gradle+gradlew", "build.gradle.kts+gradlew"), ("test: ./gradlew test",)),
    Stack("jvm", ("build.gradle", "build.gradle.kts"), ("test: gradle test",)),
    Stack("ruby", ("Gemfile+.rspec", "Gemfile+spec"), ("test: bundle exec rspec",)),
    Stack("ruby", ("Gemfile+Rakefile",), ("test: bundle exec rake test",)),
    Stack("ruby", ("Rakefile",), ("test: rake test",)),
    Stack("php", ("composer.json+phpunit.xml", "composer.json+phpunit.xml.dist"), ("test: vendor/bin/phpunit",)),
    Stack("php", ("composer.json",), ("validate: composer validate --no-check-publish",)),
    Stack("dotnet", ("*.sln", "*.slnx", "*.csproj", "*.fsproj"), ("build: dotnet build", "test: dotnet test")),
)
NOT_SOURCES = frozenset(
    "relais node_modules vendor target dist build out coverage htmlcov venv env __pycache__ bin obj".split()
)
