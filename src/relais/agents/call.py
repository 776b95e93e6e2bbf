"""One call under its clocks, put on record however it ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time

from relais.agents.confinement import clear_scratch, jail, jail_failure
from relais.agents.limits import retry_time
from relais.contract.codes import CONFIG_FILE, TRANSIENT, Code, ErrorKind
from relais.contract.findings import Answer, Finding, Halt, Ran, Reply, Rule, first_match, halt
from relais.notebook.run import Run
from relais.settings.recipes import AGENTS, agent_named
from relais.text.words import clip, counted, iso, visible
from relais.typed import Any, Callable, Json, Optional, Sequence
from relais.world.child import Call, execute

REPLY_BYTES_IN_HISTORY = 200_000

DRIVER_OUTPUT_BYTES, DIAGNOSTIC_CHARS = 1 << 20, 20_000

ANSI = rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"


def plain_text(output: bytes) -> str:
    return re.sub(ANSI, b"", output).decode("utf-8", "replace")


def documents_in(output: bytes) -> list[Any]:
    """What an agent CLI printed as JSON: one document, or one in a line."""
    text = plain_text(output)
    found = []
    if re.match(r"\s*[{\[]", text):
        with contextlib.suppress(ValueError, RecursionError):
            return [json.loads(text)]
    for line in re.finditer(r"(?m)^[^\S\n]*[{\[].*", text):
        with contextlib.suppress(ValueError, RecursionError):
            found.append(json.loads(line.group()))
    return found


def last_event(output: bytes, kind: str) -> Optional[Json]:
    """The last object of this type, by itself, in a line, or in an array of them."""
    for document in reversed(documents_in(output)):
        for item in reversed(document if isinstance(document, list) else [document]):
            if isinstance(item, dict) and item.get("type") == kind:
                return item
    return None


def words_of(ran: Ran) -> str:
    return visible(clip(" ".join((ran.stderr or ran.stdout)[-2000:].decode("utf-8", "replace").split()), 300))


def failed_call(ran: Ran) -> Optional[Reply]:
    """How a call failed, where its end alone tells."""
    if ran.not_started:
        return Reply(error=ErrorKind.CLI_MISSING, detail=words_of(ran))
    if ran.timed_out:
        silent = "it was silent for too long" if ran.silent else "it ran out of time"
        return Reply(error=ErrorKind.TIMEOUT, detail=silent)
    failed = ran.exit_code != 0
    return Reply(error=ErrorKind.PROCESS, detail=f"exit {ran.exit_code}: {words_of(ran)}") if failed else None


def system_prompt_file(run: Run, role: str) -> str:
    config = run.config
    files = {
        "orchestrator": config.orchestrator.system_prompt_file,
        "builder": config.builder.claude_code.system_prompt_file,
        "reviewer": config.review.system_prompt_file,
    }
    return os.path.join(run.repo.root, files[role])


def call_agent(
    run: Run,
    role: str,
    argv: Sequence[str],
    *,
    env: dict[str, str],
    timeout: float,
    read: Callable[[Ran], Reply],
    confined: bool = True,
    **more: Any,
) -> Reply:
    """One call of an agent under its three clocks, put on record however it ends."""
    runner, limit = run.config.runner, run.time_left(timeout)
    if role == "builder":
        run.confined_by = run.sandbox if confined else "itself"
        run.let_run(confined=confined)
    run.screen.begin(f"{role} {os.path.basename(argv[0])}", limit)
    call = Call(
        argv=tuple(argv),
        cwd=run.repo.root,
        env=env,
        wall=limit,
        kill_grace=runner.kill_grace_seconds,
        silence=runner.silence_seconds,
        result_grace=runner.result_grace_seconds,
        on_wait=run.waiting,
        **(jail(run, argv, env, who=role) if confined else {}),
        **more,
    )
    with run.vault.watching(is_jailed=not run.is_loose):
        ran = execute(call, run.interrupt)
    run.screen.clear()
    refuse_unconfined(call)
    reply = read(ran)
    clear_scratch(env)
    if ran.leftovers:
        run.warn(
            f"{counted(ran.leftovers, 'process')} outlived the {role} and {'was' if ran.leftovers == 1 else 'were'} ended"
        )
    run.calls.append(call_record(role, ran, reply))
    run.count(estimated_cost_usd=reply.cost_usd or 0.0, calls_without_cost=reply.cost_usd is None)
    for name, amount in reply.usage.items():
        run.usage[name] = run.usage.get(name, 0) + amount
    run.interrupt.check()
    if ran.timed_out and limit < timeout:
        run.check_deadline()
    return reply


def refuse_unconfined(call: Call) -> None:
    """Leave the tick where a jail could not be entered: its command has not been started."""
    failure = jail_failure(call.note)
    if failure:
        detail = f"the sandbox did not hold: {visible(clip(failure, 300))}"
        raise halt(Code.STOP_INTERRUPTED, detail, remedies=("relais doctor",), error=ErrorKind.SYSTEM)


def call_record(role: str, ran: Ran, reply: Reply) -> Json:
    """What meta.json keeps of a call: how it was made, how it ended, its raw words within bounds."""
    return {
        "role": role,
        "argv": list(ran.argv),
        "exit_code": ran.exit_code,
        "duration_ms": ran.duration_ms,
        "timed_out": ran.timed_out,
        "processes_ended": ran.leftovers,
        "error_kind": reply.error.value if reply.error else None,
        "turns": reply.turns,
        "reported_cost_usd": reply.cost_usd,
        "usage": dict(reply.usage),
        "permission_denials": list(reply.denials),
        "stdout": bounded(ran.stdout, REPLY_BYTES_IN_HISTORY),
        "stderr": bounded(ran.stderr, REPLY_BYTES_IN_HISTORY),
    }


def bounded(data: bytes, limit: int) -> str:
    if len(data) > limit:
        left_out = len(data) - limit
        data = data[: limit // 2] + b"\n[... %d bytes left out ...]\n" % left_out + data[-limit // 2 :]
    return data.decode("utf-8", "backslashreplace")


def enforce_call(run: Run, rules: Sequence[Rule], reply: Reply) -> None:
    """Leave the tick if the call failed, with the kind of failure and the time to try again on record."""
    finding = first_match(rules, Answer(reply.error, reply.detail))
    if finding:
        role, argv = run.calls[-1]["role"], run.calls[-1]["argv"]
        if reply.error in NO_TICK:
            run.count(ticks=-1)
        if reply.error in PASSING:
            run.retry_at = retry_time(role, reply, run.troubles_in_a_row, time.time())
            finding = finding._replace(retry_at=iso(run.retry_at))
        raise Halt(with_remedy(finding._replace(error=reply.error), role, agent_named(argv)))


def with_remedy(finding: Finding, role: str, agent: str) -> Finding:
    """The finding with what only this agent, or only this role, is mended by."""
    if finding.error is ErrorKind.AUTH and agent:
        return finding._replace(remedies=(AGENTS[agent].login, *finding.remedies))
    if finding.error in CAPS:
        key = f"{CAPPED.get(role, 'orchestrator')}.{CAPS[finding.error]}"
        return finding._replace(
            detail=f"{finding.detail}: it may take no more than {key} says",
            remedies=(f"raise {key} in {CONFIG_FILE}", *finding.remedies),
        )
    return finding


PASSING = TRANSIENT | {ErrorKind.RATE_LIMIT}
NO_TICK = PASSING | {ErrorKind.AUTH}  # nobody did anything: only the calls are counted
# By which key the agent itself is told to stop, for whom.
CAPS = {ErrorKind.MAX_TURNS: "max_turns", ErrorKind.BUDGET: "max_budget_usd"}
CAPPED = {"builder": "builder.claude_code"}
