"""One question to whoever plays a role, and the JSON in the answer."""

from __future__ import annotations

from relais.agents.claude import ask_claude
from relais.agents.driver import ask_driver
from relais.contract.codes import CLAUDE
from relais.contract.findings import Reply
from relais.notebook.run import Run
from relais.text.documents import strict_json, unfenced
from relais.text.words import clip, visible
from relais.typed import Any


def ask(run: Run, role: str, prompt: str, timeout: float) -> Reply:
    """One call of whoever plays this role."""
    name = getattr(run.config.roles, role)
    if name == CLAUDE:
        return ask_claude(run, role, prompt, timeout)
    return ask_driver(run, role, run.config.drivers[name], prompt, timeout)


def retry_reason(complaint: str) -> str:
    if not complaint:
        return ""
    return f"Your previous answer was refused, and this is the last try. Reason: {complaint}\nReturn only the corrected JSON object."


def admitted_answer(run: Run, name: str, text: str) -> tuple[Any, str]:
    """The JSON in a model's answer, or why its schema does not admit it."""
    try:
        document = strict_json(unfenced(text))
        run.admit(name, document)
    except ValueError as problem:
        return None, clip(visible(str(problem)) if text.strip() else "the answer was empty", 500)
    return document, ""
