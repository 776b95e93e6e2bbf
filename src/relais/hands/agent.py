"""An agent carries the task out, and what it says is put on record."""

from __future__ import annotations

import json

from relais.agents.ask import ask
from relais.agents.call import enforce_call
from relais.agents.claude import denial_warning
from relais.agents.prompts import compact_schema, fill
from relais.contract.evidence import Fence
from relais.contract.findings import Answer, enforce
from relais.contract.task import Task
from relais.ground.snapshot import prepare_for_crash
from relais.notebook.run import Run
from relais.rules.tables import HANDS_RULES
from relais.text.documents import strict_json, unfenced
from relais.text.words import clip, visible
from relais.typed import Any, Json, cast


def clipped_result(document: Any) -> Any:
    """A builder_result whose over-long strings and lists were shortened: talk is not punished."""
    if not isinstance(document, dict):
        return document
    limits = {"summary": 800}
    for name, most in (("files_intended", 200), ("commands_ran", 50), ("notes", 20)):
        if isinstance(document.get(name), list):
            items = [clip(i, 300) if isinstance(i, str) else i for i in document[name] if i != ""]
            document = {
                **document,
                name: [*items[: most - 1], f"(+{len(items) - most + 1} more)"] if len(items) > most else items,
            }
    return {k: clip(v, limits[k]) if k in limits and isinstance(v, str) else v for k, v in document.items()}


def build_with_agent(run: Run, task: Task) -> None:
    values = builder_values(run, task)
    run.spend(builder_calls=1)
    prepare_for_crash(run)
    reply = ask(run, "builder", fill(run.hands_prompt, values), run.config.builder.claude_code.timeout_seconds)
    enforce_call(run, HANDS_RULES, reply)
    for denial in reply.denials:
        run.warn(denial_warning(denial, run.repo.root))
    take_result(run, reply.text)


def builder_values(run: Run, task: Task) -> dict[str, str]:
    """What fills the Hands' prompt."""
    fence = cast(Fence, run.fence)
    forbidden = dict.fromkeys((*run.config.scope.default_forbidden_globs, *task.scope.forbidden_globs))
    return {
        "TASK_JSON": json.dumps(run.task_document, indent=2, ensure_ascii=False),
        "ALLOWED_GLOBS": ", ".join(task.scope.allowed_globs),
        "FORBIDDEN_GLOBS": ", ".join(forbidden),
        "ALLOW_NEW_FILES": json.dumps(task.scope.allow_new_files),
        "ALLOW_LOCKFILE_CHANGES": json.dumps(task.scope.allow_lockfile_changes),
        "MAX_FILES_TOUCHED": str(fence.max_files_touched),
        "MAX_LINES_CHANGED": str(fence.max_lines_changed),
        "BUILDER_RESULT_SCHEMA": compact_schema(run, "builder_result"),
    }


def take_result(run: Run, text: str) -> None:
    """What the builder says it did: on record, never believed."""
    is_strict = run.config.builder.claude_code.strict_builder_json
    try:
        document = clipped_result(strict_json(unfenced(text)))
        run.admit("builder_result", document)
    except ValueError as problem:
        complaint = clip(visible(str(problem)) if text.strip() else "the answer was empty", 200)
        enforce(HANDS_RULES, Answer(complaint=complaint, is_strict=is_strict))
        run.warn(f"the builder's answer is not valid: {complaint}")
        return
    status = document.get("status", "done")
    run.builder = {**cast(Json, run.builder), "output_valid": True, "status": status}
    enforce(HANDS_RULES, Answer(refusal=visible(document["summary"]) if status == "refused" else ""))
