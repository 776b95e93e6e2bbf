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
    """One path that differs: A added, D deleted, T another type, M content, m mode, L link count."""

    path: str
    status: str
    before: Optional[Look]
    after: Optional[Look]
    tracked: bool = True

    @property
    def is_new(self) -> bool:
        return self.status in "AT"

    @property
    def size(self) -> int:
        return self.after.size if self.after and self.after.kind == "file" else 0


class Touched(NamedTuple):
    """Everything that the builder changed in the work tree, with the numbers git gave for it."""

    changes: tuple[Change, ...] = ()
    lines_added: int = 0
    lines_deleted: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)

    @property
    def new_paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes if change.is_new)

    @property
    def bytes_changed(self) -> int:
        return sum(change.size for change in self.changes)

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


PACKED = struct.Struct("<IIQqqQ")


def looked(packed: Optional[bytes]) -> Optional[Look]:
    if packed is None:
        return None
    target = os.fsdecode(packed[PACKED.size :]) if len(packed) > PACKED.size else None
    mode, nlink, size, mtime_ns, ctime_ns, ino = PACKED.unpack_from(packed)
    return Look(mode, nlink, size, mtime_ns, ctime_ns, ino, target)


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
