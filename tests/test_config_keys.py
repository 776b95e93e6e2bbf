"""Every key of relais.config.json does something that people can see, or is refused with another value."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from helpers import DEFAULT_CONFIG, Claude, Document, Repo, a_result, a_task, an_environment

EDIT = {"src/app.py": "one\n2\nthree\n"}
LINGERS = """
import json, sys, time
result = {"summary": "x", "files_intended": [], "commands_ran": [], "notes": []}
print(json.dumps({"type": "result", "is_error": False, "num_turns": 1, "result": json.dumps(result)}), flush=True)
time.sleep(60)
"""
IGNORES_TERM = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
SHOWN: set[str] = set()
Test = Callable[..., None]


def shows(*keys: str) -> Callable[[Test], Test]:
    SHOWN.update(keys)
    return lambda test: test


def keys_of(document: Document, prefix: str = "") -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, dict) and value:
            yield from keys_of(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def setting(key: str, value: Any) -> Document:
    """The configuration with one key set; None is JSON's null here."""
    for name in reversed(key.split(".")):
        value = {name: value}
    return dict(value)


def code(name: str, *args: str) -> Document:
    return {"id": name, "cmd": sys.executable, "args": ["-c", *args]}


@dataclass(frozen=True)
class Row:
    """With `key` set to `value` (and `also`), this task and these turns end with this code."""

    key: str
    value: Any
    code: str
    task: Document = field(default_factory=dict)
    hands: Document = field(default_factory=lambda: {"writes": EDIT})
    brain: Document = field(default_factory=dict)
    also: Document = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    error: str = ""

    def __str__(self) -> str:
        return f"{self.key}={json.dumps(self.value)[:40]}"


SLEEPS = {"writes": EDIT, "sleeps": 60}
DOCS = {"scope": {"allowed_globs": ["docs/**"]}}
DOCS_TOO = {"scope": {"allowed_globs": ["docs/**", "src/**"]}}
NEW_FILES = {"scope": {"allow_new_files": True}}
GITIGNORE = {"scope": {"allowed_globs": ["src/**", ".gitignore"]}}
LOG = {"scope": {"allowed_globs": ["src/**", "notes.log"]}}
TWO_FILES = {"writes": {**EDIT, "src/util.py": "def double(n):\n    return n + n\n"}}
NAPS = {"templates": [code("nap", "import time; time.sleep(60)")]}


def echoes(value: str) -> Document:
    return {"verification": {"fast": ["echo"], "params": {"echo": {"pkg": value}}}}


ROWS = [
    # clocks
    Row("runner.max_tick_seconds", 2, "STOP_INTERRUPTED", hands=SLEEPS, error="tick_deadline"),
    Row("runner.silence_seconds", 1, "STOP_BUILDER_TIMEOUT", hands=SLEEPS, error="timeout"),
    Row("orchestrator.timeout_seconds", 1, "STOP_INTERRUPTED", brain={"sleeps": 60}, error="timeout"),
    Row("builder.claude_code.timeout_seconds", 1, "STOP_BUILDER_TIMEOUT", hands=SLEEPS, error="timeout"),
    Row("verification.timeout_fast_seconds", 1, "STOP_VERIFY_FAILED_FAST", {"verification": {"fast": ["nap"]}}, also={"verification": NAPS}),
    Row("verification.timeout_slow_seconds", 1, "STOP_VERIFY_FAILED_SLOW", {"verification": {"slow": ["nap"]}}, also={"verification": NAPS}),
    # the fence
    Row("runner.runner_owned_globs", ["docs/**"], "STOP_RUNNER_OWNED_MUTATION", DOCS_TOO, {"writes": {"docs/guide.md": "x\n"}}),
    Row("scope.ceiling_globs", ["docs/**"], "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", NEW_FILES),
    Row("scope.ceiling_globs", ["src/**"], "SUCCESS"),
    Row("scope.protected_globs", ["src/app.py"], "STOP_SCOPE_VIOLATION_FORBIDDEN"),
    Row("scope.protected_globs", ["src/**"], "SUCCESS", NEW_FILES, {"writes": {"src/new.py": "x\n"}}),
    Row("scope.control_files_allowed", [], "STOP_SCOPE_VIOLATION_FORBIDDEN", GITIGNORE, {"writes": {".gitignore": ".env\n*.log\nnode_modules/\n"}}),
    Row("scope.control_files_allowed", [".gitignore"], "SUCCESS", GITIGNORE, {"writes": {".gitignore": ".env\n*.log\nnode_modules/\n"}}),
    Row("scope.volatile_globs", [], "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", hands={"writes": {"notes.log": "gone\n"}}),
    Row("scope.volatile_globs", ["**/*.log"], "SUCCESS", hands={"writes": {"notes.log": "gone\n"}}),
    Row("scope.lockfiles", ["app.py"], "STOP_LOCKFILE_CHANGE_FORBIDDEN"),
    Row("scope.default_forbidden_globs", ["src/app.py"], "STOP_SCOPE_VIOLATION_FORBIDDEN"),
    Row("diff_limits.default_max_bytes", 1, "STOP_DIFF_TOO_LARGE"),
    Row("diff_limits.ceiling_max_files_touched", 1, "STOP_DIFF_TOO_LARGE", hands=TWO_FILES),
    Row("diff_limits.ceiling_max_lines_changed", 1, "STOP_DIFF_TOO_LARGE"),
    # verification
    Row("verification.max_param_len", 3, "STOP_VERIFY_TAINTED", echoes("four")),
    Row("verification.reject_dotdot", True, "STOP_VERIFY_TAINTED", echoes("a..b")),
    Row("verification.reject_dotdot", False, "SUCCESS", echoes("a..b")),
    Row("verification.reject_whitespace_in_params", True, "STOP_VERIFY_TAINTED", echoes("a b")),
    Row("verification.reject_whitespace_in_params", False, "SUCCESS", echoes("a b")),
    Row("verification.reject_metachars_regex", "[xyz]", "STOP_VERIFY_TAINTED", echoes("xylophone")),
    Row("verification.required_fast", ["fail"], "STOP_VERIFY_FAILED_FAST"),
    Row("verification.required_slow", ["slow_fail"], "STOP_VERIFY_FAILED_SLOW"),
    Row("verification.templates", [code("mine", "raise SystemExit(9)")], "STOP_VERIFY_FAILED_FAST", {"verification": {"fast": ["mine"]}}),
    # budgets
    Row("budgets.per_milestone.max_ticks", 0, "BLOCKED_BUDGET_CAP"),
    Row("budgets.per_milestone.max_orchestrator_calls", 0, "BLOCKED_BUDGET_CAP"),
    Row("budgets.per_milestone.max_orchestrator_calls", 1, "BLOCKED_BUDGET_EXHAUSTED"),
    Row("budgets.per_milestone.max_builder_calls", 0, "BLOCKED_BUDGET_CAP"),
    Row("budgets.per_milestone.max_verify_runs", 4, "BLOCKED_BUDGET_EXHAUSTED"),
    Row("budgets.total.max_ticks", 0, "BLOCKED_BUDGET_CAP"),
    Row("budgets.total.max_orchestrator_calls", 1, "BLOCKED_BUDGET_EXHAUSTED"),
    Row("budgets.total.max_builder_calls", 0, "BLOCKED_BUDGET_CAP"),
    Row("budgets.total.max_verify_runs", 4, "BLOCKED_BUDGET_EXHAUSTED"),
    # the rest
    Row("orchestrator.max_parse_retries_per_tick", 0, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", brain={"says": "no json"}),
    Row("builder.claude_code.strict_builder_json", True, "STOP_BUILDER_OUTPUT_INVALID", hands={"says": "done!", "writes": EDIT}),
    Row("builder.claude_code.strict_builder_json", False, "SUCCESS", hands={"says": "done!", "writes": EDIT}),
    Row("runner.crash_cleanup.validate_runner_json_files", True, "BLOCKED_CRASH_RECOVERY_REQUIRED", given={"relais/TASK.json": "{}"}),
    Row("runner.crash_cleanup.validate_runner_json_files", False, "SUCCESS", given={"relais/TASK.json": "{}"}),
    Row("history.max_mb", 0, "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED", given={"relais/history/20260101T000000Z-0000/x": "x"}),
    Row("claude_code_cli.command", "no-such-agent", "BLOCKED_AGENT_UNAVAILABLE"),
]
SHOWN.update(row.key for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_key_decides_the_verdict(row: Row, repo: Repo, claude: Claude) -> None:
    repo.configure(row.also)
    repo.configure(setting(row.key, row.value))
    for path, text in row.given.items():
        repo.write(path, text)
    claude.plays({"says": a_task(**row.task), **row.brain}, {"says": a_result(), **row.hands})
    tree = repo.tree()

    done = repo.relais("run", timeout=30)

    assert repo.report["code"] == row.code, done.stderr
    if row.error:
        assert repo.report["error"]["kind"] == row.error
    if row.code != "SUCCESS":
        assert repo.tree() == tree


# --- refused ------------------------------------------------------------------------------

REFUSED = {
    "version": "2.0",
    "product_name": "relay",
    "runner.require_git": False,
    "verification.execution_mode": "shell",
    "builder.default_mode": "cursor",
}
SHOWN.update(REFUSED)


@pytest.mark.parametrize("key", REFUSED)
def test_a_key_with_one_possible_value_refuses_others_by_name(key: str, repo: Repo) -> None:
    repo.configure(setting(key, REFUSED[key]))

    done = repo.relais("run")

    assert done.returncode == 20
    assert repo.blocked["code"] == "BLOCKED_MISSING_CONFIG"
    assert key in repo.blocked["reason"]


# --- what the agent is told and given ------------------------------------------------------

SPOKEN = {
    "claude_code_cli": {"command": "other-claude", "output_format": "stream-json", "no_session_persistence": False, "setting_sources": "user"},
    "models": {
        "orchestrator_model": "model-a",
        "orchestrator_fallback_model": "model-b",
        "builder_model": "model-c",
        "builder_fallback_model": "model-d",
    },
    "orchestrator": {
        "max_turns": 3,
        "permission_mode": "plan",
        "allowed_tools": "Read,Grep",
        "system_prompt_file": "relais/prompts/a.system.txt",
        "user_prompt_file": "relais/prompts/a.user.txt",
        "max_budget_usd": 0.37,
    },
    "builder": {
        "claude_code": {
            "max_turns": 2,
            "permission_mode": "acceptEdits",
            "allowed_tools": "Edit,WebFetch",
            "system_prompt_file": "relais/prompts/b.system.txt",
            "user_prompt_file": "relais/prompts/b.user.txt",
            "max_budget_usd": 1.23,
        },
    },
    "scope": {
        "default_allowed_globs": ["odd-allowed/**"],
        "default_forbidden_globs": ["odd-forbidden/**"],
        "default_allow_new_files": True,
        "default_allow_lockfile_changes": True,
    },
    "diff_limits": {"default_max_files_touched": 37, "default_max_lines_changed": 411},
    "budgets": {"per_milestone": {"max_ticks": 1234}, "warn_at_fraction": 0.01},
    "verification": {"templates": [code("odd_template", "pass")]},
}


@dataclass(frozen=True)
class Heard:
    brain: Document
    hands: Document


@pytest.fixture(scope="module")
def heard(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """One tick with every setting of the agents changed."""
    folder = tmp_path_factory.mktemp("spoken")
    claude = Claude(folder / "bin", folder / "home" / ".claude" / "fake")
    claude.install()
    (folder / "bin" / "claude").rename(folder / "bin" / "other-claude")
    shutil.copytree(template, folder / "repo", symlinks=True)
    repo = Repo(folder / "repo", an_environment(folder / "home", folder / "bin"))
    for name, role in (("a", "orchestrator"), ("b", "builder")):
        repo.write(f"relais/prompts/{name}.system.txt", "another system prompt\n")
        repo.write(f"relais/prompts/{name}.user.txt", f"PROMPT OF {name}\n" + repo.read(f"relais/prompts/{role}.user.txt"))
    state = {"ticks": 100, "orchestrator_calls": 3, "builder_calls": 1, "verify_runs": 0, "estimated_cost_usd": 0}
    repo.write("relais/STATE.json", json.dumps({**EMPTY_STATE, "budgets": state}))
    repo.configure(SPOKEN)
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run")

    assert done.returncode == 0, done.stderr
    return Heard(*claude.calls)


EMPTY_STATE = {"schema_version": 1, "milestone_id": "M1", "budget_warning": False, "last_run_id": None, "last_verdict": None}
ARGV = [
    ("claude_code_cli.output_format", "brain", ["--output-format", "stream-json"]),
    ("claude_code_cli.setting_sources", "hands", ["--setting-sources", "user"]),
    ("models.orchestrator_model", "brain", ["--model", "model-a"]),
    ("models.orchestrator_fallback_model", "brain", ["--fallback-model", "model-b"]),
    ("models.builder_model", "hands", ["--model", "model-c"]),
    ("models.builder_fallback_model", "hands", ["--fallback-model", "model-d"]),
    ("orchestrator.max_turns", "brain", ["--max-turns", "3"]),
    ("orchestrator.permission_mode", "brain", ["--permission-mode", "plan"]),
    ("orchestrator.allowed_tools", "brain", ["--tools", "Read,Grep"]),
    ("orchestrator.max_budget_usd", "brain", ["--max-budget-usd", "0.37"]),
    ("builder.claude_code.max_turns", "hands", ["--max-turns", "2"]),
    ("builder.claude_code.permission_mode", "hands", ["--permission-mode", "acceptEdits"]),
    ("builder.claude_code.allowed_tools", "hands", ["--tools", "Edit,WebFetch"]),
    ("builder.claude_code.max_budget_usd", "hands", ["--max-budget-usd", "1.23"]),
]
PROMPTS = [
    ("orchestrator.user_prompt_file", "brain", "PROMPT OF a"),
    ("builder.claude_code.user_prompt_file", "hands", "PROMPT OF b"),
    ("scope.default_allowed_globs", "brain", "odd-allowed/**"),
    ("scope.default_forbidden_globs", "brain", "odd-forbidden/**"),
    ("scope.default_forbidden_globs", "hands", "odd-forbidden/**"),
    ("scope.default_allow_new_files", "brain", "allow_new_files: true"),
    ("scope.default_allow_lockfile_changes", "brain", "allow_lockfile_changes: true"),
    ("diff_limits.default_max_files_touched", "brain", "37 files"),
    ("diff_limits.default_max_lines_changed", "brain", "411 lines"),
    ("budgets.per_milestone.max_ticks", "brain", "1134 left of 1234"),
    ("budgets.warn_at_fraction", "brain", "budget critical"),
    ("verification.templates", "brain", "odd_template"),
]
SHOWN.update(key for key, *_ in [*ARGV, *PROMPTS])


@pytest.mark.parametrize(("key", "role", "words"), ARGV, ids=[key for key, *_ in ARGV])
def test_a_key_is_an_argument_of_the_agents_command(key: str, role: str, words: list[str], heard: Heard) -> None:
    argv = getattr(heard, role)["argv"]

    assert argv[argv.index(words[0]) : argv.index(words[0]) + 2] == words
    assert argv.count(words[0]) == 1


@pytest.mark.parametrize(("key", "role", "text"), PROMPTS, ids=[f"{key}-{role}" for key, role, _ in PROMPTS])
def test_a_key_is_in_the_prompt(key: str, role: str, text: str, heard: Heard) -> None:
    assert text in getattr(heard, role)["stdin"]


@shows("orchestrator.system_prompt_file", "builder.claude_code.system_prompt_file", "claude_code_cli.no_session_persistence")
def test_system_prompts_are_given_as_files_and_sessions_persist_if_asked(heard: Heard) -> None:
    assert heard.brain["argv"][-2:] == ["--system-prompt-file", f"{heard.brain['cwd']}/relais/prompts/a.system.txt"]
    assert heard.hands["argv"][-2:] == ["--append-system-prompt-file", f"{heard.hands['cwd']}/relais/prompts/b.system.txt"]
    assert "--no-session-persistence" not in heard.brain["argv"] + heard.hands["argv"]


@shows("claude_code_cli.no_session_persistence", "claude_code_cli.output_format", "claude_code_cli.setting_sources")
def test_by_default_the_agent_keeps_no_session_and_reads_no_settings(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    for call in claude.calls:
        argv = call["argv"]
        assert "--no-session-persistence" in argv
        assert argv[argv.index("--setting-sources") + 1] == ""
        assert argv[argv.index("--output-format") + 1] == "stream-json"
        assert "--verbose" in argv


@shows("orchestrator.max_prompt_chars")
@pytest.mark.parametrize("limit", [8000, 12000])
def test_the_brains_prompt_stays_within_its_limit_and_says_that_it_was_cut(limit: int, repo: Repo, claude: Claude) -> None:
    repo.configure({"orchestrator": {"max_prompt_chars": limit}})
    repo.write("relais/GOAL.md", "the goal\n" * 3000)
    repo.write("relais/FACTS.md", "a fact\n" * 3000)
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    prompt = claude.calls[0]["stdin"]
    assert len(prompt) <= limit
    assert "characters cut" in prompt
    assert '"task_kind"' in prompt, "the schema of the answer must survive"


# --- clocks and processes -------------------------------------------------------------------


@shows("runner.result_grace_seconds")
def test_an_agent_that_gave_its_result_and_lingers_counts_as_done(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"result_grace_seconds": 1}})
    claude.plays({"says": a_task()}, {"writes": EDIT, "python": LINGERS})

    repo.relais("run", timeout=30)

    assert repo.report["code"] == "SUCCESS"
    assert 1000 <= repo.report["stages"]["build"] < 8000


@shows("runner.kill_grace_seconds")
def test_an_agent_that_ignores_the_request_to_end_is_killed_after_its_grace(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"kill_grace_seconds": 0}, "builder": {"claude_code": {"timeout_seconds": 1}}})
    claude.plays({"says": a_task()}, {"python": IGNORES_TERM})

    repo.relais("run", timeout=30)

    assert repo.report["code"] == "STOP_BUILDER_TIMEOUT"
    assert 1000 <= repo.report["stages"]["build"] < 4500


# --- files --------------------------------------------------------------------------------------


@shows("runner.lockfile")
def test_the_lock_is_told_in_the_configured_file(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    repo.configure({"runner": {"lockfile": "relais/door.json"}})
    seen = str(claude.notes_dir / "seen.json")
    claude.plays({"says": a_task(), "runs": [["cp", "relais/door.json", seen]]}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert json.loads(Path(seen).read_text())["pid"] > 0
    assert not (repo.path / "relais/door.json").exists()


@shows("runner.crash_cleanup.delete_tmp_glob")
def test_the_configured_leftovers_are_removed_and_no_others(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"crash_cleanup": {"delete_tmp_glob": "relais/*.half"}}})
    repo.write("relais/STATE.json.half", "{")
    repo.write("relais/notes.tmp", "{")
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert not (repo.path / "relais/STATE.json.half").exists()
    assert (repo.path / "relais/notes.tmp").exists()


@shows("runner.render_report_md.enabled")
@pytest.mark.parametrize("enabled", [True, False])
def test_report_md_is_written_if_asked(enabled: bool, repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"render_report_md": {"enabled": enabled}}})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert (repo.path / "relais/REPORT.md").exists() == enabled


@shows("runner.render_report_md.max_chars")
def test_report_md_stays_within_its_limit(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"render_report_md": {"max_chars": 500}}})
    claude.plays({"says": a_task(intent="word " * 200)}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert len(repo.read("relais/REPORT.md")) <= 500
    assert "lines left out" in repo.read("relais/REPORT.md")


@shows("orchestrator.task_schema_file")
def test_the_persons_own_task_schema_is_the_one_that_counts(repo: Repo, claude: Claude) -> None:
    own = json.loads(repo.read("relais/schemas/task.schema.json"))
    own["properties"]["intent"] = {"type": "string", "maxLength": 5}
    repo.write("relais/schemas/mine.json", json.dumps(own))
    repo.configure({"orchestrator": {"task_schema_file": "relais/schemas/mine.json"}})
    claude.plays({"says": a_task()}, {"says": a_task(intent="short")}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert claude.count == 3
    assert "intent" in claude.calls[1]["stdin"].split("=== SCHEMA")[1].split("previous answer was refused")[1]


@shows("orchestrator.task_schema_file")
def test_the_brain_is_shown_the_task_schema_that_it_is_judged_by(repo: Repo, claude: Claude) -> None:
    own = json.loads(repo.read("relais/schemas/task.schema.json"))
    own["properties"]["intent"]["description"] = "a limerick"
    repo.write("relais/schemas/task.schema.json", json.dumps(own))
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert "a limerick" in claude.calls[0]["stdin"]


@shows("builder.claude_code.builder_result_schema_file")
def test_the_persons_own_builder_result_schema_is_the_one_that_counts(repo: Repo, claude: Claude) -> None:
    own = json.loads(repo.read("relais/schemas/builder_result.schema.json"))
    own["required"].append("status")
    repo.write("relais/schemas/mine.json", json.dumps(own))
    repo.configure(
        {"builder": {"claude_code": {"builder_result_schema_file": "relais/schemas/mine.json", "strict_builder_json": True}}}
    )
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "STOP_BUILDER_OUTPUT_INVALID"
    assert "status" in repo.report["error"]["detail"]


@shows("workspace_dir")
def test_the_workspace_may_have_another_name_and_stays_the_runners_own(repo: Repo, claude: Claude) -> None:
    repo.git("mv", "relais", "desk")
    moved = json.loads(repo.read("relais.config.json").replace("relais/", "desk/"))
    repo.write("relais.config.json", json.dumps({**moved, "workspace_dir": "desk"}))
    repo.commit("another desk")
    claude.plays(
        {"says": a_task()},
        {"says": a_result(), "writes": EDIT},
        {"says": a_task(task_id="t-2")},
        {"says": a_result(), "writes": {"desk/GOAL.md": "mine now\n"}},
    )

    first = repo.relais("run")
    second = repo.relais("run")

    assert (first.returncode, second.returncode) == (0, 10), first.stderr + second.stderr
    assert json.loads(repo.read("desk/REPORT.json"))["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert json.loads(repo.read("desk/STATE.json"))["budgets"]["ticks"] == 2
    assert not (repo.path / "relais").exists()
    assert repo.status == ""


@shows("workspace_dir")
def test_a_refusal_is_written_in_the_workspace_of_another_name(repo: Repo, claude: Claude) -> None:
    repo.git("mv", "relais", "desk")
    moved = json.loads(repo.read("relais.config.json").replace("relais/", "desk/"))
    repo.write("relais.config.json", json.dumps({**moved, "workspace_dir": "desk"}))
    repo.commit("another desk")
    repo.write("desk/lock.json", "{")

    done = repo.relais("run")

    assert done.returncode == 20
    assert json.loads(repo.read("desk/BLOCKED.json"))["code"] == "BLOCKED_LOCK_HELD"


# --- history ----------------------------------------------------------------------------------

VERIFIED = {"verification": {"fast": ["ok"]}}


@shows("history.enabled")
def test_history_can_be_switched_off(repo: Repo, claude: Claude) -> None:
    repo.configure({"history": {"enabled": False}})
    claude.plays({"says": a_task(**VERIFIED)}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert not list((repo.path / "relais/history").glob("2*"))
    assert repo.report["pointers"]["history_dir"] == "none"
    assert repo.report["diff"]["diff_patch_path"] == repo.report["verification"]["verify_log_path"] == "none"


@shows("history.dir")
def test_history_lies_in_the_configured_folder(repo: Repo, claude: Claude) -> None:
    repo.configure({"history": {"dir": "relais/past"}})
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    folder = repo.path / "relais/past" / repo.report["run_id"]
    assert (folder / "report.json").exists()
    assert repo.report["pointers"]["history_dir"] == f"relais/past/{folder.name}"
    assert not list((repo.path / "relais/history").glob("2*"))


@shows("history.include_diff_patch", "history.include_verify_log")
@pytest.mark.parametrize(
    ("key", "name", "pointer"),
    [("include_diff_patch", "diff.patch", ("diff", "diff_patch_path")), ("include_verify_log", "verify.log", ("verification", "verify_log_path"))],
    ids=["diff.patch", "verify.log"],
)
def test_a_part_of_history_can_be_left_out(key: str, name: str, pointer: tuple[str, str], repo: Repo, claude: Claude) -> None:
    repo.configure({"history": {key: False}})
    claude.plays({"says": a_task(**VERIFIED)}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    kept = {file.name for file in repo.history().iterdir()}
    assert kept == {"meta.json", "report.json", "report.md", "diff.patch", "verify.log"} - {name}
    assert repo.report[pointer[0]][pointer[1]] == "none"


# --- budgets ----------------------------------------------------------------------------------


@shows("budgets.per_milestone.max_estimated_cost_usd")
def test_the_cost_is_shown_against_its_limit_and_never_blocks(repo: Repo, claude: Claude) -> None:
    repo.configure({"budgets": {"per_milestone": {"max_estimated_cost_usd": 0.01}}})
    claude.plays({"says": a_task(), "wrapper": {"total_cost_usd": 5}}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert "5.01 of 0.01 USD" in repo.relais("status").stdout
    assert repo.relais("status", "--preflight").returncode == 0


@shows("budgets.warn_at_fraction")
def test_a_budget_that_is_nearly_used_up_is_a_warning(repo: Repo, claude: Claude) -> None:
    repo.configure({"budgets": {"warn_at_fraction": 0.5, "per_milestone": {"max_ticks": 3}}})
    turns = [{"says": a_task()}, {"says": a_result(), "writes": EDIT}]
    claude.plays(*turns, {"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "1\n"}})

    repo.relais("run")
    first = repo.report["budgets"]["warnings"], repo.state["budget_warning"]
    repo.relais("run")

    assert first == ([], False)
    assert "budget critical" in repo.report["budgets"]["warnings"]
    assert repo.state["budget_warning"] is True


# --- git --------------------------------------------------------------------------------------


@shows("git.commit_on_success")
def test_without_commits_the_work_stays_in_the_tree_and_the_next_tick_waits(repo: Repo, claude: Claude) -> None:
    repo.configure({"git": {"commit_on_success": False}})
    repo.commit()
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    head = repo.head

    repo.relais("run")

    assert (repo.report["code"], repo.head) == ("SUCCESS", head)
    assert repo.status.split() == ["M", "src/app.py"]
    assert repo.report["blast_radius"]["files_touched"] == 1
    assert repo.relais("run").returncode == 20
    assert repo.report["code"] == "BLOCKED_DIRTY_WORKTREE"
    assert repo.read("src/app.py") == EDIT["src/app.py"]


@dataclass(frozen=True)
class Hook:
    """A hook and how the tick with it ends, if hooks are run."""

    name: str
    script: str
    code: str
    subject: str = "chore: change app"


HOOKS = {
    "pre-commit passes": Hook("pre-commit", "test -s src/app.py", "SUCCESS"),
    "pre-commit refuses": Hook("pre-commit", "echo ugly; exit 1", "STOP_VERIFY_FAILED_SLOW"),
    "pre-commit edits": Hook("pre-commit", "echo more >> src/app.py; echo x > new.txt", "SUCCESS"),
    "pre-commit sees the index": Hook("pre-commit", 'test "$(git diff --cached --name-only)" = src/app.py', "SUCCESS"),
    "commit-msg refuses": Hook("commit-msg", "grep -q TICKET $1", "STOP_VERIFY_FAILED_SLOW"),
    "commit-msg edits": Hook("commit-msg", 'sed -i.bak "1s/^/T-1 /" $1', "SUCCESS", "T-1 chore: change app"),
    "commit-msg empties": Hook("commit-msg", ": > $1", "STOP_VERIFY_FAILED_SLOW"),
    "commit-msg begins with blank lines": Hook("commit-msg", 'printf " \\n\\nT-2\\n\\n" > $1', "SUCCESS", "T-2"),
    "commit-msg begins with a control": Hook("commit-msg", 'printf "\\013T-3\\033[2J\\n" > $1', "SUCCESS", r"\x0bT-3\x1b[2J"),
    "commit-msg writes one endless line": Hook("commit-msg", 'printf "%09999d" 0 > $1', "SUCCESS", "0" * 9999),
    "commit-msg leaves a key": Hook("commit-msg", 'echo "AKIA""IOSFODNN7EXAMPLE" >> $1', "STOP_SECRET_DETECTED"),
}


def install_hook(repo: Repo, hook: Hook) -> None:
    repo.write(f".git/hooks/{hook.name}", f"#!/bin/sh\n{hook.script}\n")
    (repo.path / ".git/hooks" / hook.name).chmod(0o755)


@shows("git.run_hooks")
@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_hooks_are_run_if_asked_and_their_edits_are_put_back(hook: Hook, repo: Repo, claude: Claude) -> None:
    repo.configure({"git": {"run_hooks": True}})
    repo.commit()
    install_hook(repo, hook)
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})
    tree = repo.tree()

    done = repo.relais("run")

    assert repo.report["code"] == hook.code, done.stderr
    assert repo.status == ""
    assert not (repo.path / "new.txt").exists()
    if hook.code == "SUCCESS":
        assert repo.git("show", "HEAD:src/app.py") == repo.read("src/app.py") == EDIT["src/app.py"]
        assert repo.git("log", "-1", "--format=%s").strip() == hook.subject
        assert hook.subject.startswith(repo.report["commit"]["subject"].rstrip("…"))
        assert repo.relais("history", repo.report["run_id"]).returncode == 0
    else:
        assert repo.tree() == tree


@shows("git.run_hooks")
def test_hooks_are_not_run_unasked(repo: Repo, claude: Claude) -> None:
    install_hook(repo, HOOKS["pre-commit refuses"])
    claude.plays({"says": a_task()}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


# --- patches, baseline ------------------------------------------------------------------------

PATCH = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
PATCH_TASK = {"builder": {"mode": "patch", "patch": PATCH}}


@shows("builder.allow_patch_mode")
@pytest.mark.parametrize(("allowed", "expected"), [(True, "SUCCESS"), (False, "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID")])
def test_patch_mode_can_be_forbidden(allowed: bool, expected: str, repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"allow_patch_mode": allowed}})
    claude.plays({"says": a_task(**PATCH_TASK)}, {"says": a_task(**PATCH_TASK)})

    repo.relais("run")

    assert repo.report["code"] == expected


@shows("builder.patch.max_patch_attempts_per_milestone")
def test_patches_are_counted_and_limited_for_each_milestone(repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"patch": {"max_patch_attempts_per_milestone": 1}}})
    back = PATCH.replace("-two\n+2\n", "-2\n+two\n")
    second = a_task(task_id="t-2", builder={"mode": "patch", "patch": back})
    claude.plays({"says": a_task(**PATCH_TASK)}, {"says": second}, {"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": "3\n"}})

    repo.relais("run")
    first = repo.report["code"]
    repo.relais("run")

    assert (first, repo.report["code"]) == ("SUCCESS", "SUCCESS")
    assert "claude_code" in claude.calls[2]["stdin"].rpartition("refused")[2]
    assert repo.report["budgets"]["orchestrator_calls"] == 2


@shows("verification.baseline")
@pytest.mark.parametrize(
    ("script", "words"),
    [("raise SystemExit(1)", "already broken"), ("import sys; sys.exit('2' in open('src/app.py').read())", "regressed")],
    ids=["already broken", "regressed"],
)
def test_a_failed_check_is_tried_on_the_base_if_asked(script: str, words: str, repo: Repo, claude: Claude) -> None:
    repo.configure({"verification": {"baseline": True, "templates": [code("check", script)]}})
    claude.plays({"says": a_task(verification={"fast": ["check"]})}, {"says": a_result(), "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "STOP_VERIFY_FAILED_FAST"
    assert words in json.dumps(repo.report)
    assert words in repo.read("relais/REPORT.md")


def test_every_key_of_the_configuration_is_shown_to_do_something() -> None:
    import test_confinement  # noqa: F401 these say which keys they show
    import test_driver  # noqa: F401
    import test_drivers  # noqa: F401
    import test_loop  # noqa: F401
    import test_sandbox  # noqa: F401
    import test_secrets  # noqa: F401

    keys = set(keys_of(DEFAULT_CONFIG)) - {"$schema"}

    assert keys - SHOWN == set()
    assert SHOWN - keys == set()
