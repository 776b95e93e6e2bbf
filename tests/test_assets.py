"""What relais carries, what lies in this repo, what is made from something else, and what the schemas admit, in step."""

from __future__ import annotations

import ast
import copy
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import fastjsonschema
import pytest
from generate import made
from helpers import DEFAULT_CONFIG, RELAIS, ROOT, Claude, Document, Repo, a_result, a_task
from schemas import CONFIG_SCHEMA, CONFIG_WORDS, SCHEMAS, TASK_SCHEMA

from relais.agents.prompts import PROMPT_CAPS, PROMPT_CUTS
from relais.brain.stage import task_faults
from relais.commands.init import assets
from relais.contract.codes import PLACEHOLDER, Code
from relais.contract.config import Config
from relais.contract.state import Ledger
from relais.contract.task import Task
from relais.rules.fence import CONTROL_GLOBS
from relais.settings.admission import validator
from relais.text.documents import Invalid, decode, merged
from relais.text.globs import glob_fault
from relais.world.carried import asset

NOWHERE = ("no-such-folder", "none")
CONTRACT = Path(__file__).resolve().with_name("test_contract.py")


# --- copies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", assets())
def test_the_committed_copy_is_what_init_writes(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == assets()[name], "run `make assets`"


def test_nothing_else_is_committed_in_the_workspace() -> None:
    runtime = re.compile(
        r"relais/(?:(?:STATE|TASK|REPORT|BLOCKED|inflight|lock)\.json|REPORT\.md|(?:out|history|\.tmp)/.*|.*\.tmp)"
    )
    files = (path.relative_to(ROOT).as_posix() for path in (ROOT / "relais").rglob("*") if path.is_file())

    assert {path for path in files if not runtime.fullmatch(path)} <= set(assets())


def test_init_in_another_repo_writes_the_same_schemas_and_prompts(repo: Repo) -> None:
    for name, text in assets().items():
        if name.startswith(("relais/schemas/", "relais/prompts/", "relais/fixtures/")):
            assert repo.read(name) == text


@pytest.mark.parametrize("kind", ["schemas", "validators", "assets"])
def test_what_is_made_is_what_its_sources_make(kind: str) -> None:
    if kind == "validators" and sys.version_info[:2] != (3, 11):
        pytest.skip(f"LOUD: the text of the validators is compared on Python 3.11 only, this is {sys.version.split()[0]}")
    stale = [path.relative_to(ROOT).as_posix() for path, content in made()[kind].items() if path.read_bytes() != content]

    assert stale == [], f"run `make {kind}`"


# --- prompts ----------------------------------------------------------------------------------


def keys_of_returned_dict(function: str) -> set[str]:
    """The string keys of the dict that a function of relais.py returns, from its syntax tree."""
    module = ast.parse(RELAIS.read_text("utf-8"))
    found = next(node for node in ast.walk(module) if isinstance(node, ast.FunctionDef) and node.name == function)
    returned = [
        node.value for node in ast.walk(found) if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict)
    ]
    assert len(returned) == 1
    return {key.value for key in returned[0].keys if isinstance(key, ast.Constant)}


SUPPLIERS = [
    ("orchestrator.user.txt", "orchestrator_values", {"RETRY_REASON"}),
    ("builder.user.txt", "builder_values", set()),
]


@pytest.mark.parametrize(("prompt", "supplier", "more"), SUPPLIERS, ids=["orchestrator", "builder"])
def test_a_prompt_asks_for_exactly_what_its_supplier_gives(prompt: str, supplier: str, more: set[str]) -> None:
    assert set(re.findall(PLACEHOLDER, asset(f"prompts/{prompt}"))) == keys_of_returned_dict(supplier) | more


@pytest.mark.parametrize("prompt", ["orchestrator.system.txt", "builder.system.txt"])
def test_a_system_prompt_has_no_placeholders(prompt: str) -> None:
    assert "{{" not in asset(f"prompts/{prompt}")


def test_every_part_with_a_cap_is_in_the_prompt_and_in_the_order_of_cutting() -> None:
    names = set(re.findall(PLACEHOLDER, asset("prompts/orchestrator.user.txt")))

    assert set(PROMPT_CAPS) == {name for name, _ in PROMPT_CUTS}
    assert set(PROMPT_CAPS) <= names


def test_no_placeholder_is_left_in_what_the_agents_read(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result()})

    repo.relais("run")

    assert claude.count == 2
    assert not [call for call in claude.calls if re.search(r"\{\{[A-Z_]+\}\}", json.dumps(call))]


# --- fixtures ---------------------------------------------------------------------------------

ALL_FIXTURES = [f"F{number:03}" for number in range(1, 13)]


def test_the_fixtures_are_listed_and_tested_under_the_same_ids_and_codes() -> None:
    listed = re.findall(r"^\| (F\d{3}) \|", (ROOT / "relais/fixtures/README.md").read_text("utf-8"), re.MULTILINE)
    tested = set(re.findall(r'"(F\d{3})"', CONTRACT.read_text("utf-8")))

    assert listed == ALL_FIXTURES
    assert tested == set(ALL_FIXTURES)


def test_the_codes_of_the_fixtures_are_those_of_the_contract_tests() -> None:
    import test_contract

    rows = re.findall(r"^\| (F\d{3}) \|[^|]*\|([^|]*)\|", asset("fixtures.md"), re.MULTILINE)
    listed = {fixture: set(re.findall(r"\b(?:SUCCESS|STOP_\w+|BLOCKED_\w+)\b", row)) for fixture, row in rows}

    assert listed == {f: {case.code for case in test_contract.CONTRACT if case.fixture == f} for f in ALL_FIXTURES}


# --- schemas ----------------------------------------------------------------------------------

DRAFT_07 = set(
    "$schema $id title description type enum const properties required additionalProperties items minItems maxItems uniqueItems "
    "minLength maxLength pattern minimum maximum allOf anyOf oneOf not if then else default".split()
)


def schemas_within(schema: Any) -> Iterator[Document]:
    """A schema and every schema inside it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("items", "additionalProperties", "not", "if", "then", "else"):
        yield from schemas_within(schema.get(key))
    for key in ("allOf", "anyOf", "oneOf"):
        for inner in schema.get(key, ()):
            yield from schemas_within(inner)
    for inner in schema.get("properties", {}).values():
        yield from schemas_within(inner)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_stay_within_what_fastjsonschema_knows(name: str) -> None:
    for schema in schemas_within(SCHEMAS[name]):
        assert set(schema) <= DRAFT_07


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_if_names_its_properties_in_required(name: str) -> None:
    for schema in schemas_within(SCHEMAS[name]):
        condition = schema.get("if")
        assert condition is None or set(condition.get("properties", {})) <= set(condition.get("required", []))


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_required_is_a_property(name: str) -> None:
    for schema in schemas_within(SCHEMAS[name]):
        if schema.get("additionalProperties") is False:
            assert set(schema["required"]) <= set(schema["properties"])


PATCH = {"mode": "patch", "max_turns": 1, "instructions": "apply", "patch": "diff --git a/a b/a\n"}
QUESTION = {"prompt": "Which colour?", "choices": ["red", "blue"]}
STOP = {"action": "stop", "reason": "done"}
MATRIX = {
    "the seed's patch task": (a_task(builder=PATCH), True),
    "patch without a patch": (a_task(builder={**PATCH, "patch": None}), False),
    "execute with a builder": (a_task(), True),
    "execute with control": (a_task(builder=None, control=STOP), True),
    "execute with neither": (a_task(builder=None), False),
    "execute with both": (a_task(control=STOP), False),
    "question with a builder": (a_task(task_kind="question", question=QUESTION), True),
    "question without": (a_task(task_kind="question", question=QUESTION, builder=None), True),
    "question with both": (a_task(task_kind="question", question=QUESTION, control=STOP), False),
    "question without a question": (a_task(task_kind="question", builder=None), False),
    "question with a patch": (a_task(task_kind="question", question=QUESTION, builder=PATCH), False),
    "verify_only with a builder": (a_task(task_kind="verify_only"), True),
    "verify_only without": (a_task(task_kind="verify_only", builder=None), True),
    "verify_only with both": (a_task(task_kind="verify_only", control=STOP), False),
    "the external driver": (a_task(builder={"mode": "cursor"}), True),
    "an unknown mode": (a_task(builder={"mode": "codex"}), False),
    "a template twice in fast": (a_task(verification={"fast": ["a", "a"]}), False),
    "a template twice in slow": (a_task(verification={"slow": ["a", "a"]}), False),
    "params": (a_task(verification={"params": {"t": {"a": "x", "b": 1, "c": True}}}), True),
    "params that nest": (a_task(verification={"params": {"t": {"a": {}}}}), False),
    "an id with a slash": (a_task(milestone_id="../up"), False),
    "an id with a newline": (a_task(task_id="t-1\n"), False),
    "an unknown key": (a_task(extra=1), False),
    "no allowed globs": (a_task(scope={"allowed_globs": []}), False),
    "a boolean for a number": (a_task(diff_limits={"max_files_touched": True}), False),
}


def is_admitted(name: str, document: Any) -> bool:
    try:
        validator(name, *NOWHERE)(copy.deepcopy(document))
    except Invalid:
        return False
    return True


@pytest.mark.parametrize(("task", "admitted"), MATRIX.values(), ids=MATRIX)
def test_which_tasks_are_admitted(task: Document, admitted: bool) -> None:
    assert is_admitted("task", task) is admitted


def test_a_refusal_names_the_json_path() -> None:
    with pytest.raises(Invalid, match=r"task\.scope\.allowed_globs\[1\]"):
        validator("task", *NOWHERE)(a_task(scope={"allowed_globs": ["a", ""]}))


def test_the_same_template_in_fast_and_slow_is_refused_somewhere() -> None:
    """A template id stands at most once in a task: the schema or `task_faults` says so."""
    task = a_task(verification={"fast": ["ok"], "slow": ["ok"]})
    config = decode(Config, DEFAULT_CONFIG)

    assert not is_admitted("task", task) or task_faults(
        decode(Task, task), config, Ledger()
    )


# --- both paths give the same verdict ---------------------------------------------------------

SPENT = {
    "milestone_id": "M1",
    "ticks": 1,
    "orchestrator_calls": 1,
    "builder_calls": 1,
    "verify_runs": 0,
    "estimated_cost_usd": 0.5,
}
REPORT: Document = {
    "run_id": "20260131T142501Z-9f3c",
    "started_at": "2026-01-31T14:25:01Z",
    "ended_at": "2026-01-31T14:25:02.5+01:00",
    "duration_ms": 1500,
    "base_commit": "0000000",
    "head_commit": "a" * 40,
    "task": {"task_id": "t-1", "milestone_id": "M1", "task_kind": "execute", "intent": "x"},
    "verdict": "stop",
    "code": "STOP_VERIFY_FAILED_FAST",
    "blast_radius": {"files_touched": 1, "lines_added": 1, "lines_deleted": 1, "new_files": 0},
    "scope": {"ok": True, "violations": [], "touched_paths": ["src/app.py"]},
    "diff": {"files_changed": 1, "lines_changed": 2, "diff_patch_path": "none"},
    "verification": {
        "exec_mode": "argv_no_shell",
        "runs": [{"template_id": "t", "phase": "fast", "cmd": "c", "args": ["a"], "exit_code": -1, "duration_ms": 3, "timed_out": True, "output_tail": "x"}],
        "verify_log_path": "relais/history/x/verify.log",
    },
    "budgets": {**SPENT, "warnings": ["no_changes"]},
    "ledger": SPENT,
    "pointers": {"report_md_path": "relais/REPORT.md"},
    "builder": {"mode": "claude_code", "output_valid": True, "status": "done"},
    "rollback": {"ok": True, "rescue_ref": "refs/relais/rescue/x"},
    "question": QUESTION,
    "stages": {"build": 12},
    "agent": {"usage": {"input_tokens": 3}},
    "error": {"kind": "verification", "detail": "", "retry_at": "2026-01-31T14:25:01Z"},
}  # fmt: skip
STATE: Document = {
    "schema_version": 1,
    "milestone_id": "M1",
    "budgets": {name: value for name, value in SPENT.items() if name != "milestone_id"},
    "budget_warning": False,
    "last_run_id": None,
    "last_verdict": "stop",
    "question": {"run_id": "r", "milestone_id": "M1", **QUESTION},
    "answers": [{"run_id": "r", "milestone_id": "M1", "prompt": "p", "answer": "a"}],
}
TEMPLATE = {"id": "t", "cmd": "pnpm", "args": ["{{a}}"], "params": {"a": {"kind": "enum", "values": ["x"]}}}
VALID: dict[str, list[Document]] = {
    "task": [task for task, admitted in MATRIX.values() if admitted],
    "builder_result": [a_result(), a_result(status="refused", notes=["n"], commands_ran=["c"])],
    "report": [
        REPORT,
        {**REPORT, "verdict": "success", "code": "SUCCESS"},
        {**REPORT, "verdict": "blocked", "code": "BLOCKED_STUCK"},
    ],
    "state": [STATE, {**STATE, "milestone_id": None}],
    "blocked": [
        {
            "code": "BLOCKED_STUCK",
            "reason": "r",
            "remediation": ["relais run"],
            "blocked_at": "2026-01-31T14:25:01Z",
            "details": ["d"],
        }
    ],
    "config": [
        DEFAULT_CONFIG,
        merged(DEFAULT_CONFIG, {"verification": {"templates": [TEMPLATE]}}),
        {"version": "1.0"},
    ],
    "review_result": [{"summary": "s", "criteria": [{"criterion": "c", "verdict": "pass", "evidence": "e"}]}],
}
ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 1.5, 10**9, "", "x", "x" * 501, "x" * 5000, "a\n", "../x", "SUCCESS", "stop", "patch", "question",
    [], ["x"], ["x", "x"], ["x"] * 600, [[]], {}, {"x": 1}, "2026-01-31", "2026-01-31T14:25:01Z\n", "-x", "{{a}}",
]  # fmt: skip


def places(document: Any) -> list[Any]:
    """Every object and list inside a document, itself included, that has something in it."""
    inner = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    found = [place for value in inner for place in places(value)]
    return [document, *found] if document and isinstance(document, (dict, list)) else found


def mutated(document: Document, chance: random.Random) -> Any:
    changed = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 1, 2))):
        place = chance.choice(places(changed) or [changed])
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        deed = chance.choice(("drop", "replace", "replace", "replace", "add"))
        if deed == "drop":
            del place[key]
        elif deed == "replace":
            place[key] = copy.deepcopy(chance.choice(ODD_VALUES))
        elif isinstance(place, dict):
            place[chance.choice(("extra", "$schema", "patch", "control", "question", "status"))] = copy.deepcopy(
                chance.choice(ODD_VALUES)
            )
        else:
            place.append(copy.deepcopy(chance.choice(ODD_VALUES)))
        if not changed:
            break
    return changed


@pytest.mark.parametrize("name", SCHEMAS)
def test_valid_documents_are_admitted(name: str) -> None:
    for document in VALID[name]:
        validator(name, *NOWHERE)(copy.deepcopy(document))


def complaint_of(check: Callable[[Any], Any], refusal: type[Exception], document: Any) -> str:
    try:
        check(copy.deepcopy(document))
    except refusal as problem:
        return str(problem) or "refused"
    return ""


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_generated_validator_and_the_compiled_schema_agree(name: str) -> None:
    chance = random.Random(20260131)  # noqa: S311
    generated, compiled = (
        validator(name, *NOWHERE),
        fastjsonschema.compile(SCHEMAS[name], use_default=False),
    )
    corpus: list[Any] = [*VALID[name], *ODD_VALUES, *(mutated(chance.choice(VALID[name]), chance) for _ in range(800))]
    admitted = 0

    for document in corpus:
        one = complaint_of(generated, Invalid, document)
        other = complaint_of(compiled, fastjsonschema.JsonSchemaValueException, document)
        assert bool(one) == bool(other), (document, one, other)
        admitted += not one

    assert 10 < admitted < len(corpus) - 100


# --- the configuration ------------------------------------------------------------------------


class Pair(NamedTuple):
    where: str
    record: Any
    document: Document


def pairs(record: Any, document: Document, where: str = "config") -> Iterator[Pair]:
    yield Pair(where, record, document)
    for name, kind in record.__annotations__.items():
        if hasattr(kind, "_fields") and isinstance(document.get(name), dict):
            yield from pairs(kind, document[name], f"{where}.{name}")


@pytest.mark.parametrize("pair", list(pairs(Config, DEFAULT_CONFIG)), ids=lambda pair: pair.where)
def test_each_key_of_the_configuration_has_a_field_and_the_other_way_round(pair: Pair) -> None:
    assert set(pair.record._fields) == set(pair.document) - {"$schema"}


def test_the_default_configuration_points_at_its_own_schema() -> None:
    assert (ROOT / DEFAULT_CONFIG["$schema"]).is_file()
    assert CONFIG_SCHEMA["required"] == ["version"]


def test_the_shipped_globs_are_globs() -> None:
    scope, runner = DEFAULT_CONFIG["scope"], DEFAULT_CONFIG["runner"]
    globs = [
        *CONTROL_GLOBS,
        *runner["runner_owned_globs"],
        *(g for name, value in scope.items() if name.endswith("globs") for g in value),
    ]

    assert [glob_fault(glob) for glob in globs if glob_fault(glob)] == []


def test_an_edited_schema_is_the_one_that_counts(repo: Repo, claude: Claude) -> None:
    schema = copy.deepcopy(TASK_SCHEMA)
    schema["properties"]["intent"]["maxLength"] = 3
    repo.write("relais/schemas/task.schema.json", json.dumps(schema))
    repo.commit()
    claude.plays({"says": a_task()}, {"says": a_task()})

    repo.relais("run")

    assert repo.report["code"] == "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"
    assert "intent" in repo.report["error"]["detail"]


def test_the_readme_has_the_codes_of_the_code() -> None:
    import generate

    readme = (ROOT / "README.md").read_text("utf-8")

    assert readme == generate.with_tables(readme), "run `make assets`"
    assert all(f"| `{code.value}` |" in readme for code in Code)
    assert all(f"| `{key}` |" in readme for key in CONFIG_WORDS)


def test_every_key_of_the_configuration_has_its_words() -> None:
    import generate

    keys = {key for key, _ in generate.leaves(DEFAULT_CONFIG)} - {"$schema"}

    assert keys == set(CONFIG_WORDS)
