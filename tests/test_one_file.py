"""relais.py: built from the sources, never stale, the same bytes every time; and what it cannot be built from."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from every_python import pythons
from helpers import RELAIS, ROOT, SOURCES, Repo
from hypothesis import given
from hypothesis import strategies as st

from relais.amalgamate import amalgamated, digest_of_files, is_part, literal, package_files
from relais.parts import Refused, decoded_source, with_quoted_annotations
from relais.version import __version__

pytestmark = pytest.mark.one_file


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """One with the file as people drop it in: as text."""
    shutil.copy(RELAIS, repo.path)
    repo.commit()
    return repo


FILES = package_files()
TEXT = amalgamated().decode()
LINES = TEXT.split("\n")
MODULE = '"""A part."""\n\nfrom __future__ import annotations\n\n'


def test_the_committed_file_is_what_the_sources_make() -> None:
    assert (ROOT / "relais.py").read_bytes() == amalgamated(), "run `make relais.py`"


def test_the_same_sources_make_the_same_bytes_wherever_they_lie(tmp_path: Path) -> None:
    shutil.copytree(SOURCES, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))

    argv = [sys.executable, "-m", "relais.amalgamate"]
    done = subprocess.run(argv, cwd=tmp_path / "elsewhere", capture_output=True, timeout=60, check=True)

    assert done.stdout.decode() == TEXT


def test_an_archive_of_the_package_makes_the_same_bytes(tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "relais"), "zip", SOURCES)
    program = "import sys; sys.path.insert(0, sys.argv[1]); from relais.world.carried import one_file; sys.stdout.buffer.write(one_file())"

    done = subprocess.run([sys.executable, "-I", "-c", program, archive], capture_output=True, timeout=60, check=True)

    assert done.stdout.decode() == TEXT


def test_it_is_plain_python_3_9() -> None:
    ast.parse(TEXT, feature_version=(3, 9))


def without_imports(text: str) -> str:
    """Code as Python understands it: imports, type-checking blocks and docstrings of modules gone, comments too."""

    class Cleaned(ast.NodeTransformer):
        def visit_Import(self, _: ast.Import) -> None:
            return None

        def visit_ImportFrom(self, _: ast.ImportFrom) -> None:
            return None

    return ast.unparse(Cleaned().visit(ast.parse(text)))


def test_every_module_stands_in_it_word_for_word_but_for_quoted_annotations() -> None:
    whole = without_imports(TEXT)
    for path, text in FILES.items():
        if is_part(path):
            quoted = with_quoted_annotations(path, text, ast.parse(text))
            parts = (ast.unparse(node) for node in ast.parse(without_imports(quoted)).body[1:])
            assert [part for part in parts if part not in whole] == [], path


def test_every_asset_stands_in_it_as_it_is() -> None:
    program = f"import json, runpy; print(json.dumps(runpy.run_path({str(RELAIS)!r})['ASSETS']))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert json.loads(done.stdout) == {p.removeprefix("assets/"): t for p, t in FILES.items() if p.startswith("assets/")}


ODD_TEXTS = ["", "\n", "\\", "a\\", "'a\\n b", "\"\\", "\'\'\'", '"""', "\'\'\' \"\"\" \\", "é\u2028…", "'", '"', "x\\\n", "{{WHOLE}}", "0" * 64]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_a_text_is_written_so_that_python_reads_it_back(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text


@given(st.text(alphabet="ab\'\"\\\n{}é", max_size=12))
def test_any_text_is_written_so_that_python_reads_it_back(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text


def test_zeros_in_a_source_stay_zeros(tmp_path: Path) -> None:
    (tmp_path / "relais.py").write_bytes(amalgamated({**FILES, "assets/zeros": "0" * 64, "text/zeros.py": f"{MODULE}ZEROS = '{'0' * 64}'\n"}))
    done = subprocess.run([sys.executable, "-I", "-S", tmp_path / "relais.py", "--version"], capture_output=True, text=True, timeout=60, check=True)

    assert (tmp_path / "relais.py").read_text("utf-8").count("0" * 64) == 2
    assert ", edited" not in done.stdout


@pytest.mark.parametrize("name", [".DS_Store", "page.html~", ".page.js.swp", "page.css.orig"])
def test_what_editors_leave_behind_is_no_source(name: str, tmp_path: Path) -> None:
    shutil.copytree(SOURCES, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src/relais/assets/page" / name).write_bytes(b"\xff\x00")
    argv = [sys.executable, "-m", "relais.amalgamate"]
    done = subprocess.run(argv, cwd=tmp_path / "src", capture_output=True, timeout=60, check=True)

    assert done.stdout.decode() == TEXT


def test_what_travels_in_argv_is_ascii() -> None:
    """In a locale that is not UTF-8, a word of argv with anything else in it cannot be passed on."""
    assert FILES["assets/jail.py"].isascii()


WAYS = {
    "cProfile": ["-m", "cProfile", "relais.py", "status"],
    "trace": ["-m", "trace", "--count", "--missing", "-C", "counts", "relais.py", "--version"],
    "run_path": ["-c", "import runpy, sys; sys.argv = ['relais.py', 'status']; runpy.run_path('relais.py', run_name='__main__')"],
}


@pytest.mark.parametrize("way", WAYS)
def test_it_can_be_started_by_a_debugger_or_a_profiler(way: str, repo: Repo) -> None:
    done = subprocess.run([sys.executable, *WAYS[way]], cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert "milestone" in done.stdout or f"relais {__version__}" in done.stdout


def test_it_can_be_piped_into_python(repo: Repo) -> None:
    done = subprocess.run([sys.executable, "-", "--version"], input=TEXT, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=False)

    assert done.stdout.startswith(f"relais {__version__} (sources "), done.stderr


def test_the_table_of_contents_names_the_lines() -> None:
    rows = re.findall(r"^ +(\d+)  (\S+) +(\S.*)$", TEXT.partition('"""')[2].partition('"""')[0], re.MULTILINE)
    banners = re.findall(r"^# MARK: (\S+) · (.*)$", TEXT, re.MULTILINE)

    assert [(path, words) for _, path, words in rows] == banners
    assert len(rows) > 80
    for number, path, _ in rows:
        assert LINES[int(number) - 1].startswith(f"# MARK: {path} ")


def test_no_code_of_relais_stands_in_its_strings() -> None:
    """Beside texts for other programs, and the validators: nothing that its own sources have as code."""
    code = TEXT[: TEXT.index("# MARK: assets")]
    strings = [node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    assert [text for text in strings if re.search(r"(?m)^ *(?:def|class) \w+.*:$", text)] == []


def test_head_version_and_doctor_say_which_sources_it_was_built_from(repo: Repo) -> None:
    known = f"relais {__version__} (sources {digest_of_files(FILES)})"

    assert f"relais {__version__}, built from sources {digest_of_files(FILES)}" in TEXT
    assert repo.relais("--version").stdout == f"{known}\n"
    assert known.removeprefix("relais ") in repo.relais("doctor").stdout.splitlines()[0]


def test_a_file_that_somebody_edited_runs_and_doctor_says_so(repo: Repo) -> None:
    repo.write("relais.py", RELAIS.read_text("utf-8").replace("stop after the Brain's task", "end after the Brain's task"))

    assert "end after the Brain's task" in repo.relais("run", "--help").stdout
    assert repo.relais("--version").stdout.endswith(", edited)\n")
    assert ", edited)" in repo.relais("doctor").stdout.splitlines()[0]


@pytest.mark.parametrize("python", pythons(), ids=lambda python: python.name)
def test_it_works_with_nothing_installed(python: object, repo: Repo) -> None:
    argv = [python.path, "-I", "-S", "relais.py"]  # type: ignore[attr-defined]
    shown = [
        subprocess.run([*argv, *command], cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=60, check=True)
        for command in (["--version"], ["status"], ["history"], ["run", "--help"])
    ]

    assert shown[0].stdout.startswith(f"relais {__version__}")


# --- what it cannot be built from ---------------------------------------------------------------

Change = Callable[[dict[str, str]], object]
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "a name that stands twice": (
        {"text/twin.py": f"{MODULE}def clip() -> None:\n    pass\n"},
        r"text/twin\.py:5: clip stands in text/words\.py:\d+ already",
    ),
    "an import of the package": (
        {"text/odd.py": f"{MODULE}import relais.text.words\n"},
        r"text/odd\.py:5: this import cannot be taken away; write: from relais\.folder\.module import name",
    ),
    "a relative import": ({"text/odd.py": f"{MODULE}from . import words\n"}, r"text/odd\.py:5: this import cannot be taken away"),
    "an import under another name": (
        {"text/odd.py": f"{MODULE}from relais.text.words import clip as cut_off\n\nX = 1\n"},
        r"text/odd\.py:5: this import cannot be taken away",
    ),
    "an import of everything": ({"text/odd.py": f"{MODULE}from relais.text.words import *\n"}, r"text/odd\.py:5: this import"),
    "an import alone in its block": (
        {"text/odd.py": f"{MODULE}def late() -> None:\n    from relais.text.words import clip\n"},
        r"text/odd\.py:6: nothing else stands in this block",
    ),
    "an import of what is not there": (
        {"text/odd.py": f"{MODULE}from relais.text.nothing import clip\n\nX = clip\n"},
        r"text/odd\.py:5: there is no text/nothing\.py",
    ),
    "a cycle": (
        {
            "text/one.py": f"{MODULE}from relais.text.two import TWO\n\nONE = TWO\n",
            "text/two.py": f"{MODULE}from relais.text.one import ONE\n\nTWO = ONE\n",
        },
        r"text/two\.py:5: a cycle: text/one\.py → text/two\.py → text/one\.py",
    ),
    "a cycle through a late import": (
        {
            "text/one.py": f"{MODULE}from relais.text.two import TWO\n\nONE = TWO\n",
            "text/two.py": f"{MODULE}def late() -> int:\n    from relais.text.one import ONE\n\n    return ONE\n\n\nTWO = 2\n",
        },
        r"text/two\.py:6: a cycle",
    ),
    "an import of a later layer": (
        {"text/odd.py": f"{MODULE}from relais.tick.tick import tick\n\nX = tick\n"},
        r"text/odd\.py:5: tick/tick\.py lies in a later layer",
    ),
    "a name that a condition binds elsewhere too": (
        {"text/one.py": f"{MODULE}if MODULE_NAMES := ():\n    NAME = 1\n", "text/two.py": f"{MODULE}try:\n    NAME = 2\nfinally:\n    pass\n"},
        r"text/two\.py:6: NAME stands in text/one\.py:6 already",
    ),
    "a name of a loop": ({"text/odd.py": f"{MODULE}for clip in ():\n    pass\n"}, r"text/odd\.py:5: clip stands in text/words\.py:\d+ already"),
    "a name of a with": ({"text/odd.py": f"{MODULE}with open('x') as clip:\n    pass\n"}, r"text/odd\.py:5: clip stands in text/words\.py:\d+ already"),
    "an imported name that is changed": (
        {"text/odd.py": f"{MODULE}from relais.text.words import clip\n\nclip += 1\n"},
        r"text/odd\.py:7: clip is imported here, and bound once more",
    ),
    "an imported name that is deleted": (
        {"text/odd.py": f"{MODULE}from relais.text.words import clip\n\ndel clip\n"},
        r"text/odd\.py:7: clip is imported here, and bound once more",
    ),
    "two things of the library by one name": (
        {"text/one.py": f"{MODULE}from os.path import join\n\nX = join\n", "text/two.py": f"{MODULE}from shlex import join\n\nY = join\n"},
        r"text/two\.py:5: join stands in text/one\.py:5 already",
    ),
    "a name that the library has elsewhere": (
        {"text/odd.py": f"{MODULE}def itemgetter() -> None:\n    pass\n"},
        r"\S+: itemgetter stands in \S+ already",
    ),
    "a name of Python's own": (
        {"text/odd.py": f"{MODULE}def len() -> None:\n    pass\n"},
        r"text/odd\.py:5: len would take the place of Python's own",
    ),
    "a global": ({"text/odd.py": f"{MODULE}COUNT = 0\n\n\ndef up() -> None:\n    global COUNT\n    COUNT += 1\n"}, r"text/odd\.py:9: global"),
    "two statements on a line": ({"text/odd.py": f"{MODULE}import os; X = 2\n"}, r"text/odd\.py:5: something else stands on a line"),
    "a statement behind the docstring": ({"text/odd.py": '"""A part."""; X = 2\n'}, r"text/odd\.py:1: something else stands on a line"),
    "a late import with company": (
        {"text/odd.py": f"{MODULE}def late() -> int:\n    from relais.text.words import clip; x = 2\n    return x\n"},
        r"text/odd\.py:6: something else stands on a line",
    ),
    "a function for type checkers only": (
        {"text/odd.py": f"{MODULE}def late() -> None:\n    if TYPE_CHECKING:\n        pass\n"},
        r"text/odd\.py:6: nothing else stands in this block",
    ),
    "a program of its own": (
        {"text/odd.py": f"{MODULE}if __name__ == '__main__':\n    print('alone')\n"},
        r"text/odd\.py:5: __name__ is another one in the one file",
    ),
    "an import that may fail": (
        {"text/odd.py": f"{MODULE}try:\n    from relais.text.words import clip\n    X = clip\nexcept ImportError:\n    X = None\n"},
        r"text/odd\.py:6: an import of ours stands at the top",
    ),
    "an import in a class": (
        {"text/odd.py": f"{MODULE}class Odd:\n    from relais.text.words import clip\n\n    x = 1\n"},
        r"text/odd\.py:6: an import of ours stands at the top",
    ),
    "an import that hides a parameter": (
        {"text/odd.py": f"{MODULE}def late(clip: int) -> int:\n    from relais.text.words import clip\n\n    return clip\n"},
        r"text/odd\.py:6: clip means something else in this function, too",
    ),
    "an import of a name that is not there": (
        {"text/odd.py": f"{MODULE}from relais.text.words import nothing\n\nX = nothing\n"},
        r"text/odd\.py:5: there is no nothing in text/words\.py",
    ),
    "an asset that is asked for too early": (
        {"settings/odd.py": f"{MODULE}from relais.world.carried import asset\n\nTEXT = asset('fixtures.md')\n"},
        r"settings/odd\.py:7: asset\(\) finds nothing",
    ),
    "a missing docstring": ({"text/odd.py": "X = 1\n"}, r"text/odd\.py:1: it must begin with the sentence that says what it is for"),
    "what is no Python": ({"text/odd.py": f"{MODULE}def (:\n"}, r"text/odd\.py:5: "),
}


@pytest.mark.parametrize(("files", "words"), REFUSED.values(), ids=REFUSED)
def test_it_is_not_built_from(files: dict[str, str], words: str) -> None:
    needed = ("text/", "contract/", "world/", "tick/") if "later layer" in words or "asset" in words else ("text/",)
    few = {path: text for path, text in FILES.items() if path.startswith((*needed, "typed", "version", "head"))}
    with pytest.raises(Refused, match=f"^{words}"):
        amalgamated({**few, **files})


def test_it_is_built_from_few_parts_too() -> None:
    """Or the refusals above would prove nothing."""
    few = {path: text for path, text in FILES.items() if path.startswith(("text/", "typed", "version", "head"))}

    assert b"def clip(" in amalgamated(few)


@pytest.mark.parametrize(("content", "words"), [(b"x = 1\r\n", "a.py:1: a carriage return"), (b"x\n\xff\n", "a.py:2: not UTF-8"), (b"x\n\0", "a.py:2: a NUL")])
def test_it_is_not_built_from_bytes_that_are_no_text(content: bytes, words: str) -> None:
    with pytest.raises(Refused, match=words):
        decoded_source("a.py", content)


def test_a_refusal_names_the_file_and_writes_nothing(tmp_path: Path) -> None:
    shutil.copytree(SOURCES, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src/relais/text/odd.py").write_text("X = 1\n")

    argv = [sys.executable, "-m", "relais.amalgamate"]
    done = subprocess.run(argv, cwd=tmp_path / "src", capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("relais.py was not built: src/relais/text/odd.py:1: ")


# --- in a stranger's project --------------------------------------------------------------------

QUIET = {
    "ruff": ["ruff", "check", "--isolated", "--select", "ALL", "relais.py"],
    "ruff-format": ["ruff", "format", "--isolated", "--check", "relais.py"],
    "mypy": ["mypy", "--strict", "--cache-dir=/dev/null", "relais.py"],
}
LATER_QUIET = {
    "black": ["black", "--check", "relais.py"],
    "flake8": ["flake8", "relais.py"],
    "isort": ["isort", "--check", "relais.py"],
    "pylint": ["pylint", "relais.py"],
    "pyright": ["pyright", "relais.py"],
}


@pytest.mark.parametrize("tool", QUIET)
def test_a_stranger_s_tools_are_quiet_about_it(tool: str, repo: Repo) -> None:
    program, *arguments = QUIET[tool]
    argv = [str(Path(sys.executable).with_name(program)), *arguments]
    done = subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]


@pytest.mark.slow
@pytest.mark.outside
def test_more_of_a_stranger_s_tools_are_quiet_about_it(repo: Repo, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=120)
    bin_dir = tmp_path / "venv" / "bin"
    tools = [*LATER_QUIET, "pyright[nodejs]"]
    done = subprocess.run([bin_dir / "pip", "install", "--quiet", *tools], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        pytest.skip(f"LOUD: black, flake8, isort, pylint and pyright cannot be installed: {done.stderr[-300:]}")

    for program, *arguments in LATER_QUIET.values():
        done = subprocess.run([bin_dir / program, *arguments], cwd=repo.path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, (program, (done.stdout + done.stderr)[-2000:])
