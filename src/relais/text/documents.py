"""JSON read strictly, made into records, and back."""

from __future__ import annotations

import contextlib
import json
import re
from enum import Enum

from relais.text.words import clip
from relais.typed import Any, Json, Mapping, NoReturn


def strict_json(text: str) -> Any:
    """Parse JSON as the contract has it: no NaN, no Infinity, no key twice. Raises ValueError."""

    def unique(pairs: list[tuple[str, Any]]) -> Json:
        document = dict(pairs)
        if len(document) != len(pairs):
            raise ValueError(f"a key stands twice in one object ({', '.join(sorted(k for k, _ in pairs))})")
        return document

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not JSON")

    def finite(number: str) -> float:
        value = float(number)
        if value in (float("inf"), float("-inf")):
            raise ValueError(f"{clip(number, 20)} is out of range")
        return value

    try:
        document = json.loads(text, object_pairs_hook=unique, parse_constant=refuse, parse_float=finite)
        if "\\ud" in text.lower():  # half of a pair is no character, and nothing could write it down
            json.dumps(document, ensure_ascii=False).encode()
        return document
    except RecursionError:
        raise ValueError("nested too deeply") from None


def unfenced(text: str) -> str:
    """`text` without the one code fence that the contract lets a model put round its JSON."""
    first, _, rest = text.strip().partition("\n")
    inside = rest[:-3].rstrip() if rest.endswith("```") else "```"
    is_fence = re.fullmatch(r"```[a-zA-Z]*\s*", first) is not None
    return inside if is_fence and "```" not in inside else text


AS_IT_IS = frozenset(("Any", "str", "int", "float", "bool"))


def decode(record: Any, document: Any) -> Any:
    """Build a record from JSON that its schema admitted; what the JSON leaves out has the record's default."""
    fields = record.__annotations__
    return record(**{n: decoded(fields[n], part, record._names_around) for n, part in document.items() if n in fields})


def decoded(annotation: str, value: Any, names: Mapping[str, Any]) -> Any:
    """A value as the annotation of its field says; `names` are those of the module that the record stands in."""
    outer, _, inner = annotation.rstrip("]").partition("[")
    if outer in AS_IT_IS:
        return value
    if outer == "Optional":
        return decoded(inner, value, names) if value is not None else None
    if outer == "tuple":
        return tuple(decoded(inner.removesuffix(", ..."), part, names) for part in value)
    if outer == "Mapping":
        return {name: decoded(inner.partition(", ")[2], part, names) for name, part in value.items()}
    kind = names[outer]
    return kind(value) if issubclass(kind, Enum) else decode(kind, value)


def encode(value: Any) -> Any:
    """The JSON of a record: the reverse of `decode`, without fields that are None."""
    if hasattr(value, "_fields"):
        pairs = zip(value._fields, value)
        return {name: encode(part) for name, part in pairs if part is not None}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [encode(part) for part in value]
    if isinstance(value, dict):
        return {name: encode(part) for name, part in value.items()}
    return value


def merged(defaults: Json, document: Json) -> Json:
    """`document` over `defaults`, object by object; lists are replaced whole."""
    result = dict(defaults)
    for name, value in document.items():
        inner = result.get(name)
        result[name] = merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return result


def to_json(document: Any) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


class Invalid(ValueError):
    """A document its schema refuses; the message names the JSON path."""


def json_or_none(text: str) -> Any:
    with contextlib.suppress(ValueError):
        return strict_json(text)
    return None
