"""The fixtures F001 to F012 of the PRD: run the real relais.py, read what it left behind."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task

EXIT_STATUS = {"success": 0, "stop": 10, "blocked": 20}
EDIT = {"src/app.py": "one\n2\nthree\n"}
GIT_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch pwned\n"


@dataclass(frozen=True)
class Spent:
    orchestrator_calls: int = 1
    builder_calls: int = 1
    verify_runs: int = 0


@dataclass(frozen=True)
class Case:
    """`brain`: what it says before the task; `writes`: what the Hands do; `given`: files before the tick."""

    fixture: str
    code: str
    task: Document = field(default_factory=dict)
    writes: dict[str, str] = field(default_factory=dict)
    brain: tuple[Any, ...] = ()
    given: dict[str, str] = field(default_factory=dict)
    spent: Spent = Spent()

    @property
    def verdict(self) -> str:
        return self.code.split("_")[0].lower()


QUESTION = {"task_kind": "question", "question": {"prompt": "Which colour?"}}
VERIFY_ONLY = {"task_kind": "verify_only", "verification": {"fast": ["ok"]}}
LOCKFILE = {"scope": {"allowed_globs": ["src/**", "pnpm-lock.yaml"]}}
TWENTY_LINES = {"diff_limits": {"max_lines_changed": 20}}
TAINTED = {"verification": {"fast": ["ok", "echo"], "params": {"echo": {"pkg": "a;rm -rf"}}}}
FAST_FAILS = {"verification": {"fast": ["fail"], "slow": ["slow_ok"]}}
HALF_A_STATE = {"relais/STATE.json.tmp": '{"mile', "relais/STATE.json": '{"milestone_id": "M1", "bud'}
NOT_A_TASK = {"task_id": "t-1"}

CONTRACT = [
    Case("F001", "SUCCESS", writes=EDIT),
    Case(
        "F002",
        "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID",
        brain=("no json here", NOT_A_TASK),
        spent=Spent(orchestrator_calls=2, builder_calls=0),
    ),
    Case("F003", "STOP_QUESTION_SIDE_EFFECTS", QUESTION, EDIT),
    Case("F004", "STOP_VERIFY_ONLY_SIDE_EFFECTS", VERIFY_ONLY, EDIT),
    Case("F005", "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", writes={"package.json": "[]\n"}),
    Case("F006", "STOP_RUNNER_OWNED_MUTATION", writes={"relais/STATE.json": '{"forged": true}\n'}),
    Case("F006", "STOP_SCOPE_VIOLATION_FORBIDDEN", writes={".git/config": GIT_CONFIG}),
    Case("F007", "STOP_SCOPE_VIOLATION_NEW_FILE", writes={"src/new.ts": "export {}\n"}),
    Case("F008", "STOP_LOCKFILE_CHANGE_FORBIDDEN", LOCKFILE, {"pnpm-lock.yaml": "lockfileVersion: 6\n"}),
    Case("F009", "STOP_DIFF_TOO_LARGE", TWENTY_LINES, {"src/app.py": "line\n" * 200}),
    Case("F010", "STOP_VERIFY_TAINTED", TAINTED, EDIT, spent=Spent(builder_calls=0)),
    Case("F011", "STOP_VERIFY_FAILED_FAST", FAST_FAILS, EDIT, spent=Spent(verify_runs=1)),
    Case(
        "F012",
        "BLOCKED_CRASH_RECOVERY_REQUIRED",
        given=HALF_A_STATE,
        spent=Spent(orchestrator_calls=0, builder_calls=0),
    ),
]


def spent_in(report: Document) -> Spent:
    return Spent(**{name: report["budgets"][name] for name in Spent.__dataclass_fields__})


def trailers(repo: Repo) -> dict[str, str]:
    lines = repo.git("log", "-1", "--format=%(trailers:only,unfold)").split("\n")
    return dict(line.split(": ", 1) for line in lines if line)


def mark(path: Path, template_id: str, status: int = 0) -> Document:
    """A verification command that proves outside the repo that it ran."""
    code = f"import sys; open({str(path)!r}, 'a').write({template_id!r}); sys.exit({status})"
    return {"id": template_id, "cmd": sys.executable, "args": ["-c", code]}


@pytest.mark.parametrize("case", CONTRACT, ids=lambda case: f"{case.fixture}-{case.code}")
def test_contract(case: Case, repo: Repo, claude: Claude) -> None:
    for path, text in case.given.items():
        repo.write(path, text)
    claude.plays(
        *({"says": words} for words in case.brain),
        {"says": a_task(**case.task)},
        {"says": a_result(), "writes": case.writes},
    )
    head, tree, git_dir = repo.head, repo.tree(), repo.git_dir_tree()

    done = repo.relais("run")

    assert repo.report["code"] == case.code, done.stderr
    assert repo.report["verdict"] == case.verdict
    assert done.returncode == EXIT_STATUS[case.verdict]
    assert spent_in(repo.report) == case.spent
    assert claude.count == case.spent.orchestrator_calls + case.spent.builder_calls
    assert repo.status == ""
    if case.verdict == "success":
        assert repo.read("src/app.py") == case.writes["src/app.py"]
    else:
        assert repo.tree() == tree
        assert repo.git_dir_tree() == git_dir
        assert repo.head == head
    assert (repo.path / "relais/BLOCKED.json").exists() == (case.verdict == "blocked")


def test_every_fixture_of_the_prd_is_a_row() -> None:
    assert {case.fixture for case in CONTRACT} == {f"F{number:03}" for number in range(1, 13)}


def test_f001_success_is_one_commit_of_exactly_what_the_builder_wrote(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(verification={"fast": ["ok"]})}, {"says": a_result(), "writes": EDIT})
    base, tree = repo.head, repo.tree()

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.git("rev-list", f"{base}..HEAD").split() == [repo.head]
    assert repo.git("diff", "--name-only", base, "HEAD").split() == ["src/app.py"]
    assert repo.git("show", "HEAD:src/app.py") == EDIT["src/app.py"]
    assert repo.git("log", "-1", "--format=%an <%ae>").strip() == "Test Person <person@example.invalid>"
    assert trailers(repo) == {
        "Relais-Run": repo.report["run_id"],
        "Relais-Task": "t-1",
        "Relais-Milestone": "M1",
    }
    assert repo.head in json.dumps(repo.report["commit"])
    mode, _ = tree["src/app.py"]
    assert repo.tree() == {**tree, "src/app.py": (mode, EDIT["src/app.py"].encode())}
    assert repo.status == ""
    assert spent_in(repo.report) == Spent(verify_runs=1)


@pytest.mark.parametrize("invalid", ["no json here", "", NOT_A_TASK], ids=["prose", "nothing", "no task"])
def test_f001_one_invalid_answer_costs_one_more_orchestrator_call(
    invalid: Any, repo: Repo, claude: Claude
) -> None:
    claude.plays({"says": invalid}, {"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert (done.returncode, repo.report["code"]) == (0, "SUCCESS")
    assert spent_in(repo.report) == Spent(orchestrator_calls=2)
    assert claude.count == 3


def test_f006_a_forged_state_is_not_kept(repo: Repo, claude: Claude) -> None:
    forged = json.dumps({**repo.state, "milestone_id": "forged"})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"relais/STATE.json": forged, **EDIT}})

    repo.relais("run")

    assert repo.report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert repo.state["milestone_id"] == "M1"
    assert repo.read("src/app.py") == "one\ntwo\nthree\n"


def test_f010_nothing_runs_where_one_parameter_is_tainted(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    echo = mark(ran, "echo")
    echo["args"].append("{{pkg}}")
    echo["params"] = {"pkg": {"kind": "string_token"}}
    repo.configure({"verification": {"templates": [mark(ran, "ok"), echo]}})
    repo.commit()
    claude.plays({"says": a_task(**TAINTED)}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "STOP_VERIFY_TAINTED"
    assert repo.report["verification"]["runs"] == []
    assert not ran.exists()


def test_f011_slow_checks_do_not_run_after_a_fast_one_failed(
    repo: Repo, claude: Claude, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    repo.configure({"verification": {"templates": [mark(ran, "fail", status=3), mark(ran, "slow_ok")]}})
    repo.commit()
    claude.plays({"says": a_task(**FAST_FAILS)}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "STOP_VERIFY_FAILED_FAST"
    runs = repo.report["verification"]["runs"]
    assert [(run["template_id"], run["phase"], run["exit_code"]) for run in runs] == [("fail", "fast", 3)]
    assert ran.read_text() == "fail"


def test_f012_a_broken_state_is_left_for_the_person_and_never_replaced(repo: Repo, claude: Claude) -> None:
    for path, text in HALF_A_STATE.items():
        repo.write(path, text)

    repo.relais("run")

    assert repo.blocked["code"] == "BLOCKED_CRASH_RECOVERY_REQUIRED"
    assert repo.blocked["remediation"]
    assert repo.report["task"]["task_id"] == "none"
    assert repo.read("relais/STATE.json") == HALF_A_STATE["relais/STATE.json"]
    assert not (repo.path / "relais/STATE.json.tmp").exists()
    assert claude.count == 0
