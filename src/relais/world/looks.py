"""A look at a folder, and what differs between two looks."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import sys
from functools import partial

from relais.contract.evidence import PACKED, Change, Look, Manifest, entry_of, is_folder_only, looked, parents
from relais.typed import Callable, Mapping, Optional

# What the system takes for a path, less the longest name and what quarantine puts before it.
MAX_FOLDER_BYTES = 3600
MAX_NAME_BYTES = 255


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
                given = inherited(looked(entry_of(before, folder or ".")), looked(new.get(name)))
                change = compare(path, looked(old.get(name)), given if name not in old else looked(new.get(name)))
                if change:
                    changes.append(change)
    changes.sort()
    busy = {parent for change in changes for parent in parents(change.path)}
    return [c for c in changes if not (c.path in busy and is_folder_only(c))]


def inherited(folder: Optional[Look], look: Optional[Look]) -> Optional[Look]:
    """A new thing's look without the access list that its folder gives to everything in it, if the person wanted that."""
    if look is None or not look.marks or folder is None or DEFAULT_ACCESS not in folder.marks:
        return look
    kept = [mark for mark in look.marks.split("\n") if not mark.startswith(ACCESS_LISTS)]
    return look._replace(marks="\n".join(kept))


def compare(path: str, before: Optional[Look], after: Optional[Look]) -> Optional[Change]:
    if before is None or after is None:
        return Change(path, "A" if before is None else "D", before, after)
    if before.kind != after.kind:
        return Change(path, "T", before, after)
    if before.kind == "folder":
        is_same = before.mode == after.mode and before.marks == after.marks
        return None if is_same else Change(path, "m", before, after)
    if before.kind == "link":
        return Change(path, "M", before, after) if before.target != after.target else None
    return Change(path, "M", before, after)


def settled(change: Change, *, same_content: bool, modes_count: bool, times_count: bool = False) -> Optional[Change]:
    """What an `M` really is, once the content was compared: content, mode, link count, time or nothing."""
    before, after = change.before, change.after
    if change.status != "M" or not same_content or before is None or after is None:
        return change
    if before.permissions != after.permissions and (modes_count or (before.mode ^ after.mode) & ~0o111):
        return change._replace(status="m")
    if before.ino == after.ino and before.marks != after.marks:
        return change._replace(status="m")
    if times_count and before.mtime_ns != after.mtime_ns:
        return change._replace(status="t")
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
        except OSError as problem:
            if not folder:  # an empty look would say that everything is gone
                raise
            mark_unreadable(manifest, folder, is_gone=isinstance(problem, FileNotFoundError))
            continue
        try:
            known = like.get(folder, NO_ENTRIES) if like is not None else NO_ENTRIES
            entries, folders = entries_in(handle, f"{root}/{folder}", unseen.get(folder, frozenset()), known)
        finally:
            os.close(handle)
        for name in folders:
            path = f"{folder}/{name}" if folder else name
            if is_too_deep(root, path):
                entries[name] = UNREADABLE
            elif not is_opaque(path, name):
                pending.append(path)
        manifest[folder] = known if known and known == entries else entries
    return manifest


NO_ENTRIES: dict[str, bytes] = {}


def entries_in(
    handle: int, path: str, passed_over: frozenset[str], known: Mapping[str, bytes]
) -> tuple[dict[str, bytes], list[str]]:
    """What an open folder holds, and which of it are folders. Names are looked up in it: a fifth faster than paths.

    What is `known` to have looked the same has the same marks: whoever changes one changes the time of the change.
    """
    entries: dict[str, bytes] = {}
    usual = usual_owners(os.fstat(handle))
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
                entries[name] = pack(mode, 0, 0, 0, 0, 0) + marks_of(f"{path}/{name}", seen, usual)
                folders.append(name)
                continue
            packed = packed_look(seen)
            before = known.get(name, b"")
            if kind == stat.S_IFLNK:
                entries[name] = packed + target
            elif before.startswith(packed):
                entries[name] = before
            else:
                entries[name] = packed + marks_of(f"{path}/{name}", seen, usual, may_be_fixed=bool(before))
    return entries, folders


ACCESS_LISTS, DEFAULT_ACCESS = "system.posix_acl_", "system.posix_acl_default="
# What the system itself puts on files, and what costs a question to a server for each of them.
UNREMARKABLE = (
    "security.selinux",
    "security.ima",
    "security.evm",
    "security.SMACK64",
    "trusted.overlay.",
    "system.nfs4",
)


def usual_owners(folder: os.stat_result) -> tuple[int, frozenset[int]]:
    """Whose things in a folder usually are: ours, by our group or by the folder's."""
    return os.geteuid(), frozenset((os.getegid(), folder.st_gid))


def marks_of(path: str, seen: os.stat_result, usual: tuple[int, frozenset[int]], *, may_be_fixed: bool = True) -> bytes:
    """What lstat does not tell, where there is any; nothing for nearly every file there is, and that must be fast.

    Whether a file is fixed is asked only where it has changed: one that was fixed before cannot have.
    """
    is_usual = seen.st_uid == usual[0] and seen.st_gid in usual[1]
    fixed = [("flags", "fixed")] if may_be_fixed and is_fixed(path, seen.st_mode) else []
    try:
        names = LISTED_ATTRIBUTES(path)
        if is_usual and not names and not fixed:
            return b""
        values = [(name, os.getxattr(path, name, follow_symlinks=False).hex()) for name in names if is_remarkable(name)]
    except OSError:  # gone, or a file system that has none
        values = []
    owner = [] if is_usual else [("owner", f"{seen.st_uid}:{seen.st_gid}")]
    return os.fsencode("\n".join(f"{name}={value}" for name, value in sorted(values + owner + fixed)))


# As <linux/fs.h> has them; only root can set these flags: a file that nobody can change, or only add to.
GET_FLAGS, SET_FLAGS, FIXED = 0x80086601, 0x40086602, 0x10 | 0x20


def is_fixed(path: str, mode: int) -> bool:
    may_be = os.geteuid() == 0 and sys.platform == "linux" and (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return may_be and bool(change_flags(path) & FIXED)


def change_flags(path: str, cleared: int = 0) -> int:
    """The flags that a file or folder had, before these were taken from it; none where the file system has none."""
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        (flags,) = struct.unpack("l", fcntl.ioctl(handle, GET_FLAGS, bytes(struct.calcsize("l"))))
        if flags & cleared:
            fcntl.ioctl(handle, SET_FLAGS, struct.pack("l", flags & ~cleared))
    except OSError:
        return 0
    finally:
        os.close(handle)
    return int(flags)


def unfix(path: str) -> None:
    """Let ourselves change what somebody else has fixed."""
    with contextlib.suppress(OSError):
        if is_fixed(path, os.lstat(path).st_mode):
            change_flags(path, FIXED)


def is_remarkable(name: str) -> bool:
    return not name.startswith(UNREMARKABLE)


def no_attributes(_: str) -> list[str]:
    return []


LISTED_ATTRIBUTES: Callable[[str], list[str]] = (
    partial(os.listxattr, follow_symlinks=False) if hasattr(os, "listxattr") else no_attributes
)


def set_marks(path: str, marks: str, now: str) -> None:
    """Give a file or folder the marks that it had, and take the others away; OSError where the system refuses."""
    wanted, present = (dict(mark.split("=", 1) for mark in text.split("\n") if mark) for text in (marks, now))
    for name in sorted(present.keys() | wanted.keys()):
        value = wanted.get(name)
        if value == present.get(name):
            continue
        if name == "flags":
            change_flags(path, 0 if value else FIXED)
        elif name == "owner":
            user, _, group = (value or f"{os.geteuid()}:{os.getegid()}").partition(":")
            os.chown(path, int(user), int(group), follow_symlinks=False)
        elif value is None:
            os.removexattr(path, name, follow_symlinks=False)
        else:
            os.setxattr(path, name, bytes.fromhex(value), follow_symlinks=False)


UNREADABLE = PACKED.pack(0, 0, 0, 0, 0, 0)


def mark_unreadable(manifest: Manifest, folder: str, *, is_gone: bool) -> None:
    """A folder that cannot be entered is no folder to us; one that went between two looks was never there."""
    above, _, name = folder.rpartition("/")
    if folder and name in manifest.get(above, {}):
        rest = {other: entry for other, entry in manifest[above].items() if other != name}
        manifest[above] = rest if is_gone else {**rest, name: UNREADABLE}


def is_too_deep(root: str, folder: str) -> bool:
    return len(folder) > 200 and len(os.fsencode(root)) + len(os.fsencode(folder)) > MAX_FOLDER_BYTES


def look_at(path: str) -> Optional[bytes]:
    """The manifest entry of one path as it is now."""
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(seen.st_mode):
        return packed_look(seen) + os.fsencode(os.readlink(path))
    marks = marks_of(path, seen, usual_owners(os.stat(os.path.dirname(path))))
    return (PACKED.pack(seen.st_mode, 0, 0, 0, 0, 0) if stat.S_ISDIR(seen.st_mode) else packed_look(seen)) + marks


def packed_look(seen: os.stat_result) -> bytes:
    try:
        return PACKED.pack(seen.st_mode, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    except struct.error:  # anybody may set a time that no 64 bits hold (after 2262); the kernel's own tells of a change
        mtime_ns = max(-LATEST_NS, min(seen.st_mtime_ns, LATEST_NS))
        return PACKED.pack(seen.st_mode, seen.st_nlink, seen.st_size, mtime_ns, seen.st_ctime_ns, seen.st_ino)


LATEST_NS = (1 << 63) - 1


def read_below(root: str, path: str) -> tuple[Optional[Look], bytes]:
    """What stands at `path` and its bytes, read once: a link's are its target, and no link on the way is followed."""
    folder, _, name = path.rpartition("/")
    try:
        handle = open_folder(root, folder)
    except (FileNotFoundError, NotADirectoryError):
        return None, b""
    try:
        return read_entry(handle, name)
    finally:
        os.close(handle)


def open_folder(root: str, folder: str) -> int:
    """A handle on a folder below `root`; NotADirectoryError where a link stands on the way."""
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for name in folder.split("/") if folder else ():
        above = handle
        try:
            handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        finally:
            os.close(above)
    return handle


def read_entry(handle: int, name: str) -> tuple[Optional[Look], bytes]:
    """One name of an open folder. What was looked at is what was read: the look is the open file's, after the reading."""
    try:
        seen = os.stat(name, dir_fd=handle, follow_symlinks=False)
        if stat.S_ISLNK(seen.st_mode):
            target = os.readlink(name, dir_fd=handle)
            return look_of(seen, target), os.fsencode(target)
        if not stat.S_ISREG(seen.st_mode):
            return look_of(seen), b""
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(name, flags, dir_fd=handle), "rb") as file:
            content = file.read()
            return look_of(os.fstat(file.fileno())), content
    except FileNotFoundError:
        return None, b""


def look_of(seen: os.stat_result, target: Optional[str] = None) -> Look:
    return Look(seen.st_mode, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, target)


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
