"""Section 13: our tasks join a person's tasks.json, and not one byte of theirs moves."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from helpers import ROOT, Repo
from hypothesis import given, settings
from hypothesis import strategies as st

from relais.commands.cli import parser
from relais.commands.tasks_json import Jsonc, Unmergeable, with_tasks
from relais.world.carried import asset

OURS = json.loads(asset("tasks.json"))
LABELS = [task["label"] for task in OURS["tasks"]]
THEIRS = """\
// my tasks
{
    // the version
    "version": "2.0.0", /* of the format */
    "tasks": [
        {
            "label": "build", // mine
            "command": "make",
            "problemMatcher": ["$gcc",],
        },
        // one more to come
    ],
}
"""
CASES = {
    "comments and trailing commas": THEIRS,
    "line ends of Windows": THEIRS.replace("\n", "\r\n"),
    "tabs": THEIRS.replace("    ", "\t"),
    "a mark of byte order": "\ufeff" + THEIRS,
    "no trailing comma": '{\n  "version": "2.0.0",\n  "tasks": [\n    {"label": "x"} // last\n  ]\n}\n',
    "one line": '{"version": "2.0.0", "tasks": [{"label": "x"}]}',
    "no tasks": '{\n  "version": "2.0.0"\n}\n',
    "no tasks, a comma": '{\n  "version": "2.0.0",\n}\n',
    "an empty list": '{"version": "2.0.0", "tasks": []}',
    "an empty list with a comment": '{"version": "2.0.0", "tasks": [\n // nothing yet\n]}',
    "inputs of their own": '{"version": "2.0.0", "tasks": [], "inputs": [{"id": "mine", "type": "promptString"}]}',
    "comments that look like JSON": '{"version": "2.0.0", "tasks": [ /* ], "x": [ */ {"label": "// no"} ]}',
    "strings that look like comments": '{"version": "2.0.0", "tasks": [{"label": "/* \\" */", "command": "http://x"}]}',
}


def without_comments(text: str) -> str:
    """For the tests' own reading, by another way than relais': comments and trailing commas taken out."""
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or " ", text.lstrip("\ufeff"), flags=re.DOTALL)
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(\s*[\]}])', lambda m: m.group(1) or m.group(2), text)


def is_within(old: str, new: str) -> bool:
    """Whether `new` is `old` with things added, and nothing else."""
    rest = iter(new)
    return all(character in rest for character in old)


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_ours_are_added_and_theirs_stay(text: str) -> None:
    merged, notes = with_tasks(text, OURS)

    before, after = json.loads(without_comments(text)), json.loads(without_comments(merged))
    assert after["tasks"] == [*before.get("tasks", []), *OURS["tasks"]]
    assert after["inputs"] == [*before.get("inputs", []), *OURS["inputs"]]
    assert is_within(text, merged)
    assert ("\r\n" in text) == ("\r\n" in merged), "one kind of line end"
    assert "\r\n" not in text or "\n" not in merged.replace("\r\n", "")
    assert notes == []


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_second_time_changes_nothing(text: str) -> None:
    merged, _ = with_tasks(text, OURS)

    assert with_tasks(merged, OURS) == (merged, [])


def test_it_reads_well() -> None:
    merged, _ = with_tasks(THEIRS, {"tasks": [{"label": "relais: x", "args": ["1"]}], "inputs": []})

    assert merged == THEIRS.replace(
        "        // one more to come\n",
        '        // one more to come\n        {\n            "label": "relais: x",\n            "args": [\n                "1"\n            ]\n        },\n',
    )


def test_a_task_that_they_changed_is_theirs() -> None:
    mine = json.dumps({"version": "2.0.0", "tasks": [{"label": "relais: tick", "command": "mine"}]})

    merged, notes = with_tasks(mine, OURS)

    assert [task["label"] for task in json.loads(merged)["tasks"]].count("relais: tick") == 1
    assert '"command": "mine"' in merged
    assert notes == ["relais: tick (yours)"]


def test_a_default_build_task_of_theirs_stays_the_default() -> None:
    mine = json.dumps({"version": "2.0.0", "tasks": [{"label": "make", "group": {"kind": "build", "isDefault": True}}]})

    merged, notes = with_tasks(mine, OURS)

    groups = {task["label"]: task.get("group") for task in json.loads(merged)["tasks"]}
    assert groups["make"] == {"kind": "build", "isDefault": True}
    assert groups["relais: tick"] == "build"
    assert notes == ["another task is your default build task, and stays it"]
    assert with_tasks(merged, OURS) == (merged, notes)


REFUSED = {
    "nothing": ("", "line 1, column 1"),
    "only a comment": ("// later\n", "line 2, column 1"),
    "a list": ("[]", "no tasks.json"),
    "an older version": ('{"version": "0.1.0", "tasks": []}', "no tasks.json"),
    "no version": ('{"tasks": []}', "no tasks.json"),
    "tasks that are no list": ('{"version": "2.0.0", "tasks": {}}', "tasks is no list"),
    "the same key twice": ('{"version": "2.0.0",\n "tasks": [],\n "tasks": []}', "line 3, column"),
    "a conflict": ('{\n<<<<<<< HEAD\n  "version": "2.0.0"\n=======\n', "line 2, column 1"),
    "a missing comma": ('{"version": "2.0.0"\n "tasks": []}', "line 2, column 2: expected a comma or }"),
    "a missing bracket": ('{"version": "2.0.0", "tasks": [', "column 32"),
    "more after the end": ('{"version": "2.0.0"} {}', "more after the end"),
    "two commas": ('{"version": "2.0.0",, "tasks": []}', "column 21"),
    "an open comment": ('{"version": "2.0.0" /* ', "column 21"),
    "words": ('{"version": nope}', "no JSON value"),
    "a bad number": ('{"version": 1.2.3}', "no JSON value"),
    "too deep": ('{"version": "2.0.0", "tasks": ' + "[" * 200 + "]" * 200 + "}", "nested too deeply"),
}


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_understood_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(Unmergeable, match=re.escape(words)):
        with_tasks(text, OURS)


# --- any file ---------------------------------------------------------------------------------

gaps = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // words, { [\n", "/* , ] } */", "/**/", "\r\n"])
names = st.text('ab"\\/*', max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
tasks = st.lists(st.dictionaries(st.sampled_from(["label", "command", "group", "//"]), values, max_size=3), max_size=3)


@st.composite
def files(draw: Any) -> tuple[str, dict[str, Any]]:
    """A tasks.json in anybody's style, and what it holds."""

    def written(value: Any) -> str:
        if not isinstance(value, (dict, list)):
            return json.dumps(value)
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        parts = [
            f"{draw(gaps)}{json.dumps(key) + draw(gaps) + ':' if isinstance(value, dict) else ''}{draw(gaps)}{written(part)}{draw(gaps)}"
            for key, part in pairs
        ]
        comma = "," + draw(gaps) if parts and draw(st.booleans()) else ""
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return f"{opening}{draw(gaps)}{','.join(parts)}{comma}{closing}"

    document = {"version": "2.0.0", **({"tasks": draw(tasks)} if draw(st.booleans()) else {}), **draw(st.dictionaries(st.sampled_from("xyz"), values, max_size=2))}
    return draw(gaps) + written(document) + draw(gaps), document


@settings(deadline=None)
@given(files())
def test_any_file_is_added_to_without_moving_a_byte(file: tuple[str, dict[str, Any]]) -> None:
    text, document = file

    merged, notes = with_tasks(text, OURS)

    after = Jsonc(merged).document().value
    assert after["tasks"][: len(document.get("tasks", []))] == document.get("tasks", [])
    assert {key: after[key] for key in "xyz" if key in document} == {key: document[key] for key in "xyz" if key in document}
    assert is_within(text, merged)
    assert with_tasks(merged, OURS) == (merged, notes)


@given(st.text('{}[],:"/* \n\\ab1', max_size=60))
def test_nothing_but_a_refusal_comes_of_nonsense(text: str) -> None:
    try:
        with_tasks(text, OURS)
    except Unmergeable as refusal:
        assert re.match(r"line \d+, column \d+: ", str(refusal))


# --- init -------------------------------------------------------------------------------------


def test_init_adds_them_and_keeps_mode_and_words(repo: Repo) -> None:
    repo.write(".vscode/tasks.json", THEIRS)
    (repo.path / ".vscode/tasks.json").chmod(0o600)

    done = repo.relais("init")

    assert "wrote .vscode/tasks.json" in done.stdout
    assert is_within(THEIRS, repo.read(".vscode/tasks.json"))
    assert (repo.path / ".vscode/tasks.json").stat().st_mode & 0o777 == 0o600
    assert "tasks.json" not in repo.relais("init").stdout


@pytest.mark.parametrize(("content", "words"), [(b"{ nope", "line 1, column 3"), (b"\xff\xfe", "it is not UTF-8")])
def test_init_says_what_is_wrong_and_leaves_the_file(content: bytes, words: str, repo: Repo) -> None:
    repo.write(".vscode/tasks.json", content)

    done = repo.relais("init")

    assert done.returncode == 0
    assert f"kept  .vscode/tasks.json: {words}" in done.stdout
    assert (repo.path / ".vscode/tasks.json").read_bytes() == content


# --- what they hold ---------------------------------------------------------------------------


def test_every_task_says_what_it_looks_for_in_its_output() -> None:
    assert all("problemMatcher" in task and "isBackground" not in task for task in OURS["tasks"])


def test_every_task_is_a_command_that_relais_knows() -> None:
    for task in OURS["tasks"]:
        argv = [re.sub(r"\$\{input:\w+\}", "5", word.replace("${input:relaisMode}", "milestone")) for word in task["args"][task["args"].index("${workspaceFolder}/relais.py") + 1 :]]
        assert parser(argv).parse_args(argv).command


def test_every_input_is_asked_for_by_a_task() -> None:
    asked = set(re.findall(r"\$\{input:(\w+)\}", json.dumps(OURS["tasks"])))

    assert {entry["id"] for entry in OURS["inputs"]} == asked


def test_the_settings_of_this_repo_point_at_schemas_that_are_there() -> None:
    settings = json.loads((ROOT / ".vscode/settings.json").read_text("utf-8"))

    assert all((ROOT / row["url"]).is_file() for row in settings["json.schemas"])
