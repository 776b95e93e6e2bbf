"""A source taken apart for the one file: what it gives, what it needs, what is left out; or why it cannot go in.

Many files share no names, one file shares them all. So everything is refused that would mean one thing in a module of
its own and another in the one file, each with its place.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator
from typing import NamedTuple, Union

# Filled at the end of the one file: whoever asks for them earlier finds nothing there.
FILLED_LAST = frozenset(("asset", "carried_validator", "one_file"))
# They say something else in each module.
OWN_TO_A_MODULE = frozenset(("__name__", "__doc__", "__file__", "__loader__", "__spec__", "__package__", "__all__"))

Importing = Union[ast.Import, ast.ImportFrom]
Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Refused(Exception):
    """A source that the one file cannot be built from; the message names file and line."""


class Part(NamedTuple):
    """One source: its text with quoted annotations, its docstring, its top-level names, what it imports, and the lines
    that are left out."""

    path: str
    text: str
    doc: str
    names: dict[str, int]
    needs: dict[str, dict[str, int]]
    library: dict[str, tuple[str, int]]
    dropped: frozenset[int]


def decoded_source(path: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise Refused(f"{path}:{line}: not UTF-8") from None
    for character, word in (("\r", "a carriage return; lines end in LF"), ("\0", "a NUL")):
        if character in text:
            raise Refused(f"{path}:{text.count(chr(10), 0, text.index(character)) + 1}: {word}")
    return text


def taken_apart(path: str, text: str) -> Part:
    """The parts of a source, or Refused with the line that cannot go into the one file."""
    try:
        tree = ast.parse(text)
    except SyntaxError as problem:
        raise Refused(f"{path}:{problem.lineno}: {problem.msg}") from None
    doc = ast.get_docstring(tree)
    if not doc:
        raise Refused(f"{path}:1: it must begin with the sentence that says what it is for")
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    dropped: list[ast.stmt] = [tree.body[0]]
    needs: dict[str, dict[str, int]] = {}
    library: dict[str, tuple[str, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and is_for_type_checkers(node):
            dropped.append(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and not any(map(is_for_type_checkers, chain(node, above))):
            needed = needed_module(path, node)
            if needed:
                refuse_odd_place(path, node, above)
                needs.setdefault(needed, {}).update({alias.name: node.lineno for alias in node.names})
                dropped.append(node)
            elif above[node] is tree:
                library.update({bound: (line, node.lineno) for bound, line in hoisted(node)})
                dropped.append(node)
    refuse_shared_lines(path, tree, dropped, above)
    refuse_emptied_blocks(path, tree, dropped)
    refuse_what_differs(path, tree, above)
    names = names_bound(path, text, tree, {name for bound in needs.values() for name in bound}, library)
    gone = frozenset(line for node in dropped for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return Part(path, with_quoted_annotations(path, text, tree), doc, names, needs, library, gone)


def with_quoted_annotations(path: str, text: str, tree: ast.Module) -> str:
    """The source with its annotations as strings, which is what `from __future__ import annotations` makes of them.

    The one file cannot have that line: it imports a module before relais could clear the path, so that a
    `__future__.py` beside relais.py would run.
    """
    lines = [line.encode() for line in text.split("\n")]
    for note in sorted(annotations_in(tree), key=lambda note: note.col_offset, reverse=True):
        if note.lineno != note.end_lineno:
            raise Refused(f"{path}:{note.lineno}: an annotation stands on one line, so that it can be quoted")
        line = lines[note.lineno - 1]
        words = line[note.col_offset : note.end_col_offset].decode()
        lines[note.lineno - 1] = line[: note.col_offset] + repr(words).encode() + line[note.end_col_offset :]
    return b"\n".join(lines).decode()


def annotations_in(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        found = node.returns if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        found = node.annotation if isinstance(node, (ast.arg, ast.AnnAssign)) else found
        if found and not isinstance(found, ast.Constant):
            yield found


def chain(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """What a node stands in, from near to far."""
    while node in above:
        node = above[node]
        yield node


def is_in_a_function(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    return any(isinstance(place, Function) for place in chain(node, above))


def is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse


def needed_module(path: str, node: Importing) -> str | None:
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


def hoisted(node: Importing) -> Iterator[tuple[str, str]]:
    """Imports of the standard library, one name each, for the head of the one file."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return
    start = f"from {node.module} import" if isinstance(node, ast.ImportFrom) else "import"
    for alias in node.names:
        yield alias.asname or alias.name.partition(".")[0], f"{start} {ast.unparse(alias)}"


def refuse_odd_place(path: str, node: ast.ImportFrom | ast.Import, above: dict[ast.AST, ast.AST]) -> None:
    """An import of ours stands at the top of its file or of a function that binds the name in no other way."""
    place = above[node]
    if not isinstance(place, (ast.Module, ast.FunctionDef)):
        raise Refused(f"{path}:{node.lineno}: an import of ours stands at the top of its file or of a function")
    if isinstance(place, ast.FunctionDef):
        given = [*place.args.posonlyargs, *place.args.args, *place.args.kwonlyargs, place.args.vararg, place.args.kwarg]
        bound = {argument.arg for argument in given if argument}
        bound |= {n.id for n in ast.walk(place) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        for alias in node.names:
            if alias.name in bound:
                raise Refused(f"{path}:{node.lineno}: {alias.name} means something else in this function, too")


def refuse_shared_lines(path: str, tree: ast.Module, dropped: list[ast.stmt], above: dict[ast.AST, ast.AST]) -> None:
    """What is left out is left out by lines: nothing else may stand on them."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for gone in dropped:
        lines = range(gone.lineno, (gone.end_lineno or gone.lineno) + 1)
        holders = set(chain(gone, above))
        for other in statements:
            touches = other.lineno in lines or (other not in holders and (other.end_lineno or 0) in lines)
            if touches and other is not gone and gone not in chain(other, above):
                raise Refused(f"{path}:{gone.lineno}: something else stands on a line that is left out")


def refuse_emptied_blocks(path: str, tree: ast.Module, dropped: list[ast.stmt]) -> None:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, [])
            is_inside = isinstance(block, list) and node is not tree and node not in dropped
            if is_inside and block and all(statement in dropped for statement in block):
                raise Refused(f"{path}:{block[0].lineno}: nothing else stands in this block, so it cannot be left out")


def refuse_what_differs(path: str, tree: ast.Module, above: dict[ast.AST, ast.AST]) -> None:
    """What would say or do something else in the one file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            raise Refused(f"{path}:{node.lineno}: global would rebind a name for the whole file")
        if isinstance(node, ast.Name) and node.id in OWN_TO_A_MODULE and path != "world/bundled.py":
            raise Refused(f"{path}:{node.lineno}: {node.id} is another one in the one file")
        if isinstance(node, ast.Name) and node.id in FILLED_LAST and not is_in_a_function(node, above):
            raise Refused(f"{path}:{node.lineno}: {node.id}() finds nothing before the one file is read to its end")


def names_bound(
    path: str, text: str, tree: ast.Module, needed: set[str], library: dict[str, tuple[str, int]]
) -> dict[str, int]:
    """The names that a module gives to the file, and where; however it binds them."""
    bound = [s for s in symtable.symtable(text, path, "exec").get_symbols() if s.is_assigned() or s.is_imported()]
    lines: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            lines.setdefault(node.id, node.lineno)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            lines.setdefault(node.name, node.lineno)
    found = {}
    for symbol in bound:
        name = symbol.get_name()
        is_elsewhere = name in needed or name in library
        if is_elsewhere and symbol.is_assigned():
            raise Refused(f"{path}:{lines.get(name, 1)}: {name} is imported here, and bound once more")
        if hasattr(builtins, name) and not is_elsewhere:
            raise Refused(f"{path}:{lines.get(name, 1)}: {name} would take the place of Python's own in the whole file")
        if symbol.is_assigned() and not is_elsewhere:
            found[name] = lines.get(name, 1)
    return found
