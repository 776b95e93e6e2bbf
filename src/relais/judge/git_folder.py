"""Git's own folder: what was done to it, what that means, and back it goes."""

from __future__ import annotations

import contextlib
import os
import re

from relais.contract.evidence import Change, GitDamage, Manifest, is_folder_only
from relais.ground.put_back import put_back
from relais.ground.snapshot import KEPT_GIT_BYTES
from relais.notebook.run import Run
from relais.text.git_output import parse_refs
from relais.typed import Callable, Iterator, Mapping, Optional
from relais.world.files import ensure_folder, read_bytes, read_text
from relais.world.git import GitError
from relais.world.host import digest_of
from relais.world.looks import differences, regular_files

# What an honest git command leaves in its folder. It is put back like everything else, but it is no offence.
TOLERATED_IN_GIT = r"logs(/.*)?|sharedindex\..*|index(\.lock)?|COMMIT_EDITMSG|gc\.log|opencode|[A-Z_]+_HEAD|AUTO_MERGE|MERGE_(MSG|MODE|RR)|SQUASH_MSG"


def git_area(path: str, own: str) -> str:
    """What a path in git's folder means; `own` is the prefix of this worktree's part of it ("" in the main one)."""
    other = re.match(r"worktrees/[^/]+/", path)
    is_own = path.startswith(own) if own else not other
    if is_own and own:
        path = path[len(own) :]
    elif other:
        path = path[other.end() :]
    is_of_a_worktree = path == "HEAD" or re.fullmatch(TOLERATED_IN_GIT, path) is not None
    if not is_own and is_of_a_worktree and not path.startswith("logs/refs/"):
        return "elsewhere"
    if path.startswith("objects/"):
        return "objects"
    if path in ("HEAD", "packed-refs") or (path.startswith("refs/") and not path.startswith("refs/replace/")):
        return "refs"
    return "tolerated" if is_of_a_worktree else "forbidden"


def inspect_git(run: Run) -> GitDamage:
    """Compare git's own folder with the snapshot, sort what differs, and put it back byte for byte."""
    ground = run.git_ground
    own = run.repo.own_prefix
    ensure_folder(os.path.dirname(ground.root), os.path.basename(ground.root))
    candidates = differences(ground.manifest, ground.look())
    ours = (f"refs/relais/rescue/{run.run_id}", f"refs/relais/kept/{run.run_id}")  # of the runner that died
    forbidden, undo, warnings, refs_touched = [], [], [], False
    for change in candidates:
        area = git_area(change.path, own)
        if area == "elsewhere" or (run.is_recovering and change.path.startswith(ours)):
            continue
        if area == "objects":
            area = object_area(run, change)
        if area in ("fine", "fetched"):
            warnings += [f"new pack kept: {change.path}"] if area == "fetched" and change.path.endswith(".pack") else []
            continue
        if area == "tolerated" or not is_same_git_file(run, change):
            undo.append(change)
            refs_touched = refs_touched or area == "refs"
            if area == "forbidden" and not is_folder_only(change):
                forbidden.append(f".git/{change.path}")
    moved = moved_refs(run, own) if refs_touched else {}
    moved = {name: value for name, value in moved.items() if not (run.is_recovering and name.startswith(ours))}
    remote = {name for name in moved if name.startswith("refs/remotes/")}
    elsewhere = elsewhere_branches(run, own)
    left = remote | elsewhere | {f"logs/{name}" for name in elsewhere}
    undo = [change for change in undo if change.path not in left]
    failures = put_back(run, ground, undo, "git")
    warnings += [f"{name} moved (a fetch?) and was left so" for name in sorted(remote)]
    warnings += [f".git/{path} could not be put back" for path in failures]
    warnings += [
        f"{name}, checked out in another worktree, moved and was left so" for name in sorted(elsewhere & moved.keys())
    ]
    named = {name: value for name, value in moved.items() if name not in left}
    return GitDamage(tuple(forbidden), tuple(unexplained_refs(run, named)), tuple(warnings), named)


def is_same_git_file(run: Run, change: Change) -> bool:
    """Whether only times changed on a file of git's (a touch, a rewrite of the same bytes)."""
    before, after = change.before, change.after
    if (
        change.status != "M"
        or before is None
        or after is None
        or before.size != after.size
        or before.mode != after.mode
    ):
        return False
    kept = run.vault.table.get(f"git/{change.path}")
    return kept is not None and digest_of(read_bytes(os.path.join(run.repo.common_dir, change.path))) == kept.digest


def object_area(run: Run, change: Change) -> str:
    """Objects may be added if they are what their names say; nothing else may happen to them."""
    path = os.path.join(run.repo.common_dir, change.path)
    after = change.after
    if is_folder_only(change) and change.status == "A":
        return "fine"
    if change.status not in "AM" or after is None or after.kind != "file":
        return "forbidden"
    loose = re.fullmatch(r"objects/([0-9a-f]{2})/([0-9a-f]{38}|[0-9a-f]{62})", change.path)
    if loose:
        return "fine" if loose_object_id(path, run.object_format) == loose.group(1) + loose.group(2) else "forbidden"
    if re.fullmatch(r"objects/info/commit-graph(s/.*)?", change.path):
        return "tolerated"
    if change.status == "A" and re.fullmatch(r"objects/pack/pack-[0-9a-f]+\.(pack|idx|rev)", change.path):
        index = re.sub(r"\.(pack|rev)$", ".idx", path)
        with contextlib.suppress(GitError):
            run.private("verify-pack", index)
            return "fetched"
    return "forbidden"


def loose_object_id(path: str, object_format: str) -> Optional[str]:
    """The name a loose object's content deserves."""
    import hashlib
    import zlib

    with contextlib.suppress(OSError, zlib.error):
        inflate = zlib.decompressobj()
        content = inflate.decompress(read_bytes(path), KEPT_GIT_BYTES)
        if not inflate.unconsumed_tail:
            return hashlib.new(object_format, content, usedforsecurity=False).hexdigest()
    return None


def ref_files(read: Callable[[str], Optional[bytes]], manifest: Manifest, own: str) -> dict[str, bytes]:
    """The files that say where refs point, HEAD being this worktree's."""
    paths = [path for path, _, _ in regular_files(manifest) if path.startswith("refs/") or path == "packed-refs"]
    files = {path: read(path) for path in paths}
    files["HEAD"] = read(f"{own}HEAD")
    return {path: content for path, content in files.items() if content is not None}


def moved_refs(run: Run, own: str) -> dict[str, str]:
    """Every ref whose value is not what it was: its new value, or "" where it is gone."""
    ground = run.git_ground

    def on_disk(path: str) -> Optional[bytes]:
        with contextlib.suppress(OSError):
            return read_bytes(os.path.join(ground.root, path), 1 << 26)
        return None

    before = parse_refs(ref_files(lambda path: run.vault.content(f"git/{path}"), ground.manifest, own))
    after = parse_refs(ref_files(on_disk, ground.look(), own))
    return {name: after.get(name, "") for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def elsewhere_branches(run: Run, own: str) -> frozenset[str]:
    """Branches that are checked out in other worktrees: reported, never rewound."""
    root = run.repo.common_dir
    heads = [os.path.join(root, "HEAD")] if own else []
    with contextlib.suppress(OSError):
        others = (name for name in os.listdir(os.path.join(root, "worktrees")) if f"worktrees/{name}/" != own)
        heads += [os.path.join(root, "worktrees", name, "HEAD") for name in others]
    current = f"refs/heads/{run.repo_status.branch}"
    names = (read_text(head).strip().partition("ref: ")[2] for head in heads)
    return frozenset(name for name in names if name and name != current)


def unexplained_refs(run: Run, moved: Mapping[str, str]) -> Iterator[str]:
    """Refs that moved for no good reason: a commit on top of the base, on the current branch, is a good one."""
    for name, value in sorted(moved.items()):
        if name == run.branch_ref and is_descendant(run, value):
            continue
        yield name


def is_descendant(run: Run, commit: str) -> bool:
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", commit):
        return False
    with contextlib.suppress(GitError):
        run.private("merge-base", "--is-ancestor", run.base, commit)
        return True
    return False
