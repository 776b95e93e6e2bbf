"""Writes everything that is made from something else, so that nobody writes it twice.

    schemas      src/relais/assets/schemas, from tools/schemas.py
    validators   src/relais/validators, from the schemas, by fastjsonschema
    assets       what `relais init` writes, as it lies in this repo; the README's tables of codes and keys

What fastjsonschema generates is kept, except that an exception carries its message alone: the schema excerpts it
repeats in every `raise` are half of its size, and every start of the one file would read them.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastjsonschema
from schemas import CONFIG_WORDS, SCHEMAS

from relais.commands.init import assets
from relais.contract.codes import Code
from relais.contract.config import Config, config_document
from relais.rules.tables import (
    BRAIN_RULES,
    HANDS_RULES,
    JUDGE_RULES,
    PREFLIGHT_RULES,
    REVIEW_RULES,
    TASK_RULES,
    VERIFY_RULES,
)
from relais.text.documents import to_json

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "relais"


class Shorten(ast.NodeTransformer):
    """Keep of every raised exception its message, under the name relais knows, with its fixed parts joined."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "Invalid":
            node.args, node.keywords = node.args[:1], []
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        # JSON read by relais holds no Decimal, so the module need not be imported to say so.
        names = {"JsonSchemaValueException": "Invalid", "Decimal": "float"}
        return ast.Name(id=names.get(node.id, node.id), ctx=node.ctx)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        first = node.values[0]
        if isinstance(first, ast.Name) and first.id == "name_prefix":
            return ast.Constant(self.name)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant) and isinstance(node.op, ast.Add):
            return ast.Constant(str(left.value) + str(right.value))
        return node


HEAD = '''"""Generated from {name}.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

'''


def validator_module(name: str) -> str:
    """The validator of one schema: a module with a function `validate(document)`."""
    compile_to_code: Any = fastjsonschema.compile_to_code
    source = compile_to_code(SCHEMAS[name], use_default=False)
    module = ast.parse(source)
    module.body = [node for node in module.body if isinstance(node, (ast.Assign, ast.FunctionDef))]
    module.body = [node for node in module.body if not is_version(node)]
    entry = next(node.name for node in module.body if isinstance(node, ast.FunctionDef))
    text = narrow(ast.unparse(ast.fix_missing_locations(Shorten(name).visit(module))))
    return f"{HEAD.format(name=name)}{text}\n\ndef validate(document):\n return {entry}(document)\n"


def narrow(text: str) -> str:
    """The same program in half the characters: short names, one space per level. Every start reads past it."""
    names = sorted(set(re.findall(r"\bdata__\w+|\bdata_\w+", text)), key=lambda name: (-len(name), name))
    for number, name in enumerate(names):
        text = re.sub(rf"\b{name}\b", f"v{number}", text)
    return re.sub(r"^(?:    )+", lambda found: " " * (len(found.group()) // 4), text, flags=re.MULTILINE)


def is_version(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "VERSION"


# What the tables do not say, because it is the order of execution, or not a rule but an event.
MEANINGS = {
    "SUCCESS": "inside the fence, checks passed: committed (or nothing had to be)",
    "STOP_VERIFY_TAINTED": "an unknown verification template, or a parameter that was refused; nothing was run",
    "BLOCKED_AGENT_UNAVAILABLE": "the agent's command is missing, or it cannot log in, pay, find its model or be reached",
    "BLOCKED_CRASH_RECOVERY_REQUIRED": "an earlier tick was cut off, or files of the runner are damaged",
    "STOP_VERIFY_FAILED_FAST": "a fast verification failed or timed out; slow ones were not run",
    "STOP_VERIFY_FAILED_SLOW": "a slow verification, or a hook with git.run_hooks, failed or timed out",
    "STOP_PATCH_REJECTED": "a patch names paths, links or modes that no patch may",
    "STOP_PATCH_APPLY_FAILED": "git cannot apply the patch",
    "STOP_INTERRUPTED": "a signal, a failed call, a deadline, or the system itself ended the tick",
    "BLOCKED_MISSING_CONFIG": "configuration, repository or git are not fit for a tick; the sentence says what",
    "BLOCKED_LOCK_HELD": "another relais is at work in this repository",
}
CODES_BEGIN, CODES_END = "<!-- codes: made by `make assets` -->\n", "<!-- /codes -->\n"


def codes_table() -> str:
    """The README's table of codes, from the decision tables themselves."""
    tables = (PREFLIGHT_RULES, BRAIN_RULES, TASK_RULES, HANDS_RULES, JUDGE_RULES, VERIFY_RULES, REVIEW_RULES)
    said: dict[str, str] = {}
    for rule in (rule for table in tables for rule in table):
        said.setdefault(rule.code.value, rule.because)
    for name in (code.value for code in Code):
        if name not in MEANINGS and name not in said:
            sys.exit(
                f"{name}: no rule of rules/tables.py says why; add one, or a line to MEANINGS in tools/generate.py"
            )
    rows = [f"| `{code.value}` | {MEANINGS.get(code.value) or said[code.value]} |\n" for code in Code]
    return f"{CODES_BEGIN}| code | why |\n| --- | --- |\n{''.join(rows)}{CODES_END}"


KEYS_BEGIN, KEYS_END = "<!-- keys: made by `make assets` -->\n", "<!-- /keys -->\n"


def leaves(document: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in document.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def keys_table() -> str:
    """The README's reference of the configuration, from the schema's own words."""
    rows = []
    for key, value in leaves({key: value for key, value in config_document(Config()).items() if key != "$schema"}):
        default = json.dumps(value, ensure_ascii=False).replace("|", "\\|")
        shown = (
            default
            if len(default) <= 40
            else f"a list of {len(value)}"
            if isinstance(value, list)
            else f"{default[:37]}…"
        )
        if key not in CONFIG_WORDS:
            sys.exit(f"{key}: nobody says what it is for; add a line to CONFIG_WORDS in tools/schemas.py")
        rows.append(f"| `{key}` | `{shown}` | {CONFIG_WORDS[key]} |\n")
    return f"{KEYS_BEGIN}| key | default | what it is for |\n| --- | --- | --- |\n{''.join(rows)}{KEYS_END}"


def with_tables(readme: str) -> str:
    """The README with the tables that are made from the code."""
    for begin, table, end in ((CODES_BEGIN, codes_table(), CODES_END), (KEYS_BEGIN, keys_table(), KEYS_END)):
        head, _, rest = readme.partition(begin)
        readme = head + table + rest.partition(end)[2]
    return readme


def made() -> dict[str, dict[Path, bytes]]:
    """Everything that is made, by kind and by the file it belongs in."""
    schemas = {PACKAGE / f"assets/schemas/{name}.schema.json": to_json(schema) for name, schema in SCHEMAS.items()}
    validators = {PACKAGE / f"validators/{name}.py": validator_module(name).encode() for name in SCHEMAS}
    copies = {ROOT / name: text.encode() for name, text in assets().items()}
    readme = {ROOT / "README.md": with_tables((ROOT / "README.md").read_text("utf-8")).encode()}
    return {"schemas": schemas, "validators": validators, "assets": {**copies, **readme}}


if __name__ == "__main__":
    for path, content in made()[sys.argv[1]].items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
