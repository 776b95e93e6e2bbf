"""A document against its schema."""

from __future__ import annotations

import contextlib
import os
import sys

from relais.contract.codes import Code
from relais.contract.config import Config
from relais.contract.findings import halt
from relais.starting import Began
from relais.text.documents import Invalid, strict_json
from relais.text.words import clip, visible
from relais.typed import Any, Callable, Iterator, NoReturn
from relais.world.carried import asset, carried_validator
from relais.world.files import read_text
from relais.world.host import Library, leads_into

SCHEMA_NAMES = ("task", "builder_result", "report", "state", "blocked", "config", "review_result")


def validator(name: str, root: str, path: str) -> Callable[[Any], Any]:
    """The check of one schema: the generated one, or the person's own file compiled where they edited it."""
    text = read_text(os.path.join(root, path))
    is_edited = text and text != asset(f"schemas/{name}.schema.json")
    return compiled_validator(name, root, text, path) if is_edited else carried_validator(name)


def compiled_validator(name: str, root: str, text: str, path: str) -> Callable[[Any], Any]:
    if Library.is_closed and "fastjsonschema" not in sys.modules:
        detail = f"{path} was edited since this relais began: checking by it needs fastjsonschema, which is not loaded"
        raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=("pip install fastjsonschema", "relais loop"))
    try:
        with installed_packages(root):
            fastjsonschema: Any = __import__("fastjsonschema")
    except ImportError:
        detail = f"{path} is not the one of this relais.py (edited, or from another version): checking by it needs fastjsonschema"
        remedies = ("pip install fastjsonschema", "relais init --force")
        raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=remedies) from None

    def refuse(uri: str) -> NoReturn:
        raise ValueError(f"a schema must not fetch {uri}")

    try:
        check = fastjsonschema.compile(
            strict_json(text), handlers={"http": refuse, "https": refuse, "file": refuse}, use_default=False
        )
    except Exception as problem:
        detail = f"{path} is not a usable schema: {visible(clip(str(problem), 200))}"
        raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=("relais init --force",)) from None

    def validate(document: Any) -> Any:
        try:
            return check(document)
        except fastjsonschema.JsonSchemaValueException as problem:
            raise Invalid(problem.message.replace("data", name, 1)) from None

    return validate


@contextlib.contextmanager
def installed_packages(root: str) -> Iterator[None]:
    """For one import: site-packages on Python's path again, where they lie outside the repo."""
    folders = [entry for entry in Began.path if entry.endswith(("/site-packages", "/dist-packages"))]
    outside = [entry for entry in folders if not leads_into(os.path.realpath(root), entry)]
    sys.path += outside
    try:
        yield
    finally:
        del sys.path[len(sys.path) - len(outside) :]


def schema_path(config: Config, name: str) -> str:
    own = {
        "task": config.orchestrator.task_schema_file,
        "builder_result": config.builder.claude_code.builder_result_schema_file,
    }
    return own.get(name, f"{config.workspace_dir}/schemas/{name}.schema.json")
