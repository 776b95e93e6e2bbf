"""The shape of relais.py: sections in order, effects in one place, nothing that makes an expert wince."""

from __future__ import annotations

import ast
import inspect
import io
import re
import subprocess
import symtable
import sys
import tokenize
from collections.abc import Iterable, Iterator

import pytest
from folds import folded, unfolded
from helpers import RELAIS, ROOT, Claude, Repo, a_result, a_task

import relais

SHIPPED = RELAIS.read_text("utf-8")
SOURCE = unfolded(SHIPPED)
BANNER = re.compile(r"^# -{20,}\n# MARK: (.+)\n# -{20,}\n", re.MULTILINE)
SECTIONS = [
    "1 Vocabulary",
    "2 Records",
    "3 Decision tables",
    "4 Logic",
    "5 Effects",
    "6 Agents",
    "7 Stages",
    "8 The tick",
    "9 Commands",
    "10 Assets",
    "11 Validators",
]
PURE = {"1 Vocabulary", "2 Records", "3 Decision tables", "4 Logic", "10 Assets"}


def sections() -> dict[str, str]:
    _, *parts = BANNER.split(SOURCE)
    return dict(zip(parts[::2], parts[1::2]))


def by_hand() -> dict[str, str]:
    return {name: text for name, text in sections().items() if name != "11 Validators"}


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


def sections_using(*names: str) -> set[str]:
    return {section for section, text in sections().items() if not set(names).isdisjoint(names_in(text))}


def functions_in(text: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))


def code_lines() -> Iterator[str]:
    """The source without comments and without strings that stand by themselves (docstrings)."""
    tokens = tokenize.generate_tokens(io.StringIO("".join(by_hand().values())).readline)
    return (token.string for token in tokens if token.type not in (tokenize.COMMENT, tokenize.STRING))


def test_the_sections_stand_in_order() -> None:
    assert list(sections()) == SECTIONS


def test_the_map_in_the_docstring_names_the_sections() -> None:
    doc = ast.get_docstring(ast.parse(SOURCE)) or ""

    assert re.findall(r"^ {3,4}(\d+ [A-Z][\w ]*?)  ", doc, re.MULTILINE) == SECTIONS


# `Stage.step` plays the person who types commands.
DOORS = {
    "subprocess": {"5 Effects", "9 Commands"},
    "signal": {"5 Effects"},
    "fcntl": {"5 Effects"},
    "socket": set(),
    "ctypes": {"5 Effects"},
    "selectors": {"5 Effects"},
    "os.kill": {"5 Effects"},
    "os.killpg": {"5 Effects"},
}


@pytest.mark.parametrize(("door", "where"), DOORS.items(), ids=DOORS)
def test_the_world_is_touched_in_one_section(door: str, where: set[str]) -> None:
    assert sections_using(door) <= where


@pytest.mark.parametrize(("door", "function"), [("subprocess", "step")])
def test_an_exception_is_one_function(door: str, function: str) -> None:
    text = "".join(text for name, text in by_hand().items() if name in ("8 The tick", "9 Commands"))

    assert {node.name for node in functions_in(text) if door in names_in(ast.unparse(node))} <= {function}


def test_decisions_are_pure() -> None:
    impure = sections_using(
        "open", "print", "input", "subprocess", "tempfile", "shutil", "Git", "execute", "walk", "write_json", "write_atomic", "read_text",
        "read_bytes", "read_json", "os.environ", "os.open", "os.stat", "os.lstat", "os.listdir", "os.scandir", "os.readlink", "os.path.exists",
        "os.getcwd", "time.time", "time.monotonic", "time.sleep", "sys", "random", "os.urandom",
    )  # fmt: skip

    assert not impure & PURE


def test_no_shell_ever() -> None:
    calls = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Call)]

    assert not [call for call in calls for keyword in call.keywords if keyword.arg == "shell"]
    assert not sections_using("os.system", "os.popen", "pty", "commands")


def test_git_clean_is_never_called() -> None:
    words = [node.value for node in ast.walk(ast.parse("".join(by_hand().values()))) if isinstance(node, ast.Constant)]

    assert "clean" not in words
    assert not re.search(r"git clean", " ".join(code_lines()))


def test_nothing_is_left_to_do() -> None:
    assert not re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b", SOURCE)


def test_exec_stands_where_text_of_this_file_is_compiled_and_nowhere_else() -> None:
    users = {node.name for node in functions_in(SOURCE) if {"exec", "eval"} & set(names_in(ast.unparse(node)))}

    assert users == {"unfold", "validator"}


def test_no_function_is_longer_than_60_lines() -> None:
    lengths = sorted(
        ((node.end_lineno or 0) - node.lineno + 1, node.name)
        for text in by_hand().values()
        for node in functions_in(text)
    )

    assert [found for found in lengths if found[0] > 60] == []
    assert lengths[len(lengths) // 2][0] <= 12


def test_the_file_is_python_3_9() -> None:
    ast.parse(SOURCE, feature_version=(3, 9))


def test_the_workspace_is_no_package() -> None:
    assert not list((ROOT / "relais").rglob("*.py"))


def test_the_path_is_cleaned_before_anything_else_is_imported() -> None:
    body = [node for node in ast.parse(SOURCE).body if not isinstance(node, ast.Expr)]
    imports = [n for n, node in enumerate(body) if isinstance(node, (ast.Import, ast.ImportFrom))]
    cleaned = next(n for n, node in enumerate(body) if "sys.path" in ast.unparse(node))

    assert [ast.unparse(body[number]) for number in imports[:2]] == ["from __future__ import annotations", "import sys"]
    assert imports[1] < cleaned < imports[2]


def test_only_the_standard_library_is_imported_at_the_top() -> None:
    tops = [node for node in ast.parse(SOURCE).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {
        name
        for node in tops
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }

    assert modules <= set("sys argparse collections contextlib json os re stat struct time unicodedata enum operator gc errno functools __future__".split())


def test_no_function_is_defined_twice() -> None:
    names = [
        node.name
        for node in ast.parse("".join(by_hand().values())).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]

    assert sorted(names) == sorted(set(names))


# --- folds ------------------------------------------------------------------------------------

FOLD = re.compile(r"""^fold\("(\w+)", r'''$(.*?)^'''\)$""", re.MULTILINE | re.DOTALL)
PLAIN = FOLD.sub("", SHIPPED)
FOLDED: dict[str, str] = {}
for folded_name, folded_text in FOLD.findall(SHIPPED):
    FOLDED[folded_name] = FOLDED.get(folded_name, "") + folded_text


def defined_in(text: str) -> set[str]:
    """The names that a text gives to the file."""
    return {symbol.get_name() for symbol in symtable.symtable(text, "", "exec").get_symbols() if symbol.is_assigned()}


def globals_of(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code asks the file for, those of the functions in it too; annotations ask for nothing."""
    is_file = table.get_type() == "module"
    yield from (s.get_name() for s in table.get_symbols() if s.is_referenced() and (is_file or s.is_global()))
    for child in table.get_children():
        yield from globals_of(child)


def without_annotations(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(value=None)
    return ast.unparse(tree)


NAMES_IN_FOLDS = {name: defined_in(text) - defined_in(PLAIN) for name, text in FOLDED.items()}


def needed_by(text: str) -> dict[str, set[str]]:
    """The folds whose names a text uses, and which names."""
    used = set(globals_of(symtable.symtable(without_annotations(text), "", "exec")))
    return {name: used & names for name, names in NAMES_IN_FOLDS.items() if used & names}


def unfolded_in(text: str) -> set[str]:
    return {name for call in re.findall(r"\bunfold\(([^)]*)\)", text) for name in re.findall(r"""["'](\w+)["']""", call)}


# Their lambdas are called where everything is there.
TABLES = {"PREFLIGHT_RULES", "TASK_RULES", "BUILDERS"}
# Nobody comes here before preflight has unfolded the Judge, or `close` has.
AFTER_PREFLIGHT = {"work", "unwritable_report", "converted_files", "clear_output_file", "taken_output", "materialise"}


def missing(text: str, there: Iterable[str]) -> dict[str, dict[str, set[str]]]:
    """What each part of a text uses, and neither finds there nor unfolds itself."""
    found = {}
    for node in ast.parse(text).body:
        part = ast.unparse(node)
        name = getattr(node, "name", re.split(r"\W", part, maxsplit=1)[0])
        has = {*there, *unfolded_in(part), *(["judge"] if name in AFTER_PREFLIGHT else [])}
        lacks = {fold: names for fold, names in needed_by(part).items() if fold not in has}
        found.update({name: lacks} if lacks and name not in TABLES else {})
    return found


def test_relais_is_shipped_folded_and_the_fences_are_all_the_difference() -> None:
    assert folded(SOURCE) == SHIPPED
    assert SOURCE.count("\n") == SHIPPED.count("\n")
    assert len(FOLD.findall(SHIPPED)) == SHIPPED.count("\nfold(") == SOURCE.count("\n# fold(") > 0
    assert not FOLD.search(SOURCE)


@pytest.mark.parametrize("command", relais.COMMANDS, ids=lambda command: command.name)
def test_a_command_unfolds_all_that_it_uses(command: relais.Command) -> None:
    there = command.folds.split()

    assert set(there) <= FOLDED.keys()
    assert f"command_{command.name}" in defined_in(PLAIN).union(*(defined_in(FOLDED[name]) for name in there))
    for name in there:
        assert missing(FOLDED[name], there) == {}


def test_what_is_always_there_uses_nothing_folded_but_in_the_tables_of_the_tick() -> None:
    assert missing(PLAIN, ()) == {}


def test_what_is_unfolded_is_there() -> None:
    assert unfolded_in(SOURCE) <= FOLDED.keys()


def test_code_in_a_fold_has_the_line_numbers_of_the_file() -> None:
    lines = SHIPPED.splitlines()
    functions = [value for value in vars(relais).values() if inspect.isfunction(value) and value.__name__ != "<lambda>"]
    here = [f for f in map(inspect.unwrap, functions) if f.__module__ == "relais" and f.__name__ != "cast"]

    assert len(here) > 500
    for function in here:
        assert function.__code__.co_filename == relais.__file__
        assert lines[function.__code__.co_firstlineno - 1].startswith((f"def {function.__name__}(", "@"))


WHAT_A_COMMAND_COMPILES = {
    "--version": "",
    "status": "",
    "completion bash": "",
    "history": "history",
    "facts": "facts",
    "run": "judge run tick",
}


def names_at_the_end(of: str, command: str, repo: Repo) -> set[str]:
    """Run a command as an installed relais would, in a bare Python; the names that `of` then holds."""
    program = f"""
import atexit, sys
sys.path.insert(0, ".")
import relais
atexit.register(lambda: print("at the end:", *{of}, file=sys.stderr))
sys.exit(relais.main(sys.argv[1:]))
"""
    argv = [sys.executable, "-I", "-S", "-c", program, *command.split()]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=True)
    return set(done.stderr.rpartition("at the end:")[2].split())


@pytest.mark.parametrize("command", WHAT_A_COMMAND_COMPILES)
def test_a_command_compiles_what_it_needs_and_no_more(command: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result()})
    repo.relais("history")  # a configuration is held against its schema when it is first seen

    still_folded = names_at_the_end("relais.FOLDS", command, repo)

    assert FOLDED.keys() - still_folded == set(WHAT_A_COMMAND_COMPILES[command].split())


DEAR = set("asyncio ctypes dataclasses hashlib inspect logging pathlib shutil subprocess tempfile threading typing".split())


@pytest.mark.parametrize("command", ["--version", "status"])
def test_a_start_imports_nothing_that_only_a_tick_needs(command: str, repo: Repo) -> None:
    assert not DEAR & names_at_the_end("sys.modules", command, repo)


def test_unfolded_it_is_the_same_program(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result()})
    repo.write("relais.py", SOURCE)
    repo.commit()

    done = repo.relais("run")

    assert done.returncode == 0, done.stderr
    assert repo.report["code"] == "SUCCESS"
