"""A look at a folder, and what differs between two looks."""

from __future__ import annotations

import os
import stat

from relais.contract.evidence import PACKED, Change, Look, Manifest, is_folder_only, looked, parents
from relais.typed import Callable, Mapping, Optional

MAX_DEPTH, MAX_PATH_BYTES = 100, 1000


def differences(before: Manifest, after: Manifest) -> list[Change]:
    """Every path that may differ between two looks, sorted; folders only where nothing below them does.

    Equal type, mode, size, times and inode count as untouched: size and mtime can be forged, ctime
    cannot without the clock. A file that was merely rewritten still stands here as `M`; `settled` decides.
    """
    changes = []
    for folder in before.keys() | after.keys():
        old, new = before.get(folder, {}), after.get(folder, {})
        if old is new or old == new:
            continue
        for name in old.keys() | new.keys():
            if old.get(name) != new.get(name):
                path = f"{folder}/{name}" if folder else name
                change = compare(path, looked(old.get(name)), looked(new.get(name)))
                if change:
                    changes.append(change)
    changes.sort()
    busy = {parent for change in changes for parent in parents(change.path)}
    return [c for c in changes if not (c.path in busy and is_folder_only(c))]


def compare(path: str, before: Optional[Look], after: Optional[Look]) -> Optional[Change]:
    if before is None or after is None:
        return Change(path, "A" if before is None else "D", before, after)
    if before.kind != after.kind:
        return Change(path, "T", before, after)
    if before.kind == "folder":
        return Change(path, "m", before, after) if before.mode != after.mode else None
    if before.kind == "link":
        return Change(path, "M", before, after) if before.target != after.target else None
    return Change(path, "M", before, after)


def settled(change: Change, *, same_content: bool, modes_count: bool) -> Optional[Change]:
    """What an `M` really is, once the content was compared: content, mode, link count or nothing."""
    before, after = change.before, change.after
    if change.status != "M" or not same_content or before is None or after is None:
        return change
    if before.permissions != after.permissions and (modes_count or (before.mode ^ after.mode) & ~0o111):
        return change._replace(status="m")
    # pnpm and friends hard-link ignored packages between projects: the count alone is no change of ours.
    return change._replace(status="L") if before.nlink != after.nlink and change.tracked else None


def walk(
    root: str,
    is_opaque: Callable[[str, str], bool],
    *,
    like: Optional[Manifest] = None,
    start: str = "",
    unseen: Mapping[str, frozenset[str]] = {},
) -> Manifest:
    """One look at everything below `root`, or below its folder `start`: ignored files, empty folders, pipes and all; links are not followed.

    `is_opaque(path, name)` names folders that are seen but not entered, `unseen` names in a folder that are passed
    over. A folder that is the same as in `like` shares its memory. What is too deep or cannot be read is recorded as
    such, and never stops the look.
    """
    manifest: Manifest = {}
    pending = [start]
    while pending:
        folder = pending.pop()
        try:
            handle = os.open(f"{root}/{folder}", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            if not folder:  # an empty look would say that everything is gone
                raise
            mark_unreadable(manifest, folder)
            continue
        try:
            entries, folders = entries_in(handle, unseen.get(folder, frozenset()))
        finally:
            os.close(handle)
        for name in folders:
            path = f"{folder}/{name}" if folder else name
            if is_too_deep(path):
                entries[name] = UNREADABLE
            elif not is_opaque(path, name):
                pending.append(path)
        known = like.get(folder) if like is not None else None
        manifest[folder] = known if known is not None and known == entries else entries
    return manifest


def entries_in(handle: int, passed_over: frozenset[str]) -> tuple[dict[str, bytes], list[str]]:
    """What an open folder holds, and which of it are folders. Names are looked up in it: a fifth faster than paths."""
    entries: dict[str, bytes] = {}
    folders, pack = [], PACKED.pack
    with os.scandir(handle) as scan:
        for entry in scan:
            name = entry.name
            if name in passed_over:
                continue
            try:
                seen = entry.stat(follow_symlinks=False)
                mode = seen.st_mode
                kind = mode & 0o170000
                target = os.fsencode(os.readlink(name, dir_fd=handle)) if kind == stat.S_IFLNK else b""
            except FileNotFoundError:
                continue
            except OSError:  # a folder that may be listed but not entered
                entries[name] = UNREADABLE
                continue
            if kind == stat.S_IFDIR:
                entries[name] = pack(mode, 0, 0, 0, 0, 0)
                folders.append(name)
                continue
            packed = pack(mode, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
            entries[name] = packed + target
    return entries, folders


UNREADABLE = PACKED.pack(0, 0, 0, 0, 0, 0)


def mark_unreadable(manifest: Manifest, folder: str) -> None:
    above, _, name = folder.rpartition("/")
    if folder and name in manifest.get(above, {}):
        manifest[above] = {**manifest[above], name: UNREADABLE}


def is_too_deep(path: str) -> bool:
    return len(path) > 200 and (path.count("/") >= MAX_DEPTH or len(os.fsencode(path)) > MAX_PATH_BYTES)


def look_at(path: str) -> Optional[bytes]:
    """The manifest entry of one path as it is now."""
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISDIR(seen.st_mode):
        return PACKED.pack(seen.st_mode, 0, 0, 0, 0, 0)
    packed = PACKED.pack(seen.st_mode, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    return packed + os.fsencode(os.readlink(path)) if stat.S_ISLNK(seen.st_mode) else packed


def regular_files(manifest: Manifest) -> list[tuple[str, bytes, int]]:
    """Every regular file with its entry and size."""
    found = []
    for folder, names in manifest.items():
        for name, entry in names.items():
            mode, _, size, *_ = PACKED.unpack_from(entry)
            if stat.S_ISREG(mode):
                found.append((f"{folder}/{name}" if folder else name, entry, size))
    return found


def blob_id(data: bytes, object_format: str) -> str:
    import hashlib

    return hashlib.new(object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
