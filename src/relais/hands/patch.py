"""A patch carries the task out: understood by git, judged as a tree, then written."""

from __future__ import annotations

import contextlib
import os

from relais.contract.codes import Code
from relais.contract.evidence import (
    NO_LOOK,
    Change,
    Evidence,
    Fence,
    GitDamage,
    Look,
    Seen,
    Touched,
    entry_of,
    looked,
    parents,
)
from relais.contract.findings import enforce, halt
from relais.contract.task import Builder, Task
from relais.ground.contents import read_blobs
from relais.ground.snapshot import prepare_for_crash
from relais.judge.tree import filtered_paths, scratch_git
from relais.notebook.run import Run
from relais.rules.fence import is_bad_name
from relais.rules.tables import JUDGE_RULES_BEFORE_HASHING
from relais.text.git_output import PatchEntry, parse_tree_diff
from relais.text.globs import folded
from relais.text.patches import named_paths, with_crlf
from relais.text.words import clip, visible
from relais.typed import Iterator, Json, Optional, Sequence, cast
from relais.world.files import fresh_folder, has_link_above, read_bytes, write_as, write_derived
from relais.world.git import Git, GitError
from relais.world.looks import MAX_NAME_BYTES, is_too_deep, walk


def patch_path_faults(patch: str) -> list[str]:
    """Paths in a patch's headers that no patch may name. It only chooses a code: git has refused already."""
    paths = named_paths(patch)
    return [p for p in paths if p.startswith("/") or {"..", ".git"} & set(folded(p).split("/")) or is_bad_name(p)]


def build_with_patch(run: Run, task: Task) -> None:
    """No model call: git understands the patch, the result is judged as a tree, and only then written."""
    run.spend(builder_calls=1, patch_attempts=1)
    entries = understood_patch(run, cast(str, cast(Builder, task.builder).patch))
    refuse_unfit(run.repo.root, entries)
    contents = patched_contents(run, entries)
    changes = [patch_change(run, entry, len(contents.get(entry.path, b""))) for entry in entries]
    evidence = Evidence(
        task.task_kind, cast(Fence, run.fence), Touched(tuple(changes)), GitDamage(), run.listing.submodules
    )
    enforce(JUDGE_RULES_BEFORE_HASHING, evidence)
    refuse_obstacles(run.repo.root, entries)
    prepare_for_crash(run)
    for entry in sorted(entries, key=lambda entry: entry.mode != 0):  # what goes may stand where something comes
        materialise(run.repo.root, entry, contents.get(entry.path))
    run.builder = {**cast(Json, run.builder), "output_valid": True}


def patch_git(run: Run) -> Git:
    """Git on a scratch index and a scratch object store: a refused patch leaves nothing behind."""
    return scratch_git(run, "patch-objects", {"GIT_INDEX_FILE": run.vault.path("patch-index")})


def understood_patch(run: Run, patch: str) -> tuple[PatchEntry, ...]:
    """What a patch would really do to the base: applied to an index, never to the work tree."""
    if "\0" in patch:
        raise halt(Code.STOP_PATCH_REJECTED, "the patch contains a NUL")
    fresh_folder(run.vault.path("patch-objects"))
    git = patch_git(run)
    try:
        tree = patched_tree(run, git, patch)
    except GitError as problem:
        faults = patch_path_faults(patch)
        if faults:
            raise halt(Code.STOP_PATCH_REJECTED, "the patch names paths it must not", tuple(faults)) from None
        detail = f"git cannot apply the patch: {visible(problem.words)}"
        raise halt(Code.STOP_PATCH_APPLY_FAILED, detail) from None
    return parse_tree_diff(git("diff-tree", "-r", "-z", "--raw", "--no-renames", run.base, tree)).entries


def patched_tree(run: Run, git: Git, patch: str) -> str:
    """The base with the patch applied, once more with CRLF where it does not fit without."""
    crlf = [] if "\r" in patch else crlf_paths(run, named_paths(patch))
    for words in (patch, with_crlf(patch, crlf)):
        write_derived(run.vault.path("patch-index"), read_bytes(run.vault.path("git/index")))
        try:
            git("apply", "--cached", "--whitespace=nowarn", "-p1", "-", stdin=words.rstrip("\n").encode() + b"\n")
            break
        except GitError:
            if not crlf or words != patch:
                raise
    return git.line("write-tree")


def crlf_paths(run: Run, paths: Sequence[str]) -> list[str]:
    """Which of these are committed with CRLF at the end of every line."""
    known = run.listing.find_many(list(dict.fromkeys(paths)))
    blobs = read_blobs(run.private, [oid for _, oid in known.values()], run.object_format) if known else []
    return [path for path, blob in zip(known, blobs) if blob and blob.count(b"\n") == blob.count(b"\r\n") > 0]


def patched_contents(run: Run, entries: Sequence[PatchEntry]) -> dict[str, bytes]:
    """What each file of the patch will hold, as git would write it: with the line ends and filters that its attributes name."""
    git, files = patch_git(run), {entry.path: Seen(entry.mode, b"") for entry in entries if entry.mode}
    foreign = [path for path, name in filtered_paths(run, files).items() if name in run.foreign_filters]
    if foreign:
        detail = "git writes these through a filter that a builder may have written, and a patch is written unconfined"
        raise halt(Code.STOP_PATCH_REJECTED, detail, tuple(foreign))
    return {e.path: git("cat-file", "--filters", f"--path={e.path}", e.oid) for e in entries if e.mode}


def refuse_unfit(root: str, entries: Sequence[PatchEntry]) -> None:
    """What no patch may hold, and what no work tree could."""
    faulty = [e.path for e in entries if e.mode and e.mode not in (0o100644, 0o100755)]
    faulty += [e.path for e in entries if has_link_above(root, e.path)]
    if faulty:
        raise halt(Code.STOP_PATCH_REJECTED, "a patch may only hold files, and none behind a link", tuple(faulty))
    long = [
        visible(clip(e.path, 100)) for e in entries if e.mode and (is_too_deep(root, e.path) or has_long_name(e.path))
    ]
    if long:
        raise halt(Code.STOP_PATCH_REJECTED, "too long a name, or too many folders, for a work tree", tuple(long))


def has_long_name(path: str) -> bool:
    return any(len(os.fsencode(name)) > MAX_NAME_BYTES for name in path.split("/"))


def refuse_obstacles(root: str, entries: Sequence[PatchEntry]) -> None:
    """What stands where the patch wants to write something new, and is no part of it: ignored files of the person's."""
    going = {entry.path for entry in entries if not entry.mode}
    places = [place for e in entries if e.status == "A" for place in (e.path, *parents(e.path)) if place not in going]
    files = {place for place in places if is_no_folder(root, place)}
    folders = [e.path for e in entries if e.status == "A" and e.path not in files]
    files.update(path for folder in folders for path in files_below(root, folder) if path not in going)
    if files:
        detail = "these are in the way, ignored by git and no part of the patch"
        raise halt(Code.STOP_PATCH_APPLY_FAILED, detail, tuple(sorted(files)))


def is_no_folder(root: str, path: str) -> bool:
    target = os.path.join(root, path)
    return os.path.lexists(target) and not (os.path.isdir(target) and not os.path.islink(target))


def files_below(root: str, folder: str) -> Iterator[str]:
    """Everything in a folder that is none itself; nothing where there is no folder."""
    manifest = walk(root, lambda *_: False, start=folder) if os.path.isdir(os.path.join(root, folder)) else {}
    for above, names in manifest.items():
        yield from (f"{above}/{name}" for name in names if f"{above}/{name}" not in manifest)


def patch_change(run: Run, entry: PatchEntry, size: int) -> Change:
    before = looked(entry_of(run.tree.manifest, entry.path)) or NO_LOOK
    after = Look(entry.mode, 1, size, 0, 0, 0, None) if entry.mode else None
    return Change(entry.path, entry.status, None if entry.status == "A" else before, after)


def materialise(root: str, entry: PatchEntry, content: Optional[bytes]) -> None:
    """Write one judged path of a patch into the work tree; a folder that is left empty goes, as it does with git."""
    target = os.path.join(root, entry.path)
    if content is None:
        os.unlink(target)
        with contextlib.suppress(OSError):  # the first that still holds something
            for folder in parents(entry.path):
                os.rmdir(os.path.join(root, folder))
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    mode = 0o755 if entry.mode == 0o100755 else 0o644
    write_as(content, target, NO_LOOK._replace(mode=mode))
