"""The schemas: three combinators, enumerations from the enums, and what each key of the configuration is for.

`make schemas` writes what stands here to src/relais/assets/schemas; relais itself carries only those files.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional

from relais.contract.codes import OUTPUT_TAIL_CHARS, Code, Mode, Phase, TaskKind, Verdict
from relais.contract.config import Config, Reach, Roles, config_document
from relais.contract.state import COUNTERS, RECENT_RUNS_KEPT

Json = dict[str, Any]


def bounds(what: str, least: int, most: Optional[int]) -> Json:
    return {**({f"min{what}": least} if least else {}), **({} if most is None else {f"max{what}": most})}


def text(least: int, most: Optional[int] = None, **more: Any) -> Json:
    return {"type": "string", **bounds("Length", least, most), **more}


def number(least: float, most: Optional[float] = None, kind: str = "integer") -> Json:
    return {"type": kind, "minimum": least, **({} if most is None else {"maximum": most})}


def one_of(values: Iterable[Any]) -> Json:
    return {"type": "string", "enum": [getattr(value, "value", value) for value in values]}


def listing(items: Json, least: int = 0, most: Optional[int] = None, **more: Any) -> Json:
    return {"type": "array", "items": items, **bounds("Items", least, most), **more}


def record(required: str, **properties: Json) -> Json:
    """An object with these properties and no others."""
    return {"type": "object", "additionalProperties": False, "required": required.split(), "properties": properties}


def schema(name: str, title: str, body: Json) -> Json:
    head = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"https://relais.local/schemas/{name}.schema.json",
        "title": title,
    }
    return {**head, **body}


def nullable(body: Json) -> Json:
    return {**body, "type": [body["type"], "null"]}


YES_NO: Json = {"type": "boolean"}
ID_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
TIME_PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$"
GLOBS = listing(text(1, 200), 0, 64)
QUESTION = record("prompt", prompt=text(1, 2000), choices=listing(text(1, 200), 0, 12))
CONTROL = record("action", action=one_of(["continue", "stop"]), reason=text(0, 400))


def is_(name: str, value: str) -> Json:
    """A condition on one property that is really there: an `if` about an absent key is always true."""
    return {"properties": {name: {"const": value}}, "required": [name]}


TASK_SCHEMA = schema("task", "Relais Task", {
    **record(
        "task_id milestone_id task_kind intent scope diff_limits verification",
        task_id=text(1, 80, pattern=ID_PATTERN),
        milestone_id=text(1, 80, pattern=ID_PATTERN),
        task_kind=one_of(TaskKind),
        intent=text(1, 1200),
        question=QUESTION,
        scope=record(
            "allowed_globs forbidden_globs allow_new_files allow_lockfile_changes",
            allowed_globs=listing(text(1, 200), 1, 64),
            forbidden_globs=GLOBS,
            allow_new_files=YES_NO,
            allow_lockfile_changes=YES_NO,
        ),
        diff_limits=record(
            "max_files_touched max_lines_changed", max_files_touched=number(1, 500), max_lines_changed=number(1, 20000)
        ),
        verification=record(
            "fast slow",
            fast=listing(text(1, 64), 0, 16, uniqueItems=True),
            slow=listing(text(1, 64), 0, 16, uniqueItems=True),
            params={
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
                },
            },
        ),
        builder={
            **record(
                "mode max_turns instructions",
                mode=one_of(Mode),
                max_turns=number(1, 40),
                instructions=text(1, 4000),
                patch=text(1, 500000),
            ),
            "allOf": [{"if": is_("mode", "patch"), "then": {"required": ["patch"]}}],
        },
        control=CONTROL,
    ),
    "allOf": [
        {"if": is_("task_kind", "question"), "then": {"required": ["question"]}},
        {
            "if": is_("task_kind", "question"),
            "then": {"properties": {"builder": {"properties": {"mode": one_of([Mode.CLAUDE_CODE, Mode.CURSOR])}}}},
        },
        {"if": {**is_("task_kind", "execute"), "not": {"required": ["control"]}}, "then": {"required": ["builder"]}},
        {"not": {"required": ["builder", "control"]}},
    ],
})  # fmt: skip

BUILDER_RESULT_SCHEMA = schema("builder_result", "Relais Builder Result", record(
    "summary files_intended commands_ran notes",
    summary=text(1, 800),
    files_intended=listing(text(1, 300), 0, 200),
    commands_ran=listing(text(1, 300), 0, 50),
    notes=listing(text(1, 300), 0, 20),
    status=one_of(["done", "refused"]),
))  # fmt: skip

REVIEW_RESULT_SCHEMA = schema("review_result", "Relais Review Result", record(
    "summary criteria",
    summary=text(1, 800),
    criteria=listing(
        record("criterion verdict evidence", criterion=text(1, 400), verdict=one_of(["pass", "fail", "needs_human"]), evidence=text(1, 800)), 1, 50
    ),
))  # fmt: skip

SPENT = {
    "milestone_id": text(0),
    "ticks": number(0),
    "orchestrator_calls": number(0),
    "builder_calls": number(0),
    "verify_runs": number(0),
    "estimated_cost_usd": number(0, kind="number"),
}
USAGE: Json = {"type": "object", "additionalProperties": {"type": "integer"}}
REPORT_SCHEMA = schema("report", "Relais Report", {
    **record(
        "run_id started_at ended_at duration_ms base_commit head_commit task verdict code blast_radius scope diff "
        "verification budgets",
        run_id=text(8, 80),
        started_at=text(1, pattern=TIME_PATTERN),
        ended_at=text(1, pattern=TIME_PATTERN),
        duration_ms=number(0),
        base_commit=text(7, 64),
        head_commit=text(7, 64),
        task=record(
            "task_id milestone_id task_kind intent", task_id=text(1), milestone_id=text(1), task_kind=one_of(TaskKind), intent=text(1)
        ),
        verdict=one_of(Verdict),
        code=one_of(Code),
        blast_radius=record(
            "files_touched lines_added lines_deleted new_files",
            files_touched=number(0), lines_added=number(0), lines_deleted=number(0), new_files=number(0),
        ),
        scope=record(
            "ok violations touched_paths",
            ok=YES_NO,
            violations=listing(text(1, 200), 0, 200),
            touched_paths=listing(text(1, 400), 0, 500),
        ),
        diff=record(
            "files_changed lines_changed diff_patch_path", files_changed=number(0), lines_changed=number(0), diff_patch_path=text(1, 300)
        ),
        verification=record(
            "exec_mode runs verify_log_path",
            exec_mode=one_of(["argv_no_shell"]),
            runs=listing(
                record(
                    "template_id phase cmd args exit_code duration_ms timed_out",
                    template_id=text(1, 64),
                    phase=one_of(Phase),
                    cmd=text(1, 120),
                    args=listing(text(0, 200), 0, 40),
                    exit_code=number(-1, 255),
                    duration_ms=number(0),
                    timed_out=YES_NO,
                    output_tail=text(0, OUTPUT_TAIL_CHARS),
                ),
                0,
                40,
            ),
            verify_log_path=text(1, 300),
        ),
        budgets=record(
            "milestone_id ticks orchestrator_calls builder_calls verify_runs estimated_cost_usd warnings",
            **SPENT,
            warnings=listing(text(1, 200), 0, 20),
        ),
        ledger=record("milestone_id ticks orchestrator_calls builder_calls verify_runs estimated_cost_usd", **SPENT),
        pointers=record("", report_md_path=text(0), history_dir=text(0)),
        builder=record("mode output_valid", mode=one_of(Mode), output_valid=YES_NO, status=one_of(["done", "refused"])),
        commit=record("id branch subject", id=text(7, 64), branch=text(1), subject=text(1, 200)),
        rollback=record("ok", ok=YES_NO, rescue_ref=text(1)),
        control=CONTROL,
        question=QUESTION,
        review={key: value for key, value in REVIEW_RESULT_SCHEMA.items() if key[0] != "$"},
        byproducts=record("set_aside brought_back seconds", set_aside=number(0), brought_back=number(0), seconds=number(0, kind="number")),
        stages={"type": "object", "additionalProperties": number(0)},
        agent=record("usage", usage=USAGE, calls=listing(record(
            "role duration_ms", role=text(1, 40), duration_ms=number(0), cost_usd=number(0, kind="number"), turns=number(0), usage=USAGE,
        ), 0, 20)),
        sandbox=text(1),
        denied=listing(text(1, 400), 0, 20),
        error=record("kind detail", kind=text(1, 80), detail=text(0, 2000), retry_at=text(1, pattern=TIME_PATTERN)),
    ),
    "allOf": [
        {"if": {"properties": {"code": {"pattern": f"^{verdict.name}"}}, "required": ["code"]},
         "then": {"properties": {"verdict": {"const": verdict.value}}}}
        for verdict in Verdict
    ],
})  # fmt: skip

LEDGER = record(
    "ticks orchestrator_calls builder_calls verify_runs",
    **{name: body for name, body in SPENT.items() if name != "milestone_id"},
    patch_attempts=number(0),
    calls_without_cost=number(0),
)
STATE_SCHEMA = schema("state", "Relais State", record(
    "schema_version milestone_id budgets budget_warning last_run_id last_verdict",
    schema_version=number(1, 1),
    milestone_id=nullable(text(1, 80, pattern=ID_PATTERN)),
    budgets=LEDGER,
    total=LEDGER,
    budget_warning=YES_NO,
    last_run_id=nullable(text(1, 80)),
    last_verdict=nullable(text(1, 20)),
    last_code=nullable(text(1, 80)),
    last_completed_run_id=nullable(text(1, 80)),
    question=record("run_id milestone_id prompt", run_id=text(1), milestone_id=text(1), prompt=text(1, 2000), choices=listing(text(1, 200), 0, 12)),
    answers=listing(record("run_id milestone_id prompt answer", run_id=text(1), milestone_id=text(1), prompt=text(1, 2000), answer=text(0, 2000))),
    idle_ticks=number(0),
    idle_since=text(0, 64),
    rejected=listing(text(1, 64)),
    recent=listing(record("run_id code intent blast", run_id=text(1), code=text(1), intent=text(0), blast=text(0)), 0, RECENT_RUNS_KEPT),
))  # fmt: skip

BLOCKED_SCHEMA = schema("blocked", "Relais Blocked", record(
    "code reason remediation blocked_at",
    code=one_of(code for code in Code if code.verdict is Verdict.BLOCKED),
    reason=text(1, 2000),
    remediation=listing(text(1, 500)),
    blocked_at=text(1, pattern=TIME_PATTERN),
    details=listing(text(1, 400)),
))  # fmt: skip

TEMPLATE_ID = text(1, 64, pattern=ID_PATTERN)
PERMISSION_MODE = one_of(["default", "manual", "acceptEdits", "plan", "dontAsk", "bypassPermissions"])
WHERE: Json = {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}
PICK = text(1, 200)
PATTERNS = listing(text(1, 500), 0, 50)
DRIVER = record(
    "argv result",
    argv=listing(text(0, 1000, pattern=r"^[^\x00]*$"), 1, 100),
    result=record("from", **{"from": one_of(["json", "jsonl", "file", "stdout"])}, where=WHERE, pick=PICK),
    must_see=WHERE,
    errors=listing(record("pick", where=WHERE, pick=PICK), 0, 10),
    error_if=PATTERNS,
    limit_if=PATTERNS,
    usage=record("pick", where=WHERE, pick={"type": "object", "additionalProperties": PICK}),
    confines_itself=YES_NO,
)
VARIABLES = listing(text(1, 100, pattern=r"^[A-Za-z_][A-Za-z0-9_]*\*?$"), 0, 100, uniqueItems=True)
# Where the type of a default does not say all: JSON path → schema.
CONFIG_DETAILS: dict[str, Json] = {
    "version": one_of(["1.0"]),
    "product_name": one_of(["relais"]),
    "workspace_dir": text(1, 100, pattern=ID_PATTERN),
    "runner.require_git": {"enum": [True]},
    "runner.max_tick_seconds": number(1, 86400),
    "runner.sandbox": one_of(["auto", "on", "off"]),
    "runner.environment": VARIABLES,
    "runner.kill_grace_seconds": number(0, 60),
    "runner.result_grace_seconds": number(0, 600),
    "runner.render_report_md.max_chars": number(500, 100000),
    "claude_code_cli.command": text(1, 300),
    "claude_code_cli.output_format": one_of(["json", "stream-json"]),
    "orchestrator.permission_mode": PERMISSION_MODE,
    "orchestrator.max_parse_retries_per_tick": number(0, 1),
    "orchestrator.max_budget_usd": nullable(number(0, kind="number")),
    "orchestrator.max_prompt_chars": number(8000, 400000),
    "builder.default_mode": one_of(Mode),
    "builder.claude_code.permission_mode": PERMISSION_MODE,
    "builder.claude_code.max_turns": number(1, 40),
    "builder.claude_code.max_budget_usd": nullable(number(0, kind="number")),
    "builder.patch.max_patch_attempts_per_milestone": number(0),
    "builder.cursor.args": listing(text(0, 1000, pattern=r"^[^\x00]*$"), 0, 100),
    "builder.cursor.output_file": text(1, 300, pattern=r"^[^\x00-\x1f]*$"),
    "review.criteria": listing(text(1, 400), 0, 20, uniqueItems=True),
    "review.max_diff_chars": number(1000, 1000000),
    "drivers": {"type": "object", "additionalProperties": DRIVER},
    **{f"roles.{role}": text(1, 64, pattern=ID_PATTERN) for role in Roles._fields},
    "diff_limits.ceiling_max_files_touched": nullable(number(1)),
    "diff_limits.ceiling_max_lines_changed": nullable(number(1)),
    "verification.sandbox": {"enum": ["auto", "on", "off", True, False]},  # the last two are older than the words
    "verification.environment": VARIABLES,
    **{
        f"verification.reach.{name}": listing(text(1, 500, pattern=r"^[^\x00-\x1f]*$"), 0, 50) for name in Reach._fields
    },
    "verification.execution_mode": one_of(["argv_no_shell"]),
    "verification.required_fast": listing(TEMPLATE_ID, uniqueItems=True),
    "verification.required_slow": listing(TEMPLATE_ID, uniqueItems=True),
    "verification.templates": listing(
        record(
            "id cmd args",
            id=TEMPLATE_ID,
            cmd=text(1, 300, pattern=r"^[^-{\x00-\x1f][^{\x00-\x1f]*$"),
            args=listing(text(0, 1000), 0, 40),
            params={
                "type": "object",
                "additionalProperties": {
                    **record(
                        "kind",
                        kind=one_of(["string_token", "path", "integer", "enum"]),
                        values=listing(text(1, 200), 1, 100),
                    ),
                    "allOf": [{"if": is_("kind", "enum"), "then": {"required": ["values"]}}],
                },
            },
        ),
        0,
        64,
    ),
    "budgets.per_milestone.max_estimated_cost_usd": number(0, kind="number"),
    "budgets.warn_at_fraction": number(0.01, 1, kind="number"),
    **{f"budgets.total.max_{name}": nullable(number(0)) for name in COUNTERS},
    "milestone.done_when": listing(TEMPLATE_ID, uniqueItems=True),
    "loop.max_wait_seconds": number(0),
    "history.dir": text(1, 200, pattern=r"^[^/\x00-\x1f]"),
    "history.max_mb": number(0, kind="number"),
}

# What each key is for: the editor shows it, the README lists it.
CONFIG_WORDS = dict(
    line.split(": ", 1)
    for line in """\
version: the version of this format
product_name: always relais
workspace_dir: the folder of goal, facts, prompts, reports and history
runner.require_git: always true
runner.max_tick_seconds: how long a whole tick may take; every wait inside it gets at most what is left
runner.lockfile: where the runner at work says who it is
runner.runner_owned_globs: what only relais writes, beside its workspace, its configuration and itself
runner.crash_cleanup.delete_tmp_glob: half-written files of a runner that died, removed at the next start
runner.crash_cleanup.validate_runner_json_files: check TASK, REPORT and BLOCKED.json against their schemas before a tick (STATE.json always is)
runner.render_report_md.enabled: write REPORT.md beside REPORT.json
runner.render_report_md.max_chars: how long REPORT.md may get
runner.silence_seconds: an agent that says nothing and computes nothing for so long is ended
runner.result_grace_seconds: how long an agent may linger after its result
runner.kill_grace_seconds: how long a process has between being asked to end and being ended
runner.sandbox: confine the agents: auto (where the system can), on (or refuse to run), off
runner.environment: variables that agents get beside their own and those of the stack; a name may end in *
claude_code_cli.command: the Claude Code CLI, by name or path
claude_code_cli.output_format: stream-json shows what the agent does while it works; json does not
claude_code_cli.no_session_persistence: leave no sessions behind
claude_code_cli.setting_sources: which settings the CLI obeys (user, project, local); none by default, so that nothing planted in the repo counts
models.orchestrator_model: the Brain's model, where Claude Code plays it
models.orchestrator_fallback_model: the Brain's model when the first one is overloaded
models.builder_model: the Hands' model, where Claude Code plays it
models.builder_fallback_model: the Hands' model when the first one is overloaded
orchestrator.max_turns: how many turns the Brain has
orchestrator.permission_mode: the CLI's permission mode for the Brain
orchestrator.allowed_tools: the Brain's tools; none by default
orchestrator.system_prompt_file: the Brain's system prompt, yours to tune
orchestrator.user_prompt_file: the Brain's prompt, with its places to fill
orchestrator.task_schema_file: what a task must look like; edited, it needs fastjsonschema
orchestrator.max_parse_retries_per_tick: how often an answer that is no valid task is asked for again
orchestrator.max_budget_usd: what one call of the Brain may cost, as the CLI counts; null for no limit
orchestrator.timeout_seconds: how long one call of the Brain may take
orchestrator.max_prompt_chars: how long the Brain's prompt may get; the oldest is cut first
builder.default_mode: the mode the Brain is told to use: claude_code (the agent of roles.builder), patch, cursor
builder.allow_patch_mode: let the Brain send a unified diff instead of instructions
builder.claude_code.max_turns: how many turns the Hands have at most
builder.claude_code.permission_mode: the CLI's permission mode for the Hands; dontAsk allows edits inside the task's globs only
builder.claude_code.allowed_tools: the Hands' tools
builder.claude_code.system_prompt_file: the Hands' system prompt, yours to tune
builder.claude_code.user_prompt_file: the Hands' prompt, with its places to fill
builder.claude_code.builder_result_schema_file: what the Hands' answer must look like; edited, it needs fastjsonschema
builder.claude_code.max_budget_usd: what one call of the Hands may cost, as the CLI counts; null for no limit
builder.claude_code.strict_builder_json: stop a tick whose Hands give no valid answer, instead of warning
builder.claude_code.timeout_seconds: how long one call of the Hands may take
builder.patch.max_patch_attempts_per_milestone: how many patches a milestone may try
builder.cursor.command: an external command that carries tasks of mode cursor out; empty for none
builder.cursor.args: its arguments; {{task_file}}, {{output_file}} and {{repo_root}} are filled in
builder.cursor.timeout_seconds: how long it may take
builder.cursor.output_file: where it writes its result
review.enabled: have every change reviewed by a fresh agent before it is committed
review.criteria: what a change must fulfil, beside the task's intent
review.system_prompt_file: the reviewer's system prompt, yours to tune
review.user_prompt_file: the reviewer's prompt, with its places to fill
review.timeout_seconds: how long one call of the reviewer may take
review.max_diff_chars: a longer diff cannot be shown whole, and does not pass
drivers: other agent CLIs, each by its record: argv, where its answer, failures and usage stand
roles.orchestrator: the driver of the Brain
roles.builder: the driver of the Hands
roles.reviewer: the driver of the reviewer
scope.default_allowed_globs: what the Brain is told tasks may touch unless they need more
scope.default_forbidden_globs: what no task may touch, whatever it asks for
scope.default_allow_new_files: what the Brain is told to use unless the task needs new files
scope.default_allow_lockfile_changes: what the Brain is told to use unless the task changes dependencies
scope.lockfiles: names of lockfiles, which only a task that asks for it may change
scope.ceiling_globs: a task can be allowed nothing outside of these; empty for no ceiling
scope.protected_globs: what may be added to, but not changed or deleted: tests, for example
scope.control_files_allowed: literal paths of files that git, editors or agents obey, which tasks may ask for
scope.volatile_globs: ignored files that tools make again: changes there are by-products
scope.secret_scan: stop a tick whose changes hold something that looks like a key or a token
scope.secret_allowed_globs: files in which such things may stand
diff_limits.default_max_files_touched: what the Brain is told to use
diff_limits.default_max_lines_changed: what the Brain is told to use
diff_limits.default_max_bytes: how many bytes a task may write
diff_limits.ceiling_max_files_touched: how many files any task may touch at most; null for no ceiling
diff_limits.ceiling_max_lines_changed: how many lines any task may change at most; null for no ceiling
verification.execution_mode: always argv, never a shell
verification.max_param_len: how long a parameter that the Brain chooses may be
verification.reject_whitespace_in_params: refuse parameters with spaces
verification.reject_dotdot: refuse parameters with ..
verification.reject_metachars_regex: refuse parameters that match this
verification.timeout_fast_seconds: how long a fast check may take
verification.timeout_slow_seconds: how long a slow check may take
verification.required_fast: checks that run after every task, whatever it says, before the slow ones
verification.required_slow: checks that run after every task, whatever it says, after the fast ones
verification.baseline: run a check that failed once more on the base, to tell whether it was broken before
verification.sandbox: confine the checks, which run the builder's code: auto (where the system can), on (or refuse to run), off
verification.reach.write: what confined checks may write to beside the repo and the usual caches
verification.reach.read: what confined checks may see though it is hidden from them
verification.reach.sockets: sockets of other programs that confined checks may use
verification.environment: variables that checks get beside those of their stack; a name may end in *
verification.network: let confined checks reach the network
verification.templates: the checks: id, cmd, args, and params that the Brain may choose
budgets.per_milestone.max_ticks: ticks in a milestone
budgets.per_milestone.max_orchestrator_calls: calls of the Brain and the reviewer in a milestone
budgets.per_milestone.max_builder_calls: calls of the Hands in a milestone
budgets.per_milestone.max_verify_runs: checks run in a milestone
budgets.per_milestone.max_estimated_cost_usd: shown in status, never a limit: costs are what agents report
budgets.total.max_ticks: ticks in all milestones together; null for no cap
budgets.total.max_orchestrator_calls: calls of the Brain and the reviewer in all milestones; null for no cap
budgets.total.max_builder_calls: calls of the Hands in all milestones; null for no cap
budgets.total.max_verify_runs: checks run in all milestones; null for no cap
budgets.warn_at_fraction: from this share of a cap on a loop stops and the Brain is told to be brief
milestone.done_when: checks that must pass before a claim to be done is believed
loop.stuck_after: after so many ticks without a commit the Brain must plan anew; after twice as many the loop stops
loop.max_wait_seconds: how long a loop waits for the end of an agent's limit
history.enabled: keep a folder for each run
history.dir: where the runs are kept
history.max_mb: how large the history may get before a tick is refused
history.include_diff_patch: keep each run's diff
history.include_verify_log: keep each run's output of checks
git.commit_on_success: commit the judged tree; off, the work stays in the work tree
git.run_hooks: run the repo's pre-commit and commit-msg hooks before a commit
""".splitlines()
)


def config_shape(default: Any, where: str = "") -> Json:
    """The schema of a configuration, read off its defaults; only `version` is required."""
    words = {"description": CONFIG_WORDS[where]} if where in CONFIG_WORDS else {}
    return {**bare_shape(default, where), **words}


def bare_shape(default: Any, where: str) -> Json:
    if where in CONFIG_DETAILS:
        return CONFIG_DETAILS[where]
    if isinstance(default, dict):
        inner = {key: config_shape(value, f"{where}.{key}" if where else key) for key, value in default.items()}
        return record("" if where else "version", **inner)
    if isinstance(default, bool):
        return YES_NO
    if isinstance(default, int):
        return number(0 if where.startswith("budgets.") else 1)
    return listing(text(1, 200), 0, 200) if isinstance(default, list) else text(0, 1000)


CONFIG_SCHEMA = schema("config", "Relais Configuration", config_shape(config_document(Config())))

SCHEMAS = {
    "task": TASK_SCHEMA,
    "builder_result": BUILDER_RESULT_SCHEMA,
    "report": REPORT_SCHEMA,
    "state": STATE_SCHEMA,
    "blocked": BLOCKED_SCHEMA,
    "config": CONFIG_SCHEMA,
    "review_result": REVIEW_RESULT_SCHEMA,
}
