"""What no schema can say about a configuration."""

from __future__ import annotations

import os
import re

from relais.contract.codes import CLAUDE, DRIVER_PLACE, DRIVER_PLACES, PLACEHOLDER
from relais.contract.config import Config, CursorConfig, Driver, Reach
from relais.text.globs import glob_fault
from relais.typed import Any, Iterable, Iterator, Mapping, Optional


def unknown_keys(document: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every key the schema does not know, with its JSON path and the names it could have been."""
    properties = schema.get("properties")
    if isinstance(document, list) and "items" in schema:
        for number, item in enumerate(document):
            yield from unknown_keys(item, schema["items"], f"{where}[{number}]")
    if not isinstance(document, dict) or schema.get("type") != "object":
        return
    free = schema.get("additionalProperties")
    for name, value in document.items():
        path = f"{where}.{name}" if where else name
        inner = properties.get(name) if properties else free
        if isinstance(inner, dict):
            yield from unknown_keys(value, inner, path)
        elif properties:
            yield path, tuple(properties)


def closest(name: str, candidates: Iterable[str]) -> Optional[str]:
    """The candidate a person most likely meant: fewest edits, at most a third of the word."""
    ranked = sorted((edits(name, other), other) for other in candidates)
    return ranked[0][1] if ranked and ranked[0][0] <= max(1, len(name) // 3) else None


def edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def config_faults(config: Config) -> Iterator[str]:
    """What no schema can say about a configuration."""
    scope, wanted, workspace = config.scope, config.verification, config.workspace_dir
    for key, globs in (
        ("runner.runner_owned_globs", config.runner.runner_owned_globs),
        ("runner.crash_cleanup.delete_tmp_glob", (config.runner.crash_cleanup.delete_tmp_glob,)),
        *((f"scope.{name}", getattr(scope, name)) for name in scope._fields if name.endswith("_globs")),
    ):
        yield from (f"{key}: {fault}" for fault in map(glob_fault, globs) if fault)
    ids = [template.id for template in wanted.templates]
    yield from (f"verification.templates: the id {name} stands twice" for name in ids if ids.count(name) > 1)
    required = {
        "verification.required_fast": wanted.required_fast,
        "verification.required_slow": wanted.required_slow,
        "milestone.done_when": config.milestone.done_when,
    }
    for key, names in required.items():
        yield from (f"{key}: no template {name}" for name in names if name not in ids)
    yield from reach_path_faults(wanted.reach)
    fault = regex_fault(wanted.reject_metachars_regex)
    if fault:
        yield f"verification.reject_metachars_regex: {fault}"
    for key, path in (("runner.lockfile", config.runner.lockfile), ("history.dir", config.history.dir)):
        if not path.startswith(f"{workspace}/") or ".." in path.split("/"):
            yield f"{key}: must lie in {workspace}/"
    if not config.runner.crash_cleanup.delete_tmp_glob.startswith(f"{workspace}/"):
        yield f"runner.crash_cleanup.delete_tmp_glob: must lie in {workspace}/"
    if config.builder.default_mode not in config.modes:
        yield f"builder.default_mode: {config.builder.default_mode.value} is not available"
    for template in wanted.templates:
        if template.id in config.milestone.done_when and re.search(PLACEHOLDER, " ".join(template.args)):
            yield f"milestone.done_when: {template.id} needs parameters, and nobody would choose them"
    yield from cursor_faults(config.builder.cursor)
    yield from role_faults(config)


def reach_path_faults(reach: Reach) -> Iterator[str]:
    for key, paths in zip(reach._fields, reach):
        for path in paths:
            if not path.startswith(("/", "~/")) or ".." in path.split("/"):
                yield f"verification.reach.{key}: {path} must be absolute, or begin with ~/"


def regex_fault(pattern: str) -> Optional[str]:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as problem:
        return str(problem)
    return None


def role_faults(config: Config) -> Iterator[str]:
    """What is wrong with the agents that were given parts to play."""
    for role, name in config.roles._asdict().items():
        if name != CLAUDE and name not in config.drivers:
            yield f"roles.{role}: there is no driver {name} (there are: {', '.join((CLAUDE, *config.drivers))})"
    for name, driver in config.drivers.items():
        yield from (f"drivers.{name}{fault}" for fault in faults_of_driver(driver))
    for name in (CLAUDE, "cursor"):
        if name in config.drivers:
            yield f"drivers.{name}: this name is taken"


def faults_of_driver(driver: Driver) -> Iterator[str]:
    used = {place for word in driver.argv for place in re.findall(DRIVER_PLACE, word)}
    source = driver.result["from"]
    yield from (f".argv: nothing fills {{{place}}}" for place in sorted(used - DRIVER_PLACES))
    if not driver.argv[0] or re.search(DRIVER_PLACE, driver.argv[0]):
        yield ".argv: it must begin with a command"
    if any("{files}" in word and word != "{files}" for word in driver.argv):
        yield ".argv: {files} must be a word of its own"
    if (source in ("json", "jsonl")) != ("pick" in driver.result):
        yield f".result: from {source} {'needs a' if source.startswith('json') else 'has no use for a'} pick"
    if source == "file" and "out_file" not in used:
        yield ".argv: result from file needs {out_file} in it"
    for key in ("error_if", "limit_if"):
        yield from (f".{key}: {fault}" for fault in map(regex_fault, getattr(driver, key)) if fault)


def cursor_faults(driver: CursorConfig) -> Iterator[str]:
    used = {name for arg in driver.args for name in re.findall(PLACEHOLDER, arg)}
    yield from (f"builder.cursor.args: nothing fills {{{{{name}}}}}" for name in sorted(used - CURSOR_PLACES))
    if os.path.isabs(driver.output_file) or {"", ".", "..", ".git"} & set(driver.output_file.split("/")):
        yield "builder.cursor.output_file: must lie in the repo"


CURSOR_PLACES = {"task_file", "output_file", "repo_root"}
