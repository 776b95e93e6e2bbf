"""What the Judge may look at: looks, changes, the touched set, the fence, damage in git's folder."""

from __future__ import annotations

import os
import stat
import struct

from relais.contract.codes import TaskKind
from relais.typed import Callable, Iterator, Json, Mapping, NamedTuple, Optional


class Look(NamedTuple):
    """One entry of a manifest, unpacked: what lstat said, and where a link points."""

    mode: int
    nlink: int
    size: int
    mtime_ns: int
    ctime_ns: int
    ino: int
    target: Optional[str]
    marks: str = ""  # another owner than usual, access lists, capabilities and the like: `name=value`, a line each

    @property
    def kind(self) -> str:
        return KINDS.get(stat.S_IFMT(self.mode), "special")

    @property
    def permissions(self) -> int:
        return stat.S_IMODE(self.mode)


KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}

# Folder → name → packed lstat. Two folders compare at C speed, and 100,000 files stay near 30 MB.
Manifest = dict[str, dict[str, bytes]]


class Change(NamedTuple):
    """One path that differs: A added, D deleted, T another type, M content, m mode, L link count, t only a by-product's time."""

    path: str
    status: str
    before: Optional[Look]
    after: Optional[Look]
    tracked: bool = True
    leads: tuple[str, ...] = ()  # of a link: each place on its way to where it really ends

    @property
    def is_new(self) -> bool:
        return self.status in "AT"

    @property
    def is_shared(self) -> bool:
        """Whether other names of this file, perhaps outside the repo, show what was written into it."""
        before, after = self.before, self.after
        same = (
            before is not None and after is not None and before.kind == after.kind == "file" and before.ino == after.ino
        )
        return same and before is not None and before.nlink > 1

    @property
    def size(self) -> int:
        return self.after.size if self.after and self.after.kind == "file" else 0

    @property
    def new_marks(self) -> list[str]:
        """The names of marks that this change set, and, where nothing else changed, of those that it took away."""
        before = frozenset((self.before or NO_LOOK).marks.split("\n"))
        after = frozenset((self.after or NO_LOOK).marks.split("\n"))
        changed = before ^ after if self.status == "m" else after - before
        return sorted({mark.partition("=")[0] for mark in changed if mark}) if self.after else []

    @property
    def growth(self) -> int:
        """The least that was written, as far as sizes tell."""
        was = self.before.size if self.before and self.before.kind == "file" and self.size <= COMPARED_BYTES else 0
        return max(0, self.size - was)


class Seen(NamedTuple):
    """What stood at a path when it was read, once and for all: git's mode for it, and its bytes (of a link: its target)."""

    mode: int
    content: bytes


NOTHING_SEEN = Seen(0, b"")


# Two versions of a file up to this size are compared; of a larger one every byte counts as written.
COMPARED_BYTES = 64 << 20


class Touched(NamedTuple):
    """Everything that the builder changed in the work tree, with the numbers git gave for it."""

    changes: tuple[Change, ...] = ()
    lines_added: int = 0
    lines_deleted: int = 0
    bytes_measured: Optional[int] = None

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)

    @property
    def new_paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes if change.is_new)

    @property
    def bytes_changed(self) -> int:
        """What was written: by how much files grew, as long as nobody has compared them."""
        return sum(change.growth for change in self.changes) if self.bytes_measured is None else self.bytes_measured

    @property
    def lines_changed(self) -> int:
        return self.lines_added + self.lines_deleted

    @property
    def blast_radius(self) -> Json:
        return {
            "files_touched": len(self.changes),
            "lines_added": self.lines_added,
            "lines_deleted": self.lines_deleted,
            "new_files": len(self.new_paths),
        }


class Tidied(NamedTuple):
    """What was done to by-products in a tick: how many were set aside, how many came back, how long it took."""

    set_aside: int = 0
    brought_back: int = 0
    seconds: float = 0.0

    def plus(self, *more: float) -> Tidied:
        set_aside, brought_back, seconds = more
        return Tidied(self.set_aside + int(set_aside), self.brought_back + int(brought_back), self.seconds + seconds)


class Fence(NamedTuple):
    """What a task may touch, after everything that the model cannot lower was joined in."""

    owned: Callable[[str], bool]
    forbidden: Callable[[str], bool]
    control: Callable[[str], bool]
    protected: Callable[[str], bool]
    allowed: Callable[[str], bool]
    lockfile: Callable[[str], bool]
    allow_new_files: bool
    allow_lockfile_changes: bool
    max_files_touched: int
    max_lines_changed: int
    max_bytes: int


class GitDamage(NamedTuple):
    """What the builder did inside git's own folder, sorted by what it means."""

    forbidden: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    moved: Mapping[str, str] = {}


class Evidence(NamedTuple):
    """Everything the Judge may look at, gathered before it looks."""

    kind: TaskKind
    fence: Fence
    touched: Touched
    git: GitDamage
    submodules: frozenset[str] = frozenset()
    secrets: tuple[str, ...] = ()
    ignored: frozenset[str] = frozenset()


PACKED = struct.Struct("<IIQqqQ")


def looked(packed: Optional[bytes]) -> Optional[Look]:
    if packed is None:
        return None
    rest = os.fsdecode(packed[PACKED.size :])
    mode, nlink, size, mtime_ns, ctime_ns, ino = PACKED.unpack_from(packed)
    target = rest if stat.S_ISLNK(mode) else None
    return Look(mode, nlink, size, mtime_ns, ctime_ns, ino, target, "" if target is not None else rest)


def entry_of(manifest: Manifest, path: str) -> Optional[bytes]:
    folder, _, name = path.rpartition("/")
    return manifest.get(folder, {}).get(name)


def is_folder_only(change: Change) -> bool:
    return change.status in "AD" and (change.after or change.before or NO_LOOK).kind == "folder"


NO_LOOK = Look(0, 0, 0, 0, 0, 0, None)


def parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
