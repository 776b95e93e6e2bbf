"""The shape of relais.py: sections in order, effects in one place, nothing that makes an expert wince."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest
from helpers import RELAIS, ROOT

SOURCE = RELAIS.read_text("utf-8")
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


def test_exec_stands_where_the_validators_are_compiled_and_nowhere_else() -> None:
    users = {node.name for node in functions_in(SOURCE) if {"exec", "eval"} & set(names_in(ast.unparse(node)))}

    assert users <= {"validator", "compiled_validator"}


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

    assert modules <= set("sys argparse contextlib json os re stat struct time unicodedata enum operator gc errno functools __future__".split())


def test_no_function_is_defined_twice() -> None:
    names = [
        node.name
        for node in ast.parse("".join(by_hand().values())).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]

    assert sorted(names) == sorted(set(names))
