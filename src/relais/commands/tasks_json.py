"""relais init: our tasks in a person's tasks.json, every comment of theirs kept."""

from __future__ import annotations

import json
import os
import re
import stat

from relais.text.words import visible
from relais.typed import Any, Json, Mapping, NamedTuple, Sequence, cast
from relais.world.carried import asset
from relais.world.files import read_bytes, write_atomic


class Unmergeable(ValueError):
    """A file that cannot be added to without guessing; the message names the place."""


class Node(NamedTuple):
    """A JSON value and where it stands in its file, so that things can be added to it and nothing else changes."""

    value: Any
    start: int
    end: int
    parts: Mapping[Any, Node] = {}
    has_comma: bool = False


JSONC_GAP = re.compile(r"(?:\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
JSONC_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null')


class Jsonc:
    """JSON with comments and trailing commas, read strictly and with every place kept."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def fault(self, what: str) -> Unmergeable:
        line, column = self.text.count("\n", 0, self.at) + 1, self.at - self.text.rfind("\n", 0, self.at)
        return Unmergeable(f"line {line}, column {column}: {what}")

    def peek(self) -> str:
        """The next character that is neither space nor comment; "" at the end."""
        self.at = cast("re.Match[str]", JSONC_GAP.match(self.text, self.at)).end()
        return self.text[self.at : self.at + 1]

    def document(self) -> Node:
        node = self.node(0)
        if self.peek():
            raise self.fault("there is more after the end")
        return node

    def node(self, depth: int) -> Node:
        opening = self.peek()
        if depth > 100:
            raise self.fault("nested too deeply")
        if opening in ("{", "["):
            return self.container(opening, depth)
        found, start = JSONC_SCALAR.match(self.text, self.at), self.at
        try:
            value = json.loads(found.group()) if found else None
        except ValueError:
            found = None
        if not found:
            raise self.fault("this is no JSON value")
        self.at = found.end()
        return Node(value, start, self.at)

    def container(self, opening: str, depth: int) -> Node:
        start, has_comma = self.at, False
        parts: dict[Any, Node] = {}
        closing = {"{": "}", "[": "]"}[opening]
        self.at += 1
        while self.peek() != closing:
            if parts and not has_comma:
                raise self.fault(f"expected a comma or {closing}")
            key = self.key(parts, depth) if opening == "{" else len(parts)
            parts[key] = self.node(depth + 1)
            has_comma = self.peek() == ","
            self.at += has_comma
        self.at += 1
        value: Any = {key: part.value for key, part in parts.items()}
        return Node(value if opening == "{" else list(value.values()), start, self.at, parts, has_comma)

    def key(self, parts: Mapping[Any, Node], depth: int) -> str:
        node = self.node(depth) if self.peek() == '"' else None
        if node is None or node.value in parts:
            raise self.fault("the same key twice" if node else "expected a name in quotes")
        if self.peek() != ":":
            raise self.fault("expected a colon")
        self.at += 1
        return cast(str, node.value)


def added_to(text: str, node: Node, items: Sequence[str], indent: str) -> str:
    """`text` with these items at the end of a container, in its own style of commas; nothing else moves."""
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = cast("re.Match[str]", re.compile(r"[ \t]*").match(text, text.rfind("\n", 0, node.start) + 1)).group()
    last, close = max((part.end for part in node.parts.values()), default=node.start + 1), node.end - 1
    place = last + len(text[last:close].rstrip())
    lines = (line for item in items for line in f"{item},".splitlines())
    block = "".join(f"{newline}{outer}{indent}{line}" for line in lines)
    block = block if node.has_comma else block[:-1]
    comma = "," if node.parts and not node.has_comma else ""
    end = "" if "\n" in text[place:close] else newline + outer
    return f"{text[:last]}{comma}{text[last:place]}{block}{end}{text[place:]}"


def with_tasks(text: str, ours: Json) -> tuple[str, list[str]]:
    """A person's tasks.json with our tasks added, and what must be said about it; raises Unmergeable.

    Only ever adds: comments, order, commas and line ends stay byte for byte, and what bears one of our labels but
    differs is theirs. The result is read again, and must be what was meant.
    """
    mark, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    document = Jsonc(text).document().value
    if not isinstance(document, dict) or document.get("version") != "2.0.0":
        raise Unmergeable('line 1, column 1: this is no tasks.json of "version": "2.0.0"')
    wanted, notes, expected = new_entries(document, ours)
    found = re.search(r"\n([ \t]+)\S", text)
    indent = found.group(1) if found else "  "
    for key, entries in wanted.items():
        root = Jsonc(text).document()
        if key in root.parts:
            items = [json.dumps(entry, indent=indent, ensure_ascii=False) for entry in entries]
            text = added_to(text, root.parts[key], items, indent)
        else:
            member = f'"{key}": {json.dumps(entries, indent=indent, ensure_ascii=False)}'
            text = added_to(text, root, [member], indent)
    if Jsonc(text).document().value != expected:
        raise Unmergeable("line 1, column 1: what came of it is not what was meant")
    return mark + text, notes


def new_entries(document: Json, ours: Json) -> tuple[dict[str, list[Json]], list[str], Json]:
    """What of ours is missing in a tasks.json, what to say about the rest, and what the file should then hold."""
    wanted: dict[str, list[Json]] = {}
    notes: list[str] = []
    expected = dict(document)
    for key, name in (("tasks", "label"), ("inputs", "id")):
        theirs = document.get(key, [])
        if not isinstance(theirs, list):
            raise Unmergeable(f"line 1, column 1: {key} is no list")
        known = {str(entry.get(name)): entry for entry in theirs if isinstance(entry, dict)}
        taken = any(is_default_build(entry) for entry in known.values() if entry.get(name) != "relais: tick")
        entries = [without_default(entry) if taken else entry for entry in ours[key]]
        notes += [f"{entry[name]} (yours)" for entry in entries if known.get(entry[name], entry) != entry]
        notes += ["another task is your default build task, and stays it"] if taken and key == "tasks" else []
        missing = [entry for entry in entries if entry[name] not in known]
        if missing:
            wanted[key] = missing
            expected[key] = [*theirs, *missing]
    return wanted, notes, expected


def is_default_build(task: Json) -> bool:
    group = task.get("group")
    return isinstance(group, dict) and bool(group.get("isDefault")) and group.get("kind") == "build"


def without_default(task: Json) -> Json:
    return {**task, "group": "build"} if is_default_build(task) else task


def merge_tasks(path: str) -> tuple[bool, list[str]]:
    """Add our tasks to a person's tasks.json; whether that changed it, and what must be said about it."""
    try:
        old = read_bytes(path, flags=0)  # behind a link, if it leads to another place of the repo
        text, notes = with_tasks(old.decode("utf-8"), json.loads(asset("tasks.json")))
    except UnicodeDecodeError:
        return False, ["it is not UTF-8, and nothing was added"]
    except (OSError, Unmergeable) as problem:
        return False, [f"{visible(str(problem))}; nothing was added: mend it, then: relais init"]
    if text.encode() != old:
        mode = stat.S_IMODE(os.stat(path).st_mode)
        write_atomic(os.path.realpath(path), text.encode())
        os.chmod(path, mode)
    return text.encode() != old, notes
