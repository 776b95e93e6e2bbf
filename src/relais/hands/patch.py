"""A patch carries the task out: understood by git, judged as a tree, then written."""

from __future__ import annotations

import json
import os
import re

from relais.contract.codes import Code
from relais.contract.evidence import NO_LOOK, Change, Evidence, Fence, GitDamage, Look, Touched
from relais.contract.findings import enforce, halt
from relais.contract.task import Builder, Task
from relais.ground.contents import read_blobs
from relais.ground.snapshot import prepare_for_crash
from relais.notebook.run import Run
from relais.rules.fence import is_bad_name
from relais.rules.tables import JUDGE_RULES_BEFORE_HASHING
from relais.text.git_output import PatchEntry, parse_raw_diff
from relais.text.globs import folded
from relais.text.words import visible
from relais.typed import Json, Optional, cast
from relais.world.files import fresh_folder, has_link_above, read_bytes, write_as, write_derived
from relais.world.git import HARDENED, Git, GitError

PATCH_HEADER = r'(?m)^(?:--- |\+\+\+ |(?:rename|copy) (?:from|to) )"?(?:[ab]/)?([^\t\n"]+)'


def patch_path_faults(patch: str) -> list[str]:
    """Paths in a patch's headers that no patch may name. It only chooses a code: git has refused already."""
    paths = [path for path in re.findall(PATCH_HEADER, patch) if path != "/dev/null"]
    return [p for p in paths if p.startswith("/") or {"..", ".git"} & set(folded(p).split("/")) or is_bad_name(p)]


def build_with_patch(run: Run, task: Task) -> None:
    """No model call: git understands the patch, the result is judged as a tree, and only then written."""
    run.spend(builder_calls=1, patch_attempts=1)
    entries = understood_patch(run, cast(str, cast(Builder, task.builder).patch))
    oids = [entry.oid for entry in entries if entry.mode]
    contents = dict(zip(oids, read_blobs(patch_git(run), oids, run.object_format))) if oids else {}
    rejected = [e.path for e in entries if e.mode and e.mode not in (0o100644, 0o100755)]
    rejected += [e.path for e in entries if has_link_above(run.repo.root, e.path)]
    if rejected:
        raise halt(Code.STOP_PATCH_REJECTED, "a patch may only hold files, and none behind a link", tuple(rejected))
    changes = [patch_change(entry, len(contents.get(entry.oid) or b"")) for entry in entries]
    evidence = Evidence(
        task.task_kind, cast(Fence, run.fence), Touched(tuple(changes)), GitDamage(), run.listing.submodules
    )
    enforce(JUDGE_RULES_BEFORE_HASHING, evidence)
    present = [e.path for e in entries if e.status == "A" and os.path.lexists(os.path.join(run.repo.root, e.path))]
    if present:
        raise halt(Code.STOP_PATCH_APPLY_FAILED, "these exist already, ignored by git", tuple(present))
    prepare_for_crash(run)
    for entry in entries:
        materialise(run, entry, contents.get(entry.oid))
    run.builder = {**cast(Json, run.builder), "output_valid": True}


def patch_git(run: Run) -> Git:
    """Git on a scratch index and a scratch object store: a refused patch leaves nothing behind."""
    git = run.private
    env = {
        **git.env,
        "GIT_INDEX_FILE": run.vault.path("patch-index"),
        "GIT_OBJECT_DIRECTORY": run.vault.path("patch-objects"),
        # Quoted: the list is separated by colons, and a path may hold one.
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": json.dumps(git.env["GIT_OBJECT_DIRECTORY"], ensure_ascii=False),
    }
    return Git(run.repo.git, run.repo.root, HARDENED, env)


def understood_patch(run: Run, patch: str) -> list[PatchEntry]:
    """What a patch would really do to the base: applied to an index, never to the work tree."""
    if "\0" in patch:
        raise halt(Code.STOP_PATCH_REJECTED, "the patch contains a NUL")
    fresh_folder(run.vault.path("patch-objects"))
    git = patch_git(run)
    write_derived(run.vault.path("patch-index"), read_bytes(run.vault.path("git/index")))
    try:
        git("apply", "--cached", "--whitespace=nowarn", "-p1", "-", stdin=patch.rstrip("\n").encode() + b"\n")
        tree = git.line("write-tree")
    except GitError as problem:
        faults = patch_path_faults(patch)
        if faults:
            raise halt(Code.STOP_PATCH_REJECTED, "the patch names paths it must not", tuple(faults)) from None
        detail = f"git cannot apply the patch: {visible(problem.words)}"
        raise halt(Code.STOP_PATCH_APPLY_FAILED, detail) from None
    return parse_raw_diff(git("diff-tree", "-r", "-z", "--raw", "--no-renames", run.base, tree))


def patch_change(entry: PatchEntry, size: int) -> Change:
    after = Look(entry.mode, 1, size, 0, 0, 0, None) if entry.mode else None
    return Change(entry.path, entry.status, None if entry.status == "A" else NO_LOOK, after)


def materialise(run: Run, entry: PatchEntry, content: Optional[bytes]) -> None:
    """Write one judged path of a patch into the work tree."""
    target = os.path.join(run.repo.root, entry.path)
    if content is None:
        os.unlink(target)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    mode = 0o755 if entry.mode == 0o100755 else 0o644
    write_as(content, target, NO_LOOK._replace(mode=mode))
