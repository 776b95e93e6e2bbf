"""Section 2: records are built from JSON by their field names alone, and know what follows from their fields."""

from __future__ import annotations

import stat
from typing import Any, Optional

import pytest
from helpers import DEFAULT_CONFIG, Document, a_task
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemas import CONFIG_SCHEMA

from relais.contract.codes import Code, Mode, Phase, TaskKind
from relais.contract.config import Config, ParamSpec
from relais.contract.evidence import Change, Look, Touched
from relais.contract.findings import Finding, Halt
from relais.contract.state import COUNTERS, Ledger, State, state_document
from relais.contract.task import Question, Task
from relais.settings.admission import validator
from relais.settings.faults import unknown_keys
from relais.text.documents import decode, encode, merged

settings.register_profile(
    "records", deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("records")

ids = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,10}\Z")
words = st.text(min_size=1, max_size=20)
globs = st.lists(words, max_size=3)
values = st.one_of(
    st.text(max_size=5), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False)
)
scopes = st.fixed_dictionaries(
    {
        "allowed_globs": globs.filter(bool),
        "forbidden_globs": globs,
        "allow_new_files": st.booleans(),
        "allow_lockfile_changes": st.booleans(),
    }
)
limits = st.fixed_dictionaries({"max_files_touched": st.integers(1, 500), "max_lines_changed": st.integers(1, 20000)})
verifications = st.fixed_dictionaries(
    {"fast": st.lists(ids, unique=True, max_size=3), "slow": st.lists(ids, unique=True, max_size=3)},
    optional={"params": st.dictionaries(ids, st.dictionaries(words, values, max_size=2), max_size=2)},
)
claude_builders = st.fixed_dictionaries(
    {"mode": st.sampled_from(["claude_code", "cursor"]), "max_turns": st.integers(1, 40), "instructions": words},
    optional={"patch": words},
)
patch_builders = st.fixed_dictionaries(
    {"mode": st.just("patch"), "max_turns": st.integers(1, 40), "instructions": words, "patch": words}
)
questions = st.fixed_dictionaries({"prompt": words}, optional={"choices": st.lists(words, max_size=3)})
controls = st.fixed_dictionaries(
    {"action": st.sampled_from(["continue", "stop"])}, optional={"reason": st.text(max_size=10)}
)
common = {
    "task_id": ids,
    "milestone_id": ids,
    "intent": words,
    "scope": scopes,
    "diff_limits": limits,
    "verification": verifications,
}
tasks = st.one_of(
    st.fixed_dictionaries(
        {**common, "task_kind": st.just("execute"), "builder": st.one_of(claude_builders, patch_builders)}
    ),
    st.fixed_dictionaries({**common, "task_kind": st.just("execute"), "control": controls}),
    st.fixed_dictionaries(
        {**common, "task_kind": st.just("question"), "question": questions}, optional={"builder": claude_builders}
    ),
    st.fixed_dictionaries(
        {**common, "task_kind": st.just("verify_only")}, optional={"builder": claude_builders, "question": questions}
    ),
)


def without_defaults(document: Any) -> Any:
    """A task's JSON without the keys that stand for their own absence."""
    absent: tuple[Any, ...] = ([], {}, "", None)
    if not isinstance(document, dict):
        return document
    named = {"choices", "params", "reason"}
    return {k: without_defaults(v) for k, v in document.items() if not (k in named and v in absent)}


@given(tasks)
def test_a_task_comes_back_from_its_record_as_it_was(document: Document) -> None:
    validator("task", "no-such-folder", "none")(document)

    task = decode(Task, document)

    assert decode(Task, encode(task)) == task
    assert without_defaults(encode(task)) == without_defaults(document)
    validator("task", "no-such-folder", "none")(encode(task))


@given(tasks)
def test_the_fields_of_a_task_have_their_own_types(document: Document) -> None:
    task = decode(Task, document)

    assert isinstance(task.task_kind, TaskKind)
    assert isinstance(task.scope.allowed_globs, tuple)
    assert task.builder is None or isinstance(task.builder.mode, Mode)
    assert isinstance(task.verification.fast, tuple)
    assert hash(task.scope) is not None


states = st.fixed_dictionaries(
    {
        "schema_version": st.just(1),
        "milestone_id": st.one_of(st.none(), ids),
        "budgets": st.fixed_dictionaries(
            {name: st.integers(0, 1000) for name in COUNTERS},
            optional={"estimated_cost_usd": st.floats(0, 100), "patch_attempts": st.integers(0, 9)},
        ),
        "budget_warning": st.booleans(),
        "last_run_id": st.one_of(st.none(), ids),
        "last_verdict": st.sampled_from([None, "success", "stop"]),
    },
    optional={
        "question": st.fixed_dictionaries(
            {"run_id": ids, "milestone_id": ids, "prompt": words}, optional={"choices": st.lists(words, max_size=2)}
        ),
        "answers": st.lists(
            st.fixed_dictionaries({"run_id": ids, "milestone_id": ids, "prompt": words, "answer": st.text(max_size=5)}),
            max_size=2,
        ),
    },
)


@given(states)
def test_a_state_comes_back_from_its_file(document: Document) -> None:
    check = validator("state", "no-such-folder", "none")
    check(document)

    state = decode(State, document)
    written = state_document(state)

    check(written)
    assert decode(State, written) == state


def test_a_fresh_state_is_admitted_by_its_schema() -> None:
    validator("state", "no-such-folder", "none")(state_document(State()))


def test_keys_that_no_field_has_are_left_out() -> None:
    assert decode(Question, {"prompt": "p", "other": 1}) == Question("p")


def test_the_default_configuration_decodes_all_the_way_down() -> None:
    config = decode(Config, merged(DEFAULT_CONFIG, {"verification": {"templates": [
        {"id": "t", "cmd": "c", "args": ["{{a}}"], "params": {"a": {"kind": "enum", "values": ["x"]}}}]}}))  # fmt: skip

    assert config.verification.templates[0].params["a"] == ParamSpec("enum", ("x",))
    assert config.builder.default_mode is Mode.CLAUDE_CODE
    assert config.diff_limits.ceiling_max_files_touched is None


MERGED = [
    ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
    ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    ({"a": {"b": 1}}, {"a": None}, {"a": None}),
    ({"a": 1}, {"b": {"c": 1}}, {"a": 1, "b": {"c": 1}}),
]


@pytest.mark.parametrize(("defaults", "document", "result"), MERGED)
def test_merged_replaces_lists_and_joins_objects(defaults: Document, document: Document, result: Document) -> None:
    assert merged(defaults, document) == result


def test_unknown_keys_are_found_with_their_path() -> None:
    document = {
        "version": "1.0",
        "runer": {},
        "runner": {"max_tick_secnds": 1},
        "verification": {"templates": [{"id": "a", "comand": "x"}]},
    }

    found = [path for path, _ in unknown_keys(document, CONFIG_SCHEMA)]

    assert found == ["runer", "runner.max_tick_secnds", "verification.templates[0].comand"]


# --- derived facts ----------------------------------------------------------------------------

KINDS = [
    (stat.S_IFREG | 0o644, "file", 0o644),
    (stat.S_IFDIR | 0o1777, "folder", 0o1777),
    (stat.S_IFLNK | 0o777, "link", 0o777),
    (stat.S_IFIFO, "special", 0),
    (stat.S_IFSOCK, "special", 0),
    (0, "special", 0),
]


@pytest.mark.parametrize(("mode", "kind", "permissions"), KINDS)
def test_a_look_knows_its_kind(mode: int, kind: str, permissions: int) -> None:
    look = Look(mode, 1, 0, 0, 0, 0, None)

    assert (look.kind, look.permissions) == (kind, permissions)


def a_look(mode: int = stat.S_IFREG, size: int = 10) -> Look:
    return Look(mode | 0o644, 1, size, 0, 0, 0, None)


@pytest.mark.parametrize(
    ("status", "is_new"), [("A", True), ("T", True), ("M", False), ("m", False), ("D", False), ("L", False)]
)
def test_what_is_new(status: str, is_new: bool) -> None:
    assert Change("a", status, None, None).is_new is is_new


@pytest.mark.parametrize(
    ("after", "size"), [(None, 0), (a_look(), 10), (a_look(stat.S_IFLNK), 0), (a_look(stat.S_IFDIR), 0)]
)
def test_only_files_have_a_size(after: Optional[Look], size: int) -> None:
    assert Change("a", "M", a_look(), after).size == size


def test_touched_adds_up() -> None:
    touched = Touched(
        (
            Change("a", "A", None, a_look()),
            Change("b", "M", a_look(), a_look(size=5)),
            Change("c", "D", a_look(), None),
        ),
        7,
        3,
    )

    assert (touched.paths, touched.new_paths) == (("a", "b", "c"), ("a",))
    assert (touched.bytes_changed, touched.lines_changed) == (10, 10), "as long as nothing was compared: what was added"
    assert touched._replace(bytes_measured=4).bytes_changed == 4
    assert touched.blast_radius == {"files_touched": 3, "lines_added": 7, "lines_deleted": 3, "new_files": 1}


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_ledger_adds_and_is_never_changed(ticks: int, more: int) -> None:
    before = Ledger(ticks=ticks)

    after = before.plus(ticks=more, builder_calls=1)

    assert (after.ticks, after.builder_calls, before) == (ticks + more, 1, Ledger(ticks=ticks))


def test_a_finding_names_a_few_offenders_and_counts_the_rest() -> None:
    finding = Finding(Code.STOP_SCOPE_VIOLATION_FORBIDDEN, "forbidden", ("a\nb", "2", "3", "4", "5", "6", "7"))

    assert finding.sentence == "forbidden: a\\nb, 2, 3, 4, (+3 more)"
    assert Finding(Code.SUCCESS, "done").sentence == "done"
    assert str(Halt(finding)) == finding.sentence


def test_a_task_of_the_harness_is_a_task_of_relais() -> None:
    task = decode(Task, a_task(verification={"fast": ["ok"]}))

    assert (task.task_kind, task.builder.mode, task.verification.fast) == (TaskKind.EXECUTE, Mode.CLAUDE_CODE, ("ok",))
    assert [phase.value for phase in Phase] == ["fast", "slow"]
