"""Prompt files, filled once and cut to size."""

from __future__ import annotations

import json
import os
import re

from relais.contract.codes import PLACEHOLDER
from relais.contract.config import ParamSpec, Template
from relais.contract.findings import unfit
from relais.notebook.run import Run
from relais.settings.admission import schema_path
from relais.text.documents import json_or_none
from relais.text.harmless import for_prompt
from relais.text.words import cut
from relais.typed import Iterable, Mapping
from relais.world.carried import asset
from relais.world.files import read_text

# Each part of the Brain's prompt by itself; orchestrator.max_prompt_chars bounds them all together.
PROMPT_CAPS = {
    "PROJECT_GOAL": 4000,
    "FACTS_MD": 4000,
    "GIT_STATUS": 1000,
    "NOTICES": 1000,
    "RECENT_RUNS": 2000,
    "LAST_REPORT_MD": 6000,
    "BLOCKED_JSON_OR_EMPTY": 1500,
    "ANSWERED_QUESTION": 2500,
    "VERIFY_TEMPLATE_IDS": 3000,
}

# What is cut first when the whole prompt is too long, and which end of it is the older one.
PROMPT_CUTS = (
    ("RECENT_RUNS", "end"),
    ("LAST_REPORT_MD", "start"),
    ("FACTS_MD", "end"),
    ("GIT_STATUS", "start"),
    ("NOTICES", "start"),
    ("BLOCKED_JSON_OR_EMPTY", "start"),
    ("ANSWERED_QUESTION", "end"),
    ("PROJECT_GOAL", "start"),
    ("VERIFY_TEMPLATE_IDS", "start"),
)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace each {{NAME}} once; what a value says is never expanded again, nor begins a section of its own."""
    return re.sub(PLACEHOLDER, lambda found: for_prompt(values[found.group(1)]), template)


def fitted(template: str, values: Mapping[str, str], limit: int) -> str:
    """The filled template within `limit` characters, part by part, the oldest going first."""
    values = {name: for_prompt(value) for name, value in values.items()}
    for name, keep in PROMPT_CUTS:
        values[name] = cut(values[name], PROMPT_CAPS[name], keep=keep)
    for name, keep in PROMPT_CUTS:
        excess = len(fill(template, values)) - limit
        if excess > 0:
            values[name] = cut(values[name], max(len(values[name]) - excess, 0), keep=keep)
    return cut(fill(template, values), limit, keep="start")


def described(template: Template) -> str:
    params = ", ".join(f"{name}: {describe_param(spec)}" for name, spec in template.params.items())
    return f"- {template.id}{f' (params: {params})' if params else ''}"


def describe_param(spec: ParamSpec) -> str:
    return f"one of {'|'.join(spec.values)}" if spec.kind == "enum" else spec.kind


def prompt_template(run: Run, path: str, names: Iterable[str] = ()) -> str:
    """A prompt file of the person's; BLOCKED_MISSING_CONFIG where it is not there or asks for what there is not."""
    file = os.path.join(run.repo.root, path)
    if not os.path.isfile(file):
        raise unfit(f"the prompt {path} is missing", "relais init")
    template = read_text(file)
    unknown = sorted(set(re.findall(PLACEHOLDER, template)).difference(names)) if names else []
    if unknown:
        raise unfit(f"{path} has a placeholder that nothing fills: {{{{{unknown[0]}}}}}", f"edit {path}")
    return template


ORCHESTRATOR_NAMES = (
    "PROJECT_GOAL MILESTONE_ID BUDGETS_SUMMARY VERIFY_TEMPLATE_IDS DEFAULTS GIT_STATUS FACTS_MD NOTICES RECENT_RUNS "
    "LAST_REPORT_MD BLOCKED_JSON_OR_EMPTY ANSWERED_QUESTION TASK_SCHEMA RETRY_REASON"
).split()
BUILDER_NAMES = (
    "TASK_JSON ALLOWED_GLOBS FORBIDDEN_GLOBS ALLOW_NEW_FILES ALLOW_LOCKFILE_CHANGES MAX_FILES_TOUCHED "
    "MAX_LINES_CHANGED BUILDER_RESULT_SCHEMA"
).split()

REVIEWER_NAMES = "INTENT CRITERIA VERIFICATION DIFF REVIEW_SCHEMA RETRY_REASON".split()


def check_prompts(run: Run) -> None:
    """Everything a tick will say, before the first word is paid for."""
    brain, hands = run.config.orchestrator, run.config.builder.claude_code
    for path in (brain.system_prompt_file, hands.system_prompt_file):
        prompt_template(run, path)
    run.brain_prompt = prompt_template(run, brain.user_prompt_file, ORCHESTRATOR_NAMES)
    run.hands_prompt = prompt_template(run, hands.user_prompt_file, BUILDER_NAMES)
    schemas = ["task", "builder_result"]
    if run.config.review.enabled:
        prompt_template(run, run.config.review.system_prompt_file)
        run.review_prompt = prompt_template(run, run.config.review.user_prompt_file, REVIEWER_NAMES)
        schemas.append("review_result")
    for name in schemas:
        run.validator(name)


def compact_schema(run: Run, name: str) -> str:
    """The schema an answer will be judged by: the person's file, or ours where they have none."""
    own = json_or_none(read_text(os.path.join(run.repo.root, schema_path(run.config, name))))
    return json.dumps(own or json.loads(asset(f"schemas/{name}.schema.json")), separators=(",", ":"))
