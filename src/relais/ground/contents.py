"""The work tree and git's folder as they were, and where each path's bytes are held."""

from __future__ import annotations

import contextlib
import os
import re

from relais.contract.evidence import Manifest, parents
from relais.notebook.run import Ground, Run, run_ids
from relais.text.git_store import NAME_BYTES
from relais.typed import Callable, Iterator, Optional, Sequence
from relais.world.files import read_bytes
from relais.world.git import Git
from relais.world.host import digest_of
from relais.world.looks import blob_id, look_at, walk

HISTORY_RUNS_KEPT = 20


def is_ignored_by(ignored: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path lies under what `git status --ignored` listed."""
    files = frozenset(path for path in ignored if not path.endswith("/"))
    folders = frozenset(path[:-1] for path in ignored if path.endswith("/"))
    return lambda path: path in files or path in folders or not folders.isdisjoint(parents(path))


def is_git_folder(path: str, _name: str) -> bool:
    """The one folder that the look at the work tree does not enter: git's own is looked at apart."""
    return path == ".git"


def tree_ground(run: Run, manifest: Optional[Manifest] = None) -> Ground:
    """The work tree as the journal has it, or as it is now, without the runs too old to be backed up."""
    unseen = {run.config.history.dir: frozenset(old_runs(run))}

    def is_held(path: str) -> bool:
        return f"tree/{path}" in run.vault.table or run.listing.find(path) is not None

    if manifest is None:
        manifest = walk(run.repo.root, is_git_folder, unseen=unseen)
        manifest[""]["."] = look_at(f"{run.repo.root}/.") or b""  # the repository's own folder counts too
    return Ground(
        run.repo.root, manifest, is_git_folder, is_held, lambda paths: tree_contents(run, paths), unseen=unseen
    )


def git_ground(run: Run, manifest: Manifest) -> Ground:
    def is_held(path: str) -> bool:
        return f"git/{path}" in run.vault.table or linked_content(run, path) is not None

    return Ground(run.repo.common_dir, manifest, lambda *_: False, is_held, lambda paths: git_contents(run, paths))


def large_file_link(run: Run, path: str) -> str:
    return run.vault.path(f"links/{digest_of(os.fsencode(path)).hex()}")


def old_runs(run: Run) -> list[str]:
    return run_ids(run)[:-HISTORY_RUNS_KEPT]


def tree_contents(run: Run, paths: Sequence[str]) -> Iterator[tuple[str, Optional[bytes]]]:
    """The bytes each path had: from the vault, else from its blob, whose name must fit its content."""
    tracked = run.listing.find_many(paths)
    missing = []
    for path in paths:
        content = run.vault.content(f"tree/{path}")
        if content is None and path in tracked:
            missing.append(path)
        else:
            yield path, content
    for start in range(0, len(missing), 256):
        chunk = missing[start : start + 256]
        yield from zip(chunk, read_blobs(run.private, [tracked[path][1] for path in chunk], run.object_format))


def read_blobs(git: Git, oids: Sequence[str], object_format: str) -> list[Optional[bytes]]:
    """Objects by name, each checked against its name: git does not do that for a blob."""
    output = git("cat-file", "--batch", stdin="\n".join(oids).encode())
    found: list[Optional[bytes]] = []
    position = 0
    for oid in oids:
        end = output.index(b"\n", position)
        header = output[position:end].split()
        if len(header) != 3:
            found.append(None)
            position = end + 1
            continue
        size = int(header[2])
        content = output[end + 1 : end + 1 + size]
        found.append(content if blob_id(content, object_format) == oid else None)
        position = end + 2 + size
    return found


def git_contents(run: Run, paths: Sequence[str]) -> Iterator[tuple[str, Optional[bytes]]]:
    for path in paths:
        held = run.vault.content(f"git/{path}")
        yield path, linked_content(run, path) if held is None else held


def linked_content(run: Run, path: str) -> Optional[bytes]:
    """What a second name still holds of a file too large to copy; None where somebody has written into it, under whichever name."""
    with contextlib.suppress(OSError):
        content = read_bytes(large_file_link(run, path), 1 << 40)
        return content if is_as_named(path, content, run.object_format) else None
    return None


def is_as_named(path: str, content: bytes, object_format: str) -> bool:
    """Whether a large file of git's is what its name or its own checksum says: an object, a pack and what lies beside it, a file of LFS."""
    import hashlib
    import zlib

    def digest(data: bytes, algorithm: str = object_format) -> bytes:
        return hashlib.new(algorithm, data, usedforsecurity=False).digest()

    folder, _, name = path.rpartition("/")
    if path.startswith("lfs/objects/"):
        return digest(content, "sha256").hex() == name
    if re.search("(^|/)objects/[0-9a-f]{2}$", folder):
        try:
            return digest(zlib.decompress(content)).hex() == folder[-2:] + name
        except zlib.error:
            return False
    width = NAME_BYTES[object_format]
    return not re.search("(^|/)objects/(pack|info)(/|$)", folder) or digest(content[:-width]) == content[-width:]
