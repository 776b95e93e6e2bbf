"""From template ids and the Brain's parameters to argv, or to the taints that forbid it."""

from __future__ import annotations

import re

from relais.contract.codes import PLACEHOLDER, Phase
from relais.contract.config import ParamSpec, Template, VerificationConfig
from relais.contract.task import Check, Plan, Verification
from relais.typed import Any, Callable, Iterator, Mapping

TOKEN = r"[A-Za-z0-9._/@:+-]+"


def planned(verification: Verification, wanted: VerificationConfig, is_inside: Callable[[str], bool]) -> Plan:
    """Expand a task's verifications, the configuration's required ones first, each id once per phase."""
    fast = dict.fromkeys((*wanted.required_fast, *verification.fast))
    slow = dict.fromkeys((*wanted.required_slow, *verification.slow))
    listed = [(Phase.FAST, name) for name in fast] + [(Phase.SLOW, name) for name in slow if name not in fast]
    templates = {template.id: template for template in wanted.templates}
    checks: list[Check] = []
    unknown: list[str] = []
    tainted: list[str] = []
    for phase, name in listed:
        if name not in templates:
            unknown.append(name)
            continue
        given = verification.params.get(name, {})
        tainted.extend(template_taints(templates[name], given, wanted, is_inside))
        values = {key: str(value) for key, value in given.items()}
        args = tuple(expanded(arg, values) for arg in templates[name].args)
        checks.append(Check(name, phase, templates[name].cmd, args))
    unknown.extend(name for name in verification.params if name not in templates)
    return Plan(tuple(checks), tuple(unknown), tuple(dict.fromkeys(tainted)))


def expanded(arg: str, values: Mapping[str, str]) -> str:
    return re.sub(PLACEHOLDER, lambda found: values.get(found.group(1), ""), arg)


def template_taints(
    template: Template, given: Mapping[str, Any], policy: VerificationConfig, is_inside: Callable[[str], bool]
) -> Iterator[str]:
    used = {name for arg in template.args for name in re.findall(PLACEHOLDER, arg)}
    for name in sorted(used | set(template.params) | set(given)):
        where = f"{template.id}.{name}"
        if name not in template.params:
            yield f"{where} is not a declared parameter"
        elif name not in given:
            yield f"{where} has no value"
        else:
            yield from taints(where, given[name], template.params[name], policy, is_inside)


def taints(
    name: str, value: Any, spec: ParamSpec, policy: VerificationConfig, is_inside: Callable[[str], bool]
) -> tuple[str, ...]:
    """Everything wrong with a parameter the Brain chose. Nothing wrong, nothing returned."""
    if spec.kind == "integer":
        fits = isinstance(value, int) and not isinstance(value, bool)
        return () if fits else (f"{name} is not an integer",)
    if not isinstance(value, str):
        return (f"{name} is not a string",)
    if spec.kind == "enum":
        return () if value in spec.values else (f"{name} is none of {', '.join(spec.values)}",)
    solid = value if policy.reject_whitespace_in_params else value.replace(" ", "")
    faults = (
        (not value, "is empty"),
        (len(value) > policy.max_param_len, f"is longer than {policy.max_param_len}"),
        (policy.reject_whitespace_in_params and any(c.isspace() for c in value), "contains whitespace"),
        (policy.reject_dotdot and ".." in value, "contains .."),
        (re.search(policy.reject_metachars_regex, value), "contains a shell metacharacter"),
        (value.startswith("-"), "looks like an option"),
        (not re.fullmatch(TOKEN, solid), "contains characters other than letters, digits and . _ / @ : + -"),
        (spec.kind == "path" and not is_inside(value), "leads out of the repo"),
    )
    return tuple(f"{name} {fault}" for present, fault in faults if present)
