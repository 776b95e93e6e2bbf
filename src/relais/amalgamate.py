"""Builds relais.py, the one file that people drop into a repo, from the modules of this package.

    python -m relais.amalgamate > relais.py

Every module stands in it word for word, in the order of the layers, under a banner with its path. Taken away are only
the imports between the modules, which the one file has no use for, and annotations are quoted; what cannot be taken
away is refused with its place. The same sources give the same bytes: no date, no path, a fixed order.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from typing import Any

from relais.parts import Part, Refused, decoded_source, taken_apart

# A module imports from its own folder and from folders to the left.
LAYERS = (
    "",
    *"text contract rules world settings notebook agents ground preflight judge report brain hands tick commands".split(),
)
NOT_PART_OF_IT = frozenset(("__main__.py", "head.py", "amalgamate.py", "parts.py", "world/carried.py"))
# What editors, file managers and merges leave behind is no source.
LEFTOVERS = re.compile(r"\..*|.*~|.*\.(?:pyc|swp|orig|rej|tmp)|__pycache__")
RULE = "# " + "-" * 88
# Stands before every import: nothing that lies beside relais.py may be taken for a module of Python's.
FIRST_PART = "starting.py"
FIRST_LINES = 'if __name__ == "__main__":\n    trust_the_library_alone()\n'
LAST_LINES = 'if __name__ == "__main__":\n    sys.exit(main())\n'
WORDS_FOR_TEXTS = {
    "assets": "What the program carries: texts for people, models and other programs.",
    "validators": "Generated from the schemas by fastjsonschema; never edited.",
}


def package_files() -> dict[str, str]:
    """Every file of the package by its path in it, wherever the package lies."""
    from importlib.resources import files

    found: dict[str, str] = {}

    def visit(folder: Any, prefix: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda entry: str(entry.name)):
            path = f"{prefix}{entry.name}"
            if LEFTOVERS.fullmatch(entry.name):
                continue
            if entry.is_dir():
                visit(entry, f"{path}/")
            else:
                found[path] = decoded_source(path, entry.read_bytes())

    visit(files("relais"), "")
    return found


def digest_of_files(sources: dict[str, str]) -> str:
    texts = (f"{path}\0{len(text)}\0{text}" for path, text in sorted(sources.items()))
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:12]


def amalgamated(sources: dict[str, str] | None = None) -> bytes:
    """The one file."""
    sources = package_files() if sources is None else sources
    parts = in_order([taken_apart(path, text) for path, text in sources.items() if is_part(path)])
    refuse_twins(parts)
    shown = {part.path: (part.doc.partition("\n")[0], shown_part(part)) for part in parts}
    assets = {path.removeprefix("assets/"): text for path, text in sources.items() if path.startswith("assets/")}
    checks = {path[len("validators/") : -3]: checked_by(path, text) for path, text in sources.items() if is_check(path)}
    for name, texts in (("assets", assets), ("validators", checks)):
        words = WORDS_FOR_TEXTS[name]
        shown[name] = words, f"{banner(name, words)}\n\n{table(name.upper(), texts)}"
    whole = assembled(sources, parts, shown)
    compile(whole, "relais.py", "exec", dont_inherit=True)
    return whole


def is_part(path: str) -> bool:
    is_code = path.endswith(".py") and not path.endswith("__init__.py")
    return is_code and not path.startswith(("assets/", "validators/")) and path not in NOT_PART_OF_IT


def is_check(path: str) -> bool:
    return path.startswith("validators/") and not path.endswith("__init__.py")


def layer_of(path: str) -> int:
    return LAYERS.index(path.rpartition("/")[0])


def in_order(parts: list[Part]) -> list[Part]:
    """The parts layer by layer, each behind those that it needs; a cycle or a need of a later layer is refused."""
    by_path = {part.path: part for part in parts}
    ordered: dict[str, Part] = {}

    def place(part: Part, above: tuple[str, ...]) -> None:
        for path, names in sorted(part.needs.items()):
            needed = needed_part(part, path, names, by_path)
            if needed.path in (*above, part.path):
                circle = [*above, part.path, needed.path]
                way = " → ".join(circle[circle.index(needed.path) :])
                raise Refused(f"{part.path}:{min(names.values())}: a cycle: {way}")
            if needed.path not in ordered:
                place(needed, (*above, part.path))
        ordered[part.path] = part

    for part in sorted(parts, key=lambda part: (part.path != FIRST_PART, layer_of(part.path), part.path)):
        if part.path not in ordered:
            place(part, ())
    return list(ordered.values())


def needed_part(part: Part, path: str, names: dict[str, int], by_path: dict[str, Part]) -> Part:
    """The part that is imported, if it is there, has what is asked for, and lies in no later layer."""
    needed = by_path.get("world/bundled.py" if path == "world/carried.py" else path)
    if needed is None:
        raise Refused(f"{part.path}:{min(names.values())}: there is no {path}")
    for name, line in names.items():
        if name not in needed.names:
            raise Refused(f"{part.path}:{line}: there is no {name} in {path}")
    if layer_of(needed.path) > layer_of(part.path):
        raise Refused(f"{part.path}:{min(names.values())}: {path} lies in a later layer")
    return needed


def refuse_twins(parts: list[Part]) -> None:
    """A name means one thing in the one file: two modules may not both have it, nor import two things by it."""
    seen: dict[str, tuple[str, str]] = {}
    for part in parts:
        own = {name: (f"{part.path} has it", line) for name, line in part.names.items()}
        for name, (meaning, line) in {**own, **part.library}.items():
            where = f"{part.path}:{line}"
            before, place = seen.setdefault(name, (meaning, where))
            if before != meaning:
                raise Refused(f"{where}: {name} stands in {place} already")


def banner(path: str, words: str) -> str:
    return f"{RULE}\n# MARK: {path} · {words}\n{RULE}\n"


def shown_part(part: Part) -> str:
    """A module as it stands in the one file: its banner, then its code without what is left out."""
    lines = part.text.split("\n")
    kept = [line for n, line in enumerate(lines, 1) if n not in part.dropped and not is_loose(lines, n, part.dropped)]
    first, _, rest = part.doc.partition("\n")
    more = "".join(f"# {line}".rstrip() + "\n" for line in rest.strip("\n").split("\n")) if rest.strip() else ""
    code = "\n".join(kept).strip("\n")
    return f"{banner(part.path, first)}{more}\n\n{code}\n"


def is_loose(lines: list[str], number: int, gone: frozenset[int]) -> bool:
    """Whether a blank line only stood behind an import inside a function."""
    above = lines[number - 2] if number > 1 else ""
    return not lines[number - 1].strip() and number - 1 in gone and above.startswith(" ")


def checked_by(path: str, text: str) -> str:
    """A generated validator without its head: in the one file it is compiled where its names are known."""
    part = taken_apart(path, text)
    return "\n".join(line for n, line in enumerate(text.split("\n"), 1) if n not in part.dropped).strip("\n") + "\n"


def table(name: str, texts: dict[str, str]) -> str:
    rows = "".join(f"    {key!r}: {literal(text)},\n" for key, text in texts.items())
    return f"{name} = {{\n{rows}}}\n"


def literal(text: str) -> str:
    """A text as it reads best in Python; what can be misread is written out."""
    forms = [f"{quotes}\\\n{text}{quotes}" for quotes in ("'''", '"""')] if "\\" not in text else []
    forms += [f"r{quotes}{text}{quotes}" for quotes in ("'''", '"""')]
    return next((form for form in forms if is_read_as(form, text)), repr(text))


def is_read_as(form: str, text: str) -> bool:
    try:
        return bool(ast.literal_eval(form) == text)
    except (SyntaxError, ValueError):
        return False


def assembled(sources: dict[str, str], parts: list[Part], shown: dict[str, tuple[str, str]]) -> bytes:
    """Head, imports, parts and last lines, with a table of contents that names the line of each part."""
    imports = {line for part in parts for line, _ in part.library.values()} - {"import sys"}
    hoisted = "\n".join(sorted(imports, key=lambda line: (line.startswith("from "), line)))
    version = re.search(r'__version__ = "(.*)"', sources["version.py"])
    digest = digest_of_files(sources)
    head = sources["head.py"].replace("{{SOURCES}}", digest).replace("{{VERSION}}", version[1] if version else "?")
    places = dict.fromkeys(shown, 0)
    for _ in range(2):  # once to learn how long the head is, once with the numbers
        contents = "\n".join(f"    {places[path]:>5}  {path:<26} {words}" for path, (words, _) in shown.items())
        text = head.replace("{{CONTENTS}}", contents)
        for path, (_, part) in shown.items():
            text += "\n\n"
            places[path] = text.count("\n") + 2
            text += f"{part}\n\n{FIRST_LINES}\n{hoisted}\n" if path == FIRST_PART else part
    # The file holds its own digest, in its head and at its end, counted with zeros in the digest's place.
    start, _, rest = text.partition("{{WHOLE}}")
    rest += f'SOURCES = "{digest}"\nWHOLE = "'
    end = f'"\n\n\n{LAST_LINES}'
    whole = hashlib.sha256(f"{'0' * 64}".join((start, rest, end)).encode()).hexdigest()
    return whole.join((start, rest, end)).encode()


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(amalgamated())
    except Refused as problem:
        sys.exit(f"relais.py was not built: src/relais/{problem}")
