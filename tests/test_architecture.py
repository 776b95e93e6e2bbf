"""The shape of the house: layers, purity, sizes, one door for each danger; nothing that makes an expert wince."""

from __future__ import annotations

import ast
import io
import re
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT, SOURCES, Repo

from relais.amalgamate import LAYERS
from relais.commands.cli import COMMANDS
from relais.contract.codes import COMMAND_NAMES

PACKAGE = SOURCES / "relais"
PURE = {"text", "contract", "rules"}


def is_by_hand(path: Path) -> bool:
    return path.relative_to(PACKAGE).parts[0] not in ("assets", "validators") and path.name != "__init__.py"


MODULES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
    if is_by_hand(path)
}
# What builds, and the head of what is built: no part of relais itself.
NO_PART = ("amalgamate.py", "parts.py", "head.py", "__main__.py")
PARTS = {path: text for path, text in MODULES.items() if path not in NO_PART}


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def needs(text: str) -> set[str]:
    """The modules of ours that a module imports, inside functions too."""
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom))
    modules = (node.module or "" for node in nodes)
    return {f"{module[7:].replace('.', '/')}.py" for module in modules if module.startswith("relais.")}


def names_in(text: str) -> Iterator[str]:
    """Every name, imported module and `module.attribute` that a piece of source uses."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def modules_using(*names: str) -> set[str]:
    return {path for path, text in PARTS.items() if not set(names).isdisjoint(names_in(text))}


def functions_in(text: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))


# --- rooms --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PARTS)
def test_a_module_imports_from_its_own_folder_and_from_folders_to_the_left(path: str) -> None:
    allowed = LAYERS[: LAYERS.index(folder_of(path)) + 1]

    built_late = {"amalgamate.py"} if path == "world/carried.py" else set()
    assert {needed for needed in needs(PARTS[path]) - built_late if folder_of(needed) not in allowed} == set()


def test_no_module_needs_itself_by_a_detour() -> None:
    graph = {path: needs(text) & PARTS.keys() for path, text in PARTS.items()}
    settled: set[str] = set()
    while loose := {path for path in graph.keys() - settled if graph[path] <= settled}:
        settled |= loose

    assert graph.keys() - settled == set()


@pytest.mark.parametrize("path", MODULES)
def test_a_module_begins_with_the_sentence_that_says_what_it_is_for(path: str) -> None:
    first = (ast.get_docstring(ast.parse(MODULES[path])) or "").partition("\n")[0]

    assert re.fullmatch(r"[\w`].{8,}\.", first), first


def test_no_module_is_called_after_what_it_happens_to_hold() -> None:
    names = {part for path in MODULES for part in path.removesuffix(".py").split("/")}

    assert not names & {"utils", "util", "helpers", "helper", "shared", "misc", "common", "base", "core"}


def test_folders_export_nothing() -> None:
    inits = {path.parent.name: path.read_text("utf-8") for path in PACKAGE.glob("*/__init__.py")}

    assert {name: text for name, text in inits.items() if text and name != "validators"} == {}
    assert set(inits) == {*LAYERS[1:], "validators"}


def test_sizes_that_people_can_read() -> None:
    lines = {path: text.count("\n") for path, text in MODULES.items()}
    functions = [
        ((node.end_lineno or 0) - node.lineno + 1, f"{path}: {node.name}")
        for path, text in MODULES.items()
        for node in functions_in(text)
    ]
    lengths = sorted(length for length, _ in functions)

    assert {path: count for path, count in lines.items() if count > 500} == {}
    assert [found for found in functions if found[0] > 55] == []
    assert statistics.median(lengths) <= 8
    assert lengths[len(lengths) * 9 // 10] <= 22


def test_every_command_has_its_row_and_its_name() -> None:
    assert tuple(command.name for command in COMMANDS) == tuple(COMMAND_NAMES)


# --- doors --------------------------------------------------------------------------------------

# Who may open which. `Stage.step` in commands/demo.py plays the person who types commands.
DOORS = {
    "subprocess": {"world/child.py", "world/git.py", "world/host.py", "commands/demo.py"},
    "signal": {"world/child.py", "world/processes.py"},
    "fcntl": {"world/lock.py", "world/looks.py"},
    "socket": set(),
    "ctypes": {"world/processes.py"},
    "selectors": {"world/child.py"},
    "os.kill": {"world/processes.py"},
    "os.killpg": {"world/processes.py"},
    "importlib": {"world/carried.py"},
    "threading": set(),
    "exec": {"world/bundled.py"},
    "eval": set(),
    "shutil": {"world/files.py"},
    "__import__": {"settings/admission.py", "tick/provisions.py"},
    "os.fork": set(),
    "os.execv": set(),
    "os.execve": set(),
    "os.posix_spawn": set(),
}


@pytest.mark.parametrize(("door", "where"), DOORS.items(), ids=DOORS)
def test_the_world_is_touched_through_few_doors(door: str, where: set[str]) -> None:
    assert modules_using(door) == where


# All that a decision may ask of these two; whatever else of the library it may import.
PURE_OF = {
    "os": {"os.path", "os.fsdecode", "os.fsencode", "os.sep"},
    "os.path": {"normpath", "join", "dirname", "basename", "isabs"},
    "time": {"time.strftime", "time.gmtime"},
}
PURE_IMPORTS = set("__future__ contextlib enum json os re stat struct time unicodedata".split())
IMPURE_NAMES = {"open", "print", "input", "exec", "eval", "compile", "__import__", "globals", "breakpoint"}


@pytest.mark.parametrize("path", [path for path in PARTS if folder_of(path) in PURE])
def test_decisions_are_pure(path: str) -> None:
    tree = ast.parse(PARTS[path])
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    of_path = {node.attr for node in attributes if isinstance(node.value, ast.Attribute) and ast.unparse(node.value) == "os.path"}
    asked = {ast.unparse(node) for node in attributes if isinstance(node.value, ast.Name) and node.value.id in PURE_OF}
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    taken_from = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("relais.")}

    assert asked <= PURE_OF["os"] | PURE_OF["time"]
    assert of_path <= PURE_OF["os.path"]
    assert imported | taken_from <= PURE_IMPORTS
    assert taken_from <= {"__future__", "enum"}
    assert not IMPURE_NAMES & set(names_in(PARTS[path]))


def test_what_is_dangerous_is_called_by_its_whole_name() -> None:
    """Or the doors above would not be seen."""
    taken = [n for t in PARTS.values() for n in ast.walk(ast.parse(t)) if isinstance(n, ast.ImportFrom) and n.module in ("os", "signal", "sys")]

    assert taken == []


def test_no_shell_ever() -> None:
    calls = [node for text in PARTS.values() for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]

    assert not [call for call in calls for keyword in call.keywords if keyword.arg == "shell"]
    assert not modules_using("os.system", "os.popen", "pty")


def test_git_clean_is_never_called() -> None:
    words = [node.value for t in PARTS.values() for node in ast.walk(ast.parse(t)) if isinstance(node, ast.Constant)]

    assert "clean" not in words


def test_nothing_is_left_to_do() -> None:
    texts = [*MODULES.values(), *(path.read_text("utf-8") for path in (ROOT / "tools").glob("*.py"))]

    assert not re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b", "".join(texts))


def test_no_code_stands_in_a_string() -> None:
    """Texts that another program runs are files below assets/; what is left are sentences and tables."""
    code = re.compile(r"(?m)^\s*(?:def \w+\(|import \w+$|from \w+ import |class \w+[(:]|function \w+\(|#!/)")
    found = [
        f"{path}:{node.lineno}"
        for path, text in PARTS.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count("\n") > 3
        if code.search(node.value)
    ]

    assert found == []


def test_no_comment_is_code() -> None:
    tokens = (t for s in PARTS.values() for t in tokenize.generate_tokens(io.StringIO(s).readline))
    comments = (token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT)

    assert [c for c in comments if re.match(r"(?:return|if .*:$|for .* in .*:$|\w+ = \w+\(|def )", c)] == []


@pytest.mark.parametrize("path", MODULES)
def test_the_sources_are_python_3_9(path: str) -> None:
    ast.parse(MODULES[path], feature_version=(3, 9))


def test_the_workspace_is_no_package() -> None:
    assert not list((ROOT / "relais").rglob("*.py"))


def test_tests_import_the_sources_and_not_the_built_file() -> None:
    import relais

    assert relais.__file__ == str(PACKAGE / "__init__.py")


# --- what a start costs, and what a tick may still load -----------------------------------------

# Runs a command of the package, and tells at its end what was imported.
AT_THE_END = """
import atexit, sys
sys.path.insert(0, {sources!r})
from relais.commands.cli import main
atexit.register(lambda: print("at the end:", *sys.modules, file=sys.stderr))
sys.exit(main(sys.argv[1:]))
"""
DEAR = set("asyncio ctypes dataclasses hashlib inspect logging pathlib shutil subprocess tempfile threading typing".split())


@pytest.mark.parametrize("command", ["--version", "status"])
def test_a_start_imports_nothing_that_only_a_tick_needs(command: str, repo: Repo) -> None:
    argv = [sys.executable, "-I", "-S", "-c", AT_THE_END.format(sources=str(SOURCES)), command]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=True)
    imported = set(done.stderr.rpartition("at the end:")[2].split())

    assert not DEAR & imported
    assert not {name for name in imported if re.match(r"relais\.(?:tick|judge|hands|brain|ground|agents)\b", name)}
