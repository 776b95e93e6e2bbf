"""What git prints, read: status, listing, numbers, refs, settings, raw diffs."""

from __future__ import annotations

import os
import re

from relais.typed import Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence


class RepoStatus(NamedTuple):
    """What one `git status` and one `git ls-files` said before anything was paid for."""

    commit: Optional[str] = None
    branch: Optional[str] = None
    dirty: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    has_staged: bool = False


def parse_status(output: bytes, is_ours: Callable[[str], bool]) -> RepoStatus:
    """Read `git status --porcelain=v2 -z --branch --ignored`; `is_ours` names what may differ."""
    commit = branch = None
    dirty, ignored = [], []
    has_staged = False
    for record in output.split(b"\0"):
        kind, _, rest = record.partition(b" ")
        if kind == b"#":
            key, _, value = os.fsdecode(rest).partition(" ")
            if key == "branch.oid":
                commit = None if value == "(initial)" else value
            elif key == "branch.head":
                branch = None if value == "(detached)" else value
        elif kind == b"!":
            ignored.append(os.fsdecode(rest))
        elif kind in (b"1", b"u", b"?"):
            fields = {b"1": 7, b"u": 9, b"?": 0}[kind]
            has_staged = has_staged or (kind != b"?" and not rest.startswith(b"."))
            dirty.append(os.fsdecode(rest.split(b" ", fields)[fields]))
    return RepoStatus(commit, branch, tuple(p for p in dirty if not is_ours(p)), tuple(ignored), has_staged)


class Listing:
    """`git ls-files -v -s -z`, kept as git wrote it: 100,000 paths cost what their text costs."""

    def __init__(self, output: bytes) -> None:
        self.output = b"\0" + output
        self.table: dict[str, tuple[int, str]] = {}

    @property
    def submodules(self) -> frozenset[str]:
        return frozenset(os.fsdecode(p) for p in re.findall(rb"\0\S 160000 [0-9a-f]+ \d\t([^\0]*)", self.output))

    @property
    def assumed_unchanged(self) -> list[str]:
        return [os.fsdecode(p) for p in re.findall(rb"\0[a-z] \d+ [0-9a-f]+ \d\t([^\0]*)", self.output)]

    @property
    def skipped(self) -> frozenset[str]:
        """Paths that a sparse checkout leaves out of the work tree."""
        if b"\0S " not in self.output:
            return frozenset()
        return frozenset(os.fsdecode(p) for p in re.findall(rb"\0S \d+ [0-9a-f]+ \d\t([^\0]*)", self.output))

    @property
    def object_ids(self) -> list[tuple[str, str]]:
        found = re.findall(rb"\0\S 1[02]\d+ ([0-9a-f]+) \d\t([^\0]*)", self.output)
        return [(os.fsdecode(path), oid.decode()) for oid, path in found]

    @property
    def paths(self) -> Iterator[str]:
        return (os.fsdecode(found[1]) for found in re.finditer(rb"\0\S \d+ [0-9a-f]+ \d\t([^\0]*)", self.output))

    def longer_than(self, size: int) -> list[str]:
        return [os.fsdecode(path) for path in re.findall(rb"\t([^\0]{%d,})" % (size + 1), self.output)]

    def find(self, path: str) -> Optional[tuple[int, str]]:
        """Mode and object id of a tracked path; searched as bytes, a hundred times faster than by a pattern."""
        needle = b"\t" + os.fsencode(path) + b"\0"
        end = self.output.find(needle)
        while end >= 0:
            fields = self.output[self.output.rfind(b"\0", 0, end) + 1 : end].split(b" ")
            if len(fields) == 4 and b"\t" not in fields[3]:  # else the tab stood in another file's name
                return int(fields[1], 8), fields[2].decode()
            end = self.output.find(needle, end + 1)
        return None

    def find_many(self, paths: Sequence[str]) -> dict[str, tuple[int, str]]:
        """As `find`, for a few paths by searching and for many by one table."""
        if len(paths) <= 64:
            return {path: found for path in paths for found in [self.find(path)] if found}
        if not self.table:
            rows = re.findall(rb"\0\S (\d+) ([0-9a-f]+) \d\t([^\0]*)", self.output)
            self.table = {os.fsdecode(path): (int(mode, 8), oid.decode()) for mode, oid, path in rows}
        return {path: self.table[path] for path in paths if path in self.table}


def parse_refs(files: Mapping[str, bytes]) -> dict[str, str]:
    """Every ref and HEAD with its value, from the files of a git folder."""
    refs = {}
    for line in files.get("packed-refs", b"").splitlines():
        value, _, name = line.partition(b" ")
        if name and not line.startswith((b"#", b"^")):
            refs[os.fsdecode(name)] = value.decode("ascii", "replace")
    for path, content in files.items():
        if path == "HEAD" or path.startswith("refs/"):
            refs[path] = content.decode("utf-8", "replace").strip()
    return refs


def parse_config(output: bytes) -> dict[str, str]:
    """`git config --list -z`, the last value of a key winning; keys as git folds them."""
    pairs = (record.partition("\n") for record in output.decode("utf-8", "surrogateescape").split("\0") if record)
    return {key: value if separator else "true" for key, separator, value in pairs}


def parse_origins(output: bytes) -> list[tuple[str, str, str]]:
    """`git config --list --show-origin -z`: the file that each setting stands in (others have none), its key, its value."""
    words = output.decode("utf-8", "surrogateescape").split("\0")
    rows = (
        (origin.partition("file:")[2], *setting.partition("\n")) for origin, setting in zip(words[::2], words[1::2])
    )
    return [(path, key, value) for path, key, _, value in rows if path]


def is_true(value: Optional[str]) -> bool:
    return (value or "").lower() in ("true", "yes", "on", "1")


# Which settings decide how a file becomes a blob. They are read once, before the builder, and pinned.
CONVERSION_SETTINGS = r"filter\..*|core\.(autocrlf|eol|symlinks|filemode|attributesfile|precomposeunicode)"
SIGNING_SETTINGS = r"gpg\..*|user\.signingkey"


class PatchEntry(NamedTuple):
    """One path of a patch, as git understood it."""

    path: str
    status: str
    mode: int
    oid: str


class TreeDiff(NamedTuple):
    """What differs between two trees: the paths, the lines, which of them git calls binary, the patch."""

    entries: tuple[PatchEntry, ...] = ()
    added: int = 0
    deleted: int = 0
    binaries: tuple[str, ...] = ()
    patch: bytes = b""


def parse_tree_diff(output: bytes) -> TreeDiff:
    """`git diff-tree -r -z --raw --numstat -p --no-renames`: every path, deletions with mode 0."""
    head, _, patch = output.partition(b"\0\0")
    entries, binaries, added, deleted = [], [], 0, 0
    records = iter(head.split(b"\0"))
    for record in records:
        fields = record.split(b"\t", 2)
        if record.startswith(b":"):
            _, mode, _, oid, status = record.decode().lstrip(":").split()
            entries.append(PatchEntry(os.fsdecode(next(records, b"")), status, int(mode, 8), oid))
        elif len(fields) == 3 and fields[0] == b"-":
            binaries.append(os.fsdecode(fields[2]))
        elif len(fields) == 3:
            added, deleted = added + int(fields[0]), deleted + int(fields[1])
    return TreeDiff(tuple(entries), added, deleted, tuple(binaries), patch)


HUNK_HEADER = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def counted_hunks(patch: bytes) -> tuple[int, int, int]:
    """Newlines added, newlines removed, and all bytes added, in the hunks of a patch."""
    newlines, written = {b"+": 0, b"-": 0, b" ": 0}, 0
    old = new = 0  # what is left of this hunk
    sign = b" "
    for line in patch.split(b"\n"):
        if line.startswith(b"\\ "):  # the line before it has no newline
            newlines[sign] -= 1
            written -= sign == b"+"
        elif old > 0 or new > 0:
            sign = line[:1] if line[:1] in newlines else b" "
            old, new = old - (sign != b"+"), new - (sign != b"-")
            newlines[sign] += 1
            written += len(line) if sign == b"+" else 0
        else:
            header = HUNK_HEADER.match(line)
            old, new = (int(count or 1) for count in header.groups()) if header else (0, 0)
    return newlines[b"+"], newlines[b"-"], written


def nul_joined(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)
