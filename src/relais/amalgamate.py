"""Builds relais.py, the one file that people drop into a repo, from the modules of this package.

    python -m relais.amalgamate > relais.py

Every module stands in it word for word, in the order of the layers, under a banner with its path. Taken away are only
the imports between the modules, which the one file has no use for; what cannot be taken away is refused with its
place. The same sources give the same bytes: no date, no path, a fixed order.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

# A module imports from its own folder and from folders to the left.
LAYERS = (
    "",
    *"text contract rules world settings notebook agents ground preflight judge report brain hands tick commands".split(),
)
NOT_PART_OF_IT = {"__main__.py", "head.py", "amalgamate.py", "world/carried.py"}
RULE = "# " + "-" * 88
LAST_LINES = 'if __name__ == "__main__":\n    sys.exit(main())\n'


class Refused(Exception):
    """A source that the one file cannot be built from; the message names file and line."""


class Module(NamedTuple):
    """One source: its text, what it says about itself, the modules it needs, and what it leaves out of the one file."""

    path: str
    text: str
    doc: str
    needs: dict[str, int]
    stdlib: tuple[str, ...]
    names: dict[str, int]
    dropped: tuple[range, ...]

    @property
    def layer(self) -> int:
        return LAYERS.index(self.path.rpartition("/")[0])


def package_files() -> dict[str, str]:
    """Every file of the package by its path in it, wherever the package lies."""
    from importlib.resources import files

    found: dict[str, str] = {}

    def visit(folder: object, prefix: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):  # type: ignore[attr-defined]
            path = prefix + entry.name
            if entry.is_dir() and entry.name != "__pycache__":
                visit(entry, f"{path}/")
            elif entry.is_file() and not entry.name.endswith(".pyc"):
                found[path] = decoded_source(path, entry.read_bytes())

    visit(files("relais"), "")
    return found


def decoded_source(path: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise Refused(f"{path}:{line}: not UTF-8") from None
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        raise Refused(f"{path}:{line}: a carriage return; lines end in LF")
    return text


def sources_digest() -> str:
    return digest_of_files(package_files())


def digest_of_files(sources: dict[str, str]) -> str:
    parts = (f"{path}\0{len(text)}\0{text}" for path, text in sorted(sources.items()))
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:12]


def read_module(path: str, text: str) -> Module:
    """A source taken apart, or Refused with the line that cannot go into the one file."""
    try:
        tree = ast.parse(text)
    except SyntaxError as problem:
        raise Refused(f"{path}:{problem.lineno}: {problem.msg}") from None
    doc = ast.get_docstring(tree)
    if not doc:
        raise Refused(f"{path}:1: it must begin with the sentence that says what it is for")
    needs: dict[str, int] = {}
    stdlib: list[str] = []
    dropped = [span_of(tree.body[0])]
    for block in blocks_of(tree):
        for node in block:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                needed = needed_module(path, node)
                if needed:
                    needs.setdefault(needed, node.lineno)
                elif block is tree.body:
                    stdlib += hoisted(node)
                if needed or block is tree.body:
                    refuse_empty(path, block, node)
                    dropped.append(span_of(node))
            elif is_for_type_checkers(node):
                dropped.append(span_of(node))
    return Module(path, text, doc, needs, tuple(stdlib), top_names(tree), tuple(dropped))


def blocks_of(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Every list of statements, the file's own first; what only type checkers read is left out."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not (is_for_type_checkers(node) and field == "body"):
                yield block


def is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse


def span_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def needed_module(path: str, node: ast.Import | ast.ImportFrom) -> str | None:
    """The module of ours that is imported here, None for the standard library's."""
    source = "" if isinstance(node, ast.Import) else f"{'.' * node.level}{node.module or ''}"
    modules = [source] if source else [alias.name for alias in node.names]
    if not any(name.startswith((".", "relais.")) or name == "relais" for name in modules):
        return None
    is_renamed = any(alias.asname or alias.name == "*" for alias in node.names)
    if not source.startswith("relais.") or is_renamed:
        form = "from relais.folder.module import name"
        raise Refused(f"{path}:{node.lineno}: this import cannot be taken away; write: {form}")
    return source.removeprefix("relais.").replace(".", "/") + ".py"


def hoisted(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Imports of the standard library, one name each, for the head of the one file."""
    if isinstance(node, ast.Import):
        return [f"import {ast.unparse(alias)}" for alias in node.names]
    if node.module == "__future__":
        return []
    return [f"from {node.module} import {ast.unparse(alias)}" for alias in node.names]


def refuse_empty(path: str, block: list[ast.stmt], node: ast.stmt) -> None:
    if not any(other for other in block if not isinstance(other, (ast.Import, ast.ImportFrom))):
        raise Refused(f"{path}:{node.lineno}: nothing else stands in this block, so the import cannot be taken away")


def top_names(tree: ast.Module) -> dict[str, int]:
    """The names that a module gives to the file, and where."""
    names: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found = (part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
            names.update({part.id: node.lineno for part in found})
        elif isinstance(node, ast.If) and node.orelse:
            names.update(top_names(ast.Module(node.orelse, [])))
    return names


def refuse_twins(modules: list[Module]) -> None:
    seen: dict[str, str] = {}
    for module in modules:
        for name, line in module.names.items():
            if name in seen:
                raise Refused(f"{module.path}:{line}: {name} stands in {seen[name]} already")
            seen[name] = f"{module.path}:{line}"


def in_order(modules: list[Module]) -> list[Module]:
    """The modules layer by layer, each behind those that it needs; a cycle or a need of a later layer is refused."""
    by_path = {module.path: module for module in modules}
    ordered: dict[str, Module] = {}

    def place(module: Module, above: tuple[str, ...]) -> None:
        for path, line in sorted(module.needs.items()):
            needed = by_path.get("world/bundled.py" if path == "world/carried.py" else path)
            where = f"{module.path}:{line}"
            if needed is None:
                raise Refused(f"{where}: there is no {path}")
            if needed.layer > module.layer:
                raise Refused(f"{where}: {path} lies in a later layer")
            if needed.path in (*above, module.path):
                circle = [*above, module.path, needed.path]
                raise Refused(f"{where}: a cycle: {' → '.join(circle[circle.index(needed.path) :])}")
            if needed.path not in ordered:
                place(needed, (*above, module.path))
        ordered[module.path] = module

    for module in sorted(modules, key=lambda module: (module.layer, module.path)):
        if module.path not in ordered:
            place(module, ())
    return list(ordered.values())


def shown(module: Module) -> str:
    """A module as it stands in the one file: its banner, then its code without what was dropped."""
    gone = {line for span in module.dropped for line in span}
    lines = module.text.split("\n")
    kept = [line for number, line in enumerate(lines, 1) if number not in gone and not is_loose(lines, number, gone)]
    code = "\n".join(kept).strip("\n")
    first, _, rest = module.doc.partition("\n")
    more = "".join(f"# {line}".rstrip() + "\n" for line in rest.strip("\n").split("\n")) if rest.strip() else ""
    return f"{RULE}\n# MARK: {module.path} · {first}\n{RULE}\n{more}\n\n{code}\n"


def is_loose(lines: list[str], number: int, gone: set[int]) -> bool:
    """Whether a blank line only stood behind an import inside a function."""
    above = lines[number - 2] if number > 1 else ""
    return not lines[number - 1].strip() and number - 1 in gone and above.startswith(" ")


def literal(text: str) -> str:
    """A text as it reads best in Python."""
    for quotes in ("'''", '"""'):
        if quotes not in text and not text.endswith((quotes[0], "\\")):
            return (
                f"r{quotes}{'' if text[:1] not in quotes[0] or not text else chr(10)}{text}{quotes}"
                if "\\" in text
                else f"{quotes}\\\n{text}{quotes}"
            )
    return repr(text)


def table(name: str, texts: dict[str, str]) -> str:
    rows = "".join(f"    {key!r}: {literal(text)},\n" for key, text in texts.items())
    return f"{name} = {{\n{rows}}}\n"


def validator_text(path: str, text: str) -> str:
    """A generated validator without its head: in the one file it is compiled where its names are known."""
    module = read_module(path, text)
    return shown(module).split("\n\n\n", 1)[1]


def amalgamated(sources: dict[str, str] | None = None) -> bytes:
    """The one file."""
    sources = package_files() if sources is None else sources
    modules = [read_module(p, t) for p, t in sources.items() if is_part(p)]
    refuse_twins(modules)
    modules = in_order(modules)
    parts = {module.path: (module.doc.partition("\n")[0], shown(module)) for module in modules}
    assets = {p.removeprefix("assets/"): t for p, t in sources.items() if p.startswith("assets/")}
    checks = {p[len("validators/") : -3]: validator_text(p, t) for p, t in sources.items() if is_validator(p)}
    parts["assets"] = (
        "What the program carries: texts for people, models and other programs.",
        banner(
            "assets", "What the program carries: texts for people, models and other programs.", table("ASSETS", assets)
        ),
    )
    parts["validators"] = (
        "Generated from the schemas by fastjsonschema; never edited.",
        banner(
            "validators", "Generated from the schemas by fastjsonschema; never edited.", table("VALIDATORS", checks)
        ),
    )
    return assembled(sources, modules, parts)


def banner(path: str, words: str, code: str) -> str:
    return f"{RULE}\n# MARK: {path} · {words}\n{RULE}\n\n\n{code}"


def is_part(path: str) -> bool:
    is_code = (
        path.endswith(".py") and not path.endswith("__init__.py") and not path.startswith(("assets/", "validators/"))
    )
    return is_code and path not in NOT_PART_OF_IT


def is_validator(path: str) -> bool:
    return path.startswith("validators/") and not path.endswith("__init__.py")


def assembled(sources: dict[str, str], modules: list[Module], parts: dict[str, tuple[str, str]]) -> bytes:
    """Head, imports, parts and last lines, with a table of contents that names the line of each part."""
    imports = sorted({line for module in modules for line in module.stdlib} - {"import sys"}, key=import_order)
    version = re.search(r'__version__ = "(.*)"', sources["version.py"])
    digest = digest_of_files(sources)
    places = dict.fromkeys(parts, 0)
    for _ in range(2):  # once to learn how long the head is, once with the numbers
        contents = "\n".join(f"    {places[path]:>5}  {path:<26} {words}" for path, (words, _) in parts.items())
        text = sources["head.py"].replace("{{CONTENTS}}", contents).replace("{{SOURCES}}", digest)
        text = text.replace("{{VERSION}}", version[1] if version else "?").replace("{{WHOLE}}", "0" * 64)
        text += "\n" + "\n".join(imports) + "\n"
        for path, (_, part) in parts.items():
            text += "\n\n"
            places[path] = text.count("\n") + 2
            text += part
    text += f'SOURCES = "{digest}"\nWHOLE = "{"0" * 64}"\n\n\n{LAST_LINES}'
    return text.replace("0" * 64, hashlib.sha256(text.encode()).hexdigest()).encode()


def import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(amalgamated())
    except Refused as problem:
        sys.exit(f"relais.py was not built: src/relais/{problem}")
