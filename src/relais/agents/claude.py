"""Claude Code: its argv, its grants, its reply."""

from __future__ import annotations

import json
import os
import re

from relais.agents.call import call_agent, failed_call, last_event, system_prompt_file, words_of
from relais.agents.confinement import READ_ONLY_TOOLS, child_environment
from relais.contract.codes import CLAUDE, ErrorKind, TaskKind
from relais.contract.config import ClaudeCodeConfig
from relais.contract.findings import Ran, Reply
from relais.contract.task import Task
from relais.notebook.run import Run
from relais.text.words import clip, visible
from relais.typed import Any, Callable, Json, Mapping, NamedTuple, Optional, cast
from relais.world.host import find_program
from relais.world.screen import tool_use


def has_wrapper(output: bytes) -> bool:
    """Whether what an agent printed last is its result."""
    last = output.rstrip().rpartition(b"\n")[2]
    return b'"result"' in last and last_event(last, "result") is not None


LIMIT_TEXT = r"You[’']ve hit your |Claude(?: AI)? usage limit reached"


def said_by(wrapper: Mapping[str, Any]) -> str:
    """The words of a wrapper, wherever they stand."""
    text = wrapper.get("result")
    errors = wrapper.get("errors")
    if isinstance(text, str) and text:
        return text
    return "; ".join(str(e) for e in errors) if isinstance(errors, list) else ""


# Fields first, words second: the subtype of an API error says "success". First match wins.
ERROR_SIGNS: tuple[tuple[ErrorKind, Callable[[Mapping[str, Any], str], bool]], ...] = (
    (
        ErrorKind.RATE_LIMIT,
        lambda w, said: w.get("api_error_status") == 429 or w.get("api_error") == "usage_limit_reached",
    ),
    (ErrorKind.RATE_LIMIT, lambda w, said: bool(re.match(LIMIT_TEXT, said))),
    (ErrorKind.BILLING, lambda w, said: said.startswith("Credit balance is too low")),
    (ErrorKind.AUTH, lambda w, said: w.get("api_error_status") in (401, 403)),
    (ErrorKind.AUTH, lambda w, said: said.startswith(("Not logged in", "Invalid API key", "Failed to authenticate"))),
    (ErrorKind.MODEL, lambda w, said: w.get("api_error_status") == 404),
    (ErrorKind.SERVER, lambda w, said: w.get("api_error") == "connection_failed" and "was lost" in said),
    (ErrorKind.CONNECTION, lambda w, said: w.get("api_error") == "connection_failed"),
    (ErrorKind.OVERLOADED, lambda w, said: w.get("api_error_status") == 529),
    (ErrorKind.SERVER, lambda w, said: w.get("api_error_status") in range(500, 600)),
    (ErrorKind.MAX_TURNS, lambda w, said: w.get("subtype") == "error_max_turns"),
    (ErrorKind.BUDGET, lambda w, said: w.get("subtype") == "error_max_budget_usd"),
    (ErrorKind.TIMEOUT, lambda w, said: said.startswith("Request timed out")),
)


def read_reply(ran: Ran) -> Reply:
    """What an agent call came to. Success needs all of: exit 0, no error flag, a turn, a text."""
    wrapper = None if ran.not_started or ran.timed_out else last_event(ran.stdout, "result")
    if wrapper is not None:
        return wrapped_reply(ran, wrapper)
    nothing = Reply(error=ErrorKind.WRAPPER, detail=f"no result in its output: {words_of(ran) or 'nothing'}")
    return failed_call(ran) or nothing


def counts_in(usage: Any) -> dict[str, int]:
    """What an agent counted, under names that can be shown anywhere."""
    pairs = usage.items() if isinstance(usage, dict) else ()
    counts = {n: v for n, v in pairs if type(v) is int and 0 <= v < 1 << 53 and re.fullmatch("[a-z][a-z0-9_]{0,39}", n)}
    return dict(list(counts.items())[:20])


def wrapped_reply(ran: Ran, wrapper: Json) -> Reply:
    said = said_by(wrapper)
    cost: Any
    turns: Any
    cost, turns, usage, denials = (
        wrapper.get(k) for k in ("total_cost_usd", "num_turns", "usage", "permission_denials")
    )
    reply = Reply(
        cost_usd=float(cost) if type(cost) in (int, float) and 0 <= cost < 1e6 else None,
        turns=turns if type(turns) is int and 0 <= turns < 1e6 else None,
        usage=counts_in(usage),
        denials=tuple(describe_denial(d) for d in denials if isinstance(d, dict)) if isinstance(denials, list) else (),
    )
    structured = wrapper.get("structured_output")
    result = json.dumps(structured) if isinstance(structured, dict) else wrapper.get("result")
    has_turns = type(turns) is int and turns >= 1
    if ran.exit_code == 0 and wrapper.get("is_error") is False and has_turns and isinstance(result, str):
        return reply._replace(text=result)
    kind = next((kind for kind, is_sign in ERROR_SIGNS if is_sign(wrapper, said)), ErrorKind.WRAPPER)
    return reply._replace(
        error=kind,
        detail=visible(clip(" ".join(said.split()), 300)) or f"exit {ran.exit_code}, no result in the reply",
        resets_at=announced_reset(ran.stdout) if kind is ErrorKind.RATE_LIMIT else None,
        said=said if kind is ErrorKind.RATE_LIMIT else "",
    )


def announced_reset(output: bytes) -> Optional[float]:
    """The reset that an agent announced in an event of its own; what a model merely says is no event."""
    event = last_event(output, "rate_limit_event") or {}
    info = event.get("rate_limit_info", event)
    resets = info.get("resetsAt") if isinstance(info, dict) and info.get("status") != "allowed" else None
    return float(resets) if isinstance(resets, (int, float)) and 0 < resets < 1 << 40 else None


def describe_denial(denial: Json) -> str:
    """The tool that an agent was refused, and what it wanted to use it on."""
    return visible(tool_use(denial.get("tool_name"), denial.get("tool_input")))


def denial_warning(denial: str, root: str) -> str:
    """A refusal with the line that would have allowed it."""
    is_edit = denial.startswith(("Edit ", "Write ", "NotebookEdit "))
    line = "scope.allowed_globs of the task" if is_edit else "builder.claude_code.allowed_tools"
    return f"permission denied: {clip(denial.replace(f'{root}/', ''), 110)} ({line} would allow it)"


class Part(NamedTuple):
    """What Claude Code is told about the role it plays."""

    system_flag: str
    max_turns: int
    permission_mode: str
    grants: tuple[str, ...]
    model: str
    fallback: str
    max_budget_usd: Optional[float]


def claude_part(run: Run, role: str) -> Part:
    brain, hands, models = run.config.orchestrator, run.config.builder.claude_code, run.config.models
    if role == "builder":
        asked = run.task.builder.max_turns if run.task and run.task.builder else hands.max_turns
        return Part(
            "--append-system-prompt-file",
            min(hands.max_turns, asked),
            hands.permission_mode,
            builder_grants(run, hands),
            models.builder_model,
            models.builder_fallback_model,
            hands.max_budget_usd,
        )
    return Part(
        "--system-prompt-file",
        brain.max_turns,
        brain.permission_mode,
        ("--tools", brain.allowed_tools if role == "orchestrator" else ""),
        models.orchestrator_model,
        models.orchestrator_fallback_model,
        brain.max_budget_usd,
    )


def claude_argv(run: Run, role: str) -> list[str]:
    """The measured argv of Claude Code: prompt on stdin, and nothing planted in the repo is obeyed."""
    cli, part = run.config.claude_code_cli, claude_part(run, role)
    argv = [find_program(cli.command, run.repo.root) or cli.command, "-p", "--output-format", cli.output_format]
    argv += ["--verbose"] if cli.output_format == "stream-json" else []
    argv += ["--max-turns", str(part.max_turns), "--permission-mode", part.permission_mode, *part.grants]
    argv += ["--no-session-persistence"] if cli.no_session_persistence else []
    argv += ["--setting-sources", cli.setting_sources, "--strict-mcp-config", "--disable-slash-commands"]
    argv += ["--model", part.model] if part.model else []
    argv += ["--fallback-model", part.fallback] if part.fallback and part.fallback != part.model else []
    argv += ["--max-budget-usd", str(part.max_budget_usd)] if part.max_budget_usd else []
    return [*argv, part.system_flag, system_prompt_file(run, role)]


def builder_grants(run: Run, config: ClaudeCodeConfig) -> tuple[str, ...]:
    """Tools for the builder: read-only where nothing may change, edits only inside the task's globs."""
    task = cast(Task, run.task)
    tools = [tool.strip() for tool in config.allowed_tools.split(",") if tool.strip()]
    if task.task_kind is not TaskKind.EXECUTE:
        tools = [tool for tool in tools if tool in READ_ONLY_TOOLS]
    elif not task.scope.allow_new_files:
        tools = [tool for tool in tools if tool != "Write"]
    grants = ("--tools", ",".join(tools))
    if config.permission_mode != "dontAsk":
        return grants
    edits_allowed = "Edit" in tools or "Write" in tools
    rules = [tool for tool in tools if tool not in ("Edit", "Write")]
    rules += [
        f"Edit({pattern})" for pattern in task.scope.allowed_globs if edits_allowed and not set(pattern) & set("(),")
    ]
    denied = f"Edit({run.config.workspace_dir}/**),Edit(.git/**)"
    return (*grants, "--allowedTools", ",".join(rules), "--disallowedTools", denied)


def ask_claude(run: Run, role: str, prompt: str, timeout: float) -> Reply:
    """One call of the agent CLI: its prompt on stdin, its answer in its output."""
    env = {
        **child_environment(run, f"for-{role}", role, [CLAUDE]),
        "CLAUDE_CODE_MAX_RETRIES": os.environ.get("CLAUDE_CODE_MAX_RETRIES", "2"),
        "API_TIMEOUT_MS": os.environ.get("API_TIMEOUT_MS", "300000"),
        # With them the CLI waits for whatever it put into the background before it says that it is done.
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    }
    env["CLAUDE_CODE_TMPDIR"] = env["TMPDIR"]
    return call_agent(
        run,
        role,
        claude_argv(run, role),
        env=env,
        timeout=timeout,
        read=read_reply,
        stdin=prompt.encode("utf-8", "replace"),
        is_complete=has_wrapper,
        on_output=run.screen.hear,
    )
